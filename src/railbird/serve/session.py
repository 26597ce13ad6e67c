"""Who asks: a signed cookie that holds two random numbers, the player's and the forms' token."""

from __future__ import annotations

import hmac
import secrets
from typing import Annotated

from fastapi import Depends, Request
from starlette.exceptions import HTTPException


class Visitor:
    """The visitor's session; there is no account, and no card is ever in it."""

    def __init__(self, request: Request) -> None:
        self._session = request.session

    @property
    def player(self) -> str | None:
        """The token of the player, None before the first hand."""
        token = self._session.get("player")
        return token if isinstance(token, str) else None

    def become(self) -> str:
        """Make a player's token."""
        token = secrets.token_hex(16)
        self._session["player"] = token
        return token

    @property
    def form_token(self) -> str:
        """What every form must send back."""
        token = self._session.get("form")
        if not isinstance(token, str):
            token = self._session["form"] = secrets.token_urlsafe(24)
        return token

    def check(self, sent: str) -> None:
        """Refuse a form that our page has not made, with status 403."""
        known = self._session.get("form")
        if not isinstance(known, str) or not hmac.compare_digest(known.encode(), sent.encode()):
            raise HTTPException(403, "This form is too old: reload the page.")


Caller = Annotated[Visitor, Depends(Visitor)]
