"""The cached tables: hand ranks on every board, accessed by index.

To look up an entry, in Python or in a kernel that takes the arrays as arguments:

1. The board's combination index, from the cards in any order, by `index_of_3`, `index_of_4` or
   `index_of_5` of `railbird.cards.isomorphism_kernels`::

       i = index_of_4(flop_a, flop_b, flop_c, turn)

   A loop over the next card instead calls `extension_indices(board, out)` once, which fills in the
   52 indices of an ascending board plus each further card (-1 for cards on the board).
2. The start of the board's row in the flat tables, and the suits that matter on it::

       start, pattern = tables.turn_start[i], tables.turn_pattern[i]

3. The holding's column, of `railbird.cards.isomorphism`::

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
import shutil
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from importlib.resources import files
from math import comb
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._arguments import checked
from railbird._files import locked
from railbird._shared_cache import FOLDER, TABLES
from railbird._threads import in_slices
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDING_CARDS, HOLDINGS, Card, Holding
from railbird.cards.isomorphism import (
    BOARD_CLASSES,
    RANK_ENTRIES,
    board_classes,
    board_index,
    rank_classes,
)
from railbird.cards.isomorphism_kernels import COLUMN, HOLDING_UNDER
from railbird.cards.tables import HOLDING_MASK
from railbird.errors import BadInput, unknown_name
from railbird.odds import stored_arrays
from railbird.odds.preflop_kernels import (
    ORDERS,
    count_holdings,
    count_orders,
    count_wins,
    draw_boards,
    level_boards,
)
from railbird.odds.rank_kernels import (
    ABSENT_16,
    ABSENT_32,
    rank_boards,
    rank_boards_by_weight,
    sum_over_next_card,
)
from railbird.odds.stored_arrays import Check, Condition, Layout
from railbird.progress import Progress

# The wins of every holding against every other before the flop, shipped with the package.
#
# Counting them takes half a minute on one core, reading them a fifth of a second. Up to suit
# isomorphism there are 93,769 ordered pairs of holdings, which take 200 kB. `count_wins_of_pairs`
# made the file; a slow test counts it again.


_FILE: Final = "preflop_wins.z"
_BYTES: Final = 3
"""Bytes of a count, which is at most 1,712,304."""

Wins = npt.NDArray[np.uint32]


def read_wins() -> Wins:
    """Return the number of boards that the row's holding wins against the column's, (1326, 1326).

    Pairs that share a card have 0.
    """
    packed = files("railbird.odds").joinpath("data", _FILE).read_bytes()
    planes = np.frombuffer(zlib.decompress(packed), dtype=np.uint8).reshape(_BYTES, -1)
    of_class = sum(plane.astype(np.uint32) << np.uint32(8 * k) for k, plane in enumerate(planes))
    pairs, place = _pair_classes()
    wins = np.zeros((HOLDINGS, HOLDINGS), dtype=np.uint32)
    wins[pairs] = np.asarray(of_class, dtype=np.uint32)[place]
    return wins


def packed_wins(wins: Wins) -> bytes:
    """Return the bytes of the file that `read_wins` reads: one count per class, compressed.

    The low bytes of all counts come first, then the middle and the high ones, which repeat and
    compress well.
    """
    pairs, place = _pair_classes()
    of_class = np.zeros(place.max() + 1, dtype=np.uint32)
    of_class[place] = wins[pairs]
    planes = [(of_class >> np.uint32(8 * k)).astype(np.uint8) for k in range(_BYTES)]
    return zlib.compress(b"".join(plane.tobytes() for plane in planes), 9)


def _pair_classes() -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Return a mask of the pairs that share no card, (1326, 1326), and their classes."""
    first = np.full((HOLDINGS, HOLDINGS), HOLDINGS**2, dtype=np.int32)
    for under in HOLDING_UNDER.astype(np.int32):
        np.minimum(first, under[:, np.newaxis] * HOLDINGS + under, out=first)
    disjoint: npt.NDArray[np.bool_] = (HOLDING_MASK[:, np.newaxis] & HOLDING_MASK) == 0
    return disjoint, np.unique(first[disjoint], return_inverse=True)[1]


def count_wins_of_pairs(progress: Progress | None = None) -> Wins:
    """Compute the result of `read_wins`, from every class of boards."""
    classes = board_classes(5)
    by_orbit = np.argsort(classes.orbit, kind="stable")
    boards = classes.representative[by_orbit]
    levels = np.empty((len(boards), HOLDINGS), dtype=np.uint8)
    in_slices(
        lambda start, stop: level_boards(boards, start, stop, levels),
        len(boards),
        size=1024,
        what="river orders",
        progress=progress,
    )
    weights, first = np.unique(classes.orbit[by_orbit], return_index=True)
    runs = list(zip(weights.tolist(), first, [*first[1:], len(boards)], strict=True))
    wins = np.zeros((HOLDINGS, HOLDINGS), dtype=np.uint32)

    def count(start: int, stop: int) -> None:
        for weight, first_board, last_board in runs:
            count_wins(levels, first_board, last_board, weight, start, stop, wins)

    in_slices(count, HOLDINGS, size=39, what="all pairs of holdings", progress=progress)
    # The boards of a class are the images of its representative under the 24 permutations of
    # suits, each 24 / orbit times. Boards are weighted by orbit, so dividing by 24 is exact.
    total = sum(wins[np.ix_(under, under)] for under in HOLDING_UNDER)
    share_a_card = (
        HOLDING_CARDS[:, np.newaxis, :, np.newaxis] == HOLDING_CARDS[:, np.newaxis]
    ).any(axis=(2, 3))
    counted: Wins = np.where(share_a_card, 0, total // len(HOLDING_UNDER)).astype(np.uint32)
    return counted


# Three hand classes all-in before the flop: the probabilities of all orders of their hands.
#
# Counting all boards for the 818,805 triples of classes would take too long, so `BOARDS` boards are
# sampled once, with a fixed seed. The number of ways to deal each triple is exact. Other tools for
# tournaments also sample for three players.


TRIPLES: Final = CLASSES * (CLASSES + 1) * (CLASSES + 2) // 6
COLUMNS: Final = ORDERS + 1
BOARDS: Final = 16_384
"""Number of sampled boards. Two in five fit a triple, so a class's share of the pot against two
others has a standard error of 0.5 %; for ranges it is smaller, since the errors of their classes
differ. The table takes one core half a minute, once."""

_SEED: Final = 20_041_973
_BATCH: Final = 128

Counts = npt.NDArray[np.uint16]


def row_of_pair() -> npt.NDArray[np.int64]:
    """Return (169, 169) the row of two ascending classes with the second one again as the third.

    The row of three classes a <= b <= c is what this returns for a and b, plus c - b.
    """
    widths = np.where(np.tri(CLASSES, dtype=bool).T, CLASSES - np.arange(CLASSES), 0)
    ends = np.cumsum(widths.ravel()).reshape(CLASSES, CLASSES)
    rows: npt.NDArray[np.int64] = (ends - widths).astype(np.int64)
    return rows


def fill_triples(counts: Counts, progress: Progress | None = None) -> None:
    """Fill (818805, 14) boards by order, and ways to deal, for every three ascending classes."""
    rng = np.random.default_rng(_SEED)
    start = row_of_pair()
    by_class = np.argsort(CLASS_OF_HOLDING, kind="stable")
    begins = np.searchsorted(CLASS_OF_HOLDING[by_class], np.arange(CLASSES + 1))
    counts[:] = 0
    in_slices(
        lambda first, end: count_holdings(
            first, end, HOLDING_MASK[by_class], begins, start, counts
        ),
        CLASSES,
        size=8,
        what="three classes: deals",
    )
    for done in range(0, BOARDS, _BATCH):
        if progress is not None:
            progress(done, BOARDS, "three classes: boards")
        boards = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (_BATCH, 1)), axis=1)[:, :5]
        places = rng.integers(0, np.diff(begins), (_BATCH, 3, CLASSES))
        _count_batch(boards, by_class[begins[:-1] + places].astype(np.int16), start, counts)


def _count_batch(
    boards: npt.NDArray[np.uint8],
    drawn: npt.NDArray[np.int16],
    start: npt.NDArray[np.int64],
    counts: Counts,
) -> None:
    strength = np.zeros((3, _BATCH, CLASSES), dtype=np.int16)
    free = np.empty((3, CLASSES, _BATCH, CLASSES), dtype=np.uint8)
    in_slices(
        lambda first, end: draw_boards(first, end, boards, drawn, strength, free),
        _BATCH,
        size=64,
        what="boards",
    )
    in_slices(
        lambda first, end: count_orders(first, end, strength, free, start, counts),
        CLASSES,
        size=4,
        what="orders",
    )


# Contents of each cached table, and its computation from earlier tables.


Array = npt.NDArray[Any]
Needs = Mapping[str, Array]
Fill = Callable[[Array, Needs, Progress | None], None]

_HOLDINGS = 1326
_CLASSES = 169
STREETS = {3: "flop", 4: "turn", 5: "river"}


@dataclass(frozen=True, slots=True)
class Builder:
    """One table: its layout, the tables it depends on, and the function that fills it."""

    layout: Layout
    needs: tuple[str, ...]
    fill: Fill


def _flop_start(out: Array, needs: Needs, progress: Progress | None) -> None:
    out[:] = board_classes(3).row * _HOLDINGS


def _flop_pattern(out: Array, needs: Needs, progress: Progress | None) -> None:
    out[:] = board_classes(3).permutation


def _start(cards: int, out: Array, needs: Needs, progress: Progress | None) -> None:
    out[:] = rank_classes(cards).start


def _pattern(cards: int, out: Array, needs: Needs, progress: Progress | None) -> None:
    out[:] = rank_classes(cards).pattern


def rows_of(cards: int) -> tuple[Array, Array, Array]:
    """Return representatives (rows, n), the starts of their rows, and their patterns."""
    if cards == 3:
        boards = board_classes(3).representative
        n = len(boards)
        return boards, np.arange(n, dtype=np.int32) * np.int32(_HOLDINGS), np.zeros(n, np.uint8)
    classes = rank_classes(cards)
    return classes.representative, classes.row_start, classes.row_pattern


def _fill_ihr(cards: int, out: Array, needs: Needs, progress: Progress | None) -> None:
    boards, starts, patterns = rows_of(cards)
    out[:] = ABSENT_16
    in_slices(
        lambda start, stop: rank_boards(boards, starts, patterns, start, stop, out),
        len(boards),
        size=1024,
        what=f"{STREETS[cards]} hand ranks",
        progress=progress,
    )


def _fill_hr7(cards: int, out: Array, needs: Needs, progress: Progress | None) -> None:
    boards, starts, patterns = rows_of(cards)
    later = STREETS[cards + 1]
    # One type for both, so that the kernel is compiled only once.
    values = needs[f"{later}_ihr" if cards == 4 else f"{later}_hr7"].astype(np.uint32)
    out[:] = ABSENT_32
    in_slices(
        lambda start, stop: sum_over_next_card(
            boards,
            starts,
            patterns,
            start,
            stop,
            needs[f"{later}_start"],
            needs[f"{later}_pattern"],
            values,
            5 - cards,  # each pair of further cards comes in two orders
            out,
        ),
        len(boards),
        size=128,
        what=f"{STREETS[cards]} seven-card hand ranks",
        progress=progress,
    )


def _fill_hr7_squares(cards: int, out: Array, needs: Needs, progress: Progress | None) -> None:
    """Sum squares as `_fill_hr7` sums ranks, which gives the second moment of the final rank."""
    later = STREETS[cards + 1]
    needs = dict(needs)
    if cards == 4:
        needs["river_ihr"] = needs["river_ihr"].astype(np.uint32) ** 2
    else:
        needs[f"{later}_hr7"] = needs[f"{later}_hr7_squares"]
    _fill_hr7(cards, out, needs, progress)


def _class_members() -> npt.NDArray[np.int64]:
    """Return one holding of each class, (169,)."""
    return np.unique(CLASS_OF_HOLDING, return_index=True)[1]


def _fill_preflop_ihr(out: Array, needs: Needs, progress: Progress | None) -> None:
    low, high = HOLDING_CARDS.astype(np.int64).T
    rank = np.where(low // 4 == high // 4, 13 * 13, 0) + high // 4 * 13 + low // 4
    for index, holding in enumerate(_class_members()):
        a, b = HOLDING_CARDS[holding]
        live = (low != a) & (low != b) & (high != a) & (high != b)
        ahead, tied = rank[live] < rank[holding], rank[live] == rank[holding]
        out[index] = 2 * np.count_nonzero(ahead) + np.count_nonzero(tied)


def _fill_preflop_hr7(out: Array, needs: Needs, progress: Progress | None) -> None:
    columns = COLUMN[needs["flop_pattern"]][:, _class_members()]
    sums = needs["flop_hr7"][needs["flop_start"][:, np.newaxis] + columns]
    # Each board of five cards contains ten flops.
    total = np.where(sums == ABSENT_32, 0, sums).sum(axis=0, dtype=np.uint64)
    out[:] = total // np.uint64(comb(5, 3))


def _fill_preflop_wins(out: Array, needs: Needs, progress: Progress | None) -> None:
    out[:] = read_wins()


def _fill_preflop_triples(out: Array, needs: Needs, progress: Progress | None) -> None:
    fill_triples(out, progress)


def _board_builders(cards: int) -> list[Builder]:
    street, boards = STREETS[cards], comb(52, cards)
    flop = cards == 3
    start = _flop_start if flop else partial(_start, cards)
    pattern = _flop_pattern if flop else partial(_pattern, cards)
    entries = (BOARD_CLASSES[3] * _HOLDINGS if flop else RANK_ENTRIES[cards],)
    return [
        Builder(Layout(f"{street}_start", "int32", (boards,)), (), start),
        Builder(Layout(f"{street}_pattern", "uint8", (boards,)), (), pattern),
        Builder(Layout(f"{street}_ihr", "uint16", entries, 2), (), partial(_fill_ihr, cards)),
    ]


BUILDERS = {
    builder.layout.name: builder
    for builder in (
        *(builder for cards in STREETS for builder in _board_builders(cards)),
        Builder(
            Layout("turn_hr7", "uint32", (RANK_ENTRIES[4],), 2),
            ("river_start", "river_pattern", "river_ihr"),
            partial(_fill_hr7, 4),
        ),
        Builder(
            Layout("flop_hr7", "uint32", (BOARD_CLASSES[3] * _HOLDINGS,), 2),
            ("turn_start", "turn_pattern", "turn_hr7"),
            partial(_fill_hr7, 3),
        ),
        Builder(
            Layout("turn_hr7_squares", "uint32", (RANK_ENTRIES[4],)),
            ("river_start", "river_pattern", "river_ihr"),
            partial(_fill_hr7_squares, 4),
        ),
        Builder(
            Layout("flop_hr7_squares", "uint32", (BOARD_CLASSES[3] * _HOLDINGS,)),
            ("turn_start", "turn_pattern", "turn_hr7_squares"),
            partial(_fill_hr7_squares, 3),
        ),
        Builder(Layout("preflop_ihr", "uint16", (_CLASSES,)), (), _fill_preflop_ihr),
        Builder(
            Layout("preflop_hr7", "uint64", (_CLASSES,)),
            ("flop_start", "flop_pattern", "flop_hr7"),
            _fill_preflop_hr7,
        ),
        Builder(Layout("preflop_wins", "uint32", (_HOLDINGS, _HOLDINGS)), (), _fill_preflop_wins),
        Builder(Layout("preflop_triples", "uint16", (TRIPLES, COLUMNS)), (), _fill_preflop_triples),
    )
}
"""Every table by name, each after its dependencies."""


_LOG = logging.getLogger(__name__)
# Opening and building the tables, and looking up an entry.


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
    """Return the folder of the user's tables."""
    return _paths.cache_folder() / TABLES


def _folder_of(name: str, check: Check = Check.QUICK) -> Path | None:
    """Return where a valid table is: the user's folder or the one beside the package."""
    folders = cache_folder(), FOLDER / TABLES
    layout = BUILDERS[name].layout
    valid = (f for f in folders if stored_arrays.condition(f, layout, check) is Condition.VALID)
    return next(valid, None)


def _mapped(name: str) -> npt.NDArray[Any]:
    return stored_arrays.mapped(_folder_of(name) or cache_folder(), BUILDERS[name].layout)


@checked
def status(*, check: Check = Check.QUICK) -> tuple[TableStatus, ...]:
    """Check every table; `Check.FULL` reads all of the data (half a second)."""
    folders = {name: _folder_of(name, check) or cache_folder() for name in BUILDERS}
    return tuple(
        TableStatus(
            name=name,
            path=builder.layout.path(folders[name]),
            size=builder.layout.nbytes,
            condition=stored_arrays.condition(folders[name], builder.layout, Check.QUICK),
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
    if not _invalid(wanted, check):
        return ()
    with locked(folder / "build.lock"):
        stored_arrays.remove_leftovers(folder)
        missing = _invalid(wanted, check)
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
    missing = _invalid([field.name for field in fields(Tables)], Check.QUICK)
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
    return {name: _mapped(name) for name in names}


def share_tables(folder: Path) -> None:
    """Copy the hand-rank tables, which must be built, to another folder. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    for field in fields(Tables):
        source = BUILDERS[field.name].layout.path(cache_folder())
        part = folder / f"{source.name}.part"
        shutil.copy2(source, part)
        part.replace(folder / source.name)


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


def _invalid(names: Iterable[str], check: Check) -> list[str]:
    return [name for name in names if _folder_of(name, check) is None]


def _build_with_needs(
    folder: Path, builder: Builder, built: list[str], progress: Progress | None
) -> None:
    if builder.layout.name in built:
        return
    for name in _invalid(builder.needs, Check.QUICK):
        _build_with_needs(folder, BUILDERS[name], built, progress)
    needs = {name: _mapped(name) for name in builder.needs}
    with stored_arrays.writing(folder, builder.layout) as array:
        builder.fill(array, needs, progress)
    built.append(builder.layout.name)


# The tables of hand ranks after the flop, against an opponent whose holdings have weights.


def weighted_arrays(weights: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[Any]]:
    """Rank all holdings on all boards by the weight that they beat, ties halved.

    ``weights`` (1326,) above 0 must depend on ranks alone, not on suits, or holdings that share an
    entry would rank differently. Raises `BadInput` for others. Returns ``flop_ihr``, ``turn_ihr``,
    ``river_ihr``, ``flop_hr7`` and ``turn_hr7`` as in `railbird.odds.Tables`, rounded to their
    units; with equal weights they are the tables themselves.
    """
    if weights.shape != (_HOLDINGS,) or not (weights > 0).all():
        raise BadInput("weights of holdings; allowed: 1326 numbers above 0")
    ranks = np.sort(HOLDING_CARDS // 4, axis=1) @ np.array([1, 13])
    for equal in (weights[ranks == pair] for pair in np.unique(ranks)):
        if np.ptp(equal) > 0:
            raise BadInput("weights that differ by suit; allowed: equal ones for equal ranks")
    arrays: dict[str, npt.NDArray[Any]] = {}
    for cards, name in STREETS.items():
        arrays[f"{name}_ihr"] = _ranked(cards, weights)
    places = open_arrays(
        [f"{name}_{what}" for name in STREETS.values() for what in ("start", "pattern")]
    )
    for name in ("turn_hr7", "flop_hr7"):
        layout = BUILDERS[name].layout
        sums = np.empty(layout.shape, layout.dtype)
        BUILDERS[name].fill(sums, places | arrays, None)
        arrays[name] = sums
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def _ranked(cards: int, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.uint16]:
    boards, starts, patterns = rows_of(cards)
    layout = BUILDERS[f"{STREETS[cards]}_ihr"].layout
    out = np.full(layout.shape, ABSENT_16, np.uint16)
    scale = float(IHR_WHOLE[cards - 2])
    in_slices(
        lambda start, stop: rank_boards_by_weight(
            boards, starts, patterns, start, stop, weights, scale, out
        ),
        len(boards),
        size=1024,
        what=f"{STREETS[cards]} hand ranks",
    )
    return out
