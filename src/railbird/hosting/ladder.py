"""The house's named opponents, in the order of what a house league measured of them.

A name stands for a player's spec wherever a house player sits, so that people meet Tess and not
``baseline:tight-high``. The league and its command are in the manual (`docs/table.md`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

Rating = tuple[float, float]
"""What was won in 100 hands of the house league, in big blinds or, in limit, small bets, and half
the width of its 95 % interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedOpponent:
    """A house player that has a name."""

    name: str
    spec: str
    character: str
    """One sentence."""
    no_limit: Rating | None = None
    limit: Rating | None = None
    heads_up_only: bool = False
    """Whether it plays heads-up limit with stacks that are filled up, and nothing else."""

    @property
    def plays_a_solution(self) -> bool:
        """Whether a strategy must have been solved on the server before it can sit down."""
        return self.spec.startswith("equilibrium:")

    def rating(self, betting: str) -> Rating | None:
        """Return the rating in the league of ``limit``, or of no-limit for any other betting."""
        return self.limit if betting == "limit" else self.no_limit


LADDER: Final = (
    NamedOpponent(
        name="Tess",
        spec="baseline:tight-high",
        character="Waits for strong cards, bets them, and gives up the rest.",
        no_limit=(-179.0, 26.0),
        limit=(-17.0, 6.5),
    ),
    NamedOpponent(
        name="Cal",
        spec="rollout",
        character="Calls whenever the odds seem to allow it, and never raises.",
        no_limit=(-137.0, 15.0),
        limit=(-32.4, 3.5),
    ),
    NamedOpponent(
        name="Lena",
        spec="loki:som",
        character="Watches how you play, and adapts to it.",
        no_limit=(24.0, 13.0),
        limit=(40.7, 4.3),
    ),
    NamedOpponent(
        name="Sol",
        spec="tight:nolimit",
        character="Plays good hands, bets them for value and does not bluff much.",
        no_limit=(43.0, 12.0),
        limit=(6.6, 4.9),
    ),
    NamedOpponent(
        name="Ada",
        spec="equilibrium:nolimit6",
        character="Has solved the game beforehand, and plays so that nothing gives her away.",
        no_limit=(87.0, 15.0),
    ),
    NamedOpponent(
        name="Hart",
        spec="killer",
        character="Believes no bet that does not fit your cards, and bluffs as often as pays.",
        no_limit=(162.0, 15.0),
        limit=(35.5, 4.7),
    ),
    NamedOpponent(
        name="Eve",
        spec="equilibrium:small",
        character="Plays by the book of equilibrium: nothing that you do changes her play.",
        heads_up_only=True,
    ),
)
"""The weakest first, by no-limit."""

EVERYWHERE: Final = tuple(who for who in LADDER if not who.plays_a_solution)
"""Those who play every betting of hold'em on every server."""

BY_NAME: Final[Mapping[str, NamedOpponent]] = {who.name: who for who in LADDER}
BY_SPEC: Final[Mapping[str, NamedOpponent]] = {who.spec: who for who in LADDER}
