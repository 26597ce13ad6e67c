"""Kernels of DIVAT by decisions for any hold'em: the policy that finishes a hand, ranks, values.

`divat.kernels` has those for heads-up limit.

A hand folds to a bet of b into a pot (which already includes the bet) below b / pot. That is Kan's
rule bet / (pot before the bet + bet) and the minimum-defence frequency of no-limit at once, so no
bet size has to be translated into another. Pot odds b / (pot + b) in its place and other offsets
were measured and gain nothing. Menus of raise sizes and thresholds by the number of bets are
settings; docs/any-holdem.md says what they do.
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
# Where the time goes, and what is done about it. The policy needs each seat's rank on each board,
# and a showdown its strength: these are looked up once for a board and kept (``board_rank``,
# ``strength``), since the same boards come again after every action. A value on the flop plays the
# betting on 45 turns and 1,980 rivers, but the policy does only a few different things on them. So
# what it has played is a tree (``node``, `after`), and a board walks down this tree by comparing
# ranks; the engine is stepped only where nobody has been yet. At its ends is kept what everybody
# gets when a seat wins alone (``won``). Where nobody can act any more, or the policy only calls,
# boards are laid without any betting (`no_more_betting`). And an action that the policy would have
# taken changes no value, so that nothing is computed for it (`score_hands`).
#
# ``space`` is one record and not a tuple of arrays, because its fields carry no counts of
# references. Counting took three fifths of the time: a helper that is inlined counts every array
# that it is given, which is why the lines that look ranks up stand where they are used. Powers of
# ranks are taken by multiplication where the exponent is a multiple of one half (`against_all`).
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

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards.isomorphism_kernels import COLUMN, index_of_3, index_of_4, index_of_5
from railbird.cards.kernels import strength_of_key
from railbird.cards.splitmix_kernels import GOLDEN, mixed_bits
from railbird.cards.tables import CARD_KEY, HOLDING_INDEX, HOLDING_KEY
from railbird.game import kernels as at
from railbird.game.kernels import (
    CARD_BIT,
    HOLDING_BITS,
    act_if_allowed,
    apply_action,
    begin_street,
    below,
    block_of,
    copy,
    is_single,
    level_of,
    next_street,
    settle_pots,
    take_card,
    take_holding,
)
from railbird.players.compiled_kernels import RankTables

MOST_SEATS = 10
STREETS = 4
BETS = 4
_LENGTH = at.HEADER + at.STRIDE * MOST_SEATS

# Rows of the fields "board_rank", "known", "strength" and "weighed".
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

# Ways on from a node: where a seat acts,
FOLDED, CALLED, RAISED = 0, 1, 2
"""The last is a raise of the first of `BETS` sizes; the other sizes follow it."""
# and where a street is over.
DEALT = 0
"""The next street is dealt, and its betting begins."""
LAID = 1
"""The whole board is dealt, and nobody bets any more."""
_WAYS = RAISED + BETS
_KEPT = 1024
"""Nodes that are kept."""
_SPARE = 200
"""Spare nodes for the line being played once the tree is full: four streets at most."""

SPACE = np.dtype(
    [
        ("state", np.int64, (2, _LENGTH)),
        ("total", np.int64, (MOST_SEATS,)),
        ("node", np.int64, (_KEPT + _SPARE, _LENGTH)),
        ("child", np.int64, (_KEPT + _SPARE, _WAYS)),
        ("actor", np.int64, (_KEPT + _SPARE,)),
        ("others", np.int64, (_KEPT + _SPARE,)),
        ("fold_below", np.float64, (_KEPT + _SPARE,)),
        ("raise_from", np.float64, (_KEPT + _SPARE,)),
        ("covers", np.int64, (_KEPT + _SPARE,)),
        ("paid", np.int64, (_KEPT + _SPARE,)),
        ("won", np.int64, (_KEPT + _SPARE, MOST_SEATS, MOST_SEATS)),
        ("kept", np.int64),
        ("spare", np.int64),
        ("rank", np.float64, (STREETS, MOST_SEATS)),
        ("deck", np.uint8, (52,)),
        ("board_rank", np.float64, (_BOARDS, MOST_SEATS)),
        ("known", np.int64, (_BOARDS,)),
        ("strength", np.int16, (_BOARDS, MOST_SEATS)),
        ("weighed", np.int64, (_BOARDS,)),
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
seats, as a mask; ``strength`` and ``weighed`` do so for showdowns.

``node`` are vectors of the engine as well: what the policy has played from the end of a street on,
which is the first of them. They have no cards of their own. ``child`` is 0 where nobody has been
yet. Where a seat acts (``actor``, else -1), it has so many ``others`` in the hand, and the policy
looks at two thresholds alone. At a showdown ``covers`` is a mask of the seats that win everything
if nobody is as strong, and ``won`` (seats, seats) what all then get, by winner, as far as ``paid``
says. ``kept`` and ``spare`` count the nodes.

The rest is the policy, see `railbird.assessment.divat.any_game.ValuePolicy`.
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
def fold_below(hand: np.ndarray, space: np.void) -> float:
    """Return the strength below which the policy folds the actor's holding."""
    owed = hand[at.TO_CALL]
    street = hand[at.STREET]
    threshold = -1.0
    if owed > 0 and not space["calls_down"]:
        threshold = space["fold_multiplier"][street] * owed / hand[at.POT]
        threshold += space["offset"][street]
        if space["by_bets"] != 0:
            unit = hand[at.BET_SIZE + street]
            threshold = space["folds"][min((owed + unit - 1) // unit, BETS) - 1]
    return threshold


@inline_kernel
def raise_from(hand: np.ndarray, space: np.void) -> float:
    """Return the strength from which on the policy raises with the actor's holding."""
    bets = hand[at.RAISES] + (hand[at.STREET] == 0)
    threshold = math.inf
    if bets < BETS and hand[at.NO_RAISE] == 0 and not space["calls_down"]:
        threshold = space["make"][hand[at.STREET], bets]
    return threshold


@inline_kernel
def size_of(hand: np.ndarray, strength: float, space: np.void) -> int:
    """Return the number of the size to which the policy raises."""
    street = hand[at.STREET]
    size = hand[at.RAISES] + (street == 0)
    if space["sized_by_hand"] != 0:
        while size + 1 < BETS and strength >= space["make"][street, size + 1]:
            size += 1
    return int(size)


@inline_kernel
def choose(hand: np.ndarray, space: np.void) -> int:
    """Return what the policy does for the seat to act, in the engine's codes."""
    seat = hand[at.ACTOR]
    rank = space["rank"][hand[at.STREET], seat]
    strength = against_all(rank, count_seats(hand[at.ALIVE]) - 1, space["gamma"])
    action = at.CALL
    if strength < fold_below(hand, space):
        action = at.FOLD
    elif strength >= raise_from(hand, space):
        size = size_of(hand, strength, space)
        action = raise_to(hand, seat, space["sizes"][size], space["commit"])
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


@uncounted_kernel
def finish_street(hand: np.ndarray, space: np.void) -> None:
    """Let the policy act for everybody until the street is over."""
    while hand[at.PHASE] == at.BETTING_ROUND:
        apply_action(hand, choose(hand, space))


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
def take_ranks(street: int, seats: int, ranks: np.ndarray, row: int, space: np.void) -> None:
    """Copy the ranks of all seats on the board that lies into the space."""
    for seat in range(seats):
        space["rank"][street, seat] = ranks[row, seat]


@uncounted_kernel
def look_up(
    hand: np.ndarray,
    street: int,
    seats: int,
    bettable: float,
    tables: RankTables,
    ranks: np.ndarray,
    row: int,
    known: np.ndarray,
) -> None:
    """Look up the ranks of a mask of seats on the board that lies.

    ``ranks`` (rows, seats) and ``known`` (rows,) remember this board, by ``row``.
    """
    known[row] |= seats
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
            entry = start + COLUMN[pattern, hand[block_of(seat) + at.HOLDING]]
            if street == 1:
                rank = effective(
                    tables.flop_ihr[entry] / _FLOP_NOW,
                    tables.flop_hr7[entry] / _FLOP_END,
                    bettable,
                    True,
                )
            elif street == 2:
                rank = effective(
                    tables.turn_ihr[entry] / _TURN_NOW,
                    tables.turn_hr7[entry] / _TURN_END,
                    bettable,
                    False,
                )
            else:
                rank = tables.river_ihr[entry] / _RIVER_NOW
            ranks[row, seat] = rank


# Values of a hand to every seat if the policy plays on, and a hand's values from event to event.
#
# After the flop a value is exact: all turns and rivers are played, a street's betting once for each
# board that begins it. Before the flop it is a mean over boards drawn once for the hand and used
# for every value of it, so that a difference of two is known much better than either (common random
# numbers). Sums are whole numbers of the engine's, so they do not depend on their order.


class DrawnBoards(NamedTuple):
    """Boards of one hand, drawn before the flop, and the ranks already computed on them."""

    cards: np.ndarray
    """(boards, 5) uint8."""
    rank: np.ndarray
    """(3 * boards, seats) float64: flop, turn and river of each board."""
    known: np.ndarray
    """(3 * boards,) int64, masks of seats."""
    strength: np.ndarray
    """(boards, seats) int16, of whole boards."""
    weighed: np.ndarray
    """(boards,) int64, masks of seats."""


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
def add_payoffs(hand: np.ndarray, total: np.ndarray, times: int) -> None:
    """Add the payoffs of a hand that is over."""
    for seat in range(hand[at.SEATS]):
        total[seat] += times * hand[block_of(seat) + at.PAYOFF]


@inline_kernel
def no_more_betting(hand: np.ndarray, space: np.void) -> bool:
    """Return whether the cards alone decide: all but one are all-in, or the policy only calls."""
    return is_single(hand[at.ABLE]) or space["calls_down"] != 0


# What the policy plays from the end of a street on, as a tree.


@uncounted_kernel
def begin_tree(hand: np.ndarray, length: int, space: np.void) -> None:
    """Begin a tree at a hand."""
    copy(hand, space["node"][0], length)
    space["kept"] = 1
    space["spare"] = _KEPT
    fill_node(0, space)


@uncounted_kernel
def fill_node(node: int, space: np.void) -> None:
    """Fill in what the walks need to know of a new node."""
    hand = space["node"][node]
    for way in range(_WAYS):
        space["child"][node, way] = 0
    space["actor"][node] = -1
    if hand[at.PHASE] == at.BETTING_ROUND:
        space["actor"][node] = hand[at.ACTOR]
        space["others"][node] = count_seats(hand[at.ALIVE]) - 1
        space["fold_below"][node] = fold_below(hand, space)
        space["raise_from"][node] = raise_from(hand, space)
    most = 0
    space["covers"][node] = 0
    for seat in range(hand[at.SEATS]):
        if hand[at.ALIVE] >> seat & 1:
            level = level_of(hand, seat)
            if level > most:
                most = level
                space["covers"][node] = 0
            if level == most:
                space["covers"][node] |= 1 << seat
    space["paid"][node] = 0


@inline_kernel
def after(node: int, way: int, length: int, space: np.void) -> int:
    """Return a child of a node, which is played if nobody has been there."""
    child = space["child"][node, way]
    return int(child) if child != 0 else add_child(node, way, length, space)


@uncounted_kernel
def add_child(node: int, way: int, length: int, space: np.void) -> int:
    """Add a child to a node; where no room is left, for this board alone."""
    if space["kept"] < _KEPT:
        new = space["kept"]
        space["kept"] += 1
        space["child"][node, way] = new
    else:
        new = space["spare"]
        space["spare"] += 1
    hand = space["node"][new]
    copy(space["node"][node], hand, length)
    if hand[at.PHASE] == at.BETTING_ROUND:
        action = at.CALL
        if way == FOLDED:
            action = at.FOLD
        elif way != CALLED:
            pots = space["sizes"][way - RAISED]
            action = raise_to(hand, hand[at.ACTOR], pots, space["commit"])
        apply_action(hand, action)
    elif way == LAID:
        hand[at.BOARD_SIZE] = 5
    else:
        hand[at.BOARD_SIZE] = max(hand[at.BOARD_SIZE] + 1, 3)
        next_street(hand)
        begin_street(hand)
    fill_node(new, space)
    return int(new)


@inline_kernel
def follow(node: int, street: int, length: int, space: np.void) -> int:
    """Let the policy act for everybody; return the node at which the street is over."""
    gamma = space["gamma"]
    while space["actor"][node] >= 0:
        rank = space["rank"][street, space["actor"][node]]
        strength = against_all(rank, space["others"][node], gamma)
        way = CALLED
        if strength < space["fold_below"][node]:
            way = FOLDED
        elif strength >= space["raise_from"][node]:
            way = RAISED + size_of(space["node"][node], strength, space)
        node = after(node, way, length, space)
    return node


@uncounted_kernel
def weigh_row(
    hand: np.ndarray, seats: int, strength: np.ndarray, row: int, weighed: np.ndarray
) -> None:
    """Evaluate the holdings of a mask of seats on the whole board that lies."""
    key = np.uint64(0)
    mask = np.int64(0)
    for i in range(5):
        card = hand[at.BOARD + i]
        key += CARD_KEY[card]
        mask |= CARD_BIT[card]
    for seat in range(hand[at.SEATS]):
        if seats >> seat & 1:
            holding = hand[block_of(seat) + at.HOLDING]
            strength[row, seat] = strength_of_key(
                key + HOLDING_KEY[holding], np.uint64(mask | HOLDING_BITS[holding])
            )
    weighed[row] |= seats


@uncounted_kernel
def settle_for(node: int, winner: int, space: np.void) -> None:
    """Keep what everybody gets at a node if one seat is stronger than all the others."""
    hand = space["node"][node]
    for seat in range(hand[at.SEATS]):
        hand[block_of(seat) + at.STRENGTH] = seat == winner
    settle_pots(hand)
    for seat in range(hand[at.SEATS]):
        space["won"][node, winner, seat] = hand[block_of(seat) + at.PAYOFF]
    space["paid"][node] |= 1 << winner


@inline_kernel
def show_down(
    node: int,
    cards: np.ndarray,
    strength: np.ndarray,
    row: int,
    weighed: np.ndarray,
    space: np.void,
    total: np.ndarray,
) -> None:
    """Add the payoffs of a node at which the hand is over, after a showdown or without one.

    ``strength`` (rows, seats) and ``weighed`` (rows,) remember the board that lies, by ``row``.
    """
    hand = space["node"][node]
    if hand[at.PHASE] == at.OVER:
        add_payoffs(hand, total, 1)
        return
    seats = hand[at.SEATS]
    missing = hand[at.ALIVE] & ~weighed[row]
    if missing != 0:
        weigh_row(cards, missing, strength, row, weighed)
    best = -1
    winner = 0
    alone = True
    for seat in range(seats):
        if hand[at.ALIVE] >> seat & 1:
            if strength[row, seat] > best:
                best, winner, alone = int(strength[row, seat]), seat, True
            elif strength[row, seat] == best:
                alone = False
    if alone and space["covers"][node] >> winner & 1:
        if space["paid"][node] >> winner & 1 == 0:
            settle_for(node, winner, space)
        for seat in range(seats):
            total[seat] += space["won"][node, winner, seat]
    else:
        for seat in range(seats):
            hand[block_of(seat) + at.STRENGTH] = strength[row, seat]
        settle_pots(hand)
        add_payoffs(hand, total, 1)


# The cards of boards are laid in the vector of the finished street, which has all others.


@uncounted_kernel
def play_rivers(
    node: int,
    length: int,
    tables: RankTables,
    space: np.void,
    total: np.ndarray,
) -> int:
    """Add the payoffs on all rivers of a node whose turn is over; return how many there are."""
    deck = space["deck"]  # that of the flop, so the turn's card is in it
    cards = space["state"][STREET_DONE]
    cards_alone = no_more_betting(space["node"][node], space)
    opened = after(node, LAID if cards_alone else DEALT, length, space)
    hand = space["node"][opened]
    spare = space["spare"]
    ranks, known = space["board_rank"], space["known"]
    strength, weighed = space["strength"], space["weighed"]
    fourth = cards[at.BOARD + 3]
    last = opened
    rivers = 0
    for i in range(52 - 2 * hand[at.SEATS] - 3):
        card = deck[i]
        if card == fourth:
            continue
        rivers += 1
        cards[at.BOARD + 4] = card
        row = RIVERS + 52 * min(card, fourth) + max(card, fourth)
        if not cards_alone:
            missing = hand[at.ALIVE] & ~known[row]
            if missing != 0:
                bettable = space["bettable"][3]
                look_up(cards, 3, missing, bettable, tables, ranks, row, known)
            take_ranks(3, hand[at.SEATS], ranks, row, space)
            last = follow(opened, 3, length, space)
            space["spare"] = spare
        show_down(last, cards, strength, row, weighed, space, total)
    return rivers


@uncounted_kernel
def play_turns(
    node: int,
    length: int,
    tables: RankTables,
    space: np.void,
    total: np.ndarray,
) -> int:
    """Add the payoffs on all turns and rivers of a node whose flop is over; return how many."""
    deck = space["deck"]
    cards = space["state"][STREET_DONE]
    cards_alone = no_more_betting(space["node"][node], space)
    opened = after(node, LAID if cards_alone else DEALT, length, space)
    hand = space["node"][opened]
    spare = space["spare"]
    left = 52 - 2 * hand[at.SEATS] - 3
    ranks, known = space["board_rank"], space["known"]
    if cards_alone:
        strength, weighed = space["strength"], space["weighed"]
        for i in range(left):
            cards[at.BOARD + 3] = deck[i]
            for j in range(i):
                cards[at.BOARD + 4] = deck[j]
                row = RIVERS + 52 * min(deck[i], deck[j]) + max(deck[i], deck[j])
                show_down(opened, cards, strength, row, weighed, space, total)
        return int(left * (left - 1) // 2)
    for i in range(left):
        cards[at.BOARD + 3] = deck[i]
        row = TURNS + deck[i]
        missing = hand[at.ALIVE] & ~known[row]
        if missing != 0:
            bettable = space["bettable"][2]
            look_up(cards, 2, missing, bettable, tables, ranks, row, known)
        take_ranks(2, hand[at.SEATS], ranks, row, space)
        last = follow(opened, 2, length, space)
        if space["node"][last, at.PHASE] == at.DEALING_BOARD:
            play_rivers(last, length, tables, space, total)
        else:  # for all rivers, so that every pair of cards counts once
            add_payoffs(space["node"][last], total, left - 1)
        space["spare"] = spare
    return int(left * (left - 1))


@uncounted_kernel
def play_boards(
    first: int,
    length: int,
    tables: RankTables,
    boards: DrawnBoards,
    space: np.void,
    total: np.ndarray,
) -> int:
    """Add the payoffs on the hand's boards of a node after the preflop; return how many."""
    cards = space["state"][STREET_DONE]
    cards_alone = no_more_betting(space["node"][first], space)
    spare = space["spare"]
    for board in range(len(boards.cards)):
        for i in range(5):
            cards[at.BOARD + i] = boards.cards[board, i]
        node = first
        if cards_alone:
            node = after(node, LAID, length, space)
        while not cards_alone and space["node"][node, at.PHASE] == at.DEALING_BOARD:
            node = after(node, DEALT, length, space)
            hand = space["node"][node]
            row = 3 * board + hand[at.STREET] - 1
            street = hand[at.STREET]
            missing = hand[at.ALIVE] & ~boards.known[row]
            if missing != 0:
                bettable = space["bettable"][street]
                look_up(cards, street, missing, bettable, tables, boards.rank, row, boards.known)
            take_ranks(street, hand[at.SEATS], boards.rank, row, space)
            node = follow(node, hand[at.STREET], length, space)
        show_down(node, cards, boards.strength, board, boards.weighed, space, total)
        space["spare"] = spare
    return len(boards.cards)


@uncounted_kernel
def value_now(
    length: int, tables: RankTables, boards: DrawnBoards, space: np.void, value: np.ndarray
) -> None:
    """Write the value of the hand that stands, in chips by seat."""
    total = space["total"]
    total[:] = 0
    hand = space["state"][STREET_DONE]
    copy(space["state"][NOW], hand, length)
    finish_street(hand, space)
    count = 1
    begin_tree(hand, length, space)
    if hand[at.PHASE] != at.DEALING_BOARD:
        add_payoffs(hand, total, 1)
    elif hand[at.STREET] == 0:
        count = play_boards(0, length, tables, boards, space, total)
    elif hand[at.STREET] == 1:
        count = play_turns(0, length, tables, space, total)
    else:
        count = play_rivers(0, length, tables, space, total)
    for seat in range(hand[at.SEATS]):
        value[seat] = total[seat] / (count * hand[at.DENOMINATOR])


@uncounted_kernel
def draw_boards(hand: np.ndarray, state: np.uint64, deck: np.ndarray, boards: DrawnBoards) -> None:
    """Draw the hand's boards from the cards that nobody holds, each without replacement."""
    left = fill_deck(hand, deck)
    for board in range(len(boards.cards)):
        for i in range(5):
            state += GOLDEN
            j = i + np.int64(below(mixed_bits(state), np.uint64(left - i)))
            card = deck[j]
            deck[j] = deck[i]
            deck[i] = card
            boards.cards[board, i] = card
    boards.known[:] = 0
    boards.weighed[:] = 0


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
    spaces: np.ndarray,
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
    space = spaces[0]
    now = space["state"][NOW]
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
            space["rank"][0, seat] = percentile[holding]
        draw_boards(now, hands.seed[i], space["deck"], boards)
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
            act_if_allowed(now, action)
            if action != expected[j]:
                value_now(length, tables, boards, space, after)
                for seat in range(seats):
                    delta[j, seat] = after[seat] - value[seat]
                    value[seat] = after[seat]
            j += 1


@inline_kernel
def deal_street(hand: np.ndarray, board: np.ndarray, tables: RankTables, space: np.void) -> None:
    """Deal the next street of a recorded hand, and rank the live seats on it."""
    size = hand[at.BOARD_SIZE]
    for k in range(size, max(size + 1, 3)):
        take_card(hand, board[k])
    next_street(hand)
    row = FLOP
    if hand[at.STREET] == 1:
        fill_deck(hand, space["deck"])
        space["known"][:] = 0
        space["weighed"][:] = 0
    elif hand[at.STREET] == 2:
        row = TURNS + hand[at.BOARD + 3]
    else:
        low = min(hand[at.BOARD + 3], hand[at.BOARD + 4])
        row = RIVERS + 52 * low + max(hand[at.BOARD + 3], hand[at.BOARD + 4])
    street = hand[at.STREET]
    ranks, known = space["board_rank"], space["known"]
    missing = hand[at.ALIVE] & ~known[row]
    if missing != 0:
        bettable = space["bettable"][street]
        look_up(hand, street, missing, bettable, tables, ranks, row, known)
    take_ranks(street, hand[at.SEATS], ranks, row, space)
    begin_street(hand)


@kernel
def play_positions(
    deals: int,
    opened: np.ndarray,
    state: np.uint64,
    percentile: np.ndarray,
    tables: RankTables,
    boards: DrawnBoards,
    spaces: np.ndarray,
    totals: np.ndarray,
    products: np.ndarray,
) -> None:
    """Let the policy play random deals from the blinds on, one board each.

    ``boards`` has room for one board. Added are ``totals`` (seats,) of the payoffs in chips and
    ``products`` (seats, seats).
    """
    space = spaces[0]
    seats = opened[at.SEATS]
    length = at.HEADER + at.STRIDE * seats
    now = space["state"][STREET_DONE]
    deck = space["deck"]
    total = space["total"]
    value = np.zeros(MOST_SEATS)
    copy(opened, now, length)
    begin_street(now)
    begin_tree(now, length, space)
    for _ in range(deals):
        copy(opened, now, length)
        for card in range(52):
            deck[card] = card
        for i in range(2 * seats):
            state += GOLDEN
            k = i + np.int64(below(mixed_bits(state), np.uint64(52 - i)))
            card = deck[k]
            deck[k] = deck[i]
            deck[i] = card
        for seat in range(seats):
            holding = int(HOLDING_INDEX[deck[2 * seat], deck[2 * seat + 1]])
            take_holding(now, seat, holding)
            space["rank"][0, seat] = percentile[holding]
        state += GOLDEN
        draw_boards(now, mixed_bits(state), deck, boards)
        total[:] = 0
        space["spare"] = _KEPT
        node = follow(0, 0, length, space)
        if space["node"][node, at.PHASE] == at.DEALING_BOARD:
            play_boards(node, length, tables, boards, space, total)
        else:
            add_payoffs(space["node"][node], total, 1)
        for own_seat in range(seats):
            value[own_seat] = total[own_seat] / now[at.DENOMINATOR]
            totals[own_seat] += value[own_seat]
        for own_seat in range(seats):
            for rival in range(seats):
                products[own_seat, rival] += value[own_seat] * value[rival]
