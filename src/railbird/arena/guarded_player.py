"""Wraps a player of any game: counts its failures and substitutes legal actions."""

from __future__ import annotations

import dataclasses
import logging
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from operator import index
from typing import Any, Final

import numpy as np

from railbird._arguments import checked
from railbird.arena.names import Entrant, PlayerLike, parse_entrant
from railbird.arena.settings import MOST_SECONDS
from railbird.errors import BadInput, PlayerFault, RailbirdError, is_debugging, traceback_of
from railbird.game import Action, Call, Fold, Legal, Raise, Rules, View, refusal
from railbird.players import (
    IllegalAnswer,
    KnowsOpponents,
    NotAnAction,
    Observer,
    Player,
    Remembering,
    RemotePlayer,
    introduce,
    parse_spec,
    policy,
)
from railbird.players.equilibrium import why_not_unmade
from railbird.tournament.schedule import Clock, Refill

# The policy for players that fail, and the counts of their faults.
#
# No fault stops a match unless the policy is strict. The hand continues with a substitute action,
# the fault is counted, and the first fault of each kind is kept as text.


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
    """The remedy for each kind of fault; by default illegal actions as by the ACPC's dealer."""

    illegal: Remedy = Remedy.NEAREST
    exception: Remedy = Remedy.FOLD
    late: Remedy = Remedy.FOLD
    decision_limit: float | None = None
    """Seconds for one decision, checked afterwards; None for no limit, so that matches repeat."""
    bank: float = 0.0
    """Seconds that each player has for longer decisions.

    The bank is refilled whenever the player is reset, which keeps the chunks of a match
    independent. It must last for a tournament, a session of a ring game, or a chunk of a match.
    """
    refill: Refill | None = None
    """Time added to the bank as hands are played."""
    strict: bool = False
    """Stop at the first fault: playing raises `railbird.errors.PlayerFault`.

    Earlier hands are the same either way, so logs do not record this and can be resumed without it.
    """

    def __post_init__(self) -> None:
        if self.decision_limit is None:
            if self.bank or self.refill is not None:
                raise BadInput("a time bank needs a limit for each decision; allowed: 0 or more")
        elif not (0 <= self.decision_limit <= MOST_SECONDS and 0 <= self.bank <= MOST_SECONDS):
            words = f"a limit of {self.decision_limit} s and a bank of {self.bank} s"
            raise BadInput(f"{words}; allowed: 0 to {MOST_SECONDS:,.0f}")
        elif self.refill is not None and not self.bank:
            raise BadInput("a refill without a time bank; allowed: with one")

    def clock(self) -> Clock | None:
        """Return a player's clock; None without a time limit."""
        if self.decision_limit is None:
            return None
        return Clock(limit=self.decision_limit, bank=self.bank, refill=self.refill)

    def as_json(self) -> dict[str, Any]:
        """Return the fields that determine the bytes of a log."""
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
    match remedy, answer:
        case Remedy.NEAREST, Raise(to) if (nearest := legal.nearest(index(to))) is not None:
            return Raise(nearest)
        case Remedy.FOLD, _ if legal.fold and legal.to_call > 0:
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
        """Count a fault; ``words`` are kept for the first of its kind."""
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


_LOG = logging.getLogger(__name__)

# The wrapper.


CAUGHT: Final = (Exception, SystemExit)
"""Exceptions of players that do not end the match; a player that calls exit has failed."""
_Kinds = tuple[type[Exception], ...]


class GuardedPlayer:
    """A player whose failures are caught, counted and remedied.

    If the policy is strict, any method raises `railbird.errors.PlayerFault` instead.
    """

    def __init__(
        self,
        player: Player,
        faults: FaultPolicy,
        number: int = 0,
        *,
        name: str = "a player",
        is_ours: bool = True,
    ) -> None:
        self.player = player
        self._is_ours = is_ours
        self.name = name
        self.number = number
        self.clock = faults.clock()
        self.act = player.act if self.clock is None else partial(self._timed_act, self.clock)
        self.observer = player if isinstance(player, Observer) else None
        self.acquainted = player if isinstance(player, KnowsOpponents) else None
        self.relay = player if isinstance(player, RemotePlayer) else None
        self.remembering = player if isinstance(player, Remembering) else None
        self.tally = FaultTally()
        self._policy = faults
        if self.relay is not None:
            self.relay.allow(None if self.clock is None else self.clock.allowance)

    def reset(self, rng: np.random.Generator) -> None:
        """Reset the player and refill its time bank."""
        if self.clock is not None:
            self.clock.wind_up()
        self.tell(lambda: self.player.reset(rng), "reset")

    def commit(self) -> None:
        """Let the player store what it learned in the finished part of the game."""
        if self.remembering is not None:
            self.tell(self.remembering.commit, "commit")

    def rollback(self) -> None:
        """Let the player forget the unfinished part of the game."""
        if self.remembering is not None:
            self.tell(self.remembering.rollback, "rollback")

    def close(self) -> None:
        """Close the player if it was made here; a failure is reported and does not propagate.

        Raises `RailbirdError` if something that must be kept cannot be written.
        """
        if not self._is_ours:
            return
        try:
            policy.close(self.player)
        except RailbirdError:
            raise
        except CAUGHT as problem:
            _LOG.warning("%s: close: %s%s", self.name, _words(problem), _traced(problem))

    def answer(self, view: View, where: str, *, uncaught: _Kinds = ()) -> Action:
        """Ask the player for an action; a missing or illegal answer is replaced and counted.

        Exceptions of the kinds ``uncaught`` are passed on.
        """
        try:
            action = self.act(view)
            if not isinstance(action, Action):
                raise NotAnAction(f"answered with {type(action).__name__}, which is not an action")
            if problem := refusal(view.state, action):
                action = self.instead(Fault.ILLEGAL, view, action, f"{where}: {problem}")
        except uncaught:
            raise
        except CAUGHT as problem:
            action = self.failed(problem, view, where)
        return action

    def failed(self, problem: BaseException, view: View, where: str) -> Action:
        """Count the fault of a player that raised an exception; return the substitute action."""
        fault = fault_of(problem)
        words = _words(problem) if fault is Fault.EXCEPTION else str(problem)
        street = view.state.street.name.lower()
        words = f"{where}: {words} ({street})"
        self._count(fault, words, problem)
        remedy = self._policy.remedy(fault)
        if isinstance(problem, IllegalAnswer):
            remedy = Remedy.FOLD
        return remedied(remedy, view.legal, None)

    def take_faults(self) -> FaultTally:
        """Return the faults since the last call."""
        tally, self.tally = self.tally, FaultTally()
        return tally

    def instead(self, fault: Fault, shown: View, answer: Action | None, words: str) -> Action:
        """Count a fault; return the legal action that remedies it."""
        self._count(fault, words, None)
        return remedied(self._policy.remedy(fault), shown.legal, answer)

    def tell(self, news: Callable[[], None], where: str) -> None:
        """Notify the player of something; an exception is counted as a fault."""
        try:
            news()
        except CAUGHT as problem:
            self.count(problem, where)

    def count(self, problem: BaseException, where: str) -> None:
        """Count the fault of a player that raised an exception when no answer was due."""
        self._count(Fault.EXCEPTION, f"{where}: {_words(problem)}", problem)

    def _count(self, fault: Fault, words: str, problem: BaseException | None) -> None:
        """Count a fault, or stop the match; ``problem`` is the player's exception, if any."""
        trace = ""
        if problem is not None and (self._policy.strict or is_debugging()):
            # A late player, or one that returned no action, has no traceback of its own.
            trace = traceback_of(problem) if fault is Fault.EXCEPTION else ""
        if self._policy.strict:
            raise PlayerFault(self.name, words, trace) from None
        if sys.stderr is not None:  # None where it was closed
            sys.stderr.write(trace)
        self.tally.count(fault, words)

    def _timed_act(self, clock: Clock, view: View) -> Action:
        allowance = clock.allowance
        if self.relay is not None:
            self.relay.allow(allowance)
        started = time.perf_counter()
        try:
            answer = self.player.act(view)
        finally:
            took = time.perf_counter() - started
            # Charged in any case: an exception must not be a way to save time.
            in_time = clock.charge(took)
        if not in_time:
            bank = allowance - clock.limit
            rest = f" and {bank:.3f} s in the bank" if bank else ""
            raise TimeoutError(f"{took:.3f} s for a decision, limit {clock.limit} s{rest}")
        return answer


def fault_of(problem: BaseException) -> Fault:
    """Return the kind of fault for an exception of a player."""
    match problem:
        case TimeoutError():
            return Fault.LATE
        case NotAnAction():
            return Fault.ILLEGAL
        case _:
            return Fault.EXCEPTION


def _words(problem: BaseException) -> str:
    return " ".join(f"{type(problem).__name__}: {problem}".split())


def _traced(problem: BaseException) -> str:
    return f"\n{traceback_of(problem)}" if is_debugging() else ""


def seat_players(
    players: Sequence[PlayerLike],
    names: Sequence[str],
    faults: FaultPolicy,
    rules: Rules,
    *,
    carries_over: bool = False,
) -> list[GuardedPlayer]:
    """Make the players, check that each can play, and introduce them to each other by name.

    ``rules`` are those of the first hand; ``carries_over`` says that stacks carry over from hand to
    hand. Raises `BadInput` for a player that cannot be made or cannot play, after closing the
    players made before it.
    """
    seated: list[GuardedPlayer] = []
    try:
        for number, (name, player) in enumerate(zip(names, players, strict=True)):
            entrant = parse_entrant(player)
            if why := _why_not_made(entrant, rules, carries_over=carries_over):
                raise BadInput(f"{name}: {why}")
            guarded = GuardedPlayer(
                entrant.player(), faults, number, name=name, is_ours=entrant.is_made_here
            )
            seated.append(guarded)
            if why := _why_not(guarded, rules, carries_over=carries_over):
                raise BadInput(f"{name}: {why}")
    except BaseException:
        close_all(seated)
        raise
    introduce((guarded.player for guarded in seated), names)
    return seated


def close_all(players: Iterable[GuardedPlayer]) -> None:
    """Close every player, even if one of them raises."""
    with ExitStack() as stack:
        for player in players:
            stack.callback(player.close)


def _why_not_made(entrant: Entrant, rules: Rules, *, carries_over: bool) -> str | None:
    """Return why a player cannot play, as far as that is known before it is made."""
    if entrant.made is not None:
        return None
    return why_not_unmade(parse_spec(entrant.spec), rules, carries_over=carries_over)


def _why_not(guarded: GuardedPlayer, rules: Rules, *, carries_over: bool) -> str | None:
    try:
        return policy.why_not(guarded.player, rules, carries_over=carries_over)
    except RailbirdError:
        raise
    except CAUGHT as problem:
        words = f"{guarded.name}: supports: {_words(problem)}{_traced(problem)}"
        raise BadInput(words) from problem
