"""Chips in logs: whole, or with up to six decimals where a pot was split."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import Final, NamedTuple

from railbird.cards import DECK, Card, Holding, cards_of, format_card, holding_of, parse_cards
from railbird.errors import DuplicateCard, ParseError, wrong_value
from railbird.histories.record import BadHand, SkipReason

_AMOUNT: Final = re.compile(r"([+-]?)([0-9]{1,15})(?:\.([0-9]{1,6}))?")
_KEPT: Final = 1 << 14
_TOLD_APART: Final = 500_000
"""Largest denominator that six decimals resolve."""


NUMBER: Final = "[0-9A-Za-z_-]{1,60}"
"""Pattern for the number of a hand: some programs number with letters, or with many digits."""
_LARGEST_NUMBER: Final = 2**63 - 1


class HandNumber(NamedTuple):
    """The number of a hand, as `HandRecord` has it."""

    whole: int | None = None
    text: str = ""
    """The number where it has letters, or more digits than 64 bits hold."""


def hand_number(text: str) -> HandNumber:
    """Return the number of a hand.

    >>> hand_number("250000000010").whole, hand_number("1770659766668adeb0h5qfm").text
    (250000000010, '1770659766668adeb0h5qfm')
    """
    number = int(text) if text.isdecimal() and len(text) < 20 else _LARGEST_NUMBER + 1
    return HandNumber(number) if number <= _LARGEST_NUMBER else HandNumber(None, text)


class Amounts(NamedTuple):
    """One amount for each seat."""

    exact: tuple[Fraction, ...]
    millionths: tuple[int, ...]
    """Amounts as logs round them; integers also compare and add faster."""


def amounts_of(exact: tuple[Fraction, ...]) -> Amounts:
    """Return exact amounts together with their rounded form in logs."""
    millionths = [
        amount.numerator * 1_000_000 if amount.denominator == 1 else round(amount * 1_000_000)
        for amount in exact
    ]
    return Amounts(exact, tuple(millionths))


def unrounded(amounts: tuple[Fraction, ...], denominator: int) -> tuple[Fraction, ...]:
    """Undo a log's rounding to six decimals of amounts that are multiples of ``1 / denominator``.

    Other amounts are returned unchanged.

    >>> unrounded((Fraction(333_333, 1_000_000),), 6)
    (Fraction(1, 3),)
    """
    if denominator == 1 or denominator > _TOLD_APART:
        return amounts
    parts = tuple([Fraction(round(amount * denominator), denominator) for amount in amounts])
    return parts if amounts_of(parts).millionths == amounts_of(amounts).millionths else amounts


@lru_cache(_KEPT)
def parse_amounts(text: str) -> Amounts:
    """Read ``-50.0|387.5``, amounts separated by bars. Raises `BadHand`."""
    millionths = tuple(map(_millionths, text.split("|")))
    return Amounts(tuple(Fraction(amount, 1_000_000) for amount in millionths), millionths)


def _millionths(text: str) -> int:
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise BadHand(SkipReason.UNREADABLE, f"{text!r} is no amount")
    sign, integer_digits, decimals = match.groups(default="")
    return int(f"{sign}{integer_digits}{decimals:0<6}")


def format_amount(amount: Fraction) -> str:
    """Format an amount as the ACPC's dealer does: six decimals without trailing zeros.

    >>> format_amount(Fraction(-11815, 2)), format_amount(Fraction(100, 3))
    ('-5907.5', '33.333333')
    """
    try:
        if amount.denominator == 1:
            return str(amount.numerator)
    except AttributeError:  # nothing is checked for every amount of a log that fails by itself
        raise wrong_value("amount", amount, "a Fraction or a whole number") from None
    millionths = round(amount * 1_000_000)
    units, rest = divmod(abs(millionths), 1_000_000)
    return f"{'-' * (millionths < 0)}{units}.{rest:06}".rstrip("0").removesuffix(".")


def format_amounts(amounts: tuple[Fraction, ...]) -> str:
    """Format amounts by seat, separated by bars."""
    return "|".join(map(format_amount, amounts))


# Cards in logs, two and four characters at a time, by lookup.


class Hole(NamedTuple):
    """A seat's two cards as a log wrote them."""

    holding: Holding | None
    low_first: int
    """1 if the lower card was written first, else 0."""


UNKNOWN: Final = Hole(None, 0)

HOLE_OF_TEXT: Final[dict[str, Hole]] = {"": UNKNOWN} | {
    format_card(a) + format_card(b): Hole(holding_of(a, b), int(a < b))
    for a, b in permutations(DECK, 2)
}
"""Holes by text such as ``7d3d``; the empty text is a hole that is not shown."""

TEXT_OF_HOLE: Final[dict[Hole, str]] = {hole: text for text, hole in HOLE_OF_TEXT.items()}


def read_cards(text: str, count: int) -> tuple[Card, ...]:
    """Read exactly ``count`` cards in any spelling. Raises `BadHand`."""
    try:
        cards = parse_cards(text)
    except DuplicateCard as error:
        raise BadHand(SkipReason.DUPLICATE_CARD, str(error)) from None
    except ParseError as error:
        raise BadHand(SkipReason.UNREADABLE, str(error)) from None
    if len(cards) != count:
        raise BadHand(SkipReason.UNREADABLE, f"{text!r}: {len(cards)} cards instead of {count}")
    return cards


def read_hole(text: str) -> Hole:
    """Read two cards in any spelling; empty for a hole that is not shown. Raises `BadHand`."""
    known = HOLE_OF_TEXT.get(text)
    if known is not None:
        return known
    first, second = read_cards(text, 2)
    return Hole(holding_of(first, second), int(first < second))


def after_showing(known: Hole, shown: Hole, who: str) -> Hole:
    """Return a hole after cards were shown. Raises `BadHand` if it held other cards before."""
    if known is UNKNOWN:
        return shown
    if known.holding != shown.holding:
        raise BadHand(SkipReason.UNREADABLE, f"{who} shows other cards than before")
    return known


def hole_cards(holding: Holding, *, low_first: int) -> tuple[Card, Card]:
    """Return the two cards in the order in which they were dealt."""
    low, high = sorted(cards_of(holding))
    return (low, high) if low_first else (high, low)


# Times of hands as sites write them: a local time and the abbreviation of a zone.


_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
"""Names of the months in English, whatever the locale is."""

_HOURS: Final = {
    "UTC": 0,
    "GMT": 0,
    "WET": 0,
    "BST": 1,
    "WEST": 1,
    "CET": 1,
    "CEST": 2,
    "EET": 2,
    "EEST": 3,
    "EST": -5,
    "EDT": -4,
    "CST": -6,
    "CDT": -5,
    "MST": -7,
    "MDT": -6,
    "PST": -8,
    "PDT": -7,
    "BRT": -3,
    "ART": -3,
    "MEZ": 1,
    "MESZ": 2,
    "MSK": 3,
    "MSKS": 4,
    "YEKT": 5,
    "YEKST": 6,
    "ICT": 7,
    "JST": 9,
    "AEST": 10,
    "AEDT": 11,
}
"""Offsets of the zones from UTC; MSKS and YEKST are the summer times of Moscow and the Urals."""

CLOCK: Final = "([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})"
"""Pattern of a time of day, which some programs write without zeros: 12:1:40."""
_MOMENT: Final = re.compile(
    r"([A-Z][a-z]+) ([0-9]{1,2}), ([0-9]{4})"
    r" - ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?: \((\w+)\))?"
)


def month_number(name: str) -> int | None:
    """Return 1 to 12 for a month's English name or its first three letters; None for no month."""
    months = [month for month, known in enumerate(_MONTHS, 1) if name in (known, known[:3])]
    return months[0] if months else None


def read_moment(text: str) -> datetime | None:
    """Parse ``November 01, 2010 - 22:05:18 (CET)``; None if it is not a time.

    An unknown zone is ignored.
    """
    match = _MOMENT.fullmatch(text)
    if match is None or match[1] not in _MONTHS:
        return None
    year, day, hour, minute, second = map(int, match.group(3, 2, 4, 5, 6))
    month = _MONTHS.index(match[1]) + 1
    try:
        return in_zone(datetime(year, month, day, hour, minute, second), match[7] or "")
    except ValueError:
        return None


def local_time(
    year: int, month: int, day: int, hour: int, minute: int, second: int
) -> datetime | None:
    """Return a time without a zone; None for numbers that are not a time."""
    try:
        return datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None


def in_zone(local: datetime, name: str) -> datetime:
    """Return a local time with the zone of an abbreviation; unchanged if the zone is unknown.

    ET is the clock of New York, in winter and in summer.

    >>> in_zone(datetime(2014, 7, 6, 12), "ET").isoformat()
    '2014-07-06T12:00:00-04:00'
    """
    hours = (-4 if is_new_york_summer(local) else -5) if name == "ET" else _HOURS.get(name)
    return local if hours is None else local.replace(tzinfo=_zone(hours, name))


@lru_cache
def _zone(hours: float, name: str) -> timezone:
    return timezone(timedelta(hours=hours), name)


def is_new_york_summer(local: datetime) -> bool:
    """Return whether a time, standard or by the clock, is in New York's summer time since 2007.

    The hour that the clocks show twice is taken for standard time.
    """
    year = local.year
    return _sunday(year, 3, 2) <= local < _sunday(year, 11, 1) - timedelta(hours=1)


@lru_cache
def _sunday(year: int, month: int, nth: int) -> datetime:
    """Return two o'clock in the morning of a month's nth Sunday."""
    first = datetime(year, month, 1, 2)
    return first + timedelta(days=(6 - first.weekday()) % 7 + 7 * (nth - 1))


def moment_text(moment: datetime) -> str:
    """Format a time as `read_moment` reads it."""
    zone = "" if moment.tzinfo is None else f" ({moment.tzname()})"
    month = _MONTHS[moment.month - 1]
    return f"{month} {moment:%d, %Y - %H:%M:%S}{zone}"
