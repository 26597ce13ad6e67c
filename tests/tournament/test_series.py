"""A person's tournaments against one opponent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from railbird.storage.results import ResultEntry, TournamentResult
from railbird.tournament import series_by_opponent

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def ended(number: int, *names: str, void: str | None = None) -> TournamentResult:
    at = BEGAN + timedelta(hours=number)
    entries = tuple(ResultEntry(name=name, place=place) for place, name in enumerate(names, 1))
    return TournamentResult(
        id=f"t{number}",
        ladder="nolimit",
        rated=True,
        started_at=at,
        finished_at=at,
        entries=entries,
        void_reason=void,
    )


def test_the_first_and_the_last_ten_of_each_opponent() -> None:
    """Ann loses ten to bo and then wins twelve, in between beats cy once, and sits with two."""
    played = [ended(number, "bo", "Ann") for number in range(10)]
    played += [ended(number, "Ann", "bo") for number in range(20, 32)]
    played += [
        ended(15, "Ann", "cy"),
        ended(16, "Ann", "bo", "cy"),
        ended(17, "bo", "Ann", void="x"),
    ]
    bo, cy = series_by_opponent(reversed(played), "ann")
    assert (bo.opponent, len(bo.won), sum(bo.won), bo.first, bo.last) == ("bo", 22, 12, 0, 10)
    low, high = bo.interval
    assert low < 0.5 < high
    assert (cy.opponent, cy.won, cy.first, cy.last) == ("cy", (True,), None, None)
    assert series_by_opponent(played, "dee") == []
