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
from railbird.modelling.learned._kernels_beliefs import LEAST
from railbird.modelling.learned._kernels_learned_layout import MOST_TYPES
from railbird.modelling.learned._kernels_situations import (
    CELLS,
    FACTS,
    LATER_CLASSES,
    LATER_ROWS,
    LEVELS,
    PREFLOP_CLASSES,
    PREFLOP_ROWS,
)

if TYPE_CHECKING:
    from pathlib import Path

Table = NDArray[np.float64]
"""(types, rows, classes, 3) probabilities of fold, call or check, and raise or bet."""
Facts = NDArray[np.float64]
"""(cells, facts, levels, 3) factors of probabilities of fold, call or check, and raise or bet."""

NO_FACTS: Final[Facts] = np.ones((CELLS, FACTS, LEVELS, len(ActionKind)))
"""Factors that say nothing."""
NO_FACTS.flags.writeable = False

FORMAT: Final = "railbird action model 2"
_STEPS: Final = 254
"""Stored probabilities are roots in this many steps: finest near 0, where logarithms are steep."""
_OCTAVE: Final = 16
"""Steps in which a stored factor doubles, from 1 / 256 to 256."""
_NO_STEP: Final = 128
_MOST_BYTES: Final = 1 << 22
"""Unpacked size of a file; a model of the most types has 1.7 million numbers, and names."""


@dataclass(frozen=True, slots=True, eq=False)
class ActionModel:
    """Probabilities of actions of several types of players."""

    preflop: Table
    later: Table
    facts: Facts
    """What further facts say of everybody's actions from the flop on."""
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
            facts=_packed_factors(self.facts),
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
            facts = _unpacked_factors(data["facts"])
    except (ValueError, KeyError, EOFError, BadZipFile) as problem:
        raise DamagedFile(f"{name}: no model written by railbird train loki") from problem
    shapes = (PREFLOP_ROWS, PREFLOP_CLASSES), (LATER_ROWS, LATER_CLASSES)
    for table, shape in zip((preflop, later), shapes, strict=True):
        if table.shape != (len(names), *shape, len(ActionKind)) or len(names) > MOST_TYPES:
            raise DamagedFile(f"{name}: a table of the shape {table.shape}")
    return ActionModel(preflop, later, facts, names)


def _packed(table: Table) -> NDArray[np.uint8]:
    stored: NDArray[np.uint8] = np.rint(np.sqrt(table) * _STEPS).astype(np.uint8)
    return stored


def _packed_factors(facts: Facts) -> NDArray[np.uint8]:
    steps = np.rint(np.log2(facts) * _OCTAVE) + _NO_STEP
    stored: NDArray[np.uint8] = np.clip(steps, 0, 2 * _NO_STEP - 1).astype(np.uint8)
    return stored


def _unpacked_factors(stored: NDArray[np.uint8]) -> Facts:
    """Return factors. Raises `ValueError` for other numbers of them."""
    if stored.dtype != np.uint8 or stored.shape != (CELLS, FACTS, LEVELS, len(ActionKind)):
        raise ValueError(stored.shape)
    facts: Facts = np.exp2((stored.astype(np.float64) - _NO_STEP) / _OCTAVE)
    facts.flags.writeable = False
    return facts


def _unpacked(stored: NDArray[np.uint8]) -> Table:
    """Return probabilities that add up to one."""
    if stored.dtype != np.uint8 or stored.ndim != 4:
        raise ValueError(stored.dtype)
    table = np.maximum((stored / _STEPS) ** 2, LEAST)
    table /= table.sum(axis=-1, keepdims=True)
    table.flags.writeable = False
    return table
