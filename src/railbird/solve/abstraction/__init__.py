"""Abstractions of the cards: which holdings a strategy tells apart, street by street."""

from railbird.solve.abstraction.card_abstraction import (
    BLOCKED,
    CardAbstraction,
    CardBlind,
    Recall,
    states_on,
)
from railbird.solve.abstraction.records import read_abstraction

__all__ = ["BLOCKED", "CardAbstraction", "CardBlind", "Recall", "read_abstraction", "states_on"]
