"""Loki's experiments that play nothing, and a little of one that does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, HOLDINGS, Holding
from railbird.experiments import EXPERIMENTS, Verdict, Workspace, run, write
from railbird.experiments.papp1998.income_rates import (
    SKLANSKY_MALMUTH,
    differences,
    groups,
    shifts,
)
from railbird.experiments.papp1998.matchups import LEARNED_RULES, MANIACS
from railbird.experiments.papp1998.preflop_thresholds import Observed, crossings, table_text
from railbird.experiments.papp1998.published import published_income_rates
from railbird.experiments.papp1998.strength_shortcuts import PAIRS, errors, real_errors
from railbird.experiments.papp1998.ten_seats import match_of
from railbird.game import Street
from railbird.modelling import income_rates
from railbird.players.loki.rules.measured_preflop import MEASURED_STRATEGIES, Cell
from railbird.players.loki.rules.preflop import Group


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


def test_shortcuts_with_three_opponents_are_those_of_a_match(tmp_path: Path) -> None:
    """Each of four hands is a situation; beliefs that differ make the power worse."""
    workspace = Workspace(folder=tmp_path, seed=1)
    found = real_errors(workspace, situations=20)
    assert list(found) == [Street.FLOP, Street.TURN, Street.RIVER]
    for street in found.values():
        assert len(street.exact) >= 4
        assert len(street.exact) % 4 == 0
        assert ((street.exact >= 0) & (street.exact <= 1)).all()
        assert np.abs(street.power).mean() > np.abs(street.product).mean()


@pytest.mark.parametrize("name", ["loki-heads-up", "loki-preflop", "loki-seats"])
def test_a_little_of_those_of_other_numbers_of_seats(name: str, tmp_path: Path) -> None:
    found = run(name, Workspace(scale=1e-4, folder=tmp_path)).result
    assert found.drawings
    if name == "loki-heads-up":
        assert len(found.rows) == 14
        assert found.hands == 14 * 80
    if name == "loki-seats":
        assert [row.name for row in found.rows][::8] == [
            "SOM less BPL, 2 seats",
            "SOM less BPL, 10 seats",
        ]
        assert found.hands == 40 * sum(range(2, 11))


def test_thresholds_are_found_where_a_bolder_strategy_begins_to_gain() -> None:
    """Gains of lines that cross zero at known rates, with noise."""
    rng = np.random.default_rng(1)
    cell = Cell(Group.TWO, "small-blind", "unraised")
    rates = income_rates(1)[CLASS_OF_HOLDING]
    seen = []
    for holding in rng.integers(0, HOLDINGS, 4000).tolist():
        leads = [(rates[holding] - least) / 100 + rng.normal() for least in (-200, 0, 200)]
        gains = tuple(np.cumsum([0.0, *leads]).tolist())
        seen.append(Observed(cell, 0, Holding(holding), gains))
    found = crossings(seen)[cell]
    for strategy, least in zip(MEASURED_STRATEGIES, (-200, 0, 200), strict=True):
        one = found[strategy]
        assert one.middle == pytest.approx(least, abs=4 * one.stderr)
        assert 0 < one.stderr < 10
        assert one.increment == 0
    assert table_text({cell: found}).startswith("# Where each strategy")


def test_strategies_whose_gains_do_not_decide_have_no_threshold() -> None:
    rng = np.random.default_rng(1)
    cell = Cell(Group.TWO, "small-blind", "unraised")
    seen = [
        Observed(cell, 0, Holding(holding), tuple(rng.normal(size=4).tolist()))
        for holding in rng.integers(0, HOLDINGS, 150).tolist()
    ]
    assert crossings(seen)[cell] == {}
    assert "[" not in table_text(crossings(seen)).partition("anew.\n")[2]


@pytest.mark.parametrize("name", ["loki-tightness", "loki-calibration"])
def test_a_little_of_what_is_played(name: str, tmp_path: Path) -> None:
    result = run(name, Workspace(scale=1e-3, folder=tmp_path)).result
    assert result.hands == 400
    assert result.drawings
    assert Verdict.FAILS not in {row.verdict for row in result.rows}


def test_all_of_them_are_listed() -> None:
    assert sum(name.startswith("loki-") for name in EXPERIMENTS) == 16


def test_rules_by_learned_probabilities_are_left_out_one_at_a_time_in_every_field() -> None:
    assert len({comparison.name for comparison in LEARNED_RULES}) == 8
    for comparison in LEARNED_RULES:
        match = match_of(comparison.versions, 20, seed=0)
        given, without = (version.spec for version in comparison.versions[:2])
        assert without in (f"{given},semi-bluff=off", f"{given},pot-odds=off")
        assert match.players.count(given) == match.players.count(without) >= 3


def test_tables_with_maniacs_have_ten_players_whose_leads_are_of_those_seated() -> None:
    for comparison in MANIACS:
        assert len(match_of(comparison.versions, 20, seed=0).players) == 10
        labels = {version.label for version in comparison.versions}
        assert {each for lead in comparison.leads for each in (lead.label, lead.other)} <= labels
