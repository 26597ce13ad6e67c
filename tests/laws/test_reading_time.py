"""Whatever is done to a text, its reader comes to an end soon: no pattern and no number is a trap.

Mutated texts are read in a process of their own, which the system ends where the interpreter, deep
in a pattern or in a power of ten, could not end itself. It writes down what it is about to read.
"""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from railbird.errors import BadInput
from railbird.histories import HandRecord, Skipped, detect, parse_game, read

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
ROUNDS = 25
SECONDS = 2.0
"""Of processor time that a text may take; they take less than a tenth of a second."""
ALL_SECONDS = 120
LONG = 20_000
"""Characters of what is repeated; a pattern that is quadratic in them takes longer than allowed."""

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


def mutated(rng: np.random.Generator, text: str) -> str:
    """Change a text in one of the ways in which patterns and numbers can be made to suffer."""
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
            return text[:place] + piece * (LONG // len(piece)) + text[place:]
        case 2:  # a part of a line again and again
            start = int(rng.integers(len(line)))
            piece = line[start : start + int(rng.integers(1, 25))].rstrip("\n") or " "
            lines[number] = line[:start] + piece * (LONG // len(piece)) + line[start:]
        case 3:  # a line again and again
            lines[number] = line * 500
        case 4:  # every blank grown
            lines[number] = line.replace(" ", " " * 200)
        case _:  # something torn out
            lines[number] = line[: place % (len(line) + 1)]
            del lines[number + 1 : number + 1 + int(rng.integers(4))]
    return "".join(lines)


def texts() -> list[tuple[str, str, str]]:
    """What to read: a name for messages, the format, the text."""
    found: list[tuple[str, str, str]] = []
    for path in sorted(path for path in GOLDEN.iterdir() if path.is_file()):
        text = path.read_text(encoding="utf-8")
        known = detect(text.splitlines(keepends=True)[:100])
        assert known is not None, path
        rng = np.random.default_rng(sum(map(ord, path.name)))
        found += [(f"{path.name} {n}", known.name, mutated(rng, text)) for n in range(ROUNDS)]
    return found


def read_all(folder: Path) -> None:
    """Read every text; leave behind how long each took."""
    todo = texts()
    for path in GOLDEN.iterdir():  # whatever has to be compiled is compiled before the clock runs
        if path.is_file():
            list(read(path))
    resource.setrlimit(resource.RLIMIT_CPU, (ALL_SECONDS, ALL_SECONDS))
    taken: dict[str, float] = {}
    for name, format_name, text in todo:
        (folder / "now").write_text(name)
        start = time.process_time()
        with suppress(BadInput):  # such as a game whose name is no more
            for item in read(io.BytesIO(text.encode("utf-8", "replace")), format_name=format_name):
                assert isinstance(item, HandRecord | Skipped)
        taken[name] = time.process_time() - start
    (folder / "taken").write_text(json.dumps(taken))


def test_mutated_texts_are_read_soon(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, __file__, str(tmp_path)], capture_output=True, text=True, check=False
    )
    now = (tmp_path / "now").read_text() if (tmp_path / "now").exists() else "nothing"
    assert done.returncode == 0, f"while reading {now}: {done.stderr[-2000:]}"
    taken = json.loads((tmp_path / "taken").read_text())
    assert len(taken) >= 10 * ROUNDS
    slow = {name: seconds for name, seconds in taken.items() if seconds > SECONDS}
    assert not slow


@pytest.mark.parametrize("piece", ["stack", "stack ", "blind = 1 ", "stack = " + " " * 1000])
def test_game_definitions_are_refused_soon(piece: str) -> None:
    start = time.process_time()
    with pytest.raises(BadInput):
        parse_game(f"GAMEDEF\nlimit\n{piece * (LONG // len(piece))}x\nEND GAMEDEF\n")
    assert time.process_time() - start < SECONDS


if __name__ == "__main__":
    read_all(Path(sys.argv[1]))
