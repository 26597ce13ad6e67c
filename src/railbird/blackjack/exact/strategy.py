"""Strategies: the best by cards, the best by totals, and those that a table gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird.blackjack.exact import _kernels_strategy
from railbird.blackjack.exact._kernels_values import FIRST, NO_SPLIT, TO_HIT
from railbird.blackjack.exact._tables_hands import (
    ACE,
    CARDS,
    HANDS,
    PAIRED,
    RANKS,
    SOFT,
    TEN,
    TOTAL,
)
from railbird.blackjack.exact.hand_values import Action, kernel_table
from railbird.blackjack.rules import Doubles, HoleCard, Rules, Surrender
from railbird.blackjack.shoe import Shoe, check_shoe, full_shoe
from railbird.errors import BadInput

Actions = npt.NDArray[np.int8]
"""Actions (10, 3, hands) by upcard, by what is allowed (`FIRST`, `NO_SPLIT`, `TO_HIT`), by hand."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strategy:
    """What to do with every hand against every upcard."""

    name: str
    rules: Rules
    actions: Actions
    insures: bool = False
    """Insurance is always taken."""

    def action(self, hand: int, upcard: int, row: int = FIRST) -> Action:
        """Return the action for a hand by its number."""
        return Action(int(self.actions[upcard, row, hand]))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameValue:
    """What a round is worth, in wagers."""

    mean: float
    by_upcard: tuple[float, ...]
    """For the ranks A, 2, ... T."""
    insurance: float
    """Part of the mean that insurance adds, which a strategy takes always or never."""


def optimal_strategy(rules: Rules, *, shoe: Shoe | None = None) -> Strategy:
    """Return the best play by the cards of each hand, for this shoe before the deal; CDZ-."""
    return Strategy(name="optimal", rules=rules, actions=_solved(rules, shoe, by_total=False))


def basic_strategy(rules: Rules, *, shoe: Shoe | None = None) -> Strategy:
    """Return the best play by total, by pair, and by what the dealer shows."""
    return Strategy(name="basic", rules=rules, actions=_solved(rules, shoe, by_total=True))


def _solved(rules: Rules, shoe: Shoe | None, *, by_total: bool) -> Actions:
    before = full_shoe(rules) if shoe is None else shoe
    check_shoe(before, rules)
    values = np.full((RANKS, len(Action), HANDS), np.nan)
    actions = np.zeros((RANKS, 3, HANDS), np.int8)
    _kernels_strategy.solve_all(before, by_total, kernel_table(rules), values, actions)
    return actions


def game_value(strategy: Strategy, *, shoe: Shoe | None = None) -> GameValue:
    """Return the exact value of a round by a strategy; minus the mean is the house edge.

    ``shoe`` is what there is before the deal, a full one if it is not given.
    """
    rules = strategy.rules
    before = full_shoe(rules) if shoe is None else shoe
    check_shoe(before, rules)
    by_upcard = np.zeros(RANKS)
    mean = _kernels_strategy.game_value(before, strategy.actions, kernel_table(rules), by_upcard)
    insurance = 0.0
    if strategy.insures and before[ACE] > 0:
        rest = before.sum() - float(rules.decks > 0)
        insurance = float(before[ACE] / before.sum() * (3.0 * before[TEN] / rest - 1.0) / 2.0)
        by_upcard[ACE] += (3.0 * before[TEN] / rest - 1.0) / 2.0
    return GameValue(
        mean=float(mean) + insurance,
        by_upcard=tuple(float(value) for value in by_upcard),
        insurance=insurance,
    )


Cell = str
"""A cell of a chart: S, H, D (else hit), Ds (else stand), P, or R and what to do instead."""

_FALLBACK = {
    "S": (Action.STAND, Action.STAND),
    "H": (Action.HIT, Action.HIT),
    "D": (Action.DOUBLE, Action.HIT),
    "Ds": (Action.DOUBLE, Action.STAND),
}
"""Actions without a split, and without a double either."""


def strategy_of_chart(name: str, rules: Rules, chart: Mapping[str, Mapping[str, Cell]]) -> Strategy:
    """Complete the rows of a chart to a strategy; see `railbird.blackjack.chart.Chart` for rows.

    Hands between two rows of a kind are played as the nearest row. A soft 18 or more that may not
    be doubled stands. Raises `BadInput` for a cell that is none.
    """
    actions = np.zeros((RANKS, 3, HANDS), np.int8)
    for upcard in range(RANKS):
        cells = {row: given["A23456789T"[upcard]] for row, given in chart.items()}
        for hand in range(1, HANDS):
            plain = _cell_of_total(cells, hand)
            first = cells.get(f"{_rank(hand)},{_rank(hand)}", plain) if _is_pair(hand) else plain
            usual, to_hit = _fallback(plain, hand)
            actions[upcard, NO_SPLIT, hand] = _allowed(usual, to_hit, hand, rules)
            actions[upcard, TO_HIT, hand] = to_hit
            actions[upcard, FIRST, hand] = actions[upcard, NO_SPLIT, hand]
            if CARDS[hand] != 2:
                continue
            if first == "P":
                actions[upcard, FIRST, hand] = Action.SPLIT
            elif first[:1] == "R" and rules.surrender is not Surrender.NONE:
                actions[upcard, FIRST, hand] = Action.SURRENDER
            elif _is_pair(hand):
                usual, to_hit = _fallback(first, hand)
                actions[upcard, FIRST, hand] = _allowed(usual, to_hit, hand, rules)
    return Strategy(name=name, rules=rules, actions=actions)


def _is_pair(hand: int) -> bool:
    return bool(PAIRED[hand] >= 0)


def _rank(hand: int) -> str:
    return "A23456789T"[PAIRED[hand]]


def _cell_of_total(cells: Mapping[str, Cell], hand: int) -> Cell:
    total = int(TOTAL[hand])
    if total == 21:
        return "S"
    if SOFT[hand]:
        if total == 12:  # aces that were not split
            return "H"
        rows = [row for row in range(2, 10) if f"A,{row}" in cells]
        near = min(rows, key=lambda row: abs(row + 11 - total))
        return cells[f"A,{near}"]
    hard = [row for row in range(5, 22) if str(row) in cells]
    return cells[str(min(hard, key=lambda row: abs(row - total)))]


def _fallback(cell: Cell, hand: int) -> tuple[Action, Action]:
    word = cell[1:].upper() if cell[:1] == "R" else cell
    if word == "D" and SOFT[hand] and TOTAL[hand] >= 18:
        word = "Ds"
    if word == "P":
        word = "H"
    if word not in _FALLBACK:
        raise BadInput(f"chart cell {cell!r}; allowed: S, H, D, Ds, P, Rh, Rs, Rp")
    return _FALLBACK[word]


def _allowed(usual: Action, to_hit: Action, hand: int, rules: Rules) -> Action:
    if CARDS[hand] != 2:
        return to_hit
    if usual is not Action.DOUBLE or rules.doubles is Doubles.ANY:
        return usual
    least = 9 if rules.doubles is Doubles.NINE_TO_ELEVEN else 10
    return usual if not SOFT[hand] and least <= TOTAL[hand] <= 11 else to_hit


def peeks(rules: Rules, upcard: int) -> bool:
    """Return whether the dealer checks for a blackjack under this card."""
    return rules.hole_card is HoleCard.PEEK and upcard in (ACE, TEN)
