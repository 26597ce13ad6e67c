"""`railbird play`: refusals in a line, secrets, and whole sessions in real terminals."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from helpers.command_line import call, wait_for
from railbird.cards import HOLDEM
from railbird.cli._play import checked_name, format_of, house_players
from railbird.cli._server import credentials_of
from railbird.errors import BadInput
from railbird.game import Betting
from railbird.histories import HandRecord
from railbird.histories import read as read_log
from railbird.hosting.formats import RingFormat, TournamentFormat
from railbird.protocol.messages import PasswordLogIn, SignUp, TokenLogIn

SERVER = ("127.0.0.1", 0)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("", "no terminal: a person plays here"),
        ("nobody", "no player 'nobody'"),
        ("--seats 11", "11; allowed: 2 to 10"),
        ("--stack 0", "stack '0'; allowed: chips, as in 2000, or big blinds, as in 100bb"),
        ("--stack 1e9", "stack '1e9'"),
        ("--blinds 20,10", "blinds '20,10'; allowed: a small blind of 1 or more"),
        ("--blinds 5,10 --tournament 10/20x5", "--blinds with --tournament"),
        ("--tournament 10-20", "level '10-20'; allowed:"),
        (
            "random killer tight --seats 3",
            "3 players and you at 3 seats; allowed: at most 2 players, or more --seats",
        ),
        ("--game stud", "betting 'stud'"),
        ("--name ''", "name ''; allowed: 1 to 32 characters that show"),
        ("--watch x", "--watch: needs --server"),
        ("--server x --log y.phhs", "--log: a server decides that"),
        ("--server x booker", "SPEC: a server decides that"),
        ("--server x:y", "address 'x:y'; allowed: HOST:PORT"),
        ("--server x --queue a --watch b", "--queue with --watch"),
        ("--server x", "no terminal"),
        ("--server x --plain", "--plain with --server; allowed: a table with house players"),
    ],
)
def test_one_line_and_exit_code_2(
    arguments: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(capsys, "play", *shlex.split(arguments))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert line in err


def test_no_secret_is_an_argument() -> None:
    from railbird.cli.play import command

    options = {name for parameter in command.params for name in parameter.opts}
    assert not options & {"--password", "--token"}


def test_secrets_come_from_files_and_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("long enough\nsecond line\n")
    log_in = credentials_of(SERVER, "ann", password_file=secret)
    assert isinstance(log_in, PasswordLogIn)
    assert log_in.password == "long enough"
    new = credentials_of(SERVER, "ann", sign_up=True, password_file=secret)
    assert isinstance(new, SignUp)
    monkeypatch.setenv("RAILBIRD_PASSWORD", "from outside")
    assert credentials_of(SERVER, "ann").password == "from outside"  # type: ignore[union-attr]
    monkeypatch.setenv("RAILBIRD_TOKEN", "abc")
    assert isinstance(credentials_of(SERVER, None), TokenLogIn)
    with pytest.raises(BadInput, match="--name"):
        credentials_of(SERVER, None, sign_up=True)
    monkeypatch.setenv("RAILBIRD_TOKEN", "no token at all")
    with pytest.raises(BadInput, match="the token is none") as told:
        credentials_of(SERVER, None)
    assert "no token at all" not in str(told.value)


@pytest.mark.parametrize("sign_up", [False, True])
def test_nobody_is_asked_for_a_password_to_no_server(
    sign_up: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAILBIRD_PASSWORD", raising=False)
    monkeypatch.setattr("click.prompt", lambda *_, **__: pytest.fail("it was asked for"))
    with socket.create_server(SERVER) as taken:
        free = taken.getsockname()
    with pytest.raises(BadInput, match="no server at"):
        credentials_of(free, "ann", sign_up=sign_up)
    with socket.create_server(SERVER) as listening:
        monkeypatch.setattr("click.prompt", lambda *_, **__: "from a person")
        log_in = credentials_of(listening.getsockname(), "ann", sign_up=sign_up)
    assert log_in.password == "from a person"  # type: ignore[union-attr]


def test_files_without_a_secret(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_text("\nsecret")
    with pytest.raises(BadInput, match="its first line is empty"):
        credentials_of(SERVER, "ann", password_file=empty)
    with pytest.raises(BadInput, match="cannot be read"):
        credentials_of(SERVER, "ann", password_file=tmp_path / "none")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="no text"):
        credentials_of(SERVER, "ann", token_file=tmp_path / "binary")


def test_what_is_played() -> None:
    ring = format_of("nl", variant="holdem", seats=6, stack="100bb", blinds="5,10,1", schedule=None)
    assert isinstance(ring, RingFormat)
    assert (ring.blinds, ring.ante, ring.buy_ins) == ((5, 10), 1, (10, 1000))
    schedule = "10/20x3,20/40x3"
    tournament = format_of(
        "limit", variant="holdem", seats=3, stack="500", blinds=None, schedule=schedule
    )
    assert isinstance(tournament, TournamentFormat)
    assert (tournament.betting, tournament.stack) == (Betting.LIMIT, 500)
    assert sum(tournament.payouts) == 1


def test_who_sits_down() -> None:
    assert house_players(["random"], 3, Betting.NO_LIMIT, HOLDEM) == ["random", "random"]
    assert house_players(["tom=random"], 4, Betting.LIMIT, HOLDEM) == [
        "tom=random",
        "random",
        "random",
    ]
    assert house_players(["random", "killer"], None, Betting.LIMIT, HOLDEM) == ["random", "killer"]
    assert len(house_players([], None, Betting.NO_LIMIT, HOLDEM)) == 5


@pytest.mark.parametrize("name", ["日本語", "🎲", "[red]x", "a b"])
def test_names_that_are_taken(name: str) -> None:
    assert checked_name(name) == name


@pytest.mark.parametrize("name", ["", " a", "a\x1b[31m", "a\nb", "\u202eabc", "x" * 33])
def test_names_that_are_not(name: str) -> None:
    with pytest.raises(BadInput, match="characters that show"):
        checked_name(name)


class Terminal:
    """A terminal of tmux's, in which a command runs."""

    def __init__(self, socket: str) -> None:
        self._tmux = ["tmux", "-L", socket, "-f", "/dev/null"]

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [*self._tmux, *arguments], capture_output=True, text=True, timeout=120, check=False
        )
        return done.stdout

    @property
    def screen(self) -> str:
        return self.run("capture-pane", "-p", "-t", "play")

    def press(self, *keys: str) -> None:
        self.run("send-keys", "-t", "play", *keys)

    def until(self, words: str) -> None:
        try:
            wait_for(lambda: words in self.screen)
        except AssertionError:
            raise AssertionError(f"{words!r} not in\n{self.screen}") from None


@contextmanager
def terminal(width: int, height: int, folder: Path, command: str) -> Iterator[Terminal]:
    if shutil.which("tmux") is None:
        pytest.skip("needs tmux")
    made = Terminal(f"railbird-{os.getpid()}")
    program = f"{shlex.quote(sys.executable)} -m railbird {command}; echo code $?; sleep 100"
    size = ("-x", str(width), "-y", str(height))
    made.run(
        "new-session", "-d", "-s", "play", *size, "-c", str(folder), "env", "bash", "-c", program
    )
    try:
        yield made
    finally:
        made.run("kill-server")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
def test_a_session_in_a_real_terminal(size: tuple[int, int], tmp_path: Path) -> None:
    command = "play always-call random --seats 3 --seed 5 --pause 0 --log s.phhs --name 'é[b]🎲'"
    with terminal(*size, tmp_path, command) as seen:
        seen.until("YOUR TURN")
        assert "é[b]🎲" in seen.screen
        assert len(seen.screen.splitlines()) <= size[1]
        seen.press("o")
        seen.until("with any")
        for _ in range(8):
            seen.until("YOUR TURN")
            wait_for(lambda: "Fold (f)" in seen.screen)
            seen.press("c")
        seen.press("C-c")
        seen.until("Leave?")
        seen.press("y")
        seen.until("code 0")
        assert "seed 5" in seen.screen
        assert "railbird report s.phhs" in " ".join(seen.screen.split())
    hands = list(read_log(tmp_path / "s.phhs"))
    assert hands
    assert all(isinstance(hand, HandRecord) for hand in hands)


@pytest.mark.slow
def test_a_closed_window_loses_no_hand(tmp_path: Path) -> None:
    command = "play always-call --seats 2 --seed 5 --pause 0 --log s.phhs"
    with terminal(80, 24, tmp_path, command) as seen:
        seen.until("YOUR TURN")
        process = seen.run("list-panes", "-t", "play", "-F", "#{pane_pid}").strip()
        subprocess.run(["pkill", "-TERM", "-P", process], check=True)
        seen.until("code 0")
        assert "Traceback" not in seen.screen
        assert "1 hand" in seen.screen
    (hand,) = read_log(tmp_path / "s.phhs")
    assert isinstance(hand, HandRecord)


@pytest.mark.slow
def test_a_screen_that_nobody_would_see_is_refused() -> None:
    """It is drawn on standard error."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "railbird", "play", "always-call"],
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 2
    assert done.stderr.startswith("railbird: no terminal")
    assert done.stderr.count("\n") == 1


_WITHOUT_THE_EXTRA = """
import sys
sys.modules["textual"] = None
from railbird.cli import main
main()
"""


@pytest.mark.slow
def test_without_the_extra_it_is_played_in_lines(tmp_path: Path) -> None:
    command = ["play", "always-call", "--seed", "5", "--stack", "400", "--log", "s.phhs", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_THE_EXTRA, *command],
        input="c\nr 40\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
        timeout=120,
    )
    told = json.loads(done.stdout)
    assert (told["seed"], told["hands"], told["logged"]) == (5, 1, 1)
    assert "Your turn: " in done.stderr
    assert "You bet 40" in done.stderr
    (hand,) = read_log(tmp_path / "s.phhs")
    assert isinstance(hand, HandRecord)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_a_game_in_lines(number: int, tmp_path: Path) -> None:
    """Even where the answer is awaited; the hand is folded and logged."""
    arguments = ["play", "--plain", "always-call", "--seed", "5", "--log", "s.phhs"]
    process = subprocess.Popen(
        [sys.executable, "-m", "railbird", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    told = ""
    while "f: fold" not in told:
        told += process.stdout.readline()
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "You leave: the hand is played to its end without you" in out
    assert "Traceback" not in err
    (hand,) = read_log(tmp_path / "s.phhs")
    assert isinstance(hand, HandRecord)
