"""Errors of protocol and play told apart: twins, and a player that errs when it is behind."""

from __future__ import annotations

from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from helpers.erring_players import Erring
from railbird.arena import Match, Ring, play, play_ring
from railbird.assessment import Assessment, assess, assess_table, crosstable, league_of
from railbird.assessment.protocol_errors import (
    Decisions,
    ProtocolErrors,
    results_without,
)
from railbird.cli import run
from railbird.estimates import Estimate
from railbird.game import HEADS_UP_LIMIT, Rules, acpc_rules, no_limit_holdem
from railbird.histories.protocol_errors import error_comment, errors_in, recorded_errors
from railbird.report.match_summary import summarise_match

NO_LIMIT: Final = no_limit_holdem(2, blinds=(50, 100), stack=10_000)
GAMES: Final = {"limit": HEADS_UP_LIMIT, "no-limit": NO_LIMIT}
MATCHES: Final = 200
CLAIM: Final = 0.05
"""Largest probability of a verdict between twins."""
MOST: Final = next(
    most
    for most in range(MATCHES + 1)
    if sum(comb(MATCHES, n) * CLAIM**n * (1 - CLAIM) ** (MATCHES - n) for n in range(most + 1))
    >= 0.99
)
"""Verdicts that a rate as claimed exceeds in fewer than one of a hundred sets of matches; 18."""
PARTS: Final = (0.0, 0.05, 0.3)
"""Of decisions that are errors."""


def match(
    rules: Rules,
    *,
    part: float,
    seed: int,
    deals: int = 500,
    behind: bool = False,
    plays: str = "random",
    against: str = "random",
) -> Match:
    class Errs(Erring):
        def __init__(self) -> None:
            super().__init__(part, behind, plays)

    class Twin(Erring):
        def __init__(self) -> None:
            super().__init__(plays=against)

    players = (Errs, Twin)
    return Match(rules=acpc_rules(rules), players=players, deals=deals, seed=seed)


def assessed(played: Match) -> Assessment[Any]:
    batches = play(played, keep=True).batches()
    if played.rules == acpc_rules(HEADS_UP_LIMIT):
        return assess(batches)
    return assess_table(batches, boards=4)


def winner(found: Assessment[Any]) -> str | None:
    """Return who is said to play better."""
    why = found.withheld()
    for player in found.players:
        result = found.estimates[player][found.headline]
        if result.low > 0 and why is None:
            return player
    return None


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("game", GAMES)
def test_twins_are_not_told_apart_by_errors(game: str, part: float) -> None:
    found = [assessed(match(GAMES[game], part=part, seed=seed)) for seed in range(MATCHES)]
    verdicts = sum(winner(one) is not None for one in found)
    assert verdicts <= MOST


@pytest.mark.slow
def test_who_errs_when_behind_gains_nothing() -> None:
    """Its errors count as the play that they may be: the verdict against it stands."""
    found = assessed(match(HEADS_UP_LIMIT, part=1.0, seed=3, behind=True, against="baseline"))
    assert found.errors.counts["Errs", "illegal"] > 50
    assert found.errors.as_play == ("Errs",)
    assert not found.errors.without
    assert winner(found) == "Twin"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_who_errs_when_behind_has_no_verdict_for_it(game: str) -> None:
    """The arena folds its bad hands, so that it beats its twin, who raises with any."""
    raises = "always-raise"
    found = assessed(
        match(GAMES[game], part=1.0, seed=3, behind=True, plays=raises, against=raises)
    )
    assert found.estimates["Errs"][found.headline].low > 0
    assert "Errs was behind" in (found.withheld() or "")
    assert winner(found) is None


def test_who_errs_by_chance_loses_by_errors_alone() -> None:
    found = assessed(match(HEADS_UP_LIMIT, part=0.3, seed=1, deals=400))
    result = found.estimates["Errs"][found.headline]
    assert result.high < 0
    assert not found.errors.as_play
    assert found.errors.without["Errs"].value == pytest.approx(-found.errors.without["Twin"].value)
    count = found.errors.counts["Errs", "illegal"]
    why = f"errors of protocol (Errs {count:,} illegal) could explain the result of "
    assert (found.withheld() or "").startswith(why)
    assert found.integrity.withheld(found.hero) is None
    table = found.as_json()
    assert table["evidence"]["verdict_by"] is None
    assert table["errors_of_protocol"]["count"] == [
        {"player": "Errs", "error": "illegal", "count": count}
    ]
    assert "errors of protocol (Errs" in summarise_match(found).verdict.headline

    # An older log has them only in its footers.
    old = replace(found, errors=ProtocolErrors())
    assert old.withheld() is None
    many = old.with_recorded({("Errs", "illegal"): count})
    assert many.errors.counts == found.errors.counts
    assert "without saying in which hands" in (many.withheld() or "")
    none_more = found.with_recorded({("Errs", "illegal"): count})
    assert none_more.errors == found.errors
    for matches, why in (
        ([found], "could explain"),
        ([many, assessed(match(HEADS_UP_LIMIT, part=0.3, seed=2, deals=100))], "in which hands"),
    ):
        verdicts = crosstable(matches).verdicts
        for names in (("Errs",), ("Errs", "Twin"), ("Twin", "Errs")):
            assert verdicts[names].decided
            assert why in (verdicts[names].errors or "")
            assert not verdicts[names].stands
    assert crosstable([old]).verdicts["Errs", "Twin"].stands


def test_few_errors_that_no_hand_names_leave_the_verdict() -> None:
    """A result of 1 ± 0.2 in 1,000 hands of 10 at most: an error may shift it by 0.02."""
    result = {"Ann": Estimate(1.0, 0.1, 1000, "sb")}
    for count, is_withheld in ((10, False), (41, True)):
        errors = ProtocolErrors().with_recorded({("Bob", "late"): count}, largest=10.0)
        assert errors.unplaced == {"Bob": count}
        assert (errors.withheld(result, {"Ann": 1000}) is not None) is is_withheld
        assert errors.among(["Ann"]).most_shift(1000) == 0.0


def test_footers_are_counted_once(tmp_path: Path) -> None:
    footer = '# railbird chunk {"chunk": 0, "faults": {"Ann": {"late": {"count": 2}}}}\n'
    another = '# railbird chunk {"chunk": 1, "faults": {"Ann": {"late": {"count": 3}}, "Bob": 4}}\n'
    head = '# railbird match {"players": ["Ann", "Bob"]}\n'
    changed = '# railbird chunk {"chunk": 2, "faults": {"Ann": {"late": {"count": "9"}}}}\n# x {\n'
    path = tmp_path / "old.log"
    path.write_text(head + footer + another + footer + changed)
    (tmp_path / "no.log").write_text("# a log of somebody\n" + footer)
    assert recorded_errors(tmp_path) == {str(path): {("Ann", "late"): 5}}
    assert recorded_errors("-") == {}


def _decisions(rng: np.random.Generator, hands: int, part: float, *, behind: float) -> Decisions:
    """Make three decisions of each player in turn, of -1 by the first and of -2 by the second.

    The first errs in a part of its decisions, and more often by ``behind`` where it stands badly.
    """
    hand = np.repeat(np.arange(hands), 6)
    player = np.tile([0, 1], 3 * hands)
    standing = rng.normal(size=len(hand))
    cost = np.where(player == 0, -1.0, 2.0)
    rate = part + behind * (standing < 0)
    return Decisions(
        position=np.full((hands, 2), [0.25, -0.25]),
        changes=np.stack([cost, -cost], axis=1),
        hand=hand,
        player=player,
        spot=np.tile(np.repeat([0, 2, 4], 2), hands),
        standing=standing,
        errs=(player == 0) & (rng.random(len(hand)) < rate),
    )


@pytest.mark.parametrize("part", [0.0, 0.05, 0.3])
def test_results_without_errors_are_those_of_the_play(part: float) -> None:
    """Three decisions of -1 and three of 2 for the first: 3.25 with its position."""
    rng = np.random.default_rng(13)
    parts = [_decisions(rng, 2000, part, behind=0.0) for _ in range(4)]
    results, as_play = results_without(parts)
    first, second = np.concatenate(results).T
    assert not as_play
    np.testing.assert_allclose(first, -second)
    error = first.std() / np.sqrt(len(first))
    assert abs(first.mean() - 3.25) <= 3 * error + 1e-9
    cut = np.concatenate([np.bincount(one.hand, one.errs) for one in parts]) > 0
    if part == 0.3:
        assert abs(first[~cut].mean() - 3.25) > 3 * error, "leaving hands out is a selection"


def test_errors_that_depend_on_the_hand_count_as_play() -> None:
    rng = np.random.default_rng(14)
    found = _decisions(rng, 2000, 0.02, behind=0.1)
    results, as_play = results_without([found])
    assert as_play == {0}
    whole = found.position.copy()
    np.add.at(whole, found.hand, found.changes)
    np.testing.assert_allclose(results[0], whole)


def test_a_comment_is_read_as_it_is_written() -> None:
    errors = ((0, "illegal"), (12, "late"))
    assert errors_in(error_comment(errors)) == errors
    for other in ("", "errors of protocol: ", "errors of protocol: 3", "x errors of protocol: 3 a"):
        assert errors_in(other) == ()


@pytest.mark.slow
def test_every_log_lists_what_is_not_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A match in limit and no-limit, a ring game, and a league of them."""
    (tmp_path / "erring_of_test.py").write_text(
        "from helpers.erring_players import Erring\n\n\n"
        "class Errs(Erring):\n    def __init__(self):\n        super().__init__(0.3)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    errs = "Errs=python:erring_of_test:Errs"
    logs = ["limit.log", "no-limit.log", "ring.phhs"]
    for rules, name in ((HEADS_UP_LIMIT, logs[0]), (NO_LIMIT, logs[1])):
        played = Match(rules=acpc_rules(rules), players=(errs, "random"), deals=20, seed=2)
        result = play(played, log=tmp_path / name)
        assert assessed_counts(tmp_path / name) == _counted(result.faults[0].as_json())
    ring = Ring(players=(errs, "random", "always-call"), hands=30, session=30, seed=1, buy_in=100)
    faults = play_ring(ring, log=tmp_path / logs[2]).faults(0)
    assert assessed_counts(tmp_path / logs[2]) == _counted(faults.as_json())
    for arguments in (*([one] for one in logs), ["--show", "league", *logs[1:2]]):
        assert run(["assess", *arguments]) == 0
        said = capsys.readouterr().out
        assert "Not play" in said
        assert "illegal" in said


def assessed_counts(log: Path) -> int:
    return assess_table(log, boards=2).errors.counts.get(("Errs", "illegal"), 0)


def _counted(faults: dict[str, Any]) -> int:
    count: int = faults["illegal"]["count"]
    assert count
    return count


@pytest.mark.slow
def test_a_pair_of_a_league_is_not_decided_by_errors() -> None:
    batches = list(play(match(HEADS_UP_LIMIT, part=0.3, seed=1, deals=1500), keep=True).batches())
    (pair,) = league_of(batches).table.pairs.values()
    assert pair.without is not None
    assert pair.is_beyond_chance
    assert not pair.is_decided
    assert "could explain" in (pair.verdict.errors or "")
    assert replace(pair.verdict, errors=None).stands
