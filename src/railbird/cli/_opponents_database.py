"""The database of remembered opponents, opened for a verb, and what is read from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from railbird.errors import NothingUsable, RailbirdError, unknown_name

if TYPE_CHECKING:
    from railbird.report.opponent_charts import OpponentSummary
    from railbird.storage import BlockingDatabase


@contextmanager
def opened(text: str) -> Iterator[BlockingDatabase]:
    """Open a database that exists, named as a player's memory is.

    Raises `railbird.errors.BadInput`; an SQLite file is not created only to be found empty.
    """
    from railbird.storage import open_blocking
    from railbird.storage.database import sqlite_file

    address = _address(text)
    path = sqlite_file(address)
    if path is not None and not path.exists():
        raise NothingUsable(f"nobody is remembered: there is no {path}")
    database = open_blocking(address)
    try:
        yield database
    finally:
        database.close()


def shown_address(text: str) -> str:
    """Return the database's URL without its password."""
    from railbird.storage import database_address
    from railbird.storage.database import shown

    return shown(database_address(_address(text)))


def find(
    text: str, *, name: str | None = None, observer: str | None = None
) -> tuple[list[OpponentSummary], list[str]]:
    """Read what is remembered, and a line for each record that does not read.

    Raises `railbird.errors.NothingUsable` where nobody is remembered, or not the one asked for.
    """
    from railbird.report.opponent_charts import summarise
    from railbird.storage.opponents import opponents

    with opened(text) as database:
        check_names(database, text, name=name, observer=observer)
        with database.read() as session:
            stored, problems = opponents(session, name=name, observer=observer)
    summaries = []
    for each in stored:
        try:
            summaries.append(summarise(each))
        except RailbirdError as problem:
            problems.append(str(problem))
    if not summaries:
        raise NothingUsable("; ".join(problems) or f"nobody is remembered in {shown_address(text)}")
    return summaries, problems


def check_names(
    database: BlockingDatabase, text: str, *, name: str | None, observer: str | None
) -> Sequence[str]:
    """Return the observers who remember; raise `NothingUsable` for names that are not there."""
    from railbird.storage.opponents import observer_names, opponent_names

    with database.read() as session:
        observers = observer_names(session)
        if not observers:
            raise NothingUsable(f"nobody is remembered in {shown_address(text)}")
        if observer is not None and observer not in observers:
            raise NothingUsable(str(unknown_name("observer", observer, observers)))
        names = opponent_names(session, observer=observer)
        if name is not None and name not in names:
            raise NothingUsable(str(unknown_name("opponent", name, names)))
        return [observer] if observer is not None else observer_names(session, name=name)


def _address(text: str) -> str:
    from railbird.storage import database_address
    from railbird.storage.opponents import memory_place

    if "://" not in text:
        return memory_place(text).database
    database_address(text)  # a password is allowed here, unlike in a player's spec
    return text
