"""The cached tables: hand ranks on every board, accessed by index.

To look up an entry, in Python or in a kernel that takes the arrays as arguments:

1. The board's combination index, from the cards in any order, by `index_of_3`, `index_of_4` or
   `index_of_5` of `railbird.cards.isomorphism._kernels_isomorphism`::

       i = index_of_4(flop_a, flop_b, flop_c, turn)

   A loop over the next card instead calls `extension_indices(board, out)` once, which fills in the
   52 indices of an ascending board plus each further card (-1 for cards on the board).
2. The start of the board's row in the flat tables, and the suits that matter on it::

       start, pattern = tables.turn_start[i], tables.turn_pattern[i]

3. The holding's column, of `railbird.cards.isomorphism.rank_classes`::

       column = COLUMN[pattern, holding]

4. The entry, an exact integer::

       ihr = tables.turn_ihr[start + column] / IHR_WHOLE[Street.TURN]
       hr7 = tables.turn_hr7[start + column] / HR7_WHOLE[Street.TURN]

   ``*_ihr`` counts 2 * ahead + tied; ``*_hr7`` is the sum of the river's 2 * ahead + tied over all
   completions of the board (on the river it is ``river_ihr`` itself). `Tables.place` does all this.

``turn_hr7_squares`` and ``flop_hr7_squares``, of `open_arrays`, sum the squares of the river's
entries in the same way.

Holdings of equal rank share an entry, so a holding with a card of the board may get another's: skip
those when looping over all holdings. An entry whose holdings all share a card with the board is
`ABSENT_16` or `ABSENT_32`. Two entries of one row do not determine who wins a showdown: each counts
the opponents that its own cards leave, so hands that tie may have different entries (and, rarely,
the better hand has the smaller one).

Before the flop a table has one entry for each hand class,
``preflop_ihr[CLASS_OF_HOLDING[holding]]``. For many holdings on one board, slice the row once
(``values = turn_ihr[start:]``) and its columns once (``columns = COLUMN[pattern]``), then
``values[columns[holding]]`` for each.

Kernels take the arrays as arguments of the outermost function and index them there. All arrays are
read-only, which is a type of its own in Numba.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._arguments import checked
from railbird._files import locked
from railbird.cards import Card, Holding
from railbird.cards.isomorphism.boards import board_index
from railbird.cards.isomorphism.rank_classes import COLUMN
from railbird.errors import unknown_name
from railbird.odds.tables import _store
from railbird.odds.tables._builders import BUILDERS, Builder
from railbird.odds.tables._kernels_ranking import ABSENT_16, ABSENT_32
from railbird.odds.tables._store import Check, Condition
from railbird.progress import Progress

__all__ = [
    "ABSENT_16",
    "ABSENT_32",
    "HR7_WHOLE",
    "IHR_WHOLE",
    "Check",
    "Condition",
    "TableStatus",
    "Tables",
    "build",
    "cache_folder",
    "open_tables",
    "status",
]

_LOG = logging.getLogger(__name__)
_WORTH_SAYING = 10
"""Size in megabytes from which building tables is announced."""

_STREETS = {3: "flop", 4: "turn", 5: "river"}

_OPPONENTS = [comb(50 - board, 2) for board in (0, 3, 4, 5)]
_COMPLETIONS = [comb(50 - board, 5 - board) for board in (0, 3, 4, 5)]

IHR_WHOLE = tuple(2 * opponents for opponents in _OPPONENTS)
"""By street: the entry of a holding that is ahead of every other, 2450, 2162, 2070, 1980."""

HR7_WHOLE = tuple(IHR_WHOLE[3] * completions for completions in _COMPLETIONS)
"""By street: the same for the sums over all completions of the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Read-only memory-mapped arrays; the module's docstring describes the indexing."""

    flop_start: npt.NDArray[np.int32]
    """(22100,) start of each flop's row, by combination index."""
    flop_pattern: npt.NDArray[np.uint8]
    """(22100,) the suits that matter on each flop: its row of `COLUMN`."""
    turn_start: npt.NDArray[np.int32]
    """(270725,) start of each four-card board's row."""
    turn_pattern: npt.NDArray[np.uint8]
    """(270725,) the suits that matter on each board of four cards."""
    river_start: npt.NDArray[np.int32]
    """(2598960,) start of each five-card board's row."""
    river_pattern: npt.NDArray[np.uint8]
    """(2598960,) the suits that matter on each board of five cards."""
    preflop_ihr: npt.NDArray[np.uint16]
    """(169,) 2 * ahead + tied out of 2450, by hand class."""
    flop_ihr: npt.NDArray[np.uint16]
    """(2327130,) 2 * ahead + tied out of 2162."""
    turn_ihr: npt.NDArray[np.uint16]
    """(6616181,) 2 * ahead + tied out of 2070."""
    river_ihr: npt.NDArray[np.uint16]
    """(13411333,) 2 * ahead + tied out of 1980."""
    preflop_hr7: npt.NDArray[np.uint64]
    """(169,) sum over 2,118,760 boards, each out of 1980, by hand class."""
    flop_hr7: npt.NDArray[np.uint32]
    """(2327130,) sum over 1,081 completions, each out of 1980."""
    turn_hr7: npt.NDArray[np.uint32]
    """(6616181,) sum over 46 rivers, each out of 1980."""

    def place(self, board: Sequence[Card], holding: Holding) -> int:
        """Return the index of a holding's entries on a board of three to five cards.

        >>> from railbird.cards import parse_cards, parse_holding
        >>> tables = open_tables()
        >>> place = tables.place(parse_cards("Td5hTh"), parse_holding("Jd5d"))
        >>> f"{tables.flop_ihr[place] / IHR_WHOLE[1]:.4f}"
        '0.8483'
        """
        index, street = board_index(board), _STREETS[len(board)]
        pattern = getattr(self, f"{street}_pattern")[index]
        return int(getattr(self, f"{street}_start")[index] + COLUMN[pattern, holding])


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStatus:
    """State of one table in the cache folder."""

    name: str
    path: Path
    size: int
    """Bytes of the file when built."""
    condition: Condition


def cache_folder() -> Path:
    """Return the folder of the tables."""
    return _paths.cache_folder() / "tables"


@checked
def status(*, check: Check = Check.QUICK) -> tuple[TableStatus, ...]:
    """Check every table; `Check.FULL` reads all of the data (half a second)."""
    folder = cache_folder()
    return tuple(
        TableStatus(
            name=name,
            path=builder.layout.path(folder),
            size=builder.layout.nbytes,
            condition=_store.condition(folder, builder.layout, check),
        )
        for name, builder in BUILDERS.items()
    )


@checked
def build(
    names: Iterable[str] | None = None,
    *,
    check: Check = Check.QUICK,
    progress: Progress | None = None,
) -> tuple[str, ...]:
    """Build the named tables (all by default) that are not valid; return those built.

    Safe in several processes at once: one builds while the others wait.
    Raises `BadInput` for an unknown name and `RailbirdError` if the folder cannot take them.
    """
    wanted = tuple(BUILDERS) if names is None else tuple(map(str, names))
    for name in wanted:
        if name not in BUILDERS:
            raise unknown_name("table", " ".join(name.split()), BUILDERS)
    folder = cache_folder()
    if not _invalid(folder, wanted, check):
        return ()
    with locked(folder / "build.lock"):
        _store.remove_leftovers(folder)
        missing = _invalid(folder, wanted, check)
        megabytes = sum(BUILDERS[name].layout.nbytes for name in missing) / 1e6
        if megabytes > _WORTH_SAYING:
            _LOG.warning("building tables, once: some seconds, %.0f MB in %s", megabytes, folder)
        built: list[str] = []
        for name in missing:
            _build_with_needs(folder, BUILDERS[name], built, progress)
        return tuple(built)


@checked
def open_tables(*, progress: Progress | None = None) -> Tables:
    """Map the hand-rank tables, building missing or damaged ones first.

    ``progress`` is called with (done, total, what) while tables are built.
    """
    names = [field.name for field in fields(Tables)]
    return Tables(**open_arrays(names, progress=progress))


def built_tables() -> Tables | None:
    """Map the hand-rank tables if they have been built; a process looks once."""
    return _built(cache_folder())


@lru_cache(maxsize=4)
def _built(folder: Path) -> Tables | None:
    missing = _invalid(folder, [field.name for field in fields(Tables)], Check.QUICK)
    return None if missing else open_tables()


def blank_tables() -> Tables:
    """Return tables of one zero each: arrays of the same types, to compile kernels with."""
    blank = {}
    for field in fields(Tables):
        blank[field.name] = np.zeros(1, dtype=BUILDERS[field.name].layout.dtype)
        blank[field.name].flags.writeable = False
    return Tables(**blank)


def open_arrays(
    names: Iterable[str], *, progress: Progress | None = None
) -> dict[str, npt.NDArray[Any]]:
    """Map tables by name, building missing or damaged ones first."""
    names = tuple(names)
    build(names, progress=progress)
    folder = cache_folder()
    return {name: _store.mapped(folder, BUILDERS[name].layout) for name in names}


def remove_unknown() -> int:
    """Delete tables of other versions from the cache folder; return their number.

    Raises `RailbirdError` if the folder is unusable.
    """
    folder = cache_folder()
    with locked(folder / "build.lock"):
        unknown = [path for path in folder.glob("*.table") if path.stem not in BUILDERS]
        for path in unknown:
            path.unlink(missing_ok=True)
    return len(unknown)


def is_built(name: str) -> bool:
    """Return whether a table exists and is valid."""
    return _store.condition(cache_folder(), BUILDERS[name].layout) is Condition.VALID


def _invalid(folder: Path, names: Iterable[str], check: Check) -> list[str]:
    return [
        name
        for name in names
        if _store.condition(folder, BUILDERS[name].layout, check) is not Condition.VALID
    ]


def _build_with_needs(
    folder: Path, builder: Builder, built: list[str], progress: Progress | None
) -> None:
    if builder.layout.name in built:
        return
    for name in _invalid(folder, builder.needs, Check.QUICK):
        _build_with_needs(folder, BUILDERS[name], built, progress)
    needs = {name: _store.mapped(folder, BUILDERS[name].layout) for name in builder.needs}
    with _store.writing(folder, builder.layout) as array:
        builder.fill(array, needs, progress)
    built.append(builder.layout.name)
