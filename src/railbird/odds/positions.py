"""Names of the seats before the flop in any hold'em, by how late they act."""

from __future__ import annotations

from typing import Final

from railbird.errors import BadInput

_LATE: Final = ("LJ", "HJ", "CO", "BTN", "SB", "BB")
MOST_SEATS: Final = 10


def seat_names(seats: int) -> tuple[str, ...]:
    """Return the seats in the order of acting before the flop, the big blind last.

    With more than six seats the first is under the gun. Raises `BadInput` for other numbers of
    seats than 2 to `MOST_SEATS`.

    >>> seat_names(6)
    ('LJ', 'HJ', 'CO', 'BTN', 'SB', 'BB')
    >>> seat_names(8)[:3]
    ('UTG', 'UTG+1', 'LJ')
    """
    if not 2 <= seats <= MOST_SEATS:
        raise BadInput(f"{seats} seats; allowed: 2 to {MOST_SEATS}")
    early = seats - len(_LATE)
    return (*("UTG", "UTG+1", "UTG+2", "UTG+3")[: max(early, 0)], *_LATE[max(-early, 0) :])
