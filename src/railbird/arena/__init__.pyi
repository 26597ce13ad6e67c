from .guarded_player import Fault, FaultPolicy, FaultTally, Remedy
from .job_log import set_aside
from .league import League, LeagueResult, log_name, play_league
from .match import Dealing, Match, Seating
from .match_chunks import Loop
from .match_runner import MatchResult, hands, play
from .ring import (
    Rebuys,
    Ring,
    RingResult,
    RingSession,
    TopUp,
    parse_rebuys,
    play_ring,
)
from .tournament import (
    PlayedTournament,
    Tournaments,
    TournamentsResult,
    play_tournaments,
)

__all__ = [
    "Dealing",
    "Fault",
    "FaultPolicy",
    "FaultTally",
    "League",
    "LeagueResult",
    "Loop",
    "Match",
    "MatchResult",
    "PlayedTournament",
    "Rebuys",
    "Remedy",
    "Ring",
    "RingResult",
    "RingSession",
    "Seating",
    "TopUp",
    "Tournaments",
    "TournamentsResult",
    "hands",
    "log_name",
    "parse_rebuys",
    "play",
    "play_league",
    "play_ring",
    "play_tournaments",
    "set_aside",
]
