"""The equilibrium of one chip with blinds for as many as are all-in, over a sample of deals.

The solver of push/fold counts up to three hands all-in exactly and lets everybody fold behind them;
a table of the orders of four hands would have 35 million rows. With one big blind three are in
often, so here a game whose chance is a sample of deals is solved: everybody's cards and the board
are drawn, and all who are in show them.

One hand in ten is within a hundredth of the odds that a bet needs, so that the share which bets
says little of what is won: with a million deals it is right to about two per cent of all hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS, strengths
from railbird.estimates import Estimate
from railbird.odds.preflop_value.reduced_games import first_bet_share

Floats = npt.NDArray[np.float64]
Node = tuple[int, int]
"""A seat to act, and whom of the earlier ones are in, seat i as 2^i."""

ITERATIONS: Final = 60
PARTS: Final = 4
_SMALL: Final = 0.5
_CHUNK: Final = 20_000


@dataclass(frozen=True, slots=True)
class OneChip:
    """An equilibrium over a sample: seats in the order of acting, the big blind is always in."""

    strategy: dict[Node, Floats]
    """(169,) how often each class bets the chip."""
    gains: tuple[float, ...]
    """What a best response of each seat gains on these deals, in big blinds."""
    deals: int
    parts: tuple[dict[Node, Floats], ...]
    """Strategies over equal parts of the sample, which tell how far it is to be trusted."""

    def share(self, seat: int, inside: int = 0) -> Estimate:
        """Return the share of hands that bet, in per cent."""
        node, dealt = (seat, inside), np.bincount(CLASS_OF_HOLDING, minlength=CLASSES) / HOLDINGS
        shares = [100 * float(each[node] @ dealt) for each in self.parts]
        stderr = float(np.std(shares, ddof=1)) / len(shares) ** 0.5
        return Estimate(100 * float(self.strategy[node] @ dealt), stderr, self.deals, unit="%")


def solve_one_chip(seats: int, deals: int, rng: np.random.Generator) -> OneChip:
    """Solve the game over a sample of deals, and over each of its parts."""
    classes, paid = _sample(seats, deals, rng)
    ends = np.linspace(0, deals, PARTS + 1).astype(int).tolist()
    parts = tuple(
        _solve(classes[:, first:end], paid[:, :, first:end]) for first, end in pairwise(ends)
    )
    strategy = _solve(classes, paid)
    best = np.zeros(seats)
    for (seat, inside), gain in _gains(strategy, classes, paid).items():
        own = strategy[seat, inside]
        best[seat] += np.maximum(-own * gain, (1 - own) * gain).sum()
    return OneChip(strategy, tuple(best.tolist()), deals, parts)


def _solve(classes: npt.NDArray[np.uint8], paid: npt.NDArray[np.float32]) -> dict[Node, Floats]:
    """Solve by CFR+, with averages that weigh later iterations by their square."""
    seats = len(classes)
    nodes = [(seat, inside) for seat in range(seats - 1) for inside in range(1 << seat)]
    current = {node: _first_bets(seats, node[0]) for node in nodes}
    regrets = {node: np.zeros((2, CLASSES)) for node in nodes}
    sums = {node: np.zeros(CLASSES) for node in nodes}
    for iteration in range(1, ITERATIONS + 1):
        for node, gain in _gains(current, classes, paid).items():
            own = current[node]
            instant = np.array([-own * gain, (1 - own) * gain])
            kept = regrets[node] = np.maximum(regrets[node] + instant, 0.0)
            sums[node] += iteration**2 * own
            total = kept.sum(axis=0)
            current[node] = np.divide(kept[1], total, out=own.copy(), where=total > 0)
    weight = sum(iteration**2 for iteration in range(1, ITERATIONS + 1))
    return {node: total / weight for node, total in sums.items()}


def _first_bets(seats: int, seat: int) -> Floats:
    return np.full(CLASSES, first_bet_share(seats - 1 - seat, 0.4))


def _gains(
    strategy: dict[Node, Floats], classes: npt.NDArray[np.uint8], payoffs: npt.NDArray[np.float32]
) -> dict[Node, Floats]:
    """Return what betting gains over folding by class, weighed by how often it is come to."""
    seats, deals = payoffs.shape[1:]
    plays = {node: each.astype(np.float32)[classes[node[0]]] for node, each in strategy.items()}
    reach = {(0, 0): np.ones(deals, dtype=np.float32)}
    for seat, inside in strategy:
        if seat + 2 < seats:
            reach[seat + 1, inside] = reach[seat, inside] * (1 - plays[seat, inside])
            reach[seat + 1, inside | 1 << seat] = reach[seat, inside] * plays[seat, inside]
    found = {}
    values = payoffs
    for seat in range(seats - 2, -1, -1):
        folds, bets = values[: 1 << seat], values[1 << seat : 2 << seat]
        for inside in range(1 << seat):
            gain = (bets[inside, seat] - folds[inside, seat]) * reach[seat, inside]
            by_class = np.bincount(classes[seat], weights=gain, minlength=CLASSES)
            found[seat, inside] = by_class / deals
        often = np.stack([plays[seat, inside] for inside in range(1 << seat)])[:, np.newaxis]
        values = folds + often * (bets - folds)
    return found


def _sample(
    seats: int, deals: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Return classes (seats, deals), and payoffs (sets of those who are in, seats, deals)."""
    classes = np.empty((seats, deals), dtype=np.uint8)
    paid = np.empty((1 << (seats - 1), seats, deals), dtype=np.float32)
    for first in range(0, deals, _CHUNK):
        end = min(first + _CHUNK, deals)
        cards = rng.random((end - first, 52)).argsort(axis=1)[:, : 2 * seats + 5].astype(np.uint8)
        board = cards[:, 2 * seats :]
        ranks = np.empty((seats, end - first), dtype=np.int32)
        for seat in range(seats):
            own = cards[:, 2 * seat : 2 * seat + 2]
            high, low = own.max(axis=1).astype(np.int32), own.min(axis=1)
            classes[seat, first:end] = CLASS_OF_HOLDING[high * (high - 1) // 2 + low]
            ranks[seat] = strengths(np.hstack([own, board]))
        for inside in range(1 << (seats - 1)):
            paid[inside, :, first:end] = payoffs(ranks, inside)
    return classes, paid


def payoffs(ranks: npt.NDArray[np.int32], inside: int) -> Floats:
    """Return what each seat wins, (seats, deals) big blinds, by the strength of all hands.

    ``inside`` are the seats that bet, seat i as 2^i; the big blind, the last one, always does.
    """
    seats = len(ranks)
    is_in = np.array([inside >> seat & 1 for seat in range(seats - 1)] + [1], dtype=bool)
    blind = 0.0 if is_in[-2] else _SMALL
    live = np.where(is_in[:, np.newaxis], ranks, -1)
    wins = (live == live.max(axis=0)) & is_in[:, np.newaxis]
    paid: Floats = wins * ((is_in.sum() + blind) / wins.sum(axis=0)) - is_in[:, np.newaxis]
    paid[-2] -= blind
    return paid
