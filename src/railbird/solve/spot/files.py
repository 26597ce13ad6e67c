"""Solution files of heads-up no-limit spots: a line of JSON, then averages and perhaps regrets.

`railbird.solve.strategy_files` has the format of other strategies' files.

Averages are probabilities and are stored in half precision; kernels read them from the mapped file.
A resumable file keeps averages and regrets unchanged, so that solving continues with exactly the
same numbers. A file may leave out the river, whose averages are nearly all of it; it then has the
values of all nodes before the river.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

from railbird import _provenance
from railbird._files import replace_files
from railbird._provenance import KEY, Provenance
from railbird.cards import DECK
from railbird.errors import BadInput, DamagedFile
from railbird.progress import Progress
from railbird.solve.spot.preflop import PreflopSpot
from railbird.solve.spot.solution import SpotSolution
from railbird.solve.spot.solving import DiscountSchedule, SpotSolver, as_floats
from railbird.solve.spot.spot import Spot

MAGIC: Final = b"railbird-spot "
THREE_MAGIC: Final = b"railbird-three "
"""How files of `railbird.solve.spot.three_files` begin."""
_FORMS: Final = {
    MAGIC: "two players; railbird solve spot show shows it",
    THREE_MAGIC: "three players; railbird solve spot three shows it",
}
VERSION: Final = 2

_MOST_HEADER: Final = 1 << 24
_MOST_BYTES: Final = 1 << 40
_ALIGNED: Final = 64
"""The header is padded to a multiple of this, so that numbers begin at a line of the cache."""
_ONE: Final = 0x3C00
"""The bits of a half-precision 1, as an integer; all numbers from 0 to 1 have smaller ones."""
_PIECE: Final = 1 << 26
"""Bytes that are checked at a time."""


def is_solution(path: Path | str) -> bool:
    """Return whether a file is a solution rather than a spot's lines. Raises `BadInput`."""
    return solution_players(path) > 0


def solution_players(path: Path | str) -> int:
    """Return the number of players of a file's solution, 0 if it is none. Raises `BadInput`."""
    try:
        with Path(path).open("rb") as file:
            beginning = file.read(len(THREE_MAGIC))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    return 2 if beginning.startswith(MAGIC) else 3 if beginning == THREE_MAGIC else 0


def save_solution(
    solution: SpotSolution, path: Path | str, *, resumable: bool = False, river: bool = True
) -> None:
    """Write a solution; a ``resumable`` file is four times as large.

    Without the ``river`` a file is far smaller; each river is solved again when it is shown.
    Missing folders are created. Raises `BadInput` if the file cannot be written, or if the river
    cannot be left out.
    """
    solver = solution.solver
    parts: list[npt.NDArray[Any]] = []
    if resumable and river:
        parts = [solver.averages, solver.regrets]
    elif river:
        parts = [_halves(as_floats(solver.averages))]
    else:
        check_without_river(solver, resumable=resumable)
        parts = _without_river(solver)
    header = {
        "spot": str(solution.spot),
        "preflop": isinstance(solution.spot, PreflopSpot),
        "isomorphism": solver.isomorphism,
        "deck": list(solver.deck),
        "schedule": list(solver.schedule),
        "iterations": solver.iterations,
        "cpu_s": solver.cpu_s,
        "gap": solution.gap,
        "finished": solution.finished,
        "resumable": resumable,
        "river": river,
        "store": solver.store,
    }
    write_numbers(path, MAGIC, header, parts)


def write_numbers(
    path: Path | str, magic: bytes, header: dict[str, Any], arrays: Sequence[npt.NDArray[Any]]
) -> None:
    """Write a line of JSON with the maker's record, followed by arrays of any shape.

    ``magic`` begins the file. Missing folders are created. Raises `BadInput` if the file cannot be
    written.
    """
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(array.data)
    header = {
        KEY: _provenance.current_provenance().as_json(),
        **header,
        "bytes": sum(array.nbytes for array in arrays),
        "sha256": digest.hexdigest(),
    }
    line = magic + str(VERSION).encode() + b" " + json.dumps(header).encode()
    line += b" " * (-(len(line) + 1) % _ALIGNED) + b"\n"

    def write(file: BinaryIO) -> None:
        file.write(line)
        for array in arrays:
            file.write(array.data)

    replace_files({Path(path): write})


def _halves(averages: npt.NDArray[Any]) -> npt.NDArray[np.float16]:
    """Return averages in half precision, without locks, which are written again on reading."""
    halves: npt.NDArray[np.float16] = np.abs(np.clip(averages, 0, 1)).astype("<f2")
    return halves


def _without_river(solver: SpotSolver) -> list[npt.NDArray[Any]]:
    """Return averages before the river, and the values that these averages have once rounded."""
    halves = _halves(as_floats(solver.averages))
    early = sum(street.numbers for street in solver.streets[:-1])
    parts: list[npt.NDArray[Any]] = [halves[:early].copy()]
    saved = solver.regrets, solver.averages
    solver.regrets, solver.averages = np.zeros(0, dtype=np.int16), halves.view(np.int16)
    try:
        solver.write_locks()
        parts += [solver.all_values(*key).copy() for key, _ in _early_values(solver)]
    finally:
        solver.regrets, solver.averages = saved
    return parts


def check_without_river(solver: SpotSolver, *, resumable: bool) -> None:
    """Raise `BadInput` if the river cannot be left out of a file."""
    if resumable:
        raise BadInput("a solution without its river cannot be resumed; allowed: one of the two")
    if len(solver.streets) == 1 or isinstance(solver.spot, PreflopSpot):
        raise BadInput("the river can be left out of spots that begin on the flop or the turn")
    if any(lock[2] + 1 == len(solver.streets) for lock in solver.locked):
        raise BadInput("a lock on the river, which therefore cannot be left out")


def leaves_river(solver: SpotSolver) -> bool:
    """Return whether a solution has its river and may be written without it."""
    try:
        check_without_river(solver, resumable=False)
    except BadInput:
        return False
    return solver.kept is None


def _early_values(solver: SpotSolver) -> Iterator[tuple[tuple[int, int, int], tuple[int, int]]]:
    """Yield street, board and player before the river, each with its nodes and holdings."""
    for level, street in enumerate(solver.streets[:-1]):
        nodes = sum(map(len, solver.forests[level].blocks))
        for board in range(len(street.cards)):
            for player in range(2):
                padded = int(street.boards.sizes[board, player, 1])
                yield (level, board, player), (nodes, padded)


def open_solution(
    path: Path | str, *, threads: int | None = None, progress: Progress | None = None
) -> SpotSolution:
    """Read a solution. Raises `BadInput`, and `DamagedFile` for a file cut short or not ours.

    Averages stay in the file, which is mapped into memory and must not be changed meanwhile;
    replacing it by another file does no harm. ``progress`` reports the counting of folded players'
    cards.
    """
    path = Path(path)
    header, data = read_numbers(path, MAGIC, _check)
    solver = SpotSolver(
        (PreflopSpot if header["preflop"] else Spot).parse(header["spot"], name=str(path)),
        isomorphism=header["isomorphism"],
        deck=tuple(header["deck"]),
        threads=threads,
        schedule=DiscountSchedule(*header["schedule"]),
        store=header["store"] if header["resumable"] else 16,
    )
    _fill(solver, header, data, path, progress)
    solver.iterations, solver.cpu_s = header["iterations"], header["cpu_s"]
    return SpotSolution(
        solver,
        gap=header["gap"],
        finished=header["finished"],
        resumable=header["resumable"],
        made=maker_of(header),
    )


def maker_of(header: Mapping[str, Any]) -> Provenance | None:
    """Return the record of what made a file from its header, or None if there is none."""
    former = {"program": "railbird", "version": header.get("railbird")}
    return Provenance.from_json(header.get(KEY, former))


def read_numbers(
    path: Path, magic: bytes, check: Callable[[dict[str, Any]], object]
) -> tuple[dict[str, Any], npt.NDArray[np.uint8]]:
    """Return the header of a file, and the bytes after it, mapped.

    ``check`` may raise any exception for a header that this program has not written. Raises
    `BadInput`, and `DamagedFile` for a file cut short or not ours.
    """
    try:
        with path.open("rb") as file:
            header = _header(file, path, magic, check)
            start, size = file.tell(), os.fstat(file.fileno()).st_size - file.tell()
            if size != header["bytes"]:
                actual = f"cut off, {size:,} bytes" if size < header["bytes"] else "more bytes"
                raise DamagedFile(f"{path}: {actual} of numbers instead of {header['bytes']:,}")
            data = np.zeros(0, dtype=np.uint8)
            if size:
                # Locks are written into the averages: copy-on-write keeps them out of the file.
                data = np.asarray(np.memmap(file, np.uint8, "c", start, (size,)))
                if start % _ALIGNED:  # the header has been edited
                    data = data.copy()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    digest = hashlib.sha256()
    for first in range(0, size, _PIECE):
        digest.update(data[first : first + _PIECE].data)
    if digest.hexdigest() != header["sha256"]:
        raise DamagedFile(f"{path}: its numbers were changed after it was written")
    return header, data


def _fill(
    solver: SpotSolver,
    header: dict[str, Any],
    data: npt.NDArray[np.uint8],
    path: Path,
    progress: Progress | None,
) -> None:
    """Fill a solver with the numbers of a file."""
    numbers = solver.size().numbers
    early = sum(street.numbers for street in solver.streets[:-1])
    shapes = [] if header["river"] else list(_early_values(solver))
    expected = 2 * (numbers if header["river"] else early)
    expected += sum(4 * nodes * padded for _, (nodes, padded) in shapes)
    if header["resumable"]:
        expected = numbers * solver.store // 8 * (3 if solver.schedule.ahead else 2)
    if len(data) != expected:
        raise DamagedFile(f"{path}: the tree of this version has another size")
    if header["resumable"]:
        solver.allocate(progress)
        both = data.view(solver.averages.dtype)
        if not np.isfinite(as_floats(both)).all():
            raise DamagedFile(f"{path}: some of its values are not numbers")
        solver.averages[:], solver.regrets[:] = both[:numbers], both[numbers:]
        return
    averages = data[: 2 * (numbers if header["river"] else early)].view(np.int16)
    if not (averages.view(np.uint16) <= _ONE).all():
        raise DamagedFile(f"{path}: some of the numbers are no probabilities")
    if not header["river"]:
        all_averages = np.zeros(
            numbers, dtype=np.int16
        )  # of which only what is needed takes memory
        all_averages[:early], at, kept = averages, 2 * early, {}
        for key, shape in shapes:
            end = at + 4 * shape[0] * shape[1]
            kept[key], at = data[at:end].view(np.float32).reshape(shape), end
        averages, solver.kept = all_averages, kept
    solver.allocate(progress, averages)


def _header(
    file: BinaryIO, path: Path, magic: bytes, check: Callable[[dict[str, Any]], object]
) -> dict[str, Any]:
    line = file.readline(_MOST_HEADER)
    if not line.startswith(magic):
        for form, players in _FORMS.items():
            if line.startswith(form):
                raise BadInput(f"{path} has {players}")
        raise DamagedFile(f"{path} is no solution of a spot")
    version, _, text = line[len(magic) :].partition(b" ")
    if version != str(VERSION).encode():
        raise DamagedFile(f"{path} is of format {version.decode()[:9]!r}; allowed: {VERSION}")
    try:
        header: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError):
        raise DamagedFile(f"{path}: the header is cut short") from None
    try:
        check(header)
        if type(header["sha256"]) is not str:
            raise ValueError
        if type(header["bytes"]) is not int or not 0 <= header["bytes"] <= _MOST_BYTES:
            raise ValueError
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        raise DamagedFile(f"{path}: the header is not that of a solution") from None
    return header


def _check(header: dict[str, Any]) -> None:
    """Raise `ValueError` or another exception for a header that this program has not written.

    The deck is checked because kernels use it as an index without bounds.
    """
    deck = [int(card) for card in header["deck"]]
    is_deck = len(set(deck)) == len(deck) and all(0 <= card < len(DECK) for card in deck)
    if len(header["schedule"]) == 4:  # written before schedules had a ``half``
        header["schedule"] = [*header["schedule"], 1.0]
    numbers = [*header["schedule"], header["cpu_s"], header["gap"]]
    if not (
        is_deck and len(header["schedule"]) == len(DiscountSchedule()) and _are_numbers(numbers)
    ):
        raise ValueError
    if not DiscountSchedule(*header["schedule"]).half > 0:
        raise ValueError
    if not (int(header["iterations"]) >= 0 and header["store"] in (16, 32)):
        raise ValueError
    if type(header["spot"]) is not str:
        raise ValueError
    flags = ("resumable", "finished", "isomorphism", "river", "preflop")
    if {type(header[key]) for key in flags} != {bool} or (
        header["resumable"] and not header["river"]
    ):
        raise ValueError


def _are_numbers(values: list[Any]) -> bool:
    return all(np.isfinite(float(number)) for number in values)
