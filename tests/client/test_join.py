"""A player at a server: connections that are made again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Self, cast

import pytest

from railbird.client.connection import Cut, ServerConnection
from railbird.client.join import join
from railbird.errors import BadInput, RailbirdError
from railbird.players import make_player
from railbird.protocol.messages import TokenLogIn


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
    pauses = list[float]()
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
        join(make_player("always-call"), connect, TokenLogIn(token="t"), version=None)
    assert pauses == pytest.approx([0.1 * 2**n for n in range(9)] + [30.0, 30.0])
