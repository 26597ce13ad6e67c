"""What players claim about themselves, as data: any hold'em, one claim for each spec.

``railbird players --check`` tests the claims by play, and the manual's table is made from them.
They hold for specs without options: ``random`` draws, but ``random,fold=1,call=0,raise=0`` does
not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final

from railbird.players.spec import parse_spec


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """Claims about how a player decides, of the kind that play can confirm."""

    draws: bool = False
    """Another seed can lead to another decision in the same situation."""
    remembers: bool = False
    """Earlier hands change its decisions until it is reset: it learns from them or counts them."""
    tells: bool = False
    """It gives the probability of each of its actions at every decision (`Policy`)."""
    tells_ranges: bool = False
    """It also gives them for cards other than its own (`RangePolicy`)."""

    @property
    def words(self) -> str:
        """The claims in a sentence, for people who choose a player.

        >>> print(Claims(draws=True, tells=True).words)
        It draws at random, forgets earlier hands, and tells how likely its actions are.
        """
        drawing = "draws at random" if self.draws else "draws nothing"
        memory = "remembers" if self.remembers else "forgets"
        telling = "tells" if self.tells else "does not tell"
        cards = ", with any cards" if self.tells_ranges else ""
        return (
            f"It {drawing}, {memory} earlier hands, and {telling} how likely its actions "
            f"are{cards}."
        )

    def as_json(self) -> dict[str, bool]:
        """Return the fields."""
        return asdict(self)


_FIXED: Final = Claims(tells=True, tells_ranges=True)
_DRAWING: Final = Claims(draws=True, tells=True, tells_ranges=True)
_LEARNING: Final = Claims(remembers=True, tells=True)
_LEARNING_DRAWING: Final = Claims(draws=True, remembers=True, tells=True)
_SIMULATING: Final = Claims(draws=True, remembers=True)

CLAIMS: Final[Mapping[str, Claims]] = {
    "always-call": _FIXED,
    "always-raise": _FIXED,
    "always-raise:random": _DRAWING,
    "always-fold": _FIXED,
    "random": _DRAWING,
    "sensible": _FIXED,
    "baseline": _FIXED,
    "loki": Claims(tells=True),
    "loki:basic": _FIXED,
    "loki:papp": _LEARNING,
    "loki:som": _LEARNING,
    "loki:gom2": Claims(draws=True, tells=True),
    "loki:som2": _LEARNING_DRAWING,
    "loki:sim": _SIMULATING,
    "loki:best": _SIMULATING,
    "booker": _LEARNING_DRAWING,
    "booker:1": _FIXED,
    "booker:2": _FIXED,
    "rollout": _FIXED,
    "killer": Claims(remembers=True, tells=True, tells_ranges=True),
    "equilibrium": Claims(draws=True, tells=True),
    "vexbot": _LEARNING,
    "vexbot:miximix": _LEARNING_DRAWING,
    "coach": _LEARNING_DRAWING,
    "pushfold": _DRAWING,
    "tight": Claims(draws=True, remembers=True, tells=True, tells_ranges=True),
}
"""Claims by name, or by name and variant if the variant differs. Programs, language models and the
user's own classes are missing, because nobody here knows what they do."""

_DRAWING_OPTIONS: Final = re.compile(
    r",(jitter|check-raise|fake-check-raise|balancing-raise|river-bluff)=(?!0(\.0*)?(,|$))"
)
"""Options of Loki that make it draw at random unless they are 0."""


def claims_of(spec: str) -> Claims | None:
    """Return the claims of a spec; None for an external player.

    They depend on the name and the variant, and on those options that make a player draw.

    >>> claims_of("always-raise:random").draws, claims_of("always-raise:pot").draws
    (True, False)
    >>> claims_of("loki:gom,jitter=0.1").draws, claims_of("loki:gom,jitter=0").draws
    (True, False)
    >>> claims_of("bot:python3 tom.py") is None
    True
    """
    parsed = parse_spec(spec)
    variant = parsed.detail.partition(",")[0]
    claims = CLAIMS.get(f"{parsed.name}:{variant}", CLAIMS.get(parsed.name))
    if claims is not None and _DRAWING_OPTIONS.search(f",{parsed.detail}"):
        return replace(claims, draws=True)
    return claims
