"""Hand strength and potential: being ahead now, and how that may change (Papp 1998, ch. 5).

Everything is exact against one opponent with weights (1326,) or any two cards. Against several
opponents the strength is raised to the power of their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod
from operator import index
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird._display import HasTable, table_of
from railbird.cards import (
    DECK,
    HOLDING_CARDS,
    HOLDING_INDEX,
    HOLDINGS,
    Card,
    CardsLike,
    Holding,
    HoldingLike,
    Range,
    RangeLike,
    cards_from,
    cards_of,
    range_from,
    strengths,
)
from railbird.errors import BadInput
from railbird.odds.arguments import (
    WeightsLike,
    check_cards,
    check_opponents,
    known_cards,
    weights_from,
)
from railbird.odds.rank_kernels import (
    compare_runouts,
    count_standings,
    rank_runouts,
    strength_of_all,
)

if TYPE_CHECKING:
    import polars as pl

AHEAD, TIED, BEHIND = range(3)
"""Rows and columns of `Potential.table`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Potential(HasTable):
    """Changes of a holding's rank by one or two further cards."""

    table: tuple[tuple[float, ...], ...]
    """``table[now][then]``, each `AHEAD`, `TIED` or `BEHIND`: opponents' holdings times boards.

    Integers for an opponent with any two cards, otherwise sums of weights.
    """

    @property
    def ppot(self) -> float:
        """Positive potential: the probability of overtaking, ties half; 0 if never behind."""
        behind, tied = self.table[BEHIND], self.table[TIED]
        gained = behind[AHEAD] + behind[TIED] / 2 + tied[AHEAD] / 2
        return _ratio(gained, sum(behind) + sum(tied) / 2)

    @property
    def npot(self) -> float:
        """Negative potential: the probability of falling behind, ties half; 0 if never ahead."""
        ahead, tied = self.table[AHEAD], self.table[TIED]
        lost = ahead[BEHIND] + ahead[TIED] / 2 + tied[BEHIND] / 2
        return _ratio(lost, sum(ahead) + sum(tied) / 2)

    @property
    def hs(self) -> float:
        """Current hand strength: the share of the opponent's holdings that are behind, ties half.

        All of the opponent's holdings have the same number of completions, so they count equally.
        """
        ahead, tied, behind = map(sum, self.table)
        return _ratio(ahead + tied / 2, ahead + tied + behind)

    @property
    def ehs(self) -> float:
        """Effective hand strength, HS + (1 - HS) PPot - HS NPot.

        With all cards to come it is the exact equity at showdown.
        """
        return self.hs + (1 - self.hs) * self.ppot - self.hs * self.npot

    @property
    def optimistic_ehs(self) -> float:
        """EHS', which ignores the negative potential, HS + (1 - HS) PPot."""
        return self.hs + (1 - self.hs) * self.ppot

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each standing now, with ``table``'s columns for the standings then."""
        standings = ("ahead", "tied", "behind")
        return table_of(
            {"now": now, **dict(zip(standings, row, strict=True))}
            for now, row in zip(standings, self.table, strict=True)
        )


@checked
def potential(
    hole: HoldingLike,
    board: CardsLike,
    *,
    to_come: int = 1,
    weights: WeightsLike | None = None,
) -> Potential:
    """Compare a holding with the opponent's, now and after ``to_come`` further cards.

    ``board`` has three or four cards, ``to_come`` is 1 or, on the flop, 2; ``weights`` (1326,) are
    non-negative weights of the opponent's holdings in any unit, or a range; equal by default.
    Holdings that share a card with the hole cards or the board are ignored.

    Raises `BadInput` if fewer cards are to come, or for weights of another shape.

    >>> odds = potential("AdQc", "3h4cJh", to_come=2)
    >>> odds.table
    ((449005, 3211, 169504), (0, 8370, 540), (91981, 1036, 346543))
    >>> f"{odds.hs:.6f} {odds.ppot:.6f} {odds.npot:.6f} {odds.ehs:.6f}"
    '0.585106 0.208324 0.273693 0.511399'
    """
    holding, board = known_cards(hole, board)
    to_come = index(to_come)
    if len(board) < 3 or not 1 <= to_come <= 5 - len(board):
        raise BadInput(
            f"potential of {to_come} cards to come on a board of {len(board)}; "
            "allowed: 1 or 2 on the flop, 1 on the turn"
        )
    chances = weights_from(weights)
    table = np.zeros((3, 3), dtype=chances.dtype)
    completions = comb(50 - len(board), to_come)
    cards = np.array(board, dtype=np.uint8)
    if to_come == 2:
        # The ranks after the flop do not depend on the holding or the range, so they are kept for
        # the next question about the same flop.
        strengths = _runouts(tuple(sorted(board)))
        compare_runouts(holding, cards, chances, strengths, comb(48 - len(board), 2), table)
    else:
        count_standings(holding, cards, chances, to_come, completions, table)
    return Potential(table=tuple(map(tuple, table.tolist())))


@checked
def hand_strength(
    hole: HoldingLike,
    board: CardsLike,
    *,
    weights: WeightsLike | None = None,
    opponents: int = 1,
) -> float:
    """Return the probability of being ahead of all opponents, each dealt from a deck of their own.

    It is HS against one, ties counting half, to the power of their number.

    >>> f"{hand_strength('AdQc', '3h4cJh', opponents=5):.6f}"
    '0.068576'
    """
    holding, board = known_cards(hole, board)
    if len(board) < 3:
        raise BadInput("hand strength before the flop is not defined; allowed: boards of 3 to 5")
    check_opponents(opponents)
    chances = weights_from(weights)
    table = np.zeros((3, 3), dtype=chances.dtype)
    # With no cards to come, nothing changes.
    count_standings(holding, np.array(board, dtype=np.uint8), chances, 0, 1, table)
    return Potential(table=tuple(map(tuple, table.tolist()))).hs ** opponents


@checked
def hand_strengths(
    board: CardsLike, *, weights: WeightsLike | None = None
) -> npt.NDArray[np.float64]:
    """Return the hand strength of every holding, (1326,); NaN if it shares a card with the board.

    ``weights`` (1326,) are the opponent's holdings' weights in any unit; each holding is compared
    with those that share no card with it, ties counting half. 0 if there are none.

    >>> from railbird.cards import parse_holding
    >>> f"{hand_strengths('3h4cJh')[parse_holding('AdQc')]:.6f}"
    '0.585106'
    """
    board = cards_from(board)
    check_cards(board, board=board)
    if len(board) < 3:
        raise BadInput("hand strength before the flop is not defined; allowed: boards of 3 to 5")
    shares = np.empty(HOLDINGS)
    chances = weights_from(weights).astype(np.float64, copy=False)
    strength_of_all(np.array(board, dtype=np.uint8), chances, shares)
    return shares


@lru_cache(maxsize=8)
def _runouts(flop: tuple[Card, ...]) -> npt.NDArray[np.uint16]:
    """Return the strength of every holding after each turn and river, (1326, 1176).

    This takes a few milliseconds per flop; a holding's potential is then a comparison of rows.
    """
    left = np.setdiff1d(np.array(DECK), np.array(flop))
    first, second = np.triu_indices(len(left), 1)
    to_come = HOLDING_INDEX[left[first], left[second]].astype(np.int64)
    strengths = np.empty((HOLDINGS, len(to_come)), dtype=np.uint16)
    rank_runouts(np.array(flop, dtype=np.uint8), to_come, strengths)
    return strengths


def _ratio(part: float, total: float) -> float:
    return part / total if total > 0 else 0.0


# Exact strength against two or three opponents who cannot hold the same card.


@checked
def joint_hand_strength(
    hole: HoldingLike,
    board: CardsLike,
    first: WeightsLike,
    second: WeightsLike,
    third: WeightsLike | None = None,
) -> float:
    """Return the probability of being ahead of two or three opponents with weights (1326,).

    A tie with one of them counts half. The sum over pairs of holdings without a common card is the
    sum over all pairs minus the pairs that share a card, which takes 52 products instead of a
    million. With a third opponent this is done for each of its holdings.

    Raises `BadInput` before the flop, and if the known cards leave them no holdings.

    >>> f"{joint_hand_strength('AdQc', '3h4cJh', 'random', 'random'):.4f}"
    '0.3350'
    """
    holding, board = known_cards(hole, board)
    known = [*cards_of(holding), *board]
    if len(board) < 3:
        raise BadInput("hand strength before the flop is not defined; allowed: boards of 3 to 5")
    free = np.flatnonzero(~np.isin(HOLDING_CARDS, known).any(axis=1))
    ahead = _standing(holding, board, free)
    given = (first, second) if third is None else (first, second, third)
    arrays = [weights_from(weights).astype(np.float64)[free] for weights in given]
    disjoint = _disjoint if third is None else _disjoint_of_three
    total = disjoint(free, *arrays)
    if not total > 0:
        number = "two" if third is None else "three"
        raise BadInput(f"the known cards leave {number} opponents no holdings of these ranges")
    return disjoint(free, *(array * ahead for array in arrays)) / total


def _standing(
    hole: Holding, board: Sequence[Card], free: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return 1, 1/2 or 0 for being ahead of, tied with or behind each free holding."""
    hands = np.empty((free.size + 1, 2 + len(board)), np.uint8)
    hands[:-1, :2] = HOLDING_CARDS[free]
    hands[-1, :2] = HOLDING_CARDS[hole]
    hands[:, 2:] = board
    all_strengths = strengths(hands).astype(np.int64)
    standing: npt.NDArray[np.float64] = (np.sign(all_strengths[-1] - all_strengths[:-1]) + 1) / 2
    return standing


def _disjoint(
    free: npt.NDArray[np.int64], first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]
) -> float:
    """Return the sum of the products over all pairs of holdings without a common card.

    Each pair that shares a card is subtracted with that card. A holding paired with itself is
    subtracted with both of its cards, once too often, and is added back.
    """
    cards = HOLDING_CARDS[free]
    by_card = [
        sum(np.bincount(cards[:, side], weights, minlength=52) for side in range(2))
        for weights in (first, second)
    ]
    shared = float(np.dot(by_card[0], by_card[1])) - float(first @ second)
    return float(first.sum() * second.sum()) - shared


def _disjoint_of_three(
    free: npt.NDArray[np.int64],
    first: npt.NDArray[np.float64],
    second: npt.NDArray[np.float64],
    third: npt.NDArray[np.float64],
) -> float:
    """Return the sum of the products over all triples of holdings without a common card.

    For each holding of the first range, the sum over pairs of the others without its cards is
    computed as in `_disjoint`.
    """
    x, y = HOLDING_CARDS[free].T
    rows, sums = np.arange(free.size), []
    by_card = []
    for weights in (second, third, second * third):
        pairs = np.zeros((52, 52))
        pairs[x, y] = pairs[y, x] = weights
        cards = pairs.sum(axis=0)
        # Holdings with either card of the first player's are subtracted; the holding itself has
        # both and would be subtracted twice.
        sums.append(weights.sum() - cards[x] - cards[y] + weights)
        left = cards - pairs[x] - pairs[y]
        # The sums by card are of the two other players, who have neither card of the first.
        left[rows, x] = left[rows, y] = 0.0
        by_card.append(left)
    shared = (by_card[0] * by_card[1]).sum(axis=1) - sums[2]
    return float(first @ (sums[0] * sums[1] - shared))


# Strength and potential of one holding against opponents with given ranges (Papp 1998).


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOdds(HasTable):
    """The odds of a holding against some ranges; None if undefined on the street."""

    hs: float
    """Probability of being ahead of all opponents now, as a product over them."""
    hs_field: float
    """The same by the field array: strength against the average opponent to the power of n."""
    ppot1: float | None
    """Positive potential with one card to come, against the field array; flop and turn."""
    ppot2: float | None
    """Positive potential with two cards to come; flop."""
    npot1: float | None
    npot2: float | None
    ehs: float
    """HS + (1 - HS) PPot - HS NPot, with all cards to come."""
    optimistic_ehs: float
    """EHS', which ignores the negative potential."""


@checked
def model_odds(hole: HoldingLike, board: CardsLike, models: Sequence[RangeLike]) -> ModelOdds:
    """Compute strength and potential against one range for each opponent.

    Potential is against the field array, the mean of the opponents' arrays, each normalised over
    the holdings that the known cards leave.

    Raises `BadInput` before the flop, and for a range that the known cards leave empty.

    >>> odds = model_odds("AdQc", "3h4cJh", ["random"])
    >>> f"{odds.hs:.6f} {odds.ppot2:.6f} {odds.ehs:.6f} {odds.optimistic_ehs:.6f}"
    '0.585106 0.208324 0.511399 0.671539'
    """
    holding, board = known_cards(hole, board)
    if len(board) < 3:
        raise BadInput("strength against a model is defined from the flop on; name a board")
    if not models:
        raise BadInput("no model; allowed: one range for each opponent")
    arrays = [_chances(range_from(model), holding, board) for model in models]
    field = np.mean(arrays, axis=0)
    one_card = potential(holding, board, to_come=1, weights=field) if len(board) < 5 else None
    two_cards = potential(holding, board, to_come=2, weights=field) if len(board) == 3 else None
    hs = prod(hand_strength(holding, board, weights=array) for array in arrays)
    final = two_cards or one_card
    ppot, npot = (final.ppot, final.npot) if final else (0.0, 0.0)
    return ModelOdds(
        hs=hs,
        hs_field=hand_strength(holding, board, weights=field, opponents=len(models)),
        ppot1=one_card.ppot if one_card else None,
        ppot2=two_cards.ppot if two_cards else None,
        npot1=one_card.npot if one_card else None,
        npot2=two_cards.npot if two_cards else None,
        ehs=hs + (1 - hs) * ppot - hs * npot,
        optimistic_ehs=hs + (1 - hs) * ppot,
    )


def _chances(model: Range, hole: Holding, board: Sequence[Card]) -> NDArray[np.float64]:
    """Return a range's normalised weights, given the known cards."""
    weights = model.without([*cards_of(hole), *board]).weights
    if not weights.sum() > 0:
        raise BadInput(f"the known cards leave nothing of the range {model}")
    chances: NDArray[np.float64] = weights / weights.sum()
    return chances
