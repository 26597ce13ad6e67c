"""What takes a sample: errors by the number of opponents, medians, the reflective nuts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDINGS, Card, Holding, holding_of, parse_cards, parse_holding
from railbird.estimates import Estimate, Moments
from railbird.experiments.framework.rows import Row, claimed, measured, must_exceed_zero
from railbird.experiments.framework.workspace import Workspace
from railbird.experiments.peretz2005.common import in_percent
from railbird.odds import Opponent, reflected_weights, showdown_odds, spectrum
from railbird.odds.spectra.run_outs import compare_run_outs
from railbird.odds.spectra.showdown import joint_odds, power_odds
from railbird.odds.spectra.spectrum import winning_share
from railbird.odds.win_probability.win_probability import win_probability

FLOPS: Final = 200
RIVERS: Final = 3_000
_LEAST: Final = 30
_DEALS: Final = 400_000
_MOST: Final = 9
_HELD, _BOARD = parse_holding("QdQh"), parse_cards("Jc7d2s")
_TIGHT, _LOOSE = "preflop:call loose=0.5", "preflop:call loose=2"


@dataclass(frozen=True, slots=True)
class Dependence:
    """How far the power by final hand lies from the odds in which no card is in two hands."""

    mean: dict[int, float]
    """Mean distance over random flops, by the number of opponents."""
    queens: dict[int, float]
    """Distance for queens on a flop of lower cards."""
    estimates: dict[int, Estimate]


def dependence(workspace: Workspace) -> Dependence:
    """Measure the error of independence on random flops and on one where it is large."""
    rng = np.random.default_rng(workspace.seed)
    distances: dict[int, list[float]] = {number: [] for number in range(2, _MOST + 1)}
    states = [_state(rng, 3) for _ in range(max(_LEAST, round(FLOPS * workspace.scale)))]
    for done, (holding, board) in enumerate(states, start=1):
        for number, distance in _distances(holding, board).items():
            distances[number].append(distance)
        workspace.tell(done, len(states), "opponents that share no card")
    estimates = {number: _mean(np.array(values)) for number, values in distances.items()}
    return Dependence(
        mean={number: each.value / 100 for number, each in estimates.items()},
        queens=_distances(_HELD, _BOARD),
        estimates=estimates,
    )


def dependence_rows(errors: Dependence) -> list[Row]:
    """Return the errors by number of opponents."""
    note = "mean distance of the power by final hand from the odds of hands that share no card"
    rows = [
        measured(f"independence on random flops, {number} opponents", estimate, note)
        for number, estimate in errors.estimates.items()
    ]
    return rows + [
        measured(f"independence with QdQh on Jc7d2s, {number} opponents", in_percent(distance))
        for number, distance in errors.queens.items()
    ]


def corrected_rows(workspace: Workspace) -> list[Row]:
    """Return the error that the correction by pairs leaves, beside random deals."""
    deals = max(20_000, round(_DEALS * workspace.scale))
    rows = []
    for number in (3, 6, _MOST):
        corrected = showdown_odds(_HELD, _BOARD, ["random"] * number).joint
        dealt = win_probability(_HELD, _BOARD, opponents=number, deals=deals)
        error = Estimate(100 * (corrected - dealt.share), 100 * dealt.share_stderr, deals, unit="%")
        rows.append(
            claimed(
                f"correction by pairs, {number} opponents: what is left",
                error,
                abs(error.value) - 3 * error.stderr < 1,
                rule="below one per cent, within 3 standard errors",
            )
        )
    return rows


def spectrum_rows(workspace: Workspace) -> list[Row]:
    """Return how well medians and separate boards tell who is ahead."""
    rng = np.random.default_rng(workspace.seed + 1)
    states = [_state(rng, 3) for _ in range(max(_LEAST, round(FLOPS * workspace.scale)))]
    wrong, distances = [], []
    for holding, board in states:
        drawn = spectrum(holding, board)
        odds = showdown_odds(holding, board, ["random"]).joint
        own, theirs = drawn.medians
        wrong.append(float((own > theirs) is not (odds > 0.5)))
        distances.append(abs(drawn.separate_odds() - odds))
    return [
        measured(
            "flops where the better median has the worse odds",
            _mean(np.array(wrong)),
            "the source compares medians to tell who is ahead",
        ),
        measured(
            "odds with a board of his own for each player: mean distance",
            _mean(np.array(distances)),
            "the source draws a dot of each spectrum, whose boards differ; in truth they share it",
        ),
    ]


def reflective_nuts_rows(workspace: Workspace) -> list[Row]:
    """Return how much more often one has the reflective nuts against a tight player."""
    rng = np.random.default_rng(workspace.seed + 2)
    tight, loose = (reflected_weights(Opponent.parse(text)) for text in (_TIGHT, _LOOSE))
    count = max(10 * _LEAST, round(RIVERS * workspace.scale))
    found = np.zeros((count, 3))
    for place in range(count):
        holding, board = _state(rng, 5)
        shares = winning_share(holding, board, [tight, loose, np.ones(HOLDINGS)])
        found[place] = np.array(shares) == 0
    return [
        must_exceed_zero(
            "reflective nuts on the river, half as loose less twice as loose",
            _mean(found[:, 0] - found[:, 1]),
            "the source: easier against a tight player",
        ),
        measured("reflective nuts against one half as loose", _mean(found[:, 0])),
        measured("reflective nuts against one twice as loose", _mean(found[:, 1])),
        measured("nuts, against any hand", _mean(found[:, 2])),
    ]


def _distances(holding: Holding, board: tuple[Card, ...]) -> dict[int, float]:
    weights = np.ones(HOLDINGS)
    both = compare_run_outs(holding, board, [weights, weights])
    against = {number: replace(both, opponents=(0,) * number) for number in range(2, _MOST + 1)}
    return {number: abs(power_odds(each) - joint_odds(each)) for number, each in against.items()}


def _state(rng: np.random.Generator, board: int) -> tuple[Holding, tuple[Card, ...]]:
    cards = [Card(card) for card in rng.permutation(52)[: 2 + board].tolist()]
    return holding_of(cards[0], cards[1]), tuple(cards[2:])


def _mean(values: npt.NDArray[np.float64]) -> Estimate:
    return replace(Moments.of(100 * values).estimate(), unit="%")
