"""The value of all 169 classes of hands by position, in a pot that nobody has entered."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._arguments import checked
from railbird._display import Tabular, table_of
from railbird._jit import room_cache
from railbird._threads import in_slices, thread_count
from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, CLASSES
from railbird.odds.preflop_value.flop_values import (
    UNREADABLE,
    class_values,
    keep,
    sum_over_boards,
)
from railbird.odds.preflop_value.table import PreflopSituation, seat_names
from railbird.odds.preflop_value.value import (
    Stakes,
    opponents_of,
    outcomes_of,
    value_of,
)
from railbird.odds.settings import TABLE_SEATS
from railbird.progress import Progress

if TYPE_CHECKING:
    import polars as pl

_ACTIONS = ("call", "raise")


@dataclass(frozen=True, kw_only=True)
class PreflopChart(Tabular):
    """Expected values in big blinds, folding being worth nothing."""

    positions: tuple[str, ...]
    call: npt.NDArray[np.float64]
    """(positions, 169) value of calling the big blind."""
    raise_: npt.NDArray[np.float64]
    """(positions, 169) value of raising."""

    @property
    def best(self) -> npt.NDArray[np.float64]:
        """(positions, 169) value of the best action, 0 if that is to fold."""
        best: npt.NDArray[np.float64] = np.maximum(np.maximum(self.call, self.raise_), 0.0)
        return best

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each position and class."""
        return table_of(
            [
                {
                    "position": position,
                    "hand": name,
                    "call_bb": float(self.call[p, c]),
                    "raise_bb": float(self.raise_[p, c]),
                }
                for p, position in enumerate(self.positions)
                for c, name in enumerate(CLASS_NAMES)
            ]
        )


@checked
def preflop_chart(
    seats: int = TABLE_SEATS,
    *,
    looseness: float = 1.0,
    stakes: Stakes | None = None,
    progress: Progress | None = None,
) -> PreflopChart:
    """Return the values of all classes in every position where nobody has entered the pot.

    ``looseness`` is that of all opponents. Computed in a minute or two, and kept in the cache.
    Raises `BadInput` as `PreflopSituation` does.
    """
    stakes = stakes or Stakes()
    positions = seat_names(seats)[:-1]
    tables = [
        PreflopSituation(seats=seats, own=own, looseness=dict.fromkeys(range(seats), looseness))
        for own in range(seats - 1)
    ]
    key = hashlib.sha256(f"{room_cache('odds').name} {seats} {stakes}".encode())
    for model in (opponents_of(table, action) for action in _ACTIONS for table in tables):
        key.update(f"{model.enters!r} {model.players_ahead}".encode())
        for weights in (*model.acted, model.ahead):
            key.update(b"" if weights is None else weights.tobytes())
    path = _paths.cache_folder() / "preflop_values" / f"chart-{key.hexdigest()[:24]}.npz"
    kept = _read(path, len(positions))
    if kept is None:
        kept = np.stack([_values(tables, action, stakes, progress) for action in _ACTIONS])
        buffer = io.BytesIO()
        np.savez(buffer, values=kept)
        keep(path, buffer.getvalue())
    return PreflopChart(positions=positions, call=kept[0], raise_=kept[1])


def _values(
    tables: list[PreflopSituation], action: str, stakes: Stakes, progress: Progress | None
) -> npt.NDArray[np.float64]:
    """Return (positions, 169). All positions meet the same ranges, of which they see fewer."""
    values = np.empty((len(tables), CLASSES))

    def fill(start: int, stop: int) -> None:
        classes = np.arange(start, stop)
        heroes = np.flatnonzero(np.isin(CLASS_OF_HOLDING, classes))
        widest = opponents_of(tables[0], action)
        sums = sum_over_boards(
            heroes, widest.acted, widest.ahead, widest.players_ahead, progress=progress
        )
        for hand_class in classes.tolist():
            of_class = class_values(sums[:, CLASS_OF_HOLDING[heroes] == hand_class])
            for place, table in enumerate(tables):
                model = opponents_of(table, action)
                outcomes = outcomes_of(of_class, table, action, model, stakes)
                values[place, hand_class] = value_of(outcomes, table, action)

    in_slices(fill, CLASSES, size=-(-CLASSES // thread_count()), what="hand classes")
    return values


def _read(path: Path, positions: int) -> npt.NDArray[np.float64] | None:
    try:
        with np.load(path) as kept:
            values: npt.NDArray[np.float64] = kept["values"]
    except UNREADABLE:
        return None
    return values if values.shape == (len(_ACTIONS), positions, CLASSES) else None
