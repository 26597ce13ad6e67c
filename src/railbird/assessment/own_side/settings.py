"""Forms of hold'em in which the bias of luck from one side's cards was measured.

The experiment ``hidden-cards`` measures it: the exact mean of each hand's luck given all cards.
Opponents who stay in hold good cards, so those that remain help less often than the player's own
view says, and the estimate is too high. Over 20,000 hands of our own players it was 0.0035 ± 0.0006
small bets a hand in limit of two, 0.0049 ± 0.0006 of three, and in no-limit 0.0026 ± 0.0005 big
blinds of two and 0.0046 ± 0.0011 of six: three to four tenths of the standard error at 100,000
hands (0.15 in no-limit of six). So it is given only if asked for and never decides.
"""

from __future__ import annotations

from typing import Final

from railbird.game import Betting, Rules

BIAS: Final = 0.1
"""Bias with which it could decide, in standard errors at `BIAS_HANDS` hands."""
BIAS_HANDS: Final = 100_000

MEASURED: Final = {
    Betting.LIMIT: (2, 3, 6),
    Betting.NO_LIMIT: (2, 3, 4, 5, 6, 9),
}
"""Seats by betting."""


def why_not_offered(rules: Rules) -> str | None:
    """Say why the estimator is not offered; None if it is."""
    if rules.seats in MEASURED.get(rules.betting, ()):
        return None
    return f"its bias was not measured for {rules.betting.value} with {rules.seats} seats"
