"""The database in which a player keeps its memory, from the text of the option ``database=``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from railbird.errors import BadInput
from railbird.storage.address import database_address, sqlite_file
from railbird.storage.settings import default_database

DEFAULT: Final = "default"
"""The text that stands for the user's own database."""

_FORMER_ENDING: Final = ".json"
_HEAD: Final = 64


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """Where a player's memory is."""

    text: str
    """The text that named it."""
    database: str
    """The URL."""
    former: Path | None = None
    """A file of an earlier version, from before memories were kept in databases."""
    is_read_only: bool = False
    """True where nothing is to be added, nor a database made."""

    @property
    def is_missing(self) -> bool:
        """Whether it is a file that does not exist."""
        path = sqlite_file(self.database)
        return path is not None and not path.exists()


def memory_place(text: str) -> MemoryPlace:
    """Return the place that a text names: ``default``, a URL, or the file of an SQLite database.

    A file of an earlier version, in JSON, is taken over into a database beside it whose name ends
    in ``.sqlite3``. Raises `railbird.errors.BadInput` for a URL that cannot be used, and for one
    with a password: a player's spec stands in logs and reports.

    >>> memory_place("notes.json").database
    'sqlite:///notes.sqlite3'
    """
    if text == DEFAULT:
        return MemoryPlace(text, default_database())
    if "://" in text:
        if database_address(text).password is not None:
            raise BadInput(
                "a password in a player's spec, which logs and reports show; allowed: a URL without"
                " one, and the password in PGPASSWORD or ~/.pgpass"
            )
        return MemoryPlace(text, text)
    path = Path(text)
    if path.suffix.lower() == _FORMER_ENDING or _begins_as_json(path):
        return MemoryPlace(text, f"sqlite:///{path.with_suffix('.sqlite3')}", path)
    return MemoryPlace(text, f"sqlite:///{path}")


def observer_name(name: str, place: MemoryPlace) -> str:
    """Return a player's name without its memory, which may move and is no part of who it is.

    >>> observer_name("loki:som,database=a.json,decay=0.9", memory_place("a.json"))
    'loki:som,decay=0.9'
    """
    return re.sub(rf",[\w-]+={re.escape(place.text)}(?=[,#]|$)", "", name)


def _begins_as_json(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD).lstrip()[:1] == b"{"
    except OSError:
        return False  # whatever it is, opening the database tells
