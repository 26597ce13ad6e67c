"""The accounts of a server: what its shells and pages ask, without ever blocking the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlalchemy.orm import Session

from railbird.errors import BadInput
from railbird.storage.accounts import accounts, keys
from railbird.storage.accounts.accounts import Account, Kind
from railbird.storage.accounts.passwords import Busy, Passwords
from railbird.storage.database import Database
from railbird.storage.settings import PATIENCE_S

T = TypeVar("T")


class LogInRefused(BadInput):
    """Credentials that open no account."""


class Banned(LogInRefused):
    """Credentials of an account that may not log in."""


_WRONG = "no account has this name and password"
_NO_TOKEN = "no account has this token"


class Directory:
    """The accounts of a server.

    While the database is away, everything raises `Busy`.
    """

    def __init__(
        self,
        database: Database,
        passwords: Passwords | None = None,
        *,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._database = database
        self._patience_s = patience_s
        self.passwords = passwords or Passwords()

    async def read(self, ask: Callable[..., T], *arguments: Any, **options: Any) -> T:
        """Run a function of `accounts` or `keys` over a transaction that only reads."""

        def run(session: Session) -> T:
            return ask(session, *arguments, **options)

        async with _busy_while_away(self._patience_s):
            return await self._database.ask(run)

    async def write(self, change: Callable[..., T], *arguments: Any, **options: Any) -> T:
        """Run a function of `accounts` or `keys` over a transaction that is committed."""

        def run(session: Session) -> T:
            return change(session, *arguments, **options)

        async with _busy_while_away(self._patience_s), self._database.write() as session:
            return await session.run_sync(run)

    async def sign_up(self, name: str, password: str) -> Account:
        """Create a person's account.

        Raises `NameTaken`, `WeakPassword`, and `railbird.errors.BadInput` for a name that cannot be
        used.
        """
        accounts.checked_name(name)
        hashed = await self.passwords.hash(password)
        return await self.write(accounts.sign_up, name, kind=Kind.PERSON, password_hash=hashed)

    async def log_in(self, name: str, password: str) -> Account:
        """Return the account of a name and a password. Raises `LogInRefused` and `Banned`."""

        def find(session: Session) -> tuple[Account | None, str | None, str | None]:
            account = accounts.find(session, name)
            if account is None:
                return None, None, None
            known = accounts.password_hash(session, account.id)
            return account, known, accounts.ban_of(session, account.id)

        account, known, banned = await self.read(find)
        fits, anew = await self.passwords.check(known, password)
        if account is None or not fits:
            raise LogInRefused(_WRONG)
        if anew:
            await self.write(accounts.set_password_hash, account.id, anew)
        if banned is not None:
            raise Banned(banned)
        return account

    async def log_in_by_token(self, token: str) -> Account:
        """Return the account of a token. Raises `LogInRefused` and `Banned`."""

        def find(session: Session) -> tuple[Account | None, str | None]:
            account = keys.by_token(session, token)
            return account, accounts.ban_of(session, account.id) if account else None

        account, banned = await self.read(find)
        if account is None:
            raise LogInRefused(_NO_TOKEN)
        if banned is not None:
            raise Banned(banned)
        return account

    async def change_password(self, account: Account, old: str, new: str) -> None:
        """Replace a password, which logs every browser out.

        Raises `LogInRefused` if the old one is wrong, and `WeakPassword` for a new one that is too
        short or too long.
        """
        known = await self.read(accounts.password_hash, account.id)
        fits, _ = await self.passwords.check(known, old)
        if not fits:
            raise LogInRefused("the old password is wrong")
        hashed = await self.passwords.hash(new)

        def change(session: Session) -> None:
            accounts.set_password_hash(session, account.id, hashed)
            keys.end_sessions(session, account.id)

        await self.write(change)

    def close(self) -> None:
        """Stop hashing."""
        self.passwords.close()


@asynccontextmanager
async def _busy_while_away(patience_s: float) -> AsyncIterator[None]:
    """Turn what a database that is gone, or no longer answers, raises into `Busy`."""
    try:
        async with asyncio.timeout(patience_s):
            yield
    except IntegrityError:
        raise
    except (DBAPIError, NoConnection, OSError):
        raise Busy("the database does not answer; please try again in some seconds") from None
