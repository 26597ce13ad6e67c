"""``railbird equity``, ``odds`` and ``machine tables``."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from helpers.command_line import call, call_json
from railbird.cards import CLASS_NAMES, CLASSES, Range
from railbird.cli import run
from railbird.odds import (
    Opponent,
    PreflopChart,
    PreflopSituation,
    equities_against,
    equity,
    preflop_value,
    reflective_odds,
)


def test_hits_stands_under_odds_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["odds", "hits"]) == 2
    assert "odds hits: Missing argument 'RANGE'" in capsys.readouterr().err


def test_equity(capsys: pytest.CaptureFixture[str]) -> None:
    found = call_json(capsys, "equity", "Ts6s", "Jd5d", "--board", "Td5hTh")
    first = found["players"][0]
    assert (first["hand"], first["win"], first["tie"], first["lose"]) == ("Ts6s", 950, 0, 40)
    assert found["boards"] == 990
    assert found["exact"] is True


def test_sampled_equity_repeats_for_a_seed(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("equity", "AsAh", "random", "random", "--samples", "20000", "--seed", "3")
    first = call_json(capsys, *args)
    assert first == call_json(capsys, *args)
    assert first["exact"] is False
    assert abs(first["players"][0]["equity"] - 0.7343) < 5 * first["players"][0]["stderr"]


def test_odds(capsys: pytest.CaptureFixture[str]) -> None:
    """Papp 1998, the running example: AdQc on 3h4cJh against five opponents."""
    found = call_json(
        capsys, "odds", "AdQc", "3h4cJh", "--count", "5", "--pot", "40", "--to-call", "10"
    )
    assert found["ihr"] == pytest.approx(0.585106, abs=5e-7)
    assert found["hs"] == pytest.approx(0.068576, abs=5e-7)
    assert found["ppot2"] == pytest.approx(0.208324, abs=5e-7)
    assert found["npot2"] == pytest.approx(0.273693, abs=2e-6)
    assert found["pot_odds"] == 0.2


def test_odds_before_the_flop_leave_potential_undefined(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = call_json(capsys, "odds", "AsAd")
    assert found["hr7"] == pytest.approx(0.852037, abs=5e-7)
    assert found["ppot1"] is None


def test_tables_status(capsys: pytest.CaptureFixture[str]) -> None:
    found = call_json(capsys, "machine", "tables", "status")
    assert {"river_ihr", "turn_hr7"} <= {table["name"] for table in found["tables"]}


# `railbird odds --action`: reflective odds, spectra, outs, pictures.


FLOP = ["AsTh", "Tc8d2c"]
BET = "preflop:call flop:bet"


def test_actions_lower_the_odds(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "odds", *FLOP, "--action", BET, "--json")
    assert code == 0
    found = json.loads(out)
    ours = reflective_odds("AsTh", "Tc8d2c", [Opponent.parse(BET)])
    assert found["reflective_odds"] == ours.reflective.joint < found["raw_odds"]
    assert found["kept"] == list(ours.kept)
    assert found["reflective_nuts"] is False
    assert found["actions"] == [BET]


def test_three_who_acted_are_dealt_at_random(capsys: pytest.CaptureFixture[str]) -> None:
    args = [arg for text in (BET, "flop:call", "flop:call") for arg in ("--action", text)]
    code, out, _ = call(capsys, "odds", *FLOP, *args, "--json")
    assert code == 0
    opponents = [Opponent.parse(text) for text in (BET, "flop:call", "flop:call")]
    corrected = reflective_odds("AsTh", "Tc8d2c", opponents).reflective.joint
    assert json.loads(out)["reflective_odds"] == pytest.approx(corrected, abs=0.006)


def test_actions_without_a_model_are_of_any_hand(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "odds", *FLOP, "--count", "2", "--action", BET, "--json")
    assert code == 0
    found = json.loads(out)
    assert found["kept"][1] == 1
    both = reflective_odds("AsTh", "Tc8d2c", [Opponent.parse(BET), Opponent()])
    assert found["reflective_odds"] == both.reflective.joint


def test_odds_by_the_number_of_opponents_are_bars(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["odds", *FLOP, "--action", BET, "--show", "by-opponents"]
    code, out, _ = call(capsys, *args)
    assert code == 0
    assert "no card in two hands" in out
    code, text, _ = call(capsys, *args, "--json")
    found = json.loads(text)["by_opponents"]
    assert [each["opponents"] for each in found] == list(range(1, 10))
    ours = [reflective_odds("AsTh", "Tc8d2c", [Opponent.parse(BET)] * n) for n in (1, 2)]
    for each, odds in zip(found[:2], ours, strict=True):
        assert each["odds"] == pytest.approx(odds.reflective.joint, abs=1e-12)
        assert each["power"] == pytest.approx(odds.reflective.power, abs=1e-12)
    assert out.count("█") > 30


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--pot", "1", "--to-call", "2"], "the pot includes the bet"),
        (["--action", "flop:bet loose=2 loose=3"], "loose= given twice"),
    ],
)
def test_what_contradicts_itself_is_refused(
    capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    code, out, err = call(capsys, "odds", *FLOP, *more)
    assert (code, out) == (2, "")
    assert said in err


def test_before_the_flop_one_caller_is_exact(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(
        capsys, "odds", "AsAh", "--against", "KK", "--action", "preflop:raise", "--json"
    )
    assert code == 0
    exact = equity(["AsAh", "KK"]).players[0].equity
    assert json.loads(out)["reflective_odds"] == pytest.approx(exact, abs=1e-12)


def test_the_sources_flush_draw_calls_and_does_not_raise(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """4 to call, and 40 in the pot with it; against two a raise needs a third."""
    args = ["--against", "KdQc", "--against", "9d9h", "--pot", "40", "--to-call", "4", "--json"]
    code, out, _ = call(capsys, "odds", "Js5s", "Ks9s2d", *args)
    assert code == 0
    found = json.loads(out)
    assert found["raise_odds"] == pytest.approx(1 / 3)
    assert found["implied_odds"] == pytest.approx(1 / 11)
    assert 1 / 11 < found["reflective_odds"] < 1 / 3
    assert found["play"] == "call"


def test_a_raise_of_ones_own_has_implied_odds(capsys: pytest.CaptureFixture[str]) -> None:
    """Peretz's case: a raise would pay with the pot, and not by itself, so straight play calls."""
    args = ["--against", "KdQc", "--against", "9d9h", "--pot", "40", "--to-call", "4", "--json"]
    spot = ["odds", "Js5s", "Ks9s2d", *args]
    code, out, _ = call(capsys, *spot, "--set", "own-raise=4")
    assert code == 0
    found = json.loads(out)
    assert found["own_raise_odds"] == pytest.approx(8 / (40 + 2 * 4 + 8))
    assert found["own_raise_odds"] < found["reflective_odds"] < found["raise_odds"]
    assert found["play"] == "call"
    assert "own_raise_odds" not in json.loads(call(capsys, *spot)[1])
    code, _, err = call(capsys, "odds", *FLOP, "--set", "own-raise=4")
    assert (code, err) == (2, "railbird: --set own-raise goes with --pot and --to-call\n")


def test_a_first_bet_may_have_to_bear_a_raise(capsys: pytest.CaptureFixture[str]) -> None:
    """A bet of 4 and the call of a raise to 8, who raised has put in as much; pot of 2."""
    pot = ["--pot", "2", "--to-call", "0", "--json"]
    draw = ["odds", "Js5s", "Ks9s2d", "--against", "KdQc", "--against", "QdQh", *pot]
    made = ["odds", "AcAd", "Th7h2c", "--against", "KhQh", "--against", "9s8s", *pot]
    for hand, bears in ((draw, "check"), (made, "bet")):
        bet, raised = (
            json.loads(call(capsys, *hand, *more)[1]) for more in ([], ["--set", "if-raised=8"])
        )
        assert bet["play"] == "bet"
        assert "raised_odds" not in bet
        assert raised["raised_odds"] == pytest.approx(8 / 18)
        assert raised["reflective_odds"] < 8 / 18
        assert raised["play"] == bears
    code, _, err = call(
        capsys, "odds", *FLOP, "--pot", "4", "--to-call", "2", "--set", "if-raised=8"
    )
    assert code == 2
    assert "--to-call 0" in err


def test_a_draw_has_effective_odds(capsys: pytest.CaptureFixture[str]) -> None:
    """Nine spades and three aces of 45; a call of 10 now, and of 20 on the turn."""
    args = ["--against", "KdQc", "--show", "outs", "--pot", "50", "--to-call", "10"]
    code, out, _ = call(capsys, "odds", "As5s", "Ks9s2d", *args, "--json")
    assert code == 0
    found = json.loads(out)
    assert found["effective_odds"] == pytest.approx(30 / (50 + 20 + 30))
    now, then = 12 / 45, 12 / 44
    later = then * (50 + 10 + 20) - (1 - then) * 20
    assert later > 0
    assert found["draw_value"] == pytest.approx(now * 50 - (1 - now) * 10 + (1 - now) * later)
    # Where the turn costs too much the hand is given up there, and what an out wins is counted.
    dear = [*args, "--set", "future-bets=500", "--set", "future-winnings=30", "--json"]
    found = json.loads(call(capsys, "odds", "As5s", "Ks9s2d", *dear)[1])
    assert found["effective_odds"] == pytest.approx(510 / (50 + 500 + 30 + 510))
    assert found["draw_value"] == pytest.approx(now * 80 - (1 - now) * 10)
    # On the turn one call is left; without outs there is nothing to tell.
    turn = json.loads(call(capsys, "odds", "As5s", "Ks9s2d3c", *args, "--json")[1])
    assert turn["effective_odds"] == pytest.approx(10 / 60)
    none = json.loads(call(capsys, "odds", "As5s", "Ks9s2d", *args[:2], *args[4:], "--json")[1])
    assert "draw_value" not in none


def test_spectra_and_outs_are_bars_and_lists(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["--against", "KdQc", "--action", "flop:bet", "--show", "spectrum", "--show", "outs"]
    code, out, _ = call(capsys, "odds", "As5s", "Ks9s2d", *args)
    assert code == 0
    assert "outs (12): " in out
    assert "by the river: " in out
    assert "█" in out
    assert "theirs before" not in out  # nothing was left out of a range of one hand
    code, out, _ = call(
        capsys, "odds", *FLOP, "--action", BET, "--show", "spectrum", "--show", "outs", "--json"
    )
    found = json.loads(out)
    assert sum(found["spectrum"]["yours"]) == pytest.approx(1)
    assert found["spectrum"]["categories"]["quads"]["yours"] > 0
    assert found["outs"]["cards"] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spectra.png", "spectra.svg"])
def test_a_picture_is_written_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    image = tmp_path / name
    args = ["odds", *FLOP, "--action", BET, "--out", str(image)]
    assert call(capsys, *args)[0] == 0
    begins = image.read_bytes()
    assert begins.startswith(b"\x89PNG" if name.endswith("png") else b"<svg")
    code, _, said = call(capsys, *args)
    assert code == 2
    assert "--force replaces it" in said
    assert call(capsys, *args, "--force")[0] == 0
    assert image.read_bytes() == begins


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--action", "turn:bet"], "an action on the turn"),
        (["--action", "flop:bte"], "action"),
        (["--action", "flop:bet", "--against", "72o"], "no holding is worth"),
        (["--action", "flop:bet", "--action", "flop:bet", "--count", "1"], "2 actions"),
        (["--action", "flop:bet", "--action", "flop:bet", "--against", "KK"], "2 actions"),
        (["--out", "x.gif"], ".gif; allowed: .png, .svg"),
        (["--set", "softness=nan"], "nan"),
        (["--set", "softness=2"], "softness"),
        (["--against", "AsAd"], "nothing of the range"),
    ],
)
def test_odds_action_what_cannot_be_is_one_line(
    capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    code, _, error = call(capsys, "odds", *FLOP, *args)
    assert code == 2
    assert said in error
    assert error.count("\n") == 1


def test_changes_of_a_hand_are_the_sources_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Papp (1998), 5.2.3: AdQc on 3h4cJh, each of 1,081 holdings with each of 990 boards."""
    found = call_json(capsys, "odds", "AdQc", "3h4cJh", "--show", "potentials")
    next_card, two_cards = found["potentials"]
    counts = ((449005, 3211, 169504), (0, 8370, 540), (91981, 1036, 346543))
    assert np.array(two_cards) == pytest.approx(np.array(counts) / 1_070_190)
    assert np.array(next_card).sum() == pytest.approx(1)
    code, out, _ = call(
        capsys, "odds", "AdQc", "3h4cJh", "--show", "potentials", "--against", "QQ+, 22"
    )
    assert code == 0
    assert "now, then after the two cards" in out
    code, _, error = call(capsys, "odds", "AdQc", "--show", "potentials")
    assert (code, error.count("\n")) == (2, 1)


def test_outs_before_the_flop_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, error = call(capsys, "odds", "AsAh", "--show", "outs")
    assert code == 2
    assert "allowed: 3, 4" in error


# `railbird odds --against`: strength and potential against given ranges.


OLD_KEYS = {"ihr", "hr7", "ehr", "hs", "ppot1", "ppot2", "npot1", "npot2", "raw_odds"}


def test_models_take_the_place_of_any_hand(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["odds", "AdQc", "3h4cJh", "--against", "QQ+, AKs", "--against", "random", "--json"]
    assert run(args) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == OLD_KEYS | {
        "hs_field", "ehs", "optimistic_ehs", "reflective_odds", "models"
    }  # fmt: skip
    assert found["models"] == ["QQ+, AKs", "random"]
    assert found["hs"] == 0  # every hand of the first range is ahead
    assert 0 < found["hs_field"] < 0.2
    assert found["ihr"] == pytest.approx(0.585106, abs=5e-7)
    assert found["ehs"] == pytest.approx(found["ppot2"])
    assert 0 < found["reflective_odds"] < 0.2


def test_before_the_flop_only_the_showdown_is_defined(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["odds", "AsAd", "--against", "KK", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["hs"] is None
    assert found["ehs"] is None
    assert found["reflective_odds"] == pytest.approx(0.8195, abs=0.005)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--against", "KK", "--count", "2"], "2 opponents and 1 models"),
        (["--against", "XX"], "X"),
        (["3h4cJh", "--against", "AsAd"], "leave nothing of the range AsAd"),
    ],
)
def test_bad_models_are_one_line(
    capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    assert run(["odds", "AsAd", *args]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


# `railbird odds table169`: exact equities of classes, looked up, sorted, drawn.


def test_a_pair_is_looked_up(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "odds", "table169", "22", "AKs", "--json")
    assert code == 0
    found = json.loads(out)
    exact = equity(["22", "AKs"])
    assert found["table"]["22"]["AKs"] == pytest.approx(exact.players[0].equity, abs=1e-12)
    assert found["win"] + found["tie"] + found["lose"] == 6 * 4 * 1_712_304
    code, out, _ = call(capsys, "odds", "table169", "22", "AKs")
    assert "AKs" in out


def test_the_order_is_that_of_the_percent_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "odds", "table169", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["order"][:6] == ["AA", "KK", "QQ", "JJ", "TT", "99"]
    assert found["order"][-1] == "32o"
    assert found["table"]["AKs"]["QQ"] == pytest.approx(0.4605, abs=5e-4)


def test_hands_are_sorted_anew_against_a_range(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "odds", "table169", "--against", "top 10%", "--json")
    assert code == 0
    found = json.loads(out)
    place = found["order"].index
    assert place("76s") < place("A2o")  # which is better against any hand
    against = Range.parse("top 10%")
    for name in ("76s", "KQo", "AA"):
        exact = equity([name, against]).players[0].equity
        assert found["equity"][name] == pytest.approx(exact, abs=1e-12)
    code, out, _ = call(capsys, "odds", "table169", "--against", "top 10%")
    assert "best against top 10%" in out


def test_a_class_that_leaves_nothing_of_a_range_has_no_equity() -> None:
    against = equities_against("AsAd")
    assert np.isfinite(against).sum() == len(CLASS_NAMES)  # the other aces are possible
    assert np.isnan(equities_against(Range.parse("AsAd, AhAc, AsAh, AsAc, AdAh, AdAc"))).sum() == 0
    assert np.isnan(equities_against(np.zeros(1326))).all()


@pytest.mark.slow
def test_the_table_is_a_csv_and_a_row_a_picture(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table, image = tmp_path / "table.csv", tmp_path / "row.png"
    code, _, _ = call(capsys, "odds", "table169", "AKs", "--out", str(table), "--out", str(image))
    assert code == 0
    with table.open() as file:
        rows = {row["hand"]: row for row in csv.DictReader(file)}
    assert len(rows) == 169
    for one, two in (("AKs", "22"), ("72o", "AA")):
        assert float(rows[one][two]) + float(rows[two][one]) == pytest.approx(1, abs=2e-9)
    assert image.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["AKx"], "AKx"),
        (["AKs", "22", "33"], "unexpected extra argument"),
        (["--out", "x.png"], "name it"),
        (["AKs", "--against", "QQ"], "allowed: --against or a hand"),
        (["--against", "xx"], "xx"),
        (["--out", "x.txt"], ".csv"),
    ],
)
def test_what_cannot_be_is_refused(
    capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    code, _, error = call(capsys, "odds", "table169", *args)
    assert code == 2
    assert said in error


# `railbird odds preflop`: values of hole cards, their flops, the chart.


HEADS_UP = ["--seats", "2"]


@pytest.mark.slow
def test_one_hand_has_three_values(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "odds", "preflop", "aks", *HEADS_UP, "--json")
    assert code == 0
    found = json.loads(out)
    value = preflop_value("AKs", PreflopSituation(seats=2))
    assert found["ev"] == {"fold": 0.0, "call": value.call, "raise": value.raise_}
    assert found["best"] == "raise"
    assert (found["hand"], found["seat"], found["unit"]) == ("AKs", "SB", "bb")


@pytest.mark.slow
def test_flops_are_bars(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    image = tmp_path / "flops.png"
    code, out, _ = call(capsys, "odds", "preflop", "AKs", *HEADS_UP, "--out", str(image))
    assert code == 0
    assert "raise (best)" in out
    assert "█" in out
    assert image.read_bytes().startswith(b"\x89PNG")
    assert call(capsys, "odds", "preflop", "AKs", *HEADS_UP, "--out", str(image))[0] == 2


def test_a_rake_may_be_written_in_per_cent(capsys: pytest.CaptureFixture[str]) -> None:
    one, same = (
        call(capsys, "odds", "preflop", "AKs", *HEADS_UP, "--rake", rake, "--json")
        for rake in ("0.05", "5%")
    )
    assert one == same
    assert one[0] == 0
    code, _, err = call(capsys, "odds", "preflop", "AKs", *HEADS_UP, "--rake", "five")
    assert code == 2
    assert "is no rake; allowed: 5%, or 5%,cap=3" in err


def test_a_rake_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    plain, raked = (
        call_json(capsys, "odds", "preflop", "AKs", *HEADS_UP, *more)["ev"]["call"]
        for more in ([], ["--rake", "10%,cap=0.5"])
    )
    assert plain - 0.5 < raked < plain


@pytest.fixture
def chart(monkeypatch: pytest.MonkeyPatch) -> PreflopChart:
    """Values as if computed, which takes a minute."""
    values = np.linspace(-1, 1, 5 * CLASSES).reshape(5, CLASSES)
    chart = PreflopChart(
        positions=("UTG", "CO", "BTN", "SB", "BB")[:5], call=values, raise_=values / 2
    )
    monkeypatch.setattr("railbird.odds.preflop_chart", lambda *_, **__: chart)
    return chart


@pytest.mark.slow
def test_the_chart_is_text_a_picture_and_a_table(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, chart: PreflopChart
) -> None:
    image, table = tmp_path / "chart.svg", tmp_path / "chart.csv"
    args = ["odds", "preflop", "all", "--out", str(image), "--out", str(table)]
    code, out, _ = call(capsys, *args)
    assert code == 0
    assert "BB: 169 of 169 hands are played" in out
    lines = table.read_text().splitlines()
    assert lines[0] == "position,hand,call_bb,raise_bb"
    assert len(lines) == 1 + 5 * CLASSES
    assert "CO: " in image.read_text()
    code, out, _ = call(capsys, *args, "--force", "--json")
    found = json.loads(out)["positions"]
    assert found["UTG"][CLASS_NAMES[3]]["call"] == chart.call[0, 3]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["AKx"], "AKx"),
        (["AKs", "--action", "utg:raise,utg:call"], "twice"),
        (["AKs", "--seat", "bb"], "folded to the big blind"),
        (["AKs", "--seats", "11"], "11 seats"),
        (["AKs", "--rake", "1"], "rake"),
        (["AKs", "--set", "bets=nan"], "bets"),
        (["AKs", "--out", "x.csv"], "railbird odds preflop all"),
        (["AKs", "--set", "bet=3"], "no setting 'bet'; did you mean bets?"),
        (["all", "--action", "utg:raise"], "unopened pots"),
        (["all", "--out", "x.pdf"], ".csv"),
    ],
)
def test_preflop_what_cannot_be_is_one_line(
    capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    code, _, error = call(capsys, "odds", "preflop", *args)
    assert code == 2
    assert said in error
    assert error.count("\n") == 1


def test_groups_are_told_with_their_books(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "odds", "K9s", "--show", "groups")
    assert code == 0
    assert "limit        6  Sklansky and Malmuth" in out
    assert call_json(capsys, "odds", "72o", "--show", "groups")["groups"] == {
        "limit": None,
        "revised": None,
    }
    code, out, _ = call(capsys, "odds", "all", "--show", "groups")
    assert out.splitlines()[2].split() == ["A", *"1122355555555"]
    assert call_json(capsys, "odds", "all", "--show", "groups")["limit"]["K9s"] == 6


def test_outs_are_the_table_of_the_source_but_for_two_digits(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Booker (2004), section 3.3, which has 4.4 for one out and 20.3 for five."""
    printed = (
        "4.4 8.4 12.5 16.5 20.3 24.1 27.8 31.5 35.0 38.4 41.7 45.0 48.1 51.2 54.1 57.0 59.8 62.4"
    )
    river = "2.2 4.3 6.5 8.7 10.9 13.0 15.2 17.4 19.6 21.7 23.9 26.1 28.3 30.4 32.6 34.8 37.0"
    found = call_json(capsys, "odds", "--show", "outs-table")["outs"]
    ours = [f"{100 * row['turn_or_river']:.1f}" for row in found]
    differ = [
        (outs, theirs)
        for outs, (theirs, mine) in enumerate(zip(printed.split(), ours, strict=False), 1)
        if theirs != mine
    ]
    assert differ == [(1, "4.4"), (5, "20.3")]
    assert [f"{100 * row['river']:.1f}" for row in found][:17] == river.split()


@pytest.mark.parametrize(
    "args",
    [
        "odds --show groups",
        "odds AK --show outs-table",
        "odds K9s --show groups --show outs-table",
        "odds",
    ],
)
def test_tables_that_are_not_asked_for_rightly(
    capsys: pytest.CaptureFixture[str], args: str
) -> None:
    assert run(args.split()) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_equity_in_a_variant(capsys: pytest.CaptureFixture[str]) -> None:
    spot = ("--board", "3s4s8h", "--variant", "Omaha HiLo")
    answer = call_json(capsys, "equity", "As2sKdQd", "JhJcTh9c", *spot)
    assert (answer["variant"], answer["deals"], answer["exact"]) == ("omaha-hilo", 820, True)
    first = answer["players"][0]
    assert (first["hand"], first["scoop"]) == ("As2sKdQd", 535)
    assert [share["name"] for share in first["shares"]] == ["high", "low"]
    assert first["shares"][1] == {"name": "low", "win": 820, "tie": 0, "equity": 0.5}
    assert run(["equity", "As2sKdQd", "JhJcTh9c", *spot]) == 0
    assert "32.62 %  50.00 %  65.24 %  82.6220 %" in capsys.readouterr().out


def test_two_boards_of_holdem(capsys: pytest.CaptureFixture[str]) -> None:
    boards = ("--board", "Td5hTh2c", "--board", "2h3c4c9d")
    answer = call_json(capsys, "equity", "Ts6s", "Jd5d", *boards)
    assert [share["name"] for share in answer["players"][0]["shares"]] == ["board 1", "board 2"]
    assert answer["deals"] == 40 * 39


def test_a_sampled_variant_repeats_for_a_seed(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("equity", "--variant", "razz", "As2h", "Kd", "--samples", "2000", "--seed", "3")
    first = call_json(capsys, *args)
    assert first == call_json(capsys, *args)
    assert (first["exact"], first["deals"]) == (False, 2000)
    assert run([*args]) == 0
    assert "95 % interval" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--variant", "omaha", "AsKs", "QdQc"], "hand 1 has 2 cards; allowed in omaha: 4"),
        (["--variant", "omahaa", "AsKs", "QdQc"], "did you mean omaha"),
        (["--variant", "badeucey", "AsKs", "QdQc"], "badeucey is not supported"),
        (["--variant", "", "AsKs", "QdQc"], "no variant ''; allowed: holdem"),
        (["--board", "2c3c4c", "--board", "2d3d4d", "QQ+", "AK"], "not a suit: 'QQ+'"),
        (["--variant", "stud", "--board", "2c3c4c", "AsKs", "QdQc"], "stud has no board"),
    ],
)
def test_refused_variants(args: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["equity", *args]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
