"""Tournament seating, blind schedules, payouts and prize equities, without any play."""

from railbird.tournament.icm import (
    bubble_factors,
    parse_payouts,
    place_probabilities,
    prize_curve,
    prize_equities,
)
from railbird.tournament.schedule import Level, Schedule, parse_schedule

__all__ = [
    "Level",
    "Schedule",
    "bubble_factors",
    "parse_payouts",
    "parse_schedule",
    "place_probabilities",
    "prize_curve",
    "prize_equities",
]
