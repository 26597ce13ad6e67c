"""Records of opponent models: counts of actions, and the evidence of shown hands on spreads.

Before memories were kept in databases they were JSON files, which are still read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from railbird.errors import BadInput, DamagedFile
from railbird.game import Street
from railbird.modelling.action_frequencies import BETS, ActionKind
from railbird.modelling.threshold_spread import OCTAVES, STREETS

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

FORMER_FORMAT: Final = "railbird memory of opponents 1"
_SHAPES = {"actions": (len(Street), BETS, len(ActionKind)), "shown": (STREETS, len(OCTAVES))}

Counts = list[list[list[float]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRecord:
    """What is stored of one opponent's model."""

    actions: Counts
    """Observation counts by street, bets to call and `ActionKind`."""
    shown: list[list[float]]
    """The evidence of a `ThresholdSpread`."""


@dataclass(frozen=True, slots=True)
class ModelForm:
    """Form of Loki's memory; ``decay`` is the factor on earlier counts at each observation."""

    decay: float = 1.0
    kind: str = "loki"
    version: int = 1

    def read(self, record: Mapping[str, Any]) -> ModelRecord:
        """Read a record. Raises `DamagedFile`."""
        return _model_record(record, "a record")

    def written(self, learned: ModelRecord) -> dict[str, Any]:
        """Return a record that `read` reads."""
        return {"actions": learned.actions, "shown": learned.shown}

    def after(self, earlier: ModelRecord, later: ModelRecord) -> ModelRecord:
        """Return what is known after the observations of both.

        With decay d, k observations have the counts S = 1 + d + ... + d^(k-1) in sum, so that
        earlier counts are left with the weight d^k = 1 - S (1 - d).
        """
        new = np.asarray(later.actions)
        weight = np.clip(1 - new.sum(axis=-1, keepdims=True) * (1 - self.decay), 0, 1)
        actions = np.asarray(earlier.actions) * weight + new
        shown = np.add(earlier.shown, later.shown)
        return ModelRecord(actions=actions.tolist(), shown=shown.tolist())

    def former(self, file: Path) -> Mapping[str, ModelRecord]:
        """Read a file of an earlier version.

        Raises `DamagedFile` for a file in another format, and `BadInput` for one that cannot be
        read.
        """
        try:
            content = json.loads(file.read_bytes())
        except OSError as error:
            raise BadInput(f"{file}: cannot be read: {error.strerror or error}") from error
        except (ValueError, RecursionError) as error:
            raise DamagedFile(f"{file}: not JSON: {error}") from error
        match content:
            case {"format": str(kind), "people": dict(people)} if kind == FORMER_FORMAT:
                return {
                    name: _model_record(entry, f"{file}: {name!r}")
                    for name, entry in people.items()
                }
            case _:
                raise DamagedFile(
                    f"{file}: not a memory; expected an object of format {FORMER_FORMAT!r}"
                )


def _model_record(entry: object, where: str) -> ModelRecord:
    fields = entry if isinstance(entry, dict) else {}
    values = {key: _array(fields.get(key), key, where) for key in _SHAPES}
    if values["actions"].min() < 0:
        raise DamagedFile(f"{where}: actions below 0; expected counts")
    return ModelRecord(actions=values["actions"].tolist(), shown=values["shown"].tolist())


def _array(value: object, key: str, where: str) -> npt.NDArray[np.float64]:
    shape = _SHAPES[key]
    try:
        array = np.array(value, np.float64)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0)
    if array.shape != shape or not np.isfinite(array).all():
        size = " x ".join(map(str, shape))
        raise DamagedFile(f"{where}: {key}; expected {size} numbers")
    return array
