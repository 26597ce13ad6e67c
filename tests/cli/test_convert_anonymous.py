"""``convert --anonymous`` leaves nothing of a name; ``--show lint`` says what logs lack."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

import pytest

from helpers.command_line import call
from railbird.histories import Anonymiser, HandRecord, Skipped, read

HISTORIES: Final = Path(__file__).parents[1] / "golden" / "histories"
LOGS: Final = (
    *("academy.txt", "full_tilt.txt", "ggpoker.txt", "hands.ohh", "hands.phhs", "ipoker.xml"),
    *("letters.txt", "pacific.txt", "partypoker.txt", "stars.txt", "winamax.txt"),
)
REFUSED: Final = "Hand #77: a line of chat by Ann_1987"


def words_of(records: list[HandRecord]) -> set[str]:
    """All that tells who, where and when: names, tables, numbers, dates."""
    words = {name for record in records for name in record.players}
    words |= {record.table for record in records}
    words |= {str(record.number or record.number_text) for record in records}
    for record in records:
        if record.played_at is not None:
            words |= {record.played_at.strftime(form) for form in ("%Y-%m-%d", "%Y/%m/%d")}
    words -= {"None", "pot"}  # a player’s name, and a word of the format
    return {word for word in words if len(word) > (5 if word.isdigit() else 2)}


def hands_in(path: Path) -> list[HandRecord]:
    return [hand for hand in read(path) if isinstance(hand, HandRecord)]


@pytest.mark.parametrize("ending", ["phhs", "txt", "json"])
def test_no_byte_of_a_name_is_left(
    ending: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A key that is drawn may shift one hand's date to another's.
    monkeypatch.setattr(secrets, "token_bytes", lambda count: bytes(range(count)))
    form = {"phhs": "phh", "txt": "pokerstars", "json": "ohh"}[ending]
    for name in LOGS:
        out = tmp_path / f"{name}.{ending}"
        asked = ("convert", str(HISTORIES / name), str(out), "--to", form, "--anonymous")
        code, _, err = call(capsys, *asked)
        if "no hand fits" in err or "no hand was written" in err:
            continue
        assert code == 0, err
        assert "no name is left; the key is thrown away" in err
        records = hands_in(HISTORIES / name)
        text = out.read_bytes().decode()
        for word in words_of(records):
            assert not re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", text), word
        others = hands_in(out)
        assert others
        same = {hand.actions: hand for hand in records}
        for hand in others:
            assert same[hand.actions].board == hand.board
            assert same[hand.actions].payoffs == hand.payoffs
            assert same[hand.actions].holes == hand.holes


def test_one_key_gives_one_pseudonym_in_every_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, source = tmp_path / "key", str(HISTORIES / "ggpoker.txt")
    outs = [tmp_path / f"{number}.phhs" for number in range(3)]
    for out in outs[:2]:
        code, _, err = call(
            capsys, "convert", source, str(out), "--anonymous", "--key-file", str(key)
        )
        assert code == 0
        assert f"the key is in {key}" in err
    call(capsys, "convert", source, str(outs[2]), "--anonymous")
    assert key.stat().st_mode & 0o777 == 0o600
    assert outs[0].read_bytes() == outs[1].read_bytes() != outs[2].read_bytes()
    first, times = hands_in(outs[0]), hands_in(HISTORIES / "ggpoker.txt")
    apart = {
        was.played_at - now.played_at
        for was, now in zip(times, first, strict=True)
        if was.played_at is not None and now.played_at is not None
    }
    assert len(apart) == 1  # pauses and sessions stay
    assert 365 <= apart.pop().days < 4 * 365


@pytest.mark.parametrize("text", ["", "secret", "0" * 63, "z" * 64, "00\0"])
def test_another_file_is_no_key_and_stays(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, out = tmp_path / "key", tmp_path / "out.phhs"
    key.write_text(text)
    asked = ("convert", str(HISTORIES / "ggpoker.txt"), str(out), "--anonymous")
    code, _, err = call(capsys, *asked, "--key-file", str(key))
    assert (code, out.exists(), key.read_text()) == (2, False, text)
    assert f"{key}: no key; allowed: 64 hexadecimal digits, or no file yet" in err


def test_a_key_needs_something_to_do_and_a_file_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = str(HISTORIES / "ggpoker.txt"), str(tmp_path / "out.phhs")
    code, _, err = call(capsys, "convert", source, out, "--key-file", str(tmp_path / "key"))
    assert (code, [*tmp_path.iterdir()]) == (2, [])
    assert "--key-file without --anonymous" in err
    code, _, err = call(capsys, "convert", source, out, "--anonymous", "--key-file", out)
    assert (code, [*tmp_path.iterdir()]) == (2, [])
    assert "allowed: a file of its own" in err


def test_money_of_refused_hands_stays_without_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "log.phhs"
    assert call(capsys, "convert", str(HISTORIES / "ggpoker.txt"), str(source))[0] == 0
    fields = {
        "reason": "another game",
        "detail": REFUSED,
        "won": {"Ann_1987": -31.5},
        "played_at": "2024-05-06T07:08:09",
        "stake": "$1/$2 no-limit",
        "number": "777123777",
    }
    with source.open("a") as file:
        file.write(f"# railbird refused: {json.dumps(fields)}\n")
    out = tmp_path / "out.phhs"
    assert call(capsys, "convert", str(source), str(out), "--anonymous")[0] == 0
    text = out.read_text()
    assert "-31.5" in text
    for word in ("Ann", "chat", "777123777", "2024-05-06"):
        assert word not in text


@pytest.mark.parametrize("name", ["", "\udcff\0|", "Ann" * 400, "Hero"])
def test_hostile_names_have_pseudonyms(name: str) -> None:
    other = Anonymiser(bytes(32))
    assert re.fullmatch("P[A-Z2-9]{10}", other.name(name))
    assert other.name(name) == Anonymiser(bytes(32)).name(name) != Anonymiser(b"1" * 32).name(name)
    (record, *_) = hands_in(HISTORIES / "ggpoker.txt")
    early = replace(record, played_at=datetime(1, 1, 1))
    assert other.record(early).played_at is None


def test_what_a_log_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = str(HISTORIES / "ggpoker.txt"), str(tmp_path / "out.phhs")
    code, said, _ = call(capsys, "convert", source, out, "--show", "lint")
    assert code == 0
    assert "hands read; these lack" in said
    assert "time zone" in said
    code, said, _ = call(capsys, "convert", source, out, "--show", "lint", "--json", "--force")
    lint = json.loads(said)["lint"]
    assert lint["hands"] == json.loads(said)["hands"]
    assert lint["lacking"]["time zone"] == lint["hands"]
    assert lint["lacking"]["number"] == 0
    skips = [hand for hand in read(source) if isinstance(hand, Skipped)]
    assert sum(kind["count"] for kind in lint["refused"]) == len(skips)
