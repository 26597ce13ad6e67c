"""What stands above the play in a PokerStars hand: game, stakes, time, table; and its money."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from functools import lru_cache
from typing import Final

from railbird.errors import BadInput
from railbird.game import Betting
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.timestamps import in_zone, is_new_york_summer
from railbird.units import Chips

MONEY: Final = r"[$€£]?([0-9][0-9,]{0,20}(?:\.[0-9]{1,2})?)"
_KEPT: Final = 1 << 14
BETTINGS: Final = {
    "Limit": Betting.LIMIT,
    "No Limit": Betting.NO_LIMIT,
    "Pot Limit": Betting.POT_LIMIT,
}
CODES: Final = {"$": "USD", "€": "EUR", "£": "GBP"}
"""By sign, the codes of the currencies that the site plays in."""

HEADER: Final = re.compile(
    r"(?:PokerStars (?:Zoom |Home Game )?|Full Tilt (?:Rush )?)(?:Game|Hand)"
    r" #([0-9]{1,18}):\s+(.+)",
    re.IGNORECASE,
)
"""From 2016 on the hands of Full Tilt Poker were dealt and written by PokerStars."""
_ANY_TIME: Final = re.compile(
    r"([0-9]{4})/([0-9]{2})/([0-9]{2}) (?:- )?([0-9]{1,2}):([0-9]{2}):([0-9]{2})"
)
_TIME: Final = re.compile(rf"{_ANY_TIME.pattern} \(?ET\b")
_GAME: Final = re.compile(
    rf"Hold'em (No Limit|Pot Limit|Limit)\b.*\(([$€£]?)(?=[0-9]){MONEY}/{MONEY}"
    rf"(?: - {MONEY} Cap)?[^()]*\)",
    re.IGNORECASE,
)
_IN_A_MIX: Final = re.compile(
    rf"Hold'em (No Limit|Pot Limit|Limit), ([$€£]?)(?=[0-9]){MONEY}/{MONEY}()[^()]*\)"
)
TABLE: Final = re.compile(r"Table '(.*)'[^']*?(?: Seat #([0-9]{1,3}) is the button)?")


@dataclass(frozen=True, slots=True)
class Head:
    """The first line of a hand."""

    number: int
    betting: Betting
    stakes: tuple[Chips, Chips]
    """Small and big bet in limit, otherwise the blinds."""
    cap: Chips | None
    """The most that anyone can lose in the hand."""
    currency: str
    played_at: datetime | None

    @property
    def full_blinds(self) -> tuple[Chips, Chips]:
        """The blinds by the stakes; a limit game's are half a small bet and one."""
        small, big = self.stakes
        return (Chips(small // 2), small) if self.betting is Betting.LIMIT else (small, big)

    @property
    def scale(self) -> int:
        """Chips to the unit in which amounts are written: money is counted in cents."""
        return scale_of(self.currency)


def scale_of(currency: str) -> int:
    """Return the chips to one unit of a currency; "" is chips that are no money."""
    return 100 if currency else 1


def read_head(line: str) -> Head:
    """Read the first line. Raises `BadHand`."""
    header = HEADER.fullmatch(line)
    if header is None:
        raise BadHand(SkipReason.UNREADABLE, f"no hand: {line[:60]!r}")
    game = _GAME.search(header[2]) or _IN_A_MIX.search(header[2])
    if game is None:
        raise BadHand(SkipReason.ANOTHER_GAME, repr(header[2][:60]))
    betting, currency, small, big, cap = game.groups()
    scale = scale_of(currency)
    return Head(
        number=int(header[1]),
        betting=BETTINGS[betting.title()],
        stakes=(chips_of(small, scale), chips_of(big, scale)),
        cap=chips_of(cap, scale) if cap else None,
        currency=currency,
        played_at=_played_at(header[2][game.end() :]),
    )


@lru_cache(_KEPT)
def chips_of(text: str, scale: int) -> Chips:
    """Return the chips of an amount as `MONEY` finds it. Raises `BadHand`."""
    whole, _, cents = text.replace(",", "").partition(".")
    if cents and scale == 1:
        raise BadHand(SkipReason.UNREADABLE, f"{text} chips")
    return Chips(int(whole) * scale + int(f"{cents:0<2}"))


def money_text(chips: Fraction | int, currency: str) -> str:
    """Write an amount: ``$5``, ``$0.50``, ``1500``.

    Raises `railbird.errors.BadInput` for parts of a chip.
    """
    if chips != int(chips):
        raise BadInput(f"{chips} chips; allowed: whole ones")
    whole, cents = divmod(int(chips), scale_of(currency))
    return f"{currency}{whole}.{cents:02}" if cents else f"{currency}{whole}"


def time_text(moment: datetime) -> str:
    """Write a time as the site does, on the clock of New York; as it stands without a zone."""
    if moment.tzinfo is None:
        return f"{moment:%Y/%m/%d} {moment.hour}:{moment:%M:%S}"
    standard = moment.astimezone(timezone(timedelta(hours=-5)))
    local = standard.replace(tzinfo=None)
    if is_new_york_summer(local):
        local += timedelta(hours=1)
    return f"{local:%Y/%m/%d} {local.hour}:{local:%M:%S} ET"


def _played_at(text: str) -> datetime | None:
    """The time in ET if the site gives it; any other zone is left out."""
    match = _TIME.search(text)
    other = _ANY_TIME.search(text)
    try:
        if match is not None:
            return in_zone(datetime(*map(int, match.groups())), "ET")  # type: ignore[arg-type]
        return None if other is None else datetime(*map(int, other.groups()))  # type: ignore[arg-type]
    except ValueError:
        return None
