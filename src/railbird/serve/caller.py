"""Callers of the HTTP interface: who calls, whether it is allowed, the request and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final

from fastapi import Depends, Header, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from railbird.errors import BadInput
from railbird.serve.log_ins import LogIns
from railbird.serve.session import Caller, Visitor
from railbird.storage import accounts as keys
from railbird.storage.accounts import Account, AccountKind
from railbird.storage.directory import Directory
from railbird.storage.puzzles import Owner
from railbird.storage.settings import LONGEST_NAME, LONGEST_PASSWORD, SHORTEST_PASSWORD

# What the HTTP interface takes, strictly, and what it answers.


NAME_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
"""Of accounts; `railbird.storage.accounts.NAME_ALLOWED` says it in words."""
Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_NAME,
        pattern=NAME_PATTERN,
        examples=["ann"],
    ),
]
NewPassword = Annotated[
    str,
    Field(
        min_length=SHORTEST_PASSWORD,
        max_length=LONGEST_PASSWORD,
        examples=["correct horse battery"],
    ),
]
Password = Annotated[str, Field(max_length=LONGEST_PASSWORD)]
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]


class Taken(BaseModel):
    """A body that is taken, without unknown fields."""

    model_config = ConfigDict(extra="forbid")


class SignUpBody(Taken):
    """A new account of a person."""

    name: Name
    password: NewPassword


class LogInBody(Taken):
    """A name and a password."""

    name: Name
    password: Password


class PasswordBody(Taken):
    """A change of password."""

    old: Password
    new: NewPassword


class DeletionBody(Taken):
    """The password once more, since deletion cannot be undone."""

    password: Password


class BotBody(Taken):
    """A new bot."""

    name: Name


class TokenBody(Taken):
    """A new token."""

    label: Annotated[str, Field(max_length=LONGEST_NAME, pattern=r"^[ -~]*$")] = ""


class AccountAnswer(BaseModel):
    """An account as everybody may see it."""

    name: str
    kind: str
    owner: str | None
    created_at: datetime


class SessionAnswer(BaseModel):
    """The account of this browser, and the token that changes must bring as ``X-CSRF-Token``."""

    account: AccountAnswer | None
    csrf_token: str


class TokenAnswer(BaseModel):
    """A token without its text."""

    id: int
    label: str
    created_at: datetime


class NewTokenAnswer(TokenAnswer):
    """A new token with its text, which is never shown again."""

    token: str


class RatingAnswer(BaseModel):
    """A place in a ladder."""

    player: str
    kind: str
    mean: float
    deviation: float
    low: float
    high: float
    provisional: bool
    tournaments: int


class EntryAnswer(BaseModel):
    """A player's part in a tournament."""

    player: str
    kind: str
    place: int | None
    prize: float
    fee: float
    hands: int
    service: dict[str, Any]


class ResultAnswer(BaseModel):
    """How a tournament ended."""

    tournament: str
    ladder: str
    rated: bool
    void: str | None
    started_at: datetime
    finished_at: datetime
    entries: list[EntryAnswer]
    details: dict[str, Any]


class Problem(BaseModel):
    """Why a request was refused, in one sentence."""

    problem: str


# Settings of the HTTP interface.


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiSettings:
    """Settings of the HTTP interface."""

    most_results: int = 100
    """Results in one answer."""


# The caller.


SESSION_FIELD = "account"
"""Field of the signed cookie with the random key of a logged-in browser."""

GUEST_FIELD = "guest"
"""Field of the signed cookie with the name of somebody who practises without an account."""

GUEST = "guest~"
"""Beginning of guests' names, which no account can have."""

DEVICES_FIELD = "devices"
"""Field of the signed cookie with a secret for each name that has logged in from this browser, and
which stays when it logs out: guesses made elsewhere do not lock its owner out here."""


@dataclass(frozen=True, slots=True)
class ApiState:
    """What the interface keeps while the server runs."""

    settings: ApiSettings


def directory_of(request: HTTPConnection) -> Directory:
    """Return the server's accounts."""
    directory = request.app.state.directory
    assert isinstance(directory, Directory)
    return directory


def state_of(request: Request) -> ApiState:
    """Return the interface's state."""
    state = request.app.state.api
    assert isinstance(state, ApiState)
    return state


def log_ins_of(request: HTTPConnection) -> LogIns:
    """Return the ways in, whose limits all doors share."""
    log_ins = request.app.state.log_ins
    assert isinstance(log_ins, LogIns)
    return log_ins


def caller_address(request: HTTPConnection) -> str:
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


def guest_of(request: HTTPConnection) -> str | None:
    """Return the name under which this browser practises without an account."""
    name = request.session.get(GUEST_FIELD)
    return name if isinstance(name, str) and name.startswith(GUEST) else None


async def puzzle_owner(request: HTTPConnection, visitor: Visitor) -> Owner:
    """Return whose puzzles and decisions are kept: the account's, else the browser's."""
    account = await account_of(request)
    if account is not None:
        return Owner(account.id, "")
    return Owner(None, visitor.player or visitor.become())


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
    from railbird.storage import accounts

    bot = await directory_of(request).read(accounts.find_account, name)
    if bot is None or bot.kind is not AccountKind.BOT or bot.owner != owner.name:
        raise HTTPException(404, "You have no such bot.")
    return bot


def refused(problem: BadInput, status: int) -> HTTPException:
    """Return the answer to a request that cannot be done."""
    text = str(problem)
    return HTTPException(status, text[:1].upper() + text[1:] + ".")


SignedIn = Annotated[Account, Depends(signed_in)]
MayChange = Annotated[Account, Depends(may_change)]
Accounts = Annotated[Directory, Depends(directory_of)]
WaysIn = Annotated[LogIns, Depends(log_ins_of)]
Kept = Annotated[ApiState, Depends(state_of)]

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
