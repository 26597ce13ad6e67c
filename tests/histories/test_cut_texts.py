"""Texts whose lines were cut off: what is whole in them is read, and what is not is told."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from railbird.histories import HandRecord, ReadOptions, Skipped, SkipReason, format_named

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
FILES = {
    "full-tilt": "full_tilt.txt",
    "ggpoker": "ggpoker.txt",
    "pacific": "pacific.txt",
    "partypoker": "partypoker.txt",
    "pokerstars": "stars.txt",
    "winamax": "winamax.txt",
}
"""By format; each begins with a whole hand."""


def items(site: str, text: str) -> list[HandRecord | Skipped]:
    return list(format_named(site).read(io.StringIO(text), ReadOptions()))


def two_hands(site: str) -> tuple[list[str], list[str]]:
    """The lines of the first two hands of a file, without empty ones."""
    lines = (GOLDEN / FILES[site]).read_text(encoding="utf-8").splitlines()
    found = items(site, "\n".join(lines))
    first, second, third, *_ = (
        each.source.line for each in found if isinstance(each, HandRecord) and each.source
    )
    hands = lines[first - 1 : second - 1], lines[second - 1 : third - 1]
    one, other = ([line for line in hand if line.strip()] for hand in hands)
    return one, other


@pytest.mark.parametrize("site", FILES)
def test_the_hand_after_a_cut_line_is_whole(site: str) -> None:
    first, second = two_hands(site)
    (whole,) = (one for one in items(site, "\n".join(second)) if isinstance(one, HandRecord))
    for place, line in enumerate(first):
        for cut in {1, len(line) // 2, len(line) - 1} - {0, len(line)}:
            text = "\n".join([*first[:place], line[:cut] + second[0], *second[1:]])
            *before, found = items(site, text)
            assert isinstance(found, HandRecord), (place, cut)
            assert (found.number, found.payoffs) == (whole.number, whole.payoffs)
            assert found.played_at == whole.played_at
            assert len(before) <= 1
            # A first line that was cut in its beginning is no sign of a hand.
            assert before or place == 0, (place, cut)


@pytest.mark.parametrize("site", FILES)
def test_a_hand_without_its_first_line_is_told(site: str) -> None:
    first, second = two_hands(site)
    found = items(site, "\n".join([*first[1:], "", "", *second]))
    assert [type(one) for one in found] == [Skipped, HandRecord]


@pytest.mark.parametrize("site", FILES)
def test_a_log_that_ends_in_a_line_is_no_other_game(site: str) -> None:
    first, _ = two_hands(site)
    for place, line in enumerate(first[1:], 1):
        for end in range(1, len(line)):
            found = items(site, "\n".join([*first[:place], line[:end]]))
            reasons = [each.reason for each in found if isinstance(each, Skipped)]
            assert SkipReason.ANOTHER_GAME not in reasons, line[:end]
