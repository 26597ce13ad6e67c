"""`railbird table169`: exact equities of classes, looked up, sorted, drawn."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from helpers.command_line import call
from railbird.cards import CLASS_NAMES, Range
from railbird.odds import equities_against, equity


def test_a_pair_is_looked_up(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "table169", "22", "AKs", "--json")
    assert code == 0
    found = json.loads(out)
    exact = equity(["22", "AKs"])
    assert found["table"]["22"]["AKs"] == pytest.approx(exact.players[0].equity, abs=1e-12)
    assert found["win"] + found["tie"] + found["lose"] == 6 * 4 * 1_712_304
    code, out, _ = call(capsys, "table169", "22", "AKs")
    assert "AKs" in out


def test_the_order_is_that_of_the_percent_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "table169", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["order"][:6] == ["AA", "KK", "QQ", "JJ", "TT", "99"]
    assert found["order"][-1] == "32o"
    assert found["table"]["AKs"]["QQ"] == pytest.approx(0.4605, abs=5e-4)


def test_hands_are_sorted_anew_against_a_range(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "table169", "--against", "top 10%", "--json")
    assert code == 0
    found = json.loads(out)
    place = found["order"].index
    assert place("76s") < place("A2o")  # which is better against any hand
    against = Range.parse("top 10%")
    for name in ("76s", "KQo", "AA"):
        exact = equity([name, against]).players[0].equity
        assert found["equity"][name] == pytest.approx(exact, abs=1e-12)
    code, out, _ = call(capsys, "table169", "--against", "top 10%")
    assert "best against top 10%" in out


def test_a_class_that_leaves_nothing_of_a_range_has_no_equity() -> None:
    against = equities_against("AsAd")
    assert np.isfinite(against).sum() == len(CLASS_NAMES)  # the other aces are possible
    assert np.isnan(equities_against(Range.parse("AsAd, AhAc, AsAh, AsAc, AdAh, AdAc"))).sum() == 0
    assert np.isnan(equities_against(np.zeros(1326))).all()


def test_the_table_is_a_csv_and_a_row_a_picture(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table, image = tmp_path / "table.csv", tmp_path / "row.png"
    code, _, _ = call(capsys, "table169", "AKs", "--out", str(table), "--image", str(image))
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
        (["--image", "x.png"], "name it"),
        (["AKs", "--against", "QQ"], "allowed: it, or a hand"),
        (["--against", "xx"], "xx"),
        (["--out", "x.txt"], ".csv"),
    ],
)
def test_what_cannot_be_is_refused(
    capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    code, _, error = call(capsys, "table169", *args)
    assert code == 2
    assert said in error
