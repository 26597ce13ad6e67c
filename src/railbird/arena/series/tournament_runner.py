"""Running tournaments: here or in worker processes, into a log, resuming where they stopped."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.arena.names import specs_of
from railbird.arena.series.runner import SegmentPlayer, SeriesResult, play_series
from railbird.arena.series.tournament import Finish, Tournaments, TournamentTables
from railbird.arena.series.tournament_log import tournament_log
from railbird.estimates.bounded_mean import BoundedMean
from railbird.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A player's averages; each tournament, in duplicate each set of them, is one value."""

    win_rate: BoundedMean
    prize: BoundedMean
    """Prize, in the currency of the entry fee."""
    profit: BoundedMean
    """The prize less the entry fee."""
    place: BoundedMean

    def as_json(self) -> dict[str, Any]:
        """Return the four estimates by name."""
        return {field.name: getattr(self, field.name).as_json() for field in fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentsResult(SeriesResult[Finish]):
    """Results of several tournaments."""

    tournaments: Tournaments

    @property
    def finishes(self) -> tuple[Finish, ...]:
        """How the tournaments finished, in order."""
        return self.parts

    @property
    def places(self) -> NDArray[np.int64]:
        """Return places from 1, shape (tournaments, players)."""
        return np.array([finish.places for finish in self.finishes], np.int64)

    @property
    def prizes(self) -> NDArray[np.float64]:
        """Return prizes in the currency of the entry fee, shape (tournaments, players)."""
        prizes = [self.tournaments.prizes(finish.places) for finish in self.finishes]
        return np.array(prizes, np.float64)

    def wins(self, player: int) -> int:
        """Return the number of tournaments won, outright or shared."""
        return int((self.places[:, player] == 1).sum())

    def by_set(self, values: npt.ArrayLike) -> NDArray[np.float64]:
        """Average values by tournament (tournaments, ...) over each set; see `Tournaments`."""
        array = np.asarray(values, np.float64)
        by_set = array.reshape(-1, self.tournaments.in_set, *array.shape[1:])
        means: NDArray[np.float64] = by_set.mean(axis=1)
        return means

    def standing(self, player: int) -> Standing:
        """Average a player's tournaments, in duplicate over the sets that share their cards."""
        wins, prizes, places = (
            self.by_set(values[:, player])
            for values in (self.places == 1, self.prizes, self.places)
        )
        entry, players = float(self.tournaments.entry), len(self.tournaments.players)
        most = max(self.tournaments.prizes(range(1, players + 1)))
        return Standing(
            win_rate=BoundedMean.of(wins, least=0, most=1, unit="wins"),
            prize=BoundedMean.of(prizes, least=0, most=most, unit="money"),
            profit=BoundedMean.of(prizes - entry, least=-entry, most=most - entry, unit="money"),
            place=BoundedMean.of(places, least=1, most=players, unit="place"),
        )

    def as_json(self, log: Path | None = None) -> dict[str, Any]:
        """Return the output of `railbird tournament --json`; ``log`` is the file of the hands."""
        tournaments = self.tournaments
        specs = specs_of(tournaments.players)
        return {
            "tournaments": tournaments.count,
            "independent": tournaments.count // tournaments.in_set,
            "seating": tournaments.seating.value,
            "stages": tournaments.stages.value,
            "hands": self.hands,
            "seed": tournaments.seed,
            "stack": tournaments.stack,
            "blinds": str(tournaments.schedule),
            "hands_per_s": self.hands_per_s,
            "log": None if log is None else str(log),
            "players": {
                name: {
                    "spec": specs[player],
                    "wins": self.wins(player),
                    **self.standing(player).as_json(),
                    "faults": self.faults(player).as_json(),
                }
                for player, name in enumerate(tournaments.names)
            },
        }


@checked
def play_tournaments(
    tournaments: Tournaments,
    *,
    log: Path | str | None = None,
    workers: int = 1,
    on: str | None = None,
    keep: bool = False,
    progress: Progress | None = None,
) -> TournamentsResult:
    """Play tournaments, or those that their log lacks.

    The log and the results are the same for any number of workers and on any Ray cluster (``on``);
    see `railbird.arena.play`. ``progress`` counts tournaments. With ``keep`` the result holds the
    hands as columns.

    Raises `BadInput` for unusable players or logs, `Interrupted` on Ctrl-C (the log keeps what was
    played), `RailbirdError` if workers keep dying.
    """
    played = play_series(
        partial(_open, tournaments, logged=log is not None, kept=keep),
        tournaments.count,
        tournament_log(tournaments),
        players=tournaments.players,
        log=None if log is None else Path(log),
        workers=workers,
        on=on,
        keep=keep,
        progress=progress,
    )
    return TournamentsResult(
        tournaments=tournaments,
        parts=played.parts,
        resumed=played.resumed,
        seconds=played.seconds,
        kept=played.kept,
    )


def _open(tournaments: Tournaments, *, logged: bool, kept: bool) -> SegmentPlayer[Finish]:
    """Return what plays tournaments by number; called once in every process."""
    return SegmentPlayer(TournamentTables(tournaments), logged=logged, kept=kept)
