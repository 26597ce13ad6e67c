"""The result of a match: chips won on each deal, and what they say of the players."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird._display import ByPlayer
from railbird.arena.fault_policy import FaultTally
from railbird.arena.match.chunks import Chunk
from railbird.arena.match.definition import Match
from railbird.estimates.estimate import Estimate, estimate
from railbird.estimates.result_units import ResultUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult(ByPlayer):
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

    @property
    def unit(self) -> ResultUnit:
        """What winnings are counted in."""
        return self.match.rules.result_unit

    def money(self, player: int) -> Estimate:
        """What a player won in a hand, in `unit`; the values are the deals."""
        return estimate(self.per_deal(player) / self.match.rules.chips_per_unit, unit=self.unit)

    @property
    def raked(self) -> float:
        """What the house took in all hands, in `unit`."""
        return float(-self.payoffs.sum()) / self.match.rules.chips_per_unit

    def as_json(self, log: Path | None = None) -> dict[str, Any]:
        """Give what `railbird match --json` prints; ``log`` is where the hands were written."""
        rake = self.match.rules.rake
        return {
            "hands": self.match.hands,
            "seed": self.match.seed,
            "unit": self.unit,
            "rake": None if rake is None else str(rake),
            f"raked_{self.unit}": self.raked if rake is not None else 0.0,
            "hands_per_s": self.hands_per_s,
            "log": None if log is None else str(log),
            "players": {
                name: {
                    "spec": self.match.specs[player],
                    "money": self.money(player).as_json(),
                    "faults": self.faults[player].as_json(),
                }
                for player, name in enumerate(self.match.names)
            },
        }

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
