"""The cards of other games than hold'em, in a tail behind the seats of the engine's vector.

Nothing here raises, as in `kernels`, which has the betting and the pots of every game.
"""

# What a game deals and which hands share a pot is data in the tail's header, filled from a
# `railbird.cards.Variant` by `railbird.game.state`; no code here knows a game. Betting never looks
# at cards, so these kernels call those of `kernels` between the deals: `begin_street`,
# `act_if_allowed`, `next_street`, `settle_pots`. In a showdown the engine itself finds no holding,
# and settles nothing; `weigh_if_over` then fills in the strengths and settles again. Hold'em's
# loops compile nothing of this file.
#
# A row of cards has each seat's, in the order of dealing, then those of each board.
#
# Who would notice: tests/oracles/test_pokerkit_variants.py plays random hands of every game beside
# pokerkit; tests/game/test_variants.py has the corners.

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards.rankings_kernels import add_triples, any_strength, best_with_two
from railbird.game.kernels import (
    ALIVE,
    BOARD,
    BOARD_SIZE,
    BOARDS,
    CARD_BIT,
    CARD_TWICE,
    CARDS,
    DEALING_BOARD,
    DEALING_HOLES,
    LAST_STREET,
    NO_SUCH_CARD,
    NOT_THE_TURN,
    OTHER_CARDS,
    PHASE,
    SEATS,
    SETTLED,
    SHARES,
    SHOWDOWN,
    SHOWER,
    SHOWN,
    STREET,
    STRENGTH,
    TAIL,
    TAIL_HEADER,
    TAIL_STRIDE,
    UNKNOWN_CARD,
    WRONG_BOARD,
    WRONG_PHASE,
    act_if_allowed,
    begin_street,
    block_of,
    next_street,
    next_to_show,
    settle_pots,
)

# The tail's header, from TAIL on, behind BOARDS and SHARES; it includes the game, which never
# changes.
DECK = 2
"""Mask of the deck's cards."""
HAND_SIZE = 3
"""Cards of a seat in a row."""
BOARD_CARDS = 4
"""Cards of a board in a row."""
RANKING = 5
"""Two, by share: `railbird.cards.rankings.RANKING_NUMBER`."""
LEAST = 7
"""Two, by share: the least strength that can win."""
TWO_HOLES = 9
"""1 if a hand has exactly two own cards and three of the board."""
MORE_BOARDS = 10
"""Five cards of each of two further boards, -1 where not dealt."""
DEALS = 20
"""By street, what is dealt: `DEAL` numbers for each of five."""
DOWN_DEALT = 0
UP_DEALT = 1
BOARD_DEALT = 2
DEAL = 3

# A seat's block in the tail, after the strengths in further shares.
DOWN = 5
"""Mask of the known cards that only the seat sees."""
UP = 6
"""Mask of the cards that everybody sees."""


@inline_kernel
def tail_block(hand: np.ndarray, seat: int) -> int:
    """Return the index at which a seat's block of the tail begins."""
    return int(hand[TAIL] + TAIL_HEADER + TAIL_STRIDE * seat)


@inline_kernel
def dealt_on(hand: np.ndarray, street: int, kind: int) -> int:
    """Return how many cards of a kind are dealt on a street."""
    return int(hand[hand[TAIL] + DEALS + DEAL * street + kind])


@inline_kernel
def place_on_board(hand: np.ndarray, board: int) -> int:
    """Return the index of a board's first card."""
    return BOARD if board == 0 else int(hand[TAIL] + MORE_BOARDS + 5 * (board - 1))


@uncounted_kernel
def dealt_before(hand: np.ndarray, street: int) -> int:
    """Return how many cards each seat was dealt before a street."""
    total = 0
    for earlier in range(street):
        total += dealt_on(hand, earlier, DOWN_DEALT) + dealt_on(hand, earlier, UP_DEALT)
    return total


@uncounted_kernel
def cards_in(mask: int) -> int:
    """Return the number of cards of a mask."""
    total = 0
    while mask:
        mask &= mask - 1
        total += 1
    return total


@inline_kernel
def take_bit(hand: np.ndarray, card: int) -> int:
    """Note that a card is in play; return the reason why it cannot be, else 0."""
    bit = CARD_BIT[card]
    reason = 0
    if hand[hand[TAIL] + DECK] & bit == 0:
        reason = NO_SUCH_CARD
    elif hand[CARDS] & bit:
        reason = CARD_TWICE
    hand[CARDS] |= bit
    return reason


@kernel
def deal_next(
    hand: np.ndarray, cards: np.ndarray, own: int, step: int, board: int, board_step: int
) -> int:
    """Deal the street that is due; return the reason why not, else 0.

    Seat s's cards, those that only it sees first, are from ``own + step * s`` on in ``cards``
    uint8, those of board b from ``board + board_step * b`` on. An `UNKNOWN_CARD` is not noted, and
    seats that have folded get none.
    """
    if hand[PHASE] != DEALING_HOLES and hand[PHASE] != DEALING_BOARD:
        return WRONG_PHASE
    street = hand[STREET] + (hand[PHASE] == DEALING_BOARD)
    down = dealt_on(hand, street, DOWN_DEALT)
    total = down + dealt_on(hand, street, UP_DEALT)
    for seat in range(hand[SEATS]):
        if hand[ALIVE] >> seat & 1:
            block = tail_block(hand, seat)
            for i in range(total):
                card = int(cards[own + step * seat + i])
                if card == UNKNOWN_CARD:
                    continue
                if card >= len(CARD_BIT):
                    return NO_SUCH_CARD
                reason = take_bit(hand, card)
                if reason != 0:
                    return reason
                hand[block + (DOWN if i < down else UP)] |= CARD_BIT[card]
    on_board = dealt_on(hand, street, BOARD_DEALT)
    for number in range(hand[hand[TAIL] + BOARDS]):
        slot = place_on_board(hand, number) + hand[BOARD_SIZE]
        for i in range(on_board):
            card = int(cards[board + board_step * number + i])
            if card >= len(CARD_BIT):
                return NO_SUCH_CARD
            reason = take_bit(hand, card)
            if reason != 0:
                return reason
            hand[slot + i] = card
    hand[BOARD_SIZE] += on_board
    if hand[PHASE] == DEALING_BOARD:
        next_street(hand)
    begin_street(hand)
    weigh_if_over(hand)
    return 0


@kernel
def weigh_if_over(hand: np.ndarray) -> None:
    """Evaluate the known hands of a showdown, and share the pots if they decide them."""
    if hand[PHASE] == SHOWDOWN and hand[SETTLED] == 0:
        weigh_shares(hand)
        settle_pots(hand)


@kernel
def weigh_shares(hand: np.ndarray) -> None:
    """Evaluate every known hand that has reached the showdown, in every share."""
    tail, shares = hand[TAIL], hand[hand[TAIL] + SHARES]
    size = dealt_before(hand, hand[LAST_STREET] + 1)
    on_board = hand[BOARD_SIZE]
    holes = np.empty(size, np.uint8)
    board = np.empty(on_board, np.uint8)
    triples = np.empty(10, np.uint64)
    best = np.empty(shares, np.uint16)
    rankings = hand[tail + RANKING : tail + RANKING + shares]
    for number in range(hand[hand[TAIL] + BOARDS]):
        first = place_on_board(hand, number)
        for i in range(on_board):
            board[i] = hand[first + i]
        if hand[tail + TWO_HOLES]:
            add_triples(board, triples)
        for seat in range(hand[SEATS]):
            block = tail_block(hand, seat)
            known = hand[block + DOWN] | hand[block + UP]
            if hand[ALIVE] >> seat & 1 == 0 or cards_in(known) != size:
                continue
            i = 0
            for card in range(len(CARD_BIT)):
                if known & CARD_BIT[card]:
                    holes[i] = card
                    i += 1
            if hand[tail + TWO_HOLES]:
                best_with_two(holes, board, triples, rankings, best)
            else:
                for share in range(shares):
                    best[share] = any_strength(holes, board, rankings[share])
            for share in range(shares):
                strength = int(best[share])
                if strength < hand[tail + LEAST + share]:
                    strength = 0
                place = number * shares + share
                if place == 0:
                    hand[block_of(seat) + STRENGTH] = strength
                else:
                    hand[block + place - 1] = strength


@uncounted_kernel
def why_no_cards(hand: np.ndarray, cards: np.ndarray) -> int:
    """Return the reason why nothing can be dealt from a row, 0 if it can."""
    tail = hand[TAIL]
    on_boards = hand[tail + BOARDS] * hand[tail + BOARD_CARDS]
    if len(cards) != hand[SEATS] * hand[tail + HAND_SIZE] + on_boards:
        return WRONG_BOARD
    return 0


@kernel
def deal_from(hand: np.ndarray, cards: np.ndarray) -> int:
    """Deal from a row whatever is due before the next decision; return why not, else 0."""
    step, on_board = hand[hand[TAIL] + HAND_SIZE], hand[hand[TAIL] + BOARD_CARDS]
    reason = 0
    while reason == 0 and (hand[PHASE] == DEALING_HOLES or hand[PHASE] == DEALING_BOARD):
        street = hand[STREET] + (hand[PHASE] == DEALING_BOARD)
        own = dealt_before(hand, street)
        board = hand[SEATS] * step + hand[BOARD_SIZE]
        reason = deal_next(hand, cards, own, step, board, on_board)
    return reason


@kernel
def start_cards(hand: np.ndarray, cards: np.ndarray) -> int:
    """Deal a row's first cards and whatever is due next; return the reason why not, else 0."""
    reason = why_no_cards(hand, cards)
    return reason if reason != 0 else deal_from(hand, cards)


@kernel
def act_and_weigh(hand: np.ndarray, action: int) -> int:
    """Apply the actor's fold, call or raise; return the reason why not, else 0."""
    reason = act_if_allowed(hand, action)
    if reason == 0:
        weigh_if_over(hand)
    return reason


@kernel
def act_and_deal_from(hand: np.ndarray, action: int, cards: np.ndarray) -> int:
    """Apply an action and deal the next cards due from a row; return the reason why not, else 0."""
    reason = why_no_cards(hand, cards)
    if reason == 0:
        reason = act_and_weigh(hand, action)
    if reason == 0:
        reason = deal_from(hand, cards)
    return reason


@kernel
def reveal_cards(hand: np.ndarray, seat: int, cards: int) -> int:
    """Show a seat's cards, in the showdown or after it; return the reason why not, else 0."""
    block = tail_block(hand, seat)
    if cards & ~hand[hand[TAIL] + DECK]:
        return NO_SUCH_CARD
    if hand[PHASE] < SHOWDOWN or hand[SHOWN] >> seat & 1:
        return WRONG_PHASE
    if hand[PHASE] == SHOWDOWN and hand[SHOWER] != seat:
        return NOT_THE_TURN
    known = hand[block + DOWN] | hand[block + UP]
    if known & ~cards or cards_in(cards) != dealt_before(hand, hand[STREET] + 1):
        return OTHER_CARDS
    if hand[CARDS] & cards & ~known:
        return CARD_TWICE
    hand[block + DOWN] = cards & ~hand[block + UP]
    hand[CARDS] |= cards
    hand[SHOWN] |= 1 << seat
    if hand[STREET] == hand[LAST_STREET]:
        weigh_shares(hand)
    if hand[PHASE] == SHOWDOWN:
        next_to_show(hand, seat)
        settle_pots(hand)
    return 0


@kernel
def hide_cards(hand: np.ndarray, viewer: int) -> None:
    """Erase every card that a viewer has not seen; -1 is a spectator."""
    cards = np.int64(0)
    for number in range(hand[hand[TAIL] + BOARDS]):
        first = place_on_board(hand, number)
        for i in range(hand[BOARD_SIZE]):
            cards |= CARD_BIT[hand[first + i]]
    for seat in range(hand[SEATS]):
        block = tail_block(hand, seat)
        if seat != viewer and hand[SHOWN] >> seat & 1 == 0:
            hand[block + DOWN] = 0
            hand[block_of(seat) + STRENGTH] = -1
            for i in range(hand[hand[TAIL] + BOARDS] * hand[hand[TAIL] + SHARES] - 1):
                hand[block + i] = -1
        cards |= hand[block + DOWN] | hand[block + UP]
    hand[CARDS] = cards
    if hand[PHASE] >= SHOWDOWN:
        settle_pots(hand)
