"""What Booker (2004) prints; the numbers in the figures are lost."""

from __future__ import annotations

from typing import Final

from railbird.experiments.framework.rows import Published

BOOKER_1_LAST_TEN: Final = Published(text="0.9", stderr=(0.9 * 0.1 / 10) ** 0.5)
"""Section 9.1: of the last ten tournaments against a person Booker 1 won only one."""
GAIN_AGAINST_BOOKER_4: Final = Published(text="0.0", stderr=(2 * 0.25 / 10) ** 0.5)
"""Section 9.2: the person won as many of the last ten tournaments as of the first ten."""
AGAINST_BOOKER_1: Final = 20
AGAINST_BOOKER_4: Final = 50
"""Tournaments against the person (9.1, 9.2)."""
ENDS: Final = 10
"""Tournaments that the source counts at the beginning and at the end."""
SIX: Final = 175
"""Tournaments of six (8.1)."""
