"""A person's tournaments against one opponent, in the order in which they were played.

Booker (2004, chapter 9) had people play 20 to 50 tournaments against each agent. He compared the
share won so far, the first ten and the last ten: a person who learns wins more of the last ten.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from railbird.estimates.confidence_sequences import proportion_sequence
from railbird.storage.results import TournamentResult

STRETCH: Final = 10
"""Number of tournaments in the first and in the last stretch."""


@dataclass(frozen=True, slots=True)
class Series:
    """The heads-up tournaments against one opponent.

    >>> series = Series("booker:4", (True, False) * 12)
    >>> series.share, [f"{bound:.2f}" for bound in series.interval]
    (0.5, ['0.22', '0.78'])
    >>> series.first, series.last
    (5, 5)
    """

    opponent: str
    won: tuple[bool, ...]
    """Whether each tournament was won, oldest first."""

    @property
    def share(self) -> float:
        """The share won so far."""
        return sum(self.won) / len(self.won)

    @property
    def interval(self) -> tuple[float, float]:
        """Interval for the chance to win: 95 % however often one looks, if nobody learns."""
        return proportion_sequence(sum(self.won), len(self.won))

    @property
    def first(self) -> int | None:
        """How many of the first ten were won; None before there are twenty."""
        return sum(self.won[:STRETCH]) if self._has_both else None

    @property
    def last(self) -> int | None:
        """How many of the last ten were won; None before there are twenty."""
        return sum(self.won[-STRETCH:]) if self._has_both else None

    @property
    def _has_both(self) -> bool:
        return len(self.won) >= 2 * STRETCH


def series_by_opponent(results: Iterable[TournamentResult], name: str) -> list[Series]:
    """Return a player's series of heads-up tournaments, the longest first.

    ``results`` may be in any order. Void tournaments, and those without a winner, do not count.
    Each version of a bot is an opponent of its own.
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
