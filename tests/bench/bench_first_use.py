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
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

Row = tuple[str, float, str]

ROOT: Final = Path(__file__).parents[2]
_WORTH_NAMING: Final = 5.0
"""Megabytes from which on a package is named."""

HAND = "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"
PLAY = ("--hands", "200", "--log")
VERBS: Sequence[tuple[str, ...]] = (
    ("odds", "AcKc"),
    ("odds", "AcKc", "Kd9s2h"),
    ("odds", "AcKc", "Kd9s2h", "--action", "flop:bet", "--show", "outs"),
    ("odds", "preflop", "AKs", "--seats", "2"),
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
    ("explain", "loki.log", "--hand", "3", "--player", "loki", "--ask", "loki:som"),
    ("solve", "pushfold"),
    ("blackjack", "ev", "--player", "8,8", "--upcard", "7"),
    ("blackjack", "simulate", "basic", "--count", "1000"),
    ("blackjack", "match", "basic", "source", "--count", "200"),
    ("demo",),
)


def rows() -> Iterator[Row]:
    """Return what an installation weighs, and by command what its first use costs.

    With ``make wheel`` done before, each command is run from that wheel as well: with no cache of
    the user's, which has it from what came with the wheel, and once more.
    """
    yield from _sizes()
    with tempfile.TemporaryDirectory() as place:
        wheel, folder = _unpacked(Path(place) / "wheel"), Path(place) / "work"
        folder.mkdir()
        for number, verb in enumerate(VERBS):
            label, cache = " ".join(verb[:3]), Path(place) / f"cache{number}"
            yield from _measured(label, verb, folder, cache)
            if wheel is not None:
                cache = Path(place) / f"own{number}"
                again = verb if "--log" not in verb else (*verb, "--force")
                if verb == ("demo",):
                    again = ("demo", "--force")
                for when in ("wheel", "wheel, again"):
                    yield from _measured(f"{label}, {when}", again, folder, cache, wheel)


def _sizes() -> Iterator[Row]:
    """Return the megabytes, 10^6 bytes, of what the bare package brings, the heaviest first.

    Without bytecode, which an installer may write or leave to the first use.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bare = _required(project["dependencies"])
    sizes = {name: _weight(name) for name in bare}
    ours = [file for file in (ROOT / "src").rglob("*") if file.suffix != ".pyc" and file.is_file()]
    sizes["railbird"] = sum(file.stat().st_size for file in ours) / 1e6
    yield "bare installation", sum(sizes.values()), "MB"
    yield from (
        (f"bare installation: {name}", size, "MB")
        for name, size in sorted(sizes.items(), key=lambda each: -each[1])
        if size >= _WORTH_NAMING
    )
    for extra, requirements in project["optional-dependencies"].items():
        if all(each.startswith("railbird") for each in requirements):
            continue
        try:
            more = _required([each for each in requirements if not each.startswith("railbird")])
            yield f"extra {extra} alone", sum(_weight(name) for name in more - bare), "MB"
        except PackageNotFoundError:
            continue
    for wheel in sorted((ROOT / "dist").glob("railbird-*.whl")):
        yield f"{wheel.name}", wheel.stat().st_size / 1e6, "MB"


def _required(requirements: Sequence[str]) -> set[str]:
    """Return the distributions that these need, and those that they need."""
    found: set[str] = set()
    waiting = [Requirement(each) for each in requirements]
    while waiting:
        each = waiting.pop()
        if each.name in found:
            continue
        found.add(each.name)
        for needed in map(Requirement, distribution(each.name).requires or ()):
            cases = ({"extra": extra} for extra in ("", *each.extras))
            if needed.marker is None or any(map(needed.marker.evaluate, cases)):
                waiting.append(needed)
    return found


def _weight(name: str) -> float:
    files = (Path(str(file.locate())) for file in distribution(name).files or ())
    return (
        sum(file.stat().st_size for file in files if file.suffix != ".pyc" and file.exists()) / 1e6
    )


def _unpacked(into: Path) -> Path | None:
    """Unpack the wheel of ``make wheel`` for this Python, if there is one."""
    kind = f"cp{sys.version_info.major}{sys.version_info.minor}"
    for wheel in (ROOT / "dist").glob(f"railbird-*-{kind}-*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(into)
        return into
    return None


def _measured(
    label: str, verb: Sequence[str], folder: Path, cache: Path, wheel: Path | None = None
) -> Iterator[Row]:
    begun = time.perf_counter()
    path = {} if wheel is None else {"PYTHONPATH": str(wheel)}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "railbird", *verb],
        cwd=folder,
        env={**os.environ, **path, "RAILBIRD_CACHE": str(cache)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    waited = time.perf_counter() - begun
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
