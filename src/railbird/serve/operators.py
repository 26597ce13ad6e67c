"""Operators of a server: accounts with a second factor, and the record of what they did.

An account becomes an operator with the token from the operator's file, which only the person who
runs the server can read. From then on, each visit needs the code of an authenticator (TOTP, RFC
6238). Secrets and the record are files next to the journals.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from railbird._files import atomic_write
from railbird._token_buckets import TokenBuckets
from railbird.errors import DamagedFile

STEP_S: Final = 30
"""Seconds for which a code holds."""
DIGITS: Final = 6
VISIT_S: Final = 1800.0
"""Seconds after a code for which its browser may operate."""
TRIES: Final = 5.0
"""Codes that an account may try at once; they refill in five minutes."""
SHOWN_ACTS: Final = 50
"""Lines of the record that a page shows."""


def code_at(secret: bytes, seconds: float) -> str:
    """Return the code of a secret at a moment of Unix time (RFC 6238, with HMAC-SHA-1)."""
    return _code(secret, int(seconds) // STEP_S)


def _code(secret: bytes, step: int) -> str:
    digest = hmac.digest(secret, struct.pack(">Q", step), hashlib.sha1)
    start = digest[-1] & 15
    number = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}d}"


@dataclass(frozen=True, slots=True)
class Enrolment:
    """A secret that an account is given, until its first code shows that it has been kept."""

    account: int
    secret: bytes

    @property
    def text(self) -> str:
        """The secret as authenticators take it, in groups of four."""
        plain = base64.b32encode(self.secret).decode()
        return " ".join(plain[at : at + 4] for at in range(0, len(plain), 4))

    def address(self, name: str) -> str:
        """Return the address that passes the secret to an authenticator on this device."""
        plain = base64.b32encode(self.secret).decode()
        return f"otpauth://totp/Railbird:{quote(name)}?secret={plain}&issuer=Railbird"


class Operators:
    """The operators of a server, by the numbers of their accounts.

    Raises `DamagedFile` for a file of secrets that cannot be read.
    """

    def __init__(self, folder: Path, *, now: Callable[[], float] = time.time) -> None:
        self._secrets_path = folder / "operators.json"
        self._record_path = folder / "operators.log"
        self._now = now
        self._used: dict[int, int] = {}
        """The last step whose code was taken, by account: no code is taken twice."""
        self._enrolling: dict[int, Enrolment] = {}
        self._tries = TokenBuckets(per_second=TRIES / 300, burst=TRIES)
        self._visits: dict[tuple[int, str], float] = {}
        """When the visits of browsers end, by account and log-in."""
        self._news: dict[tuple[int, str], str] = {}
        """What a browser is to be told on its next page, by account and log-in."""
        self._secrets: dict[int, bytes] = {}
        if self._secrets_path.exists():
            try:
                secrets_by_account = json.loads(self._secrets_path.read_text(encoding="utf-8"))
                self._secrets = {
                    int(account): bytes.fromhex(text)
                    for account, text in secrets_by_account.items()
                }
            except (OSError, ValueError, AttributeError, TypeError) as problem:
                raise DamagedFile(f"{self._secrets_path}: {problem}") from None

    def __contains__(self, account: int) -> bool:
        """Whether an account is an operator."""
        return account in self._secrets

    def enrol(self, account: int) -> Enrolment:
        """Return a new secret for an account, which takes effect with its first code."""
        enrolment = self._enrolling[account] = Enrolment(account, secrets.token_bytes(20))
        return enrolment

    def expects_code(self, account: int) -> bool:
        """Whether an account has a secret, or was given one that no code has shown yet."""
        return account in self or account in self._enrolling

    def may_try(self, account: int) -> bool:
        """Count an attempt of an account; return whether it is one too many."""
        return self._tries.take(str(account))

    def takes(self, account: int, code: str) -> bool:
        """Return whether a code fits now, or did within the last step; each is taken once."""
        enrolment = self._enrolling.get(account)
        secret = self._secrets.get(account) if enrolment is None else enrolment.secret
        if secret is None:
            return False
        step = int(self._now()) // STEP_S
        fits = [
            candidate
            for candidate in (step - 1, step, step + 1)
            if hmac.compare_digest(_code(secret, candidate).encode(), code.encode())
        ]
        if not fits or fits[0] <= self._used.get(account, -1):
            return False
        self._used[account] = fits[0]
        if enrolment is not None:
            self._keep(account, secret)
            del self._enrolling[account]
        return True

    def begin_visit(self, account: int, log_in: str) -> None:
        """Let a browser operate for a while."""
        now = self._now()
        self._visits = {visit: end for visit, end in self._visits.items() if end > now}
        self._visits[account, log_in] = now + VISIT_S

    def end_visit(self, account: int, log_in: str) -> None:
        """Let a browser operate no longer."""
        self._visits.pop((account, log_in), None)
        self._news.pop((account, log_in), None)

    def tell(self, account: int, log_in: str, words: str) -> None:
        """Keep a sentence for a browser's next page."""
        self._news[account, log_in] = words

    def news(self, account: int, log_in: str) -> str:
        """Return what a browser is to be told, once."""
        return self._news.pop((account, log_in), "")

    def is_visiting(self, account: int, log_in: str) -> bool:
        """Return whether a browser has given a code a short while ago."""
        return account in self and self._visits.get((account, log_in), 0.0) > self._now()

    def note(self, operator: str, act: str, /, **what: object) -> None:
        """Write down what an operator did. Raises `OSError` where that cannot be kept."""
        line = json.dumps({**what, "at": round(self._now()), "operator": operator, "act": act})
        self._record_path.touch(mode=0o600)
        with self._record_path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def acts(self) -> list[dict[str, Any]]:
        """Return what operators did last, the latest first.

        What was refused says why, as ``refused``.
        """
        try:
            lines = self._record_path.read_text(encoding="utf-8").splitlines()[-SHOWN_ACTS:]
        except OSError:
            return []
        acts: list[dict[str, Any]] = []
        for line in lines:
            try:
                act = dict(json.loads(line))
            except (ValueError, TypeError):
                continue  # a torn line, after a disk that was full
            if "refused" not in act:
                acts.append(act)
            elif wanted := [before for before in acts if _is_same(before, act)]:
                wanted[-1]["refused"] = act["refused"]
        return acts[::-1]

    def _keep(self, account: int, secret: bytes) -> None:
        self._secrets[account] = secret
        with atomic_write(self._secrets_path) as part:
            part.touch(mode=0o600)  # before anything is in it
            secrets_by_account = {str(number): text.hex() for number, text in self._secrets.items()}
            part.write_text(json.dumps(secrets_by_account), encoding="utf-8")


def _is_same(wanted: dict[str, Any], refused: dict[str, Any]) -> bool:
    """Whether a line of the record says what another one says was refused."""
    return all(wanted.get(key) == refused.get(key) for key in ("operator", "act"))
