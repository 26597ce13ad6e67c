"""`railbird solve preflop --seats`: charts by position."""

from __future__ import annotations

import json

import pytest

from helpers.command_line import call

TABLE = ("solve", "preflop", "--seats", "3", "--stack", "20", "--samples", "2000")


def test_what_every_seat_wins_and_the_charts(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *TABLE, "--rake", "5%,cap=3")
    assert code == 0
    assert "SB if all before fold: fold" in out
    assert "BTN: raise 2.5" in out
    code, out, _ = call(capsys, *TABLE, "--json")
    answer = json.loads(out)
    assert answer["seats"] == ["BTN", "SB", "BB"]
    assert set(answer["won"]) == set(answer["gains"]) == set(answer["seats"])
    first = answer["charts"][0]
    assert first["line"] == []
    assert first["seat"] == "BTN"
    assert {len(chart) for chart in first["chart"].values()} == {169}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--seats", "7"), "--seats"),
        (("--opens", "3x"), "--opens without --seats"),
        (("--rake", "5%"), "--rake without --seats"),
        (("--seats", "3", "--opens", "60%"), "allowed: 2.5x, a"),
        (("--seats", "3", "--opens", "x"), "--opens"),
        (("--seats", "3", "--rake", "200%"), "rake"),
        (("--seats", "3", "--boards", "5"), "with --seats"),
        (("--seats", "3", "--samples", "0"), "--samples"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_refusals(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(capsys, "solve", "preflop", *arguments)
    assert code == 2
    assert out == ""
    assert words in err
    assert len(err.strip().splitlines()) == 1
