"""Shares of holdings that are bet, called and raised, on made-up and on real hands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.cards import parse_cards, parse_holding
from railbird.experiments import Workspace
from railbird.experiments.peretz2005.shares_worth import Decisions, decisions, share_rows
from railbird.odds.spectra.bettable import board_quantiles


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
