"""Log-ins and sign-ups of all doors, HTTP, TCP and WebSocket: their rates are one.

Guesses at one name's password are counted by `railbird.storage.directory.Directory`, whatever way
they come; here is what one address may do.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from railbird._token_buckets import TokenBuckets
from railbird.errors import BadInput
from railbird.serve.middleware import network_of
from railbird.storage.accounts import Account
from railbird.storage.directory import Directory, LogInRefused

_TEN_MINUTES, _HOUR = 600, 3600


class TooMany(BadInput):
    """More log-ins or sign-ups than one address may try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogInSettings:
    """What one address, or one /64 of IPv6, may do by all doors together."""

    log_ins_per_address: float = 2000.0
    """Log-ins at once; they refill in ten minutes. A class of students is behind one router."""
    failures_per_address: float = 100.0
    """Refused log-ins at once; they refill in ten minutes."""
    sign_ups_per_address: float = 10.0
    """New accounts at once; they refill in an hour."""


class LogIns:
    """The accounts of a server, for those who come from some address."""

    def __init__(self, directory: Directory, settings: LogInSettings | None = None) -> None:
        chosen = settings or LogInSettings()
        self.directory = directory
        self.attempts = _buckets(chosen.log_ins_per_address, _TEN_MINUTES)
        self.failures = _buckets(chosen.failures_per_address, _TEN_MINUTES)
        self.sign_ups = _buckets(chosen.sign_ups_per_address, _HOUR)

    async def by_password(
        self, name: str, password: str, address: str, *, device: str = ""
    ) -> Account:
        """Log in by name and password; see `Directory.log_in`. Raises `TooMany` as well."""
        with self._attempt(address):
            return await self.directory.log_in(name, password, device=device)

    async def by_token(self, token: str, address: str) -> Account:
        """Log in by a token; see `Directory.log_in_by_token`. Raises `TooMany` as well."""
        with self._attempt(address):
            return await self.directory.log_in_by_token(token)

    async def sign_up(self, name: str, password: str, address: str) -> Account:
        """Create an account; see `Directory.sign_up`. Raises `TooMany` as well."""
        with self._attempt(address):
            if not self.sign_ups.take(network_of(address)):
                raise TooMany("too many new accounts from this address; try again later")
            return await self.directory.sign_up(name, password)

    @contextmanager
    def _attempt(self, address: str) -> Iterator[None]:
        network = network_of(address)
        if self.failures.left(network) < 1 or not self.attempts.take(network):
            raise TooMany("too many log-ins; try again in some minutes")
        try:
            yield
        except LogInRefused as problem:
            if not problem.fits:
                self.failures.take(network)
            raise


def _buckets(burst: float, seconds: float) -> TokenBuckets:
    return TokenBuckets(per_second=burst / seconds, burst=burst)
