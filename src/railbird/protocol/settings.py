"""Versions, sizes and counts of the protocol."""

from __future__ import annotations

from typing import Final

VERSION: Final = 1
"""The protocol's version; a change that breaks clients is a new number."""

VERSIONS: Final = (VERSION,)
"""Versions that the server speaks, the newest last."""

LONGEST_LINE: Final = 1 << 16
"""Maximum bytes in a client's line without its end; a longer one closes the connection at once."""

LONGEST_SERVER_LINE: Final = 1 << 20
"""Maximum bytes in a line that a client reads: a lobby of hundreds of tables."""

MALFORMED_IN_A_ROW: Final = 3
"""Consecutive malformed messages after which a connection is closed; any good one starts anew."""

HELLO_SECONDS: Final = 5.0
"""Time from a connection to its hello; ten round trips to the other side of the earth."""

PING_SECONDS: Final = 10.0
"""Interval of the server's pings, which measure the lag of a connection."""

QUIET_SECONDS: Final = 30.0
"""Silence after which a connection counts as cut: three pings unanswered."""

LONGEST_NAME: Final = 32
"""Maximum characters of a name of an account, a queue or a table, and of a bot's version."""

LONGEST_PASSWORD: Final = 256
"""Maximum characters of a password; hashing takes time by the length of what is hashed."""

LONGEST_TEXT: Final = 200
"""Maximum characters of free text from a client, and of what an error quotes."""

MOST_CHIPS: Final = 1 << 53
"""Largest amount in a message: the integers that every language's JSON reads exactly."""
