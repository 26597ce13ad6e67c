"""Limits of the tournament's calculations."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

MOST_BY_SUBSETS: Final = 20
"""Most players for whom prize equities are summed over subsets. It takes a tenth of a second with
20, and each further player doubles time and memory."""

MOST_WITH_BOUNTIES: Final = 16
"""Most players with whom bounties are computed, also over subsets. With 16 it takes hundredths of a
second, and all bubble factors take seconds. Each further player more than doubles time and
memory."""

MOST_PLAYERS: Final = 500
"""Most players for a prize equity. The quadrature takes seconds with so many, and its time grows
faster than the square of their number."""

LADDER_MEAN: Final = 25.0
"""The rating of a newcomer; openskill's number, which people know."""

LADDER_NOISE: Final = 25 / 6
"""Scale of the luck in one tournament, openskill's number. Of two players whose ratings are this
far apart, the better one finishes ahead in 67 of 100 tournaments."""

LADDER_DEVIATION: Final = LADDER_NOISE
"""The uncertainty of a newcomer: half of openskill's, since luck counts for more in poker."""

LADDER_FACTOR: Final = 1.0
"""Factor on the uncertainty that a tournament takes away. Of 0.5, 0.7, 1 and 1.2 it is the one
whose coverage in simulated fields comes nearest to 95 % without falling below 90 % in any of
them."""

LADDER_DRIFT: Final = 0.04
"""Uncertainty that comes back with each tournament, since people learn: half of openskill's."""

LADDER_CHANGE: Final = LADDER_DEVIATION / 2
"""Uncertainty that a new version of a bot adds; it is mostly the same program."""

PAIR_HALF_LIFE: Final = timedelta(days=30)
"""Time after which a meeting of two players counts half as much."""

PAIR_FREE: Final = 3.0
"""Number of heads-up meetings that count in full for two players who meet nobody else. With the
weights below, one who wins all further meetings too gains 3.9 in total, less than a newcomer's
deviation."""

PAIR_SHARE: Final = 0.25
"""Number of further meetings in full for each meeting that both have with others. A player with
five opponents, all met equally often, loses nothing."""

PAIR_LEAST: Final = 0.01
"""Least weight of a result that is rated. Two who meet nobody else fall below it after 30
meetings."""

NEWCOMER_FREE: Final = 1.0
"""Number of meetings in full, with all newcomers together, for an owner who meets one newcomer
after another and nobody else. Winning all of them heads-up gains 1.5."""

NEWCOMER_STRANGERS: Final = 2
"""Number of established owners whom a newcomer must have met to become established."""

LADDER_FOUNDERS: Final = 10
"""Number of established owners that a ladder needs first. Until then anybody counts as one, because
its first players have only each other."""

PAIR_SEATS: Final = 10
"""Largest field in which pairs are counted. In larger ones no pair decides much, and there are many
pairs."""

PROVISIONAL_DEVIATION: Final = 1.5
"""Uncertainty above which a rating is marked as provisional. At this value, of two players at the
ends of the interval the better one finishes ahead in 73 of 100. It takes some 30 tournaments of six
players to get there."""

STRENGTH_PRIOR_DEVIATION: Final = 5.0
"""Deviation of the batch fit's prior, in units where 1 means odds of e. It is wide enough to matter
only to players who always won or never did."""

BOOTSTRAP_SAMPLES: Final = 400
"""Number of bootstrap samples: an end of a 95 % interval is then about the tenth from its side."""

FEWEST_PLACINGS: Final = 5
"""Number of a player's tournaments below which a bootstrap interval means nothing."""
