"""Our players as clients of an ACPC dealer, ours or another."""

from __future__ import annotations

import socket

import numpy as np

from railbird.acpc import (
    VERSION_LINE,
    ClientConnection,
    Closed,
    Link,
    News,
    action_text,
    parse_state,
)
from railbird.acpc.settings import DEALER_CONNECT_SECONDS
from railbird.errors import RailbirdError
from railbird.game import DealHoles, Phase, Rules, View
from railbird.players.protocol import Observer, Player


def connect(host: str, port: int) -> Link:
    """Connect to a dealer. Raises `OSError`."""
    connection = socket.create_connection((host, port), DEALER_CONNECT_SECONDS)
    connection.setsockopt(
        socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1
    )  # to notice a dealer that vanishes
    return Link(connection)


def sit_down(player: Player, rules: Rules, link: Link, rng: np.random.Generator) -> int:
    """Play until the dealer disconnects; return the number of hands.

    The protocol does not transmit the game, so ``rules`` must be the dealer's.

    Raises `BadInput` for messages that are impossible in this game, `RailbirdError` if the player
    fails, `Disconnected` for a broken connection.
    """
    following = ClientConnection(rules)
    observer = player if isinstance(player, Observer) else None
    player.reset(rng)
    hands = 0
    try:
        link.send(VERSION_LINE)
        while True:
            line = link.receive()
            if not line.startswith("MATCHSTATE:"):
                continue
            for news in following.read(parse_state(line)):
                hands += isinstance(news.event, DealHoles)
                if observer is not None:
                    _tell(observer, news)
            view = following.view
            if view is not None and view.state.actor == view.seat:
                link.send(f"{line}:{_answer(player, view)}")
    except Closed:
        return hands
    finally:
        link.close()


def _tell(observer: Observer, news: News) -> None:
    view, event = news
    if isinstance(event, DealHoles):
        observer.begin(view)
    else:
        observer.observe(view, event)
    if view.state.phase is Phase.OVER:
        observer.end(view)


def _answer(player: Player, view: View) -> str:
    try:
        return action_text(view.state, player.act(view))
    except Exception as problem:
        raise RailbirdError(f"the player failed: {type(problem).__name__}: {problem}") from problem
