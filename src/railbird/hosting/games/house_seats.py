"""House players: players of the registry, who decide in threads of their own."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from typing import TypeVar

import numpy as np

from railbird.errors import RailbirdError
from railbird.game import Action, Event, HandState, Rules, View, seen_by, view
from railbird.players import Observer, Player, make_player, policy
from railbird.players.explanation import explanation_words
from railbird.players.policy import Explaining
from railbird.players.registry import REGISTRY
from railbird.protocol.redaction.events import HandEnd, HandStart, HandStep, TableEvent
from railbird.units import Seat

_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)

NEVER = ("acpc", "bot", "python")
"""Players that run somebody's program: no client may start one."""

VARIANTS = ("booker:4", "loki:som", "tight:nolimit")
"""Specs with an option that practice tables have, too; a client may choose no options freely,
since some are files."""

PREFIX = "house:"
"""Beginning of house players' names, which no account may have."""


def practice_specs() -> tuple[str, ...]:
    """Return the specs that a practice table can seat."""
    return tuple(sorted({*REGISTRY, *VARIANTS} - set(NEVER)))


def house_specs(rules: Rules) -> tuple[str, ...]:
    """Return the players of the registry that can play these rules with changing stacks."""
    return tuple(name for name in REGISTRY if name not in NEVER and supports(name, rules))


@cache
def supports(spec: str, rules: Rules) -> bool:
    """Return whether a player of the registry can be made and can play."""
    try:
        player = make_player(spec)
    except RailbirdError:
        return False
    try:
        return policy.why_not(player, rules, carries_over=True) is None
    finally:
        policy.close(player)


def chosen(specs: Sequence[str], count: int, taken: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Draw house players: names and specs, as different from each other as can be."""
    order = list(specs)
    random.SystemRandom().shuffle(order)
    names = set(taken)
    found: list[tuple[str, str]] = []
    for place in range(count if order else 0):
        spec = order[place % len(order)]
        copy, name = 1, f"{PREFIX}{spec}"[:28]
        while name in names:
            copy += 1
            name = f"{f'{PREFIX}{spec}'[:28]}#{copy}"
        names.add(name)
        found.append((name, spec))
    return found


class HouseSeat:
    """A house player in a game; its methods are called in one thread, one after the other.

    The player is made by the first of them, for some load large tables.
    """

    def __init__(self, spec: str) -> None:
        self._name = spec

    @cached_property
    def _player(self) -> Player:
        player = make_player(self._name)
        player.reset(np.random.default_rng())
        return player

    def act(self, shown: View) -> tuple[Action | None, str]:
        """Return the player's action, and its reasons; None if it failed."""
        action = self._guarded(lambda: self._player.act(shown))
        return action, self._reasons(shown) if action is not None else ""

    def happened(self, event: TableEvent, seat: Seat) -> None:
        """Let the player see what its seat sees."""
        observer = self._guarded(lambda: self._player)
        if not isinstance(observer, Observer):
            return
        match event:
            case HandStart(moment):
                self._guarded(lambda: observer.begin(view(moment.state, seat)))
            case HandStep(moment=moment, event=happened):
                self._guarded(lambda: self._observe(observer, moment.state, happened, seat))
            case HandEnd(moment):
                self._guarded(lambda: observer.end(view(moment.state, seat)))
            case _:
                pass

    def close(self) -> None:
        """Let the player end."""
        self._guarded(lambda: policy.close(self._player))

    def _observe(self, observer: Observer, state: HandState, event: Event, seat: Seat) -> None:
        observer.observe(view(state, seat), seen_by(event, seat))

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
