"""The result of a match: chips won on each deal, and estimates from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird._display import ByPlayer
from railbird.arena.fault_policy import FaultTally
from railbird.arena.match.chunks import Chunk
from railbird.arena.match.definition import Match
from railbird.arena.result_hands import NOT_KEPT, KeptHands
from railbird.estimates.estimate import Estimate, estimate
from railbird.estimates.result_units import ResultUnit
from railbird.histories.columns import HandBatch


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult(ByPlayer):
    """The payoffs and faults of a match."""

    match: Match
    payoffs: NDArray[np.float64]
    """Chips won, shape (directions, deals, players)."""
    faults: tuple[FaultTally, ...]
    """By player."""
    resumed: int
    """Hands that were already in the log."""
    seconds: float
    """Time taken by the other hands, including the start of workers and compilation."""
    kept: KeptHands = field(default=NOT_KEPT, repr=False, compare=False)

    def batches(self) -> Iterator[HandBatch]:
        """Return the hands as columns, for `railbird.assessment.assess` and statistics.

        They are those that `railbird.arena.play` was to keep, or else are read from the log; raises
        as `KeptHands.batches`.
        """
        return self.kept.batches()

    @property
    def hands_per_s(self) -> float:
        """Hands played in this run per second; 0 if the log was complete."""
        return (self.match.hands - self.resumed) / self.seconds if self.seconds > 0 else 0.0

    def per_deal(self, player: int) -> NDArray[np.float64]:
        """Return the chips won by a player on each deal, averaged over the directions.

        These are a match's independent values: in a duplicate match the hands of one deal are
        dependent, so a standard error computed from single hands would be wrong.
        """
        chips: NDArray[np.float64] = self.payoffs[:, :, player].mean(axis=0)
        return chips

    @property
    def unit(self) -> ResultUnit:
        """Unit of the winnings."""
        return self.match.rules.result_unit

    def money(self, player: int) -> Estimate:
        """Estimate a player's winnings per hand, in `unit`, from the deals."""
        return estimate(self.per_deal(player) / self.match.rules.chips_per_unit, unit=self.unit)

    @property
    def raked(self) -> float:
        """Return the rake of all hands, in `unit`."""
        return float(-self.payoffs.sum()) / self.match.rules.chips_per_unit

    def as_json(self, log: Path | None = None) -> dict[str, Any]:
        """Return the output of `railbird match --json`; ``log`` is the file of the hands."""
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
        cls,
        match: Match,
        chunks: Iterable[Chunk],
        *,
        resumed: int,
        seconds: float,
        kept: KeptHands = NOT_KEPT,
    ) -> MatchResult:
        """Combine the chunks of a match."""
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
            kept=kept,
        )
