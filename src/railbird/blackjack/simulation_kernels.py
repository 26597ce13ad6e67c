"""Kernels of simulated tables: cards dealt from a shoe and counted, and rounds played."""

# A table is simulated as it is dealt: one shoe, seats in order, the dealer last. Nothing is
# computed in advance or approximated, so the simulation can be held against the exact values.
#
# Three forms are chosen for speed. The kernels count no references (`uncounted_kernel`), which took
# nine tenths of a round. Cards are shuffled eight at a time and just ahead of where they are dealt
# (`_shuffle_on`): a card that is drawn only where it is needed makes the processor wait for its
# random number after every branch that was guessed wrongly. And a hand is its number in
# `railbird.blackjack.tables`, so that taking a card is one look-up in ``CHILD`` and no total is
# added up.
#
# A round is logged while it is played, in the order that `railbird.blackjack.tables` describes, and
# only if there are rows to write to (`KeptRounds`). A seat's row has what that seat saw, others'
# cards included, since they change what its decisions are worth.
#
# The order of draws is part of the result: with one more random number all later rounds of a seed
# are different. tests/golden/test_verbs.py keeps the results of a seed, and
# tests/blackjack/test_rounds.py compares simulated money with the exact value and follows kept
# rounds by the rules.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import kernel, merged_uncounted_kernel, uncounted_kernel
from railbird.blackjack.exact_kernels import (
    DOUBLE,
    FIRST,
    HIT,
    NO_SPLIT,
    SPLIT,
    STAND,
    SURRENDER,
    TO_HIT,
    RuleArrays,
    split_level,
)
from railbird.blackjack.tables import (
    ACE,
    ACTION,
    BLACKJACK,
    CARDS,
    CHILD,
    DEALER,
    INSURANCE,
    MOST_SPLIT,
    OTHERS_DEAL,
    OTHERS_DRAW,
    PAIRED,
    SOFT,
    TEN,
    TOTAL,
)
from railbird.cards.splitmix_kernels import GOLDEN, mixed_bits

BINS = 41
"""Counts from -20 to 20; those beyond go into the last ones."""
MIDDLE = 20

NEXT, READY, BEGUN, TURNED = 0, 1, 2, 3
"""Places in the shoe: the next card, the first that is not shuffled yet, the first of this round;
and whether the discards had to be shuffled in during this round."""

_AT_ONCE = 8


class DealtShoe(NamedTuple):
    """A shoe that is dealt from."""

    deck: np.ndarray
    """Ranks, those before ``where[READY]`` in the order of dealing (cards,)."""
    where: np.ndarray
    """Places in it (4,): `NEXT` to `TURNED`."""
    state: np.ndarray
    """Of the random numbers (1,)."""
    runs_out: bool
    """Whether a dealt card is gone; not so with infinitely many decks."""


@merged_uncounted_kernel
def draw_card(cards: DealtShoe) -> int:
    """Deal the next card."""
    if cards.where[NEXT] == cards.where[READY]:
        _shuffle_on(cards)
    card: int = cards.deck[cards.where[NEXT]]
    cards.where[NEXT] += 1
    return card


@uncounted_kernel
def _shuffle_on(cards: DealtShoe) -> None:
    """Shuffle some more cards, no deeper than they are dealt.

    A card that is drawn only where it is needed makes the processor wait for its random number
    after each branch that was guessed wrongly.
    """
    deck, where = cards.deck, cards.where
    size = len(deck)
    if where[NEXT] == size:
        if cards.runs_out:
            _shuffle_in(deck, where)
        else:
            where[NEXT] = 0
            where[READY] = 0
    first = where[READY]
    last = min(first + _AT_ONCE, size)
    seed = cards.state[0]
    for position in range(first, last):
        seed += GOLDEN
        z: np.uint64 = mixed_bits(seed) >> np.uint64(32)
        if cards.runs_out:
            target = position + ((z * np.uint64(size - position)) >> np.uint64(32))
            card = deck[target]
            deck[target] = deck[position]
            deck[position] = card
        else:
            deck[position] = min((z * np.uint64(13)) >> np.uint64(32), np.uint64(9))
    cards.state[0] = seed
    where[READY] = last


@merged_uncounted_kernel
def _shuffle_in(deck: np.ndarray, where: np.ndarray) -> None:
    """Put the discards behind the cards of this round; if there are none, these themselves."""
    size = len(deck)
    begun = where[BEGUN]
    # Three reversals turn the deck around without another one.
    for first, last in ((0, begun), (begun, size), (0, size)):
        for place in range((last - first) // 2):
            card = deck[first + place]
            deck[first + place] = deck[last - 1 - place]
            deck[last - 1 - place] = card
    where[NEXT] = size - begun if begun else 0
    where[READY] = where[NEXT]
    where[BEGUN] = 0
    where[TURNED] = 1


@merged_uncounted_kernel
def count_bin(
    running: float, initial: float, drift: float, seen: int, cards: int, by_deck: bool
) -> int:
    """Return the place of a count: floor of the true count, or of the running one."""
    count = running
    if by_deck:
        count = (running - initial - drift * seen) / (max(cards - seen, 13) / 52.0)
    return min(max(int(np.floor(count + 1e-9)) + MIDDLE, 0), BINS - 1)


# Rounds at a table, as fast as the cards can be dealt.


ROUNDS, WAGERED, WON, SQUARES = 0, 1, 2, 3
"""Columns of the sums by count: rounds, first wagers, winnings, their squares."""
COLUMNS = 4


class SeatArrays(NamedTuple):
    """The players, by seat."""

    strategies: np.ndarray
    """Actions (strategies, 10, 3, hands)."""
    which: np.ndarray
    """Strategy (seats, `BINS`) at a count."""
    insures: np.ndarray
    """Whether insurance is taken (seats, `BINS`)."""
    bets: np.ndarray
    """Wager (seats, `BINS`); 0 sits a round out."""
    tags: np.ndarray
    """What a card adds to the count (seats, 10)."""
    initial: np.ndarray
    """Count of a new shoe (seats,)."""
    drift: np.ndarray
    """What the count gains a card on average (seats,)."""
    by_deck: np.ndarray
    """Whether the count is divided by the decks left (seats,)."""


class KeptRounds(NamedTuple):
    """The record of each round; empty without rows."""

    logs: np.ndarray
    """Events of each seat (rounds, seats, length), -1 after the last; a row begins with -1 if the
    discards had to be shuffled in, or if it is too short."""
    before: np.ndarray
    """The shoe before each deal (rounds, 10)."""
    money: np.ndarray
    """What a unit wins (rounds, seats)."""
    wagers: np.ndarray
    """Units (rounds, seats)."""


class _Round(NamedTuple):
    """One round, by seat."""

    number: np.ndarray
    """Hands (seats, `MOST_SPLIT`); -1 for those that are over."""
    stake: np.ndarray
    """Their wagers."""
    held: np.ndarray
    """How many there are."""
    settled: np.ndarray
    """Won by hands that are over."""
    gave_up: np.ndarray
    side: np.ndarray
    """Bet on insurance."""
    shown: np.ndarray
    """Whether the seat must see the hole card."""
    live: np.ndarray
    """Whether the dealer must play against it."""
    dealt: np.ndarray
    """First two cards (2, seats)."""
    counts: np.ndarray
    """Running counts."""
    bins: np.ndarray
    """Places of the counts before the deal."""
    ends: np.ndarray
    """Events written so far."""


@merged_uncounted_kernel
def _note(kept: KeptRounds, turn: int, played: _Round, seat: int, token: int) -> None:
    """Write an event into a seat's row; what is too long goes to its end."""
    kept.logs[turn, seat, played.ends[seat]] = token
    played.ends[seat] = min(played.ends[seat] + 1, kept.logs.shape[2] - 1)


@merged_uncounted_kernel
def _see(seats: SeatArrays, played: _Round, card: int) -> None:
    """Let every seat count a card."""
    for seat in range(len(played.counts)):
        played.counts[seat] += seats.tags[seat, card]


@merged_uncounted_kernel
def _bin(seat: int, seats: SeatArrays, played: _Round, seen: int, cards: int) -> int:
    """Return the place of a seat's count."""
    count: int = count_bin(
        played.counts[seat],
        seats.initial[seat],
        seats.drift[seat],
        seen,
        cards,
        seats.by_deck[seat],
    )
    return count


@merged_uncounted_kernel
def _deal(
    turn: int,
    cards: DealtShoe,
    seats: SeatArrays,
    counting: bool,
    records: KeptRounds,
    played: _Round,
) -> int:
    """Deal two cards to each seat, and return the dealer's upcard."""
    players = len(played.counts)
    upcard = 0
    for box in range(2 * players + 1):
        card = draw_card(cards)
        if counting:
            _see(seats, played, card)
        if box == players:
            upcard = card
        elif box < players:
            played.dealt[0, box] = card
        else:
            seat = box - players - 1
            played.dealt[1, seat] = card
            played.number[seat, 0] = CHILD[CHILD[0, played.dealt[0, seat]], card]
            played.held[seat] = 1
            played.stake[seat, 0] = 1.0
            played.settled[seat] = 0.0
            played.side[seat] = 0.0
            played.gave_up[seat] = False
            played.shown[seat] = False
            played.live[seat] = False
    for seat in range(players if len(records.logs) else 0):
        played.ends[seat] = 0
        _note(records, turn, played, seat, played.dealt[0, seat])
        _note(records, turn, played, seat, upcard)
        _note(records, turn, played, seat, played.dealt[1, seat])
        for card in range(2):
            for other in range(players):
                if other != seat:
                    _note(records, turn, played, seat, OTHERS_DEAL + played.dealt[card, other])
    return upcard


@merged_uncounted_kernel
def _play_seat(
    seat: int,
    upcard: int,
    declined: bool,
    turn: int,
    cards: DealtShoe,
    seats: SeatArrays,
    counting: bool,
    table: RuleArrays,
    records: KeptRounds,
    played: _Round,
) -> None:
    """Play a seat's hands one after the other; what may be ``declined`` is early surrender."""
    number = played.number
    strategy = seats.which[seat, MIDDLE]
    pair = PAIRED[number[seat, 0]]
    level = split_level(table)
    one_card = pair == ACE and not table.hit_split_aces
    held = 1
    index = 0
    while index < held:
        hand = number[seat, index]
        bet = 1.0
        drawing = CARDS[hand] == 1
        while True:
            if drawing:
                drawn = draw_card(cards)
                hand = CHILD[hand, drawn]
                if counting:
                    _see(seats, played, drawn)
                for row in range(len(played.ends) if len(records.logs) else 0):
                    _note(records, turn, played, row, drawn if row == seat else OTHERS_DRAW + drawn)
                if hand < 0 or bet == 2.0:
                    break
            drawing = True
            if TOTAL[hand] == 21 or CARDS[hand] >= table.charlie:
                break
            if counting:
                seen = cards.where[NEXT] - table.peeks
                strategy = seats.which[seat, _bin(seat, seats, played, seen, len(cards.deck))]
            if CARDS[hand] > 2:
                action = seats.strategies[strategy, upcard, TO_HIT, hand]
            elif held == 1:
                action = seats.strategies[strategy, upcard, FIRST, hand]
                if declined and action == SURRENDER:  # the count has changed since
                    action = seats.strategies[strategy, upcard, NO_SPLIT, hand]
            else:
                room = held < table.most_hands
                may_split = PAIRED[hand] >= 0 and room and (pair != ACE or table.resplit_aces)
                if one_card and not may_split:
                    break
                action = STAND
                if may_split and seats.strategies[strategy, upcard, FIRST, hand] == SPLIT:
                    action = SPLIT
                elif not one_card:
                    action = seats.strategies[strategy, upcard, level, hand]
            if len(records.logs):
                _note(records, turn, played, seat, ACTION + action)
            if action == STAND:
                break
            if action == HIT:
                continue
            if action == SURRENDER:
                played.gave_up[seat] = True
                break
            if action == DOUBLE:
                bet = 2.0
            if action == SPLIT:
                # The new hand comes next, as at a table: those that wait move back.
                for waiting in range(held, index + 1, -1):
                    number[seat, waiting] = number[seat, waiting - 1]
                hand = CHILD[0, pair]
                number[seat, index + 1] = hand
                held += 1
        if played.gave_up[seat]:
            played.settled[seat] -= 0.5
            hand = -1
        elif hand < 0:
            played.settled[seat] -= bet
        elif CARDS[hand] >= table.charlie:
            played.settled[seat] += bet
            hand = -1
        played.live[seat] |= hand >= 0
        number[seat, index] = hand
        played.stake[seat, index] = bet
        index += 1
    played.held[seat] = held


@merged_uncounted_kernel
def _play_dealer(
    upcard: int,
    hole: int,
    turn: int,
    cards: DealtShoe,
    seats: SeatArrays,
    counting: bool,
    table: RuleArrays,
    records: KeptRounds,
    played: _Round,
) -> int:
    """Draw the dealer's cards, and return the total, 0 for a bust."""
    dealer = CHILD[CHILD[0, upcard], hole]
    total = TOTAL[dealer]
    while total < 17 or (total == 17 and SOFT[dealer] and table.hits_soft_17):
        card = draw_card(cards)
        if counting:
            _see(seats, played, card)
        for seat in range(len(played.ends) if len(records.logs) else 0):
            if played.live[seat]:
                _note(records, turn, played, seat, card)
        dealer = CHILD[dealer, card]
        if dealer < 0:
            return 0
        total = TOTAL[dealer]
    result: int = total
    return result


@merged_uncounted_kernel
def _settle(
    seat: int, natural: bool, upcard: int, total: int, table: RuleArrays, p: _Round
) -> float:
    """Return what a seat has won, in wagers."""
    won: float = p.settled[seat] - p.side[seat]
    if natural and upcard == ACE:
        won += 3.0 * p.side[seat]
    if p.gave_up[seat] and natural and table.surrender == 1:
        won -= 0.5
    for index in range(p.held[seat]):
        hand = p.number[seat, index]
        if hand < 0:
            continue
        if hand == BLACKJACK and p.held[seat] == 1:
            won += 0.0 if natural else table.payout
        elif natural:
            won -= p.stake[seat, index]
        else:
            mine = TOTAL[hand]
            won += p.stake[seat, index] * (int(mine > total) - int(mine < total))
    return won


@merged_uncounted_kernel
def _play_rounds(
    rounds: int,
    cards: DealtShoe,
    cut: int,
    seats: SeatArrays,
    counting: bool,
    table: RuleArrays,
    sums: np.ndarray,
    records: KeptRounds,
    played: _Round,
) -> None:
    players = len(played.counts)
    size = len(cards.deck)
    where = cards.where
    logging = len(records.logs) > 0
    for turn in range(rounds):
        if where[NEXT] >= cut:
            where[NEXT] = 0
            where[READY] = 0
            for seat in range(players):
                played.counts[seat] = seats.initial[seat]
        begun = where[NEXT]
        where[BEGUN] = begun
        where[TURNED] = 0
        for place in range(begun if logging and cards.runs_out else 0):
            records.before[turn, cards.deck[place]] -= 1.0
        for seat in range(players if counting else 0):
            played.bins[seat] = _bin(seat, seats, played, begun, size)
        upcard = _deal(turn, cards, seats, counting, records, played)
        hole = draw_card(cards) if table.peeks else -1
        natural = hole >= 0 and upcard + hole == TEN and (upcard in (TEN, ACE))
        if upcard == ACE:
            for seat in range(players):
                now = _bin(seat, seats, played, where[NEXT] - table.peeks, size)
                if seats.insures[seat, now if counting else MIDDLE]:
                    played.side[seat] = 0.5
                    played.shown[seat] = True
                    if logging:
                        _note(records, turn, played, seat, INSURANCE)
        early = table.surrender == 2 and table.peeks == 1 and upcard in (ACE, TEN)
        for seat in range(players if early else 0):
            hand = played.number[seat, 0]
            now = _bin(seat, seats, played, where[NEXT] - table.peeks, size)
            which = seats.which[seat, now if counting else MIDDLE]
            first = seats.strategies[which, upcard, FIRST, hand]
            if hand != BLACKJACK and first == SURRENDER:
                played.settled[seat] = -0.5
                played.number[seat, 0] = -1
                played.shown[seat] = True
                if logging:
                    _note(records, turn, played, seat, ACTION + SURRENDER)
        live = False
        shows_hole = False
        for seat in range(players):
            hand = played.number[seat, 0]
            if hand == BLACKJACK:
                played.shown[seat] |= upcard in (ACE, TEN)
            elif natural:
                played.shown[seat] = True
            elif hand >= 0:
                _play_seat(
                    seat, upcard, early, turn, cards, seats, counting, table, records, played
                )
                live |= played.live[seat]
                played.shown[seat] |= played.live[seat]
                # Late surrender costs all where the dealer has not peeked.
                late = played.gave_up[seat] and table.surrender == 1 and not table.peeks
                played.shown[seat] |= late and upcard in (ACE, TEN)
            shows_hole |= played.shown[seat]
        if hole < 0 and shows_hole:
            hole = draw_card(cards)
        for seat in range(players if logging else 0):
            _note(records, turn, played, seat, DEALER)
            if played.shown[seat]:
                _note(records, turn, played, seat, hole)
        total = 0
        if hole >= 0:
            if counting:
                _see(seats, played, hole)
            natural = upcard + hole == TEN and (upcard in (TEN, ACE))
        if live:
            total = _play_dealer(upcard, hole, turn, cards, seats, counting, table, records, played)
        for seat in range(players):
            won = _settle(seat, natural, upcard, total, table, played)
            bet = seats.bets[seat, played.bins[seat]]
            sums[seat, played.bins[seat], ROUNDS] += 1
            sums[seat, played.bins[seat], WAGERED] += bet
            sums[seat, played.bins[seat], WON] += bet * won
            sums[seat, played.bins[seat], SQUARES] += (bet * won) * (bet * won)
            if logging:
                records.money[turn, seat] = won
                records.wagers[turn, seat] = bet
                if where[TURNED] or played.ends[seat] == records.logs.shape[2] - 1:
                    records.logs[turn, seat, 0] = -1


@kernel
def simulate_rounds(
    rounds: int,
    deck: np.ndarray,
    cut: int,
    seats: SeatArrays,
    table: RuleArrays,
    state: np.ndarray,
    sums: np.ndarray,
    records: KeptRounds,
) -> None:
    """Play rounds and add to ``sums`` (seats, `BINS`, `COLUMNS`).

    ``deck`` are the ranks of all cards, shuffled before the first round and once ``cut`` cards have
    been dealt. ``records.before`` holds full shoes, from which is taken what was dealt.
    """
    players = len(seats.bets)
    where = np.zeros(4, np.int64)
    where[NEXT] = len(deck)  # as if all had been dealt, so that the first round shuffles
    played = _Round(
        np.zeros((players, MOST_SPLIT), np.int16),
        np.ones((players, MOST_SPLIT)),
        np.zeros(players, np.int64),
        np.zeros(players),
        np.zeros(players, np.bool_),
        np.zeros(players),
        np.zeros(players, np.bool_),
        np.zeros(players, np.bool_),
        np.zeros((2, players), np.uint8),
        seats.initial.copy(),
        np.full(players, MIDDLE),
        np.zeros(players, np.int64),
    )
    cards = DealtShoe(deck, where, state, table.removal > 0)
    counting = bool(np.any(seats.tags != 0))
    _play_rounds(rounds, cards, cut, seats, counting, table, sums, records, played)
