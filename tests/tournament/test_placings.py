"""The batch fit of places: against an exact oracle, a slow twin, and the truth in simulations."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import minimize

from railbird.errors import BadInput
from railbird.tournament.placings import fit_placings
from railbird.tournament.settings import FEWEST_PLACINGS, STRENGTH_PRIOR_DEVIATION


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def fitted(tournaments: list[list[tuple[str, int]]], **options: int) -> dict[str, float]:
    found = fit_placings(tournaments, rng=rng(), **{"samples": 0, **options})
    return {one.player: one.strength for one in found}


def test_two_players_have_the_log_odds_of_their_wins() -> None:
    wins = [[("ann", 1), ("bob", 2)]] * 30 + [[("bob", 1), ("ann", 2)]] * 10
    found = fitted(wins)
    # The prior pulls by a thousandth.
    assert found["ann"] - found["bob"] == pytest.approx(math.log(3), abs=0.01)
    assert found["ann"] + found["bob"] == pytest.approx(0, abs=1e-9)


def test_three_players_and_ties_as_a_slow_twin_fits_them() -> None:
    draw = rng()
    players = "abcd"
    tournaments = []
    for _ in range(40):
        seats = draw.choice(4, 3, replace=False)
        places = draw.choice([[1, 2, 3], [1, 2, 2], [1, 1, 3], [1, 1, 1]])
        tournaments.append([(players[s], int(p)) for s, p in zip(seats, places, strict=True)])

    def negative(strengths: npt.NDArray[np.float64]) -> float:
        total = -0.5 * float(strengths @ strengths) / STRENGTH_PRIOR_DEVIATION**2
        for placings in tournaments:
            for place in {p for _, p in placings}:
                tied = [players.index(n) for n, p in placings if p == place]
                behind = [players.index(n) for n, p in placings if p > place]
                if len(tied) + len(behind) < 2:
                    continue
                for gone, one in enumerate(tied):
                    left = 1 - gone / len(tied)
                    candidates = left * np.exp(strengths[tied]).sum()
                    candidates += np.exp(strengths[behind]).sum()
                    total += strengths[one] - math.log(candidates)
        return -total

    options: Any = {"xatol": 1e-6, "fatol": 1e-9, "maxiter": 5000}
    slow = minimize(negative, np.zeros(4), method="Nelder-Mead", options=options).x
    slow = slow - slow.mean()
    found = fitted(tournaments)
    for player, strength in zip(players, slow, strict=True):
        assert found[player] == pytest.approx(strength, abs=1e-3)


def test_every_order_once_makes_all_equal() -> None:
    orders = itertools.permutations("abc")
    found = fitted([[(name, place) for place, name in enumerate(o, 1)] for o in orders])
    assert list(found.values()) == pytest.approx([0, 0, 0], abs=1e-6)


def test_intervals_cover_the_truth() -> None:
    truth = np.linspace(-1, 1, 8)
    draw = np.random.default_rng(5)
    covered = []
    for _ in range(12):
        tournaments = []
        for _ in range(80):
            seats = draw.choice(8, 6, replace=False)
            order = np.argsort(-(truth[seats] + draw.gumbel(size=6)))
            tournaments.append([(str(seats[s]), place) for place, s in enumerate(order, 1)])
        for one in fit_placings(tournaments, rng=draw, samples=60):
            covered.append(one.low <= truth[int(one.player)] <= one.high)
    assert 0.85 <= np.mean(covered) <= 1


def test_the_same_seed_gives_the_same_numbers() -> None:
    tournaments = [[("a", 1), ("b", 2)], [("b", 1), ("a", 2)], [("a", 1), ("c", 2)]] * 3
    assert fit_placings(tournaments, rng=rng(), samples=20) == fit_placings(
        tournaments, rng=rng(), samples=20
    )


def test_who_always_won_stays_finite_and_few_tournaments_have_no_interval() -> None:
    found = {one.player: one for one in fit_placings([[("a", 1), ("b", 2)]] * 9, rng=rng())}
    assert 2 < found["a"].strength < 20
    few = fit_placings([[("a", 1), ("b", 2)]] * (FEWEST_PLACINGS - 1), rng=rng())
    assert all(one.low == -math.inf and one.high == math.inf for one in few)
    assert fit_placings([], rng=rng()) == []


@pytest.mark.parametrize("placings", [[], [("a", 1)], [("a", 1), ("a", 2)], [("a", 0), ("b", 1)]])
def test_tournaments_that_cannot_be(placings: list[tuple[str, int]]) -> None:
    with pytest.raises(BadInput, match="tournament 2"):
        fit_placings([[("a", 1), ("b", 2)], placings], rng=rng())
