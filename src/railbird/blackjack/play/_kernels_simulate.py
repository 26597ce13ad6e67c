"""Rounds at a table, as fast as the cards can be drawn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import kernel, merged_kernel
from railbird.blackjack.exact._kernels_split import split_level
from railbird.blackjack.exact._kernels_values import (
    DOUBLE,
    FIRST,
    SPLIT,
    STAND,
    SURRENDER,
    TO_HIT,
    Table,
)
from railbird.blackjack.exact._tables_hands import (
    ACE,
    BLACKJACK,
    CARDS,
    CHILD,
    PAIRED,
    SOFT,
    TEN,
    TOTAL,
)
from railbird.blackjack.play._kernels_shoe import MIDDLE, count_bin, draw, see

ROUNDS, WAGERED, WON, SQUARES, ACTION_SUM = 0, 1, 2, 3, 4
"""Columns of the sums by count: rounds, first wagers, winnings, their squares, all wagers."""
COLUMNS = 5
_ACTION, _INSURANCE, _DEALER, _MOST_SPLIT, _MOST_LOG = 10, 15, 16, 12, 200


class Seats(NamedTuple):
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


@merged_kernel
def _play_seat(
    seat: int,
    upcard: int,
    number: np.ndarray,
    stake: np.ndarray,
    held: np.ndarray,
    settled: np.ndarray,
    gave_up: np.ndarray,
    deck: np.ndarray,
    where: np.ndarray,
    strategies: np.ndarray,
    by_count: np.ndarray,
    counting: bool,
    counts: np.ndarray,
    initial: np.ndarray,
    drift: np.ndarray,
    by_deck: np.ndarray,
    tags: np.ndarray,
    table: Table,
    state: np.ndarray,
    log: np.ndarray,
    end: int,
) -> int:
    """Play a seat's hands one after the other; return the new end of the log."""
    which = by_count[seat, MIDDLE]
    pair = PAIRED[number[seat, 0]]
    level = split_level(table)
    one_card = pair == ACE and not table.hit_split_aces
    place = 0
    while place < held[seat]:
        hand = number[seat, place]
        drawing = CARDS[hand] == 1
        doubled = False
        while hand >= 0:
            if drawing:
                drawn = draw(deck, where, state, table.removal)
                hand = CHILD[hand, drawn]
                if counting:
                    see(counts, tags, drawn)
                log[end] = drawn
                end += 1
                if hand < 0:
                    break
            drawing = True
            if doubled or TOTAL[hand] == 21 or CARDS[hand] >= table.charlie:
                break
            if counting:
                seen = len(deck) - where[0] - table.peeks
                now = count_bin(
                    counts[seat], initial[seat], drift[seat], seen, len(deck), by_deck[seat]
                )
                which = by_count[seat, now]
            if CARDS[hand] > 2:
                action = strategies[which, upcard, TO_HIT, hand]
            elif held[seat] == 1:
                action = strategies[which, upcard, FIRST, hand]
            else:
                room = held[seat] < table.most_hands
                may_split = PAIRED[hand] >= 0 and room and (pair != ACE or table.resplit_aces)
                if one_card and not may_split:
                    break
                action = STAND
                if may_split and strategies[which, upcard, FIRST, hand] == SPLIT:
                    action = SPLIT
                elif not one_card:
                    action = strategies[which, upcard, level, hand]
            log[end] = _ACTION + action
            end += 1
            if action == STAND:
                break
            if action == SURRENDER:
                settled[seat] -= 0.5
                gave_up[seat] = True
                hand = -1
                break
            if action == DOUBLE:
                doubled = True
                stake[seat, place] = 2.0
            if action == SPLIT:
                # The new hand comes next, as at a table: those that wait move back.
                for waiting in range(held[seat], place + 1, -1):
                    number[seat, waiting] = number[seat, waiting - 1]
                hand = CHILD[0, pair]
                number[seat, place + 1] = hand
                stake[seat, held[seat]] = 1.0
                held[seat] += 1
        if hand < 0 and not gave_up[seat]:
            settled[seat] -= stake[seat, place]
        elif hand >= 0 and CARDS[hand] >= table.charlie:
            settled[seat] += stake[seat, place]
            hand = -1
        number[seat, place] = hand
        place += 1
    return end


@merged_kernel
def _settle(
    seat: int,
    natural: bool,
    insured: bool,
    total: int,
    number: np.ndarray,
    stake: np.ndarray,
    held: int,
    settled: float,
    gave_up: bool,
    side: float,
    table: Table,
) -> float:
    """Return what a seat has won, in wagers; ``total`` is the dealer's, 0 for a bust."""
    won = settled - side
    if insured:
        won += 3.0 * side
    if gave_up and natural and table.surrender == 1:
        won -= 0.5
    for place in range(held):
        hand = number[seat, place]
        bet = stake[seat, place]
        if hand < 0:
            continue
        if hand == BLACKJACK and held == 1:
            won += 0.0 if natural else table.payout
        elif natural or TOTAL[hand] < total:
            won -= bet
        elif TOTAL[hand] > total:
            won += bet
    return won


@kernel
def simulate(
    rounds: int,
    deck: np.ndarray,
    cut: int,
    seats: Seats,
    table: Table,
    state: np.ndarray,
    sums: np.ndarray,
    logs: np.ndarray,
    before: np.ndarray,
    money: np.ndarray,
    wagers: np.ndarray,
) -> None:
    """Play rounds and add to ``sums`` (seats, `BINS`, `COLUMNS`).

    ``deck`` are the ranks of all cards, shuffled before the first round and once ``cut`` cards have
    been dealt. If ``logs`` has rows, the events of the only seat are written into them, -1 after
    the last, the shoe before each round into ``before``, what a unit wins into ``money``, and the
    units into ``wagers``. Where the discards had to be shuffled in, a row begins with -1.
    """
    players = len(seats.bets)
    cards = len(deck)
    where = np.array([cards, cards])
    # Arrays are taken out of the tuple once: each time costs an atomic count of references.
    strategies, by_count, insures, bets = seats.strategies, seats.which, seats.insures, seats.bets
    tags, initial, drift, by_deck = seats.tags, seats.initial, seats.drift, seats.by_deck
    counts = initial.copy()
    number = np.zeros((players, _MOST_SPLIT), np.int64)
    stake = np.zeros((players, _MOST_SPLIT))
    held = np.zeros(players, np.int64)
    settled = np.zeros(players)
    gave_up = np.zeros(players, np.bool_)
    side = np.zeros(players)
    bins = np.full(players, MIDDLE)
    counting = bool(np.any(tags != 0))
    logging = len(logs) > 0
    log = np.empty(_MOST_LOG, np.int8)
    for turn in range(rounds):
        if cards - where[0] >= cut:
            where[0] = cards
            for seat in range(players):
                counts[seat] = initial[seat]
        begun = where[0]
        where[1] = begun
        if logging:
            before[turn] = 0.0
            for place in range(begun):
                before[turn, deck[place]] += 1.0
        for seat in range(players):
            if counting:
                bins[seat] = count_bin(
                    counts[seat], initial[seat], drift[seat], cards - begun, cards, by_deck[seat]
                )
            held[seat] = 1
            settled[seat] = 0.0
            side[seat] = 0.0
            gave_up[seat] = False
            stake[seat, 0] = 1.0
        upcard = 0
        for box in range(2 * players + 1):
            card = draw(deck, where, state, table.removal)
            if counting:
                see(counts, tags, card)
            if box == players:
                upcard = card
            elif box < players:
                number[box, 0] = CHILD[0, card]
            else:
                seat = box - players - 1
                number[seat, 0] = CHILD[number[seat, 0], card]
            log[min(box, 2)] = card
        end = 3
        hole = draw(deck, where, state, table.removal) if table.peeks else -1
        natural = upcard + hole == TEN and (upcard in (TEN, ACE))
        live = False
        shown = natural
        for seat in range(players):
            hand = number[seat, 0]
            if upcard == ACE:
                now = bins[seat]
                if counting:
                    seen = cards - where[0] - table.peeks
                    now = count_bin(
                        counts[seat], initial[seat], drift[seat], seen, cards, by_deck[seat]
                    )
                if insures[seat, now]:
                    side[seat] = 0.5
                    shown = True
                    log[end] = _INSURANCE
                    end += 1
            if hand == BLACKJACK:
                shown |= upcard in (ACE, TEN)
                continue
            if natural:
                now = MIDDLE
                if counting:
                    seen = cards - where[0] - table.peeks
                    now = count_bin(
                        counts[seat], initial[seat], drift[seat], seen, cards, by_deck[seat]
                    )
                first = strategies[by_count[seat, now], upcard, FIRST, hand]
                if table.surrender == 2 and first == SURRENDER:
                    settled[seat] = -0.5
                    number[seat, 0] = -1
                    log[end] = _ACTION + SURRENDER
                    end += 1
                continue
            end = _play_seat(
                seat,
                upcard,
                number,
                stake,
                held,
                settled,
                gave_up,
                deck,
                where,
                strategies,
                by_count,
                counting,
                counts,
                initial,
                drift,
                by_deck,
                tags,
                table,
                state,
                log,
                end,
            )
            for place in range(held[seat]):
                live |= number[seat, place] >= 0
            if gave_up[seat] and upcard in (TEN, ACE):
                shown |= table.peeks == (table.surrender == 2)
            if players > 1:
                end = 3
        shown |= live
        log[end] = _DEALER
        end += 1
        if hole < 0 and shown:
            hole = draw(deck, where, state, table.removal)
        total = 0
        if hole >= 0:
            if counting:
                see(counts, tags, hole)
            natural = upcard + hole == TEN and (upcard in (TEN, ACE))
            dealer = CHILD[CHILD[0, upcard], hole]
            if shown:
                log[end] = hole
                end += 1
            while live and dealer >= 0:
                total = TOTAL[dealer]
                if total > 17 or (total == 17 and not (SOFT[dealer] and table.hits_soft_17)):
                    break
                card = draw(deck, where, state, table.removal)
                dealer = CHILD[dealer, card]
                if counting:
                    see(counts, tags, card)
                log[end] = card
                end += 1
            total = TOTAL[dealer] if dealer >= 0 else 0
        for seat in range(players):
            won = _settle(
                seat,
                natural,
                natural and upcard == ACE,
                total,
                number,
                stake,
                held[seat],
                settled[seat],
                gave_up[seat],
                side[seat],
                table,
            )
            staked = side[seat]
            for place in range(held[seat]):
                staked += stake[seat, place]
            bet = bets[seat, bins[seat]]
            sums[seat, bins[seat], ROUNDS] += 1
            sums[seat, bins[seat], WAGERED] += bet
            sums[seat, bins[seat], WON] += bet * won
            sums[seat, bins[seat], SQUARES] += (bet * won) * (bet * won)
            sums[seat, bins[seat], ACTION_SUM] += bet * staked
            if logging:
                money[turn] = won
                wagers[turn] = bet
        if logging:
            log[end] = -1
            for place in range(end + 1):
                logs[turn, place] = log[place]
            if where[1] != begun:  # the discards were shuffled in
                logs[turn, 0] = -1
