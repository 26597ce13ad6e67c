"""House players: players of the registry, who decide in threads of their own."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from typing import Final, TypeVar

import numpy as np

from railbird.errors import BadInput, RailbirdError
from railbird.game import Action, DealHoles, Event, Rules, View, initial, seen_by, step, view
from railbird.hosting.games.house_players import (
    PROGRAMS,
    follows_tree,
    shown_name,
    unsolved,
    why_off_tree,
)
from railbird.players import Observer, Player, make_player, meet, policy
from railbird.players.explanation import explanation_words
from railbird.players.policy import Explaining
from railbird.players.registry import REGISTRY
from railbird.protocol.history_event import event_of
from railbird.protocol.messages.game import HistoryEntry
from railbird.protocol.redaction.events import HandEnd, HandMoment, HandStart, HandStep
from railbird.units import Seat

_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)

PREFIX = "house:"
"""Beginning of house players' names, which no account may have."""
_LONGEST: Final = 60
"""Characters of a name; results have 64, of which ``#2`` and the like need some."""


def house_specs(rules: Rules) -> tuple[str, ...]:
    """Return the players of the registry that can play these rules with changing stacks."""
    return tuple(name for name in REGISTRY if why_not(name, rules) is None)


def why_not(spec: str, rules: Rules, *, top_up: bool = False) -> str | None:
    """Return why a player cannot be made, or cannot play; None if it can.

    Players of the betting tree are not made for it, since some have much to read. ``top_up`` says
    that stacks are filled up before each hand.
    """
    try:
        if follows_tree(spec):
            return why_off_tree(spec, rules, top_up=top_up) or unsolved(spec)
    except RailbirdError as problem:
        return str(problem)
    return _why_not_made(spec, rules, top_up=top_up)


@lru_cache(maxsize=4096)
def _why_not_made(spec: str, rules: Rules, *, top_up: bool) -> str | None:
    """The same for a player that is made to be asked."""
    if spec.partition(":")[0] in PROGRAMS:
        return f"{spec!r} is a program; allowed: players of Railbird's own"
    try:
        player = make_player(spec)
    except RailbirdError as problem:
        return str(problem)
    try:
        why = policy.why_not(player, rules, carries_over=not top_up)
    finally:
        policy.close(player)
    return None if why is None else f"{spec} cannot play this: {why}"


def chosen(specs: Sequence[str], count: int, taken: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Draw house players: names and specs, as different from each other as can be."""
    order = list(specs)
    random.SystemRandom().shuffle(order)
    names = set(taken)
    found: list[tuple[str, str]] = []
    for place in range(count if order else 0):
        spec = order[place % len(order)]
        first = f"{PREFIX}{shown_name(spec)}"[:_LONGEST]
        copy, name = 1, first
        while name in names:
            copy += 1
            name = f"{first}#{copy}"
        names.add(name)
        found.append((name, spec))
    return found


def so_far(shown: View, history: Iterable[HistoryEntry]) -> tuple[tuple[View, Event], ...]:
    """Return a hand from the deal on, from a seat's view of it and its public history.

    Each event comes with the view that it led to.
    """
    state = initial(shown.state.rules)
    deal: Event = DealHoles(shown.state.holdings)  # all but one's own are unknown
    seen = []
    for event in (deal, *map(event_of, history)):
        state = step(state, event)
        seen.append((view(state, shown.seat), event))
    return tuple(seen)


class HouseSeat:
    """A house player in a game; its methods are called in one thread, one after the other.

    The player is made by the first of them, for some load large tables.
    """

    def __init__(self, spec: str) -> None:
        self._name = spec
        self._met: dict[str, int] = {}

    @cached_property
    def _player(self) -> Player:
        if lacks := unsolved(self._name):
            raise BadInput(lacks)
        player = make_player(self._name)
        player.reset(np.random.default_rng())
        return player

    def act(self, shown: View) -> tuple[Action | None, str]:
        """Return the player's action, and its reasons; None if it failed."""
        action = self._guarded(lambda: self._player.act(shown))
        return action, self._reasons(shown) if action is not None else ""

    def happened(self, news: HandStart | HandStep | HandEnd | HandMoment, seat: Seat) -> None:
        """Let the player see what its seat sees; of a hand in play, all of it so far."""
        match news:
            case HandStart(moment):
                self._begin(moment, view(moment.state, seat))
            case HandStep(moment=moment, event=event):
                self._observe(view(moment.state, seat), event)
            case HandEnd(moment):
                shown = view(moment.state, seat)
                self._told(lambda observer: observer.end(shown))
            case HandMoment():
                (dealt, _), *later = so_far(view(news.state, seat), news.history)
                self._begin(news, dealt)
                for step_shown, event in later:
                    self._observe(step_shown, event)

    def close(self) -> None:
        """Let the player end."""
        self._guarded(lambda: policy.close(self._player))

    def _begin(self, moment: HandMoment, dealt: View) -> None:
        names = [holder.name for holder in moment.holders]
        self._guarded(lambda: meet(self._player, names, self._met))
        self._told(lambda observer: observer.begin(dealt))

    def _observe(self, shown: View, event: Event) -> None:
        self._told(lambda observer: observer.observe(shown, seen_by(event, shown.seat)))

    def _told(self, tell: Callable[[Observer], None]) -> None:
        player = self._guarded(lambda: self._player)
        if isinstance(player, Observer):
            self._guarded(lambda: tell(player))

    def _reasons(self, shown: View) -> str:
        player = self._player
        if not isinstance(player, Explaining):
            return ""
        explained = self._guarded(lambda: player.explain(shown))
        return "" if explained is None else explanation_words(explained)

    def _guarded(self, call: Callable[[], _T]) -> _T | None:
        try:
            return call()
        except (Exception, SystemExit):
            _LOG.exception("house player %s", self._name)
            return None


class Threads:
    """Threads for house players; what one game submits is done in order."""

    def __init__(self, count: int) -> None:
        self._pools = [
            ThreadPoolExecutor(1, thread_name_prefix=f"house-{number}") for number in range(count)
        ]
        self._next = 0

    def one(self) -> ThreadPoolExecutor:
        """Return the thread of the next game."""
        self._next += 1
        return self._pools[self._next % len(self._pools)]

    def close(self) -> None:
        """Let the threads end, without what is left to do."""
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
