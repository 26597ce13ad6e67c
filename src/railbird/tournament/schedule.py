"""Blind schedules of tournaments, as text and data."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from railbird._arguments import checked
from railbird.errors import BadInput

_LEVEL = re.compile(r"(\d{1,9})/(\d{1,9})(?:/(bb)?(\d{1,9}))?x(\d{1,9})")
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
    big_blind_ante: int = 0
    """Ante that the big blind posts for all; see `table_rules`."""
    hands: int

    def __str__(self) -> str:
        ante = f"/{self.ante}" if self.ante else ""
        if self.big_blind_ante:
            ante = f"/bb{self.big_blind_ante}"
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
    >>> parse_schedule("100/200/bb200x10").level(10)
    Level(small=200, big=400, ante=0, big_blind_ante=400, hands=10)
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

    An ante ``bb200`` is posted by the big blind for all. Raises `BadInput` for anything else.
    """
    return Schedule(tuple(map(_level, text.split(","))))


def _level(text: str) -> Level:
    match = _LEVEL.fullmatch(text.strip())
    whose, *parts = match.group(3, 1, 2, 4, 5) if match else (None,) * 5
    small, big, ante, hands = (int(part or 0) for part in parts)
    if not (0 < small <= big and hands > 0):
        raise BadInput(
            f"level {text!r}; allowed: SMALL/BIGxHANDS or SMALL/BIG/ANTExHANDS, as in 10/20x10"
            " or, with an ante of the big blind for all, 10/20/bb20x10"
        )
    if whose:
        return Level(small=small, big=big, big_blind_ante=ante, hands=hands)
    return Level(small=small, big=big, ante=ante, hands=hands)


def _doubled(level: Level, times: int) -> Level:
    times = min(times, max(0, _LARGEST.bit_length() - level.big.bit_length()))
    amounts = (level.small, level.big, level.ante, level.big_blind_ante)
    small, big, ante, for_all = (amount << times for amount in amounts)
    return replace(level, small=small, big=big, ante=ante, big_blind_ante=for_all)
