"""Booker 3 and 4 at several aggressions, among themselves (Booker 2004, 7.6.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from railbird.estimates.estimate import estimate
from railbird.experiments.booker2004.curves import means_with_intervals
from railbird.experiments.booker2004.sessions import PlayedSessions, Sessions, play_sessions
from railbird.experiments.booker2004.setting import ENTRY, PRIZES, TABLE_SESSION, TOURNAMENTS
from railbird.experiments.booker2004.verdicts import faultless
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, measured

if TYPE_CHECKING:
    from railbird.experiments.framework.figures import Drawing
    from railbird.experiments.framework.workspace import Workspace

AGGRESSIONS: Final = (0, 10, 25, 50, 75, 100)
GENERATIONS: Final = ("booker:3", "booker:4")


def perform(workspace: Workspace) -> Result:
    """Play each generation at one table of six, every seat with another aggression."""
    count = max(2, round(TOURNAMENTS * workspace.scale / TABLE_SESSION))
    played = {
        spec: play_sessions(
            workspace,
            Sessions(
                players=tuple(f"{spec},aggression={figure}" for figure in AGGRESSIONS),
                length=TABLE_SESSION,
                count=count,
                seed=workspace.seed,
                payouts=PRIZES,
                entry=ENTRY,
            ),
        )
        for spec in GENERATIONS
    }
    rows = [row for spec, result in played.items() for row in _rows(spec, result)]
    hands = sum(result.hands for result in played.values())
    rows.append(faultless(sum(result.faults for result in played.values()), hands))
    return Result(
        hands=len(GENERATIONS) * count * TABLE_SESSION,
        noun="tournament",
        rows=tuple(rows),
        drawings=tuple(_drawing(spec, result, workspace.seed) for spec, result in played.items()),
    )


def _name(spec: str) -> str:
    return spec.replace("booker:", "Booker ")


def _rows(spec: str, played: PlayedSessions) -> list[Row]:
    by_session = played.profits.mean(axis=1)
    rows = [
        measured(f"profit of {_name(spec)} at {figure}", estimate(column, unit="money"))
        for figure, column in zip(AGGRESSIONS, by_session.T, strict=True)
    ]
    means = by_session.mean(axis=0)
    best = int(means.argmax())
    default = AGGRESSIONS.index(50)
    others = [place for place in range(len(AGGRESSIONS)) if place != best]
    second = max(others, key=lambda place: means[place])
    for other in dict.fromkeys((second, default)):
        if other != best:
            rows.append(
                measured(
                    f"{_name(spec)} at {AGGRESSIONS[best]}, the best, less at {AGGRESSIONS[other]}",
                    estimate(by_session[:, best] - by_session[:, other], unit="money"),
                    "The best of six is chosen after the fact, so its lead is too large.",
                )
            )
    return rows


def _drawing(spec: str, played: PlayedSessions, seed: int) -> Drawing:
    by_session = played.profits.mean(axis=1)
    return means_with_intervals(
        spec.replace(":", "-"),
        f"{_name(spec)} at several aggressions",
        {
            f"aggression {figure}": estimate(column, unit="money")
            for figure, column in zip(AGGRESSIONS, by_session.T, strict=True)
        },
        amount=f"profit a tournament, entry {float(ENTRY):g}",
        subtitle=f"{by_session.shape[0] * TABLE_SESSION:,} tournaments of six, seed {seed}",
        note="Means over sessions of ten tournaments, with 95 % intervals.",
    )
