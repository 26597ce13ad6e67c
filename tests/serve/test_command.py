"""``railbird serve`` as a process: it says where it is, answers, and stops at Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from railbird.cli import run

COMMAND = (sys.executable, "-m", "railbird", "serve")
ACPC = ("--acpc", "0", "--acpc-opponent", "always-call", "--acpc-game", "limit")


def raises_by_a_letter(port: int) -> bool:
    """Whether a raise at the dealer port needs no amount, as in limit games."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as dealer:
        dealer.sendall(b"VERSION:2.0.0\r\n")
        for _, line in zip(range(20), dealer.makefile("rb"), strict=False):
            if re.match(rb"MATCHSTATE:\d+:\d+:[cf/]*r\D", line):
                return True
            dealer.sendall(line.rstrip() + b":r\r\n")
    return False


def test_serves_until_interrupted(tmp_path: Path) -> None:
    server = subprocess.Popen(
        (*COMMAND, "--http", "0", "--json", "--stack", "9.5", *ACPC),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
    )
    try:
        assert server.stdout is not None
        said = json.loads(server.stdout.readline())
        answer = httpx.get(f"{said['url'].rstrip('/')}/pushfold", follow_redirects=True)
        assert answer.status_code == 200
        assert "9.5 big blinds deep" in answer.text
        assert "server" not in answer.headers
        assert raises_by_a_letter(said["acpc"])
        server.send_signal(signal.SIGINT)
        _, problems = server.communicate(timeout=30)
    finally:
        server.kill()
        server.wait()
    assert server.returncode == 0
    assert "Traceback" not in problems
    assert str(tmp_path) in said["database"]
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    names = {file.name for file in files}
    assert {"railbird.key", "railbird.admin", "railbird.sqlite3"} <= names
    # The locks are empty; everything else has secrets: cards to come, keys, hashes.
    secret = [file for file in files if not file.name.endswith("lock")]
    assert {file.stat().st_mode & 0o777 for file in secret} == {0o600}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--stack", "0.5"), "allowed: 1 to 100"),
        (("--stack", "nan"), "allowed: 1 to 100"),
        (("--database", "mysql://a/b"), "allowed: sqlite"),
        (("--database", "postgresql://a:swordfish@127.0.0.1:1/b"), "database postgresql"),
        (("--host", "nowhere.invalid"), "cannot listen"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], says: str
) -> None:
    keyed = ("--key-file", str(tmp_path / "key"))
    assert run(["serve", "--http", "0", *keyed, *options]) == 2
    (line,) = _told(capsys)
    assert says in line
    assert "swordfish" not in line


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keyed = ("--key-file", str(tmp_path / "key"), "--database", f"sqlite:///{tmp_path}/x.sqlite3")
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert run(["serve", "--http", str(other.getsockname()[1]), *keyed]) == 2
    (line,) = _told(capsys)
    assert "cannot listen" in line


def _told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    lines = capsys.readouterr().err.splitlines()
    return [line for line in lines if not line.startswith("compiling")]
