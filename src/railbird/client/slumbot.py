"""One of our players at a server that speaks Slumbot's interface: heads-up, over HTTP.

The client asks the server for a hand. The server answers each action with its player's reply; see
`docs/referee.md` for the form. Our own rules replay the answers, so a player sees the same views
here as anywhere, and an answer that contradicts the rules ends the visit with a line.

A request that may not have arrived is not repeated unchanged, since an action that did arrive would
then count twice. Instead the client asks for the open hand: our server continues it. Another server
may deal a new one, and then the hand before is lost, and counted.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

from railbird.arena.guarded_player import (
    DEFAULT_FAULTS,
    FaultTally,
    GuardedPlayer,
    close_all,
)
from railbird.cards import Card, Holding, format_cards, parse_cards, parse_holding
from railbird.errors import BadInput, RailbirdError
from railbird.estimates import Moments
from railbird.estimates.confidence_sequences import AnytimeInterval, confidence_sequence
from railbird.game import (
    Act,
    Action,
    Call,
    DealBoard,
    DealHoles,
    Event,
    Fold,
    HandState,
    Phase,
    Raise,
    View,
    initial,
    payoffs,
    step,
    view,
)
from railbird.game.actions import betting_action
from railbird.game.rules import BOARD_CARDS, HEADS_UP_NO_LIMIT
from railbird.histories import HandRecord, game_spec, read
from railbird.histories.acpc.log import state_line
from railbird.histories.protocol_errors import error_comment
from railbird.players import Player, meet, policy
from railbird.units import Chips, Seat

RULES: Final = HEADS_UP_NO_LIMIT
_LONGEST_ANSWER: Final = 1 << 16
_LONGEST_BETTING: Final = 2000
_TIMEOUT_S: Final = 60.0
_ATTEMPTS: Final = 8
_FIRST_PAUSE_S: Final = 0.25
_LONGEST_PAUSE_S: Final = 10.0


class _Lost(Exception):
    """The connection broke, and nobody knows whether the request arrived."""


class _Interface:
    """Requests with JSON bodies to an address, over one connection that is made again."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput(f"address {address!r}; allowed: http://HOST:PORT or https://HOST")
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        try:
            port = parts.port
        except ValueError:
            raise BadInput(f"address {address!r}; allowed: a port from 0 to 65535") from None
        self._connect = partial(kind, parts.hostname, port, timeout=_TIMEOUT_S)
        self._path = parts.path.rstrip("/")
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, verb: str, body: Mapping[str, object]) -> dict[str, Any]:
        """Send a request once. Raises `_Lost`; `RailbirdError` for an answer that is none."""
        if self._connection is None:
            self._connection = self._connect()
        try:
            self._connection.request(
                "POST",
                f"{self._path}/api/{verb}",
                json.dumps(body),
                {"Content-Type": "application/json"},
            )
            answer = self._connection.getresponse()
            # One byte more than allowed tells an answer that is too long from one that just fits.
            content = answer.read(_LONGEST_ANSWER + 1)
        except (OSError, http.client.HTTPException) as problem:
            self.close()
            raise _Lost(str(problem) or type(problem).__name__) from None
        # These answers come from a server in front of the real one, so nobody knows whether the
        # request arrived there.
        if answer.status in (429, 502, 503, 504):
            self.close()
            raise _Lost(f"the server answers {answer.status}")
        if len(content) > _LONGEST_ANSWER:
            raise RailbirdError(f"the server's answer is longer than {_LONGEST_ANSWER:,} bytes")
        try:
            reply = json.loads(content)
        except (ValueError, RecursionError):
            reply = None
        if answer.status != 200 or not isinstance(reply, dict):
            raise RailbirdError(f"the server answers {answer.status}, and no hand")
        return reply

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class _Hand:
    """The hand so far, from the server's answers."""

    def __init__(self, reply: Mapping[str, Any]) -> None:
        self.seat = Seat(int(reply["client_pos"]))
        if self.seat not in (0, 1):
            raise ValueError(f"client_pos {self.seat}")
        self.mine = parse_holding("".join(reply["hole_cards"]))
        self.theirs: Holding | None = None
        holdings: list[Holding | None] = [None, None]
        holdings[self.seat] = self.mine
        self.state: HandState = step(initial(RULES), DealHoles(tuple(holdings)))
        self.actions: list[Action] = []
        self.errors: list[tuple[int, str]] = []
        """Numbers of actions that replace an error of the player, and the errors."""
        self.board: tuple[Card, ...] = ()
        self._text = ""

    @property
    def view(self) -> View:
        """The hand as the player sees it."""
        return view(self.state, self.seat)

    def continues(self, reply: Mapping[str, Any]) -> bool:
        """Return whether an answer is of this hand."""
        text = str(reply.get("action"))
        # Two hands may begin with the same betting, in particular with none; the cards tell them
        # apart but for one time in 1,326.
        cards = parse_holding("".join(reply.get("hole_cards", ())))
        return text.startswith(self._text) and cards == self.mine

    def follow(self, reply: Mapping[str, Any]) -> list[tuple[View, Event]]:
        """Take the new events. Raises `ValueError` or `RailbirdError` for impossible ones."""
        text = str(reply["action"])
        if len(text) > _LONGEST_BETTING or not text.startswith(self._text):
            raise ValueError(f"the betting {text[:60]!r} does not go on from {self._text[:60]!r}")
        rest, self._text = text[len(self._text) :], text
        self.board = tuple(parse_cards("".join(map(str, reply["board"]))))
        if len(self.board) > 5:
            raise ValueError(f"a board of {len(self.board)} cards")
        news: list[tuple[View, Event]] = []
        position = 0
        while position < len(rest):
            letter, position = rest[position], position + 1
            if letter == "/":
                continue
            action: Action
            if letter == "f":
                action = Fold()
            elif letter in "kc":
                action = Call()
            elif letter == "b":
                end = position
                # Ten digits are more than any stack; `int` takes time in the square of their
                # number.
                while end < len(rest) and rest[end].isdecimal() and end < position + 10:
                    end += 1
                action, position = Raise(Chips(int(rest[position:end]))), end
            else:
                raise ValueError(f"the betting {text[:60]!r}")
            self.actions.append(action)
            news.append(self._next(Act(Seat(self.state.actor or 0), action)))
            news += self._cards()
        return news

    def _cards(self) -> list[tuple[View, Event]]:
        news = []
        while self.state.phase is Phase.DEAL_BOARD:
            street = self.state.street
            cards = self.board[BOARD_CARDS[street] : BOARD_CARDS[street + 1]]
            news.append(self._next(DealBoard(cards)))
        return news

    def _next(self, event: Event) -> tuple[View, Event]:
        self.state = step(self.state, event)
        return self.view, event

    def record(self, reply: Mapping[str, Any], names: tuple[str, str], number: int) -> HandRecord:
        """Return the finished hand, checked. Raises `ValueError` or `RailbirdError`."""
        won = Fraction(str(reply["winnings"]))
        shown = reply.get("bot_hole_cards")
        if shown:
            self.theirs = parse_holding("".join(shown))
        holes: list[Holding | None] = [None, None]
        holes[self.seat], holes[1 - self.seat] = self.mine, self.theirs
        amounts = [-won, -won]
        amounts[self.seat] = won
        record = HandRecord(
            rules=RULES,
            players=names if self.seat == 0 else names[::-1],
            holes=tuple(holes),
            board=self.board,
            actions=tuple(self.actions),
            payoffs=tuple(amounts),
            number=number,
            comment=error_comment(self.errors),
        )
        _check(record)
        return record


def _check(record: HandRecord) -> None:
    """Raise `RailbirdError` unless the rules pay this."""
    from railbird.game.play import replay

    state = replay(record.rules, record.holes, record.board, record.actions)
    # Without the opponent's cards nobody can say who should have won.
    if None not in record.holes and payoffs(state) != record.payoffs:
        raise RailbirdError(
            f"hand {record.number} ({format_cards(record.board)}): the server pays"
            f" {record.payoffs[0]}, the rules {payoffs(state)[0]}"
        )


@dataclass(slots=True, kw_only=True)
class SlumbotVisit:
    """What came of a visit."""

    hands: int = 0
    """Hands of the log, those of earlier visits among them."""
    lost: int = 0
    """Hands whose end nobody knows, since a connection broke in them.

    A hand whose opponent folds before we act is not among them where the answer that deals it is
    lost: the next answer deals another, and nothing tells of the first."""
    money: Moments = field(default_factory=Moments)
    faults: FaultTally = field(default_factory=FaultTally)

    @property
    def interval(self) -> AnytimeInterval:
        """Big blinds a hand, whenever one looks."""
        return confidence_sequence(self.money, unit="bb")

    def as_json(self) -> dict[str, Any]:
        """Return the numbers."""
        return {
            "hands": self.hands,
            "lost": self.lost,
            "bb_per_hand": self.interval.as_json() if self.money.n else None,
            "faults": self.faults.as_json(),
        }


def visit_slumbot(
    player: Player,
    address: str,
    log: Path,
    *,
    hands: int,
    name: str = "player",
    opponent: str = "opponent",
    token: str | None = None,
    log_in: tuple[str, str] | None = None,
    seed: int = 0,
    announce: Callable[[str], None] = lambda _: None,
    progress: Callable[[int, int, str], None] = lambda done, total, what: None,
) -> SlumbotVisit:
    """Play until ``log`` has the given number of hands; an existing log is extended.

    Raises `BadInput` for a server that does not answer at first or a log of another kind,
    `RailbirdError` for answers that cannot be right.
    """
    if why := policy.why_not(player, RULES):
        raise BadInput(f"{name}: {why}")
    guarded = GuardedPlayer(player, DEFAULT_FAULTS, name=name)
    visit = _Visit(guarded, _Interface(address), token, (name, opponent), announce)
    summary = visit.summary
    summary.hands, summary.money = _before(log, name)
    try:
        # A visit that goes on has other random numbers than the one before; with the seed alone it
        # would repeat that one's choices.
        guarded.reset(np.random.default_rng([seed, summary.hands]))
        if log_in is not None and token is None:
            visit.log_in(*log_in)
        with log.open("a", encoding="ascii") as lines:
            if log.stat().st_size == 0:
                lines.write(f"# name/game/hands/seed slumbot {game_spec(RULES)} {hands} -\n")
            while summary.hands < hands:
                progress(summary.hands, hands, "hands")
                record = visit.hand(summary.hands)
                if record is None:
                    summary.lost += 1
                    continue
                # Each hand is written before it counts, so that an interrupted visit goes on with
                # the right number.
                lines.write(state_line(record, summary.hands))
                lines.flush()
                summary.hands += 1
                won = float(record.payoffs[record.players.index(name)]) / RULES.big_blind
                summary.money = summary.money + Moments.of(np.array([won]))
        progress(summary.hands, hands, "hands")
    finally:
        visit.interface.close()
        summary.faults = guarded.take_faults()
        close_all([guarded])
    return summary


def _before(log: Path, name: str) -> tuple[int, Moments]:
    """Count the hands of a log that is gone on with. Raises `BadInput` for something else."""
    if not log.exists() or not log.stat().st_size:
        return 0, Moments()
    won = []
    for record in read(log, format_name="acpc"):
        if not isinstance(record, HandRecord) or name not in record.players:
            raise BadInput(f"{log}: not a log of {name}'s visits; allowed: another --log")
        won.append(float(record.payoffs[record.players.index(name)]) / RULES.big_blind)
    return len(won), Moments.of(np.array(won))


class _Visit:
    """A player's hands on a server, over all connections."""

    def __init__(
        self,
        player: GuardedPlayer,
        interface: _Interface,
        token: str | None,
        names: tuple[str, str],
        announce: Callable[[str], None],
    ) -> None:
        self.interface = interface
        self.summary = SlumbotVisit()
        self._player = player
        self._token = token
        self._names = names
        self._announce = announce
        self._reached = False
        self._dealt: dict[str, Any] | None = None
        """The next hand, where asking for a lost one was answered with it."""
        self._numbers: dict[str, int] = {}

    def log_in(self, name: str, password: str) -> None:
        """Get a token by a name."""
        answer = self._asked("login", {"username": name, "password": password})
        if not isinstance(answer.get("token"), str):
            raise RailbirdError("the server gives no token")
        self._token = answer["token"]

    def hand(self, number: int) -> HandRecord | None:
        """Play a hand; None if nobody knows how it ended."""
        try:
            return self._hand(number)
        except (KeyError, TypeError, ValueError) as problem:
            # `BadInput` is a `ValueError`, but what it says is of our own making and is right as it
            # is.
            if isinstance(problem, BadInput):
                raise
            words = " ".join(f"{type(problem).__name__}: {problem}".split())[:200]
            raise RailbirdError(f"hand {number}: not a valid answer: {words}") from None

    def _hand(self, number: int) -> HandRecord | None:
        answer, self._dealt = self._dealt or self._new(), None
        hand, player = _Hand(answer), self._player
        where = f"hand {number}"
        player.tell(partial(meet, player.player, self._seated(hand), self._numbers), where)
        if player.observer is not None:
            player.tell(partial(player.observer.begin, hand.view), where)
        while True:
            for seen, event in hand.follow(answer):
                if (observer := player.observer) is not None:
                    player.tell(partial(observer.observe, seen, event), where)
            if answer.get("winnings") is not None:
                break
            text = self._text_of(self._action(hand, where), hand)
            try:
                answer = self._once("act", {"token": self._token, "incr": text})
            except _Lost as problem:
                self._announce(f"{problem}; asking for the hand again")
                # An action must not be sent twice, as it might then be taken for the answer to the
                # next decision. Asking for a hand may: the server repeats the one in play.
                answer = self._new()
                if not hand.continues(answer):
                    self._announce(f"{where} is lost: the server goes on with another")
                    self._dealt = answer  # it may be over already, and is not dealt again
                    return None
        if player.observer is not None:
            player.tell(partial(player.observer.end, hand.view), where)
        return hand.record(answer, self._names, number)

    def _seated(self, hand: _Hand) -> tuple[str, ...]:
        return self._names if hand.seat == 0 else self._names[::-1]

    def _action(self, hand: _Hand, where: str) -> Action:
        """Ask the player; a failure or an illegal action is replaced as in the arena."""
        if hand.state.actor != hand.seat:
            raise ValueError("it is not our turn, and the hand is not over")
        tally = self._player.tally.counts
        before = dict(tally)
        action = self._player.answer(hand.view, where)
        place = len(hand.actions)
        hand.errors += [
            (place, fault.value) for fault in tally if tally[fault] != before.get(fault, 0)
        ]
        return action

    @staticmethod
    def _text_of(action: Action, hand: _Hand) -> str:
        match betting_action(action):
            case Fold():
                return "f"
            case Call():
                return "c" if hand.state.to_call else "k"
            case Raise(to=to):
                return f"b{int(to)}"

    def _new(self) -> dict[str, Any]:
        return self._asked("new_hand", {} if self._token is None else {"token": self._token})

    def _asked(self, verb: str, body: Mapping[str, object]) -> dict[str, Any]:
        """Send a request that may arrive twice, again and again with longer pauses."""
        pause = _FIRST_PAUSE_S
        for attempt in range(_ATTEMPTS):
            try:
                return self._once(verb, body)
            except _Lost as problem:
                # A server that never answered is probably a wrong address, for which nobody wants
                # to wait a minute.
                if not self._reached and attempt >= 2:
                    raise BadInput(f"the server cannot be reached: {problem}") from None
                if attempt == _ATTEMPTS - 1:
                    raise RailbirdError(f"the server is gone: {problem}") from None
                self._announce(f"{problem}; trying again")
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_S)
        raise AssertionError("one of the attempts returns or raises")

    def _once(self, verb: str, body: Mapping[str, object]) -> dict[str, Any]:
        answer = self.interface.ask(verb, body)
        self._reached = True
        if "error_msg" in answer:
            raise RailbirdError(f"the server refuses: {str(answer['error_msg'])[:200]!r}")
        if isinstance(answer.get("token"), str):
            self._token = answer["token"]  # it may change in a long session
        return answer
