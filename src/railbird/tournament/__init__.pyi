from . import ratings, schedule
from .icm import (
    Bounties,
    BountyModel,
    bounty_equities,
    bubble_factors,
    parse_payouts,
    place_probabilities,
    prize_curve,
    prize_equities,
)
from .ratings import Rating, fit_placings
from .schedule import Level, Schedule, Stages, hand_rules, parse_refill, parse_schedule
from .series import Series, series_by_opponent

__all__ = [
    "Bounties",
    "BountyModel",
    "Level",
    "Rating",
    "Schedule",
    "Series",
    "Stages",
    "bounty_equities",
    "bubble_factors",
    "fit_placings",
    "hand_rules",
    "parse_payouts",
    "parse_refill",
    "parse_schedule",
    "place_probabilities",
    "prize_curve",
    "prize_equities",
    "ratings",
    "schedule",
    "series_by_opponent",
]
