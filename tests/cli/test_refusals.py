"""Mistakes in what was asked are named at once, and with what was meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from railbird.cli import run


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str]) -> str:
    assert run(["match", "tom=baseline", "always-call", "--hands", "40", "--log", "m.log"]) == 0
    capsys.readouterr()
    return "m.log"


def said(args: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> str:
    assert run(args) == code
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = [line for line in err.splitlines() if not line.startswith("compiling ")]
    return str(line)


def test_both_misspelt_players_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    both = "no player 'tmo', no player 'alway-call' (did you mean always-call or always-fold?)"
    for verb in ("match", "league", "ring", "tournament"):
        assert said([verb, "tmo", "alway-call"], 2, capsys) == f"railbird: {both}"
    one = said(["match", "baseline", "alway-call"], 2, capsys)
    assert one == "railbird: no player 'alway-call'; did you mean always-call or always-fold?"
    neither = said(["match", "tmo", "tmi"], 2, capsys)
    assert neither.startswith("railbird: no player 'tmo', no player 'tmi'; allowed: always-call")


def test_an_absent_player_is_refused_before_anything_is_scored(
    log: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def scored(*_: object, **__: object) -> None:
        raise AssertionError("it was to be refused before")

    monkeypatch.setattr("railbird.assessment.assess", scored)
    line = said(["assess", log, "--player", "tmo"], 1, capsys)
    assert line == "railbird: no player 'tmo' in this log; players: always-call, tom"


def test_renaming_nobody_is_refused(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["convert", log, "out.phhs", "--rename", "tom=Ann", "--rename", "allways-call=Bob"]
    line = said(args, 1, capsys)
    assert line == "railbird: no player 'allways-call' in m.log; players: always-call, tom"
    assert not Path("out.phhs").exists()
    assert run(["convert", log, "out.phhs", "--rename", "tom=Ann"]) == 0
    text = Path("out.phhs").read_text()
    assert "Ann" in text
    assert "tom" not in text


def test_renaming_into_one_name_skips_the_hands(
    log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["convert", log, "out.phhs", "--rename", "tom=always-call"]) == 1
    assert "one name in two seats" in capsys.readouterr().err


def test_a_text_of_no_format_is_told_what_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("notes.xyz").write_text("hello\n")
    line = said(["assess", "notes.xyz"], 1, capsys)
    assert "notes.xyz is of no known format" in line
    assert "PokerStars, GGPoker, Winamax, partypoker, 888poker" in line
    assert "pacific" not in line


def test_equity_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    line = said(["equity"], 2, capsys)
    assert line == "railbird: no hands; allowed: 2 to 10 hands or ranges, such as AsKs QQ+ random"


@pytest.mark.parametrize("game", ["limit", "nolimit"])
def test_hands_given_twice_are_told_in_the_same_words(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = ["match", "baseline", "always-call", "--hands", "40", "--game", game]
    assert run([*match, "--log", "m.log"]) == 0
    Path("copy.log").write_bytes(Path("m.log").read_bytes())
    capsys.readouterr()
    for verb in ("assess", "stats"):
        assert run([verb, "m.log", "copy.log"]) == 0
        out, err = capsys.readouterr()
        assert "skipped: 40 hands given twice" in " ".join((out + err).split()).lower()
    assert run(["stats", "m.log", "copy.log", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["players"]["baseline"]["hands"] == 40
    assert found["skipped"] == {"hands given twice": 40}
