"""What happened before the flop at a table: seats, actions, looseness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from railbird._arguments import checked
from railbird.errors import BadInput, unknown_name
from railbird.odds.settings import MOST_LOOSENESS, TABLE_SEATS

_EARLY: Final = ("UTG", "UTG+1", "UTG+2", "UTG+3", "LJ", "HJ", "CO", "BTN")
_ALIASES: Final[Mapping[str, str]] = {
    "BUTTON": "BTN",
    "OTB": "BTN",
    "CUTOFF": "CO",
    "HIJACK": "HJ",
    "LOJACK": "LJ",
}
_ACTIONS: Final = ("fold", "call", "raise")
MOST_SEATS: Final = len(_EARLY) + 2
MOST_RAISES: Final = 3
"""Raises of the blind in limit."""


def seat_names(seats: int) -> tuple[str, ...]:
    """Return the seats in the order of acting before the flop, the big blind last.

    >>> seat_names(6)
    ('LJ', 'HJ', 'CO', 'BTN', 'SB', 'BB')
    """
    if not 2 <= seats <= MOST_SEATS:
        raise BadInput(f"{seats} seats; allowed: 2 to {MOST_SEATS}")
    return (*_EARLY[len(_EARLY) - seats + 2 :], "SB", "BB")


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class PreflopSituation:
    """Seats, those who acted before us, and how loosely everybody plays.

    Raises `BadInput` for seats that are not there, and actions after our own.
    """

    seats: int = TABLE_SEATS
    own: int = 0
    """Our seat in the order of acting, 0 first."""
    acted: Mapping[int, str] = field(default_factory=dict)
    """Action by seat, ``call`` or ``raise``; other seats before ours folded."""
    looseness: Mapping[int, float] = field(default_factory=dict)
    """By seat; 1 where there is none."""

    def __post_init__(self) -> None:
        names = seat_names(self.seats)
        if not 0 <= self.own < self.seats:
            raise BadInput(f"seat {self.own} of {self.seats}; allowed: 0 to {self.seats - 1}")
        for seat, action in self.acted.items():
            if not 0 <= seat < self.own:
                raise BadInput(
                    f"{names[seat] if 0 <= seat < self.seats else seat} acted, which does not act "
                    f"before {names[self.own]}"
                )
            if action not in _ACTIONS:
                raise unknown_name("action", action, _ACTIONS)
        if self.raises > MOST_RAISES:
            raise BadInput(f"{self.raises} raises; allowed: up to {MOST_RAISES}")
        if self.own == self.seats - 1 and not self.callers:
            raise BadInput("everybody folded to the big blind, which has won; name who is in")
        for seat, loose in self.looseness.items():
            if not 0 <= seat < self.seats or not 0 < loose <= MOST_LOOSENESS:
                raise BadInput(
                    f"looseness of {loose:g} in seat {seat}; allowed: above 0, up to "
                    f"{MOST_LOOSENESS:g}"
                )

    @classmethod
    def parse(
        cls, text: str, *, seats: int = TABLE_SEATS, own: str | None = None
    ) -> PreflopSituation:
        """Read a table such as ``utg:raise,button:call,loose=2``.

        ``loose=`` belongs to the seat before it, or to all seats if it comes first. Our seat is
        the one after the last action, unless ``own`` names it.

        >>> table = PreflopSituation.parse("utg:raise,button:call,loose=2")
        >>> table.names[table.own], table.raises, table.looseness
        ('SB', 1, {7: 2.0})
        """
        names = seat_names(seats)
        acted: dict[int, str] = {}
        looseness: dict[int, float] = {}
        seat = None
        for word in (each.strip() for each in text.split(",")):
            if word.lower().startswith("loose="):
                loose = _number(word[len("loose=") :], text)
                some = range(seats) if seat is None else (seat,)
                looseness |= dict.fromkeys(some, loose)
            elif word:
                name, colon, action = word.partition(":")
                seat = _seat(name, names)
                if colon:
                    if action.strip().lower() not in _ACTIONS:
                        raise unknown_name("action", action.strip(), _ACTIONS)
                    if seat in acted or any(later > seat for later in acted):
                        raise BadInput(f"{names[seat]} acts twice or out of turn in {text!r}")
                    acted[seat] = action.strip().lower()
        after = max(acted, default=-1) + 1
        if own is None and after == seats:
            raise BadInput(f"everybody has acted in {text!r}; name our seat")
        return cls(
            seats=seats,
            own=after if own is None else _seat(own, names),
            acted=acted,
            looseness=looseness,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the seats in the order of acting."""
        return seat_names(self.seats)

    @property
    def raises(self) -> int:
        """Raises so far."""
        return sum(action == "raise" for action in self.acted.values())

    @property
    def callers(self) -> tuple[int, ...]:
        """Seats that called or raised."""
        return tuple(seat for seat, action in sorted(self.acted.items()) if action != "fold")

    @property
    def ahead(self) -> tuple[int, ...]:
        """Seats that act after ours for the first time."""
        return tuple(range(self.own + 1, self.seats))

    def loose(self, seat: int) -> float:
        """Return a seat's looseness."""
        return self.looseness.get(seat, 1.0)

    def blind(self, seat: int) -> float:
        """Return what a seat has posted, in big blinds."""
        return {self.seats - 2: 0.5, self.seats - 1: 1.0}.get(seat, 0.0)


def _seat(name: str, names: tuple[str, ...]) -> int:
    upper = name.strip().upper()
    upper = _ALIASES.get(upper, upper)
    if upper == "UTG" and len(names) > 2:
        return 0
    if upper not in names:
        raise unknown_name("seat", name.strip(), [each.lower() for each in names])
    return names.index(upper)


def _number(digits: str, text: str) -> float:
    try:
        return float(digits)
    except ValueError:
        raise BadInput(f"loose={digits} in {text!r}; allowed: a number such as 2 or 0.5") from None
