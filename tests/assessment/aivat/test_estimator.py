"""AIVAT in an assessment: what it says of players whose play is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from railbird._provenance import Provenance
from railbird.arena import Match, MatchResult, hands, play
from railbird.assessment import MatchAssessment, assess, crosstable
from railbird.assessment.aivat.estimator import ActionCheck, Aivat, _values_of, strategy_of
from railbird.assessment.aivat.scorer import BUCKETS, Exact, on_states
from railbird.assessment.frozen_coefficients import fingerprints_of, pack_fingerprints
from railbird.assessment.own_play import assess_play
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT
from railbird.game.rules import parse_rake
from railbird.histories import hands_from
from railbird.histories.columns import HandBatch
from railbird.report import text
from railbird.report.document import KeyFigure
from railbird.report.match_summary import summarise_match
from railbird.report.number_format import with_interval
from railbird.report.play_data import result_without_luck
from railbird.report.play_document import play_document
from railbird.solve.limit.solving import holdem_game
from railbird.solve.limit.strategy import uniform_strategy, write_strategy

CALL, RAISE = "always-call", "always-raise"


@pytest.fixture(scope="module")
def match() -> MatchResult:
    return play(Match(players=(CALL, RAISE), rules=HEADS_UP_LIMIT, deals=80, seed=3), keep=True)


def assessed(match: MatchResult, *known: str, exact: Exact = Exact.RIVER) -> MatchAssessment:
    aivat = Aivat(known={name: name for name in known}, exact=exact)
    return assess(match, player=CALL, more=[aivat])


@pytest.mark.slow
def test_nothing_is_left_of_two_who_do_not_look_at_their_cards(match: MatchResult) -> None:
    """Whatever the board, their hands are worth the same on average: the seat is all there is."""
    found = assessed(match, CALL, RAISE)
    by_seat = found.scores.group_by("seat").agg(pl.col("aivat").std(), mean=pl.col("aivat").mean())
    assert by_seat["aivat"].max() < 1e-4  # type: ignore[operator]
    assert by_seat["mean"].sum() == pytest.approx(0, abs=1e-4)
    assert found.form.sd[CALL]["money"] > 5


@pytest.mark.slow
def test_one_known_leaves_the_luck_that_values_do_not_see(match: MatchResult) -> None:
    found = assessed(match, CALL)
    estimate, money = (found.estimates[CALL][name] for name in ("aivat", "money"))
    assert estimate.stderr < money.stderr / 2
    assert abs(estimate.value) < 4 * estimate.stderr
    assert found.estimates[RAISE]["aivat"].value == -estimate.value


@pytest.mark.slow
def test_a_report_on_ones_play_has_it_where_the_opponent_is_known(match: MatchResult) -> None:
    few = [next(iter(match.batches())).rows(range(30))]
    found = assess(few, player=CALL, more=[Aivat(known={CALL: CALL})])
    own = assess_play(few, RAISE, ask=False)
    section, figures, lead = result_without_luck(own, {CALL: CALL})
    assert found.decides.name == "fitted_aivat"
    assert lead.startswith(f"{RAISE}: {figures[0].value}")
    assert lead.endswith(f" The luck of the cards is taken out: the strategy of {CALL} is known.")
    summary = play_document(own, lead=lead)
    assert summary.lead == lead
    tables = [part.table for part in summary.sections if part.table is not None]
    assert not any("decides" in row[0] for table in tables for row in table.rows)
    assert section.heading == "Luck taken out, sb a hand (95 % interval)"
    assert section.words.startswith("The strategy of always-call is known")
    assert "These 30 hands say as much as " in section.words
    assert section.table is not None
    (_, money, _), (title, aivat, _) = section.table.rows
    assert title == "Luck and known play taken out"
    assert money == with_interval(found.estimates[RAISE]["money"])
    assert aivat == with_interval(found.estimates[RAISE]["fitted_aivat"])
    assert figures == (KeyFigure("sb a hand, luck taken out", aivat.split(" ")[0]),)
    refused, none, no_lead = result_without_luck(own, {CALL: "vexbot"})
    assert not none
    assert not no_lead
    assert refused.words.startswith(
        "There is no such result: vexbot: its strategy is not known beforehand"
    )
    assert refused.table is None


@pytest.mark.slow
def test_tables_reports_and_json_have_it(match: MatchResult) -> None:
    found = assessed(match, CALL)
    assert [one.name for one in found.estimators][-2:] == ["aivat", "fitted_aivat"]
    assert found.as_json()["players"][CALL]["aivat"]["n"] == 80
    table = crosstable([found])
    assert "aivat" in table.estimators
    assert table.pairs[CALL, RAISE]["aivat"].value == pytest.approx(
        found.estimates[CALL]["aivat"].value
    )
    text(found, estimators=["aivat"])


@pytest.mark.slow
def test_it_decides_where_a_player_is_known_whatever_it_says(match: MatchResult) -> None:
    found = assessed(match, CALL)
    assert found.headline == "fitted_aivat"
    assert found.overall.reason == f"the strategy of {CALL} is known"
    several = [Aivat(known={CALL: CALL}, exact=exact) for exact in (Exact.RIVER, Exact.NEVER)]
    assert assess(match, more=several).decides.name == "fitted_aivat_table", "the last given"
    assert assess(match, more=[Aivat(known={"somebody": CALL})]).decides.name == "fitted"
    facts = summarise_match(found)
    assert facts.decisive.label == "Luck and known play taken out"
    assert "fitted_aivat" in facts.curves.table.columns
    assert facts.method.startswith(
        f"Luck and known play taken out decides: the strategy of {CALL} is known. For researchers: "
    )
    # The interval of the headline is that of its row.
    assert facts.decisive.shown_interval in facts.verdict.headline
    named = f"{facts.decisive.shown} ({facts.decisive.shown_interval})"
    assert named in facts.verdict.headline


@pytest.mark.slow
def test_who_does_not_look_at_its_cards_is_no_model_of_others(match: MatchResult) -> None:
    found = assessed(match, CALL)
    assert "always-call; baseline;" in found.as_json()["sources"][0]
    assert found.form.sd[CALL]["aivat"] < found.form.sd[CALL]["fitted"]


def test_games_that_it_knows() -> None:
    aivat = Aivat(known={"A": CALL})
    assert aivat.needs(replace(HEADS_UP_LIMIT, rake=parse_rake("5%"))) is None, "before rake"
    assert aivat.needs(HEADS_UP_NO_LIMIT) == "for heads-up limit hold'em alone"
    assert aivat.needs(replace(HEADS_UP_LIMIT, max_raises=(2, 3, 3, 3))) is not None


def test_a_match_in_which_nobody_is_known_has_none(match: MatchResult) -> None:
    table = crosstable([assess(match, more=[Aivat(known={"somebody": CALL})])])
    assert np.isnan(table.pairs[CALL, RAISE]["aivat"].value)


@pytest.mark.parametrize("spec", ["killer", "loki:basic"])
def test_players_that_tell_no_probabilities_are_refused(spec: str) -> None:
    with pytest.raises(BadInput, match="is not known beforehand") as refused:
        Aivat(known={"A": spec})
    assert "\n" not in str(refused.value)


@pytest.mark.slow
def test_a_player_who_plays_otherwise_is_found_out(match: MatchResult) -> None:
    words = "hand 0: always-raise does not play as always-call, which never bets or raises there"
    with pytest.raises(BadInput, match=words):
        assess(match, more=[Aivat(known={RAISE: CALL})])


@pytest.mark.slow
def test_the_mean_over_states_of_who_does_not_look_is_what_it_does() -> None:
    abstraction = holdem_game(BUCKETS)[1]
    found = on_states(strategy_of("random:raise=2"), abstraction, boards=20)
    part = found.tree.rounds[2]
    table = found.probabilities[2].reshape(-1, part.slots, part.sequences)
    np.testing.assert_allclose(table[:, :2, 0], np.tile([1 / 3, 2 / 3], (len(table), 1)), atol=1e-6)


@pytest.mark.slow
def test_values_fitted_to_the_hands_are_refused(match: MatchResult, tmp_path: Path) -> None:
    """A strategy's file says from which hands it was found."""
    batch = next(batch for batch in hands_from(match) if isinstance(batch, HandBatch))
    game, abstraction = holdem_game((1, 1, 1, 1))
    found = uniform_strategy(game.tree, abstraction)
    fitted = np.sort(fingerprints_of(batch)[:5])
    path = tmp_path / "fitted.strategy"
    training = {"fingerprints": pack_fingerprints(fitted)}
    made = Provenance(time="2026-01-02T03:04:05Z")
    write_strategy(path, replace(found, training=training, made=made))
    aivat = Aivat(known={CALL: CALL}, model=f"equilibrium:{path}")
    with pytest.raises(BadInput, match="was found from 5 of these hands"):
        assess(match, more=[aivat])
    others = assess([batch.rows(np.arange(5, 40))], more=[aivat])
    assert others.hands == 35
    (source,) = others.as_json()["sources"]
    assert "of 2026-01-02" in source
    assert "their SHA-256 begins with" in source


@pytest.mark.slow
def test_values_of_many_pairs_are_kept_small() -> None:
    values = _values_of(CALL, RAISE).values
    tables = [table for effects in (*values.start, *values.after) for table in effects]
    assert sum(table.nbytes for table in tables) < 6_000_000


@pytest.mark.slow
def test_a_strategy_that_is_not_the_players_own_is_refused() -> None:
    spec = "random,fold=0"
    plays = Match(players=(f"x={spec}", RAISE), rules=HEADS_UP_LIMIT, deals=100, seed=5)
    played = play(plays, keep=True)
    # Each is its own model, whose values are the same in both seats: half the time.
    assert (
        assess(played, more=[Aivat(known={"x": spec}, model=spec)]).decides.name == "fitted_aivat"
    )
    with pytest.raises(BadInput, match=r"x does not play as random: it folds in 0 of .* where"):
        assess(played, more=[Aivat(known={"x": "random"}, model="random")])


def test_a_strategy_is_hardly_ever_taken_for_anothers() -> None:
    """Rare actions and few decisions are no contradiction."""
    chances = np.array([0.001, 0.499, 0.5])
    check = ActionCheck()
    check.add(0, chances)
    assert check.contradiction is None, "a normal approximation has 32 standard deviations"
    for kind in np.random.default_rng(1).choice(3, p=chances, size=20_000).tolist():
        check.add(kind, chances)
        assert check.contradiction is None
    for _ in range(500):
        check.add(1, chances)
    assert check.contradiction is None
    for _ in range(2000):
        check.add(1, chances)
    assert "checks or calls in" in str(check.contradiction)


@pytest.mark.slow
def test_with_the_fitted_estimate_it_does_not_lose_to_the_better_of_both() -> None:
    """Known near relatives: the luck of their cards says more than one's strategy does.

    A caller's strategy says more than all luck of the cards. Which it is, is not asked beforehand.
    """
    for players, known, better in (
        (("baseline:aggressive-high", "baseline"), "baseline", "fitted"),
        (("loki", "always-call"), "always-call", "aivat"),
    ):
        played = hands(Match(players=players, rules=HEADS_UP_LIMIT, deals=300, seed=4))
        found = assess(played, more=[Aivat(known={known: known})])
        reduced = found.variance_reduction[known]
        assert reduced[better] == max(reduced["fitted"], reduced["aivat"])
        assert reduced["fitted_aivat"] > 0.95 * reduced[better]
        assert found.decides.name == "fitted_aivat"
        both, one = (found.estimates[known][name] for name in ("fitted_aivat", better))
        assert abs(both.value - one.value) < 2 * one.stderr
