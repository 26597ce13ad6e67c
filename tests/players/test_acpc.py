"""Our players at dealers that we know nothing of: what they hear may be wrong in any way."""

from __future__ import annotations

import dataclasses
import os
import select
import shlex
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

from railbird.acpc import VERSION_LINE, AcpcLink, Program
from railbird.acpc.matchstate import MOST_LATE
from railbird.arena import Dealing, Fault, FaultPolicy, Match, Seating, play
from railbird.arena.match_chunks import Chunk, ChunkJob, ChunkPlayer, Loop
from railbird.arena.names import PlayerLike
from railbird.arena.seeds import player_rng
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
    acpc_rules,
    limit_holdem,
    no_limit_holdem,
)
from railbird.histories import resolve_game
from railbird.players import make_player
from railbird.players.acpc import AcpcPlayer, connect, sit_down
from railbird.players.seeds import rng_of, seed_text
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


def client_played(
    lines: list[bytes], player: Learner | None = None, rules: Rules = HEADS_UP_LIMIT
) -> tuple[int, list[bytes]]:
    with dealer(b"".join(line + b"\r\n" for line in lines)) as (port, heard):
        hands = sit_down(player or Learner(), rules, connect("127.0.0.1", port), rng_of("1"))
    return hands, heard


def test_it_greets_and_answers_where_it_is_to_act() -> None:
    player = Learner()
    hands, heard = client_played(HAND, player)
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
    assert client_played(mixed)[1] == client_played(HAND)[1]


def test_raises_are_sums_in_no_limit_only() -> None:
    def raises(view: View) -> Action:
        low = view.legal.min_raise_to
        return Call() if low is None else Raise(low)

    assert client_played([HAND[0]], Learner(raises))[1][1] == HAND[0] + b":r\r\n"
    rules = HEADS_UP_NO_LIMIT
    assert client_played([HAND[0]], Learner(raises), rules)[1][1] == HAND[0] + b":r200\r\n"
    flop = b"MATCHSTATE:0:3:r300c/:2hAc|/5sKs7s"
    assert client_played([flop], Learner(raises), rules)[1][1] == flop + b":r400\r\n"
    assert (
        client_played([flop], Learner(lambda _: Raise(Chips(7))), rules)[1][1]
        == flop + b":r307\r\n"
    )
    assert client_played([flop], Learner(lambda _: Fold()), rules)[1][1] == flop + b":f\r\n"


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
        client_played([line])
    assert "\n" not in str(caught.value)


def test_a_player_that_fails() -> None:
    def fails(_: View) -> Action:
        raise ZeroDivisionError("by nothing")

    with pytest.raises(RailbirdError, match="the player failed: ZeroDivisionError: by nothing"):
        client_played(HAND, Learner(fails))


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


# Programs at the other end of a wire: honest ones, broken ones and enemies.


HANDS = 4

PROGRAM = r"""
import socket, sys, time

how, host, port = sys.argv[1], sys.argv[-2], int(sys.argv[-1])
if how == "ends":
    sys.exit(3)
if how == "ends-well":
    sys.exit(0)
if how.startswith("parent"):
    import os
    parent = os.getpid()
    if os.fork():
        os._exit(0)
    told = open(how.partition("=")[2], "w")
    print(os.getpid(), file=told, flush=True)
    # Its dealer has to see that the parent is gone, and goes on waiting: only it collects that.
    while os.path.exists(f"/proc/{parent}"):
        time.sleep(0.01)
if how == "sleeps":
    time.sleep(600)
strangers = []
if how == "strangers":
    for greeting in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff\xfe\n", b"VERSION:2.0", b"x" * 70000):
        strangers.append(socket.create_connection((host, port)))
        strangers[-1].sendall(greeting)
    strangers += [socket.create_connection((host, port)) for _ in range(20)]
    strangers.pop(0).close()
    for stranger in strangers[10:]:
        stranger.close()
    # The dealer has heard them out once it hangs up on those whose greeting was none.
    for refused in strangers[0], strangers[1], strangers[3]:
        try:
            assert refused.recv(1) == b""
        except ConnectionError:
            pass
table = socket.create_connection((host, port))
table.sendall(b"VERSION:9.0.0\r\n" if how == "version" else b"# hello\r\nVERSION:2.0.0\r\n")
last = b"MATCHSTATE:0:0::AsAd|"
asked = 0
owed = b""
for line in table.makefile("rb"):
    line = line.rstrip(b"\r\n")
    table.sendall(owed)
    owed = b""
    kind, seat, hand, betting, cards = line.split(b":")
    streets = betting.split(b"/")
    on_turn = (len(streets[-1]) + (len(streets) == 1)) % 2 == int(seat)
    closed = streets[-1].endswith(b"f") or (
        len(streets[-1]) > 1 and streets[-1].endswith(b"c")
    )
    if not on_turn or (closed and len(streets) == 4) or betting.endswith(b"f"):
        last = line
        continue
    asked += 1
    if how == "junk":
        table.sendall(b"\xff\xfe\x00junk\r\n\r\nMATCHSTATE\r\nMATCHSTATE:0:0:x:|:c\n;\n")
    elif how == "stale":
        table.sendall(last + b":f\r\n" + line[:-2] + b":f\r\n")
    elif how == "comments":
        while True:
            table.sendall(b"# and so on\r\n")
    elif how == "endless":
        while True:
            table.sendall(b"MATCHSTATE:" + b"c" * 10000)
    elif how == "hangs-up" and asked == 3:
        sys.exit(1)
    elif how == "silent":
        continue
    elif how == "late" and asked in (1, 3):
        owed = line + b":c\r\n"  # until the dealer has gone on without it
        continue
    elif how == "thinks" and asked in (1, 3):
        time.sleep(0.5)
    word = how.encode() if len(how) < 10 and how[0] in "rfq" else b"c"
    table.sendall(line + b":" + word + b"\r\n")
    last = line
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """The spec of a program that behaves in a named way."""
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    return lambda how: f"acpc:{shlex.join([sys.executable, '-S', str(script), how])}"


def program_player_played(
    player: PlayerLike,
    rules: Rules = HEADS_UP_LIMIT,
    *,
    opponent: str = "always-call",
    seconds: float = 300.0,
    bank: float = 0.0,
) -> Chunk:
    match = Match(
        players=(player, opponent),
        rules=rules,
        deals=HANDS,
        seed=1,
        faults=FaultPolicy(decision_limit=seconds, bank=bank),
    )
    with closing(ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=True))) as table:
        return table.play(0)


def bettings(chunk: Chunk) -> list[str]:
    return [line.split(":")[2] for line in chunk.text.decode().splitlines()]


@pytest.mark.parametrize("how", ["calls", "junk", "stale", "strangers"])
def test_what_is_no_answer_is_passed_over(program: Callable[[str], str], how: str) -> None:
    chunk = program_player_played(program(how))
    assert chunk.faults[0].as_json() == {}
    assert set(bettings(chunk)) == {"cc/cc/cc/cc"}


@pytest.mark.parametrize("word", ["q", "r-1", "r1x", "f"])
def test_what_is_no_legal_action_calls(program: Callable[[str], str], word: str) -> None:
    chunk = program_player_played(program(word), HEADS_UP_NO_LIMIT)
    assert set(chunk.faults[0].counts) == {Fault.ILLEGAL}
    # The program is the dealer in hands 1 and 3, where folding is legal.
    assert bettings(chunk)[::2] == ["cc/cc/cc/cc"] * 2
    assert bettings(chunk)[1] == ("f" if word == "f" else "cc/cc/cc/cc")


def test_sizes_move_to_the_nearest_legal(program: Callable[[str], str]) -> None:
    assert bettings(program_player_played(program("r99999"), HEADS_UP_NO_LIMIT))[:2] == [
        "cr20000c///",
        "r20000c///",
    ]
    low = program_player_played(program("r1"), HEADS_UP_NO_LIMIT)
    assert bettings(low)[1] == "r200c/cr300c/cr400c/cr500c"
    assert "cannot raise to" in low.faults[0].first[Fault.ILLEGAL]
    sizeless = program_player_played(program("r"), HEADS_UP_NO_LIMIT)
    assert (
        "'r' is not an action; allowed: f, c or r with a total"
        in sizeless.faults[0].first[Fault.ILLEGAL]
    )
    limit = program_player_played(program("r"))
    assert bettings(limit)[1] == "rc/crc/crc/crc"
    assert not limit.faults[0].counts


class OneDecisionAtATime:
    """A clock by which two decisions have the time that is allowed, and all others no end.

    Those are the ones that a late program leaves open; beside other work any of them might be late.
    """

    def __init__(self) -> None:
        self._decisions = 0

    def monotonic(self) -> float:
        self._decisions += 1
        return time.monotonic() + (0.0 if self._decisions in (1, 3) else 3600.0)


def test_a_late_answer_is_counted_and_passed_over_when_it_comes(
    program: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("railbird.players.acpc.time", OneDecisionAtATime())
    chunk = program_player_played(program("late"), seconds=0.6)
    assert set(chunk.faults[0].counts) == {Fault.LATE}
    assert "hand 0: no answer in 0.6 s" in chunk.faults[0].first[Fault.LATE]
    assert len(bettings(chunk)) == HANDS


def test_a_program_is_waited_for_as_long_as_its_bank_lasts(program: Callable[[str], str]) -> None:
    assert not program_player_played(program("thinks"), seconds=0.2, bank=600.0).faults[0].counts
    short = program_player_played(program("silent"), seconds=0.1, bank=0.3)
    assert "hand 0: no answer in 0.4 s" in short.faults[0].first[Fault.LATE]


def test_a_silent_program_is_ended(program: Callable[[str], str]) -> None:
    chunk = program_player_played(program("silent"), seconds=0.1)
    assert chunk.faults[0].counts[Fault.LATE] == MOST_LATE
    assert "it was late 3 times in a row and was ended" in chunk.faults[0].first[Fault.EXCEPTION]
    assert len(bettings(chunk)) == HANDS


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("hangs-up", "hand 0: ConnectionClosed: it closed the connection"),
        ("comments", "Disconnected: it sent 1000 irrelevant lines and was ended"),
        ("endless", "Disconnected: a line of more than 65536 bytes"),
    ],
)
def test_a_match_outlives_its_programs(program: Callable[[str], str], how: str, words: str) -> None:
    chunk = program_player_played(program(how))
    assert set(chunk.faults[0].counts) == {Fault.EXCEPTION}
    assert words in chunk.faults[0].first[Fault.EXCEPTION]
    assert bettings(chunk)[-1] == "f"  # as the policy says, with the program on the button
    assert not chunk.faults[1].counts


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("ends", "reset: Disconnected: it ended with status 3 before it greeted"),
        ("ends-well", "reset: Disconnected: it ended with status 0 before it greeted"),
        ("sleeps", "reset: Disconnected: it did not connect and greet in time"),
        ("version", "reset: Disconnected: it ended with status 0 before it greeted"),
    ],
)
def test_a_program_that_does_not_sit_down(
    program: Callable[[str], str], how: str, words: str
) -> None:
    command = program(how).removeprefix("acpc:")
    with closing(AcpcPlayer(command, connect_seconds=0.5 if how == "sleeps" else 300.0)) as player:
        chunk = program_player_played(player)
    assert bettings(chunk)[1] == "f"
    assert set(chunk.faults[0].counts) == {Fault.EXCEPTION}
    assert chunk.faults[0].first[Fault.EXCEPTION] == words


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("acpc", "acpc: no program"),
        ("acpc:./no-such-program", "./no-such-program is not an executable program"),
        ("acpc:'unclosed", "no closing quotation"),
    ],
)
def test_specs_that_name_no_program(spec: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make_player(spec)


def test_a_program_ends_with_its_player(program: Callable[[str], str], tmp_path: Path) -> None:
    player = AcpcPlayer(program("calls").removeprefix("acpc:"))
    player.reset(np.random.default_rng(1))
    running = player._program
    assert isinstance(running, Program)
    process = running._process
    assert process.poll() is None
    player.close()
    assert process.poll() is not None


def test_a_script_may_leave_the_program_to_a_child(
    program: Callable[[str], str], tmp_path: Path
) -> None:
    fifo = tmp_path / "pid"
    os.mkfifo(fifo)
    told = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    player = AcpcPlayer(program(f"parent={fifo}").removeprefix("acpc:"))
    player.reset(np.random.default_rng(1))
    child = int(os.read(told, 20))
    os.kill(child, signal.SIGSTOP)  # so that it does not see that its dealer hangs up
    with pytest.raises(BlockingIOError):
        os.read(told, 1)
    player.close()
    assert select.select([told], [], [], 60)[0]
    assert os.read(told, 1) == b"", "nobody has it open for writing any more"
    os.close(told)


def test_what_a_player_is_given_to_draw_from_does_not_tell_the_match_s_seed() -> None:
    match = Match(players=("random",) * 2, rules=HEADS_UP_LIMIT, deals=1, seed=123_456_789)
    told = seed_text(player_rng(match, chunk=0, direction=0, player=1))
    assert "123456789" not in told
    assert len(told) > 30


def client(spec: str, game: str = "limit") -> str:
    return f"acpc:{sys.executable} -m railbird acpc-client {spec} --game {game}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "game", "rules"),
    [
        ("random", "limit", HEADS_UP_LIMIT),
        ("random", "nolimit", HEADS_UP_NO_LIMIT),
        ("random", "holdem.limit.3p.game", acpc_rules(limit_holdem(3))),
        (
            "random",
            "holdem.nolimit.3p.game,stack=300/900/20000",
            acpc_rules(no_limit_holdem(3, blinds=(50, 100), stack=(300, 900, 20_000))),
        ),
    ],
)
def test_over_tcp_and_in_process_the_logs_are_the_same(
    tmp_path: Path, spec: str, game: str, rules: Rules
) -> None:
    far = client(spec, game)
    others = ("always-raise", "always-call")[: rules.seats - 1]
    here = Match(
        players=(f"alice={spec}", *others),
        rules=rules,
        deals=60,
        seed=7,
        seating=Seating.DUPLICATE if rules == HEADS_UP_LIMIT else Seating.SINGLE,
    )
    there = dataclasses.replace(here, players=(f"alice={far}", *others))
    logs = [tmp_path / "here.log", tmp_path / "there.log"]
    for match, log in zip((here, there), logs, strict=True):
        result = play(match, log=log)
        assert [tally.as_json() for tally in result.faults] == [{}] * rules.seats
    own, foreign = (log.read_bytes() for log in logs)
    assert own == foreign, "byte for byte, the arena's comments too"
    assert own.count(b"STATE:") == own.count(b"alice") - 1 == here.hands


def test_the_transcript_of_the_competition_s_dealer(
    tmp_path: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two programs send what the players of the transcript sent, and are told what those were told.

    Every line but the times, in the same order.
    """
    path = shared_data / "acpc_loopback" / "limit2p.transcript.txt"
    logged = [
        (words[0], int(words[1]), words[4])
        for words in map(str.split, path.read_text().splitlines())
        if words[0] in ("TO", "FROM")
    ]
    script = tmp_path / "replies.py"
    script.write_text(
        "import socket, sys\n"
        "replies = open(sys.argv[1], 'rb').read().split()\n"
        "table = socket.create_connection((sys.argv[2], int(sys.argv[3])))\n"
        "table.sendall(b'VERSION:2.0.0\\r\\n')\n"
        "for line in table.makefile('rb'):\n"
        "    assert line.endswith(b'\\r\\n')\n"
        "    if replies and replies[0].rpartition(b':')[0] == line[:-2]:\n"
        "        table.sendall(replies.pop(0) + b'\\r\\n')\n"
        "    elif not replies:\n"
        "        sys.exit()\n"
    )
    specs: list[str] = []
    for number in (1, 2):
        replies = tmp_path / f"replies-{number}"
        replies.write_text(
            "\n".join(text for how, who, text in logged if (how, who) == ("FROM", number))
        )
        command = shlex.join([sys.executable, "-S", str(script), str(replies)])
        specs.append(f"acpc:{command}")
    links: list[AcpcLink] = []
    seen: list[tuple[str, int, str]] = []
    send, receive = AcpcLink.send, AcpcLink.receive

    def player(link: AcpcLink) -> int:
        if link not in links:
            links.append(link)  # player 1 has seat 0 in the first hand and is told first
        return links.index(link) + 1

    def sent(link: AcpcLink, line: str) -> None:
        seen.append(("TO", player(link), line))
        send(link, line)

    def received(link: AcpcLink, *, deadline: float | None = None) -> str:
        line = receive(link, deadline=deadline)
        seen.append(("FROM", player(link), line))
        return line

    monkeypatch.setattr(AcpcLink, "send", sent)
    monkeypatch.setattr(AcpcLink, "receive", received)
    hands = 1 + int(logged[-1][2].split(":")[2])
    match = Match(
        players=tuple(specs), rules=HEADS_UP_LIMIT, deals=hands, seed=42, dealing=Dealing.ACPC
    )
    with closing(ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=False))) as table:
        table.play(0)
    assert seen[: len(logged)] == logged
    assert len(logged) > 390


@pytest.mark.parametrize("name", ["limit2p", "nolimit3p"])
def test_the_cards_of_the_competition_s_dealer(
    tmp_path: Path, shared_data: Path, name: str
) -> None:
    """Its logs of 1,000 hands, hole cards by seat in the order of dealing."""
    path = shared_data / "acpc_loopback" / f"{name}.log"
    theirs = [line for line in path.read_text().splitlines() if line.startswith("STATE:")]
    header = path.read_text().split()
    match = Match(
        players=("always-call", "always-fold", "random")[: int(name[-2])],
        rules=resolve_game(header[3]),
        deals=len(theirs),
        seed=int(header[5]),
        dealing=Dealing.ACPC,
        chunk=300,
    )
    play(match, log=tmp_path / "ours.log")
    ours = (tmp_path / "ours.log").read_text().splitlines()
    assert [holes(line) for line in ours if line.startswith("STATE:")] == list(map(holes, theirs))


def holes(line: str) -> str:
    return line.split(":")[3].partition("/")[0]
