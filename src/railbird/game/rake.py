"""Rake: the house's share of the pots in a ring game.

>>> rake = parse_rake("5%,cap=300,4:5%,cap=200,2:4.5%,cap=50")
>>> [rake.tier(players).cap for players in (9, 4, 2)]
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
"""Denominator of shares: sites state at most two decimals of a percent, and products stay small."""

_ONE: Final = Chips(1)
_MOST: Final = 10**12
"""Bound of a step or cap; the products of larger ones would not fit 64 bits."""
_TIER: Final = re.compile(r"(?:([0-9]{1,2}):)?([0-9]{1,3}(?:\.[0-9]{1,2})?)%")
_OPTION: Final = re.compile(r"(cap|step)=([0-9]{1,15})")
_SHAPE: Final = "5%,cap=300 or, less with up to four players, 5%,cap=300,4:5%,cap=200"


class NoFlop(Enum):
    """Rake on a hand that ends before the flop."""

    NO_DROP = "no-drop"
    """None: no flop, no drop."""
    DROP = "drop"
    """The same as on any other hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RakeTier:
    """Rake with up to a given number of players."""

    share: Fraction
    """Share of the pot, 0 to 1."""
    cap: Chips | None = None
    """Maximum for one hand; None for no cap."""
    most_players: int | None = None
    """Players dealt in, at most; None for any number."""

    def __str__(self) -> str:
        players = "" if self.most_players is None else f"{self.most_players}:"
        cap = "" if self.cap is None else f",cap={self.cap}"
        return f"{players}{float(100 * self.share):g}%{cap}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rake:
    """A share of the called chips, rounded down, up to a cap; validated on construction.

    An uncalled bet is returned before any rake is taken. The main pot is charged first; each side
    pot then pays the rest of the rake due on all pots so far, as far as it suffices. PokerStars'
    hand histories follow this rule. Raises `BadInput` for impossible values.
    """

    tiers: tuple[RakeTier, ...]
    """The narrowest tier that covers the number of players applies; none means no rake."""
    step: Chips = _ONE
    """The rake is a multiple of this, e.g. 5 if it is 5 cents for every dollar."""
    no_flop: NoFlop = NoFlop.NO_DROP

    def __post_init__(self) -> None:
        if not self.tiers:
            raise BadInput("a rake without a share; allowed: 1 share or more")
        if not 1 <= self.step <= _MOST:
            raise BadInput(f"a rake in steps of {self.step}; allowed: steps of 1 to 10^12 chips")
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
        """Return the tier that applies to this number of players dealt in."""
        covering = [t for t in self.tiers if t.most_players is None or t.most_players >= players]
        nothing = RakeTier(share=Fraction(0))
        return min(covering, key=lambda t: t.most_players or MOST_PARTS, default=nothing)

    def __str__(self) -> str:
        """Return the text that `parse_rake` reads."""
        step = () if self.step == 1 else (f"step={self.step}",)
        drop = () if self.no_flop is NoFlop.NO_DROP else ("preflop",)
        return ",".join([*map(str, self.tiers), *step, *drop])


def parse_rake(text: str) -> Rake:
    """Read ``P%``, and after commas or plus signs ``cap=C``, ``N:P%``, ``step=S``, ``preflop``.

    A cap belongs to the share before it; ``N:`` begins the tier for up to N players; ``step``
    rounds the rake down to a multiple of so many chips, and ``preflop`` also rakes hands without a
    flop. Amounts are in chips. Raises `BadInput`.

    >>> str(parse_rake("4.50%+cap=3+step=5"))
    '4.5%,cap=3,step=5'
    """
    tiers: list[RakeTier] = []
    step, no_flop = _ONE, NoFlop.NO_DROP
    for part in re.split(r"[,+]", text.replace(" ", "")):
        if match := _TIER.fullmatch(part):
            share = Fraction(match[2]) / 100
            most = None if match[1] is None else int(match[1])
            tiers.append(RakeTier(share=share, most_players=most))
        elif part == "preflop":
            no_flop = NoFlop.DROP
        elif (match := _OPTION.fullmatch(part)) and match[1] == "step":
            step = Chips(int(match[2]))
        elif match and tiers and tiers[-1].cap is None:
            last = tiers.pop()
            cap = Chips(int(match[2]))
            tiers.append(RakeTier(share=last.share, cap=cap, most_players=last.most_players))
        else:
            raise BadInput(f"rake {text!r}: {part!r}; allowed: {_SHAPE}")
    return Rake(tiers=tuple(tiers), step=step, no_flop=no_flop)
