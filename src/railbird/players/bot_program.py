"""A player of any game that is a program, by the server's protocol on standard input.

`acpc` does the same for programs that speak the ACPC protocol.

The program gets the messages that the tournament server would send, with the same ids and refusals.
The match goes on whatever it does, and the arena counts its faults:

- an action that the rules refuse: an error is sent, and the program may answer again in the time
  that is left; after `MOST_REFUSED` of them the decision is illegal;
- an action for another turn: answered with `stale`, and otherwise ignored;
- no answer in time: late; after `MOST_LATE` decisions in a row the program is ended;
- a line that is no message: skipped, as on the server, while the turn goes on; it is mentioned if
  the decision is late and when the program ends;
- three malformed lines in a row, a line that is too long, or the end of the program: each of its
  decisions is an exception, until the next reset.
"""

from __future__ import annotations

import logging
import os
import selectors
import shlex
import shutil
import subprocess
import time
from array import array
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from railbird import _programs
from railbird._option_fields import Description
from railbird._version import __version__
from railbird.acpc import ConnectionClosed, Disconnected
from railbird.errors import BadInput, IllegalAction
from railbird.game import Action, Event, HandState, Rules, View, initial, payoffs, step
from railbird.game.actions import DealHoles
from railbird.players.protocol import NotAnAction
from railbird.players.seeds import SEED_VARIABLE, seed_text
from railbird.protocol import (
    Close,
    Deliver,
    ErrorCode,
    Gone,
    Identity,
    Input,
    Lag,
    LogIn,
    Outcome,
    PlayerKind,
    ServerSession,
    SessionState,
    chosen_action,
    client_line,
    told,
)
from railbird.protocol.messages import (
    ActMessage,
    AskLobby,
    AskStrategy,
    EnterQueue,
    ErrorMessage,
    GameFormat,
    GameMessage,
    GameRequest,
    Lobby,
    PlayerInfo,
    PlayReport,
    Presence,
    QueueInfo,
    Seated,
    SessionReport,
    StrategyMessage,
    TableInfo,
    Turn,
)
from railbird.protocol.redaction import (
    HandEnd,
    HandMoment,
    HandStart,
    HandStep,
    SeatHolder,
    TableEvent,
    TurnClock,
    TurnStart,
)
from railbird.units import Chips

# Time limits and sizes for programs on standard input and output.


HELLO_SECONDS: Final = 60.0
"""Time to start and send a greeting. It is long, because some load large strategies first."""

DECISION_SECONDS: Final = 40.0
"""Default time for a decision, the same as the tournament server's."""

MOST_LATE: Final = 3
"""Number of late decisions in a row after which a program is ended."""

MOST_REFUSED: Final = 3
"""Number of refused actions after which a turn counts as failed. A program without a memory would
otherwise send the same one for ever."""

MOST_OTHER: Final = 1000
"""Number of messages during one decision, other than answers, after which a program is ended."""

PASSED_OVER_SECONDS: Final = 2.0
"""Time that is left to answer a question once a ping sent after it has been answered."""

READ_BYTES: Final = 1 << 16
"""Most bytes in one read."""

STACKS_IN_BIG_BLINDS: Final = 10_000
"""Stacks to send if the rules have none, as in the ACPC's limit matches. Nobody can lose as
much."""


# What a program at one seat is sent about a hand, in the tournament server's messages.


TABLE = "local"
"""The name of the only table."""


class OneSeat:
    """A hand as the program's seat sees it, followed event by event."""

    def __init__(self, hand: int, view: View, names: tuple[str, ...]) -> None:
        self._me = names[view.seat]
        holders = tuple(SeatHolder(name, PlayerKind.BOT, chair) for chair, name in enumerate(names))
        self._has_stacks = view.rules.stacks is not None
        state = view.state
        if not self._has_stacks:
            dealt = DealHoles(view.state.holdings)
            state = step(initial(_with_stacks(view.rules)), dealt)
        self._now = HandMoment(TABLE, hand, state, holders)

    def begins(self) -> GameMessage:
        """Return the message with which the hand begins."""
        return self._told(HandStart(self._now))

    def happened(self, view: View, event: Event) -> GameMessage:
        """Return the message about an event that the seat saw."""
        before = self.state
        after = view.state if self._has_stacks else step(before, event)
        self._now = self._now.after(event, before, after)
        return self._told(HandStep(self._now, event, before))

    def asks(self, clock: TurnClock) -> GameMessage:
        """Return the message that it is the seat's turn."""
        return self._told(TurnStart(self._now, clock))

    def asks_strategy(self, ask: str, holdings: Sequence[str]) -> AskStrategy:
        """Return the question of what the seat would do with the given holdings."""
        turn = self.asks(TurnClock(turn=ask, ms=0, bank_ms=0))
        assert isinstance(turn, Turn)
        return AskStrategy(
            ask=ask, hand=turn.hand, pots=turn.pots, legal=turn.legal, holdings=list(holdings)
        )

    def copy(self) -> OneSeat:
        """Return an independent copy of the hand so far."""
        return copy(self)

    def over(self) -> GameMessage:
        """Return the message with which the hand ends.

        Fractions of a chip are left out; the ACPC's rules pay them if more than two split a pot.
        """
        state = self.state
        had = state.rules.stacks
        assert had is not None
        stacks = tuple(
            Chips(int(stack + won)) for stack, won in zip(had, payoffs(state), strict=True)
        )
        return self._told(HandEnd(self._now, stacks))

    @property
    def state(self) -> HandState:
        """The hand as the seat sees it; it always has stacks."""
        return self._now.state

    def _told(self, event: TableEvent) -> GameMessage:
        message = told(event, self._me)
        assert message is not None  # only the hole cards have another message
        return message


def _with_stacks(rules: Rules) -> Rules:
    stack = Chips(STACKS_IN_BIG_BLINDS * max(rules.blinds))
    return replace(rules, stacks=(stack,) * rules.seats)


def seated(rules: Rules, names: tuple[str, ...], *, limit_ms: int) -> Seated:
    """Return the message about the table and its players, by seat."""
    stacks = rules.stacks or _with_stacks(rules).stacks or ()
    posts = sorted({chips for chips in rules.blinds if chips})
    game = GameFormat(
        name="local match",
        betting=rules.betting.value,
        seats=rules.seats,
        table_seats=rules.seats,
        stack=max(stacks),
        blinds="/".join(map(str, posts)),
        rake=None if rules.rake is None else str(rules.rake),
        limit_ms=limit_ms,
        bank_ms=0,
        rated=False,
    )
    players = [
        PlayerInfo(name=name, kind=PlayerKind.BOT, chair=chair, stack=stack, presence=Presence.HERE)
        for chair, (name, stack) in enumerate(zip(names, stacks, strict=True))
    ]
    info = TableInfo(table=TABLE, kind="practice", format=game, players=players, hand=1)
    return Seated(table=info)


# A program and its standard input and output.


_SECONDS_TO_TAKE_LEAVE = 0.5


class BotProcess:
    """A running program; its standard error is passed on.

    Raises `BadInput` if it cannot be run.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | environment,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as problem:
            raise BadInput(f"{command[0]}: {problem.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self._outbox = bytearray()
        os.set_blocking(self._in.fileno(), False)
        self._ready = selectors.DefaultSelector()
        self._ready.register(self._out, selectors.EVENT_READ)

    def write(self, data: bytes) -> None:
        """Queue bytes, which the next `read` or `close` sends."""
        self._outbox += data

    def read(self, deadline: float) -> bytes:
        """Return the next bytes, and write queued messages in the meantime.

        Reading and writing take turns. If the program fills its output before it reads, its output
        is drained all the same, so neither side waits for the other for ever. ``deadline`` is a
        time of `time.monotonic`. Raises `TimeoutError`, or `ConnectionClosed` if the program has
        closed its output.
        """
        self._write()
        while True:
            if self._outbox:
                self._ready.register(self._in, selectors.EVENT_WRITE)
            try:
                ready = self._ready.select(max(0.0, deadline - time.monotonic()))
            finally:
                if self._outbox:
                    self._ready.unregister(self._in)
            if not ready:
                raise TimeoutError
            if any(key.fileobj is self._in for key, _ in ready):
                self._write()
            if any(key.fileobj is self._out for key, _ in ready):
                data = os.read(self._out.fileno(), READ_BYTES)
                if not data:
                    raise ConnectionClosed(self._ended())
                return data

    def hang_up(self) -> None:
        """Write the queued messages if the program reads them, and close its input."""
        with selectors.DefaultSelector() as writable, suppress(Disconnected):
            writable.register(self._in, selectors.EVENT_WRITE)
            while self._outbox and writable.select(_SECONDS_TO_TAKE_LEAVE):
                self._write()
        self._outbox.clear()
        self._in.close()

    def close(self) -> None:
        """Hang up, and end the program."""
        if not self._in.closed:
            self.hang_up()
        self._ready.close()
        _programs.end(self._process)
        self._out.close()

    def _write(self) -> None:
        while self._outbox:
            try:
                written = os.write(self._in.fileno(), self._outbox)
            except BlockingIOError:
                return
            except BrokenPipeError:
                raise ConnectionClosed(self._ended()) from None
            del self._outbox[:written]

    def _ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(_SECONDS_TO_TAKE_LEAVE)
            return f"it ended with status {status}"
        return "it closed its output"


_LOG = logging.getLogger(__name__)
# The player.


_SERVER = f"railbird {__version__}"
_NOTHING_DONE = PlayReport(decisions=0, time_outs=0, refused=0, stale=0)


class BotProgramPlayer:
    """Plays through a program, which is restarted at each reset to make it forget."""

    def __init__(
        self,
        command: Annotated[
            str,
            Description(
                "the program to start",
                allowed="a program and its arguments; it is told and asked on its standard input",
            ),
        ] = "",
        *,
        hello_seconds: float = HELLO_SECONDS,
    ) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as problem:
            raise BadInput(f"bot:{command}: {str(problem).lower()}") from None
        if not self._command:
            raise BadInput("bot: no program; allowed: bot:PROGRAM, with arguments if it needs any")
        if shutil.which(self._command[0]) is None:
            raise BadInput(f"bot:{command}: {self._command[0]} is not an executable program")
        self._hello_seconds = hello_seconds
        self._decision_seconds = DECISION_SECONDS
        self._process: BotProcess | None = None
        self._session = ServerSession(server=_SERVER)
        self._gone = "it was not started"
        self._names: tuple[str, ...] = ()
        self._people: tuple[int, ...] = ()
        self._seat: OneSeat | None = None
        self._game: GameFormat | None = None
        self._hand = self._turn = 0
        self._late_in_a_row = 0
        self._seconds = array("f")
        self._late = self._refused = self._stale = self._malformed = 0
        self._first_malformed = ""
        self._requests: deque[GameRequest] = deque()
        self._has_ponged = False

    def reset(self, rng: np.random.Generator) -> None:
        """Restart the program, with the seed of ``rng`` in its environment, and let it log in.

        Raises `Disconnected` or `TimeoutError` if it does not log in.
        """
        self._drop("it has not greeted")
        self._hand = self._turn = self._late_in_a_row = 0
        self._malformed, self._first_malformed = self._malformed_so_far()
        self._session = ServerSession(server=_SERVER)
        self._process = BotProcess(self._command, {SEED_VARIABLE: seed_text(rng)})
        deadline = time.monotonic() + self._hello_seconds
        try:
            while self._session.state is not SessionState.OPEN:
                self._take(self._session.receive(self._process.read(deadline)))
        except TimeoutError:
            self._drop(why := f"it said no hello in {self._hello_seconds:g} s")
            raise Disconnected(why) from None
        except Disconnected as problem:
            self._drop(str(problem))
            raise

    def close(self) -> None:
        """End the program, and log how fast it was and which of its actions were refused."""
        if self._process is not None and self._session.state is SessionState.OPEN:
            report = self._report()
            self._session.send_game(SessionReport(table=TABLE, hands=self._hand, won=0, you=report))
            self._session.happens(Input.BYE, "the match is over")
            self._process.write(self._session.take())
            if report != _NOTHING_DONE or self._malformed_words():  # else it was only asked
                _LOG.warning(
                    "%s: %s", " ".join(self._command), f"{_words(report)}{self._malformed_words()}"
                )
        self._drop("it was ended")

    def allow(self, seconds: float | None) -> None:
        """Set the time limit for a decision in seconds; None for the tournament server's."""
        self._decision_seconds = DECISION_SECONDS if seconds is None else seconds

    def deal(self, cards: NDArray[np.uint8]) -> None:
        """Ignore the deal: the program is sent what its seat sees, which the views contain."""

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set the players' names, by number."""
        self._names = names

    def meet(self, people: tuple[int, ...]) -> None:
        """Set who sits in each seat in the next hand."""
        self._people = people

    def begin(self, view: View) -> None:
        """Tell the program that a hand begins, after telling it who plays if that has changed."""
        self._hand += 1
        if self._process is None:
            return
        names = self._names_by_seat(view.rules)
        if self._hand == 1:
            limit = round(1000 * self._decision_seconds)
            message = seated(view.rules, names, limit_ms=limit)
            self._game = message.table.format
            self._session.send_game(message)
        self._seat = OneSeat(self._hand, view, names)
        self._session.send_game(self._seat.begins())

    def observe(self, view: View, event: Event) -> None:
        """Queue an event; the program gets it before its next decision."""
        if self._process is not None and self._seat is not None:
            self._session.send_game(self._seat.happened(view, event))

    def end(self, view: View) -> None:
        """Queue the end of the hand; the program gets it before its next decision."""
        if self._process is not None and self._seat is not None:
            self._session.send_game(self._seat.over())
            self._process.write(self._session.take())

    def act(self, view: View) -> Action:
        """Wait for the program's answer.

        Raises `NotAnAction`, `TimeoutError` or `Disconnected`.
        """
        if self._process is None or self._seat is None:
            raise Disconnected(self._gone)
        self._turn += 1
        began = time.monotonic()
        deadline = began + self._decision_seconds
        clock = TurnClock(turn=str(self._turn), ms=round(1000 * self._decision_seconds), bank_ms=0)
        self._session.send_game(self._seat.asks(clock))
        try:
            action = self._answer(self._process, self._seat.state, deadline)
        except Disconnected as problem:
            self._drop(str(problem))
            raise
        except TimeoutError:
            self._late += 1
            self._late_in_a_row += 1
            if self._late_in_a_row == MOST_LATE:
                self._drop(f"it was late {MOST_LATE} times in a row and was ended")
            why = f"no answer in {self._decision_seconds:g} s{self._malformed_words()}"
            raise TimeoutError(why) from None
        self._late_in_a_row = 0
        self._seconds.append(time.monotonic() - began)
        return action

    def answers(self, questions: Sequence[AskStrategy]) -> list[StrategyMessage]:
        """Return what the program says it would do, in the order of the questions.

        Raises `TimeoutError` if it does not answer, and `Disconnected` if it has ended.
        """
        if self._process is None:
            raise Disconnected(self._gone)
        for question in questions:
            self._session.send_game(question)
        self._has_ponged = False
        self._session.ping(1)
        began = time.monotonic()
        deadline = began + self._decision_seconds
        by_question: dict[str, StrategyMessage] = {}
        wanted = {question.ask for question in questions}
        try:
            for _ in range(MOST_OTHER):
                while self._requests:
                    request = self._requests.popleft()
                    if isinstance(request, StrategyMessage) and request.ask in wanted:
                        by_question[request.ask] = request
                    else:
                        self._reply(request)
                if by_question.keys() == wanted:
                    return [by_question[question.ask] for question in questions]
                if self._has_ponged and not by_question:  # it has read the questions as well
                    deadline = min(deadline, time.monotonic() + PASSED_OVER_SECONDS)
                    self._has_ponged = False
                self._exchange(self._process, deadline)
        except Disconnected as problem:
            self._drop(str(problem))
            raise
        except TimeoutError:
            seconds = deadline - began
            why = f"no answer to ask_strategy in {seconds:.2g} s{self._malformed_words()}"
            raise TimeoutError(why) from None
        raise Disconnected(f"it sent {MOST_OTHER} messages that are no answer and was ended")

    def _answer(self, process: BotProcess, state: HandState, deadline: float) -> Action:
        """Return the program's action for this turn."""
        refused = 0
        for _ in range(MOST_OTHER):
            request = self._next_request(process, deadline)
            if not isinstance(request, ActMessage):
                self._reply(request)
            elif request.turn != str(self._turn):
                self._stale += 1
                self._refuse(ErrorCode.STALE, f"turn {request.turn} is over", request)
            else:
                try:
                    return chosen_action(request, state)
                except IllegalAction as problem:
                    refused += 1
                    self._refused += 1
                    self._refuse(ErrorCode.ILLEGAL_ACTION, str(problem), request, deadline)
                    if refused == MOST_REFUSED:
                        raise NotAnAction(f"{problem}; refused {refused} times") from None
        raise Disconnected(f"it sent {MOST_OTHER} messages that are no answer and was ended")

    def _next_request(self, process: BotProcess, deadline: float) -> GameRequest:
        """Send the pending bytes, and wait for a message about the game."""
        while not self._requests:
            self._exchange(process, deadline)
        return self._requests.popleft()

    def _exchange(self, process: BotProcess, deadline: float) -> None:
        """Send what is pending, and read some of what the program sends."""
        process.write(self._session.take())
        self._take(self._session.receive(process.read(deadline)))

    def _take(self, outcomes: list[Outcome]) -> None:
        """Carry out what the session asks for. Raises `Disconnected` if it closes."""
        for outcome in outcomes:
            match outcome:
                case LogIn(hello):
                    identity = Identity("bot", PlayerKind.BOT, version=hello.version or "")
                    self._take(self._session.accepted(identity))
                case Deliver(request):
                    self._requests.append(request)
                case Close(code):
                    why = f"it was closed with {code.value}: {code.name.lower()}"
                    raise Disconnected(f"{why}{self._malformed_words()}")
                case Lag():
                    self._has_ponged = True
                case Gone():
                    pass

    def _reply(self, request: GameRequest) -> None:
        """Answer a message that is not an action; at this table there is nothing to choose."""
        match request:
            case EnterQueue():
                pass  # it is seated already
            case AskLobby():
                self._session.send_game(self._lobby())
            case _:
                self._refuse(ErrorCode.SEATED, f"{request.type}: a local match is being played")

    def _lobby(self) -> Lobby:
        """Return a lobby with one queue, for programs that ask for one."""
        if self._game is None:
            return Lobby(queues=[], tables=[], house=[])
        queue = QueueInfo(queue=TABLE, format=self._game, waiting=0, tournaments=0)
        return Lobby(queues=[queue], tables=[], house=[])

    def _refuse(
        self,
        code: ErrorCode,
        text: str,
        action: ActMessage | None = None,
        deadline: float | None = None,
    ) -> None:
        left = None if deadline is None else max(0, round(1000 * (deadline - time.monotonic())))
        error = ErrorMessage(
            code=code,
            text=text,
            sent=None if action is None else client_line(action).decode().rstrip(),
            turn=None if action is None else action.turn,
            action=None if action is None else action.action,
            ms_left=left,
        )
        self._session.refuse(error)

    def _names_by_seat(self, rules: Rules) -> tuple[str, ...]:
        people = self._people or tuple(range(rules.seats))
        return tuple(
            self._names[number] if number < len(self._names) else f"player {number + 1}"
            for number in people
        )

    def _report(self) -> PlayReport:
        times = np.frombuffer(self._seconds, np.float32) * 1000
        p50, p95, worst = (
            np.quantile(times, (0.5, 0.95, 1.0)).round(3).tolist() if times.size else (None,) * 3
        )
        return PlayReport(
            decisions=len(times),
            p50_ms=p50,
            p95_ms=p95,
            worst_ms=worst,
            time_outs=self._late,
            refused=self._refused,
            stale=self._stale,
        )

    def _malformed_so_far(self) -> tuple[int, str]:
        """Return how many lines since the first reset were no messages, and the first of them."""
        session = self._session
        first = self._first_malformed or session.first_malformed
        return self._malformed + session.malformed, first

    def _malformed_words(self) -> str:
        count, first = self._malformed_so_far()
        return f"; malformed {count:,}, the first: {first}" if count else ""

    def _drop(self, why: str) -> None:
        """Give up on the program; ``why`` is logged."""
        process, self._process, self._gone = self._process, None, why
        self._requests.clear()
        self._seat = None
        if process is not None:
            process.close()


def _words(report: PlayReport) -> str:
    """Return a report as one line."""
    times = ""
    if report.worst_ms is not None:
        times = (
            f", half of them within {report.p50_ms:.3g} ms, 95 % within {report.p95_ms:.3g} ms,"
            f" the slowest {report.worst_ms:.3g} ms"
        )
    return (
        f"{report.decisions:,} decisions{times}; late {report.time_outs},"
        f" refused {report.refused}, stale {report.stale}"
    )
