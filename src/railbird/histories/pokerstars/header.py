"""Header of a PokerStars hand (game, stakes, time, table), and its amounts of money."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

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
"""Codes of the site's currencies by sign."""

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
_BETTING: Final = re.compile(r"Hold'em (No Limit|Pot Limit|Limit)\b", re.IGNORECASE)
_STAKES: Final = re.compile(
    rf"[(,] ?([$€£]?)(?=[0-9]){MONEY}/{MONEY}(?: - {MONEY} Cap)?[^()]*\)", re.IGNORECASE
)
"""In parentheses, or after a comma where the parentheses enclose the game of a mix."""
TABLE: Final = re.compile(r"Table '(.*)'[^']*?(?: Seat #([0-9]{1,3}) is the button)?")


class Game(NamedTuple):
    """Game and stakes."""

    betting: Betting
    stakes: tuple[Chips, Chips]
    """Small and big bet in limit, otherwise the blinds."""
    full_blinds: tuple[Chips, Chips]
    """Blinds implied by the stakes; in limit half a small bet and one."""
    cap: Chips | None
    """Most that a player can lose in the hand."""
    currency: str
    scale: int
    """Chips per unit of the written amounts: money is counted in cents."""


class Head(NamedTuple):
    """First line of a hand."""

    number: int
    game: Game
    played_at: datetime | None


def scale_of(currency: str) -> int:
    """Return the chips per unit of a currency; "" stands for tournament or play chips."""
    return 100 if currency else 1


def read_head(line: str) -> Head:
    """Read the first line. Raises `BadHand`."""
    header = HEADER.fullmatch(line)
    if header is None:
        raise BadHand(SkipReason.UNREADABLE, f"no hand: {line[:60]!r}")
    number, text = header.groups()
    what, _, when = text.rpartition(" - ")  # games repeat and are cached, times do not repeat
    game, end = _game_in(what or text)
    return Head(int(number), game, _played_at(f"{what[end:]} {when}"))


@lru_cache(_KEPT)
def _game_in(text: str) -> tuple[Game, int]:
    """Return the game in a first line, and where its text ends. Raises `BadHand`."""
    betting_said = _BETTING.search(text)
    stakes_said = list(_STAKES.finditer(text, betting_said.end() if betting_said else 0))
    if betting_said is None or not stakes_said:
        raise BadHand(SkipReason.ANOTHER_GAME, repr(text[:60]))
    currency, *amounts, cap = stakes_said[-1].groups()
    scale = scale_of(currency)
    small, big = (chips_of(amount, scale) for amount in amounts)
    betting = BETTINGS[betting_said[1].title()]
    game = Game(
        betting=betting,
        stakes=(small, big),
        full_blinds=(Chips(small // 2), small) if betting is Betting.LIMIT else (small, big),
        cap=chips_of(cap, scale) if cap else None,
        currency=currency,
        scale=scale,
    )
    return game, stakes_said[-1].end()


def chips_of(text: str, scale: int) -> Chips:
    """Return the chips of an amount matched by `MONEY`. Raises `BadHand`."""
    if text.isdecimal():
        return Chips(int(text) * scale)
    whole, _, cents = text.replace(",", "").partition(".")
    if cents and scale == 1:
        raise BadHand(SkipReason.UNREADABLE, f"{text} chips")
    return Chips(int(whole) * scale + int(f"{cents:0<2}"))


def money_text(chips: Fraction | int, currency: str) -> str:
    """Write an amount: ``$5``, ``$0.50``, ``1500``.

    Raises `railbird.errors.BadInput` for fractions of a chip.
    """
    if chips != int(chips):
        raise BadInput(f"{chips} chips; allowed: whole ones")
    whole, cents = divmod(int(chips), scale_of(currency))
    return f"{currency}{whole}.{cents:02}" if cents else f"{currency}{whole}"


def time_text(moment: datetime) -> str:
    """Write a time as the site does, in New York time; unchanged if it has no zone."""
    if moment.tzinfo is None:
        return f"{moment:%Y/%m/%d} {moment.hour}:{moment:%M:%S}"
    standard = moment.astimezone(timezone(timedelta(hours=-5)))
    local = standard.replace(tzinfo=None)
    if is_new_york_summer(local):
        local += timedelta(hours=1)
    return f"{local:%Y/%m/%d} {local.hour}:{local:%M:%S} ET"


def _played_at(text: str) -> datetime | None:
    """Return the time in ET if the text has one; other zones are ignored."""
    match = _TIME.search(text) or _ANY_TIME.search(text)
    if match is None:
        return None
    try:
        moment = datetime(*map(int, match.groups()[:6]))  # type: ignore[arg-type]
    except ValueError:
        return None
    return in_zone(moment, "ET") if match.re is _TIME else moment
