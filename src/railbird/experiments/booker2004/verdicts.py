"""Rows for shares of tournaments won, and for what the source says of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from railbird.estimates.wilson_proportion import Proportion
from railbird.experiments.framework.rows import Row, Verdict, claimed, measured

if TYPE_CHECKING:
    pass

HALF = 0.5
_CHANCE = 0.9973
"""Level of three standard errors."""
_RULE = "95 % interval above one half; undecided if it contains one half"


def share_won(won: NDArray[np.float64]) -> Proportion:
    """Estimate the share of tournaments won from (sessions, tournaments)."""
    return Proportion.of_trials(won, unit="of tournaments")


def said_to_win(name: str, won: NDArray[np.float64], note: str = "") -> Row:
    """Return a row of a pair in which the source's agent won more than half."""
    ours = share_won(won)
    low, high = ours.interval()
    verdict = (
        Verdict.AGREES if low > HALF else Verdict.DIFFERS if high < HALF else Verdict.UNDECIDED
    )
    return Row(name=name, ours=ours, verdict=verdict, rule=_RULE, note=note)


def between_equals(name: str, won: NDArray[np.float64], note: str = "") -> Row:
    """Return a row of a player against its like, which must win half of the tournaments."""
    ours = share_won(won)
    low, high = ours.interval(_CHANCE)
    rule = f"{_CHANCE:.1%} interval contains one half"
    return replace(claimed(name, ours, low <= HALF <= high, rule=rule), note=note)


def share_measured(name: str, won: NDArray[np.float64], note: str = "") -> Row:
    """Return a row of a pair of which the source says nothing."""
    return measured(name, share_won(won), note)


def faultless(faults: int, hands: int) -> Row:
    """Return a row that requires that no answer had to be replaced."""
    from railbird.estimates import Estimate

    count = Estimate(float(faults), 0.0, hands, unit="faults")
    return claimed("illegal or failed answers", count, faults == 0, rule="none")
