"""A hand of push/fold: choices, endings and payoffs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from railbird.cards import Card, Strength, strength
from railbird.solve import BIG_BLIND, SMALL_BLIND, Seat


class Choice(StrEnum):
    """A seat's choice; the data set calls both pushing and calling ``aggress``."""

    AGGRESS = "aggress"
    FOLD = "fold"


class Ending(StrEnum):
    """The way a hand ended."""

    SHOWDOWN = "showdown"
    PLAYER_FOLDED = "player folded"
    OPPONENT_FOLDED = "opponent folded"


@dataclass(frozen=True, slots=True)
class Deal:
    """Nine cards, and the number in [0, 1) by which the opponent mixes its strategy."""

    own: tuple[Card, Card]
    opponent: tuple[Card, Card]
    board: tuple[Card, ...]
    roll: float


def deal(rng: np.random.Generator) -> Deal:
    """Shuffle and deal.

    >>> first, again = (deal(np.random.default_rng(7)) for _ in range(2))
    >>> first == again, len({*first.own, *first.opponent, *first.board})
    (True, 9)
    """
    a, b, c, d, *board = (Card(card) for card in rng.permutation(52)[:9].tolist())
    return Deal((a, b), (c, d), tuple(board), rng.random())


def ending(seat: Seat, own: Choice, opponent: Choice) -> Ending:
    """Determine how a hand ends; a fold of the small blind ends it before the big blind acts."""
    first, second = (own, opponent) if seat is Seat.SMALL_BLIND else (opponent, own)
    if first is Choice.FOLD:
        folds = Seat.SMALL_BLIND
    elif second is Choice.FOLD:
        folds = Seat.BIG_BLIND
    else:
        return Ending.SHOWDOWN
    return Ending.PLAYER_FOLDED if folds is seat else Ending.OPPONENT_FOLDED


def winnings(seat: Seat, how: Ending, *, own: Strength, opponent: Strength, stack: float) -> float:
    """Compute the player's winnings in big blinds.

    >>> hands = {"own": Strength(9), "opponent": Strength(2), "stack": 8.0}
    >>> winnings(Seat.BIG_BLIND, Ending.PLAYER_FOLDED, **hands)
    -1.0
    """
    posted = {Seat.SMALL_BLIND: SMALL_BLIND, Seat.BIG_BLIND: BIG_BLIND}
    match how:
        case Ending.PLAYER_FOLDED:
            return -posted[seat]
        case Ending.OPPONENT_FOLDED:
            return posted[seat.other]
        case Ending.SHOWDOWN:
            return stack * ((own > opponent) - (own < opponent))


def showdown(dealt: Deal) -> tuple[Strength, Strength]:
    """Compute the strengths of both hands with the whole board, the player's first."""
    return strength((*dealt.own, *dealt.board)), strength((*dealt.opponent, *dealt.board))
