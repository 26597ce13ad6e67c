"""Exact values of what a player may do with a hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum

import numpy as np

from railbird.blackjack.exact import _kernels_split, _kernels_strategy, _kernels_values
from railbird.blackjack.exact._kernels_values import Table
from railbird.blackjack.exact._tables_hands import ACE, BLACKJACK, CHILD, HANDS, PAIRED, TEN, TOTAL
from railbird.blackjack.rules import Doubles, HoleCard, Rules, Soft17, Surrender
from railbird.blackjack.shoe import Shoe, cards_text, check_shoe, full_shoe, without
from railbird.errors import BadInput


class Action(IntEnum):
    """What a player may do, numbered as in the kernels."""

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
    """Play of a split hand that the value of a split assumes."""

    AS_BEFORE = "CDZ-"
    """Each hand as if it were the only one, by its own cards: exact with re-splits, too."""
    BEST = "CDP1"
    """Best by its own cards and both cards of the pair; exact where nothing is split again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandValues:
    """Values in wagers; nan where an action is not allowed.

    If the dealer peeks they hold once there is no blackjack; early surrender is put into the same
    terms.
    """

    stand: float
    hit: float
    double: float
    split: float
    surrender: float
    insurance: float
    """Of a side bet of half the wager, before the dealer peeks; nan against other cards than aces.
    """
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


def kernel_table(rules: Rules) -> Table:
    """Return the rules as the kernels read them."""
    least = {Doubles.ANY: 0, Doubles.NINE_TO_ELEVEN: 9, Doubles.TEN_OR_ELEVEN: 10}
    return Table(
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


def hand_number(ranks: Sequence[int]) -> int:
    """Return the place of a hand in the tables. Raises `BadInput` for more than 21 points."""
    hand = 0
    for rank in ranks:
        hand = int(CHILD[hand, rank])
        if hand < 0:
            raise BadInput(f"{cards_text(ranks, ',')}: more than 21")
    return hand


def hand_values(
    player: Sequence[int],
    upcard: int,
    rules: Rules,
    *,
    shoe: Shoe | None = None,
    after_split: AfterSplit = AfterSplit.AS_BEFORE,
) -> HandValues:
    """Return the exact values of the actions that the rules allow.

    ``player`` are two or more ranks, and ``shoe`` is what there was before the deal, a full one if
    it is not given. Raises `BadInput` for a hand of more than 21, for cards that the shoe lacks,
    and for best play after a split where the rules allow re-splits.

    >>> values = hand_values((3, 4), 6, Rules())
    >>> f"{values.hit:.5f} {values.double:.5f}"
    '0.17858 0.12516'
    """
    if after_split is AfterSplit.BEST and rules.resplits:
        raise BadInput(f"resplit={rules.resplits} with {after_split.value}; allowed: resplit=0")
    hand = hand_number(player)
    before = full_shoe(rules) if shoe is None else shoe
    check_shoe(before, rules)
    table = kernel_table(rules)
    open_ = without(before, [upcard]) if table.removal else before
    left = without(open_, player) if table.removal else before
    pair = int(PAIRED[hand])
    start = int(CHILD[0, pair]) if pair >= 0 else hand
    values = np.full((len(Action), HANDS), np.nan)
    strategy = np.zeros((3, HANDS), np.int8)
    _kernels_strategy.solve(open_, upcard, start, table, values, strategy)
    mine = values[:, hand].copy()
    if len(player) > 2:
        mine[Action.DOUBLE :] = np.nan
    if hand == BLACKJACK or TOTAL[hand] == 21:
        mine[Action.HIT :] = np.nan
    if hand == BLACKJACK:
        mine[Action.STAND] = table.payout
    elif after_split is AfterSplit.BEST and pair >= 0 and len(player) == 2:
        mine[Action.SPLIT] = _best_split(left, upcard, pair, table)
    natural = _kernels_split.natural_probability(left, upcard, table)
    if natural >= 1.0 and table.peeks:
        raise BadInput("the dealer surely has a blackjack; allowed: a shoe with other hole cards")
    insurance = math.nan
    if upcard == ACE:
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


def _best_split(left: Shoe, upcard: int, pair: int, table: Table) -> float:
    """Twice the value of a hand that begins with one card of the pair, played best."""
    shoe = left.copy()
    shoe[pair] += table.removal  # the kernel takes the hand's own card from it
    one = int(CHILD[0, pair])
    values = np.full((3, HANDS), np.nan)
    level = _kernels_split.split_level(table)
    if pair == ACE and not table.hit_split_aces:
        stands = np.zeros((3, HANDS), np.int8)
        value = _kernels_values.played_value(left, upcard, one, stands, level, True, table)
        return 2.0 * float(value)
    _kernels_values.best_play(shoe, upcard, one, level, table, values)
    return 2.0 * float(values[Action.HIT, one])
