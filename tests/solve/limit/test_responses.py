"""Responses to observed play: small games whose answers are known, and hands of a match."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from railbird.arena import Match, play
from railbird.errors import BadInput, NothingUsable
from railbird.game import HEADS_UP_LIMIT
from railbird.histories import HandRecord, read
from railbird.solve import exploitability, leduc, uniform
from railbird.solve.abstraction import CardBlind
from railbird.solve.limit import CALL, betting_tree
from railbird.solve.limit.matrix_cfr import MatrixSolver
from railbird.solve.limit.responses import (
    ObservedPlay,
    ResponseKind,
    ResponseSolver,
    find_response,
    observe_play,
)
from railbird.solve.limit.strategy import StateGame, leduc_states

MANY = 1e6


@pytest.fixture(scope="module")
def game() -> StateGame:
    return leduc_states()


def everything_alike(game: StateGame, times: float) -> ObservedPlay:
    """A player seen to take all actions equally often."""
    counts = tuple(
        np.full((states, part.lanes), times, dtype=np.float32)
        for states, part in zip(game.states, game.tree.rounds, strict=True)
    )
    return ObservedPlay(game.tree, CardBlind(), counts, hands=1, hidden=0)


def test_frequentist_best_response(game: StateGame) -> None:
    """It wins from the uniform player what a best response does in the game's own form."""
    solver = ResponseSolver(game, everything_alike(game, MANY), ResponseKind.FREQUENTIST, 1.0)
    point = find_response(solver, gap_mb=1, most=1)
    tree = leduc()
    unit = game.tree.chips_per_unit
    assert point.gain_mb == pytest.approx(1000 * exploitability(tree, uniform(tree)) / unit)
    again = MatrixSolver(game)
    again.sums = solver.own.average()
    assert 1000 * again.exploitability() == pytest.approx(point.exposure_mb, rel=1e-4)
    for table, part in zip(solver.own.average(), game.tree.rounds, strict=True):
        assert set(np.unique(table)) == {0.0, 1.0}
        by_slot = table.reshape(len(table), part.slots, part.sequences)
        assert np.all(np.add.reduceat(by_slot, part.first_slot[:-1], axis=1) == 1)


@pytest.mark.slow(but=["ResponseKind.RESTRICTED"])
@pytest.mark.parametrize("kind", [ResponseKind.RESTRICTED, ResponseKind.DATA_BIASED])
def test_from_an_equilibrium_to_a_best_response(game: StateGame, kind: ResponseKind) -> None:
    """Trusting more wins more and risks more; the gap says how well each is solved."""
    observed = everything_alike(game, MANY)
    best = ResponseSolver(game, observed, ResponseKind.FREQUENTIST, 1.0).point()
    solver, points = ResponseSolver(game, observed, kind, 0.0), []
    for p in (0.0, 0.4, 0.8, 1.0):
        solver.restart(p)
        points.append(find_response(solver, gap_mb=2, most=2_000))
    assert all(0 <= point.gap_mb <= 2 for point in points)
    assert points[0].exposure_mb == pytest.approx(0, abs=2)
    assert points[-1].gain_mb == pytest.approx(best.gain_mb, abs=2)
    for less, more in pairwise(points):
        assert less.gain_mb < more.gain_mb + 2
        assert less.exposure_mb < more.exposure_mb
    # What is not risked for nothing: half the gain of a best response at a fraction of its risk.
    assert points[1].exposure_mb < 0.5 * best.exposure_mb


def test_what_was_not_seen_is_not_trusted(game: StateGame) -> None:
    seen, unseen = everything_alike(game, 5), everything_alike(game, 0)
    nothing = ResponseSolver(game, unseen, ResponseKind.DATA_BIASED, 1.0)
    half = ResponseSolver(game, seen, ResponseKind.DATA_BIASED, 1.0)
    point = find_response(nothing, gap_mb=2, most=2_000)
    assert point.exposure_mb == pytest.approx(0, abs=2)
    # Decisions with two and three actions were faced ten and fifteen times: all are trusted.
    assert find_response(half, gap_mb=2, most=2_000).exposure_mb > 100


@pytest.mark.parametrize("p", [-0.1, 1.5, float("nan")])
def test_refused_parts(game: StateGame, p: float) -> None:
    with pytest.raises(BadInput, match="allowed: 0 to 1"):
        ResponseSolver(game, everything_alike(game, 1), ResponseKind.RESTRICTED, p)


def test_refused_gap(game: StateGame) -> None:
    solver = ResponseSolver(game, everything_alike(game, 1), ResponseKind.RESTRICTED, 0.5)
    with pytest.raises(BadInput, match="gap of 0"):
        find_response(solver, gap_mb=0, most=10)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[HandRecord]:
    log = tmp_path_factory.mktemp("log") / "match.log"
    play(Match(players=("a=random", "b=always-call"), deals=300, seed=4), log=log)
    return [item for item in read(str(log)) if isinstance(item, HandRecord)]


def test_observed_play(records: list[HandRecord]) -> None:
    tree = betting_tree(HEADS_UP_LIMIT)
    observed = observe_play(records, "b", CardBlind())
    assert (observed.hands, observed.hidden) == (300, 0)
    total = sum(
        1 for record in records for seat in _seats_of_actions(record) if record.players[seat] == "b"
    )
    assert sum(table.sum() for table in observed.counts) == total
    for part, table, faced in zip(
        tree.rounds, observed.frequencies(), observed.decisions(), strict=True
    ):
        # It always calls, where it was seen and where it was not.
        assert np.array_equal(table[0].reshape(part.slots, -1).T[0], part.kind == CALL)
        assert faced.shape == (1, part.decisions)
    first = observed.decisions()[0][0]
    buttons = sum(record.players[1] == "b" for record in records)
    assert first[0] == buttons


def _seats_of_actions(record: HandRecord) -> list[int]:
    tree = betting_tree(record.rules)
    place, seats = tree.root, []
    for action in record.actions:
        seats.append(int(tree.rounds[place.street].player[place.node]))
        kind = ("Fold", "Call", "Raise").index(type(action).__name__)
        following = tree.step(place, kind)
        if following is None:
            break
        place = following
    return seats


def test_hands_of_nobody(records: list[HandRecord]) -> None:
    with pytest.raises(NothingUsable, match="none of this player"):
        observe_play(records, "c", CardBlind())


def test_hidden_cards(records: list[HandRecord]) -> None:
    hidden = [replace(record, holes=(None, None)) for record in records[:10]]
    observed = observe_play([*records[10:], *hidden], "a", CardBlind())
    assert (observed.hands, observed.hidden) == (290, 10)
    with pytest.raises(NothingUsable, match="10 with hidden cards"):
        observe_play(hidden, "a", CardBlind())
