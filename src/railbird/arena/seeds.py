"""Where a match's randomness comes from: one seed, spawned by what it is for.

A deal's cards depend on the seed and on the deal's number alone, and a player's draws on the seed,
the chunk, the direction and the player; on nothing that differs between one process and many.
"""

from __future__ import annotations

import hashlib

import numpy as np

from railbird.arena.match.definition import Dealing, Match
from railbird.arena.settings import CHUNK
from railbird.game import AcpcDealer, seeded_deals
from railbird.game.deal import Deals

BLOCK = CHUNK
"""Deals drawn from one generator; a chunk of the usual size then needs one block."""

_DEALS = 0


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
    purpose = f"{match.seed} {chunk} {direction} {player}"
    digest = hashlib.sha256(purpose.encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "little"))


def _block(match: Match, block: int) -> Deals:
    seeds = np.random.SeedSequence(match.seed, spawn_key=(_DEALS, block))
    rng = np.random.Generator(np.random.PCG64(seeds))
    return seeded_deals(rng, match.rules.seats, BLOCK)
