"""Time limits, sizes and addresses of the ACPC protocol, on either side of the connection."""

from __future__ import annotations

from typing import Final

HOST: Final = "127.0.0.1"
"""Address at which a locally started program finds its dealer."""

PROGRAM_CONNECT_SECONDS: Final = 60.0
"""Limit for a program to start and greet; large ones load their strategies first."""

QUIET_SECONDS: Final = 2.0
"""Time for a program to connect before a warning is logged."""

DEALER_CONNECT_SECONDS: Final = 30.0
"""Limit for our player to connect to an external dealer."""

DECISION_SECONDS: Final = 600.0
"""Default limit for a decision, the same as the competition's dealer's."""

SEND_SECONDS: Final = 10.0
"""Limit for sending; exceeded only if the other side has stopped reading."""

CONNECT_POLL_SECONDS: Final = 0.1
"""Interval of checks that a program that has not connected is still running."""

MOST_LATE: Final = 3
"""Consecutive late decisions after which a program is ended."""

MOST_PASSED_OVER: Final = 1000
"""Irrelevant lines during one decision after which a program is ended."""

MOST_STRANGERS: Final = 16
"""Maximum number of connections that have not greeted; any more are refused."""

LONGEST_LINE: Final = 1 << 16
"""Maximum bytes in a line; the longest messages of real matches have a few hundred."""

READ_BYTES: Final = 1 << 14
"""Bytes read from a connection at once."""

SHOWN_CHARACTERS: Final = 80
"""Characters of a received line that an error message quotes."""
