"""Ranges beside the equilibrium."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.assessment.pushfold.deviation import deviations
from railbird.assessment.pushfold.matchup import Strategy, match_up
from railbird.cards import CLASS_NAMES
from railbird.solve import pushfold_ev, range_frequencies, solve_pushfold

SOLUTION = solve_pushfold(10)
SOLVED = Strategy(SOLUTION.push, SOLUTION.call)


def test_the_equilibrium_gives_nothing_up() -> None:
    for each in deviations(SOLVED, SOLUTION):
        assert each.given_up == pytest.approx(0, abs=1e-4)
        assert each.worst == pytest.approx(0, abs=1e-7)
        assert not len(each.differs)


def test_a_range_that_folds_everything() -> None:
    nothing = np.zeros(169)
    push, call = deviations(Strategy(nothing, nothing), SOLUTION)
    assert push.value == pytest.approx(-0.5, abs=1e-6)
    assert push.given_up == pytest.approx(SOLUTION.value_sb_bb + 0.5, abs=1e-6)
    # Nobody can take more from one who folds everything, or less.
    assert push.worst == pytest.approx(push.given_up, abs=1e-6)
    # A big blind that never calls loses its blind to a push of everything.
    assert call.worst == pytest.approx(1 - SOLUTION.value_sb_bb, abs=1e-6)
    assert CLASS_NAMES[call.differs[0]] == "AKo"


def test_a_range_of_text_is_worth_what_it_earns() -> None:
    own = Strategy(range_frequencies("22+, A2+, K5o+"), range_frequencies("33+, A7o+:0.5, KQ"))
    push, call = deviations(own, SOLUTION)
    assert push.value == pytest.approx(
        pushfold_ev(own.push, SOLVED.call, stack=10).sb_value, abs=1e-4
    )
    assert call.value == pytest.approx(
        pushfold_ev(SOLVED.push, own.call, stack=10).bb_value, abs=1e-4
    )
    # An opponent's best response is worth as much as a best response against the range wins.
    against = match_up(SOLVED, own, stack=10)
    assert push.worst == pytest.approx(against.best_big_blind + SOLUTION.value_sb_bb, abs=1e-6)
    assert call.worst == pytest.approx(against.best_small_blind - SOLUTION.value_sb_bb, abs=1e-6)
    assert push.worst > push.given_up > 0
    lost = push.lost[push.differs]
    assert (np.diff(lost) <= 0).all()
    assert lost.sum() == pytest.approx(push.given_up, abs=1e-4)
