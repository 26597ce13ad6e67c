"""Tournament seating, blind schedules and payouts, without any play."""

from railbird.tournament.payouts import parse_payouts
from railbird.tournament.schedule import Level, Schedule, parse_schedule

__all__ = ["Level", "Schedule", "parse_payouts", "parse_schedule"]
