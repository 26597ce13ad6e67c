"""Two versions of a player against the same opponents on the same deals, in any game of two.

`match` lets two players play each other. Here they never meet: each deal is played by both, from
both seats, against every opponent. What the cards and the opponent give is mostly the same for
both, so the difference is known from fewer hands than two matches on different cards would need.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird._display import HasTable, table_of
from railbird.arena.guarded_player import FaultTally
from railbird.arena.match import Match, Seating
from railbird.arena.match_chunks import Chunk
from railbird.arena.match_runner import MatchResult, Until, play
from railbird.arena.names import PlayerLike, names_of
from railbird.errors import BadInput
from railbird.estimates.estimate import Estimate, ResultUnit, estimate
from railbird.progress import Progress

_GROWTH: Final = 1.25
"""Between two looks of a stopping rule the number of deals grows by this factor."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedResult(HasTable):
    """What the first version won more than the second, on the same deals."""

    versions: tuple[str, str]
    against: tuple[str, ...]
    results: Sequence[tuple[MatchResult, MatchResult]]
    """By opponent, those of the two versions."""
    seconds: float

    @property
    def unit(self) -> ResultUnit:
        """Unit of the winnings."""
        return self.results[0][0].unit

    @property
    def hands(self) -> int:
        """Hands of all matches."""
        return sum(result.match.hands for pair in self.results for result in pair)

    def money(self, opponent: int, version: int) -> Estimate:
        """Estimate what a version wins a hand against an opponent."""
        return self.results[opponent][version].money(0)

    def difference(self, opponent: int) -> Estimate:
        """Estimate what the first version wins a hand more against an opponent."""
        return estimate(self._differences[opponent] / self._chips, unit=self.unit)

    @property
    def overall(self) -> Estimate:
        """Estimate the same over all opponents, each of whom counts alike.

        A deal is one value, since all opponents play the same ones.
        """
        return estimate(self._differences.mean(axis=0) / self._chips, unit=self.unit)

    @property
    def variance_reduction(self) -> float | None:
        """How many times the hands two matches on different cards would need; None for no luck."""
        apart = sum(
            np.var(np.mean([pair[version].per_deal(0) for pair in self.results], axis=0))
            for version in range(2)
        )
        together = np.var(self._differences.mean(axis=0))
        return float(apart / together) if together > 0 else None

    @property
    def faults(self) -> tuple[FaultTally, FaultTally]:
        """The versions' faults."""
        tallies = FaultTally(), FaultTally()
        for pair in self.results:
            for tally, result in zip(tallies, pair, strict=True):
                tally.add(result.faults[0])
        return tallies

    @property
    def _chips(self) -> int:
        return self.results[0][0].match.rules.chips_per_unit

    @property
    def _differences(self) -> NDArray[np.float64]:
        """(opponents, deals) in chips a hand."""
        return np.stack([new.per_deal(0) - old.per_deal(0) for new, old in self.results])

    def as_json(self) -> dict[str, Any]:
        """Return the numbers unrounded."""
        match = self.results[0][0].match
        return {
            "versions": list(self.versions),
            "hands": self.hands,
            "deals": match.deals,
            "seed": match.seed,
            "unit": self.unit,
            "difference": self.overall.as_json(),
            "variance_reduction": self.variance_reduction,
            "against": {
                name: {
                    "money": [self.money(number, version).as_json() for version in range(2)],
                    "difference": self.difference(number).as_json(),
                }
                for number, name in enumerate(self.against)
            },
            "faults": [tally.as_json() for tally in self.faults],
        }

    def to_polars(self) -> Any:
        """Return a row for each opponent, and one for all."""
        rows = {name: self.difference(number) for number, name in enumerate(self.against)}
        return table_of(
            {"against": name, **difference.as_json()}
            for name, difference in (rows | {"all": self.overall}).items()
        )


@checked
def play_paired(
    match: Match,
    against: Sequence[PlayerLike],
    *,
    workers: int = 1,
    on: str | None = None,
    until: Until | None = None,
    progress: Progress | None = None,
) -> PairedResult:
    """Let both players of a match play every opponent in duplicate, on the match's deals.

    The results are the same for any number of workers. ``until`` is called with the differences of
    more and more deals, as payoffs of its first player, and ends the test by returning true. Raises
    `BadInput` for players that cannot be used, a game of more than two, or no opponent.
    """
    if match.rules.seats != 2:
        raise BadInput(f"a game of {match.rules.seats}; allowed: 2 players")
    if not against:
        raise BadInput("no opponent; allowed: one or more")
    began = time.perf_counter()
    pairs = [
        tuple(
            replace(match, players=(version, opponent), seating=Seating.DUPLICATE)
            for version in match.players
        )
        for opponent in against
    ]
    results: list[tuple[MatchResult, MatchResult]] = []
    played = 0
    with nullcontext() if until is None else tempfile.TemporaryDirectory() as folder:
        for deals in [match.deals] if until is None else _looks(match):
            results = []
            for number, pair in enumerate(pairs):
                new, old = (
                    play(
                        replace(version, deals=deals),
                        # What was played up to the last look is read back.
                        log=None if folder is None else Path(folder) / f"{number}-{at}.log",
                        workers=workers,
                        on=on,
                        progress=progress,
                    )
                    for at, version in enumerate(pair)
                )
                results.append((new, old))
            if until is not None:
                more = [(new.per_deal(0) - old.per_deal(0))[played:] for new, old in results]
                played = deals
                if until(Chunk(0, np.stack(more)[:, :, None], ())):
                    break
    return PairedResult(
        versions=_two(names_of(match.players)),
        against=names_of(tuple(against)),
        results=results,
        seconds=time.perf_counter() - began,
    )


def _two(names: Sequence[str]) -> tuple[str, str]:
    first, second = names
    return first, second


def _looks(match: Match) -> Iterator[int]:
    """Yield the numbers of deals after which a stopping rule is asked."""
    deals = 0
    while deals < match.deals:
        chunks = int(_GROWTH * deals / match.chunk) + 1
        deals = min(max(chunks * match.chunk, deals + match.chunk), match.deals)
        yield deals
