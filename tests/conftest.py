"""Fixtures that every room's tests share."""

from __future__ import annotations

import shutil
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


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with cluster() as started:
        yield started


# Most tests take a database as its last migration leaves it, which is copied in no time; the
# migrations have tests of their own, which take a new one.


@pytest.fixture(params=["sqlite", "postgresql"])
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database of each kind in which there is nothing."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'railbird.sqlite3'}"
    return _postgres(request).create("railbird")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database of each kind with all tables, and nothing in them."""
    if request.param == "sqlite":
        return _copied(request, tmp_path)
    request.getfixturevalue("postgres_tables")
    return _postgres(request).create("railbird", like="tables")


@pytest.fixture
def sqlite(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database with all tables where the kind does not matter."""
    return _copied(request, tmp_path)


@pytest.fixture(scope="session")
def sqlite_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "railbird.sqlite3"
    _make_tables(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_tables(postgres: Postgres) -> None:
    _make_tables(postgres.create("tables"))


def _make_tables(address: str) -> None:
    from railbird.storage import open_blocking  # only a few rooms' tests need SQLAlchemy

    open_blocking(address).close()


def _copied(request: pytest.FixtureRequest, folder: Path) -> str:
    path = folder / "railbird.sqlite3"
    shutil.copy(request.getfixturevalue("sqlite_tables"), path)
    return f"sqlite:///{path}"


def _postgres(request: pytest.FixtureRequest) -> Postgres:
    started = request.getfixturevalue("postgres")
    assert isinstance(started, Postgres)
    return started
