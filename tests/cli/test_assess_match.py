"""``railbird assess`` of heads-up limit: pairs, crosstables, what is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from helpers.command_line import call, call_json

MATCH = (
    "# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 4 0\n"
    "STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:Alice|Bob\n"
    "STATE:1:rc/rrrrc/cc/rc:9h6s|3d3h/5s3s8h/9d/5c:-80|80:Bob|Alice\n"
    "STATE:2:rrrrrf:Ad3s|8d5d:-30|30:Alice|Bob\n"
    "STATE:3:crrf:2sQd|8h4d:-20|20:Bob|Alice\n"
)


def test_assess_gives_the_error_by_pairs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "m.log"
    args = ("match", "baseline", "random", "--hands", "400", "--log", str(log), "--duplicate")
    assert call(capsys, *args)[0] == 0
    found = call_json(capsys, "assess", str(log), "--estimators", "money,divat")
    for player in found["players"].values():
        pairs = player["pairs"]
        assert set(pairs) == {"money", "divat"}
        assert pairs["money"]["n"] == 200
        assert pairs["money"] == pytest.approx(player["money"])
        of_hands = player["money_sd"] / 400**0.5
        assert pairs["money"]["stderr"] < of_hands, "the luck of the deal cancels"
    _, out, _ = call(capsys, "assess", str(log), "--estimators", "money,divat")
    table = out.partition("sd of a deal")[2].partition("DIVAT by round")[0]
    assert [line.split()[0] for line in table.splitlines() if "to" in line] == [
        "mean",
        "Money",
        "DIVAT",
    ]


def test_assess_counts_what_it_leaves_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "m.log").write_text(MATCH)
    found = call_json(
        capsys, "assess", str(tmp_path / "m.log"), "--out", str(tmp_path / "out"), "--player", "Bob"
    )
    assert (found["hands"], found["skipped"]) == (3, {"illegal action": 1})
    assert found["players"]["Bob"]["money"]["value"] == pytest.approx((-9 - 8 - 2) / 3)
    assert {"divat", "divat_sd", "variance_reduction", "rounds"} <= found["players"]["Bob"].keys()
    assert Path(found["report"]).read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "out" / "scores.parquet").exists()


def test_assess_of_no_limit_goes_by_decisions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "match.log"
    log.write_text(
        "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 1 0\n"
        "STATE:8:r6695f:5d6c|Js7c:-100|100:Alice|Bob\n"
    )
    code, out, _ = call(capsys, "assess", str(log))
    assert code == 0
    assert out.startswith("Too few hands to say who is better. Fitted decides: all cards of 1 hand")
    assert "too few to say" in out


def test_fitted_decides_heads_up_limit_and_may_look_at_earlier_hands_only(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log, table = tmp_path / "m.log", tmp_path / "m.csv"
    args = ("match", "always-call", "random", "--hands", "1200", "--log", str(log))
    assert call(capsys, *args)[0] == 0
    usual = call_json(capsys, "assess", str(log), "--table", str(table))
    forward = call_json(capsys, "assess", str(log), "--forward")
    assert usual["evidence"]["verdict_by"] == forward["evidence"]["verdict_by"] == "fitted"
    assert usual["evidence"]["reason"] == "all cards of 1,200 hands are known"
    assert usual["change_of_play"]["random"]["estimator"] == "fitted"
    assert (usual["forward"], forward["forward"]) == (False, True)
    assert len(usual["coefficients"]) == 8
    one, two = (found["players"]["random"] for found in (usual, forward))
    assert one["divat"] == two["divat"]
    assert one["fitted"] != two["fitted"]
    assert one["variance_reduction"]["fitted"] > one["variance_reduction"]["divat"]
    (line,) = [row for row in table.read_text().splitlines() if ",random,fitted," in row]
    assert repr(one["fitted"]["value"]) in line
    _, out, _ = call(capsys, "assess", str(log), "--forward")
    said = " ".join(out.split())
    assert "Fitted decides: all cards of 1,200 hands are known. Luck is taken out" in said
    assert "coefficients from earlier hands" in said
    sweep = call_json(capsys, "assess", str(log), "--sweep", "standard,tight-high")["sweep"]
    assert sweep["standard"]["random"]["fitted"]["value"] == one["fitted"]["value"]


def test_crosstable_of_several_matches(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    logs = [tmp_path / f"{name}.log" for name in "ab"]
    call_json(capsys, "match", "baseline", "random", "--hands", "40", "--log", str(logs[0]))
    call_json(capsys, "match", "baseline", "always-call", "--hands", "40", "--log", str(logs[1]))
    found = call_json(capsys, "assess", "--crosstable", *map(str, logs))
    assert set(found["players"]) == {"baseline", "random", "always-call"}
    assert [len(pair["players"]) for pair in found["pairs"]] == [2, 2]
    assert found["hands"] == 80
    assert found["players"]["baseline"]["money"]["n"] == 40, "both matches have the same cards"
    code, out, err = call(capsys, "assess", "--crosstable", *map(str, logs), str(logs[0]))
    assert code == 0
    assert out.count("sb a hand") == 3
    assert "skipped: 40 hands given twice" in err
    (tmp_path / "notes.md").write_text("no log")
    whole = call_json(capsys, "assess", "--crosstable", str(tmp_path))
    assert whole["pairs"] == found["pairs"]
    assert whole["skipped"] == {"file of no known format": 1}


def test_a_log_given_twice_counts_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, copy = tmp_path / "a.log", tmp_path / "b.log"
    call_json(capsys, "match", "baseline", "random", "--hands", "200", "--log", str(log))
    copy.write_bytes(b"# a copy\n" + log.read_bytes())
    once = call_json(capsys, "assess", str(log))
    for files in ((log, copy), (log, log)):
        found = call_json(capsys, "assess", *map(str, files))
        assert found["players"] == once["players"]
        assert found["skipped"] == {"hands given twice": 200}
    _, out, _ = call(capsys, "assess", str(log), str(copy))
    assert "Skipped: 200 hands given twice." in out


def test_cards_not_shown_leave_no_verdict(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """As a site writes them down: who folds does not show."""
    log = tmp_path / "a.log"
    call_json(capsys, "match", "baseline", "random", "--hands", "300", "--log", str(log))
    hidden = re.sub(r"(STATE:\d+:[^:]*f:)[^|:]*\|", r"\1|", log.read_text())
    log.write_text(hidden)
    found = call_json(capsys, "assess", str(log))
    assert found["evidence"]["verdict_by"] == "money"
    assert found["evidence"]["own_cards"] > 0
    assert found["players"]["baseline"]["variance_reduction"] == {}
    _, out, _ = call(capsys, "assess", str(log))
    assert " ".join(out.split()).startswith("No verdict on skill: the cards of ")
    assert "hands" in out.partition("seen from")[2].partition("Money")[0], "different n say theirs"
    _, out, _ = call(capsys, "assess", "--crosstable", str(log))
    assert out.startswith("No verdict on skill: the cards of ")
    assert "divat" not in out


def test_two_hands_are_too_few_to_say(capsys: pytest.CaptureFixture[str]) -> None:
    players = ("baseline:tight-high", "baseline:loose-high")
    found = call_json(capsys, "match", *players, "--hands", "2")
    assert found["players"]["baseline:tight-high"]["money"]["low"] is None
    _, out, _ = call(capsys, "match", *players, "--hands", "2")
    assert out.count("too few to say") == 2


@pytest.mark.slow  # the manual has it as well
def test_assess_by_aivat(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = str(tmp_path / "m.log")
    players = ("always-call", "random:call=1,raise=1")
    assert call(capsys, "match", *players, "--hands", "60", "--log", log)[0] == 0
    known = [part for name in players for part in ("--known", name)]
    found = call_json(capsys, "assess", log, *known, "--estimators", "money,aivat")
    mine = found["players"]["always-call"]
    assert mine["aivat_sd"] < 0.01 < mine["money_sd"], "neither looks at its cards"
    assert "always-call; random:call=1,raise=1" in found["sources"][0]
    found = call_json(capsys, "assess", log, *known, "--anytime")
    names = [row["estimator"] for row in found["anytime"]]
    assert names == ["money", "divat", "money_minus_dcash", "aivat"]
    assert found["anytime"][0]["bound"] == 24
    table = call_json(capsys, "assess", "--crosstable", log, *known)
    assert table["pairs"][0]["aivat"]["n"] == 60


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--known", "Bob=killer"), "killer: what it does with every holding is not known"),
        (("--known", "Bob=nobody"), "no player 'nobody'"),
        (("--known", "Bob=always-call", "--known", "Bob=random"), "--known Bob: two strategies"),
        (("--known", "Bob=always-call", "--sweep", "all"), "--known with --sweep"),
        (("--estimators", "aivat_turn"), "aivat_turn with no player known"),
        (("--model", "always-call"), "--model always-call with no player known"),
    ],
)
def test_assess_refuses_players_that_cannot_be_known(
    args: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "m.log").write_text(MATCH)
    code, _, errors = call(capsys, "assess", str(tmp_path / "m.log"), *args)
    assert code == 2
    assert told in errors.splitlines()[-1]
