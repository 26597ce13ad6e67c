"""Decks: what is published is enough to deal the same cards, and every deal is equally likely."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
from scipy import stats

from railbird.hosting.deck import commitment, deal_from_seed, draw_seats, new_seed


def by_the_published_rule(seed: bytes, label: str, cards: int) -> list[int]:
    """Deal as the manual says, written without the code under test."""
    stream, counter = b"", 0
    deck, place = list(range(52)), 0
    for i in range(cards):
        bound = 52 - i
        while True:
            while len(stream) < place + 4:
                part = seed + label.encode() + b"\x00" + counter.to_bytes(8, "big")
                stream += sha256(part).digest()
                counter += 1
            x = int.from_bytes(stream[place : place + 4], "big")
            place += 4
            if x < 2**32 - 2**32 % bound:
                break
        j = i + x % bound
        deck[i], deck[j] = deck[j], deck[i]
    return deck[:cards]


def test_the_published_rule_deals_the_same_cards() -> None:
    for number in range(50):
        seed = sha256(bytes([number])).digest()
        for seats in (2, 6, 9, 23):
            dealt = deal_from_seed(seed, "six.1-2", number + 1, seats=seats).tolist()
            assert dealt == by_the_published_rule(seed, f"six.1-2/{number + 1}", 2 * seats + 5)
            assert len(set(dealt)) == len(dealt)


def test_hands_tables_and_seeds_have_their_own_cards() -> None:
    seed = bytes(32)
    one = deal_from_seed(seed, "t.1-1", 1, seats=6).tolist()
    others = [("t.1-1", 2, seed), ("t.1-2", 1, seed), ("t.1-1", 1, bytes(31) + b"\x01")]
    for table, hand, other_seed in others:
        assert deal_from_seed(other_seed, table, hand, seats=6).tolist() != one


def test_every_card_is_equally_likely_in_every_place() -> None:
    counts = np.zeros((9, 52), np.int64)
    for hand in range(6_000):
        counts[np.arange(9), deal_from_seed(bytes(32), "t.1-1", hand, seats=2)] += 1
    assert stats.chisquare(counts, axis=1).pvalue.min() > 1e-4


def test_the_seats_are_a_permutation_that_the_seed_decides() -> None:
    players = list(range(300))
    drawn = draw_seats(bytes(32), 1, players)
    assert sorted(drawn) == players != drawn
    assert drawn == draw_seats(bytes(32), 1, players) != draw_seats(bytes(32), 2, players)


def test_seeds_are_256_bits_and_committed_by_sha256() -> None:
    seed = new_seed()
    assert len(seed) == 32
    assert seed != new_seed()
    assert commitment(seed) == sha256(seed).hexdigest()
