"""A generator's seed as text, so that a player in another process draws the same numbers."""

from __future__ import annotations

import re

import numpy as np

from railbird.errors import BadInput

SEED_VARIABLE = "RAILBIRD_SEED"
"""Environment variable with the seed for a player's process."""

_SEED = re.compile(r"[0-9]{1,50}(\.[0-9]{1,10}){0,8}")


def seed_text(rng: np.random.Generator) -> str:
    """Return the seed from which `rng_of` creates an equal generator, if nothing was drawn yet.

    For a generator without a known seed, one is drawn from it.

    >>> seed_text(np.random.Generator(np.random.PCG64(np.random.SeedSequence(7, spawn_key=(1, 0)))))
    '7.1.0'
    """
    seeds = rng.bit_generator.seed_seq
    if isinstance(seeds, np.random.SeedSequence) and isinstance(seeds.entropy, int):
        return ".".join(map(str, (seeds.entropy, *seeds.spawn_key)))
    return str(rng.integers(1 << 63))


def rng_of(text: str) -> np.random.Generator:
    """Return the generator of a seed such as ``7`` or ``7.1.0``. Raises `BadInput`."""
    if _SEED.fullmatch(text) is None:
        raise BadInput(f"seed {text!r}; allowed: whole numbers with dots between them")
    entropy, *key = map(int, text.split("."))
    seeds = np.random.SeedSequence(entropy, spawn_key=tuple(key))
    return np.random.Generator(np.random.PCG64(seeds))
