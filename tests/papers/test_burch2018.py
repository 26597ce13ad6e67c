"""AIVAT on Leduc hold'em: the published table, and mistakes that bias it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.arena import Match, play
from railbird.assessment.extensive_games import seated
from railbird.assessment.extensive_games_aivat import GameAivat, exact_utility
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT
from railbird_papers import Verdict, Workspace, run
from railbird_papers.burch2018 import holdem as side_by_side
from railbird_papers.burch2018.leduc import table

OTHER_VALUES = {
    "self-play: sd of MIVAT",
    "self-play: sd of MIVAT and imaginary observations",
    "equilibrium v random: sd of MIVAT",
    "equilibrium v random: sd of MIVAT and imaginary observations",
    "equilibrium v random: sd of AIVAT, both known",
}
"""What depends on values that are not published."""


@pytest.mark.slow(but=["anytime-intervals-0.05-differ2"])
@pytest.mark.parametrize(
    ("name", "scale", "differ"),
    [
        ("aivat-leduc", 0.005, OTHER_VALUES),
        ("aivat-mistakes", 0.05, set()),
        ("anytime-intervals", 0.05, set()),
    ],
)
def test_nothing_fails_and_what_differs_says_why(
    name: str, scale: float, differ: set[str], tmp_path: Path
) -> None:
    found = run(name, Workspace(scale=scale, seed=1, folder=tmp_path)).result
    assert [row.name for row in found.rows if row.verdict is Verdict.FAILS] == []
    differing = [row for row in found.rows if row.verdict is Verdict.DIFFERS]
    assert {row.name for row in differing} == differ
    assert all(row.note for row in differing)
    assert len({row.name for row in found.rows}) == len(found.rows)
    assert all(drawing.figure.words for drawing in found.drawings)


@pytest.mark.slow
def test_the_published_table_is_reproduced(tmp_path: Path) -> None:
    rows = run("aivat-leduc", Workspace(scale=0.001, folder=tmp_path)).result.rows
    published = [row for row in rows if row.published is not None]
    assert len(published) == 12
    assert [row.verdict for row in published].count(Verdict.AGREES) == 5
    # 4 % are many standard errors of 100,000 hands.
    (imagined,) = [
        row
        for row in published
        if row.name.endswith("v random: sd of MIVAT and imaginary observations")
    ]
    assert imagined.published is not None
    assert imagined.published.stderr == pytest.approx(0.0108, abs=0.0001)
    assert imagined.rule.startswith("within 3 standard errors")
    # The two whose reading is certain, closer than the rule asks.
    mixed = [row for row in published if row.name.startswith("equilibrium v random: sd of AIVAT")]
    exact = {row.name.split(" of ")[1]: row for row in mixed}
    assert exact["AIVAT, first known"].ours.value == pytest.approx(1.437, rel=0.002)
    assert exact["AIVAT, second known"].ours.value == pytest.approx(2.983, rel=0.002)


def test_every_mistake_in_the_formula_has_a_bias(tmp_path: Path) -> None:
    result = run("aivat-mistakes", Workspace(scale=0.05, folder=tmp_path)).result
    table = result.tables["biases"]
    assert table.height == 8
    assert np.abs(table["bias"].to_numpy()).min() > 0.01
    assert Verdict.FAILS not in [row.verdict for row in result.rows]


@pytest.mark.slow
def test_two_matches_decide_nothing(tmp_path: Path) -> None:
    """Where both happen to be covered, that is not exact, and nothing fails."""
    rows = run("aivat-mistakes", Workspace(scale=0.01, folder=tmp_path)).result.rows
    (missed,) = [row for row in rows if row.name.endswith("missed by its intervals of 95 %")]
    assert (missed.ours.n, missed.verdict) == (2, Verdict.UNDECIDED)
    assert missed.shown_interval != "exact"


def test_one_s_own_probabilities_for_the_opponent_estimate_a_draw_whatever_happens() -> None:
    leduc = table()
    own = seated(leduc.equilibrium, leduc.equilibrium)
    blind = GameAivat(game=leduc.game, value=leduc.seen_by(1), known=own).by_node()
    against = seated(leduc.equilibrium, leduc.random)
    played = leduc.game.leaves[leduc.game.reach(against)[leduc.game.leaves] > 0]
    assert np.abs(blind[played]).max() < 1e-9
    assert exact_utility(leduc.game, against).mean > 0.68


def test_the_purified_player_takes_one_action_everywhere() -> None:
    for pure, mixed in zip(table().purified, table().equilibrium, strict=True):
        assert (pure.max(axis=1) == 1).all()
        assert (pure.sum(axis=1) == 1).all()
        assert (mixed[pure == 1] > 0.3).all()


@pytest.mark.slow
def test_paths_of_two_thousand_matches(tmp_path: Path) -> None:
    result = run("anytime-intervals", Workspace(seed=7, folder=tmp_path)).result
    assert result.hands == 2 * 2000
    assert not any(row.verdict is Verdict.FAILS for row in result.rows)
    ours = {row.name: row.ours.value for row in result.rows}
    for kind in ("often large", "seldom large"):
        for name in ("asymptotic", "certain"):
            assert ours[f"{kind}: matches that the {name} interval ever misses"] <= 0.05
        assert ours[f"{kind}: by a fixed one, looked at after every hand"] >= 0.4


@pytest.mark.slow
def test_estimators_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of players and a log of whom nothing is known."""
    log = tmp_path / "given.log"
    play(Match(players=("tight", "always-call"), rules=HEADS_UP_LIMIT, deals=250, seed=3), log=log)
    monkeypatch.setattr(side_by_side, "MATCHES", [("tight", "loki:basic")])
    result = run("estimators", Workspace(scale=0.0001, folder=tmp_path, data=log)).result
    assert not any(row.verdict is Verdict.FAILS for row in result.rows)
    numbers = result.tables["estimators"]
    ours = numbers.filter(match="tight v loki:basic")
    assert ours["estimator"].to_list() == ["money", "divat", "fitted", "mivat"]
    assert (ours["sd_duplicate"] < ours["sd"].max()).all()
    sd = dict(zip(ours["estimator"], ours["sd"], strict=True))
    assert sd["divat"] < sd["money"]
    given = numbers.filter(match=log.name)
    assert given["estimator"].to_list() == ["money", "divat", "fitted", "mivat"]
    assert given["sd_duplicate"].null_count() == 4
    assert given["hands"].unique().item() == 200, "as many as the scale says"
    (printed,) = result.printed.values()
    assert printed.height == numbers.height


@pytest.mark.slow
def test_a_log_of_another_game_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "given.log"
    play(
        Match(players=("tight", "always-call"), rules=HEADS_UP_NO_LIMIT, deals=20, seed=3), log=log
    )
    monkeypatch.setattr(side_by_side, "MATCHES", [("tight", "always-fold")])
    monkeypatch.setattr(side_by_side, "known_of", lambda specs: {})
    (*_, row) = run("estimators", Workspace(scale=0.0001, folder=tmp_path, data=log)).result.rows
    assert row.name == "hands of given.log that every estimator takes"
    assert row.ours.value == 0
    assert row.note.endswith("given.log: no hand of heads-up limit.")


@pytest.mark.slow
def test_estimators_that_know_one_player_or_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = (("always-call", "always-raise"), ("always-raise", "tight"))
    monkeypatch.setattr(side_by_side, "MATCHES", matches)
    result = run("estimators", Workspace(scale=0.001, folder=tmp_path)).result
    numbers = result.tables["estimators"]
    both = numbers.filter(match="always-call v always-raise", estimator="aivat_both")
    assert both["sd"].item() < 0.001, "nothing is left but rounding"
    one = numbers.filter(match="always-raise v tight")
    sd = dict(zip(one["estimator"], one["sd"], strict=True))
    assert "aivat_both" not in sd
    assert sd["aivat_one"] < sd["divat"]


@pytest.mark.slow
def test_a_million_hands_of_every_estimator(tmp_path: Path) -> None:
    # With seed 0 the spread of the sample itself would be five times too small near equilibrium.
    result = run("aivat-leduc", Workspace(seed=0, folder=tmp_path)).result
    assert result.hands == 3_000_000
    assert not any(row.verdict is Verdict.FAILS for row in result.rows)
    far = result.tables["spreads"]["standard errors"].abs()
    # 54 correlated numbers: one beyond 3 in every seventh sample would be no surprise.
    assert (far > 3).sum() <= 1
    mistakes = run("aivat-mistakes", Workspace(seed=2, folder=tmp_path)).result
    assert (mistakes.tables["biases"]["standard errors"].abs() > 3).all()
