"""Forms of hold'em for which luck from one side's cards is offered, given its measured bias.

The experiment ``hidden-cards`` measures the bias: the exact mean of each hand's luck given all
cards, over a million hands of each form. The estimator is offered if the bias is below a tenth of
its standard error at 100,000 hands.
"""

from __future__ import annotations

from typing import Final

from railbird.game import Betting, Rules

BIAS: Final = 0.1
"""Maximum bias in standard errors at `BIAS_HANDS` hands."""
BIAS_HANDS: Final = 100_000

OFFERED: Final = {
    Betting.LIMIT: (2, 3, 6),
    Betting.NO_LIMIT: (2, 6),
}
"""Seats by betting."""


def why_not_offered(rules: Rules) -> str | None:
    """Return why the estimator is not offered; None if it is."""
    seats = OFFERED.get(rules.betting, ())
    if rules.seats in seats:
        return None
    return f"its bias was not measured for {rules.betting.value} with {rules.seats} seats"
