"""The wheels and the source distributions, built once."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def build(target: str, source: Path, into: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (made,) = into.iterdir()
    return made


def build_wheel(sdist: Path, factory: pytest.TempPathFactory) -> Path:
    """Build a wheel from the source distribution, as an installer does."""
    unpacked = factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (source,) = unpacked.iterdir()
    return build("wheel", source, factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="session")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(sdist, tmp_path_factory)


@pytest.fixture(scope="session")
def papers_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the sources' experiments."""
    sdist = build("sdist", ROOT / "papers", tmp_path_factory.mktemp("papers"))
    return build_wheel(sdist, tmp_path_factory)
