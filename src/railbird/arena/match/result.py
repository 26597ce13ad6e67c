"""What a match came to, in chips; estimates are made of it one room further down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.arena.faults import FaultTally
from railbird.arena.match.chunks import Chunk
from railbird.arena.match.definition import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """The payoffs and faults of a match."""

    match: Match
    payoffs: NDArray[np.float64]
    """Chips won, shape (directions, deals, players)."""
    faults: tuple[FaultTally, ...]
    """By player."""
    resumed: int
    """Hands that were in the log already."""
    seconds: float
    """Time that the other hands took, the start of workers and compilation included."""

    @property
    def hands_per_s(self) -> float:
        """Hands played in this run by its time; 0 if the log was complete."""
        return (self.match.hands - self.resumed) / self.seconds if self.seconds > 0 else 0.0

    def per_deal(self, player: int) -> NDArray[np.float64]:
        """Chips won by a player on each deal, averaged over the directions.

        These are the independent values of a match: in a duplicate match the hands of one deal
        belong together, and a standard error taken over single hands would be wrong.
        """
        chips: NDArray[np.float64] = self.payoffs[:, :, player].mean(axis=0)
        return chips

    @classmethod
    def of(
        cls, match: Match, chunks: Iterable[Chunk], *, resumed: int, seconds: float
    ) -> MatchResult:
        """Put all the chunks of a match together."""
        chunks = list(chunks)
        faults = tuple(FaultTally() for _ in match.players)
        for chunk in chunks:
            for total, tally in zip(faults, chunk.faults, strict=True):
                total.add(tally)
        return cls(
            match=match,
            payoffs=np.concatenate([chunk.payoffs for chunk in chunks], axis=1),
            faults=faults,
            resumed=resumed,
            seconds=seconds,
        )
