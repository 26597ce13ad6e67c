"""``railbird convert``: logs from format to format."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.command_line import call, call_json
from railbird.cli.convert import command
from railbird.errors import BadInput
from railbird.histories import FORMATS, HandRecord, convert, read

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
CAP_GAME = """\
PokerStars Hand #12:  Hold'em No Limit ($0.50/$1.00 - $20 Cap -  USD) - 2014/01/06 7:09:08 ET
Table 'Alba' 2-max Seat #2 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bo ($50 in chips)
Bo: posts small blind $0.50
Ann: posts big blind $1
*** HOLE CARDS ***
Bo: folds
Uncalled bet ($0.50) returned to Ann
Ann collected $1 from pot
*** SUMMARY ***
Total pot $1 | Rake $0
Seat 1: Ann (big blind) collected ($1)
Seat 2: Bo (button) (small blind) folded before Flop (didn't bet)
"""
MATCH = (
    "# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 4 0\n"
    "STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:Alice|Bob\n"
    "STATE:1:rc/rrrrc/cc/rc:9h6s|3d3h/5s3s8h/9d/5c:-80|80:Bob|Alice\n"
    "STATE:2:rrrrrf:Ad3s|8d5d:-30|30:Alice|Bob\n"
    "STATE:3:crrf:2sQd|8h4d:-20|20:Bob|Alice\n"
)


def test_help_lists_every_format_that_is_read() -> None:
    words = set(re.findall(r"[a-z-]+[a-z]", (command.help or "").split("Formats of sites")[1]))
    assert [known.name for known in FORMATS if known.name not in words] == []


def test_match_log_converts_to_text_and_back(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log, text, again = tmp_path / "m.log", tmp_path / "m.txt", tmp_path / "again.log"
    played = call_json(
        capsys, "match", "random", "baseline", "--hands", "60", "--duplicate", "--log", str(log)
    )
    assert played["hands"] == 60
    money = [player["money"]["value"] for player in played["players"].values()]
    assert money[0] == -money[1]
    assert call_json(capsys, "convert", str(log), str(text)) == {"hands": 60, "skipped": {}}
    assert call_json(capsys, "convert", str(text), str(again)) == {"hands": 60, "skipped": {}}
    hands = [line for line in log.read_text().splitlines() if line.startswith("STATE:")]
    assert [line for line in again.read_text().splitlines() if line.startswith("STATE:")] == hands


def test_a_log_given_twice_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, out = tmp_path / "m.log", tmp_path / "out.log"
    log.write_text(MATCH)
    code, _, err = call(capsys, "convert", str(log), str(tmp_path / "." / "m.log"), str(out))
    assert (code, out.exists()) == (2, False)
    assert err.endswith("m.log is given twice, and its hands would be; allowed: once\n")


def test_an_unknown_format_to_write_is_refused_with_those_that_are_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "a.log").write_text("")
    code, _, err = call(capsys, "convert", str(tmp_path / "a.log"), "x.phh", "--to", "foo")
    written = [known.name for known in FORMATS if known.write is not None]
    assert (code, err) == (2, f"railbird: no format 'foo'; allowed: {', '.join(written)}\n")


def test_convert_names_the_formats_that_it_writes(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "convert", "--help")
    words = set(re.findall(r"[a-z-]+", out))
    assert {known.name for known in FORMATS if known.write is not None} <= words


@pytest.mark.slow
def test_convert_writes_utf_8_whatever_the_terminal(tmp_path: Path) -> None:
    log = tmp_path / "m.log"
    log.write_text(MATCH.replace("Alice", "Zoë"), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "railbird", "convert", str(log), "-", "--to", "acpc"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode("utf-8").count("|Zoë") == 2


def test_a_folder_without_logs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = call(capsys, "assess", str(tmp_path))
    assert (code, out) == (1, "")
    assert f"{tmp_path} is empty" in err


def test_convert_names_the_damaged_hand(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "cut.log"
    log.write_text(
        "# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 3 0\n"
        "STATE:0:rf:Ah4c|Tc9d:-10|10:A|B\n"
        "STATE:1:rrf:TdQs|4c9d:30|-30:A|B\n"
        "STATE:2:cc/cc/crr"
    )
    code, _, err = call(capsys, "convert", str(log), str(tmp_path / "out.txt"))
    assert code == 0
    assert "line 3: wrong payoff" in err
    assert "line 4: " in err
    assert "1 hand written, 2 skipped" in err


def test_several_logs_become_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second, all_ = tmp_path / "1.log", tmp_path / "2.log", tmp_path / "all.phhs"
    first.write_text(MATCH)
    second.write_text(MATCH.replace("crrf:2sQd", "crrf:2s2s").replace("STATE:", "STATE:1"))
    code, _, err = call(capsys, "convert", str(first), str(second), str(all_))
    assert code == 0
    assert f"\n{second} line 5: duplicate card" in err
    assert err.endswith("5 hands written, 3 skipped\n"), "the third of both is illegal"
    assert call(capsys, "convert", str(first), str(second), str(first), "--force")[0] == 2


@pytest.mark.parametrize("words", ["'' out.phhs", "m.log '' out.phhs", "m.log ''", "'' ''"])
def test_a_file_without_a_name_is_not_the_current_folder(
    words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.log").write_text(MATCH)
    code, _, err = call(capsys, "convert", *shlex.split(words))
    assert code == 2
    assert "a file without a name" in err
    assert [path.name for path in tmp_path.iterdir()] == ["m.log"]
    with pytest.raises(BadInput, match="without a name"):
        next(read(""))


def test_what_a_format_has_no_place_for_is_said_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    source, target = tmp_path / "cap.txt", tmp_path / "cap.phhs"
    source.write_text(CAP_GAME + "\n\n\n" + CAP_GAME.replace("#12", "#13") + "\n")
    _, _, said = call(capsys, "convert", str(source), str(target))
    lost = f"{target} has no place for stacks beyond the game's cap (2 hands)"
    assert said.splitlines() == [lost, "2 hands written"]
    lost_marks = ["the currency", "the table", "stacks beyond the game's cap"]
    found = call_json(capsys, "convert", str(source), str(tmp_path / "cap.log"))
    assert found["lost"] == dict.fromkeys(lost_marks, 2)


@pytest.mark.parametrize(
    ("name", "site"),
    [
        ("stars.txt", {"PokerStars"}),
        ("bovada.txt", {"Bovada", "Ignition", "Bodog"}),
        ("winning.txt", {"Winning Poker Network"}),
        ("hands.ohh", {"Railbird"}),
    ],
)
def test_open_hand_history_names_the_site_of_the_log(
    name: str, site: set[str], tmp_path: Path
) -> None:
    log, first, again = GOLDEN / name, tmp_path / "first.ohh", tmp_path / "again.ohh"
    convert(log, first)
    convert(first, again)
    for text in (first.read_text(), again.read_text()):
        assert set(re.findall('"site_name":"(.*?)"', text)) == site
        assert set(re.findall('"network_name":"(.*?)"', text)) == site
    plain = [hand for hand in read(log) if isinstance(hand, HandRecord)]
    marks = [(hand.play_money, hand.tournament, hand.currency) for hand in plain]
    back = [hand for hand in read(again) if isinstance(hand, HandRecord)]
    assert [(hand.play_money, hand.tournament, hand.currency) for hand in back] == marks
