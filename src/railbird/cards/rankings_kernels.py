"""Strength by any ranking, and the best hand of exactly two own cards and three of a board.

Strengths begin at 1; 0 is no hand. `railbird.cards.tables_of_rankings` has the tables.
"""

# All rankings but badugi look up the same key, so a hand of several shares (high and low) is found
# once and read in two rows. Two own cards and three of the board are 60 hands with four hole cards:
# the keys of the board's ten triples are added once for a board, those of the pairs once for a
# player. Flushes need three of a suit on the board and two in the hand, and are looked for apart:
# in most deals there can be none, and a test in each of the 60 would cost as much as the look-up.
#
# A known hand has a table by three board cards instead (`best_with_three`), 22,100 entries, with
# which a board is the best of ten look-ups, whatever the number of hole cards: 1 ms to make.
#
# Who would notice: tests/twins/test_variants_twins.py tries all hands; tests/cards/test_rankings.py
# has published counts and pokerkit.

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards.kernels import code_of_key, has_flush, index_of_code, ranks_of_flush
from railbird.cards.tables import CARD_KEY, CARD_MASK
from railbird.cards.tables_of_rankings import (
    BADUGI,
    BADUGI_STRENGTH,
    FLUSH_IN,
    FLUSHES_COUNT,
    PLAIN_IN,
)

TRIPLES_OF_BOARD = 10


@inline_kernel
def strength_in(ranking: int, key: np.uint64, mask: np.uint64) -> np.uint16:
    """Return the strength of the best five of five to seven cards in a ranking but badugi.

    ``key`` and ``mask`` are as in `railbird.cards.kernels`. In deuce to seven five cards only.
    """
    if FLUSHES_COUNT[ranking] and has_flush(key):
        return np.uint16(FLUSH_IN[ranking, ranks_of_flush(key, mask)])
    return np.uint16(PLAIN_IN[ranking, index_of_code(code_of_key(key))])


@uncounted_kernel
def badugi_strength(cards: np.ndarray) -> np.uint16:
    """Return the strength of the best badugi of some cards, uint8 (n,), n at most 4."""
    # a set of cards grows by one of another rank and suit, so most sets are never looked at
    best = np.uint16(0)
    for a in range(cards.size):
        ranks_a, suits_a = 1 << (cards[a] >> 2), 1 << (cards[a] & 3)
        best = max(best, BADUGI_STRENGTH[ranks_a])
        for b in range(a):
            rank_b, suit_b = 1 << (cards[b] >> 2), 1 << (cards[b] & 3)
            if ranks_a & rank_b or suits_a & suit_b:
                continue
            ranks_b, suits_b = ranks_a | rank_b, suits_a | suit_b
            best = max(best, BADUGI_STRENGTH[ranks_b])
            for c in range(b):
                rank_c, suit_c = 1 << (cards[c] >> 2), 1 << (cards[c] & 3)
                if ranks_b & rank_c or suits_b & suit_c:
                    continue
                ranks_c, suits_c = ranks_b | rank_c, suits_b | suit_c
                best = max(best, BADUGI_STRENGTH[ranks_c])
                for d in range(c):
                    rank_d, suit_d = 1 << (cards[d] >> 2), 1 << (cards[d] & 3)
                    if not (ranks_c & rank_d or suits_c & suit_d):
                        best = max(best, BADUGI_STRENGTH[ranks_c | rank_d])
    return best


@uncounted_kernel
def add_triples(board: np.ndarray, keys: np.ndarray) -> None:
    """Fill in the keys of the ten triples of a board of five cards."""
    n = 0
    for c in range(2, 5):
        for b in range(1, c):
            for a in range(b):
                keys[n] = CARD_KEY[board[a]] + CARD_KEY[board[b]] + CARD_KEY[board[c]]
                n += 1


@uncounted_kernel
def best_with_two(
    holes: np.ndarray,
    board: np.ndarray,
    triples: np.ndarray,
    rankings: np.ndarray,
    best: np.ndarray,
) -> None:
    """Fill in the best strengths of two of the holes and three of five board cards, by ranking.

    ``holes`` and ``board`` uint8, ``triples`` (10,) uint64 as by `add_triples`, ``rankings`` and
    ``best`` (n,).
    """
    best[:] = 0
    for j in range(1, holes.size):
        for i in range(j):
            pair = CARD_KEY[holes[i]] + CARD_KEY[holes[j]]
            for t in range(TRIPLES_OF_BOARD):
                place = index_of_code(code_of_key(pair + triples[t]))
                for s in range(rankings.size):
                    best[s] = max(best[s], PLAIN_IN[rankings[s], place])
    for suit in range(4):
        on_board, held = 0, 0
        for i in range(5):
            on_board += (board[i] & 3) == suit
        if on_board < 3:
            continue
        for i in range(holes.size):
            held += (holes[i] & 3) == suit
        if held < 2:
            continue
        for j in range(1, holes.size):
            for i in range(j):
                if (holes[i] & 3) != suit or (holes[j] & 3) != suit:
                    continue
                pair_set = 1 << (holes[i] >> 2) | 1 << (holes[j] >> 2)
                for c in range(2, 5):
                    for b in range(1, c):
                        for a in range(b):
                            x, y, z = board[a], board[b], board[c]
                            if (x & 3) == suit and (y & 3) == suit and (z & 3) == suit:
                                ranks = pair_set | 1 << (x >> 2) | 1 << (y >> 2) | 1 << (z >> 2)
                                for s in range(rankings.size):
                                    best[s] = max(best[s], FLUSH_IN[rankings[s], ranks])


@kernel
def best_with_three(holes: np.ndarray, ranking: int, out: NDArray[np.uint16]) -> None:
    """Fill in the best strength of two holes with each three cards of a board, (22100,).

    The place of cards a < b < c is c (c - 1) (c - 2) / 6 + b (b - 1) / 2 + a. Entries of triples
    that share a card with the holes mean nothing.
    """
    n = 0
    for c in range(2, 52):
        for b in range(1, c):
            for a in range(b):
                key = CARD_KEY[a] + CARD_KEY[b] + CARD_KEY[c]
                mask = CARD_MASK[a] | CARD_MASK[b] | CARD_MASK[c]
                best = np.uint16(0)
                for j in range(1, holes.size):
                    for i in range(j):
                        hand = key + CARD_KEY[holes[i]] + CARD_KEY[holes[j]]
                        cards = mask | CARD_MASK[holes[i]] | CARD_MASK[holes[j]]
                        best = max(best, strength_in(ranking, hand, cards))
                out[n] = best
                n += 1


@uncounted_kernel
def any_strength(holes: np.ndarray, board: np.ndarray, ranking: int) -> np.uint16:
    """Return the strength of the best hand of holes and board, in whatever number, uint8."""
    if ranking == BADUGI:
        return badugi_strength(holes)
    key, mask = np.uint64(0), np.uint64(0)
    for i in range(holes.size):
        key += CARD_KEY[holes[i]]
        mask |= CARD_MASK[holes[i]]
    for i in range(board.size):
        key += CARD_KEY[board[i]]
        mask |= CARD_MASK[board[i]]
    return strength_in(ranking, key, mask)


@kernel
def strengths_in(
    holes: np.ndarray, boards: np.ndarray, ranking: int, two: bool, out: np.ndarray
) -> None:
    """Fill ``out`` (n,) uint16 with the strengths of holes (n, k) on boards (n, m), both uint8."""
    triples = np.empty(TRIPLES_OF_BOARD, dtype=np.uint64)
    rankings = np.array([ranking])
    best = np.empty(1, dtype=np.uint16)
    for i in range(len(holes)):
        if two:
            add_triples(boards[i], triples)
            best_with_two(holes[i], boards[i], triples, rankings, best)
            out[i] = best[0]
        else:
            out[i] = any_strength(holes[i], boards[i], ranking)
