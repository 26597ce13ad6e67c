"""Models of opponents saved in a file between sessions.

The file is a JSON object by name: counts of actions, and the evidence of shown hands on spreads.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from railbird._files import replace_files
from railbird.errors import BadInput, DamagedFile
from railbird.game import Street
from railbird.modelling.frequencies import BETS, ActionKind
from railbird.modelling.threshold_spread import OCTAVES, STREETS

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = "railbird memory of opponents 1"
_SHAPES = {"actions": (len(Street), BETS, len(ActionKind)), "shown": (STREETS, len(OCTAVES))}

Numbers = list[list[list[float]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedOpponent:
    """Everything saved about one opponent."""

    actions: Numbers
    """Observation counts by street, bets to call and `ActionKind`."""
    shown: list[list[float]]
    """The evidence of a `ThresholdSpread`."""


def read_opponents(path: Path) -> dict[str, SavedOpponent]:
    """Return everybody in a file; nobody if it does not exist yet.

    Raises `DamagedFile` for a file in another format, and `BadInput` for one that cannot be read.
    """
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise DamagedFile(f"{path}: not JSON: {error}") from error
    match content:
        case {"format": str(kind), "people": dict(people)} if kind == FORMAT:
            return {name: _acquaintance(path, name, entry) for name, entry in people.items()}
        case _:
            raise DamagedFile(f"{path}: not a memory; expected an object of format {FORMAT!r}")


def write_opponents(path: Path, people: Mapping[str, SavedOpponent]) -> None:
    """Write a file, replacing any existing one. Raises `BadInput` if that fails."""
    entries = {
        name: {"actions": people[name].actions, "shown": people[name].shown}
        for name in sorted(people)
    }
    text = json.dumps({"format": FORMAT, "people": entries}, ensure_ascii=False)
    replace_files({path: text.encode()})


def _acquaintance(path: Path, name: str, entry: object) -> SavedOpponent:
    fields = entry if isinstance(entry, dict) else {}
    values = {}
    for key, shape in _SHAPES.items():
        try:
            array = np.array(fields.get(key), np.float64)
        except (TypeError, ValueError, OverflowError):
            array = np.empty(0)
        sound = array.shape == shape and bool(np.isfinite(array).all())
        if not sound or (key == "actions" and array.min() < 0):
            size = " x ".join(map(str, shape))
            raise DamagedFile(f"{path}: {key} of {name!r}; expected {size} numbers")
        values[key] = array.tolist()
    return SavedOpponent(actions=values["actions"], shown=values["shown"])
