"""Whether a player acts as its strategy says: honest players, and others, by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.assessment.aivat.estimator import ActionCheck
from railbird.assessment.aivat.scorer import CLAIMS


def accused_after(
    rng: np.random.Generator, decisions: int, *, even: float, false: float = 0.0
) -> int | None:
    """Return the decision at which a player is accused who acts without a reason now and then.

    Its strategies are drawn: the smaller ``even``, the surer it says to be of an action.
    """
    check = ActionCheck(CLAIMS)
    for decision in range(decisions):
        chances = rng.dirichlet([even] * 3)
        chances = np.where(chances < 0.002, 0.0, chances)
        chances /= chances.sum()
        kind = int(rng.integers(3) if rng.random() < false else rng.choice(3, p=chances))
        if not chances[kind]:
            return decision  # what it says that it never does
        check.add(kind, chances)
        if check.contradiction is not None:
            return decision
    return None


@pytest.mark.parametrize("even", [0.3, 3.0])
def test_an_honest_player_is_not_accused(even: float) -> None:
    assert accused_after(np.random.default_rng(1), 2_000, even=even) is None


@pytest.mark.slow
def test_fewer_than_one_honest_player_in_a_thousand_is_accused() -> None:
    rng = np.random.default_rng(2)
    accused = [accused_after(rng, 200, even=1.0) is not None for _ in range(300)]
    assert sum(accused) <= 2  # 0.3 are expected at most


@pytest.mark.parametrize("even", [0.1, 0.3])
def test_two_false_actions_in_a_hundred_are_noticed(even: float) -> None:
    """Within 5,000 hands, which have some 8,000 decisions of a player, if it is mostly sure.

    Where all actions are about as likely, 8,000 decisions have less than two nats of evidence in
    them that one in fifty is drawn evenly: no check can notice.
    """
    for seed in range(3):
        rng = np.random.default_rng(seed)
        assert accused_after(rng, 8_000, even=even, false=0.02) is not None


def test_what_comes_too_often_is_named() -> None:
    check = ActionCheck(CLAIMS)
    for _ in range(60):
        check.add(2, np.array([0.25, 0.5, 0.25]))
    assert check.contradiction == (
        "bets or raises in 60 of 60 decisions, where about 15 are expected"
    )
    assert ActionCheck(CLAIMS).contradiction is None
