"""The session's two sides, and its table of transitions."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from helpers.random_records import turns
from railbird.errors import IllegalAction
from railbird.protocol import (
    ClientSession,
    ClientState,
    Close,
    CloseCode,
    Deliver,
    ErrorCode,
    Gone,
    Identity,
    Input,
    Lag,
    LogIn,
    Outcome,
    ServerSession,
    SessionState,
    chosen_action,
    client_line,
)
from railbird.protocol.messages import (
    LONGEST_LINE,
    MALFORMED_IN_A_ROW,
    VERSION,
    ActMessage,
    AskLobby,
    Bye,
    ClientPing,
    ClientPong,
    EnterQueue,
    Hello,
    PasswordLogIn,
    TokenLogIn,
    Verb,
)
from railbird.protocol.session import TRANSITIONS, Do

ANN = Identity("ann")
HELLO = Hello(versions=[VERSION], log_in=PasswordLogIn(name="ann", password="pw"))


def sent(session: ServerSession) -> list[dict[str, Any]]:
    return [json.loads(line) for line in session.take().splitlines()]


def opened() -> ServerSession:
    session = ServerSession(server="railbird 0")
    assert session.receive(client_line(HELLO)) == [LogIn(HELLO)]
    assert session.accepted(ANN) == []
    (welcome,) = sent(session)
    assert (welcome["type"], welcome["name"], welcome["seq"]) == ("welcome", "ann", 1)
    return session


def test_a_game_message_is_delivered_after_the_log_in_and_refused_before() -> None:
    session = ServerSession(server="railbird 0")
    assert session.receive(client_line(AskLobby())) == []
    assert [m["code"] for m in sent(session)] == ["not_logged_in"]
    assert opened().receive(client_line(AskLobby())) == [Deliver(AskLobby())]


def test_three_malformed_messages_in_a_row_close_and_a_good_one_starts_anew() -> None:
    session = opened()
    for _ in range(MALFORMED_IN_A_ROW - 1):
        assert session.receive(b"rubbish\n") == []
    session.receive(client_line(ClientPing(n=1)))
    for _ in range(MALFORMED_IN_A_ROW - 1):
        assert session.receive(b'{"type":"act"}\n') == []
    assert session.receive(b"[]\n") == [Close(CloseCode.MALFORMED), Gone()]
    kinds = [message["type"] for message in sent(session)]
    assert kinds == ["error"] * 2 + ["pong"] + ["error"] * 3 + ["close"]


@pytest.mark.parametrize("ended", [True, False], ids=["with its end", "without"])
def test_a_line_over_the_limit_closes_at_once(ended: bool) -> None:
    session = opened()
    data = b" " * (LONGEST_LINE + 1) + (b"\n" if ended else b"")
    assert session.receive(data) == [Close(CloseCode.TOO_LONG), Gone()]
    assert session.receive(client_line(AskLobby())) == []


def test_a_line_of_exactly_the_limit_is_read() -> None:
    session = opened()
    line = client_line(AskLobby()).rstrip()
    padded = line[:-1] + b" " * (LONGEST_LINE - len(line)) + line[-1:]
    assert session.receive(padded + b"\n") == [Deliver(AskLobby())]


def test_the_highest_common_version_is_spoken_and_none_closes() -> None:
    session = ServerSession(server="railbird 0")
    log_in = TokenLogIn(token="t")
    session.receive(client_line(Hello(versions=[VERSION, 999], log_in=log_in)))
    assert session.version == VERSION
    other = ServerSession(server="railbird 0")
    outcomes = other.receive(client_line(Hello(versions=[999], log_in=log_in)))
    assert outcomes == [Close(CloseCode.MALFORMED)]
    assert [m.get("code") for m in sent(other)] == ["wrong_version", CloseCode.MALFORMED]


@pytest.mark.parametrize("session", [ServerSession(server="railbird 0"), opened()])
def test_an_error_never_repeats_a_password(session: ServerSession) -> None:
    log_in = '{"by":"password","name":"a  b","password":"S3CRET"}'
    session.receive(f'{{"type":"hello","versions":[1],"log_in":{log_in}}}\n'.encode())
    (error,) = sent(session)
    assert "S3CRET" not in json.dumps(error)
    assert error["code"] == "malformed"


def test_a_close_says_whether_to_come_back() -> None:
    comes_back = {}
    for what in (Input.RESTART, Input.TAKEN_OVER, Input.FROZEN, Input.TOO_SLOW, Input.QUIET):
        session = opened()
        assert session.happens(what)[-1] == Gone() or what is Input.TAKEN_OVER
        (closing,) = sent(session)
        comes_back[what] = closing["reconnect"]
    assert comes_back == {what: what is Input.RESTART for what in comes_back}


def test_whoever_is_taken_over_does_not_count_as_gone() -> None:
    assert Gone() not in opened().happens(Input.TAKEN_OVER)


def test_every_state_but_the_last_can_be_left_and_reached() -> None:
    reached = {SessionState.GREETING} | {transition.to for transition in TRANSITIONS.values()}
    assert reached == set(SessionState)
    assert {state for state, _ in TRANSITIONS} == set(SessionState) - {SessionState.CLOSED}
    assert {what for _, what in TRANSITIONS} == set(Input)
    done = {reaction for t in TRANSITIONS.values() for reaction in t.reactions}
    assert set(Do) | set(CloseCode) <= done


def test_a_client_answers_pings_and_ignores_what_it_does_not_know() -> None:
    server, client = ServerSession(server="railbird 0"), ClientSession()
    client.hello(HELLO.log_in)
    (log_in,) = server.receive(client.take())
    assert isinstance(log_in, LogIn)
    server.accepted(ANN)
    server.ping(7)
    server.send(b'{"type":"from a later version","x":1}')
    server.send(b'{"type":"announcement","text":"hi","new field":1}')
    messages = client.receive(server.take())
    assert [m.type for m in messages] == ["welcome", "ping", "announcement"]
    assert client.state is ClientState.OPEN
    assert server.receive(client.take()) == [Lag(7)]
    server.happens(Input.RESTART)
    client.receive(server.take())
    assert (client.state, client.closed_by) == (ClientState.CLOSED, CloseCode.RESTART)


messages = st.sampled_from(
    [
        client_line(m)
        for m in (
            HELLO,
            Hello(versions=[999], log_in=HELLO.log_in),
            ClientPing(n=3),
            ClientPong(n=4),
            AskLobby(),
            EnterQueue(queue="six"),
        )
    ]
    + [b"rubbish\n", b"\xff\xfe\n", b"{}\n", b"\r\n", b"[" * 5000 + b"\n", b'{"type":"bye"\n']
)


class SessionMachine(RuleBasedStateMachine):
    """Any bytes in any pieces, and anything that the owner of a connection may report."""

    cut = Bundle("cut")

    @initialize()
    def connects(self) -> None:
        self.whole = ServerSession(server="railbird 0")
        self.pieces = ServerSession(server="railbird 0")
        self.malformed = 0
        self.gone = 0
        self.lines: list[bytes] = []

    def both(self, ours: list[Outcome], theirs: list[Outcome]) -> None:
        assert ours == theirs
        written = self.whole.take()
        assert written == self.pieces.take()
        self.lines += written.splitlines()
        self.gone += ours.count(Gone())

    @rule(line=messages, sizes=st.lists(st.integers(1, 40), max_size=5))
    def sends(self, line: bytes, sizes: list[int]) -> None:
        theirs: list[Outcome] = []
        rest = line
        for size in sizes:
            theirs += self.pieces.receive(rest[:size])
            rest = rest[size:]
        theirs += self.pieces.receive(rest)
        self.both(self.whole.receive(line), theirs)

    @rule(data=st.binary(max_size=60))
    def sends_rubbish(self, data: bytes) -> None:
        self.both(self.whole.receive(data), self.pieces.receive(data))

    @rule()
    def is_accepted(self) -> None:
        self.both(self.whole.accepted(ANN), self.pieces.accepted(ANN))

    @rule()
    def is_refused(self) -> None:
        code = ErrorCode.LOG_IN_REFUSED
        self.both(self.whole.refused(code, "no"), self.pieces.refused(code, "no"))

    @rule(what=st.sampled_from([*Input][8:]))
    def happens(self, what: Input) -> None:
        if what not in (Input.ACCEPTED, Input.REFUSED):
            self.both(self.whole.happens(what), self.pieces.happens(what))

    @invariant()
    def nothing_follows_a_close_and_numbers_have_no_gap(self) -> None:
        read = [json.loads(line) for line in getattr(self, "lines", [])]
        assert [message["seq"] for message in read] == list(range(1, len(read) + 1))
        assert "close" not in [message["type"] for message in read[:-1]]
        if read and read[-1]["type"] == "close":
            assert self.whole.state is SessionState.CLOSED

    @invariant()
    def the_house_hears_once_that_a_connection_is_gone(self) -> None:
        assert getattr(self, "gone", 0) <= 1


TestSessionMachine = SessionMachine.TestCase
TestSessionMachine.settings = settings(max_examples=60, stateful_step_count=25)


@pytest.mark.slow
@given(st.binary(max_size=200))
def test_any_line_is_read_or_refused_without_a_crash(line: bytes) -> None:
    session = opened()
    session.receive_message(line)
    assert session.state in SessionState


def test_bye_ends_both_sides() -> None:
    session = opened()
    assert session.receive(client_line(Bye())) == [Close(CloseCode.NORMAL), Gone()]
    client = ClientSession()
    client.hello(HELLO.log_in)
    client.receive(
        b'{"seq":1,"type":"welcome","version":1,"name":"a","kind":"person","server":"x"}\n'
    )
    client.bye()
    assert client.state is ClientState.CLOSED


# What an answer stands for.


@pytest.mark.parametrize("seed", range(10))
def test_a_check_is_refused_exactly_where_it_would_cost_chips(seed: int) -> None:
    for state, _ in turns(np.random.default_rng(seed)):
        check = ActMessage(turn="t", action=1, verb=Verb.CHECK)
        call = ActMessage(turn="t", action=1, verb=Verb.CALL)
        if not state.to_call:
            assert chosen_action(check, state) == chosen_action(call, state)
            continue
        street = state.street.name.lower()
        words = f"seat {state.actor} cannot check: {state.to_call} to call ({street})"
        with pytest.raises(IllegalAction) as refused:
            chosen_action(check, state)
        assert str(refused.value) == words
