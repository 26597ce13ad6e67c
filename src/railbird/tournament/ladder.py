"""The ladder: ratings that every tournament changes, by the Plackett-Luce model of Weng and Lin.

The arithmetic is openskill's, with two settings of its model chosen anew, since the usual ones do
not fit six players. The usual scale of the noise grows with the number of players, so ratings grow
too far apart in large fields: after a hundred tournaments of nine players, two deviations contain
three quarters of the true values in simulated fields. Here the scale is that of two players in
every field. And the usual factor on the loss of uncertainty, small for players who are known well,
lets it fall too slowly to say much; here it is 1, the curvature of the likelihood itself. With
both, two deviations contain 95 to 99 % of the true values, for 2 to 9 players, 10 to 300
tournaments, and strengths whose spread is 0.3 to 1 times the noise.

Source: R. C. Weng, C.-J. Lin, A Bayesian approximation method for online ranking, JMLR 12 (2011).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from openskill.models import PlackettLuce

from railbird.errors import BadInput
from railbird.tournament.settings import (
    LADDER_DEVIATION,
    LADDER_DRIFT,
    LADDER_FACTOR,
    LADDER_MEAN,
    LADDER_NOISE,
    PROVISIONAL_DEVIATION,
)


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in a ladder.

    >>> print(Rating())
    25.0 ± 8.3 ?
    """

    mean: float = LADDER_MEAN
    deviation: float = LADDER_DEVIATION
    tournaments: int = 0

    @property
    def low(self) -> float:
        """Two deviations under the mean."""
        return self.mean - 2 * self.deviation

    @property
    def high(self) -> float:
        """Two deviations over the mean."""
        return self.mean + 2 * self.deviation

    @property
    def provisional(self) -> bool:
        """True while the rating may be far from what it is going to be."""
        return self.deviation > PROVISIONAL_DEVIATION

    def __str__(self) -> str:
        mark = " ?" if self.provisional else ""
        return f"{self.mean:.1f} ± {2 * self.deviation:.1f}{mark}"


def rated(before: Sequence[Rating | None], places: Sequence[int]) -> list[Rating]:
    """Return the players' ratings after a tournament; newcomers have none before.

    ``places`` start at 1, the same place being a tie. Raises `railbird.errors.BadInput` unless
    every one of two players or more has a place.

    >>> winner, loser = rated([None, None], [1, 2])
    >>> print(winner, loser, sep="; ")
    26.0 ± 8.1 ?; 24.0 ± 8.1 ?
    """
    if len(before) != len(places) or len(before) < 2:
        raise BadInput(
            f"{len(before)} ratings and {len(places)} places; allowed: as many, two or more"
        )
    known = [rating or Rating() for rating in before]
    model = _model(known)
    teams = [[model.create_rating([one.mean, one.deviation])] for one in known]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [
        Rating(team[0].mu, team[0].sigma, one.tournaments + 1)
        for team, one in zip(after, known, strict=True)
    ]


def probability_ahead(one: Rating, other: Rating) -> float:
    """Return the probability that one finishes ahead of another, as far as is known.

    >>> probability_ahead(Rating(), Rating())
    0.5
    """
    scale = math.sqrt(2 * LADDER_NOISE**2 + one.deviation**2 + other.deviation**2)
    return 1 / (1 + math.exp((other.mean - one.mean) / scale))


def _model(field: Sequence[Rating]) -> PlackettLuce:
    """Return the model for a field, in which a player faces as much noise as against one other.

    The model adds up the variances of all players. So each gets a share of what two of the field's
    mean uncertainty have, less the uncertainty that it adds anyway.
    """

    def factor(*_: Any) -> float:
        return LADDER_FACTOR

    players = len(field)
    uncertain = sum(one.deviation**2 for one in field)
    shared = 2 * (LADDER_NOISE**2 + uncertain / players) - uncertain
    return PlackettLuce(
        mu=LADDER_MEAN,
        sigma=LADDER_DEVIATION,
        beta=math.sqrt(max(shared, 0) / players),
        gamma=factor,
        tau=LADDER_DRIFT,
        limit_sigma=False,
    )
