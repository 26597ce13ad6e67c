"""Numbers as Peretz (2005) prints them, in per cent where he does."""

from __future__ import annotations

from typing import Final

FIRST_BET_EVEN: Final = {
    9: "7",
    8: "8",
    7: "9",
    6: "11",
    5: "13",
    4: "16",
    3: "21",
    2: "29",
}
"""1-chip zero-blind: share of hands that bet first, by players ahead."""

FIRST_BET_BLINDS: Final = {
    9: "10",
    8: "11",
    7: "12",
    6: "14",
    5: "17",
    4: "20",
    3: "26",
    2: "37",
}
"""1-chip with blinds: the same where 2 of 5 must be won."""

SMALL_BLIND: Final = "75"
"""1-chip with blinds: the small blind, which risks half a chip."""

CALLS: Final = {9: "6", 8: "6.6"}
"""Share that calls a first bet by the same stake, by players ahead of the bettor."""

CALLS_BETTER: Final = {9: "7.1", 8: "7.8"}
"""The same with the bettor's chip in the stake."""

NEEDED_TO_BET: Final = "40"
NEEDED_TO_CALL: Final = "29"

SEVEN_CARD_HANDS: Final = "133"
"""Millions."""
FIVE_CARD_HANDS: Final = "2.7"
"""Millions."""
FLOP_HANDS: Final = "26"
"""Millions of hole cards with a flop."""
FLOPS: Final = "19600"
HOLE_CARDS: Final = "1326"

FLUSH_DRAW: Final = "25"
FLUSH_DRAW_SQUARED: Final = "6"
FLUSH_DRAW_CUBED: Final = "1.5"

POT_ODDS: Final = "25"
IMPLIED_ODDS: Final = "40"
CALL_INTO_FORTY: Final = "10"
RAISE_AGAINST_TWO: Final = "33"
