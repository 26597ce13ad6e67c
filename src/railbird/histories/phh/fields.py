"""Amounts and times in the PHH format."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, Final
from zoneinfo import ZoneInfo

from railbird.histories.record import BadHand, SkipReason
from railbird.units import Chips

_MONEY: Final = ("antes", "blinds_or_straddles", "starting_stacks")
_BETS: Final = ("small_bet", "big_bet", "min_bet")
_MOST_DECIMALS: Final = 6


def scale_of(fields: Mapping[str, Any]) -> int:
    """Return the chips to a unit of the text: 1, 100 if there are cents, or more. Raises `BadHand`.

    What is left of a stack does not count: half a chip there comes from a pot that was split.
    """
    if "_scale" in fields:
        scale = fields["_scale"]
        if type(scale) is not int or not 0 < scale <= 10**_MOST_DECIMALS:
            raise BadHand(SkipReason.UNREADABLE, f"scale {scale!r}")
        return scale
    numbers = [value for key in _MONEY for value in fields[key]]
    numbers += [fields[key] for key in _BETS if key in fields]
    shown = [number for number in numbers if isinstance(number, Decimal)]
    raises = [action.partition("#")[0] for action in fields["actions"] if " cbr " in action]
    shown += [_number(text.split()[-1]) for text in raises if "." in text]
    decimals = max((_decimals(number) for number in shown), default=0)
    if decimals > _MOST_DECIMALS:
        raise BadHand(SkipReason.UNREADABLE, f"amounts with {decimals} decimals")
    return 10 ** max(decimals, 2) if decimals else 1


def shown_chips(text: str, scale: int) -> Chips:
    """Return an amount in whole chips. Raises `BadHand`."""
    if text.isdecimal() and len(text) < 18:
        return Chips(int(text) * scale)
    chips = Fraction(_number(text)) * scale if _number(text).is_finite() else Fraction(1, 2)
    if chips.denominator != 1:
        raise BadHand(SkipReason.UNREADABLE, f"{text!r} is no amount")
    return Chips(int(chips))


def amount_text(chips: Fraction | int, scale: int) -> str:
    """Write an amount in the text's unit; parts of a chip are rounded to millionths of it."""
    amount = Decimal(round(Fraction(chips) * 1_000_000)) / (1_000_000 * scale)
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def moment_of(fields: Mapping[str, Any]) -> datetime.datetime | None:
    """Return when the hand was played, if its day and time are said; zones by IANA's names."""
    time = fields.get("time")
    if not isinstance(time, datetime.time) or not {"year", "month", "day"} <= fields.keys():
        return None
    day = datetime.date(fields["year"], fields["month"], fields["day"])
    return datetime.datetime.combine(day, time, tzinfo=_zone(fields.get("time_zone")))


def _zone(name: object) -> datetime.tzinfo | None:
    if name == "UTC":
        return datetime.UTC
    try:
        return ZoneInfo(str(name)) if name else None
    except (KeyError, ValueError, OSError):  # no such zone, or none of them on this machine
        return None


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise BadHand(SkipReason.UNREADABLE, f"{text[:30]!r} is no amount") from None


def _decimals(number: Decimal) -> int:
    """Decimals without the zeros at the end: 0.50 has one."""
    exponent = number.normalize().as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0
