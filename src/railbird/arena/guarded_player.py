"""Wrapper that counts a player's failures and substitutes actions, so that hands continue."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Final, Protocol

import numpy as np

from railbird.arena.fault_policy import Fault, FaultPolicy, FaultTally, remedied
from railbird.arena.names import PlayerLike, parse_entrant
from railbird.errors import BadInput, PlayerFault, RailbirdError, is_debugging, traceback_of
from railbird.game import Action, Rules, View
from railbird.players import (
    KnowsOpponents,
    NotAnAction,
    Observer,
    Player,
    Remembering,
    RemotePlayer,
    introduce,
    policy,
)
from railbird.tournament.clock import Clock

_LOG = logging.getLogger(__name__)

CAUGHT: Final = (Exception, SystemExit)
"""Exceptions of players that do not end the match; a bot that exits counts as failed."""


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
        """Let the player write what the part of the game that is over taught it."""
        if self.remembering is not None:
            self.tell(self.remembering.commit, "commit")

    def rollback(self) -> None:
        """Let the player forget the part of the game that is not over."""
        if self.remembering is not None:
            self.tell(self.remembering.rollback, "rollback")

    def close(self) -> None:
        """Let the player end if it was made here; a failure is told and stops nobody.

        Raises `RailbirdError` where what is to be kept cannot be.
        """
        if not self._is_ours:
            return
        try:
            policy.close(self.player)
        except RailbirdError:
            raise
        except CAUGHT as problem:
            _LOG.warning("%s: close: %s%s", self.name, _words(problem), _traced(problem))

    def failed(self, problem: BaseException, shown: View, where: str) -> Action:
        """Count the fault of a player that raised; return the substitute action."""
        match problem:
            case TimeoutError():
                fault, words = Fault.LATE, str(problem)
            case NotAnAction():
                fault, words = Fault.ILLEGAL, str(problem)
            case _:
                fault, words = Fault.EXCEPTION, _words(problem)
        street = shown.state.street.name.lower()
        words = f"{where}: {words} ({street})"
        self._count(fault, words, problem)
        return remedied(self._policy.remedy(fault), shown.legal, None)

    def take_faults(self) -> FaultTally:
        """Return the faults since the last call."""
        tally, self.tally = self.tally, FaultTally()
        return tally

    def instead(self, fault: Fault, shown: View, answer: Action | None, words: str) -> Action:
        """Count a fault; return the legal action that remedies it."""
        self._count(fault, words, None)
        return remedied(self._policy.remedy(fault), shown.legal, answer)

    def tell(self, news: Callable[[], None], where: str) -> None:
        """Notify the player of something that needs no answer."""
        try:
            news()
        except CAUGHT as problem:
            self.count(problem, where)

    def count(self, problem: BaseException, where: str) -> None:
        """Count the fault of a player that raised where it had nothing to answer."""
        self._count(Fault.EXCEPTION, f"{where}: {_words(problem)}", problem)

    def _count(self, fault: Fault, words: str, problem: BaseException | None) -> None:
        """Count a fault, or stop at it; ``problem`` is what the player raised."""
        trace = ""
        if problem is not None and (self._policy.strict or is_debugging()):
            # A player that was late or gave no action has not failed in a line of its own.
            trace = traceback_of(problem) if fault is Fault.EXCEPTION else ""
        if self._policy.strict:
            raise PlayerFault(self.name, words, trace) from None
        sys.stderr.write(trace)
        self.tally.count(fault, words)

    def _timed_act(self, clock: Clock, shown: View) -> Action:
        allowance = clock.allowance
        if self.relay is not None:
            self.relay.allow(allowance)
        started = time.perf_counter()
        try:
            answer = self.player.act(shown)
        finally:
            took = time.perf_counter() - started
            in_time = clock.charge(took)
        if not in_time:
            bank = allowance - clock.limit
            rest = f" and {bank:.3f} s in the bank" if bank else ""
            raise TimeoutError(f"{took:.3f} s for a decision, limit {clock.limit} s{rest}")
        return answer


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
    """Make the players, ask each whether it can play, and tell them who is who.

    ``rules`` are those of the first hand; ``carries_over`` says that stacks go from hand to hand.
    Raises `BadInput` for one that cannot be made or cannot play; those made before it are closed.
    """
    seated: list[GuardedPlayer] = []
    try:
        for number, (name, player) in enumerate(zip(names, players, strict=True)):
            entrant = parse_entrant(player)
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


class Table(Protocol):
    """Players of any kind of game."""

    def rollback(self) -> None:
        """Let the players forget the part of the game that is not over."""

    def close(self) -> None:
        """Let the players end."""


@contextmanager
def ended(table: Table) -> Iterator[None]:
    """Let players end after the block; what an unfinished part taught them is forgotten.

    It will be played again if the game is resumed, and must not be remembered twice.
    """
    try:
        yield
    except BaseException:
        table.rollback()
        raise
    finally:
        table.close()


def close_all(players: Iterable[GuardedPlayer]) -> None:
    """Close every player, also where one of them raises."""
    with ExitStack() as stack:
        for player in players:
            stack.callback(player.close)


def _why_not(guarded: GuardedPlayer, rules: Rules, *, carries_over: bool) -> str | None:
    try:
        return policy.why_not(guarded.player, rules, carries_over=carries_over)
    except RailbirdError:
        raise
    except CAUGHT as problem:
        words = f"{guarded.name}: supports: {_words(problem)}{_traced(problem)}"
        raise BadInput(words) from problem
