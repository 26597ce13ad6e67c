"""A small heads-up limit game: arbitrary strategies and values, and play by matrices of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.assessment.aivat.kernels import weighed
from railbird.cards import HOLDING_CARDS, HOLDINGS, parse_cards, parse_holding
from railbird.cards.kernels import strengths7
from railbird.solve.abstraction.card_abstraction import Recall, States, is_blocked
from railbird.solve.limit import CALL, FOLD, RAISE, LimitBetting, limit_tree
from railbird.solve.limit.pair_values import Effects, PairValues, ShowdownLines
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
    random = rng.normal(size=(2, len(TREE.rounds), 2, 27))
    lines = [[ShowdownLines(*each) for each in seat] for seat in random]
    return PairValues(
        tuple(effects(part.lanes, s, scales[s]) for s, part in enumerate(TREE.rounds)),
        tuple(
            effects(part.sequences, s, 0.0 if only_on_the_river else 1.0)
            for s, part in enumerate(TREE.rounds)
        ),
        0.0,
        (tuple(lines[0]), tuple(lines[1])),
    )


def zero_values() -> PairValues:
    values = random_values(1)
    none = tuple(ShowdownLines(0 * each.constant, 0 * each.slope) for each in values.lines[0])
    after, start = (
        tuple(Effects(0 * each.first, 0 * each.second) for each in side)
        for side in (values.after, values.start)
    )
    return PairValues(after, start, 0.0, (none, none))


class Play(NamedTuple):
    """A betting line from some point to the end of the hand, and what made it likely."""

    actions: list[int]
    probability: float
    payoff: float
    """Of seat 0 in small bets, the mean over what known players may hold."""


SHARED = (HOLDING_CARDS[:, None, :, None] == HOLDING_CARDS[None, :, None, :]).any(axis=(2, 3))
DISJOINT = (~SHARED).astype(np.float32)


class PlayedByMatrices:
    """The same hand by matrices of pairs."""

    def __init__(self, known: tuple[bool, bool], *, policy: int = 5) -> None:
        self.known = known
        self.strategies = ByRanks(1), ByRanks(2)
        self.policy = ByRanks(policy)
        """By which unknown players really play."""

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
        shares: npt.NDArray[np.float64] = (table / total[:, part.node])[found.rows]
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
            yield Play(actions, probability, stake(3, sequence, slot, mean))

    def to_the_turn(self) -> tuple[list[npt.NDArray[np.float64]], int]:
        """Return weights and sequence after `BEFORE`."""
        return self._after([[CALL, CALL], [RAISE, CALL]])

    def to_the_river(self) -> tuple[list[npt.NDArray[np.float64]], int]:
        """Return weights and sequence after `BEFORE`, and a check by both on the turn."""
        return self._after([[CALL, CALL], [RAISE, CALL], [CALL, CALL]])

    def _after(self, streets: list[list[int]]) -> tuple[list[npt.NDArray[np.float64]], int]:
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


def stake(street: int, sequence: int, slot: int, mean: float) -> float:
    """Return what seat 0 gets at the end of a hand; ``mean`` is its showdowns won less lost."""
    part = TREE.rounds[street]
    before = float(part.before[sequence])
    if part.kind[slot] == FOLD:
        lost = before + float(part.fold_paid[np.searchsorted(part.fold_slot, slot)])
        return (lost if part.player[part.node[slot]] == 1 else -lost) / TREE.chips_per_unit
    paid = before + float(part.end_paid[np.searchsorted(part.end_slot, slot)])
    return paid * mean / TREE.chips_per_unit
