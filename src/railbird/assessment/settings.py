"""Defaults of estimators, and limits for statements about matches, chosen before any data."""

from __future__ import annotations

FEWEST_TO_COMPARE = 1_000
"""Minimum hands of a player for showing the course of the results and testing for a change."""

HANDS_OF_A_STRETCH = 500
"""Minimum number of hands in a stretch of the course."""

MOST_STRETCHES = 10
"""Maximum number of stretches of the course."""

FEWEST_HANDS = 500
"""Below this, coefficients of the match itself are worse than frozen ones: eight of them lose to
money at 30 hands and gain little at 300."""

FOLDS = 10
"""Parts of whole deals, of which each gets the coefficients that the others give."""

SAMPLES = 512
"""Boards for each pair of holdings in sampled preflop values of heads-up limit."""

POSITION_SAMPLES = 200_000
"""Deals for the value of position in heads-up limit; each is played from both seats."""

CHECKPOINT_SECONDS = 60.0
"""At least this long between two checkpoints of an exact preflop table."""

DEFAULT_STACK = 10.0
"""Big blinds of push/fold decisions that do not say their stack."""

INDIFFERENT_BB = 1e-4
"""Loss of a push/fold decision, in big blinds, that counts as none."""

DRAWS = 2_000
"""Strategies drawn from what is known of a population."""
