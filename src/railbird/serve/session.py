"""The visitor's session: a cookie with two random tokens, and the key that signs it."""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import stat
from pathlib import Path
from typing import Annotated

from fastapi import Depends
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from railbird.errors import BadInput, DamagedFile


class Visitor:
    """The session of a visitor. There are no accounts, and no card is ever stored in it."""

    def __init__(self, request: HTTPConnection) -> None:
        self._session = request.session

    @property
    def player(self) -> str | None:
        """Token of the player; None before the first hand."""
        token = self._session.get("player")
        return token if isinstance(token, str) else None

    def become(self) -> str:
        """Create a player's token."""
        token = secrets.token_hex(16)
        self._session["player"] = token
        return token

    @property
    def form_token(self) -> str:
        """Token that every form must send back."""
        token = self._session.get("form")
        if not isinstance(token, str):
            token = self._session["form"] = secrets.token_urlsafe(24)
        return token

    def check(self, sent: str) -> None:
        """Refuse, with status 403, a form that does not come from our page."""
        known = self._session.get("form")
        if not isinstance(known, str) or not hmac.compare_digest(known.encode(), sent.encode()):
            raise HTTPException(403, "This form is out of date. Please reload the page.")


Caller = Annotated[Visitor, Depends(Visitor)]


# The key that signs cookies, in a file that only its owner can read.


_BYTES = 32


def signing_key(path: Path) -> str:
    """Read the key in a file, or create the file (mode 0600) with a new key.

    Servers that start at the same time end up with the same key. Raises `railbird.errors.BadInput`
    if others may read the file, and `railbird.errors.DamagedFile` if it holds no key.
    """
    if not path.exists():
        _create(path)
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise BadInput(f"{path}: others may read this key; allowed: mode 0600 (chmod 600)")
    key = path.read_text(encoding="ascii", errors="replace").strip()
    if len(key) < 2 * _BYTES:
        raise DamagedFile(f"{path}: shorter than a key; remove the file for a new one")
    return key


def _create(path: Path) -> None:
    """Write a temporary file and link it to the name, which fails if that exists by now."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(_BYTES) + "\n")
        with contextlib.suppress(FileExistsError):
            os.link(beside, path)
    finally:
        beside.unlink()


class TokenForm(BaseModel):
    """A form of a page: the `form_token` of its session, and nothing that the form does not say."""

    model_config = ConfigDict(extra="forbid")

    token: Annotated[str, Field(max_length=64)]
