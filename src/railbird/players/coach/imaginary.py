"""What each expert would have won in a hand that another one played.

Of experts whose probabilities are known for all holdings, the hand tells what they would have won
on average with all holdings that the opponent cannot tell apart (imaginary observations; Bowling,
Johanson, Burch and Szafron 2008): with reach(h) the probability of the own actions with holding h,

    estimate = sum of reach_expert(h) won(h) / sum of reach_played(h)

over the holdings h for which the hand would have looked the same. It has no bias if whoever played
takes every action at times: what it never does it cannot tell of. Where the opponent's cards are
shown, these are the ones for which it would have shown them. Where it mucked, what other holdings
would have won is not known, and only the actual one counts. After a fold, all holdings win alike;
which of them share a card with the opponent's is not known, and ignored.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDING_CARDS, HOLDINGS, Holding
from railbird.cards.hand_strength.strength import strengths
from railbird.game import BOARD_CARDS
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.limit.betting_tree import Place
from railbird.solve.real_game.opponents import BoardStrategy, BoardTable

Floats = npt.NDArray[np.float64]


class Decided(NamedTuple):
    """An own action: where, and its slot."""

    place: Place
    slot: int


class Ending(NamedTuple):
    """How a hand ended, for one seat."""

    board: npt.NDArray[np.uint8]
    holding: Holding
    won: float
    """In any unit, as are the estimates."""
    staked: float
    """What each player put in, in the same unit; of no matter without a showdown."""
    at_showdown: bool
    shown: Holding | None
    """The opponent's holding, if it was shown."""
    opponent_first: bool
    """Whether the opponent had to show first, whatever it held."""


def reach(strategy: BoardStrategy, board: npt.NDArray[np.uint8], decided: list[Decided]) -> Floats:
    """Return (1326,) the probability of one's own actions by holding; 0 for blocked ones."""
    reached = np.ones(HOLDINGS)
    tables: list[BoardTable] = []
    for (street, sequence, _), slot in decided:
        while len(tables) <= street:
            cards = board[: BOARD_CARDS[len(tables)]]
            tables.append(strategy.on(cards, tables[-1] if tables else None))
        table, rows = tables[street]
        lane = strategy.tree.rounds[street].lane(slot, sequence)
        reached *= table[np.maximum(rows, 0), lane]
    reached[is_blocked(board)] = 0.0
    return reached


def estimates(ending: Ending, reaches: list[Floats | None], played: int) -> list[float | None]:
    """Return what each expert would have won; None where that is not told.

    ``reaches`` are those of `reach`, None for experts of whom nothing is told. If the one that
    played is one of these, it is told only what it won.
    """
    own = reaches[played]
    if own is None:
        return [ending.won if number == played else None for number in range(len(reaches))]
    alike, won = _alike(ending)
    total = float(own[alike].sum())
    if not total > 0:
        return [None] * len(reaches)
    return [None if each is None else float(each[alike] @ won[alike]) / total for each in reaches]


def _alike(ending: Ending) -> tuple[npt.NDArray[np.bool_], Floats]:
    """Return which holdings would have led to the same hand, and what each would have won."""
    if not ending.at_showdown:
        return np.ones(HOLDINGS, dtype=np.bool_), np.full(HOLDINGS, ending.won)
    alike = np.zeros(HOLDINGS, dtype=np.bool_)
    if ending.shown is None:
        alike[ending.holding] = True
        return alike, np.full(HOLDINGS, ending.won)
    used = np.append(ending.board, HOLDING_CARDS[ending.shown])
    alike = ~is_blocked(used)
    cards = np.empty((HOLDINGS, 7), dtype=np.uint8)
    cards[:, :2], cards[:, 2:] = HOLDING_CARDS, ending.board
    live = alike.copy()
    live[ending.shown] = True
    strength = np.zeros(HOLDINGS, dtype=np.int64)
    strength[live] = strengths(cards[live])
    ahead = np.sign(strength - strength[ending.shown])
    if not ending.opponent_first:
        alike &= ahead <= 0  # otherwise it would have mucked
    return alike, ahead * ending.staked
