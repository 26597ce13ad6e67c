"""The bounded sequence, value by value; experiment anytime-intervals measures its coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest

from railbird.errors import BadInput
from railbird.estimates.bounded_sequence import bounded_path, bounded_sequence
from railbird.estimates.settings import ALPHA

BOUND = 24.0


def test_the_sequence_is_what_is_computed_value_by_value() -> None:
    rng = np.random.default_rng(2)
    values = rng.choice([-24.0, 18.0, -1.0, 0.0, 1.5], 300, p=[0.02, 0.03, 0.4, 0.15, 0.4])
    path = bounded_path(values, bound=BOUND)
    seen: list[float] = []
    means, bets, costs = [0.5], [], 0.0
    spread = 0.25
    for time, value in enumerate(values.tolist(), start=1):
        x = (value + BOUND) / (2 * BOUND)
        variance = spread / time
        bet = min(0.5, math.sqrt(2 * math.log(2 / ALPHA) / (variance * time * math.log1p(time))))
        costs += (x - means[-1]) ** 2 * (-math.log(1 - bet) - bet)
        seen.append(x)
        bets.append(bet)
        means.append((0.5 + sum(seen)) / (time + 1))
        spread += (x - means[-1]) ** 2
    centre = sum(b * x for b, x in zip(bets, seen, strict=True)) / sum(bets)
    half_width = (math.log(2 / ALPHA) + costs) / sum(bets)
    assert path.centre[-1] == pytest.approx(BOUND * (2 * centre - 1))
    assert path.half_width[-1] == pytest.approx(2 * BOUND * half_width)
    last = bounded_sequence(values, bound=BOUND)
    assert (last.value, last.half_width) == pytest.approx((path.centre[-1], path.half_width[-1]))


def test_values_beyond_the_bound_are_refused() -> None:
    with pytest.raises(BadInput, match="values up to 25"):
        bounded_sequence([1.0, -25.0], bound=BOUND)
    assert math.isinf(bounded_sequence([], bound=BOUND).half_width)
