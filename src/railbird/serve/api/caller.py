"""Who calls, and whether the caller may."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Header, Request
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from railbird.errors import BadInput
from railbird.serve.api.settings import ApiSettings
from railbird.serve.rate_limits import TokenBuckets
from railbird.serve.session import Caller
from railbird.storage.accounts import Account, Directory, Kind, keys

SESSION_FIELD = "account"
"""Field of the signed cookie with the random key of a logged-in browser."""


class Limits:
    """Rates of what is worth guessing or flooding."""

    def __init__(self, settings: ApiSettings) -> None:
        self.log_ins = TokenBuckets(
            per_second=settings.log_ins_per_address / 600, burst=settings.log_ins_per_address
        )
        self.failures = TokenBuckets(
            per_second=settings.failures_per_account / 600, burst=settings.failures_per_account
        )
        self.sign_ups = TokenBuckets(
            per_second=settings.sign_ups_per_address / 3600, burst=settings.sign_ups_per_address
        )


@dataclass(frozen=True, slots=True)
class State:
    """What the interface keeps while the server runs."""

    settings: ApiSettings
    limits: Limits


def directory_of(request: HTTPConnection) -> Directory:
    """Return the server's accounts."""
    directory = request.app.state.directory
    assert isinstance(directory, Directory)
    return directory


def state_of(request: Request) -> State:
    """Return the interface's state."""
    state = request.app.state.api
    assert isinstance(state, State)
    return state


def address_of(request: HTTPConnection) -> str:
    """Return the address that a request came from."""
    return request.client.host if request.client else ""


async def signed_in(request: Request, visitor: Caller) -> Account:
    """Return the account of this browser; refuse one that has not logged in."""
    account = await account_of(request)
    if account is None:
        raise HTTPException(401, "Log in first.")
    return account


async def account_of(request: HTTPConnection) -> Account | None:
    """Return the account of this browser, if it has logged in."""
    key = request.session.get(SESSION_FIELD)
    if not isinstance(key, str):
        return None
    return await directory_of(request).read(keys.by_session, key)


async def may_change(
    request: Request,
    visitor: Caller,
    x_csrf_token: Annotated[str, Header(max_length=100)] = "",
) -> Account:
    """Return the account of this browser, which has sent the token of its session back."""
    account = await signed_in(request, visitor)
    visitor.check(x_csrf_token)
    return account


async def own_bot(request: Request, owner: Account, name: str) -> Account:
    """Return a bot of this account; refuse others, as if there were none."""
    from railbird.storage.accounts import accounts

    bot = await directory_of(request).read(accounts.find, name)
    if bot is None or bot.kind is not Kind.BOT or bot.owner != owner.name:
        raise HTTPException(404, "You have no such bot.")
    return bot


def refused(problem: BadInput, status: int) -> HTTPException:
    """Return the answer to a request that cannot be done."""
    text = str(problem)
    return HTTPException(status, text[:1].upper() + text[1:] + ".")


SignedIn = Annotated[Account, Depends(signed_in)]
MayChange = Annotated[Account, Depends(may_change)]
Accounts = Annotated[Directory, Depends(directory_of)]
Kept = Annotated[State, Depends(state_of)]

PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {
        "description": why,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for code, why in {
        400: "Not a request of this interface",
        401: "Not logged in, or wrong credentials",
        403: "Forbidden, or sent from another site",
        404: "Nothing there",
        409: "The name is taken",
        413: "The body is too long",
        422: "A value that is not allowed",
        429: "Too many requests",
        503: "Busy; try again in some seconds",
    }.items()
}
