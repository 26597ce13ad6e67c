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
# A row of cards has each seat's, in the order of dealing, then those of each board. If the deck has
# fewer, the row is the whole deck instead, dealt in its order to those who are still in. If it then
# does not serve them all on the last street, one card is dealt to all of them: it lies on the board
# of a game that has none.
#
# Where a street exchanges cards, it begins with a phase of its own, `DRAWING`: in the order of
# acting, all who are in say what they throw away, those who are all-in too. Then the street deals
# each seat as many as it has thrown away. A check stands pat, so that a call is always allowed. A
# seat's view has its own discards alone; how many others drew, and how many cards are left,
# everybody sees.
#
# There the row is the whole deck, or has a place for every card that each seat may draw, as the
# records of hands have them. When the deck runs out, all that has been thrown away is shuffled into
# a new one, hands that have folded included, but not what those who still wait for their cards have
# just thrown away, unless there is nothing else. The order of that deck is a hash of the whole row:
# nobody sees enough of it to know any of that.
#
# Where a street begins with cards that have to go, and are not replaced, the phase is the same one.
# A check then throws away the lowest cards, so that it is always allowed there, too.
#
# Where cards decide who acts first, `opening_seat` writes that seat to FIRST before the street is
# opened, so that the betting goes as in every game. The seat that has to bring it in is the actor
# of a bet of BRING_IN that nobody has put in: it may call or complete, not fold, which a negative
# OPEN_FOLDS says. A completion is the first bet of the street, so it is open to a raise by
# everybody, those who have put in the bring-in included.
#
# Where a pair that lies open allows the bet of the next street too, in fixed limit, LOW_TO and
# HIGH_TO are the two totals, and nothing between them is legal: they differ in fixed limit nowhere
# else. Nobody folds his up cards out of sight, so the pair counts to the end of its street.
#
# Who would notice: tests/oracles/test_pokerkit_variants.py plays random hands of every game beside
# pokerkit; tests/game/test_variants.py has the corners.

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards.rankings_kernels import add_triples, any_strength, best_with_two
from railbird.cards.splitmix_kernels import GOLDEN, mixed_bits
from railbird.game.kernels import (
    ACTED,
    ACTOR,
    AGGRESSOR,
    ALIVE,
    BEHIND,
    BELOW,
    BET,
    BET_SIZE,
    BETTING,
    BETTING_ROUND,
    BOARD,
    BOARD_SIZE,
    BOARDS,
    CALL,
    CARD_BIT,
    CARD_TWICE,
    CARDS,
    DEALING_BOARD,
    DEALING_HOLES,
    DRAWING,
    FIRST,
    FULL_RAISE,
    HIGH_TO,
    IN,
    LAST_STREET,
    LIMIT,
    LOW_TO,
    MIN_TO,
    NEEDS_HALF_RAISE,
    NO_FLOP_NO_DROP,
    NO_RAISE,
    NO_SUCH_CARD,
    NOBODY_TO_ACT,
    NOT_THE_TURN,
    OPEN_FOLDS,
    OTHER_CARDS,
    PENDING,
    PHASE,
    RAISES,
    SEATS,
    SETTLED,
    SHARES,
    SHORT_ALL_IN,
    SHOWDOWN,
    SHOWER,
    SHOWN,
    STREET,
    STRENGTH,
    TAIL,
    TAIL_HEADER,
    TAIL_STRIDE,
    TO_CALL,
    TOO_LARGE,
    TOO_SMALL,
    UNKNOWN_CARD,
    WRONG_BOARD,
    WRONG_PHASE,
    act_if_allowed,
    begin_street,
    block_of,
    give_turn,
    next_in,
    next_street,
    next_to_show,
    settle_pots,
)

# The tail's header, from TAIL on, behind BOARDS and SHARES; it includes the game, which never
# changes.
DECK = 2
"""Mask of the deck's cards."""
HAND_SIZE = 3
"""Cards of a seat in a row, those that it may draw included."""
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
OPENER = 3
"""How the first to act is determined: one of the five below."""
MOST_DRAWN = 4
"""Cards that a seat may exchange."""
MUST_DISCARD = 5
"""Cards that a seat first has to throw away."""
PAIR_DOUBLES = 6
"""1 if an open pair allows the bet of the next street, too, in fixed limit."""
DEAL = 7
BRING_IN = 55
"""What the first to act on the first street has to put in; 0 in games with blinds."""
LEFT = 56
"""Cards left in the deck, where cards are exchanged."""
RESHUFFLES = 57
"""How often a new deck was made of what had been thrown away."""
THROWN = 58
"""Mask of the known cards that were thrown away for the street that is due."""

# OPENER, in the order of `railbird.cards.Opener`: a card on the first street, then boards.
BY_SEAT = 0
LOW_CARD = 1
HIGH_CARD = 2
HIGH_BOARD = 3
LOW_BOARD = 4

# A seat's block in the tail, after the strengths in further shares.
DOWN = 5
"""Mask of the known cards that only the seat sees."""
UP = 6
"""Mask of the cards that everybody sees."""
DISCARDED = 7
"""Mask of the known cards that the seat has thrown away and that are not in the deck again."""
DRAWN = 8
"""How many cards the seat has thrown away on each street, three bits for each."""


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


@uncounted_kernel
def own_size(hand: np.ndarray) -> int:
    """Return how many cards a seat has that has not folded, without one dealt to all."""
    on_board = 0
    thrown = 0
    for street in range(hand[STREET] + 1):
        on_board += dealt_on(hand, street, BOARD_DEALT)
        thrown += dealt_on(hand, street, MUST_DISCARD)
    return int(dealt_before(hand, hand[STREET] + 1) - thrown - (hand[BOARD_SIZE] - on_board))


@uncounted_kernel
def order_of_board(up: int, aces_low: bool) -> int:
    """Return a number that is higher for better up cards, a mask: pairs first, then high ranks.

    The squares of how many cards there are of each rank order the patterns; then the ranks count,
    those of most cards first.
    """
    pattern = 0
    ranks = 0
    for number in range(4, 0, -1):
        for height in range(12, -1, -1):
            rank = height
            if aces_low:
                rank = height - 1 if height > 0 else 12
            cards = 0
            for suit in range(4):
                cards += (up & CARD_BIT[4 * rank + suit]) != 0
            if cards == number:
                pattern += number * number
                ranks = 16 * ranks + height
    return pattern << 16 | ranks


@uncounted_kernel
def order_of_card(up: int, opener: int) -> int:
    """Return a number that is highest for the up card that brings it in."""
    best = -1
    for card in range(len(CARD_BIT)):
        if up & CARD_BIT[card]:
            order = 51 - card if opener == LOW_CARD else (card + 4) % 52
            best = max(best, order)
    return best


@uncounted_kernel
def opening_seat(hand: np.ndarray) -> int:
    """Return the seat that acts first on this street; of boards alike, the first from the left."""
    opener = dealt_on(hand, hand[STREET], OPENER)
    first = hand[FIRST + hand[STREET]]
    if opener == BY_SEAT:
        return int(first)
    best = -(1 << 30)
    for seat in range(hand[SEATS]):
        up = hand[tail_block(hand, seat) + UP]
        if hand[ALIVE] >> seat & 1 == 0 or up == 0:
            continue
        if opener <= HIGH_CARD:
            order = order_of_card(up, opener)
        else:
            order = order_of_board(up, opener == LOW_BOARD)
            if opener == LOW_BOARD:
                order = -order
        if order > best:
            best = order
            first = seat
    return int(first)


@uncounted_kernel
def ask_bring_in(hand: np.ndarray) -> None:
    """Ask the first to act to bring it in, if the street has any betting."""
    bring_in = hand[hand[TAIL] + BRING_IN]
    if bring_in > 0 and hand[STREET] == 0 and hand[PHASE] == BETTING_ROUND:
        high = hand[HIGH_TO]  # a pot-sized bet is what it was before the bring-in
        hand[BET] = bring_in
        hand[OPEN_FOLDS] = -1 - hand[OPEN_FOLDS]
        give_turn(hand, hand[ACTOR])
        hand[HIGH_TO] = high


@uncounted_kernel
def pair_lies_open(hand: np.ndarray) -> bool:
    """Return whether a seat's up cards have two of one rank."""
    for seat in range(hand[SEATS]):
        up = hand[tail_block(hand, seat) + UP]
        for rank in range(13):
            cards = 0
            for suit in range(4):
                cards += (up & CARD_BIT[4 * rank + suit]) != 0
            if cards > 1:
                return True
    return False


@uncounted_kernel
def offer_next_bet(hand: np.ndarray) -> None:
    """Let the actor bet as on the next street, too, where an open pair allows that."""
    street = hand[STREET]
    if hand[PHASE] != BETTING_ROUND or hand[BETTING] != LIMIT:
        return
    size = hand[BET_SIZE + street + 1]
    if dealt_on(hand, street, PAIR_DOUBLES) == 0 or hand[FULL_RAISE] >= size:
        return
    if pair_lies_open(hand):
        block = block_of(hand[ACTOR])
        to = hand[MIN_TO] - hand[FULL_RAISE] + size
        hand[HIGH_TO] = min(to, hand[block + IN] + hand[block + BEHIND])


@uncounted_kernel
def why_no_next_bet(hand: np.ndarray, action: int) -> int:
    """Return the reason why a raise may not be between the bets of two streets, else 0."""
    if hand[PHASE] != BETTING_ROUND or hand[BETTING] != LIMIT or hand[NO_RAISE] != 0:
        return 0
    return TOO_SMALL if hand[LOW_TO] < action < hand[HIGH_TO] else 0


@uncounted_kernel
def bet_as_next(hand: np.ndarray, action: int) -> None:
    """Make the bets of the next street those of this one, from a bet of its size on."""
    if hand[PHASE] != BETTING_ROUND or hand[BETTING] != LIMIT or hand[NO_RAISE] != 0:
        return
    if hand[LOW_TO] < action == hand[HIGH_TO]:
        size = hand[BET_SIZE + hand[STREET] + 1]
        hand[MIN_TO] += size - hand[FULL_RAISE]
        hand[FULL_RAISE] = size


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


@uncounted_kernel
def exchanges(hand: np.ndarray) -> bool:
    """Return whether cards are exchanged on any street."""
    most = 0
    for street in range(hand[LAST_STREET] + 1):
        most = max(most, dealt_on(hand, street, MOST_DRAWN))
    return most > 0


@inline_kernel
def drawn_on(hand: np.ndarray, seat: int, street: int) -> int:
    """Return how many cards a seat has thrown away on a street."""
    return int(hand[tail_block(hand, seat) + DRAWN] >> (3 * street) & 7)


@uncounted_kernel
def ask_discards(hand: np.ndarray) -> None:
    """Ask everybody who is in what to throw away, if the street that is due begins with that."""
    if hand[PHASE] != DEALING_BOARD:
        return
    street = hand[STREET] + 1
    if dealt_on(hand, street, MOST_DRAWN) + dealt_on(hand, street, MUST_DISCARD) > 0:
        hand[PHASE] = DRAWING
        hand[PENDING] = hand[ALIVE]
        hand[hand[TAIL] + THROWN] = 0
        hand[TO_CALL] = 0
        hand[LOW_TO] = 0
        hand[HIGH_TO] = 0
        hand[NO_RAISE] = NOBODY_TO_ACT
        hand[ACTOR] = next_in(hand, hand[ALIVE], hand[FIRST + hand[STREET] + 1])


@uncounted_kernel
def why_no_discard(hand: np.ndarray, action: int) -> int:
    """Return the reason why the actor may not throw these cards away, 0 if it may.

    ``action`` is a `railbird.game.code_of_any`.
    """
    if hand[PHASE] != DRAWING:
        return WRONG_PHASE
    coded = BELOW - 1 - action
    cards, hidden = discarded_cards(coded), coded >> HIDDEN
    known = hand[tail_block(hand, hand[ACTOR]) + DOWN]
    count, must = cards_in(cards) + hidden, dealt_on(hand, hand[STREET] + 1, MUST_DISCARD)
    if count > must + dealt_on(hand, hand[STREET] + 1, MOST_DRAWN):
        return TOO_LARGE
    if count < must:
        return TOO_SMALL
    if cards & ~known or hidden > own_size(hand) - cards_in(known):
        return OTHER_CARDS
    return 0


HIDDEN = 52
"""The bits of a coded discard from here on are the number of cards that are not known."""


@uncounted_kernel
def discarded_cards(coded: int) -> int:
    """Return the mask of the known cards of a coded discard."""
    cards = np.int64(0)
    for card in range(len(CARD_BIT)):
        if coded >> card & 1:
            cards |= CARD_BIT[card]
    return int(cards)


@uncounted_kernel
def coded_check(hand: np.ndarray) -> int:
    """Return the cards that a check throws away, as a code: none, or the lowest that have to go."""
    must = dealt_on(hand, hand[STREET] + 1, MUST_DISCARD)
    known = hand[tail_block(hand, hand[ACTOR]) + DOWN]
    coded = np.int64(0)
    for card in range(len(CARD_BIT)):
        if must > 0 and known & CARD_BIT[card]:
            coded += np.int64(1) << card
            must -= 1
    return int(coded + (must << HIDDEN))


@uncounted_kernel
def discard(hand: np.ndarray, action: int) -> int:
    """Throw the actor's cards away; return the reason why not, else 0."""
    if action == CALL:
        action = BELOW - 1 - coded_check(hand)
    if action >= BELOW:
        return NOBODY_TO_ACT
    reason = why_no_discard(hand, action)
    if reason != 0:
        return int(reason)
    seat = hand[ACTOR]
    coded = BELOW - 1 - action
    cards = discarded_cards(coded)
    block = tail_block(hand, seat)
    hand[block + DOWN] &= ~cards
    hand[block + DISCARDED] |= cards
    hand[hand[TAIL] + THROWN] |= cards
    if dealt_on(hand, hand[STREET] + 1, MOST_DRAWN) > 0:
        hand[block + DRAWN] |= (cards_in(cards) + (coded >> HIDDEN)) << 3 * (hand[STREET] + 1)
    hand[PENDING] &= ~(1 << seat)
    if hand[PENDING] == 0:
        hand[ACTOR] = -1
        hand[PHASE] = DEALING_BOARD
    else:
        hand[ACTOR] = next_in(hand, hand[PENDING], seat + 1)
    return 0


@uncounted_kernel
def shuffle_in(hand: np.ndarray, street: int, waiting: int, dealt: int) -> None:
    """Make a new deck of what has been thrown away, for a seat that has got ``dealt`` cards so far.

    What this seat and those behind it have thrown away for this street comes in only if there is
    nothing else.
    """
    tail = hand[TAIL]
    out = np.int64(0)
    alive = 0
    asked = 0
    for seat in range(hand[SEATS]):
        block = tail_block(hand, seat)
        if hand[ALIVE] >> seat & 1 == 0:
            hand[block + DOWN] = 0
            continue
        alive += 1
        out |= hand[block + DOWN]
        if seat >= waiting:
            asked += drawn_on(hand, seat, street)
            out |= hand[block + DISCARDED] & hand[tail + THROWN]
    left = cards_in(hand[tail + DECK]) - dealt_before(hand, street) * alive - dealt
    if left <= 0:
        left += asked
        out &= ~hand[tail + THROWN]
    for seat in range(hand[SEATS]):
        hand[tail_block(hand, seat) + DISCARDED] &= out
    hand[tail + THROWN] &= out
    hand[CARDS] = out
    hand[tail + LEFT] = left
    hand[tail + RESHUFFLES] += 1


@uncounted_kernel
def next_of_deck(hand: np.ndarray, deck: np.ndarray) -> int:
    """Return the card on top, of the deck that a row is or of one made of what it has dealt."""
    shuffles = hand[hand[TAIL] + RESHUFFLES]
    state = np.uint64(shuffles)
    if shuffles > 0:
        for card in deck:
            state = mixed_bits(state + np.uint64(card) + GOLDEN)
    top = -1
    best = np.uint64(0)
    for card in deck:
        if hand[CARDS] & CARD_BIT[card] == 0:
            order = mixed_bits(state + np.uint64(card + 1) * GOLDEN)
            if top < 0 or (shuffles > 0 and order < best):
                top, best = int(card), order
    return top


@kernel
def replacements(hand: np.ndarray, row: np.ndarray, step: int) -> np.ndarray:
    """Return the cards of the draw that is due, uint8 (seats, step), `UNKNOWN_CARD` behind them.

    The vector is left unusable: pass a copy.
    """
    tail, street = hand[TAIL], hand[STREET] + 1
    size = hand[tail + HAND_SIZE]
    cards = np.full((hand[SEATS], step), UNKNOWN_CARD, np.uint8)
    for seat in range(hand[SEATS]):
        first = size * seat + dealt_before(hand, street)
        for earlier in range(street):
            first += drawn_on(hand, seat, earlier)
        for i in range(drawn_on(hand, seat, street) if hand[ALIVE] >> seat & 1 else 0):
            if not is_deck(hand, row):
                cards[seat, i] = row[first + i]
                continue
            if hand[tail + LEFT] == 0:
                shuffle_in(hand, street, seat, i)
            card = next_of_deck(hand, row)
            cards[seat, i] = card
            hand[CARDS] |= CARD_BIT[card]
            hand[tail_block(hand, seat) + DOWN] |= CARD_BIT[card]
            hand[tail + LEFT] -= 1
    return cards


@kernel
def deal_next(
    hand: np.ndarray,
    cards: np.ndarray,
    own: int,
    step: int,
    board: int,
    board_step: int,
    is_common: bool,
) -> int:
    """Deal the street that is due; return the reason why not, else 0.

    Seat s's cards, those that only it sees first, are from ``own + step * s`` on in ``cards``
    uint8, those of board b from ``board + board_step * b`` on. An `UNKNOWN_CARD` is not noted, and
    seats that have folded get none. If ``is_common``, what each seat would get is on the board.
    """
    if hand[PHASE] != DEALING_HOLES and hand[PHASE] != DEALING_BOARD:
        return WRONG_PHASE
    street = hand[STREET] + (hand[PHASE] == DEALING_BOARD)
    down = dealt_on(hand, street, DOWN_DEALT)
    total = down + dealt_on(hand, street, UP_DEALT)
    on_board = dealt_on(hand, street, BOARD_DEALT)
    if is_common:
        on_board += total
        total = 0
    for seat in range(hand[SEATS]):
        if hand[ALIVE] >> seat & 1:
            block = tail_block(hand, seat)
            drawn = drawn_on(hand, seat, street)
            for i in range(total + drawn):
                if drawn > 0 and hand[hand[TAIL] + LEFT] == 0:
                    shuffle_in(hand, street, seat, i)
                hand[hand[TAIL] + LEFT] -= 1
                card = int(cards[own + step * seat + i])
                if card == UNKNOWN_CARD:
                    continue
                if card >= len(CARD_BIT):
                    return NO_SUCH_CARD
                reason = take_bit(hand, card)
                if reason != 0:
                    return reason
                hand[block + (DOWN if i < down + drawn else UP)] |= CARD_BIT[card]
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
        hand[NO_FLOP_NO_DROP] = 0  # the second street is a flop to the rake
    hand[FIRST + hand[STREET]] = opening_seat(hand)
    begin_street(hand)
    ask_bring_in(hand)
    offer_next_bet(hand)
    ask_discards(hand)
    weigh_if_over(hand)
    return 0


@kernel
def weigh_if_over(hand: np.ndarray) -> None:
    """Evaluate the known hands of a showdown, and share the pots if they decide them."""
    if hand[PHASE] == SHOWDOWN and hand[AGGRESSOR] < 0:
        hand[SHOWER] = next_in(hand, hand[ALIVE], hand[FIRST + hand[STREET]])
    if hand[PHASE] == SHOWDOWN and hand[SETTLED] == 0:
        weigh_shares(hand)
        settle_pots(hand)


@kernel
def weigh_shares(hand: np.ndarray) -> None:
    """Evaluate every known hand that has reached the showdown, in every share."""
    tail, shares = hand[TAIL], hand[hand[TAIL] + SHARES]
    size = own_size(hand)
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
    needed = hand[SEATS] * hand[tail + HAND_SIZE] + on_boards
    if len(cards) == needed or is_deck(hand, cards):
        return 0
    return 0 if on_boards == 0 and len(cards) == needed + 1 else WRONG_BOARD


@uncounted_kernel
def is_deck(hand: np.ndarray, row: np.ndarray) -> bool:
    """Return whether a row is the whole deck instead of having a place for each card of a seat."""
    tail, deck = hand[TAIL], cards_in(hand[hand[TAIL] + DECK])
    needed = hand[SEATS] * hand[tail + HAND_SIZE] + hand[tail + BOARDS] * hand[tail + BOARD_CARDS]
    return len(row) == deck and (needed > deck or exchanges(hand))


@kernel
def deal_from(hand: np.ndarray, cards: np.ndarray) -> int:
    """Deal from a row whatever is due before the next decision; return why not, else 0."""
    tail = hand[TAIL]
    step, on_board = hand[tail + HAND_SIZE], hand[tail + BOARD_CARDS]
    needed = hand[SEATS] * step + hand[tail + BOARDS] * on_board
    reason = 0
    while reason == 0 and (hand[PHASE] == DEALING_HOLES or hand[PHASE] == DEALING_BOARD):
        street = hand[STREET] + (hand[PHASE] == DEALING_BOARD)
        most = dealt_on(hand, street, MOST_DRAWN)
        if most > 0:
            drawn = replacements(hand.copy(), cards, most)
            reason = deal_next(hand, drawn.ravel(), 0, most, 0, 0, False)
            continue
        if is_deck(hand, cards):
            reason = deal_from_deck(hand, cards)
            continue
        own = dealt_before(hand, street)
        board = hand[SEATS] * step + hand[BOARD_SIZE]
        is_common = len(cards) > needed and street == hand[LAST_STREET]
        reason = deal_next(hand, cards, own, step, board, on_board, is_common)
    return reason


@kernel
def deal_from_deck(hand: np.ndarray, deck: np.ndarray) -> int:
    """Deal the street that is due from a whole deck, of which all cards in play are known."""
    street = hand[STREET] + (hand[PHASE] == DEALING_BOARD)
    dealt = dealt_on(hand, street, DOWN_DEALT) + dealt_on(hand, street, UP_DEALT)
    used = cards_in(hand[CARDS])
    alive = hand[ALIVE]
    is_common = used + dealt * cards_in(alive) > len(deck)
    cards = np.full(dealt * (hand[SEATS] + 1), UNKNOWN_CARD, np.uint8)
    if is_common:
        for i in range(dealt):
            cards[i] = deck[used + i]
        return int(deal_next(hand, cards, 0, 0, 0, 0, True))
    for seat in range(hand[SEATS]):
        if alive >> seat & 1:
            for i in range(dealt):
                cards[dealt * seat + i] = deck[used + i]
            used += dealt
    return int(deal_next(hand, cards, 0, dealt, 0, 0, False))


@kernel
def start_cards(hand: np.ndarray, cards: np.ndarray) -> int:
    """Deal a row's first cards and whatever is due next; return the reason why not, else 0."""
    reason = why_no_cards(hand, cards)
    return reason if reason != 0 else deal_from(hand, cards)


@kernel
def act_and_weigh(hand: np.ndarray, action: int) -> int:
    """Apply the actor's fold, call or raise; return the reason why not, else 0."""
    if hand[PHASE] == DRAWING or action < BELOW:
        return int(discard(hand, action))
    seat = hand[ACTOR]
    brings_in = hand[OPEN_FOLDS] < 0
    is_first = hand[hand[TAIL] + BRING_IN] > 0 and hand[STREET] == 0 and hand[RAISES] == 0
    reason = why_no_next_bet(hand, action)
    if reason == 0:
        bet_as_next(hand, action)
        reason = act_if_allowed(hand, action)
    if reason != 0:
        return reason
    if brings_in:
        hand[OPEN_FOLDS] = -1 - hand[OPEN_FOLDS]
    if is_first and hand[RAISES] == 1 and hand[PHASE] == BETTING_ROUND:
        counted = 2 * hand[BET] if hand[SHORT_ALL_IN] == NEEDS_HALF_RAISE else hand[BET]
        if counted >= hand[BET_SIZE]:
            if brings_in:  # then nobody has put in a bring-in that it raised
                hand[FULL_RAISE] = max(hand[FULL_RAISE], hand[BET])
                hand[MIN_TO] = hand[BET] + hand[FULL_RAISE]
            hand[ACTED] = 1 << seat
            give_turn(hand, hand[ACTOR])
    offer_next_bet(hand)
    ask_discards(hand)
    weigh_if_over(hand)
    return 0


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
    if known & ~cards or cards_in(cards) != own_size(hand):
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
        if seat != viewer:
            hand[block + DISCARDED] = 0
        cards |= hand[block + DOWN] | hand[block + UP] | hand[block + DISCARDED]
    hand[hand[TAIL] + THROWN] &= cards
    hand[CARDS] = cards
    if hand[PHASE] >= SHOWDOWN:
        settle_pots(hand)
