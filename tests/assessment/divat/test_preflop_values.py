"""Sampled values before the flop."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.assessment import SampledPreflopValues, find_table
from railbird.assessment.divat.preflop_values import Int16s, preflop_classes
from railbird.baseline import STANDARD, BaselineClass
from railbird.cards import HOLDING_CARDS, parse_holding
from railbird.odds.tables.rank_tables import Tables, open_tables


@pytest.fixture(scope="module")
def tables() -> Tables:
    return open_tables()


def _random_pairs(n: int, seed: int) -> tuple[Int16s, Int16s]:
    first, second = np.random.default_rng(seed).integers(0, 1326, size=(2, 2 * n)).astype(np.int16)
    shared = HOLDING_CARDS[first][:, :, None] == HOLDING_CARDS[second][:, None, :]
    apart = ~shared.any(axis=(1, 2))
    return first[apart][:n], second[apart][:n]


def test_samples_lie_around_the_exact_values(tables: Tables) -> None:
    table = find_table(STANDARD)
    assert table is not None
    first, second = _random_pairs(300, 1)
    contribution = np.tile(np.arange(1, 5, dtype=np.int16), (len(first), 1))
    sampled = SampledPreflopValues(STANDARD, tables, samples=400).values(
        first, second, contribution
    )
    exact = table.values(first, second, contribution)
    variance = np.diagonal(sampled.covariance, axis1=1, axis2=2)
    scores = (sampled.value - exact.value) / np.sqrt(variance)
    assert np.abs(scores).max() < 5
    # Four contributions of a pair share their boards: 300 independent scores.
    assert abs(np.square(scores).mean() - 1) < 4 * np.sqrt(2 / 300)


def test_differences_are_known_better_than_values(tables: Tables) -> None:
    first, second = _random_pairs(50, 2)
    contribution = np.tile(np.array([1, 2], dtype=np.int16), (len(first), 1))
    covariance = SampledPreflopValues(STANDARD, tables).values(first, second, contribution)[1]
    weight = np.array([1.0, -1.0])
    of_difference = np.einsum("i,nij,j->n", weight, covariance, weight)
    assert (of_difference < covariance[:, 1, 1] / 2).mean() > 0.9


def test_a_sample_depends_on_cards_and_seed_alone(tables: Tables) -> None:
    first, second = _random_pairs(20, 3)
    contribution = np.ones((20, 1), dtype=np.int16)
    one, other = (SampledPreflopValues(STANDARD, tables, seed=seed) for seed in (1, 2))
    values = one.values(first, second, contribution).value
    again = one.values(first[::-1].copy(), second[::-1].copy(), contribution).value
    assert (values == again[::-1]).all()
    assert (values != other.values(first, second, contribution).value).any()


def test_position_is_that_of_the_table(tables: Tables) -> None:
    table = find_table(STANDARD)
    assert table is not None
    exact, sampled = table.position(), SampledPreflopValues(STANDARD, tables).position()
    assert exact.value < 0  # the dealer has the better seat
    assert abs(sampled.value - exact.value) < 4 * sampled.stderr


def test_only_two_hands_are_folded_at_once(tables: Tables) -> None:
    """Kan 2007, 3.1.2 (whose "4-3 offsuit" must be 4-2: spec, section 6)."""
    classes = preflop_classes(STANDARD, tables)
    folded = np.flatnonzero(classes == BaselineClass.FOLD).tolist()
    offsuit = [f"{high}{a}{low}{b}" for high, low in ("32", "42") for a in "cdhs" for b in "cdhs"]
    assert folded == sorted(parse_holding(text) for text in offsuit if text[1] != text[3])
    assert classes[parse_holding("AsAd")] == BaselineClass.MAKE4
