"""Fixtures that every room's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# A first call may compile a kernel, which no deadline for an example allows for.
settings.register_profile("railbird", deadline=None)
settings.load_profile("railbird")

_SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real logs that lies beside a development checkout."""
    if not _SHARED_DATA.is_dir():
        pytest.skip("needs the real logs in ../shared/data, which are not part of the project")
    return _SHARED_DATA
