"""Kernels of compiled players of any game, on the engine's vector.

They decide as the players of `simple` and the policy of `railbird.baseline` do; `loki.kernels` has
the decisions of Lokis.

An action is the engine's code: `FOLD`, `CALL`, or the total of a raise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, uncounted_kernel
from railbird.baseline import kernels as baseline
from railbird.cards import CLASS_OF_HOLDING
from railbird.cards.isomorphism_kernels import COLUMN, index_of_3, index_of_4, index_of_5
from railbird.cards.splitmix_kernels import GOLDEN, mixed_bits
from railbird.game import kernels as at
from railbird.players.seeds import UNIT

# Layout of the arrays that describe compiled players.


# Kinds of players.
WEIGHTED = 0
BASELINE = 1
LOKI = 2

# Columns of a weighted player's row.
FOLD = 0
"""Column with the weight of folding to a bet."""
CALL = 1
"""Column with the weight of checking or calling."""
RAISE = 2
"""Column with the weight of betting or raising."""
SIZE = 3
"""Column with the kind of size of raises."""
ROW = 4

# Sizes of raises.
MIN = 0
POT = 1
MAX = 2
RANDOM = 3


# The decisions.


_11 = np.uint64(11)


class Policies(NamedTuple):
    """Compiled players, one in each row."""

    kind: np.ndarray
    """(players,) int64."""
    weights: np.ndarray
    """(players, ROW) float64, for weighted players."""
    bettable: np.ndarray
    """(players, 4) int64, for baseline players; see `railbird.baseline.Cutoffs`."""
    make: np.ndarray
    """(players, 4, 4) int64."""
    fold: np.ndarray
    """(players, 4, contributions) int64."""


class RankTables(NamedTuple):
    """The arrays of `railbird.odds.Tables` that determine an effective hand rank."""

    flop_start: np.ndarray
    flop_pattern: np.ndarray
    turn_start: np.ndarray
    turn_pattern: np.ndarray
    river_start: np.ndarray
    river_pattern: np.ndarray
    preflop_ihr: np.ndarray
    flop_ihr: np.ndarray
    turn_ihr: np.ndarray
    river_ihr: np.ndarray
    preflop_hr7: np.ndarray
    flop_hr7: np.ndarray
    turn_hr7: np.ndarray


@inline_kernel
def next_number(streams: np.ndarray, player: int) -> np.uint64:
    """Return the next number of a player's SplitMix64."""
    streams[player] += GOLDEN
    number: np.uint64 = mixed_bits(streams[player])
    return number


@inline_kernel
def next_fraction(streams: np.ndarray, player: int) -> float:
    """Return the next number of a player's stream as a fraction, from 0 to below 1."""
    return np.float64(next_number(streams, player) >> _11) * UNIT


@inline_kernel
def raise_to(hand: np.ndarray, size: int, streams: np.ndarray, player: int) -> int:
    """Return the total of a raise of a kind of size, or the nearest legal one."""
    low: int = hand[at.LOW_TO]
    high: int = hand[at.HIGH_TO]
    to = low
    if size == MAX:
        to = high
    elif size == POT:
        to = min(max(hand[at.BET] + hand[at.POT] + hand[at.TO_CALL], low), high)
    elif size == RANDOM and high > low:
        to = low + int(next_number(streams, player) % np.uint64(high - low + 1))
    return to


@inline_kernel
def choose_by_weight(
    hand: np.ndarray, weights: np.ndarray, streams: np.ndarray, player: int
) -> int:
    """Return an action drawn by the weights of the possible ones; a call if all are zero.

    Nothing is drawn if one action has all the weight.
    """
    fold = weights[player, FOLD] if hand[at.TO_CALL] > 0 else 0.0
    call = weights[player, CALL]
    bet = weights[player, RAISE] if hand[at.NO_RAISE] == 0 else 0.0
    total = fold + call + bet
    drawn = 0.0
    if total != call and total != fold and total != bet:
        drawn = next_fraction(streams, player) * total
    if total != call and (total == fold or drawn < fold):
        action = at.FOLD
    elif total == call or drawn < fold + call:
        action = at.CALL
    else:
        action = raise_to(hand, int(weights[player, SIZE]), streams, player)
    return action


@inline_kernel
def effective_rank(
    hand: np.ndarray, seat: int, bettable: np.ndarray, tables: RankTables
) -> np.int64:
    """Return a seat's effective hand rank, a whole number of the street's `RANK_UNITS`."""
    holding = hand[at.HEADER + at.STRIDE * seat + at.HOLDING]
    street = hand[at.STREET]
    a, b, c = hand[at.BOARD], hand[at.BOARD + 1], hand[at.BOARD + 2]
    d, e = hand[at.BOARD + 3], hand[at.BOARD + 4]
    rank = np.int64(0)
    if street == 0:
        kind = CLASS_OF_HOLDING[holding]
        rank = baseline.preflop_rank(
            np.int64(tables.preflop_ihr[kind]), np.int64(tables.preflop_hr7[kind]), bettable[0]
        )
    elif street == 1:
        board = index_of_3(a, b, c)
        entry = tables.flop_start[board] + COLUMN[tables.flop_pattern[board], holding]
        rank = baseline.flop_ehr(
            np.int64(tables.flop_ihr[entry]),
            np.int64(tables.flop_hr7[entry]),
            bettable[1],
        )
    elif street == 2:
        board = index_of_4(a, b, c, d)
        entry = tables.turn_start[board] + COLUMN[tables.turn_pattern[board], holding]
        rank = baseline.turn_ehr(
            np.int64(tables.turn_ihr[entry]),
            np.int64(tables.turn_hr7[entry]),
            bettable[2],
        )
    else:
        board = index_of_5(a, b, c, d, e)
        entry = tables.river_start[board] + COLUMN[tables.river_pattern[board], holding]
        rank = np.int64(tables.river_ihr[entry])
    return rank


@inline_kernel
def choose_by_rank(hand: np.ndarray, policies: Policies, tables: RankTables, player: int) -> int:
    """Return the baseline's action; heads-up limit only."""
    seat = hand[at.ACTOR]
    street = hand[at.STREET]
    block = at.HEADER + at.STRIDE * seat
    rank = effective_rank(hand, seat, policies.bettable[player], tables)
    contribution = (hand[block + at.LIVE] - hand[block + at.IN]) // hand[at.BET_SIZE]
    own = baseline.class_of_rank(
        rank, street, contribution, policies.make[player], policies.fold[player]
    )
    bets = hand[at.RAISES] + (street == 0)
    choice = baseline.class_action(own, bets, hand[at.TO_CALL] > 0)
    action = at.CALL
    if choice == baseline.RAISE and hand[at.NO_RAISE] == 0:
        action = hand[at.LOW_TO]
    elif choice == baseline.FOLD:
        action = at.FOLD
    return action


@uncounted_kernel
def rank_of_actor(hand: np.ndarray, bettable: np.ndarray, tables: RankTables) -> np.int64:
    """Return the effective hand rank of the seat to act."""
    return effective_rank(hand, hand[at.ACTOR], bettable, tables)
