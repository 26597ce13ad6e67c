"""Time limits of clients."""

from __future__ import annotations

from typing import Final

from railbird.protocol.settings import QUIET_SECONDS

PORT: Final = 4680
"""Default port of tournament servers."""

CONNECT_SECONDS: Final = 10.0
"""Limit for a server to answer a connection."""

CUT_SECONDS: Final = 1.5 * QUIET_SECONDS
"""Silence after which a client takes its connection for cut; the server pings more often."""

LONGEST_WAIT: Final = 30.0
"""Most seconds between two attempts to connect again; they begin at a tenth of one and double."""

READ_BYTES: Final = 1 << 16
"""Bytes read at once."""

TURN_SECONDS: Final = 5.0
"""Limit for each decision while a bot is checked."""

SHORT_SECONDS: Final = 1.0
"""Limit for an answer that a bot need not give."""

EXIT_SECONDS: Final = 2.0
"""Time for a checked bot to exit after the connection is closed."""
