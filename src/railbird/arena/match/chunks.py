"""Results of play: hands as arrays, and chunks, the units that are sent and logged."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.arena.fault_policy import FaultTally
from railbird.arena.match.definition import Match
from railbird.cards import HOLDING_INDEX
from railbird.game import BOARD_CARDS
from railbird.game.deal import Deals
from railbird.histories.columns import (
    NO_TIME,
    UNKNOWN,
    Circumstances,
    HandBatch,
    Piece,
    answers_of,
    in_parts,
)

_DECIMALS = 6
"""Decimals of an amount in a log, to which results are rounded so that reading them back agrees."""


@dataclass(frozen=True, slots=True)
class Hands:
    """Consecutive hands, as returned by both loops."""

    actions: NDArray[np.int64]
    """Codes of all hands' actions, end to end."""
    ends: NDArray[np.int64]
    """(hands,) where each hand's actions end."""
    streets: NDArray[np.int64]
    """(hands,) the last street that was dealt."""
    payoffs: NDArray[np.int64]
    """(hands, players) chips won, times the rules' denominator."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A played chunk of a match."""

    index: int
    payoffs: NDArray[np.float64]
    """Chips won, shape (directions, deals, players)."""
    faults: tuple[FaultTally, ...]
    """By player."""
    text: bytes = b""
    """The hands as lines of the log; empty without a log."""
    hands: Piece | None = None
    """The hands as columns, if they are kept."""

    def without_text(self) -> Chunk:
        """Return the chunk without the text."""
        return replace(self, text=b"")


def batch_of_hands(
    match: Match,
    numbers: range,
    seated: NDArray[np.int64],
    cards: Deals,
    hands: Hands,
) -> HandBatch:
    """Lay out the hands of one direction of a chunk as columns."""
    rules, n, seats = match.rules, len(numbers), match.rules.seats
    low, high = cards[:, 0 : 2 * seats : 2], cards[:, 1 : 2 * seats : 2]
    dealt = np.array(BOARD_CARDS, np.uint8)[hands.streets]
    board = cards[:, 2 * seats :]
    start = np.concatenate([[0], hands.ends])
    rules_of = np.zeros(n, np.int32)
    payoff, parts = in_parts(np.take_along_axis(hands.payoffs, seated, axis=1), rules.denominator)
    return HandBatch(
        rules=(rules,),
        rules_of=rules_of,
        names=match.names,
        player=seated.astype(np.int32),
        holding=HOLDING_INDEX[low, high].astype(np.int16),
        low_first=((low < high) << np.arange(seats)).sum(axis=1).astype(np.uint32),
        board=np.where(np.arange(board.shape[1]) < dealt[:, None], board, 0).astype(np.uint8),
        dealt=dealt,
        start=start,
        action=hands.actions,
        answers=answers_of((rules,), rules_of, start, hands.actions),
        payoff=payoff,
        parts=parts,
        number=np.arange(numbers.start, numbers.stop),
        played_at=np.full(n, NO_TIME),
        circumstances=(Circumstances(),),
        circumstances_of=np.zeros(n, np.int32),
        sources=(),
        file=np.full(n, UNKNOWN, np.int32),
        line=np.full(n, UNKNOWN, np.int64),
    )


def in_chips(payoffs: ArrayLike) -> NDArray[np.float64]:
    """Return amounts rounded as in a log, so that a resumed match has the same result."""
    chips: NDArray[np.float64] = np.asarray(payoffs, np.float64).round(_DECIMALS)
    return chips
