"""The load and fault tools in short: what they find does not depend on the machine's speed."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from load.cpu_time import cpu_time
from load.rows import (
    SHORT,
    Row,
    Scale,
    at_once,
    database_away,
    enemies,
    newcomer,
    parked,
    practice,
    re_entry,
    spectators,
    thinking,
)

Measured = Callable[[Path, Scale], Awaitable[list[Row]]]


@pytest.fixture(autouse=True)
def nothing_stays_open() -> Iterator[None]:
    """What hostile clients leave open would be found in another test."""
    yield
    gc.collect()


def check(measure: Measured, folder: Path) -> None:
    async def measured() -> list[Row]:
        return await measure(folder, SHORT)

    rows = asyncio.run(measured())
    for row in rows:
        assert row.is_timed or row.is_met, row
        assert "nan" not in row.found, row


@pytest.mark.slow
@pytest.mark.parametrize("measure", [thinking, re_entry, database_away, enemies])
def test_in_short(measure: Measured, tmp_path: Path) -> None:
    check(measure, tmp_path)


@pytest.mark.slow
def test_in_the_processors_own_time(tmp_path: Path) -> None:
    rows = cpu_time(tmp_path, SHORT)
    assert len(rows) == 4
    assert all("nan" not in row.found for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("measure", [at_once, parked, newcomer, practice, spectators])
def test_the_others_in_short(measure: Measured, tmp_path: Path) -> None:
    check(measure, tmp_path)
