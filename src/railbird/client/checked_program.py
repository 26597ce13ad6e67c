"""A program under test, as the server sees it; its lines are numbered, to name the wrong one."""

from __future__ import annotations

import time
from collections import deque

from railbird import __version__
from railbird.acpc import Disconnected
from railbird.client.settings import TURN_SECONDS
from railbird.errors import BadInput, IllegalAction
from railbird.game import Action, HandState
from railbird.players.bot_program.one_seat import TABLE
from railbird.players.bot_program.process import BotProcess
from railbird.protocol import (
    Deliver,
    ErrorCode,
    Identity,
    Lag,
    LogIn,
    PlayerKind,
    ServerSession,
    SessionState,
    chosen_action,
    parse_server,
)
from railbird.protocol.messages.client import ActMessage, AskLobby, GameRequest
from railbird.protocol.messages.game import GameFormat, Lobby, QueueInfo
from railbird.protocol.messages.session import ErrorMessage
from railbird.protocol.session.lines import Lines
from railbird.protocol.settings import HELLO_SECONDS, LONGEST_TEXT

_MOST_OTHER = 100
"""Messages that are no action, in one turn."""


class WrongLine(Exception):
    """The program has done something wrong: the line, and why."""


class CheckedProgram:
    """A program that has said hello. Raises `WrongLine` if it does not."""

    def __init__(self, command: list[str]) -> None:
        self.process = BotProcess(command, {})
        self.session = ServerSession(server=f"railbird {__version__}")
        self.seconds: list[float] = []
        """Time of each decision."""
        self.game: GameFormat | None = None
        """What is played, for a program that asks for the lobby."""
        self.pongs: set[int] = set()
        """Numbers of the pings that it has answered."""
        self._lines = Lines()
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._read = 0
        self._last = ""
        deadline = time.monotonic() + HELLO_SECONDS
        try:
            while self.session.state is not SessionState.OPEN:
                self._take_line(deadline, f"no hello in {HELLO_SECONDS:g} s")
        except BaseException:
            self.process.close()
            raise

    def next_request(self, seconds: float, silence: str) -> GameRequest:
        """Send what is to be sent; return the program's next message of the game.

        Raises `WrongLine`, with ``silence`` if none comes in time.
        """
        deadline = time.monotonic() + seconds
        while True:
            request = self._take_line(deadline, silence)
            if request is not None:
                return request

    def action(self, turn: str, state: HandState) -> Action:
        """Wait for a legal answer to a turn. Raises `WrongLine` for anything else."""
        asked = time.monotonic()
        for _ in range(_MOST_OTHER):
            request = self.next_request(TURN_SECONDS, f"no answer to a turn in {TURN_SECONDS:g} s")
            if isinstance(request, ActMessage):
                self.seconds.append(time.monotonic() - asked)
                if request.turn != turn:
                    raise self.wrong(f"an action for turn {request.turn}; allowed: {turn}")
                try:
                    return chosen_action(request, state)
                except IllegalAction as problem:
                    raise self.wrong(str(problem)) from None
            elif isinstance(request, AskLobby) and self.game is not None:
                queue = QueueInfo(queue=TABLE, format=self.game, waiting=0, tournaments=0)
                self.session.send_game(Lobby(queues=[queue], tables=[], house=[]))
        raise self.wrong(f"{_MOST_OTHER} messages without an answer to the turn")

    def refuse(self, code: ErrorCode, text: str, turn: str | None = None) -> None:
        """Send an error."""
        self.session.refuse(ErrorMessage(code=code, text=text, turn=turn, action=1, ms_left=1000))

    def send_unknown(self) -> None:
        """Send a message of a later version, and one with a field of a later version."""
        self.session.send(b'{"type":"weather","sky":["blue"]}')
        self.session.send(b'{"type":"announcement","text":"Welcome!","colour":"red"}')

    def ends(self, seconds: float) -> str:
        """Send what is to be sent, hang up, and wait for the program to end; return how it did.

        Raises `WrongLine` if it does not.
        """
        self.process.write(self.session.take())
        self.process.hang_up()
        deadline = time.monotonic() + seconds
        try:
            while True:
                self.process.read(deadline)
        except TimeoutError:
            raise WrongLine(f"it still runs after {seconds:g} s, and was killed") from None
        except Disconnected as problem:
            return str(problem)

    def wrong(self, why: str) -> WrongLine:
        """Return the failure of the last line."""
        return WrongLine(f"{self._last}: {why}")

    def _take_line(self, deadline: float, silence: str) -> GameRequest | None:
        """Read a line; return it if it is a message of the game. Raises `WrongLine`."""
        line = self._next_line(deadline, silence)
        delivered = None
        for outcome in self.session.receive_message(line):
            if isinstance(outcome, LogIn):
                version = outcome.hello.version or ""
                self.session.accepted(Identity("bot", PlayerKind.BOT, version=version))
            elif isinstance(outcome, Deliver):
                delivered = outcome.message
            elif isinstance(outcome, Lag):
                self.pongs.add(outcome.n)
        replies = self.session.take()
        self.process.write(replies)
        for reply in replies.splitlines():
            message = parse_server(reply)
            if isinstance(message, ErrorMessage):
                raise self.wrong(message.text)
        return delivered

    def _next_line(self, deadline: float, silence: str) -> bytes:
        self.process.write(self.session.take())
        try:
            while not self._waiting:
                for line in self._lines.feed(self.process.read(deadline)):
                    self._read += 1
                    self._waiting.append((self._read, line))
        except TimeoutError:
            raise WrongLine(silence) from None
        except (Disconnected, BadInput) as problem:
            raise WrongLine(str(problem)) from None
        number, line = self._waiting.popleft()
        self._last = f"line {number}, {_shown(line)}"
        return line


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", errors="replace")
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
