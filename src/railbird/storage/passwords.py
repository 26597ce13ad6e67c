"""Passwords, hashed by Argon2 in threads of their own, and random tokens.

Argon2 is slow on purpose. In the loop's default threads, log-ins would crowd out whatever else
waits for a thread; without a bound on how many run at once, they would crowd out the tables.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import secrets
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from typing import Final

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

_TRIMMED: Final = 4
"""Characters at the ends of a common word that do not hide it, as in ``Password123!``."""


class WeakPassword(BadInput):
    """A password that is too short, too long, or among the first that anybody tries."""


class Busy(Exception):
    """More work is waiting than is accepted, or the database is away; try again later."""


def checked_password(password: str, name: str = "") -> str:
    """Return a new password of an account in the normal form that is hashed.

    As NIST SP 800-63B asks, it is not one of the 30,000 most common ones, nor the account's name or
    ours, whatever the case and with up to four digits and signs at the ends. Ten guesses in ten
    minutes try a common one within days; they never come to the end of the others. Raises
    `WeakPassword`, which does not repeat it.

    >>> checked_password("correct horse")
    'correct horse'
    """
    normal = unicodedata.normalize("NFKC", password)
    if not SHORTEST_PASSWORD <= len(normal) <= LONGEST_PASSWORD:
        raise WeakPassword(
            f"a password of {len(normal)} characters; allowed: {SHORTEST_PASSWORD} to"
            f" {LONGEST_PASSWORD}"
        )
    lower = normal.lower()
    if is_common(lower, name) or (len(set(lower)) < 3):
        raise WeakPassword("this password is among the first that anybody tries; choose another")
    return normal


def is_common(password: str, name: str = "") -> bool:
    """Return whether a password in lower case is a common one, or almost the account's name.

    >>> is_common("password"), is_common("dragon2019"), is_common("ann-smith1", "Ann-Smith")
    (True, True, True)
    >>> is_common("correct horse"), is_common("83920174")
    (False, False)
    """
    core = password.strip("0123456789 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
    hidden = {password, core} if core and len(password) - len(core) <= _TRIMMED else {password}
    known = {"railbird", name.lower()}
    return any(word in known or word in _common() for word in hidden)


@cache
def _common() -> frozenset[str]:
    data = files("railbird.storage").joinpath("common_passwords.txt.gz").read_bytes()
    lines = gzip.decompress(data).decode().split("\n")
    return frozenset(line for line in lines if line and not line.startswith("# "))


def _hasher(passes: int, kib: int) -> PasswordHasher:
    return PasswordHasher(time_cost=passes, memory_cost=kib, parallelism=1)


@cache
def _nobody(passes: int, kib: int) -> str:
    """A hash that no account has, which costs as much to check; made once in a process."""
    return _hasher(passes, kib).hash("nobody's password")


class Passwords:
    """Hashes and checks passwords in a few threads; what waits is counted and bounded."""

    def __init__(self, *, threads: int = HASHING_THREADS, most_waiting: int = MOST_WAITING) -> None:
        self._hasher = _hasher(ARGON2_PASSES, ARGON2_KIB)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="password")
        self._most = threads + most_waiting
        self._pending = 0
        self._nobody = _nobody(ARGON2_PASSES, ARGON2_KIB)

    @property
    def pending(self) -> int:
        """Passwords that are being hashed or wait for it."""
        return self._pending

    async def hash(self, password: str, name: str = "") -> str:
        """Hash a new password of an account. Raises `WeakPassword` and `Busy`."""
        return await self._hash(checked_password(password, name))

    async def check(self, known: str | None, password: str) -> tuple[bool, str | None]:
        """Compare a password with a hash; return whether it fits, and a new hash if it is due.

        For an account without a password, or no account, it takes as long, so that the time does
        not reveal which names exist. Raises `Busy`.
        """
        if len(password) > LONGEST_PASSWORD:
            return False, None
        normal = unicodedata.normalize("NFKC", password)
        fits = await self._run(normal, known or self._nobody)
        if known is None or not fits:
            return False, None
        due = self._hasher.check_needs_rehash(known)  # one that would be too common now stays
        return True, await self._hash(normal) if due else None

    def close(self) -> None:
        """Stop the threads after what they are doing."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _hash(self, normal: str) -> str:
        done = await self._run(normal, None)
        assert isinstance(done, str)
        return done

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


# Random tokens and session keys.
#
# They have 256 random bits, so one fast hash protects them: there is no list of likely ones to try,
# which is what a slow hash is for.


TOKEN_PREFIX: Final = "railbird_"
"""Beginning of every token, by which scanners find one that was published by mistake."""


def random_token() -> str:
    """Return a random token."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def fast_hash(secret: str) -> str:
    """Return the hash under which a random secret is stored, 64 hexadecimal digits."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
