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
    from collections.abc import Iterator, Sequence

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


@dataclass(frozen=True, slots=True)
class Dealt:
    """Boards dealt to two holdings, whatever the settings of who plays them."""

    boards: npt.NDArray[np.uint8]
    seen: tuple[tuple[tuple[Ints, Ints], ...], ...]
    """By street after the flop and player: immediate ranks, and seven-card ranks, (n,)."""
    sign: Ints

    def under(self, settings: BaselineSettings) -> Deals:
        """Rank the hands as these settings do."""
        ranks = (
            tuple(_ranks(ihr, hr7, street, settings) for ihr, hr7 in players)
            for street, players in zip(_STREETS, self.seen, strict=True)
        )
        return Deals(self.boards, tuple((one, two) for one, two in ranks), self.sign)


def deal_to(first: Holding, second: Holding, boards: npt.NDArray[np.uint8]) -> Dealt:
    """Look up who holds what on which street of ``boards`` (n, 5)."""
    hands = [
        strengths(np.hstack([boards, np.broadcast_to(HOLDING_CARDS[h], (len(boards), 2))]))
        for h in (first, second)
    ]
    return Dealt(
        boards,
        tuple(_seen((first, second), boards, street) for street in _STREETS),
        np.sign(hands[0].astype(np.int64) - hands[1].astype(np.int64)),
    )


def deal(
    first: Holding, second: Holding, boards: npt.NDArray[np.uint8], settings: BaselineSettings
) -> Deals:
    """Look up who holds what on which street of ``boards`` (n, 5), and rank it."""
    return deal_to(first, second, boards).under(settings)


def results(deals: Deals, settings: BaselineSettings) -> Ints:
    """Play every deal from the flop on; player 1's results (4, n) in sb by contribution - 1."""
    bets = []
    for street, both in zip(_STREETS, deals.ranks, strict=True):
        _, makes = _thresholds(street, settings)
        bets.append(tuple(np.searchsorted(makes, rank, side="right") for rank in both))
    return np.stack([_results(deals, bets, settings, int(c)) for c in CONTRIBUTIONS])


def _results(
    deals: Deals, bets: Sequence[tuple[Ints, ...]], settings: BaselineSettings, contribution: int
) -> Ints:
    stake = np.full(len(deals.boards), contribution)
    result = np.zeros_like(stake)
    playing = np.ones(len(stake), dtype=np.bool_)
    for street, ranks, made in zip(_STREETS, deals.ranks, bets, strict=True):
        folds = _thresholds(street, settings)[0][stake]
        one, two = (
            np.where(rank < folds, 0, 1 + bet) for rank, bet in zip(ranks, made, strict=True)
        )
        winner = np.where(playing, _WINNER[one, two], 0)
        result += winner * stake
        playing &= winner == 0
        stake = stake + BET_SIZES[street] * _LEVEL[one, two]
    return result + np.where(playing, deals.sign * stake, 0)


@cache
def _thresholds(street: Street, settings: BaselineSettings) -> tuple[Ints, Ints]:
    """Ranks below which a hand folds, by contribution, and from which on it makes bets."""
    whole = _ALL[street]
    folds = [0] + [ceil(settings.fold_threshold(street, c) * whole) for c in range(1, 17)]
    makes = [ceil(exact(make) * whole) for make in settings[street].make]
    return np.array(folds), np.array(makes)


_tables = cache(open_tables)


def _seen(
    holdings: tuple[Holding, Holding], boards: npt.NDArray[np.uint8], street: Street
) -> tuple[tuple[Ints, Ints], ...]:
    """Look up both holdings' ranks on a street of each board; on the river the immediate one."""
    tables, cards = _tables(), street + 2
    name = street.name.lower()
    board = np.sort(boards[:, :cards], axis=1)
    index = sum(_CHOOSE[board[:, place], place + 1] for place in range(cards))
    pattern = getattr(tables, f"{name}_pattern")[index]
    start = getattr(tables, f"{name}_start")[index]
    found = []
    for holding in holdings:
        place = start + COLUMN[pattern, holding]
        ihr: Ints = getattr(tables, f"{name}_ihr")[place].astype(np.int64)
        if street is Street.RIVER:
            found.append((ihr, ihr))
        else:
            found.append((ihr, getattr(tables, f"{name}_hr7")[place].astype(np.int64)))
    return tuple(found)


def _ranks(ihr: Ints, hr7: Ints, street: Street, settings: BaselineSettings) -> Ints:
    if street is Street.RIVER:
        return ihr
    whole = _ALL[street]
    now, later = (ihr * (whole // 2162), 2 * hr7) if street is Street.FLOP else (ihr * 44, hr7)
    best = np.maximum(now, later)
    otherwise = (now + later) // 2 if street is Street.FLOP else later
    bettable = floor(exact(settings[street].make[0]) * whole)
    ranks: Ints = np.where(best > bettable, best, otherwise)
    return ranks


def all_boards(first: Holding, second: Holding, flops: int = 20) -> Iterator[npt.NDArray[np.uint8]]:
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
