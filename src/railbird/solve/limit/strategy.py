"""Strategies for heads-up limit over the states of a card abstraction, and their files.

A file is one header of whole pages and the probabilities of the four streets, which are
memory-mapped, so that it opens at once whatever its size::

    railbird limit strategy 1
    {"sha256": ..., "rules": ..., "abstraction": ..., "shapes": ..., "plays": ..., ...}
    (spaces up to a multiple of 4096 bytes, then float32 in the order of the streets)

``sha256`` is of everything else in the file. ``plays``, by which results are kept, is of the rules,
the abstraction and the probabilities; the provenance that follows has dates and times.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._files import atomic_write
from railbird.errors import BadInput, DamagedFile
from railbird.solve.abstraction.card_abstraction import CardAbstraction
from railbird.solve.abstraction.records import read_abstraction
from railbird.solve.limit.betting_tree import BettingTree, LimitBetting, Place, limit_tree

_MAGIC = b"railbird limit strategy 1\n"
_PAGE = 4096
_MOST_HEADER = 1 << 26


@dataclass(frozen=True, slots=True, eq=False)
class LimitStrategy:
    """Both players' probabilities of their actions."""

    tree: BettingTree
    abstraction: CardAbstraction
    probabilities: tuple[npt.NDArray[np.float32], ...]
    """By street (states, lanes): of the action of each lane, `BettingRound.lane`."""
    provenance: Mapping[str, Any] = field(default_factory=dict)
    """How it was found: algorithm, iterations, gap, version, date."""
    hash: str = ""
    """SHA-256 of what determines its play, from its file; of all of that, in a file of an older
    version; empty if it has none."""

    def at(self, place: Place, state: int) -> npt.NDArray[np.float64]:
        """Return the probabilities of the actions at a decision, in the order of its slots.

        Raises `DamagedFile` where the strategy has none.
        """
        part = self.tree.rounds[place.street]
        first, last = part.first_slot[place.node : place.node + 2]
        lanes = np.arange(first, last) * part.sequences + place.sequence
        found = self.probabilities[place.street][state, lanes].astype(np.float64)
        total = found.sum()
        if not (found.min() >= 0 and 0 < total < np.inf):  # true of what is no number, too
            line = self.tree.text(place) or "the first decision"
            raise DamagedFile(f"the strategy has no probabilities in state {state} at {line}")
        shares: npt.NDArray[np.float64] = found / total
        return shares


def uniform_strategy(tree: BettingTree, abstraction: CardAbstraction) -> LimitStrategy:
    """Take every action with the same probability."""
    tables = []
    for part, states in zip(tree.rounds, abstraction.states, strict=True):
        share = 1 / np.diff(part.first_slot)[part.node]
        row = np.repeat(share.astype(np.float32), part.sequences)
        tables.append(np.broadcast_to(row, (states, part.lanes)))
    return LimitStrategy(tree, abstraction, tuple(tables), {"algorithm": "uniform"})


@checked
def write_strategy(path: Path, strategy: LimitStrategy) -> str:
    """Write a strategy's file; return its hash. Raises `BadInput` if it cannot be written."""
    header: dict[str, Any] = {
        "rules": asdict(strategy.tree.betting),
        "abstraction": strategy.abstraction.record,
        "shapes": [list(table.shape) for table in strategy.probabilities],
    }
    tables = [np.ascontiguousarray(table, dtype="<f4") for table in strategy.probabilities]
    plays = _digest(header, tables)
    header |= {"plays": plays, "provenance": dict(strategy.provenance)}
    text = json.dumps({"sha256": _digest(header, tables)} | header)
    head = _MAGIC + text.encode() + b"\n"
    with atomic_write(path) as part, part.open("wb") as file:
        file.write(head.ljust(-len(head) % _PAGE + len(head)))
        for table in tables:
            file.write(table.data)
    return plays


@checked
def open_strategy(path: Path, *, verify: bool = False) -> LimitStrategy:
    """Map a strategy's file; to ``verify`` it, all of it is read.

    Raises `BadInput` for a file that cannot be read or is no strategy, `DamagedFile` for one that
    is cut or, if it is verified, changed.
    """
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise BadInput(f"{path}: no strategy: allowed: a regular file")
        header, start, size = _header(path)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    try:
        rules: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in header["rules"].items()
        }
        tree = limit_tree(LimitBetting(**rules))
        abstraction = read_abstraction(header["abstraction"])
        shapes = [tuple(map(int, shape)) for shape in header["shapes"]]
        wanted = [
            (states, part.lanes)
            for states, part in zip(abstraction.states, tree.rounds, strict=True)
        ]
        provenance, sha256 = dict(header["provenance"]), str(header["sha256"])
        plays = str(header.get("plays", sha256))
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"{path}: no strategy: {error}") from None
    if shapes != wanted or size != start + 4 * sum(a * b for a, b in wanted):
        raise DamagedFile(f"{path}: a strategy that was cut, or of another shape")
    tables = []
    for shape in wanted:
        mapped = np.memmap(path, dtype="<f4", mode="r", offset=start, shape=shape)
        tables.append(mapped.view(np.ndarray))
        start += mapped.nbytes
    if verify:
        rest = {key: value for key, value in header.items() if key != "sha256"}
        if _digest(rest, tables) != sha256:
            raise DamagedFile(f"{path}: a strategy that was changed: its checksum is wrong")
    return LimitStrategy(tree, abstraction, tuple(tables), provenance, plays)


def _header(path: Path) -> tuple[dict[str, Any], int, int]:
    """Return a file's header, where the probabilities start, and the file's size."""
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise BadInput(f"{path}: no strategy of limit hold'em")
        line = file.readline(_MOST_HEADER)
        end = len(_MAGIC) + len(line)
        size = file.seek(0, 2)
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise DamagedFile(f"{path}: a strategy without a header")
    return header, -end % _PAGE + end, size


def _digest(header: Mapping[str, Any], tables: Iterable[npt.NDArray[np.float32]]) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for table in tables:
        digest.update(table.data)
    return digest.hexdigest()
