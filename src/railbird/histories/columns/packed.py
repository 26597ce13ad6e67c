"""Hands kept in few bytes and taken out again by row, for what must hold a whole match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird.histories.columns.batch import (
    BY_HAND,
    SHARED,
    HandBatch,
    answers_of,
    batch_of,
    concat,
)


class PackedHands:
    """Hands of any number, addressed by row; a heads-up hand takes some forty bytes.

    >>> from railbird.histories import read_hand
    >>> from railbird.histories.columns import records_of
    >>> hands = [read_hand(f"Ts6s,Jd5d SlF # {number}:Ann|Bob") for number in range(3)]
    >>> packed = PackedHands([pack(batch_of(hands[:2])), pack(batch_of(hands[2:]))])
    >>> [hand.number for hand in records_of(packed.rows([2, 0]))]
    [2, 0]
    """

    __slots__ = ("_ends", "_pieces")

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        self._pieces = tuple(piece for piece in pieces if len(piece))
        self._ends = np.cumsum([len(piece) for piece in self._pieces], dtype=np.int64)

    def __len__(self) -> int:
        return int(self._ends[-1]) if self._pieces else 0

    def rows(self, chosen: npt.ArrayLike) -> HandBatch:
        """Return the hands of these rows, in their order."""
        rows = np.asarray(chosen, dtype=np.int64)
        place = np.searchsorted(self._ends, rows, side="right")
        # Piece by piece, and then back in the order that was asked for.
        order = np.argsort(place, kind="stable")
        parts = []
        for number in np.unique(place).tolist():
            first = self._ends[number] - len(self._pieces[number])
            parts.append(self._pieces[number].rows(rows[order][place[order] == number] - first))
        joined = concat(parts)
        return joined.rows(np.argsort(order)) if len(parts) > 1 else joined

    def batches(self) -> Iterator[HandBatch]:
        """Return all hands in order, a batch for each piece."""
        for piece in self._pieces:
            yield piece.rows(np.arange(len(piece)))

    def column(self, name: str) -> npt.NDArray[Any]:
        """Return a column of `HandBatch` of all hands that has an element, or row, for each."""
        if not self._pieces:
            empty: npt.NDArray[Any] = getattr(batch_of([]), name)
            return empty
        return np.concatenate([piece.column(name) for piece in self._pieces])


@dataclass(frozen=True, slots=True)
class Piece:
    """A batch in few bytes; made by `pack`."""

    shared: dict[str, tuple[Any, ...]]
    """The tuples of distinct values."""
    columns: dict[str, tuple[npt.NDArray[np.integer], np.dtype[Any]]]
    """By name, in a narrow type, with the type that they have in a `HandBatch`; of equal rows only
    the first is kept."""
    lengths: npt.NDArray[np.integer]
    """(n,) number of actions."""
    action: npt.NDArray[np.integer]
    """(m,)."""

    def __len__(self) -> int:
        return len(self.lengths)

    def column(self, name: str) -> npt.NDArray[np.integer]:
        """Return a column as it was packed."""
        narrow, dtype = self.columns[name]
        return np.broadcast_to(narrow, (len(self), *narrow.shape[1:])).astype(dtype)

    def placed(self, file: str, line: int) -> Piece:
        """Return the hands as read from a file, the first from this line, one hand a line."""
        lines = np.arange(line, line + len(self))
        placed: dict[str, npt.NDArray[np.integer]] = {"file": np.zeros(1, np.int32), "line": lines}
        columns = {name: (_narrow(column), column.dtype) for name, column in placed.items()}
        return replace(
            self, shared=self.shared | {"sources": (file,)}, columns=self.columns | columns
        )

    def rows(self, rows: npt.NDArray[np.int64]) -> HandBatch:
        """Return some of the hands, their betting replayed."""
        ends = np.cumsum(self.lengths, dtype=np.int64)
        lengths = self.lengths[rows].astype(np.int64)
        start = np.concatenate([[0], np.cumsum(lengths)])
        within = np.arange(start[-1]) - np.repeat(start[:-1], lengths)
        action = self.action[np.repeat((ends - self.lengths)[rows], lengths) + within]
        action = action.astype(np.int64)
        columns: dict[str, Any] = {
            name: np.ascontiguousarray(
                narrow[rows if len(narrow) == len(self) else np.zeros_like(rows)], dtype=dtype
            )
            for name, (narrow, dtype) in self.columns.items()
        }
        return HandBatch(
            **(self.shared | columns),
            start=start,
            action=action,
            answers=answers_of(self.shared["rules"], columns["rules_of"], start, action),
        )


def pack(hands: HandBatch) -> Piece:
    """Pack a batch."""
    columns = {name: getattr(hands, name) for name in BY_HAND}
    return Piece(
        shared={name: getattr(hands, name) for name in SHARED},
        columns={name: (_first_of_equal(column), column.dtype) for name, column in columns.items()},
        lengths=_narrow(np.diff(hands.start)),
        action=_narrow(hands.action),
    )


def _first_of_equal(column: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    return _narrow(column[:1] if column.size and (column == column[0]).all() else column)


def _narrow(column: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Copy a column in the narrowest type."""
    if not column.size:
        return column.copy()
    ends = (np.min_scalar_type(int(end)) for end in (column.min(), column.max()))
    return column.astype(np.result_type(*ends))
