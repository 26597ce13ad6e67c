"""Always-Call against Always-Raise: what is exact, and the source's kind of preflop table."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.assessment import EnumeratedPreflopValues, open_scorer
from railbird.baseline import STANDARD, parse_settings
from railbird.cards import parse_holding, strengths
from railbird.errors import BadInput
from railbird.experiments.kan2007.always_call import money_variance, tie_probability
from railbird.experiments.kan2007.seven_card import SevenCardValues, ranked_by_hr7
from railbird.game import seeded_deals
from railbird.odds.equity.preflop_matrix import PreflopMatrix, open_matrix
from railbird.odds.tables.rank_tables import ABSENT_16, HR7_WHOLE, IHR_WHOLE, Tables, open_tables


@pytest.fixture(scope="module")
def matrix() -> PreflopMatrix:
    return open_matrix()


@pytest.fixture(scope="module")
def tables() -> Tables:
    return open_tables()


def test_variance_of_a_hand_is_exact(matrix: PreflopMatrix) -> None:
    """Kan 2007, section 4.2.1, simulated 25 million hands and found 47.010, sd 6.856."""
    variance = float(money_variance(matrix))
    assert variance == pytest.approx(47.006967, abs=5e-7)
    assert variance == pytest.approx(47.010, abs=3 * 0.0019 + 0.0005)
    assert f"{variance**0.5:.3f}" == "6.856"


def test_ties_are_as_frequent_as_among_dealt_hands(matrix: PreflopMatrix) -> None:
    deals = seeded_deals(np.random.default_rng(9), 2, 400_000)
    first = strengths(deals[:, [0, 1, 4, 5, 6, 7, 8]])
    second = strengths(deals[:, [2, 3, 4, 5, 6, 7, 8]])
    exact = float(tie_probability(matrix))
    error = (exact * (1 - exact) / len(deals)) ** 0.5
    assert abs(float(np.mean(first == second)) - exact) < 4 * error


@pytest.mark.parametrize(("street", "name"), [(1, "flop"), (2, "turn")])
def test_ranks_by_7chr_are_7chr_to_the_nearest_whole_number(
    tables: Tables, street: int, name: str
) -> None:
    replaced = ranked_by_hr7(tables)
    ihr, hr7 = getattr(replaced, f"{name}_ihr"), getattr(tables, f"{name}_hr7")
    there = ihr != ABSENT_16
    assert np.array_equal(there, getattr(tables, f"{name}_ihr") != ABSENT_16)
    gap = ihr[there] / IHR_WHOLE[street] - hr7[there] / HR7_WHOLE[street]
    assert np.abs(gap).max() <= 0.5 / IHR_WHOLE[street] + 1e-12


def test_values_by_7chr_are_near_the_exact_ones_but_not_the_same() -> None:
    first, second = (np.array([parse_holding(h)], np.int16) for h in ("Ts6s", "Jd5d"))
    contribution = np.array([[1, 2]], np.int16)
    by_hr7 = SevenCardValues(STANDARD).values(first, second, contribution).value
    exact = open_scorer(STANDARD).values.values(first, second, contribution).value
    assert 0 < np.abs(by_hr7 - exact).max() < 0.4


@pytest.mark.slow
def test_values_by_7chr_agree_with_enumeration(tables: Tables) -> None:
    """The slow twin plays out all 34 million boards of a pair of holdings."""
    pairs = [("Ts6s", "Jd5d"), ("AcKc", "9h8d")]
    first, second = (
        np.array([parse_holding(pair[player]) for pair in pairs], np.int16) for player in range(2)
    )
    contribution = np.tile(np.array([[1, 2, 4]], np.int16), (len(pairs), 1))
    slow = EnumeratedPreflopValues(STANDARD, ranked_by_hr7(tables))
    by_enumeration = slow.values(first, second, contribution).value
    sampled = SevenCardValues(STANDARD, samples=16_384)
    by_sampling = sampled.values(first, second, contribution).value
    # Boards that the two ranks play alike cancel: the rest has an error of some 0.01.
    np.testing.assert_allclose(by_sampling, by_enumeration, atol=0.04)
    assert sampled.position() == open_scorer(STANDARD).position


def test_other_settings_have_no_exact_values_to_start_from() -> None:
    with pytest.raises(BadInput, match=r"turn=tight-low.*no exact preflop table"):
        SevenCardValues(parse_settings("turn=tight-low"))
