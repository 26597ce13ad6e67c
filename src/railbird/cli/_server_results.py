"""Results of the tournament server, read from its database or its journals."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from railbird.cli._console import errors
from railbird.errors import BadInput, NothingUsable, unknown_name

if TYPE_CHECKING:
    from railbird.storage.results import Standing, TournamentResult

_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class ServerResults:
    """Results and ladders."""

    shown: str
    """Where they were read, without a password."""
    results: list[TournamentResult]
    """The newest first."""
    standings: dict[str, list[Standing]]
    """By ladder, the best first."""

    def ladder(self, asked: str | None) -> str:
        """Return the ladder that is asked for, or the only one.

        Raises `railbird.errors.BadInput` where there are several, or not this one.
        """
        names = sorted({result.ladder for result in self.results if result.rated})
        if not names:
            raise NothingUsable(f"no rated tournament in {self.shown}")
        if asked is None and len(names) > 1:
            raise BadInput(f"{len(names)} ladders; choose by --ladder: {', '.join(names)}")
        if asked is not None and asked not in names:
            raise NothingUsable(str(unknown_name("ladder", asked, names)))
        return asked or names[0]


def read_results(source: str) -> ServerResults:
    """Read a database, named by its URL or an SQLite file, or journals: a file or a folder.

    What does not read of a folder is told on standard error. Raises `railbird.errors.BadInput`, and
    `railbird.errors.NothingUsable` for a file that is not there or has no results.
    """
    from railbird.storage import database_address, open_blocking
    from railbird.storage.address import shown
    from railbird.storage.results import results, standings

    path = Path(source)
    if "://" not in source and (path.is_dir() or path.suffix == ".journal"):
        return _from_journals(path)
    address = source if "://" in source else f"sqlite:///{source}"
    url = database_address(address)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        raise NothingUsable(f"there is no {url.database}")
    database = open_blocking(address)
    try:
        with database.read() as session:
            found = results(session, most=_MOST)
            ladders = standings(session)
    finally:
        database.close()
    if not found:
        raise NothingUsable(f"no tournament in {shown(url)}")
    return ServerResults(shown(url), found, ladders)


def _from_journals(path: Path) -> ServerResults:
    from railbird.serve.host.journal_results import journal_results, standings_of

    found, problems = journal_results(path)
    for problem in problems:
        errors.print(f"left out: {problem}", highlight=False, markup=False, soft_wrap=True)
    return ServerResults(str(path), found, standings_of(found))
