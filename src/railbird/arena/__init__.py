"""The arena: matches between players, duplicate or not, in one process or many, into logs."""

from railbird.arena.faults import Fault, FaultPolicy, FaultTally, Remedy
from railbird.arena.league import League, LeagueResult, play_league
from railbird.arena.match import Match, Seating
from railbird.arena.play import Loop
from railbird.arena.result import MatchResult
from railbird.arena.runner import hands, play

__all__ = [
    "Fault",
    "FaultPolicy",
    "FaultTally",
    "League",
    "LeagueResult",
    "Loop",
    "Match",
    "MatchResult",
    "Remedy",
    "Seating",
    "hands",
    "play",
    "play_league",
]
