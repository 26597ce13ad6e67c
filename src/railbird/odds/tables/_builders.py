"""Contents of each cached table, and its computation from earlier tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.cards import CLASS_OF_HOLDING, HOLDING_CARDS
from railbird.cards.isomorphism.boards import BOARD_CLASSES, board_classes
from railbird.cards.isomorphism.rank_classes import COLUMN, RANK_ENTRIES, rank_classes
from railbird.odds.equity.preflop_triples import COLUMNS, TRIPLES, fill_triples
from railbird.odds.equity.preflop_wins import read_wins
from railbird.odds.tables._kernels_ranking import ABSENT_16, ABSENT_32, rank_boards
from railbird.odds.tables._kernels_tables import sum_over_next_card
from railbird.odds.tables._store import Layout
from railbird.progress import Progress

Array = npt.NDArray[Any]
Needs = Mapping[str, Array]
Fill = Callable[[Array, Needs, Progress | None], None]

HOLDINGS = 1326
CLASSES = 169
STREETS = {3: "flop", 4: "turn", 5: "river"}


@dataclass(frozen=True, slots=True)
class Builder:
    """One table: its layout, the tables it depends on, and the function that fills it."""

    layout: Layout
    needs: tuple[str, ...]
    fill: Fill


def _flop_start(out: Array, needs: Needs, progress: Progress | None) -> None:
    out[:] = board_classes(3).row * HOLDINGS


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
        return boards, np.arange(n, dtype=np.int32) * np.int32(HOLDINGS), np.zeros(n, np.uint8)
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
    # One type, so that one kernel specialisation serves both.
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
    """Sum squares as `_fill_hr7` sums ranks: the second moment of the rank on the river."""
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
    entries = (BOARD_CLASSES[3] * HOLDINGS if flop else RANK_ENTRIES[cards],)
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
            Layout("flop_hr7", "uint32", (BOARD_CLASSES[3] * HOLDINGS,), 2),
            ("turn_start", "turn_pattern", "turn_hr7"),
            partial(_fill_hr7, 3),
        ),
        Builder(
            Layout("turn_hr7_squares", "uint32", (RANK_ENTRIES[4],)),
            ("river_start", "river_pattern", "river_ihr"),
            partial(_fill_hr7_squares, 4),
        ),
        Builder(
            Layout("flop_hr7_squares", "uint32", (BOARD_CLASSES[3] * HOLDINGS,)),
            ("turn_start", "turn_pattern", "turn_hr7_squares"),
            partial(_fill_hr7_squares, 3),
        ),
        Builder(Layout("preflop_ihr", "uint16", (CLASSES,)), (), _fill_preflop_ihr),
        Builder(
            Layout("preflop_hr7", "uint64", (CLASSES,)),
            ("flop_start", "flop_pattern", "flop_hr7"),
            _fill_preflop_hr7,
        ),
        Builder(Layout("preflop_wins", "uint32", (HOLDINGS, HOLDINGS)), (), _fill_preflop_wins),
        Builder(Layout("preflop_triples", "uint16", (TRIPLES, COLUMNS)), (), _fill_preflop_triples),
    )
}
"""Every table by name, each after its dependencies."""
