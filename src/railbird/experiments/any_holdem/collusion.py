"""Partners at the table, and their traces in the crosstable.

Two of three, or of six, play softly against each other, or also squeeze the others: they raise as
long as somebody else is in and one of the two holds a strong hand. What is measured is the mutual
partiality of the pair, what each gives the other less what it gives the others, beside the money
that it costs the rest.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import polars as pl

from railbird.assessment.decision_divat.match import TableAssessment, assess_batches
from railbird.assessment.decision_divat.settings import LIMIT
from railbird.estimates import Estimate
from railbird.experiments.any_holdem.play import Collusion, PolicyPlayer, play_policies
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import (
    SIGMAS,
    Row,
    beside,
    claimed,
    measured,
    must_exceed_zero,
    zero,
)
from railbird.experiments.framework.workspace import Work, Workspace
from railbird.game import acpc_rules, limit_holdem
from railbird.report.match.crosstable_chart import crosstable_chart
from railbird.report.toolkit.figure import Figure

NAMES: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
TABLES: Final = ((3, 6_000), (6, 4_000))
"""Seats and hands."""
LOOSE: Final = replace(
    LIMIT, name="loose", gamma=0.0, offset=tuple(offset - 0.1 for offset in LIMIT.offset)
)
"""What everybody plays: the baseline, but looser."""
DEVIATION: Final = 0.07
_PROTOTYPE: Final = {
    (3, "gift", 0, 1): "0.622",
    (3, "gift", 1, 0): "0.540",
    (3, "gift", 0, 2): "-0.154",
    (3, "gift", 1, 2): "-0.044",
    (3, "victim"): "-0.602",
    (3, "mutual"): "1.359",
    (6, "mutual"): "1.385",
}
"""Of other players, in a prototype of this measure."""


def perform(workspace: Workspace) -> Result:
    """Play each table three times over and assess it."""
    rows: list[Row] = []
    total = 0
    drawings = []
    for seats, published in TABLES:
        hands = workspace.hands(published)
        by_collusion = {how: _assessed(workspace, seats, hands, how) for how in Collusion}
        rows += _rows(seats, by_collusion)
        total += 3 * hands
        drawings.append(_drawing(by_collusion[Collusion.SQUEEZE], workspace.seed))
    return Result(hands=total, rows=tuple(rows), drawings=tuple(drawings))


def _assessed(workspace: Workspace, seats: int, hands: int, how: Collusion) -> TableAssessment:
    players = [PolicyPlayer(name=name, policy=LOOSE, deviation=DEVIATION) for name in NAMES[:seats]]
    rules = acpc_rules(limit_holdem(seats))
    batch = play_policies(rules, players, hands, seed=workspace.seed, collusion=how)
    workspace.record(Work("played", hands, 0.0))
    tell = partial(workspace.tell, total=hands, what=f"{seats} players, {how.name.lower()}")
    return assess_batches([(batch, ())], boards=64, progress=lambda done, _total, _what: tell(done))


def _rows(seats: int, by_collusion: dict[Collusion, TableAssessment]) -> list[Row]:
    size = f"{seats} players"
    pair = NAMES[0], NAMES[1]
    squeeze = by_collusion[Collusion.SQUEEZE]
    mutual = {how: one.crosstable.partiality[pair] for how, one in by_collusion.items()}
    rows = [
        zero(
            f"{size}, honest: mutual partiality of the first two",
            mutual[Collusion.NONE].mutual,
            note="All play alike here; honest players of different styles are far from zero.",
        ),
        measured(
            f"{size}, soft play: mutual partiality",
            mutual[Collusion.SOFT_PLAY].mutual,
            note="Soft play alone does not show.",
        ),
        beside(
            f"{size}, squeeze: mutual partiality",
            _PROTOTYPE[seats, "mutual"],
            mutual[Collusion.SQUEEZE].mutual,
            note="Beside each number that of a prototype with other players.",
        ),
        must_exceed_zero(
            f"{size}, squeeze: mutual partiality, beyond chance", mutual[Collusion.SQUEEZE].mutual
        ),
    ]
    if seats == len(TABLES[0]) + 1:
        rows += [
            beside(
                f"{size}, squeeze: what {NAMES[one]}'s decisions changed for {NAMES[two]}",
                _PROTOTYPE[seats, "gift", one, two],
                squeeze.crosstable.cells[NAMES[one], NAMES[two]],
            )
            for one, two in ((0, 1), (1, 0), (0, 2), (1, 2))
        ]
        rows.append(
            beside(
                f"{size}, squeeze: money of the third",
                _PROTOTYPE[seats, "victim"],
                squeeze.money_of_all[NAMES[2]],
            )
        )
    rows.append(
        claimed(
            f"{size}: times the hands that the pair's money needs to show as much",
            _times(squeeze),
            _times(squeeze).value > 1,
            rule="above 1",
            note="Squares of the two numbers of standard errors.",
        )
    )
    shown = mutual[Collusion.SQUEEZE]
    rows.append(
        claimed(
            f"{size}, squeeze: others that both take from, of {shown.others}",
            Estimate(float(min(shown.takes)), 0.0, shown.mutual.n, "players"),
            all(shown.gives),
            rule="both give to each other",
            note=f"Signs: {shown.pattern}.",
        )
    )
    return rows


def _times(assessment: TableAssessment) -> Estimate:
    """Square of the partiality's z over that of the money of the pair."""
    scores = assessment.scores
    mine = scores["player"].is_in([0, 1])
    hands = scores.filter(mine).group_by("row", maintain_order=True)
    by_hand = hands.agg(pl.col("money").sum())["money"].to_numpy()
    money = by_hand.mean() / (by_hand.std(ddof=1) / np.sqrt(len(by_hand)))
    pair = assessment.crosstable.partiality[NAMES[0], NAMES[1]].mutual
    partial_z = pair.value / pair.stderr
    return Estimate(float((partial_z / max(abs(money), 1 / SIGMAS)) ** 2), 0.0, pair.n, "times")


def _drawing(assessment: TableAssessment, seed: int) -> Drawing:
    size = len(assessment.players)
    figure = Figure(
        name=f"squeeze-{size}",
        title=f"Two of {size} squeeze the others",
        words=f"Table of the mean change of each player's result by each player's decisions; the "
        f"first two of {size} are partners, give to each other and take from the rest.",
        note="No cell proves that two play together; the pattern is what to look at.",
        chart=crosstable_chart(assessment.crosstable.cells, assessment.players, assessment.unit),
    )
    return Drawing(
        figure=figure, data={}, subtitle=f"{assessment.hands:,} hands of limit, seed {seed}"
    )
