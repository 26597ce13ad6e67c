"""What a win rate says about a bankroll: risk of ruin, N0, Kelly's stakes.

Winnings are modelled as a Brownian motion with the mean and the standard deviation of a hand. Over
many hands that is a good approximation, if hands are independent, the stakes never change and
nothing is taken out. In a discrete game the last loss overshoots the last chip a little, so the
real risk is slightly smaller. The deviation is taken as known, because it is estimated far better
than the mean. The mean's interval carries over: every number here rises or falls with the mean.

The risk of ever losing a bankroll b is exp(-2 mean b / sd²). The risk of losing it within some time
is the first-passage probability of a Brownian motion with drift (Schlesinger, *Blackjack Attack*,
1997; Chen and Ankenman, *The Mathematics of Poker*, 2006).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from railbird._arguments import checked
from railbird._display import HasTable
from railbird.errors import BadInput
from railbird.estimates.distributions import normal_below
from railbird.estimates.estimate import finite_or_none

RISKS: Final = (0.05, 0.01)
"""Risks of ruin for which bankrolls are given."""

_MOST: Final = 1e50
"""Largest number allowed, so that no product overflows; a deviation is at least its inverse."""

_FAR: Final = 30.0
"""Standard deviations from which the expansion of the tail is exact to four digits or more."""


class Spread(NamedTuple):
    """A number at the measured mean, and at both ends of its interval, the lower number first."""

    value: float
    low: float
    high: float

    def as_json(self) -> dict[str, float | None]:
        """Return the numbers, None for those that are not finite."""
        return finite_or_none(value=self.value, low=self.low, high=self.high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bankroll(HasTable):
    """The bankroll figures of a win rate, in its units; infinite for a losing rate."""

    rate: Spread
    sd: float
    """Standard deviation of the winnings, over the time unit of ``rate``."""
    n0: Spread
    """Time, in the unit of ``rate``, after which the expected winnings equal one standard
    deviation."""
    kelly: Spread
    """The bankroll for which the present stakes give the fastest growth."""
    needed: Mapping[float, Spread]
    """Bankroll by risk of ruin, for each of `RISKS`."""
    bankroll: float | None
    ruin: Spread | None
    """Risk of ever losing ``bankroll``."""
    horizon: float
    ruin_by_then: Spread | None
    """Risk of losing it within ``horizon``; None if either is missing."""

    def as_json(self, *, per: int = 1) -> dict[str, object]:
        """Return the numbers, with times in hands; ``per`` is how many hands the rate is for."""
        return {
            "rate": self.rate.as_json(),
            "sd": self.sd,
            "per": per,
            "n0": Spread(*(hands * per for hands in self.n0)).as_json(),
            "kelly_bankroll": self.kelly.as_json(),
            "half_kelly_bankroll": Spread(*(2 * hands for hands in self.kelly)).as_json(),
            "bankroll_for_risk": {
                f"{risk:g}": needed.as_json() for risk, needed in self.needed.items()
            },
            "bankroll": self.bankroll,
            "risk_of_ruin": None if self.ruin is None else self.ruin.as_json(),
            "horizon": None if math.isinf(self.horizon) else self.horizon * per,
            "risk_of_ruin_by_then": (
                None if self.ruin_by_then is None else self.ruin_by_then.as_json()
            ),
        }


@checked
def bankroll_of(
    mean: float,
    sd: float,
    *,
    low: float,
    high: float,
    bankroll: float | None = None,
    horizon: float = math.inf,
) -> Bankroll:
    """Return the bankroll figures of a mean and its interval, in one unit of time.

    Raises `BadInput` for an impossible deviation, bankroll or horizon, and for an interval that
    does not contain the mean.

    >>> found = bankroll_of(5.0, 80.0, low=2.0, high=8.0, bankroll=2000.0)
    >>> [round(risk, 4) for risk in found.ruin], [round(most) for most in found.n0]
    ([0.0439, 0.0067, 0.2865], [256, 100, 1600])
    """
    if not (-_MOST < mean < _MOST and low <= mean <= high):
        raise BadInput(f"a rate of {mean:g} from {low:g} to {high:g}; allowed: a rate within")
    if not 1 / _MOST < sd < _MOST:
        raise BadInput(f"a deviation of {sd:g}; allowed: more than 0")

    # A quantity that falls as the rate rises takes its lower end from the upper end of the rate,
    # hence the sorting.
    def spread(at_rate: Callable[[float], float]) -> Spread:
        return Spread(at_rate(mean), *sorted((at_rate(low), at_rate(high))))

    def kelly(mean: float) -> float:
        return sd * _per_mean(sd, mean)

    def needed(risk: float) -> Spread:
        return spread(lambda mean: -math.log(risk) / 2 * kelly(mean))

    def ruin(horizon: float) -> Spread | None:
        if bankroll is None:
            return None
        return spread(lambda mean: risk_of_ruin(mean, sd, bankroll, rounds=horizon))

    return Bankroll(
        rate=Spread(mean, low, high),
        sd=sd,
        n0=spread(lambda mean: _per_mean(sd, mean) * _per_mean(sd, mean)),
        kelly=spread(kelly),
        needed={risk: needed(risk) for risk in RISKS},
        bankroll=bankroll,
        ruin=ruin(math.inf),
        horizon=horizon,
        ruin_by_then=None if math.isinf(horizon) else ruin(horizon),
    )


def _per_mean(amount: float, mean: float) -> float:
    return amount / mean if mean > 0 else math.inf


@checked
def risk_of_ruin(mean: float, sd: float, bankroll: float, *, rounds: float = math.inf) -> float:
    """Return the probability of losing a bankroll, ever or within a number of rounds.

    Unless the mean is above zero, the bankroll is lost sooner or later. Raises `BadInput` for an
    impossible bankroll or deviation.

    >>> round(risk_of_ruin(0.01, 1.15, 500.0), 5), risk_of_ruin(-0.005, 1.15, 500.0)
    (0.00052, 1.0)
    >>> round(risk_of_ruin(0.01, 1.15, 50.0, rounds=1000), 4)
    0.1132
    """
    if not (0 < bankroll < _MOST and 1 / _MOST < sd < _MOST and rounds > 0):
        raise BadInput(f"bankroll {bankroll:g}, deviation {sd:g}; allowed: more than 0")
    if not (math.isinf(mean) or -_MOST < mean < _MOST):
        raise BadInput(f"a rate of {mean:g}; allowed: a number")
    rounds = rounds if rounds < _MOST else math.inf
    log_ever = -2.0 * (mean / sd) * (bankroll / sd)
    if math.isinf(rounds) or math.isinf(mean):
        return math.exp(min(log_ever, 0.0))
    spread = sd * math.sqrt(rounds)
    end, image = (bankroll + mean * rounds) / spread, (bankroll - mean * rounds) / spread
    if image > _FAR:
        # The factor may overflow and the tail vanish, while their product does neither.
        passed = math.exp(-end * end / 2) / (image * math.sqrt(2 * math.pi))
    else:
        passed = math.exp(log_ever) * normal_below(-image)
    return min(normal_below(-end) + passed, 1.0)
