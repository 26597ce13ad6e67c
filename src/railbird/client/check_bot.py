"""A scripted server that tests a program over its standard input and output.

It plays hands of many kinds by the real rules, and also does what servers do: it pings, sends
messages that this version of the protocol does not know, refuses, reports that an action came too
late, begins with a snapshot as after a lost connection, and ends. A check that fails names the line
of the program that is wrong.
"""

from __future__ import annotations

import shlex
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from railbird import __version__
from railbird.acpc import Disconnected
from railbird.client.connection import EXIT_SECONDS, SHORT_SECONDS, TURN_SECONDS
from railbird.errors import BadInput, IllegalAction
from railbird.game import (
    Action,
    DealHoles,
    HandState,
    Rules,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
    seeded_deals,
    seen_by,
    view,
)
from railbird.game.deal import HandDealer
from railbird.players import Player, make_player
from railbird.players.bot_program import TABLE, BotProcess, OneSeat, seated
from railbird.protocol import (
    Deliver,
    ErrorCode,
    Identity,
    Input,
    Lag,
    LogIn,
    PlayerKind,
    ServerSession,
    SessionState,
    chosen_action,
    messages,
    parse_server,
)
from railbird.protocol.encoding import Lines
from railbird.protocol.redaction import TurnClock
from railbird.units import Seat

# A program under test, as the server sees it; its lines are numbered, to name the wrong one.


_MOST_OTHER = 100
"""Most messages in one turn that are no action."""


class WrongLine(Exception):
    """The program has done something wrong: the line, and why."""


class CheckedProgram:
    """A program that has said hello. Raises `WrongLine` if it does not."""

    def __init__(self, command: list[str]) -> None:
        self.process = BotProcess(command, {})
        self.session = ServerSession(server=f"railbird {__version__}")
        self.seconds: list[float] = []
        """Time of each decision."""
        self.game: messages.GameFormat | None = None
        """The games on offer, for a program that asks for the lobby."""
        self.pongs: set[int] = set()
        """Numbers of the pings that it has answered."""
        self.shares: set[str] = set()
        """What it has given to seeds."""
        self._lines = Lines()
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._read = 0
        self._last = ""
        deadline = time.monotonic() + messages.HELLO_SECONDS
        try:
            while self.session.state is not SessionState.OPEN:
                self._take_line(deadline, f"no hello in {messages.HELLO_SECONDS:g} s")
        except BaseException:
            self.process.close()
            raise

    def next_request(self, seconds: float, silence: str) -> messages.GameRequest:
        """Send pending messages; return the program's next message of the game.

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
            if isinstance(request, messages.ActMessage):
                self.seconds.append(time.monotonic() - asked)
                if request.turn != turn:
                    raise self.wrong(f"an action for turn {request.turn}; allowed: {turn}")
                try:
                    return chosen_action(request, state)
                except IllegalAction as problem:
                    raise self.wrong(str(problem)) from None
            elif isinstance(request, messages.AskLobby) and self.game is not None:
                queue = messages.QueueInfo(queue=TABLE, format=self.game, waiting=0, tournaments=0)
                self.session.send_game(messages.Lobby(queues=[queue], tables=[], house=[]))
        raise self.wrong(f"{_MOST_OTHER} messages without an answer to the turn")

    def refuse(self, code: ErrorCode, text: str, turn: str | None = None) -> None:
        """Send the program an error message."""
        self.session.refuse(
            messages.ErrorMessage(code=code, text=text, turn=turn, action=1, ms_left=1000)
        )

    def send_unknown(self) -> None:
        """Send a message of a later version, and one with a field of a later version."""
        self.session.send(b'{"type":"weather","sky":["blue"]}')
        self.session.send(b'{"type":"announcement","text":"Welcome!","colour":"red"}')

    def ends(self, seconds: float) -> str:
        """Send pending messages, hang up, and wait for the program to end; return how it did.

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

    def _take_line(self, deadline: float, silence: str) -> messages.GameRequest | None:
        """Read a line; return it if it is a message of the game. Raises `WrongLine`."""
        line = self._next_line(deadline, silence)
        delivered = None
        for outcome in self.session.receive_message(line):
            if isinstance(outcome, LogIn):
                version = outcome.hello.version or ""
                self.session.accepted(Identity("bot", PlayerKind.BOT, version=version))
            elif isinstance(outcome, Deliver):
                delivered = outcome.message
                if isinstance(delivered, messages.SeedShare):
                    self.shares.add(delivered.share)
            elif isinstance(outcome, Lag):
                self.pongs.add(outcome.n)
        replies = self.session.take()
        self.process.write(replies)
        for reply in replies.splitlines():
            message = parse_server(reply)
            if isinstance(message, messages.ErrorMessage):
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
    return text if len(text) <= messages.LONGEST_TEXT else f"{text[: messages.LONGEST_TEXT - 1]}…"


# The server's script.


_TABLES: tuple[tuple[str, Callable[[], Rules], int], ...] = (
    ("no-limit heads-up", lambda: no_limit_holdem(2, blinds=(50, 100), stack=20_000), 100),
    (
        "no-limit, six seats, short stacks and antes",
        lambda: no_limit_holdem(6, blinds=(10, 20), stack=[35, 400, 90, 21, 1500, 150], ante=2),
        60,
    ),
    ("pot-limit, three seats", lambda: pot_limit_holdem(3, blinds=(1, 2), stack=200), 40),
    ("limit, nine seats", lambda: limit_holdem(9, stack=300), 40),
)
"""Tables at which a program is tried: name, rules and number of hands."""

_OPPONENTS = ("random", "always-call", "always-raise")
_MS = 5_000


@dataclass(frozen=True, slots=True)
class BotCheck:
    """Something that a program has to do."""

    name: str
    passed: bool
    detail: str = ""
    """What went wrong, with the line; or how it went."""
    is_advice: bool = False
    """True if a program can play without it, but worse."""


def check_bot(command: str, *, seed: int = 0) -> Iterator[BotCheck]:
    """Try a program out, one check after the other; the rest is left out where it has ended.

    Raises `BadInput` if it cannot be started.
    """
    words = _words(command)
    try:
        program = CheckedProgram(words)
    except WrongLine as wrong:
        yield BotCheck("says hello and logs in", False, str(wrong))
        return
    yield BotCheck("says hello and logs in", True)
    try:
        script = _Script(program, seed)
        for name, is_advice, check in script.checks():
            try:
                yield BotCheck(name, True, check())
            except WrongLine as wrong:
                yield BotCheck(name, False, str(wrong), is_advice)
                if not is_advice:
                    return
    finally:
        program.process.close()
    yield from _after_a_cut(words, seed)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise BadInput(f"{command}: {str(problem).lower()}") from None
    if not words or shutil.which(words[0]) is None:
        raise BadInput(f"{command}: {words[0] if words else 'nothing'} is not a program")
    return words


class _Script:
    """The steps that a program has to go through."""

    def __init__(self, program: CheckedProgram, seed: int) -> None:
        self._program = program
        self._rng = np.random.default_rng(seed)
        self._hands = self._turns = 0

    def checks(self) -> Iterator[tuple[str, bool, Callable[[], str]]]:
        """Yield names, whether they are advice, and checks that return how it went."""
        for name, rules, hands in _TABLES:
            yield f"plays {name}", False, lambda r=rules, n=hands: self._play(r(), n)  # type: ignore[misc]
        yield "answers pings", False, self._ping
        yield "gives a share of the seed, so that nobody can choose its cards", True, self._share
        yield "ignores messages and fields that it does not know", False, self._unknown
        yield "goes on after a late action", False, self._stale
        yield "acts again after a refused action", True, self._refused
        yield "exits when the server closes", False, self._close

    def _play(self, rules: Rules, hands: int) -> str:
        program = self._program
        before = len(program.seconds)
        for number in range(hands):
            self._hand(rules, Seat(number % rules.seats))
        times = program.seconds[before:]
        if not times:
            return f"{hands} hands without a decision"
        return f"{hands} hands, {len(times)} decisions, the slowest {1000 * max(times):.0f} ms"

    def _hand(self, rules: Rules, me: Seat) -> None:
        """Play a hand against simple players."""
        program = self._program
        self._hands += 1
        names = tuple("bot" if seat == me else f"opponent {seat}" for seat in range(rules.seats))
        message = seated(rules, names, limit_ms=_MS)
        program.game = message.table.format
        program.session.send_game(message)
        opponents: list[Player] = []
        for seat in range(rules.seats):
            opponents.append(make_player(_OPPONENTS[(seat + self._hands) % len(_OPPONENTS)]))
            opponents[-1].reset(self._rng)
        row = seeded_deals(self._rng, seats=rules.seats, deals=1)[0]
        dealer = HandDealer.of_row(rules, row)
        dealt, *rest = dealer.begin()
        hand = OneSeat(self._hands, view(dealt.after, me), names)
        program.session.send_game(hand.begins())
        while True:
            for event, _, state in rest:
                if not isinstance(event, DealHoles):
                    program.session.send_game(hand.happened(view(state, me), seen_by(event, me)))
            if (actor := dealer.asks) is None:
                break
            if actor == me:
                action = self._ask(hand)
            else:
                action = opponents[actor].act(view(dealer.state, actor))
            rest = dealer.act(action)
        program.session.send_game(hand.over())

    def _ask(self, hand: OneSeat) -> Action:
        turn = self._next_turn()
        clock = TurnClock(turn=turn, ms=_MS, bank_ms=0)
        self._program.session.send_game(hand.asks(clock))
        return self._program.action(turn, hand.state)

    def _next_turn(self) -> str:
        self._turns += 1
        return f"turn-{self._turns}"

    def _turn_of_a_new_hand(self) -> tuple[str, OneSeat]:
        """Send a hand in which the program is to act, and its turn."""
        rules = no_limit_holdem(2, blinds=(50, 100), stack=20_000)
        me, names = Seat(1), ("opponent", "bot")
        row = seeded_deals(self._rng, seats=2, deals=1)[0]
        dealer = HandDealer.of_row(rules, row)
        dealer.begin()
        self._hands += 1
        hand = OneSeat(self._hands, view(dealer.state, me), names)
        self._program.session.send_game(hand.begins())
        turn = self._next_turn()
        clock = TurnClock(turn=turn, ms=_MS, bank_ms=0)
        self._program.session.send_game(hand.asks(clock))
        return turn, hand

    def _ping(self) -> str:
        program, number = self._program, 471_100
        program.session.ping(number)
        turn, hand = self._turn_of_a_new_hand()
        program.action(turn, hand.state)
        if number not in program.pongs:
            raise WrongLine(f"no pong with n = {number} before the next action")
        return ""

    def _share(self) -> str:
        program = self._program
        for commitment in ("00" * 32, "ff" * 32):
            question = messages.AskShare(game=TABLE, commitment=commitment, ms=_MS)
            program.session.send_game(question)
        turn, hand = self._turn_of_a_new_hand()
        program.action(turn, hand.state)
        if len(program.shares) < 2:
            count = len(program.shares)
            raise WrongLine(f"{count} different shares of two seeds before the next action")
        return ""

    def snapshot(self) -> str:
        """Send a snapshot with the program's turn, as the first message of the game."""
        rules = no_limit_holdem(2, blinds=(50, 100), stack=20_000)
        names = ("opponent", "bot")
        dealer = HandDealer.of_row(rules, seeded_deals(self._rng, seats=2, deals=1)[0])
        dealer.begin()
        hand = OneSeat(7, view(dealer.state, Seat(1)), names)
        turn = hand.asks(TurnClock(turn="turn-99", ms=_MS, bank_ms=0))
        assert isinstance(turn, messages.Turn)
        info = seated(rules, names, limit_ms=_MS).table
        self._program.game = info.format
        self._program.session.send_game(messages.Snapshot(table=info, hand=turn.hand, turn=turn))
        self._program.action("turn-99", hand.state)
        return ""

    def _unknown(self) -> str:
        self._program.send_unknown()
        self._hand(no_limit_holdem(2, blinds=(50, 100), stack=20_000), Seat(1))
        return ""

    def _stale(self) -> str:
        self._program.refuse(ErrorCode.STALE, "turn turn-0 is over", "turn-0")
        self._hand(no_limit_holdem(2, blinds=(50, 100), stack=20_000), Seat(1))
        return ""

    def _refused(self) -> str:
        turn, hand = self._turn_of_a_new_hand()
        self._program.action(turn, hand.state)
        self._program.refuse(ErrorCode.ILLEGAL_ACTION, "refused, as a test", turn)
        request = self._program.next_request(
            SHORT_SECONDS, "no other action: on a server its clock runs out, and it is frozen"
        )
        if not isinstance(request, messages.ActMessage) or request.turn != turn:
            raise self._program.wrong(f"another action for turn {turn} was expected")
        return ""

    def _close(self) -> str:
        program = self._program
        program.session.happens(Input.RESTART, "the check is over")
        return program.ends(EXIT_SECONDS)


def _after_a_cut(words: list[str], seed: int) -> Iterator[BotCheck]:
    """Start the program anew, in the middle of a hand: its turn comes in a snapshot."""
    name = "acts in a snapshot, after its connection was cut"
    try:
        program = CheckedProgram(words)
        try:
            script = _Script(program, seed)
            yield BotCheck(name, True, script.snapshot())
        finally:
            program.process.close()
    except WrongLine as wrong:
        yield BotCheck(name, False, str(wrong))
