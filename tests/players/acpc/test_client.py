"""Our players at dealers that we know nothing of: what they hear may be wrong in any way."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import numpy as np
import pytest

from railbird.acpc import VERSION_LINE
from railbird.cli import run
from railbird.errors import BadInput, RailbirdError
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    Action,
    Call,
    DealBoard,
    Event,
    Fold,
    Phase,
    Raise,
    Rules,
    Show,
    View,
)
from railbird.players.acpc.client import connect, sit_down
from railbird.players.seed_text import rng_of, seed_text
from railbird.units import Chips

HAND = [
    b"MATCHSTATE:1:0::|2hAc",
    b"MATCHSTATE:1:0:c:|2hAc",
    b"MATCHSTATE:1:0:cc/:|2hAc/5sKs7s",
    b"MATCHSTATE:1:0:cc/c:|2hAc/5sKs7s",
    b"MATCHSTATE:1:0:cc/cc/:|2hAc/5sKs7s/9s",
    b"MATCHSTATE:1:0:cc/cc/c:|2hAc/5sKs7s/9s",
    b"MATCHSTATE:1:0:cc/cc/cc/:|2hAc/5sKs7s/9s/6h",
    b"MATCHSTATE:1:0:cc/cc/cc/c:|2hAc/5sKs7s/9s/6h",
    b"MATCHSTATE:1:0:cc/cc/cc/cc:7d3d|2hAc/5sKs7s/9s/6h",
]


class Learner:
    """Calls, or does what it is told to, and keeps what it sees."""

    def __init__(self, does: Callable[[View], Action] = lambda _: Call()) -> None:
        self.does = does
        self.news: list[str | Event] = []

    def reset(self, rng: np.random.Generator) -> None:
        self.news.append("reset")

    def begin(self, view: View) -> None:
        assert view.holding is not None
        self.news.append("begin")

    def observe(self, view: View, event: Event) -> None:
        self.news.append(event)

    def end(self, view: View) -> None:
        assert view.state.phase is Phase.OVER
        self.news.append("end")

    def act(self, view: View) -> Action:
        return self.does(view)


@contextmanager
def dealer(data: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """A dealer that says all that it has to say at once and hears the player out."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            # A client that has heard enough may be gone before everything is said.
            with suppress(OSError), connection, connection.makefile("rb") as lines:
                heard.append(lines.readline())
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                heard.extend(lines)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1], heard
        finally:
            thread.join(20)
        assert not thread.is_alive()


def played(
    lines: list[bytes], player: Learner | None = None, rules: Rules = HEADS_UP_LIMIT
) -> tuple[int, list[bytes]]:
    with dealer(b"".join(line + b"\r\n" for line in lines)) as (port, heard):
        hands = sit_down(player or Learner(), rules, connect("127.0.0.1", port), rng_of("1"))
    return hands, heard


def test_it_greets_and_answers_where_it_is_to_act() -> None:
    player = Learner()
    hands, heard = played(HAND, player)
    assert hands == 1
    to_act = [HAND[0], HAND[3], HAND[5], HAND[7]]
    assert heard == [
        VERSION_LINE.encode() + b"\r\n",
        *(state + b":c\r\n" for state in to_act),
    ]
    kinds = [
        type(news) if isinstance(news, Act | DealBoard | Show) else news for news in player.news
    ]
    street = [Act, Act, DealBoard]
    assert kinds == ["reset", "begin", *street * 3, Act, Act, Show, Show, "end"]


@pytest.mark.parametrize(
    "noise",
    [
        [b"# a comment", b"; another", b"", b"#" * 1000],
        [b"\xff\xfe\x00", b"GAMEDEF", b"hello"],
    ],
)
def test_lines_that_are_no_messages_are_passed_over(noise: list[bytes]) -> None:
    mixed = [line for state in HAND for line in (*noise, state)]
    assert played(mixed)[1] == played(HAND)[1]


def test_raises_are_sums_in_no_limit_only() -> None:
    def raises(view: View) -> Action:
        low = view.legal.min_raise_to
        return Call() if low is None else Raise(low)

    assert played([HAND[0]], Learner(raises))[1][1] == HAND[0] + b":r\r\n"
    rules = HEADS_UP_NO_LIMIT
    assert played([HAND[0]], Learner(raises), rules)[1][1] == HAND[0] + b":r200\r\n"
    flop = b"MATCHSTATE:0:3:r300c/:2hAc|/5sKs7s"
    assert played([flop], Learner(raises), rules)[1][1] == flop + b":r400\r\n"
    assert played([flop], Learner(lambda _: Raise(Chips(7))), rules)[1][1] == flop + b":r307\r\n"
    assert played([flop], Learner(lambda _: Fold()), rules)[1][1] == flop + b":f\r\n"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"MATCHSTATE:", "not a message of an ACPC dealer"),
        (b"MATCHSTATE:1:0::|2hAc:c", "not a message of an ACPC dealer"),
        (b"MATCHSTATE:1:0::|2h\xffc", "not a message of an ACPC dealer"),
        (b"MATCHSTATE:2:0::|2hAc", "seat 2 of 2 in a game of 2"),
        (b"MATCHSTATE:1:0::|2hAc|", "seat 1 of 3 in a game of 2"),
        (b"MATCHSTATE:0:0::|2hAc", "without the seat's own cards"),
        (b"MATCHSTATE:1:0::|2h2h", "2h"),
        (b"MATCHSTATE:1:0:cc/:|2hAc/5sAc7s", "a card that has already been dealt"),
        (b"MATCHSTATE:1:0:cc/:|2hAc", "the flop has three cards"),
        (b"MATCHSTATE:1:0:c/:|2hAc/5sKs7s", "cards that are not due"),
        (b"MATCHSTATE:1:0:rrrr:|2hAc", "seat 0 cannot raise"),
        (b"MATCHSTATE:1:0:ff:|2hAc", "'f' when nobody is to act"),
        (b"MATCHSTATE:1:0:" + b"c" * 60_000 + b":|2hAc", "nobody is to act"),
        (b"x" * 70_000, "a line of more than 65536 bytes"),
    ],
)
def test_what_cannot_be_of_this_game_ends_it_in_one_line(line: bytes, words: str) -> None:
    with pytest.raises(RailbirdError, match=words) as caught:
        played([line])
    assert "\n" not in str(caught.value)


def test_a_player_that_fails() -> None:
    def fails(_: View) -> Action:
        raise ZeroDivisionError("by nothing")

    with pytest.raises(RailbirdError, match="the player failed: ZeroDivisionError: by nothing"):
        played(HAND, Learner(fails))


def test_the_verb(capsys: pytest.CaptureFixture[str]) -> None:
    with dealer(b"".join(line + b"\r\n" for line in HAND)) as (port, heard):
        assert run(["acpc-client", "always-call", "127.0.0.1", str(port), "--json"]) == 0
    assert capsys.readouterr().out == '{"player": "always-call", "hands": 1}\n'
    assert len(heard) == 5
    assert run(["acpc-client", "always-call", "127.0.0.1", str(port)]) == 2
    assert f"no dealer at 127.0.0.1 port {port}: Connection refused" in capsys.readouterr().err
    assert run(["acpc-client", "always-call", "127.0.0.1", "1", "--seed", "x"]) == 2
    assert "seed 'x'; allowed" in capsys.readouterr().err


@pytest.mark.parametrize("key", [(), (1, 0, 2), (0, 4096)])
def test_a_seed_as_text_makes_the_same_generator(key: tuple[int, ...]) -> None:
    seeds = np.random.SeedSequence(2**90 + 1, spawn_key=key)
    rng = np.random.Generator(np.random.PCG64(seeds))
    assert rng_of(seed_text(rng)).integers(1 << 60) == rng.integers(1 << 60)
    without_seed = np.random.Generator(np.random.MT19937())
    assert rng_of(seed_text(without_seed)).random() < 1
    with pytest.raises(BadInput, match="whole numbers with dots"):
        rng_of("1..2")
