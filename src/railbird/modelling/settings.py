"""How a model may be made where the source leaves a choice, or goes no further."""

from __future__ import annotations

from enum import Enum


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
