"""Skill and luck: exact for every round, and unbiased."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.blackjack import game_value, hand_values, parse_rules
from railbird.blackjack.assessment import (
    SOURCE_ROUNDS,
    Column,
    assess,
    baseline_of,
    play_match,
    read_rounds,
    score_one,
    score_rounds,
)
from railbird.blackjack.round import parse_round
from railbird.blackjack.rules import full_shoe, parse_shoe
from railbird.blackjack.simulation import parse_seat, parse_strategy, play_logged
from railbird.errors import BadInput

RULES = (
    "",
    "decks=2,S17,resplit=2,rsa,ls",
    "decks=2,enhc,ls,hsa,resplit=1,rsa",
    "decks=1,es,charlie=5,nodas",
    "decks=inf,S17",
)


@pytest.mark.slow(but=["decks=1,es,charlie=5,nodas"])
@pytest.mark.parametrize("text", RULES)
def test_luck_and_skill_are_the_money_of_every_round(text: str) -> None:
    rules = parse_rules(text)
    seat = parse_seat("never-bust", rules)
    baseline = baseline_of(parse_strategy("basic", rules))
    (played,) = play_logged(rules, [seat], 1500, penetration=0.0, seed=4)
    scores = score_rounds(baseline, played.tokens, played.before)
    money, skill, luck, start = scores.T
    assert money == pytest.approx(played.won, abs=1e-12)
    assert skill + luck + start == pytest.approx(played.won, abs=1e-12)
    assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(len(luck))
    gap = game_value(seat.strategy).mean - game_value(baseline.strategy).mean
    assert abs(skill.mean() - gap) < 4 * skill.std() / np.sqrt(len(skill))


@pytest.mark.slow
def test_rounds_within_a_shoe_add_up_too() -> None:
    rules = parse_rules("decks=2,S17,resplit=1")
    baseline = baseline_of(parse_strategy("basic", rules))
    (played,) = play_logged(rules, [parse_seat("source", rules)], 150, penetration=0.6, seed=4)
    scores = score_rounds(baseline, played.tokens, played.before)
    assert scores[:, 1:].sum(axis=1) == pytest.approx(played.won, abs=1e-12)


@pytest.mark.slow(but=["decks=1,es"])
@pytest.mark.parametrize("text", ["decks=2,S17,resplit=1,ls", "decks=6,enhc,ls", "decks=1,es"])
def test_every_seat_of_a_table_is_scored(text: str) -> None:
    rules = parse_rules(text)
    baseline = baseline_of(parse_strategy("basic", rules))
    seats = [parse_seat(name, rules) for name in ("source", "basic", "never-bust")]
    for played in play_logged(rules, seats, 120, penetration=0.0, seed=4):
        scores = score_rounds(baseline, played.tokens, played.before)
        assert scores[:, 1:].sum(axis=1) == pytest.approx(played.won, abs=1e-12)
        assert scores[:, Column.MONEY] == pytest.approx(played.won, abs=1e-12)
        luck = scores[:, Column.LUCK]
        assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(len(luck))


@pytest.mark.slow
def test_the_cards_of_others_change_what_a_decision_is_worth() -> None:
    rules = parse_rules("decks=1")
    baseline = baseline_of(parse_strategy("source", rules))
    tens = parse_round("T6vT oTTTT x7T sx5|T", rules).tokens
    scored = score_one(baseline, tens)
    shoe = full_shoe(rules) - np.bincount([9] * 5 + [6], minlength=10)
    values = hand_values((9, 5), 9, rules, shoe=shoe)
    assert scored.skill == pytest.approx(values.stand - values.hit)
    assert scored.start + scored.skill + scored.luck == pytest.approx(-1.0)
    assert [event.value != 0 for event in scored.events if event.token >= 30] == [False, True, True]


@pytest.mark.slow
def test_the_source_s_two_scores() -> None:
    rules = parse_rules("")
    baseline = baseline_of(parse_strategy("source", rules))
    doubled = parse_round("45v7 dT|T", rules).tokens
    assert score_one(baseline, doubled).skill == pytest.approx(-0.0534, abs=5e-5)
    rich = score_one(baseline, doubled, shoe=parse_shoe("A-9:10,T:55"))
    assert rich.skill == pytest.approx(0.0522, abs=5e-5)
    hit = parse_round("45v7 hTs|T", rules).tokens
    assert score_one(baseline, hit).skill == 0.0


@pytest.mark.slow
def test_the_score_of_a_decision_is_the_difference_of_its_values() -> None:
    rules = parse_rules("decks=6,S17,ls,resplit=2")
    baseline = baseline_of(parse_strategy("optimal", rules))
    for text, cards, upcard, action, best in (
        ("T6vT s|T", (9, 5), 9, "stand", "surrender"),
        ("TTv6 pT s7 s|TT", (9, 9), 5, "split", "stand"),
        ("88vT h5|T", (7, 7), 9, "hit", "split"),
        ("T2v3 h9|TT", (9, 1), 2, "hit", "hit"),
    ):
        values = hand_values(cards, upcard, rules)
        scored = score_one(baseline, parse_round(text, rules).tokens)
        cost = getattr(values, action) - getattr(values, best)
        first = next(event for event in scored.events if event.skill)
        assert first.value == pytest.approx(cost, abs=2e-5), text
        assert scored.start + scored.skill + scored.luck == pytest.approx(scored.won, abs=1e-12)


def test_insurance_costs_what_the_side_bet_is_worth() -> None:
    rules = parse_rules("decks=6")
    baseline = baseline_of(parse_strategy("optimal", rules))
    values = hand_values((9, 9), 0, rules)
    for text in ("TTvA is|9", "TTvA i|T"):
        scored = score_one(baseline, parse_round(text, rules).tokens)
        assert scored.skill == pytest.approx(values.insurance)


@pytest.mark.slow
def test_a_match_needs_far_fewer_rounds_by_skill() -> None:
    rules = parse_rules("")
    seats = parse_seat("basic", rules), parse_seat("source", rules)
    baseline = baseline_of(seats[0].strategy)
    match = play_match(rules, seats, baseline, 20_000, penetration=0.0, seed=1)
    assert match.skill.low > 0
    assert match.money.low < 0 < match.money.high
    assert match.rounds_by_money is not None
    assert match.rounds_by_skill is not None
    assert match.rounds_by_money > 500 * match.rounds_by_skill
    assert match.players[0].skill.value == 0.0


def test_the_source_s_arithmetic() -> None:
    assert int((2 * 1.148 / 0.01) ** 2) == SOURCE_ROUNDS


def test_wagers_multiply_scores() -> None:
    scores = np.array([[1.0, -0.1, 1.1, 0.0], [-1.0, 0.0, -1.0, 0.0]] * 20)
    found = assess(scores, np.array([5.0, 1.0] * 20))
    assert found.money.value == pytest.approx(2.0)
    assert found.skill.value == pytest.approx(-0.25)
    assert scores[0, Column.SKILL] == -0.1
    with pytest.raises(BadInput, match="no rounds"):
        assess(scores[:0])


@pytest.mark.slow
def test_the_score_is_unbiased_over_ten_million_rounds() -> None:
    """From fresh shoes: luck has no mean, and skill is what separates two strategies."""
    rules = parse_rules("")
    seat = parse_seat("never-bust", rules)
    baseline = baseline_of(parse_strategy("basic", rules))
    gap = game_value(seat.strategy).mean - baseline.start
    sums = np.zeros(4)
    squares = np.zeros(4)
    rounds = 0
    for seed in range(100):
        (played,) = play_logged(rules, [seat], 100_000, penetration=0.0, seed=seed)
        scores = score_rounds(baseline, played.tokens, played.before)
        rounds += len(scores)
        sums += scores.sum(axis=0)
        squares += np.square(scores).sum(axis=0)
    mean = sums / rounds
    variance = squares / rounds - mean * mean  # of the start, 0 but for rounding
    error = np.sqrt(np.maximum(variance, 0.0) / rounds)
    assert rounds == 10_000_000
    assert abs(mean[Column.LUCK]) < 3.5 * error[Column.LUCK]
    assert abs(mean[Column.SKILL] - gap) < 3.5 * error[Column.SKILL]
    assert abs(mean[Column.MONEY] - mean[Column.SKILL] - baseline.start) < 3.5 * error[Column.LUCK]


@pytest.mark.slow
def test_the_score_is_unbiased_over_twenty_thousand_rounds_within_shoes() -> None:
    rules = parse_rules("decks=6,S17")
    baseline = baseline_of(parse_strategy("basic", rules))
    (played,) = play_logged(
        rules, [parse_seat("never-bust", rules)], 20_000, penetration=0.75, seed=11
    )
    scores = score_rounds(baseline, played.tokens, played.before)
    luck = scores[:, Column.LUCK]
    assert abs(luck.mean()) < 3.5 * luck.std() / np.sqrt(len(luck))
    assert scores[:, 1:].sum(axis=1) == pytest.approx(scores[:, Column.MONEY], abs=1e-12)


def test_lines_are_skipped_by_what_is_wrong_with_them() -> None:
    lines = ["round,shoe,wager", "45v7 dT|T,,many", "45v7 dT|T,,-1", '45v7 dT|T,"A-9:24,T:1",1']
    read = read_rounds([*lines, "45v7 dT|T,,0"], parse_rules("decks=6,S17"))
    assert read.skipped == {
        "a wager that is no number": 1,
        "a wager out of range": 2,
        "more cards than the shoe has": 1,
    }
    assert read.first_line["a wager out of range"] == 3
