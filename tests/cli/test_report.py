"""`railbird report`: one person's play as text, JSON and a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.command_line import call, call_json

HAND = "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC # {number}:{one}|Bob\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text("".join(HAND.format(number=n, one="An[red]n<b>") for n in range(1, 4)))
    return path


def test_json_has_the_result_and_every_list(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = call_json(capsys, "report", str(log), "--player", "Bob", "--as", "baseline")
    assert (told["player"], told["hands"], told["unit"]) == ("Bob", 3, "sb")
    assert told["estimates"]["money"]["value"] == -11.0
    assert told["asked"] == told["decisions"] > 0
    assert 0 <= told["agreed"] <= told["asked"]
    assert [row["played"] for row in told["costliest"]] == []
    first = call_json(capsys, "report", str(log), "--player", "An[red]n<b>")["costliest"]
    assert [row["own_sb"] for row in first] == pytest.approx([-0.919191] * 3, abs=1e-6)
    assert all(row["played"] == "check" and row["house"] for row in first)
    assert told["report"] is None


def test_text_and_page_escape_names(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = log.with_suffix(".html")
    code, out, err = call(
        *(capsys, "report", str(log), "--player", "An[red]n<b>"),
        *("--no-advice", "--out", str(page)),
    )
    assert code == 0, err
    assert "An[red]n<b>, 3 hands" in out
    assert "Hands that lost most" not in out
    text = page.read_text()
    assert "An[red]n&lt;b&gt;, 3 hands" in text
    assert "n<b>" not in text


def test_whose_play_it_is_has_to_be_known(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, "report", str(log))
    assert code == 1
    assert "whose play is it? name one by --player: " in err
    code, _, err = call(capsys, "report", str(log), "--player", "Bib")
    assert (code, "no player 'Bib' in these" in err) == (1, True)


def test_wrong_arguments_read_nothing(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong, said in (
        (["-"], "standard input"),
        ([str(log), "--as", "loki", "--no-advice"], "--no-advice"),
        ([str(log), "--player", "Bob", "--as", "lokki"], "no player 'lokki'"),
        ([str(log), "--player", "Bob", "--out", "x.pdf"], ".html"),
    ):
        code, out, err = call(capsys, "report", *wrong)
        assert (code, out) == (2, "")
        assert said in err
