"""Which estimator decides, by the kind of log: all cards, one side's, or fewer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from railbird.assessment.change_of_play import course_of_table
from railbird.assessment.decision_divat.match import TableAssessment, assess_batches
from railbird.assessment.decision_divat.settings import NO_LIMIT
from railbird.assessment.own_side.estimators import OWN_LUCK
from railbird.cards import parse_cards, parse_holding
from railbird.experiments.any_holdem.play import PolicyPlayer, play_policies
from railbird.game import (
    Action,
    Fold,
    Raise,
    no_limit_holdem,
    payoffs,
    replay,
)
from railbird.histories import HandRecord
from railbird.histories.columns import UNKNOWN, HandBatch, batch_of, records_of
from railbird.report.several_players.headline import headline, reason_words
from railbird.report.several_players.page import table_page
from railbird.units import Chips

RULES = no_limit_holdem(2, blinds=(50, 100), stack=10_000)
HERO, VILLAIN = "Hero", "Villain"


def played(hands: int, seed: int = 5) -> HandBatch:
    policy = replace(NO_LIMIT, fraction=0.75)
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


def test_all_cards_and_enough_hands() -> None:
    found = assessed(played(600))
    assert (found.headline, found.hero) == ("fitted", None)
    assert reason_words(found).startswith(
        "Fitted decides: all cards of 600 hands are known. Luck is"
    )
    assert "cross-fitted" in reason_words(found)


def test_all_cards_and_few_hands_take_frozen_coefficients() -> None:
    found = assessed(played(60))
    said = reason_words(found, HERO)
    assert said.startswith("Fitted decides for Hero: all cards of 60 hands are known; fewer than ")
    assert "those of no-limit-2" in said
    mivat, fitted = (found.scores[name].to_numpy() for name in ("mivat", "fitted"))
    assert fitted == pytest.approx(mivat)


def test_one_side_with_every_all_in_shown() -> None:
    batch = played(700)
    found = assessed(from_one_side(batch, losers_muck=False))
    decision = found.decision(HERO)
    assert (found.hero, found.headline, decision.decides) == (HERO, "allin", "allin")
    assert decision.own_cards == decision.hands == 700
    assert decision.all_ins > 5
    assert decision.unknown == 0
    first = reason_words(found, HERO)
    assert first == reason_words(found)
    assert headline(found, HERO).endswith(first)
    assert first.startswith("All-in equity decides for Hero: only own cards are known, and every")
    assert "folded cards are taken as uniform" in first
    # Whose cards are hidden now and then is judged by money.
    assert found.decision(VILLAIN).decides == "money"
    full = assessed(batch)
    value = found.of_all[HERO]["allin"].value
    assert value == pytest.approx(full.estimates[HERO]["allin"].value)
    assert value != found.of_all[HERO]["money"].value


def test_one_side_with_losers_that_muck() -> None:
    found = assessed(from_one_side(played(700), losers_muck=True))
    decision = found.decision(HERO)
    assert (found.headline, decision.decides) == ("money", "money")
    assert 0 < decision.unknown < decision.all_ins
    assert f"in {decision.unknown} of {decision.all_ins} all-ins a live hand was not shown" in (
        reason_words(found)
    )
    assert found.as_json()["players"][HERO]["evidence"]["all_ins_unknown"] == decision.unknown  # type: ignore[index]


def test_own_side_takes_nothing_from_which_hands_were_shown() -> None:
    """With hands mucked it must not be all-in equity for those that were shown."""
    batch = played(4000)
    shown = assessed(from_one_side(batch, losers_muck=False))
    mucked = assessed(from_one_side(batch, losers_muck=True))
    own = [found.of_all[HERO]["own_side"] for found in (shown, mucked)]
    assert own[0].stderr < own[1].stderr < shown.money_of_all[HERO].stderr
    assert "own_side" not in mucked.of_all[VILLAIN]
    # By money, and by luck that takes no card of the other, it makes no difference who showed but
    # for which hands the coefficients come from.
    holding = np.array(batch.holding)
    holding[batch.player == batch.names.index(VILLAIN)] = UNKNOWN
    blind = assessed(replace(batch, holding=holding))
    near = 0.1 * own[1].stderr
    assert blind.of_all[HERO]["own_side"].value == pytest.approx(own[1].value, abs=near)


def test_hands_that_happened_to_be_shown_stand_for_nothing_else() -> None:
    found = assessed(from_one_side(played(1400), losers_muck=False))
    assert 20 < found.hands < 700
    said = found.as_json()
    assert said["hands"] == 1400
    hero = said["players"][HERO]  # type: ignore[index]
    mine = found.every.filter(pl.col("player") == found.players.index(HERO))
    assert mine.height == 1400
    assert hero["money"]["n"] == hero["allin"]["n"] == 1400
    assert hero["divat"]["n"] == found.hands
    for name in ("money", "allin"):
        assert hero[name]["value"] == pytest.approx(mine[name].mean())
    reduction = mine["money"].var(ddof=0) / mine["allin"].var(ddof=0)  # type: ignore[operator]
    assert hero["variance_reduction"]["allin"] == pytest.approx(reduction)
    # Each hand with all cards is found again among all hands.
    known = found.every.filter(pl.col("divat").is_not_null())
    assert known["number"].equals(found.scores["number"])
    assert known["divat"].equals(found.scores["divat"])
    assert known["money"].equals(found.scores["money"])
    # The first words are about whose log it is, and the course is that of all its hands.
    assert headline(found) == headline(found, HERO)
    course = course_of_table(found)
    assert set(course) == {HERO}
    assert (course[HERO].estimator, course[HERO].stretches[-1].end) == ("allin", 1400)
    page = table_page(found)
    assert "Lines: running sums of money and all-in equity for Hero." in page
    assert page.count("Fitted") == page.count("fitted") == 0


def test_hidden_cards_are_counted_among_the_player_s_own_hands() -> None:
    batch = played(30)
    batch = batch.rows(np.abs(batch.payoff[:, 0]) < 9_000)
    others = [replace(record, players=("Ann", "Bob")) for record in records_of(batch)]
    hidden = [replace(record, holes=(None, record.holes[1])) for record in records_of(played(40))]
    found = assessed(batch_of([*others, *hidden]))
    assert "some cards of 40 of 40 hands are not known" in reason_words(found, HERO)
    assert "some cards of 40 hands of others are not known" in reason_words(found, "Ann")


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
    assert "of 50 hands are not known" in reason_words(found)


def test_forward_coefficients_are_said_and_start_frozen() -> None:
    batch = played(900)
    found, other = assessed(batch, forward=True), assessed(batch)
    assert "(coefficients from earlier hands; a hand's" in reason_words(found)
    rows = found.scores.sort("row", maintain_order=True)
    first = rows.filter(pl.col("row") < 400)
    assert first["fitted"].to_numpy() == pytest.approx(first["mivat"].to_numpy())
    last = rows.filter(pl.col("row") > 800)
    assert not np.allclose(last["fitted"], last["mivat"])
    mine, theirs = (each.estimates[HERO]["fitted"] for each in (found, other))
    assert abs(mine.value - theirs.value) < 3 * mine.stderr


def test_own_luck_is_missing_without_own_cards() -> None:
    found = assessed(from_one_side(played(60), losers_muck=True))
    assert "own_side" not in found.of_all[VILLAIN]
    assert set(OWN_LUCK) <= set(assessed(played(60)).scores.columns)


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
