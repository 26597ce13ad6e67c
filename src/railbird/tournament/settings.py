"""Limits of the tournament's calculations."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

MOST_BY_SUBSETS: Final = 20
"""Players up to whom prize equities are summed over subsets: a tenth of a second at 20, and twice
the time and memory for each one more."""

MOST_WITH_BOUNTIES: Final = 16
"""Players up to whom bounties are shared out, over subsets: hundredths of a second at 16, and all
bubble factors seconds; more than twice the time and memory for each one more."""

MOST_PLAYERS: Final = 500
"""Players of a prize equity; the quadrature takes seconds at this number, growing faster than its
square."""

LADDER_MEAN: Final = 25.0
"""Rating of a newcomer; openskill's number, which people know."""

LADDER_NOISE: Final = 25 / 6
"""Scale of the luck in one tournament, openskill's number: of two players this far apart, the
better one finishes ahead in 67 of 100."""

LADDER_DEVIATION: Final = LADDER_NOISE
"""Uncertainty of a newcomer: half of openskill's, since in poker luck is larger beside skill."""

LADDER_FACTOR: Final = 1.0
"""Factor on the loss of uncertainty in a tournament: of 0.5, 0.7, 1 and 1.2, the one whose coverage
in simulated fields comes nearest to 95 % without falling under 90 in any of them."""

LADDER_DRIFT: Final = 0.04
"""Uncertainty that returns with every tournament, since people learn: half of openskill's."""

LADDER_CHANGE: Final = LADDER_DEVIATION / 2
"""Uncertainty that a new version of a bot adds, which is mostly the same program."""

PAIR_HALF_LIFE: Final = timedelta(days=30)
"""Time in which a meeting of two players counts half as often as at first."""

PAIR_FREE: Final = 3.0
"""Meetings heads-up at full weight of two who meet nobody else. With the weights below, the one who
wins all further ones gains 3.9 in all, less than a newcomer's deviation."""

PAIR_SHARE: Final = 0.25
"""Further meetings at full weight for each one that both have with others: with five opponents who
are met exactly as often as each other, none counts less."""

PAIR_LEAST: Final = 0.01
"""Weight below which a result is not rated: of two who meet nobody else, after 30 meetings."""

NEWCOMER_FREE: Final = 1.0
"""Meetings at full weight with all newcomers together of an owner who meets several in turn,
and nobody else. Who wins all of them heads-up gains 1.5."""

NEWCOMER_STRANGERS: Final = 2
"""Established owners whom a newcomer has to have met to be established."""

LADDER_FOUNDERS: Final = 10
"""Established owners of a ladder until whom anybody is a stranger: its first players have only each
other to be established by."""

PAIR_SEATS: Final = 10
"""Largest field of which pairs are counted: in larger ones no two decide much, and there are many
pairs."""

PROVISIONAL_DEVIATION: Final = 1.5
"""Uncertainty above which a rating is marked: the interval is wider than the better one of two
players at its ends winning in 73 of 100, which takes some 30 tournaments of six."""

STRENGTH_PRIOR_DEVIATION: Final = 5.0
"""Deviation of the prior of the batch fit, in which 1 is odds of e: wide enough to matter only for
those who always, or never, won."""

BOOTSTRAP_SAMPLES: Final = 400
"""Samples for 95 % intervals: their ends are about the tenth of either side."""

FEWEST_PLACINGS: Final = 5
"""Tournaments of a player below which a bootstrap interval means nothing."""
