"""Cards that everybody can check: a committed seed, a keyed stream, and rejection.

The rule, which other programs may follow to check a deal:

1. The house's seed is 32 random bytes. Its commitment, SHA-256(seed), is published before the first
   card, and the seed itself with the result. After the commitment each seat gives a share of 32
   bytes, and what deals is SHA-256(seed + the shares by seat), with 32 zero bytes for a seat that
   gives none. House players give none: their bytes would be the house's.
2. The stream of a label is SHA-256(seed + label + counter) for the counters 0, 1, 2, … (8 bytes,
   big-endian), one after the other, read as 4-byte big-endian numbers. The label is ASCII and ends
   in a zero byte: ``TABLE/HAND`` for a hand, ``seats/STAGE`` for the draw of seats.
3. A number below n: the next number x of the stream is rejected while
   x >= 2**32 - 2**32 % n; then it is x % n. So every value is exactly as likely as any other.
4. The deck is 2c 2d 2h 2s 3c … As. For i = 0, 1, 2, …, card i is exchanged with card i + (a number
   below 52 - i). Seat 0, left of the button, gets the first two cards, and so on; the board gets
   the five cards after the last seat's, and the cards behind them are those of a second run.
   In other games the deck is theirs (from 6c in short deck), each seat gets as many cards as it is
   dealt, and of two boards the second gets the cards behind the first's.

>>> seed = bytes(32)
>>> commitment(seed)[:16]
'66687aadf862bd77'
>>> deal_from_seed(seed, "t1-1", 1, seats=2).tolist()
[12, 3, 34, 25, 10, 2, 42, 22, 32]
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDEM, Variant

SEED_BYTES = 32
_T = TypeVar("_T")
_WORDS = 1 << 32


def new_seed() -> bytes:
    """Return 256 bits from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """Return the published hash of a seed, in hexadecimal."""
    return sha256(seed).hexdigest()


def mixed_seed(seed: bytes, shares: Iterable[bytes]) -> bytes:
    """Return what deals, given the house's seed and the seats' shares; an empty one is missing.

    >>> mixed_seed(bytes(32), [b"", bytes(31) + b"1"]).hex()[:16]
    'a3381932c282e59f'
    """
    return sha256(seed + b"".join(share or bytes(SEED_BYTES) for share in shares)).digest()


def deal_from_seed(
    seed: bytes, table: str, hand: int, *, seats: int, runs: int = 1, variant: Variant = HOLDEM
) -> NDArray[np.uint8]:
    """Return the cards of a hand as a row of `railbird.game.deal`, (2 * seats + 5,) in hold'em.

    For two ``runs`` of the board the five cards that follow are there as well.
    """
    count = variant.row_length(seats) + 5 * (runs - 1)
    order = _shuffled(seed, f"{table}/{hand}", list(variant.deck), count)
    return np.array(order, np.uint8)


def draw_seats(seed: bytes, stage: int, players: list[int]) -> list[int]:
    """Return the players in the order in which they are seated, for a stage counted from 1."""
    return _shuffled(seed, f"seats/{stage}", players, len(players))


def _shuffled(seed: bytes, label: str, items: list[_T], count: int) -> list[_T]:
    items = items.copy()
    words = _stream(seed, label)
    for i in range(count):
        j = i + _below(words, len(items) - i)
        items[i], items[j] = items[j], items[i]
    return items[:count]


def _stream(seed: bytes, label: str) -> Iterator[int]:
    keyed = sha256(seed + label.encode("ascii") + b"\0")
    counter = 0
    while True:
        block = keyed.copy()
        block.update(counter.to_bytes(8, "big"))
        digest = block.digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        counter += 1


def _below(words: Iterator[int], bound: int) -> int:
    least_refused = _WORDS - _WORDS % bound
    return next(word for word in words if word < least_refused) % bound
