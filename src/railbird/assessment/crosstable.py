"""Many matches at a glance: how much everybody won from everybody else, and how much was skill."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from railbird.assessment.frame import by_deal
from railbird.assessment.match import Assessment
from railbird.estimates.estimate import Estimate, Moments

ESTIMATORS = ("money", "divat")

CrosstableRow = Mapping[str, Estimate]
"""An estimate per hand by name of `ESTIMATORS`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crosstable:
    """Results between players who met in any number of matches, in small bets a hand.

    The two hands of a duplicate pair count as one value, their mean.
    """

    players: tuple[str, ...]
    """Whoever has the highest mean by DIVAT against all comes first."""
    totals: Mapping[str, CrosstableRow]
    """By player, against all."""
    pairs: Mapping[tuple[str, str], CrosstableRow]
    """By player and opponent, for those who met; each meeting stands here from both sides."""

    def as_json(self) -> dict[str, object]:
        """Give the players in order, their totals, and each pair once."""
        return {
            "players": {name: _as_json(self.totals[name]) for name in self.players},
            "pairs": [
                {"players": [first, second], **_as_json(row)}
                for (first, second), row in self.pairs.items()
                if self.players.index(first) < self.players.index(second)
            ],
        }


def _as_json(row: CrosstableRow) -> dict[str, object]:
    return {name: estimate.as_json() for name, estimate in row.items()}


def crosstable(matches: Iterable[Assessment]) -> Crosstable:
    """Put assessed matches together; those of the same players are pooled.

    Takes the matches one at a time, so they may come from a generator.
    """
    sums: dict[tuple[str, str], dict[str, Moments]] = defaultdict(
        lambda: dict.fromkeys(ESTIMATORS, Moments())
    )
    for match in matches:
        deals = by_deal(match.scores)
        for players, sign in ((match.players, 1), (match.players[::-1], -1)):
            first, second = players
            for name in ESTIMATORS:
                sums[first, second][name] += Moments.of(sign * deals[name].to_numpy())
    totals = {
        player: {
            name: Moments.sum(row[name] for (first, _), row in sums.items() if first == player)
            for name in ESTIMATORS
        }
        for player in dict.fromkeys(first for first, _ in sums)
    }
    return Crosstable(
        players=tuple(sorted(totals, key=lambda player: -totals[player]["divat"].mean)),
        totals={player: _estimates(row) for player, row in totals.items()},
        pairs={players: _estimates(row) for players, row in sums.items()},
    )


def _estimates(row: Mapping[str, Moments]) -> CrosstableRow:
    return {name: moments.estimate() for name, moments in row.items()}
