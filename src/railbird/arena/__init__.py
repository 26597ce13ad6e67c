"""The arena: matches, leagues, tournaments and ring games, in processes, into logs."""

from railbird.arena.clock import Refill, parse_refill
from railbird.arena.faults import Fault, FaultPolicy, FaultTally, Remedy
from railbird.arena.league import League, LeagueResult
from railbird.arena.league_run import play_league
from railbird.arena.match import Dealing, Match, Seating
from railbird.arena.play import Loop
from railbird.arena.result import MatchResult
from railbird.arena.ring import Rebuys, Ring, Session, TopUp, parse_rebuys
from railbird.arena.ring_run import RingResult, play_ring
from railbird.arena.runner import hands, play
from railbird.arena.schedule import Level, Schedule, parse_payouts, parse_schedule
from railbird.arena.tournament import Finish, Tournaments
from railbird.arena.tournament_run import TournamentsResult, play_tournaments

__all__ = [
    "Dealing",
    "Fault",
    "FaultPolicy",
    "FaultTally",
    "Finish",
    "League",
    "LeagueResult",
    "Level",
    "Loop",
    "Match",
    "MatchResult",
    "Rebuys",
    "Refill",
    "Remedy",
    "Ring",
    "RingResult",
    "Schedule",
    "Seating",
    "Session",
    "TopUp",
    "Tournaments",
    "TournamentsResult",
    "hands",
    "parse_payouts",
    "parse_rebuys",
    "parse_refill",
    "parse_schedule",
    "play",
    "play_league",
    "play_ring",
    "play_tournaments",
]
