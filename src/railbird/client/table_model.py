"""The state of a person's screen: a table, the connection to it, and the log of both."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from railbird.arena.job_log import AppendLog, growing
from railbird.cards import HOLDEM, Suits, Variant
from railbird.errors import BadInput, RailbirdError
from railbird.game import Act, Betting
from railbird.histories import HandRecord, Skipped, WriteOptions, format_named
from railbird.histories.variant_hands import cards_in_record
from railbird.protocol import AnyServer, messages
from railbird.protocol.redaction import HandEnd, HandStart, HandStep, TableEvent
from railbird.table.choices import Plan, PreAction, planned, price_of
from railbird.table.state import TableState, after, first_state, is_of
from railbird.table.words import LogLine

# Pauses of a person's game, and what stands by the table.


PAUSE: Final = 0.6
"""Seconds for which each action of others is shown: a little over the time to read a short line."""

PAUSES: Final = (0.0, 0.2, PAUSE, 1.5)
"""Pauses to choose from; with 0, hands follow each other at once."""

OUT_OF_HAND: Final = 1 / 3
"""Part of the pause once the person has folded."""

HAND_PAUSE: Final = 5.0
"""Times the pause for which the end of a hand is shown."""

CLOSE_SECONDS: Final = 5.0
"""Most seconds to wait, on leaving, for the end of a hand that house players still play."""

FREEZE_SECONDS: Final = 0.5
"""Seconds for which buttons rest when the price of a call has changed under a finger."""

OPPONENTS: Final = {
    Betting.LIMIT: ("loki:som", "killer"),
    Betting.POT_LIMIT: ("tight:nolimit", "killer"),
    Betting.SPREAD_LIMIT: ("tight:nolimit", "killer"),
    Betting.NO_LIMIT: ("tight:nolimit", "killer"),
}
"""House players of hold'em who sit down where none are named, and who are asked for advice."""


def usual_opponents(betting: Betting, variant: Variant) -> tuple[str, ...]:
    """Return who sits down in a game where nobody is named, and who is asked for advice."""
    return OPPONENTS[betting] if variant is HOLDEM else ("sensible",)


BLINDS: Final = (10, 20)

SEATS: Final = 6

MOST_SEATS: Final = 10
"""Seats of a table that 80 columns have room for."""

LOG_LINES: Final = 2000
"""Lines of the log that are kept on the screen."""


# A place where a game is played, as a person's screen knows it: this process, or a server.


class LinkState(StrEnum):
    """Whether the game can be reached, and whether it is worth waiting."""

    CONNECTING = "connecting"
    OPEN = "open"
    WAITING = "waiting"
    """Closed until the person asks to come back: frozen, or logged in elsewhere."""
    OVER = "over"
    """Closed for good."""


@dataclass(frozen=True, slots=True)
class LinkNews:
    """The game has become reachable, or is so no longer."""

    state: LinkState
    text: str = ""
    """A sentence for the person."""
    is_failure: bool = False


News = AnyServer | LinkNews


class GameSource(Protocol):
    """Where a game is played. No method waits for anybody; news comes from another thread."""

    is_server: bool

    @property
    def series(self) -> tuple[int, int] | None:
        """The number of the tournament in play, and how many there are; None for one alone."""

    def start(self, hear: Callable[[News], object]) -> None:
        """Begin; ``hear`` is called in another thread with everything that the person may know."""

    def send(self, request: messages.GameRequest) -> None:
        """Say what the person wants."""

    def come_back(self) -> None:
        """Connect again after `LinkState.WAITING`."""

    def hurry(self) -> None:
        """Go on at once, where a pause was only for the person to read."""

    def close(self) -> None:
        """End; finished hands are kept."""


class TableModel:
    """One viewer's knowledge of one table at a time, played here or at a server."""

    def __init__(
        self, *, now: Callable[[], float] = time.monotonic, suits: Suits = Suits.SYMBOLS
    ) -> None:
        self.me: str | None = None
        self.suits = suits
        self.state: TableState | None = None
        """The table; None on the way to one."""
        self.plan: PreAction | None = None
        self.log: deque[LogLine] = deque(maxlen=LOG_LINES)
        self.logged = 0
        """Lines so far, those that were dropped included."""
        self.lobby: messages.Lobby | None = None
        self.queued: messages.Queued | None = None
        self.link: LinkNews | None = None
        self.net = 0
        """Chips won at the last table, as far as hands ended here."""
        self.hands = 0
        self._now = now

    def hears(self, news: News) -> None:
        """Apply a message of the table."""
        match news:
            case LinkNews():
                self._link(news)
            case messages.Welcome(name=name):
                self.me = name
            case messages.Lobby():
                self.lobby = news
            case messages.Queued():
                self.queued = news
            case messages.Unqueued():
                self.queued = None
            case messages.Announcement(text=text):
                self.say(text, "note")
            case messages.ErrorMessage(text=text):
                self.say(text, "problem")
            case _:
                self._at_table(news)

    def say(self, text: str, kind: str = "") -> None:
        """Add a line to the log."""
        self._log(LogLine(text, kind=kind))

    def _log(self, line: LogLine) -> None:
        self.log.append(line)
        self.logged += 1

    def leave_table(self) -> None:
        """Forget the table, on the way back to a lobby."""
        self.state = self.plan = None

    def _link(self, news: LinkNews) -> None:
        was, self.link = self.link, news
        if news.state is not LinkState.OPEN:
            # Whether a plan still fits when the connection is back, nobody knows; it is not played
            # unseen.
            self.plan = None
            if self.state is not None:
                self.state = replace(self.state, turn=None, clock=None)
        elif was is not None and was.state is LinkState.CONNECTING and self.state is not None:
            self.say("connected again", "note")
        if news.text and (was is None or was.text != news.text):
            self.say(news.text, "problem" if news.is_failure else "note")

    def _at_table(self, news: AnyServer) -> None:
        previous_state = self.state
        if isinstance(news, messages.Seated | messages.Snapshot):
            state = self._whole_table(news)
        elif previous_state is not None and is_of(news, previous_state):
            state = after(previous_state, news, self._now())
        else:
            return
        # The table's lines are numbered, so those with a higher number than before are new; of
        # another table all are new.
        last_number = (
            previous_state.lines[-1][0]
            if previous_state is not None and previous_state.lines
            else 0
        )
        is_same = previous_state is not None and previous_state.info.table == state.info.table
        for number, line in state.lines:
            if number > last_number or not is_same:
                self._log(line)
        self.state = None if state.left == "unwatched" else state
        self.net, self.hands = state.won, state.hands
        self._follow_plan(state)

    def _whole_table(self, news: messages.Seated | messages.Snapshot) -> TableState:
        """Return a table of which a snapshot has come: the one shown, or another."""
        sits = isinstance(news, messages.Seated) or self.me in {
            player.name for player in news.table.players
        }
        name, now, state = self.me if sits else None, self._now(), self.state
        if isinstance(news, messages.Seated):
            self.queued = None
        if state is None or state.info.table != news.table.table:
            return first_state(news, name, now)
        return after(replace(state, name=name), news, now)

    def _follow_plan(self, state: TableState) -> None:
        why = None if self.plan is None else self.plan.given_up(state)
        if why is not None:
            self.plan = None
            if why:
                self.say(why, "note")

    def make_plan(self, plan: Plan) -> None:
        """Choose an action in advance; choosing it again cancels it."""
        made = None if self.state is None else planned(plan, self.state)
        if made is not None:
            self.plan = None if self.plan == made else made

    # What there may be.

    @property
    def table(self) -> messages.TableInfo | None:
        """The table."""
        return None if self.state is None else self.state.info

    @property
    def hand(self) -> messages.HandView | None:
        """The hand in play, or the last one until the next begins."""
        return None if self.state is None else self.state.hand

    @property
    def turn(self) -> messages.Turn | None:
        """The viewer's turn."""
        return None if self.state is None else self.state.turn

    @property
    def price(self) -> int:
        """The price of a call now, or at the viewer's turn."""
        return 0 if self.state is None else price_of(self.state)

    @property
    def is_watching(self) -> bool:
        """Whether the viewer does not play at the table."""
        return self.state is not None and self.state.name is None

    def seconds_left(self) -> tuple[int, int] | None:
        """Return the seconds left of the turn that runs, and those of the bank.

        None if no clock is to be shown.
        """
        clock = None if self.state is None else self.state.clock
        if clock is None or not clock.is_drawn:
            return None
        limit, bank = clock.left(self._now())
        return round(limit), round(bank)


# The log of a person's game: each hand is written when it ends, and nothing else changes.


_HEADER = b"# railbird play\n"
_LONGEST_LINE = 1 << 20


class FinishedHands:
    """Turns what happens at tables into records of hands, with everybody's cards."""

    def __init__(self) -> None:
        self._acts: dict[str, list[Act]] = {}
        self._began: dict[str, datetime] = {}

    def hears(self, event: TableEvent) -> HandRecord | None:
        """Follow an event; return the hand if that was its end."""
        match event:
            case HandStart(moment):
                self._acts[moment.table] = []
                self._began[moment.table] = datetime.now(UTC).replace(microsecond=0)
            case HandStep(moment=moment, event=Act() as act):
                self._acts[moment.table].append(act)
            case HandEnd(moment, stacks):
                state = moment.state
                seats = range(state.rules.seats)
                starting_stacks = state.rules.stacks or ()
                return HandRecord(
                    rules=state.rules,
                    players=tuple(holder.name for holder in moment.holders),
                    **cards_in_record(
                        state,
                        seats,
                        held=moment.cards_known(),
                        dealt=moment.cards_dealt(),
                        acts=self._acts.pop(moment.table),
                        with_discards=seats,
                    ),
                    payoffs=tuple(
                        Fraction(a - b) for a, b in zip(stacks, starting_stacks, strict=True)
                    ),
                    number=moment.hand,
                    table=moment.table,
                    played_at=self._began.pop(moment.table),
                    # None stands for cards that the showdown showed, which nobody chose to.
                    shown_by_choice=tuple(
                        None if seat in state.shown else False for seat in range(state.rules.seats)
                    ),
                )
            case _:
                pass
        return None


class HandLog:
    """A PHHS file that hands are added to; get one from `open_hand_log`."""

    def __init__(self, file: AppendLog, hands: int) -> None:
        self._file = file
        self.hands = hands
        """Hands in the file."""

    def append(self, record: HandRecord) -> None:
        """Write a hand, wholly or not at all. Raises `RailbirdError` if that is impossible."""
        write = format_named("phh").write
        assert write is not None
        for text in write([record], WriteOptions()):
            if isinstance(text, Skipped):
                raise RailbirdError(f"the hand cannot be written: {text.detail}")
            self._file.append(f"[{self.hands + 1}]\n{text}\n".encode())
            self.hands += 1


@contextmanager
def open_hand_log(path: Path, *, append: bool = False) -> Iterator[HandLog]:
    """Create a log, or with ``append`` extend one; a new file without hands is removed.

    Raises `BadInput` for an existing file, or with ``append`` for a file that is no such log.
    """
    if path.exists() and not append:
        raise BadInput(f"{path} exists; --append goes on with it, --force replaces it")

    def complete(stream: BinaryIO) -> tuple[list[int], int]:
        return _complete(stream, path)

    with growing(path, _HEADER, complete) as (file, hands):
        yield HandLog(file, len(hands))


def _complete(stream: BinaryIO, path: Path) -> tuple[list[int], int]:
    """Return the offsets of the hands that are whole, and the end of the last one."""
    first = stream.readline(_LONGEST_LINE)
    if len(first) < len(_HEADER) and _HEADER.startswith(first):
        return [], 0  # new, or killed within the header
    if first != _HEADER:
        raise BadInput(f"{path} is not a log of `railbird play`; allowed: one, or another name")
    hands: list[int] = []
    # A hand ends with an empty line. What follows the last one was cut off by a crash and is
    # overwritten, so the log never holds half a hand.
    end = begin = stream.tell()
    for line in stream:
        if line.startswith(b"["):
            begin = end
        elif line == b"\n":
            hands.append(begin)
            end = stream.tell()
    return hands, end
