"""No bias in any form of hold'em: money less each estimator, paired, over very many hands.

``--scale 10`` plays a million hands of each form. The boards before the flop are few, which costs
precision and no bias.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import altair as alt
import polars as pl

from railbird.assessment.decision_divat.match import assess_batches
from railbird.estimates import Estimate, Moments
from railbird.experiments.any_holdem.frozen_coefficients import FORMS, Form
from railbird.experiments.any_holdem.play import PolicyPlayer, play_policies
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, sigmas_for, zero
from railbird.experiments.framework.workspace import Workspace
from railbird.histories import Skipped
from railbird.histories.columns import HandBatch
from railbird.report.toolkit.figure import Figure

HANDS: Final = 100_000
"""Of each form."""
ESTIMATORS: Final = ("divat", "call_down", "fitted", "mivat", "allin", "own_side")

_BOARDS: Final = 8
_PIECE: Final = 10_000
_TOGETHER: Final = 100_000
"""Hands that are assessed together; a million would take gigabytes."""


def perform(workspace: Workspace) -> Result:
    """Play and assess every form."""
    tests = len(ESTIMATORS) * sum(form.rules.seats for form in FORMS)
    rows: list[Row] = []
    z: list[dict[str, str | float]] = []
    hands = workspace.hands(HANDS)
    for form in FORMS:
        for (estimator, player), difference in differences(workspace, form, hands).items():
            name = f"{name_of(form)}: money less {estimator} of {player}, paired"
            rows.append(zero(name, difference, sigmas=sigmas_for(tests)))
            errors = difference.value / difference.stderr if difference.stderr else 0.0
            z.append({"form": name_of(form), "estimator": estimator, "z": errors})
    table = pl.DataFrame(z)
    return Result(
        hands=hands * len(FORMS),
        rows=tuple(rows),
        drawings=(_drawing(table, sigmas_for(tests), hands, workspace.seed),),
        tables={"z": table},
    )


def name_of(form: Form) -> str:
    """Name a form as the files of its coefficients are named."""
    return f"{form.rules.betting.value}-{form.rules.seats}"


def differences(workspace: Workspace, form: Form, hands: int) -> dict[tuple[str, str], Estimate]:
    """Money less each estimator, by estimator and player."""
    sums: dict[tuple[str, str], Moments] = defaultdict(Moments)
    unit = form.rules.result_unit
    for first in range(0, hands, _TOGETHER):
        end = min(hands, first + _TOGETHER)
        assessment = assess_batches(_pieces(workspace, form, first, end), boards=_BOARDS)
        for number, player in enumerate(assessment.players):
            mine = assessment.scores.filter(pl.col("player") == number)
            for name in ESTIMATORS:
                rest = (mine["money"] - mine[name]).to_numpy()
                sums[name, player] += Moments.of(rest)
        workspace.tell(end, hands, name_of(form))
    return {key: total.estimate(unit) for key, total in sums.items()}


def _pieces(
    workspace: Workspace, form: Form, first: int, end: int
) -> Iterator[tuple[HandBatch, tuple[Skipped, ...]]]:
    players = [one for one in form.matches[-1].players if isinstance(one, PolicyPlayer)]
    for start in range(first, end, _PIECE):
        count = min(_PIECE, end - start)
        yield play_policies(form.rules, players, count, seed=workspace.seed, first=start), ()


def _drawing(table: pl.DataFrame, sigmas: float, hands: int, seed: int) -> Drawing:
    values = alt.InlineData(values=table.to_dicts())
    points = (
        alt.Chart(values)
        .mark_point()
        .encode(
            x=alt.X("z:Q", title="difference from money, standard errors"),
            y=alt.Y("estimator:N", title=None, axis=alt.Axis(labelOverlap=False)),
            row=alt.Row("form:N", title=None),
        )
    )
    farthest = max(abs(z) for z in table["z"].to_list())
    figure = Figure(
        name="unbiased-forms",
        title="Money less each estimator, in standard errors",
        words=f"Points for every player, estimator and form of hold'em; the farthest lies "
        f"{farthest:.1f} standard errors from zero, of {sigmas:.1f} that chance is granted.",
        note="Without a bias they scatter about zero like standard normal numbers.",
        chart=points,
    )
    return Drawing(figure=figure, data={}, subtitle=f"{hands:,} hands of each form, seed {seed}")
