"""Experiments with players of limit hold'em, much shrunk and with quick players."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from helpers.few_hands import FewHands
from railbird.arena.exploitability import Exploitability
from railbird.assessment import MatchAssessment
from railbird.estimates import Estimate
from railbird_papers import ExperimentResult, Verdict, Workspace, run
from railbird_papers.framework.workspace import PlayedMatch
from railbird_papers.kan2007.robustness import SWEEPS
from railbird_papers.limit_players import equilibria as by_training
from railbird_papers.limit_players import equilibria as equilibrium_self_play
from railbird_papers.limit_players import equilibria as solving_while_playing
from railbird_papers.limit_players import equilibria as two_equilibria
from railbird_papers.limit_players import matches as change_of_style
from railbird_papers.limit_players import matches as round_robin
from railbird_papers.limit_players import matches as short_matches
from railbird_papers.limit_players import matches as trickiness
from railbird_papers.limit_players import rules as illegal_raises
from railbird_papers.limit_players.matches import judged


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(scale=0.01, seed=1, folder=tmp_path)


def rows_of(result: ExperimentResult) -> dict[str, Verdict]:
    return {row.name: row.verdict for row in result.rows}


@pytest.mark.slow
def test_a_player_against_itself(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that does not look at its cards has other spreads, but its result is 0 too."""
    kept: list[MatchAssessment] = []

    def once(space: Workspace, played: PlayedMatch, known: dict[str, str]) -> MatchAssessment:
        if not kept:
            kept.append(judged(space, played, known))
        return kept[0]

    monkeypatch.setattr(equilibrium_self_play, "PLAYER", "random:call=3,raise=1,fold=1")
    monkeypatch.setattr(equilibrium_self_play, "judged", once)
    found = run("equilibrium-self-play", workspace).result
    verdicts = rows_of(found)
    assert verdicts["AIVAT, pairs averaged"] is Verdict.HOLDS
    assert verdicts["money less AIVAT, paired"] is Verdict.HOLDS
    assert verdicts["variance of DIVAT over that of AIVAT"] is Verdict.HOLDS
    assert "money sd, 4.4 to 5.6 expected" in verdicts
    assert len(found.drawings) == 2
    assert all("dashed: one standard deviation" in each.subtitle for each in found.drawings)
    (ratio,) = (row.ours for row in found.rows if row.name.startswith("variance of DIVAT"))
    monkeypatch.setattr(equilibrium_self_play, "LEAST_REDUCTION", ratio.value)
    close = rows_of(run("equilibrium-self-play", workspace).result)
    assert close["variance of DIVAT over that of AIVAT"] is Verdict.UNDECIDED


@pytest.mark.slow
def test_everybody_against_everybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = FewHands(scale=0.01, seed=1, folder=tmp_path)
    players = ("baseline", "always-call", "always-raise", "tight")
    monkeypatch.setattr(round_robin, "PLAYERS", players)
    found = run("limit-round-robin", workspace).result
    assert Verdict.FAILS not in rows_of(found).values()
    table = found.tables["crosstable"]
    assert table.height == 12
    assert table.filter(player="baseline", opponent="always-call")["aivat"].item() > 0
    both = table.filter(player="tight")
    assert both["aivat"].null_count() == 0, "one known player is enough"


def test_charts_of_a_round_robin_have_aivat_where_a_strategy_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(round_robin, "PLAYERS", ("a", "b", "c"))
    won = Estimate(0.5, 0.1, 100)
    all_three = {"money": won, "duplicate": won, "divat": won, "aivat": won}
    neither = dict.fromkeys(("money", "duplicate", "divat"), won)
    meetings = {("a", "b"): all_three, ("a", "c"): all_three, ("b", "c"): neither}
    drawings = round_robin._round_robin_drawings(meetings, "made up")
    figures = [drawing.figure for drawing in drawings]
    assert [figure.name for figure in figures] == ["duplicate", "divat", "aivat"]
    assert [str(figure.draw().to_dict()).count("'shown':") for figure in figures] == [6, 6, 4]


def test_a_round_robin_is_ranked_by_the_surest_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """By duplicate money the order is the reverse; where two are as sure, the later one counts."""
    monkeypatch.setattr(round_robin, "PLAYERS", ("a", "b", "c"))
    lucky, little, sure = Estimate(0.5, 0.4, 100), Estimate(0.1, 0.2, 100), Estimate(-0.2, 0.1, 100)
    known = {"money": lucky, "duplicate": little, "divat": little, "aivat": sure}
    unknown = {"money": lucky, "duplicate": little, "divat": sure}
    even = {"money": lucky, "duplicate": sure, "divat": -sure}
    meetings = {("a", "b"): known, ("a", "c"): unknown, ("b", "c"): even}
    rows = {row.name: row for row in round_robin._ranking_rows(meetings)}
    assert [name for name in rows if name[0].isdigit()] == [
        "1. b, winnings a hand",
        "2. c, winnings a hand",
        "3. a, winnings a hand",
    ]
    assert rows["1. b, winnings a hand"].ours.value == pytest.approx(0.2)
    assert rows["3. a, winnings a hand"].ours.value == pytest.approx(-0.2)
    assert rows["places that differ by duplicate money"].ours.value == 2
    table = round_robin._crosstable(meetings)
    assert table["surest"].to_list() == ["aivat"] * 2 + ["divat"] * 4
    matrix = round_robin._matrix(meetings)
    assert matrix.rows() == [
        ("b", "", "0.20 ± 0.20 D", "0.20 ± 0.20"),
        ("c", "−0.20 ± 0.20 D", "", "0.20 ± 0.20 D"),
        ("a", "−0.20 ± 0.20", "−0.20 ± 0.20 D", ""),
    ]
    assert matrix.columns == ["", "b", "c", "a"]
    assert round_robin._by_estimator(meetings).row(1) == (
        *("a from c", "0.50 ± 0.78", "0.10 ± 0.39", "−0.20 ± 0.20", ""),
    )


@pytest.mark.slow
def test_freeze_outs_at_fixed_stakes(workspace: Workspace) -> None:
    found = run("freeze-out", workspace).result
    assert Verdict.FAILS not in rows_of(found).values()
    by_name = {row.name: row.ours.value for row in found.rows}
    assert by_name["chips that changed hands in the last 10% of the hands"] > 0.1
    assert 0 < by_name["hands at fixed stakes that a hand at rising ones is worth"] < 1


@pytest.mark.slow
def test_a_raiser_who_folds_at_the_cap(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(illegal_raises, "LEARNER", "baseline")
    found = run("illegal-raises", workspace).result
    verdicts = rows_of(found)
    assert verdicts["illegal raises, of a raiser who folds"] is Verdict.HOLDS
    by_name = {row.name: row.ours.value for row in found.rows}
    assert by_name["what folding costs the raiser"] > 0


@pytest.mark.slow
def test_exploitability_by_training(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strategies that do not look at their cards, with whole best responses left out."""
    calls: list[str] = []

    def bounds(spec: str, *, flops: int, **_: object) -> Exploitability:
        calls.append(spec)
        low, high = Estimate(0.3, 0.02, flops), Estimate(0.32, 0.02, flops)
        return Exploitability(spec=spec, against=None, by_seat=(0.3, 0.3), lower=low, upper=high)

    monkeypatch.setattr(by_training, "exploitability", bounds)
    monkeypatch.setattr(by_training, "strategy_path", lambda size: tmp_path / f"limit-{size}.x")
    monkeypatch.setattr(by_training, "SOLVED", "blind")
    monkeypatch.setattr(by_training, "_COLOURS", {"blind": "skill"})
    monkeypatch.setattr(by_training, "GAPS", (300.0, 30.0))
    found = run("exploitability-by-time", workspace).result
    rows = {row.name: row.ours.value for row in found.rows}
    kept = sorted(path.name for path in tmp_path.glob("*.strategy"))
    assert kept == ["limit-blind-gap-30.strategy", "limit-blind-gap-300.strategy"]
    assert len(calls) == 2
    (last,) = [row.name for row in found.rows if row.name.endswith("than before")]
    final = last.removesuffix(": more by the river than before")
    assert rows[f"{final}: at least"] == pytest.approx(300)
    assert rows[f"{final}: by the river alone"] > 0
    monkeypatch.setattr(by_training, "new_solver", None)  # nothing is solved again
    again = run("exploitability-by-time", workspace).result
    assert [row.ours.value for row in again.rows] == list(rows.values())


@pytest.mark.slow
def test_a_filter_on_and_off(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the filter gains is how much more is won with it, on the same deals."""
    monkeypatch.setattr(trickiness, "EXPERT", "always-call")
    monkeypatch.setattr(trickiness, "OPPONENTS", ("baseline",))
    found = run("trickiness", workspace).result
    by_name = {row.name: row.ours for row in found.rows}
    gain = by_name["what the filter gains from baseline, DIVAT"].value
    with_it = by_name["with it, from baseline"]
    without = by_name["without the filter, from baseline"]
    assert gain == pytest.approx(with_it.value - without.value)
    assert gain != 0
    assert by_name["money sd, pairs averaged, without the filter, from baseline"].value > 0
    *sources, drawing = found.drawings
    assert "100 pairs" in drawing.figure.words
    assert [each.figure.name for each in sources] == [f"figure-5.{n}" for n in (16, 17, 18, 19)]
    gained = sum(
        by_name[f"what the filter gains from baseline, DIVAT on {where}"].value
        for where in ("the flop", "the turn and the river")
    )
    assert gained == pytest.approx(gain), "nothing differs before the flop"


@pytest.mark.slow
def test_two_equilibria_are_judged_by_all_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(two_equilibria, "SIZE", "blind")
    monkeypatch.setattr(two_equilibria, "SWEEPS", SWEEPS[:1])
    found = run("two-equilibria", Workspace(scale=0.002, seed=1, folder=tmp_path)).result
    assert Verdict.FAILS not in rows_of(found).values()
    assert len(found.rows) == 4
    assert len(found.drawings) == 2
    farthest = found.rows[1].ours
    assert farthest.value != 0, "the settings do make a difference to single hands"


@pytest.mark.slow
def test_a_changed_style_bends_the_line(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_of_style, "EQUILIBRIUM", "always-raise")
    monkeypatch.setattr(change_of_style, "BEFORE", "always-fold")
    found = run("change-of-style", workspace).result
    ours = {row.name: row.ours for row in found.rows}
    assert ours["AIVAT, after the change less before"].low > 0, "it raises, rather than folds"
    assert ours["AIVAT, bend"].value > 1.36
    assert ours["AIVAT, bend"].value > ours["money, bend"].value
    assert ours["AIVAT, hands before the bend (true: 106)"].value == pytest.approx(106, abs=25)
    assert [each.figure.name for each in found.drawings] == ["figures-5.4-and-5.5", "figure-5.6"]


@pytest.mark.slow
def test_short_matches_are_repeated_and_the_first_is_drawn(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [
        replace(short, players=players, hands=50)
        for short, players in zip(
            short_matches.MATCHES,
            (("tight", "loki:basic"), ("always-raise", "tight"), ("booker:1", "tight")),
            strict=True,
        )
    ]
    monkeypatch.setattr(short_matches, "MATCHES", matches)
    found = run("short-matches", workspace).result
    assert found.hands == 3 * 2 * 50
    ours = {row.name: row.ours for row in found.rows}
    assert ours["money, tight v loki:basic"].n == 100
    assert (
        ours["AIVAT sd, always-raise v tight"].value < ours["DIVAT sd, always-raise v tight"].value
    )
    assert ours["ahead after one match by AIVAT, always-raise v tight"].n == 2
    assert "AIVAT, tight v loki:basic" not in ours, "neither is known"
    assert all("50 hands" in drawing.figure.words for drawing in found.drawings)


@pytest.mark.slow
def test_an_equilibrium_against_one_that_solves(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two who do not: its rows and figures."""
    monkeypatch.setattr(solving_while_playing, "STRATEGY", "always-raise")
    monkeypatch.setattr(solving_while_playing, "SOLVING", "random")
    found = run("solving-while-playing", workspace).result
    ours = {row.name: row.ours.value for row in found.rows}
    assert ours["AIVAT sd, pairs averaged"] < ours["money sd, pairs averaged"]
    by_street = sum(ours[f"DIVAT, {street}"] for street in ("preflop", "flop", "turn", "river"))
    assert by_street == pytest.approx(ours["DIVAT"])
    assert [each.figure.name for each in found.drawings] == ["figure-5.20", "figure-5.21"]
