"""The experiments of Peretz (2005), shrunk: their verdicts, and the rule for flops by hand."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from railbird.cards import HOLDING_CARDS, parse_cards, parse_holding
from railbird.odds.spectra import board_quantiles
from railbird_papers import ExperimentRun, Verdict, Workspace, run
from railbird_papers.peretz2005.claims import (
    Decisions,
    decisions,
    entries,
    losses,
    model_rows,
    share_rows,
    share_without_hope,
)
from railbird_papers.peretz2005.games import payoffs, solve_one_chip

NAMES = ("reduced-preflop", "killer-claims")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ExperimentRun]:
    workspace = Workspace(scale=0.01, seed=1, folder=tmp_path_factory.mktemp("logs"))
    return {name: run(name, workspace) for name in NAMES}


def verdicts(found: ExperimentRun) -> dict[str, Verdict]:
    return {row.name: row.verdict for row in found.result.rows}


@pytest.mark.slow(but=["killer-claims"])
@pytest.mark.parametrize("name", NAMES)
def test_rows_and_figures_are_complete(runs: dict[str, ExperimentRun], name: str) -> None:
    rows = runs[name].result.rows
    assert len({row.name for row in rows}) == len(rows)
    assert [row.name for row in rows if row.verdict is Verdict.FAILS] == []
    assert all(drawing.figure.spec()["description"] for drawing in runs[name].result.drawings)


def test_the_percentiles_agree_and_some_calls_are_rounded_twice(
    runs: dict[str, ExperimentRun],
) -> None:
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


def test_the_sources_numbers_get_their_verdicts(runs: dict[str, ExperimentRun]) -> None:
    found = verdicts(runs["killer-claims"])
    differs = {name for name, each in found.items() if each is Verdict.DIFFERS}
    assert differs == {
        "hands of seven cards, millions",
        "hands of five cards, millions",
        "draw to the nut flush, made from the flop on",
        "a quarter cubed (wrong)",
        "4 into 40: what a call needs",
        "22 bets more flops than AKs, heads-up, small blind",
        "22 wins more than half of all boards against AKs",
        "most flops are unbettable by a simple rule, gutshots are draws",
        "most flops are unbettable by a simple rule, overcards are tens or more",
        "most flops are unbettable by a simple rule, overcards are jacks or more",
    }
    assert found["AKs is worth more than 22, heads-up, small blind"] is Verdict.AGREES
    assert found["22 wins more boards than AKs"] is Verdict.AGREES


@pytest.mark.slow
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


def test_fewer_overcards_that_are_strong_leave_more_flops_without_hope() -> None:
    shares = [share_without_hope(strong=rank) for rank in "2TJ"]
    assert [round(100 * share, 1) for share in shares] == [43.1, 45.0, 46.0]


@pytest.mark.slow
def test_the_experiments_write_nothing(tmp_path: Path) -> None:
    workspace = Workspace(scale=0.01, seed=1, folder=tmp_path)
    run("reduced-preflop", workspace)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
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


# Models of looseness from all hands and from the last, on made-up and on real hands.


def test_whoever_changes_is_told_by_his_last_hands() -> None:
    rng = np.random.default_rng(1)
    steady = rng.random(4_000) < 0.25
    changing = rng.random(4_000) < np.repeat([0.1, 0.6, 0.1, 0.6], 1_000)
    assert losses(steady, None).mean() < losses(steady, 50).mean()
    assert losses(changing, None).mean() > losses(changing, 50).mean()


def test_a_loss_is_that_of_the_counts_before() -> None:
    first, second = losses(np.array([True, False]), None)
    assert first == pytest.approx(-np.log(0.2))
    assert second == pytest.approx(-np.log(1 - (1 + 20 * 0.2) / 21))
    halved = losses(np.array([True, False, False]), 1)
    assert halved[1] == pytest.approx(-np.log(1 - (0.5 + 20 * 0.2) / 20.5))


def test_free_big_blinds_do_not_count(tmp_path: Path) -> None:
    log = tmp_path / "hands.log"
    holdings = "AsKs|QhQd|2h3h|4h5h|6h7h|8h9h"
    log.write_text(
        f"STATE:0:ffffcc/cc/cc/cc:{holdings}/2c3c4c/5d/6d:0|0|0|0|0|0:a|b|c|d|e|f\n"
        f"STATE:1:fffff:{holdings}:-50|50|0|0|0|0:b|a|c|d|e|f\n"
    )
    found = {name: each.tolist() for name, each in entries(log).items()}
    assert found == {"a": [True], "b": [False], **{name: [False, False] for name in "cdef"}}


def test_professionals_are_as_loose_as_ever(shared_data: Path) -> None:
    data = shared_data / "pluribus" / "pluribus_10000.state.log.gz"
    rows = model_rows(Workspace(data=data))
    assert [row.verdict for row in rows] == [
        Verdict.DIFFERS,
        Verdict.DIFFERS,
        Verdict.UNDECIDED,
    ]
    assert model_rows(Workspace()) == []


# Shares of holdings that are bet, called and raised, on made-up and on real hands.


def test_whoever_bets_his_best_holdings_shows_his_share() -> None:
    quantile = np.random.default_rng(1).random(10_000)
    honest = Decisions(quantile, quantile < 0.3)
    assert honest.share == pytest.approx(0.3, abs=0.01)
    assert honest.within == pytest.approx(1.0, abs=0.001)
    bluffing = Decisions(quantile, (quantile < 0.15) | (quantile > 0.85))
    assert bluffing.share == pytest.approx(0.3, abs=0.01)
    assert bluffing.within == pytest.approx(0.5, abs=0.02)


def test_decisions_are_those_after_the_flop(tmp_path: Path) -> None:
    """One checks, one bets; the first raises and the second folds."""
    log = tmp_path / "hands.log"
    log.write_text(
        "STATE:0:ffffcc/cr300r900f:AsKs|QhQd|2h3h|4h5h|6h7h|8h9h/2c3c4c:300|-300|0|0|0|0:a|b|c|d|e|f\n"
    )
    found = decisions(log)
    order = board_quantiles(parse_cards("2c3c4c"))
    small, big = (float(order[parse_holding(text)]) for text in ("AsKs", "QhQd"))
    assert {key: each.taken.tolist() for key, each in found.items()} == {
        (1, "bet"): [False, True],
        (1, "call"): [True, False],
        (1, "raise"): [True, False],
    }
    assert found[1, "bet"].quantile.tolist() == [small, big]
    assert share_rows(Workspace()) == []


@pytest.mark.slow
def test_professionals_call_as_many_as_the_filter_keeps(shared_data: Path) -> None:
    data = shared_data / "pluribus" / "pluribus_10000.state.log.gz"
    found = decisions(data)
    calls = [found[street, "call"] for street in (1, 2, 3)]
    assert [each.share for each in calls] == pytest.approx([0.42, 0.35, 0.30], abs=0.02)
    bets = [found[street, "bet"] for street in (1, 2, 3)]
    assert all(bet.within < call.within for bet, call in zip(bets, calls, strict=True))
    assert len(share_rows(Workspace(data=data))) == 9
