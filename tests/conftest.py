"""Fixtures that every room's tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.postgres_cluster import Postgres, cluster
from helpers.tiers import MISSING_DATA

_SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real logs that lies beside a development checkout."""
    if not _SHARED_DATA.is_dir():
        pytest.skip(f"needs the real logs in {MISSING_DATA}, which are not part of the project")
    return _SHARED_DATA


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with cluster() as started:
        yield started


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'railbird.sqlite3'}"
    started = request.getfixturevalue("postgres")
    assert isinstance(started, Postgres)
    return started.create("railbird")


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """The URL of an empty database where the kind does not matter."""
    return f"sqlite:///{tmp_path / 'railbird.sqlite3'}"
