"""Kernels of DIVAT by decisions: the policy that finishes a hand, the seats' ranks, the values.

A bet of b into a pot (which holds the bet already) is folded to below b / pot: that is Kan's rule
bet / (pot before the bet + bet) and the minimum-defence frequency of no-limit at once, so no bet
size has to be translated into another. Pot odds b / (pot + b) in its place and other offsets were
measured and gain nothing; menus of raise sizes and thresholds by the number of bets are settings,
and docs/any-holdem.md tells what they do.
"""

# DIVAT as in `railbird.assessment.divat` needs heads-up limit: its tables are by two holdings and
# one betting structure. This is the same idea for every other hold'em, two to ten seats, any
# betting and any stacks. A hand's value is what each seat wins on average if a plain policy
# finishes the hand in place of all players. The change of the value by cards is luck, that by an
# action is the decision, and since the hand ends with its payoffs, position, luck and decisions add
# up to the money.
#
# The policy plays on the engine's own vector, so that side pots, short all-ins and caps need no
# code here, and a value is a sum of payoffs, in whole parts of a chip. After the flop it is exact:
# every turn and river is dealt (`play_turns`, `play_rivers`). Before the flop that would be a
# million boards, so some are drawn, once for a hand and from a seed of the hand's own. All values
# of the hand use the same boards, so most of the noise cancels in the differences that are
# reported, and a hand scores the same wherever a batch is cut.
#
# Where the time goes, and what is done about it. The policy needs each seat's rank on each board:
# these are looked up once for a board and kept (``board_rank``, ``known``), since the same boards
# come again after every action. A street's betting is played once for each board that begins it: at
# most 45 turns and 1,980 rivers for a value on the flop. Where nobody can act any more, or the
# policy only calls, boards are laid without any betting (`no_more_betting`). And an action that the
# policy would have taken changes no value, so that nothing is computed for it (`score_hands`).
#
# ``space`` is one record and not a tuple of arrays, because its fields carry no counts of
# references. Powers of ranks are taken by multiplication where the exponent is a multiple of one
# half (`against_all`).
#
# What must stay: the order of draws (`draw_boards`, `play_positions`), as the same seed has to give
# the same digits; and `value_now` finishes the street that stands before it deals, since what an
# action is compared with is the street finished by the policy.
#
# Who would notice: tests/assessment/test_decision_divat.py holds changes on the turn and the
# river against the readable form (tests/twins/slow_divat.py), and knows that all parts add
# up and that a batch may be cut anywhere.

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.cards.isomorphism_kernels import COLUMN, index_of_3, index_of_4, index_of_5
from railbird.cards.tables import HOLDING_INDEX
from railbird.game import kernels as at
from railbird.game.kernels import (
    CARD_BIT,
    GOLDEN,
    act,
    begin_street,
    below,
    block_of,
    copy,
    is_single,
    mix,
    next_street,
    play,
    settle,
    take_card,
    take_holding,
    weigh,
)
from railbird.players.compiled_kernels import RankTables

MOST_SEATS = 10
STREETS = 4
BETS = 4
_LENGTH = at.HEADER + at.STRIDE * MOST_SEATS

# Rows of the fields "board_rank" and "known".
FLOP = 0
TURNS = 1
"""And the card."""
RIVERS = TURNS + 52
"""And 52 times the lower card of turn and river, and the higher one."""
_BOARDS = RIVERS + 52 * 52

# Rows of the field "state".
NOW = 0
"""The hand as it was played so far."""
STREET_DONE = 1
"""After the street that stands, finished by the baseline."""
FIRST_NEXT, SECOND_NEXT, THIRD_NEXT = 2, 3, 4
"""After one, two and three more streets."""

SPACE = np.dtype(
    [
        ("state", np.int64, (5, _LENGTH)),
        ("total", np.int64, (MOST_SEATS,)),
        ("rank", np.float64, (STREETS, MOST_SEATS)),
        ("deck", np.uint8, (52,)),
        ("board_rank", np.float64, (_BOARDS, MOST_SEATS)),
        ("known", np.int64, (_BOARDS,)),
        ("calls_down", np.int64),
        ("gamma", np.float64),
        ("sizes", np.float64, (BETS,)),
        ("sized_by_hand", np.int64),
        ("by_bets", np.int64),
        ("folds", np.float64, (BETS,)),
        ("commit", np.float64),
        ("fold_multiplier", np.float64, (STREETS,)),
        ("bettable", np.float64, (STREETS,)),
        ("offset", np.float64, (STREETS,)),
        ("make", np.float64, (STREETS, BETS)),
    ]
)
"""What one thread works on. Fields of a record carry no reference counts, as plain arrays do.

``state`` are vectors of the engine; ``total`` sums of payoffs; ``rank`` the ranks against one
opponent by street and seat, as far as streets are played. ``board_rank`` remembers these by seat
for the flop that lies, each turn card and each pair of turn and river, and ``known`` says for which
seats, as a mask. The rest is the policy, see
`railbird.assessment.decision_divat.ValuePolicy`.
"""


@inline_kernel
def against_all(rank: float, others: int, gamma: float) -> float:
    """Return rank ** (1 + gamma * (others - 1)); halves and whole powers without a logarithm."""
    power = 1.0 + gamma * (others - 1)
    twice = int(2 * power)
    if twice != 2 * power:
        return float(rank**power)
    result = math.sqrt(rank) if twice & 1 else 1.0
    for _ in range(twice >> 1):
        result *= rank
    return result


@inline_kernel
def count_seats(mask: int) -> int:
    """Count the seats of a mask."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


@inline_kernel
def choose(hand: np.ndarray, space: np.ndarray) -> int:
    """Return what the policy does for the seat to act, in the engine's codes."""
    if space[0]["calls_down"]:
        return at.CALL
    seat = hand[at.ACTOR]
    street = hand[at.STREET]
    owed = hand[at.TO_CALL]
    pot = hand[at.POT]
    others = count_seats(hand[at.ALIVE]) - 1
    strength = against_all(space[0]["rank"][street, seat], others, space[0]["gamma"])
    action = at.CALL
    bets = hand[at.RAISES] + (street == 0)
    threshold = space[0]["fold_multiplier"][street] * owed / pot + space[0]["offset"][street]
    if space[0]["by_bets"] != 0 and owed > 0:
        unit = hand[at.BET_SIZE + street]
        threshold = space[0]["folds"][min((owed + unit - 1) // unit, BETS) - 1]
    if owed > 0 and strength < threshold:
        action = at.FOLD
    elif bets < BETS and hand[at.NO_RAISE] == 0 and strength >= space[0]["make"][street, bets]:
        size = bets
        if space[0]["sized_by_hand"] != 0:
            while size + 1 < BETS and strength >= space[0]["make"][street, size + 1]:
                size += 1
        action = raise_to(hand, seat, space[0]["sizes"][size], space[0]["commit"])
    return action


@inline_kernel
def raise_to(hand: np.ndarray, seat: int, pots: float, commit: float) -> int:
    """Return where the policy's raise goes: so many pots, or all that is left."""
    to = hand[at.LOW_TO]
    if hand[at.BETTING] != at.LIMIT:
        block = block_of(seat)
        size = min(pots * (hand[at.POT] + hand[at.TO_CALL]), float(hand[at.HIGH_TO]))
        to = min(max(to, hand[at.BET] + int(size)), hand[at.HIGH_TO])
        if to - hand[block + at.IN] > commit * hand[block + at.BEHIND]:
            to = hand[at.HIGH_TO]
    return int(to)


@kernel
def finish_street(hand: np.ndarray, space: np.ndarray) -> None:
    """Let the policy act for everybody until the street is over."""
    while hand[at.PHASE] == at.BETTING_ROUND:
        play(hand, choose(hand, space))


@kernel
def play_street(hand: np.ndarray, space: np.ndarray) -> None:
    """Open a street whose cards lie, and let the policy play it."""
    begin_street(hand)
    finish_street(hand, space)


# Ranks of the seats' holdings against one opponent, read from the tables once for each board.


_FLOP_NOW, _TURN_NOW, _RIVER_NOW = 2162.0, 2070.0, 1980.0
_FLOP_END, _TURN_END = 1081.0 * 1980, 46.0 * 1980


@inline_kernel
def effective(now: float, later: float, bettable: float, flop: bool) -> float:
    """Effective hand rank: the larger one if it can be bet, else the mean (flop) or the later."""
    larger = max(now, later)
    if larger > bettable:
        return larger
    return (now + later) / 2 if flop else later


@inline_kernel
def fill_ranks(
    hand: np.ndarray,
    tables: RankTables,
    ranks: np.ndarray,
    row: int,
    known: np.ndarray,
    space: np.ndarray,
) -> None:
    """Copy the ranks of all live seats into the space; what is not known is looked up before.

    ``ranks`` (rows, seats) and ``known`` (rows,) remember the board that lies, by ``row``.
    """
    street = hand[at.STREET]
    missing = hand[at.ALIVE] & ~known[row]
    if missing != 0:
        look_up(hand, street, missing, space[0]["bettable"][street], tables, ranks, row)
        known[row] |= missing
    for seat in range(hand[at.SEATS]):
        space[0]["rank"][street, seat] = ranks[row, seat]


@kernel
def look_up(
    hand: np.ndarray,
    street: int,
    seats: int,
    bettable: float,
    tables: RankTables,
    ranks: np.ndarray,
    row: int,
) -> None:
    """Look up the ranks of a mask of seats on the board that lies."""
    a, b, c = hand[at.BOARD], hand[at.BOARD + 1], hand[at.BOARD + 2]
    d, e = hand[at.BOARD + 3], hand[at.BOARD + 4]
    if street == 1:
        board = index_of_3(a, b, c)
        start, pattern = np.int64(tables.flop_start[board]), tables.flop_pattern[board]
    elif street == 2:
        board = index_of_4(a, b, c, d)
        start, pattern = np.int64(tables.turn_start[board]), tables.turn_pattern[board]
    else:
        board = index_of_5(a, b, c, d, e)
        start, pattern = np.int64(tables.river_start[board]), tables.river_pattern[board]
    for seat in range(MOST_SEATS):
        if seats >> seat & 1:
            place = start + COLUMN[pattern, hand[block_of(seat) + at.HOLDING]]
            if street == 1:
                rank = effective(
                    tables.flop_ihr[place] / _FLOP_NOW,
                    tables.flop_hr7[place] / _FLOP_END,
                    bettable,
                    True,
                )
            elif street == 2:
                rank = effective(
                    tables.turn_ihr[place] / _TURN_NOW,
                    tables.turn_hr7[place] / _TURN_END,
                    bettable,
                    False,
                )
            else:
                rank = tables.river_ihr[place] / _RIVER_NOW
            ranks[row, seat] = rank


# Values of a hand to every seat if the policy plays on, and a hand's values from event to event.
#
# After the flop a value is exact: all turns and rivers are played, a street's betting once for each
# board that begins it. Before the flop it is a mean over boards drawn once for the hand and used
# for every value of it, so that a difference of two is known much better than either (common random
# numbers). Sums are whole numbers of the engine's, so they do not depend on their order.


class DrawnBoards(NamedTuple):
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
    deck = space[0]["deck"]  # that of the flop, so the turn's card is in it
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
        else:  # for all rivers, so that every pair of cards counts once
            add_payoffs(hand, total, left - 1)
    return int(left * (left - 1))


@kernel
def play_boards(
    preflop: np.ndarray,
    length: int,
    tables: RankTables,
    boards: DrawnBoards,
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
    length: int, tables: RankTables, boards: DrawnBoards, space: np.ndarray, value: np.ndarray
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
def draw_boards(hand: np.ndarray, state: np.uint64, deck: np.ndarray, boards: DrawnBoards) -> None:
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


class KnownHands(NamedTuple):
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
    hands: KnownHands,
    percentile: np.ndarray,
    tables: RankTables,
    boards: DrawnBoards,
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
    boards: DrawnBoards,
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
