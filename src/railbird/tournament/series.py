"""A person's tournaments against one opponent, in the order in which they were played.

Booker (2004, chapter 9) plays people against agents for 20 to 50 tournaments. He looks at the share
won so far and at the first and the last ten: a person who learns wins more of the last.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from railbird.estimates.confidence_sequences import proportion_sequence
from railbird.storage.results import TournamentResult

STRETCH: Final = 10
"""Tournaments of the first and of the last stretch."""


@dataclass(frozen=True, slots=True)
class Series:
    """Tournaments for two with one opponent.

    >>> series = Series("booker:4", (True, False) * 12)
    >>> series.share, [f"{bound:.2f}" for bound in series.interval]
    (0.5, ['0.22', '0.78'])
    >>> series.first, series.last
    (5, 5)
    """

    opponent: str
    won: tuple[bool, ...]
    """Whether each was won, the oldest first."""

    @property
    def share(self) -> float:
        """Share that was won so far."""
        return sum(self.won) / len(self.won)

    @property
    def interval(self) -> tuple[float, float]:
        """Interval of the chance to win, 95 % however often one looks, if nobody learns."""
        return proportion_sequence(sum(self.won), len(self.won))

    @property
    def first(self) -> int | None:
        """Number won of the first ten; None before there are twenty."""
        return sum(self.won[:STRETCH]) if self._has_both else None

    @property
    def last(self) -> int | None:
        """Number won of the last ten; None before there are twenty."""
        return sum(self.won[-STRETCH:]) if self._has_both else None

    @property
    def _has_both(self) -> bool:
        return len(self.won) >= 2 * STRETCH


def series_by_opponent(results: Iterable[TournamentResult], name: str) -> list[Series]:
    """Return a player's series in tournaments for two, the longest first.

    ``results`` are in any order; those that are void, or have no winner, do not count. A bot's
    versions are opponents of their own.
    """
    wanted = name.lower()
    played: dict[str, list[bool]] = {}
    for result in sorted(results, key=lambda result: (result.finished_at, result.id)):
        own = [entry for entry in result.entries if entry.name.lower() == wanted]
        others = [entry for entry in result.entries if entry.name.lower() != wanted]
        if result.void_reason is None and len(own) == len(others) == 1 and own[0].place:
            played.setdefault(others[0].title, []).append(own[0].place == 1)
    series = [Series(opponent, tuple(won)) for opponent, won in played.items()]
    return sorted(
        series, key=lambda opponent_series: (-len(opponent_series.won), opponent_series.opponent)
    )
