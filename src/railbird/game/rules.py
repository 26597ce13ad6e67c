"""The rules of one hold'em table, as data.

Everything that differs between games stands here; the engine reads it and nothing else. Seats are
positions in the hand (`railbird.units.Seat`), so a tuple "by seat" starts left of the button, or
with the big blind where blinds are reversed heads-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from railbird.units import Chips, Seat


class Street(IntEnum):
    """The four betting rounds."""

    PREFLOP = 0
    FLOP = 1
    TURN = 2
    RIVER = 3


BOARD_CARDS = (0, 3, 4, 5)
"""Board cards visible on each street."""


class Betting(Enum):
    """How large a bet or raise may be."""

    LIMIT = "limit"
    POT_LIMIT = "pot-limit"
    NO_LIMIT = "no-limit"


class ShortAllIn(Enum):
    """Whether an all-in below a full raise lets those raise again who have acted already."""

    CLOSED = "closed"
    REOPENS = "reopens"
    """As the ACPC's dealer plays it."""


class OddChips(Enum):
    """What happens to the rest of a pot that does not divide evenly."""

    FIRST_LEFT = "first-left"
    """One chip each from the first seat left of the button on."""
    FRACTION = "fraction"
    """Split exactly, as the ACPC's logs do; payoffs are then fractions of a chip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One table's rules, chips by seat. Validated on construction.

    Raises `railbird.errors.BadInput` for anything that no table can play.
    """

    betting: Betting
    blinds: tuple[Chips, ...]
    """Live posts by seat, straddles included; the length is the number of seats, 2 to 23."""
    antes: tuple[Chips, ...] = ()
    """Dead posts by seat; empty for none."""
    stacks: tuple[Chips, ...] | None = None
    """Chips by seat before any post; None where nobody can run out (the ACPC's limit games)."""
    bet_sizes: tuple[Chips, Chips, Chips, Chips]
    """By street: in limit the size of every bet and raise, otherwise the smallest bet."""
    max_raises: tuple[int, int, int, int] | None = None
    """By street, how many bets and raises are allowed (the blind is none); None for no cap."""
    lift_cap_heads_up: bool = False
    """No cap on a street that begins with two players."""
    first_to_act: tuple[Seat, Seat, Seat, Seat]
    """By street; a seat that cannot act passes the turn to its left."""
    short_all_in: ShortAllIn = ShortAllIn.CLOSED
    odd_chips: OddChips = OddChips.FIRST_LEFT

    @property
    def seats(self) -> int:
        """Number of seats, 2 to 23."""
        return len(self.blinds)
