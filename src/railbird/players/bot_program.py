"""A player of any game that is a program, by the tournament server's protocol on standard input.

`acpc` is the form for the ACPC protocol.

The program gets the messages that the server would send it, with the same ids and refusals.
Whatever it does, the match continues, and the arena counts its faults:

- an action that the rules refuse: an error, and another answer within the time; after
  `MOST_REFUSED` of them the decision is illegal;
- an action for another turn: `stale`, and ignored;
- no answer in time: late; after `MOST_LATE` decisions in a row the program is ended;
- a line that is no message: passed over as on the server, where the turn goes on, and mentioned in
  the words of a late decision and of the end;
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
    HistoryEntry,
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
    entry_of,
)
from railbird.units import Chips

# Time limits and sizes for programs that play on standard input and output.


HELLO_SECONDS: Final = 60.0
"""Limit for a program to start and greet; large ones load their strategies first."""

DECISION_SECONDS: Final = 40.0
"""Default limit for a decision, the same as the tournament server's."""

MOST_LATE: Final = 3
"""Consecutive late decisions after which a program is ended."""

MOST_REFUSED: Final = 3
"""Refused actions in one turn after which the turn counts as failed: a program without memory
would send the same one for ever."""

MOST_OTHER: Final = 1000
"""Messages during one decision that are no answer, after which a program is ended."""

PASSED_OVER_SECONDS: Final = 2.0
"""Limit for an answer to a question behind which a ping has been answered."""

READ_BYTES: Final = 1 << 16
"""Bytes read at once."""

STACKS_IN_BIG_BLINDS: Final = 10_000
"""Stacks sent if the rules have none, as in the ACPC's limit matches: nobody can lose them."""


# What a program at one seat is told of a hand, in the messages of the tournament server.


TABLE = "local"
"""Name of the only table."""


class OneSeat:
    """A hand as the program's seat sees it, followed event by event."""

    def __init__(self, hand: int, view: View, names: tuple[str, ...]) -> None:
        self._me = names[view.seat]
        self._hand = hand
        self._holders = tuple(
            SeatHolder(name, PlayerKind.BOT, chair) for chair, name in enumerate(names)
        )
        self._has_stacks = view.rules.stacks is not None
        self._state = view.state
        if not self._has_stacks:
            dealt = DealHoles(view.state.holdings)
            self._state = step(initial(_with_stacks(view.rules)), dealt)
        self._history: list[HistoryEntry] = []

    def begins(self) -> GameMessage:
        """Return the message with which the hand begins."""
        return self._told(HandStart(self._moment()))

    def happened(self, view: View, event: Event) -> GameMessage:
        """Return the message for an event that the seat has seen."""
        before = self._state
        self._state = view.state if self._has_stacks else step(before, event)
        if (entry := entry_of(event, before, self._state)) is not None:
            self._history.append(entry)
        return self._told(HandStep(self._moment(), event, before))

    def asks(self, clock: TurnClock) -> GameMessage:
        """Return the seat's turn."""
        return self._told(TurnStart(self._moment(), clock))

    def asks_strategy(self, ask: str, holdings: Sequence[str]) -> AskStrategy:
        """Return the question what the seat would do with some holdings."""
        turn = self.asks(TurnClock(turn=ask, ms=0, bank_ms=0))
        assert isinstance(turn, Turn)
        return AskStrategy(
            ask=ask, hand=turn.hand, pots=turn.pots, legal=turn.legal, holdings=list(holdings)
        )

    def copy(self) -> OneSeat:
        """Return a hand that goes on by itself from here."""
        copied = copy(self)
        copied._history = self._history.copy()
        return copied

    def over(self) -> GameMessage:
        """Return the message with which the hand ends.

        Parts of a chip, as the ACPC's rules pay them where more than two split, are left out.
        """
        state = self._state
        had = state.rules.stacks
        assert had is not None
        stacks = tuple(
            Chips(int(stack + won)) for stack, won in zip(had, payoffs(state), strict=True)
        )
        return self._told(HandEnd(self._moment(), stacks))

    @property
    def state(self) -> HandState:
        """The hand as the seat sees it, always with stacks."""
        return self._state

    def _moment(self) -> HandMoment:
        return HandMoment(TABLE, self._hand, self._state, self._holders, tuple(self._history))

    def _told(self, event: TableEvent) -> GameMessage:
        message = told(event, self._me)
        assert message is not None  # the hole cards alone are told otherwise
        return message


def _with_stacks(rules: Rules) -> Rules:
    stack = Chips(STACKS_IN_BIG_BLINDS * max(rules.blinds))
    return replace(rules, stacks=(stack,) * rules.seats)


def seated(rules: Rules, names: tuple[str, ...], *, limit_ms: int) -> Seated:
    """Return the message about the table and its players, in the order of seats."""
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
        """Queue bytes for the next `read` or `close`."""
        self._outbox += data

    def read(self, deadline: float) -> bytes:
        """Return the next bytes, writing queued messages meanwhile.

        A program that writes without reading is read all the same, so that neither waits for the
        other. ``deadline`` is on the clock of `time.monotonic`. Raises `TimeoutError`, or
        `ConnectionClosed` if the program has closed its output.
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
        """Write queued messages if the program reads them, and close its input."""
        with selectors.DefaultSelector() as writable, suppress(Disconnected):
            writable.register(self._in, selectors.EVENT_WRITE)
            while self._outbox and writable.select(_SECONDS_TO_TAKE_LEAVE):
                self._write()
        self._outbox.clear()
        self._in.close()

    def close(self) -> None:
        """Hang up and end the program."""
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
    """Plays through a program, which is restarted at each reset so that it forgets."""

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

        Raises `Disconnected` or `TimeoutError` if it does not.
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
        """End the program, and log its speed and its refused actions."""
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
        """Set the time limit of a decision; None for that of the tournament server."""
        self._decision_seconds = DECISION_SECONDS if seconds is None else seconds

    def deal(self, cards: NDArray[np.uint8]) -> None:
        """Ignore the deal: the program learns what its seat sees from the view."""

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set the names of the players, by number."""
        self._names = names

    def meet(self, people: tuple[int, ...]) -> None:
        """Set the players of the next hand, by seat."""
        self._people = people

    def begin(self, view: View) -> None:
        """Tell the program that a hand begins, and first who plays where that has changed."""
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
        """Tell the program of an event, before its next decision."""
        if self._process is not None and self._seat is not None:
            self._session.send_game(self._seat.happened(view, event))

    def end(self, view: View) -> None:
        """Tell the program how the hand ended, before its next decision."""
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
        """Return what the program says that it would do, in the order of the questions.

        Raises `TimeoutError` if it does not say, `Disconnected` if it has ended.
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
                if self._has_ponged and not by_question:  # it has read the questions, too
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
        """Return the program's action in this turn."""
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
        """Send the pending bytes, and wait for a message of the game."""
        while not self._requests:
            self._exchange(process, deadline)
        return self._requests.popleft()

    def _exchange(self, process: BotProcess, deadline: float) -> None:
        """Send what is to be sent, and read some of what the program sends."""
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
        """Answer a message that is no action; at this table there is nothing to choose."""
        match request:
            case EnterQueue():
                pass  # it has been seated
            case AskLobby():
                self._session.send_game(self._lobby())
            case _:
                self._refuse(ErrorCode.SEATED, f"{request.type}: a local match is being played")

    def _lobby(self) -> Lobby:
        """Return a lobby with one queue, for programs that look for one."""
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
        """Return how many lines were no message since the first reset, and the first of them."""
        session = self._session
        first = self._first_malformed or session.first_malformed
        return self._malformed + session.malformed, first

    def _malformed_words(self) -> str:
        count, first = self._malformed_so_far()
        return f"; malformed {count:,}, the first: {first}" if count else ""

    def _drop(self, why: str) -> None:
        """Give up the program, for a reason."""
        process, self._process, self._gone = self._process, None, why
        self._requests.clear()
        self._seat = None
        if process is not None:
            process.close()


def _words(report: PlayReport) -> str:
    """Return a report in one line."""
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
