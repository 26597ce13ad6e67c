"""Loki's experiments that play nothing, and a little of one that does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.cards import CLASS_NAMES
from railbird.experiments import EXPERIMENTS, Verdict, Workspace, run, write
from railbird.experiments.papp1998.income_rates import (
    SKLANSKY_MALMUTH,
    differences,
    groups,
    shifts,
)
from railbird.experiments.papp1998.published import published_income_rates
from railbird.experiments.papp1998.strength_shortcuts import PAIRS, errors


def test_income_rates_are_the_published_ones_but_for_chance(tmp_path: Path) -> None:
    """Rank correlation above 0.99; the same first two groups, KTs for JTs in the third."""
    found = run("loki-income-rates", Workspace(folder=tmp_path))
    ranks = [row for row in found.result.rows if row.name.startswith("rank correlation")]
    assert [row.verdict for row in ranks] == [Verdict.HOLDS] * 3
    assert all(row.ours.value > 0.999 for row in ranks)
    first, second, third, *_ = groups(published_income_rates(6))
    assert (first, second) == tuple(map(set, SKLANSKY_MALMUTH[:2]))
    assert third ^ set(SKLANSKY_MALMUTH[2]) == {"KTs", "JTs"}
    write([found], tmp_path)
    assert (tmp_path / "loki-income-rates-differences.csv").read_text().count("\n") == 170


def test_most_hands_stand_in_their_group_or_the_next() -> None:
    """Papp 1998, appendix A: where the order differs, big cards gain on connected ones."""
    apart = shifts(published_income_rates(6))
    assert len(apart) == sum(map(len, SKLANSKY_MALMUTH)) == 85
    assert sum(abs(shift) <= 1 for shift in apart.values()) == 70
    assert min(apart, key=lambda hand: -apart[hand]) == "65s"
    assert {hand for hand in apart if apart[hand] < -1} == {"K9s", "K8s", "Q8s", "A9o"}


def test_every_difference_is_listed() -> None:
    table = differences()
    assert table["hand"].to_list() == list(CLASS_NAMES)
    assert table.null_count().to_numpy().sum() == 0


def test_shortcuts_are_worse_the_more_the_opponents_differ() -> None:
    alike = errors(PAIRS["any two"], 3, situations=30, seed=1)
    apart = errors(PAIRS["tight and any two"], 3, situations=30, seed=1)
    assert alike.power == pytest.approx(alike.product)
    assert np.abs(apart.power).mean() > 3 * np.abs(apart.product).mean()


@pytest.mark.parametrize("name", ["loki-tightness", "loki-calibration"])
def test_a_little_of_what_is_played(name: str, tmp_path: Path) -> None:
    result = run(name, Workspace(scale=1e-3, folder=tmp_path)).result
    assert result.hands == 400
    assert result.drawings
    assert Verdict.FAILS not in {row.verdict for row in result.rows}


def test_all_of_them_are_listed() -> None:
    assert sum(name.startswith("loki-") for name in EXPERIMENTS) == 11
