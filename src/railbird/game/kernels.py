"""The rules engine: one vector, laid out as below, stepped in place.

Nothing here raises. An action that the rules do not allow returns a reason code, which the callers
in `state` and `play` put into words. A refused action leaves the vector unchanged; refused cards
leave it unusable.
"""

# This file is the only implementation of the rules. A Python player's step, the compiled match
# loops, the readers of logs, the roll-outs of the assessment and the server's tables all step the
# vector that is laid out below, so none of them can disagree about a raise, a side pot or an odd
# chip. `state` and `play` are the same thing seen from Python: they make vectors, hide them behind
# an immutable object, and put reason codes into sentences.
#
# Why a vector. A hand is copied and stepped millions of times a second: before each action in
# Python, before each card in a roll-out. Copying it is one loop over a few dozen numbers, and the
# hands of a batch are rows of one array. A tuple of arrays would be passed on to each helper as
# seven arguments an array, each with a count of references. All numbers are int64, masks of cards
# included, because Numba makes a float of an int64 and a uint64 together.
#
# How an action is done. `refusal_code` compares it with the first `LEGAL` numbers, which were
# filled when the seat was given the turn; `apply_action` applies it; `pass_turn` passes the turn,
# or ends the street or the hand. What is legal is therefore computed once for a decision, however
# often a player asks. The order of the checks in `why_no_raise` decides which reason a user is
# told.
#
# How pots are shared. No list of side pots is kept during the hand. `settle_pots` goes through the
# levels up to which the seats still eligible have paid (`level_of`), from the lowest on: what
# everybody has put in up to a level, folded seats included, is one pot, and those who have paid no
# more than that take no part in the next one. Antes that all have paid in full lie below the levels
# of bets. A payoff is counted in parts of a chip, `DENOMINATOR` of them, so that it stays an
# integer when a pot is split. While cards that would decide a pot are unknown, `SETTLED` is 0 and
# every seat's payoff is the loss of what it has put in.
#
# Which decorator a helper has was chosen by measuring, and changes either the speed or the time
# that the first use takes to compile. `inline_kernel` copies the body into every caller,
# `merged_kernel` lets LLVM do so after Numba has analysed it once, and `kernel` keeps it apart.
#
# What must stay as it is. `replay_row` packs a reason into the lowest four bits of its answer, so
# that a sixteenth reason needs another form there and in `play`. `deal_many` and `stream_of` turn
# seeds into cards: with another order of draws every log would have other hands (tests/golden,
# tests/oracles/test_acpc_dealer.py for the ACPC's own order). New numbers of the header go before
# the blocks of the seats, and `HEADER` moves.
#
# Who would notice. tests/twins/test_game_twins.py plays random hands under every rule beside
# tests/twins/slow_game.py, which shares pots chip by chip; tests/oracles/test_pokerkit.py does so
# beside pokerkit and lists the differences that are meant; tests/laws/test_game_laws.py knows what
# holds for every hand, such as that chips are neither made nor lost.

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird._jit import inline_kernel, kernel, merged_uncounted_kernel, uncounted_kernel
from railbird.cards.kernels import strength_of_key
from railbird.cards.splitmix_kernels import GOLDEN, mixed_bits
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_INDEX, HOLDING_KEY, HOLDING_MASK
from railbird.game.rules import MOST_PARTS

# Layout of the int64 vector that is the state of one hand.
#
# Amounts are chips. A mask has bit s for seat s. The header includes the rules, which never change;
# a block of `STRIDE` numbers for each seat follows.


# The legal actions of the seat to act, contiguous so that `railbird.game.legal` copies one slice.
PHASE = 0
STREET = 1
ACTOR = 2
"""The seat that is to act; -1 if none."""
TO_CALL = 3
"""Cost of a call to the actor."""
LOW_TO = 4
HIGH_TO = 5
"""The actor may raise to LOW_TO..HIGH_TO, if NO_RAISE is 0."""
NO_RAISE = 6
"""Reason why the actor may not raise; 0 if it may."""
OPEN_FOLDS = 7
"""1 if a hand may be folded when checking is free, 0 if not; below 0 if no hand may be folded, by
the seat that has to bring it in (`tail_kernels`)."""
LEGAL = 8
"""Number of the fields above."""

# The rest of the state.
ALIVE = 8
"""Mask: not folded."""
ABLE = 9
"""Mask: not folded, and chips left to bet."""
PENDING = 10
"""Mask: still has to act on this street; in a showdown, to show."""
ACTED = 11
"""Mask: has acted on this street."""
BET = 12
"""The bet to match: what a seat must have put in on this street to stay."""
FULL_RAISE = 13
"""The size of the last full bet or raise of this street."""
MIN_TO = 14
"""Total of the smallest raise, before limiting it to the actor's stack."""
RAISES = 15
"""Bets and raises made on this street, except all-ins that were too short to count."""
CAP = 16
"""Bets and raises allowed on this street."""
AGGRESSOR = 17
"""The last seat that bet or raised on the last street with betting; -1 if none."""
POT = 18
"""All chips put in."""
BOARD_SIZE = 19
BOARD = 20
"""Five cards; -1 where not dealt."""
CARDS = 25
"""The known cards of all seats and of the board, as a sum of CARD_BIT."""
SHORT_ANTE = 26
"""Mask: could not pay its whole ante."""
SHOWN = 27
"""Mask: has shown its cards."""
MUCKED = 28
"""Mask: has mucked its cards in the showdown."""
SHOWER = 29
"""The seat that is to show or to muck; -1 if none."""
RAKED = 30
"""Rake taken; 0 until the betting is over."""
SETTLED = 31
"""1 once the payoffs are known."""

# The rest of the rules.
SEATS = 32
BETTING = 33
"""LIMIT, SPREAD_LIMIT, POT_LIMIT or NO_LIMIT."""
SHORT_ALL_IN = 34
"""NEEDS_FULL_RAISE, NEEDS_HALF_RAISE or REOPENS."""
UNCALLABLE = 35
"""1 if a seat may raise to more than any other seat can call."""
DENOMINATOR = 36
"""Denominator of payoffs in chips; 1 unless odd chips are split."""
LIFTS_CAP = 37
"""1 if there is no cap on a street that two players begin."""
MOST_ANTE = 38
BET_SIZE = 39
"""Five, by street."""
LARGEST_BET = 44
"""Five, by street; in spread limit."""
RAKE = 49
"""Rake as a share of the pot, in ten-thousandths; 0 for none."""
RAKE_STEP = 50
"""The rake is a multiple of this."""
RAKE_CAP = 51
"""The maximum rake."""
NO_FLOP_NO_DROP = 52
"""1 if hands without a flop are not raked."""
MAX_RAISES = 53
"""Five, by street."""
FIRST = 58
"""Five, by street: the seat that acts first. Where cards decide, it is filled in once they lie."""
LAST_STREET = 63
TAIL = 64
"""Where the tail begins; 0 if there is none, as in hold'em."""
HEADER = 65

# A seat's block: seat s begins at HEADER + STRIDE * s.
BEHIND = 0
"""Chips left to bet."""
IN = 1
"""Live chips put in on this street."""
LIVE = 2
"""Live chips put in during the hand."""
ANTE = 3
"""Dead chips put in."""
HOLDING = 4
"""0..1325; -1 if not known."""
STRENGTH = 5
"""0..7461 in a showdown; -1 if not known."""
PAYOFF = 6
STRIDE = 7

# Hold'em's cards are in the header and in the seats' blocks. Those of other games are in a tail
# behind the last block (`tail_kernels`), of which the engine itself knows how many parts the pot
# has, and where the strengths in the further ones are. Seat s's begin at
# TAIL + TAIL_HEADER + TAIL_STRIDE * s, board by board; the first part's is in the block.
BOARDS = 0
"""Boards that each have an equal part of the pot."""
SHARES = 1
"""Shares of the pot on each board, 1 or, in games of high and low, 2."""
TAIL_HEADER = 59
TAIL_STRIDE = 9

# BETTING
LIMIT = 0
SPREAD_LIMIT = 1
POT_LIMIT = 2
NO_LIMIT = 3

# SHORT_ALL_IN: what reopens the betting to a seat that has acted.
NEEDS_FULL_RAISE = 0
NEEDS_HALF_RAISE = 1
REOPENS = 2

# PHASE
DEALING_HOLES = 0
BETTING_ROUND = 1
DEALING_BOARD = 2
SHOWDOWN = 3
OVER = 4
DRAWING = -1
"""The actor exchanges cards (`tail_kernels`), in another game than hold'em."""

# Actions; a raise is coded as its total, from 1.
FOLD = -1
CALL = 0
BELOW = -2
"""A raise to less than one chip; lower codes exchange cards (`railbird.game.code_of_any`)."""
BEYOND = 1 << 62
"""A raise to more chips than anyone has."""

# Why something is refused; 0 if it is not.
NOBODY_TO_ACT = 1
NOTHING_TO_FOLD_TO = 2
CAPPED = 3
COVERED = 4
NOBODY_TO_CALL = 5
NOT_REOPENED = 6
TOO_SMALL = 7
TOO_LARGE = 8
WRONG_PHASE = 9
CARD_TWICE = 10
WRONG_BOARD = 11
NOT_THE_TURN = 12
NOT_BEATEN = 13
OTHER_CARDS = 14
NO_SUCH_CARD = 15

UNLIMITED = 1 << 40
"""Stack of a seat that cannot run out; number of raises if there is no cap."""


# The house's share of a pot; `railbird.game.rules` has its terms.


@inline_kernel
def rake_of(hand: np.ndarray, called: int) -> int:
    """Return the rake on ``called`` chips."""
    step = hand[RAKE_STEP]
    return int(min(hand[RAKE_CAP], called * hand[RAKE] // (MOST_PARTS * step) * step))


# Dealing many hands at once.


UNKNOWN_CARD = 255
"""A card that is dealt and not known, in a row of other games than hold'em."""

DECK = np.arange(52, dtype=np.uint8)
ACPC_DECK = DECK.reshape(13, 4).T.ravel().copy()
"""The deck in the order in which the ACPC's dealer starts drawing: suit by suit."""

_LOW_HALF = np.uint64(0xFFFFFFFF)


@inline_kernel
def stream_of(key: np.uint64, index: int) -> np.uint64:
    """Return the state from which one hand's random numbers start."""
    return mixed_bits(key + np.uint64(index) * GOLDEN)


@inline_kernel
def below(random: np.uint64, bound: np.uint64) -> np.uint64:
    """Return 32 random bits scaled to 0..bound-1, with relative bias below bound / 2**32."""
    return ((random & _LOW_HALF) * bound) >> np.uint64(32)


@kernel
def deal_many(key: np.uint64, cards: np.ndarray, whole_deck: np.ndarray) -> None:
    """Fill each row with distinct cards of a deck; every sequence is equally likely."""
    size = len(whole_deck)
    deck = np.empty(size, np.uint8)
    for hand in range(len(cards)):
        for card in range(size):
            deck[card] = whole_deck[card]
        state = stream_of(key, hand)
        for i in range(cards.shape[1]):
            left = np.uint64(size - i)
            # Lemire (2019): redrawing products whose low half is too small makes the choice exactly
            # uniform, nearly always without a division.
            while True:
                state += GOLDEN
                product = (mixed_bits(state) >> np.uint64(32)) * left
                low = product & _LOW_HALF
                if low >= left or low >= (np.uint64(1) << np.uint64(32)) % left:
                    break
            j = product >> np.uint64(32)
            cards[hand, i] = deck[j]
            deck[j] = deck[size - 1 - i]


@kernel
def draw_as_acpc(draws: np.ndarray, cards: np.ndarray) -> None:
    """Deal each row's cards as the ACPC's dealer does from its random numbers."""
    deck = np.empty(52, np.uint8)
    for hand in range(len(cards)):
        for i in range(52):
            deck[i] = ACPC_DECK[i]
        for i in range(cards.shape[1]):
            left = 52 - i
            j = draws[hand, i] % left
            cards[hand, i] = deck[j]
            deck[j] = deck[left - 1]


# Sets of cards as bits of an int64, the only integer type that the engine's kernels use.


CARD_BIT: NDArray[np.int64] = CARD_MASK.astype(np.int64)
"""One bit for each card, (52,)."""

HOLDING_BITS: NDArray[np.int64] = HOLDING_MASK.astype(np.int64)
"""Two bits for each holding, (1326,)."""


# From the end of the betting to the payoffs: pots, strengths, showing and mucking.


@inline_kernel
def copy(source: np.ndarray, target: np.ndarray, size: int) -> None:
    """Copy the first numbers of an array.

    An assignment of slices would do the same, but also compiles the error for differing shapes,
    which takes a second and a half.
    """
    for i in range(size):
        target[i] = source[i]


@inline_kernel
def block_of(seat: int) -> int:
    """Return the index at which a seat's block begins."""
    return HEADER + STRIDE * seat


@inline_kernel
def is_single(mask: int) -> bool:
    """Return whether a mask has at most one bit."""
    return mask & (mask - 1) == 0


@inline_kernel
def next_in(hand: np.ndarray, mask: int, start: int) -> int:
    """Return the first seat of a mask from ``start`` on, clockwise."""
    seats = hand[SEATS]
    seat = start
    while True:
        if seat >= seats:
            seat = 0
        if mask >> seat & 1:
            return seat
        seat += 1


@uncounted_kernel
def give_back(hand: np.ndarray) -> None:
    """Initialise the payoffs with each seat's losses; `award` adds the winnings."""
    for seat in range(hand[SEATS]):
        block = block_of(seat)
        hand[block + PAYOFF] = -hand[DENOMINATOR] * (hand[block + LIVE] + hand[block + ANTE])


@inline_kernel
def strength_in_share(hand: np.ndarray, seat: int, share: int) -> int:
    """Return a seat's strength in a share, counted through all boards; -1 if not known."""
    place = block_of(seat) + STRENGTH
    if share > 0:
        place = hand[TAIL] + TAIL_HEADER + TAIL_STRIDE * seat + share - 1
    return int(hand[place])


@uncounted_kernel
def award_share(hand: np.ndarray, parts: int, contenders: int, share: int) -> bool:
    """Give parts of a chip to a share's best hands; return False if unknown cards decide."""
    best = -1
    winners = 0
    for seat in range(hand[SEATS]):
        if contenders >> seat & 1:
            strength = strength_in_share(hand, seat, share)
            if strength < 0:
                return False
            if strength > best:
                best = strength
                winners = 0
            winners += strength == best
    if winners == 0:
        return False
    odd = 0
    if winners > 1:  # the division costs as much as everything else here
        odd = parts % winners
        parts //= winners
    for seat in range(hand[SEATS]):  # from the left of the button on, so that odd chips go there
        if contenders >> seat & 1 and strength_in_share(hand, seat, share) == best:
            hand[block_of(seat) + PAYOFF] += parts + (odd > 0)
            odd -= 1
    return True


@uncounted_kernel
def can_be_won(hand: np.ndarray, contenders: int, share: int) -> bool:
    """Return whether some hand can win a share, as far as the cards are known."""
    for seat in range(hand[SEATS]):
        if contenders >> seat & 1 and strength_in_share(hand, seat, share) != 0:
            return True
    return False


@uncounted_kernel
def award_shares(hand: np.ndarray, parts: int, contenders: int) -> bool:
    """Cut a pot by boards and shares, and give them to the best hands; as `award_share`.

    Odd chips go to the first board and, on each, to the first share, which also gets the part of a
    second share that no hand can win.
    """
    boards, shares = hand[hand[TAIL] + BOARDS], hand[hand[TAIL] + SHARES]
    on_board = parts // boards
    odd = parts - on_board * boards
    decided = True
    for board in range(boards):
        share = board * shares
        left = on_board + odd
        odd = 0
        if shares == 2 and can_be_won(hand, contenders, share + 1):
            half = left // 2
            decided = award_share(hand, half, contenders, share + 1) and decided
            left -= half
        decided = award_share(hand, left, contenders, share) and decided
    return decided


@uncounted_kernel
def award(hand: np.ndarray, amount: int, eligible: int) -> bool:
    """Give one pot to the best eligible hands; return False if that depends on unknown cards."""
    if is_single(eligible):  # an uncalled bet, or everyone else has folded
        hand[block_of(next_in(hand, eligible, 0)) + PAYOFF] += amount * hand[DENOMINATOR]
        return True
    parts = amount * hand[DENOMINATOR]
    contenders = eligible & ~hand[MUCKED]
    if hand[TAIL] > 0:
        return bool(award_shares(hand, parts, contenders))
    return bool(award_share(hand, parts, contenders, 0))


@inline_kernel
def level_of(hand: np.ndarray, seat: int) -> int:
    """Return the level up to which a seat may claim the pot: its ante plus its bets."""
    block = block_of(seat)
    if hand[SHORT_ANTE] >> seat & 1:
        return int(hand[block + ANTE])
    return int(hand[MOST_ANTE] + hand[block + LIVE])


@uncounted_kernel
def chips_below(hand: np.ndarray, level: int) -> int:
    """Return all chips put in up to a level, including those of folded seats."""
    chips = 0
    for seat in range(hand[SEATS]):
        block = block_of(seat)
        chips += min(hand[block + ANTE], level)
        chips += min(hand[block + LIVE], max(level - hand[MOST_ANTE], 0))
    return chips


@uncounted_kernel
def chips_called(hand: np.ndarray) -> int:
    """Return the chips in the pots, without an uncalled bet, which is returned."""
    highest = -1
    second = -1
    bettor = 0
    for seat in range(hand[SEATS]):
        level = level_of(hand, seat)
        if level > highest:
            second = highest
            highest = level
            bettor = seat
        elif level > second:
            second = level
    if second == highest or hand[ALIVE] >> bettor & 1 == 0:
        return int(hand[POT])
    return int(chips_below(hand, second))


@uncounted_kernel
def settle_pots(hand: np.ndarray) -> None:
    """Share the main pot and the side pots, if the known cards decide them."""
    give_back(hand)
    eligible = hand[ALIVE]
    shared = 0
    raked = 0
    called = 0
    if hand[RAKE] != 0 and (hand[NO_FLOP_NO_DROP] == 0 or hand[BOARD_SIZE] > 0):
        called = chips_called(hand)
    decided = True
    while eligible != 0:
        low = level_of(hand, next_in(hand, eligible, 0))
        high = low
        for seat in range(hand[SEATS]):
            if eligible >> seat & 1:
                level = level_of(hand, seat)
                low = min(low, level)
                high = max(high, level)
        up_to = hand[POT] if low == high else chips_below(hand, low)
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
            for seat in range(hand[SEATS]):
                if eligible >> seat & 1 and level_of(hand, seat) > low:
                    above |= 1 << seat
        eligible = above
    hand[SETTLED] = decided
    hand[RAKED] = raked
    if not decided:  # nobody is paid before all pots are decided
        give_back(hand)


@uncounted_kernel
def weigh_hands(hand: np.ndarray) -> None:
    """Evaluate every known hand that has reached the showdown."""
    key = np.uint64(0)
    mask = np.int64(0)
    for i in range(5):
        card = hand[BOARD + i]
        key += CARD_KEY[card]
        mask |= CARD_BIT[card]
    for seat in range(hand[SEATS]):
        block = block_of(seat)
        holding = hand[block + HOLDING]
        if hand[ALIVE] >> seat & 1 and holding >= 0:
            hand[block + STRENGTH] = strength_of_key(
                key + HOLDING_KEY[holding], np.uint64(mask | HOLDING_BITS[holding])
            )


@uncounted_kernel
def may_muck_shown(hand: np.ndarray, seat: int) -> bool:
    """Return whether shown hands beat a seat's in every share of every pot it could win."""
    reach = 0
    for rival in range(hand[SEATS]):
        if rival != seat and hand[ALIVE] >> rival & 1:
            reach = max(reach, level_of(hand, rival))
    reach = min(reach, level_of(hand, seat))
    beaten = 0
    shares = 1
    if hand[TAIL] > 0:
        shares = hand[hand[TAIL] + BOARDS] * hand[hand[TAIL] + SHARES]
    for share in range(shares):
        strength = strength_in_share(hand, seat, share)
        wins_nothing = share > 0 and strength == 0
        for rival in range(hand[SEATS]):
            if (
                hand[SHOWN] >> rival & 1
                and level_of(hand, rival) >= reach
                and strength_in_share(hand, rival, share) > strength
            ):
                wins_nothing = True
        beaten += wins_nothing
    return bool(beaten == shares)


@inline_kernel
def next_to_show(hand: np.ndarray, seat: int) -> None:
    """Pass the turn in the showdown."""
    pending = hand[PENDING] & ~(1 << seat)
    hand[PENDING] = pending
    if pending == 0:
        hand[SHOWER] = -1
        hand[PHASE] = OVER
    else:
        hand[SHOWER] = next_in(hand, pending, seat + 1)


@uncounted_kernel
def show_holding(hand: np.ndarray, seat: int, holding: int) -> int:
    """Show a seat's cards, in the showdown or after it; return the reason why not, else 0."""
    block = block_of(seat)
    if not 0 <= holding < len(HOLDING_BITS):
        return NO_SUCH_CARD
    if hand[PHASE] < SHOWDOWN or hand[SHOWN] >> seat & 1:
        return WRONG_PHASE
    if hand[PHASE] == SHOWDOWN and hand[SHOWER] != seat:
        return NOT_THE_TURN
    if hand[block + HOLDING] < 0:
        if hand[CARDS] & HOLDING_BITS[holding]:
            return CARD_TWICE
        hand[block + HOLDING] = holding
        hand[CARDS] |= HOLDING_BITS[holding]
    elif hand[block + HOLDING] != holding:
        return OTHER_CARDS
    hand[SHOWN] |= 1 << seat
    if hand[BOARD_SIZE] == 5:
        weigh_hands(hand)
    if hand[PHASE] == SHOWDOWN:
        next_to_show(hand, seat)
        settle_pots(hand)
    return 0


@uncounted_kernel
def muck(hand: np.ndarray, seat: int) -> int:
    """Muck a beaten hand; return the reason why not, else 0."""
    if hand[PHASE] != SHOWDOWN:
        return WRONG_PHASE
    if hand[SHOWER] != seat:
        return NOT_THE_TURN
    if not may_muck_shown(hand, seat):
        return NOT_BEATEN
    hand[MUCKED] |= 1 << seat
    next_to_show(hand, seat)
    settle_pots(hand)
    return 0


@uncounted_kernel
def muck_unknown(hand: np.ndarray) -> None:
    """Muck every unknown hand, unless no hand is known."""
    unknown = np.int64(0)
    for seat in range(hand[SEATS]):
        if hand[ALIVE] >> seat & 1 and hand[block_of(seat) + STRENGTH] < 0:
            unknown |= 1 << seat
    if unknown != 0 and unknown != hand[ALIVE]:
        hand[MUCKED] = unknown
        hand[PENDING] &= ~unknown
        hand[SHOWER] = next_in(hand, hand[PENDING], hand[SHOWER])
        settle_pots(hand)


@uncounted_kernel
def hide(hand: np.ndarray, viewer: int) -> None:
    """Erase every card that a viewer has not seen; -1 is a spectator."""
    cards = np.int64(0)
    for i in range(hand[BOARD_SIZE]):
        cards |= CARD_BIT[hand[BOARD + i]]
    for seat in range(hand[SEATS]):
        block = block_of(seat)
        if seat != viewer and hand[SHOWN] >> seat & 1 == 0:
            hand[block + HOLDING] = -1
            hand[block + STRENGTH] = -1
        elif hand[block + HOLDING] >= 0:
            cards |= HOLDING_BITS[hand[block + HOLDING]]
    hand[CARDS] = cards
    if hand[PHASE] >= SHOWDOWN:
        settle_pots(hand)


# Stepping the vector: betting, streets, refusals.


@uncounted_kernel
def most_put_in(hand: np.ndarray, but: int) -> int:
    """Return the most that any other seat in the hand has put in on this street."""
    most = 0
    for seat in range(hand[SEATS]):
        if seat != but and hand[ALIVE] >> seat & 1:
            most = max(most, hand[block_of(seat) + IN])
    return most


@inline_kernel
def others_can_call(hand: np.ndarray, seat: int) -> bool:
    """Return whether a raise could be called or, if the rules ask no more, a seat is yet to act."""
    others = hand[ALIVE] & ~(1 << seat)
    able = False
    if hand[UNCALLABLE] != 0:
        able = not is_single(hand[ABLE])
    else:
        for other in range(hand[SEATS]):
            block = block_of(other)
            if others >> other & 1 and hand[block + IN] + hand[block + BEHIND] > hand[BET]:
                able = True
                break
    return able


@inline_kernel
def why_no_raise(hand: np.ndarray, seat: int) -> int:
    """Return the reason why a seat may not raise, 0 if it may."""
    block = block_of(seat)
    already = hand[block + IN]
    bet = hand[BET]
    reason = 0
    if hand[RAISES] >= hand[CAP]:
        reason = CAPPED
    elif already + hand[block + BEHIND] <= bet:
        reason = COVERED
    elif not others_can_call(hand, seat):
        reason = NOBODY_TO_CALL
    elif hand[SHORT_ALL_IN] != REOPENS and hand[ACTED] >> seat & 1:
        faces = bet - already
        if hand[SHORT_ALL_IN] == NEEDS_HALF_RAISE:
            faces *= 2
        if faces < hand[FULL_RAISE]:
            reason = NOT_REOPENED
    return reason


@uncounted_kernel
def most_to(hand: np.ndarray, low: int, already: int) -> int:
    """Return the total of the largest raise that the betting structure allows.

    Kept separate because inlining it slows every decision by 2 %, in no-limit too.
    """
    bet = hand[BET]
    high = low
    if hand[BETTING] == POT_LIMIT:
        high = max(low, bet + hand[POT] + bet - already)
    elif hand[BETTING] == SPREAD_LIMIT:
        high = low - hand[FULL_RAISE] + hand[LARGEST_BET + hand[STREET]]
    return high


@inline_kernel
def give_turn(hand: np.ndarray, seat: int) -> None:
    """Make a seat the actor, and store its legal actions."""
    block = block_of(seat)
    already = hand[block + IN]
    behind = hand[block + BEHIND]
    top = already + behind
    bet = hand[BET]
    owed = bet - already
    if is_single(hand[ABLE]):
        # Nobody else can put in more, so a short blind is not called in full.
        owed = min(owed, most_put_in(hand, seat) - already)
    low = hand[MIN_TO]
    high = top
    if hand[BETTING] != NO_LIMIT:
        high = most_to(hand, low, already)
    hand[ACTOR] = seat
    hand[TO_CALL] = min(owed, behind)
    hand[LOW_TO] = min(low, top)
    hand[HIGH_TO] = min(high, top)
    hand[NO_RAISE] = why_no_raise(hand, seat)


@uncounted_kernel
def end_hand(hand: np.ndarray) -> None:
    """End the betting for good: everyone else has folded, or the board is complete."""
    hand[PENDING] = 0
    hand[ACTOR] = -1
    if is_single(hand[ALIVE]):
        hand[PHASE] = OVER
    else:
        first = hand[AGGRESSOR]
        if first < 0 or not hand[ALIVE] >> first & 1:
            first = next_in(hand, hand[ALIVE], 0)
        hand[PHASE] = SHOWDOWN
        hand[PENDING] = hand[ALIVE]
        hand[SHOWER] = first
        weigh_hands(hand)
    settle_pots(hand)


@merged_uncounted_kernel
def pass_turn(hand: np.ndarray, pending: int, start: int) -> None:
    """Pass the turn to the next pending seat, or end the street."""
    if pending != 0 and is_single(hand[ABLE]):
        last = next_in(hand, pending, 0)
        if hand[block_of(last) + IN] >= most_put_in(hand, last):
            pending = 0  # has covered everybody, so there is nothing to decide
    hand[PENDING] = pending
    if is_single(hand[ALIVE]) or (pending == 0 and hand[STREET] == hand[LAST_STREET]):
        end_hand(hand)
    elif pending == 0:
        hand[ACTOR] = -1
        hand[PHASE] = DEALING_BOARD
    else:
        hand[PHASE] = BETTING_ROUND
        give_turn(hand, next_in(hand, pending, start))


@inline_kernel
def open_street(hand: np.ndarray) -> None:
    """Begin a street's betting, if two can bet; before the flop also if one has to call."""
    street = hand[STREET]
    able = hand[ABLE]
    hand[FULL_RAISE] = hand[BET_SIZE + street]
    hand[MIN_TO] = hand[BET] + hand[BET_SIZE + street]
    hand[RAISES] = 0
    hand[CAP] = hand[MAX_RAISES + street]
    hand[ACTED] = 0
    if hand[LIFTS_CAP] != 0:
        rest = hand[ALIVE] & (hand[ALIVE] - 1)
        if is_single(rest):
            hand[CAP] = UNLIMITED
    if not is_single(able):
        hand[AGGRESSOR] = -1
    pass_turn(hand, able, hand[FIRST + street])


@inline_kernel
def refusal_code(hand: np.ndarray, action: int) -> int:
    """Return the reason why the actor may not do this, 0 if it may."""
    reason = 0
    if hand[PHASE] != BETTING_ROUND:
        reason = NOBODY_TO_ACT
    elif action > 0 or action == BELOW:
        if hand[NO_RAISE] != 0:
            reason = hand[NO_RAISE]
        elif action < hand[LOW_TO]:
            reason = TOO_SMALL
        elif action > hand[HIGH_TO]:
            reason = TOO_LARGE
    elif action == FOLD and hand[OPEN_FOLDS] + (hand[TO_CALL] > 0) <= 0:
        reason = NOTHING_TO_FOLD_TO
    return reason


@inline_kernel
def count_raise(hand: np.ndarray, to: int) -> None:
    """Raise the bet, and note the smallest increase of the next raise."""
    size = to - hand[BET]
    counts = 1
    if hand[SHORT_ALL_IN] == NEEDS_HALF_RAISE:
        # Measured from the last bet that counted, so that short all-ins add up.
        size = to - (hand[MIN_TO] - hand[FULL_RAISE])
        counts = int(2 * size >= hand[FULL_RAISE])
    hand[FULL_RAISE] = max(hand[FULL_RAISE], size)
    if hand[SHORT_ALL_IN] == REOPENS and hand[BETTING] != LIMIT:
        hand[MIN_TO] = max(hand[MIN_TO], to + size)
    elif counts != 0:
        hand[MIN_TO] = to + hand[FULL_RAISE]
    hand[RAISES] += counts
    hand[BET] = to


@merged_uncounted_kernel
def apply_action(hand: np.ndarray, action: int) -> None:
    """Apply an action that `refusal_code` accepts."""
    seat = hand[ACTOR]
    block = block_of(seat)
    bit = 1 << seat
    pending = hand[PENDING] & ~bit
    hand[ACTED] |= bit
    if action == FOLD:
        hand[ALIVE] &= ~bit
        hand[ABLE] &= ~bit
    else:
        paid = hand[TO_CALL]
        if action != CALL:
            paid = action - hand[block + IN]
            count_raise(hand, action)
            hand[AGGRESSOR] = seat
            pending = hand[ABLE] & ~bit
        hand[block + IN] += paid
        hand[block + LIVE] += paid
        hand[block + BEHIND] -= paid
        hand[POT] += paid
        if hand[block + BEHIND] == 0:
            hand[ABLE] &= ~bit
    pass_turn(hand, pending, seat + 1)


@uncounted_kernel
def act_if_allowed(hand: np.ndarray, action: int) -> int:
    """Apply the actor's fold, call or raise; return the reason why not, else 0."""
    reason = refusal_code(hand, action)
    if reason == 0:
        apply_action(hand, action)
    return reason


@inline_kernel
def take_holding(hand: np.ndarray, seat: int, holding: int) -> int:
    """Give a seat its holding; return the reason why not, else 0."""
    bits = HOLDING_BITS[holding]
    reason = 0
    if hand[CARDS] & bits:
        reason = CARD_TWICE
    hand[CARDS] |= bits
    hand[block_of(seat) + HOLDING] = holding
    return reason


@inline_kernel
def take_card(hand: np.ndarray, card: int) -> int:
    """Put one more card on the board; return the reason why not, else 0."""
    bit = CARD_BIT[card]
    reason = 0
    if hand[CARDS] & bit:
        reason = CARD_TWICE
    hand[CARDS] |= bit
    hand[BOARD + hand[BOARD_SIZE]] = card
    hand[BOARD_SIZE] += 1
    return reason


@inline_kernel
def next_street(hand: np.ndarray) -> None:
    """Move to the street whose cards are on the board; `open_street` comes next."""
    hand[STREET] += 1
    hand[BET] = 0
    for seat in range(hand[SEATS]):
        hand[block_of(seat) + IN] = 0


@uncounted_kernel
def begin_street(hand: np.ndarray) -> None:
    """Do what `open_street` does, compiled once for all kernels that are called from Python."""
    open_street(hand)


@uncounted_kernel
def deal_holes(hand: np.ndarray, holdings: np.ndarray) -> int:
    """Give every seat its holding (-1 if unknown); return the reason why not, else 0."""
    if hand[PHASE] != DEALING_HOLES:
        return WRONG_PHASE
    reason = 0
    for seat in range(hand[SEATS]):
        if not -1 <= holdings[seat] < len(HOLDING_BITS):
            return NO_SUCH_CARD
        if holdings[seat] >= 0:
            reason |= take_holding(hand, seat, holdings[seat])
    if reason == 0:
        begin_street(hand)
    return reason


@uncounted_kernel
def deal_board(hand: np.ndarray, first: int, second: int, third: int) -> int:
    """Deal the next street; for the turn and the river pass one card, then -1, -1."""
    if hand[PHASE] != DEALING_BOARD:
        return WRONG_PHASE
    flop = hand[STREET] == 0
    if flop == (second < 0) or flop == (third < 0):
        return WRONG_BOARD
    if first < 0 or max(first, second, third) >= len(CARD_BIT):
        return NO_SUCH_CARD
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
    for seat in range(hand[SEATS]):
        holding = int(HOLDING_INDEX[cards[2 * seat], cards[2 * seat + 1]])
        reason |= CARD_TWICE if holding < 0 else take_holding(hand, seat, holding)
    return reason


@inline_kernel
def take_street(hand: np.ndarray, cards: np.ndarray) -> int:
    """Deal the next street from a row of cards; return the reason why not, else 0."""
    board = 2 * hand[SEATS]
    size = hand[BOARD_SIZE]
    reason = 0  # `why_no_row` has looked at everything but cards that come twice
    for i in range(size, max(size + 1, 3)):
        reason |= take_card(hand, int(cards[board + i]))
    next_street(hand)
    return reason


@uncounted_kernel
def why_no_row(hand: np.ndarray, cards: np.ndarray) -> int:
    """Return the reason why nothing can be dealt from a row, 0 if it can."""
    if len(cards) != 2 * hand[SEATS] + 5:
        return WRONG_BOARD
    for card in cards:
        if not 0 <= card < len(CARD_BIT):
            return NO_SUCH_CARD
    return 0


@uncounted_kernel
def start_row(hand: np.ndarray, cards: np.ndarray) -> int:
    """Deal a row's holdings and whatever is due next; return the reason why not, else 0."""
    reason = why_no_row(hand, cards)
    if reason == 0:
        reason = take_holes(hand, cards)
    while reason == 0:
        begin_street(hand)
        if hand[PHASE] != DEALING_BOARD:
            break
        reason = take_street(hand, cards)
    return reason


@uncounted_kernel
def act_and_deal(hand: np.ndarray, action: int, cards: np.ndarray) -> int:
    """Apply an action and deal the next cards due from a row; return the reason why not, else 0."""
    reason = why_no_row(hand, cards)
    if reason == 0:
        reason = act_if_allowed(hand, action)
    while reason == 0 and hand[PHASE] == DEALING_BOARD:
        reason = take_street(hand, cards)
        begin_street(hand)
    return reason


@uncounted_kernel
def reason_against(hand: np.ndarray, action: int) -> int:
    """Return the reason why the actor may not do this, 0 if it may."""
    return refusal_code(hand, action)


@uncounted_kernel
def replay_row(hand: np.ndarray, script: np.ndarray, board_size: int) -> int:
    """Play a whole hand: holdings by seat, then the board's cards, then the actions.

    Returns 0 on success, else the reason plus 16 times the number of actions done.
    """
    seats = hand[SEATS]
    first = seats + board_size
    reason = deal_holes(hand, script[:seats])
    done = 0
    while reason == 0:
        if hand[PHASE] == DEALING_BOARD and hand[BOARD_SIZE] < board_size:
            card = seats + hand[BOARD_SIZE]
            if hand[STREET] > 0:
                reason = deal_board(hand, script[card], -1, -1)
            else:
                reason = deal_board(hand, script[card], script[card + 1], script[card + 2])
        elif first + done == len(script):
            if hand[BOARD_SIZE] < board_size:
                reason = WRONG_BOARD
            break
        elif hand[PHASE] == DEALING_BOARD:
            reason = WRONG_BOARD
        else:
            reason = act_if_allowed(hand, script[first + done])
            done += reason == 0
    if reason == 0 and hand[PHASE] == SHOWDOWN:
        muck_unknown(hand)
    return 16 * done + reason if reason != 0 else 0
