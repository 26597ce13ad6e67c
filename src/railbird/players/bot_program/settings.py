"""Time limits and sizes for programs that play on standard input and output."""

from __future__ import annotations

from typing import Final

HELLO_SECONDS: Final = 60.0
"""Limit for a program to start and greet; large ones load their strategies first."""

DECISION_SECONDS: Final = 40.0
"""Default limit for a decision, the same as the tournament server's."""

MOST_LATE: Final = 3
"""Consecutive late decisions after which a program is ended."""

MOST_REFUSED: Final = 3
"""Refused actions in one turn after which the turn counts as failed: a program without memory
would send the same one for ever."""

MOST_OTHER: Final = 1000
"""Messages during one decision that are no answer, after which a program is ended."""

READ_BYTES: Final = 1 << 16
"""Bytes read at once."""

STACKS_IN_BIG_BLINDS: Final = 10_000
"""Stacks told where the rules have none, as in the ACPC's limit matches: nobody can lose them."""
