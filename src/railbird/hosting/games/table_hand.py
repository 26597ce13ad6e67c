"""One hand at one table: its moments, turns and events."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError
from railbird.game import Action, Call, Fold, HandDealer, Raise, Rules, Step, legal, payoff_parts
from railbird.hosting.formats import Freeze
from railbird.protocol.messages.game import Presence
from railbird.protocol.redaction.events import (
    HandMoment,
    HandStart,
    HandStep,
    SeatHolder,
    TableEvent,
)
from railbird.protocol.redaction.hand_view import entry_of
from railbird.units import Chips


class ChipsDiffer(RailbirdError):
    """The chips of a hand do not add up: a fault of the server, never of a player."""


class TableHand:
    """A hand in play. Raises `ChipsDiffer` from any method once its chips do not add up."""

    def __init__(
        self,
        *,
        table: str,
        number: int,
        players: tuple[int, ...],
        holders: tuple[SeatHolder, ...],
        rules: Rules,
        cards: NDArray[np.uint8],
    ) -> None:
        self.players = players
        """By seat, by their numbers in the game."""
        self.cards = cards
        self.turn = 0
        """Turns so far, the current one included."""
        self.reasons: list[tuple[int, int, str]] = []
        """Seat, number of the action in the history, and text: house players' reasons."""
        self._dealer = HandDealer.of_row(rules, cards)
        self._chips = sum(rules.stacks or ())
        self.moment = HandMoment(table, number, self._dealer.state, holders)

    @property
    def number(self) -> int:
        """The hand's number at its table."""
        return self.moment.hand

    @property
    def to_act(self) -> int | None:
        """The player to act; None once the betting is over."""
        seat = self._dealer.asks
        return None if seat is None else self.players[seat]

    @property
    def turn_id(self) -> str:
        """The id of the current turn."""
        return f"{self.moment.table}.{self.number}.{self.turn}"

    def begin(self) -> list[TableEvent]:
        """Deal; return what happened."""
        dealt, *boards = self._dealer.begin()
        self.moment = replace(self.moment, state=dealt.after)
        self.turn = 1
        events: list[TableEvent] = [HandStart(self.moment)]
        return [*events, *self._events(boards, "player")]

    def act(self, action: Action, by: Literal["player", "clock", "absence"]) -> list[TableEvent]:
        """Take an action; return what happened. Raises `IllegalAction`; nothing has then."""
        steps = self._dealer.act(action)
        self.turn += 1
        return self._events(steps, by)

    def default_action(self, freeze: Freeze) -> Action:
        """Return the action of a seat whose player does not act."""
        allowed = legal(self.moment.state)
        folds = allowed.to_call > 0 or (freeze is Freeze.FOLD and allowed.fold)
        return Fold() if folds else Call()

    def stacks_after(self) -> tuple[Chips, ...]:
        """Return the stacks by seat once the hand is over."""
        state = self.moment.state
        before, won = state.rules.stacks, payoff_parts(state)
        if before is None or won is None:
            raise ChipsDiffer(f"{self.turn_id}: the hand is over, but not decided")
        stacks = tuple(Chips(had + more) for had, more in zip(before, won, strict=True))
        if sum(stacks) + state.raked != self._chips or min(stacks) < 0:
            raise ChipsDiffer(f"{self.turn_id}: {sum(stacks)} chips and {state.raked} of rake")
        return stacks

    def set_presence(self, name: str, presence: Presence) -> None:
        """Show that somebody is away, frozen or back."""
        holders = tuple(
            replace(holder, presence=presence) if holder.name == name else holder
            for holder in self.moment.holders
        )
        self.moment = replace(self.moment, holders=holders)

    def _events(
        self, steps: list[Step], by: Literal["player", "clock", "absence"]
    ) -> list[TableEvent]:
        events: list[TableEvent] = []
        for event, before, after in steps:
            entry = entry_of(event, before, after)
            assert entry is not None  # all but the deal of the holdings have one
            history = (*self.moment.history, entry)
            self.moment = replace(self.moment, state=after, history=history)
            events.append(HandStep(self.moment, event, before, by))
            self._check(after.pot)
        return events

    def _check(self, pot: int) -> None:
        left = sum(self.moment.state.stacks or ())
        if left + pot != self._chips:
            words = f"{left} chips in the stacks and {pot} in the pot"
            raise ChipsDiffer(f"{self.turn_id}: {words}; allowed: {self._chips} together")


def action_of(code: int) -> Action:
    """Return the action that a record means."""
    if code < 0:
        return Fold()
    return Raise(Chips(code)) if code else Call()


def code_of(action: Action) -> int:
    """Return an action as a record has it."""
    match action:
        case Fold():
            return -1
        case Call():
            return 0
        case Raise(to):
            return to
