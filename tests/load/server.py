"""A server to be measured: `railbird serve` as a process, with bots that have tokens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from railbird.storage import accounts
from railbird.storage import accounts as keys
from railbird.storage.accounts import AccountKind
from railbird.storage.database import open_blocking

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")


def make_bots(database: str, count: int) -> list[str]:
    """Create bots, each of an owner of its own; return their tokens."""
    opened = open_blocking(database)
    try:
        with opened.write() as session:
            tokens = []
            for number in range(count):
                owner = accounts.create_account(session, f"owner{number}", kind=AccountKind.PERSON)
                name = f"bot{number}"
                bot = accounts.create_account(
                    session, name, kind=AccountKind.BOT, owner_id=owner.id
                )
                tokens.append(keys.add_token(session, bot.id)[1])
            return tokens
    finally:
        opened.close()


@dataclass
class Server:
    """A process, and where it listens."""

    process: subprocess.Popen[str]
    tcp: int
    http: str
    ready_s: float
    """From its start until it served."""

    @property
    def cpu_s(self) -> float:
        """Seconds of a processor that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @property
    def memory(self) -> int:
        """Bytes that are resident."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * _PAGE

    def get(self, path: str) -> str:
        """Fetch a page."""
        with urllib.request.urlopen(self.http + path.lstrip("/"), timeout=30) as answer:
            text: str = answer.read().decode()
        return text

    def problems(self) -> dict[str, str]:
        """Ask what is wrong."""
        try:
            text = self.get("/health")
        except urllib.error.HTTPError as answer:  # a 503 is an answer, too
            text = answer.read().decode()
        found: dict[str, str] = json.loads(text)["problems"]
        return found

    def metrics(self) -> Metrics:
        """Scrape the metrics."""
        found = {}
        for line in self.get("/metrics").splitlines():
            if line and not line.startswith("#"):
                name, _, value = line.rpartition(" ")
                found[name] = float(value)
        return Metrics(found)


@dataclass(frozen=True)
class Metrics:
    """Values by name, labels included."""

    values: dict[str, float]

    def __getitem__(self, name: str) -> float:
        return self.values[f"railbird_{name}"]

    def quantile_ms(self, name: str, quantile: float, before: Metrics) -> float:
        """Return a quantile of a histogram between two scrapes, linear within a bucket."""
        start = f'railbird_{name}_bucket{{le="'
        counts = []
        for key, value in self.values.items():
            if key.startswith(start):
                edge = float(key[len(start) :].partition('"')[0].replace("+Inf", "inf"))
                counts.append((edge, value - before.values.get(key, 0)))
        counts.sort()
        wanted, low, below = quantile * counts[-1][1], 0.0, 0.0
        for edge, up_to in counts:
            if up_to >= wanted and up_to > below:
                high = edge if edge < float("inf") else 2 * low
                return 1000 * (low + (high - low) * (wanted - below) / (up_to - below))
            low, below = edge, up_to
        return float("nan")


@contextmanager
def serving(
    folder: Path, formats: str, *, database: str | None = None, options: tuple[str, ...] = ()
) -> Iterator[Server]:
    """Start a server in a folder; kill it at the end whatever happens."""
    (folder / "formats.toml").write_text(formats)
    command = [sys.executable, "-m", "railbird", "serve", "--http", "0", "--tcp", "0", "--json"]
    command += ["--formats", str(folder / "formats.toml"), "--journal", str(folder / "journal")]
    command += ["--database", database or sqlite(folder), "--key-file", str(folder / "key")]
    began = time.monotonic()
    with (folder / "errors").open("a") as errors:
        process = subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, stderr=errors, text=True
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, (folder / "errors").read_text()
        told = json.loads(line)
        yield Server(process, told["tcp"], told["url"], time.monotonic() - began)
    finally:
        process.kill()
        process.communicate()


def sqlite(folder: Path) -> str:
    """Return the address of a folder's own database."""
    return f"sqlite:///{folder}/railbird.sqlite3"


def stop(server: Server) -> float:
    """Ask a server to stop; return the seconds that it took."""
    began = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(60)
    return time.monotonic() - began
