"""Numbers as Kan (2007) prints them for matches between programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HYPERBOREAN_AVERAGE: Final = "0.39"
"""Winnings of the best program a hand, averaged over the others (table 5.1)."""

MONASH_FROM_TEDDY: Final = "1.17"
"""Winnings of an adaptive program from one that always raised (table 5.1)."""

UNFILTERED: Final = "0.07"
"""Winnings of the best program from one that folded too often, a hand, without its filter."""

FILTERED: Final = "0.11"
"""The same in the other competition, with the filter."""

THECOUNT_MONEY: Final = "0.0482"
"""What a professional, thecount, won a hand from PsOpti1 in 7,000 (figure 5.5)."""

THECOUNT_MONEY_SD: Final = "5.756"
"""By figure 5.5, and by the reduction of 7.4 in the text, which prints 5.576."""

THECOUNT_DIVAT: Final = "0.01091"
THECOUNT_DIVAT_SD: Final = "2.109"
THECOUNT_PREFLOP: Final = "-0.08"
"""DIVAT before the flop: thecount folded too much there, about 16 % of the hands."""

HYPERBOREAN_FROM_GS2: Final = "0.18"
"""Winnings from the program that solved turn and river while it played (table 5.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortMatch:
    """One of the matches in Las Vegas, a hand in small bets; empty where nothing is printed."""

    money: str = ""
    money_sd: str = ""
    divat: str = ""
    divat_sd: str = ""
    reduction: str = ""


POKI_X_AND_POKERPROBOT: Final = ShortMatch(money_sd="4.680", divat_sd="2.168", reduction="4.7")
LAAK_AND_POKERPROBOT: Final = ShortMatch(
    money="0.1765", money_sd="3.2289", divat="0.1652", divat_sd="2.081", reduction="2.4"
)
POKI_X_AND_LAAK: Final = ShortMatch()
