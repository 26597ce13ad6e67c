"""Settings of the push/fold game."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from railbird.serve.pushfold.equilibrium import Equilibrium, checked_stack, solve


def fresh_generator() -> np.random.Generator:
    """Create an unpredictable generator, from 256 bits of the operating system's entropy."""
    return np.random.default_rng(secrets.randbits(256))


@dataclass(frozen=True, slots=True, kw_only=True)
class PushFoldSettings:
    """Settings of the game. Raises `railbird.errors.BadInput` for a stack that cannot be used."""

    stack: float = 10.0
    """Stack of a new player in big blinds, 1 to 100 in tenths."""
    minimum_decisions: int = 50
    """Decisions without a hint that a place on the leaderboard requires."""
    generator: Callable[[], np.random.Generator] = fresh_generator
    """Returns the generator that deals the next hand."""
    solver: Callable[[float], Equilibrium] = solve
    """Returns the equilibrium at a stack; called in a thread."""

    def __post_init__(self) -> None:
        checked_stack(self.stack)
