"""Fields, amounts and times in the PHH format."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any, Final
from zoneinfo import ZoneInfo

from railbird.histories.record import BadHand, SkipReason
from railbird.units import Chips

_KEPT: Final = 1 << 14
_REMEMBERED: Final = 200
"""Length of the longest value that is cached; longer ones rarely repeat."""
_N: Final = r"(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?"
_NUMBER: Final = re.compile(_N)
_TEXT: Final = re.compile("'([^']*)'")
_NUMBERS: Final = re.compile(rf"\[({_N}(?:, {_N})*)\]")
_TEXTS: Final = re.compile(r"\['([^']*(?:', '[^']*)*)'\]")
_NO_TOML: Final = (ValueError, ArithmeticError, RecursionError)
"""Errors of the TOML parser, the last two for numbers that are too long and deep nesting."""
_MOST_DIGITS: Final = 18
"""First number of digits that is too many for a whole amount."""
_MOST_TOML: Final = 1 << 16
"""Length of the longest hand that is parsed as TOML, at a second per million characters."""
_LONGEST_NUMBER: Final = 40
"""Most digits of any number."""
_BETS: Final = ("small_bet", "big_bet", "min_bet")
_MOST_DECIMALS: Final = 6


def fields_of(lines: Sequence[str]) -> dict[str, Any]:
    """Return a hand's fields, decimal numbers as `Decimal`. Raises `BadHand`.

    Most lines are fields of their own, which are parsed line by line and cached: a TOML parser
    would take most of the time. Cached values are shared and must not be modified.
    """
    fields: dict[str, Any] = {}
    try:
        for line in lines:
            key, equals, text = line.rstrip().partition(" = ")
            if not equals or key in fields or not (key.isidentifier() and key.isascii()):
                if not key or key[0] == "#":
                    continue
                break
            short = len(text) <= _REMEMBERED
            fields[key] = _known_value(text) if short else _value(text)
        else:
            return fields
    except _NO_TOML:  # for example the first line of a field that spans several
        pass
    if sum(map(len, lines)) > _MOST_TOML:
        raise BadHand(SkipReason.UNREADABLE, f"more than {_MOST_TOML:,} characters of TOML")
    try:
        return tomllib.loads("".join(lines).replace("\r\n", "\n"), parse_float=Decimal)
    except _NO_TOML as error:
        raise BadHand(SkipReason.UNREADABLE, str(error) or "no TOML") from None


def _value(text: str) -> Any:
    """Parse the value of a key on one line. Raises one of `_NO_TOML`."""
    if match := _NUMBER.fullmatch(text):
        return _number_of(text)
    if (match := _TEXT.fullmatch(text)) and text.isprintable():
        return match[1]
    if match := _NUMBERS.fullmatch(text):
        return [_number_of(number) for number in match[1].split(", ")]
    if (match := _TEXTS.fullmatch(text)) and text.isprintable():
        return match[1].split("', '")
    return tomllib.loads(f"value = {text}", parse_float=Decimal)["value"]


_known_value = lru_cache(_KEPT)(_value)


def _number_of(text: str) -> int | Decimal:
    return Decimal(text) if "." in text else int(text)


def scale_of(fields: Mapping[str, Any]) -> int:
    """Return the chips per unit of the text: 1, 100 if there are cents, or more. Raises `BadHand`.

    Finishing stacks are ignored: half a chip there comes from a split pot.
    """
    if "_scale" in fields:
        scale = fields["_scale"]
        if type(scale) is not int or not 0 < scale <= 10**_MOST_DECIMALS:
            raise BadHand(SkipReason.UNREADABLE, f"scale {scale!r}")
        return scale
    numbers = [*fields["antes"], *fields["blinds_or_straddles"], *fields["starting_stacks"]]
    numbers += [fields[key] for key in _BETS if key in fields]
    shown: list[Decimal] = []
    if Decimal in map(type, numbers):
        shown = [number for number in numbers if isinstance(number, Decimal)]
    raises = [action.partition("#")[0] for action in fields["actions"] if "." in action]
    shown += [_number(text.split()[-1]) for text in raises if " cbr " in text and "." in text]
    decimals = max(map(_decimals, shown)) if shown else 0
    if decimals > _MOST_DECIMALS:
        raise BadHand(SkipReason.UNREADABLE, f"amounts with {decimals} decimals")
    return 10 ** max(decimals, 2) if decimals else 1


def amounts(*fields: Sequence[Any], scale: int) -> list[tuple[int | None, ...]]:
    """Return the amounts of fields in whole chips, None for unlimited ones. Raises `BadHand`."""
    if scale == 1 and set(map(type, chain(*fields))) == {int}:
        return [tuple(values) for values in fields]
    return [tuple([_amount(value, scale) for value in values]) for values in fields]


def _amount(value: object, scale: int) -> int | None:
    if type(value) is int:
        return value * scale
    if isinstance(value, Decimal) and value.is_infinite():
        return None
    return shown_chips(str(value), scale)


@lru_cache(_KEPT)
def shown_chips(text: str, scale: int) -> Chips:
    """Return an amount in whole chips. Raises `BadHand`."""
    if text.isdecimal() and len(text) < _MOST_DIGITS:
        return Chips(int(text) * scale)
    chips = _exact(_number(text)) * scale
    if chips.denominator != 1:
        raise BadHand(SkipReason.UNREADABLE, f"{text[:30]!r} is no amount")
    return Chips(chips.numerator)


def difference(end: object, start: object, scale: int) -> Fraction | int:
    """Return the difference of two amounts in chips. Raises `BadHand`."""
    if type(end) is type(start) is int:
        return (end - start) * scale
    exact = [amount if type(amount) is int else _exact(amount) for amount in (end, start)]
    chips = (exact[0] - exact[1]) * scale
    return chips.numerator if chips.denominator == 1 else chips


def _exact(number: object) -> Fraction:
    """Return a decimal number as a fraction; refuse sizes that would exhaust the memory."""
    if not isinstance(number, Decimal):
        raise BadHand(SkipReason.UNREADABLE, f"{str(number)[:30]!r} is no amount")
    size = number.adjusted() if number.is_finite() else _MOST_DIGITS
    if not -_MOST_DIGITS < size < _MOST_DIGITS or len(number.as_tuple().digits) > _LONGEST_NUMBER:
        raise BadHand(SkipReason.UNREADABLE, f"{str(number)[:30]!r} is no amount")
    return Fraction(number)


def amount_text(chips: Fraction | int, scale: int) -> str:
    """Write an amount in the text's unit, fractions of a chip rounded to millionths."""
    amount = Decimal(round(Fraction(chips) * 1_000_000)) / (1_000_000 * scale)
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def moment_of(fields: Mapping[str, Any]) -> datetime.datetime | None:
    """Return the time of the hand if its day and time are given; zones have IANA names."""
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
    """Return the number of decimals without trailing zeros: 0.50 has one."""
    exponent = number.normalize().as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0
