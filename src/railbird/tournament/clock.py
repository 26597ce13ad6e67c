"""Thinking time: a limit for each decision, and a time bank for longer ones."""

from __future__ import annotations

import re
from dataclasses import dataclass

from railbird._arguments import checked
from railbird.errors import BadInput


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Refill:
    """Seconds added to a time bank after every few hands, up to its initial content."""

    seconds: float
    hands: int

    def __post_init__(self) -> None:
        if not self.seconds > 0 or self.hands < 1:
            words = f"a refill of {self.seconds} s each {self.hands} hands"
            raise BadInput(f"{words}; allowed: more than 0 s, each 1 hand or more")


@checked
def parse_refill(text: str) -> Refill:
    """Parse ``SECONDS/HANDS``.

    >>> parse_refill("10/50")
    Refill(seconds=10.0, hands=50)

    Raises `BadInput` for anything else.
    """
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)/(\d{1,9})", text)
    if match is None:
        raise BadInput(f"refill {text!r}; allowed: SECONDS/HANDS, as in 10/50")
    return Refill(seconds=float(match[1]), hands=int(match[2]))


class Clock:
    """One player's clock.

    >>> clock = Clock(limit=5, bank=60, refill=Refill(seconds=10, hands=2))
    >>> clock.charge(45), clock.allowance
    (True, 25.0)
    >>> clock.charge(26), clock.allowance
    (False, 5.0)
    >>> clock.next_hand(); clock.next_hand(); clock.next_hand(); clock.allowance
    15.0
    """

    def __init__(self, *, limit: float, bank: float = 0.0, refill: Refill | None = None) -> None:
        self.limit = limit
        self._bank = bank
        self._refill = refill
        self.wind_up()

    @property
    def allowance(self) -> float:
        """Seconds that the next decision may take."""
        return self.limit + self.left

    def wind_up(self) -> None:
        """Refill the bank to its initial content."""
        self.left = float(self._bank)
        self._hands = 0

    def next_hand(self) -> None:
        """Count a new hand, refilling the bank if due."""
        refill = self._refill
        if refill is not None and self._hands and self._hands % refill.hands == 0:
            self.left = min(self._bank, self.left + refill.seconds)
        self._hands += 1

    def charge(self, seconds: float) -> bool:
        """Charge a decision's time beyond the limit to the bank; return whether it sufficed."""
        over = max(0.0, seconds - self.limit)
        in_time = over <= self.left
        self.left = self.left - over if in_time else 0.0
        return in_time
