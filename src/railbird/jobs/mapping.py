"""Items sent to workers on a Ray cluster; what comes of them, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from railbird.errors import BadInput, RailbirdError
from railbird.jobs.ray_workers import RayWorkers
from railbird.jobs.settings import MOST_DEATHS
from railbird.jobs.workers import FailedPiece, Part

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

_AHEAD = 2
"""Items for each worker that are read before their turn, so that none waits for the reader."""


@dataclass(frozen=True, slots=True)
class _Done(Generic[ResultT]):
    """What came of an item."""

    index: int
    result: ResultT


class _Mapper(Generic[ItemT, ResultT]):
    """Takes items in a worker."""

    def __init__(self, job: Callable[[], Callable[[ItemT], ResultT]]) -> None:
        self._function = job()

    def play(self, numbered: tuple[int, ItemT]) -> _Done[ResultT]:
        """Call the function."""
        number, item = numbered
        return _Done(number, self._function(item))

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def mapped(
    job: Callable[[], Callable[[ItemT], ResultT]],
    items: Iterable[ItemT],
    *,
    workers: int,
    on: str,
) -> Generator[ResultT, None, None]:
    """Map items on a Ray cluster, to whose workers they are sent; yield the results in order.

    ``job`` is called once in each worker and returns what takes the items; it must be picklable,
    as must they. Items are read a few ahead of the results. Re-raises an exception raised in a
    worker; raises `RailbirdError` if workers keep dying, and `BadInput` if there are none.
    """
    if workers < 1:
        raise BadInput(f"{workers} workers; allowed: 1 or more")
    ready: dict[int, ResultT] = {}
    due: deque[int] = deque()
    again: list[Part] = []
    source, more, deaths = enumerate(items), True, 0
    with RayWorkers[_Done[ResultT]](partial(_mapper, job), workers, on) as pool:
        while more or due:
            while pool.has_idle and (again or (more and len(due) < _AHEAD * workers)):
                if again:
                    pool.submit(again.pop())
                elif (numbered := next(source, None)) is None:
                    more = False
                else:
                    due.append(numbered[0])
                    pool.submit((numbered,))
            for outcome in pool.wait() if due else ():
                if outcome.pieces is None:
                    deaths += 1
                    if deaths > MOST_DEATHS:
                        raise RailbirdError(f"{deaths} workers crashed in a row")
                    again.append(outcome.part)
                    continue
                deaths = 0
                ready.update(map(_result, outcome.pieces))
            while due and due[0] in ready:
                yield ready.pop(due.popleft())


def _mapper(job: Callable[[], Callable[[Any], Any]]) -> _Mapper[Any, Any]:
    return _Mapper(job)


def _result(done: _Done[ResultT] | FailedPiece) -> tuple[int, ResultT]:
    assert isinstance(done, _Done)  # no players, no faults
    return done.index, done.result
