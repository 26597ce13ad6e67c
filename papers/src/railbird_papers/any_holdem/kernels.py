"""Hands between value policies that deviate at random, played by the rules engine.

The arena's players of six-handed no-limit are either too plain for a study of estimators, or take
an hour for a million hands. Here the baseline of decision-by-decision DIVAT plays, with different
settings for each player.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.assessment.divat.any_game_kernels import choose, count_seats
from railbird.assessment.own_luck_kernels import flop_rank, river_rank, turn_rank
from railbird.cards.splitmix_kernels import GOLDEN, mixed_bits
from railbird.cards.tables import HOLDING_INDEX
from railbird.game import kernels as at
from railbird.game.kernels import (
    apply_action,
    below,
    block_of,
    copy,
    next_street,
    open_street,
    settle_pots,
    take_card,
    take_holding,
    weigh_hands,
)
from railbird.players.compiled_kernels import RankTables

HONEST = 0
SOFT_PLAY = 1
SQUEEZE = 2
_STRONG = 0.9
"""Least rank of a colluders' hand that is worth a squeeze."""
_HALF_POT = 0.5


class WrittenHands(NamedTuple):
    """The arrays to which hands are written."""

    holding: np.ndarray
    """(hands, seats) int16."""
    board: np.ndarray
    """(hands, 5) uint8; 0 beyond those dealt."""
    dealt: np.ndarray
    """(hands,) uint8."""
    start: np.ndarray
    """(hands + 1,) int64."""
    action: np.ndarray
    """(room,) int64."""
    payoff: np.ndarray
    """(hands, seats) int64, chips times the denominator."""


@inline_kernel
def unit(state: np.uint64) -> float:
    """A number from 0 up to 1."""
    return float(mixed_bits(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@uncounted_kernel
def rank_of(
    hand: np.ndarray, seat: int, bettable: np.ndarray, percentile: np.ndarray, tables: RankTables
) -> float:
    """Rank of a seat's holding against one opponent on the present board."""
    holding = hand[block_of(seat) + at.HOLDING]
    a, b, c = hand[at.BOARD], hand[at.BOARD + 1], hand[at.BOARD + 2]
    d, e = hand[at.BOARD + 3], hand[at.BOARD + 4]
    street = hand[at.STREET]
    if street == 0:
        rank = float(percentile[holding])
    elif street == 1:
        rank = flop_rank(a, b, c, holding, bettable[1], tables)
    elif street == 2:
        rank = turn_rank(a, b, c, d, holding, bettable[2], tables)
    else:
        rank = river_rank(a, b, c, d, e, holding, tables)
    return rank


@inline_kernel
def deviate(hand: np.ndarray, state: np.uint64) -> int:
    """Draw a legal action: fold, call, the least raise or one of half the pot."""
    may_fold = hand[at.TO_CALL] > 0
    may_raise = hand[at.NO_RAISE] == 0
    drawn = np.int64(below(mixed_bits(state), np.uint64(1 + may_fold + may_raise))) - may_fold
    action = at.CALL
    if drawn < 0:
        action = at.FOLD
    elif drawn > 0:
        action = hand[at.LOW_TO]
        if hand[at.BETTING] != at.LIMIT and mixed_bits(state + GOLDEN) & np.uint64(1):
            size = int(_HALF_POT * (hand[at.POT] + hand[at.TO_CALL]))
            action = min(max(action, hand[at.BET] + size), hand[at.HIGH_TO])
    return int(action)


@uncounted_kernel
def collude(
    hand: np.ndarray,
    seat: int,
    partner: int,
    how: int,
    action: int,
    bettable: np.ndarray,
    percentile: np.ndarray,
    tables: RankTables,
) -> int:
    """Change the action that one of two partners would take."""
    if hand[at.ALIVE] >> partner & 1 == 0:
        return action
    alone = count_seats(hand[at.ALIVE]) == 2
    if alone and action > 0:
        return at.CALL
    if how == SQUEEZE and not alone and hand[at.NO_RAISE] == 0:
        mine = rank_of(hand, seat, bettable, percentile, tables)
        other = rank_of(hand, partner, bettable, percentile, tables)
        if max(mine, other) > _STRONG:
            return int(hand[at.LOW_TO])
    return action


@kernel
def play_hands(
    first: int,
    end: int,
    opened: np.ndarray,
    seed: np.ndarray,
    order: np.ndarray,
    spaces: np.ndarray,
    deviation: np.ndarray,
    how: int,
    percentile: np.ndarray,
    tables: RankTables,
    hand: np.ndarray,
    played: WrittenHands,
) -> int:
    """Play hands ``first`` to ``end``; return the first that has no room for its actions, or end.

    ``seed`` (hands,) uint64, ``order`` (hands, seats) the player in each seat, ``spaces``
    (players,) of the policies' `SPACE`, ``deviation`` (players,) the chance to draw an action
    instead. Players 0 and 1 are partners if ``how`` says so.
    """
    seats = opened[at.SEATS]
    length = at.HEADER + at.STRIDE * seats
    deck = np.empty(52, dtype=np.uint8)
    used = played.start[first]
    for i in range(first, end):
        state = seed[i]
        for card in range(52):
            deck[card] = card
        for k in range(2 * seats + 5):
            state += GOLDEN
            j = k + np.int64(below(mixed_bits(state), np.uint64(52 - k)))
            card = deck[j]
            deck[j] = deck[k]
            deck[k] = card
        copy(opened, hand, length)
        for seat in range(seats):
            holding = int(HOLDING_INDEX[deck[2 * seat], deck[2 * seat + 1]])
            played.holding[i, seat] = holding
            take_holding(hand, seat, holding)
        open_street(hand)
        while hand[at.PHASE] == at.BETTING_ROUND or hand[at.PHASE] == at.DEALING_BOARD:
            if hand[at.PHASE] == at.DEALING_BOARD:
                size = hand[at.BOARD_SIZE]
                for k in range(size, max(size + 1, 3)):
                    card = deck[2 * seats + k]
                    played.board[i, k] = card
                    take_card(hand, card)
                next_street(hand)
                open_street(hand)
                continue
            seat = hand[at.ACTOR]
            who = order[i, seat]
            space = spaces[who]
            bettable = space["bettable"]
            rank = rank_of(hand, seat, bettable, percentile, tables)
            space["rank"][hand[at.STREET], seat] = rank
            action = choose(hand, space)
            state += GOLDEN
            if unit(state) < deviation[who]:
                state += GOLDEN
                action = deviate(hand, state)
            if how != HONEST and who < 2:
                partner = 0
                for other in range(seats):
                    if order[i, other] == 1 - who:
                        partner = other
                action = collude(hand, seat, partner, how, action, bettable, percentile, tables)
            if used == len(played.action):
                return i
            played.action[used] = action
            used += 1
            apply_action(hand, action)
        if hand[at.PHASE] == at.SHOWDOWN:
            weigh_hands(hand)
            settle_pots(hand)
        played.dealt[i] = hand[at.BOARD_SIZE]
        for seat in range(seats):
            played.payoff[i, seat] = hand[block_of(seat) + at.PAYOFF]
        played.start[i + 1] = used
    return end
