"""Loki's versions against each other in ten seats, compared with the source's statements.

The numbers in the source's figures are lost; its statements about who won remain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from railbird.estimates import Estimate
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import (
    Row,
    beside,
    claimed,
    measured,
    must_exceed_zero,
    published_as_positive,
)
from railbird.experiments.papp1998.running_averages import averages
from railbird.experiments.papp1998.ten_seats import Standings, Version, play_versions
from railbird.report.toolkit import number_format

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace


class Said(Enum):
    """Kind of claim about one version's lead over another."""

    MUST = "it must lead"
    SOURCE = "it led in the source"
    NOTHING = "nothing"


_ROW_OF: dict[Said, Callable[[str, Estimate, str], Row]] = {
    Said.MUST: must_exceed_zero,
    Said.SOURCE: published_as_positive,
    Said.NOTHING: measured,
}


@dataclass(frozen=True, slots=True)
class Lead:
    """A version's lead over another at one table, paired by deal."""

    label: str
    other: str
    said: Said = Said.NOTHING
    note: str = ""

    def row(self, standings: Standings) -> Row:
        """Return the lead as a row of results."""
        ours = standings.lead(self.label, self.other)
        note = f"{self.note} {_blocks(standings, self.label, self.other)}".strip()
        return _ROW_OF[self.said](f"{self.label} less {self.other}", ours, note)


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionComparison:
    """Ten seats, and the leads to examine."""

    name: str
    """Name of its figure."""
    title: str
    versions: tuple[Version, ...]
    leads: tuple[Lead, ...]
    published: tuple[tuple[str, str], ...] = ()
    """Labels with published winnings, in games against other players."""
    note: str = ""

    def perform(self, workspace: Workspace) -> Result:
        """Play it."""
        return result_of([(self, play_versions(workspace, self.versions))], workspace.seed)


def result_of(played: list[tuple[VersionComparison, Standings]], seed: int) -> Result:
    """Return the rows and figures of one experiment's comparisons."""
    several = len(played) > 1
    rows = [
        row
        for comparison, standings in played
        for row in _rows(comparison, standings, several=several)
    ]
    drawings = [
        averages(
            comparison.name,
            comparison.title,
            standings,
            subtitle=f"{_seated(comparison)}; {standings.deals:,} deals in all ten seats, "
            f"seed {seed}",
            note="Each deal is played in all ten seats, so lines soon settle; the bars at the "
            f"right are 95 % intervals. {comparison.note}".strip(),
        )
        for comparison, standings in played
    ]
    hands = sum(standings.hands for _, standings in played)
    return Result(hands=hands, rows=tuple(rows), drawings=tuple(drawings))


def _rows(comparison: VersionComparison, standings: Standings, *, several: bool) -> list[Row]:
    printed = dict(comparison.published)
    rows = [
        beside(label, printed[label], standings.of(label), f"{_IRC} {_blocks(standings, label)}")
        if label in printed
        else measured(label, standings.of(label), _blocks(standings, label))
        for label in (version.label for version in comparison.versions)
    ]
    rows += [lead.row(standings) for lead in comparison.leads]
    faults = Estimate(float(standings.faults), 0.0, standings.hands, unit="faults")
    rows.append(claimed("illegal or failed answers", faults, standings.faults == 0, rule="none"))
    return (
        [replace(row, name=f"{comparison.name}: {row.name}") for row in rows] if several else rows
    )


def _blocks(standings: Standings, label: str, other: str | None = None) -> str:
    """Return the interval that accounts for what players remember between deals."""
    which = label if other is None else f"{label} less {other}"
    margin = number_format.number(standings.margin(label, other), 3)
    return f"{which}: ± {margin} by blocks of {standings.block:,} deals."


_IRC = "The source's players won it against people on the IRC server."


def _seated(comparison: VersionComparison) -> str:
    return ", ".join(f"{version.copies} {version.label}" for version in comparison.versions)
