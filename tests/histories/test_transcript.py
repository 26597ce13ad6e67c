from __future__ import annotations

import io
from pathlib import Path

import pytest

from railbird.errors import BadInput
from railbird.histories import HandRecord, Skipped, SkipReason, read

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
TEXT = (GOLDEN / "transcript.txt").read_text()


def test_a_transcript_has_the_hands_of_its_log() -> None:
    messages = list(
        read(GOLDEN / "transcript.txt", rename={"player 1": "Annie", "player 2": "Bill"})
    )
    log = list(read(GOLDEN / "limit.log"))
    assert messages == log[: len(messages)]
    assert len(messages) == 4


def test_a_hand_without_its_end() -> None:
    cut = TEXT[: TEXT.rindex("TO 1")]
    cut = cut[: cut.rindex("TO 1")]
    *hands, last = read(io.BytesIO(cut.encode()))
    assert len(hands) == 3
    assert isinstance(last, Skipped)
    assert last.reason is SkipReason.CUT


def test_one_player_alone_sees_folded_cards_of_nobody_else() -> None:
    seen = "".join(line for line in TEXT.splitlines(keepends=True) if "TO 2" not in line)
    found = list(read(io.BytesIO(seen.encode())))
    assert [type(hand) for hand in found] == [Skipped] * 4
    assert {hand.reason for hand in found if isinstance(hand, Skipped)} == {SkipReason.CUT}


def test_a_transcript_whose_game_nobody_says() -> None:
    text = TEXT.split("\n", 1)[1]
    with pytest.raises(BadInput, match="--game"):
        list(read(io.BytesIO(text.encode())))
    source = io.BytesIO(text.encode())
    hands = list(read(source, game="holdem.limit.2p.reverse_blinds.game"))
    assert all(isinstance(hand, HandRecord) for hand in hands)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rc/rc/rc/rc:", "rc/rc/rc/c:"),
        ("/Ah/Qs", "/Ad/Qs"),
        ("2c6c/", "2c6d/"),
        ("TO 2", "TO 7"),
    ],
)
def test_a_message_that_goes_back_on_another_costs_the_hand(old: str, new: str) -> None:
    """A transcript states no payoffs, so what is told twice is all there is to compare."""
    lines = TEXT.splitlines(keepends=True)
    last = next(number for number, line in enumerate(lines) if "Seconds" in line) - 1
    assert old in lines[last]
    lines[last] = lines[last].replace(old, new)
    bad, *others = read(io.BytesIO("".join(lines).encode()))
    assert isinstance(bad, Skipped)
    assert bad.reason is SkipReason.UNREADABLE
    assert others == list(read(io.BytesIO(TEXT.encode())))[1:]
