"""Verdicts on equal players whose logs were cut, and on honest winners, in heads-up no-limit.

Two equal players play pieces of a thousand hands. Hands are taken out of each piece in eight ways,
and the rest is judged as by `railbird assess`: with all cards, and with those that the player's
site would show. A verdict without a condition should be as rare as on whole logs of equal players.
Whole pieces are judged once more with every hand raised by the same amount, so that the result is
five standard errors above zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.any_table import assess_batches
from railbird.assessment.assessment import evidence_of
from railbird.assessment.divat.any_game import NO_LIMIT
from railbird.assessment.divat.any_game_estimators import FITTED
from railbird.assessment.estimator import Estimator, Scoring
from railbird.assessment.frozen_coefficients import frozen_for
from railbird.assessment.integrity import Integrity, luck_check
from railbird.assessment.own_side import ALL_IN, OWN_SIDE
from railbird.estimates import Moments
from railbird.estimates.bounded_mean import Proportion
from railbird.extending import Floats
from railbird.game import Betting, no_limit_holdem
from railbird.histories import Skipped
from railbird.histories.columns import HandBatch
from railbird.report.charts import line_scales
from railbird.report.document import Figure
from railbird_papers.any_holdem.missing_hands import ALL_CARDS, OWN_CARDS, without_losers
from railbird_papers.any_holdem.tables import PolicyPlayer, play_policies
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import Row, share_within
from railbird_papers.framework.workspace import Workspace

PIECES: Final = 150
PIECE_HANDS: Final = 1_000
MOST: Final = 0.05
"""Largest share of equal players' pieces with a verdict without a condition."""
FEWEST_WINNERS: Final = 0.95
"""Least share of honest winners who keep their verdict."""
WINNERS_SIGMAS: Final = 5.0

WINNERS: Final = "nothing, honest winners"

_BOARDS: Final = 8
_AT_ONCE: Final = 10_000
_FEWEST_PIECES: Final = 20
_HERO: Final = "hero"

_Mask = npt.NDArray[np.bool_]


def _worst(share: float) -> Callable[[Floats, np.random.Generator], _Mask]:
    def remains(money: Floats, _: np.random.Generator) -> _Mask:
        mask = np.ones(len(money), np.bool_)
        mask[np.argsort(money, kind="stable")[: round(share * len(money))]] = False
        return mask

    return remains


def _losses(above: float, share: float) -> Callable[[Floats, np.random.Generator], _Mask]:
    def remains(money: Floats, rng: np.random.Generator) -> _Mask:
        mask = np.ones(len(money), np.bool_)
        lost = np.flatnonzero(money < -above)
        mask[rng.choice(lost, round(share * len(lost)), replace=False)] = False
        return mask

    return remains


REMOVED: Final = {
    "nothing": _worst(0.0),
    "the worst 1 %": _worst(0.01),
    "the worst 2 %": _worst(0.02),
    "losses above 50 bb": _losses(50, 1.0),
    "losses above 20 bb": _losses(20, 1.0),
    "half of the losses above 20 bb": _losses(20, 0.5),
    "half of the losses above 5 bb": _losses(5, 0.5),
    "a tenth of all losses": _losses(0, 0.1),
}
"""For each way to take out hands, a function from the money (hands,) to a mask of what remains."""


class PieceVerdict(NamedTuple):
    """The verdict on a piece."""

    gone: float
    """The share of hands taken out."""
    decided: bool
    """Whether the result is more than luck explains, regardless of the checks."""
    withheld: bool
    """Whether the check for missing hands withholds that verdict."""
    conditional: bool
    unconditional: bool


def verdicts_on_cut_logs(workspace: Workspace) -> ExperimentResult:
    """Judge pieces of equal players with hands taken out, and pieces of winners."""
    pieces = max(_FEWEST_PIECES, round(PIECES * min(1.0, workspace.scale)))
    rows: list[Row] = []
    table = []
    for cards in (OWN_CARDS, ALL_CARDS):
        judge = partial(_judged, own=cards == OWN_CARDS)
        played = _played(workspace, pieces * PIECE_HANDS, own=cards == OWN_CARDS)
        cut_pieces = [played[k * PIECE_HANDS : (k + 1) * PIECE_HANDS] for k in range(pieces)]
        for place, (removed, remains) in enumerate(REMOVED.items()):
            rng = np.random.default_rng([workspace.seed, place])
            piece_verdicts = [
                judge(piece.filter(remains(piece["money"].to_numpy(), rng))) for piece in cut_pieces
            ]
            shares = _shares(piece_verdicts)
            rows.append(
                share_within(
                    f"{cards}, {removed} taken out: verdicts without a condition",
                    Proportion.of_trials([verdict.unconditional for verdict in piece_verdicts]),
                    most=MOST,
                )
            )
            table.append({"cards": cards, "taken out": removed, **shares})
        piece_verdicts = [judge(piece, sigmas=WINNERS_SIGMAS) for piece in cut_pieces]
        shares = _shares(piece_verdicts)
        rows.append(
            share_within(
                f"{cards}, winners of {WINNERS_SIGMAS:g} standard errors: verdicts without a "
                "condition",
                Proportion.of_trials([verdict.unconditional for verdict in piece_verdicts]),
                least=FEWEST_WINNERS,
            )
        )
        table.append({"cards": cards, "taken out": WINNERS, **shares})
    verdicts = pl.DataFrame(table)
    return ExperimentResult(
        hands=pieces * PIECE_HANDS,
        rows=tuple(rows),
        drawings=(_drawing(verdicts, workspace.seed),),
        tables={"verdicts": verdicts},
    )


def _played(workspace: Workspace, hands: int, *, own: bool) -> pl.DataFrame:
    """Return the first player's rows of all hands, as in `TableAssessment.form`."""
    policy = replace(NO_LIMIT, sizes=(0.75,) * 4)
    players = [PolicyPlayer(name=name, policy=policy, deviation=0.2) for name in (_HERO, "villain")]
    rules = no_limit_holdem(2, blinds=(50, 100), stack=10_000)

    def batches() -> Iterator[tuple[HandBatch, tuple[Skipped, ...]]]:
        for first in range(0, hands, _AT_ONCE):
            count = min(_AT_ONCE, hands - first)
            batch = play_policies(rules, players, count, seed=workspace.seed, first=first)
            yield (without_losers(batch, _HERO) if own else batch), ()

    def assessed() -> pl.DataFrame:
        assessment = assess_batches(
            batches(), boards=_BOARDS, seed=workspace.seed, progress=workspace.progress
        )
        return assessment.form.every.filter(pl.col("player") == assessment.players.index(_HERO))

    cards = "own-cards" if own else "all-cards"
    return workspace.kept_table(f"verdicts-on-cut-logs-{cards}-{hands}-hands", assessed)


def _judged(rows: pl.DataFrame, *, own: bool, sigmas: float | None = None) -> PieceVerdict:
    """Judge one player's hands; with ``sigmas``, first raise all alike to reach that result."""
    how = Scoring(frozen=frozen_for(Betting.NO_LIMIT, 2), all_known=not own)
    hidden = rows.height if own else 0
    by = evidence_of(rows, hidden=hidden, of_log=hidden).decides
    estimators: dict[str, Estimator] = {"allin": ALL_IN, "fitted": FITTED}
    money = rows["money"].to_numpy()
    values = estimators[by].values(rows, how).to_numpy() if by in estimators else money
    mean = Moments.of(values).estimate("bb")
    if sigmas is not None:
        lift = sigmas * mean.stderr - mean.value
        money, values = money + lift, values + lift
        mean = replace(mean, value=mean.value + lift)
    taken = (OWN_SIDE if own else FITTED).luck_taken(rows, how)
    check = luck_check(taken, rows["deal"].to_numpy(), money=money)
    integrity = Integrity(luck={_HERO: check}).judging({_HERO: (mean, values, money)})
    withheld = integrity.withheld(_HERO) is not None
    verdict = integrity.verdicts[_HERO]
    return PieceVerdict(
        gone=1 - rows.height / PIECE_HANDS,
        decided=verdict.decided,
        withheld=verdict.decided and withheld,
        conditional=verdict.decided and not withheld and verdict.if_whole,
        unconditional=verdict.decided and not withheld and not verdict.if_whole,
    )


def _shares(verdicts: Sequence[PieceVerdict]) -> dict[str, float]:
    """Return the mean of each field."""
    means = np.mean(np.array(verdicts, np.float64), axis=0).tolist()
    names = ("hands gone", "more than luck", "withheld", "if whole", "without a condition")
    return dict(zip(names, means, strict=True))


def _drawing(table: pl.DataFrame, seed: int) -> Drawing:
    kinds = ["withheld", "if whole", "without a condition"]
    values = table.unpivot(kinds, index=["cards", "taken out"], variable_name="verdict")
    chart = (
        alt.Chart(alt.InlineData(values=values.to_dicts()))
        .mark_bar()
        .encode(
            x=alt.X("value:Q", title="share of pieces"),
            y=alt.Y("taken out:N", title=None, sort=[*REMOVED, WINNERS]),
            color=alt.Color(
                "verdict:N",
                title="verdict",
                sort=kinds,
                scale=line_scales(kinds)[0],
                legend=alt.Legend(symbolType="square"),
            ),
            row=alt.Row("cards:N", title="cards known"),
        )
    )
    figure = Figure(
        name="verdicts-on-cut-logs",
        title="What is said of logs from which hands were taken out",
        words="Bars of the share of pieces of a thousand hands between equal players with a "
        "verdict: withheld, on the condition that the log is whole, and without a condition.",
        note="The last bar of each half is of honest winners, from whose logs nothing is missing.",
        chart=chart,
    )
    return Drawing(figure=figure, data={}, subtitle=f"own players, seed {seed}")
