"""Forms for accounts: the HTTP interface's own operations, for people."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from railbird.serve import pages
from railbird.serve.api import accounts
from railbird.serve.api.caller import Accounts, Kept, account_of, signed_in
from railbird.serve.api.models import LogInBody, PasswordBody, SignUpBody
from railbird.serve.session import Caller, Visitor
from railbird.serve.table.people import People
from railbird.storage.settings import LONGEST_NAME, LONGEST_PASSWORD, SHORTEST_PASSWORD

HOME = "/account"
router = APIRouter(prefix=HOME, include_in_schema=False)

_AFTER_LOG_IN = "/play"
_LOCAL = re.compile(r"/[A-Za-z0-9_.-][A-Za-z0-9_./-]*")

Text = Annotated[str, Field(max_length=LONGEST_PASSWORD)]


class CredentialsForm(BaseModel):
    """A name and a password."""

    model_config = ConfigDict(extra="forbid")

    token: Annotated[str, Field(max_length=64)]
    name: Annotated[str, Field(max_length=2 * LONGEST_NAME)] = ""
    password: Text = ""
    next: Annotated[str, Field(max_length=200)] = ""


class PasswordForm(BaseModel):
    """A change of password."""

    model_config = ConfigDict(extra="forbid")

    token: Annotated[str, Field(max_length=64)]
    old: Text = ""
    new: Text = ""


class TokenForm(BaseModel):
    """Only the token of the session."""

    model_config = ConfigDict(extra="forbid")

    token: Annotated[str, Field(max_length=64)]


@router.get("")
async def show(request: Request, visitor: Caller, next: str = "", said: str = "") -> Response:  # noqa: A002
    """Show the account of this browser, or the forms to log in and sign up."""
    words = {"password": "The password is changed. Please log in with the new one."}
    return await _page(request, visitor, next=next, said=words.get(said, ""))


@router.post("/log-out")
async def log_out(
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
async def change_password(
    form: Annotated[PasswordForm, Form()],
    request: Request,
    visitor: Caller,
    directory: Accounts,
    kept: Kept,
) -> Response:
    """Change the password, which logs every browser out."""
    visitor.check(form.token)
    account = await signed_in(request, visitor)
    try:
        body = PasswordBody(old=form.old, new=form.new)
        await accounts.change_password(body, request, account, directory, kept)
    except (HTTPException, ValidationError) as problem:
        return await _page(request, visitor, problem=problem, which="password")
    return RedirectResponse(f"{HOME}?said=password", 303)


@router.post("/{way}")
async def enter(
    way: Literal["log-in", "sign-up"],
    form: Annotated[CredentialsForm, Form()],
    request: Request,
    visitor: Caller,
    directory: Accounts,
    kept: Kept,
) -> Response:
    """Log in, or create an account and log in, and go on where that was asked for."""
    visitor.check(form.token)
    credentials = {"name": form.name, "password": form.password}
    try:
        if way == "log-in":
            body = LogInBody.model_validate(credentials)
            await accounts.log_in(body, request, visitor, directory, kept)
        else:
            new = SignUpBody.model_validate(credentials)
            await accounts.sign_up(new, request, visitor, directory, kept)
    except (HTTPException, ValidationError) as problem:
        return await _page(request, visitor, problem=problem, form=form, which=way)
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
    which: str = "",
    next: str = "",  # noqa: A002
    said: str = "",
) -> Response:
    status = problem.status_code if isinstance(problem, HTTPException) else 422
    wanted = form.next if form is not None else next
    return pages.page(
        "account/page.html.jinja",
        status=200 if problem is None else status,
        account=await account_of(request),
        token=visitor.form_token,
        problem="" if problem is None else _why(problem),
        name="" if form is None else form.name,
        which=which,
        next=wanted if _LOCAL.fullmatch(wanted) else "",
        said=said,
        shortest=SHORTEST_PASSWORD,
        longest=LONGEST_PASSWORD,
        longest_name=LONGEST_NAME,
    )
