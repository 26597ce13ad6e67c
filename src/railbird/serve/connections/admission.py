"""Log-ins: from the credentials of a hello to an identity, at rates that hinder guessing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from railbird.errors import BadInput
from railbird.protocol import ErrorCode, Identity, PlayerKind
from railbird.protocol.messages.client import Hello, PasswordLogIn, SignUp, TokenLogIn
from railbird.serve.connections.settings import ConnectionSettings
from railbird.serve.rate_limits import TokenBuckets
from railbird.storage.accounts import (
    Account,
    Banned,
    Busy,
    Directory,
    Kind,
    LogInRefused,
    NameTaken,
    WeakPassword,
    offences,
)

_LOG = logging.getLogger(__name__)

Credentials = PasswordLogIn | TokenLogIn | SignUp


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why somebody may not log in."""

    code: ErrorCode
    text: str


class Admission:
    """Checks hellos. One for all ways in, so that their limits are one."""

    def __init__(self, directory: Directory, settings: ConnectionSettings) -> None:
        self._directory = directory
        ten_minutes, hour = 600, 3600
        self._log_ins = _buckets(settings.log_ins_per_address, ten_minutes)
        self._by_account = _buckets(settings.failures_per_account, ten_minutes)
        self._by_address = _buckets(settings.failures_per_address, ten_minutes)
        self._sign_ups = _buckets(settings.sign_ups_per_address, hour)
        self._floods: dict[str, asyncio.Task[None]] = {}
        """Floods by account that are being noted."""
        self._most_floods = settings.floods
        self._flood_time = timedelta(seconds=settings.flood_s)

    async def check(
        self, hello: Hello, address: str, *, waits: Callable[[int], None] | None = None
    ) -> Identity | Refusal:
        """Return who says hello from an address, or why it is refused.

        ``waits`` is told how many log-ins come before this one, where any do.
        """
        credentials = hello.log_in
        if not self._may_try(credentials, address):
            text = "too many log-ins; try again in some minutes"
            return Refusal(ErrorCode.RATE_LIMITED, text)
        if not isinstance(credentials, TokenLogIn):
            before = self._directory.passwords.pending
            if before and waits is not None:
                waits(before)
        try:
            account = await self._account(credentials)
            if (noting := self._floods.get(account.name)) is not None:
                await asyncio.wait([noting])  # it may be the one for which it is banned
                account = await self._account(credentials)
        except (BadInput, Busy) as problem:
            code = _code(problem)
            if code is ErrorCode.LOG_IN_REFUSED:
                self._by_address.take(address)
                if isinstance(credentials, PasswordLogIn):
                    self._by_account.take(credentials.name.lower())
            return Refusal(code, str(problem))
        return identity_of(account, hello.version or "")

    def note_flood(self, name: str) -> None:
        """Note that an account has flooded; who does so again and again is banned for a while."""

        def done(_: object) -> None:
            if self._floods.get(name) is task:
                del self._floods[name]

        task = self._floods[name] = asyncio.create_task(self._note_flood(name))
        task.add_done_callback(done)

    async def _note_flood(self, name: str) -> None:
        try:
            await self._directory.write(
                offences.note_flood, name, most=self._most_floods, within=self._flood_time
            )
        except Busy:
            pass  # nobody logs in meanwhile either
        except Exception:
            _LOG.exception("a flood of %s cannot be noted", name)

    def _may_try(self, credentials: Credentials, address: str) -> bool:
        if self._by_address.left(address) < 1 or not self._log_ins.take(address):
            return False
        match credentials:
            case PasswordLogIn(name=name):
                return self._by_account.left(name.lower()) >= 1
            case SignUp():
                return self._sign_ups.take(address)
            case TokenLogIn():
                return True

    async def _account(self, credentials: Credentials) -> Account:
        match credentials:
            case TokenLogIn(token=token):
                return await self._directory.log_in_by_token(token)
            case PasswordLogIn(name=name, password=password):
                return await self._directory.log_in(name, password)
            case SignUp(name=name, password=password):
                return await self._directory.sign_up(name, password)


def identity_of(account: Account, version: str = "") -> Identity:
    """Return an account as everybody at a table knows it; only bots have a version."""
    kind = PlayerKind(account.kind.value)
    if account.kind is not Kind.BOT:
        version = ""
    return Identity(account.name, kind, version=version, owner=account.owner or "")


def _code(problem: Exception) -> ErrorCode:
    match problem:
        case Busy():
            return ErrorCode.BUSY
        case Banned():
            return ErrorCode.BANNED
        case NameTaken():
            return ErrorCode.NAME_TAKEN
        case WeakPassword():
            return ErrorCode.BAD_PASSWORD
        case LogInRefused():
            return ErrorCode.LOG_IN_REFUSED
        case _:
            return ErrorCode.MALFORMED


def _buckets(burst: float, seconds: float) -> TokenBuckets:
    return TokenBuckets(per_second=burst / seconds, burst=burst)
