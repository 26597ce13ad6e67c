"""AIVAT for limit hold'em: no correction has a mean other than zero, and no value matters.

Strategies, values and their states are arbitrary here. What is expected is enumerated: what one
event adds over all its outcomes, and what hands come to over all their ends from the turn on.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from helpers.limit_by_enumeration import (
    BEFORE,
    BOARD,
    COUNTS,
    DISJOINT,
    HELD,
    TREE,
    ByRanks,
    Groups,
    PlayedByMatrices,
    random_values,
    stake,
    zero_values,
)
from railbird.assessment.aivat._kernels_ranges import weighed
from railbird.assessment.aivat.scorer import SeatedScorer
from railbird.assessment.aivat.seats import SeatedPair
from railbird.assessment.aivat.settings import Exact
from railbird.cards import CLASS_OF_HOLDING, HOLDINGS
from railbird.cards.isomorphism.boards import board_classes
from railbird.errors import BadInput
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.limit import CALL, FOLD, RAISE
from railbird.solve.limit.pair_values import PairValues

BOTH, ONE, OTHER = (True, True), (True, False), (False, True)
KNOWN = pytest.mark.parametrize("known", [BOTH, ONE, OTHER])


def scorer(known: tuple[bool, bool], values: PairValues, exact: Exact) -> SeatedScorer:
    pair = SeatedPair(
        strategies=(ByRanks(1), ByRanks(2)), is_known=known, values=values, abstraction=Groups()
    )
    return SeatedScorer(pair, exact=exact)


@KNOWN
def test_on_the_river_no_value_changes_the_mean_and_exact_ones_leave_nothing(
    known: tuple[bool, bool],
) -> None:
    slow = PlayedByMatrices(known)
    sides, sequence = slow.to_the_river()
    lines = list(slow.lines(sides, BOARD, sequence))
    assert sum(line.probability for line in lines) == pytest.approx(1)
    true = sum(line.probability * line.payoff for line in lines)
    before = [*BEFORE, CALL, CALL]
    spreads = []
    for values, exact in (
        (zero_values(), Exact.NEVER),
        (random_values(3, only_on_the_river=True), Exact.NEVER),
        *([(zero_values(), Exact.RIVER)] if known == BOTH else []),
    ):
        score = scorer(known, values, exact)
        found = [score.score(HELD, BOARD, [*before, *line.actions]) for line in lines]
        mean = sum(x * line.probability for x, line in zip(found, lines, strict=True))
        assert mean == pytest.approx(true, abs=1e-6)
        spreads.append(np.std(found))
        if values.after[3].first.any():
            continue
        if exact is Exact.NEVER:
            np.testing.assert_allclose(found, [line.payoff for line in lines], atol=1e-6)
        else:
            np.testing.assert_allclose(found, true, atol=1e-6)
    assert spreads[0] != spreads[1]


@pytest.mark.slow
def test_exact_turns_have_the_mean_of_all_ends() -> None:
    slow = PlayedByMatrices(BOTH)
    sides, sequence = slow.to_the_turn()
    turn, part = BOARD[:4], TREE.rounds[2]
    exactly = scorer(BOTH, zero_values(), Exact.TURN)
    true = mean = total = said = 0.0
    for actions, probability, after, slot in slow.plays(sides, turn, sequence):
        line = [*BEFORE, *actions]
        if part.kind[slot] == FOLD:
            total += probability
            true += probability * stake(2, sequence, slot, 0.0)
            mean += probability * exactly.score(HELD, turn, line)
            continue
        following = int(np.searchsorted(part.end_slot, slot)) * part.sequences + sequence
        for card in np.setdiff1d(np.arange(52), turn):
            whole = np.append(turn, np.uint8(card))
            left = [np.where(is_blocked(whole), 0, side) for side in after]
            here = probability * slow.mass(left) / slow.mass(after) / 44
            if here == 0:
                continue
            lines = list(slow.lines(left, whole, following))
            total += here
            true += here * sum(play.probability * play.payoff for play in lines)
            # It says the same whatever follows: some rivers stand for all.
            if card < 4:
                said = exactly.score(HELD, whole, [*line, *lines[-1].actions])
            mean += here * said
    assert total == pytest.approx(1)
    assert mean == pytest.approx(true, abs=1e-5)


@KNOWN
def test_a_card_or_an_action_adds_nothing_on_average(known: tuple[bool, bool]) -> None:
    slow, score = PlayedByMatrices(known), scorer(known, random_values(5), Exact.NEVER)
    sides, sequence = slow.to_the_turn()
    turn, flop = BOARD[:4], BOARD[:3]
    here = score._on(score._on(score._first, flop), turn)
    # Every action of the turn's first decision by a known player.
    part = TREE.rounds[2]
    node = next(n for n in range(part.nodes) if known[part.player[n]])
    added = []
    for slot in range(part.first_slot[node], part.first_slot[node + 1]):
        weights = np.stack(sides)
        correction = score._act(here, 2, sequence, weights, [slot])
        chance = slow.mass(list(weights)) / slow.mass(sides)
        added.append((chance, correction))
    assert sum(chance for chance, _ in added) == pytest.approx(1)
    assert sum(x * y for x, y in added if x > 0) == pytest.approx(0, abs=1e-6)
    assert max(abs(y) for x, y in added if x > 0) > 0.01
    # Every card of the river.
    added = []
    for card in np.setdiff1d(np.arange(52), turn):
        weights = np.stack(sides)
        whole = np.append(turn, np.uint8(card))
        if slow.mass([np.where(is_blocked(whole), 0, side) for side in sides]) == 0:
            continue
        _, correction = score._turn_up(here, np.array(HELD), whole, 3, 0, weights)
        chance = slow.mass(list(weights)) / slow.mass(sides) / 44
        added.append((chance, correction))
    assert sum(chance for chance, _ in added) == pytest.approx(1)
    assert sum(x * y for x, y in added) == pytest.approx(0, abs=1e-6)
    # Every flop, and every hand that an unknown player may hold.
    start, flops = score.pair.values.start[1], board_classes(3)
    held = CLASS_OF_HOLDING[HELD[int(np.argmin(known))]] == CLASS_OF_HOLDING
    weights = np.stack([score._weights_before_flop(seat)[0] for seat in range(2)])
    values = masses = 0.0
    for flop, orbit in zip(flops.representative, flops.orbit, strict=True):
        states = Groups().next_states(flop, None)
        for holding in [-1] if known == BOTH else np.flatnonzero(held):
            some = np.where(is_blocked(flop), 0, weights)
            if holding >= 0:
                some[int(np.argmin(known))] *= np.arange(HOLDINGS) == holding
            value, mass = weighed(some[0], some[1], states, start.first[0], start.second[0])
            values += orbit * value
            masses += orbit * mass
    column = 0 if known == BOTH else CLASS_OF_HOLDING[HELD[int(np.argmin(known))]]
    assert score._after_flop[0, column] == pytest.approx(values / masses, abs=1e-9)


def test_sums_over_pairs_are_those_of_a_matrix() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.random((2, HOLDINGS)) * (rng.random((2, HOLDINGS)) < 0.5)
    plus, minus = rng.normal(size=(2, 9)).astype(np.float32)
    states = rng.integers(0, 9, HOLDINGS).astype(np.int32)
    value, mass = weighed(first, second, states, plus, minus)
    worth = (plus[states][:, None] - minus[states][None, :]) * DISJOINT
    assert mass == pytest.approx(first @ DISJOINT @ second)
    assert value == pytest.approx(first @ worth @ second)


def test_bad_input_is_refused() -> None:
    with pytest.raises(BadInput, match="no strategy known"):
        scorer((False, False), zero_values(), Exact.NEVER)


def test_a_line_that_a_known_player_never_plays_has_no_estimate() -> None:
    class NeverRaises(ByRanks):
        def __init__(self) -> None:
            super().__init__(1)
            for part, number in zip(TREE.rounds, range(4), strict=True):
                calls = np.repeat(part.kind == CALL, part.sequences).astype(np.float32)
                self.tables[number] = np.tile(calls, (COUNTS[number], 1))
                self.tables[number].flags.writeable = False

    pair = replace(
        scorer(BOTH, zero_values(), Exact.NEVER).pair, strategies=(NeverRaises(), ByRanks(2))
    )
    found = SeatedScorer(pair, exact=Exact.NEVER).score(HELD, BOARD[:3], [CALL, CALL, RAISE, FOLD])
    assert np.isnan(found)
