"""Long work in threads leaves the interpreter to the event loop."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from railbird.serve.pauses import with_pauses


def test_pauses_are_as_long_as_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    now, pauses = 0.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        pauses.append(seconds)

    def texts() -> Iterator[str]:
        nonlocal now
        for number in range(1000):
            now += 0.0003
            yield str(number)

    monkeypatch.setattr("railbird.serve.pauses.time.perf_counter", lambda: now)
    monkeypatch.setattr("railbird.serve.pauses.time.sleep", sleep)
    assert list(with_pauses(texts())) == list(map(str, range(1000)))
    assert max(pauses) < 0.002
    assert sum(pauses) == pytest.approx(0.3, rel=0.01)
