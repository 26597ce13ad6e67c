"""A law of all formats of hand histories: reading ends soon, whatever is in the text."""

from __future__ import annotations

import io
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.errors import BadInput
from railbird.histories import FORMATS, Format, HandRecord, ReadOptions, Skipped

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
FILES = {
    "acpc": "limit.log",
    "full-tilt": "full_tilt.txt",
    "ggpoker": "ggpoker.txt",
    "ipoker": "ipoker.xml",
    "irc": "irc.txt",
    "line": "limit.txt",
    "ohh": "hands.ohh",
    "pacific": "pacific.txt",
    "partypoker": "partypoker.txt",
    "phh": "hands.phhs",
    "poker-academy": "academy.txt",
    "pokerstars": "stars.txt",
    "transcript": "transcript.txt",
    "winamax": "winamax.txt",
}
CPU_SECONDS = 2.0
"""Many times what a text of a quarter of a million characters takes; a pattern that runs wild
takes hours."""


@st.composite
def edits(draw: st.DrawFn) -> list[tuple[float, float, str, int]]:
    """Places in a text as parts of it, how much goes, and what comes there how many times."""
    part = st.floats(0, 1, exclude_max=True)
    piece = st.text(max_size=3) | st.sampled_from(
        [*' \n9A€()[]{"', "1,", " 9", "[ ", "A ", "A. ", "<a>", "&a;"]
    )
    times = st.sampled_from([0, 1, 2, 40, 499, 5000, 60_000])
    return draw(st.lists(st.tuples(part, part, piece, times), min_size=1, max_size=4))


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
@given(edits=edits())
def test_whatever_a_text_is_reading_it_ends_soon(
    known: Format, edits: list[tuple[float, float, str, int]]
) -> None:
    text = (GOLDEN / FILES[known.name]).read_text(encoding="utf-8")
    for begin, length, piece, times in edits:
        place = int(begin * len(text))
        after = place + int(length * 200)
        copied = text[place:after] if times < 500 else ""
        text = (text[:place] + (piece + copied) * times + text[after:])[:250_000]
    start = time.process_time()
    with suppress(BadInput):  # of a log that no longer names its game
        for hand in known.read(io.StringIO(text), ReadOptions()):
            assert isinstance(hand, HandRecord | Skipped)
    assert time.process_time() - start < CPU_SECONDS
