"""Where the randomness of a game comes from: one seed, spawned by what it is for.

A deal's cards depend on the seed and on the deal's number alone, and a player's draws on the seed,
the chunk, the direction and the player; on nothing that differs between one process and many.
"""

from __future__ import annotations

import hashlib
from enum import IntEnum, unique

import numpy as np

from railbird.arena.match.definition import Dealing, Match
from railbird.arena.settings import CHUNK
from railbird.game import AcpcDealer, seeded_deals
from railbird.game.deal import Deals

BLOCK = CHUNK
"""Deals drawn from one generator; a chunk of the usual size then needs one block."""


@unique
class Purpose(IntEnum):
    """First number of a spawn key: what a seed's generator is for. No two may draw the same.

    The numbers decide the cards of every seed, so none is ever given to something else.
    """

    DEALS = 0
    """Of matches and leagues."""
    TOURNAMENT_SEATS = 2
    TOURNAMENT_CARDS = 3
    RING_SEATS = 4
    RING_CARDS = 5


def generator(seed: int, purpose: Purpose, index: int) -> np.random.Generator:
    """The generator of one part of a game: a block of deals, a tournament, a session."""
    seeds = np.random.SeedSequence(seed, spawn_key=(purpose, index))
    return np.random.Generator(np.random.PCG64(seeds))


def deals(match: Match, numbers: range) -> Deals:
    """Cards of consecutive deals, shape (deals, 2 * seats + 5): holes by seat, then the board."""
    if match.dealing is Dealing.ACPC:
        return AcpcDealer(match.seed).deals(match.rules.seats, numbers.stop)[numbers.start :]
    first, last = numbers.start // BLOCK, (numbers.stop - 1) // BLOCK
    blocks = [_block(match, block) for block in range(first, last + 1)]
    offset = first * BLOCK
    return np.concatenate(blocks)[numbers.start - offset : numbers.stop - offset]


def player_rng(match: Match, *, chunk: int, direction: int, player: int) -> np.random.Generator:
    """What a player draws from between two resets.

    The way back from it to the match's seed, which deals the cards, is barred by a digest: a player
    may be somebody else's code, or program.
    """
    return hidden_generator(f"{match.seed} {chunk} {direction} {player}")


def hidden_generator(words: str) -> np.random.Generator:
    """What follows from ``words`` and does not lead back to them."""
    digest = hashlib.sha256(words.encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "little"))


def _block(match: Match, block: int) -> Deals:
    rng = generator(match.seed, Purpose.DEALS, block)
    return seeded_deals(rng, match.rules.seats, BLOCK)
