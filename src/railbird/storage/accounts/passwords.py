"""Passwords, hashed by Argon2 in threads of their own while the event loop goes on.

Argon2 is slow on purpose. In the loop's default threads, log-ins would crowd out whatever else
waits for a thread; without a bound on how many run at once, they would crowd out the tables.
"""

from __future__ import annotations

import asyncio
import unicodedata
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from railbird.errors import BadInput
from railbird.storage.settings import (
    ARGON2_KIB,
    ARGON2_PASSES,
    HASHING_THREADS,
    LONGEST_PASSWORD,
    MOST_WAITING,
    SHORTEST_PASSWORD,
)


class WeakPassword(BadInput):
    """A password that is too short or too long."""


class Busy(Exception):
    """More work is waiting than is accepted, or the database is away; try again later."""


def checked_password(password: str) -> str:
    """Return a new password in the normal form that is hashed.

    Raises `WeakPassword`, which does not repeat it.

    >>> checked_password("correct horse")
    'correct horse'
    """
    normal = unicodedata.normalize("NFKC", password)
    if not SHORTEST_PASSWORD <= len(normal) <= LONGEST_PASSWORD:
        raise WeakPassword(
            f"a password of {len(normal)} characters; allowed: {SHORTEST_PASSWORD} to"
            f" {LONGEST_PASSWORD}"
        )
    return normal


class Passwords:
    """Hashes and checks passwords in a few threads; what waits is counted and bounded."""

    def __init__(self, *, threads: int = HASHING_THREADS, most_waiting: int = MOST_WAITING) -> None:
        self._hasher = PasswordHasher(
            time_cost=ARGON2_PASSES, memory_cost=ARGON2_KIB, parallelism=1
        )
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="password")
        self._most = threads + most_waiting
        self._pending = 0
        self._nobody = self._hasher.hash("nobody's password")

    @property
    def pending(self) -> int:
        """Passwords that are being hashed or wait for it."""
        return self._pending

    async def hash(self, password: str) -> str:
        """Hash a new password. Raises `WeakPassword` and `Busy`."""
        normal = checked_password(password)
        done = await self._run(normal, None)
        assert isinstance(done, str)
        return done

    async def check(self, known: str | None, password: str) -> tuple[bool, str | None]:
        """Compare a password with a hash; return whether it fits, and a new hash if it is due.

        For an account without a password, or no account, it takes as long, so that the time does
        not tell which names exist. Raises `Busy`.
        """
        if len(password) > LONGEST_PASSWORD:
            return False, None
        normal = unicodedata.normalize("NFKC", password)
        fits = await self._run(normal, known or self._nobody)
        if known is None or not fits:
            return False, None
        due = self._hasher.check_needs_rehash(known)
        return True, await self.hash(password) if due else None

    def close(self) -> None:
        """Stop the threads after what they are doing."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, password: str, known: str | None) -> str | bool:
        if self._pending >= self._most:
            raise Busy(f"{self._pending} log-ins are waiting; please try again in some seconds")
        self._pending += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._work, password, known)
        finally:
            self._pending -= 1

    def _work(self, password: str, known: str | None) -> str | bool:
        if known is None:
            return self._hasher.hash(password)
        try:
            return self._hasher.verify(known, password)
        except (VerificationError, InvalidHashError):
            return False
