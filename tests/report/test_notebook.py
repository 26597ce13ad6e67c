"""Results in a notebook: tables for Polars and pandas, words and figures from the report."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from pathlib import Path

import altair as alt
import numpy as np
import polars as pl
import pytest

from railbird import blackjack
from railbird._display import HasFigures, HasTable
from railbird.arena import (
    League,
    Match,
    Ring,
    Tournaments,
    hands,
    play,
    play_fingerprint,
    play_league,
    play_paired,
    play_ring,
    play_tournaments,
)
from railbird.arena.exam_decisions import ExamKind, draw_exam
from railbird.arena.examination import examine_on
from railbird.arena.exploitability import Exploitability, LocalResponse, LocalResponses
from railbird.arena.exploitability.by_ranges import parse_menu
from railbird.assessment import (
    MatchAssessment,
    assess,
    assess_other_game,
    assess_play,
    assess_tournaments,
    crosstable,
    field_differences,
    hourly_rates,
    score_hand,
    score_table_hand,
    season_of,
    statistics_by_player,
    statistics_without_board,
)
from railbird.assessment.league import league_of
from railbird.assessment.play_rating import rate_play
from railbird.assessment.player_statistics import LogCards, rows_of
from railbird.assessment.tournament_returns import TournamentReturn
from railbird.blackjack import Rules, basic_strategy, game_value, hand_values, parse_seat, simulate
from railbird.cards import VARIANTS
from railbird.errors import BadInput
from railbird.estimates import BoundedMean, Estimate, bankroll_of
from railbird.game import HEADS_UP_LIMIT, Street
from railbird.histories import settle
from railbird.histories.data_frames import whole_batches
from railbird.odds import (
    PreflopSituation,
    equity,
    flop_outcomes,
    hand_odds,
    hand_rank,
    model_odds,
    outs,
    potential,
    preflop_value,
    range_hits,
    reflective_odds,
    showdown_odds,
    spectrum,
    variant_equity,
)
from railbird.report.number_format import MINUS
from railbird.solve import (
    PushFoldTable,
    kuhn,
    pushfold_ev,
    solve,
    solve_preflop,
    solve_pushfold,
    solve_pushfold_table,
    sweep_stacks,
)
from railbird.solve.spot import BoardResult, Spot, solve_spot
from railbird_papers import Workspace, run

PLAYERS = ("random", "<b>=baseline")
MATCH = Match(players=PLAYERS, rules=HEADS_UP_LIMIT, deals=30, seed=1)


@pytest.fixture(scope="module")
def assessed() -> MatchAssessment:
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


@pytest.mark.slow
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
    assert sweep_stacks([5, 10]).to_polars()["stack_bb"].to_list() == [5, 10]


def test_tables_reach_pandas(assessed: MatchAssessment) -> None:
    for result in (assessed, equity(["AA", "KK"]), crosstable([assessed])):
        ours, theirs = result.to_polars(), result.to_pandas()
        assert list(theirs.columns) == ours.columns
        assert len(theirs) == ours.height
    assert assessed.to_pandas()["text"].str.contains("S").all()


def test_without_pandas_it_is_said_how_to_get_it(
    assessed: MatchAssessment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match=r"install .*\[pandas\]'"):
        assessed.to_pandas()


@pytest.mark.slow
def test_every_figure_of_the_report_is_a_chart(assessed: MatchAssessment) -> None:
    assert "money-and-skill" in assessed.figures
    for name in assessed.figures:
        chart = assessed.figure(name)
        assert isinstance(chart, alt.LayerChart)
        assert "var(--" not in chart.to_json(), "colours that a notebook does not have"
    light, dark = (
        assessed.figure("estimators", theme=theme).to_json() for theme in ("light", "dark")
    )
    assert light != dark


@pytest.mark.slow
def test_a_figure_that_is_none_is_refused_with_those_there_are(assessed: MatchAssessment) -> None:
    with pytest.raises(BadInput, match=r"no figure 'money'; .*money-in-parts"):
        assessed.figure("money")
    with pytest.raises(BadInput, match="no theme 'pink'; allowed: light, dark"):
        assessed.figure("estimators", theme="pink")


@pytest.mark.slow
def test_an_equilibrium_is_drawn() -> None:
    solution = solve_pushfold(10)
    assert solution.figures == ("push", "call")
    assert "Small blind pushes" in solution.figure("push").to_json()
    assert solution.to_polars().columns == ["hand", "push", "call"]


HAND = "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"
SPOT = "board = Ks7d2c9h3d\noop = QQ+, 76s\nip = TT, AQ\npot = 60\nstack = 100\nbets = a"
OF_A_MINUTE = {"PreflopChart"}
"""Has the values of `PreflopValue` for all classes."""
BASES = {"Assessment", "ByPlayer", "HasFigures", "SeriesResult"}


def _all_results(assessed: MatchAssessment, folder: Path) -> Iterator[HasTable | HasFigures]:
    yield from (assessed, crosstable([assessed]), statistics_by_player(hands(MATCH)))
    yield from (play(MATCH), play_ring(Ring(players=PLAYERS, hands=6, seed=1, buy_in=100)))
    yield play_league(League(players=PLAYERS, rules=HEADS_UP_LIMIT, deals=4, seed=1))
    tournaments = Tournaments(players=PLAYERS, count=2, seed=1, stack=100)
    played_tournaments = play_tournaments(tournaments, keep=True)
    yield played_tournaments
    yield assess_tournaments(played_tournaments.batches(), payouts=(Fraction(1),))
    yield play_fingerprint("always-call", deals=2, steps=1)
    yield from (score_hand(HAND), score_hand(HAND, "standard+loose-high"))
    yield score_table_hand(HAND, boards=4, position_deals=4)
    yield variant_equity("short-deck", ["AhAd", "KhKd"], ["Ac7d8s"])
    yield from (equity(["AA", "KK"]), hand_odds("AcKc", "Kd9s2h"), hand_rank("AcKc", "Kd9s2h"))
    yield model_odds("AcKc", "Kd9s2h", ["QQ+"])
    yield showdown_odds("As5s", "Ks9s2d", ["QQ+"])
    yield preflop_value("AKs", PreflopSituation(seats=2, own=0))
    yield from (solve_pushfold(10), sweep_stacks([5, 10]), solve(kuhn(), tolerance=1e-3))
    yield pushfold_ev(np.ones(169), np.ones(169), stack=10)
    yield from (solve_preflop(5), solve_pushfold_table(PushFoldTable(stacks=(5, 5, 5))))
    solution = solve_spot(Spot.parse(SPOT), gap_percent=5)
    yield from (solution, solution.node(), BoardResult.of(solution, 1.0))
    yield from (range_hits("QQ+, AKs", "Kd9s2h"), spectrum("AsTh", "Ts8d2c"))
    yield reflective_odds("AsTh", "Ts8d2c")
    yield flop_outcomes("AKs", PreflopSituation(seats=2), "call")
    yield from _of_players()
    play_of_one = assess_play(hands(MATCH), PLAYERS[0], ask=False)
    yield from (play_of_one, rate_play(play_of_one))
    yield examine_on("always-fold", draw_exam(1, 20, kinds=[ExamKind.HEADS_UP]))
    omaha = replace(HEADS_UP_LIMIT, variant=VARIANTS["omaha"])
    yield assess_other_game(hands(Match(players=("random", "random"), rules=omaha, deals=20)))
    yield from _of_exploited_players()
    rules = Rules()
    yield from simulate(rules, [parse_seat("basic", rules)], 100, penetration=0.0, seed=1)
    yield from _of_blackjack(rules)
    yield from (hand_values((3, 4), 6, rules), game_value(basic_strategy(rules)))
    yield from (basic_strategy(rules), potential("AdQc", "3h4cJh"), outs("As5s", "Ks9s2d"))
    yield bankroll_of(5.0, 80.0, low=2.0, high=8.0, bankroll=2000.0)
    yield BoundedMean.of([0, 1, 1], least=0, most=1, unit="money")
    yield settle({"Ann": Fraction(25, 2), "<b>": Fraction(-25, 2)})
    yield run("unbiased", Workspace(scale=1e-6, folder=folder))


def _of_blackjack(rules: Rules) -> Iterator[HasTable]:
    seats = (parse_seat("never-bust", rules), parse_seat("basic", rules))
    baseline = blackjack.assessment.baseline_of(seats[1].strategy)
    match = blackjack.assessment.play_match(rules, seats, baseline, 50, penetration=0.0, seed=1)
    yield from (match, match.players[0])


def _of_players() -> Iterator[HasTable]:
    rows = rows_of(whole_batches(hands(MATCH)))
    played_at = pl.lit(datetime(2026, 1, 1)) + pl.duration(minutes=pl.col("hand"))
    yield from hourly_rates(rows.with_columns(played_at=played_at)).values()
    yield from field_differences(rows, "random")
    yield season_of(rows, LogCards.of(rows))
    yield statistics_by_player(hands(MATCH)).players["random"]
    yield TournamentReturn(
        entered=3,
        finished=2,
        buy_ins=20.0,
        prizes=30.0,
        roi=Estimate(0.5, 0.2, 2),
        in_money=BoundedMean.of([0, 1], least=0, most=1, unit="share"),
    )
    yield league_of(hands(MATCH)).table
    triple_draw = replace(HEADS_UP_LIMIT, variant=VARIANTS["27-triple"])
    drawn = Match(players=("sensible", "random"), rules=triple_draw, deals=20)
    yield statistics_without_board(hands(drawn))
    yield play_paired(MATCH, ["always-call"])


def _of_exploited_players() -> Iterator[HasTable]:
    """What takes minutes to compute, made of numbers."""
    gain = Estimate(0.5, 0.02, 50)
    yield Exploitability(
        spec="baseline",
        against=None,
        by_seat=(-0.4, 0.8),
        lower=gain,
        upper=Estimate(0.6, 0.02, 50),
    )
    yield LocalResponses(spec="baseline", by_first=(gain,) * 4, by_seat=((0.1, 0.2),) * 4, deals=9)
    yield LocalResponse(
        spec="baseline",
        menu=parse_menu("fcpa"),
        streets=tuple(Street),
        won=gain,
        money=gain,
        by_seat=(0.1, 0.2),
        deals=9,
    )


def _names(*kinds: type) -> set[str]:
    """Name the results; by name, since a data class with slots is made twice."""
    below: list[type] = []
    for kind in kinds:
        below += type.__subclasses__(kind)
    ours = {each.__name__ for each in below if each.__module__.startswith("railbird.")}
    return ours | _names(*below) if below else set()


@pytest.mark.slow
def test_every_result_reaches_polars_pandas_and_arrow(
    assessed: MatchAssessment, tmp_path: Path
) -> None:
    seen: set[str] = set()
    for result in _all_results(assessed, tmp_path):
        seen.add(type(result).__name__)
        table = result.to_polars()
        assert table.height > 0, type(result)
        assert pl.DataFrame(result).equals(table), type(result)  # by the PyCapsule interface
        assert result.to_pandas().shape == table.shape, type(result)
        text = str(result)
        lines = text.splitlines()
        assert len(text) <= 1500, type(result)
        assert 2 <= len(lines) <= 20, text
        assert all(len(line) <= 80 for line in lines), text
    assert _names(HasTable, HasFigures) - OF_A_MINUTE - BASES <= seen


def test_a_printed_table_says_what_it_leaves_out() -> None:
    lines = str(solve_pushfold(10)).splitlines()
    assert lines[0] == "Push/fold"
    words = " ".join(lines[1:3])
    assert "pushes 58.28 % of all hands, the big blind calls with 37.38 %" in words
    assert words.endswith("The small blind loses 0.045371 big blinds a hand.")
    assert lines[3].split() == ["hand", "push", "call"]
    assert lines[4].split() == ["AA", "1.0000", "1.0000"]
    assert lines[-1] == "12 of 169 rows; to_polars() has all"
    assert len(lines) == 17


def test_an_estimate_is_printed_with_its_interval() -> None:
    """The numbers are those of the data frame, and nothing hidden reaches a terminal."""
    result = play(replace(MATCH, players=("random", "\u202ered=baseline")))
    row = result.to_polars().row(0, named=True)
    heads, first, second = str(result).splitlines()
    assert heads.split() == ["player", "spec", "money", "faults"]
    texts = re.findall(rf"[{MINUS}]?\d+\.\d+", first)
    (decimals,) = {len(text.partition(".")[2]) for text in texts}
    wanted = [row[name] for name in ("money", "money_low", "money_high")]
    shown = [float(text.replace(MINUS, "-")) for text in texts]
    assert shown == pytest.approx(wanted, abs=0.5001 * 10.0**-decimals)
    assert max(map(abs, shown)) * 10**decimals >= 10_000, "five digits"
    assert "\u202e" not in second


def test_a_tiny_number_is_printed_with_a_power_of_ten() -> None:
    """Ten zeros after the point are no size that anybody reads."""
    gap = sweep_stacks([5, 10]).to_polars()["exploitability_bb"]
    last = [line.split()[-1] for line in str(sweep_stacks([5, 10])).splitlines()[1:]]
    assert last == [f"{value:.1e}".replace("-", MINUS) for value in gap]


def test_odds_and_strategies_are_printed_as_tables() -> None:
    changes = str(potential("AdQc", "3h4cJh")).splitlines()
    assert [line.split()[0] for line in changes] == ["now", "ahead", "tied", "behind"]
    cards = outs("As5s", "Ks9s2d", "KdQc")
    assert str(cards).splitlines()[0].split() == ["card", "makes", "ahead", "is_out"]
    assert str(cards).splitlines()[-1] == "12 of 45 rows; to_polars() has all"
    assert cards.to_polars()["is_out"].sum() == len(cards.outs) == 12
    chart = basic_strategy(Rules()).to_polars()
    assert chart.filter(pl.col("hand") == "16")["T"].item() == "H"
    assert str(basic_strategy(Rules())).splitlines()[0].split() == ["hand", *blackjack.UPCARDS]


@pytest.mark.slow
def test_own_play_is_printed_in_its_first_words() -> None:
    text = str(assess_play(hands(MATCH), PLAYERS[0], ask=False))
    assert text.startswith("random, 30 hands\n")
    assert "grade" in text
    assert len(text) <= 1500


@pytest.mark.slow
def test_an_experiment_is_drawn(tmp_path: Path) -> None:
    found = run("unbiased", Workspace(scale=1e-6, folder=tmp_path))
    assert isinstance(found.to_polars(), pl.DataFrame)
    assert found.figures
    assert isinstance(found.figure(found.figures[0]), alt.LayerChart)


def test_html_says_what_the_terminal_says_and_escapes_names() -> None:
    page = assess(hands(MATCH), player="<b>")._repr_html_()
    assert "<table" in page
    assert "DIVAT" in page
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert "&lt;b&gt;" in play(MATCH)._repr_html_()
