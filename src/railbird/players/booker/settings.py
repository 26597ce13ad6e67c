"""Settings of the Booker players, and those of each version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from railbird.cards.starting_groups import StartingGroups
from railbird.modelling.settings import MEMORY

if TYPE_CHECKING:
    from railbird.storage.memory_place import MemoryPlace


class Generation(Enum):
    """The lists of rules."""

    POT_ODDS = 0
    """By the probability of winning and the pot odds, without a raise."""
    FIRST = 1
    """By the probability of winning alone."""
    SECOND = 2
    """Groups of starting hands; strengths that opponents showed down."""
    THIRD = 3
    """Ratings of opponents' hands by action."""
    FOURTH = 4
    """Opponents' probability of winning per chip."""


class Ties(Enum):
    """Value of a tie in the probability of winning."""

    WIN = "win"
    """A whole win, as in the source's roll-out."""
    SHARE = "share"
    """The share of the pot."""


class Charts(Enum):
    """Use of opponents' starting hands."""

    FREE = "free"
    """As printed: a hand of a better group than theirs is worth a call that costs nothing."""
    LOOSEN = "loosen"
    """Such a hand is worth any call."""


class Prob(Enum):
    """Computation of the probability of winning."""

    EXACT = "exact"
    """Counted against one opponent; rolled out against several after the flop."""
    SAMPLED = "sampled"
    """Rolled out always, as in the source."""


class Amounts(Enum):
    """Unit of the opponents' bets in the rolling arrays."""

    CHIPS = "chips"
    """As in the source."""
    BLINDS = "blinds"
    """Big blinds, so that a level of the blinds does not change what a bet means."""


SAMPLED_DEALS: Final = 10_000
"""Deals of the source's roll-out."""

PAY: Final = 20
"""The source pays for information after at most this many hands."""

AGGRESSION: Final = 50.0
"""The source names no default; half of its scale."""


MULTIPLE: Final = 1.15
"""Measured for the fifth version; the manual has the figures (docs/booker.md)."""

TRUST: Final = 50
"""Measured like `MULTIPLE`: estimates from fewer shown actions cost money. A full array."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookerSettings:
    """What a Booker player does."""

    version: str
    generation: Generation
    multiple: float = 1.5
    """A probability of so many times the average is worth a raise."""
    size: float = 1.0
    """Factor on the raise for a probability above that."""
    aggression: float = AGGRESSION
    """0 to 100: size of raises against estimated opponents."""
    memory: int = MEMORY
    """Length of the rolling arrays."""
    pay: int = 0
    """At most so many hands between two that are called down for information; 0 for none."""
    noise: int = 0
    """At most so many hands between two in which every action is a raise; 0 for none."""
    charts: Charts = Charts.FREE
    groups: StartingGroups = StartingGroups.LIMIT
    database: MemoryPlace | None = None
    """Where opponents are remembered between sessions; None for nowhere."""
    prob: Prob = Prob.EXACT
    ms: float | None = None
    """Time limit of a roll-out, in milliseconds."""
    ties: Ties = Ties.WIN
    amounts: Amounts = Amounts.CHIPS
    trust: int = 1
    """Shown actions that an estimated probability needs, or a full array."""
    short: float = 0.0
    """Stacks of at most so many big blinds are played all-in or fold before the flop."""
    push: float = 1.0
    """A short stack goes all-in with this multiple of the average probability."""


_FIRST = BookerSettings(version="1", generation=Generation.FIRST)
_SECOND = BookerSettings(version="2", generation=Generation.SECOND)
_THIRD = BookerSettings(version="3", generation=Generation.THIRD, pay=PAY)
_FOURTH = BookerSettings(version="4", generation=Generation.FOURTH, pay=PAY)

ROLL_OUT: Final = BookerSettings(version="rollout", generation=Generation.POT_ODDS)
"""The simplest player with a roll-out."""

VERSIONS: Final[Mapping[str, BookerSettings]] = {
    "1": _FIRST,
    "1n": replace(_FIRST, version="1n", noise=PAY),
    "2": _SECOND,
    "3": _THIRD,
    "4": _FOURTH,
    "5": replace(
        _FOURTH,
        version="5",
        multiple=MULTIPLE,
        trust=TRUST,
        ties=Ties.SHARE,
        amounts=Amounts.BLINDS,
    ),
}
"""The source's four implementations, its proposed extension and its unfinished refinements."""

_CHANCE: Final = ("prob", "ms", "ties")
_LEARNING: Final = ("memory", "database", *_CHANCE)

OPTIONS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "1": _CHANCE,
    "1n": ("noise", *_CHANCE),
    "2": ("charts", "groups", *_LEARNING),
    "3": ("aggression", "charts", "groups", "pay", *_LEARNING),
    "4": ("aggression", "pay", *_LEARNING),
    "5": ("aggression", "pay", *_LEARNING, "multiple", "size", "trust", "short", "push", "amounts"),
}
"""Options that mean something to a version."""
