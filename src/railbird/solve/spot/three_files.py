"""Solution files of no-limit spots of three people: a line of JSON, then averages.

`railbird.solve.spot.files` has the format, and the files for two players. Averages are
probabilities in half precision, for the first street and then for each way to the river and each
class of cards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from railbird.errors import DamagedFile
from railbird.solve.spot.files import THREE_MAGIC, maker_of, read_numbers, write_numbers
from railbird.solve.spot.three import ThreeSolution, ThreeSolver, ThreeSpot, check_three_memory


def save_three(solution: ThreeSolution, path: Path | str) -> None:
    """Write a solution; it cannot be resumed. Raises `BadInput` if the file cannot be written."""
    solver = solution.solver
    header = {
        "spot": str(solver.spot),
        "isomorphism": solver.isomorphism,
        "iterations": solver.iterations,
        "values": list(solution.values),
        "gains": list(solution.gains),
    }
    parts = [solver.chances(*place).astype("<f2") for place in solver.places()]
    write_numbers(path, THREE_MAGIC, header, parts)


def open_three(
    path: Path | str, *, threads: int = 1, memory_mb: float | None = None
) -> ThreeSolution:
    """Read a solution. Raises `BadInput`, and `DamagedFile` for a file cut short or not ours.

    Values and gains are those from before the strategies were rounded for the file. Raises
    `TooLarge` beyond ``memory_mb``.
    """
    path = Path(path)
    header, data = read_numbers(path, THREE_MAGIC, _check)
    spot = ThreeSpot.parse(header["spot"], name=str(path))
    solver = ThreeSolver(spot, threads=threads, isomorphism=header["isomorphism"])
    check_three_memory(solver, memory_mb)
    if len(data) != solver.needs.numbers:  # half are averages of two bytes, the rest is not stored
        raise DamagedFile(f"{path}: the tree of this version has another size")
    halves = data.view("<f2")
    if not ((halves >= 0) & (halves <= 1)).all():
        raise DamagedFile(f"{path}: some of the numbers are no probabilities")
    at = 0
    for place in solver.places():
        averages = solver.tables(*place).averages
        averages[:] = halves[at : at + averages.size].reshape(averages.shape)
        at += averages.size
    solver.iterations = header["iterations"]
    values, gains = (
        (float(numbers[0]), float(numbers[1]), float(numbers[2]))
        for numbers in (header["values"], header["gains"])
    )
    return ThreeSolution(solver, values, gains, made=maker_of(header))


def _check(header: dict[str, Any]) -> None:
    """Raise `ValueError` or another exception for a header that this program has not written."""
    values = np.array([header["values"], header["gains"]], dtype=np.float64)
    if values.shape != (2, 3) or not np.isfinite(values).all() or (values[1] < 0).any():
        raise ValueError
    if type(header["spot"]) is not str or type(header["isomorphism"]) is not bool:
        raise ValueError
    if type(header["iterations"]) is not int or header["iterations"] < 0:
        raise ValueError
