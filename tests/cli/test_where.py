"""``--where`` of stats, report and archive query: the same hands, without luck or a verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.command_line import call, call_json

SPOT = "raised pot, saw flop"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("where") / "ring.phhs"


@pytest.fixture(autouse=True)
def _played(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not log.exists():
        players = ("random", "always-call", "baseline")
        call(capsys, "ring", *players, "--hands", "120", "--seed", "3", "--log", str(log))


def test_statistics_of_a_spot_list_its_hands(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("stats", str(log), "--player", "baseline", "--where", SPOT)
    told = call_json(capsys, *asked, "--hands")
    of = told["players"]["baseline"]
    assert told["where"] == [SPOT]
    assert 0 < of["hands"] == len(told["hands"]) < 120
    assert {"player", "number", "line", "time", "position", "holding", "won_bb"} == {
        *told["hands"][0]
    }
    results = [abs(hand["won_bb"]) for hand in told["hands"]]
    assert results == sorted(results, reverse=True)
    assert sum(hand["won_bb"] for hand in told["hands"]) == pytest.approx(
        of["bb_per_100"]["value"] * of["hands"] / 100
    )
    assert of["luck"] is None
    assert told["integrity"]["verdict_withheld"] == "the hands are chosen by what happened in them"
    code, out, _ = call(capsys, *asked)
    assert code == 0
    assert f"session report: {SPOT}" in out
    assert "luck" not in out.rpartition("\n\n")[2]


def test_a_position_is_as_good_a_sample_as_all(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = call_json(capsys, "stats", str(log), "--player", "baseline", "--where", "button")
    assert told["players"]["baseline"]["luck"] is not None
    assert told["integrity"]["verdict_withheld"] is None
    both = call_json(
        capsys,
        *("stats", str(log), "--player", "baseline", "--where", "button", "--where", "blinds"),
    )
    assert both["players"]["baseline"]["hands"] == 120  # three seats: nobody sits elsewhere
    code, _, err = call(capsys, "stats", str(log), "--position", "button", "--json")
    assert code == 0
    assert "`--where button`" in err


def test_a_report_and_an_archive_have_the_same_hands(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = ("--player", "baseline", "--where", SPOT)
    hands = call_json(capsys, "stats", str(log), *one)["players"]["baseline"]["hands"]
    told = call_json(capsys, "report", str(log), *one, "--ask", "none", "--solve", "none")
    assert told["hands"] == hands
    assert told["where"] == [SPOT]
    assert told["luck"] is None
    assert told["integrity"]["verdict_withheld"] == "the hands are chosen by what happened in them"
    archive, out = str(tmp_path / "archive"), tmp_path / "spot.phhs"
    assert call(capsys, "archive", "add", archive, str(log))[0] == 0
    code, said, _ = call(capsys, "archive", "query", archive, *one, "--out", str(out), "--json")
    assert (code, json.loads(said)["hands"]) == (0, hands)
    counts = call_json(capsys, "archive", "query", archive, *one)["players"]
    assert sum(of["hands"] for of in counts) == hands
    assert {of["player"] for of in counts} == {"baseline"}
    code, _, err = call(capsys, "archive", "query", archive, "--where", SPOT)
    assert code == 2
    assert "allowed: with --player" in err


def test_a_spot_beside_sql(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive, out = str(tmp_path / "archive"), str(tmp_path / "both.phhs")
    assert call(capsys, "archive", "add", archive, str(log))[0] == 0
    query = ("archive", "query", archive, "--player", "baseline")

    def hands(where: str, *options: str) -> int:
        of = call_json(capsys, *query, "--where", where, *options)
        return of["hands"] if options else sum(row["hands"] for row in of["players"])

    with_spot = hands(SPOT)
    early = [f"{condition} AND spot('{SPOT}')" for condition in ("number < 50", "number >= 50")]
    assert with_spot == sum(map(hands, early))
    assert all(map(hands, early))
    assert hands(early[0], "--out", out) == hands(early[0])
    assert hands(f"spot('{SPOT}')") == hands(f"spot('{SPOT}') AND (rake = 0 OR rake > 0)")
    assert hands(SPOT, "--game", "nolimit", "--out", out, "--force") == with_spot
    told = call_json(capsys, *query, "--where", SPOT, "--game", "nolimit")["players"]
    assert sum(row["hands"] for row in told) == with_spot
    for where, words in (
        (f"spot('{SPOT}') OR rake > 0", "with AND beside the rest"),
        (f"NOT spot('{SPOT}')", "with AND beside the rest"),
        ("spot('buton') AND rake = 0", "did you mean button?"),
    ):
        code, _, err = call(capsys, *query, "--where", where)
        assert code == 2
        assert words in err


def test_a_spot_that_no_hand_has_is_said(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for verb, words in (("stats", "is left to count"), ("report", "no hand")):
        code, _, err = call(
            capsys, verb, str(log), "--player", "baseline", "--where", "button, big blind"
        )
        assert code == 1, verb
        assert words in err
    code, _, err = call(capsys, "report", str(log), "--where", "buton")
    assert code == 2
    assert "did you mean button?" in err
