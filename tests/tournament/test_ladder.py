"""The ladder: its intervals contain the truth in simulated fields, where openskill's do not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from openskill.models import PlackettLuce

from railbird.errors import BadInput
from railbird.tournament.ladder import Rating, probability_ahead, rated
from railbird.tournament.settings import LADDER_NOISE


def simulated(
    *, seats: int, spread: float, each: int, players: int = 30, seed: int = 0
) -> tuple[float, float, float]:
    """Coverage of the intervals, and of openskill's own, and our mean deviation.

    Strengths are normal, ``spread`` of the noise wide; every player plays ``each`` tournaments.
    """
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, spread * LADDER_NOISE, players)
    ours = [Rating() for _ in range(players)]
    usual = PlackettLuce()
    theirs = {player: usual.rating() for player in range(players)}
    for _ in range(each * players // seats):
        field = rng.choice(players, seats, replace=False)
        luck = rng.gumbel(size=seats) * math.sqrt(2) * LADDER_NOISE
        places = ((-(truth[field] + luck)).argsort().argsort() + 1).tolist()
        for player, new in zip(field, rated([ours[p] for p in field], places), strict=True):
            ours[player] = new
        for player, (rating,) in zip(
            field, usual.rate([[theirs[p]] for p in field], ranks=places), strict=True
        ):
            theirs[player] = rating

    def covered(means: list[float], deviations: list[float]) -> float:
        off = np.array(means) - np.mean(means) - (truth - truth.mean())
        return float(np.mean(np.abs(off) <= 2 * np.array(deviations)))

    return (
        covered([one.mean for one in ours], [one.deviation for one in ours]),
        covered([one.mu for one in theirs.values()], [one.sigma for one in theirs.values()]),
        float(np.mean([one.deviation for one in ours])),
    )


def test_a_field_of_nine_where_the_usual_settings_fail() -> None:
    ours, usual, _ = simulated(seats=9, spread=1.0, each=100, seed=1)
    assert ours >= 0.9
    assert usual < 0.85


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 6, 9])
@pytest.mark.parametrize("spread", [0.3, 1.0])
@pytest.mark.parametrize("each", [10, 30, 100, 300])
def test_two_deviations_cover_95_percent(seats: int, spread: float, each: int) -> None:
    runs = [simulated(seats=seats, spread=spread, each=each, seed=seed)[0] for seed in range(6)]
    assert np.mean(runs) >= 0.9


@pytest.mark.slow
def test_coverage_over_all_fields_is_95_percent() -> None:
    runs = [
        simulated(seats=seats, spread=spread, each=each, seed=7)[0]
        for seats in (2, 6, 9)
        for spread in (0.3, 1.0)
        for each in (10, 30, 100, 300)
    ]
    assert 0.94 <= np.mean(runs) <= 0.99


def test_uncertainty_falls_with_six_players() -> None:
    ratings = [Rating() for _ in range(6)]
    for number in range(70):
        ratings = rated(ratings, [(seat + number) % 6 + 1 for seat in range(6)])
    assert Rating().provisional
    assert not any(rating.provisional for rating in ratings)
    assert {rating.tournaments for rating in ratings} == {70}


def test_ties_and_order_do_not_matter_to_equals() -> None:
    for one in rated([None] * 4, [1, 1, 1, 1]):
        assert one.mean == pytest.approx(25.0)
        assert one.deviation < Rating().deviation
    first, second, third = rated([None, None, None], [1, 2, 2])
    assert first.mean > 25 > second.mean
    assert second == third
    assert rated([None, None, None], [2, 1, 2]) == [second, first, third]


def test_the_order_of_players_does_not_matter() -> None:
    before = [Rating(22, 2, 3), Rating(27, 1, 9), None]
    forth = rated(before, [1, 2, 3])
    back = rated(before[::-1], [3, 2, 1])[::-1]
    for one, other in zip(forth, back, strict=True):
        assert one.mean == pytest.approx(other.mean)
        assert one.deviation == pytest.approx(other.deviation)


@pytest.mark.parametrize("places", [[1], [1, 2, 3], []])
def test_places_that_do_not_fit(places: list[int]) -> None:
    with pytest.raises(BadInput, match="as many, two or more"):
        rated([None, None], places)
    with pytest.raises(BadInput):
        rated([None], [1])


def test_probabilities_add_up() -> None:
    one, other = Rating(28, 1.0), Rating(24, 2.0)
    assert probability_ahead(one, other) + probability_ahead(other, one) == pytest.approx(1)
    assert probability_ahead(one, other) > 0.5
