"""Results and ratings as their pages show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from railbird.report.toolkit.number_format import number, percent
from railbird.storage.results import Standing
from railbird.tournament.ladder import Rating

MOST_IN_CROSSTABLE = 12
"""Players of a crosstable: those with most tournaments."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A line of a ladder."""

    place: int
    name: str
    kind: str
    mean: str
    within: str
    """Two deviations."""
    provisional: bool
    tournaments: int


def rating_rows(standings: Iterable[Standing]) -> list[RatingRow]:
    """Return a ladder, the best first."""
    rows = []
    for place, one in enumerate(standings, 1):
        rating = Rating(one.rating.mean, one.rating.deviation, one.rating.tournaments)
        rows.append(
            RatingRow(
                place=place,
                name=one.title,
                kind=str(one.kind),
                mean=number(rating.mean, 1),
                within=number(2 * rating.deviation, 1),
                provisional=rating.provisional,
                tournaments=rating.tournaments,
            )
        )
    return rows


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Who finished ahead of whom, of those with most tournaments."""

    names: tuple[str, ...]
    tournaments: tuple[int, ...]
    cells: tuple[tuple[str, ...], ...]
    """How often the row finished ahead of the column, of how many; empty where they never met."""
    left_out: int
    """Players who have no line."""


def crosstable_of(placings: Iterable[Sequence[tuple[str, int]]]) -> Crosstable:
    r"""Count over tournaments, each as players with their places; equal places count half.

    >>> found = crosstable_of([[("ann", 1), ("bob", 2)], [("bob", 1), ("ann", 1)]])
    >>> found.names, [ascii(cell) for cell in found.cells[0]]
    (('ann', 'bob'), ["''", "'75\\u202f% of 2'"])
    """
    ahead, met, played = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[str]()
    for placing in placings:
        played.update(name for name, _ in placing)
        for one, first in placing:
            for two, second in placing:
                if one != two:
                    met[one, two] += 1
                    ahead[one, two] += 2 * (first < second) + (first == second)
    names = sorted(played, key=lambda name: (-played[name], name))[:MOST_IN_CROSSTABLE]
    cells = tuple(
        tuple(
            f"{percent(ahead[one, two] / (2 * met[one, two]), 0)} of {met[one, two]:,}"
            if met[one, two]
            else ""
            for two in names
        )
        for one in names
    )
    counts = tuple(played[name] for name in names)
    return Crosstable(tuple(names), counts, cells, len(played) - len(names))
