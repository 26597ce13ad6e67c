"""The visitor's session: a signed cookie with two random tokens, the player's and the forms'."""

from __future__ import annotations

import hmac
import secrets
from typing import Annotated

from fastapi import Depends
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection


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
