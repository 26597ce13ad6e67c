"""The rules of one hold'em table, as data.

Everything in which games differ is here; the engine reads nothing else. Seats are positions in the
hand (`railbird.units.Seat`), so a tuple "by seat" starts left of the button, or with the big blind
if blinds are reversed heads-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from math import lcm
from typing import Any

from railbird._arguments import checked
from railbird.errors import BadInput
from railbird.estimates.result_units import ResultUnit
from railbird.game.rake import MOST_PARTS, Rake
from railbird.units import Chips, Seat

SEATS = range(2, 24)
"""Possible numbers of seats: 23 holdings and five board cards are 51 cards."""


class Street(IntEnum):
    """The four betting rounds."""

    PREFLOP = 0
    FLOP = 1
    TURN = 2
    RIVER = 3


BOARD_CARDS = (0, 3, 4, 5)
"""Board cards visible on each street."""


class Betting(Enum):
    """Betting structure: the allowed sizes of bets and raises."""

    LIMIT = "limit"
    SPREAD_LIMIT = "spread-limit"
    """Any size from the street's smallest to its largest bet, but no less than the last raise."""
    POT_LIMIT = "pot-limit"
    NO_LIMIT = "no-limit"


class ShortAllIn(Enum):
    """Effect of an all-in below a full raise on those who have already acted."""

    CLOSED = "closed"
    """They may raise only if they face a full raise in all; half of one in limit and spread limit.

    This is rule 47 of the Tournament Directors Association (2022). In limit an all-in of half a bet
    or more is a bet or raise like any other: it counts towards the cap, and the next raise adds a
    full bet (on a street of 20, from 15 to 35: Robert's Rules of Poker, "Betting and Raising"). A
    smaller one does not count, and those who have not acted may complete it (after a bet of 5, from
    6 to 10: Pagat, "All-in betting").
    """
    FULL_BET = "full-bet"
    """They need a full raise in limit, too; every all-in counts towards the cap."""
    REOPENS = "reopens"
    """They may always raise, as with the ACPC's dealer.

    A short all-in does not move its smallest raise either: after a bet of 100 and an all-in to 150
    that is 200, but 250 under `CLOSED`.
    """


class OpenFold(Enum):
    """Folding when checking is free."""

    REFUSED = "refused"
    """The rule of the ACPC's dealer."""
    ALLOWED = "allowed"
    """The rule at real tables."""


class UncallableRaise(Enum):
    """Raising to more than anybody else in the hand has.

    Nobody still to act can then put in more than the current bet, so the raise changes nothing and
    is returned. Nobody may raise once all the others are all-in.
    """

    REFUSED = "refused"
    ALLOWED = "allowed"
    """The rule of the ACPC's dealer and of online card rooms."""


class OddChips(Enum):
    """Division of the remainder of a pot that cannot be split evenly."""

    FIRST_LEFT = "first-left"
    """One chip each, starting from the first seat left of the button."""
    FRACTION = "fraction"
    """Split exactly, as the ACPC's logs do; payoffs are then fractions of a chip."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one table, with chips by seat; validated on construction.

    Raises `railbird.errors.BadInput` for rules that cannot be played.
    """

    betting: Betting
    blinds: tuple[Chips, ...]
    """Live posts by seat, straddles included; the length is the number of seats, 2 to 23.

    A seat too short for its post is all-in; the others still call the full post.
    """
    antes: tuple[Chips, ...] = ()
    """Dead posts by seat, paid before the live ones; empty for none."""
    stacks: tuple[Chips, ...] | None = None
    """Chips by seat before any post; None for unlimited stacks (the ACPC's limit games)."""
    bet_sizes: tuple[Chips, Chips, Chips, Chips]
    """By street: the size of every bet and raise in limit, otherwise their minimum."""
    largest_bets: tuple[Chips, Chips, Chips, Chips] | None = None
    """By street, in spread limit only."""
    max_raises: tuple[int, int, int, int] | None = None
    """Bets and raises allowed by street (the blind does not count); None for no cap."""
    lift_cap_heads_up: bool = False
    """No cap on a street that begins with two players."""
    first_to_act: tuple[Seat, Seat, Seat, Seat]
    """By street; a seat that cannot act passes the turn to its left."""
    short_all_in: ShortAllIn = ShortAllIn.CLOSED
    uncallable_raise: UncallableRaise = UncallableRaise.REFUSED
    odd_chips: OddChips = OddChips.FIRST_LEFT
    open_fold: OpenFold = OpenFold.REFUSED
    rake: Rake | None = None
    """The house's rake; payoffs are net of it."""

    def __post_init__(self) -> None:
        if self.seats not in SEATS:
            raise BadInput(f"{self.seats} blinds; allowed: one for each of 2 to 23 seats")
        _check_numbers("blinds", self.blinds, count=self.seats, least=0)
        _check_numbers("bet sizes", self.bet_sizes, count=len(Street), least=1)
        if self.largest_bets is not None or self.betting is Betting.SPREAD_LIMIT:
            self._check_spread()
        if self.antes:
            _check_numbers("antes", self.antes, count=self.seats, least=0)
        if self.max_raises is not None:
            _check_numbers("raise caps", self.max_raises, count=len(Street), least=0)
        _check_numbers("first seats", self.first_to_act, count=len(Street), least=0)
        if max(self.first_to_act) >= self.seats:
            raise BadInput(f"first seats {self.first_to_act}; allowed: 0 to {self.seats - 1}")
        self._check_stacks()

    def __hash__(self) -> int:
        # Enums hash slowly, and rules that agree in these fields nearly always agree in the rest.
        return hash((self.blinds, self.stacks, self.bet_sizes))

    @property
    def seats(self) -> int:
        """Number of seats, 2 to 23."""
        return len(self.blinds)

    @property
    def result_unit(self) -> ResultUnit:
        """Unit of results: small bets in limit, big blinds elsewhere."""
        limit = self.betting is Betting.LIMIT
        return ResultUnit.SMALL_BETS if limit else ResultUnit.BIG_BLINDS

    @property
    def chips_per_unit(self) -> Chips:
        """Chips in one `result_unit`."""
        return self.bet_sizes[0] if self.betting is Betting.LIMIT else max(self.blinds)

    @property
    def denominator(self) -> int:
        """Denominator of payoffs in chips; 1 unless odd chips are split."""
        if self.odd_chips is OddChips.FIRST_LEFT:
            return 1
        return _LCM[self.seats]

    def _check_spread(self) -> None:
        spread = self.betting is Betting.SPREAD_LIMIT
        if (self.largest_bets is not None) is not spread:
            words = "without" if spread else "with"
            raise BadInput(f"{self.betting.value} betting {words} largest bets")
        if self.largest_bets is not None:
            _check_numbers("largest bets", self.largest_bets, count=len(Street), least=1)
            for least, largest in zip(self.bet_sizes, self.largest_bets, strict=True):
                if least > largest:
                    allowed = "the smallest first, no larger than the largest"
                    raise BadInput(f"bets from {least} to {largest} chips; allowed: {allowed}")

    def _check_stacks(self) -> None:
        sizes = self.largest_bets or self.bet_sizes
        if self.stacks is None:
            if self.betting not in (Betting.LIMIT, Betting.SPREAD_LIMIT):
                raise BadInput(f"{self.betting.value} betting needs stacks")
            raises = self.max_raises or (_UNCAPPED_RAISES,) * len(Street)
            bets = sum(n * size for n, size in zip(raises, sizes, strict=True))
            most = self.seats * (bets + max(self.blinds)) + sum(self.antes)
        else:
            _check_numbers("stacks", self.stacks, count=self.seats, least=1)
            # No stack needs to cover these, but the engine computes with them.
            asked = max(*self.blinds, *self.antes, *sizes)
            most = max(sum(self.stacks), self.seats * asked)
        factor = self.denominator if self.rake is None else max(self.denominator, MOST_PARTS)
        if most * factor >= _TOO_MANY:
            raise BadInput(f"{most} chips on one table; allowed: {_TOO_MANY // factor}")


_LCM = [lcm(*range(1, seats + 1)) for seats in range(SEATS.stop)]
"""By number of seats, a common denominator for every split of a chip."""

_UNCAPPED_RAISES = 1000
"""Assumed maximum on one street without a cap; only bounds the amounts that are accepted."""

_TOO_MANY = 2**62


def _check_numbers(what: str, values: Sequence[Any], *, count: int, least: int) -> None:
    if len(values) != count:
        raise BadInput(f"{len(values)} {what}; allowed: {count}")
    # Comparing all at once is four times as fast, and each hand of a tournament has new rules.
    if set(map(type, values)) == {int} and least <= min(values) and max(values) <= _TOO_MANY:
        return
    if not all(isinstance(value, int) and least <= value <= _TOO_MANY for value in values):
        got = " ".join(str(tuple(values)).split())  # an array takes several lines
        raise BadInput(f"{what} {got}; allowed: whole numbers from {least} to 2^62")
