"""Hands played through the players' Python form, whatever the players do."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.arena import _kernels
from railbird.arena.faults import Fault, FaultPolicy, FaultTally, Remedy
from railbird.game import (
    Act,
    Action,
    Call,
    Event,
    Fold,
    HandState,
    Legal,
    Phase,
    Raise,
    View,
    due,
    refusal,
    seen_by,
    showdown,
    step,
    view,
)
from railbird.game import _kernels_layout as at
from railbird.game.legality import code_of
from railbird.game.rules import SEATS
from railbird.players import NotAnAction, Observer, Player, Relay
from railbird.units import Chips, Seat

_SEATS = tuple(map(Seat, range(SEATS.stop)))


class Guarded:
    """A player whose failures are caught, counted and made good."""

    def __init__(self, player: Player, policy: FaultPolicy) -> None:
        self.player = player
        self.observer = player if isinstance(player, Observer) else None
        self.relay = player if isinstance(player, Relay) else None
        self.tally = FaultTally()
        self._policy = policy
        if self.relay is not None:
            self.relay.allow(policy.decision_limit)

    def reset(self, rng: np.random.Generator) -> None:
        """Let the player forget."""
        self.tell(lambda: self.player.reset(rng), "reset")

    def act(self, shown: View, where: str) -> object:
        """The player's answer, whatever it is, or the remedy for none."""
        limit = self._policy.decision_limit
        started = time.perf_counter() if limit is not None else 0.0
        try:
            answer = self.player.act(shown)
        except TimeoutError as problem:
            return self.instead(Fault.LATE, shown, None, f"{where}: {problem}")
        except NotAnAction as problem:
            return self.instead(Fault.ILLEGAL, shown, None, f"{where}: {problem}")
        except Exception as problem:
            return self.instead(Fault.EXCEPTION, shown, None, f"{where}: {_words(problem)}")
        if limit is not None and (took := time.perf_counter() - started) > limit:
            words = f"{where}: {took:.3f} s for a decision, limit {limit} s"
            return self.instead(Fault.LATE, shown, None, words)
        return answer

    def hand_in(self) -> FaultTally:
        """The faults since the last call."""
        tally, self.tally = self.tally, FaultTally()
        return tally

    def instead(self, fault: Fault, shown: View, answer: object, words: str) -> Action:
        """Count a fault; the legal action that its remedy is."""
        self.tally.count(fault, words)
        return remedied(self._policy.remedy(fault), shown.legal, answer)

    def tell(self, news: Callable[[], None], where: str) -> None:
        """Call the player with something that needs no answer."""
        try:
            news()
        except Exception as problem:
            self.tally.count(Fault.EXCEPTION, f"{where}: {_words(problem)}")


def remedied(remedy: Remedy, legal: Legal, answer: object) -> Action:
    """The legal action that stands in for ``answer``."""
    low, high = legal.min_raise_to, legal.max_raise_to
    match remedy, answer:
        case Remedy.NEAREST, Raise(to) if low is not None and high is not None:
            whole = _whole(to)
            return Call() if whole is None else Raise(Chips(min(max(whole, low), high)))
        case Remedy.FOLD, _ if legal.to_call > 0:
            return Fold()
        case _:
            return Call()


def play_hand(
    start: HandState, cards: NDArray[np.uint8], seats: Sequence[Guarded], number: int
) -> tuple[NDArray[np.int64], list[int]]:
    """Play one deal: the hand's vector when the betting is over, and the codes of its actions.

    The hand itself is stepped in place; what a player is shown is a copy that nothing changes.
    """
    rules, where = start.rules, f"hand {number}"
    hand = start._vector.copy()
    size = len(hand)
    seen = np.empty(size, np.int64)
    observed = any(seat.observer is not None for seat in seats)
    news = _News(start, cards, seats, where) if observed else None
    codes: list[int] = []
    actor = _kernels.start(hand, cards, seen)
    while actor >= 0:
        player = seats[actor]
        shown = View(_SEATS[actor], HandState(rules, seen))
        answer = player.act(shown, where)
        code = _code(answer)
        seen = np.empty(size, np.int64)
        following = _kernels.advance(hand, code, cards, seen)
        if following == _kernels.REFUSED:
            words = f"{where}: {_why(shown, answer)}"
            code = _code(player.instead(Fault.ILLEGAL, shown, answer, words))
            following = _kernels.advance(hand, code, cards, seen)
        codes.append(code)
        if news is not None:
            news.acted(_SEATS[actor], action_of(code))
        actor = following
    if news is not None:
        news.over()
    return hand, codes


class _News:
    """Tells the observers of one hand what their seats see."""

    def __init__(
        self, start: HandState, cards: NDArray[np.uint8], seats: Sequence[Guarded], where: str
    ) -> None:
        self._cards = cards
        self._where = where
        self._observers = [
            (Seat(seat), guarded, guarded.observer)
            for seat, guarded in enumerate(seats)
            if guarded.observer is not None
        ]
        self._state = step(start, due(start, cards))
        for seat, guarded, observer in self._observers:
            if guarded.relay is not None:
                guarded.tell(partial(guarded.relay.deal, cards), self._where)
            guarded.tell(partial(observer.begin, view(self._state, seat)), self._where)
        self._deal()

    def acted(self, seat: Seat, action: Action) -> None:
        """An action, and the cards that it brings."""
        self._tell(Act(seat, action))
        self._deal()

    def over(self) -> None:
        """The showdown, in which everyone mucks who may, and the end."""
        for event in showdown(self._state):
            self._tell(event)
        for seat, guarded, observer in self._observers:
            guarded.tell(partial(observer.end, view(self._state, seat)), self._where)

    def _deal(self) -> None:
        while self._state.phase is Phase.DEAL_BOARD:
            self._tell(due(self._state, self._cards))

    def _tell(self, event: Event) -> None:
        self._state = step(self._state, event)
        for seat, guarded, observer in self._observers:
            seen = seen_by(event, seat)
            guarded.tell(partial(observer.observe, view(self._state, seat), seen), self._where)


@lru_cache(maxsize=1 << 12)
def action_of(code: int) -> Action:
    """The action that the kernels write as this number."""
    if code == at.FOLD:
        return Fold()
    return Call() if code == at.CALL else Raise(Chips(code))


def _code(answer: object) -> int:
    """The kernels' number of an action; for anything else one that they always refuse."""
    if isinstance(answer, Call):
        return at.CALL
    if isinstance(answer, Raise):
        return at.BELOW if _whole(answer.to) is None else code_of(answer)
    return at.FOLD if isinstance(answer, Fold) else at.BELOW


def _whole(value: Any) -> int | None:
    """A number of chips of any type of whole numbers; None if it is not whole."""
    if isinstance(value, int):
        return value
    try:
        return index(value)
    except TypeError:
        return None


def _why(shown: View, answer: object) -> str:
    """Why an answer was refused, in one line."""
    if isinstance(answer, Fold | Call) or (
        isinstance(answer, Raise) and _whole(answer.to) is not None
    ):
        return str(refusal(shown.state, answer))
    street = shown.state.street.name.lower()
    return f"answered with {type(answer).__name__}, which is no action ({street})"


def _words(problem: Exception) -> str:
    return " ".join(f"{type(problem).__name__}: {problem}".split())
