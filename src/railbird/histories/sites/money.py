"""Amounts as sites write them: ``$1,234.50``, ``0,02 $``, ``€5 EUR``, ``RSD61``, ``1 123 698``.

An amount is read exactly, as a whole number of hundred-millionths: sites that play in parts of a
coin write up to eight decimals.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from railbird.histories.record import BadHand, SkipReason

DECIMALS: Final = 8
UNIT: Final = 10**DECIMALS
"""What one dollar, euro or chip is counted as."""

SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£"}
"""By code, the signs that stand for a currency wherever it was read."""

_BLANK: Final = "[ \xa0\u202f]"
_SIGN: Final = r"[^\w\s.,:;()\[\]{}+'\"*#|/\\-]"
_CODE: Final = r"[A-Z]{3}"
_NUMBER: Final = (
    r"(?:[0-9]{1,15}|(?=\.[0-9]))"
    rf"(?:[.,'][0-9]{{1,15}}|Â?{_BLANK}[0-9]{{3}}(?![0-9])){{0,6}}"
)
"""Groups of thousands may be apart; ``Â`` is left of a blank that was encoded twice."""

_BEFORE: Final = rf"(?:(?:{_SIGN}|{_CODE}){_BLANK}?)?"
_AFTER: Final = rf"(?:{_BLANK}{{0,2}}(?:{_SIGN}|{_CODE}\b)){{0,2}}"

AMOUNT: Final = f"{_BEFORE}({_NUMBER}){_AFTER}"
"""A pattern for an amount with the signs of its currency; its one group is the number."""

ANY_AMOUNT: Final = f"{_BEFORE}{_NUMBER}{_AFTER}"
"""The same without a group."""

_CURRENCY: Final = re.compile(rf"{_SIGN}|{_CODE}")
_PARTS: Final = re.compile(r"[^0-9]+")
_DIGITS: Final = 16
"""The most that an amount may have before its point."""
_KEPT: Final = 1 << 14


@lru_cache(_KEPT)
def read_amount(text: str, *, dot_groups: bool = False) -> int:
    """Return a number as `AMOUNT` finds it in units of `UNIT`. Raises `BadHand`.

    With ``dot_groups`` a dot before three digits at the end divides thousands, as a comma always
    does.

    >>> [read_amount(text) // 10**6 for text in ("1,234.5", "0,02", "3 023,50", "1.234,50")]
    [123450, 2, 302350, 123450]
    >>> read_amount("2.000") // UNIT, read_amount("2.000", dot_groups=True) // UNIT
    (2, 2000)
    """
    digits = _PARTS.split(text)
    marks = [mark.strip("Â \xa0\u202f") for mark in _PARTS.findall(text)]
    last = marks[-1] if marks else ""
    grouped = len(digits[-1]) == 3 and digits[0] != "0"
    repeated = marks.count(last) > 1
    divides = last in (",", ".") and not repeated
    if divides and len(marks) == 1 and grouped:
        divides = last == "." and not dot_groups
    cents = digits.pop() if divides else ""
    whole = "".join(digits)
    if any(len(group) != 3 for group in digits[1:]) or len(whole) > _DIGITS:
        raise BadHand(SkipReason.UNREADABLE, f"{text[:40]!r} is no amount")
    if len(cents) > DECIMALS:
        raise BadHand(SkipReason.UNREADABLE, f"{text[:40]!r}: more than {DECIMALS} decimals")
    return int(whole or 0) * UNIT + int(f"{cents:0<{DECIMALS}}")


def currency_in(text: str) -> str:
    """Return the sign or the code of the currency that a text names, "" if it names none.

    >>> currency_in("€5 EUR"), currency_in("0.10/0.20"), currency_in("RSD1/RSD2")
    ('€', '', 'RSD')
    """
    found = _CURRENCY.findall(text)
    known = [sign for sign in map(sign_of, found) if sign in SIGNS.values()]
    return (known or found or [""])[0]


def sign_of(code: str) -> str:
    """Return the sign of a currency for its code; a code without one stands for itself."""
    return SIGNS.get(code, code)


def scale_for(amounts: list[int], least: int) -> int:
    """Return how many chips make one coin so that all amounts are whole numbers of them.

    This is ``least``, or as many times ten as it takes.
    """
    scale = least
    while scale < UNIT and any(amount * scale % UNIT for amount in amounts):
        scale *= 10
    return scale
