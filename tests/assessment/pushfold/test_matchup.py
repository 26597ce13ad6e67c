"""Complete push/fold strategies against each other."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.assessment.pushfold.matchup import Strategy, match_up
from railbird.solve import COMBINATIONS, Seat, pushfold_ev, solve_pushfold

WEIGHTS = COMBINATIONS / COMBINATIONS.sum()


def test_values_by_hand_add_up() -> None:
    rng = np.random.default_rng(3)
    own, other = (Strategy(rng.random(169), rng.random(169)) for _ in range(2))
    found = match_up(own, other, stack=10)
    assert found.hand_values(Seat.SMALL_BLIND) @ WEIGHTS == pytest.approx(found.small_blind)
    assert found.hand_values(Seat.BIG_BLIND) @ WEIGHTS == pytest.approx(found.big_blind)
    assert found.opponent_values(Seat.SMALL_BLIND) @ WEIGHTS == pytest.approx(-found.big_blind)
    assert found.opponent_values(Seat.BIG_BLIND) @ WEIGHTS == pytest.approx(-found.small_blind)
    # Whoever answers best wins most: no strategy does better than the best response.
    always = np.ones(169)
    assert found.best_small_blind >= pushfold_ev(always, other.call, stack=10).sb_value
    assert found.best_big_blind >= pushfold_ev(other.push, always, stack=10).bb_value
    assert found.gain > 0


def test_the_equilibrium_against_itself() -> None:
    solution = solve_pushfold(10)
    own = Strategy(solution.push, solution.call)
    found = match_up(own, own, stack=10)
    assert found.mean == pytest.approx(0, abs=1e-12)
    assert found.small_blind == pytest.approx(solution.value_sb_bb)
    assert found.gain == pytest.approx(0, abs=1e-7)
