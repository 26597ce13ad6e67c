"""Spots whose value is known: Kuhn, Leduc, and rivers by the linear programme of sequences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import hstack, lil_matrix

from railbird.cards import Holding, Range, cards_from, cards_of, strength
from railbird.solve.spot import BetSizes, Spot, SpotSolver, begun, resume, same_sizes, solve_spot


@pytest.mark.slow
def test_kuhn() -> None:
    """Kuhn (1950): one bet, three cards; the first player loses 1/18 of an ante a hand.

    Three pairs on a river are three cards: who holds one keeps the other from it.
    """
    sizes = same_sizes(BetSizes.parse("a"))
    spot = Spot.of("2c3d5h7s9d", "AsAh,KsKh,QsQh", "AsAh,KsKh,QsQh", pot=2, stack=1, sizes=sizes)
    solution = solve_spot(spot, gap_percent=1e-3, iterations=20_000)
    assert solution.values()[0] - 1 == pytest.approx(-1 / 18, abs=1e-4)
    # The one family of equilibria: bluff with the worst a third as often as the best bets.
    root, after = solution.node(), solution.node("check all-in")
    holdings = np.flatnonzero(root.reach[0])
    queen, king, ace = root.strategy[holdings, 1]
    assert queen == pytest.approx(ace / 3, abs=0.02)
    assert king == pytest.approx(0, abs=0.02)
    assert after.strategy[holdings[1], 1] == pytest.approx(ace / 3 + 1 / 3, abs=0.02)
    assert after.strategy[holdings[2], 1] == pytest.approx(1, abs=0.01)


@pytest.mark.slow
def test_leduc() -> None:
    """Southey and others (2005): the first player loses 0.0856064 antes (digits of OpenSpiel).

    A pair on a turn is a card of Leduc: six of them, two of each rank, from a deck of twelve cards
    beside the board. The river is the public card: either of its two cards takes one pair away, and
    makes three of a kind of the other pair of its rank.
    """
    board, ranks = "2c3d5h7s", "JQK"
    deck = [*cards_from(board), *cards_from("".join(f"{r}{s}" for r in ranks for s in "cdhs"))]
    held = ",".join(f"{rank}{one}{rank}{two}" for rank in ranks for one, two in ("cd", "hs"))
    none = BetSizes()
    turn, river = (BetSizes.parse(f"{bet}c", f"{bet}c1r") for bet in (2, 4))
    sizes = (none, none), (turn, turn), (river, river)
    spot = Spot.of(board, held, held, pot=2, stack=13, sizes=sizes)
    solver = SpotSolver(spot, deck=tuple(sorted(map(int, deck))), threads=1)
    solution = resume(begun(solver), gap_percent=2e-3, iterations=20_000)
    assert solution.finished
    assert solution.values()[0] - 1 == pytest.approx(-0.085606424, abs=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_river_by_linear_programme(seed: int) -> None:
    """Koller, Megiddo and von Stengel (1994): the sequence form, solved exactly."""
    rng = np.random.default_rng(seed)
    board = rng.choice(52, 5, replace=False)
    free = [h for h in range(1326) if not set(cards_of(h)) & set(board.tolist())]  # type: ignore[arg-type]
    ranges = []
    for _ in range(2):
        weights = np.zeros(1326)
        weights[rng.choice(free, 14, replace=False)] = rng.choice([0.25, 1], 14)
        ranges.append(Range(weights))
    sizes = same_sizes(BetSizes.parse("50%,a", "a"))
    spot = Spot.of([*board.tolist()], *ranges, pot=20, stack=35, sizes=sizes)
    solution = solve_spot(spot, gap_percent=0.01, iterations=5_000)
    value = _value(spot, solution.solver)
    assert solution.values()[0] == pytest.approx(value, abs=20 * 2e-4)


def _sequences(root: Any, player: int) -> Iterator[tuple[Any, int, tuple[int, int] | None]]:
    """Yield a player's decisions, actions and the sequence that comes before."""

    def walk(node: Any, before: tuple[int, int] | None) -> Iterator[Any]:
        for number, child in enumerate(node.children):
            mine = node.kind.name == "DECISION" and node.player == player
            if mine:
                yield node, number, before
            yield from walk(child, (id(node), number) if mine else before)

    yield from walk(root, None)


def _value(spot: Spot, solver: SpotSolver) -> float:
    """The most that the first player can be sure of, in chips of the pot."""
    root = solver.forests[0].roots[0]
    held = [[Holding(h) for h in np.flatnonzero(each.weights).tolist()] for each in spot.ranges]
    index: list[dict[Any, int]] = [{}, {}]
    for player in (0, 1):
        for holding in held[player]:
            index[player][holding, None] = len(index[player])
            for node, number, _ in _sequences(root, player):
                index[player][holding, (id(node), number)] = len(index[player])
    payoff = _payoffs(spot, root, held, index)
    flows = [_flows(root, player, held[player], index[player]) for player in (0, 1)]
    (rows, ones), (others, their_ones) = flows
    # max ones' q with F'q <= A'x, E x = e: of x and the other's values q.
    cost = np.concatenate([np.zeros(len(index[0])), -their_ones])
    upper: Any = hstack([-payoff.T.tocsr(), others.T.tocsr()])
    equal: Any = hstack([rows.tocsr(), lil_matrix((rows.shape[0], others.shape[0])).tocsr()])
    bounds: Any = [(0, None)] * len(index[0]) + [(None, None)] * others.shape[0]
    zeros = np.zeros(upper.shape[0])
    found: Any = linprog(cost, A_ub=upper, b_ub=zeros, A_eq=equal, b_eq=ones, bounds=bounds)
    assert found.success
    return float(-found.fun) / spot.pairs() + spot.pot / 2


def _payoffs(
    spot: Spot, root: Any, held: list[list[Holding]], index: list[dict[Any, int]]
) -> lil_matrix:
    """What the first player wins, by both players' sequences, weighted."""
    payoff = lil_matrix((len(index[0]), len(index[1])))
    made = {h: strength([*spot.board, *cards_of(h)]) for each in held for h in each}

    def settle(node: Any, last: list[Any]) -> None:
        if node.kind.name == "DECISION":
            for number, child in enumerate(node.children):
                after = list(last)
                after[node.player] = id(node), number
                settle(child, after)
            return
        half = spot.pot / 2 + min(node.paid)
        for one in held[0]:
            for other in held[1]:
                if set(cards_of(one)) & set(cards_of(other)):
                    continue
                if node.kind.name == "FOLD":
                    won = half if node.player == 1 else -half
                else:
                    won = half * int(np.sign(int(made[one]) - int(made[other])))
                weight = spot.ranges[0].weights[one] * spot.ranges[1].weights[other]
                payoff[index[0][one, last[0]], index[1][other, last[1]]] += weight * won

    settle(root, [None, None])
    return payoff


def _flows(
    root: Any, player: int, held: list[Holding], index: dict[Any, int]
) -> tuple[lil_matrix, np.ndarray]:
    """The equations of a player's sequences: what follows sums to what comes before."""
    nodes = {id(node): (node, before) for node, _, before in _sequences(root, player)}
    matrix = lil_matrix((len(held) * (1 + len(nodes)), len(index)))
    ones = np.zeros(matrix.shape[0])
    row = 0
    for holding in held:
        matrix[row, index[holding, None]], ones[row] = 1, 1
        row += 1
        for key, (node, before) in nodes.items():
            matrix[row, index[holding, before]] = -1
            for number in range(len(node.actions)):
                matrix[row, index[holding, (key, number)]] = 1
            row += 1
    return matrix, ones
