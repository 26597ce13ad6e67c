"""The rows of a log of any hold'em, of some people at a time: a career is never in memory whole.

`player_statistics` makes a row for each hand and seat: 700 MB for a million hands of six. Whatever
is said of a player needs that player's rows alone, so they are taken people by people
(`CountedLog.parts`). Rows of a large log wait in files, sorted by player, from which some people's
are read without the others' (`KeptRows`).
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

import polars as pl

from railbird.assessment.integrity import Integrity
from railbird.assessment.log import Log
from railbird.assessment.player_luck import PlayerLuck
from railbird.assessment.player_statistics import (
    By,
    HourlyRate,
    LogCards,
    LogTally,
    PlayerStatistics,
    ResultChecks,
    Style,
    counts_of_none,
    divided,
    hourly_rates,
    lucks_of,
    styles_of,
    told_at_mean,
    under_one_name,
)
from railbird.errors import DamagedFile, NothingUsable
from railbird.histories.columns import HandBatch

PLACE: Final = "place"
"""Column of a row's place in the order of play."""
_TOGETHER: Final = 1 << 19
"""Rows of people who are looked at together, unless one of them has more: 60 MB."""
_WAITING: Final = 1 << 18
"""Rows from which on they are written: sorting copies them three times."""
_GROUP: Final = 1 << 13
"""Rows of a file that are read or passed over together."""
_TEXTS: Final = ("player", "stake", "currency")


class KeptRows:
    """Rows of hands and seats, in memory while they are few, then in files sorted by player."""

    def __init__(self, folder: Path | None = None) -> None:
        """Keep the files in a folder, by default in one that goes with the object."""
        self._folder = folder
        self._files = list[Path]()
        self._waiting = list[pl.DataFrame]()
        self._rows = 0

    @classmethod
    def of_folder(cls, folder: Path) -> KeptRows:
        """Return the rows that files of a folder have (`write`)."""
        rows = cls(folder)
        rows._files = sorted(folder.glob("[0-9]*.parquet"))
        return rows

    def add(self, frame: pl.DataFrame) -> None:
        """Keep rows that follow those before in the order of play."""
        self._waiting.append(frame.with_row_index(PLACE, offset=self._rows))
        self._rows += frame.height
        if sum(waiting.height for waiting in self._waiting) >= _WAITING:
            self.write()

    def write(self) -> None:
        """Write the rows that wait into a file, each player's in the order of play."""
        if self._files and not self._waiting:
            return
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="railbird-"))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        file = self._folder / f"{len(self._files):06}.parquet"
        rows = pl.concat(self._waiting or [counts_of_none().with_row_index(PLACE)])
        rows.with_columns(pl.col(_TEXTS).cast(pl.String)).sort("player", PLACE).write_parquet(
            file, compression="zstd", row_group_size=_GROUP
        )
        self._files.append(file)
        self._waiting.clear()

    def of(self, names: Collection[str] | None = None) -> pl.DataFrame:
        """Return the rows of these names, by default of all, in the order of play."""
        chosen = None
        if names is not None:
            # The span of names lets a reader pass over groups of rows, and the list decides.
            player = pl.col("player").cast(pl.String)
            chosen = player.is_between(pl.lit(min(names)), pl.lit(max(names)))
            chosen &= player.is_in(sorted(names))
        frames = list[pl.DataFrame]()
        for file in self._files:
            lazy = pl.scan_parquet(file, glob=False)
            try:
                frame = (lazy if chosen is None else lazy.filter(chosen)).collect()
            except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as fault:
                words = "damaged; `railbird machine cache clear counts` removes it"
                raise DamagedFile(f"{file}: {words}") from fault
            # A file has hands in a row: sorted by itself, the whole is never in memory twice.
            frames.append(frame.sort(PLACE).with_columns(pl.col(_TEXTS).cast(pl.Categorical)))
        frames += (rows if chosen is None else rows.filter(chosen) for rows in self._waiting)
        return pl.concat(frames or [counts_of_none().with_row_index(PLACE)])


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedLog:
    """What the hands of a log count for the people that are looked at."""

    kept: KeptRows
    sizes: Mapping[str, int]
    """Rows of each of these people, under one name each."""
    same: Mapping[str, str]
    """Other names of people, and the one that they are counted under."""
    names: frozenset[str]
    """Everybody's names, as the log has them."""
    stakes: tuple[str, ...]
    """All stakes, in the order of play."""
    seats: int
    """Hands and seats in all."""
    cards: LogCards
    everybody: tuple[int, ...]
    """Sums over all players by which styles go (`player_statistics.styles_of`)."""

    @classmethod
    def of(
        cls,
        tally: LogTally,
        kept_rows: KeptRows,
        players: Collection[str] = (),
        same: Mapping[str, str] = MappingProxyType({}),
    ) -> CountedLog:
        """Look at ``players`` of a log, by default at all."""
        sizes: dict[str, int] = {}
        for name, rows in tally.names.items():
            person = same.get(name, name)
            if not players or person in players:
                sizes[person] = sizes.get(person, 0) + rows
        return cls(
            kept=kept_rows,
            sizes=sizes,
            same=same,
            names=frozenset(tally.names),
            stakes=tuple(tally.stakes),
            seats=tally.seats,
            cards=LogCards.of_form(
                all_known=tally.all_known, limit=tally.limit, seats=tally.most_seats or 2
            ),
            everybody=tally.everybody,
        )

    @property
    def rows(self) -> pl.DataFrame:
        """The rows of all of them together (`player_statistics.rows_of`)."""
        return self.rows_by(self.sizes).drop(PLACE)

    def of_people(self, people: Collection[str]) -> CountedLog:
        """Return the log with some of these people alone."""
        return replace(self, sizes={name: self.sizes[name] for name in people})

    def rows_by(self, people: Collection[str]) -> pl.DataFrame:
        """Return the rows of people, in the order of play, with `PLACE` in it."""
        names = {*people} | {name for name, first in self.same.items() if first in people}
        rows = self.kept.of(None if names >= self.names else names or {""})
        return told_at_mean(under_one_name(rows, self.same), all_known=self.cards.all_known)

    def parts(self) -> Iterator[pl.DataFrame]:
        """Yield the rows of some people after others', as many as fit into memory together."""
        people, rows = list[str](), 0
        for person in sorted(self.sizes):
            if people and rows + self.sizes[person] > _TOGETHER:
                yield self.rows_by(people)
                people, rows = [], 0
            people.append(person)
            rows += self.sizes[person]
        yield self.rows_by(people)

    def columns(
        self, names: Collection[str], choice: Callable[[pl.DataFrame], pl.DataFrame]
    ) -> pl.DataFrame:
        """Return columns of those rows that ``choice`` leaves of some, in the order of play."""
        return _in_order([choice(part).select(PLACE, *names) for part in self.parts()])


def _in_order(frames: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(frames).sort(PLACE).drop(PLACE)


def counted_log(
    batches: Iterable[HandBatch],
    *,
    players: Collection[str] = (),
    same: Mapping[str, str] = MappingProxyType({}),
) -> CountedLog:
    """Count all batches, and keep the rows of ``players``, by default of all.

    ``same`` has other names of people, and the one that they are counted under.
    """
    tally, rows = LogTally(), KeptRows()
    names = {*players} | {name for name, first in same.items() if first in players}
    for batch in batches:
        if len(batch):
            frame = tally.take(batch)
            rows.add(frame.filter(pl.col("player").is_in(sorted(names))) if names else frame)
    return CountedLog.of(tally, rows, players, same)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogStatistics:
    """What is said of each player of a log, those with most hands first."""

    players: dict[str, PlayerStatistics]
    divided: dict[str, dict[str, PlayerStatistics]]
    """By player and key; without a division the key is empty."""
    styles: dict[str, Style]
    """In the whole log, whichever hands were chosen."""
    rates: dict[str, HourlyRate]
    lucks: dict[str, PlayerLuck]
    """Of players whose own cards are always known."""
    integrity: Integrity
    rows: int
    """Rows that were chosen."""
    columns: pl.DataFrame
    """Wanted columns of these rows, in the order of play."""


def statistics_of_log(
    counted: CountedLog,
    log: Log,
    *,
    choice: Callable[[pl.DataFrame], pl.DataFrame] = lambda rows: rows,
    by: By | None = None,
    columns: Collection[str] = (),
) -> LogStatistics:
    """Sum up those rows of a log that ``choice`` leaves of some, and keep ``columns`` of them.

    Raises `railbird.errors.NothingUsable` as `player_statistics.divided` does.
    """
    order = dict[str, tuple[int, int]]()
    players, keyed = dict[str, PlayerStatistics](), dict[str, dict[str, PlayerStatistics]]()
    styles, rates, lucks = dict[str, Style](), dict[str, HourlyRate](), dict[str, PlayerLuck]()
    checks, frames, absent = ResultChecks(), list[pl.DataFrame](), None
    for part in counted.parts():
        styles |= styles_of(part, counted.everybody)
        rows = choice(part)
        del part
        first = rows.group_by("player").agg(pl.len(), pl.col(PLACE).first()).iter_rows()
        order |= {str(name): (-hands, place) for name, hands, place in first}
        players |= {name: of[""] for name, of in divided(rows, None).items()}
        if by is not None:
            try:
                keyed |= divided(rows, by)
            except NothingUsable as nothing:  # as long as nobody else's hands have the field
                absent = nothing
        rates |= hourly_rates(rows)
        lucks |= lucks_of(rows, counted.cards)
        checks.take(rows, counted.cards)
        frames.append(rows.select(PLACE, *columns))
    if absent is not None and not keyed:
        raise absent
    names = sorted(order, key=order.__getitem__)
    return LogStatistics(
        players={name: players[name] for name in names},
        divided={name: keyed[name] for name in names if name in keyed}
        if by is not None
        else {name: {"": players[name]} for name in names},
        styles=styles,
        rates=rates,
        lucks=lucks,
        integrity=checks.integrity(log, sorted(order, key=lambda name: order[name][1])),
        rows=sum(-hands for hands, _ in order.values()),
        columns=_in_order(frames),
    )
