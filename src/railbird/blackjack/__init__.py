"""Blackjack, where every value is exact: rules, values, strategies."""

from railbird.blackjack.chart import chart_of, differences, source_chart
from railbird.blackjack.exact.hand_values import Action, AfterSplit, HandValues, hand_values
from railbird.blackjack.exact.strategy import (
    GameValue,
    Strategy,
    basic_strategy,
    game_value,
    optimal_strategy,
    strategy_of_chart,
)
from railbird.blackjack.rules import Doubles, HoleCard, Rules, Soft17, Surrender, parse_rules
from railbird.blackjack.shoe import cards_text, full_shoe, parse_cards, parse_shoe, shoe_text

__all__ = [
    "Action",
    "AfterSplit",
    "Doubles",
    "GameValue",
    "HandValues",
    "HoleCard",
    "Rules",
    "Soft17",
    "Strategy",
    "Surrender",
    "basic_strategy",
    "cards_text",
    "chart_of",
    "differences",
    "full_shoe",
    "game_value",
    "hand_values",
    "optimal_strategy",
    "parse_cards",
    "parse_rules",
    "parse_shoe",
    "shoe_text",
    "source_chart",
    "strategy_of_chart",
]
