"""The probability that a holding wins if all cards are dealt and nobody folds (Booker 2004, 7.2).

The source deals at random and counts a deal as won if no opponent ranks higher, so a tie is a win.
That is `WinProbability.unbeaten`. `WinProbability.share` divides the pot of a tie; it is the number
to compare with pot odds.

The result is exact against one opponent. Against several it comes, before the flop, from a table of
a million deals for each hand class, and later from a roll-out whose generator is seeded by the
state itself: so it does not depend on anything that happened before, and is the same for states
that differ by suits only.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from math import comb, sqrt
from time import perf_counter
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import (
    CLASS_OF_HOLDING,
    HOLDING_INDEX,
    Card,
    CardsLike,
    Holding,
    HoldingLike,
    cards_of,
    parse_class,
)
from railbird.cards.isomorphism import SuitKey, cards_of_key, suit_key
from railbird.errors import BadInput
from railbird.odds.arguments import CACHED_STATES, MOST_SAMPLES, ROLL_OUTS, known_cards
from railbird.odds.range_showdowns import showdowns_on
from railbird.odds.win_probability_kernels import count_showdowns, deal_showdowns

MOST_OPPONENTS: Final = 22
"""The most opponents: all other seats of the largest table."""

TABLE_OPPONENTS: Final = 9
"""The most opponents for which the preflop table has a column."""

TABLE_DEALS: Final = 1_000_000
"""Deals for each entry of the table against two opponents or more."""

_FILE: Final = "preflop_probabilities.csv"
_AT_ONCE: Final = 250
"""Deals between two checks of the clock."""


@dataclass(frozen=True, slots=True)
class WinProbability:
    """The result of a count or a roll-out."""

    unbeaten: float
    """Probability that no opponent has a better hand."""
    share: float
    """Expected share of the pot."""
    deals: int = 0
    """Number of random deals; 0 if counted exactly."""
    share_stderr: float = 0.0

    @property
    def stderr(self) -> float:
        """Standard error of `unbeaten`."""
        return sqrt(self.unbeaten * (1 - self.unbeaten) / self.deals) if self.deals else 0.0


@checked
def win_probability(
    hole: HoldingLike,
    board: CardsLike = (),
    *,
    opponents: int = 1,
    deals: int | None = None,
    seconds: float | None = None,
) -> WinProbability:
    """Return the probability of winning against opponents with any two cards.

    The result is exact if that is quick, unless ``deals`` asks for a roll-out. ``seconds`` ends a
    roll-out early; the result then depends on the machine.

    Raises `BadInput` for an impossible number of opponents or deals.

    >>> win_probability("AsAh").share
    0.852037
    >>> win_probability("2c3d", "AsKsQsJsTs")  # everybody plays the board
    WinProbability(unbeaten=1.0, share=0.5, deals=0, share_stderr=0.0)
    """
    holding, cards = known_cards(hole, board)
    if not 1 <= opponents <= MOST_OPPONENTS:
        raise BadInput(f"{opponents} opponents; allowed: 1 to {MOST_OPPONENTS}")
    if deals is not None and not 1 <= deals <= MOST_SAMPLES:
        raise BadInput(f"{deals} deals; allowed: 1 to {MOST_SAMPLES:,}")
    return state_probability(holding, cards, opponents, deals, seconds)


def state_probability(
    holding: Holding,
    board: Sequence[Card],
    opponents: int,
    deals: int | None = None,
    seconds: float | None = None,
) -> WinProbability:
    """Return the result of `win_probability` for arguments that are known to be valid."""
    if deals is None:
        if not board and opponents <= TABLE_OPPONENTS:
            return _preflop_table()[CLASS_OF_HOLDING.item(holding)][opponents - 1]
        if board and opponents == 1:
            return _counted(suit_key(cards_of(holding), board))
    return _rolled_out(suit_key(cards_of(holding), board), opponents, deals or ROLL_OUTS, seconds)


def range_probabilities(
    holdings: npt.NDArray[np.integer],
    board: Sequence[Card],
    opponents: int,
    deals: int | None = None,
    seconds: float | None = None,
) -> list[WinProbability]:
    """Return `state_probability` of each of some holdings, which share no card with the board.

    Where it is a count, all holdings together take little longer than one.
    """
    if deals is None and board and opponents == 1:
        shares = _counted_together(bytes(board))[:, holdings].tolist()
        return [WinProbability(unbeaten, share) for unbeaten, share in zip(*shares, strict=True)]
    return [
        state_probability(Holding(holding), board, opponents, deals, seconds)
        for holding in holdings.tolist()
    ]


@lru_cache(maxsize=256)
def _counted_together(board: bytes) -> npt.NDArray[np.float64]:
    """Return (2, 1326) the probabilities of all holdings: unbeaten, and the share of the pot."""
    beaten, tied = showdowns_on(board).counts()
    return np.array([beaten + tied, beaten + tied / 2]) / _showdowns_after(len(board))


def _showdowns_after(cards: int) -> int:
    """Return the number of a holding's showdowns on all boards that may follow."""
    return comb(50 - cards, 5 - cards) * comb(45, 2)


@lru_cache(maxsize=CACHED_STATES)
def _counted(key: SuitKey) -> WinProbability:
    held, board = cards_of_key(key)
    counts = np.empty(2, np.int64)
    holding = int(HOLDING_INDEX[held[0], held[1]])
    count_showdowns(np.array(board, np.uint8), holding, counts)
    beaten, tied = counts.tolist()
    showdowns = _showdowns_after(len(board))
    return WinProbability((beaten + tied) / showdowns, (beaten + tied / 2) / showdowns)


@lru_cache(maxsize=CACHED_STATES)
def _rolled_out(key: SuitKey, opponents: int, deals: int, seconds: float | None) -> WinProbability:
    held, board = cards_of_key(key)
    cards, holding = np.array(board, np.uint8), int(HOLDING_INDEX[held[0], held[1]])
    seed = blake2b(repr((key, opponents)).encode(), digest_size=32).digest()
    state, sums = np.frombuffer(seed, np.uint64).copy(), np.zeros(3)
    done = 0
    end = None if seconds is None else perf_counter() + seconds
    while done < deals:
        some = deals if end is None else min(_AT_ONCE, deals - done)
        deal_showdowns(state, cards, holding, opponents, some, sums)
        done += some
        if end is not None and perf_counter() >= end:
            break
    unbeaten, share, squares = (sums / done).tolist()
    return WinProbability(unbeaten, share, done, sqrt(max(squares - share**2, 0.0) / done))


@cache
def _preflop_table() -> tuple[tuple[WinProbability, ...], ...]:
    """Return the probabilities by class and number of opponents less one."""
    text = files("railbird.odds").joinpath("data", _FILE).read_text("utf-8")
    rows = {parse_class(row["hand"]): row for row in csv.DictReader(io.StringIO(text))}
    return tuple(
        tuple(_table_entry(rows[number], opponents) for opponents in range(1, TABLE_OPPONENTS + 1))
        for number in sorted(rows)
    )


def _table_entry(row: dict[str, str], opponents: int) -> WinProbability:
    unbeaten, share = float(row[f"unbeaten{opponents}"]), float(row[f"share{opponents}"])
    if opponents == 1:
        return WinProbability(unbeaten, share)
    # A share's variance is at most that of a win or nothing with the same mean.
    stderr = sqrt(share * (1 - share) / TABLE_DEALS)
    return WinProbability(unbeaten, share, TABLE_DEALS, stderr)
