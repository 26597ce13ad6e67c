"""What the house takes out of the pots of a ring game.

>>> rake = parse_rake("5%,cap=300,4:5%,cap=200,2:4.5%,cap=50")
>>> [rake.taken(10_000, players=players) for players in (9, 4, 2)]
[300, 200, 50]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final

from railbird.errors import BadInput
from railbird.units import Chips

MOST_PARTS: Final = 10_000
"""The share is a whole number of ten-thousandths, as sites state it, which keeps products small."""

_ONE: Final = Chips(1)
_MOST: Final = 10**12
"""A step or a cap beyond this is a slip, and its products would not fit 64 bits."""
_TIER: Final = re.compile(r"(?:([0-9]{1,2}):)?([0-9]{1,3}(?:\.[0-9]{1,2})?)%")
_OPTION: Final = re.compile(r"(cap|step)=([0-9]{1,15})")
_SHAPE: Final = "5%,cap=300 or, with up to four players less, 5%,cap=300,4:5%,cap=200"


class NoFlop(Enum):
    """What is taken of a hand that is over before the flop."""

    NO_DROP = "no-drop"
    """Nothing: no flop, no drop."""
    DROP = "drop"
    """As much as of any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RakeTier:
    """What is taken with up to so many players."""

    share: Fraction
    """Of the pot, 0 to 1."""
    cap: Chips | None = None
    """The most of one hand; None for no cap."""
    most_players: int | None = None
    """Dealt in; None for any number."""

    def __str__(self) -> str:
        players = "" if self.most_players is None else f"{self.most_players}:"
        cap = "" if self.cap is None else f",cap={self.cap}"
        return f"{players}{float(100 * self.share):g}%{cap}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rake:
    """A share of what was called, rounded down, up to a cap; validated on construction.

    A bet that nobody called goes back before anything is taken. The main pot is charged first, then
    the side pots with what the share of all pots so far still lacks, as far as they reach: so
    PokerStars did, by the texts of its hands. Raises `BadInput` for what no house takes.
    """

    tiers: tuple[RakeTier, ...]
    """The tier with the fewest players that covers a table counts; without one nothing is taken."""
    step: Chips = _ONE
    """What is taken is a multiple of this: 5 where it is 5 cents for every dollar."""
    no_flop: NoFlop = NoFlop.NO_DROP

    def __post_init__(self) -> None:
        if not self.tiers or not 1 <= self.step <= _MOST:
            words = f"a rake of {len(self.tiers)} shares in steps of {self.step}"
            raise BadInput(f"{words}; allowed: 1 share or more, and steps of 1 to 10^12 chips")
        for tier in self.tiers:
            if not 0 <= tier.share <= 1 or MOST_PARTS % tier.share.denominator:
                raise BadInput(f"a rake of {tier}; allowed: 0 to 100 % with two decimals")
            if not 0 <= (tier.cap or 0) <= _MOST or (tier.most_players or 2) < 2:
                allowed = "a cap of 0 to 10^12 chips, and 2 players or more"
                raise BadInput(f"a rake of {tier}; allowed: {allowed}")
        players = [tier.most_players for tier in self.tiers]
        if len(set(players)) < len(players):
            raise BadInput(f"a rake of {self}: one number of players twice")

    def tier(self, players: int) -> RakeTier:
        """Return what counts with so many players dealt in."""
        covering = [t for t in self.tiers if t.most_players is None or t.most_players >= players]
        nothing = RakeTier(share=Fraction(0))
        return min(covering, key=lambda t: t.most_players or MOST_PARTS, default=nothing)

    def taken(self, called: int, *, players: int) -> Chips:
        """Return the chips that are taken of pots to which so many were called."""
        tier = self.tier(players)
        due = called * tier.share // self.step * self.step
        return Chips(due if tier.cap is None else min(due, tier.cap))

    def __str__(self) -> str:
        """The text that `parse_rake` reads."""
        step = () if self.step == 1 else (f"step={self.step}",)
        drop = () if self.no_flop is NoFlop.NO_DROP else ("preflop",)
        return ",".join([*map(str, self.tiers), *step, *drop])


def parse_rake(text: str) -> Rake:
    """Read ``P%``, and after commas or plus signs ``cap=C``, ``N:P%``, ``step=S``, ``preflop``.

    A cap belongs to the share before it; ``N:`` begins what counts with up to N players; ``step``
    takes multiples of so many chips only, and ``preflop`` takes also of hands without a flop.
    Amounts are chips. Raises `BadInput`.

    >>> str(parse_rake("4.50%+cap=3+step=5"))
    '4.5%,cap=3,step=5'
    """
    tiers: list[RakeTier] = []
    step, no_flop = _ONE, NoFlop.NO_DROP
    for part in re.split(r"[,+]", text.replace(" ", "")):
        if found := _TIER.fullmatch(part):
            share = Fraction(found[2]) / 100
            most = None if found[1] is None else int(found[1])
            tiers.append(RakeTier(share=share, most_players=most))
        elif part == "preflop":
            no_flop = NoFlop.DROP
        elif (found := _OPTION.fullmatch(part)) and found[1] == "step":
            step = Chips(int(found[2]))
        elif found and tiers and tiers[-1].cap is None:
            last = tiers.pop()
            cap = Chips(int(found[2]))
            tiers.append(RakeTier(share=last.share, cap=cap, most_players=last.most_players))
        else:
            raise BadInput(f"rake {text!r}: {part!r}; allowed: {_SHAPE}")
    return Rake(tiers=tuple(tiers), step=step, no_flop=no_flop)
