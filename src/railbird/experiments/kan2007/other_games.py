"""DIVAT's idea in other games: Kuhn and Leduc poker, and a battle with random damage.

The source proposes the battle (6.4) and gives no figures. All three games are enumerated, so what
must be zero is compared with an exact value, and variances need no sample.
"""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np
import polars as pl

from railbird.assessment.games.battle import battle, rash, steady
from railbird.assessment.games.estimator import GameEstimator, exact_utility
from railbird.assessment.games.extensive_game import (
    ExtensiveGame,
    Floats,
    Profile,
    unfold,
    unfolded_profile,
)
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.experiments.framework.figures import running_sums
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, claimed, measured, zero
from railbird.experiments.framework.statistics import reduction
from railbird.experiments.framework.workspace import Work, Workspace
from railbird.solve import Game, kuhn, leduc, solve

BATTLES: Final = 10_000
_TOLERANCE: Final = 1e-5
_ROUNDING: Final = 1e-9


def perform(workspace: Workspace) -> Result:
    """Enumerate the poker games, enumerate and sample the battle."""
    rows: list[Row] = []
    for name, poker in (("Kuhn", kuhn()), ("Leduc", leduc())):
        rows += _poker(name, poker)
    plays = workspace.hands(BATTLES)
    game = battle()
    skilled: Profile = (game.profile(steady)[0], game.profile(rash)[1])
    equal = game.profile(rash)
    score = GameEstimator(
        name="divat",
        title="DIVAT",
        game=game,
        value=game.values(game.profile(steady)),
    )
    frames = []
    for label, profile in (("steady v rash", skilled), ("rash v rash", equal)):
        drawn = game.sample(profile, plays, np.random.default_rng(workspace.seed))
        columns = score.score(drawn)
        rows += _battle(label, game, profile, score, columns["utility"], columns["divat"])
        frames.append(pl.DataFrame({"money": columns["utility"], "divat": columns["divat"]}))
    workspace.record(Work("played", 2 * plays, 0.0))
    return Result(
        hands=2 * plays,
        noun="battle",
        rows=tuple(rows),
        drawings=(
            running_sums(
                "battle",
                "A battle with random damage: result and decisions",
                frames[0],
                player="steady",
                subtitle=f"steady against rash, {plays:,} battles, seed {workspace.seed}",
                note="Money is the difference of damage, DIVAT the same without the luck of "
                "armies and dice, in units of damage. Both lines have one slope.",
                counted="battles",
                unit="points of damage",
            ),
        ),
    )


def _poker(name: str, game: Game) -> list[Row]:
    tree = unfold(game)
    equilibrium = unfolded_profile(game, tree, solve(game, tolerance=_TOLERANCE).strategy)
    players = {"equilibrium": equilibrium, "uniform": tree.uniform()}
    rows, largest = [], 0.0
    for (one, first), (two, second) in product(players.items(), repeat=2):
        profile = first[0], second[1]
        utility = exact_utility(tree, profile)
        for value, guess in players.items():
            values = tree.values(guess)
            for what, known in (("cards", (None, None)), ("cards and both players", profile)):
                score = GameEstimator(
                    name="corrected", title="Corrected", game=tree, value=values, known=known
                )
                result = score.exact(profile)
                largest = max(largest, abs(result.mean - utility.mean))
                rows.append(
                    measured(
                        f"{name}, {one} v {two}: variance left, {what} corrected, {value} values",
                        _exactly(result.variance / utility.variance, "share"),
                    )
                )
    bias = claimed(
        f"{name}: largest bias of {len(rows)} corrections",
        _exactly(largest),
        largest < _ROUNDING,
        rule="0 but for rounding",
        note="By enumeration, for every pair of players, guess of values and set of events.",
    )
    return [bias, *rows]


def _battle(
    label: str,
    game: ExtensiveGame,
    profile: Profile,
    score: GameEstimator,
    money: Floats,
    divat: Floats,
) -> list[Row]:
    truth = exact_utility(game, profile)
    exact = score.exact(profile)
    return [
        measured(f"battle, {label}: result by enumeration", _exactly(truth.mean, "damage")),
        zero(
            f"battle, {label}: result of the sample less that",
            estimate(money - truth.mean, unit="damage"),
        ),
        zero(
            f"battle, {label}: DIVAT of the sample less that",
            estimate(divat - truth.mean, unit="damage"),
        ),
        measured(f"battle, {label}: DIVAT of the sample", estimate(divat, unit="damage")),
        measured(f"battle, {label}: variance ÷ in the sample", reduction(money, divat)),
        measured(
            f"battle, {label}: variance ÷ by enumeration",
            _exactly(truth.variance / exact.variance, "times"),
            note="Also the factor by which DIVAT needs fewer battles.",
        ),
    ]


def _exactly(value: float, unit: str = "chips") -> Estimate:
    return Estimate(float(value), 0.0, 1, unit)
