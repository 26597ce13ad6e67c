"""Results of tournaments and ring sessions, and ratings."""

from railbird.storage.results.results import (
    Entry,
    LadderRating,
    Standing,
    TournamentResult,
    finished_places,
    record_result,
    result_of,
    results,
    standings,
)
from railbird.storage.results.ring_sessions import (
    RingSession,
    record_ring_session,
    won_by_game,
)

__all__ = [
    "Entry",
    "LadderRating",
    "RingSession",
    "Standing",
    "TournamentResult",
    "finished_places",
    "record_result",
    "record_ring_session",
    "result_of",
    "results",
    "standings",
    "won_by_game",
]
