"""A PostgreSQL of the tests' own, from Debian's package."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest


@dataclass(frozen=True)
class Postgres:
    """A cluster of our own that listens on loopback only."""

    port: int
    user: str
    stop: Callable[[], None]
    """Stop it at once, as a crash does; `start` recovers."""
    start: Callable[[], None]

    def url(self, name: str) -> str:
        return f"postgresql://{self.user}@127.0.0.1:{self.port}/{name}"

    def create(self, name: str, *, like: str = "template1") -> str:
        """Create a database anew, as a copy of another; return its URL."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}"')
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
        return self.url(name)


@contextmanager
def cluster() -> Iterator[Postgres]:
    """Start one and delete it afterwards; skip the test where that cannot be."""
    binaries, user = _binaries(), _user()
    if binaries is None:
        pytest.skip("needs PostgreSQL's initdb (Debian's package postgresql)")
    if user is None:
        pytest.skip("PostgreSQL refuses root, and there is no user postgres or nobody")
    folder = Path(tempfile.mkdtemp(prefix="railbird-postgres-"))
    identity: dict[str, Any] = {"cwd": folder}
    if not os.geteuid():
        shutil.chown(folder, user)
        identity |= {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": ()}

    def call(program: str, *arguments: str) -> None:
        done = subprocess.run(
            [binaries / program, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
            **identity,
        )
        assert done.returncode == 0, done.stdout

    data, port = str(folder / "data"), _free_port()
    try:
        call("initdb", "-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c fsync=off -k {folder}"
        start = ("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
        stop = ("pg_ctl", "-D", data, "-m", "immediate", "stop")
        call(*start)
        try:
            yield Postgres(port, user, partial(call, *stop), partial(call, *start))
        finally:
            call(*stop)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    elsewhere = shutil.which("initdb")
    return Path(elsewhere).parent if elsewhere else None


def _user() -> str | None:
    """Whom to be, since PostgreSQL refuses to be run by root; None if that is nobody."""
    if os.geteuid():
        return pwd.getpwuid(os.geteuid()).pw_name
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    return None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
