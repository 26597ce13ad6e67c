"""Equity of a holding against every holding of an opponent, and holdings ranked on a board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDINGS, Card, Holding, cards_of
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK, HOLDING_MASK
from railbird.cards.isomorphism.boards import board_index
from railbird.cards.isomorphism.rank_classes import COLUMN
from railbird.odds import Tables, open_tables
from railbird.players.tight._kernels_holding_equities import equity_against_each
from railbird.players.tight.starting_hands import Weights

_RIVER = 5


@lru_cache(maxsize=8)
def possible(holding: Holding, board: tuple[Card, ...]) -> npt.NDArray[np.bool_]:
    """Return which holdings an opponent can have, (1326,)."""
    known = np.bitwise_or.reduce(CARD_MASK[[*cards_of(holding), *board]])
    free: npt.NDArray[np.bool_] = (HOLDING_MASK & known) == 0
    return free


def equities_of(
    holding: Holding, board: tuple[Card, ...], wanted: npt.NDArray[np.bool_]
) -> Weights:
    """Return the exact equity against each wanted holding, (1326,); 0 elsewhere.

    ``board`` has three to five cards; ``wanted`` (1326,) is within `possible`.
    """
    equities = np.zeros(HOLDINGS)
    others = np.flatnonzero(wanted).astype(np.uint16)
    equity_against_each(int(holding), np.array(board, np.uint8), others, equities)
    return equities


@lru_cache(maxsize=8)
def ranking(board: tuple[Card, ...]) -> npt.NDArray[np.int64]:
    """Return the 1,326 holdings from best to worst on a board of three to five cards.

    They rank by their exact equity against any two cards, so that draws count for what they may
    become. Holdings that share a card with the board are somewhere in it.
    """
    tables, index = _tables(), board_index(board)
    street = {3: "flop", 4: "turn", _RIVER: "river"}[len(board)]
    values = getattr(tables, f"{street}_ihr" if len(board) == _RIVER else f"{street}_hr7")
    start = int(getattr(tables, f"{street}_start")[index])
    columns = COLUMN[getattr(tables, f"{street}_pattern")[index]]
    ranked: npt.NDArray[np.int64] = np.argsort(
        -values[start:][columns].astype(np.int64), kind="stable"
    )
    return ranked


def mean_equity(equities: Weights, weights: Weights) -> float:
    """Return the equity against a range of holdings, both (1326,)."""
    return float(equities @ weights / weights.sum())


@lru_cache(maxsize=1)
def _tables() -> Tables:
    return open_tables()


def make_ready(board: Sequence[Card] = tuple(map(Card, (20, 25, 30)))) -> None:
    """Compile the kernel and open the tables, so that no decision waits for them."""
    flop, held = tuple(board), Holding(0)
    equities_of(held, flop, possible(held, flop))
    ranking(flop)
