"""The arena: matches, leagues, tournaments and ring games, in processes, into logs."""

from railbird.arena.fault_policy import Fault, FaultPolicy, FaultTally, Remedy
from railbird.arena.jobs.append_log import set_aside
from railbird.arena.league.league import League, LeagueResult, log_name
from railbird.arena.league.runner import play_league
from railbird.arena.match.chunk_player import Loop
from railbird.arena.match.definition import Dealing, Match
from railbird.arena.match.result import MatchResult
from railbird.arena.match.runner import hands, play
from railbird.arena.match.seating import Seating
from railbird.arena.series.ring import Rebuys, Ring, Session, TopUp, parse_rebuys
from railbird.arena.series.ring_runner import RingResult, play_ring
from railbird.arena.series.tournament import Finish, Tournaments
from railbird.arena.series.tournament_runner import TournamentsResult, play_tournaments
from railbird.tournament.clock import Refill, parse_refill
from railbird.tournament.stages import Stages

__all__ = [
    "Dealing",
    "Fault",
    "FaultPolicy",
    "FaultTally",
    "Finish",
    "League",
    "LeagueResult",
    "Loop",
    "Match",
    "MatchResult",
    "Rebuys",
    "Refill",
    "Remedy",
    "Ring",
    "RingResult",
    "Seating",
    "Session",
    "Stages",
    "TopUp",
    "Tournaments",
    "TournamentsResult",
    "hands",
    "log_name",
    "parse_rebuys",
    "parse_refill",
    "play",
    "play_league",
    "play_ring",
    "play_tournaments",
    "set_aside",
]
