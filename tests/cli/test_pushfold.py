"""`railbird solve` and `railbird pushfold report`, as they are typed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.command_line import call
from railbird.cards import CLASS_NAMES
from railbird.cli import run
from railbird.solve import COMBINATIONS, pushfold_ev, solve_pushfold

PEOPLE = (
    "card1,card2,position,skill,decision,played_at\n"
    "As,Ad,sb,expert,aggress,\n"
    "7c,2d,sb,expert,fold,\n"
    "10s,KS,bb,novice,aggress,\n"
    "9C,,bb,novice,fold,\n"
)


def test_solve(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "pushfold", "--stack", "10bb", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["value_small_blind_bb"] == pytest.approx(-0.045371, abs=1e-6)
    assert answer["chart"]["push"]["AA"] == pytest.approx(1)
    assert answer["chart"]["call"]["32o"] == pytest.approx(0, abs=1e-6)
    assert {"push", "call", "exploitability_bb"} <= answer.keys()
    assert answer["ev_bb"]["small_blind_fold"] == -0.5
    assert answer["ev_bb"]["push"]["AA"] == max(answer["ev_bb"]["push"].values())


@pytest.mark.slow
def test_the_page_of_an_equilibrium_says_what_it_is_worth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "chart.html"
    assert run(["solve", "pushfold", "--stack", "10", "--out", str(out)]) == 0
    capsys.readouterr()
    page = out.read_text()
    for words in (
        "loses 0.0454",
        "58.3\u202f%",
        "37.4\u202f%",
        "a best response gains",
        "43s is pushed 71\u202f%",
    ):
        assert words in page
    assert page.count("<svg") == 4
    light = page.split("<svg")[1].partition("</svg>")[0]
    assert "% of the time" in light, "a legend"
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)px"', light)]
    width = float(re.findall(r'width="([\d.]+)"', light)[0])
    # As wide as a column of a 1,280-pixel page, at least 560 pixels, text has 12 or more.
    assert min(sizes) * 560 / width >= 12
    assert run(["solve", "pushfold", "--out", str(tmp_path / "chart.png")]) == 0


@pytest.mark.slow
def test_sweep_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chart = tmp_path / "charts.html"
    assert run(["solve", "pushfold", "--sweep", "9:10:0.5", "--out", str(chart)]) == 0
    said = capsys.readouterr().out
    assert "largest stack at which a hand is called" in said
    # Aces are pushed at ten big blinds and beyond, 94s at none of the stacks, Q6o at 9 alone.
    assert "≥10" in said
    assert "10.0" not in said
    assert "94s" not in said.split("with gaps")[1]
    page = chart.read_text()
    assert "≥10: the hand is played at the largest stack" in page
    assert page.count("<svg") == 2
    assert run(["solve", "pushfold", "--sweep", "9:10:1", "--out", str(tmp_path / "c.svg")]) == 0
    assert (tmp_path / "c.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["solve", "pushfold", "--stack", "0"], "allowed: 1 to 100"),
        (["solve", "pushfold", "--stack", "0 bb"], "allowed: 1 to 100"),
        (["solve", "pushfold", "--stack", "200 chips"], "allowed: big blinds, such as 10 or 10bb"),
        (["solve", "pushfold", "--sweep", "1-20"], "LOW:HIGH:STEP"),
        (["solve", "pushfold", "--out", "chart.pdf"], ".html, .md, .svg, .png"),
        (["solve", "toy", "kuhn", "--out", "curve.pdf"], ".html, .md, .svg, .png"),
        (["solve", "toy", "kuhn", "--method", "newton"], "predictive"),
        (["pushfold", "judge"], "allowed: --push, --call or --chart"),
        (["pushfold", "judge", "--push", "AsKd"], "all suits of a hand alike"),
        (["pushfold", "judge", "--push", "K5x"], "character 3"),
        (["pushfold", "judge", "--push", "22+", "--stack", "0"], "allowed: 1 to 100"),
        (["pushfold", "report", "missing.csv"], "missing.csv"),
    ],
)
def test_bad_input_is_one_line(
    args: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(args) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_toy_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "toy", "kuhn", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["value"] == pytest.approx(-1 / 18, abs=1e-6)
    # Kuhn (1950): a queen is never bet first, and a king called with always.
    first = answer["strategy"]["first player"]
    assert first["first"]["Q"]["bet"] == pytest.approx(0, abs=1e-2)
    assert first["after check, bet"]["K"]["call"] == pytest.approx(1, abs=1e-2)
    curve = answer["curves"]["predictive"]
    assert [point["iterations"] for point in curve[:5]] == [1, 2, 3, 4, 5]
    assert (
        curve[-1]["exploitability"] == answer["exploitability"] <= 1e-6 < curve[0]["exploitability"]
    )


@pytest.mark.slow
def test_variants_of_a_toy_game_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "curves.svg"
    variants = ["--method", "cfr+", "--method", "cfr"]
    limits = ["--gap", "1e-3", "--iterations", "2000"]
    assert run(["solve", "toy", "leduc", *variants, *limits, "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "CFR+ (Tammelin 2014)" in said
    assert "check, bet, call; board K" in said
    table = [line.split() for line in said.splitlines()]
    table = table[table.index(["iterations", "cfr+", "cfr"]) :]
    # CFR has not come so far when it has had all its iterations.
    assert (table[-1][0], len(table[-1])) == ("2,000", 2)
    assert "Tammelin 2014" in out.read_text()


def _solved(stack: float, path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert run(["solve", "pushfold", "--stack", f"{stack:g}", "--json"]) == 0
    path.write_text(capsys.readouterr().out)
    return path


@pytest.mark.slow
def test_a_chart_is_a_strategy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = tmp_path / "people.csv"
    people.write_text(PEOPLE)

    def judged(*args: str) -> dict[str, Any]:
        assert run(["pushfold", "report", str(people), "--json", *args]) == 0
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        return answer

    same = judged("--against", str(_solved(10, tmp_path / "ten.json", capsys)))
    equilibrium = judged()
    assert same.pop("against") == "ten.json"
    assert equilibrium.pop("against") == "equilibrium"
    assert same == equilibrium
    other = judged("--against", str(_solved(5, tmp_path / "five.json", capsys)))
    assert other["against"] == "five.json for 5 big blinds"
    # Kings are called with, which gives nothing up against either strategy.
    solved = solve_pushfold(5)
    values = pushfold_ev(solved.push, solved.call, stack=10)
    gained = float(np.maximum(values.call_ev, values.fold_ev_bb) @ (values.facing * COMBINATIONS))
    walks = 0.5 * float((1 - values.facing) @ COMBINATIONS)
    assert other["ev_bb"]["small_blind"]["value"] == pytest.approx(-(gained + walks) / 1326)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no chart"),
        pytest.param('{"chart":' * 200_000, "is no chart", id="deep"),
        pytest.param('{"stack_bb": 1' + "0" * 400 + "}", "is no chart", id="large"),
        ('{"stack_bb": 10}', "is no chart"),
        ('{"stack_bb": 10, "chart": {"push": {"AA": 1, "XX": 0}, "call": {}}}', "no hand '22'"),
        ('{"stack_bb": 10, "chart": {"push": ALL, "call": 3}}', "is no chart"),
        ('{"stack_bb": 10, "chart": {"push": ALL, "call": {"XX": 0}}}', "call: no hand '22'"),
        (
            '{"stack_bb": 10, "chart": {"push": TWO, "call": ALL}}',
            "push frequency 2 of AA; allowed: 0 to 1",
        ),
    ],
)
def test_what_is_no_chart(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people, chart = tmp_path / "people.csv", tmp_path / "chart.json"
    people.write_text(PEOPLE)
    for name, value in (("ALL", 1), ("TWO", 2)):
        text = text.replace(name, json.dumps(dict.fromkeys(CLASS_NAMES, value)))
    chart.write_text(text)
    assert run(["pushfold", "report", str(people), "--against", str(chart)]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert "chart.json" in said
    assert said.count("\n") == 1


@pytest.mark.slow
def test_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = tmp_path / "people.csv"
    people.write_text(PEOPLE)
    out = tmp_path / "report"
    assert run(["pushfold", "report", str(people), "--out", str(out), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["decisions"] == 3
    assert answer["skipped"] == {"cards missing or unreadable": 1}
    assert answer["stacks_bb"] == {"10": 3}
    ev = answer["ev_bb"]
    assert ev["mean"]["value"] == pytest.approx(
        (ev["small_blind"]["value"] + ev["big_blind"]["value"]) / 2
    )
    assert answer["people"]["small_blind"]["hands"]["AA"]["decisions"] == 1
    assert answer["people"]["small_blind"]["hands"].keys() == {"AA", "72o"}
    assert answer["population"]["push"]["KK"] is None, "it never came"
    assert answer["complete_strategy"]["prior"]
    page = (out / "report.html").read_text()
    assert page.count("<svg") == 6
    assert "9C,,bb,fold" in page
    assert "too few to say" in page
    assert "take a prior" in page
    for name in ("push.svg", "call.svg"):
        assert (out / name).exists()


@pytest.mark.slow
def test_three_decisions_are_too_few_to_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = tmp_path / "people.csv"
    people.write_text(PEOPLE)
    assert run(["pushfold", "report", str(people)]) == 0
    said = capsys.readouterr().out
    assert said.count("too few to say") >= 5
    assert "number of decisions" in said


@pytest.mark.slow
def test_mistakes_below_twenty_have_no_interval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = tmp_path / "people.csv"
    for mistakes, has_interval in ((9, False), (19, False), (20, True)):
        rows = ["7c,2d,bb,fold"] * 300 + ["As,Ad,bb,fold"] * mistakes
        people.write_text("\n".join(["card1,card2,position,decision", *rows]))
        assert run(["pushfold", "report", str(people), "--json"]) == 0
        seat = json.loads(capsys.readouterr().out)["people"]["big_blind"]
        assert seat["mistakes"] == mistakes
        assert [seat["given_up_bb"][end] is not None for end in ("low", "high")] == [
            has_interval
        ] * 2


@pytest.mark.slow
def test_report_judges_at_the_stacks_of_the_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = tmp_path / "export.csv"
    people.write_text(
        "card1,card2,position,decision,stack_bb,hinted\n"
        "Ks,5d,bb,aggress,10.0,False\n"
        "Ks,5d,bb,aggress,10.4,False\n"
        "Ks,5d,bb,aggress,10.4,True\n"
    )
    assert run(["pushfold", "report", str(people), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    # K5o calls up to 10.2 big blinds.
    assert answer["people"]["big_blind"]["mistakes"] == 1
    assert answer["stacks_bb"] == {"10": 1, "10.4": 1}
    assert answer["skipped"] == {"made after a hint": 1}
    assert answer["complete_strategy"] is None
    assert run(["pushfold", "report", str(people)]) == 0
    said = capsys.readouterr()
    assert "export.csv, 2 stacks of 10 to 10.4 big blinds\n" in said.out
    assert "\n2 decisions. " in said.out
    assert "left out: 1 made after a hint" in said.err


def test_a_list_of_which_nothing_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = tmp_path / "people.csv"
    people.write_text("card1,card2,position,decision\nAs,,sb,fold\n")
    assert run(["pushfold", "report", str(people), "--out", str(tmp_path / "out")]) == 1
    assert "no decision that counts" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("rows", "skipped"),
    [
        (["As,Ad,sb,fold,1"] * 2, {"made after a hint": 2}),
        (
            ["As,Ad,sb,fold,1", "As,,sb,fold,0"],
            {"made after a hint": 1, "cards missing or unreadable": 1},
        ),
    ],
)
def test_rows_that_do_not_count_are_counted_even_if_none_does(
    rows: list[str], skipped: dict[str, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = tmp_path / "people.csv"
    people.write_text("\n".join(["card1,card2,position,decision,hinted", *rows]))
    assert run(["pushfold", "report", str(people)]) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert f"left out: {'; '.join(f'{count} {why}' for why, count in skipped.items())}" in said
    assert said.endswith("people.csv: no decision that counts")
    assert run(["pushfold", "report", str(people), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["skipped"] == skipped


@pytest.mark.slow
def test_report_against_other_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = tmp_path / "people.csv"
    people.write_text(PEOPLE)
    assert run(["pushfold", "report", str(people), "--against", str(people)]) == 0
    said = capsys.readouterr()
    assert "The people.csv, made complete wins" in " ".join(said.out.split())
    assert "line 5: cards missing or unreadable" in " ".join(said.err.split())


def test_other_people_at_several_stacks_are_no_strategy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = tmp_path / "people.csv"
    people.write_text("card1,card2,position,decision,stack_bb\nAs,Ad,sb,fold,5\nAs,Ad,sb,fold,6\n")
    assert run(["pushfold", "report", str(people), "--against", str(people)]) == 1
    assert "decisions at 2 stacks; allowed: one" in capsys.readouterr().err


def test_ranges_are_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ranges = ["--push", "22+, A2+, K5o+", "--call", "22+, A2+, KT+"]
    assert run(["pushfold", "judge", *ranges, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    push = answer["small_blind"]
    assert push["share"] == pytest.approx((78 + 12 * 16 + 8 * 12) / 1326)
    assert push["exploitability_bb"] > push["given_up_bb"] > 0
    assert push["differs"]["KQs"] == {
        "range": 0.0,
        "equilibrium": pytest.approx(1),
        "given_up_bb": pytest.approx(0.0044, abs=5e-5),
    }
    assert "KQo" not in push["differs"]
    assert run(["pushfold", "judge", *ranges]) == 0
    said = capsys.readouterr().out
    assert "68 of 169 hands differ" in said
    assert "at worst" in said


def test_a_chart_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chart = _solved(8, tmp_path / "eight.json", capsys)
    assert run(["pushfold", "judge", "--chart", str(chart), "--stack", "8"]) == 0
    assert capsys.readouterr().out.count("0 of 169 hands differ") == 2
    assert run(["pushfold", "judge", "--chart", str(chart), "--push", "22+"]) == 2
    assert "--chart has both ranges" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["kuhm"], "'kuhm'; did you mean kuhn?"),
        (["kuhn", "--method", "crf"], "'crf'; did you mean cfr"),
        (["chess"], "'chess'; allowed: kuhn, leduc"),
    ],
)
def test_misspelt_choices_propose_the_nearest(
    args: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["solve", "toy", *args]) == 2
    assert message in capsys.readouterr().err


def test_a_game_that_is_not_solved_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    cut_off = ["solve", "toy", "kuhn", "--method", "cfr", "--method", "predictive"]
    assert run([*cut_off, "--iterations", "500", "--gap", "1e-4"]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "cfr: " in said
    assert "after 500 iterations is above the tolerance of 0.0001; --iterations" in said
    assert "predictive" not in said


def test_a_sweep_of_whole_stacks_has_no_decimals(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "pushfold", "--sweep", "1:6:1", "--gap", "1e-4"]) == 0
    said = capsys.readouterr().out
    assert ".0" not in said
    assert "\u22656" in said


@pytest.mark.slow
def test_nobody_decides_behind_blinds_that_are_all_in(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = call(
        capsys, "solve", "pushfold", "--stacks", "5,5,0.5,0.8", "--payouts", "65,35"
    )
    assert code == 0
    assert "BB is all-in with what it posts" in out


@pytest.mark.parametrize("stacks", ["12,500 9,800", "12,500, 9,800, 3,100", "10,5 8,2"])
def test_commas_inside_of_stacks_are_refused(
    stacks: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for verb in (["icm"], ["solve", "pushfold"]):
        code, _, err = call(capsys, *verb, "--stacks", stacks, "--payouts", "65,35")
        assert code == 2
        assert "commas inside of amounts" in err
