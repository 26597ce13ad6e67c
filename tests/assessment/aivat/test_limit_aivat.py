"""AIVAT for limit hold'em: no correction has a mean other than zero, and no value matters.

Strategies, values and their states are arbitrary here. What is expected is enumerated: what one
event adds over all its outcomes, and what hands come to over all their ends from the turn on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from railbird.assessment.aivat._kernels_ranges import weighed
from railbird.assessment.aivat.scorer import SeatedPair, SeatedScorer
from railbird.assessment.aivat.settings import Exact
from railbird.cards import CLASS_OF_HOLDING, HOLDING_CARDS, HOLDINGS, parse_cards, parse_holding
from railbird.cards.hand_strength._kernels_evaluator_batch import strengths7
from railbird.cards.isomorphism.boards import board_classes
from railbird.errors import BadInput
from railbird.solve.abstraction.card_abstraction import Recall, States, is_blocked
from railbird.solve.limit import CALL, FOLD, RAISE, LimitBetting, limit_tree
from railbird.solve.limit.pair_values import Effects, PairValues
from railbird.solve.real_game.opponents import BoardTable

TREE = limit_tree(
    LimitBetting(posts=(2, 1), bet_sizes=(2, 2, 4, 4), most_raises=(1,) * 4, first=(1, 0, 0, 0))
)
BOARD = np.array(parse_cards("Ah7h2c9dJs"), dtype=np.uint8)
HELD = tuple(int(parse_holding(text)) for text in ("Kd9s", "QhTh"))
BEFORE = [CALL, CALL, RAISE, CALL]
"""Before the flop and on it."""
COUNTS = (7, 11, 13, 11)


def groups(board: npt.NDArray[np.uint8], count: int) -> npt.NDArray[np.int32]:
    """Divide holdings by ranks alone, so that suits do not matter."""
    ranks = HOLDING_CARDS.astype(np.int64) // 4
    pair = (ranks[:, :1] == board[np.newaxis] // 4).sum(axis=1)
    found: npt.NDArray[np.int32] = (ranks[:, 0] * 3 + ranks[:, 1] * 5 + 2 * pair) % count
    return found.astype(np.int32)


class ByRanks:
    """A strategy of random probabilities that depend on ranks; some actions are never taken."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.tree = TREE
        self.tables = []
        for part, count in zip(TREE.rounds, COUNTS, strict=True):
            weight = rng.random((count, part.slots, part.sequences))
            weight[rng.random(weight.shape) < 0.2] = 0
            weight[:, part.kind == CALL] += 0.1
            total = np.add.reduceat(weight, part.first_slot[:-1], axis=1)
            table = (weight / total[:, part.node]).reshape(count, -1).astype(np.float32)
            table.flags.writeable = False
            self.tables.append(table)

    def on(self, board: npt.NDArray[np.uint8], before: BoardTable | None) -> BoardTable:
        street = max(len(board) - 2, 0)
        return BoardTable(self.tables[street], groups(board, COUNTS[street]))


class Groups:
    """States of the values."""

    name = "groups"
    states = (5, 7, 9, 8)
    recall = Recall.IMPERFECT
    record: ClassVar[dict[str, object]] = {}

    def next_states(self, board: npt.NDArray[np.uint8], before: States | None) -> States:
        states = groups(board, self.states[max(len(board) - 2, 0)])
        states[is_blocked(board)] = -1
        return states


def random_values(seed: int, *, only_on_the_river: bool = False) -> PairValues:
    rng = np.random.default_rng(seed)

    def effects(rows: int, street: int, scale: float) -> Effects:
        shape = rows, Groups.states[street]
        return Effects(*(scale * rng.normal(size=shape).astype(np.float32) for _ in range(2)))

    scales = [0.0, 0.0, 0.0, 1.0] if only_on_the_river else [1.0] * 4
    return PairValues(
        tuple(effects(part.lanes, s, scales[s]) for s, part in enumerate(TREE.rounds)),
        tuple(
            effects(part.sequences, s, 0.0 if only_on_the_river else 1.0)
            for s, part in enumerate(TREE.rounds)
        ),
        0.0,
    )


def zero_values() -> PairValues:
    values = random_values(1)
    after, start = (
        tuple(Effects(0 * each.first, 0 * each.second) for each in side)
        for side in (values.after, values.start)
    )
    return PairValues(after, start, 0.0)


BOTH, ONE, OTHER = (True, True), (True, False), (False, True)
KNOWN = pytest.mark.parametrize("known", [BOTH, ONE, OTHER])


def scorer(known: tuple[bool, bool], values: PairValues, exact: Exact) -> SeatedScorer:
    pair = SeatedPair(
        strategies=(ByRanks(1), ByRanks(2)), is_known=known, values=values, abstraction=Groups()
    )
    return SeatedScorer(pair, exact=exact)


class Play(NamedTuple):
    """A betting line from some point to the end of the hand, and what made it likely."""

    actions: list[int]
    probability: float
    payoff: float
    """Of seat 0 in small bets, the mean over what known players may hold."""


SHARED = (HOLDING_CARDS[:, None, :, None] == HOLDING_CARDS[None, :, None, :]).any(axis=(2, 3))
DISJOINT = (~SHARED).astype(np.float32)


class Slow:
    """The same hand by matrices of pairs."""

    def __init__(self, known: tuple[bool, bool], *, pure: bool = False) -> None:
        self.known = known
        self.strategies = ByRanks(1), ByRanks(2)
        self.policy = ByRanks(5)
        """By which unknown players really play."""
        self.pure = pure
        """True if those always take the first action that their policy has."""

    def shares(
        self, seat: int, board: npt.NDArray[np.uint8], sequence: int
    ) -> npt.NDArray[np.float64]:
        """Return (1326, slots)."""
        strategy = self.strategies[seat] if self.known[seat] else self.policy
        part = TREE.rounds[max(len(board) - 2, 0)]
        found = strategy.on(board, None)
        table = found.table.astype(np.float64).reshape(len(found.table), part.slots, part.sequences)
        table = table[:, :, sequence]
        total = np.add.reduceat(table, part.first_slot[:-1], axis=1)
        shares = (table / total[:, part.node])[found.rows]
        if self.pure and not self.known[seat]:
            for node in range(part.nodes):
                some = shares[:, part.first_slot[node] : part.first_slot[node + 1]]
                some[:] = np.arange(some.shape[1]) == np.argmax(some > 0, axis=1)[:, None]
        return shares

    def start(self) -> list[npt.NDArray[np.float64]]:
        sides = [np.ones(HOLDINGS), np.ones(HOLDINGS)]
        for seat in range(2):
            if not self.known[seat]:
                sides[seat] = (np.arange(HOLDINGS) == HELD[seat]).astype(np.float64)
        return sides

    def mass(self, sides: list[npt.NDArray[np.float64]]) -> float:
        """Sum over pairs, as `test_sums_over_pairs_are_those_of_a_matrix` shows."""
        zero = np.zeros(1, dtype=np.float32)
        return weighed(sides[0], sides[1], np.zeros(HOLDINGS, dtype=np.int32), zero, zero)[1]

    def plays(
        self,
        sides: list[npt.NDArray[np.float64]],
        board: npt.NDArray[np.uint8],
        sequence: int,
        node: int = 0,
    ) -> Iterator[tuple[list[int], float, list[npt.NDArray[np.float64]], int]]:
        """Yield the lines of a round: actions, probability, weights after them, last slot."""
        part = TREE.rounds[max(len(board) - 2, 0)]
        seat = int(part.player[node])
        shares = self.shares(seat, board, sequence)
        for slot in range(part.first_slot[node], part.first_slot[node + 1]):
            after = list(sides)
            if self.known[seat]:
                after[seat] = sides[seat] * shares[:, slot]
                probability = self.mass(after) / self.mass(sides)
            else:
                probability = float(shares[HELD[seat], slot])
            if probability == 0:
                continue
            kind, child = int(part.kind[slot]), int(part.child[slot])
            if child < 0:
                yield [kind], probability, after, slot
                continue
            for actions, more, last, end in self.plays(after, board, sequence, child):
                yield [kind, *actions], probability * more, last, end

    def lines(
        self,
        sides: list[npt.NDArray[np.float64]],
        board: npt.NDArray[np.uint8],
        sequence: int,
    ) -> Iterator[Play]:
        """Yield the lines of a river."""
        cards = np.concatenate([HOLDING_CARDS, np.tile(board, (HOLDINGS, 1))], axis=1)
        strength = np.zeros(HOLDINGS, dtype=np.uint16)
        strengths7(cards[~is_blocked(board)], found := strength[~is_blocked(board)])
        strength[~is_blocked(board)] = found
        wins = (strength[:, None] > strength[None, :]).astype(np.float32)
        edge = (wins - wins.T) * DISJOINT
        for actions, probability, after, slot in self.plays(sides, board, sequence):
            mean = float(after[0] @ edge @ after[1]) / self.mass(after)
            yield Play(actions, probability, _stake(3, sequence, slot, mean))

    def to_the_turn(self) -> tuple[list[npt.NDArray[np.float64]], int]:
        """Return weights and sequence after `BEFORE`."""
        return self._after([[CALL, CALL], [RAISE, CALL]])

    def to_the_river(self) -> tuple[list[npt.NDArray[np.float64]], int]:
        """Return weights and sequence after `BEFORE`, and a check by both on the turn."""
        return self._after([[CALL, CALL], [RAISE, CALL], [CALL, CALL]])

    def _after(self, streets: list[list[int]]) -> tuple[list[npt.NDArray[np.float64]], int]:
        if self.pure:  # what unknown players do changes no weights
            return Slow(self.known)._after(streets)
        sides, sequence = self.start(), 0
        for street, kinds in enumerate(streets):
            board = BOARD[: (0, 3, 4)[street]]
            for side in sides:
                side[is_blocked(board)] = 0
            part = TREE.rounds[street]
            lines = self.plays(sides, board, sequence)
            sides, slot = next(line[2:] for line in lines if line[0] == kinds)
            end = int(np.searchsorted(part.end_slot, slot))
            sequence += end * part.sequences
        dealt = BOARD[: len(streets) + 2]
        return [np.where(is_blocked(dealt), 0, side) for side in sides], sequence


def _stake(street: int, sequence: int, slot: int, mean: float) -> float:
    """Return what seat 0 gets at the end of a hand; ``mean`` is its showdowns won less lost."""
    part = TREE.rounds[street]
    before = float(part.before[sequence])
    if part.kind[slot] == FOLD:
        lost = before + float(part.fold_paid[np.searchsorted(part.fold_slot, slot)])
        return (lost if part.player[part.node[slot]] == 1 else -lost) / TREE.chips_per_unit
    paid = before + float(part.end_paid[np.searchsorted(part.end_slot, slot)])
    return paid * mean / TREE.chips_per_unit


@KNOWN
def test_on_the_river_no_value_changes_the_mean_and_exact_ones_leave_what_deviates(
    known: tuple[bool, bool],
) -> None:
    slow = Slow(known)
    sides, sequence = slow.to_the_river()
    lines = list(slow.lines(sides, BOARD, sequence))
    assert sum(line.probability for line in lines) == pytest.approx(1)
    true = sum(line.probability * line.payoff for line in lines)
    before = [*BEFORE, CALL, CALL]
    spreads = []
    for values, exact in (
        (zero_values(), Exact.NEVER),
        (random_values(3, only_on_the_river=True), Exact.NEVER),
        (zero_values(), Exact.RIVER),
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
        elif known == BOTH:
            np.testing.assert_allclose(found, true, atol=1e-6)
    assert spreads[0] != spreads[1]


@pytest.mark.parametrize("known", [BOTH, ONE])
def test_exact_turns_have_the_mean_of_all_ends(known: tuple[bool, bool]) -> None:
    """Unknown players do one thing everywhere; the model, which makes values, does not."""
    slow = Slow(known, pure=True)
    sides, sequence = slow.to_the_turn()
    turn, part = BOARD[:4], TREE.rounds[2]
    exactly = scorer(known, zero_values(), Exact.TURN)
    true = mean = total = said = 0.0
    for actions, probability, after, slot in slow.plays(sides, turn, sequence):
        line = [*BEFORE, *actions]
        if part.kind[slot] == FOLD:
            total += probability
            true += probability * _stake(2, sequence, slot, 0.0)
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
            if known == BOTH:
                # It says the same whatever follows: some rivers stand for all.
                if card < 4:
                    said = exactly.score(HELD, whole, [*line, *lines[-1].actions])
                mean += here * said
                continue
            for play in lines:
                found = exactly.score(HELD, whole, [*line, *play.actions])
                mean += here * play.probability * found
    assert total == pytest.approx(1)
    assert mean == pytest.approx(true, abs=1e-5)


@KNOWN
def test_a_card_or_an_action_adds_nothing_on_average(known: tuple[bool, bool]) -> None:
    slow, score = Slow(known), scorer(known, random_values(5), Exact.NEVER)
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
