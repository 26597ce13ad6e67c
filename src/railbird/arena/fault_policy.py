"""What happens to a player that fails: a stated policy, and a count of every time.

No fault stops a match, unless the policy is strict. The hand goes on with another action in the
place of the missing one, the fault is counted against the player, and the first of each kind is
kept in words.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from railbird._arguments import checked
from railbird.arena.clock import Clock, Refill
from railbird.arena.settings import MOST_SECONDS
from railbird.errors import BadInput


class Fault(Enum):
    """How a player can fail."""

    ILLEGAL = "illegal"
    """It answered with something that the rules refuse, or with no action at all."""
    EXCEPTION = "exception"
    """Its code raised, while it acted, watched or was reset."""
    LATE = "late"
    """It took longer than the decision limit and what was left in its bank."""


class Remedy(Enum):
    """The action that stands in for a failed one."""

    NEAREST = "nearest"
    """The closest legal action: a size moves to the nearest legal one, anything else calls."""
    CALL = "call"
    """Check, or call."""
    FOLD = "fold"
    """Check where it is free, else fold."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPolicy:
    """Which remedy meets which fault; illegal actions are treated as the ACPC's dealer does."""

    illegal: Remedy = Remedy.NEAREST
    exception: Remedy = Remedy.FOLD
    late: Remedy = Remedy.FOLD
    decision_limit: float | None = None
    """Seconds for one decision, measured after it; None for no limit (and repeatable matches)."""
    bank: float = 0.0
    """Seconds of each player for decisions that take longer.

    The bank is full whenever the player's memory is reset, so that chunks of a match stay
    independent: it lasts for a tournament, for a session of a ring game, and for a match of up to a
    chunk of deals.
    """
    refill: Refill | None = None
    """What comes back into the bank as hands go by."""
    strict: bool = False
    """Stop at the first fault instead: whatever plays raises `railbird.errors.PlayerFault`.

    It changes no hand before that, so a log does not say it and can be resumed without.
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
        """A player's clock; None where it may take its time."""
        if self.decision_limit is None:
            return None
        return Clock(limit=self.decision_limit, bank=self.bank, refill=self.refill)

    def as_json(self) -> dict[str, Any]:
        """Give what decides the bytes of a log."""
        entry = dataclasses.asdict(self)
        del entry["strict"]
        return entry

    def remedy(self, fault: Fault) -> Remedy:
        """The remedy for a fault."""
        match fault:
            case Fault.ILLEGAL:
                return self.illegal
            case Fault.EXCEPTION:
                return self.exception
            case Fault.LATE:
                return self.late


DEFAULT_FAULTS = FaultPolicy()


@dataclass(slots=True)
class FaultTally:
    """A player's faults so far."""

    counts: dict[Fault, int] = field(default_factory=dict)
    first: dict[Fault, str] = field(default_factory=dict)
    """The first of each kind, in one line."""

    def count(self, fault: Fault, words: str) -> None:
        """Note one fault; ``words`` are kept only if it is the first of its kind."""
        self.counts[fault] = self.counts.get(fault, 0) + 1
        self.first.setdefault(fault, words)

    def add(self, later: FaultTally) -> None:
        """Add the faults of a later part of the match."""
        for fault, number in later.counts.items():
            self.counts[fault] = self.counts.get(fault, 0) + number
            self.first.setdefault(fault, later.first[fault])

    def as_json(self) -> dict[str, dict[str, object]]:
        """``{"illegal": {"count": 3, "first": "..."}}``, kinds that did not happen left out."""
        return {
            fault.value: {"count": self.counts[fault], "first": self.first[fault]}
            for fault in Fault
            if fault in self.counts
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Mapping[str, object]]) -> FaultTally:
        """The inverse of `as_json`."""
        tally = cls()
        for kind, entry in value.items():
            tally.counts[Fault(kind)] = int(str(entry["count"]))
            tally.first[Fault(kind)] = str(entry["first"])
        return tally
