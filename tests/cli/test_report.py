"""`railbird report`: one person's play as text, JSON and a page."""

from __future__ import annotations

import html
import io
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from helpers.command_line import call, call_json
from helpers.played_hand import HAND as PLAYED
from railbird.histories import HandRecord, read, read_hand, write
from railbird.serve.pages import Sight, replay_of

HAND = "Ts6s,Jd5d,Td5hTh/2d/{river}h SlCk/kBrC/bRrC/bC # {number}:{one}|Bob\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text(
        "".join(HAND.format(number=n, river="?23478"[n], one="An[red]n<b>") for n in range(1, 4))
    )
    return path


@pytest.mark.slow
def test_json_has_the_result_and_every_list(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = call_json(capsys, "report", str(log), "--player", "Bob", "--ask", "baseline")
    assert (told["player"], told["hands"], told["unit"]) == ("Bob", 3, "sb")
    assert told["estimates"]["money"]["value"] == -11.0
    assert told["asked"] == told["decisions"] > 0
    assert 0 <= told["agreed"] <= told["asked"]
    assert told["hindsight"] == []
    # Paying off the better hand by a call that ends the betting.
    assert told["grades"]["unknown"] == told["decisions"] - 3
    assert sum(told["grades"].values()) == told["decisions"]
    first = call_json(capsys, "report", str(log), "--player", "An[red]n<b>")
    assert first["costliest"] == []
    assert first["grades"] == {"unknown": first["decisions"]}
    assert first["unknown"] == {"not no-limit, with more betting to come": first["decisions"]}
    turned = first["hindsight"]
    assert [row["own_sb"] for row in turned] == pytest.approx([-0.919191] * 3, abs=1e-6)
    assert all(row["played"] == "check" and row["house"] for row in turned)
    assert told["report"] is None


def test_text_and_page_escape_names(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = log.with_suffix(".html")
    code, out, err = call(
        *(capsys, "report", str(log), "--player", "An[red]n<b>"),
        *("--ask", "none", "--out", str(page)),
    )
    assert code == 0, err
    assert "An[red]n<b>, 3 hands" in out
    assert "Hands that lost most" not in out
    text = page.read_text()
    assert "An[red]n&lt;b&gt;, 3 hands" in text
    assert "n<b>" not in text
    # Nobody is asked, so no column waits for an answer.
    cells = dict[str, set[str]]()
    for name, cell in re.findall(r'<td[^>]* data-label="([^"]*)">(.*?)</td>', text, re.DOTALL):
        cells.setdefault(name, set()).add(cell.strip())
    assert len(cells) > 10
    assert not {name for name, found in cells.items() if found == {""}}


def test_whose_play_it_is_has_to_be_known(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, "report", str(log))
    assert code == 1
    assert "whose play is it? name one by --player: " in err
    code, _, err = call(capsys, "report", str(log), "--player", "Bib")
    assert (code, "no player 'Bib' in these" in err) == (1, True)


@pytest.mark.slow
def test_a_log_is_read_once_to_find_whose_it_is(
    log: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So standard input does, and what was skipped is told once."""
    hands = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    own = [
        replace(
            hand,
            holes=tuple(
                hole if name == "Bob" else None
                for name, hole in zip(hand.players, hand.holes, strict=True)
            ),
        )
        for hand in hands
    ]
    mine = tmp_path / "mine.phhs"
    write(own, mine)
    mine.write_text(mine.read_text() + "\n[99]\nvariant = 'NT'\n")
    options = ("--ask", "none", "--solve", "none")
    named = call_json(capsys, "report", str(mine), "--player", "Bob", *options)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(mine.read_bytes())))
    unnamed = call_json(capsys, "report", "-", *options)
    assert named["skipped"]
    assert unnamed == named | {"files": ["-"]}


def test_wrong_arguments_read_nothing(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong, said in (
        ([str(log), "--player", "Bob", "--ask", "lokki"], "no player 'lokki'"),
        ([str(log), "--player", "Bob", "--out", "x.pdf"], ".html"),
    ):
        code, out, err = call(capsys, "report", *wrong)
        assert (code, out) == (2, "")
        assert said in err


@pytest.mark.slow
def test_a_bettor_who_lost_and_mucked_does_not_stop_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the rules who bet last shows first; sites muck that hand, so the log lacks it."""
    text = "STATE:1:r300c/cr900c/cc/cr3000c:AsAd|KsKd/2c7d9h/3s/4d:3000|-3000:Ann|Bob"
    hand = read_hand(text, game="holdem.nolimit.2p.reverse_blinds.game,stack=10000")
    log, page = tmp_path / "mine.phhs", tmp_path / "mine.html"
    write([replace(hand, holes=(hand.holes[0], None))], log)
    told = call_json(capsys, "report", str(log), "--player", "Ann", "--out", str(page))
    assert told["estimates"]["money"]["value"] == 30
    assert told["asked"] == told["decisions"] == 6
    assert page.exists()
    shown = replay_of(replace(hand, holes=(hand.holes[0], None)), viewer="Ann", sight=Sight.OWN)
    assert shown.own


def test_a_page_prints_the_command_that_makes_a_spot_of_a_hand(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "my logs"
    folder.mkdir()
    preflop = (
        PLAYED.split("*** FLOP ***")[0]
        .replace("Hand #", "Hand #9")
        .replace(
            "Bob: calls 150",
            "Bob: folds\nUncalled bet (150) returned to Fay\nFay collected 250 from pot",
        )
    )
    summary = "*** SUMMARY ***\nTotal pot 250 | Rake 0\n\n\n"
    (folder / "a.txt").write_text(preflop.rstrip() + "\n" + summary)
    (folder / "b.txt").write_text(PLAYED)
    for files, place in (([folder], 2), ([folder / "a.txt", folder / "b.txt"], 1)):
        out = tmp_path / "x.html"
        asked = ["report", *map(str, files), "--player", "Bob", "--ask", "none", "--force"]
        asked += ["--solve", "none"]
        assert call(capsys, *asked, "--out", str(out))[0] == 0
        commands = re.findall(r"make a spot of it: (.*?)<", out.read_text())
        assert len(commands) == 1
        program, *command = shlex.split(html.unescape(commands[0]))
        assert program == "railbird"
        assert command[:3] == ["solve", "spot", "played"]
        assert command[-1] == str(place)
        code, out_text, err = call(capsys, *command)
        assert code == 0
        assert "oop with 7d2h: call after" in err
        assert "3sJh2c" in out_text
