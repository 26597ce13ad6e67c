"""Abstractions by clusters of what holdings may become; recall is imperfect.

The flop and the turn are divided by the distribution of the final hand rank, the river by the pots
won against groups of opponents, each without regard to the streets before. The 169 hand classes are
told apart before the flop. A table has the bucket of every entry of the hand-rank tables, which
fold boards and holdings alike (`railbird.odds.tables.rank_tables`), so those of all streets take 45
megabytes and are memory-mapped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird.cards import CLASS_OF_HOLDING, CLASSES
from railbird.cards.isomorphism._kernels_isomorphism import index_of_3, index_of_4, index_of_5
from railbird.cards.isomorphism.boards import BOARD_CLASSES
from railbird.cards.isomorphism.rank_classes import COLUMN, RANK_ENTRIES
from railbird.errors import BadInput
from railbird.solve.abstraction.card_abstraction import BLOCKED, Recall, States, is_blocked
from railbird.solve.abstraction.percentile import open_values
from railbird.solve.abstraction.settings import MOST_BUCKETS

STREETS = ("flop", "turn", "river")
ENTRIES = (1326 * BOARD_CLASSES[3], RANK_ENTRIES[4], RANK_ENTRIES[5])
"""Entries of a table by street."""

_INDEX = (index_of_3, index_of_4, index_of_5)

Table = npt.NDArray[np.uint16]


def folder() -> Path:
    """Return the cache folder of abstractions."""
    return _paths.cache_folder() / "abstractions"


def table_path(street: int, buckets: int) -> Path:
    """Return the file of a street's table, 0 for the flop."""
    return folder() / f"{STREETS[street]}-{buckets}.npy"


def digest_path(street: int, buckets: int) -> Path:
    """Return the file of its SHA-256, which is written last."""
    return table_path(street, buckets).with_suffix(".sha256")


@dataclass(frozen=True, slots=True, eq=False)
class BucketAbstraction:
    """Clusters of holdings, street by street."""

    states: tuple[int, ...]
    """Number of buckets by street."""
    digests: tuple[str, ...]
    """SHA-256 of the tables from the flop on."""
    tables: tuple[Table, ...]
    """The bucket of each entry from the flop on."""

    @property
    def name(self) -> str:
        """Such as ``buckets:169-9000-5000-5000``."""
        return "buckets:" + "-".join(map(str, self.states))

    @property
    def recall(self) -> Recall:
        """Imperfect."""
        return Recall.IMPERFECT

    @property
    def record(self) -> dict[str, Any]:
        """Its numbers of buckets, and the digests of its tables, which stay in the cache folder."""
        return {"kind": "buckets", "states": list(self.states), "sha256": list(self.digests)}

    def next_states(self, board: npt.NDArray[np.uint8], before: States | None) -> States:
        """Return the buckets on a board; ``before`` is of no matter."""
        if not len(board):
            return CLASS_OF_HOLDING.astype(np.int32)
        values, street = open_values(), len(board) - 3
        starts = (values.flop_start, values.turn_start, values.river_start)[street]
        patterns = (values.flop_pattern, values.turn_pattern, values.river_pattern)[street]
        index = _INDEX[street](*board)
        entries = starts[index] + COLUMN[patterns[index]]
        states: States = self.tables[street][entries].astype(np.int32)
        states[is_blocked(board)] = BLOCKED
        return states


def check_states(states: object) -> tuple[int, ...]:
    """Check the numbers of buckets by street. Raises `BadInput`."""
    parts = tuple(states) if isinstance(states, (list, tuple)) else ()
    whole = all(type(part) is int and 1 <= part <= MOST_BUCKETS for part in parts)
    if len(parts) != 1 + len(STREETS) or not whole or parts[0] != CLASSES:
        text = "-".join(map(str, parts))
        allowed = f"{CLASSES} and three numbers up to {MOST_BUCKETS:,}"
        raise BadInput(f"buckets {text}; allowed: {allowed}, such as 169-9000-5000-5000")
    return parts


def open_buckets(states: tuple[int, ...]) -> BucketAbstraction | None:
    """Map the tables of an abstraction; None if one has not been built, or is damaged."""
    tables, digests = [], []
    for street, buckets in enumerate(states[1:]):
        try:
            table = np.load(table_path(street, buckets), mmap_mode="r", allow_pickle=False)
            digests.append(digest_path(street, buckets).read_text().strip())
        except (OSError, ValueError, EOFError):
            return None
        if table.shape != (ENTRIES[street],) or table.dtype != np.uint16:
            return None
        tables.append(table.view(np.ndarray))
    return BucketAbstraction(states, tuple(digests), tuple(tables))


def read_buckets(record: Mapping[str, Any]) -> BucketAbstraction:
    """Return the abstraction of a record. Raises `BadInput` if its tables are missing or others."""
    states = check_states(record.get("states"))
    name = "-".join(map(str, states))
    found = open_buckets(states)
    if found is None:
        raise BadInput(
            f"the tables of its buckets are missing; railbird abstraction build {name} makes them"
        )
    if list(found.digests) != record.get("sha256"):
        raise BadInput(f"its buckets {name} are of other tables than those in {folder()}")
    return found


def table_digest(table: Table) -> str:
    """Return the SHA-256 of a table's numbers."""
    return hashlib.sha256(np.ascontiguousarray(table, dtype="<u2").data).hexdigest()
