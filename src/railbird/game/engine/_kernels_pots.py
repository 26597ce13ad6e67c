"""From the end of the betting to the payoffs: pots, strengths, showing and mucking."""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.cards.hand_strength._kernels_evaluator import CARD_KEY, HOLDING_KEY, strength_of_key
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine._kernels_rake import rake_of
from railbird.game.engine._tables import CARD_BIT, HOLDING_BITS


@inline_kernel
def copy(source: np.ndarray, target: np.ndarray, size: int) -> None:
    """Copy the first numbers of an array.

    An assignment of slices would do, but compiles also how to say that their shapes differ, which
    takes a second and a half.
    """
    for i in range(size):
        target[i] = source[i]


@inline_kernel
def block_of(seat: int) -> int:
    """Return the index at which a seat's block begins."""
    return at.HEADER + at.STRIDE * seat


@inline_kernel
def is_single(mask: int) -> bool:
    """Return whether a mask has at most one bit."""
    return mask & (mask - 1) == 0


@inline_kernel
def next_in(hand: np.ndarray, mask: int, start: int) -> int:
    """Return the first seat of a mask from ``start`` on, clockwise."""
    seats = hand[at.SEATS]
    seat = start
    while True:
        if seat >= seats:
            seat = 0
        if mask >> seat & 1:
            return seat
        seat += 1


@kernel
def give_back(hand: np.ndarray) -> None:
    """Initialise the payoffs with each seat's losses; `award` adds the winnings."""
    for seat in range(hand[at.SEATS]):
        block = block_of(seat)
        hand[block + at.PAYOFF] = -hand[at.DENOMINATOR] * (
            hand[block + at.LIVE] + hand[block + at.ANTE]
        )


@kernel
def award(hand: np.ndarray, amount: int, eligible: int) -> bool:
    """Give one pot to the best eligible hands; return False if that depends on unknown cards."""
    if is_single(eligible):  # an uncalled bet, or everyone else has folded
        hand[block_of(next_in(hand, eligible, 0)) + at.PAYOFF] += amount * hand[at.DENOMINATOR]
        return True
    contenders = eligible & ~hand[at.MUCKED]
    best = -1
    winners = 0
    for seat in range(hand[at.SEATS]):
        if contenders >> seat & 1:
            strength = hand[block_of(seat) + at.STRENGTH]
            if strength < 0:
                return False
            if strength > best:
                best = strength
                winners = 0
            winners += strength == best
    if winners == 0:
        return False
    share = amount * hand[at.DENOMINATOR]
    odd = 0
    if winners > 1:  # the division costs as much as everything else here
        odd = share % winners
        share //= winners
    for seat in range(hand[at.SEATS]):
        block = block_of(seat)
        if contenders >> seat & 1 and hand[block + at.STRENGTH] == best:
            hand[block + at.PAYOFF] += share + (odd > 0)
            odd -= 1
    return True


@inline_kernel
def level_of(hand: np.ndarray, seat: int) -> int:
    """Return the level up to which a seat may claim the pot: its ante plus its bets."""
    block = block_of(seat)
    if hand[at.SHORT_ANTE] >> seat & 1:
        return int(hand[block + at.ANTE])
    return int(hand[at.MOST_ANTE] + hand[block + at.LIVE])


@kernel
def chips_below(hand: np.ndarray, level: int) -> int:
    """Return all chips put in up to a level, including those of folded seats."""
    chips = 0
    for seat in range(hand[at.SEATS]):
        block = block_of(seat)
        chips += min(hand[block + at.ANTE], level)
        chips += min(hand[block + at.LIVE], max(level - hand[at.MOST_ANTE], 0))
    return chips


@kernel
def called_chips(hand: np.ndarray) -> int:
    """Return the chips in the pots, without an uncalled bet, which is returned."""
    highest = -1
    second = -1
    bettor = 0
    for seat in range(hand[at.SEATS]):
        level = level_of(hand, seat)
        if level > highest:
            second = highest
            highest = level
            bettor = seat
        elif level > second:
            second = level
    if second == highest or hand[at.ALIVE] >> bettor & 1 == 0:
        return int(hand[at.POT])
    return int(chips_below(hand, second))


@kernel
def settle(hand: np.ndarray) -> None:
    """Share the main pot and the side pots, if the known cards decide them."""
    give_back(hand)
    eligible = hand[at.ALIVE]
    shared = 0
    raked = 0
    called = 0
    if hand[at.RAKE] != 0 and (hand[at.NO_FLOP_NO_DROP] == 0 or hand[at.BOARD_SIZE] > 0):
        called = called_chips(hand)
    decided = True
    while eligible != 0:
        low = level_of(hand, next_in(hand, eligible, 0))
        high = low
        for seat in range(hand[at.SEATS]):
            if eligible >> seat & 1:
                level = level_of(hand, seat)
                low = min(low, level)
                high = max(high, level)
        up_to = hand[at.POT] if low == high else chips_below(hand, low)
        amount = up_to - shared
        if called != 0:
            due = rake_of(hand, min(up_to, called)) - raked
            # One step of the rake may exceed a small side pot.
            due = min(due, min(up_to, called) - min(shared, called))
            amount -= due
            raked += due
        decided = award(hand, amount, eligible) and decided
        shared = up_to
        above = 0
        if low != high:
            for seat in range(hand[at.SEATS]):
                if eligible >> seat & 1 and level_of(hand, seat) > low:
                    above |= 1 << seat
        eligible = above
    hand[at.SETTLED] = decided
    hand[at.RAKED] = raked
    if not decided:
        give_back(hand)


@kernel
def weigh(hand: np.ndarray) -> None:
    """Evaluate every known hand that has reached the showdown."""
    key = np.uint64(0)
    mask = np.int64(0)
    for i in range(5):
        card = hand[at.BOARD + i]
        key += CARD_KEY[card]
        mask |= CARD_BIT[card]
    for seat in range(hand[at.SEATS]):
        block = block_of(seat)
        holding = hand[block + at.HOLDING]
        if hand[at.ALIVE] >> seat & 1 and holding >= 0:
            hand[block + at.STRENGTH] = strength_of_key(
                key + HOLDING_KEY[holding], np.uint64(mask | HOLDING_BITS[holding])
            )


@kernel
def may_muck(hand: np.ndarray, seat: int) -> bool:
    """Return whether shown hands beat a seat's in every pot that the seat could win."""
    block = block_of(seat)
    strength = hand[block + at.STRENGTH]
    reach = 0
    for other in range(hand[at.SEATS]):
        if other != seat and hand[at.ALIVE] >> other & 1:
            reach = max(reach, level_of(hand, other))
    reach = min(reach, level_of(hand, seat))
    for other in range(hand[at.SEATS]):
        if (
            hand[at.SHOWN] >> other & 1
            and level_of(hand, other) >= reach
            and hand[block_of(other) + at.STRENGTH] > strength
        ):
            return True
    return False


@inline_kernel
def next_to_show(hand: np.ndarray, seat: int) -> None:
    """Pass the turn in the showdown."""
    pending = hand[at.PENDING] & ~(1 << seat)
    hand[at.PENDING] = pending
    if pending == 0:
        hand[at.SHOWER] = -1
        hand[at.PHASE] = at.OVER
    else:
        hand[at.SHOWER] = next_in(hand, pending, seat + 1)


@kernel
def show(hand: np.ndarray, seat: int, holding: int) -> int:
    """Show a seat's cards, in the showdown or after it; return the reason why not, else 0."""
    block = block_of(seat)
    if not 0 <= holding < len(HOLDING_BITS):
        return at.NO_SUCH_CARD
    if hand[at.PHASE] < at.SHOWDOWN or hand[at.SHOWN] >> seat & 1:
        return at.WRONG_PHASE
    if hand[at.PHASE] == at.SHOWDOWN and hand[at.SHOWER] != seat:
        return at.NOT_THE_TURN
    if hand[block + at.HOLDING] < 0:
        if hand[at.CARDS] & HOLDING_BITS[holding]:
            return at.CARD_TWICE
        hand[block + at.HOLDING] = holding
        hand[at.CARDS] |= HOLDING_BITS[holding]
    elif hand[block + at.HOLDING] != holding:
        return at.OTHER_CARDS
    hand[at.SHOWN] |= 1 << seat
    if hand[at.BOARD_SIZE] == 5:
        weigh(hand)
    if hand[at.PHASE] == at.SHOWDOWN:
        next_to_show(hand, seat)
        settle(hand)
    return 0


@kernel
def muck(hand: np.ndarray, seat: int) -> int:
    """Muck a beaten hand; return the reason why not, else 0."""
    if hand[at.PHASE] != at.SHOWDOWN:
        return at.WRONG_PHASE
    if hand[at.SHOWER] != seat:
        return at.NOT_THE_TURN
    if not may_muck(hand, seat):
        return at.NOT_BEATEN
    hand[at.MUCKED] |= 1 << seat
    next_to_show(hand, seat)
    settle(hand)
    return 0


@kernel
def muck_unknown(hand: np.ndarray) -> None:
    """Muck every unknown hand, unless no hand is known."""
    unknown = np.int64(0)
    for seat in range(hand[at.SEATS]):
        if hand[at.ALIVE] >> seat & 1 and hand[block_of(seat) + at.HOLDING] < 0:
            unknown |= 1 << seat
    if unknown != 0 and unknown != hand[at.ALIVE]:
        hand[at.MUCKED] = unknown
        hand[at.PENDING] &= ~unknown
        hand[at.SHOWER] = next_in(hand, hand[at.PENDING], hand[at.SHOWER])
        settle(hand)


@kernel
def hide(hand: np.ndarray, viewer: int) -> None:
    """Erase every card that a viewer has not seen; -1 is a spectator."""
    cards = np.int64(0)
    for i in range(hand[at.BOARD_SIZE]):
        cards |= CARD_BIT[hand[at.BOARD + i]]
    for seat in range(hand[at.SEATS]):
        block = block_of(seat)
        if seat != viewer and hand[at.SHOWN] >> seat & 1 == 0:
            hand[block + at.HOLDING] = -1
            hand[block + at.STRENGTH] = -1
        elif hand[block + at.HOLDING] >= 0:
            cards |= HOLDING_BITS[hand[block + at.HOLDING]]
    hand[at.CARDS] = cards
    if hand[at.PHASE] >= at.SHOWDOWN:
        settle(hand)
