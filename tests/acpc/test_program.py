"""Programs that are started and waited for."""

from __future__ import annotations

import sys

import pytest

from railbird.acpc import Disconnected, launch

SLEEPS = [sys.executable, "-c", "import time; time.sleep(60)"]
ENDS = [sys.executable, "-c", ""]


def test_a_program_that_does_not_connect_is_waited_for_aloud(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(Disconnected, match="did not connect and greet in time"):
        launch(SLEEPS, seconds=0.5, quiet_seconds=0.1)
    assert [record.getMessage() for record in caplog.records] == [
        f"waiting for {sys.executable} to connect, at most 0.5 s"
    ]


def test_a_program_that_ends_is_not_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(Disconnected, match="ended with status 0"):
        launch(ENDS, seconds=60, quiet_seconds=60)
    assert not caplog.records
