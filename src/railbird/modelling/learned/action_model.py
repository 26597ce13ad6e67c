"""Tables of the probabilities of actions, by type of player, situation and strength class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import IO, TYPE_CHECKING, Final
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from railbird.errors import DamagedFile
from railbird.modelling.action_frequencies import ActionKind
from railbird.modelling.learned._kernels_learned_layout import MOST_TYPES
from railbird.modelling.learned._kernels_situations import (
    LATER_CLASSES,
    LATER_ROWS,
    PREFLOP_CLASSES,
    PREFLOP_ROWS,
)

if TYPE_CHECKING:
    from pathlib import Path

Table = NDArray[np.float64]
"""(types, rows, classes, 3) probabilities of fold, call or check, and raise or bet."""

FORMAT: Final = "railbird action model 1"
_STEPS: Final = 254
"""Stored probabilities are roots in this many steps: finest near 0, where logarithms are steep."""
LEAST: Final = 1e-3
"""The smallest probability of an action: no type is ever sure of what somebody will not do."""
_MOST_BYTES: Final = 1 << 22
"""Unpacked size of a file; a model of the most types has 1.7 million numbers, and names."""


@dataclass(frozen=True, slots=True, eq=False)
class ActionModel:
    """Probabilities of actions of several types of players."""

    preflop: Table
    later: Table
    names: tuple[str, ...]
    """The player or the cluster of players that each type was learned from."""

    @property
    def types(self) -> int:
        """Number of types."""
        return len(self.preflop)

    def write(self, file: IO[bytes]) -> None:
        """Write the model in the form that `read_model` reads, in a byte for each probability."""
        np.savez_compressed(
            file,
            format=np.array(FORMAT),
            names=np.array(self.names),
            preflop=_packed(self.preflop),
            later=_packed(self.later),
        )


def read_model(path: Path) -> ActionModel:
    """Read a model. Raises `DamagedFile` for a file that is none, and `OSError`."""
    with path.open("rb") as file:
        return _read(file, str(path))


@cache
def shipped_model() -> ActionModel:
    """Return the model that comes with the program."""
    place = files(__package__).joinpath("data", "actions.npz")
    with place.open("rb") as file:
        return _read(file, "the model of actions")


def _read(file: IO[bytes], name: str) -> ActionModel:
    try:
        with ZipFile(file) as archive:
            if sum(member.file_size for member in archive.infolist()) > _MOST_BYTES:
                raise ValueError
        file.seek(0)
        with np.load(file, allow_pickle=False) as data:
            if str(data["format"]) != FORMAT:
                raise ValueError
            names = tuple(map(str, data["names"].tolist()))
            preflop, later = _unpacked(data["preflop"]), _unpacked(data["later"])
    except (ValueError, KeyError, EOFError, BadZipFile) as problem:
        raise DamagedFile(f"{name}: no model written by railbird train loki") from problem
    shapes = (PREFLOP_ROWS, PREFLOP_CLASSES), (LATER_ROWS, LATER_CLASSES)
    for table, shape in zip((preflop, later), shapes, strict=True):
        if table.shape != (len(names), *shape, len(ActionKind)) or len(names) > MOST_TYPES:
            raise DamagedFile(f"{name}: a table of the shape {table.shape}")
    return ActionModel(preflop, later, names)


def _packed(table: Table) -> NDArray[np.uint8]:
    stored: NDArray[np.uint8] = np.rint(np.sqrt(table) * _STEPS).astype(np.uint8)
    return stored


def _unpacked(stored: NDArray[np.uint8]) -> Table:
    """Return probabilities that add up to one."""
    if stored.dtype != np.uint8 or stored.ndim != 4:
        raise ValueError(stored.dtype)
    table = np.maximum((stored / _STEPS) ** 2, LEAST)
    table /= table.sum(axis=-1, keepdims=True)
    table.flags.writeable = False
    return table
