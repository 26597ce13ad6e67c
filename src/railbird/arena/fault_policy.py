"""Policy for players that fail, and counts of their faults.

No fault stops a match, unless the policy is strict. The hand continues with a substitute action,
the fault is counted against the player, and the first of each kind is kept as text.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from operator import index
from typing import Any

from railbird._arguments import checked
from railbird.arena.settings import MOST_SECONDS
from railbird.errors import BadInput
from railbird.game import Action, Call, Fold, Legal, Raise
from railbird.tournament.clock import Clock, Refill
from railbird.units import Chips


class Fault(Enum):
    """Kind of failure of a player."""

    ILLEGAL = "illegal"
    """It answered with an illegal action, or with something other than an action."""
    EXCEPTION = "exception"
    """Its code raised an exception while acting, observing or being reset."""
    LATE = "late"
    """It took longer than the decision limit and the rest of its bank together."""


class Remedy(Enum):
    """Action that replaces a failed one."""

    NEAREST = "nearest"
    """The closest legal action: a size moves to the nearest legal one, anything else calls."""
    CALL = "call"
    """Check, or call."""
    FOLD = "fold"
    """Check if that is free, else fold."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPolicy:
    """Remedy for each kind of fault; illegal actions by default as the ACPC's dealer."""

    illegal: Remedy = Remedy.NEAREST
    exception: Remedy = Remedy.FOLD
    late: Remedy = Remedy.FOLD
    decision_limit: float | None = None
    """Seconds for one decision, checked afterwards; None for no limit (and repeatable matches)."""
    bank: float = 0.0
    """Seconds that each player has for longer decisions.

    The bank is refilled whenever the player's memory is reset, which keeps the chunks of a match
    independent: it must last for a tournament, a session of a ring game, or a chunk of a match.
    """
    refill: Refill | None = None
    """Time added to the bank as hands are played."""
    strict: bool = False
    """Stop at the first fault: playing raises `railbird.errors.PlayerFault`.

    The hands before it are unaffected, so logs do not record this and can be resumed without it.
    """

    def __post_init__(self) -> None:
        if self.decision_limit is None:
            if self.bank or self.refill is not None:
                raise BadInput("a time bank needs a limit for each decision; allowed: 0 or more")
        elif not (0 <= self.decision_limit <= MOST_SECONDS and 0 <= self.bank <= MOST_SECONDS):
            words = f"a limit of {self.decision_limit} s and a bank of {self.bank} s"
            raise BadInput(f"{words}; allowed: 0 to {MOST_SECONDS:,.0f}")
        elif self.refill is not None and not self.bank:
            raise BadInput("a refill needs a time bank")

    def clock(self) -> Clock | None:
        """Return a player's clock; None without a time limit."""
        if self.decision_limit is None:
            return None
        return Clock(limit=self.decision_limit, bank=self.bank, refill=self.refill)

    def as_json(self) -> dict[str, Any]:
        """Return what decides the bytes of a log."""
        entry = dataclasses.asdict(self)
        del entry["strict"]
        return entry

    def remedy(self, fault: Fault) -> Remedy:
        """Return the remedy for a fault."""
        match fault:
            case Fault.ILLEGAL:
                return self.illegal
            case Fault.EXCEPTION:
                return self.exception
            case Fault.LATE:
                return self.late


def remedied(remedy: Remedy, legal: Legal, answer: Action | None) -> Action:
    """Return the legal action that replaces ``answer``."""
    low, high = legal.min_raise_to, legal.max_raise_to
    match remedy, answer:
        case Remedy.NEAREST, Raise(to) if low is not None and high is not None:
            return Raise(Chips(min(max(index(to), low), high)))
        case Remedy.FOLD, _ if legal.to_call > 0:
            return Fold()
        case _:
            return Call()


DEFAULT_FAULTS = FaultPolicy()


@dataclass(slots=True)
class FaultTally:
    """A player's faults so far."""

    counts: dict[Fault, int] = field(default_factory=dict)
    first: dict[Fault, str] = field(default_factory=dict)
    """The first fault of each kind, in one line."""

    def count(self, fault: Fault, words: str) -> None:
        """Count one fault; ``words`` are kept only for the first of its kind."""
        self.counts[fault] = self.counts.get(fault, 0) + 1
        self.first.setdefault(fault, words)

    def add(self, later: FaultTally) -> None:
        """Add the faults of a later part of the match."""
        for fault, number in later.counts.items():
            self.counts[fault] = self.counts.get(fault, 0) + number
            self.first.setdefault(fault, later.first[fault])

    def as_json(self) -> dict[str, dict[str, object]]:
        """Return ``{"illegal": {"count": 3, "first": "..."}}``, omitting kinds without faults."""
        return {
            fault.value: {"count": self.counts[fault], "first": self.first[fault]}
            for fault in Fault
            if fault in self.counts
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Mapping[str, object]]) -> FaultTally:
        """Invert `as_json`."""
        tally = cls()
        for kind, entry in value.items():
            tally.counts[Fault(kind)] = int(str(entry["count"]))
            tally.first[Fault(kind)] = str(entry["first"])
        return tally
