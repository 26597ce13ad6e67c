"""Strategies and what they are worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from railbird.blackjack import (
    Action,
    AfterSplit,
    basic_strategy,
    chart_of,
    full_shoe,
    game_value,
    hand_values,
    optimal_strategy,
    parse_ranks,
    parse_rules,
    strategy_of_chart,
)
from railbird.blackjack.counting import SYSTEMS
from railbird.blackjack.rules import Rules
from railbird.errors import BadInput

ONE = "decks=1,S17"


def test_knowing_the_cards_is_worth_more_than_knowing_the_total() -> None:
    rules = parse_rules(ONE)
    cards, total = game_value(optimal_strategy(rules)), game_value(basic_strategy(rules))
    assert 0.0001 < cards.mean - total.mean < 0.001


@pytest.mark.slow
def test_a_chart_says_all_of_a_strategy_by_total() -> None:
    for text in ("", "decks=6,ls,S17,resplit=2", "decks=8,enhc,dbl=9-11,nodas", "decks=1,es"):
        rules = parse_rules(text)
        basic = basic_strategy(rules)
        again = strategy_of_chart("again", rules, chart_of(basic))
        assert game_value(again).mean == pytest.approx(game_value(basic).mean, abs=1e-12), text


# thecolorofblackjack.com, "Solution one": approximate effects in per cent, from one deck, S17.
EFFECTS = {
    "bj=1:1": -2.32,
    "bj=2:1": 2.32,
    "bj=6:5": -1.39,
    "H17": -0.20,
    "dbl=10-11": -0.21,
    "das": 0.13,
    "ls": 0.06,
    "resplit=2,rsa": 0.06 + 0.03,
}


@pytest.mark.slow
def test_each_rule_is_worth_what_is_published() -> None:
    base = game_value(optimal_strategy(parse_rules("decks=1,S17,nodas"))).mean
    for words, effect in EFFECTS.items():
        rules = parse_rules(words, base=parse_rules("decks=1,S17,nodas"))
        found = 100 * (game_value(optimal_strategy(rules)).mean - base)
        assert found == pytest.approx(effect, abs=0.06), words


@pytest.mark.slow
def test_rules_for_the_player_help() -> None:
    base = game_value(optimal_strategy(parse_rules("decks=2,S17"))).mean
    for words, least, most in (
        ("es", 0.005, 0.008),
        ("hsa", 0.001, 0.003),
        ("enhc", -0.002, -0.0005),
        ("charlie=5", 0.01, 0.02),
        ("charlie=6", 0.001, 0.002),
    ):
        value = game_value(optimal_strategy(parse_rules(f"decks=2,S17,{words}"))).mean
        assert least < value - base < most, words


def test_only_what_the_rules_allow_has_a_value() -> None:
    def allowed(cards: str, upcard: str, text: str) -> set[str]:
        values = hand_values(parse_ranks(cards), parse_ranks(upcard)[0], parse_rules(text))
        return {action.word for action in Action if not np.isnan(values.of(action))}

    assert allowed("8,8", "T", "ls") == {"stand", "hit", "double", "split", "surrender"}
    assert allowed("8,8", "T", "dbl=9-11") == {"stand", "hit", "split"}
    assert allowed("A,8", "6", "dbl=9-11") == {"stand", "hit"}
    assert allowed("2,3,4", "6", "ls") == {"stand", "hit"}
    assert allowed("A,T", "A", "ls") == {"stand"}
    assert allowed("T,5,6", "A", "ls") == {"stand"}


def test_insurance_is_a_bet_on_the_hole_card() -> None:
    values = hand_values(parse_ranks("T,T"), 0, parse_rules("decks=1"))
    assert values.insurance == pytest.approx((3 * 14 / 49 - 1) / 2)
    assert values.natural == pytest.approx(14 / 49)
    assert np.isnan(hand_values(parse_ranks("T,T"), 9, parse_rules("decks=1")).insurance)


def test_early_surrender_is_chosen_against_what_the_whole_hand_is_worth() -> None:
    rules = parse_rules("decks=6,S17,es")
    values = hand_values(parse_ranks("T,6"), 0, rules)
    kept = values.natural * -1 + (1 - values.natural) * values.hit
    given_up = values.natural * -1 + (1 - values.natural) * values.surrender
    assert given_up == pytest.approx(-0.5)
    assert kept < -0.5
    assert values.best is Action.SURRENDER


def test_a_charlie_wins_even_against_twenty_one() -> None:
    values = hand_values(parse_ranks("2,2,2,2"), 8, parse_rules("charlie=5"))
    bust = hand_values(parse_ranks("2,2,2,2"), 8, parse_rules(""))
    assert values.hit == pytest.approx(1.0)
    assert bust.hit < 0.2


def test_the_best_play_after_a_split_is_exact_for_one_split_only() -> None:
    with pytest.raises(BadInput, match="resplit=2 with CDP1; allowed: resplit=0"):
        hand_values((7, 7), 9, parse_rules("resplit=2"), after_split=AfterSplit.BEST)


def test_a_rich_shoe_beats_the_house() -> None:
    rules = parse_rules("decks=6,S17")
    shoe = full_shoe(rules)
    poor = game_value(optimal_strategy(rules)).mean
    shoe[2:6] -= 12  # 48 low cards are gone
    assert poor < 0 < game_value(optimal_strategy(rules, shoe=shoe), shoe=shoe).mean - 0.01


def test_a_strategy_that_always_insures_pays_for_it() -> None:
    basic = basic_strategy(parse_rules("decks=1"))
    insured = game_value(replace(basic, insures=True))
    cost = 4 / 52 * (3 * 16 / 51 - 1) / 2
    assert insured.mean - game_value(basic).mean == pytest.approx(cost)


def test_bad_cells_of_a_chart_are_refused() -> None:
    rules = parse_rules("")
    chart = {row: dict(cells) for row, cells in chart_of(basic_strategy(rules)).items()}
    chart["12"]["7"] = "X"
    with pytest.raises(BadInput, match="chart cell 'X'"):
        strategy_of_chart("mine", rules, chart)


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_an_unbalanced_count_begins_where_its_authors_say(decks: int) -> None:
    """Vancura and Fuchs, Knock-Out Blackjack (1998): 4 less 4 per deck; a balanced one at 0."""
    assert SYSTEMS["ko"].start(Rules(decks=decks)) == pytest.approx(4 - 4 * decks)
    assert SYSTEMS["hi-lo"].start(Rules(decks=decks)) == 0
