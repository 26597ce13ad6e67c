"""Times of hands as sites write them: a local time and the abbreviation of a zone."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import Final

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
