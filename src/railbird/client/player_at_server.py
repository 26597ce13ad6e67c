"""One of our players at the tables of a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from railbird.arena.fault_policy import Fault
from railbird.arena.guarded_player import CAUGHT, GuardedPlayer
from railbird.client.followed_hand import FollowedHand
from railbird.errors import BadInput
from railbird.game import Betting, Call, Fold, Raise, View, refusal
from railbird.players import meet, policy
from railbird.protocol import AnyServer, following
from railbird.protocol.messages.client import Verb
from railbird.protocol.messages.game import (
    HandOver,
    HandView,
    HandVoid,
    Seated,
    Snapshot,
    TableInfo,
    Turn,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """An action in answer to a turn."""

    turn: Turn
    verb: Verb
    to: int | None = None


class PlayerAtServer:
    """Tells a player what the server's messages say, and asks it at its turns.

    A failure of the player is counted, and it checks or folds instead. It is reset at the beginning
    of each tournament. ``carries_over`` says that stacks go from hand to hand.
    """

    def __init__(
        self, player: GuardedPlayer, rng: np.random.Generator, *, carries_over: bool = True
    ) -> None:
        self._player = player
        self._carries_over = carries_over
        self._rng = rng
        self._table: TableInfo | None = None
        self._seen: HandView | None = None
        self._hand: FollowedHand | None = None
        self._numbers: dict[str, int] = {}

    @property
    def view(self) -> View | None:
        """The hand as the player sees it; None between hands."""
        return None if self._hand is None else self._hand.view

    def hears(self, message: AnyServer) -> Answer | None:
        """Follow a message of the server; return the answer if it is the player's turn.

        Raises `BadInput` for a game that the player cannot play, or messages that do not add up.
        """
        match message:
            case Seated(table=table):
                self._sit(table)
            case Snapshot(table=table) if self._table is None or self._table.table != table.table:
                self._sit(table)
            case _:
                pass
        self._seen = following(self._seen, message)
        self._catch_up()
        match message:
            case HandOver() | HandVoid():
                self._end()
                return None
            case Turn() as turn:
                return self._answer(turn)
            case Snapshot(turn=Turn() as turn):
                return self._answer(turn)
            case _:
                return None

    def _sit(self, table: TableInfo) -> None:
        before, self._table = self._table, table
        self._seen = self._hand = None
        if before is None or before.tournament is None or before.tournament != table.tournament:
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

    def _tell(self, news: Callable[[], None]) -> None:
        self._player.tell(news, self._where)

    def _answer(self, turn: Turn) -> Answer:
        """Ask the player; a failure or an illegal action is replaced as in the arena."""
        assert self._hand is not None
        view, player = self._hand.view, self._player
        try:
            action = player.act(view)
            if problem := refusal(view.state, action):
                action = player.instead(Fault.ILLEGAL, view, action, f"{self._where}: {problem}")
        except CAUGHT as problem:
            action = player.failed(problem, view, self._where)
        match action:
            case Fold():
                return Answer(turn, Verb.FOLD)
            case Call():
                return Answer(turn, Verb.CALL)
            case Raise(to):
                return Answer(turn, Verb.RAISE, to)

    @property
    def _where(self) -> str:
        return "no hand" if self._hand is None else f"hand {self._hand.number}"
