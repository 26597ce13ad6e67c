"""How a command logs in to a tournament server; no secret is ever an argument."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird.errors import BadInput

if TYPE_CHECKING:
    from railbird.protocol.messages.client import Credentials

TOKEN_VARIABLE: Final = "RAILBIRD_TOKEN"
PASSWORD_VARIABLE: Final = "RAILBIRD_PASSWORD"
_LONGEST_SECRET: Final = 1024


def address_of(text: str) -> tuple[str, int]:
    """Split ``HOST:PORT``. Raises `BadInput`."""
    from railbird.client.settings import PORT

    host, colon, port = text.rpartition(":")
    if not colon:
        host, port = text, str(PORT)
    if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise BadInput(f"address {text!r}; allowed: HOST:PORT, as in localhost:{PORT}")
    return host.strip("[]"), int(port)


def credentials_of(
    name: str | None,
    *,
    sign_up: bool = False,
    password_file: Path | None = None,
    token_file: Path | None = None,
) -> Credentials:
    """Return the log-in: a name's by password, else a bot's by token.

    Raises `BadInput` where neither is given.
    """
    from railbird.client.connection import password_log_in, token_log_in

    token = _secret(token_file) if token_file is not None else os.environ.get(TOKEN_VARIABLE)
    try:
        if name is not None:
            password = _password(name, password_file, confirm=sign_up)
            return _signing_up(name, password) if sign_up else password_log_in(name, password)
        if token and not sign_up:
            return token_log_in(token)
    except ValueError as problem:
        if isinstance(problem, BadInput):
            raise
        raise BadInput(
            f"account {name!r}; allowed: 1 to 32 letters, digits, . - and _, and a password"
            if name is not None
            else "the token is none: it has blanks, or characters that no token has"
        ) from None
    raise BadInput(f"no account; allowed: a token in {TOKEN_VARIABLE}, or --name")


def _signing_up(name: str, password: str) -> Credentials:
    from railbird.protocol.messages.client import SignUp

    return SignUp(by="sign_up", name=name, password=password)


def _password(name: str, file: Path | None, *, confirm: bool) -> str:
    if file is not None:
        return _secret(file)
    given = os.environ.get(PASSWORD_VARIABLE)
    if given:
        return given
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
