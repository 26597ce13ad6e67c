"""Constants of the models, and options where the source leaves a choice open or stops short."""

from __future__ import annotations

from enum import Enum
from typing import Final

LOW: Final = 0.01
"""The source's smallest factor and weight, so that no possible holding is ever ruled out."""

PREFLOP_SPREAD: Final = 330.0
"""Half-width of the interpolation by income rate, in thousandths of a small bet."""

POSTFLOP_SPREAD: Final = 0.4
"""Half-width of the interpolation by EHS', as a multiple of 1 - mean."""

LEAST_PREFLOP_MEAN: Final = 0.05
"""Preflop threshold below which nothing is learned, because income rates there lie too far
apart."""

BLENDED: Final = 20
"""Number of observations after which the default frequencies no longer count."""

DEFAULTS: Final = ((0.0, 0.5, 0.5), (0.5, 0.3, 0.2), (0.7, 0.2, 0.1))
"""Default shares of folds, calls and raises, by bets to call."""


class Ranking(Enum):
    """How holdings are assumed to be ranked from the flop on."""

    ANYTHING = "anything"
    """By strength against a random holding, so that a frequency is a share of all holdings."""
    FIELD = "field"
    """By strength against the field of the player's own opponents, as in the source."""


class Checks(Enum):
    """What a check says from the flop on."""

    IGNORED = "ignored"
    """A check says nothing, as in the source."""
    INVERSE = "inverse"
    """The holding is weaker than those that would have bet, until another action says more."""


class Sigma(Enum):
    """How much thresholds vary about their mean."""

    FIXED = "fixed"
    """The same for everybody, as in the source."""
    LEARNED = "learned"
    """Estimated from the hands that each player has shown."""


MEMORY: Final = 50
"""Length of a rolling array: the source's "past 50 hands" (Booker 2004, section 7.10.4)."""

SHOWN_HANDS: Final = 50
"""Number of an opponent's shown hands that are kept with all their actions."""

TABLE_HANDS: Final = 10
"""Number of hands by which a table is judged quiet or aggressive: about one round at a full
table."""

AGGRESSIVE_TABLE: Final = 1 / 3
"""Share of bets and raises among the others' actions above which a table is aggressive."""

AGGRESSIVE: Final = 0.40
"""Share of bets and raises after the flop above which an opponent is aggressive. Below half of it
an opponent is conservative."""

TIGHT_BELOW: Final = {2: 0.50, 3: 0.35, 4: 0.30}
"""Share of hands played before the flop below which an opponent is tight, by number of seats;
`TIGHT_BELOW_FULL` with five or more. The fewer seats, the more hands are worth playing."""

TIGHT_BELOW_FULL: Final = 0.25

LOOSE_ABOVE: Final = {2: 0.80, 3: 0.60, 4: 0.50}
"""The share above which an opponent is loose, by number of seats; `LOOSE_ABOVE_FULL` with five or
more."""

LOOSE_ABOVE_FULL: Final = 0.40

STEALS: Final = 0.50
"""Share of chances for a first bet in late position taken by a pot stealer: more than half."""

CHECK_RAISES: Final = 0.20
"""Share of check-raises, among answers to a bet after a check, of a trapper: twice the usual."""

SLOW_PLAYS: Final = 0.50
"""Share of strong hands that a slow-player bets only later: more than half."""

STRONG_RATING: Final = 1.0
"""Rating from which a hand is strong on the flop: Booker 3 raises from 1 above the others."""

LOOSE_CALLS: Final = 0.50
"""Share of calls among the answers to bets of a loose caller: more than half."""

DRAW_OUTS: Final = 8
"""Outs to a straight or a flush from which a hand is a draw: those of an open-ended straight
draw."""

DRAW_BETS: Final = 0.75
"""Share of draws bet that counts as always, since some draws come where betting is hopeless."""

FITTING_BETS: Final = 0.75
"""Share of fitting actions (bets with more than the board's average hand, checks with less) that
counts as appropriate. Somebody who does not look at the cards reaches one half."""

LEAST_ACTIONS: Final = 30
"""Number of actions below which too little is known about an opponent to classify it."""

LEAST_SHOWN: Final = 10
"""Number of shown hands below which too little is known. They are rarer than actions, and each says
more."""

RETRY_S: Final = 60.0
"""Seconds before a database that failed is tried again, since each try may take ten seconds."""
