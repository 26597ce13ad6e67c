"""Results of tournaments in their log; see `railbird.arena.series.log`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from railbird.arena.fault_policy import FaultTally
from railbird.arena.match.resumable_log import plain
from railbird.arena.match.seating import Seating
from railbird.arena.names import parse_entrant
from railbird.arena.series.log import SeriesFormat
from railbird.arena.series.tournament import Finish, Tournaments
from railbird.tournament.stages import Stages

VERSION = 2


def tournament_log(tournaments: Tournaments) -> SeriesFormat[Finish]:
    """Return the format of these tournaments' log."""
    return SeriesFormat(
        title="series of tournaments",
        series="tournaments",
        part="tournament",
        names=tournaments.names,
        identity=_identity(tournaments),
        said=lambda finish: {"places": list(finish.places), "hands": finish.hands},
        read=_finish,
    )


def _finish(index: int, entry: Mapping[str, Any], faults: tuple[FaultTally, ...]) -> Finish:
    places = tuple(entry["places"])
    if len(places) != len(faults):
        raise ValueError(f"{len(places)} places for {len(faults)} players")
    return Finish(index, places, int(entry["hands"]), faults)


def _identity(tournaments: Tournaments) -> dict[str, Any]:
    """Return what determines the log's bytes, except the number of tournaments: not the prizes."""
    # What is usual is not named, so that logs from before it could be otherwise are still these.
    unusual = {}
    if tournaments.seating is not Seating.SINGLE:
        unusual["seating"] = tournaments.seating.value
    if tournaments.stages is not Stages.FREEZE_OUT:
        unusual["stages"] = tournaments.stages.value
    return {
        "version": VERSION,
        "players": [parse_entrant(player).as_json() for player in tournaments.players],
        "seed": tournaments.seed,
        "stack": tournaments.stack,
        "blinds": str(tournaments.schedule),
        "seats": tournaments.seats,
        "betting": tournaments.betting.value,
        "faults": plain(tournaments.faults.as_json()),
        **unusual,
    }
