"""The database of remembered opponents, opened for a verb, and what is read from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from railbird import report, storage
from railbird.errors import NothingUsable, RailbirdError, unknown_name


@contextmanager
def opened(text: str) -> Iterator[storage.BlockingDatabase]:
    """Open a database that exists, named as a player's memory is.

    Raises `railbird.errors.BadInput`; an SQLite file is not created only to be found empty.
    """
    address = _address(text)
    path = storage.database.sqlite_file(address)
    if path is not None and not path.exists():
        raise NothingUsable(f"nobody is remembered: there is no {path}")
    database = storage.open_blocking(address)
    try:
        yield database
    finally:
        database.close()


def shown_address(text: str) -> str:
    """Return the database's URL without its password."""
    return storage.database.shown_url(storage.database_address(_address(text)))


def find(
    text: str, *, name: str | None = None, observer: str | None = None
) -> tuple[list[report.OpponentSummary], list[str]]:
    """Read what is remembered, and a line for each record that does not read.

    Raises `railbird.errors.NothingUsable` where nobody is remembered, or not the one asked for.
    """
    with opened(text) as database:
        check_observers(database, text, name=name, observer=observer)
        with database.read() as session:
            stored, problems = storage.opponents.opponents(session, name=name, observer=observer)
    summaries = []
    for opponent in stored:
        try:
            summaries.append(report.opponent_charts.summarise(opponent))
        except RailbirdError as problem:
            problems.append(str(problem))
    if not summaries:
        raise NothingUsable("; ".join(problems) or f"nobody is remembered in {shown_address(text)}")
    return summaries, problems


def check_observers(
    database: storage.BlockingDatabase, text: str, *, name: str | None, observer: str | None
) -> Sequence[str]:
    """Return the observers who remember; raise `NothingUsable` for names that are not there."""
    with database.read() as session:
        observers = storage.opponents.observer_names(session)
        if not observers:
            raise NothingUsable(f"nobody is remembered in {shown_address(text)}")
        if observer is not None and observer not in observers:
            raise NothingUsable(str(unknown_name("observer", observer, observers)))
        names = storage.opponents.opponent_names(session, observer=observer)
        if name is not None and name not in names:
            raise NothingUsable(str(unknown_name("opponent", name, names)))
        return (
            [observer]
            if observer is not None
            else storage.opponents.observer_names(session, name=name)
        )


def _address(text: str) -> str:
    if "://" not in text:
        return storage.opponents.memory_place(text).database
    storage.database_address(text)  # a password is allowed here, unlike in a player's spec
    return text
