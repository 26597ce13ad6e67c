"""Leagues: who plays whom, what the matches add up to, and going on with one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.arena import Fault, League, Seating, play, play_league
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT, limit_holdem

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
