"""Random streams of matches, ring games and tournaments, spawned from one seed by purpose.

A deal's cards depend only on the seed and the deal's number. A player's random numbers depend only
on the seed, the chunk, the direction and the player. So nothing depends on the number of processes.
"""

from __future__ import annotations

import hashlib
from enum import IntEnum, unique

import numpy as np

from railbird.arena.match import Dealing, Match
from railbird.arena.settings import CHUNK
from railbird.game import AcpcDealer, seeded_deals
from railbird.game.deal import Deals

BLOCK = CHUNK
"""Deals drawn from one generator; a chunk of the default size needs one block."""


@unique
class Purpose(IntEnum):
    """First number of a spawn key: the purpose of a generator, so that no two share a stream.

    The numbers determine the cards of every seed, so none is ever reused for another purpose.
    """

    DEALS = 0
    """Deals of matches and leagues."""
    TOURNAMENT_SEATS = 2
    TOURNAMENT_CARDS = 3
    RING_SEATS = 4
    RING_CARDS = 5


def generator(seed: int, purpose: Purpose, index: int) -> np.random.Generator:
    """Return the generator of a block of deals, a tournament or a session."""
    seeds = np.random.SeedSequence(seed, spawn_key=(purpose, index))
    return np.random.Generator(np.random.PCG64(seeds))


def deals(match: Match, numbers: range) -> Deals:
    """Return cards of consecutive deals, (deals, 2 * seats + 5): holes by seat, then the board."""
    if match.dealing is Dealing.ACPC:
        return AcpcDealer(match.seed).deals(match.rules.seats, numbers.stop)[numbers.start :]
    first, last = numbers.start // BLOCK, (numbers.stop - 1) // BLOCK
    blocks = [_block(match, block) for block in range(first, last + 1)]
    offset = first * BLOCK
    return np.concatenate(blocks)[numbers.start - offset : numbers.stop - offset]


def player_rng(match: Match, *, chunk: int, direction: int, player: int) -> np.random.Generator:
    """Return a player's generator between two resets.

    A player may be anybody's code: it must not be able to infer the match's seed, which gives the
    cards.
    """
    return hidden_generator(f"{match.seed} {chunk} {direction} {player}")


def hidden_generator(words: str) -> np.random.Generator:
    """Return a generator seeded by a digest of ``words``, from which they cannot be inferred."""
    digest = hashlib.sha256(words.encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "little"))


def _block(match: Match, block: int) -> Deals:
    rng = generator(match.seed, Purpose.DEALS, block)
    return seeded_deals(rng, match.rules.seats, BLOCK, match.rules.variant)
