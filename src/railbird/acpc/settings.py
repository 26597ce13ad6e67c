"""Time limits, sizes and addresses of the ACPC protocol, on either side of the connection."""

from __future__ import annotations

from typing import Final

HOST: Final = "127.0.0.1"
"""Address at which a program that was started here finds its dealer."""

PROGRAM_CONNECT_SECONDS: Final = 60.0
"""For a program to start and greet; big ones read their strategies first."""

QUIET_SECONDS: Final = 2.0
"""Nothing is said of a program that takes no longer than this to connect."""

DEALER_CONNECT_SECONDS: Final = 30.0
"""For a player of ours to reach a dealer elsewhere."""

DECISION_SECONDS: Final = 600.0
"""For a decision where no limit was named; the competition's dealer allows as much."""

SEND_SECONDS: Final = 10.0
"""For lines to leave; it takes longer only if the other side has long stopped reading."""

END_SECONDS: Final = 2.0
"""For a program to end after its connection was closed, before it is killed."""

CONNECT_POLL_SECONDS: Final = 0.1
"""Between two looks at whether a program that has not connected still runs."""

END_POLL_SECONDS: Final = 0.02
"""Between two looks at whether a program and its children have ended."""

MOST_LATE: Final = 3
"""Late decisions in a row after which a program is ended."""

MOST_PASSED_OVER: Final = 1000
"""Lines for one decision that answer nothing, after which a program is ended."""

MOST_STRANGERS: Final = 16
"""Connections that have not greeted yet; any more are turned away."""

LONGEST_LINE: Final = 1 << 16
"""Bytes in a line; the longest message of a real match has a few hundred."""

READ_BYTES: Final = 1 << 14
"""Bytes read from a connection at once."""

SHOWN_CHARACTERS: Final = 80
"""Characters of somebody else's line that a message of ours repeats."""
