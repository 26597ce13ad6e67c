"""The matrix of every holding against every other before the flop, on all 1,712,304 boards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import CLASS_OF_HOLDING, CLASSES, Holding, format_holding
from railbird.errors import DuplicateCard
from railbird.odds.arguments import WeightsLike, weights_from
from railbird.odds.rank_tables import open_arrays
from railbird.progress import Progress

PAIR_BOARDS = comb(48, 5)
"""Boards compatible with two holdings, 1,712,304."""


@dataclass(frozen=True, slots=True)
class Count:
    """Boards that one holding wins, ties and loses against another."""

    win: int
    tie: int
    lose: int

    @property
    def equity(self) -> float:
        """Share of the pot, ties counting half."""
        return (2 * self.win + self.tie) / (2 * (self.win + self.tie + self.lose))


@dataclass(frozen=True, kw_only=True)
class PreflopMatrix:
    """The exact matrix of all pairs of holdings.

    Only ``wins`` is stored: the losses of i to j are the wins of j against i.
    """

    wins: npt.NDArray[np.uint32]
    """(1326, 1326) read-only: boards on which i beats j; 0 if they share a card."""

    def count(self, mine: Holding, theirs: Holding) -> Count:
        """Count the boards of one pair. Raises `DuplicateCard` if they share a card.

        >>> from railbird.cards import parse_holding
        >>> open_matrix().count(parse_holding("AsAh"), parse_holding("KsKh"))
        Count(win=1410336, tie=9308, lose=292660)
        """
        win, lose = int(self.wins[mine, theirs]), int(self.wins[theirs, mine])
        if win + lose == 0:
            raise DuplicateCard(f"{format_holding(mine)} and {format_holding(theirs)} share a card")
        return Count(win, PAIR_BOARDS - win - lose, lose)

    @cached_property
    def disjoint(self) -> npt.NDArray[np.bool_]:
        """(1326, 1326) whether two holdings have no card in common."""
        # No two holdings tie on every board, so a pair without wins on either side shares a card.
        disjoint: npt.NDArray[np.bool_] = (self.wins != 0) | (self.wins.T != 0)
        return disjoint

    @cached_property
    def equity(self) -> npt.NDArray[np.float64]:
        """(1326, 1326) share of the pot of i against j; NaN if they share a card."""
        balance = PAIR_BOARDS + self.wins.astype(np.int64) - self.wins.T
        return np.where(self.disjoint, balance / (2 * PAIR_BOARDS), np.nan)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassMatrix:
    """Hand class against hand class, (169, 169) int64 each, over all pairs that can be dealt."""

    wins: npt.NDArray[np.int64]
    ties: npt.NDArray[np.int64]
    boards: npt.NDArray[np.int64]
    """Boards times pairs of holdings: wins + ties + losses."""

    @property
    def equity(self) -> npt.NDArray[np.float64]:
        """Share of the pot of the row's class against the column's."""
        equity: npt.NDArray[np.float64] = (self.wins + self.ties / 2) / self.boards
        return equity


def open_matrix(*, progress: Progress | None = None) -> PreflopMatrix:
    """Map the matrix, building it first if it is missing or damaged (takes seconds)."""
    return PreflopMatrix(wins=open_arrays(["preflop_wins"], progress=progress)["preflop_wins"])


@checked
def classes_matrix(matrix: PreflopMatrix | None = None) -> ClassMatrix:
    """Fold the matrix to the 169 hand classes.

    >>> from railbird.cards import parse_class
    >>> f"{classes_matrix().equity[parse_class('AA'), parse_class('KK')]:.6f}"
    '0.819461'
    """
    matrix = matrix or open_matrix()
    member = np.zeros((CLASSES, len(CLASS_OF_HOLDING)), dtype=np.int64)
    member[CLASS_OF_HOLDING, np.arange(len(CLASS_OF_HOLDING))] = 1
    wins = _fold(matrix.wins, member)
    boards = _fold(matrix.disjoint, member) * PAIR_BOARDS
    return ClassMatrix(wins=wins, ties=boards - wins - wins.T, boards=boards)


@checked
def equities_against(
    weights: WeightsLike | None = None, matrix: PreflopMatrix | None = None
) -> npt.NDArray[np.float64]:
    """Return the equity of each class before the flop against weights (1326,) or a range, (169,).

    The result is NaN for a class whose cards leave nothing of the range.

    >>> from railbird.cards import CLASS_NAMES
    >>> against = equities_against("QQ+, AK")
    >>> [CLASS_NAMES[best] for best in np.argsort(-against)[:4]]
    ['AA', 'KK', 'AKs', 'QQ']
    """
    matrix = matrix or open_matrix()
    chances = weights_from(weights).astype(np.float64)
    won = np.bincount(CLASS_OF_HOLDING, np.nan_to_num(matrix.equity) @ chances, CLASSES)
    possible = np.bincount(CLASS_OF_HOLDING, matrix.disjoint @ chances, CLASSES)
    equities: npt.NDArray[np.float64] = np.divide(
        won, possible, out=np.full(CLASSES, np.nan), where=possible > 0
    )
    return equities


def _fold(
    pairs: npt.NDArray[np.uint32] | npt.NDArray[np.bool_], member: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    # As floats the matrix product is fast, and still exact: every sum is far below 2**53.
    folded = member.astype(np.float64) @ pairs.astype(np.float64) @ member.T.astype(np.float64)
    return folded.astype(np.int64)
