"""Versions of a player at one table of ten: every deal is played ten times, with new seats.

In round r player p sits in seat r * p modulo 11 (Papp 1998, table of seating assignments), so that
everybody holds every hand once, in every seat, and sits as often to the left of anybody else as to
the right. A version's result on a deal is the mean over its copies and the ten rounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student_t

from railbird.arena import Match, Seating
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.game import acpc_rules, limit_holdem

if TYPE_CHECKING:
    from pathlib import Path

    from railbird.experiments.framework.workspace import Workspace

SEATS = 10
DEALS = 10_000
"""Deals of a whole experiment, each played ten times."""

_SMALL_BET = 10
_RULES = acpc_rules(limit_holdem(SEATS, small_bet=_SMALL_BET))
_LONGEST, _SHORTEST, _CHUNKS = 1000, 20, 10


@dataclass(frozen=True, slots=True)
class Version:
    """One kind of player at the table."""

    label: str
    spec: str
    copies: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """Results of the versions at one table."""

    versions: tuple[Version, ...]
    won: NDArray[np.float64]
    """(deals, versions) small bets per hand."""
    log: Path
    """Log of all hands, with everybody's cards."""
    block: int
    """Number of deals between two resets of the players."""
    faults: int
    """Actions that the arena had to replace; our own players should cause none."""

    @property
    def deals(self) -> int:
        """Number of deals, each played once in every round."""
        return len(self.won)

    @property
    def hands(self) -> int:
        """Number of hands."""
        return self.deals * SEATS

    def of(self, label: str) -> Estimate:
        """Estimate a version's winnings per hand, from independent deals."""
        return estimate(self._column(label))

    def lead(self, label: str, other: str) -> Estimate:
        """Estimate a version's lead over another per hand, on the same deals."""
        return estimate(self._column(label) - self._column(other))

    def margin(self, label: str, other: str | None = None) -> float:
        """Half the width of a 95 % interval that treats blocks of deals as independent values.

        What players learn carries over between deals of a block and no further, so this accounts
        for all dependence; but blocks are few (Student's t). Infinite with fewer than two.
        """
        values = self._column(label) - (0.0 if other is None else self._column(other))
        blocks = values[: len(values) // self.block * self.block].reshape(-1, self.block)
        if len(blocks) < 2:
            return math.inf
        by_block = estimate(blocks.mean(axis=1))
        return float(student_t.ppf(0.975, len(blocks) - 1) * by_block.stderr)

    def _column(self, label: str) -> NDArray[np.float64]:
        labels = [version.label for version in self.versions]
        column: NDArray[np.float64] = self.won[:, labels.index(label)]
        return column


def match_of(
    versions: Sequence[Version], deals: int, *, seed: int, memory: int | None = None
) -> Match:
    """Return the match of a table of versions; ``memory`` is the deals between two resets.

    Raises `BadInput` unless ten seats are taken.

    >>> match_of([Version("caller", "always-call", 10)], 50, seed=1).hands
    500
    """
    players = tuple(version.spec for version in versions for _ in range(version.copies))
    if len(players) != SEATS:
        raise BadInput(f"{len(players)} players at a table of {SEATS}")
    chunk = memory or min(_LONGEST, max(_SHORTEST, deals // _CHUNKS))
    return Match(
        players=players,
        rules=_RULES,
        deals=deals,
        seed=seed,
        seating=Seating.PERMUTED,
        chunk=chunk,
    )


def play_versions(
    workspace: Workspace, versions: Sequence[Version], *, deals: int | None = None
) -> Standings:
    """Seat the versions and play, resuming from the table's log."""
    deals = workspace.hands(DEALS, least=2 * _SHORTEST) if deals is None else deals
    match = match_of(versions, deals, seed=workspace.seed)
    played = workspace.play(match)
    by_player = played.result.payoffs.mean(axis=0) / _SMALL_BET
    firsts = np.cumsum([0, *(version.copies for version in versions)])
    won = [by_player[:, a:b].mean(axis=1) for a, b in pairwise(firsts)]
    return Standings(
        versions=tuple(versions),
        won=np.stack(won, axis=1),
        log=played.log,
        block=match.chunk,
        faults=sum(sum(tally.counts.values()) for tally in played.result.faults),
    )
