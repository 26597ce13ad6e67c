"""Leagues: who plays whom, what the matches add up to, and going on with one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from railbird.arena import (
    Fault,
    FaultTally,
    League,
    LeagueResult,
    MatchResult,
    Seating,
    play,
    play_league,
)
from railbird.arena.league import Pair, log_name
from railbird.arena.match_chunks import Chunk
from railbird.errors import BadInput, Interrupted
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT, limit_holdem
from railbird.jobs import workers

LEAGUE = League(
    players=("random", "baseline", "random", "always-call"),
    rules=HEADS_UP_LIMIT,
    deals=120,
    seed=5,
    seating=Seating.DUPLICATE,
    chunk=50,
)


def test_everybody_plays_everybody_once() -> None:
    assert LEAGUE.pairs == ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    assert LEAGUE.names == ("random", "baseline", "random#2", "always-call")
    assert LEAGUE.hands == 6 * 240


def test_results_add_up() -> None:
    result = play_league(LEAGUE)
    everybody = range(len(LEAGUE.players))
    assert np.allclose(sum(result.per_deal(player) for player in everybody), 0)
    for player, other in LEAGUE.pairs:
        assert np.array_equal(result.against(player, other), -result.against(other, player))
    total = sum(result.against(1, other) for other in (0, 2, 3)) / 3
    assert np.allclose(result.per_deal(1), total)
    won = [result.money(player).value for player in result.ranking]
    assert won == sorted(won, reverse=True)


class Stop:
    """Ends a match after so many chunks."""

    def __init__(self, chunks: int) -> None:
        self.left = chunks

    def __call__(self, chunk: Chunk) -> bool:
        self.left -= 1
        return self.left == 0


def test_each_match_may_stop_by_itself(tmp_path: Path) -> None:
    whole = play_league(LEAGUE)
    stops = {pair: Stop(place % 3 + 1) for place, pair in enumerate(LEAGUE.pairs)}
    told: list[tuple[int, int, str]] = []
    result = play_league(
        LEAGUE, logs=tmp_path, until=stops, progress=lambda *news: told.append(news)
    )
    deals = [result.matches[pair].match.deals for pair in LEAGUE.pairs]
    assert deals == [50, 100, 120, 50, 100, 120]
    assert result.hands == 2 * sum(deals) < LEAGUE.hands
    for pair, match in result.matches.items():
        assert np.array_equal(match.payoffs, whole.matches[pair].payoffs[:, : match.match.deals])
    again = play_league(LEAGUE, logs=tmp_path)
    assert {match.resumed for match in again.matches.values()} == {100, 200, 240}
    assert all(
        np.array_equal(again.matches[pair].payoffs, whole.matches[pair].payoffs)
        for pair in LEAGUE.pairs
    )


def test_matches_of_unequal_length_count_equally_in_the_mean() -> None:
    stops = {pair: Stop(place % 3 + 1) for place, pair in enumerate(LEAGUE.pairs)}
    result = play_league(LEAGUE, until=stops)
    for player in range(4):
        against = [result.against(player, other) for other in range(4) if other != player]
        values = result.per_deal(player)
        assert values.mean() == pytest.approx(np.mean([won.mean() for won in against]))
    # By hand: the variance of a sum of two means that share their first deals, and of a third.
    rng = np.random.default_rng(8)
    means = []
    for _ in range(4000):
        luck = rng.normal(size=200)
        means.append((luck[:50].mean() + luck.mean()) / 2)
    league = League(
        players=("a=random", "b=random", "c=random"), rules=HEADS_UP_LIMIT, deals=200, seed=1
    )
    luck = rng.normal(size=200)
    matches = {
        pair: MatchResult(
            match=league.match(pair),
            payoffs=np.stack([luck[:deals], -luck[:deals]], axis=-1)[None],
            faults=(FaultTally(), FaultTally()),
            resumed=0,
            seconds=1.0,
        )
        for pair, deals in {(0, 1): 50, (0, 2): 200, (1, 2): 10}.items()
    }
    values = LeagueResult(league=league, matches=matches).per_deal(0)
    assert values.std() / np.sqrt(200) == pytest.approx(np.std(means), rel=0.15)


def test_a_match_of_a_league_is_that_match(tmp_path: Path) -> None:
    result = play_league(LEAGUE, logs=tmp_path / "league")
    alone = play(LEAGUE.match((1, 3)), log=tmp_path / "alone.log")
    assert (tmp_path / "league" / "2-4.log").read_bytes() == (tmp_path / "alone.log").read_bytes()
    assert np.array_equal(result.matches[1, 3].payoffs, alone.payoffs)


def test_a_league_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = play_league(LEAGUE)
    play_league(replace(LEAGUE, players=LEAGUE.players[:3]), logs=tmp_path)
    (tmp_path / "2-3.log").unlink()
    told: list[tuple[int, int, str]] = []
    again = play_league(LEAGUE, logs=tmp_path, progress=lambda *news: told.append(news))
    resumed = {pair for pair, match in again.matches.items() if match.resumed}
    assert resumed == {(0, 1), (0, 2)}
    assert told[-1] == (LEAGUE.hands, LEAGUE.hands, "playing")
    for pair, match in whole.matches.items():
        assert np.array_equal(match.payoffs, again.matches[pair].payoffs)
    with pytest.raises(BadInput, match="the log of another match: it differs in seed"):
        play_league(replace(LEAGUE, seed=6), logs=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("stopping", [pytest.param(False, marks=pytest.mark.slow), True])
def test_one_crew_plays_all_matches_and_the_logs_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopping: bool
) -> None:
    def stops() -> dict[Pair, Stop] | None:
        return {pair: Stop(n % 3 + 1) for n, pair in enumerate(LEAGUE.pairs)} if stopping else None

    start = Mock(wraps=workers._start)
    monkeypatch.setattr(workers, "_start", start)
    alone = play_league(LEAGUE, logs=tmp_path / "one", until=stops())
    together = play_league(LEAGUE, logs=tmp_path / "two", until=stops(), workers=2)
    assert start.call_count == 2
    for pair in LEAGUE.pairs:
        one, two = (tmp_path / folder / log_name(pair) for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
        assert np.array_equal(alone.matches[pair].payoffs, together.matches[pair].payoffs)
    (tmp_path / "two" / "1-4.log").unlink()
    part = (tmp_path / "two" / "2-3.log").read_bytes()
    (tmp_path / "two" / "2-3.log").write_bytes(part[: len(part) // 2])
    again = play_league(LEAGUE, logs=tmp_path / "two", until=stops(), workers=2)
    assert (again.matches[0, 3].resumed, again.matches[0, 1].resumed > 0) == (0, True)
    assert again.hands == alone.hands
    assert (tmp_path / "two" / "2-3.log").read_bytes() == part
    before = start.call_count
    play_league(LEAGUE, logs=tmp_path / "two", until=stops(), workers=2)
    assert stopping or start.call_count == before, "nothing was left to do"


def test_ctrl_c_keeps_the_matches_that_are_done(tmp_path: Path, bad_players: str) -> None:
    rude = f"{bad_players}:Scripted,answer=interrupt,at_hand=90"
    league = replace(LEAGUE, players=("always-call", "random", rude), chunk=20)
    with pytest.raises(Interrupted, match=f"after 320 of 720 hands; they are kept in {tmp_path}"):
        play_league(league, logs=tmp_path)
    assert play(league.match((0, 1)), log=tmp_path / log_name((0, 1))).resumed == 240
    assert (tmp_path / log_name((0, 2))).read_bytes().count(b"# railbird chunk ") == 2


def test_faults_are_counted_over_all_matches(bad_players: str) -> None:
    bad = f"{bad_players}:Scripted,answer=none"
    league = replace(LEAGUE, players=(bad, "random", "always-call"), deals=5, chunk=5)
    result = play_league(league)
    counts = [result.matches[pair].faults[0].counts[Fault.ILLEGAL] for pair in ((0, 1), (0, 2))]
    assert result.faults(0).counts == {Fault.ILLEGAL: sum(counts)}
    assert not result.faults(1).counts


def test_leagues_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadInput, match="1 players; allowed: 2 or more"):
        replace(LEAGUE, players=("random",))
    with pytest.raises(BadInput, match="a league of 3 seats"):
        replace(LEAGUE, rules=limit_holdem(3))
    with pytest.raises(BadInput, match="0 deals"):
        replace(LEAGUE, deals=0)
    assert replace(LEAGUE, rules=HEADS_UP_NO_LIMIT).hands == LEAGUE.hands
