"""Numbers as Chin and Lopez (2023) print them; text, since the digits show their precision."""

from __future__ import annotations

from typing import Final

DECISIONS: Final = 4_993
"""Decisions in the source's data when its figures were computed."""

SMALL_BLIND: Final = "0.0402"
BIG_BLIND: Final = "0.0904"
MEAN: Final = "0.0653"
"""Big blinds per hand that the equilibrium wins from the people, by its seat (section 3)."""

SMALL_BLIND_OPPOSITE: Final = "113"
BIG_BLIND_OPPOSITE: Final = "38"
"""Holdings with which the opposite action would win more."""

CALLED_UP_TO: Final = (("J9o", "9.5"), ("K5o", "10.2"))
"""Largest stacks in big blinds to call with, on the printed charts cited by the source."""

LIKE_PEOPLE: Final = 4_000
"""Iterations after which, by the source, the solver's pushes resemble its users' (2.2)."""
