"""Sizes of bets and raises that a person can choose by name."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from railbird.errors import BadInput
from railbird.protocol.messages.game import Turn


class Size(Enum):
    """A size as a part of the pot after a call; the whole stack has none."""

    HALF = Fraction(1, 2)
    THREE_QUARTERS = Fraction(3, 4)
    POT = Fraction(1)
    ALL_IN = None

    def label(self, *, ascii_only: bool = False) -> str:
        """Return the name on a button.

        >>> Size.HALF.label(), Size.HALF.label(ascii_only=True), Size.ALL_IN.label()
        ('½ pot', '1/2 pot', 'all-in')
        """
        if self.value is None:
            return "all-in"
        sign = {"1/2": "½ ", "3/4": "¾ ", "1": ""}[str(self.value)]
        return f"{f'{self.value} ' if ascii_only and sign else sign}pot"


def raise_to(turn: Turn, size: Size) -> int | None:
    """Return the legal bet or raise nearest to a size; None where none is allowed.

    A raise of the pot is the call, and then as much as the pot contains with it.
    """
    legal = turn.legal
    if legal.min_to is None or legal.max_to is None or turn.hand.you is None:
        return None
    if size.value is None:
        return legal.max_to
    mine = turn.hand.seats[turn.hand.you].bet
    called = turn.hand.pot + legal.to_call
    wanted = mine + legal.to_call + int(size.value * called)
    return min(max(wanted, legal.min_to), legal.max_to)


def checked_amount(turn: Turn, text: str) -> int:
    """Return an amount as typed. Raises `BadInput` for one that the rules refuse."""
    legal = turn.legal
    if legal.min_to is None or legal.max_to is None:
        raise BadInput("no raise is allowed now")
    low, high = legal.min_to, legal.max_to
    allowed = f"allowed: {low:,}" if low == high else f"allowed: {low:,} to {high:,}"
    digits = text.replace(",", "").replace(" ", "")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 17):
        raise BadInput(f"{text[:20]!r} is no amount; {allowed}")
    if not low <= int(digits) <= high:
        raise BadInput(f"{int(digits):,}; {allowed}")
    return int(digits)
