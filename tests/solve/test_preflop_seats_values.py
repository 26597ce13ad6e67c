"""Values of charts before the flop, against exact values of games that have them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.cards import CLASS_OF_HOLDING, CLASSES, parse_class
from railbird.odds import equity
from railbird.solve.preflop_seats import (
    CHART_DEALS,
    CHART_STACKS,
    SeatsCharts,
    SeatsGame,
    SeatsSolver,
    blueprint_continuation,
    checked_down,
    class_edges,
    seats_charts,
    seats_tree,
)
from railbird.solve.preflop_seats_values import chart_values, share_of_many
from railbird.solve.pushfold import pushfold_ev
from railbird.solve.spot.spot import BetSize

ALL_IN = (BetSize.parse("a"),)
COMBINATIONS = np.bincount(CLASS_OF_HOLDING, minlength=CLASSES)


def solved(game: SeatsGame, deals: int) -> SeatsCharts:
    solver = SeatsSolver(game)
    solver.run(deals)
    table = np.rint(255 * solver.shares()).astype(np.uint8)
    return SeatsCharts(game, seats_tree(game), table, deals)


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))


@pytest.mark.usefixtures("empty_cache")
def test_all_in_or_fold_of_two_is_worth_what_the_exact_values_say() -> None:
    game = SeatsGame(
        seats=2, stack=8, opens=ALL_IN, reraises=ALL_IN, limpers=0, continuation=checked_down()
    )
    charts = solved(game, 50_000)
    values = chart_values(charts)
    answer = charts.tree.after(["all-in"])
    push, call = charts.at(0)[1], charts.at(answer)[1]
    exact = pushfold_ev(push, call, stack=8)
    assert values.actions[0] == pytest.approx(0, abs=1e-6)
    assert values.actions[1] == pytest.approx(exact.push_ev + 0.5, abs=1e-5)
    row = int(charts.tree.slot[answer]) + 1
    assert values.actions[row] == pytest.approx(exact.call_ev + 1, abs=1e-5)
    assert values.visits[answer] == pytest.approx(float(push @ COMBINATIONS) / 1326, abs=1e-3)


@pytest.mark.usefixtures("empty_cache")
def test_the_first_of_three_wins_what_sampled_deals_say() -> None:
    """Cold calls and all-ins included: the approximations cost some hundredths of a big blind."""
    charts = solved(SeatsGame(seats=3, stack=20, continuation=checked_down()), 100_000)
    solver = SeatsSolver(charts.game)
    solver.sums = charts.table.astype(np.float32)
    won, gain = solver.gains(0, learn=400_000, measure=400_000)
    actions = chart_values(charts).actions[: len(charts.tree.actions[0])]
    best = float(actions.max(axis=0) @ COMBINATIONS / 1326)
    # The response that was learned from deals wins no more than the best one.
    assert won.value + gain.value < best + 0.05
    assert best < won.value + gain.value + 0.15


@pytest.mark.slow
def test_three_hands_checked_down_win_about_their_equity() -> None:
    hands = ("AA", "76s"), ("AKs", "QQ"), ("22", "AKo"), ("AJo", "KQs")
    for own, rival in hands:
        reach = np.zeros((2, 169))
        reach[0, parse_class(rival)] = reach[1, parse_class("T9s")] = 1
        share = share_of_many(reach)[parse_class(own)]
        assert share == pytest.approx(
            equity([own, rival, "T9s"]).to_polars()["equity"][0], abs=0.05
        )
    assert class_edges()[parse_class("AA"), parse_class("KK")] == pytest.approx(0.64, abs=0.01)


@pytest.mark.parametrize("stack", CHART_STACKS)
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_charts_ship_for_both_continuations(seats: int, stack: int) -> None:
    """They are those of the game as it is now; ``release/charts.py`` makes them."""
    for continuation in (blueprint_continuation(), checked_down()):
        charts = seats_charts(seats, stack, continuation=continuation)
        assert charts.deals == CHART_DEALS
        assert charts.table.shape == (charts.tree.slots, 169)
        folded = charts.at(0)[charts.tree.actions[0].index("fold")]
        assert folded[parse_class("AA")] == 0
        assert folded[parse_class("72o")] > 0.9 or seats == 2
