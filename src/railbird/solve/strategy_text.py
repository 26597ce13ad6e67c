"""Push/fold strategies as text: by the names of hands, in JSON and as ranges."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, CLASSES, Range
from railbird.errors import BadInput, NothingUsable
from railbird.solve.pushfold.heads_up import COMBINATIONS, frequencies_of

_SHAPE = 'allowed: {"stack_bb": 10, "chart": {"push": {"AA": 1.0, ...}, "call": {...}}}'


@checked
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chart:
    """Frequency of playing each hand, and the stack in big blinds for which it was solved."""

    stack: float
    push: npt.NDArray[np.float64]
    """(169,) how often the small blind pushes each class."""
    call: npt.NDArray[np.float64]
    """(169,) how often the big blind calls with each class."""


@checked
def range_frequencies(text: str) -> npt.NDArray[np.float64]:
    """Read how often each class is played, (169,), from a range such as ``22+, A2+, K5o+``.

    Raises `railbird.errors.BadInput` where holdings of one class are played differently, for in
    push/fold suits mean nothing, and `railbird.errors.ParseError` for what is no range.

    >>> from railbird.cards import parse_class
    >>> float(range_frequencies("22+, K5o+:0.5")[parse_class("KQo")])
    0.5
    """
    weights = Range.parse(text).weights
    totals = np.bincount(CLASS_OF_HOLDING, weights=weights, minlength=CLASSES)
    frequencies: npt.NDArray[np.float64] = totals / COMBINATIONS
    uneven = ~np.isclose(weights, frequencies[CLASS_OF_HOLDING])
    if uneven.any():
        name = CLASS_NAMES[CLASS_OF_HOLDING[int(uneven.argmax())]]
        raise BadInput(f"a part of {name} in {text!r}; allowed: all suits of a hand alike")
    return np.clip(frequencies, 0.0, 1.0)


@checked
def by_name(values: npt.NDArray[np.float64]) -> dict[str, float]:
    """Label values (169,) by class with the names of the classes. Raises `BadInput`."""
    if values.shape != (CLASSES,):
        raise BadInput(f"values of shape {values.shape}; allowed: ({CLASSES},), one a class")
    return dict(zip(CLASS_NAMES, values.tolist(), strict=True))


@checked
def read_chart(path: Path | str) -> Chart:
    """Read the chart in a file that ``railbird solve pushfold --json`` wrote.

    Raises `NothingUsable` for a file of another shape, a hand that is missing, unknown or not a
    number, and a frequency outside 0 to 1; `OSError` if the file cannot be read.
    """
    path = Path(path)
    try:
        answer = json.loads(path.read_bytes())
        stack, chart = float(answer["stack_bb"]), answer["chart"]
        return Chart(
            stack=stack,
            push=_frequencies(chart["push"], "push"),
            call=_frequencies(chart["call"], "call"),
        )
    except BadInput as problem:
        raise NothingUsable(f"{path}: {problem}") from None
    except (ValueError, OverflowError, RecursionError, KeyError, TypeError):
        raise NothingUsable(f"{path} is no chart; {_SHAPE}") from None


def _frequencies(given: Mapping[str, float], what: str) -> npt.NDArray[np.float64]:
    if wrong := sorted(set(given) ^ set(CLASS_NAMES)):
        problem = "an unknown hand" if wrong[0] in given else "no hand"
        raise BadInput(f"{what}: {problem} {wrong[0]!r}; allowed: the 169 from AA to 32o")
    return frequencies_of([given[name] for name in CLASS_NAMES], what)
