"""Chips in logs: whole, or with up to six decimals where a pot was split."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from railbird.errors import wrong_value
from railbird.histories.record import BadHand, SkipReason

_AMOUNT: Final = re.compile(r"([+-]?)([0-9]{1,15})(?:\.([0-9]{1,6}))?")
_KEPT: Final = 1 << 14
_TOLD_APART: Final = 500_000
"""Largest denominator that six decimals resolve."""


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
    sign, whole, decimals = match.groups(default="")
    return int(f"{sign}{whole}{decimals:0<6}")


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
    whole, rest = divmod(abs(millionths), 1_000_000)
    return f"{'-' * (millionths < 0)}{whole}.{rest:06}".rstrip("0").removesuffix(".")


def format_amounts(amounts: tuple[Fraction, ...]) -> str:
    """Format amounts by seat, separated by bars."""
    return "|".join(map(format_amount, amounts))
