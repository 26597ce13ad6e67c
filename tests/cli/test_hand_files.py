"""A folder of logs works wherever a log does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from railbird.assessment import assess
from railbird.cli import run
from railbird.errors import NothingUsable
from railbird.histories import HandRecord, check_players, read, write
from railbird.histories.archive import add

PLAYERS = ("baseline", "always-call")
HANDS = 60


@pytest.fixture
def folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """Made by the verb that writes folders."""
    monkeypatch.chdir(tmp_path)
    assert run(["league", *PLAYERS, "--hands", str(HANDS), "--log", "logs"]) == 0
    capsys.readouterr()
    return "logs"


def printed(args: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run([*args, "--json"]) == 0
    out = capsys.readouterr().out
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.mark.slow
def test_every_verb_that_reads_takes_a_folder(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, one = (printed(["assess", path], capsys) for path in (folder, f"{folder}/1-2.log"))
    assert whole.pop("files") == [folder]
    del one["files"]
    assert whole == one
    assert whole["hands"] == HANDS
    assert printed(["assess", "--show", "crosstable", folder], capsys)["players"].keys() == set(
        PLAYERS
    )
    assert printed(["stats", folder], capsys)["players"]["baseline"]["hands"] == HANDS
    assert printed(["convert", folder, "all.phhs"], capsys)["hands"] == HANDS
    assert printed(["archive", "add", "store", folder], capsys)["hands"] == HANDS


@pytest.mark.slow(but=[""])
@pytest.mark.parametrize("ending", ["", "/"])
def test_functions_take_folders(folder: str, ending: str) -> None:
    assert assess(folder + ending).hands == HANDS
    assert assess(Path(folder)).as_json() == assess(f"{folder}/1-2.log").as_json()


def test_a_log_in_a_new_folder_is_assessed_at_once(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["match", *PLAYERS, "--hands", "20", "--log", "new/match.log"]) == 0
    capsys.readouterr()
    assert printed(["assess", "new"], capsys)["hands"] == 20


@pytest.mark.slow
def test_a_log_that_does_not_name_its_game_is_skipped_with_a_line(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path(folder, "1-2.log").read_text()
    hands = [line for line in text.splitlines() if line.startswith("STATE:")]
    nameless = Path(folder, "a.log")
    nameless.write_text("\n".join(hands[:5]) + "\n")
    why = "log that does not name its game"
    for verb in (["stats"], ["assess"], ["report", "--player", PLAYERS[0]]):
        found = printed([*verb, folder], capsys)
        assert found["skipped"][why] == 1
    assert run(["stats", folder]) == 0
    told = capsys.readouterr().err
    assert f"{nameless}: {why}: the log does not name its game; say it with --game" in told
    found = printed(["stats", folder, "--game", "limit"], capsys)
    assert found["skipped"] == {}
    assert found["integrity"]["duplicates_merged"] > 0
    assert run(["stats", str(nameless)]) == 2, "alone it is an error"


# A name that is in no log is told at once: before anything is compiled, verified or counted.


GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
LOG = (
    "# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 1 0\n"
    "STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:Alice|Bob\n"
)
VERBS = (
    "assess m.log --player Carol",
    "assess m.log --known Carol=baseline",
    "assess m.log --payouts 70,30 --player Carol",
    "report m.log --player Carol",
    "stats m.log --player Carol",
    "stats m.log --same Bob=Carol",
    "train response m.log --player Carol --out r.strategy",
    "convert m.log out.phhs --rename Carol=Dan",
)


@pytest.mark.slow
def test_nothing_is_compiled_for_a_name_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "m.log").write_text(LOG)
    program = (
        "import sys; from railbird.cli import run;"
        " print([run(words.split()) for words in sys.argv[1:]])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *VERBS],
        cwd=tmp_path,
        env={**os.environ, "RAILBIRD_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == f"{[1] * len(VERBS)}\n"
    line = "railbird: no player 'Carol' in this log; players: Alice, Bob\n"
    assert done.stderr == line * len(VERBS)
    assert not list((tmp_path / "cache").rglob("*.nb*"))


@pytest.mark.parametrize(
    ("file", "there", "players"),
    [
        ("stars.txt", "Ann", "Ann, Annie, Bill, Carl M., Jack_of_all, Jane"),
        ("full_tilt.txt", "Cy the 3rd", "Ann, Bo"),
        ("winamax.txt", "Bo le Grand", "Ann"),
        ("partypoker.txt", "cy_77", "Ann, Bo"),
        ("pacific.txt", "Bo B.", "Ann, Bo B., Di, M007"),
        ("ggpoker.txt", "77aa88bb", ""),
    ],
)
def test_texts_of_sites_are_searched(file: str, there: str, players: str) -> None:
    check_players([there], [GOLDEN / file])
    with pytest.raises(NothingUsable, match="no player 'Nobody At All' in this log") as told:
        check_players([there, "Nobody At All"], [GOLDEN / file])
    assert players in str(told.value)


def test_archives_know_their_players_and_other_spellings_are_left_to_the_reader(
    tmp_path: Path,
) -> None:
    (tmp_path / "m.log").write_text(LOG)
    hands = [hand for hand in read(tmp_path / "m.log") if isinstance(hand, HandRecord)]
    add(hands, tmp_path / "hands")
    write(hands, tmp_path / "m.ohh")
    check_players(["Bob"], [tmp_path / "hands"])
    with pytest.raises(NothingUsable, match="players: Alice, Bob"):
        check_players(["Carol"], [tmp_path / "hands", tmp_path / "m.log"])
    check_players(["Carol"], [tmp_path / "m.ohh"])
    check_players(["Carol"], ["-"])


@pytest.mark.slow
def test_every_verb_withholds_the_verdict_on_a_log_that_lacks_hands(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Path(folder, "1-2.log").read_text(encoding="utf-8").splitlines(keepends=True)
    whole, cut = Path(folder, "whole.log"), Path(folder, "cut.log")
    whole.write_text("".join(lines), encoding="utf-8")
    hands = [n for n, line in enumerate(lines) if line.startswith("STATE:")]
    lost = set(hands[3:-3:5])
    cut.write_text("".join(each for n, each in enumerate(lines) if n not in lost), encoding="utf-8")
    for verb in (["stats"], ["assess"]):
        why = printed([*verb, str(cut)], capsys)["integrity"]["verdict_withheld"]
        assert why.endswith(": hands are missing")
        assert printed([*verb, str(whole)], capsys)["integrity"]["verdict_withheld"] is None
        assert run([*verb, str(cut)]) == 0
        assert "No verdict: the hand numbers have " in capsys.readouterr().out
    assert run(["report", str(cut), "--player", PLAYERS[0], "--out", "cut.md"]) == 0
    assert "\n**No verdict on baseline: " in Path("cut.md").read_text(encoding="utf-8"), (
        "before any count"
    )
