"""Mistakes found in implementations of AIVAT, each shown biased on Leduc hold'em.

An equilibrium plays a player who never folds. Wherever the mistake is one in the formula, its bias
is exact, by enumeration; the sample says how soon a match would show it. Two mistakes lie in how
the hands are used: for these, many short matches are scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import altair as alt
import numpy as np
import polars as pl

from railbird.assessment.games.aivat import Aivat, imaginary_observations
from railbird.assessment.games.estimator import exact_moments, exact_utility
from railbird.assessment.games.extensive_game import Floats, Known, Profile
from railbird.assessment.games.seats import seated
from railbird.estimates import Estimate
from railbird.estimates.estimate import Z_95, estimate
from railbird.estimates.wilson_proportion import Proportion
from railbird.experiments.burch2018.players import Leduc, table
from railbird.experiments.burch2018.wrong_estimators import (
    careless_average,
    dropping,
    equal_cards,
    events_of,
    found_only,
    found_only_and_dropping,
)
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import (
    SIGMAS,
    Row,
    claimed,
    must_exceed,
    must_exceed_zero,
    sigmas_for,
    zero,
)
from railbird.experiments.framework.workspace import Work, Workspace
from railbird.report.toolkit import number_format
from railbird.report.toolkit.chart_marks import layered, zero_column
from railbird.report.toolkit.figure import Figure
from railbird.report.toolkit.palette import variable

HANDS: Final = 100_000
MATCH: Final = 500
"""Hands of a match whose estimator looks at the hands that it scores."""
VALUES: Final = 20
"""Value functions that it chooses from."""
LEAST: Final = 0.001
"""Bias that counts as shown, in chips a hand."""
UNIT: Final = "chips"

_ROUNDING: Final = 1e-10
_MISSED: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mistake:
    """A wrong estimator beside the right one."""

    name: str
    wrong: Floats
    """(nodes,) estimate of hands that end there."""
    right: Floats
    profile: Profile
    """The players."""
    note: str = ""


def perform(workspace: Workspace) -> Result:
    """Enumerate each mistake, then score a sample of hands."""
    leduc, hands = table(), workspace.hands(HANDS)
    rng = np.random.default_rng(workspace.seed)
    gallery, farthest = mistakes(leduc), 0.0
    rows: list[Row] = []
    told: list[dict[str, str | float]] = []
    for one in gallery:
        truth = exact_utility(leduc.game, one.profile).mean
        drawn = leduc.game.sample(one.profile, hands, rng)
        bias, unbiased = (
            exact_moments(leduc.game, one.profile, by_node[leduc.game.leaves]).mean - truth
            for by_node in (one.wrong, one.right)
        )
        farthest = max(farthest, abs(unbiased))
        wrong, right = (
            estimate(by_node[drawn] - truth, unit=UNIT) for by_node in (one.wrong, one.right)
        )
        rows += [
            claimed(
                f"{one.name}: bias",
                Estimate(bias, 0.0, 1, UNIT),
                abs(bias) > LEAST,
                rule=f"more than {LEAST:g}, by enumeration",
                note=f"{number_format.signed(wrong.value / wrong.stderr, 1)} standard errors in "
                f"{hands:,} hands. {one.note}".strip(),
            ),
            zero(
                f"{one.name}: right form in a sample, less the exact mean",
                right,
                sigmas=sigmas_for(len(gallery)),
            ),
        ]
        told.append(_told(one.name, bias, wrong, right))
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
    told += more
    columns = pl.DataFrame(told)
    return Result(
        hands=hands * (len(gallery) + 1),
        rows=(*rows, *looked),
        drawings=(_drawing(columns, hands),),
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
    """Compute the bias of dropping corrections and averaging over found branches at once."""
    profile = seated(leduc.equilibrium, leduc.random)
    both = found_only_and_dropping(events_of(leduc, (profile[0], None), leduc.seen_by(1)))
    found = exact_moments(leduc.game, profile, both[leduc.game.leaves])
    return found.mean - exact_utility(leduc.game, profile).mean


def mistakes(leduc: Leduc) -> list[Mistake]:
    """Build the mistakes that are wrong in the formula."""
    game = leduc.game
    equal, pure = leduc.equilibrium, leduc.purified
    profile = seated(equal, leduc.random)
    one_known: Known = (profile[0], None)
    value = leduc.seen_by(1)

    def aivat(known: Known, values: Floats = value) -> Floats:
        return Aivat(game=game, value=values, known=known).by_node()

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
    """Score short matches by what was chosen or centred on their own hands."""
    game, profile = leduc.game, seated(leduc.equilibrium, leduc.random)
    known, truth = (profile[0], None), exact_utility(leduc.game, profile).mean
    drawn = game.sample(profile, max(1, hands // MATCH) * MATCH, rng).reshape(-1, MATCH)
    values = [leduc.self_play + rng.normal(size=len(game.actor)) for _ in range(VALUES)]
    results = np.array(
        [Aivat(game=game, value=v, known=known).by_node()[drawn].mean(axis=1) for v in values]
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


def _drawing(told: pl.DataFrame, hands: int) -> Drawing:
    chart = (
        alt.Chart(alt.InlineData(values=told.to_dicts()))
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
    least = np.abs(told["standard errors"].to_numpy()).min()
    figure = Figure(
        name="biases",
        title="Mistakes in AIVAT: their bias in standard errors",
        words=f"Bars for {told.height} mistakes; the shortest is of {least:.1f} standard errors, "
        f"where chance seldom makes more than {SIGMAS:g}.",
        note="The right form of each lies within the standard errors granted to chance.",
        chart=layered(chart, zero_column()),
    )
    return Drawing(
        figure=figure, data={}, subtitle=f"equilibrium against random, {hands:,} hands each"
    )
