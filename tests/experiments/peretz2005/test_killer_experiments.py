"""The experiments of Peretz (2005), shrunk: their verdicts, and the rule for flops by hand."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from railbird.cards import HOLDING_CARDS
from railbird.experiments import Run, Verdict, Workspace, run
from railbird.experiments.peretz2005.one_chip_deals import payoffs, solve_one_chip
from railbird.experiments.peretz2005.unbettable import share_without_hope

NAMES = ("reduced-preflop", "killer-claims")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    workspace = Workspace(scale=0.01, seed=1, folder=tmp_path_factory.mktemp("logs"))
    return {name: run(name, workspace) for name in NAMES}


def verdicts(found: Run) -> dict[str, Verdict]:
    return {row.name: row.verdict for row in found.result.rows}


@pytest.mark.parametrize("name", NAMES)
def test_rows_and_figures_are_complete(runs: dict[str, Run], name: str) -> None:
    rows = runs[name].result.rows
    assert len({row.name for row in rows}) == len(rows)
    assert [row.name for row in rows if row.verdict is Verdict.FAILS] == []
    assert all(drawing.figure.spec()["description"] for drawing in runs[name].result.drawings)


def test_the_percentiles_agree_and_some_calls_are_rounded_twice(runs: dict[str, Run]) -> None:
    found = verdicts(runs["reduced-preflop"])
    firsts = {name: each for name, each in found.items() if "ahead" in name and "bet" not in name}
    compared = {each for name, each in firsts.items() if "blinds" in name}
    assert compared == {Verdict.AGREES}
    assert found["with blinds, the small blind"] is Verdict.AGREES
    calls = {name: each for name, each in found.items() if name.startswith("call")}
    assert sorted(each.value for each in calls.values()) == [
        "agrees",
        "differs",
        "differs",
        "differs",
    ]
    assert {f"equilibrium of {n} seats, 1 ahead" for n in (2, 3, 4)} <= found.keys()


def test_the_sources_numbers_get_their_verdicts(runs: dict[str, Run]) -> None:
    found = verdicts(runs["killer-claims"])
    differs = {name for name, each in found.items() if each is Verdict.DIFFERS}
    assert differs == {
        "hands of seven cards, millions",
        "hands of five cards, millions",
        "nut flush draw on the flop, made by the river",
        "a quarter cubed (wrong)",
        "4 into 40: what a call needs",
        "22 bets more flops than AKs, heads-up, small blind",
        "22 wins more than half of all boards against AKs",
        "most flops are unbettable by a simple rule, gutshots are draws",
    }
    assert found["AKs is worth more than 22, heads-up, small blind"] is Verdict.AGREES
    assert found["22 wins more boards than AKs"] is Verdict.AGREES


def test_flops_without_hope_are_counted_as_one_by_one() -> None:
    """A sample of flops, each by its definition, lies around the exact share."""

    def hopeless(hole: list[int], flop: list[int]) -> bool:
        ranks, suits = [card // 4 for card in hole + flop], [card % 4 for card in hole + flop]
        if ranks[0] == ranks[1] or {*ranks[:2]} & {*ranks[2:]}:
            return False
        if any(suits.count(suit) >= 4 and suit in suits[:2] for suit in range(4)):
            return False
        for four in combinations(range(5), 4):
            values = [ranks[i] for i in four]
            lows = [-1 if value == 12 else value for value in values]
            for run_of in (values, lows):
                if len({*run_of}) == 4 and max(run_of) - min(run_of) <= 4 and {*four} & {0, 1}:
                    return False
        return min(ranks[:2]) <= max(ranks[2:])

    rng = np.random.default_rng(3)
    seen = []
    for _ in range(4_000):
        hole = HOLDING_CARDS[rng.integers(1326)].tolist()
        left = [card for card in range(52) if card not in hole]
        seen.append(hopeless(hole, rng.choice(left, 3, replace=False).tolist()))
    stderr = float(np.std(seen) / np.sqrt(len(seen)))
    assert share_without_hope() == pytest.approx(float(np.mean(seen)), abs=4 * stderr)


def test_the_experiments_write_nothing(tmp_path: Path) -> None:
    workspace = Workspace(scale=0.01, seed=1, folder=tmp_path)
    run("reduced-preflop", workspace)
    assert list(tmp_path.iterdir()) == []


def test_the_button_bets_what_wins_a_third_against_both_blinds() -> None:
    """Both come in with anything, so 43.4 % of the hands bet: counted over all boards."""
    found = solve_one_chip(3, 100_000, np.random.default_rng(1))
    button = found.share(0)
    assert 0 < button.stderr < 2
    assert button.value == pytest.approx(43.4, abs=4)
    for inside in (0, 1):
        assert found.share(1, inside).value == pytest.approx(100, abs=1)
    assert max(found.gains) < 1e-3


def test_payoffs_of_one_chip_add_up_and_split_the_pot() -> None:
    """Seats in the order of acting, the small blind last but one."""
    ranks = np.array([[3, 9, 5], [5, 9, 5], [5, 9, 7]], dtype=np.int32)
    nobody, first, small_blind, everybody = (payoffs(ranks, inside) for inside in range(4))
    assert nobody.T.tolist() == [[0, -0.5, 0.5]] * 3
    assert first.T.tolist() == [[-1, -0.5, 1.5], [0.25, -0.5, 0.25], [-1, -0.5, 1.5]]
    assert small_blind.T.tolist() == [[0, 0, 0], [0, 0, 0], [0, -1, 1]]
    assert everybody.T.tolist() == [[-1, 0.5, 0.5], [0, 0, 0], [-1, -1, 2]]
