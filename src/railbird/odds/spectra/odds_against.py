"""Odds of a holding against several opponents with weighted holdings, in one result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import Tabular
from railbird.cards import Card, CardsLike, Holding, HoldingLike
from railbird.errors import BadInput
from railbird.odds._checks import WeightsLike, known_cards, weights_from
from railbird.odds.equity.preflop_matrix import PAIR_BOARDS, open_matrix
from railbird.odds.settings import MOST_AT_TABLE, PREFLOP_BOARDS
from railbird.odds.spectra.run_outs import compare_run_outs, reduced_ranges
from railbird.odds.spectra.showdown import (
    joint_odds,
    odds_against_each,
    power_odds,
    power_stderr,
)
from railbird.odds.win_probability.win_probability import MOST_OPPONENTS

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowdownOdds(Tabular):
    """Odds of the best hand at showdown if nobody folds."""

    against_each: tuple[float, ...]
    """Exact, against each opponent alone, ties half."""
    power: float
    """Against all, independent of each other given the board, as the source has it."""
    joint: float
    """Expected share of the pot: exact against one or two, corrected by pairs against more."""
    stderr: float
    """Standard error: 0, or that of a sample of boards before the flop."""


@checked
def showdown_odds(
    hole: HoldingLike,
    board: CardsLike,
    opponents: Sequence[WeightsLike],
    *,
    samples: int = PREFLOP_BOARDS,
    rng: np.random.Generator | None = None,
) -> ShowdownOdds:
    """Compute a holding's odds against opponents with weights (1326,) or ranges.

    Before the flop the boards are ``samples`` drawn with ``rng``, by default with a fixed seed,
    except against one opponent. Raises `BadInput` for no opponents or too many, and for ranges that
    the known cards leave empty.

    >>> odds = showdown_odds("As5s", "Ks9s2d", ["top 20%", "QQ+, AK:0.5, 76s"])
    >>> f"{odds.power:.4f} {odds.joint:.4f}"
    '0.3828 0.3854'
    """
    holding, cards = known_cards(hole, board)
    if not 1 <= len(opponents) <= MOST_OPPONENTS:
        raise BadInput(f"{len(opponents)} opponents; allowed: 1 to {MOST_OPPONENTS}")
    weights = [weights_from(each).astype(np.float64) for each in opponents]
    if not cards:
        return _before_flop(holding, weights, samples, rng)
    run_outs = compare_run_outs(holding, cards, weights)
    return ShowdownOdds(
        against_each=tuple(odds_against_each(run_outs).tolist()),
        power=power_odds(run_outs),
        joint=joint_odds(run_outs),
        stderr=0.0,
    )


@checked
def odds_by_opponents(
    hole: HoldingLike,
    board: CardsLike = (),
    weights: WeightsLike | None = None,
    *,
    most: int = MOST_AT_TABLE,
) -> tuple[ShowdownOdds, ...]:
    """Compute a holding's odds against one opponent, two, and so on, all with the same range.

    Before the flop all are over the same sample of boards, but for the odds against one alone.
    """
    holding, cards = known_cards(hole, board)
    if not 1 <= most <= MOST_OPPONENTS:
        raise BadInput(f"{most} opponents; allowed: 1 to {MOST_OPPONENTS}")
    array = weights_from(weights).astype(np.float64)
    both = compare_run_outs(holding, cards, [array, array])
    one = showdown_odds(holding, cards, [array])
    found = [one]
    for number in range(2, most + 1):
        against = replace(both, opponents=(0,) * number)
        found.append(
            ShowdownOdds(
                against_each=one.against_each * number,
                power=power_odds(against),
                joint=joint_odds(against),
                stderr=power_stderr(against),
            )
        )
    return tuple(found)


def _before_flop(
    holding: Holding, weights: Sequence[Floats], samples: int, rng: np.random.Generator | None
) -> ShowdownOdds:
    matrix = open_matrix()
    free, reduced = reduced_ranges(holding, (), weights)
    balance = matrix.wins[holding, free].astype(np.int64) - matrix.wins[free, holding]
    exact = reduced @ ((PAIR_BOARDS + balance) / (2 * PAIR_BOARDS)) / reduced.sum(axis=1)
    each = tuple(exact.tolist())
    if len(weights) == 1:
        return ShowdownOdds(against_each=each, power=each[0], joint=each[0], stderr=0.0)
    run_outs = compare_run_outs(holding, (), weights, samples=samples, rng=rng)
    return ShowdownOdds(
        against_each=each,
        power=power_odds(run_outs),
        joint=joint_odds(run_outs),
        stderr=power_stderr(run_outs),
    )


def average_weights(holding: Holding, board: Sequence[Card], weights: Sequence[Floats]) -> Floats:
    """Return the weights (1326,) of an opponent drawn from several, each as likely."""
    free, reduced = reduced_ranges(holding, board, weights)
    average = np.zeros(len(weights[0]))
    average[free] = (reduced / reduced.sum(axis=1, keepdims=True)).mean(axis=0)
    return average
