"""A player of any game that is an external program, reached through the ACPC protocol.

`bot_program` does the same for programs that speak the tournament server's protocol.

Programs of the Annual Computer Poker Competition connect to a dealer. This is the dealer's side of
that connection, for one seat. The match goes on whatever a program does, and the arena counts its
faults:

- an answer that is no action of the game, or one that the rules refuse: illegal;
- an answer to another state than the current one (stale, late or invented), and any line that is
  not an answer: ignored, but no more than `MOST_PASSED_OVER` of them for one decision;
- no answer in time: late; after `MOST_LATE` decisions in a row the program is ended;
- a program that has exited: each of its decisions is an exception, until the next reset.
"""

from __future__ import annotations

import shlex
import shutil
import socket
import time
from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird._option_fields import Description
from railbird.acpc import (
    VERSION_LINE,
    AcpcLink,
    ClientConnection,
    ConnectionClosed,
    DealerConnection,
    Disconnected,
    MatchState,
    action_text,
    is_comment,
    launch,
    parse_answer,
    parse_state,
    read_action,
)
from railbird.acpc.matchstate import (
    DEALER_CONNECT_SECONDS,
    DECISION_SECONDS,
    MOST_LATE,
    MOST_PASSED_OVER,
    PROGRAM_CONNECT_SECONDS,
)
from railbird.errors import BadInput, IllegalAction, RailbirdError
from railbird.game import Action, DealHoles, Event, Phase, Rules, View
from railbird.players.audience import notify
from railbird.players.protocol import NotAnAction, Observer, Player
from railbird.players.seeds import SEED_VARIABLE, seed_text


class Connected(Protocol):
    """A connected program that has sent its greeting, whether started here or elsewhere."""

    link: AcpcLink

    def close(self) -> None:
        """Close the connection, and end the process if one was started for it."""


class AcpcPlayer:
    """Plays through an ACPC program, which it starts afresh at each reset.

    The protocol has no reset, so a restart is the only way to make a program forget. The
    competition's duplicate matches did the same. Hands are then counted from 0 again.
    """

    def __init__(
        self,
        command: Annotated[
            str,
            Description(
                "the program to start",
                allowed="a program and its arguments; the host and the port are appended",
            ),
        ] = "",
        *,
        connect_seconds: float = PROGRAM_CONNECT_SECONDS,
    ) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as problem:
            raise BadInput(f"acpc:{command}: {str(problem).lower()}") from None
        if not self._command:
            raise BadInput(
                "acpc: no program; allowed: acpc:PROGRAM, with arguments if it needs any"
            )
        if shutil.which(self._command[0]) is None:
            raise BadInput(f"acpc:{command}: {self._command[0]} is not an executable program")
        self._connect_seconds = connect_seconds
        self._begin_with(None)

    def _begin_with(self, program: Connected | None) -> None:
        self._decision_seconds = DECISION_SECONDS
        self._program = program
        self._gone = "it was not started"
        self._hand = -1
        self._late = 0
        self._cards: NDArray[np.uint8] = np.empty(0, np.uint8)
        self._telling: DealerConnection | None = None
        self._told: MatchState | None = None

    def reset(self, rng: np.random.Generator) -> None:
        """Restart the program, with the seed of ``rng`` in its environment.

        Raises `Disconnected` if it does not connect.
        """
        self._drop("it has not connected")
        self._hand, self._late = -1, 0
        self._program = launch(
            self._command,
            environment={SEED_VARIABLE: seed_text(rng)},
            seconds=self._connect_seconds,
        )

    def close(self) -> None:
        """End the program."""
        self._drop("it was ended")

    def supports(self, rules: Rules, *, carries_over: bool = False) -> str | None:
        """Refuse games in which the program would need to know the stacks."""
        return (
            "the ACPC's protocol does not transmit stacks; allowed: matches"
            if carries_over
            else None
        )

    def allow(self, seconds: float | None) -> None:
        """Set the time limit for a decision in seconds; None for the competition's limit."""
        self._decision_seconds = DECISION_SECONDS if seconds is None else seconds

    def deal(self, cards: NDArray[np.uint8]) -> None:
        """Set the cards of the next hand."""
        self._cards = cards

    def begin(self, view: View) -> None:
        """Tell the program that a hand begins."""
        self._hand += 1
        self._telling = DealerConnection(
            view.rules, seat=view.seat, hand=self._hand, cards=self._cards
        )
        self.observe(view, DealHoles(view.state.holdings))

    def observe(self, view: View, event: Event) -> None:
        """Report an event to the program before its next decision or the end of the hand."""
        if self._program is None or self._telling is None:
            return
        message = self._telling.happened(view.state, event)
        if message is not None:
            self._told = message
            self._program.link.send(str(message))

    def end(self, view: View) -> None:
        """Send the program the end of the hand, if it has not had it."""
        if self._program is None:
            return
        try:
            self._program.link.flush()
        except Disconnected as problem:
            self._drop(str(problem))
            raise

    def act(self, view: View) -> Action:
        """Wait for the program's answer.

        Raises `NotAnAction`, `TimeoutError` or `Disconnected`.
        """
        if self._program is None:
            raise Disconnected(self._gone)
        try:
            answer = self._answer(self._program)
        except Disconnected as problem:
            self._drop(str(problem))
            raise
        except TimeoutError:
            self._late += 1
            if self._late == MOST_LATE:
                self._drop(f"it was late {MOST_LATE} times in a row and was ended")
            raise TimeoutError(f"no answer in {self._decision_seconds:g} s") from None
        self._late = 0
        try:
            return read_action(view.state, answer)
        except IllegalAction as problem:
            raise NotAnAction(str(problem)) from None

    def _answer(self, program: Connected) -> str:
        """Return the text of the program's action in answer to the last message."""
        deadline = time.monotonic() + self._decision_seconds
        prefix = f"{self._told}:"
        for _ in range(MOST_PASSED_OVER):
            line = program.link.receive(deadline=deadline)
            if line.startswith(prefix):  # the usual case; some rephrase the state
                return line.removeprefix(prefix).rstrip()
            answer = None if is_comment(line) else parse_answer(line)
            if answer is not None and parse_state(answer.state) == self._told:
                return answer.action
        raise Disconnected(f"it sent {MOST_PASSED_OVER} irrelevant lines and was ended")

    def _drop(self, why: str) -> None:
        """Give up on the program; ``why`` is logged."""
        program, self._program, self._gone = self._program, None, why
        if program is not None:
            program.close()


class AcpcGuest(AcpcPlayer):
    """Plays through a program that connected on its own, for as long as it stays."""

    def __init__(self, program: Connected) -> None:
        self._connect_seconds = 0.0
        self._begin_with(program)

    def reset(self, rng: np.random.Generator) -> None:
        """Refuse: the protocol has no reset."""
        raise Disconnected("a guest cannot be restarted")


# Our own players as clients of an ACPC dealer, whether ours or another one.


def connect(host: str, port: int) -> AcpcLink:
    """Connect to a dealer. Raises `OSError`."""
    connection = socket.create_connection((host, port), DEALER_CONNECT_SECONDS)
    connection.setsockopt(
        socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1
    )  # to notice a dealer that vanishes
    return AcpcLink(connection)


def sit_down(player: Player, rules: Rules, link: AcpcLink, rng: np.random.Generator) -> int:
    """Play until the dealer disconnects, and return the number of hands.

    The protocol does not send the rules of the game, so ``rules`` must match the dealer's.

    Raises `BadInput` for messages that are impossible in this game, `RailbirdError` if the player
    fails, `Disconnected` for a broken connection.
    """
    following = ClientConnection(rules)
    observer = player if isinstance(player, Observer) else None
    player.reset(rng)
    hands = 0
    try:
        link.send(VERSION_LINE)
        while True:
            line = link.receive()
            if not line.startswith("MATCHSTATE:"):
                continue
            for seen, event in following.read(parse_state(line)):
                hands += isinstance(event, DealHoles)
                if observer is not None:
                    notify(observer, seen, event)
                    if seen.state.phase is Phase.OVER:
                        observer.end(seen)
            view = following.view
            if view is not None and view.state.actor == view.seat:
                link.send(f"{line}:{_answer(player, view)}")
    except ConnectionClosed:
        return hands
    finally:
        link.close()


def _answer(player: Player, view: View) -> str:
    try:
        return action_text(view.state, player.act(view))
    except Exception as problem:
        raise RailbirdError(f"the player failed: {type(problem).__name__}: {problem}") from problem
