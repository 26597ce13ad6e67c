"""Whatever is done to the head of a hand, no reader raises."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from railbird.histories import FORMATS, Skipped, batches_of, read, read_columns
from railbird.histories.record import UnnamedGame

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
TEXTS = {
    "transcript": "transcript.txt",
    "acpc": "six.log",
    "poker-academy": "academy.txt",
    "phh": "hands.phhs",
    "ohh": "hands.ohh",
    "kaggle": "kaggle_forfeit.json",
    "pokerstars": "stars.txt",
    "ggpoker": "ggpoker.txt",
    "winamax": "winamax.txt",
    "partypoker": "partypoker.txt",
    "pacific": "pacific.txt",
    "ipoker": "ipoker.xml",
    "full-tilt": "full_tilt.txt",
    "irc": "irc.txt",
    "bovada": "bovada.txt",
    "pokernow": "pokernow.csv",
    "winning": "winning.txt",
    "pokertracker": "../rooms/pokertracker.txt",
    "ongame": "../rooms/ongame.txt",
    "pkr": "../rooms/pkr.txt",
    "betonline": "../rooms/betonline.txt",
    "everleaf": "../rooms/everleaf.txt",
    "absolute": "../rooms/absolute.txt",
    "poker-mavens": "../rooms/poker_mavens.txt",
    "kingsclub": "../rooms/kingsclub.txt",
    "entraction": "../rooms/entraction.txt",
    "cake": "../rooms/cake.txt",
    "unibet": "../rooms/unibet.txt",
    "big-game": "../rooms/big_game.txt",
    "merge": "../rooms/merge.xml",
    "everest": "../rooms/everest.xml",
    "boss": "../rooms/boss.xml",
    "microgaming": "../rooms/microgaming.xml",
    "line": "limit.txt",
}
"""A text of each format."""
LINES = 40
"""Lines of it that are read: the first hand or more."""
MORE_LINES = dict.fromkeys(("ipoker", "entraction", "boss", "microgaming"), 60)
"""The same where a hand is longer."""

HEAD = 400
"""Characters that are changed: the lines of the game, the table and the first seats."""
SIGNS = [
    *" \t\u00a0\u2028'\"#$€()[]{}<>*/|\\:;,.+-=_%&~^@!?0169aAxRZ²٣é\ufeff\0\x1b\n\r",
    *("  ", " - ", "R$", "USD", "10", "Hold'em", "Table '"),
]
BLANKS = ["  ", "\t", "", "\n", "   ", "\u00a0"]
NUMBERS = ["0", "-1", "9" * 20, "1.5.5", "1,2,3", "0.001", "1e9", "10", "000", "12345678"]
WORD = re.compile(r"\S+")
NUMBER = re.compile(r"[0-9][0-9.,]*")
FAULT = re.compile(r": \w+(?:Error|Iteration): ")
"""Mark of what a reader itself has raised, which is refused, and yet a fault of the reader."""
FAST, ALL = 60, 20_000


def mutated(rng: np.random.Generator, text: str) -> str:
    """Change one or two things in the head of a text."""
    for _ in range(int(rng.integers(1, 3))):
        head = min(HEAD, len(text))
        place = int(rng.integers(head))
        start, end, new = place, place, str(rng.choice(SIGNS))
        match int(rng.integers(6)):
            case 0:  # a sign more
                pass
            case 1:  # one less
                end, new = place + 1, ""
            case 2:  # another one
                end = place + 1
            case 3 if blanks := [at for at in range(head) if text[at] == " "]:
                start = int(rng.choice(blanks))
                end, new = start + 1, str(rng.choice(BLANKS))
            case 4 if numbers := list(NUMBER.finditer(text, 0, head)):
                start, end = numbers[int(rng.integers(len(numbers)))].span()
                new = str(rng.choice(NUMBERS))
            case _ if words := [found.span() for found in WORD.finditer(text, 0, head)]:
                (start, end), (from_, to) = (words[int(rng.integers(len(words)))] for _ in "ab")
                word = text[start:end]
                forms = ["", f"{word} {word}", text[from_:to], word.upper(), word.lower(), word[:1]]
                new = str(rng.choice(forms))
        text = text[:start] + new + text[end:]
    return text


def texts(name: str, count: int) -> Iterator[str]:
    """Yield a text whose head is changed, so many times."""
    whole = (GOLDEN / TEXTS[name]).read_text(encoding="utf-8")
    text = "".join(whole.splitlines(keepends=True)[: MORE_LINES.get(name, LINES)])
    for number in range(count):
        yield mutated(np.random.default_rng([number, *name.encode()]), text)


def check(name: str, count: int) -> None:
    """Read texts, hand by hand and as columns; where a game is unnamed, nothing can be read."""
    for text in texts(name, count):
        data = text.encode("utf-8", "replace")
        try:
            if name == "acpc":  # the only one that is read in two ways
                list(read(io.BytesIO(data), format_name=name))
            items = list(read_columns(io.BytesIO(data), format_name=name))
        except UnnamedGame:
            continue
        list(batches_of(items))
        refused = [item for item in items if isinstance(item, Skipped)]
        if name != "kaggle":  # which finds out the form of a replay by what its values raise
            assert not [skip for skip in refused if FAULT.search(skip.detail)], text


def test_every_format_has_a_text() -> None:
    assert TEXTS.keys() == {known.name for known in FORMATS}


@pytest.mark.parametrize("name", TEXTS)
def test_no_reader_raises(name: str) -> None:
    check(name, FAST)


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_no_reader_raises_whatever_the_header(name: str) -> None:
    check(name, ALL)
