"""A player at a server: connections that are made again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Self, cast

import pytest

from railbird.client.connection import Cut, ServerConnection
from railbird.client.join import join
from railbird.errors import BadInput, RailbirdError
from railbird.players import make_player
from railbird.protocol.messages import Queued, TokenLogIn


class CutAtOnce:
    """A connection that is cut before the log-in."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def log_in(self, *_: object, **__: object) -> Any:
        raise Cut("cut")


def test_a_connection_is_made_again_after_pauses_that_double(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses, waited_for = list[float](), list[str]()
    monkeypatch.setattr(time, "sleep", pauses.append)

    def connections() -> Iterator[object]:
        yield CutAtOnce()
        for _ in range(11):
            yield BadInput("no server")
        yield RailbirdError("enough")

    waiting = connections()

    def connect() -> ServerConnection:
        made = next(waiting)
        if isinstance(made, Exception):
            raise made
        return cast(ServerConnection, made)

    with pytest.raises(RailbirdError, match="enough"):
        join(
            make_player("always-call"),
            connect,
            TokenLogIn(token="t"),
            version=None,
            waits=waited_for.append,
        )
    assert pauses == pytest.approx([0.1 * 2**n for n in range(9)] + [30.0, 30.0])
    assert waited_for == ["cut; connecting again until a server answers; Ctrl-C ends it"]


class OnlyWaits:
    """A connection on which one waits in a queue, until it ends for good."""

    def __init__(self, *news: Queued) -> None:
        self._news = iter(news)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def log_in(self, *_: object, **__: object) -> Any:
        return SimpleNamespace(name="tom")

    def send(self, message: object) -> None:
        pass

    def receive(self) -> Queued:
        for one in self._news:
            return one
        raise RailbirdError("enough")


def test_what_is_waited_for_is_said_once() -> None:
    alone = Queued(queue="six", waiting=1, seats=2)
    full = Queued(queue="six", waiting=2, seats=2, starts_in_ms=43_210)
    held = Queued(queue="six", waiting=2, seats=2, held=True)
    waited_for = list[str]()
    connection = cast(ServerConnection, OnlyWaits(alone, alone, full, held))
    with pytest.raises(RailbirdError, match="enough"):
        join(
            make_player("always-call"),
            lambda: connection,
            TokenLogIn(token="t"),
            version=None,
            waits=waited_for.append,
        )
    assert waited_for == [
        "waiting in the queue six: 1 of 2 players",
        "waiting in the queue six: 2 of 2 players; of one owner only the first counts; it is to"
        " start in 43 s",
        "waiting in the queue six: 2 of 2 players; the server cannot write its journal",
    ]
