"""Blind schedules of tournaments, as text and data."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from railbird._arguments import checked
from railbird.errors import BadInput

_LEVEL = re.compile(r"(\d{1,9})/(\d{1,9})(?:/(\d{1,9}))?x(\d{1,9})")
_LARGEST = 1 << 40
"""Bound of blinds; everybody is all-in long before."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """The blinds for a number of hands."""

    small: int
    big: int
    ante: int = 0
    """Ante of every player."""
    hands: int

    def __str__(self) -> str:
        ante = f"/{self.ante}" if self.ante else ""
        return f"{self.small}/{self.big}{ante}x{self.hands}"


@checked
@dataclass(frozen=True, slots=True)
class Schedule:
    """Consecutive levels; after the last one, its blinds keep doubling.

    So every tournament ends: eventually the blinds alone put everybody all-in. Raises `BadInput` if
    blinds fall.

    >>> schedule = parse_schedule("10/20x10,15/30/5x10")
    >>> [str(schedule.level(hand)) for hand in (0, 9, 10, 20, 30)]
    ['10/20x10', '10/20x10', '15/30/5x10', '30/60/10x10', '60/120/20x10']
    """

    levels: tuple[Level, ...]

    def __post_init__(self) -> None:
        for before, after in pairwise(self.levels):
            if after.big < before.big or after.small < before.small:
                raise BadInput(f"level {after} after {before}: blinds never fall")

    def level(self, hand: int) -> Level:
        """Return the level of a hand, counted from 0."""
        ends = accumulate(level.hands for level in self.levels)
        for level, end in zip(self.levels, ends, strict=True):
            if hand < end:
                return level
        last = self.levels[-1]
        beyond = hand - sum(level.hands for level in self.levels[:-1])
        return _doubled(last, beyond // last.hands)

    def __str__(self) -> str:
        return ",".join(map(str, self.levels))


@checked
def parse_schedule(text: str) -> Schedule:
    """Parse levels ``SMALL/BIGxHANDS`` or ``SMALL/BIG/ANTExHANDS``, separated by commas.

    Raises `BadInput` for anything else.
    """
    return Schedule(tuple(map(_level, text.split(","))))


def _level(text: str) -> Level:
    match = _LEVEL.fullmatch(text.strip())
    small, big, ante, hands = (int(part or 0) for part in match.groups()) if match else (0,) * 4
    if not (0 < small <= big and hands > 0):
        raise BadInput(
            f"level {text!r}; allowed: SMALL/BIGxHANDS or SMALL/BIG/ANTExHANDS, as in 10/20x10"
        )
    return Level(small=small, big=big, ante=ante, hands=hands)


def _doubled(level: Level, times: int) -> Level:
    times = min(times, max(0, _LARGEST.bit_length() - level.big.bit_length()))
    small, big, ante = (amount << times for amount in (level.small, level.big, level.ante))
    return replace(level, small=small, big=big, ante=ante)
