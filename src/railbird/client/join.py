"""One of our players on a server, from one tournament to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tenacity import Retrying, retry_if_exception_type, wait_exponential

from railbird.arena.fault_policy import DEFAULT_FAULTS, FaultTally
from railbird.arena.guarded_player import GuardedPlayer, close_all
from railbird.client.connection import Connection, Cut, Ended
from railbird.client.player_at_server import PlayerAtServer
from railbird.client.settings import LONGEST_WAIT
from railbird.errors import BadInput, RailbirdError
from railbird.players import Player
from railbird.protocol import AnyServer, ErrorCode
from railbird.protocol.messages.client import (
    AskLobby,
    Credentials,
    EnterQueue,
    GameRequest,
    Sit,
    Verb,
)
from railbird.protocol.messages.game import (
    HandOver,
    KnockedOut,
    Left,
    Lobby,
    PlayReport,
    Result,
    SessionReport,
)
from railbird.protocol.messages.session import ErrorMessage
from railbird.report.toolkit.number_format import signed

_OVER = ("knocked_out", "over", "stood_up", "busted")
"""Reasons for leaving a table that end a tournament or a session."""


@dataclass(slots=True, kw_only=True)
class Played:
    """A tournament, or a session at a ring table."""

    name: str
    """The tournament or the table."""
    place: int | None = None
    """None in a session."""
    prize: str | None = None
    won: int | None = None
    """Chips in a session, net of all buy-ins."""
    hands: int = 0
    report: PlayReport | None = None


@dataclass(slots=True, kw_only=True)
class Joined:
    """All that a player played on a server."""

    name: str
    """Its name there."""
    played: list[Played] = field(default_factory=list)
    faults: FaultTally = field(default_factory=FaultTally)
    """Failures of the player itself; refusals of the server are in the reports."""

    def as_json(self) -> dict[str, Any]:
        """Return what `railbird join --json` prints."""
        return {
            "name": self.name,
            "played": [
                {
                    "name": one.name,
                    "place": one.place,
                    "prize": one.prize,
                    "won": one.won,
                    "hands": one.hands,
                    "report": None if one.report is None else one.report.model_dump(),
                }
                for one in self.played
            ],
            "faults": self.faults.as_json(),
        }


def join(
    player: Player,
    connect: Callable[[], Connection],
    credentials: Credentials,
    *,
    version: str | None,
    enter: GameRequest | None = None,
    count: int = 1,
    seed: int = 0,
    told: Callable[[str], None] = lambda _: None,
) -> Joined:
    """Seat a player until it has played ``count`` tournaments or sessions.

    ``enter`` is the queue or table to begin with, by default the first queue of the lobby. A
    connection that is cut is made again, with growing pauses; so it is after a restart of the
    server. ``told`` gets a line for everything that a person would want to know.

    Raises `BadInput` if there is no server at first, if the log-in is refused, or for a game that
    the player cannot play; `RailbirdError` if the server ends the connection for good.
    """
    guarded = GuardedPlayer(player, DEFAULT_FAULTS, name="the player")
    visit = _Visit(PlayerAtServer(guarded, np.random.default_rng(seed)), enter, count, told)
    try:
        connection = connect()
        while True:
            try:
                with connection:
                    visit.name = connection.log_in(credentials, version=version).name
                    visit.stay(connection)
                    break
            except Cut as problem:
                told(f"{problem}; connecting again")
            except Ended as ended:
                if not ended.closing.reconnect:
                    raise RailbirdError(f"the server ended the connection: {ended}") from None
                told(f"{ended}; connecting again")
            connection = _again(connect)
    finally:
        close_all([guarded])
    return Joined(name=visit.name, played=visit.played, faults=guarded.take_faults())


def _again(connect: Callable[[], Connection]) -> Connection:
    attempts = Retrying(
        retry=retry_if_exception_type(BadInput),
        wait=wait_exponential(multiplier=0.1, max=LONGEST_WAIT),
    )
    return attempts(connect)


class _Visit:
    """What a player does on a server, over all its connections."""

    def __init__(
        self,
        player: PlayerAtServer,
        enter: GameRequest | None,
        count: int,
        told: Callable[[str], None],
    ) -> None:
        self.name = ""
        self.played: list[Played] = []
        self._player = player
        self._enter = enter
        self._count = count
        self._told = told
        self._hands = 0
        self._done = 0

    def stay(self, connection: Connection) -> None:
        """Play until enough is played. Raises `Cut` or `Ended`."""
        connection.send(AskLobby() if self._enter is None else self._enter)
        while self._done < self._count or not self._is_reported():
            message = connection.receive()
            answer = self._player.hears(message)
            if answer is not None:
                connection.act(answer.turn, answer.verb, answer.to)
            self._follow(message, connection)

    def _is_reported(self) -> bool:
        return len(self.played) >= self._done

    def _follow(self, message: AnyServer, connection: Connection) -> None:
        match message:
            case Lobby(queues=queues) if self._enter is None:
                if not queues:
                    raise BadInput("the server has no queue; allowed: --table with a ring table")
                self._enter = EnterQueue(queue=queues[0].queue)
                connection.send(self._enter)
            case HandOver():
                self._hands += 1
            case KnockedOut() | Result() | SessionReport():
                self._keep(message)
            case Left(reason=reason) if reason in _OVER:
                self._done += 1
                if self._done < self._count and self._enter is not None:
                    connection.send(self._enter)
            case ErrorMessage():
                self._refused(message, connection)
            case _:
                pass

    def _keep(self, message: KnockedOut | Result | SessionReport) -> None:
        """Keep a result of one's own; the winner's comes with the tournament's."""
        match message:
            case SessionReport(table=table, won=won):
                self._report(Played(name=table, won=won, report=message.you))
            case KnockedOut(name=name, tournament=tournament) if name == self.name:
                place, prize = message.place, message.prize
                self._report(Played(name=tournament, place=place, prize=prize, report=message.you))
            case Result(tournament=tournament, places=places):
                for one in places:
                    if one.name == self.name and tournament not in {p.name for p in self.played}:
                        place, prize = one.place, one.prize
                        self._report(
                            Played(name=tournament, place=place, prize=prize, report=message.you)
                        )
            case KnockedOut():
                pass  # somebody else's

    def _report(self, played: Played) -> None:
        played.hands, self._hands = self._hands, 0
        self.played.append(played)
        place = "" if played.place is None else f" place {played.place}, prize {played.prize}"
        won = "" if played.won is None else f" {signed(played.won, 0)} chips"
        self._told(f"{played.name}:{place}{won}, {played.hands:,} hands")

    def _refused(self, error: ErrorMessage, connection: Connection) -> None:
        """Make do with an error: a refused action becomes a call, which is always allowed."""
        if error.code is ErrorCode.ILLEGAL_ACTION and error.turn is not None:
            connection.act_in(error.turn, Verb.CALL)
        elif error.code in (ErrorCode.SEATED, ErrorCode.QUEUED):
            pass  # after a cut it has its seat, or its place in the queue
        elif error.code is ErrorCode.STALE:
            self._told(error.text)
        else:
            raise BadInput(f"{error.code}: {error.text}")


def queue_or_table(queue: str | None, table: str | None, buy_in: int | None) -> GameRequest | None:
    """Return the request that begins, or None for the first queue. Raises `BadInput`."""
    if table is None:
        return None if queue is None else EnterQueue(queue=queue)
    if queue is not None or buy_in is None:
        raise BadInput("a table needs a buy-in and no queue")
    return Sit(table=table, buy_in=buy_in)
