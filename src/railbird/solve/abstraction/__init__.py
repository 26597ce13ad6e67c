"""Abstractions of the cards: which holdings a strategy tells apart, street by street."""

from railbird.solve.abstraction.card_abstraction import (
    BLOCKED,
    CardAbstraction,
    CardBlind,
    Recall,
    states_on,
)

__all__ = ["BLOCKED", "CardAbstraction", "CardBlind", "Recall", "states_on"]
