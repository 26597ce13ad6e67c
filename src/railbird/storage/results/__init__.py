"""Results of tournaments and ratings."""

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

__all__ = [
    "Entry",
    "LadderRating",
    "Standing",
    "TournamentResult",
    "finished_places",
    "record_result",
    "result_of",
    "results",
    "standings",
]
