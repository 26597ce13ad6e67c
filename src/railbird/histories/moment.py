"""When a hand was played, as sites write it: a local time and the abbreviation of a zone."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import Final

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
"""In English, whatever the locale is."""

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
}
"""Offsets of the zones from UTC."""

_MOMENT: Final = re.compile(
    r"([A-Z][a-z]+) ([0-9]{1,2}), ([0-9]{4})"
    r" - ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?: \((\w+)\))?"
)


def read_moment(text: str) -> datetime | None:
    """Read ``November 01, 2010 - 22:05:18 (CET)``; None if it is no time.

    An unknown zone is left out.
    """
    match = _MOMENT.fullmatch(text)
    if match is None or match[1] not in _MONTHS:
        return None
    hours = _HOURS.get(match[7])
    zone = None if hours is None else timezone(timedelta(hours=hours), match[7])
    year, day, hour, minute, second = map(int, match.group(3, 2, 4, 5, 6))
    month = _MONTHS.index(match[1]) + 1
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=zone)
    except ValueError:
        return None


def moment_text(moment: datetime) -> str:
    """Write a time in the same way."""
    zone = "" if moment.tzinfo is None else f" ({moment.tzname()})"
    month = _MONTHS[moment.month - 1]
    return f"{month} {moment:%d, %Y - %H:%M:%S}{zone}"
