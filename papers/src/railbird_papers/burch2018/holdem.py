"""Mistakes found in implementations of AIVAT, each shown biased on Leduc hold'em.

An equilibrium plays a player who never folds. If the mistake is in the formula, its bias is exact,
by enumeration; the sample says how soon a match would show it. Two mistakes are in the use of the
hands; for these, many short matches are scored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np
import polars as pl

from railbird.arena import Seating
from railbird.assessment import Estimator, assess
from railbird.assessment.aivat.estimator import Aivat
from railbird.assessment.any_table import assess_batches
from railbird.assessment.extensive_games import Known, Profile, seated
from railbird.assessment.extensive_games_aivat import (
    GameAivat,
    exact_moments,
    exact_utility,
    imaginary_observations,
)
from railbird.errors import BadInput, RailbirdError
from railbird.estimates import Estimate, Moments
from railbird.estimates.bounded_mean import Proportion
from railbird.estimates.estimate import Z_95, estimate, paired_difference
from railbird.extending import Floats
from railbird.histories import read_columns
from railbird.histories.columns import batches_of
from railbird.report import number_format
from railbird.report.charts import layered, row_axis, variable, zero_column
from railbird.report.document import Figure
from railbird_papers.burch2018.leduc import (
    Leduc,
    careless_average,
    dropping,
    equal_cards,
    events_of,
    found_only,
    found_only_and_dropping,
    table,
)
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import (
    SIGMAS,
    Row,
    claimed,
    measured,
    must_exceed,
    must_exceed_zero,
    sigmas_for,
    zero,
)
from railbird_papers.framework.workspace import Work, Workspace
from railbird_papers.limit_players.matches import known_of, pairs_of

if TYPE_CHECKING:
    from pathlib import Path

    from railbird.histories.columns import HandBatch


MISTAKES_HANDS: Final = 100_000
MATCH: Final = 500
"""Hands of a match whose estimator is chosen by the hands that it scores."""
VALUES: Final = 20
"""Value functions that it chooses from."""
LEAST: Final = 0.001
"""Least bias that counts as shown, in chips a hand."""
UNIT: Final = "chips"

_ROUNDING: Final = 1e-10
_MISSED: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mistake:
    """A wrong estimator and the right one."""

    name: str
    wrong: Floats
    """(nodes,) estimate of hands that end there."""
    right: Floats
    profile: Profile
    """The players."""
    note: str = ""


def mistakes_experiment(workspace: Workspace) -> ExperimentResult:
    """Enumerate each mistake, then score a sample of hands."""
    leduc, hands = table(), workspace.hands(MISTAKES_HANDS)
    rng = np.random.default_rng(workspace.seed)
    gallery, farthest = mistakes(leduc), 0.0
    rows: list[Row] = []
    bias_rows: list[dict[str, str | float]] = []
    for mistake in gallery:
        truth = exact_utility(leduc.game, mistake.profile).mean
        drawn = leduc.game.sample(mistake.profile, hands, rng)
        bias, unbiased = (
            exact_moments(leduc.game, mistake.profile, by_node[leduc.game.leaves]).mean - truth
            for by_node in (mistake.wrong, mistake.right)
        )
        farthest = max(farthest, abs(unbiased))
        wrong, right = (
            estimate(by_node[drawn] - truth, unit=UNIT)
            for by_node in (mistake.wrong, mistake.right)
        )
        rows += [
            claimed(
                f"{mistake.name}: bias",
                Estimate(bias, 0.0, 1, UNIT),
                abs(bias) > LEAST,
                rule=f"more than {LEAST:g}, by enumeration",
                note=f"{number_format.signed(wrong.value / wrong.stderr, 1)} standard errors in "
                f"{hands:,} hands. {mistake.note}".strip(),
            ),
            zero(
                f"{mistake.name}: right form in a sample, less the exact mean",
                right,
                sigmas=sigmas_for(len(gallery)),
            ),
        ]
        bias_rows.append(_told(mistake.name, bias, wrong, right))
    rows += [
        _unbiased(f"largest bias of the {len(gallery)} right forms", farthest),
        _unbiased(
            "average over the branches found, and no correction where another came: bias",
            _bias_of_both(leduc),
            "Two of the mistakes at once: the mean change among these branches is zero.",
        ),
    ]
    looked, more = _looking_at_the_hands(leduc, hands, rng)
    workspace.record(Work("played", hands * (len(gallery) + 1), 0.0))
    bias_rows += more
    columns = pl.DataFrame(bias_rows)
    return ExperimentResult(
        hands=hands * (len(gallery) + 1),
        rows=(*rows, *looked),
        drawings=(_mistakes_drawing(columns, hands),),
        tables={"biases": columns},
    )


def _unbiased(name: str, bias: float, note: str = "") -> Row:
    return claimed(
        name,
        Estimate(bias, 0.0, 1, UNIT),
        abs(bias) < _ROUNDING,
        rule="0 but for rounding",
        note=f"By enumeration. {note}".strip(),
    )


def _bias_of_both(leduc: Leduc) -> float:
    """Compute the bias of two mistakes at once: dropped corrections, branches without a value."""
    profile = seated(leduc.equilibrium, leduc.random)
    both = found_only_and_dropping(events_of(leduc, (profile[0], None), leduc.seen_by(1)))
    moments = exact_moments(leduc.game, profile, both[leduc.game.leaves])
    return moments.mean - exact_utility(leduc.game, profile).mean


def mistakes(leduc: Leduc) -> list[Mistake]:
    """Build the estimators with mistakes in the formula."""
    game = leduc.game
    equal, pure = leduc.equilibrium, leduc.purified
    profile = seated(equal, leduc.random)
    one_known: Known = (profile[0], None)
    value = leduc.seen_by(1)

    def aivat(known: Known, values: Floats = value) -> Floats:
        return GameAivat(game=game, value=values, known=known).by_node()

    right, events = aivat(one_known), events_of(leduc, one_known, value)
    purified = seated(pure, leduc.random)
    return [
        Mistake(
            name="correction at the opponent's nodes with one's own probabilities",
            wrong=aivat(seated(equal, equal), game.values(profile)),
            right=aivat(one_known, game.values(profile)),
            profile=profile,
            note="The mean is zero only if the opponent plays like oneself. With the values of "
            "self-play it is worse: every hand is estimated at 0, without any variance.",
        ),
        Mistake(
            name="probabilities of the table while its likeliest action is played",
            wrong=aivat(one_known),
            right=aivat((purified[0], None)),
            profile=purified,
        ),
        Mistake(
            name="no correction where the value of what happened is missing",
            wrong=dropping(events),
            right=right,
            profile=profile,
            note="Which corrections are left out then depends on how they came out.",
        ),
        Mistake(
            name="average over the branches found in the table only",
            wrong=found_only(events),
            right=right,
            profile=profile,
            note="The value of what happened is found by other means.",
        ),
        Mistake(
            name="cards averaged as if all ranks were equally likely",
            wrong=equal_cards(events),
            right=right,
            profile=profile,
        ),
        Mistake(
            name="imagined cards without regard to those that are seen",
            wrong=right
            - imaginary_observations(game, one_known, game.payoff)
            + careless_average(leduc, one_known, game.payoff),
            right=right,
            profile=profile,
        ),
        Mistake(
            name="AIVAT where cards were shown, money elsewhere",
            wrong=np.where(leduc.showdown > 0, right, game.payoff),
            right=right,
            profile=profile,
            note="To fold or not is a choice made in the light of the luck.",
        ),
    ]


def _looking_at_the_hands(
    leduc: Leduc, hands: int, rng: np.random.Generator
) -> tuple[list[Row], list[dict[str, str | float]]]:
    """Score short matches by values that were chosen or centred on their own hands."""
    game, profile = leduc.game, seated(leduc.equilibrium, leduc.random)
    known, truth = (profile[0], None), exact_utility(leduc.game, profile).mean
    drawn = game.sample(profile, max(1, hands // MATCH) * MATCH, rng).reshape(-1, MATCH)
    values = [leduc.self_play + rng.normal(size=len(game.actor)) for _ in range(VALUES)]
    results = np.array(
        [GameAivat(game=game, value=v, known=known).by_node()[drawn].mean(axis=1) for v in values]
    )
    chosen = estimate(results.max(axis=0) - truth, unit=UNIT)
    frozen = estimate(results[0] - truth, unit=UNIT)
    money = game.payoff[drawn]
    # What stood to be won before the last action, learnt well: close to the result.
    rest = money - game.values(profile)[game.parent[drawn]]
    half = Z_95 * rest.std(axis=1, ddof=1) / np.sqrt(MATCH)
    outside = Proportion.of_trials(np.abs(money.mean(axis=1) - truth) > half)
    best = f"best of {VALUES} value functions for the hands that they score"
    rows = [
        must_exceed_zero(
            f"{best}: bias in matches of {MATCH} hands",
            chosen,
            "Each of them is unbiased. The best was chosen in the light of the hands.",
        ),
        zero(f"{best}: one that was chosen before, less the exact mean", frozen),
        must_exceed(
            _MISSED,
            "a learnt baseline less its mean in the data: missed by its intervals of 95 %",
            outside,
            "Its mean is that of money, whose luck it keeps, but its spread looks small.",
        ),
    ]
    return rows, [_told(best, chosen.value, chosen, frozen)]


def _told(name: str, bias: float, wrong: Estimate, right: Estimate) -> dict[str, str | float]:
    return {
        "mistake": name,
        "bias": bias,
        "standard errors": wrong.value / wrong.stderr,
        "of the right form": right.value / right.stderr,
    }


def _mistakes_drawing(biases: pl.DataFrame, hands: int) -> Drawing:
    chart = (
        alt.Chart(alt.InlineData(values=biases.to_dicts()))
        .mark_bar(color=variable("skill"))
        .encode(
            x=alt.X(
                field="standard errors",
                type="quantitative",
                title="bias, standard errors",
                axis=alt.Axis(grid=True, tickCount=6, labelOverlap=False),
            ),
            y=alt.Y(
                "mistake:N", title=None, sort=None, axis=alt.Axis(labelLimit=0, labelOverlap=False)
            ),
        )
    )
    least = np.abs(biases["standard errors"].to_numpy()).min()
    figure = Figure(
        name="biases",
        title="Mistakes in AIVAT: their bias in standard errors",
        words=f"Bars for {biases.height} mistakes; the shortest is of {least:.1f} standard errors, "
        f"where chance seldom makes more than {SIGMAS:g}.",
        note="The right form of each lies within the standard errors granted to chance.",
        chart=layered(chart, zero_column()),
    )
    return Drawing(
        figure=figure, data={}, subtitle=f"equilibrium against random, {hands:,} hands each"
    )


# Every estimator side by side: on matches of our own, and on a log of others' play.
#
# How many hands an estimator saves depends on the players, and on what is known of them: of a log
# of strangers nothing but the cards and the actions, of our own players the strategies of none, one
# or both.


MATCHES: Final = (
    ("equilibrium:small", "equilibrium:small"),
    ("equilibrium:small", "baseline"),
    ("equilibrium:small", "loki:som"),
    ("equilibrium:small", "always-call"),
    ("loki:som", "loki:basic"),
)
SIDE_BY_SIDE_HANDS: Final = 4000
"""Hands in each match of our own, where each deal is played twice."""
LOG_HANDS: Final = 36_454
"""Hands of a given log at scale 1."""
HEADINGS: Final = {
    "money": "money",
    "divat": "DIVAT",
    "fitted": "fitted",
    "mivat": "MIVAT",
    "aivat_one": "AIVAT, one known",
    "aivat_both": "AIVAT, both known",
}
_COLOURS: Final = ("money", "skill", "preflop", "river", "position", "ink")
_HEIGHT: Final = 46


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMatch:
    """A match, judged by every estimator that can judge it."""

    title: str
    hands: int
    means: dict[str, Estimate] = field(default_factory=dict)
    """Of the first player; in a match in duplicate by deals."""
    spreads: dict[str, float] = field(default_factory=dict)
    """Standard deviation of a hand."""
    duplicate: dict[str, float] = field(default_factory=dict)
    """The same in duplicate: of a deal's mean, times the root of its two hands."""
    differences: dict[str, Estimate] = field(default_factory=dict)
    """Money less each estimator, paired."""

    def gain(self, spread: float | None) -> float | None:
        """Return the variance of a hand's money over that of an estimator; None if it has none."""
        return (self.spreads["money"] / spread) ** 2 if spread else None


def side_by_side(workspace: Workspace) -> ExperimentResult:
    """Play our matches, read the given log, and compare all estimators."""
    given, left_out = _given(workspace)
    judged = [*(_judged_match(workspace, *players) for players in MATCHES), *given]
    return ExperimentResult(
        hands=sum(match.hands for match in judged),
        rows=(*_rows(judged), *left_out),
        drawings=(_side_by_side_drawing(judged, workspace.seed),),
        tables={"estimators": _numbers(judged)},
        printed={
            "small bets a hand, for the first player of each match; sd of a hand, how many times "
            "less variance than its money, and the same of a deal played twice": _text(judged)
        },
    )


def _judged_match(workspace: Workspace, player: str, opponent: str) -> JudgedMatch:
    """Play a match in duplicate and judge it with one player known, and with both if both can be.

    If two can be known, the first counts as the known one.
    """
    deals = workspace.hands(SIDE_BY_SIDE_HANDS) // 2
    match = workspace.match(player, opponent, deals, seating=Seating.DUPLICATE)
    log = workspace.play(match).log
    first, second = match.names
    known = known_of({first: player, second: opponent})
    estimators: dict[str, Estimator] = {}
    if known:
        name = first if first in known else second
        estimators["aivat_one"] = Aivat(known={name: known[name]})
    if len(known) > 1:
        estimators["aivat_both"] = Aivat(known=known)
    scores = _scores(workspace, log, first, estimators)
    pairs = pairs_of(scores, [name for name in HEADINGS if name in scores.columns])
    return _judged(f"{player} v {opponent}", scores, pairs)


def _given(workspace: Workspace) -> tuple[list[JudgedMatch], list[Row]]:
    """Judge a log of unknown players; if it cannot be judged, a row says why.

    When all experiments run, each gets the same log, and most of them need another game.
    """
    path = workspace.data
    if path is None:
        return [], []
    try:
        scores = _scores(workspace, path, None, {}, workspace.hands(LOG_HANDS))
    except RailbirdError as problem:
        name = f"hands of {path.name} that every estimator takes"
        why = str(problem).rstrip(".") + "."
        return [], [measured(name, Estimate(0.0, 0.0, 1, unit="hands"), why)]
    return [_judged(path.name, scores, None)], []


def _scores(
    workspace: Workspace,
    log: Path,
    player: str | None,
    estimators: dict[str, Estimator],
    hands: int | None = None,
) -> pl.DataFrame:
    """Return a row for each hand: its pair, and columns of `HEADINGS`, for the first player."""
    batches = [batch for batch, _ in batches_of(read_columns(log))]
    if hands is not None:
        batches = _first(batches, hands)
    assessment = assess(
        batches, player=player, threads=workspace.workers, progress=workspace.progress
    )
    if not assessment.hands:
        raise BadInput(f"{log}: no hand of heads-up limit")
    if assessment.hidden:
        raise BadInput(f"{log}: cards of {assessment.hidden:,} hands are not known")
    scores = assessment.scores.select("pair", "money", "divat", "fitted")
    if scores["pair"].null_count() < scores.height:
        scores = scores.with_columns(
            fitted_alone=_fitted_alone(batches, scores, assessment.players[0])
        )
    for name, estimator in estimators.items():
        again = assess(
            batches,
            player=player,
            more=[estimator],
            threads=workspace.workers,
            progress=workspace.progress,
        )
        scores = scores.with_columns(again.scores["aivat"].alias(name))
    table = assess_batches(((batch, ()) for batch in batches), threads=workspace.workers)
    mine = table.scores.filter(pl.col("player") == table.players.index(assessment.players[0]))
    if mine["mivat"].null_count() == 0 and mine.height == scores.height:
        scores = scores.with_columns(mine["mivat"])
    return scores


def _fitted_alone(batches: list[HandBatch], scores: pl.DataFrame, player: str) -> pl.Series:
    """Return the fitted estimate as if no deal were played twice.

    In a duplicate match its coefficients make the sums of deals vary least, not single hands.
    """
    second = (scores["pair"].is_duplicated() & ~scores["pair"].is_first_distinct()).to_numpy()
    alone = np.empty(len(second))
    for part in (second, ~second):
        some, begin = [], 0
        for batch in batches:
            some.append(batch.rows(np.flatnonzero(part[begin : begin + len(batch)])))
            begin += len(batch)
        alone[part] = assess(some, player=player).scores["fitted"].to_numpy()
    return pl.Series(alone)


def _judged(title: str, scores: pl.DataFrame, pairs: pl.DataFrame | None) -> JudgedMatch:
    units = scores if pairs is None else pairs
    judged_match = JudgedMatch(title=title, hands=scores.height)
    money = units["money"].to_numpy()
    for name in HEADINGS:
        if name not in scores.columns:
            continue
        alone = f"{name}_alone" if f"{name}_alone" in scores.columns else name
        by_unit = units[name].to_numpy()
        judged_match.means[name] = estimate(by_unit)
        judged_match.spreads[name] = Moments.of(scores[alone]).sd
        if pairs is not None:
            judged_match.duplicate[name] = Moments.of(by_unit).sd * math.sqrt(2)
        if name != "money":
            judged_match.differences[name] = paired_difference(money, by_unit)
    return judged_match


def _rows(judged: list[JudgedMatch]) -> list[Row]:
    """Check that no estimator differs from the money by more than chance."""
    count = sum(len(match.differences) for match in judged)
    return [
        zero(f"{match.title}: money less {HEADINGS[name]}", difference, sigmas=sigmas_for(count))
        for match in judged
        for name, difference in match.differences.items()
    ]


def _text(judged: list[JudgedMatch]) -> pl.DataFrame:
    """Return what is printed: the estimators of each match below one another."""
    lines = []
    for match in judged:
        for index, (name, mean) in enumerate(match.means.items()):
            digits = number_format.decimals_for(mean.stderr)
            half = number_format.number((mean.high - mean.low) / 2, digits)
            spread, in_duplicate = match.spreads[name], match.duplicate.get(name)
            lines.append(
                {
                    "match": ""
                    if index
                    else f"{match.title}, {number_format.counted(match.hands)}",
                    "estimator": HEADINGS[name],
                    "mean (95 %)": f"{number_format.signed(mean.value, digits)} ± {half}",
                    "sd": number_format.number(spread, 3),
                    "÷": number_format.number(match.gain(spread), 1),
                    "duplicate": number_format.number(in_duplicate, 3),
                    " ÷": number_format.number(match.gain(in_duplicate), 1),
                }
            )
    return pl.DataFrame(lines)


def _numbers(judged: list[JudgedMatch]) -> pl.DataFrame:
    """Return a row for each match and estimator."""
    return pl.DataFrame(
        [
            {
                "match": match.title,
                "hands": match.hands,
                "estimator": name,
                "mean": mean.value,
                "stderr": mean.stderr,
                "sd": match.spreads[name],
                "variance_reduction": match.gain(match.spreads[name]),
                "sd_duplicate": match.duplicate.get(name),
            }
            for match in judged
            for name, mean in match.means.items()
        ]
    )


def _first(batches: list[HandBatch], hands: int) -> list[HandBatch]:
    """Keep the first hands."""
    batches_left = []
    for batch in batches:
        batches_left.append(batch.rows(np.arange(min(hands, len(batch)))))
        hands -= len(batches_left[-1])
    return [batch for batch in batches_left if len(batch)]


def _side_by_side_drawing(judged: list[JudgedMatch], seed: int) -> Drawing:
    """Plot the spreads of every match in a row of points, on a scale of ratios."""
    values = [
        {"match": match.title, "estimator": HEADINGS[name], "sd": round(spread, 4)}
        for match in judged
        for name, spread in match.spreads.items()
        if spread
    ]
    titles = [match.title for match in judged]
    chart = (
        alt.Chart(alt.InlineData(values=values))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=alt.X(
                "sd",
                type="quantitative",
                title="standard deviation of a hand, small bets",
                scale=alt.Scale(type="log", nice=False, padding=12),
                axis=alt.Axis(grid=True, format="~g"),
            ),
            y=row_axis("match", titles),
            color=alt.Color(
                "estimator",
                type="nominal",
                title=None,
                scale=alt.Scale(
                    domain=[*HEADINGS.values()], range=[variable(name) for name in _COLOURS]
                ),
                legend=alt.Legend(columns=4, symbolType="circle", symbolSize=90),
            ),
        )
    )
    least = {
        match.title: min(match.spreads, key=lambda name: match.spreads[name]) for match in judged
    }
    least_text = "; ".join(f"{title} {HEADINGS[name]}" for title, name in least.items())
    figure = Figure(
        name="spreads",
        title="What each estimator leaves of the luck",
        words=f"Points by match and estimator; the least spread has, by match: {least_text}.",
        note="Hands that are needed are in proportion to the square.",
        chart=layered(chart).properties(width="container", height=_HEIGHT * len(judged)),
    )
    return Drawing(figure=figure, data={}, subtitle=f"{len(judged)} matches, seed {seed}")
