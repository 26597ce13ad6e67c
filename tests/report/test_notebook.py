"""Results in a notebook: tables for Polars and pandas, words and figures from the report."""

from __future__ import annotations

import sys
from pathlib import Path

import altair as alt
import polars as pl
import pytest

from railbird.arena import (
    League,
    Match,
    Ring,
    Tournaments,
    hands,
    play,
    play_league,
    play_ring,
    play_tournaments,
)
from railbird.assessment import Assessment, assess, crosstable, score_hand
from railbird.errors import BadInput, RailbirdError
from railbird.experiments import Workspace, run
from railbird.game import HEADS_UP_LIMIT
from railbird.odds import equity, hand_odds, hand_rank, model_odds
from railbird.solve import solve_pushfold, sweep

PLAYERS = ("random", "<b>=baseline")
MATCH = Match(players=PLAYERS, rules=HEADS_UP_LIMIT, deals=30, seed=1)


@pytest.fixture(scope="module")
def assessed() -> Assessment:
    return assess(hands(MATCH))


def test_what_players_won_is_a_row_for_each() -> None:
    for result in (
        play(MATCH),
        play_league(League(players=PLAYERS, rules=HEADS_UP_LIMIT, deals=4, seed=1)),
        play_ring(Ring(players=PLAYERS, hands=6, seed=1, buy_in=100)),
    ):
        table = result.to_polars()
        assert table["player"].to_list() == ["random", "<b>"]
        assert table["money"].sum() == pytest.approx(0, abs=1e-6)
        assert {"money_stderr", "money_low", "money_high", "money_n", "faults"} <= {*table.columns}
    won = play_tournaments(Tournaments(players=PLAYERS, count=2, seed=1, stack=100)).to_polars()
    assert won["wins"].sum() == 2


def test_answers_have_tables() -> None:
    exact = equity(["AA", "KK"])
    assert exact.to_polars()["equity"].to_list() == [each.equity for each in exact.players]
    odds = hand_odds("AcKc", "Kd9s2h")
    assert odds.to_polars().to_dicts()[0]["raw_odds"] == odds.raw_odds
    assert hand_rank("AcKc", "Kd9s2h").to_polars().height == 1
    assert model_odds("AcKc", "Kd9s2h", ["QQ+"]).to_polars().height == 1
    scored = score_hand("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC").to_polars()
    assert scored["round"].to_list() == ["preflop", "flop", "turn", "river"]
    assert {"ihr_1", "ihr_2", "roe_difference"} <= {*scored.columns}
    assert sweep([5, 10]).to_polars()["stack_bb"].to_list() == [5, 10]


def test_tables_reach_pandas(assessed: Assessment) -> None:
    for result in (assessed, equity(["AA", "KK"]), crosstable([assessed])):
        ours, theirs = result.to_polars(), result.to_pandas()
        assert list(theirs.columns) == ours.columns
        assert len(theirs) == ours.height
    assert assessed.to_pandas()["text"].str.contains("S").all()


def test_without_pandas_it_is_said_how_to_get_it(
    assessed: Assessment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(RailbirdError, match=r"pip install 'railbird\[pandas\]'"):
        assessed.to_pandas()


def test_every_figure_of_the_report_is_a_chart(assessed: Assessment) -> None:
    assert "money-and-skill" in assessed.figures
    for name in assessed.figures:
        chart = assessed.figure(name)
        assert isinstance(chart, alt.LayerChart)
        assert "var(--" not in chart.to_json(), "colours that a notebook does not have"
    light, dark = (
        assessed.figure("estimators", theme=theme).to_json() for theme in ("light", "dark")
    )
    assert light != dark


def test_a_figure_that_is_none_is_refused_with_those_there_are(assessed: Assessment) -> None:
    with pytest.raises(BadInput, match=r"no figure 'money'; .*money-in-parts"):
        assessed.figure("money")
    with pytest.raises(BadInput, match="no theme 'pink'; allowed: light, dark"):
        assessed.figure("estimators", theme="pink")


def test_an_equilibrium_is_drawn() -> None:
    solution = solve_pushfold(10)
    assert solution.figures == ("push", "call")
    assert "Small blind pushes" in solution.figure("push").to_json()
    assert solution.to_polars().columns == ["hand", "push", "call"]


def test_an_experiment_is_drawn(tmp_path: Path) -> None:
    found = run("unbiased", Workspace(scale=1e-6, folder=tmp_path))
    assert isinstance(found.to_polars(), pl.DataFrame)
    assert found.figures
    assert isinstance(found.figure(found.figures[0]), alt.LayerChart)


def test_html_says_what_the_terminal_says_and_escapes_names() -> None:
    page = assess(hands(MATCH), player="<b>")._repr_html_()
    assert "<table>" in page
    assert "DIVAT" in page
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert "&lt;b&gt;" in play(MATCH)._repr_html_()
