"""A batch fit of strengths to the places of many tournaments, with bootstrap intervals.

The Plackett-Luce model draws the winner of a tournament with probabilities in proportion to exp of
the strengths, the second from the others, and so on. All tournaments count alike, whatever their
order; that is what claims are made by, since the ladder forgets where it came from.

Libraries for this model take rankings without ties, or are no longer maintained, and a bootstrap
wants weights of tournaments, so the likelihood is here.

Source: D. R. Hunter, MM algorithms for generalized Bradley-Terry models, Annals of Statistics 32
(2004); ties by Efron's approximation as in the partial likelihood of Cox's model, which is the
same function.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from railbird.errors import BadInput
from railbird.tournament.settings import (
    BOOTSTRAP_SAMPLES,
    FEWEST_PLACINGS,
    STRENGTH_PRIOR_DEVIATION,
)

Floats = npt.NDArray[np.float64]
_MOST_STEPS = 100
_CLOSE = 1e-9
Placings = Sequence[tuple[str, int]]
"""Players and places of one tournament; places start at 1, and may be shared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """A player's strength, in units in which exp(strength) is the weight of the model's draws."""

    player: str
    strength: float
    """Over the mean of all players."""
    stderr: float
    low: float
    """Lower end of the 95 % interval by the bootstrap; infinite where there is too little."""
    high: float
    tournaments: int

    @property
    def ahead(self) -> float:
        """Probability of finishing ahead of a player of mean strength."""
        return 1 / (1 + math.exp(-self.strength))


def fit_placings(
    tournaments: Sequence[Placings],
    *,
    rng: np.random.Generator,
    samples: int = BOOTSTRAP_SAMPLES,
) -> list[Strength]:
    """Fit strengths to all tournaments at once; return them, the strongest first.

    The intervals are percentiles of fits to ``samples`` bootstrap samples of whole tournaments. A
    weak prior keeps a player who always won, or whom nothing links to the others, finite. Raises
    `railbird.errors.BadInput` for a tournament of fewer than two players, with a player twice, or
    with a place below 1.
    """
    if not tournaments:
        return []
    players = sorted({player for placings in tournaments for player, _ in placings})
    likelihood = _Likelihood(tournaments, {player: row for row, player in enumerate(players)})
    whole = likelihood.fit(np.ones(len(tournaments)))
    draws = np.empty((samples, len(players)))
    for sample in range(samples):
        drawn = rng.integers(len(tournaments), size=len(tournaments))
        weights = np.bincount(drawn, minlength=len(tournaments)).astype(np.float64)
        draws[sample] = likelihood.fit(weights, start=whole)
    counts = likelihood.counts()
    low, high = np.percentile(draws, (2.5, 97.5), axis=0) if samples else (whole, whole)
    stderr = draws.std(axis=0, ddof=1) if samples > 1 else np.full(len(players), math.inf)
    enough = (counts >= FEWEST_PLACINGS) & (samples > 1)
    found = [
        Strength(
            player=player,
            strength=float(whole[row]),
            stderr=float(stderr[row]) if enough[row] else math.inf,
            low=float(low[row]) if enough[row] else -math.inf,
            high=float(high[row]) if enough[row] else math.inf,
            tournaments=int(counts[row]),
        )
        for row, player in enumerate(players)
    ]
    return sorted(found, key=lambda one: (-one.strength, one.player))


class _Likelihood:
    """The stages of all tournaments as flat arrays, so that a fit needs no loop in Python.

    A stage is one draw: who is drawn, of whom. Its ``share`` says how much of each candidate takes
    part in it: 1, or less for those tied with the one drawn, who by Efron's approximation are half
    gone on average.
    """

    def __init__(self, tournaments: Sequence[Placings], rows: dict[str, int]) -> None:
        candidates: list[int] = []
        stages: list[int] = []
        shares: list[float] = []
        drawn: list[int] = []
        owners: list[int] = []
        entries: list[int] = []
        for number, placings in enumerate(tournaments):
            ordered = sorted((place, rows[player]) for player, place in placings)
            places = [place for place, _ in ordered]
            if len(ordered) < 2 or len({row for _, row in ordered}) < len(ordered):
                raise BadInput(
                    f"tournament {number + 1}: fewer than two players, or a player twice"
                )
            if places[0] < 1:
                raise BadInput(f"tournament {number + 1}: place {places[0]}; allowed: from 1")
            entries += [row for _, row in ordered]
            for at, (place, row) in enumerate(ordered):
                first = places.index(place)
                tied = places.count(place)
                behind = ordered[first:]
                if len(behind) < 2:
                    continue
                gone = (at - first) / tied
                stage = len(drawn)
                drawn.append(row)
                owners.append(number)
                for other_place, other in behind:
                    candidates.append(other)
                    stages.append(stage)
                    shares.append(1 - gone if other_place == place else 1.0)
        self._players = len(rows)
        self._entries = np.array(entries)
        self._candidates = np.array(candidates)
        self._stages = np.array(stages)
        self._shares = np.array(shares)
        self._drawn = np.array(drawn)
        self._owners = np.array(owners)

    def counts(self) -> npt.NDArray[np.int64]:
        """Count the tournaments of each player."""
        return np.bincount(self._entries, minlength=self._players)

    def fit(self, weights: Floats, start: Floats | None = None) -> Floats:
        """Maximise the likelihood with a weight for each tournament; the mean strength is 0.

        Newton's steps, halved where they go too far: from the fit to all tournaments, that to a
        bootstrap sample takes three or four, a tenth of what a method without the curvature takes.
        """
        by_stage = weights[self._owners]
        drawn = np.bincount(self._drawn, by_stage, minlength=self._players)
        prior = 1 / STRENGTH_PRIOR_DEVIATION**2

        def sums_and_value(strengths: Floats) -> tuple[Floats, Floats, float]:
            powers = self._shares * np.exp(strengths[self._candidates])
            sums = np.bincount(self._stages, powers, minlength=len(self._drawn)).astype(np.float64)
            value = drawn @ strengths - by_stage @ np.log(sums) - prior / 2 * strengths @ strengths
            return powers, sums, float(value)

        strengths = np.zeros(self._players) if start is None else start
        powers, sums, value = sums_and_value(strengths)
        for _ in range(_MOST_STEPS):
            chances = csr_array(
                (powers / sums[self._stages], (self._stages, self._candidates)),
                shape=(len(self._drawn), self._players),
            )
            expected = chances.T @ by_stage
            curvature = np.diag(expected + prior)
            curvature -= (chances.T @ chances.multiply(by_stage[:, None])).toarray()
            step = np.linalg.solve(curvature, drawn - expected - prior * strengths)
            if np.abs(step).max() < _CLOSE:
                break
            while True:
                powers, sums, now = sums_and_value(strengths + step)
                if now >= value - _CLOSE:
                    break
                step = step / 2
            strengths, value = strengths + step, now
        found: Floats = strengths - strengths.mean()
        return found
