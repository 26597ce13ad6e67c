"""Robustness of DIVAT to its settings, in a match of two equilibria as in the source.

The source's players were PsOpti4 and PsOpti6, two solutions of much the same game. Ours are the
strategy of `SIZE` and one of the same abstraction that was solved for a shorter time. Neither plays
the baseline before the flop, so each settings' preflop values are sampled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from railbird.baseline import STANDARD
from railbird.experiments.framework.result import Result
from railbird.experiments.kan2007.robustness import SHORT, SWEEPS, sweep_drawing, sweep_rows
from railbird.solve.limit.settings import SIZES
from railbird.solve.limit.solving import solve_limit

if TYPE_CHECKING:
    from railbird.experiments.framework.rows import Row
    from railbird.experiments.framework.workspace import Workspace

HANDS: Final = 100_000
SIZE: Final = "small"
GAP_MB: Final = 20.0
"""What a best response in the abstraction wins from the strategy that was solved in less time."""


def perform(workspace: Workspace) -> Result:
    """Solve the second strategy, play the match, and score it by the settings of the sweeps."""
    names = f"equilibrium:{SIZE}", f"one with a gap of {GAP_MB:g} mb/g"
    specs = names[0], _solved_in_less_time(workspace)
    played = workspace.play(workspace.match(*specs, workspace.hands(HANDS)))
    every = dict.fromkeys([STANDARD, *(one for group in SWEEPS for one in group.settings.values())])
    judged = {
        settings: workspace.scores(played, settings=settings)["divat"].to_numpy()
        for settings in every
    }
    start = {settings: divat[: min(SHORT, len(divat) // 2)] for settings, divat in judged.items()}
    rows: list[Row] = []
    drawings = []
    for group in SWEEPS:
        for figure, some in ((group.figure, judged), (group.short_figure, start)):
            rows += sweep_rows(group, some)
            players = f"{names[0]} against {names[1]}, seed {workspace.seed}"
            drawings.append(sweep_drawing(group, figure, some, players))
    return Result(hands=played.match.hands, rows=tuple(rows), drawings=tuple(drawings))


def _solved_in_less_time(workspace: Workspace) -> str:
    path = workspace.results_file(f"{SIZE}-gap-{GAP_MB:g}.strategy").absolute()
    if not path.exists():
        solve_limit(path, SIZES[SIZE], gap_mb=GAP_MB, progress=workspace.progress)
    return f"equilibrium:{path}"
