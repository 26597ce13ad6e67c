"""Numbers as Kan (2007) prints them for matches between programs."""

from __future__ import annotations

from typing import Final

HYPERBOREAN_AVERAGE: Final = "0.39"
"""Winnings of the best program a hand, averaged over the others (table 5.1)."""

MONASH_FROM_TEDDY: Final = "1.17"
"""Winnings of an adaptive program from one that always raised (table 5.1)."""

UNFILTERED: Final = "0.07"
"""Winnings of the best program from one that folded too often, a hand, without its filter."""

FILTERED: Final = "0.11"
"""The same in the other competition, with the filter."""
