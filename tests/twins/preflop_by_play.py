"""Slow twin of the preflop table: boards are dealt and the baseline is played, street by street."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import ceil, comb, floor
from typing import TYPE_CHECKING

import numpy as np

from railbird.baseline import BET_SIZES, BaselineClass, BaselineSettings, baseline_line, exact
from railbird.cards import HOLDING_CARDS, strengths
from railbird.cards.isomorphism_kernels import COLUMN
from railbird.game.rules import Street
from railbird.odds.rank_tables import open_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from railbird.cards import Holding

    Ints = npt.NDArray[np.int64]

CONTRIBUTIONS = np.arange(1, 5)
_STREETS = (Street.FLOP, Street.TURN, Street.RIVER)
_ALL = (0, 2 * 1081 * 1980, 46 * 1980, 1980)
"""By street: the effective hand rank of a hand that always wins, in the units used here."""
_CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(52)])
_LINES = [[baseline_line(Street.FLOP, a, b) for b in BaselineClass] for a in BaselineClass]
_LEVEL = np.array([[line.level for line in row] for row in _LINES])
_WINNER = np.array(
    [[{None: 0, 0: -1, 1: 1}[line.folded_by] for line in row] for row in _LINES], dtype=np.int64
)


@dataclass(frozen=True, slots=True)
class Deals:
    """Boards dealt to two holdings, and what decides how they are played."""

    boards: npt.NDArray[np.uint8]
    """(n, 5): flop, turn, river."""
    ranks: tuple[tuple[Ints, Ints], ...]
    """By street after the flop and player: effective hand ranks of the standard unit, (n,)."""
    sign: Ints
    """(n,) 1 where player 1 wins the showdown, 0 for a tie, -1."""


def deal(
    first: Holding, second: Holding, boards: npt.NDArray[np.uint8], settings: BaselineSettings
) -> Deals:
    """Look up who holds what on which street of ``boards`` (n, 5)."""
    ranks = tuple(
        (_ranks(first, boards, street, settings), _ranks(second, boards, street, settings))
        for street in _STREETS
    )
    hands = [
        strengths(np.hstack([boards, np.broadcast_to(HOLDING_CARDS[h], (len(boards), 2))]))
        for h in (first, second)
    ]
    return Deals(boards, ranks, np.sign(hands[0].astype(np.int64) - hands[1].astype(np.int64)))


def results(deals: Deals, settings: BaselineSettings) -> Ints:
    """Play every deal from the flop on; player 1's results (4, n) in sb by contribution - 1."""
    return np.stack([_results(deals, settings, int(c)) for c in CONTRIBUTIONS])


def _results(deals: Deals, settings: BaselineSettings, contribution: int) -> Ints:
    stake = np.full(len(deals.boards), contribution)
    result = np.zeros_like(stake)
    playing = np.ones(len(stake), dtype=np.bool_)
    for street, (one, two) in zip(_STREETS, deals.ranks, strict=True):
        classes = _classes(one, street, stake, settings), _classes(two, street, stake, settings)
        winner = np.where(playing, _WINNER[classes], 0)
        result += winner * stake
        playing &= winner == 0
        stake = stake + BET_SIZES[street] * _LEVEL[classes]
    return result + np.where(playing, deals.sign * stake, 0)


def _classes(rank: Ints, street: Street, stake: Ints, settings: BaselineSettings) -> Ints:
    folds, makes = _thresholds(street, settings)
    bets = np.searchsorted(makes, rank, side="right")
    classes: Ints = np.where(rank < folds[stake], 0, 1 + bets)
    return classes


@cache
def _thresholds(street: Street, settings: BaselineSettings) -> tuple[Ints, Ints]:
    """Ranks below which a hand folds, by contribution, and from which on it makes bets."""
    whole = _ALL[street]
    folds = [0] + [ceil(settings.fold_threshold(street, c) * whole) for c in range(1, 17)]
    makes = [ceil(exact(make) * whole) for make in settings[street].make]
    return np.array(folds), np.array(makes)


_tables = cache(open_tables)


def _ranks(
    holding: Holding, boards: npt.NDArray[np.uint8], street: Street, settings: BaselineSettings
) -> Ints:
    tables, cards = _tables(), street + 2
    name = street.name.lower()
    board = np.sort(boards[:, :cards].astype(np.int64), axis=1)
    index = _CHOOSE[board, np.arange(1, cards + 1)].sum(axis=1)
    pattern = getattr(tables, f"{name}_pattern")[index]
    place = getattr(tables, f"{name}_start")[index] + COLUMN[pattern, holding]
    ihr: Ints = getattr(tables, f"{name}_ihr")[place].astype(np.int64)
    if street is Street.RIVER:
        return ihr
    hr7 = getattr(tables, f"{name}_hr7")[place].astype(np.int64)
    whole = _ALL[street]
    now, later = (ihr * (whole // 2162), 2 * hr7) if street is Street.FLOP else (ihr * 44, hr7)
    best = np.maximum(now, later)
    otherwise = (now + later) // 2 if street is Street.FLOP else later
    bettable = floor(exact(settings[street].make[0]) * whole)
    ranks: Ints = np.where(best > bettable, best, otherwise)
    return ranks


def all_boards(
    first: Holding, second: Holding, flops: int = 200
) -> Iterator[npt.NDArray[np.uint8]]:
    """Deal all flops, turns and rivers, (n, 5) boards of so many flops at a time."""
    deck = _deck(first, second)
    places = np.array([(x, y) for x in range(45) for y in range(45) if x != y])
    every = list(combinations(range(len(deck)), 3))
    for start in range(0, len(every), flops):
        block = every[start : start + flops]
        flop = deck[np.array(block)]
        rest = np.array([np.delete(deck, taken) for taken in block])
        yield np.hstack(
            [np.repeat(flop, len(places), axis=0), rest[:, places].reshape(-1, 2)],
        )


def random_boards(
    first: Holding, second: Holding, n: int, rng: np.random.Generator
) -> npt.NDArray[np.uint8]:
    """Deal ``n`` boards at random, (n, 5)."""
    deck = _deck(first, second)
    return rng.permuted(np.tile(deck, (n, 1)), axis=1)[:, :5]


def _deck(first: Holding, second: Holding) -> npt.NDArray[np.uint8]:
    return np.setdiff1d(np.arange(52, dtype=np.uint8), HOLDING_CARDS[[first, second]])
