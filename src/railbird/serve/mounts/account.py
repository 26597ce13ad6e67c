"""Accounts in the browser as a mount of the web application."""

from __future__ import annotations

import re
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from pydantic import Field, ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from railbird.serve import pages
from railbird.serve.caller import (
    Accounts,
    LogInBody,
    PasswordBody,
    SignUpBody,
    WaysIn,
    account_of,
    signed_in,
)
from railbird.serve.mounts import Mount
from railbird.serve.mounts import api as accounts
from railbird.serve.person import People
from railbird.serve.session import Caller, TokenForm, Visitor
from railbird.storage import opponents
from railbird.storage import results as stored
from railbird.storage.settings import LONGEST_NAME, LONGEST_PASSWORD, SHORTEST_PASSWORD
from railbird.tournament import Series, series_by_opponent

# Forms for accounts: the HTTP interface's own operations, for people.


HOME = "/account"
router = APIRouter(prefix=HOME, include_in_schema=False)

_AFTER_LOG_IN = "/play"
_MOST_RESULTS = 1_000
"""Number of latest tournaments from which series are shown."""
_LOCAL = re.compile(r"/[A-Za-z0-9_.-][A-Za-z0-9_./-]*")

Text = Annotated[str, Field(max_length=LONGEST_PASSWORD)]


class CredentialsForm(TokenForm):
    """A name and a password."""

    name: Annotated[str, Field(max_length=2 * LONGEST_NAME)] = ""
    password: Text = ""
    next: Annotated[str, Field(max_length=200)] = ""


class PasswordForm(TokenForm):
    """A change of password."""

    old: Text = ""
    new: Text = ""


@router.get("")
async def show_account(
    request: Request,
    visitor: Caller,
    next: str = "",  # noqa: A002
    said: str = "",
) -> Response:
    """Show the account of this browser, or the forms to log in and sign up."""
    words = {
        "password": "The password is changed. Please log in with the new one.",
        "forgotten": "House players have forgotten you.",
    }
    return await _page(request, visitor, next=next, notice=words.get(said, ""))


@router.post("/log-out")
async def log_out_browser(
    form: Annotated[TokenForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Log this browser out; its seat stays, away."""
    visitor.check(form.token)
    account = await signed_in(request, visitor)
    await accounts.log_out(request, account, directory)
    people = getattr(request.app.state, "table", None)
    if isinstance(people, People):
        people.forget(account.name)
    return RedirectResponse(HOME, 303)


@router.post("/password")
async def change_own_password(
    form: Annotated[PasswordForm, Form()],
    request: Request,
    visitor: Caller,
    log_ins: WaysIn,
) -> Response:
    """Change the password, which logs every browser out."""
    visitor.check(form.token)
    account = await signed_in(request, visitor)
    try:
        body = PasswordBody(old=form.old, new=form.new)
        await accounts.change_password(body, request, account, log_ins)
    except (HTTPException, ValidationError) as problem:
        return await _page(request, visitor, problem=problem, form_name="password")
    return RedirectResponse(f"{HOME}?said=password", 303)


@router.post("/forget")
async def forget_account_memory(
    form: Annotated[TokenForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Delete what house players remember of this account."""
    visitor.check(form.token)
    account = await signed_in(request, visitor)
    await directory.write(opponents.forget_opponent, account.name)
    return RedirectResponse(f"{HOME}?said=forgotten", 303)


@router.post("/{way}")
async def enter_account(
    way: Literal["log-in", "sign-up"],
    form: Annotated[CredentialsForm, Form()],
    request: Request,
    visitor: Caller,
    log_ins: WaysIn,
) -> Response:
    """Log in, or create an account and log in, and go on where that was asked for."""
    visitor.check(form.token)
    credentials = {"name": form.name, "password": form.password}
    try:
        if way == "log-in":
            body = LogInBody.model_validate(credentials)
            await accounts.log_in(body, request, visitor, log_ins)
        else:
            new = SignUpBody.model_validate(credentials)
            await accounts.sign_up(new, request, visitor, log_ins)
    except (HTTPException, ValidationError) as problem:
        return await _page(request, visitor, problem=problem, form=form, form_name=way)
    return RedirectResponse(_local(form.next), 303)


def _local(path: str) -> str:
    """Return where to go on, which is never another site."""
    return path if _LOCAL.fullmatch(path) else _AFTER_LOG_IN


def _why(problem: Exception) -> str:
    if isinstance(problem, HTTPException):
        return problem.detail
    assert isinstance(problem, ValidationError)
    field = str(problem.errors()[0]["loc"][-1])
    if field == "name":
        return (
            f"A name has 1 to {LONGEST_NAME} letters, digits, dots, dashes and underscores,"
            " and begins with a letter or a digit."
        )
    return f"A password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters."


async def _page(
    request: Request,
    visitor: Visitor,
    *,
    problem: Exception | None = None,
    form: CredentialsForm | None = None,
    form_name: str = "",
    next: str = "",  # noqa: A002
    notice: str = "",
) -> Response:
    status = problem.status_code if isinstance(problem, HTTPException) else 422
    wanted = form.next if form is not None else next
    account = await account_of(request)
    return pages.page_response(
        "account/page.html.jinja",
        status=200 if problem is None else status,
        account=account,
        series=[] if account is None else await _series(request, account.name),
        rememberers=[] if account is None else await _rememberers(request, account.name),
        token=visitor.form_token,
        problem="" if problem is None else _why(problem),
        name="" if form is None else form.name,
        which=form_name,
        next=wanted if _LOCAL.fullmatch(wanted) else "",
        said=notice,
        shortest=SHORTEST_PASSWORD,
        longest=LONGEST_PASSWORD,
        longest_name=LONGEST_NAME,
    )


async def _series(request: Request, name: str) -> list[Series]:
    """Return an account's tournaments for two, by opponent."""
    read = request.app.state.directory.read
    return series_by_opponent(
        await read(partial(stored.results, name=name, most=_MOST_RESULTS)), name
    )


async def _rememberers(request: Request, name: str) -> list[str]:
    """Return the names of the players who remember somebody."""
    read = request.app.state.directory.read
    return [str(observer) for observer in await read(partial(opponents.observer_names, name=name))]


def mount() -> Mount:
    """Return the pages."""
    return Mount(name="account", title="Account", path=HOME, rank=200, router=router)
