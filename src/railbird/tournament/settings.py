"""Limits of the tournament's calculations."""

from __future__ import annotations

from typing import Final

MOST_BY_SUBSETS: Final = 20
"""Players up to whom prize equities are summed over subsets: a tenth of a second at 20, and twice
the time and memory for each one more."""

MOST_PLAYERS: Final = 500
"""Players of a prize equity; the quadrature takes seconds at this number, growing faster than its
square."""
