"""Whatever is done to a text, reading it takes time in proportion: no pattern, no number is a trap.

Mutated texts are read in a process of their own, which the system ends where the interpreter, deep
in a pattern or in a power of ten, could not end itself. It writes down what it is about to read.
"""

from __future__ import annotations

import io
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from helpers.growth import MOST_GROWTH, growth
from railbird.errors import BadInput
from railbird.histories import HandRecord, Skipped, detect, parse_game, read

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
ROUNDS = 25
LONG = 20_000
"""Characters of what is repeated."""
SUSPECT_SECONDS = 0.03
"""Of processor time, which a pattern that is quadratic in `LONG` characters takes anywhere."""
MOST_COPIES = 1_000_000
"""Characters that a line may have become by its copies, at first: a file in JSON is one line."""
ENDLESS_SECONDS = 600
"""Of processor time for all texts, which takes five: where it has not ended then, it never will."""

NUMBERS = ["1e99999999", "1E-99999999", "9" * 5000, "0." + "9" * 5000, "-1", "99999999999999999999"]
PIECES = [
    " ",
    "\t",
    "*",
    "(",
    "[",
    "{",
    "'",
    '"',
    ",",
    ":",
    "/",
    "|",
    "#",
    "$",
    "0",
    "9",
    "a",
    "- ",
]


def mutated(rng: np.random.Generator, text: str, times: int = 1) -> str:
    """Change a text in one of the ways in which patterns and numbers can be made to suffer."""
    long = times * LONG
    place = int(rng.integers(len(text)))
    lines = text.splitlines(keepends=True)
    number = int(rng.integers(len(lines)))
    line = lines[number]
    match rng.integers(6):
        case 0:  # a number of another size
            digits = [i for i, char in enumerate(text) if char.isdigit()]
            place = int(rng.choice(digits))
            end = place + 1
            while end < len(text) and (text[end].isdigit() or text[end] == "."):
                end += 1
            return text[:place] + str(rng.choice(NUMBERS)) + text[end:]
        case 1:  # a sign again and again
            piece = str(rng.choice(PIECES))
            return text[:place] + piece * (long // len(piece)) + text[place:]
        case 2:  # a part of a line again and again
            start = int(rng.integers(len(line)))
            piece = line[start : start + int(rng.integers(1, 25))].rstrip("\n") or " "
            lines[number] = line[:start] + piece * (long // len(piece)) + line[start:]
        case 3:  # a line again and again
            lines[number] = line * (min(500, 1 + MOST_COPIES // max(1, len(line))) * times)
        case 4:  # every blank grown
            lines[number] = line.replace(" ", " " * (200 * times))
        case _:  # something torn out
            lines[number] = line[: place % (len(line) + 1)]
            del lines[number + 1 : number + 1 + int(rng.integers(4))]
    return "".join(lines)


class Trap(NamedTuple):
    """A text made to suffer, and the same with what is repeated so many times as long."""

    name: str
    format_name: str
    text: Callable[[int], str]


def traps() -> list[Trap]:
    """What to read."""
    found = []
    for path in sorted(path for path in GOLDEN.iterdir() if path.is_file()):
        text = path.read_text(encoding="utf-8")
        known = detect(text.splitlines(keepends=True)[:100])
        assert known is not None, path
        for n in range(ROUNDS):
            seed = [n, *path.name.encode()]

            def longer(times: int, text: str = text, seed: list[int] = seed) -> str:
                return mutated(np.random.default_rng(seed), text, times)

            found.append(Trap(f"{path.name} {n}", known.name, longer))
    return found


def read_one(trap: Trap, times: int) -> None:
    """Read a text."""
    text = trap.text(times).encode("utf-8", "replace")
    with suppress(BadInput):  # such as a game whose name is no more
        for item in read(io.BytesIO(text), format_name=trap.format_name):
            assert isinstance(item, HandRecord | Skipped)


def read_all(folder: Path) -> None:
    """Read every text; leave behind how its time grows with its length, where it takes long."""
    for path in GOLDEN.iterdir():  # whatever has to be compiled is compiled before
        if path.is_file():
            list(read(path))
    resource.setrlimit(resource.RLIMIT_CPU, (ENDLESS_SECONDS, ENDLESS_SECONDS))
    grows: dict[str, float] = {}
    for trap in traps():
        (folder / "now").write_text(trap.name)
        start = time.process_time()
        read_one(trap, 1)
        grows[trap.name] = 0.0
        if time.process_time() - start > SUSPECT_SECONDS:
            for tries in (1, 3):  # once more where something else may have come between
                grows[trap.name] = growth(partial(read_one, trap), 1, tries=tries)
                if grows[trap.name] <= MOST_GROWTH:
                    break
    (folder / "grows").write_text(json.dumps(grows))


@pytest.mark.slow
def test_mutated_texts_take_time_in_proportion(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, __file__, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    now = (tmp_path / "now").read_text() if (tmp_path / "now").exists() else "nothing"
    assert done.returncode == 0, f"while reading {now}: {done.stderr[-2000:]}"
    grows = json.loads((tmp_path / "grows").read_text())
    assert len(grows) >= 10 * ROUNDS
    assert {name: times for name, times in grows.items() if times > MOST_GROWTH} == {}


@pytest.mark.parametrize("piece", ["stack", "stack ", "blind = 1 ", "stack = " + " " * 1000])
def test_game_definitions_are_refused_in_proportion(piece: str) -> None:
    def refused(long: int) -> None:
        with pytest.raises(BadInput):
            parse_game(f"GAMEDEF\nlimit\n{piece * (long // len(piece))}x\nEND GAMEDEF\n")

    assert growth(refused, LONG) < MOST_GROWTH


if __name__ == "__main__":
    read_all(Path(sys.argv[1]))
