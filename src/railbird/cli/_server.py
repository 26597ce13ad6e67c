"""A tournament server from the command line: its results, and logging in to it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird import client, storage
from railbird.cli._console import errors
from railbird.errors import BadInput, NothingUsable, unknown_name

if TYPE_CHECKING:
    from railbird.protocol.messages import Credentials


_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class ServerResults:
    """Results and ladders."""

    shown: str
    """Where they were read, without a password."""
    results: list[storage.results.TournamentResult]
    """The newest first."""
    standings: dict[str, list[storage.results.Standing]]
    """By ladder, the best first."""

    def ladder(self, asked: str | None) -> str:
        """Return the ladder that is asked for, or the only one.

        Raises `railbird.errors.BadInput` where there are several, or not this one.
        """
        names = sorted({result.ladder for result in self.results if result.counts})
        if not names:
            raise NothingUsable(f"no rated tournament in {self.shown}")
        if asked is None and len(names) > 1:
            raise BadInput(f"{len(names)} ladders; choose by --game: {', '.join(names)}")
        if asked is not None and asked not in names:
            raise NothingUsable(str(unknown_name("ladder", asked, names)))
        return asked or names[0]


def read_results(source: str) -> ServerResults:
    """Read a database, named by its URL or an SQLite file, or journals: a file or a folder.

    What does not read of a folder is told on standard error. Raises `railbird.errors.BadInput`, and
    `railbird.errors.NothingUsable` for a file that is not there or has no results.
    """
    path = Path(source)
    if "://" not in source and (path.is_dir() or path.suffix == ".journal"):
        return _from_journals(path)
    if source.startswith(("http://", "https://")):
        raise BadInput(
            f"{source}: a server's page; allowed: its database or its journals, such as "
            "server.sqlite3, on the machine that it runs on"
        )
    address = source if "://" in source else f"sqlite:///{source}"
    url = storage.database_address(address)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        raise NothingUsable(f"there is no {url.database}")
    database = storage.open_blocking(address)
    try:
        with database.read() as session:
            results = storage.results.results(session, most=_MOST)
            ladders = storage.results.standings(session)
    finally:
        database.close()
    if not results:
        raise NothingUsable(f"no tournament in {storage.database.shown_url(url)}")
    return ServerResults(storage.database.shown_url(url), results, ladders)


def _from_journals(path: Path) -> ServerResults:
    from railbird.serve.results import journal_results, standings_of

    results, problems = journal_results(path)
    for problem in problems:
        errors.print(f"left out: {problem}", highlight=False, markup=False, soft_wrap=True)
    return ServerResults(str(path), results, standings_of(results))


# How a command logs in to a tournament server; no secret is ever an argument.


TOKEN_VARIABLE: Final = "RAILBIRD_TOKEN"
PASSWORD_VARIABLE: Final = "RAILBIRD_PASSWORD"
_LONGEST_SECRET: Final = 1024


def address_of(text: str) -> tuple[str, int]:
    """Split ``HOST:PORT``. Raises `BadInput`."""
    usual = client.connection.PORT
    host, colon, port = text.rpartition(":")
    if not colon:
        host, port = text, str(usual)
    if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise BadInput(f"address {text!r}; allowed: HOST:PORT, as in localhost:{usual}")
    return host.strip("[]"), int(port)


def credentials_of(
    address: tuple[str, int],
    name: str | None,
    *,
    sign_up: bool = False,
    password_file: Path | None = None,
    token_file: Path | None = None,
) -> Credentials:
    """Return the log-in at a server: a name's by password, else a bot's by token.

    Nobody is asked for a password to a server that is not there. Raises `BadInput` where neither a
    password nor a token is given, or no server is.
    """
    token = _secret(token_file) if token_file is not None else os.environ.get(TOKEN_VARIABLE)
    try:
        if name is not None:
            password = _password(address, name, password_file, confirm=sign_up)
            return (
                client.signing_up(name, password)
                if sign_up
                else client.password_log_in(name, password)
            )
        if token and not sign_up:
            return client.token_log_in(token)
    except ValueError as problem:
        if isinstance(problem, BadInput):
            raise
        raise BadInput(
            f"account {name!r}; allowed: 1 to 32 letters, digits, . - and _, and a password"
            if name is not None
            else "the token is none: it has blanks, or characters that no token has"
        ) from None
    raise BadInput(f"no account; allowed: a token in {TOKEN_VARIABLE}, or --name")


def _password(address: tuple[str, int], name: str, file: Path | None, *, confirm: bool) -> str:
    if file is not None:
        return _secret(file)
    given = os.environ.get(PASSWORD_VARIABLE)
    if given:
        return given
    client.ServerConnection(*address).close()  # another: who is asked takes longer than a hello may
    return str(
        click.prompt(f"Password of {name}", hide_input=True, err=True, confirmation_prompt=confirm)
    )


def _secret(file: Path) -> str:
    """Return the first line of a file."""
    try:
        with file.open(encoding="utf-8") as text:
            line = text.readline(_LONGEST_SECRET).strip("\r\n")
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "no text"
        raise BadInput(f"{file}: cannot be read: {why}") from None
    if not line:
        raise BadInput(f"{file}: its first line is empty; allowed: the password or the token")
    return line
