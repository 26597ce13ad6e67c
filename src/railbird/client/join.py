"""A player of Railbird at a server, from one tournament to the next."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np
from msgspec.structs import asdict

from railbird.arena.guarded_player import (
    DEFAULT_FAULTS,
    FaultTally,
    GuardedPlayer,
    close_all,
)
from railbird.client.connection import LONGEST_WAIT, Cut, Ended, ServerConnection
from railbird.errors import BadInput, RailbirdError
from railbird.game import Betting, View
from railbird.players import Player, meet, policy
from railbird.players.protocol import SeesShown
from railbird.protocol import AnyServer, ErrorCode, following, messages, verb_of
from railbird.report.number_format import signed
from railbird.table.advice import FollowedHand

# One of our players at the tables of a server.


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """An action in answer to a turn."""

    turn: messages.Turn
    verb: messages.Verb
    to: int | None = None
    cards: list[str] | None = None


class PlayerAtServer:
    """Tells a player what the server's messages say, and asks it at its turns.

    A failure of the player is counted, and it checks or folds instead. It is reset at the beginning
    of each tournament, or of a series of them where ``is_series``. ``carries_over`` says that
    stacks go from hand to hand.
    """

    def __init__(
        self,
        player: GuardedPlayer,
        rng: np.random.Generator,
        *,
        carries_over: bool = True,
        is_series: bool = False,
    ) -> None:
        self._player = player
        self._carries_over = carries_over
        self._is_series = is_series
        self._rng = rng
        self._table: messages.TableInfo | None = None
        self._seen: messages.HandView | None = None
        self._hand: FollowedHand | None = None
        self._numbers: dict[str, int] = {}

    @property
    def view(self) -> View | None:
        """The hand as the player sees it; None between hands."""
        return None if self._hand is None else self._hand.view

    def hears(self, message: AnyServer) -> TurnAnswer | None:
        """Follow a message of the server; return the answer if it is the player's turn.

        Raises `BadInput` for a game that the player cannot play, or messages that do not add up.
        """
        match message:
            case messages.Seated(table=table):
                self._sit(table)
            case messages.Snapshot(table=table) if (
                self._table is None or self._table.table != table.table
            ):
                self._sit(table)
            case _:
                pass
        self._seen = following(self._seen, message)
        self._catch_up()
        match message:
            case messages.HandOver() | messages.HandVoid():
                self._end()
                return None
            case messages.Showed(name=name):
                self._see_choice(name)
                return None
            case messages.Turn() as turn:
                return self._answer(turn)
            case messages.Snapshot(turn=messages.Turn() as turn):
                return self._answer(turn)
            case _:
                return None

    def _sit(self, table: messages.TableInfo) -> None:
        before, self._table = self._table, table
        self._seen = self._hand = None
        goes_on = before is not None and (
            self._is_series or (before.tournament or "") == table.tournament
        )
        if not goes_on:
            self._numbers.clear()
            self._player.reset(self._rng)

    def _catch_up(self) -> None:
        """Tell the player what it has not heard of the hand."""
        seen, table = self._seen, self._table
        if seen is None or seen.you is None or table is None:
            return
        if self._hand is None or self._hand.number != seen.hand:
            self._hand = FollowedHand(Betting(table.format.betting), seen)
            self._begin(self._hand)
        for view, event in self._hand.news(seen):
            if (observer := self._player.observer) is not None:
                self._tell(partial(observer.observe, view, event))

    def _begin(self, hand: FollowedHand) -> None:
        player, view = self._player, hand.view
        if why := policy.why_not(player.player, view.rules, carries_over=self._carries_over):
            raise BadInput(f"{player.name}: {why}")
        self._tell(partial(meet, player.player, hand.names, self._numbers))
        if player.observer is not None:
            self._tell(partial(player.observer.begin, view))

    def _end(self) -> None:
        if self._hand is not None and (observer := self._player.observer) is not None:
            self._tell(partial(observer.end, self._hand.view))
        self._hand = None

    def _see_choice(self, name: str) -> None:
        """Tell the player who showed cards of a hand that is over."""
        player, person = self._player.player, self._numbers.get(name)
        if person is not None and isinstance(player, SeesShown):
            self._tell(partial(player.shown_by_choice, person))

    def _tell(self, news: Callable[[], None]) -> None:
        self._player.tell(news, self._where)

    def _answer(self, turn: messages.Turn) -> TurnAnswer:
        """Ask the player; a failure or an illegal action is replaced as in the arena."""
        assert self._hand is not None
        return TurnAnswer(turn, *verb_of(self._player.answer(self._hand.view, self._where)))

    @property
    def _where(self) -> str:
        return "no hand" if self._hand is None else f"hand {self._hand.number}"


# From one tournament to the next.


_OVER = ("knocked_out", "over", "stood_up", "busted")
"""Reasons for leaving a table with which a tournament or a session ends."""


@dataclass(slots=True, kw_only=True)
class PlayedGame:
    """A tournament, or a session at a ring table."""

    name: str
    """The tournament or the table."""
    place: int | None = None
    """Place in a tournament; None in a session."""
    prize: str | None = None
    won: int | None = None
    """Chips won in a session, net of all buy-ins; None in a tournament."""
    hands: int = 0
    report: messages.PlayReport | None = None


@dataclass(slots=True, kw_only=True)
class PlayedOnServer:
    """All that a player played on a server."""

    name: str
    """Its name there."""
    played: list[PlayedGame] = field(default_factory=list)
    faults: FaultTally = field(default_factory=FaultTally)
    """Failures of the player itself; refusals of the server are in the reports."""

    def as_json(self) -> dict[str, Any]:
        """Return what `railbird join --json` prints."""
        return {
            "name": self.name,
            "played": [
                {
                    "name": played_game.name,
                    "place": played_game.place,
                    "prize": played_game.prize,
                    "won": played_game.won,
                    "hands": played_game.hands,
                    "report": None if played_game.report is None else asdict(played_game.report),
                }
                for played_game in self.played
            ],
            "faults": self.faults.as_json(),
        }


def join(
    player: Player,
    connect: Callable[[], ServerConnection],
    credentials: messages.Credentials,
    *,
    version: str | None,
    enter: messages.GameRequest | None = None,
    count: int = 1,
    seed: int = 0,
    announce: Callable[[str], None] = lambda _: None,
    waits: Callable[[str], None] = lambda _: None,
) -> PlayedOnServer:
    """Seat a player until it has played ``count`` tournaments or sessions.

    ``enter`` is the queue or table to begin with, by default the first queue of the lobby. A
    connection that is cut is made again, with growing pauses; so it is after a restart of the
    server. ``announce`` gets a line for everything that a person would want to know, and ``waits``
    one for what is waited for.

    Raises `BadInput` if there is no server at first, if the log-in is refused, or for a game that
    the player cannot play; `RailbirdError` if the server ends the connection for good.
    """
    guarded = GuardedPlayer(player, DEFAULT_FAULTS, name="the player")
    visit = _TournamentVisit(
        PlayerAtServer(guarded, np.random.default_rng(seed)), enter, count, announce, waits
    )
    try:
        connection = connect()
        while True:
            try:
                with connection:
                    visit.name = connection.log_in(credentials, version=version).name
                    visit.stay(connection)
                    break
            except Cut as problem:
                waits(f"{problem}; {_CONNECTING}")
            except Ended as ended:
                if not ended.closing.reconnect:
                    raise RailbirdError(f"the server ended the connection: {ended}") from None
                waits(f"{ended}; {_CONNECTING}")
            connection = _again(connect)
    finally:
        close_all([guarded])
    return PlayedOnServer(name=visit.name, played=visit.played, faults=guarded.take_faults())


_CONNECTING: Final = "connecting again until a server answers; Ctrl-C ends it"


def _again(connect: Callable[[], ServerConnection]) -> ServerConnection:
    pause = 0.1
    while True:
        try:
            return connect()
        except BadInput:
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_WAIT)


class _TournamentVisit:
    """What a player does on a server, over all its connections."""

    def __init__(
        self,
        player: PlayerAtServer,
        enter: messages.GameRequest | None,
        count: int,
        announce: Callable[[str], None],
        waits: Callable[[str], None],
    ) -> None:
        self.name = ""
        self.played: list[PlayedGame] = []
        self._player = player
        self._enter = enter
        self._count = count
        self._announce = announce
        self._waits = waits
        self._waited_for = ""
        self._hands = 0
        self._done = 0

    def stay(self, connection: ServerConnection) -> None:
        """Play until enough is played. Raises `Cut` or `Ended`."""
        connection.send(messages.AskLobby() if self._enter is None else self._enter)
        while self._done < self._count or not self._is_reported():
            message = connection.receive()
            answer = self._player.hears(message)
            if answer is not None:
                connection.act(answer.turn, answer.verb, answer.to)
            self._follow(message, connection)

    def _is_reported(self) -> bool:
        return len(self.played) >= self._done

    def _follow(self, message: AnyServer, connection: ServerConnection) -> None:
        match message:
            case messages.Lobby(queues=queues) if self._enter is None:
                if not queues:
                    raise BadInput("the server has no queue; allowed: --table with a ring table")
                self._enter = messages.EnterQueue(queue=queues[0].queue)
                connection.send(self._enter)
            case messages.Queued():
                self._wait(message)
            case messages.Seated():
                self._waited_for = ""
            case messages.HandOver():
                self._hands += 1
            case messages.KnockedOut() | messages.Result() | messages.SessionReport():
                self._keep(message)
            case messages.Left(reason=reason) if reason in _OVER:
                self._done += 1
                if self._done < self._count and self._enter is not None:
                    connection.send(self._enter)
            case messages.ErrorMessage():
                self._refused(message, connection)
            case _:
                pass

    def _wait(self, queued: messages.Queued) -> None:
        """Report what the player waits for, whenever it changes."""
        words = f"waiting in the queue {queued.queue}: {queued.waiting} of {queued.seats} players"
        if queued.held:
            words += "; the server cannot write its journal"
        elif queued.waiting >= queued.seats:
            words += "; of one owner only the first counts"
        if queued.starts_in_ms is not None:
            words += f"; it is to start in {queued.starts_in_ms / 1000:.0f} s"
        if words != self._waited_for:
            self._waited_for = words
            self._waits(words)

    def _keep(
        self, message: messages.KnockedOut | messages.Result | messages.SessionReport
    ) -> None:
        """Keep the player's own result; the winner's comes with the tournament's."""
        match message:
            case messages.SessionReport(table=table, won=won):
                self._report(PlayedGame(name=table, won=won, report=message.you))
            case messages.KnockedOut(name=name, tournament=tournament) if name == self.name:
                place, prize = message.place, message.prize
                self._report(
                    PlayedGame(name=tournament, place=place, prize=prize, report=message.you)
                )
            case messages.Result(tournament=tournament, places=places):
                for entry in places:
                    if entry.name == self.name and tournament not in {p.name for p in self.played}:
                        place, prize = entry.place, entry.prize
                        self._report(
                            PlayedGame(
                                name=tournament, place=place, prize=prize, report=message.you
                            )
                        )
            case messages.KnockedOut():
                pass  # somebody else's

    def _report(self, played: PlayedGame) -> None:
        played.hands, self._hands = self._hands, 0
        self.played.append(played)
        place = "" if played.place is None else f" place {played.place}, prize {played.prize}"
        won = "" if played.won is None else f" {signed(played.won, 0)} chips"
        self._announce(f"{played.name}:{place}{won}, {played.hands:,} hands")

    def _refused(self, error: messages.ErrorMessage, connection: ServerConnection) -> None:
        """Make do with an error: a refused action becomes a call, which is always allowed."""
        if error.code is ErrorCode.ILLEGAL_ACTION and error.turn is not None:
            connection.act_in(error.turn, messages.Verb.CALL)
        elif error.code in (ErrorCode.SEATED, ErrorCode.QUEUED):
            pass  # after a cut it has its seat, or its place in the queue
        elif error.code is ErrorCode.STALE:
            self._announce(error.text)
        else:
            raise BadInput(f"{error.code}: {error.text}")


def queue_or_table(
    queue: str | None, table: str | None, buy_in: int | None
) -> messages.GameRequest | None:
    """Return the first request, or None to enter the first queue. Raises `BadInput`."""
    if table is None:
        return None if queue is None else messages.EnterQueue(queue=queue)
    if queue is not None or buy_in is None:
        raise BadInput("a table with a queue or no buy-in; allowed: with a buy-in alone")
    return messages.Sit(table=table, buy_in=buy_in)
