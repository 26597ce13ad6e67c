"""Numbers of the model, and ways to make it where the source leaves a choice or goes no further."""

from __future__ import annotations

from enum import Enum
from typing import Final

LOW: Final = 0.01
"""The source's least factor and least weight: no legal holding is ever ruled out."""

PREFLOP_SPREAD: Final = 330.0
"""Thousandths of a small bet on either side of the mean."""

POSTFLOP_SPREAD: Final = 0.4
"""Times 1 - mean, on either side of the mean."""

NO_LESSON: Final = 0.05
"""A preflop threshold below which nothing is learned: the rates there are too far apart."""

BLENDED: Final = 20
"""Observations after which the default frequencies no longer count."""

DEFAULTS: Final = ((0.0, 0.5, 0.5), (0.5, 0.3, 0.2), (0.7, 0.2, 0.1))
"""Shares of folds, calls and raises that are expected of anybody, by bets to call."""

SAVED_EVERY: Final = 100
"""Hands after which a memory is written, besides the end."""


class Ranking(Enum):
    """How players are taken to rank their holdings from the flop on."""

    ANYTHING = "anything"
    """By strength against any holding, which makes a frequency a share of all holdings."""
    FIELD = "field"
    """By strength against the mean of what is believed of their own opponents, as in the source."""


class Checks(Enum):
    """What a check from the flop on says."""

    IGNORED = "ignored"
    """Nothing, as in the source."""
    INVERSE = "inverse"
    """That the holding lies below what would have been bet, until an action says more."""


class Sigma(Enum):
    """How far thresholds vary about their mean."""

    FIXED = "fixed"
    """As far for everybody, as in the source."""
    LEARNED = "learned"
    """As far as the hands that each player has shown make likely."""
