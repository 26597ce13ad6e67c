"""Constants of the model, and options where the source leaves a choice or stops short."""

from __future__ import annotations

from enum import Enum
from typing import Final

LOW: Final = 0.01
"""The source's smallest factor and weight: no legal holding is ever ruled out."""

PREFLOP_SPREAD: Final = 330.0
"""Half-width of the interpolation in income rate, in thousandths of a small bet."""

POSTFLOP_SPREAD: Final = 0.4
"""Half-width of the interpolation in EHS', as a multiple of 1 - mean."""

LEAST_PREFLOP_MEAN: Final = 0.05
"""Preflop threshold below which nothing is learned: income rates there are too far apart."""

BLENDED: Final = 20
"""Observations after which the default frequencies no longer count."""

DEFAULTS: Final = ((0.0, 0.5, 0.5), (0.5, 0.3, 0.2), (0.7, 0.2, 0.1))
"""Default shares of folds, calls and raises, by bets to call."""


class Ranking(Enum):
    """Assumed ranking of holdings from the flop on."""

    ANYTHING = "anything"
    """By strength against any holding, so that a frequency is a share of all holdings."""
    FIELD = "field"
    """By strength against the field of the player's own opponents, as in the source."""


class Checks(Enum):
    """Evidence of a check from the flop on."""

    IGNORED = "ignored"
    """A check says nothing, as in the source."""
    INVERSE = "inverse"
    """The holding is below those that would have been bet, until another action says more."""


class Sigma(Enum):
    """Variation of thresholds about their mean."""

    FIXED = "fixed"
    """The variation is the same for everybody, as in the source."""
    LEARNED = "learned"
    """It is estimated from the hands that each player has shown."""


MEMORY: Final = 50
"""Entries of a rolling array: the source's "past 50 hands" (Booker 2004, section 7.10.4)."""

SHOWN_HANDS: Final = 50
"""Shown hands of an opponent that are kept with all their actions."""

TABLE_HANDS: Final = 10
"""Hands by whose betting a table is quiet or aggressive: about one round of a full table."""

AGGRESSIVE_TABLE: Final = 1 / 3
"""Share of bets and raises in the others' actions above which a table is aggressive."""

AGGRESSIVE: Final = 0.40
"""Share of bets and raises after the flop above which an opponent is aggressive; below half of it,
conservative."""

TIGHT_BELOW: Final = {2: 0.50, 3: 0.35, 4: 0.30}
"""Share of hands played before the flop below which an opponent is tight, by seats; with five or
more `TIGHT_BELOW_FULL`. The fewer seats, the weaker the hands that are worth playing."""

TIGHT_BELOW_FULL: Final = 0.25

LOOSE_ABOVE: Final = {2: 0.80, 3: 0.60, 4: 0.50}
"""The share above which it is loose, by seats; with five or more `LOOSE_ABOVE_FULL`."""

LOOSE_ABOVE_FULL: Final = 0.40

STEALS: Final = 0.50
"""Share of first bets from late position that makes a pot stealer: more often than not."""

CHECK_RAISES: Final = 0.20
"""Share of raises behind its own check that makes a trapper: twice what is usual."""

SLOW_PLAYS: Final = 0.50
"""Share of strong hands bet late only that makes a slow-player: more often than not."""

STRONG_RATING: Final = 1.0
"""Rating from which a hand on the flop is strong, as Booker 3 raises a rating ahead by 1."""

LOOSE_CALLS: Final = 0.50
"""Share of calls in answers to bets that makes a loose caller: more often than not."""

DRAW_OUTS: Final = 8
"""Outs to a straight or a flush from which a hand is a draw: those of an open-ended straight."""

DRAW_BETS: Final = 0.75
"""Share of draws bet that counts as always: some are dealt where betting is hopeless."""

FITTING_BETS: Final = 0.75
"""Share of bets above and checks below a board's average hand that counts as appropriate; somebody
who does not look at the cards has one half."""

LEAST_ACTIONS: Final = 30
"""Actions below which too little is known of an opponent to say what it is."""

LEAST_SHOWN: Final = 10
"""Shown hands below which too little is known: they are few, and each says more."""

RETRY_S: Final = 60.0
"""Seconds before a database that failed is tried again: each try may wait for ten."""
