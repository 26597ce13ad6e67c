"""Finishing places of players who are knocked out in the same hand."""

from __future__ import annotations

from railbird.tournament.finishing_places import places_of


def test_who_had_more_chips_is_placed_higher() -> None:
    assert places_of([0, 2], had=[100, 900, 300], left=1) == {0: 3, 2: 2}
    assert places_of([0, 2], had=[300, 900, 300], left=1) == {0: 2, 2: 2}
    assert places_of([], had=[300, 900], left=2) == {}
