"""Tournaments played without a house, by random actions, and their records."""

from __future__ import annotations

import random

from railbird.errors import WriteFailed
from railbird.hosting.deck import commitment
from railbird.hosting.formats import TournamentFormat, format_text
from railbird.hosting.games.outlet import Silence, Time
from railbird.hosting.games.tournament_play import TournamentPlay
from railbird.hosting.records import AnyRecord, Entrant, Opened
from railbird.protocol import PlayerKind
from railbird.protocol.messages.client import ActMessage, Verb
from railbird.protocol.redaction.events import TableEvent, TurnStart

SEED = bytes(range(32))


class Listening(Silence):
    """Knows whose turn it is."""

    def __init__(self) -> None:
        self.turns: dict[str, str] = {}

    def tell(self, table: int, event: TableEvent) -> None:
        if isinstance(event, TurnStart):
            seat = event.moment.state.actor
            assert seat is not None
            self.turns[event.clock.turn] = event.moment.holders[seat].name


class Records:
    def __init__(self, after: int | None = None) -> None:
        self.written: list[AnyRecord] = []
        self._after = after

    def write(self, record: AnyRecord) -> None:
        if self._after is not None and len(self.written) >= self._after:
            raise WriteFailed("the process ends here")
        self.written.append(record)


def opened(form: TournamentFormat, entrants: int) -> Opened:
    people = tuple(Entrant(name=f"p{n}", kind=PlayerKind.BOT) for n in range(entrants))
    return Opened(
        at=0,
        kind="tournament",
        id=f"{form.name}.1",
        format=form.name,
        settings=format_text(form),
        commitment=commitment(SEED),
        seed=SEED.hex(),
        entrants=people,
    )


def ticking() -> Time:
    moments = iter(range(1, 10**9))
    return Time(lambda: 0.0, lambda: 10 * next(moments))


def play_on(
    play: TournamentPlay, listening: Listening, rng: random.Random, *, folds: int = 1
) -> None:
    play.advance()
    while play.closed is None:
        while play.has_more and play.closed is None:
            play.advance()
        if play.closed is not None:
            return
        turn, name = listening.turns.popitem()
        verb = rng.choice([Verb.CALL] * 6 + [Verb.FOLD] * folds + [Verb.ALL_IN])
        for chosen in (verb, Verb.CALL):
            if play.act(int(name[1:]), ActMessage(turn=turn, action=1, verb=chosen)) is None:
                break


def played_records(
    form: TournamentFormat, rng: random.Random, *, folds: int = 1
) -> list[AnyRecord]:
    """Return all records of a whole tournament."""
    head, records, listening = opened(form, form.seats), Records(), Listening()
    play = TournamentPlay(head, ticking())
    play.attach(records, listening)
    play_on(play, listening, rng, folds=folds)
    return [head, *records.written]
