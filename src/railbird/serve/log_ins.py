"""Log-ins and sign-ups over HTTP, TCP and WebSocket, with one rate limit for all.

`railbird.storage.directory.Directory` counts guesses at one name's password, whichever way they
come; this module limits what one address may do.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

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


@dataclass(slots=True)
class _Undecided:
    """Log-ins of a network that are looked at now, and those that wait for their outcome."""

    count: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class LogIns:
    """The accounts of a server, for those who come from some address.

    The failure that a log-in may turn out to be is counted before it is looked at, and given back
    if it is none. So any number at once fail no more often than one after the other. Where none is
    left, but some may be given back, a log-in waits.
    """

    def __init__(self, directory: Directory, settings: LogInSettings | None = None) -> None:
        chosen = settings or LogInSettings()
        self.directory = directory
        self.attempts = _buckets(chosen.log_ins_per_address, _TEN_MINUTES)
        self.failures = _buckets(chosen.failures_per_address, _TEN_MINUTES)
        self.sign_ups = _buckets(chosen.sign_ups_per_address, _HOUR)
        self._undecided: dict[str, _Undecided] = {}

    async def by_password(
        self, name: str, password: str, address: str, *, device: str = ""
    ) -> Account:
        """Log in by name and password; see `Directory.log_in`. Raises `TooMany` as well."""
        async with self._attempt(address):
            return await self.directory.log_in(name, password, device=device)

    async def by_token(self, token: str, address: str) -> Account:
        """Log in by a token; see `Directory.log_in_by_token`. Raises `TooMany` as well."""
        async with self._attempt(address):
            return await self.directory.log_in_by_token(token)

    async def sign_up(self, name: str, password: str, address: str) -> Account:
        """Create an account; see `Directory.sign_up`. Raises `TooMany` as well."""
        async with self._attempt(address):
            if not self.sign_ups.take(network_of(address)):
                raise TooMany("too many new accounts from this address; try again later")
            return await self.directory.sign_up(name, password)

    @asynccontextmanager
    async def _attempt(self, address: str) -> AsyncIterator[None]:
        network = network_of(address)
        await self._reserve(network)
        is_failure = False
        try:
            if not self.attempts.take(network):
                raise TooMany(_TOO_MANY)
            yield
        except LogInRefused as problem:
            is_failure = not problem.fits
            raise
        finally:
            self._decided(network, is_failure=is_failure)

    async def _reserve(self, network: str) -> None:
        """Count a failure beforehand. Raises `TooMany` once no undecided one may be given back."""
        while not self.failures.take(network):
            if network not in self._undecided:
                raise TooMany(_TOO_MANY)
            turn = asyncio.get_running_loop().create_future()
            self._undecided[network].waiting.append(turn)
            await turn
        self._undecided.setdefault(network, _Undecided()).count += 1

    def _decided(self, network: str, *, is_failure: bool) -> None:
        undecided = self._undecided[network]
        undecided.count -= 1
        if not is_failure:
            self.failures.give_back(network)
        if not undecided.count:
            del self._undecided[network]
        elif is_failure:
            return
        waiting = undecided.waiting
        while waiting:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                if undecided.count:  # the others wait for what is still undecided
                    break


_TOO_MANY = "too many log-ins; try again in some minutes"


def _buckets(burst: float, seconds: float) -> TokenBuckets:
    return TokenBuckets(per_second=burst / seconds, burst=burst)
