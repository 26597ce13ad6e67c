"""Hand strength and potential: being ahead now, and the probability of a change (Papp 1998, ch. 5).

Everything is exact, against one opponent with weights (1326,) or any two cards. Against several
opponents the strength is raised to the power of their number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb
from operator import index

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import DECK, HOLDING_INDEX, HOLDINGS, Card, CardsLike, HoldingLike, cards_from
from railbird.errors import BadInput
from railbird.odds._checks import (
    WeightsLike,
    check_cards,
    check_opponents,
    known_cards,
    weights_from,
)
from railbird.odds.potential._kernels_ahead_behind import count_standings
from railbird.odds.tables._kernels_runouts import compare_runouts, rank_runouts, strength_of_all

AHEAD, TIED, BEHIND = range(3)
"""Rows and columns of `Potential.table`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Potential:
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
    """Return the strength of each holding after each turn and river, (1326, 1176).

    They take a few milliseconds per flop; a holding's potential is then a comparison of rows.
    """
    left = np.setdiff1d(np.array(DECK), np.array(flop))
    first, second = np.triu_indices(len(left), 1)
    to_come = HOLDING_INDEX[left[first], left[second]].astype(np.int64)
    strengths = np.empty((HOLDINGS, len(to_come)), dtype=np.uint16)
    rank_runouts(np.array(flop, dtype=np.uint8), to_come, strengths)
    return strengths


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
