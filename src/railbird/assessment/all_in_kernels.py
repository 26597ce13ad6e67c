"""Kernels of `all_in` for any hold'em: hands replayed up to the all-in, pots divided on all boards.

Boards differ only in who beats whom. With up to four live hands the orders of strength are counted
first and each order is settled once, because settling a board takes several times as long as
ranking its hands. Five and more hands have too many orders and are settled board by board.
"""

# All-in equity replaces what a hand paid by the mean over all boards from the moment on at which
# nobody could act any more. `walk_to_the_end` finds that moment, by the engine and not by looking
# at stacks; `share_pots` deals the boards.
#
# The engine settles each pot, so that side pots, antes, odd chips and a rake with a rule are right
# without any code for them here. That makes `settle` the cost, and it depends on the board only
# through the order of the live hands. Hence the counting of orders: the six comparisons of four
# hands are a number in base three, the boards of each such number are counted, and one example of
# the strengths is kept to settle it with. Two hands before the flop need no boards at all, since
# the matrix of the odds room has counted them.
#
# Payoffs are added as integers, times the number of boards, and divided once at the end. A rake of
# which only the amount is known is taken afterwards (`take_rake`): the pots are fixed once the
# betting is over, so it is the same on every board.
#
# Whether known cards of folded hands are taken off the deck (``folded_known``) is the caller's
# decision, as it changes what is estimated.
#
# Who would notice: tests/assessment/test_all_in.py deals all boards one by one;
# tests/assessment/test_prizes.py knows that the luck is zero over all boards.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.assessment.statistics_kernels import at_stake
from railbird.cards.isomorphism_kernels import combination_at, to_successor
from railbird.cards.kernels import strength_of_key
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_KEY, HOLDING_MASK
from railbird.game import kernels as at
from railbird.game.kernels import (
    act_if_allowed,
    begin_street,
    block_of,
    chips_called,
    copy,
    is_single,
    level_of,
    next_street,
    settle_pots,
)

MOST_SEATS = 10
_FEW = 4
_ORDERS = 3**6
"""Orders of four hands, by their six pairwise comparisons."""
_PAIR_BOARDS = 1712304

WORK = np.dtype(
    [
        ("hand", np.int64, (at.HEADER + at.STRIDE * MOST_SEATS,)),
        ("total", np.int64, (MOST_SEATS,)),
        ("live", np.int64, (MOST_SEATS,)),
        ("deck", np.uint8, (52,)),
        ("strength", np.int64, (MOST_SEATS,)),
        ("count", np.int64, (_ORDERS,)),
        ("order", np.int64, (_ORDERS, _FEW)),
    ]
)
"""What one thread works on: the engine's vector, sums of payoffs, the live seats, the cards left,
the strengths of one board, and the boards of each order of few hands with an example of it."""


class AllInHands(NamedTuple):
    """Hands with possibly unknown folded cards; see `railbird.histories.columns.HandBatch`."""

    opened: np.ndarray
    rules_of: np.ndarray
    start: np.ndarray
    action: np.ndarray
    holding: np.ndarray
    board: np.ndarray
    rake: np.ndarray
    """(hands,) float64: rake in chips, whatever its rule."""


@uncounted_kernel
def walk_to_the_end(
    first: int, end: int, hands: AllInHands, work: np.ndarray, cards: np.ndarray, live: np.ndarray
) -> None:
    """Find all-ins: nobody can act, cards are to come, and two or more hands are live.

    Fills ``cards`` (hands,) int8, the number on the board at that point, -1 without an all-in, and
    ``live`` (hands,) int64, the mask of the seats still in.
    """
    for i in range(first, end):
        cards[i] = to_all_in(i, hands, work)
        live[i] = work[0]["hand"][at.ALIVE]


@inline_kernel
def to_all_in(i: int, hands: AllInHands, work: np.ndarray) -> int:
    """Play a hand up to the end of its decisions; return the cards on the board, or -1."""
    hand = work[0]["hand"][:]  # a plain array, for which the engine is compiled anyway
    opened = hands.opened[hands.rules_of[i]]
    length = at.HEADER + at.STRIDE * opened[at.SEATS]
    copy(opened, hand, length)
    begin_street(hand)
    j = hands.start[i]
    dealt = -1
    while True:
        if hand[at.PHASE] == at.DEALING_BOARD:
            if is_single(hand[at.ABLE]):
                dealt = 0 if hand[at.STREET] == 0 else 2 + hand[at.STREET]
                break
            next_street(hand)
            begin_street(hand)
        elif hand[at.PHASE] == at.BETTING_ROUND and j < hands.start[i + 1]:
            act_if_allowed(hand, hands.action[j])
            j += 1
        else:
            break
    return dealt


@uncounted_kernel
def share_pots(
    rows: np.ndarray,
    first: int,
    end: int,
    hands: AllInHands,
    cards: np.ndarray,
    folded_known: int,
    wins: np.ndarray,
    work: np.ndarray,
    chips: np.ndarray,
    stakes: np.ndarray,
) -> None:
    """Fill in the mean result over all boards of the hands ``rows[first:end]``, chips by seat.

    Fills ``stakes`` (hands, seats) with the chips of each seat `at_stake`, too.

    ``cards`` (hands,) is what `walk_to_the_end` found; the cards of all live seats are known.
    ``folded_known`` says whether known cards of those who folded are taken off the deck. ``wins``
    (1326, 1326) is the preflop matrix, which answers for two hands before the flop at once.
    """
    for k in range(first, end):
        i = rows[k]
        to_all_in(i, hands, work)
        hand = work[0]["hand"][:]
        for seat in range(hand[at.SEATS]):
            stakes[i, seat] = at_stake(hand, seat)
        share_one(hands, i, cards[i], folded_known, wins, work, chips[i])


@uncounted_kernel
def share_one(
    hands: AllInHands,
    i: int,
    dealt: int,
    folded_known: int,
    wins: np.ndarray,
    work: np.ndarray,
    chips: np.ndarray,
) -> None:
    """Fill in the mean result of one hand in which only cards are to come."""
    hand, live, total = work[0]["hand"], work[0]["live"], work[0]["total"]
    seats = hand[at.SEATS]
    key, mask = np.uint64(0), np.uint64(0)
    for c in range(dealt):
        hand[at.BOARD + c] = hands.board[i, c]
        key += CARD_KEY[hands.board[i, c]]
        mask |= CARD_MASK[hands.board[i, c]]
    dead = mask
    known, others = 0, 0
    for seat in range(seats):
        total[seat] = 0
        holding = int(hands.holding[i, seat])
        if hand[at.ALIVE] >> seat & 1:
            live[known] = seat
            known += 1
            dead |= HOLDING_MASK[holding]
        elif folded_known and holding >= 0:
            others += 1
            dead |= HOLDING_MASK[holding]
    hand[at.BOARD_SIZE] = 5
    if dealt == 0 and known == 2 and others == 0:
        boards = share_by_matrix(hand, live, hands.holding[i], wins, total)
    else:
        boards = share_by_boards(hands.holding[i], known, 5 - dealt, key, mask, dead, work)
    factor = 1.0 / (boards * hand[at.DENOMINATOR])
    for seat in range(seats):
        chips[seat] = total[seat] * factor
    if hand[at.RAKE] == 0 and hands.rake[i] > 0:
        take_rake(hand, hands.rake[i], chips)


@uncounted_kernel
def share_by_matrix(
    hand: np.ndarray, live: np.ndarray, holding: np.ndarray, wins: np.ndarray, total: np.ndarray
) -> int:
    """Add the payoffs of two hands on all boards; return the number of boards."""
    first_seat, second_seat = live[0], live[1]
    won = int(wins[holding[first_seat], holding[second_seat]])
    lost = int(wins[holding[second_seat], holding[first_seat]])
    settle_order(hand, first_seat, 1, second_seat, 0, won, total)
    settle_order(hand, first_seat, 0, second_seat, 1, lost, total)
    settle_order(hand, first_seat, 0, second_seat, 0, _PAIR_BOARDS - won - lost, total)
    return _PAIR_BOARDS


@uncounted_kernel
def settle_order(
    hand: np.ndarray,
    first_seat: int,
    first_strength: int,
    second_seat: int,
    second_strength: int,
    times: int,
    total: np.ndarray,
) -> None:
    """Add the payoffs of two hands of these strengths ``times`` times."""
    hand[block_of(first_seat) + at.STRENGTH] = first_strength
    hand[block_of(second_seat) + at.STRENGTH] = second_strength
    settle_pots(hand)
    add_times(hand, times, total)


@inline_kernel
def add_times(hand: np.ndarray, times: int, total: np.ndarray) -> None:
    """Add a hand's payoffs to ``total``, ``times`` times."""
    for seat in range(hand[at.SEATS]):
        total[seat] += times * hand[block_of(seat) + at.PAYOFF]


@kernel
def share_by_boards(
    holding: np.ndarray,
    known: int,
    missing: int,
    key: np.uint64,
    mask: np.uint64,
    dead: np.uint64,
    work: np.ndarray,
) -> int:
    """Add the payoffs on all boards without ``dead`` cards; return the number of boards."""
    hand, live, total = work[0]["hand"], work[0]["live"], work[0]["total"]
    deck, strength = work[0]["deck"], work[0]["strength"]
    count, order = work[0]["count"], work[0]["order"]
    left = 0
    for card in range(52):
        if dead & CARD_MASK[card] == 0:
            deck[left] = card
            left += 1
    boards = 1
    for c in range(missing):
        boards = boards * (left - c) // (c + 1)
    # Payoffs depend on the order of the hands alone. Few players have few orders, so those are
    # counted and each is settled once instead of every board.
    few = known <= _FEW
    if few:
        count[:] = 0
    chosen = np.empty(missing, dtype=np.uint8)
    combination_at(0, chosen)
    for _ in range(boards):
        k, m = key, mask
        for place in chosen:
            k += CARD_KEY[deck[place]]
            m |= CARD_MASK[deck[place]]
        for p in range(known):
            h = holding[live[p]]
            strength[p] = strength_of_key(k + HOLDING_KEY[h], m | HOLDING_MASK[h])
        if few:
            code = 0  # by pairs, a digit in base three: worse, equal, better
            for p in range(known):
                for q in range(p):
                    code = 3 * code + (strength[p] > strength[q]) + (strength[p] >= strength[q])
            if count[code] == 0:
                for p in range(known):
                    order[code, p] = strength[p]
            count[code] += 1
        else:
            for p in range(known):
                hand[block_of(live[p]) + at.STRENGTH] = strength[p]
            settle_pots(hand)
            add_times(hand, 1, total)
        to_successor(chosen)
    if few:
        for code in range(_ORDERS):
            if count[code] > 0:
                for p in range(known):
                    hand[block_of(live[p]) + at.STRENGTH] = order[code, p]
                settle_pots(hand)
                add_times(hand, count[code], total)
    return boards


@uncounted_kernel
def take_rake(hand: np.ndarray, rake: float, chips: np.ndarray) -> None:
    """Take a rake whose rule is unknown from the called pots, in proportion to what each wins.

    The pots are fixed once the betting is over, so the house takes the same on every board.
    """
    called = chips_called(hand)
    highest, bettor = -1, 0
    for seat in range(hand[at.SEATS]):
        if level_of(hand, seat) > highest:
            highest = level_of(hand, seat)
            bettor = seat
    share = rake / called
    for seat in range(hand[at.SEATS]):
        if hand[at.ALIVE] >> seat & 1:
            block = block_of(seat)
            won = chips[seat] + hand[block + at.LIVE] + hand[block + at.ANTE]
            if seat == bettor:
                won -= hand[at.POT] - called
            chips[seat] -= share * won


@uncounted_kernel
def orders_of_all_in(
    hands: AllInHands,
    i: int,
    dealt: int,
    wins: np.ndarray,
    work: np.ndarray,
    counts: np.ndarray,
    chips: np.ndarray,
) -> int:
    """Fill ``counts`` and ``chips`` (orders, seats) with the boards and results of each order.

    For a hand in which only cards are to come, with two to four live hands, all cards dealt known.
    Returns the number of orders.
    """
    to_all_in(i, hands, work)
    share_one(hands, i, dealt, 1, wins, work, chips[0])
    hand, live, total = work[0]["hand"], work[0]["live"], work[0]["total"]
    known, others = 0, 0
    for seat in range(hand[at.SEATS]):
        known += hand[at.ALIVE] >> seat & 1
        others += int(hand[at.ALIVE] >> seat & 1 == 0 and hands.holding[i, seat] >= 0)
    orders = 0
    if dealt == 0 and known == 2 and others == 0:
        first_seat, second_seat = live[0], live[1]
        won = int(wins[hands.holding[i, first_seat], hands.holding[i, second_seat]])
        lost = int(wins[hands.holding[i, second_seat], hands.holding[i, first_seat]])
        for order in range(3):
            boards = _PAIR_BOARDS - won - lost
            if order < 2:
                boards = won if order == 0 else lost
            total[:] = 0
            settle_order(hand, first_seat, int(order == 0), second_seat, int(order == 1), 1, total)
            orders = keep_order(hand, boards, total, orders, counts, chips)
        return orders
    for code in range(_ORDERS):
        if work[0]["count"][code] > 0:
            for p in range(known):
                hand[block_of(live[p]) + at.STRENGTH] = work[0]["order"][code, p]
            settle_pots(hand)
            total[:] = 0
            add_times(hand, 1, total)
            orders = keep_order(hand, work[0]["count"][code], total, orders, counts, chips)
    return orders


@uncounted_kernel
def keep_order(
    hand: np.ndarray,
    boards: int,
    total: np.ndarray,
    orders: int,
    counts: np.ndarray,
    chips: np.ndarray,
) -> int:
    """Write one order's boards and results in chips; return the number of orders written."""
    if boards == 0:
        return orders
    counts[orders] = boards
    for seat in range(hand[at.SEATS]):
        chips[orders, seat] = total[seat] / hand[at.DENOMINATOR]
    return orders + 1
