"""The operators' pages as a mount of the web application: `serve.admin`, for people."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, FastAPI, Form, Request
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from railbird.serve import admin, pages
from railbird.serve.admin import host_of
from railbird.serve.caller import SESSION_FIELD, account_of
from railbird.serve.host import Host
from railbird.serve.middleware import is_same_origin
from railbird.serve.mounts import Mount
from railbird.serve.operators import Operators
from railbird.serve.session import Caller, TokenForm, Visitor
from railbird.storage.accounts import Account

HOME: Final = "/operate"
router = APIRouter(prefix=HOME, include_in_schema=False)

Short = Annotated[str, Field(max_length=200)]


class CodeForm(TokenForm):
    """A code of an authenticator."""

    code: Annotated[str, Field(max_length=12)]


class EnrolForm(TokenForm):
    """The operator's token, which is in a file beside the server's key."""

    admin_token: Short


class OperatorForm(TokenForm):
    """What an operator wants done."""

    what: Literal["drain", "pause", "go_on", "close", "ban", "unban", "rename", "announce"]
    game: Short = ""
    name: Short = ""
    new: Short = ""
    reason: Short = ""
    hours: Annotated[str, Field(max_length=10)] = ""


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody who has logged in, at these pages."""

    host: Host
    operators: Operators
    account: Account
    log_in: str

    @property
    def is_open(self) -> bool:
        """Whether a code was given a short while ago."""
        return self.operators.is_visiting(self.account.id, self.log_in)


async def visit_of(request: Request) -> Visit:
    """Return who asks; the pages are not there for who has not logged in, nor from other sites."""
    host, operators = host_of(request), request.app.state.operate
    if host is None or not isinstance(operators, Operators):
        raise HTTPException(404, "No tournament server runs here.")
    account = await account_of(request)
    if account is None:
        if request.method == "GET":
            raise HTTPException(303, headers={"Location": f"/account?next={HOME}"})
        raise HTTPException(401, "Log in first.")
    has_origin = "origin" in request.headers
    if request.method != "GET" and not (has_origin and is_same_origin(request.scope)):
        raise HTTPException(403, "This form was sent from another site.")
    return Visit(host, operators, account, str(request.session.get(SESSION_FIELD)))


Visiting = Annotated[Visit, Depends(visit_of)]


@router.get("")
async def show_server(request: Request, visitor: Caller, visit: Visiting) -> Response:
    """Show the state of the server to an operator; ask others for a code or for the token."""
    if not visit.is_open:
        return _entrance(visitor, visit)
    state = await admin.state(visit.host)
    return pages.page_response(
        "operate/page.html.jinja",
        state=state,
        problems=request.app.state.supervisor.problems(),
        acts=[
            {**act, "at": datetime.fromtimestamp(act.get("at", 0), UTC)}
            for act in visit.operators.acts()
        ],
        done=request.query_params.get("done", "")[:100],
        token=visitor.form_token,
    )


def _entrance(visitor: Visitor, visit: Visit, *, problem: str = "") -> Response:
    """Ask for a code or for the operator's token, and say why the last one was refused."""
    account = visit.account
    return pages.page_response(
        "operate/enter.html.jinja",
        status=403 if problem else 200,
        problem=problem,
        name=account.name,
        is_operator=account.id in visit.operators,
        expects_code=visit.operators.expects_code(account.id),
        token=visitor.form_token,
    )


@router.post("/enrol")
async def enrol(form: Annotated[EnrolForm, Form()], visitor: Caller, visit: Visiting) -> Response:
    """Give a secret to who knows the operator's token."""
    visitor.check(form.token)
    _count(visit)
    known = visit.host.settings.admin_token
    if not known or not hmac.compare_digest(form.admin_token.strip().encode(), known.encode()):
        return _entrance(visitor, visit, problem="This is not the operator’s token.")
    enrolment = visit.operators.enrol(visit.account.id)
    return pages.page_response(
        "operate/enrol.html.jinja",
        token=visitor.form_token,
        secret=enrolment.text,
        address=enrolment.address(visit.account.name),
    )


@router.post("/code")
async def give_code(
    form: Annotated[CodeForm, Form()], visitor: Caller, visit: Visiting
) -> Response:
    """Take a code of the authenticator."""
    visitor.check(form.token)
    _count(visit)
    if not visit.operators.takes(visit.account.id, form.code.replace(" ", "")):
        return _entrance(visitor, visit, problem="This code does not fit. Type the next one.")
    visit.operators.begin_visit(visit.account.id, visit.log_in)
    visit.operators.note(visit.account.name, "enter")
    return RedirectResponse(HOME, 303)


@router.post("/leave")
async def leave(form: Annotated[TokenForm, Form()], visitor: Caller, visit: Visiting) -> Response:
    """Let this browser operate no longer."""
    visitor.check(form.token)
    visit.operators.end_visit(visit.account.id, visit.log_in)
    return RedirectResponse(HOME, 303)


@router.post("/act")
async def do_for_operator(
    form: Annotated[OperatorForm, Form()], visitor: Caller, visit: Visiting
) -> Response:
    """Do what an operator wants, and write it down first."""
    visitor.check(form.token)
    if not visit.is_open:
        raise HTTPException(403, "Give a code of your authenticator first.")
    fields = form.model_dump(exclude={"token", "what"}, exclude_defaults=True)
    visit.operators.note(visit.account.name, form.what, **fields)
    await _do(form, visit.host)
    return RedirectResponse(f"{HOME}?done={form.what}", 303)


@router.get("/partiality")
async def show_partiality(visit: Visiting) -> Response:
    """Show which pairs favour each other, to an operator."""
    if not visit.is_open:
        raise HTTPException(403, "Give a code of your authenticator first.")
    measured = await admin.partiality_between_accounts(visit.host)
    return pages.page_response("operate/partiality.html.jinja", measured=measured)


async def _do(form: OperatorForm, host: Host) -> None:
    match form.what:
        case "drain":
            await admin.drain(host)
        case "pause" | "go_on":
            game = form.game or None
            await admin.pause(_body(admin.PauseBody, paused=form.what == "pause", game=game), host)
        case "close":
            await admin.close_game(_body(admin.CloseBody, game=form.game, reason=form.reason), host)
        case "ban" | "unban":
            hours: object = form.hours or None if form.what == "ban" else 0
            reason = form.reason or "no longer"
            await admin.ban_account(
                _body(admin.BanBody, name=form.name, reason=reason, hours=hours), host
            )
        case "rename":
            await admin.rename_account(_body(admin.RenameBody, name=form.name, new=form.new), host)
        case "announce":
            await admin.announce(_body(admin.AnnounceBody, text=form.reason), host)


def _body(kind: type[Any], **fields: object) -> Any:
    """Return a body of the interface, or refuse a field that it does not take, by its name."""
    try:
        return kind.model_validate(fields)
    except ValueError as problem:
        field = str(problem.errors()[0]["loc"][0]) if hasattr(problem, "errors") else "form"
        raise HTTPException(
            422, f"{field.capitalize()}: {_ALLOWED.get(field, 'not allowed')}."
        ) from None


_ALLOWED: Final = {
    "name": "allowed: the name of an account",
    "new": "allowed: the name of an account",
    "game": "allowed: a game that is listed here",
    "reason": "allowed: 1 to 200 characters",
    "text": "allowed: 1 to 200 characters",
    "hours": "allowed: 0 to 87600, or nothing for ever",
}


def _count(visit: Visit) -> None:
    if not visit.operators.may_try(visit.account.id):
        raise HTTPException(429, "Too many attempts. Wait five minutes, then try again.")


def mount() -> Mount:
    """Return the pages; where no tournament server runs, there are none."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        host = app.state.host
        app.state.operate = Operators(host.settings.journal) if isinstance(host, Host) else None
        yield

    return Mount(name="operate", rank=210, router=router, heavy=(HOME,), lifespan=lifespan)
