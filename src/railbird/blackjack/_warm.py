"""Compile the kernels of this room by calls that do next to nothing."""

from __future__ import annotations

from collections.abc import Callable

from railbird.blackjack.exact.hand_values import AfterSplit, hand_values
from railbird.blackjack.exact.strategy import basic_strategy, game_value
from railbird.blackjack.rules import Rules
from railbird.blackjack.shoe import parse_shoe


def _few_cards() -> None:
    shoe = parse_shoe("T:8")
    game_value(basic_strategy(Rules(), shoe=shoe), shoe=shoe)


def _best_split() -> None:
    hand_values((9, 9), 9, Rules(), shoe=parse_shoe("T:8"), after_split=AfterSplit.BEST)


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Name and call for each group of kernels."""
    return [("strategies", _few_cards), ("splits", _best_split)]
