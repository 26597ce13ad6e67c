"""Exact values of every action that a player may take, and the strategies that follow."""

# The kernels know hands by number and rules by a row of numbers; this module has what people call
# them. What the values mean is decided here and in `exact_kernels` together, and three choices must
# agree in both:
#
# - Values are conditional on no blackjack where the dealer peeks, as a player meets them: he acts
#   only if there is none. Early surrender is chosen before the peek, so its price is converted to
#   the same condition; otherwise it could not be compared with the others.
# - A split is worth what it is worth if each hand is played as though it were alone
#   (`AfterSplit.AS_BEFORE`). Still better play looks at the cards of the other hands, and no table
#   has room for that. `AfterSplit.BEST` stands between both. It is refused where hands can be split
#   again, since its value would then be an approximation under the name of an exact one.
# - A strategy says what it may look at. `optimal_strategy` looks at the cards, `basic_strategy` at
#   the total. A chart is a third kind (`strategy_of_chart`): it has gaps, and what is done there is
#   part of its value.
#
# Insurance is apart from every other value. It is a side bet at the dealer's ace, the same for all
# hands of a shoe, and a strategy takes it always or never.
#
# Who would notice: tests/oracles/test_blackjack_oracles.py has published values of single hands and
# of games; tests/twins/test_blackjack_twins.py enumerates one deck.

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import HasTable, table_of
from railbird.blackjack import exact_kernels
from railbird.blackjack.exact_kernels import FIRST, NO_SPLIT, TO_HIT, RuleArrays
from railbird.blackjack.rules import (
    Doubles,
    HoleCard,
    Rules,
    Shoe,
    Soft17,
    Surrender,
    cards_text,
    check_shoe,
    full_shoe,
    without,
)
from railbird.blackjack.tables import (
    ACE,
    BLACKJACK,
    CARDS,
    CHILD,
    HANDS,
    PAIRED,
    RANKS,
    SOFT,
    TEN,
    TOTAL,
)
from railbird.errors import BadInput

if TYPE_CHECKING:
    import polars as pl


class Action(IntEnum):
    """An action of a player, numbered as in the kernels."""

    STAND = 0
    HIT = 1
    DOUBLE = 2
    SPLIT = 3
    SURRENDER = 4

    @property
    def word(self) -> str:
        """The name in sentences and JSON."""
        return self.name.lower()


class AfterSplit(Enum):
    """How split hands are assumed to be played in the value of a split."""

    AS_BEFORE = "CDZ-"
    """Each hand as if it were the only one, by its own cards; exact even with re-splits."""
    BEST = "CDP1"
    """The best play given its own cards and both cards of the pair; exact without re-splits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandValues(HasTable):
    """Values in wagers; NaN for actions that are not allowed.

    If the dealer peeks, the values are conditional on no blackjack; that of early surrender is
    converted to the same condition.
    """

    stand: float
    hit: float
    double: float
    split: float
    surrender: float
    insurance: float
    """Value of insuring with half the wager, before the dealer peeks; nan unless against an ace."""
    natural: float
    """Probability that the hole card makes a blackjack."""
    after_split: AfterSplit

    def of(self, action: Action) -> float:
        """Return the value of an action."""
        value: float = getattr(self, action.word)
        return value

    @property
    def best(self) -> Action:
        """The best action."""
        allowed = [action for action in Action if not math.isnan(self.of(action))]
        return max(allowed, key=self.of)

    def as_json(self) -> dict[str, float | str]:
        """Return the numbers unrounded."""
        values: dict[str, float | str] = {action.word: self.of(action) for action in Action}
        return values | {
            "insurance": self.insurance,
            "natural": self.natural,
            "best": self.best.word,
            "after_split": self.after_split.value,
        }


def kernel_table(rules: Rules) -> RuleArrays:
    """Return the rules as the kernels read them."""
    least = {Doubles.ANY: 0, Doubles.NINE_TO_ELEVEN: 9, Doubles.TEN_OR_ELEVEN: 10}
    return RuleArrays(
        hits_soft_17=int(rules.soft_17 is Soft17.HIT),
        peeks=int(rules.hole_card is HoleCard.PEEK),
        least_double=least[rules.doubles],
        most_double=11,
        double_after_split=int(rules.double_after_split),
        most_hands=rules.most_hands,
        resplit_aces=int(rules.resplit_aces),
        hit_split_aces=int(rules.hit_split_aces),
        surrender=[Surrender.NONE, Surrender.LATE, Surrender.EARLY].index(rules.surrender),
        charlie=rules.charlie or 99,
        payout=float(rules.payout),
        removal=float(rules.decks > 0),
    )


def checked_rank(rank: int) -> int:
    """Return a rank, 0 for an ace to 9 for a ten. Raises `BadInput` for any other number."""
    if isinstance(rank, bool) or rank not in range(RANKS):
        raise BadInput(f"rank {rank!r}; allowed: 0 for an ace to {RANKS - 1} for a ten")
    return rank


def hand_index(ranks: Sequence[int]) -> int:
    """Return the place of a hand in the tables. Raises `BadInput` for more than 21 points."""
    hand = 0
    for rank in ranks:
        hand = int(CHILD[hand, checked_rank(rank)])
        if hand < 0:
            raise BadInput(f"{cards_text(ranks, ',')}: more than 21")
    return hand


@checked
def hand_values(
    player: Sequence[int],
    upcard: int,
    rules: Rules,
    *,
    shoe: Shoe | None = None,
    after_split: AfterSplit = AfterSplit.AS_BEFORE,
) -> HandValues:
    """Return the exact values of the actions that the rules allow.

    ``player`` are two or more ranks, and ``shoe`` is the shoe before the deal, by default a full
    one. Raises `BadInput` for a hand of more than 21, for cards that the shoe lacks, and for best
    play after a split if the rules allow re-splits.

    >>> values = hand_values((3, 4), 6, Rules())
    >>> f"{values.hit:.5f} {values.double:.5f}"
    '0.17858 0.12516'
    """
    if after_split is AfterSplit.BEST and rules.resplits:
        raise BadInput(f"resplit={rules.resplits} with {after_split.value}; allowed: resplit=0")
    hand, upcard = hand_index(player), checked_rank(upcard)
    shoe_before = full_shoe(rules) if shoe is None else shoe
    check_shoe(shoe_before, rules)
    table = kernel_table(rules)
    # The kernel removes a hand's own cards itself while it goes from hand to hand, so it is given
    # the shoe without the upcard alone.
    open_ = without(shoe_before, [upcard]) if table.removal else shoe_before
    left = without(open_, player) if table.removal else shoe_before
    pair = int(PAIRED[hand])
    # A split needs the values of hands that begin with one card of the pair; other hands need only
    # those that can follow them, which are far fewer.
    start = int(CHILD[0, pair]) if pair >= 0 else hand
    values = np.full((len(Action), HANDS), np.nan)
    strategy = np.zeros((3, HANDS), np.int8)
    exact_kernels.solve_upcard(open_, upcard, start, table, values, strategy)
    mine = values[:, hand].copy()
    # Doubling, splitting and surrendering end with the first two cards; the actions are numbered so
    # that these come last.
    if len(player) > 2:
        mine[Action.DOUBLE :] = np.nan
    if hand == BLACKJACK or TOTAL[hand] == 21:
        mine[Action.HIT :] = np.nan
    if hand == BLACKJACK:
        mine[Action.STAND] = table.payout
    elif after_split is AfterSplit.BEST and pair >= 0 and len(player) == 2:
        mine[Action.SPLIT] = _best_split(left, upcard, pair, table)
    natural = exact_kernels.natural_probability(left, upcard, table)
    # Every value is conditional on no blackjack, and here that condition has no probability.
    if natural >= 1.0 and table.peeks:
        raise BadInput("the dealer surely has a blackjack; allowed: a shoe with other hole cards")
    insurance = math.nan
    if upcard == ACE:
        # Half a wager at two to one wins a wager with the probability of a ten and loses half of
        # one otherwise.
        insurance = (3.0 * left[TEN] / left.sum() - 1.0) / 2.0
    stand, hit, double, split, surrender = (float(value) for value in mine)
    return HandValues(
        stand=stand,
        hit=hit,
        double=double,
        split=split,
        surrender=surrender,
        insurance=float(insurance),
        natural=float(natural),
        after_split=after_split,
    )


def _best_split(left: Shoe, upcard: int, pair: int, table: RuleArrays) -> float:
    """Twice the value of a hand that begins with one card of the pair, played best."""
    shoe = left.copy()
    shoe[pair] += table.removal  # the kernel removes the hand's own card itself
    single = int(CHILD[0, pair])
    values = np.full((3, HANDS), np.nan)
    level = exact_kernels.split_level(table)
    if pair == ACE and not table.hit_split_aces:
        stands = np.zeros((3, HANDS), np.int8)
        value = exact_kernels.played_value(left, upcard, single, stands, level, True, table)
        return 2.0 * float(value)
    exact_kernels.best_play(shoe, upcard, single, level, table, values)
    return 2.0 * float(values[Action.HIT, single])


# Strategies: the best by cards, the best by totals, and those given by a table.


Actions = npt.NDArray[np.int8]
"""(10, 3, hands) actions by upcard, by what is allowed (`FIRST`, `NO_SPLIT`, `TO_HIT`), and by
hand."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strategy(HasTable):
    """An action for each hand against each upcard."""

    name: str
    rules: Rules
    actions: Actions
    insures: bool = False
    """Whether insurance is always taken, or never."""

    def action(self, hand: int, upcard: int, row: int = FIRST) -> Action:
        """Return the action for a hand, given by its number."""
        return Action(int(self.actions[upcard, row, hand]))

    def to_polars(self) -> pl.DataFrame:
        """Return the chart: a row for each total, soft total and pair, a column for each upcard."""
        from railbird.blackjack.chart import chart_of

        return table_of({"hand": hand, **cells} for hand, cells in chart_of(self).items())


@dataclass(frozen=True, slots=True, kw_only=True)
class GameValue(HasTable):
    """The value of a round, in wagers."""

    mean: float
    by_upcard: tuple[float, ...]
    """The value for each upcard A, 2, ... T."""
    insurance: float
    """The part of the mean that comes from insurance, which a strategy takes always or never."""


@checked
def optimal_strategy(rules: Rules, *, shoe: Shoe | None = None) -> Strategy:
    """Return the best play by the cards of each hand, for this shoe before the deal (CDZ-)."""
    return Strategy(name="optimal", rules=rules, actions=_solved(rules, shoe, by_total=False))


@checked
def basic_strategy(rules: Rules, *, shoe: Shoe | None = None) -> Strategy:
    """Return the best play by total or pair, and by the dealer's upcard."""
    return Strategy(name="basic", rules=rules, actions=_solved(rules, shoe, by_total=True))


def _solved(rules: Rules, shoe: Shoe | None, *, by_total: bool) -> Actions:
    shoe_before = full_shoe(rules) if shoe is None else shoe
    check_shoe(shoe_before, rules)
    values = np.full((RANKS, len(Action), HANDS), np.nan)
    actions = np.zeros((RANKS, 3, HANDS), np.int8)
    exact_kernels.solve_all(shoe_before, by_total, kernel_table(rules), values, actions)
    return actions


@checked
def game_value(strategy: Strategy, *, shoe: Shoe | None = None) -> GameValue:
    """Return the exact value of a round by a strategy; minus the mean is the house edge.

    ``shoe`` is the shoe before the deal, by default a full one.
    """
    rules = strategy.rules
    unseen = full_shoe(rules) if shoe is None else shoe
    check_shoe(unseen, rules)
    by_upcard = np.zeros(RANKS)
    mean = exact_kernels.fill_game_values(unseen, strategy.actions, kernel_table(rules), by_upcard)
    insurance = 0.0
    if strategy.insures and unseen[ACE] > 0:
        # The open ace can be no hole card; with infinitely many decks no card is missed.
        rest = unseen.sum() - float(rules.decks > 0)
        insurance = float(unseen[ACE] / unseen.sum() * (3.0 * unseen[TEN] / rest - 1.0) / 2.0)
        by_upcard[ACE] += (3.0 * unseen[TEN] / rest - 1.0) / 2.0
    return GameValue(
        mean=float(mean) + insurance,
        by_upcard=tuple(float(value) for value in by_upcard),
        insurance=insurance,
    )


Cell = str
"""A cell of a chart: S, H, D (otherwise hit), Ds (otherwise stand), P, or R and what else to do."""

_FALLBACK = {
    "S": (Action.STAND, Action.STAND),
    "H": (Action.HIT, Action.HIT),
    "D": (Action.DOUBLE, Action.HIT),
    "Ds": (Action.DOUBLE, Action.STAND),
}
"""What to do if splitting is not allowed, and if doubling is not allowed either."""


@checked
def strategy_of_chart(name: str, rules: Rules, chart: Mapping[str, Mapping[str, Cell]]) -> Strategy:
    """Make a strategy from the rows of a chart; see `railbird.blackjack.chart.Chart`.

    Hands between two rows of a kind are played like the nearest row. A soft 18 or more stands if it
    may not be doubled. Raises `BadInput` for an unknown cell.
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
                # A pair that the chart neither splits nor surrenders has a row of its own all the
                # same, such as 5,5, which is doubled where the total 10 may not be.
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
