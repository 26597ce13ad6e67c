"""Defaults of databases."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import platformdirs

PATIENCE_S: Final = 10.0
"""Seconds to wait for a connection, and for somebody else's lock, which a writer holds for
milliseconds: after this long something is wrong."""

_NAME: Final = "railbird.sqlite3"
_FORMER_NAME: Final = "serve.sqlite3"
"""The server's database before others used it as well."""


def data_folder() -> Path:
    """Return the platform's folder for user data, for what cannot be computed again."""
    return Path(platformdirs.user_data_dir("railbird"))


def default_database() -> str:
    """Return the URL of the user's own database, which the server and the players share.

    Where an older version has left one under its former name, that one is used.
    """
    folder = data_folder()
    former = folder / _FORMER_NAME
    path = folder / _NAME
    return f"sqlite:///{former if former.exists() and not path.exists() else path}"
