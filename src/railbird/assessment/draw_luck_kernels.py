"""Shares of pots in any game with draws, by play-outs from a vector with all cards known."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.game import kernels as at
from railbird.game.kernels import CARD_BIT
from railbird.game.tail_kernels import DECK, DOWN, deal_next, replacements, tail_block
from railbird.odds.draw_kernels import random_below, shares_played_out


@kernel
def add_shares_after(
    hand: np.ndarray,
    among: np.ndarray,
    left: int,
    ranking: int,
    deals: int,
    state: np.ndarray,
    shares: np.ndarray,
    weight: float,
) -> None:
    """Add the shares (seats,) of a pot if nobody bets again and all draw by the rule.

    ``among`` int64 has the seats of the pot, ``left`` is the number of draws to come, ``state`` a
    stream of one uint64. The hand waits for no replacement.
    """
    seats, size = hand[at.SEATS], 0
    alive = np.empty(seats, np.int64)
    in_hand = 0
    held = np.int64(0)
    for seat in range(seats):
        if hand[at.ALIVE] >> seat & 1:
            alive[in_hand] = seat
            in_hand += 1
            held |= hand[tail_block(hand, seat) + DOWN]
    for card in range(len(CARD_BIT)):
        if hand[tail_block(hand, alive[0]) + DOWN] & CARD_BIT[card]:
            size += 1
    hands = np.empty((in_hand, size), np.uint8)
    players = np.empty(len(among), np.int64)
    deck = np.empty(len(CARD_BIT), np.uint8)
    thrown = np.empty(len(CARD_BIT), np.uint8)
    in_deck = 0
    away = 0
    for player in range(in_hand):
        own = hand[tail_block(hand, alive[player]) + DOWN]
        i = 0
        for card in range(len(CARD_BIT)):
            if own & CARD_BIT[card]:
                hands[player, i] = card
                i += 1
        for i in range(len(among)):
            if among[i] == alive[player]:
                players[i] = player
    for card in range(len(CARD_BIT)):
        bit = CARD_BIT[card]
        if hand[hand[at.TAIL] + DECK] & bit and hand[at.CARDS] & bit == 0:
            deck[in_deck] = card
            in_deck += 1
        elif hand[hand[at.TAIL] + DECK] & bit and held & bit == 0:
            thrown[away] = card
            away += 1
    of_players = np.zeros(in_hand)
    shares_played_out(
        hands, players, deck[:in_deck], thrown[:away], left, ranking, deals, state, of_players
    )
    for player in range(in_hand):
        shares[alive[player]] += weight * of_players[player]


@kernel
def add_expected_shares(
    hand: np.ndarray,
    row: np.ndarray,
    most: int,
    among: np.ndarray,
    left: int,
    ranking: int,
    deals: int,
    state: np.ndarray,
    shares: np.ndarray,
) -> None:
    """Add the mean of the same over what may be dealt for the cards that were thrown away.

    ``row`` uint8 is the deck in any order, ``most`` cards may be exchanged, ``left`` draws come
    after this one.
    """
    for _ in range(deals):
        for i in range(len(row) - 1, 0, -1):
            place = random_below(state, i + 1)
            row[i], row[place] = row[place], row[i]
        cards = replacements(hand.copy(), row, most)
        after = hand.copy()
        deal_next(after, cards.ravel(), 0, most, 0, 0, False)
        add_shares_after(after, among, left, ranking, 1, state, shares, 1 / deals)
