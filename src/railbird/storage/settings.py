"""Defaults of databases."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from railbird._paths import data_folder

PATIENCE_S: Final = 10.0
"""Seconds to wait for a connection, and for somebody else's lock, which a writer holds for
milliseconds: after this long something is wrong."""

MIGRATION_S: Final = 60.0
"""Seconds to wait for another program that brings the same tables to their newest version, which
takes a busy machine ten."""

READING_THREADS: Final = 2
"""Threads that read an SQLite file for the server: one may find a slow disk without delaying all
log-ins."""

_NAME: Final = "railbird.sqlite3"
_FORMER_NAME: Final = "serve.sqlite3"
"""The server's database before others used it as well."""


def default_database() -> str:
    """Return the URL of the user's own database, which the server and the players share.

    Where an older version has left one under its former name, that one is used.
    """
    folder = data_folder()
    former = folder / _FORMER_NAME
    path = folder / _NAME
    return f"sqlite:///{former if former.exists() and not path.exists() else path}"


LONGEST_NAME: Final = 32
"""Characters of an account's name, version or label, which must fit beside a seat."""

NAME_WIDTH: Final = 64
"""Characters of a column for names, which takes the specs of the house's players as well."""

NAME_KEPT: Final = timedelta(days=30)
"""How long nobody else gets a name whose account was deleted or renamed, as long as practice tables
are kept. Who still plays under it then keeps the seat: it belongs to the account's number."""

ARGON2_PASSES: Final = 2
"""Passes of a password's hash: OWASP's recommendation, with the memory below; some 20 ms."""

ARGON2_KIB: Final = 19_456
"""Memory of a password's hash in KiB, for one thread. The library's own default takes 64 MiB and
four threads, which a hundred people who log in at once would share badly."""

HASHING_THREADS: Final = 2
"""Passwords that are hashed at once; the others queue."""

MOST_WAITING: Final = 500
"""Passwords that may queue, some five seconds of work; beyond it the server is busy."""

SHORTEST_PASSWORD: Final = 8
"""Characters, as NIST SP 800-63B requires; it forbids rules on their kinds."""

LONGEST_PASSWORD: Final = 256
"""Characters: enough for sentences, too few for a flood."""

MOST_GUESSES: Final = 10
"""Wrong passwords for one name at once, by whatever way; they refill in `GUESSES_S`."""

GUESSES_S: Final = 600.0
"""Seconds in which all guesses at a name come back, one after the other."""

MOST_GUESSED: Final = 200_000
"""Names whose guesses are remembered, some 40 MB: more than are hashed in `GUESSES_S`."""

SESSION_S: Final = 30 * 24 * 3600
"""Seconds for which a browser stays logged in."""

FLOOD: Final = "flood"
"""Code of the offence of sending too much."""

OFFENCES_KEPT: Final = timedelta(days=30)
"""How long offences are kept."""

MOST_TOKENS: Final = 20
"""Tokens of one account."""

MOST_BOTS: Final = 50
"""Bots of one person."""
