from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from railbird._threads import BLAS_THREADS, in_slices, map_threads, thread_count
from railbird.jobs.workers import LoneProcess


def test_results_come_in_order() -> None:
    slices = in_slices(lambda start, stop: (start, stop), 10, size=3, what="numbers")
    assert slices == [(0, 3), (3, 6), (6, 9), (9, 10)]


@pytest.mark.slow
def test_progress_ends_at_the_total_and_is_not_a_torrent() -> None:
    calls: list[tuple[int, int, str]] = []
    in_slices(
        lambda start, stop: None,
        5000,
        size=1,
        what="numbers",
        progress=lambda *call: calls.append(call),
    )
    assert calls[-1] == (5000, 5000, "numbers")
    assert len(calls) < 50


def test_an_error_stops_what_has_not_begun() -> None:
    begun = threading.Semaphore(1000)

    def fail(start: int, stop: int) -> None:
        del stop
        begun.acquire()
        if start == 0:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        in_slices(fail, 1000, size=1, what="numbers")


def test_the_number_of_threads_is_numbas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    assert thread_count() == 3
    monkeypatch.setenv("NUMBA_NUM_THREADS", "many")
    assert thread_count() >= 1


@pytest.mark.parametrize("threads", [1, 3])
def test_items_come_in_order_and_not_far_ahead(threads: int) -> None:
    given: list[int] = []

    def items() -> Iterator[int]:
        for item in range(100):
            given.append(item)
            yield item

    taken = []
    for square in map_threads(lambda item: item * item, items(), threads=threads):
        taken.append(square)
        assert len(given) <= len(taken) + threads + 1
    assert taken == [item * item for item in range(100)]


def test_an_item_that_fails_ends_the_stream() -> None:
    stream = map_threads(lambda item: 1 // item, [2, 1, 0, 1], threads=2)
    assert [next(stream), next(stream)] == [0, 1]
    with pytest.raises(ZeroDivisionError):
        next(stream)


@pytest.mark.parametrize("wanted", [None, "3"])
def test_other_processes_multiply_matrices_in_one_thread_unless_the_user_says_else(
    wanted: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they are as many as the cores, more wait for each other."""
    monkeypatch.delenv(BLAS_THREADS)
    if wanted is not None:
        monkeypatch.setenv(BLAS_THREADS, wanted)
    process = LoneProcess(dict)
    try:
        assert process.submit(os.getenv, BLAS_THREADS).result() == (wanted or "1")
    finally:
        process.close()
    assert os.environ.get(BLAS_THREADS) == wanted
