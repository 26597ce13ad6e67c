"""Values of a hand to every seat if the policy plays on, and a hand's values from event to event.

After the flop a value is exact: all turns and rivers are played, a street's betting once for each
board that begins it. Before the flop it is a mean over boards drawn once for the hand and used for
every value of it, so that a difference of two is known much better than either (common random
numbers). Sums are whole numbers of the engine's, so they do not depend on their order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.assessment.decision_divat._kernels_policy import (
    FIRST_NEXT,
    FLOP,
    MOST_SEATS,
    NOW,
    RIVERS,
    SECOND_NEXT,
    STREET_DONE,
    TURNS,
    choose,
    finish_street,
    play_street,
)
from railbird.assessment.decision_divat._kernels_ranks import fill_ranks
from railbird.cards._tables_holding import HOLDING_INDEX
from railbird.game._kernels_deal import GOLDEN, below, mix
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine._kernels_betting import (
    act,
    begin_street,
    next_street,
    take_card,
    take_holding,
)
from railbird.game.engine._kernels_pots import block_of, copy, is_single, settle, weigh
from railbird.game.engine._tables import CARD_BIT
from railbird.players.compiled._kernels_policies import RankTables


class Boards(NamedTuple):
    """Boards of one hand, drawn before the flop, and what is known of ranks on them."""

    cards: np.ndarray
    """(boards, 5) uint8."""
    rank: np.ndarray
    """(3 * boards, seats) float64: flop, turn and river of each board."""
    known: np.ndarray
    """(3 * boards,) int64, masks of seats."""


@inline_kernel
def fill_deck(hand: np.ndarray, deck: np.ndarray) -> int:
    """List the cards that are not out; return how many there are."""
    left = 0
    for card in range(52):
        if hand[at.CARDS] & CARD_BIT[card] == 0:
            deck[left] = card
            left += 1
    return left


@inline_kernel
def put_card(hand: np.ndarray, card: int) -> None:
    """Lay a card on the board that is known not to be out."""
    hand[at.BOARD + hand[at.BOARD_SIZE]] = card
    hand[at.BOARD_SIZE] += 1


@inline_kernel
def add_payoffs(hand: np.ndarray, total: np.ndarray, times: int) -> None:
    """Add the payoffs of a hand that is over."""
    for seat in range(hand[at.SEATS]):
        total[seat] += times * hand[block_of(seat) + at.PAYOFF]


@inline_kernel
def show_down(hand: np.ndarray, total: np.ndarray) -> None:
    """Add the payoffs of a hand whose board is complete and whose betting is over."""
    weigh(hand)
    settle(hand)
    add_payoffs(hand, total, 1)


@inline_kernel
def no_more_betting(hand: np.ndarray, space: np.ndarray) -> bool:
    """Return whether the cards alone decide: all but one are all-in, or the policy only calls."""
    return is_single(hand[at.ABLE]) or space[0]["calls_down"] != 0


@kernel
def play_rivers(
    turn: np.ndarray, length: int, tables: RankTables, space: np.ndarray, total: np.ndarray
) -> int:
    """Add the payoffs on all rivers of a hand whose turn is over; return how many there are."""
    deck = space[0]["deck"]
    hand = space[0]["state"][SECOND_NEXT]
    fourth = turn[at.BOARD + 3]
    cards_alone = no_more_betting(turn, space)
    if cards_alone:
        copy(turn, hand, length)
        hand[at.BOARD_SIZE] = 5
    rivers = 0
    for i in range(52 - 2 * turn[at.SEATS] - 3):
        card = deck[i]
        if card == fourth:
            continue
        rivers += 1
        if cards_alone:
            hand[at.BOARD + 4] = card
            show_down(hand, total)
        else:
            copy(turn, hand, length)
            put_card(hand, card)
            next_street(hand)
            row = RIVERS + 52 * min(card, fourth) + max(card, fourth)
            fill_ranks(hand, tables, space[0]["board_rank"], row, space[0]["known"], space)
            play_street(hand, space)
            add_payoffs(hand, total, 1)
    return rivers


@kernel
def play_turns(
    flop: np.ndarray, length: int, tables: RankTables, space: np.ndarray, total: np.ndarray
) -> int:
    """Add the payoffs on all turns and rivers of a hand whose flop is over; return how many."""
    deck = space[0]["deck"]
    hand = space[0]["state"][FIRST_NEXT]
    left = 52 - 2 * flop[at.SEATS] - 3
    if no_more_betting(flop, space):
        copy(flop, hand, length)
        hand[at.BOARD_SIZE] = 5
        for i in range(left):
            hand[at.BOARD + 3] = deck[i]
            for j in range(i):
                hand[at.BOARD + 4] = deck[j]
                show_down(hand, total)
        return int(left * (left - 1) // 2)
    for i in range(left):
        copy(flop, hand, length)
        put_card(hand, deck[i])
        next_street(hand)
        row = TURNS + deck[i]
        fill_ranks(hand, tables, space[0]["board_rank"], row, space[0]["known"], space)
        play_street(hand, space)
        if hand[at.PHASE] == at.DEALING_BOARD:
            play_rivers(hand, length, tables, space, total)
        else:
            add_payoffs(hand, total, left - 1)
    return int(left * (left - 1))


@kernel
def play_boards(
    preflop: np.ndarray,
    length: int,
    tables: RankTables,
    boards: Boards,
    space: np.ndarray,
    total: np.ndarray,
) -> int:
    """Add the payoffs on the hand's boards after its preflop betting; return how many there are."""
    hand = space[0]["state"][FIRST_NEXT]
    cards_alone = no_more_betting(preflop, space)
    for board in range(len(boards.cards)):
        copy(preflop, hand, length)
        if cards_alone:
            for i in range(5):
                put_card(hand, boards.cards[board, i])
            show_down(hand, total)
            continue
        for street in range(1, 4):
            for i in range(hand[at.BOARD_SIZE], street + 2):
                put_card(hand, boards.cards[board, i])
            next_street(hand)
            row = 3 * board + street - 1
            fill_ranks(hand, tables, boards.rank, row, boards.known, space)
            play_street(hand, space)
            if hand[at.PHASE] != at.DEALING_BOARD:
                break
        add_payoffs(hand, total, 1)
    return len(boards.cards)


@kernel
def value_now(
    length: int, tables: RankTables, boards: Boards, space: np.ndarray, value: np.ndarray
) -> None:
    """Write the value of the hand that stands, in chips by seat."""
    total = space[0]["total"]
    total[:] = 0
    hand = space[0]["state"][STREET_DONE]
    copy(space[0]["state"][NOW], hand, length)
    finish_street(hand, space)
    count = 1
    if hand[at.PHASE] != at.DEALING_BOARD:
        add_payoffs(hand, total, 1)
    elif hand[at.STREET] == 0:
        count = play_boards(hand, length, tables, boards, space, total)
    elif hand[at.STREET] == 1:
        count = play_turns(hand, length, tables, space, total)
    else:
        count = play_rivers(hand, length, tables, space, total)
    for seat in range(hand[at.SEATS]):
        value[seat] = total[seat] / (count * hand[at.DENOMINATOR])


@kernel
def draw_boards(hand: np.ndarray, state: np.uint64, deck: np.ndarray, boards: Boards) -> None:
    """Draw the hand's boards from the cards that nobody holds, each without replacement."""
    left = fill_deck(hand, deck)
    for board in range(len(boards.cards)):
        for i in range(5):
            state += GOLDEN
            j = i + np.int64(below(mix(state), np.uint64(left - i)))
            card = deck[j]
            deck[j] = deck[i]
            deck[i] = card
            boards.cards[board, i] = card
    boards.known[:] = 0


class Hands(NamedTuple):
    """Hands whose cards are all known; see `railbird.histories.columns.HandBatch`."""

    opened: np.ndarray
    """(rules, longest vector) int64."""
    rules_of: np.ndarray
    start: np.ndarray
    action: np.ndarray
    holding: np.ndarray
    board: np.ndarray
    seed: np.ndarray
    """(hands,) uint64: where each hand's own random numbers begin."""


@kernel
def score_hands(
    first: int,
    end: int,
    hands: Hands,
    percentile: np.ndarray,
    tables: RankTables,
    boards: Boards,
    space: np.ndarray,
    luck: np.ndarray,
    delta: np.ndarray,
    expected: np.ndarray,
) -> None:
    """Score the hands ``first`` to ``end`` by the policy of the space.

    ``percentile`` (1326,) ranks holdings before the flop. Written are ``luck`` (hands, 4, seats),
    whose first row is the value after the deal (not yet less the position) and the others the
    changes by the cards of each street, and ``delta`` (actions, seats), the changes by each action;
    chips. What does not happen in a hand is zero. ``expected`` (actions,) is what the policy would
    have done.
    """
    now = space[0]["state"][NOW]
    value = np.zeros(MOST_SEATS)
    after = np.zeros(MOST_SEATS)
    for i in range(first, end):
        opened = hands.opened[hands.rules_of[i]]
        seats = opened[at.SEATS]
        length = at.HEADER + at.STRIDE * seats
        copy(opened, now, length)
        for seat in range(seats):
            holding = int(hands.holding[i, seat])
            take_holding(now, seat, holding)
            space[0]["rank"][0, seat] = percentile[holding]
        draw_boards(now, hands.seed[i], space[0]["deck"], boards)
        begin_street(now)
        value_now(length, tables, boards, space, value)
        copy(value, luck[i, 0], seats)
        j = hands.start[i]
        while now[at.PHASE] == at.BETTING_ROUND or now[at.PHASE] == at.DEALING_BOARD:
            if now[at.PHASE] == at.DEALING_BOARD:
                deal_street(now, hands.board[i], tables, space)
                value_now(length, tables, boards, space, after)
                for seat in range(seats):
                    luck[i, now[at.STREET], seat] = after[seat] - value[seat]
                    value[seat] = after[seat]
                continue
            action = hands.action[j]
            expected[j] = choose(now, space)
            act(now, action)
            if action != expected[j]:
                value_now(length, tables, boards, space, after)
                for seat in range(seats):
                    delta[j, seat] = after[seat] - value[seat]
                    value[seat] = after[seat]
            j += 1


@inline_kernel
def deal_street(hand: np.ndarray, board: np.ndarray, tables: RankTables, space: np.ndarray) -> None:
    """Deal the next street of a recorded hand, and rank the live seats on it."""
    size = hand[at.BOARD_SIZE]
    for k in range(size, max(size + 1, 3)):
        take_card(hand, board[k])
    next_street(hand)
    row = FLOP
    if hand[at.STREET] == 1:
        fill_deck(hand, space[0]["deck"])
        space[0]["known"][:] = 0
    elif hand[at.STREET] == 2:
        row = TURNS + hand[at.BOARD + 3]
    else:
        low = min(hand[at.BOARD + 3], hand[at.BOARD + 4])
        row = RIVERS + 52 * low + max(hand[at.BOARD + 3], hand[at.BOARD + 4])
    fill_ranks(hand, tables, space[0]["board_rank"], row, space[0]["known"], space)
    begin_street(hand)


@kernel
def play_positions(
    deals: int,
    opened: np.ndarray,
    state: np.uint64,
    percentile: np.ndarray,
    tables: RankTables,
    boards: Boards,
    space: np.ndarray,
    totals: np.ndarray,
    products: np.ndarray,
) -> None:
    """Let the policy play random deals from the blinds on, one board each.

    ``boards`` has room for one board. Added are ``totals`` (seats,) of the payoffs in chips and
    ``products`` (seats, seats).
    """
    seats = opened[at.SEATS]
    length = at.HEADER + at.STRIDE * seats
    now = space[0]["state"][NOW]
    deck = space[0]["deck"]
    value = np.zeros(MOST_SEATS)
    for _ in range(deals):
        copy(opened, now, length)
        for card in range(52):
            deck[card] = card
        for i in range(2 * seats):
            state += GOLDEN
            k = i + np.int64(below(mix(state), np.uint64(52 - i)))
            card = deck[k]
            deck[k] = deck[i]
            deck[i] = card
        for seat in range(seats):
            holding = int(HOLDING_INDEX[deck[2 * seat], deck[2 * seat + 1]])
            take_holding(now, seat, holding)
            space[0]["rank"][0, seat] = percentile[holding]
        state += GOLDEN
        draw_boards(now, mix(state), deck, boards)
        begin_street(now)
        value_now(length, tables, boards, space, value)
        for one in range(seats):
            totals[one] += value[one]
            for two in range(seats):
                products[one, two] += value[one] * value[two]
