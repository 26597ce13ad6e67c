from . import evaluations, exam_decisions, examination, job_log, league
from .fingerprint import PlayerFingerprint, ProbedPoint, play_fingerprint
from .guarded_player import DEFAULT_FAULTS, Fault, FaultPolicy, FaultTally, Remedy, seat_players
from .job_log import AppendLog, set_aside
from .league import League, LeagueResult, log_name, play_league
from .match import Dealing, Match, Seating
from .match_chunks import Loop
from .match_runner import MatchResult, hands, play
from .names import PlayerLike, check_entrants, names_of, specs_of
from .paired_match import PairedResult, play_paired
from .ring import Rebuys, Ring, RingResult, RingSession, TopUp, parse_rebuys, play_ring
from .tournament import PlayedTournament, Tournaments, TournamentsResult, play_tournaments

__all__ = [
    "DEFAULT_FAULTS",
    "AppendLog",
    "Dealing",
    "Fault",
    "FaultPolicy",
    "FaultTally",
    "League",
    "LeagueResult",
    "Loop",
    "Match",
    "MatchResult",
    "PairedResult",
    "PlayedTournament",
    "PlayerFingerprint",
    "PlayerLike",
    "ProbedPoint",
    "Rebuys",
    "Remedy",
    "Ring",
    "RingResult",
    "RingSession",
    "Seating",
    "TopUp",
    "Tournaments",
    "TournamentsResult",
    "check_entrants",
    "evaluations",
    "exam_decisions",
    "examination",
    "hands",
    "job_log",
    "league",
    "log_name",
    "names_of",
    "parse_rebuys",
    "play",
    "play_fingerprint",
    "play_league",
    "play_paired",
    "play_ring",
    "play_tournaments",
    "seat_players",
    "set_aside",
    "specs_of",
]
