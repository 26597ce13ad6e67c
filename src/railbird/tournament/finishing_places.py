"""Finishing places, also of players who are knocked out at the same time."""

from __future__ import annotations

from collections.abc import Sequence


def places_of(knocked_out: Sequence[int], had: Sequence[int], left: int) -> dict[int, int]:
    """Return the places of players knocked out at the same time, with ``left`` players remaining.

    A player who had more chips before the hand places higher; equals share the better place.

    >>> places_of([4, 5, 6], had=[0, 0, 0, 0, 50, 80, 50], left=3)
    {4: 5, 5: 4, 6: 5}
    """
    return {
        player: left + 1 + sum(had[other] > had[player] for other in knocked_out)
        for player in knocked_out
    }
