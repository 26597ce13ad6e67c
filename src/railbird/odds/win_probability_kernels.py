"""Wins and ties of one holding: counted against one opponent, in random deals against several.

On a complete board at most one suit allows flushes. All other holdings of an opponent rank by their
two ranks alone, so that 91 evaluations with their multiplicities stand for up to 990 holdings, and
a flush adds one evaluation for each pair of its suit's cards. That makes the 1,070,190 showdowns
from a flop 0.24 ms; one by one they took 2.4 ms in the same run.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.cards.kernels import plain_strength, strength_of_key
from railbird.cards.tables import CARD_KEY, CARD_MASK, FLUSH_STRENGTH, HOLDING_KEY, HOLDING_MASK
from railbird.odds.equity_kernels import fill_random
from railbird.odds.rank_kernels import key_of, mask_of

RANKS = 13
SUITS = 4
_HALF = np.uint64(32)
_DRAWS = 64
"""Deals for which random numbers are made at once."""


@uncounted_kernel
def add_showdown(
    key: np.uint64, mask: np.uint64, holding: int, rank_left: np.ndarray, counts: np.ndarray
) -> None:
    """Add to ``counts`` (2,) int64 the opponent's holdings that lose and that tie on one board.

    ``key`` and ``mask`` are those of the five cards; ``rank_left`` (13,) int64 gets the number of
    unseen cards of each rank.
    """
    seen = mask | HOLDING_MASK[holding]
    own = strength_of_key(key + HOLDING_KEY[holding], seen)
    suit = -1
    on_board = 0
    for s in range(SUITS):
        ranks = (mask >> np.uint64(16 * s)) & np.uint64(0x1FFF)
        count = 0
        while ranks:
            ranks &= ranks - np.uint64(1)
            count += 1
        if count >= 3:
            suit = s
            on_board = count
    for rank in range(RANKS):
        left = 0
        for s in range(SUITS):
            left += (seen >> np.uint64(16 * s + rank)) & np.uint64(1) == 0
        rank_left[rank] = left
    suited = np.uint64(0)

    if suit >= 0:
        suited = ~(seen >> np.uint64(16 * suit)) & np.uint64(0x1FFF)
    for high in range(RANKS):
        left = rank_left[high]
        high_suited = (suited >> np.uint64(high)) & np.uint64(1)
        for low in range(high + 1):
            low_suited = (suited >> np.uint64(low)) & np.uint64(1)
            # With three cards of a suit on the board a flush takes both own cards, so all but the
            # suited pairs rank by their ranks. With four on the board a flush takes one own card,
            # and with five none.
            if suit < 0 or on_board == 3:
                ways = left * rank_left[low] - np.int64(high_suited & low_suited)
                if low == high:
                    ways = left * (left - 1) // 2
            elif on_board == 4:
                rest = left - np.int64(high_suited)
                ways = rest * (rank_left[low] - np.int64(low_suited))
                if low == high:
                    ways = rest * (rest - 1) // 2
            else:
                break
            if ways > 0:
                theirs = plain_strength(key + CARD_KEY[SUITS * high] + CARD_KEY[SUITS * low + 1])
                if theirs < own:
                    counts[0] += ways
                elif theirs == own:
                    counts[1] += ways
    if suit < 0:
        return
    board_suit = (mask >> np.uint64(16 * suit)) & np.uint64(0x1FFF)
    unsuited = 0
    for rank in range(RANKS):
        unsuited += rank_left[rank] - np.int64((suited >> np.uint64(rank)) & np.uint64(1))
    # Holdings without a card of the suit play the board's flush.
    if on_board == 5:
        theirs = FLUSH_STRENGTH[board_suit]
        counts[0] += (theirs < own) * (unsuited * (unsuited - 1) // 2)
        counts[1] += (theirs == own) * (unsuited * (unsuited - 1) // 2)
    for high in range(RANKS):
        if (suited >> np.uint64(high)) & np.uint64(1):
            with_high = board_suit | np.uint64(1) << np.uint64(high)
            if on_board >= 4:
                theirs = FLUSH_STRENGTH[with_high]
                counts[0] += (theirs < own) * unsuited
                counts[1] += (theirs == own) * unsuited
            for low in range(high):
                if (suited >> np.uint64(low)) & np.uint64(1):
                    theirs = FLUSH_STRENGTH[with_high | np.uint64(1) << np.uint64(low)]
                    counts[0] += theirs < own
                    counts[1] += theirs == own


@kernel
def count_showdowns(board: np.ndarray, holding: int, counts: np.ndarray) -> None:
    """Fill in an opponent's holdings that lose and tie, summed over the run-outs.

    ``board`` has three to five cards; ``counts`` (2,) int64.
    """
    rank_left = np.empty(RANKS, dtype=np.int64)
    counts[:] = 0
    key, mask = key_of(board), mask_of(board)
    used = mask | HOLDING_MASK[holding]
    if board.size == 5:
        add_showdown(key, mask, holding, rank_left, counts)
        return
    for a in range(52):
        if used & CARD_MASK[a]:
            continue
        if board.size == 4:
            add_showdown(key + CARD_KEY[a], mask | CARD_MASK[a], holding, rank_left, counts)
            continue
        for b in range(a):
            if used & CARD_MASK[b] == 0:
                add_showdown(
                    key + CARD_KEY[a] + CARD_KEY[b],
                    mask | CARD_MASK[a] | CARD_MASK[b],
                    holding,
                    rank_left,
                    counts,
                )


@kernel
def deal_showdowns(
    state: np.ndarray,
    board: np.ndarray,
    holding: int,
    opponents: int,
    deals: int,
    sums: np.ndarray,
) -> None:
    """Add random deals to ``sums`` (3,) float64: not beaten, share of the pot, its square.

    ``state`` (4,) uint64 of the generator is advanced; ``board`` has 0, 3, 4 or 5 cards.
    """
    used = mask_of(board) | HOLDING_MASK[holding]
    deck = np.empty(52, dtype=np.int64)
    size = 0
    for card in range(52):
        if used & CARD_MASK[card] == 0:
            deck[size] = card
            size += 1
    board_key, board_mask = key_of(board), mask_of(board)
    to_come = 5 - board.size
    drawn = to_come + 2 * opponents
    numbers = np.empty(_DRAWS * drawn, dtype=np.uint64)
    unused = 0
    for _ in range(deals):
        if unused == 0:
            fill_random(state, numbers, numbers.size)
            unused = _DRAWS
        first = (_DRAWS - unused) * drawn
        unused -= 1
        # A partial shuffle; the deck's order from the deal before does no harm.
        for i in range(drawn):
            j = i + np.int64(((numbers[first + i] >> _HALF) * np.uint64(size - i)) >> _HALF)
            deck[i], deck[j] = deck[j], deck[i]
        key, mask = board_key, board_mask
        for i in range(to_come):
            key += CARD_KEY[deck[i]]
            mask |= CARD_MASK[deck[i]]
        own = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
        tied = 1
        for k in range(opponents):
            a, b = deck[to_come + 2 * k], deck[to_come + 2 * k + 1]
            theirs = strength_of_key(
                key + CARD_KEY[a] + CARD_KEY[b], mask | CARD_MASK[a] | CARD_MASK[b]
            )
            if theirs > own:
                tied = 0
                break
            tied += theirs == own
        if tied:
            sums[0] += 1.0
            sums[1] += 1.0 / tied
            sums[2] += 1.0 / (tied * tied)
