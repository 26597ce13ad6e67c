"""The rules engine: one vector (see `_kernels_layout`), stepped in place.

Nothing here raises; what the rules do not allow is answered with a reason code, which the callers
in `legality` and `play` put into words. A refused action leaves the vector unchanged; refused cards
leave it unusable.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel, merged_kernel
from railbird.cards._tables_holding import HOLDING_INDEX
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine._kernels_pots import (
    block_of,
    is_single,
    muck_unknown,
    next_in,
    settle,
    weigh,
)
from railbird.game.engine._tables import CARD_BIT, HOLDING_BITS


@kernel
def most_put_in(hand: np.ndarray, but: int) -> int:
    """Return the most that any other seat in the hand has put in on this street."""
    most = 0
    for seat in range(hand[at.SEATS]):
        if seat != but and hand[at.ALIVE] >> seat & 1:
            most = max(most, hand[block_of(seat) + at.IN])
    return most


@inline_kernel
def others_can_call(hand: np.ndarray, seat: int) -> bool:
    """Return whether a raise could be called or, if the rules ask no more, a seat is yet to act."""
    others = hand[at.ALIVE] & ~(1 << seat)
    able = False
    if hand[at.UNCALLABLE] != 0:
        able = not is_single(hand[at.ABLE])
    else:
        for other in range(hand[at.SEATS]):
            block = block_of(other)
            if others >> other & 1 and hand[block + at.IN] + hand[block + at.BEHIND] > hand[at.BET]:
                able = True
                break
    return able


@inline_kernel
def why_no_raise(hand: np.ndarray, seat: int) -> int:
    """Return the reason why a seat may not raise, 0 if it may."""
    block = block_of(seat)
    already = hand[block + at.IN]
    bet = hand[at.BET]
    reason = 0
    if hand[at.RAISES] >= hand[at.CAP]:
        reason = at.CAPPED
    elif already + hand[block + at.BEHIND] <= bet:
        reason = at.COVERED
    elif not others_can_call(hand, seat):
        reason = at.NOBODY_TO_CALL
    elif hand[at.SHORT_ALL_IN] != at.REOPENS and hand[at.ACTED] >> seat & 1:
        faces = bet - already
        if hand[at.SHORT_ALL_IN] == at.NEEDS_HALF_RAISE:
            faces *= 2
        if faces < hand[at.FULL_RAISE]:
            reason = at.NOT_REOPENED
    return reason


@kernel
def most_to(hand: np.ndarray, low: int, already: int) -> int:
    """Return the total of the largest raise that the betting structure allows.

    Kept separate because inlining it slows every decision by 2 %, in no-limit too.
    """
    bet = hand[at.BET]
    high = low
    if hand[at.BETTING] == at.POT_LIMIT:
        high = max(low, bet + hand[at.POT] + bet - already)
    elif hand[at.BETTING] == at.SPREAD_LIMIT:
        high = low - hand[at.FULL_RAISE] + hand[at.LARGEST_BET + hand[at.STREET]]
    return high


@inline_kernel
def give_turn(hand: np.ndarray, seat: int) -> None:
    """Make a seat the actor, and store its legal actions."""
    block = block_of(seat)
    already = hand[block + at.IN]
    behind = hand[block + at.BEHIND]
    top = already + behind
    bet = hand[at.BET]
    owed = bet - already
    if is_single(hand[at.ABLE]):
        # Nobody else can put in more, so a short blind is not called in full.
        owed = min(owed, most_put_in(hand, seat) - already)
    low = hand[at.MIN_TO]
    high = top
    if hand[at.BETTING] != at.NO_LIMIT:
        high = most_to(hand, low, already)
    hand[at.ACTOR] = seat
    hand[at.TO_CALL] = min(owed, behind)
    hand[at.LOW_TO] = min(low, top)
    hand[at.HIGH_TO] = min(high, top)
    hand[at.NO_RAISE] = why_no_raise(hand, seat)


@kernel
def end_hand(hand: np.ndarray) -> None:
    """End the betting for good: everyone else has folded, or the board is complete."""
    hand[at.PENDING] = 0
    hand[at.ACTOR] = -1
    if is_single(hand[at.ALIVE]):
        hand[at.PHASE] = at.OVER
    else:
        first = hand[at.AGGRESSOR]
        if first < 0 or not hand[at.ALIVE] >> first & 1:
            first = next_in(hand, hand[at.ALIVE], 0)
        hand[at.PHASE] = at.SHOWDOWN
        hand[at.PENDING] = hand[at.ALIVE]
        hand[at.SHOWER] = first
        weigh(hand)
    settle(hand)


@merged_kernel
def go_on(hand: np.ndarray, pending: int, start: int) -> None:
    """Pass the turn to the next pending seat, or end the street."""
    if pending != 0 and is_single(hand[at.ABLE]):
        last = next_in(hand, pending, 0)
        if hand[block_of(last) + at.IN] >= most_put_in(hand, last):
            pending = 0  # has covered everybody, so there is nothing to decide
    hand[at.PENDING] = pending
    if is_single(hand[at.ALIVE]) or (pending == 0 and hand[at.STREET] == 3):
        end_hand(hand)
    elif pending == 0:
        hand[at.ACTOR] = -1
        hand[at.PHASE] = at.DEALING_BOARD
    else:
        hand[at.PHASE] = at.BETTING_ROUND
        give_turn(hand, next_in(hand, pending, start))


@inline_kernel
def open_street(hand: np.ndarray) -> None:
    """Begin a street's betting, if two can bet; before the flop also if one has to call."""
    street = hand[at.STREET]
    able = hand[at.ABLE]
    hand[at.FULL_RAISE] = hand[at.BET_SIZE + street]
    hand[at.MIN_TO] = hand[at.BET] + hand[at.BET_SIZE + street]
    hand[at.RAISES] = 0
    hand[at.CAP] = hand[at.MAX_RAISES + street]
    hand[at.ACTED] = 0
    if hand[at.LIFTS_CAP] != 0:
        rest = hand[at.ALIVE] & (hand[at.ALIVE] - 1)
        if is_single(rest):
            hand[at.CAP] = at.UNLIMITED
    if not is_single(able):
        hand[at.AGGRESSOR] = -1
    go_on(hand, able, hand[at.FIRST + street])


@inline_kernel
def why_refused(hand: np.ndarray, action: int) -> int:
    """Return the reason why the actor may not do this, 0 if it may."""
    reason = 0
    if hand[at.PHASE] != at.BETTING_ROUND:
        reason = at.NOBODY_TO_ACT
    elif action > 0 or action == at.BELOW:
        if hand[at.NO_RAISE] != 0:
            reason = hand[at.NO_RAISE]
        elif action < hand[at.LOW_TO]:
            reason = at.TOO_SMALL
        elif action > hand[at.HIGH_TO]:
            reason = at.TOO_LARGE
    elif action == at.FOLD and hand[at.TO_CALL] == 0 and hand[at.OPEN_FOLDS] == 0:
        reason = at.NOTHING_TO_FOLD_TO
    return reason


@inline_kernel
def count_raise(hand: np.ndarray, to: int) -> None:
    """Raise the bet, and note by how much the next raise has to go further."""
    size = to - hand[at.BET]
    counts = 1
    if hand[at.SHORT_ALL_IN] == at.NEEDS_HALF_RAISE:
        # Measured from the last bet that counted, so that short all-ins add up.
        size = to - (hand[at.MIN_TO] - hand[at.FULL_RAISE])
        counts = int(2 * size >= hand[at.FULL_RAISE])
    hand[at.FULL_RAISE] = max(hand[at.FULL_RAISE], size)
    if hand[at.SHORT_ALL_IN] == at.REOPENS and hand[at.BETTING] != at.LIMIT:
        hand[at.MIN_TO] = max(hand[at.MIN_TO], to + size)
    elif counts != 0:
        hand[at.MIN_TO] = to + hand[at.FULL_RAISE]
    hand[at.RAISES] += counts
    hand[at.BET] = to


@merged_kernel
def play(hand: np.ndarray, action: int) -> None:
    """Apply an action that `why_refused` accepts."""
    seat = hand[at.ACTOR]
    block = block_of(seat)
    bit = 1 << seat
    pending = hand[at.PENDING] & ~bit
    hand[at.ACTED] |= bit
    if action == at.FOLD:
        hand[at.ALIVE] &= ~bit
        hand[at.ABLE] &= ~bit
    else:
        paid = hand[at.TO_CALL]
        if action != at.CALL:
            paid = action - hand[block + at.IN]
            count_raise(hand, action)
            hand[at.AGGRESSOR] = seat
            pending = hand[at.ABLE] & ~bit
        hand[block + at.IN] += paid
        hand[block + at.LIVE] += paid
        hand[block + at.BEHIND] -= paid
        hand[at.POT] += paid
        if hand[block + at.BEHIND] == 0:
            hand[at.ABLE] &= ~bit
    go_on(hand, pending, seat + 1)


@kernel
def act(hand: np.ndarray, action: int) -> int:
    """Apply the actor's fold, call or raise; return the reason why not, else 0."""
    reason = why_refused(hand, action)
    if reason == 0:
        play(hand, action)
    return reason


@inline_kernel
def take_holding(hand: np.ndarray, seat: int, holding: int) -> int:
    """Give a seat its holding; return the reason why not, else 0."""
    bits = HOLDING_BITS[holding]
    reason = 0
    if hand[at.CARDS] & bits:
        reason = at.CARD_TWICE
    hand[at.CARDS] |= bits
    hand[block_of(seat) + at.HOLDING] = holding
    return reason


@inline_kernel
def take_card(hand: np.ndarray, card: int) -> int:
    """Put one more card on the board; return the reason why not, else 0."""
    bit = CARD_BIT[card]
    reason = 0
    if hand[at.CARDS] & bit:
        reason = at.CARD_TWICE
    hand[at.CARDS] |= bit
    hand[at.BOARD + hand[at.BOARD_SIZE]] = card
    hand[at.BOARD_SIZE] += 1
    return reason


@inline_kernel
def next_street(hand: np.ndarray) -> None:
    """Move to the street whose cards are on the board; `open_street` comes next."""
    hand[at.STREET] += 1
    hand[at.BET] = 0
    for seat in range(hand[at.SEATS]):
        hand[block_of(seat) + at.IN] = 0


@kernel
def begin_street(hand: np.ndarray) -> None:
    """Do what `open_street` does, compiled once for all kernels that are called from Python."""
    open_street(hand)


@kernel
def deal_holes(hand: np.ndarray, holdings: np.ndarray) -> int:
    """Give every seat its holding (-1 if unknown); return the reason why not, else 0."""
    if hand[at.PHASE] != at.DEALING_HOLES:
        return at.WRONG_PHASE
    reason = 0
    for seat in range(hand[at.SEATS]):
        if not -1 <= holdings[seat] < len(HOLDING_BITS):
            return at.NO_SUCH_CARD
        if holdings[seat] >= 0:
            reason |= take_holding(hand, seat, holdings[seat])
    if reason == 0:
        begin_street(hand)
    return reason


@kernel
def deal_board(hand: np.ndarray, first: int, second: int, third: int) -> int:
    """Deal the next street; for the turn and the river pass one card, then -1, -1."""
    if hand[at.PHASE] != at.DEALING_BOARD:
        return at.WRONG_PHASE
    flop = hand[at.STREET] == 0
    if flop == (second < 0) or flop == (third < 0):
        return at.WRONG_BOARD
    if first < 0 or max(first, second, third) >= len(CARD_BIT):
        return at.NO_SUCH_CARD
    reason = take_card(hand, first)
    if flop:
        reason |= take_card(hand, second) | take_card(hand, third)
    if reason == 0:
        next_street(hand)
        begin_street(hand)
    return reason


# A row of cards has two for each seat, then the board's five. `why_no_row` checks it.


@inline_kernel
def take_holes(hand: np.ndarray, cards: np.ndarray) -> int:
    """Give every seat its holding from a row of cards; return the reason why not, else 0."""
    reason = 0
    for seat in range(hand[at.SEATS]):
        holding = int(HOLDING_INDEX[cards[2 * seat], cards[2 * seat + 1]])
        reason |= at.CARD_TWICE if holding < 0 else take_holding(hand, seat, holding)
    return reason


@inline_kernel
def take_street(hand: np.ndarray, cards: np.ndarray) -> int:
    """Deal the next street from a row of cards; return the reason why not, else 0."""
    board = 2 * hand[at.SEATS]
    size = hand[at.BOARD_SIZE]
    reason = 0
    for i in range(size, max(size + 1, 3)):
        reason |= take_card(hand, int(cards[board + i]))
    next_street(hand)
    return reason


@kernel
def why_no_row(hand: np.ndarray, cards: np.ndarray) -> int:
    """Return the reason why nothing can be dealt from a row, 0 if it can."""
    if len(cards) != 2 * hand[at.SEATS] + 5:
        return at.WRONG_BOARD
    for card in cards:
        if not 0 <= card < len(CARD_BIT):
            return at.NO_SUCH_CARD
    return 0


@kernel
def start(hand: np.ndarray, cards: np.ndarray) -> int:
    """Deal a row's holdings and whatever is due next; return the reason why not, else 0."""
    reason = why_no_row(hand, cards)
    if reason == 0:
        reason = take_holes(hand, cards)
    while reason == 0:
        begin_street(hand)
        if hand[at.PHASE] != at.DEALING_BOARD:
            break
        reason = take_street(hand, cards)
    return reason


@kernel
def act_and_deal(hand: np.ndarray, action: int, cards: np.ndarray) -> int:
    """Apply an action and deal from a row what is due next; return the reason why not, else 0."""
    reason = why_no_row(hand, cards)
    if reason == 0:
        reason = act(hand, action)
    while reason == 0 and hand[at.PHASE] == at.DEALING_BOARD:
        reason = take_street(hand, cards)
        begin_street(hand)
    return reason


@kernel
def why_not(hand: np.ndarray, action: int) -> int:
    """Return the reason why the actor may not do this, 0 if it may."""
    return why_refused(hand, action)


@kernel
def replay(hand: np.ndarray, script: np.ndarray, board_size: int) -> int:
    """Play a whole hand: holdings by seat, then the board's cards, then the actions.

    Returns 0 on success, else the reason plus 16 times the number of actions done.
    """
    seats = hand[at.SEATS]
    first = seats + board_size
    reason = deal_holes(hand, script[:seats])
    done = 0
    while reason == 0:
        if hand[at.PHASE] == at.DEALING_BOARD and hand[at.BOARD_SIZE] < board_size:
            card = seats + hand[at.BOARD_SIZE]
            if hand[at.STREET] > 0:
                reason = deal_board(hand, script[card], -1, -1)
            else:
                reason = deal_board(hand, script[card], script[card + 1], script[card + 2])
        elif first + done == len(script):
            if hand[at.BOARD_SIZE] < board_size:
                reason = at.WRONG_BOARD
            break
        elif hand[at.PHASE] == at.DEALING_BOARD:
            reason = at.WRONG_BOARD
        else:
            reason = act(hand, script[first + done])
            done += reason == 0
    if reason == 0 and hand[at.PHASE] == at.SHOWDOWN:
        muck_unknown(hand)
    return 16 * done + reason if reason != 0 else 0
