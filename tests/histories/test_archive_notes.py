"""Notes on hands of an archive: behind a sign in their comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.command_line import call, call_json
from railbird.errors import BadInput
from railbird.histories import HandRecord, archive, read
from railbird.histories.archive import LONGEST_NOTE, Query

HAND = "Ts6s,Jd5d,Td5hTh/2d/{river}h SlCk/kBrC/bRrC/bC # {number}:Ann|Bob{comment}\n"


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    log = tmp_path / "log.txt"
    comments = {1: "", 2: " # see http://example.org", 3: ""}
    lines = [
        HAND.format(number=number, river="?346"[number], comment=comment)
        for number, comment in comments.items()
    ]
    log.write_text("".join(lines))
    archive.add(read(log), tmp_path / "hands")
    return tmp_path / "hands"


def comments_of(folder: Path) -> dict[int | None, str]:
    return {
        hand.number: hand.comment for hand in archive.read(folder) if isinstance(hand, HandRecord)
    }


def test_a_note_is_found_replaced_and_taken_away(hands: Path) -> None:
    assert archive.annotate(hands, Query(where="number < 3"), "too loose #review") == 2
    noted = {
        1: "// too loose #review",
        2: "see http://example.org // too loose #review",
        3: "",
    }
    assert comments_of(hands) == noted
    review = Query(where="comment LIKE '%#review%'")
    assert len(list(archive.read(hands, review))) == 2
    assert archive.annotate(hands, Query(where="number = 2"), "fine") == 1
    assert archive.notes_of(hands)["note"].to_list() == ["too loose #review", "fine"]
    assert archive.notes_of(hands)["number"].to_list() == ["1", "2"]
    assert archive.annotate(hands, Query(), "") == 3
    assert comments_of(hands) == {1: "", 2: "see http://example.org", 3: ""}
    assert archive.notes_of(hands).is_empty()


def test_a_noted_hand_is_the_same_hand(hands: Path, tmp_path: Path) -> None:
    archive.annotate(hands, Query(), "noted")
    added = archive.add(read(tmp_path / "log.txt"), hands)
    assert (added.hands, added.duplicates) == (0, 3)
    assert archive.notes_of(hands).height == 3


@pytest.mark.parametrize("text", ["two\nlines", "x" * (LONGEST_NOTE + 1), "\x1b[2J"])
def test_what_is_no_note(text: str, hands: Path) -> None:
    with pytest.raises(BadInput, match="allowed: a line of up to 500 characters"):
        archive.annotate(hands, Query(), text)
    assert archive.notes_of(hands).is_empty()


def test_too_many_hands_get_none(hands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_NOTED", 2)
    with pytest.raises(BadInput, match="a note on 3 hands; allowed: up to 2 at a time"):
        archive.annotate(hands, Query(), "all")
    assert archive.notes_of(hands).is_empty()


def test_on_the_command_line(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verb = ("archive", "note", str(hands))
    assert "has no notes." in " ".join(call(capsys, *verb)[1].split())
    assert call(capsys, *verb, "number = 3", "[red]bluff #tag")[:2] == (0, "1 hand noted\n")
    assert "[red]bluff #tag" in call(capsys, *verb)[1]
    (note,) = call_json(capsys, *verb)["notes"]
    assert (note["number"], note["players"]) == ("3", ["Ann", "Bob"])
    code, _, err = call(capsys, *verb, "number = 9", "nobody")
    assert (code, err.count("\n")) == (1, 1)
    code, _, err = call(capsys, *verb, "number = 3")
    assert code == 2
    assert "without a text" in err
    assert call(capsys, *verb, "nmber = 3", "x")[0] == 2
    assert "without a note now" in call(capsys, *verb, "number = 3", "")[1]
    assert call(capsys, "archive", "note", str(hands.parent / "log.txt"))[0] == 2
