"""A player's round as one sequence of small integers: cards and actions in the order of events.

A card is its rank, 0 to 9; an action is `ACTION` and its number. The order is: the player's first
card, the dealer's upcard, the player's second card; the insurance, if it is taken; the actions,
each followed by the cards that it brings; the dealer's turn and cards. Where a hand of a split is
finished, the second card of the next one follows. No action stands for what is forced: a hand of
21, a split ace that gets one card, a charlie.

At a table with other players, their first cards come after the player's, as `OTHERS_DEAL` and the
rank, and those that they draw as `OTHERS_DRAW` and the rank: before the player's first action (once
the dealer has peeked), and after the last one.
"""

from __future__ import annotations

from typing import Final

ACTION: Final = 10
INSURANCE: Final = 15
DEALER: Final = 16
OTHERS_DEAL: Final = 20
OTHERS_DRAW: Final = 30
MOST_TOKENS: Final = 200
"""Longer than any round one meets; a longer one is not kept."""
MOST_SPLIT: Final = 12
"""Hands of one wager, more than `settings.MOST_RESPLITS` allows."""
