"""Counts that come with the package, because counting takes minutes.

A file is a line of JSON, the abstraction's record, and the packed numbers: wins, then the upper
triangle of the ties, which are symmetric; all first bytes, all second ones and so on, compressed.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird.solve.abstraction.percentile import PercentileAbstraction, read_percentile

_BYTES = 8


def pack(
    abstraction: PercentileAbstraction, wins: npt.NDArray[np.int64], ties: npt.NDArray[np.int64]
) -> bytes:
    """Pack an abstraction and its counts (states, states)."""
    numbers = np.concatenate([wins.ravel(), ties[np.triu_indices(len(ties))]]).astype("<i8")
    planes = np.ascontiguousarray(numbers.view(np.uint8).reshape(-1, _BYTES).T)
    return json.dumps(abstraction.record).encode() + b"\n" + lzma.compress(planes.tobytes())


def unpack(
    content: bytes,
) -> tuple[PercentileAbstraction, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return what was packed."""
    line, _, packed = content.partition(b"\n")
    record: dict[str, Any] = json.loads(line)
    abstraction = read_percentile(record)
    states = abstraction.states[-1]
    planes = np.frombuffer(lzma.decompress(packed), dtype=np.uint8).reshape(_BYTES, -1)
    numbers = np.ascontiguousarray(planes.T).view("<i8").ravel().astype(np.int64)
    wins = numbers[: states**2].reshape(states, states)
    ties = np.zeros_like(wins)
    upper = np.triu_indices(states)
    ties[upper] = numbers[states**2 :]
    ties.T[upper] = numbers[states**2 :]
    return abstraction, wins, ties


def read_shipped(
    buckets: Sequence[int],
) -> tuple[PercentileAbstraction, npt.NDArray[np.int64], npt.NDArray[np.int64]] | None:
    """Read what comes with the package; None if it has no counts of these buckets."""
    name = f"percentile-{'-'.join(map(str, buckets))}.counts"
    source = files("railbird.solve.abstraction") / "data" / name
    return unpack(source.read_bytes()) if source.is_file() else None
