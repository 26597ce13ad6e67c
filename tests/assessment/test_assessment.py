"""Which estimator decides, by the kind of log: all cards, one side's, or fewer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from helpers.random_records import random_hand
from railbird.arena import Match, Seating, play
from railbird.assessment import assess, find_table, score_hand
from railbird.assessment.all_in import all_ins_of
from railbird.assessment.any_table import TableAssessment, assess_batches
from railbird.assessment.anytime import anytime_intervals
from railbird.assessment.divat import scorer as typical_opponent
from railbird.assessment.divat.any_game import NO_LIMIT, baseline_for
from railbird.assessment.divat.any_game_estimators import CALL_LUCK, LUCK
from railbird.assessment.divat.preflop_builder import compute_table
from railbird.assessment.divat.scorer import tables_for, typical_weights
from railbird.assessment.frozen_coefficients import frozen_for
from railbird.assessment.own_side import OWN_LUCK
from railbird.baseline import STANDARD, parse_settings
from railbird.cards import parse_cards, parse_holding
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    Action,
    Betting,
    Fold,
    Raise,
    no_limit_holdem,
    payoffs,
    replay,
)
from railbird.histories import HandRecord, read_hand
from railbird.histories.columns import UNKNOWN, HandBatch, batch_of, records_of
from railbird.odds.rank_tables import open_tables
from railbird.report.assessment_report import LARGEST
from railbird.report.headline import headline, method_words, reason_words
from railbird.report.html_page import page
from railbird.report.match_terminal import anytime_table
from railbird.report.number_format import signed_total
from railbird.report.table_document import table_document
from railbird.units import Chips
from railbird_papers.any_holdem.tables import PolicyPlayer, play_policies

RULES = no_limit_holdem(2, blinds=(50, 100), stack=10_000)
HERO, VILLAIN = "Hero", "Villain"


def played(hands: int, seed: int = 5) -> HandBatch:
    policy = replace(NO_LIMIT, sizes=(0.75,) * 4)
    players = [PolicyPlayer(name=name, policy=policy, deviation=0.2) for name in (HERO, VILLAIN)]
    return play_policies(RULES, players, hands, seed=seed)


def from_one_side(batch: HandBatch, *, losers_muck: bool) -> HandBatch:
    """What Hero's site tells: the other's cards at showdown, unless they lost and were mucked."""
    holding = np.array(batch.holding)
    hand, seat = np.nonzero(batch.player == batch.names.index(VILLAIN))
    folded = batch.action[batch.start[1:] - 1] < 0
    lost = batch.payoff[hand, seat] < 0
    hidden = folded[hand] | (lost if losers_muck else np.zeros_like(lost))
    holding[hand[hidden], seat[hidden]] = UNKNOWN
    return replace(batch, holding=holding)


def assessed(batch: HandBatch, *, forward: bool = False) -> TableAssessment:
    return assess_batches([(batch, ())], boards=2, forward=forward)


@pytest.mark.slow
def test_all_cards_and_enough_hands() -> None:
    found = assessed(played(600))
    assert (found.headline, found.hero) == ("fitted", None)
    assert method_words(found).startswith(
        "Luck taken out decides: all cards of 600 hands are known. For"
    )
    assert "cross-fitted" in method_words(found)
    luck = found.estimates[HERO]["money"].value - found.estimates[HERO]["fitted"].value
    kindest = HERO if luck > 0 else VILLAIN
    said = f"Luck was kindest to {kindest}, {signed_total(abs(600 * luck))} big blinds in all."
    assert said in headline(found)


@pytest.mark.slow
def test_all_cards_and_few_hands() -> None:
    found = assessed(played(60))
    said = method_words(found, HERO)
    assert said.startswith("Luck taken out decides for Hero: all cards of 60 hands are known. For")
    expected = frozen_for(Betting.NO_LIMIT, 2).prior(found.scores).mean
    assert found.coefficients == pytest.approx(expected, abs=1)
    assert found.coefficients != pytest.approx(expected, abs=0.1)


@pytest.mark.slow
def test_one_side_with_every_all_in_shown() -> None:
    batch = played(700)
    found = assessed(from_one_side(batch, losers_muck=False))
    decision = found.decision(HERO)
    assert (found.hero, found.headline, decision.decides) == (HERO, "allin", "allin")
    assert decision.own_cards == decision.hands == 700
    assert decision.all_ins > 5
    assert decision.unknown == 0
    first = reason_words(decision)
    assert decision == found.decision()
    assert f" {first} No sign of missing hands; the cards would seldom give one." in headline(
        found, HERO
    )
    assert "All-in luck was worth " in headline(found, HERO)
    assert first.startswith(
        "The luck of all-ins is taken out: only own cards are known; all 6 all-ins count by what "
    )
    assert method_words(found).startswith("All-in equity decides for Hero: only own cards are ")
    assert "folded cards are taken to be any" in first
    # Whose cards are hidden now and then is judged by money.
    assert found.decision(VILLAIN).decides == "money"
    full = assessed(batch)
    value = found.estimates[HERO]["allin"].value
    assert value == pytest.approx(full.estimates[HERO]["allin"].value)
    assert value != found.estimates[HERO]["money"].value


@pytest.mark.slow
def test_one_side_with_losers_that_muck() -> None:
    found = assessed(from_one_side(played(700), losers_muck=True))
    decision = found.decision(HERO)
    assert (found.headline, decision.decides) == ("money", "money")
    assert 0 < decision.unknown < decision.all_ins
    assert f"in {decision.unknown} of {decision.all_ins} all-ins a hand stayed hidden" in (
        reason_words(decision)
    )
    assert found.as_json()["players"][HERO]["evidence"]["all_ins_unknown"] == decision.unknown


@pytest.mark.slow
def test_lost_all_ins_that_happen_to_be_shown_keep_their_luck() -> None:
    """Where losers muck, a log in which Hero won no all-in has them all known."""
    batch = from_one_side(played(1400), losers_muck=True)
    seat = np.argmax(batch.player == batch.names.index(HERO), axis=1)
    won = batch.payoff[np.arange(len(batch)), seat] > 0
    batch = batch.rows(~((all_ins_of(batch).cards >= 0) & won))
    found = assessed(batch)
    decision = found.decision(HERO)
    assert decision.all_ins > 2
    assert (decision.unknown, decision.adjusted) == (0, 0)
    assert found.estimates[HERO]["allin"].value == found.estimates[HERO]["money"].value
    assert decision.decides == "money"
    assert "to know whether losers always turn their cards up" in reason_words(decision)


def test_opponents_have_no_estimate_from_the_hands_that_they_showed() -> None:
    found = assessed(from_one_side(played(1400), losers_muck=True))
    assert found.known > 20
    assert found.estimate(HERO, "own_side") is not None
    assert found.estimate(VILLAIN, "own_side") is None
    assert "own_side" not in found.as_json()["players"][VILLAIN]
    assert found.form.crosstable.cells == {}
    # Of all-in equity they have that of all hands.
    mine, theirs = (found.estimate(name, "allin") for name in (HERO, VILLAIN))
    assert mine is not None
    assert theirs is not None
    assert theirs.value == pytest.approx(-mine.value)
    assert theirs.n == 1400


@pytest.mark.slow
def test_own_side_takes_nothing_from_which_hands_were_shown() -> None:
    """With hands mucked it must not be all-in equity for those that were shown."""
    batch = played(4000)
    shown = assessed(from_one_side(batch, losers_muck=False))
    mucked = assessed(from_one_side(batch, losers_muck=True))
    own = [found.estimates[HERO]["own_side"] for found in (shown, mucked)]
    assert own[0].stderr < own[1].stderr < shown.estimates[HERO]["money"].stderr
    assert "own_side" not in mucked.estimates[VILLAIN]
    # By money, and by luck that takes no card of the other, it makes no difference who showed but
    # for which hands the coefficients come from.
    holding = np.array(batch.holding)
    holding[batch.player == batch.names.index(VILLAIN)] = UNKNOWN
    blind = assessed(replace(batch, holding=holding))
    near = 0.1 * own[1].stderr
    assert blind.estimates[HERO]["own_side"].value == pytest.approx(own[1].value, abs=near)


@pytest.mark.slow
def test_hands_that_happened_to_be_shown_stand_for_nothing_else() -> None:
    found = assessed(from_one_side(played(1400), losers_muck=False))
    assert 20 < found.known < 700
    said = found.as_json()
    assert said["hands"] == 1400
    hero = said["players"][HERO]
    mine = found.form.every.filter(pl.col("player") == found.players.index(HERO))
    assert mine.height == 1400
    assert hero["money"]["n"] == hero["allin"]["n"] == 1400
    assert hero["divat"]["n"] == found.known
    for name in ("money", "allin"):
        assert hero[name]["value"] == pytest.approx(mine[name].mean())
    reduction = mine["money"].var(ddof=0) / mine["allin"].var(ddof=0)  # type: ignore[operator]
    assert hero["variance_reduction"]["allin"] == pytest.approx(reduction)
    # Each hand with all cards is found again among all hands.
    known = found.form.every.filter(pl.col("divat").is_not_null())
    assert known["number"].equals(found.scores["number"])
    assert known["divat"].equals(found.scores["divat"])
    assert known["money"].equals(found.scores["money"])
    # The first words are about whose log it is, and the course is that of all its hands.
    assert headline(found) == headline(found, HERO)
    course = found.course()
    assert set(course) == {HERO}
    assert (course[HERO].estimator, course[HERO].stretches[-1].end) == ("allin", 1400)
    html = page(table_document(found, replayed=LARGEST))
    assert "Lines: running sums of money and all-in equity for Hero." in html
    assert html.count("Fitted") == html.count("fitted") == 0


def test_hidden_cards_are_counted_among_the_player_s_own_hands() -> None:
    batch = played(30)
    batch = batch.rows(np.abs(batch.payoff[:, 0]) < 9_000)
    others = [replace(record, players=("Ann", "Bob")) for record in records_of(batch)]
    hidden = [replace(record, holes=(None, record.holes[1])) for record in records_of(played(40))]
    found = assessed(batch_of([*others, *hidden]))
    assert "some cards of 40 of 40 hands are not known" in reason_words(found.decision(HERO))
    assert "some cards of 40 hands of others are not known" in reason_words(found.decision("Ann"))


def test_no_all_in_leaves_money() -> None:
    batch = played(700)
    quiet = from_one_side(batch, losers_muck=False)
    found = assessed(quiet.rows(np.abs(batch.payoff[:, 0]) < 9_000))
    decision = found.decision()
    assert decision.decides == "money"
    assert "no all-in with cards to come" in decision.reason


def test_nobody_s_own_cards() -> None:
    holding = np.array(played(50).holding)
    holding[::7] = UNKNOWN
    found = assessed(replace(played(50), holding=holding))
    assert (found.headline, found.hero) == ("money", None)
    assert "of 50 hands are not known" in reason_words(found.decision())


@pytest.mark.slow
def test_forward_coefficients_are_said_and_start_with_the_expected_ones() -> None:
    batch = played(900)
    found, other = assessed(batch, forward=True), assessed(batch)
    assert "Fitted, coefficients from earlier hands; a hand's" in method_words(found)
    prior = frozen_for(Betting.NO_LIMIT, 2).prior(found.scores)
    luck = found.scores.select(*CALL_LUCK, *LUCK).to_numpy()
    begun = found.scores["money"].to_numpy() - luck @ prior.mean
    first = found.scores["row"].to_numpy() < 18
    assert found.scores["fitted"].to_numpy()[first] == pytest.approx(begun[first])
    assert not np.allclose(found.scores["fitted"].to_numpy()[~first], begun[~first])
    mine, theirs = (each.estimates[HERO]["fitted"] for each in (found, other))
    assert abs(mine.value - theirs.value) < 3 * mine.stderr


def test_own_luck_is_missing_without_own_cards() -> None:
    found = assessed(from_one_side(played(60), losers_muck=True))
    assert "own_side" not in found.estimates[VILLAIN]
    assert set(OWN_LUCK) <= set(assessed(played(60)).scores.columns)


@pytest.mark.slow
def test_a_short_stack_that_is_all_in_by_its_blind() -> None:
    rules = no_limit_holdem(3, blinds=(50, 100), stack=(10_000, 60, 10_000))
    holes = tuple(parse_holding(text) for text in ("AsAh", "KsKh", "7c2d"))
    board = parse_cards("2c7d9hJsTd")
    actions: tuple[Action, ...] = (Raise(Chips(300)), Fold())
    record = HandRecord(
        rules=rules,
        players=("Ann", "Bob", "Cy"),
        holes=holes,
        board=board,
        actions=actions,
        payoffs=payoffs(replay(rules, holes, board, actions)),
    )
    found = assessed(batch_of([record]))
    rows = found.scores.sort("seat")
    assert rows["all_in_cards"].to_list() == [None, 0.0, 0.0]
    assert rows["allin"].sum() == pytest.approx(0)
    assert rows["allin"][0] == rows["money"][0]


# Intervals of a match that hold at any time.


def test_of_a_match_played_twice_a_deal_is_one_value() -> None:
    match = Match(
        players=("baseline", "baseline:loose-high"),
        rules=HEADS_UP_LIMIT,
        deals=600,
        seed=2,
        seating=Seating.DUPLICATE,
    )
    found = assess(play(match, keep=True), player="baseline")
    rows = {row.name: row for row in anytime_intervals(found)}
    assert set(rows) == {"money", "divat", "money_minus_dcash"}, "fitted looks at all hands"
    money, divat = rows["money"], rows["divat"]
    assert money.asymptotic.n == 600
    assert money.asymptotic.value == pytest.approx(found.estimates["baseline"]["money"].value)
    assert money.asymptotic.half_width > 1.3 * 1.96 * found.estimates["baseline"]["money"].stderr
    assert money.bound == 24
    assert money.certain is not None
    assert money.certain.half_width > money.asymptotic.half_width
    assert divat.bound == 192
    assert rows["money_minus_dcash"].certain is None
    assert [row.name for row in anytime_intervals(found, ["divat"])] == ["divat"]
    anytime_table(list(rows.values()), "baseline")


# Ranks against a typical opponent as a setting: what it changes, and what it must not.


TYPICAL = parse_settings("opponent=typical")
EXAMPLE = read_hand("T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC")


def match(n: int) -> list[HandRecord]:
    rng = np.random.default_rng(12)
    return [random_hand(rng, players=("Ann", "Bob"), number=i) for i in range(n)]


@pytest.mark.slow
def test_a_middling_hand_is_worth_less_against_what_is_played() -> None:
    uniform, typical = open_tables(), tables_for(TYPICAL)
    assert tables_for(STANDARD).flop_ihr is not typical.flop_ihr
    place = uniform.place(parse_cards("Td5hTh"), parse_holding("Jd5d"))
    assert typical.flop_ihr[place] < uniform.flop_ihr[place]
    assert typical.flop_hr7[place] < uniform.flop_hr7[place]
    assert np.array_equal(typical.preflop_hr7, uniform.preflop_hr7)


def test_weights_prefer_what_is_played() -> None:
    weights = typical_weights()
    aces, worst = (weights[parse_holding(text)] for text in ("AsAh", "7c2d"))
    assert aces == 1.0
    assert 0 < worst < 0.1
    assert weights[parse_holding("AsKs")] == weights[parse_holding("AsKh")]


@pytest.mark.slow
def test_money_is_still_position_and_luck_and_decisions() -> None:
    found = assess(match(200), settings=TYPICAL)
    parts = sum(
        found.scores[name]
        for name in (
            "position",
            "divat",
            *(f"luck_{s}" for s in ("preflop", "flop", "turn", "river")),
        )
    )
    assert (found.scores["money"] - parts).abs().max() < 1e-9  # type: ignore[operator]
    uniform = assess(match(200))
    assert found.scores["divat"].to_list() != uniform.scores["divat"].to_list()
    assert found.settings[0].name == "opponent=typical"


def test_a_table_of_values_against_any_two_cards_is_not_taken_for_it() -> None:
    assert find_table(STANDARD) is not None
    assert find_table(TYPICAL) is None


@pytest.mark.slow
def test_one_hand_shows_the_ranks_that_were_used() -> None:
    rounds = score_hand(EXAMPLE, TYPICAL).rounds
    uniform = score_hand(EXAMPLE).rounds
    assert rounds[1].ihr[1] < uniform[1].ihr[1]
    assert rounds[0].ihr == uniform[0].ihr


@pytest.mark.slow
def test_decision_by_decision_too() -> None:
    batch = batch_of(match(60))
    policy = baseline_for(HEADS_UP_LIMIT, TYPICAL)
    found = assess_batches([(batch, ())], policy=policy, boards=8)
    uniform = assess_batches([(batch, ())], boards=8)
    scores = found.scores
    luck = sum(scores[f"luck_{name}"] for name in ("deal", "flop", "turn", "river"))
    rest = scores["money"] + scores["rake"] - luck - scores["own"] - scores["others"]
    assert (rest - scores["position"]).abs().max() < 1e-9  # type: ignore[operator]
    assert scores["divat"].to_list() != uniform.scores["divat"].to_list()


def test_no_table_is_built_for_it(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="opponent=typical goes by samples"):
        compute_table(TYPICAL, checkpoint=tmp_path / "checkpoint")


@pytest.mark.slow
def test_threads_make_the_tables_once() -> None:
    typical_opponent._typical_tables.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: typical_opponent.typical_tables(), range(4)))
    assert len({id(tables) for tables in made}) == 1
