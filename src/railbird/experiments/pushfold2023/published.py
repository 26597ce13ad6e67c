"""Numbers as Chin and Lopez (2023) print them; text, since the digits tell how exact they are."""

from __future__ import annotations

from typing import Final

DECISIONS: Final = 4_993
"""Decisions that the source had when it computed its figures."""

SMALL_BLIND: Final = "0.0402"
BIG_BLIND: Final = "0.0904"
MEAN: Final = "0.0653"
"""Big blinds a hand that the equilibrium wins from the people, by its seat (section 3)."""

SMALL_BLIND_OPPOSITE: Final = "113"
BIG_BLIND_OPPOSITE: Final = "38"
"""Holdings with which the other choice would win more."""

CALLED_UP_TO: Final = (("J9o", "9.5"), ("K5o", "10.2"))
"""Largest stacks in big blinds to call with, on the printed charts that the source names."""

LIKE_PEOPLE: Final = 4_000
"""Iterations after which the source finds the solver's pushes to look like its users' (2.2)."""
