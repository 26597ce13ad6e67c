"""The kernels of tables before the flop against a slow twin: plain recursion over the same tree.

The others' strategies are pure here, so that nothing depends on what is drawn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDING_INDEX, Card, strength
from railbird.solve.preflop_seats import SeatsGame, SeatsSolver, SeatsTree
from railbird.solve.preflop_seats_kernels import (
    NOBODY,
    PAIR,
    deal_seats,
    measure_seats,
    sample_seats,
)


def dealt_slowly(draws: np.ndarray, seats: int) -> tuple[list[list[int]], list[list[int]]]:
    """Deal by Fisher and Yates, and rank by the evaluator of single hands."""
    classes, strengths = [], []
    for row in draws:
        deck = list(range(52))
        for place, draw in enumerate(row):
            other = place + int(draw * (52 - place))
            deck[place], deck[other] = deck[other], deck[place]
        board = deck[2 * seats : 2 * seats + 5]
        held = [deck[2 * seat : 2 * seat + 2] for seat in range(seats)]
        classes.append([int(CLASS_OF_HOLDING[HOLDING_INDEX[low, high]]) for low, high in held])
        ranked = [strength([Card(card) for card in (*two, *board)]) for two in held]
        strengths.append([sum(mine > theirs for theirs in ranked) for mine in ranked])
    return classes, strengths


class SlowTwin:
    """Values of one deal by recursion; ``other`` and ``own`` are tables (actions, 169)."""

    def __init__(self, solver: SeatsSolver, classes: list[int], strengths: list[int]) -> None:
        self.tree: SeatsTree = solver.tree
        self.continuation = solver.game.continuation
        self.classes, self.strengths = classes, strengths

    def worth(self, node: int, player: int) -> float:
        tree = self.tree
        live = [seat for seat in range(len(self.classes)) if tree.left[node, seat]]
        paid = float(tree.paid[node, player])
        if player not in live:
            return -paid
        if tree.actor[node] == NOBODY:
            return float(tree.pots[node]) - paid
        pot = float(tree.pots[node])
        if tree.actor[node] == PAIR:
            (rival,) = (seat for seat in live if seat != player)
            behind = float(tree.flops[node, 2])
            # With two seats the dealer is the small blind; else both blinds act before the others.
            order = [1, 0] if len(self.classes) == 2 else [*range(len(self.classes))][-2:]
            order += [seat for seat in range(len(self.classes)) if seat not in order]
            opener, closer = sorted((player, rival), key=order.index)
            place = (..., self.classes[opener], self.classes[closer])
            shares = self.continuation.shares[place]
            share = float(np.interp(behind / pot, self.continuation.depths, shares))
            won = pot * (share if player == opener else 1 - share)
            return min(max(won, -behind), pot + behind) - paid
        best = max(self.strengths[seat] for seat in live)
        winners = [seat for seat in live if self.strengths[seat] == best]
        return (pot / len(winners) if player in winners else 0.0) - paid

    def shares(self, table: np.ndarray, node: int) -> np.ndarray:
        who, tree = int(self.tree.actor[node]), self.tree
        column = table[tree.slot[node] : tree.slot[node + 1], self.classes[who]].astype(float)
        positive = np.maximum(column, 0)
        shares: np.ndarray = np.full(len(column), 1 / len(column))
        if positive.sum() > 0:
            shares = positive / positive.sum()
        return shares

    def value(
        self, node: int, player: int, own: np.ndarray, other: np.ndarray, gained: np.ndarray
    ) -> float:
        """Return what a player wins on from a node, adding its regrets to ``gained``."""
        who = int(self.tree.actor[node])
        if who < 0:
            return self.worth(node, player)
        first, last = (int(end) for end in self.tree.first[node : node + 2])
        if who != player:
            child = first + int(self.shares(other, node).argmax())
            return self.value(child, player, own, other, gained)
        values = np.array(
            [self.value(child, player, own, other, gained) for child in range(first, last)]
        )
        mean = float(self.shares(own, node) @ values)
        gained[self.tree.slot[node] : self.tree.slot[node + 1], self.classes[who]] += values - mean
        return mean

    def best(self, node: int, player: int, response: np.ndarray, other: np.ndarray) -> float:
        """Return what the response wins: at each decision its action with the most."""
        who = int(self.tree.actor[node])
        if who < 0:
            return self.worth(node, player)
        table = response if who == player else other
        column = table[self.tree.slot[node] : self.tree.slot[node + 1], self.classes[who]]
        child = int(self.tree.first[node]) + int(column.argmax())
        return self.best(child, player, response, other)


def pure(rng: np.random.Generator, solver: SeatsSolver) -> np.ndarray:
    """Draw a table in which every class takes one action of each decision."""
    table = np.zeros((solver.tree.slots, CLASSES), dtype=np.float32)
    for first, last in zip(solver.tree.slot[:-1], solver.tree.slot[1:], strict=True):
        if last > first:
            table[rng.integers(first, last, CLASSES), np.arange(CLASSES)] = 1
    return table


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_deals_are_those_of_the_slow_twin(seats: int) -> None:
    draws = np.random.default_rng(seats).random((40, 2 * seats + 5))
    classes, strengths = np.zeros((2, 40, seats), dtype=np.int64)
    deal_seats(draws, classes, strengths)
    slow, ranked = dealt_slowly(draws, seats)
    assert classes.tolist() == slow
    order = (strengths[:, :, None] > strengths[:, None, :]).sum(axis=2)
    assert order.tolist() == ranked


@pytest.mark.parametrize(("seats", "rake"), [(2, 0.0), (3, 0.05), (4, 0.0)])
def test_regrets_and_results_are_those_of_the_slow_twin(seats: int, rake: float) -> None:
    """Of each seat in turn, against pure strategies; limpers and rake included."""
    solver = SeatsSolver(SeatsGame(seats=seats, stack=20, limpers=seats - 1, rake=rake))
    rng = np.random.default_rng([seats, 7])
    other, own = pure(rng, solver), rng.normal(size=(solver.tree.slots, CLASSES))
    own = own.astype(np.float32)
    classes, strengths = solver._deal(rng, 12)
    for player in range(seats):
        learned, expected = own.copy(), own.astype(float)
        stream = np.array([5], dtype=np.uint64)
        played = [*solver._arrays(), classes, strengths, player]
        sampled: list[Any] = [*played, learned, other, other, 0, stream, *solver._room]
        sample_seats(*sampled)
        out = np.zeros((len(classes), 2))
        better = np.zeros(len(solver.tree.actor))
        measured: list[Any] = [*played, own, other, stream, *solver._room[:2], better, out]
        measure_seats(*measured)
        for deal in range(len(classes)):
            twin = SlowTwin(solver, classes[deal].tolist(), strengths[deal].tolist())
            gained = np.zeros_like(expected)
            won = twin.value(0, player, other, other, np.zeros_like(expected))
            twin.value(0, player, expected.astype(np.float32), other, gained)
            expected += gained
            assert out[deal, 0] == pytest.approx(won, abs=1e-9)
            assert out[deal, 1] == pytest.approx(twin.best(0, player, own, other), abs=1e-9)
        assert np.abs(learned - expected).max() < 1e-3
        assert (learned != own).any()


def test_a_later_deal_counts_for_more() -> None:
    """Deal t counts t times in regrets, so that what was learned early is forgotten."""
    solver = SeatsSolver(SeatsGame(seats=3, stack=20))
    rng = np.random.default_rng(3)
    regrets = rng.normal(size=(solver.tree.slots, CLASSES)).astype(np.float32)
    dealt = solver._deal(rng, 1)
    gains = []
    for earlier in (0, 9):
        own, sums = regrets.copy(), np.zeros_like(regrets)
        stream = np.array([5], dtype=np.uint64)
        learned: list[Any] = [*solver._arrays(), *dealt, -1, own, own, sums, earlier, stream]
        learned += solver._room
        sample_seats(*learned)
        gains.append(own - regrets)
    # Only the first seat meets the same strategies in both: those after it meet what it learned.
    first_seats = np.repeat(solver.tree.actor == 0, np.diff(solver.tree.slot))
    assert gains[0][first_seats].any()
    assert gains[1][first_seats] == pytest.approx(10 * gains[0][first_seats], abs=1e-3)
