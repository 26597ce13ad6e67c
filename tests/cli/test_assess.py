"""``railbird assess`` of heads-up limit: pairs, crosstables, what is left out."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from helpers.command_line import call, call_json
from railbird.assessment.any_table import assess_batches
from railbird.cli import run
from railbird.histories import HandRecord, read, write
from railbird.histories.columns import batches_of
from railbird.report.assessment_report import LARGEST
from railbird.report.html_page import page
from railbird.report.table_document import table_document

MATCH = (
    "# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 4 0\n"
    "STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:Alice|Bob\n"
    "STATE:1:rc/rrrrc/cc/rc:9h6s|3d3h/5s3s8h/9d/5c:-80|80:Bob|Alice\n"
    "STATE:2:rrrrrf:Ad3s|8d5d:-30|30:Alice|Bob\n"
    "STATE:3:crrf:2sQd|8h4d:-20|20:Bob|Alice\n"
)


@pytest.mark.slow
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
    table = out.partition("Estimates, ")[2].partition("Decisions by betting round")[0]
    assert [line.split()[0] for line in table.splitlines() if "to" in line] == [
        "Estimator",
        "Money",
        "DIVAT",
    ]


@pytest.mark.slow
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


@pytest.mark.slow
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
    said = " ".join(out.split())
    assert "Too few hands to say who is better. The luck of the cards is taken out: " in said
    assert "too few to say" in out


@pytest.mark.slow
def test_fitted_decides_heads_up_limit_and_may_look_at_earlier_hands_only(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log, table = tmp_path / "m.log", tmp_path / "m.csv"
    args = ("match", "always-call", "random", "--hands", "1200", "--log", str(log))
    assert call(capsys, *args)[0] == 0
    usual = call_json(capsys, "assess", str(log), "--out", str(table))
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
    assert (
        "Luck taken out decides: all cards of 1,200 hands are known. For researchers: Fitted"
        in said
    )
    assert "coefficients from earlier hands" in said
    sweep = call_json(capsys, "assess", str(log), "--sweep", "standard,tight-high")["sweep"]
    assert sweep["standard"]["random"]["fitted"]["value"] == one["fitted"]["value"]


@pytest.mark.slow
def test_crosstable_of_several_matches(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    logs = [tmp_path / f"{name}.log" for name in "ab"]
    call_json(capsys, "match", "baseline", "random", "--hands", "40", "--log", str(logs[0]))
    call_json(capsys, "match", "baseline", "always-call", "--hands", "40", "--log", str(logs[1]))
    found = call_json(capsys, "assess", "--show", "crosstable", *map(str, logs))
    assert set(found["players"]) == {"baseline", "random", "always-call"}
    assert [len(pair["players"]) for pair in found["pairs"]] == [2, 2]
    assert found["hands"] == 80
    assert found["players"]["baseline"]["money"]["n"] == 40, "both matches have the same cards"
    code, out, err = call(capsys, "assess", "--show", "crosstable", *map(str, logs), str(logs[0]))
    assert code == 0
    assert out.count("sb a hand") == 3
    assert "skipped: 40 hands given twice" in err
    (tmp_path / "notes.md").write_text("no log")
    whole = call_json(capsys, "assess", "--show", "crosstable", str(tmp_path))
    assert whole["pairs"] == found["pairs"]
    assert whole["skipped"] == {"file of no known format": 1}
    err = call(capsys, "assess", "--show", "crosstable", str(tmp_path))[2]
    assert err.count("file of no known format") == err.count("notes.md") == 1


@pytest.mark.slow
def test_a_log_given_twice_counts_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, copy = tmp_path / "a.log", tmp_path / "b.log"
    call_json(capsys, "match", "baseline", "random", "--hands", "200", "--log", str(log))
    copy.write_bytes(b"# a copy\n" + log.read_bytes())
    once = call_json(capsys, "assess", str(log))
    for files in ((log, copy), (log, log)):
        found = call_json(capsys, "assess", *map(str, files))
        assert found["players"] == once["players"]
        assert found["integrity"]["duplicates_merged"] == 200
        assert found["skipped"] == {}
    _, out, _ = call(capsys, "assess", str(log), str(copy))
    assert "200 copies of hands were merged into the first one." in " ".join(out.split())


@pytest.mark.slow
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
    assert "\nNo verdict on skill: the cards of " in out
    assert "Hands" in out.partition("Estimates, ")[2].partition("Money")[0], (
        "different n say theirs"
    )
    _, out, _ = call(capsys, "assess", "--show", "crosstable", str(log))
    assert out.startswith("No verdict on skill: the cards of ")
    assert "divat" not in out


def test_two_hands_are_too_few_to_say(capsys: pytest.CaptureFixture[str]) -> None:
    players = ("baseline:tight-high", "baseline:loose-high")
    found = call_json(capsys, "match", *players, "--hands", "2")
    assert found["players"]["baseline:tight-high"]["money"]["low"] is None
    _, out, _ = call(capsys, "match", *players, "--hands", "2")
    assert out.count("too few to say") == 2


@pytest.mark.slow
def test_assess_by_aivat(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = str(tmp_path / "m.log")
    players = ("always-call", "random:call=1,raise=1")
    assert call(capsys, "match", *players, "--hands", "60", "--log", log)[0] == 0
    known = [part for name in players for part in ("--known", name)]
    found = call_json(capsys, "assess", log, *known, "--estimators", "money,aivat")
    mine = found["players"]["always-call"]
    assert mine["aivat_sd"] < 0.01 < mine["money_sd"], "neither looks at its cards"
    assert "always-call; random:call=1,raise=1" in found["sources"][0]
    found = call_json(capsys, "assess", log, *known, "--show", "anytime")
    names = [row["estimator"] for row in found["anytime"]]
    assert names == ["money", "divat", "money_minus_dcash", "aivat"]
    assert found["anytime"][0]["bound"] == 24
    table = call_json(capsys, "assess", "--show", "crosstable", log, *known)
    assert table["pairs"][0]["aivat"]["n"] == 60


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--known", "Bob=killer"), "killer: its strategy is not known beforehand"),
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


# ``railbird assess`` on games of several players: the same verb, from logs of any format.


SIX = Path(__file__).parents[1] / "golden" / "histories" / "six.log"


@pytest.mark.slow
def test_json_has_everybody_and_the_crosstable(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["assess", str(SIX), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["unit"] == "bb"
    assert found["seats"] == [6, 6]
    assert found["evidence"]["verdict_by"] in ("fitted", "money")
    assert set(found["crosstable"]) <= set(found["players"])
    for row in found["crosstable"].values():
        for cell in row.values():
            assert set(cell["streets"]) == {"preflop", "flop", "turn", "river"}


def _last_paragraph(text: str) -> str:
    return text.rstrip().rpartition("\n\n")[2]


@pytest.mark.slow
def test_the_last_words_are_the_result_and_what_of_luck_is_in_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["assess", str(SIX)]) == 0
    said = " ".join(_last_paragraph(capsys.readouterr().out).split())
    assert said.startswith("Too few hands to say who is better. The luck of the cards is ")


@pytest.mark.slow
def test_one_player_comes_first_in_words_and_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["assess", str(SIX), "--player", "Flo"]) == 0
    said = _last_paragraph(capsys.readouterr().out)
    assert said.startswith("Flo: ")
    assert " big blinds a hand (too few to say). The luck of the cards is " in " ".join(
        said.split()
    )


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["assess", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.slow
def test_figures_do_not_depend_on_the_workers(capsys: pytest.CaptureFixture[str]) -> None:
    one, three = (told(capsys, str(SIX), "--workers", count) for count in ("1", "3"))
    assert one == three


@pytest.mark.slow
def test_settings_change_divat_and_not_the_money(capsys: pytest.CaptureFixture[str]) -> None:
    usual, tight = (
        told(capsys, str(SIX), "--settings", name)["players"]["Flo"]
        for name in ("standard", "tight-high")
    )
    assert usual["money"] == tight["money"]
    assert usual["divat"]["value"] != tight["divat"]["value"]


@pytest.mark.slow
def test_several_settings_are_averaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both, *each = (
        told(capsys, str(SIX), "--settings", name, "--out", str(tmp_path / name))
        for name in ("standard+tight-high", "standard", "tight-high")
    )
    assert both["settings"] == "standard+tight-high"
    for name in both["players"]:
        means = [one["players"][name]["divat"]["value"] for one in each]
        assert means[0] != means[1]
        assert both["players"][name]["divat"]["value"] == pytest.approx(sum(means) / 2)
        assert both["players"][name]["money"] == each[0]["players"][name]["money"]
    rows, *single = (
        pl.read_parquet(tmp_path / name / "scores.parquet")
        for name in ("standard+tight-high", "standard", "tight-high")
    )
    parts = rows.select("position", "own", "others", pl.selectors.starts_with("luck_"))
    assert (parts.sum_horizontal() - rows["money"]).abs().max() < 1e-9  # type: ignore[operator]
    half = (single[0]["own"] + single[1]["own"]) / 2
    assert rows["own"].to_list() == pytest.approx(half.to_list())
    page = (tmp_path / "standard+tight-high" / "report.html").read_text()
    assert page.count("<details>") == 10


@pytest.mark.slow
def test_a_sweep_has_each_of_the_settings_as_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "sweep.csv"
    sweep = told(capsys, str(SIX), "--sweep", "standard,tight-high", "--out", str(table))["sweep"]
    alone = told(capsys, str(SIX), "--settings", "tight-high")["players"]
    assert list(sweep) == ["standard", "tight-high"]
    for name, of in alone.items():
        assert sweep["tight-high"][name]["divat"]["value"] == of["divat"]["value"]
        assert sweep["tight-high"][name]["fitted"]["value"] == of["fitted"]["value"]
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert len(rows) == 2 * len(alone) * 3
    assert run(["assess", str(SIX), "--sweep", "standard,tight-high"]) == 0
    assert "tight-high" in capsys.readouterr().out


@pytest.mark.slow
def test_tables_for_papers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = told(capsys, str(SIX))["players"]
    texts = {}
    for ending in ("tex", "md", "csv"):
        file = tmp_path / f"table.{ending}"
        assert run(["assess", str(SIX), "--out", str(file), "--json"]) == 0
        texts[ending] = file.read_text()
    rows = list(csv.DictReader(texts["csv"].splitlines()))
    for row in rows:
        assert float(row["value"]) == said[row["player"]][row["estimator"]]["value"]
    assert {row["player"] for row in rows} == set(said)
    assert texts["tex"].startswith("% bb a hand ± standard error\n\\begin{tabular}{lr")
    assert "\\toprule" in texts["tex"]
    body = texts["tex"].partition("\n")[2]
    assert body.isascii(), "what LaTeX does not know"
    assert texts["md"].count("|\n") == 2 + len(said)


@pytest.mark.slow
def test_forward_takes_coefficients_from_earlier_hands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    usual, forward = (told(capsys, str(SIX), *more) for more in ([], ["--forward"]))
    assert (usual["forward"], forward["forward"]) == (False, True)
    assert usual["players"]["Flo"]["divat"] == forward["players"]["Flo"]["divat"]


def test_heads_up_limit_by_decisions_has_the_fitted_estimator(
    capsys: pytest.CaptureFixture[str],
) -> None:
    limit = str(SIX.with_name("limit.log"))
    found = told(capsys, limit, "--method", "decisions")
    assert found["evidence"]["verdict_by"] == "fitted"
    assert found["unit"] == "sb"
    rounds = told(capsys, limit)
    for name, of in rounds["players"].items():
        assert of["money"]["value"] == pytest.approx(found["players"][name]["money"]["value"])


@pytest.mark.slow
def test_every_figure_as_a_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(["assess", str(SIX), "--out", str(out), "--image", "svg"]) == 0
    names = {each.name for each in (out / "figures").iterdir()}
    assert "crosstable.svg" in names
    assert any(name.startswith("running-sums-") and not name[13].isdigit() for name in names)


@pytest.mark.slow
def test_the_page_replays_the_costliest_hands(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(["assess", str(SIX), "--out", str(out)]) == 0
    page = (out / "report.html").read_text()
    assert page.count("<details>") == 10
    assert "By position, bb a hand" in page
    assert "<script" not in page


@pytest.mark.slow
def test_figures_of_a_selected_sample_say_so() -> None:
    records = [hand for hand in read(SIX) if isinstance(hand, HandRecord)]
    hidden = [replace(record, holes=(None, *record.holes[1:])) for record in records[:2]]
    words = (
        f"Of the {len(records) - 2} hands whose cards are all known; they are not representative."
    )
    assessment = assess_batches(batches_of([*hidden, *records[2:]]), boards=2)
    shown = page(table_document(assessment, replayed=LARGEST))
    assert shown.count(words) == 1
    whole = assess_batches(batches_of(records), boards=2)
    assert "not representative" not in page(table_document(whole, replayed=LARGEST))
    # What decisions changed in the hands that were shown says nothing of the others.
    for heading in ("Whose decisions changed whose result", "Own decisions by street"):
        assert heading in page(table_document(whole))
        assert heading not in shown
    assert assessment.as_json()["crosstable"] == {}
    assert not assessment.form.crosstable.partiality


@pytest.mark.slow
def test_a_table_of_a_log_with_hidden_cards_has_what_decides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [hand for hand in read(SIX) if isinstance(hand, HandRecord)]
    hidden = [replace(record, holes=(None, *record.holes[1:])) for record in records[:2]]
    log, out = tmp_path / "some.phhs", tmp_path / "out"
    write([*hidden, *records[2:]], log)
    assert run(["assess", str(log), "--out", str(out)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "DIVAT " not in said.partition("whose decisions")[0]
    assert f"some cards of 2 of {len(records)} hands" in said
    scores = pl.read_parquet(out / "scores.parquet")
    assert scores.height == 6 * len(records)
    assert scores["divat"].null_count() == 12
    assert scores["money"].null_count() == 0
    assert run(["assess", str(log), "--estimators", "money,divat,fitted"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    known = f"{len(records) - 2} hands whose cards are all known, which are not like the others."
    assert f"DIVAT and Fitted are of the {known}" in said
    for options in (["--sweep", "standard,tight-low"], ["--estimators", "divat,fitted"]):
        table = tmp_path / f"{options[0]}.md"
        assert run(["assess", str(log), *options, "--out", str(table)]) == 0
        assert f"DIVAT and Fitted are of the {known}" in table.read_text()
        said = " ".join(capsys.readouterr().out.split())
        assert f"DIVAT and Fitted are of the {known}" in said


def test_copies_of_a_deal_are_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = tmp_path / "logs"
    play = ["league", "always-call", "random", "always-raise", "--ring", "--duplicate"]
    assert run([*play, "--hands", "30", "--log", str(logs)]) == 0
    capsys.readouterr()
    assert run(["assess", str(logs)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert next(row[1] for row in rows if row[:1] == ["random"]) == "30"


@pytest.mark.slow
def test_scores_of_every_hand_and_seat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["assess", str(SIX), "--out", str(tmp_path / "out"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    page = Path(said["report"]).read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "Whose decisions changed whose result" in page
    scores = pl.read_parquet(tmp_path / "out" / "scores.parquet")
    assert scores.height == 6 * said["hands"]
    parts = scores.select("position", "own", "others", pl.selectors.starts_with("luck_"))
    assert (parts.sum_horizontal() - scores["money"]).abs().max() < 1e-9  # type: ignore[operator]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--player", "nobody"], "no player 'nobody' in this log"),
        (["--estimators", "fited"], "no estimator 'fited'; did you mean fitted?"),
        (["--sweep", "standard,standrd"], "did you mean standard?"),
        (["--sweep", "standard,standard"], "the same settings twice"),
        (
            ["--out", "a.tex", "--out", "b.md"],
            "--out b.md beside --out a.tex; allowed: one of them",
        ),
    ],
)
def test_wrong_names_are_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["assess", str(SIX), *arguments]) in (1, 2)
    lines = capsys.readouterr().err.splitlines()
    assert said in lines[-1]


@pytest.mark.slow
def test_hands_of_another_betting_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder of limit and no-limit logs is judged by the first one's betting, not in silence."""
    logs, out = tmp_path / "logs", tmp_path / "out"
    logs.mkdir()
    (logs / "1.log").write_text(SIX.read_text())
    (logs / "2.log").write_text(SIX.with_name("limit.log").read_text())
    assert run(["assess", str(logs), "--out", str(out)]) == 0
    assert "not no-limit betting" in capsys.readouterr().out
    page = (out / "report.html").read_text()
    assert "Hands skipped" in page
    assert "not no-limit betting" in page


def test_a_match_of_omaha(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = str(tmp_path / "omaha.phhs")
    match = ("match", "always-call", "random", "--variant", "omaha", "--hands", "60")
    assert call(capsys, *match, "--log", log)[0] == 0
    code, out, _ = call(capsys, "assess", log)
    assert code == 0
    assert "60 hands of limit Omaha" in out
    assert "Fitted decides: all cards of 60 hands are known." in out
    told = call_json(capsys, "assess", log, "--forward")
    assert (told["game"], told["hands"], told["forward"]) == ("omaha", 60, True)
    assert told["players"].keys() == {"always-call", "random"}
    for arguments, status, words in (
        (("--out", str(tmp_path / "report")), 2, "--out in Omaha; allowed: --player, --forward"),
        (("--sweep", "all"), 2, "--sweep in Omaha"),
        (("--player", "nobody"), 1, "no player 'nobody' in this log"),
    ):
        code, out, err = call(capsys, "assess", log, *arguments)
        assert (code, out) == (status, "")
        assert words in err
        assert len(err.splitlines()) == 1
