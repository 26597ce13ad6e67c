"""The accounts of a server: what its shells and pages ask, without ever blocking the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlalchemy.orm import Session

from railbird._token_buckets import TokenBuckets
from railbird.errors import BadInput
from railbird.storage import accounts
from railbird.storage import accounts as keys
from railbird.storage.accounts import Account, AccountKind
from railbird.storage.database import Database
from railbird.storage.passwords import Busy, Passwords
from railbird.storage.settings import GUESSES_S, MOST_GUESSED, MOST_GUESSES, PATIENCE_S

T = TypeVar("T")


class LogInRefused(BadInput):
    """Credentials that open no account."""

    fits = False
    """Whether they are those of an account nevertheless."""


class Banned(LogInRefused):
    """Credentials of an account that may not log in."""

    fits = True


class TooManyGuesses(BadInput):
    """More wrong passwords for one name than anybody forgets; none is looked at for a while."""


_WRONG = "no account has this name and password"
_NO_TOKEN = "no account has this token"


@dataclass(slots=True)
class _Guess:
    fits: bool = False


class Directory:
    """The accounts of a server.

    While the database is away, everything raises `Busy`.

    Every way to try a password goes through here, and a guess is counted before it is hashed, so
    that of any number at once no more than `MOST_GUESSES` are looked at; a right one is given back.
    No counter is dropped before it is full again. Since each new one costs a hash, their number is
    bounded by the hashes of the ten minutes in which one fills. Servers that share a database count
    there as well, together.
    """

    def __init__(
        self,
        database: Database,
        passwords: Passwords | None = None,
        *,
        patience_s: float = PATIENCE_S,
        most_guesses: float = MOST_GUESSES,
    ) -> None:
        self._database = database
        self._patience_s = patience_s
        self.guesses = TokenBuckets(
            per_second=most_guesses / GUESSES_S,
            burst=most_guesses,
            most=MOST_GUESSED,
            keeps_all=True,
        )
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
        # The name is checked before the password is hashed, which is slow on purpose.
        accounts.checked_account_name(name)
        hashed = await self.passwords.hash(password, name)
        return await self.write(
            accounts.create_account, name, kind=AccountKind.PERSON, password_hash=hashed
        )

    async def log_in(self, name: str, password: str, *, device: str = "") -> Account:
        """Return the account of a name and a password.

        ``device`` is a secret of a browser that has logged in to this account before. It has
        guesses of its own, so that nobody who guesses elsewhere keeps the owner out. Raises
        `LogInRefused`, `Banned` and `TooManyGuesses`.
        """

        def find(session: Session) -> tuple[Account | None, str | None, str | None]:
            account = accounts.find_account(session, name)
            if account is None:
                return None, None, None
            known = accounts.password_hash(session, account.id)
            return account, known, accounts.ban_of(session, account.id)

        async with self._guess(name, device) as guess:
            account, known, banned = await self.read(find)
            # A name without an account is checked against nothing in the same time, so that an
            # answer's delay does not tell which names exist.
            guess.fits, anew = await self.passwords.check(known, password)
        if account is None or not guess.fits:
            raise LogInRefused(_WRONG)
        if anew:
            await self.write(accounts.set_password_hash, account.id, anew)
        # A ban is told only to who knows the password; to all others the account looks like any.
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

    async def change_password(self, account: Account, new: str) -> None:
        """Replace a password, which logs every browser out; `log_in` has checked the old one.

        Raises `WeakPassword` for a new one that is too short, too long or too common.
        """
        hashed = await self.passwords.hash(new, account.name)

        def change(session: Session) -> None:
            accounts.set_password_hash(session, account.id, hashed)
            keys.end_sessions(session, account.id)

        await self.write(change)

    @asynccontextmanager
    async def _guess(self, name: str, device: str) -> AsyncIterator[_Guess]:
        """Count a guess, unless it turns out to be right, or nothing was looked at."""
        # A browser that has logged in before has guesses of its own, under the name and its secret
        # together.
        key = f"{name.lower()} {device}".rstrip()
        seconds = 1 / self.guesses.per_second
        is_taken = self.guesses.take(key)
        guess, is_counted = _Guess(), False
        try:
            if is_taken and self._database.is_shared:
                most = self.guesses.burst
                is_counted = await self.write(accounts.take_guess, key, most=most, seconds=seconds)
                is_taken = is_counted
            if not is_taken:
                raise TooManyGuesses("too many wrong passwords for this name; try later")
            yield guess
        except Busy:
            # Nothing was looked at, so the guess is given back.
            guess.fits = True
            raise
        finally:
            if guess.fits:
                self.guesses.give_back(key)
                if is_counted:
                    await self.write(accounts.give_guess_back, key, seconds=seconds)

    def close(self) -> None:
        """Stop the threads that hash passwords."""
        self.passwords.close()


@asynccontextmanager
async def _busy_while_away(patience_s: float) -> AsyncIterator[None]:
    """Turn what a database that is gone, or no longer answers, raises into `Busy`."""
    try:
        async with asyncio.timeout(patience_s):
            yield
    # A broken constraint is an answer of the database and no sign of its absence, although its
    # class is a kind of `DBAPIError`.
    except IntegrityError:
        raise
    except (DBAPIError, NoConnection, OSError):
        raise Busy("the database does not answer; please try again in some seconds") from None
