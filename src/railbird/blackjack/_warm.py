"""Compile the kernels of this room, each by a call that does almost nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from railbird.blackjack.assessment import baseline_of, score_one, score_rounds
from railbird.blackjack.chart import source_chart
from railbird.blackjack.exact import (
    AfterSplit,
    basic_strategy,
    game_value,
    hand_values,
    strategy_of_chart,
)
from railbird.blackjack.round import parse_round
from railbird.blackjack.rules import Rules, parse_shoe
from railbird.blackjack.simulation import TableSeat, simulate
from railbird.blackjack.tables import MOST_TOKENS


def _strategies() -> None:
    shoe = parse_shoe("T:8")
    game_value(basic_strategy(Rules(), shoe=shoe), shoe=shoe)


def _splits() -> None:
    hand_values((9, 9), 9, Rules(), shoe=parse_shoe("T:8"), after_split=AfterSplit.BEST)


def _tables() -> None:
    rules = Rules(decks=1)
    chart = strategy_of_chart("source", rules, source_chart())
    simulate(rules, [TableSeat(name="", strategy=chart)], 1, penetration=0.0, seed=0)


def _scores() -> None:
    rules = Rules(decks=1)
    chart = strategy_of_chart("source", rules, source_chart())
    baseline = baseline_of(chart)
    tokens = parse_round("TTv6 s|TT", rules).tokens
    score_one(baseline, tokens)
    rows = np.full((1, MOST_TOKENS), -1, np.int8)
    rows[0, : len(tokens)] = tokens
    score_rounds(baseline, rows)


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """List what compiles the room's kernels, as (name, function)."""
    return [
        ("strategies", _strategies),
        ("splits", _splits),
        ("tables", _tables),
        ("scores", _scores),
    ]
