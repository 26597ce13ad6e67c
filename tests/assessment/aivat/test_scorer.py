"""AIVAT for limit hold'em: no correction has a mean other than zero, and no value matters.

Strategies, values and their states are arbitrary here. What is expected is enumerated: what one
event adds over all its outcomes, and what hands come to over all their ends from the turn on.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
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
from railbird.assessment.aivat.kernels import showdown_edges, weighed
from railbird.assessment.aivat.scorer import Exact, OneKnownScorer, SeatedPair, SeatedScorer
from railbird.cards import CLASS_OF_HOLDING, HOLDING_CARDS, HOLDINGS, parse_holding
from railbird.cards.isomorphism import board_classes
from railbird.errors import BadInput
from railbird.odds import equity
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.limit import CALL, FOLD, RAISE
from railbird.solve.limit.pair_values import PairValues
from railbird.solve.real_game.opponents import BoardTable

BOTH, ONE, OTHER = (True, True), (True, False), (False, True)
TEST_LIMIT_AIVAT_KNOWN = pytest.mark.parametrize("known", [BOTH, ONE, OTHER])


def limit_aivat_scorer(known: tuple[bool, bool], values: PairValues, exact: Exact) -> SeatedScorer:
    pair = SeatedPair(
        strategies=(ByRanks(1), ByRanks(2)), is_known=known, values=values, abstraction=Groups()
    )
    return SeatedScorer(pair, exact=exact)


@pytest.mark.slow(but=["known1"])
@TEST_LIMIT_AIVAT_KNOWN
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
        score = limit_aivat_scorer(known, values, exact)
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
    exactly = limit_aivat_scorer(BOTH, zero_values(), Exact.TURN)
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


@pytest.mark.slow(but=["known0"])
@TEST_LIMIT_AIVAT_KNOWN
def test_a_card_or_an_action_adds_nothing_on_average(known: tuple[bool, bool]) -> None:
    slow, score = PlayedByMatrices(known), limit_aivat_scorer(known, random_values(5), Exact.NEVER)
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
        limit_aivat_scorer((False, False), zero_values(), Exact.NEVER)


@pytest.mark.slow
def test_a_line_that_a_known_player_never_plays_has_no_estimate() -> None:
    class NeverRaises(ByRanks):
        def __init__(self) -> None:
            super().__init__(1)
            for part, number in zip(TREE.rounds, range(4), strict=True):
                calls = np.repeat(part.kind == CALL, part.sequences).astype(np.float32)
                self.tables[number] = np.tile(calls, (COUNTS[number], 1))
                self.tables[number].flags.writeable = False

    pair = replace(
        limit_aivat_scorer(BOTH, zero_values(), Exact.NEVER).pair,
        strategies=(NeverRaises(), ByRanks(2)),
    )
    found = SeatedScorer(pair, exact=Exact.NEVER).score(HELD, BOARD[:3], [CALL, CALL, RAISE, FOLD])
    assert np.isnan(found)


# AIVAT with one player known: no card and no action has a mean effect, whatever the values.


TEST_ONE_KNOWN_KNOWN = pytest.mark.parametrize("known", [(True, False), (False, True)])


def one_known_scorer(
    known: tuple[bool, bool], values: PairValues, exact: Exact = Exact.RIVER
) -> OneKnownScorer:
    pair = SeatedPair(
        strategies=(ByRanks(1), ByRanks(2)), is_known=known, values=values, abstraction=Groups()
    )
    return OneKnownScorer(pair, exact=exact)


class Spot:
    """The start of the turn or of the river, from the unknown player's side."""

    def __init__(self, known: tuple[bool, bool], street: int) -> None:
        self.slow = PlayedByMatrices(known)
        self.street, self.board = street, BOARD[: street + 2]
        to = self.slow.to_the_turn if street == 2 else self.slow.to_the_river
        self.sides, self.sequence = to()
        self.known = int(np.argmax(known))
        self.sign = 1 if self.known == 1 else -1
        self.held = HELD[1 - self.known]
        self.weights = self.sides[self.known] * DISJOINT[self.held]

    def played(self, score: OneKnownScorer, actions: list[int]) -> float:
        """Return the value of the round and what the unknown player's actions changed."""
        between = [CALL, CALL] if self.street == 3 else []
        paths = score._paths([*BEFORE, *between, *actions])
        found = score._play(
            self.street,
            self.sequence,
            boards_of(score, self.board),
            self.held,
            self.weights,
            edges_on(self.board, self.held),
            self.board,
            paths,
        )
        return found.value + found.deviation


def boards_of(score: OneKnownScorer, board: npt.NDArray[np.uint8]) -> tuple[BoardTable, ...]:
    boards = score._first
    for count in range(3, len(board) + 1):
        boards = score.pair.on(board[:count], boards)
    return boards


def edges_on(board: npt.NDArray[np.uint8], holding: int) -> npt.NDArray[np.float64]:
    edges = np.empty(HOLDINGS)
    showdown_edges(holding, board, edges)
    return edges


@TEST_ONE_KNOWN_KNOWN
def test_actions_on_the_river_add_nothing_on_average(known: tuple[bool, bool]) -> None:
    """The unknown player does not play as the model has it, which makes no difference."""
    spot, score = Spot(known, 3), one_known_scorer(known, random_values(3))
    lines = list(spot.slow.lines(spot.sides, BOARD, spot.sequence))
    true = spot.sign * sum(line.probability * line.payoff for line in lines)
    found = [spot.played(score, line.actions) for line in lines]
    mean = sum(line.probability * x for line, x in zip(lines, found, strict=True))
    assert mean == pytest.approx(true, abs=1e-6)
    assert np.std(found) > 0.1, "what deviates from the model remains"


@TEST_ONE_KNOWN_KNOWN
def test_actions_before_the_river_have_the_mean_of_the_ends(known: tuple[bool, bool]) -> None:
    spot, score = Spot(known, 2), one_known_scorer(known, random_values(4))
    part, (constant, slope) = TREE.rounds[2], score._lines[3]
    true = mean = 0.0
    for actions, probability, after, slot in spot.slow.plays(spot.sides, BOARD[:4], spot.sequence):
        mean += probability * spot.played(score, actions)
        if part.kind[slot] == FOLD:
            true += probability * spot.sign * stake(2, spot.sequence, slot, 0.0)
            continue
        end = int(np.searchsorted(part.end_slot, slot)) * part.sequences + spot.sequence
        weights = after[spot.known] * DISJOINT[spot.held]
        edge = weights @ edges_on(BOARD[:4], spot.held) / weights.sum()
        true += probability * (constant[end] + slope[end] * edge)
    assert mean == pytest.approx(true, abs=1e-6)


def test_a_card_changes_no_edge_on_average() -> None:
    """So the line's value before a card is the mean of those after it."""
    held = HELD[0]
    for count in (3, 4):
        edges, total = edges_on(BOARD[:count], held), np.zeros(HOLDINGS)
        for card in np.setdiff1d(np.arange(52), [*BOARD[:count], *HOLDING_CARDS[held]]):
            total += edges_on(np.append(BOARD[:count], np.uint8(card)), held)
        np.testing.assert_allclose(edges, total / (48 - count), atol=1e-12)
        assert not edges[is_blocked(BOARD[:count]) | ~DISJOINT[held].astype(bool)].any()


def test_edges_are_those_of_showdowns() -> None:
    mine, other = (int(parse_holding(text)) for text in ("Kd9s", "QhTh"))
    shares = [player.equity for player in equity(["Kd9s", "QhTh"], "Ah7h2c").players]
    assert edges_on(BOARD[:3], mine)[other] == pytest.approx(shares[0] - shares[1])


@TEST_ONE_KNOWN_KNOWN
def test_exact_turns_end_in_the_mean_of_all_rivers(known: tuple[bool, bool]) -> None:
    spot, score = Spot(known, 2), one_known_scorer(known, zero_values(), Exact.TURN)
    boards = boards_of(score, BOARD[:4])
    part = TREE.rounds[2]
    constant, slope = score._ends(2, spot.sequence, boards, spot.held, spot.weights, BOARD[:4])
    assert not slope.any()
    actions, _, after, slot = next(
        line
        for line in spot.slow.plays(spot.sides, BOARD[:4], spot.sequence)
        if part.kind[line[3]] != FOLD
    )
    end = int(np.searchsorted(part.end_slot, slot))
    weights = after[spot.known] * DISJOINT[spot.held]
    total = 0.0
    for card in np.setdiff1d(np.arange(52), [*BOARD[:4], *HOLDING_CARDS[spot.held]]):
        whole = np.append(BOARD[:4], np.uint8(card))
        left = np.where(is_blocked(whole), 0.0, weights)
        found = score._play(
            3,
            end * part.sequences + spot.sequence,
            score.pair.on(whole, boards),
            spot.held,
            left,
            edges_on(whole, spot.held),
            whole,
            [[], [], [], []],
        )
        total += left.sum() * found.value
    assert constant[end] / TREE.chips_per_unit == pytest.approx(
        total / weights.sum() / 44, abs=1e-5
    ), actions


def test_a_line_that_the_known_player_never_plays_has_no_estimate() -> None:
    score = one_known_scorer((True, False), random_values(1))
    part = TREE.rounds[0]
    seat_0 = next(n for n in range(part.nodes) if part.player[n] == 0)
    assert part.player[0] == 1, "seat 1 acts first before the flop"
    table = np.array(score._first[0].table)
    raises = [
        s
        for s in range(part.first_slot[seat_0], part.first_slot[seat_0 + 1])
        if part.kind[s] == RAISE
    ]
    table[:, raises] = 0
    table.flags.writeable = False
    score._first = (score._first[0]._replace(table=table), score._first[1])
    assert np.isnan(score.score(HELD, BOARD[:0], [CALL, RAISE, FOLD]))
    assert np.isfinite(score.score(HELD, BOARD[:3], [CALL, CALL, CALL, RAISE, FOLD]))


def test_two_known_players_are_refused() -> None:
    with pytest.raises(BadInput, match="one known"):
        one_known_scorer((True, True), zero_values())
