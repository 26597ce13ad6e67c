"""Shares of the prize money by place, and prizes that tied players split."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from railbird._arguments import checked
from railbird.errors import BadInput


@checked
def parse_payouts(text: str) -> tuple[Fraction, ...]:
    """Parse percentages of the prize money by place into fractions, from ``70/30`` or ``70,30``.

    Raises `BadInput` if they are malformed, increase or do not add up to 100.

    >>> parse_payouts("70/30")
    (Fraction(7, 10), Fraction(3, 10))
    """
    parts = re.split(r"[/,]", text)
    if not all(re.fullmatch(r"\d{1,3}(\.\d{1,6})?", part) for part in parts):
        raise BadInput(f"payouts {text!r}; allowed: percentages by place such as 70/30")
    shares = tuple(Fraction(part) / 100 for part in parts)
    if sum(shares) != 1 or list(shares) != sorted(shares, reverse=True):
        raise BadInput(
            f"payouts {text!r}; allowed: percentages that do not increase and add up to 100"
        )
    return shares


def shared_out(payouts: Sequence[Fraction], places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return each player's share of the prize money; tied players split the prizes of their places.

    >>> shared_out(parse_payouts("70/30"), [1, 2, 2])
    (Fraction(7, 10), Fraction(3, 20), Fraction(3, 20))
    """
    prizes = [*payouts, *[Fraction(0)] * len(places)]
    parts = []
    for place in places:
        sharers = places.count(place)
        parts.append(sum(prizes[place - 1 : place - 1 + sharers], Fraction(0)) / sharers)
    return tuple(parts)
