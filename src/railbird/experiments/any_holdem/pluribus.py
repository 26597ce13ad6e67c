"""Pluribus against professionals, 10,000 hands of six-handed no-limit (Brown and Sandholm 2019).

The published result is AIVAT's, which knows Pluribus' strategy and averages over its own cards:
48 ± 25 (standard error) thousandths of a big blind a hand. Its strategy is not public, so what
stands beside it is what cards and actions alone say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from railbird.assessment.decision_divat.match import TableAssessment, assess_batches
from railbird.errors import BadInput
from railbird.estimates import paired_difference
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Published, Row, compared, measured, sigmas_for, zero
from railbird.experiments.framework.statistics import reduction
from railbird.experiments.framework.workspace import Workspace
from railbird.histories import Skipped, read_columns
from railbird.histories.columns import HandBatch, batches_of
from railbird.report.match.crosstable_chart import crosstable_chart
from railbird.report.toolkit.figure import Figure

PLAYER: Final = "Pluribus"
HANDS: Final = 10_000
WHERE: Final = (
    "the hands are not part of Railbird; they are pluribus/ of the PHH dataset, "
    "https://github.com/uoftcprg/phh-dataset, also on https://zenodo.org/records/13997158; give "
    "the folder, or one file of them, with --data"
)
_GAME: Final = "holdem.nolimit.6p.game,stack=10000"
"""For logs of ACPC lines, which do not name their game."""
_SHOWN: Final = ("divat", "fitted", "mivat", "allin", "own_side")


def perform(workspace: Workspace) -> Result:
    """Assess the hands that were given."""
    if workspace.data is None:
        raise BadInput(f"experiment pluribus needs --data; {WHERE}")
    assessment = _assess(workspace, workspace.data)
    if PLAYER not in assessment.estimates:
        raise BadInput(f"{workspace.data}: {PLAYER} does not play in these hands; {WHERE}")
    return Result(
        hands=assessment.hands,
        rows=tuple(_rows(assessment)),
        drawings=(_drawing(assessment),),
        tables={},
    )


def _assess(workspace: Workspace, data: Path) -> TableAssessment:
    game = _GAME if ".log" in data.suffixes else None
    read = read_columns(data, game=game)
    first = next(iter(read), None)
    hands = batches_of(chain([] if first is None else [first], read))
    wanted = _first(hands, workspace.hands(HANDS))
    return assess_batches(wanted, seed=workspace.seed, progress=workspace.progress)


def _first(
    batches: Iterable[tuple[HandBatch, Sequence[Skipped]]], hands: int
) -> Iterator[tuple[HandBatch, Sequence[Skipped]]]:
    """Keep only the first hands."""
    for batch, skipped in batches:
        part = batch.rows(np.arange(min(hands, len(batch))))
        hands -= len(part)
        yield part, skipped
        if not hands:
            return


def _rows(assessment: TableAssessment) -> list[Row]:
    scores = assessment.scores
    mine = scores.filter(pl.col("player") == assessment.players.index(PLAYER))
    published = Published(text="0.048", stderr=0.025)
    rows = [
        compared(
            f"{name} of {PLAYER}",
            published,
            assessment.estimates[PLAYER][name],
            note="Published is AIVAT's estimate, which knows the strategy.",
        )
        for name in ("money", "divat", "fitted")
    ]
    money = mine["money"].to_numpy()
    names = [name for name in _SHOWN if scores[name].null_count() == 0]
    for name in names:
        rows.append(
            measured(
                f"variance of money ÷ that of {name}, all seats",
                reduction(scores["money"].to_numpy(), scores[name].to_numpy()),
            )
        )
        rows.append(
            zero(
                f"money less {name} of {PLAYER}, paired",
                paired_difference(money, mine[name].to_numpy()),
                sigmas=sigmas_for(len(names)),
            )
        )
    own = mine["own"].to_numpy()
    rows.append(measured(f"{PLAYER}'s own decisions", assessment.crosstable.cells[PLAYER, PLAYER]))
    rows.append(
        measured(
            "the others' decisions on it",
            paired_difference(mine["divat"].to_numpy() - mine["position"].to_numpy(), own),
        )
    )
    return rows


def _drawing(assessment: TableAssessment) -> Drawing:
    ranked = sorted(
        assessment.players, key=lambda name: -assessment.crosstable.cells[name, name].n
    )[:9]
    figure = Figure(
        name="pluribus",
        title="Whose decisions changed whose result",
        words="Table of the mean change of each player's result by each player's decisions, of the "
        "nine players with most hands.",
        note="A column adds up to DIVAT less position; a row to zero.",
        chart=crosstable_chart(assessment.crosstable.cells, ranked, assessment.unit),
    )
    return Drawing(figure=figure, data={}, subtitle=f"{assessment.hands:,} hands")
