"""What a first command costs: each verb in a process of its own, with nothing compiled or built.

Processor's seconds are those of all processes that a verb starts; other work on the machine affects
them less than the seconds waited, which mean something only where there is none.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

Row = tuple[str, float, str]

HAND = "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"
PLAY = ("--hands", "200", "--log")
VERBS: Sequence[tuple[str, ...]] = (
    ("odds", "AcKc"),
    ("odds", "AcKc", "Kd9s2h"),
    ("odds", "AcKc", "Kd9s2h", "--action", "flop:bet", "--outs"),
    ("preflop", "AKs", "--seats", "2"),
    ("equity", "QQ+, AK", "random"),
    ("equity", "AsKs", "QdQh", "random"),
    ("match", "baseline", "always-raise", *PLAY, "limit.log"),
    ("match", "always-call", "random", "--game", "nolimit", *PLAY, "nolimit.log"),
    ("match", "loki:gom", "loki", "--hands", "20", "--log", "loki.log"),
    ("assess", "limit.log"),
    ("assess", "nolimit.log"),
    ("stats", "limit.log"),
    ("report", "nolimit.log", "--player", "random"),
    ("score", HAND),
    ("explain", "loki.log", "--hand", "3", "--player", "loki", "--as", "loki:som"),
    ("solve", "pushfold"),
    ("blackjack", "ev", "--player", "8,8", "--dealer", "7"),
    ("blackjack", "simulate", "basic", "--rounds", "1000"),
    ("blackjack", "match", "basic", "source", "--rounds", "200"),
    ("demo",),
)


def rows() -> Iterator[Row]:
    """Return by command the seconds waited and the processor's, and megabytes used and written."""
    with tempfile.TemporaryDirectory() as folder:
        for number, verb in enumerate(VERBS):
            yield from _first_use(verb, Path(folder), Path(folder) / f"cache{number}")


def _first_use(verb: tuple[str, ...], folder: Path, cache: Path) -> Iterator[Row]:
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "railbird", *verb],
        cwd=folder,
        env={**os.environ, "RAILBIRD_CACHE": str(cache)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    waited = time.perf_counter() - begun
    label = " ".join(verb[:3])
    if status != 0:
        raise RuntimeError(f"{label}: exit code {os.waitstatus_to_exitcode(status)}")
    process.returncode = 0
    yield f"{label}: waited", waited, "s"
    yield f"{label}: processor", used.ru_utime + used.ru_stime, "s"
    yield f"{label}: memory", used.ru_maxrss / 1024, "MB"
    yield f"{label}: compiled code", _size(cache / "kernels"), "MB"
    yield f"{label}: tables", _size(cache / "tables"), "MB"


def _size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
