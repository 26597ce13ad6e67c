"""The operators' pages as a mount of the web application: `serve.admin`, for people."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Mapping
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


class EnrolForm(TokenForm):
    """The operator's token, which is in a file beside the server's key."""

    admin_token: Short


class OperatorForm(TokenForm):
    """What an operator wants done; nothing where only a code is given."""

    what: Literal["", "drain", "pause", "go_on", "close", "ban", "unban", "rename", "announce"] = ""
    game: Short = ""
    name: Short = ""
    new: Short = ""
    reason: Short = ""
    hours: Annotated[str, Field(max_length=10)] = ""


class MeasureForm(TokenForm):
    """What an operator wants of the measurement of partiality."""

    what: Literal["anew", "give_up"]


class CodeForm(OperatorForm):
    """A code of an authenticator, and what was typed before it was asked for."""

    code: Annotated[str, Field(max_length=12)]


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
    done = visit.operators.news(visit.account.id, visit.log_in)
    return await _server(request, visitor, visit, done=done)


async def _server(
    request: Request,
    visitor: Visitor,
    visit: Visit,
    *,
    form: OperatorForm | None = None,
    done: str = "",
    problem: str = "",
    status: int = 200,
) -> Response:
    """Show the state, with what a form said where that is not done yet, and why not."""
    return pages.page_response(
        "operate/page.html.jinja",
        status=status,
        state=await admin.state(visit.host),
        problems=request.app.state.supervisor.problems(),
        acts=[
            {**act, "at": datetime.fromtimestamp(act.get("at", 0), UTC), "words": in_words(act)}
            for act in visit.operators.acts()
        ],
        form=form,
        done=done,
        problem=problem,
        token=visitor.form_token,
    )


def _entrance(
    visitor: Visitor, visit: Visit, *, form: OperatorForm | None = None, problem: str = ""
) -> Response:
    """Ask for a code or for the operator's token, and say why the last one was refused.

    What a form said meanwhile is kept in the page.
    """
    account = visit.account
    return pages.page_response(
        "operate/enter.html.jinja",
        status=403 if problem else 200,
        problem=problem,
        name=account.name,
        is_operator=account.id in visit.operators,
        expects_code=visit.operators.expects_code(account.id),
        typed={} if form is None else form.model_dump(include=_TYPED, exclude_defaults=True),
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
    form: Annotated[CodeForm, Form()], request: Request, visitor: Caller, visit: Visiting
) -> Response:
    """Take a code of the authenticator; what was typed before is there again, and not done."""
    visitor.check(form.token)
    _count(visit)
    if not visit.operators.takes(visit.account.id, form.code.replace(" ", "")):
        problem = "This code does not fit. Type the next one."
        return _entrance(visitor, visit, form=form, problem=problem)
    visit.operators.begin_visit(visit.account.id, visit.log_in)
    visit.operators.note(visit.account.name, "enter")
    if not form.what:
        return RedirectResponse(HOME, 303)
    problem = "Nothing has been done yet: send it again."
    return await _server(request, visitor, visit, form=form, problem=problem)


@router.post("/leave")
async def leave(form: Annotated[TokenForm, Form()], visitor: Caller, visit: Visiting) -> Response:
    """Let this browser operate no longer."""
    visitor.check(form.token)
    visit.operators.end_visit(visit.account.id, visit.log_in)
    return RedirectResponse(HOME, 303)


@router.post("/act")
async def do_for_operator(
    form: Annotated[OperatorForm, Form()], request: Request, visitor: Caller, visit: Visiting
) -> Response:
    """Do what an operator wants, and write it down first; what is refused stays in its form."""
    visitor.check(form.token)
    if not visit.is_open:
        problem = "Give a code of your authenticator first. What you have typed is kept."
        return _entrance(visitor, visit, form=form, problem=problem)
    fields = form.model_dump(include=_TYPED - {"what"}, exclude_defaults=True)
    visit.operators.note(visit.account.name, form.what, **fields)
    try:
        connections = await _do(form, visit.host)
    except HTTPException as refused:
        visit.operators.note(visit.account.name, form.what, refused=refused.detail)
        return await _server(
            request, visitor, visit, form=form, problem=refused.detail, status=refused.status_code
        )
    act = {"act": form.what, **fields, **({} if connections is None else {"told": connections})}
    visit.operators.tell(visit.account.id, visit.log_in, in_words(act))
    return RedirectResponse(HOME, 303)


@router.get("/partiality")
async def show_partiality(visitor: Caller, visit: Visiting) -> Response:
    """Show which pairs favour each other, to an operator, or how far that is measured."""
    if not visit.is_open:
        return _entrance(visitor, visit)
    partialities = visit.host.partialities
    if not partialities.latest:
        partialities.begin()
    frequent = await admin.frequent(visit.host)  # the measurement may end meanwhile
    return pages.page_response(
        "operate/partiality.html.jinja",
        partialities=partialities,
        measured={**partialities.latest, **frequent},
        token=visitor.form_token,
    )


@router.post("/partiality")
async def measure_partiality(
    form: Annotated[MeasureForm, Form()], visitor: Caller, visit: Visiting
) -> Response:
    """Measure anew, or give up what is being measured."""
    visitor.check(form.token)
    if not visit.is_open:
        return _entrance(visitor, visit)
    if form.what == "give_up":
        visit.host.partialities.give_up()
        return RedirectResponse(HOME, 303)
    visit.host.partialities.begin()
    return RedirectResponse(f"{HOME}/partiality", 303)


async def _do(form: OperatorForm, host: Host) -> int | None:
    """Do it; return how many people were told of it, where anybody is."""
    match form.what:
        case "":
            raise HTTPException(422, "This form says nothing to do.")
        case "drain":
            await admin.drain(host)
        case "pause" | "go_on":
            game = form.game or None
            await admin.pause(_body(admin.PauseBody, paused=form.what == "pause", game=game), host)
        case "close":
            await admin.close_game(_body(admin.CloseBody, game=form.game, reason=form.reason), host)
        case "ban" | "unban":
            hours: object = form.hours or None if form.what == "ban" else 0
            reason = form.reason if form.what == "ban" else "no longer"
            await admin.ban_account(
                _body(admin.BanBody, name=form.name, reason=reason, hours=hours), host
            )
        case "rename":
            await admin.rename_account(_body(admin.RenameBody, name=form.name, new=form.new), host)
        case "announce":
            announced = await admin.announce(_body(admin.AnnounceBody, text=form.reason), host)
            return int(announced["told"])
    return None


def _body(kind: type[Any], **fields: object) -> Any:
    """Return a body of the interface, or refuse a field that it does not take, by its name."""
    try:
        return kind.model_validate(fields)
    except ValueError as problem:
        field = str(problem.errors()[0]["loc"][0]) if hasattr(problem, "errors") else "form"
        raise HTTPException(
            422,
            f"{_CALLED.get(field, field.capitalize())} {_ALLOWED.get(field, 'is not allowed')}.",
        ) from None


_TYPED: Final = {"what", "game", "name", "new", "reason", "hours"}

_CALLED: Final = {"new": "The new name", "name": "The name", "reason": "The reason"}
"""Fields whose names alone do not begin a sentence."""

_ALLOWED: Final = {
    "name": "must be that of an account",
    "new": "must be a name that an account can have",
    "game": "must be one that is listed here",
    "reason": "must have 1 to 200 characters",
    "text": "must have 1 to 200 characters",
    "hours": "must be 0 to 87,600, or nothing for ever",
}


def in_words(act: Mapping[str, Any]) -> str:
    """Say what an operator did, by its record, in a sentence.

    >>> in_words({"act": "ban", "name": "ann", "reason": "two accounts", "hours": "1"})
    'ann is banned for 1 hour: two accounts.'
    >>> in_words({"act": "announce", "reason": "We stop at ten.", "told": 1})
    'Told one connection: We stop at ten.'
    """
    what, game, name, reason, hours, new = (
        str(act.get(key, "")) for key in ("act", "game", "name", "reason", "hours", "new")
    )
    if "refused" in act:
        wanted = " ".join(filter(None, (what.replace("_", " "), name, game)))
        return f"{wanted.capitalize()} was refused: {act['refused']}"
    count = act.get("told")
    if what not in _SENTENCES:
        return what
    return _SENTENCES[what].format(
        game=game or "Every game",
        name=name,
        new=new,
        because=f": {reason}".removesuffix(".") + ".",
        term=f"for {hours} hour{'' if hours == '1' else 's'}" if hours else "for ever",
        whom={None: "everybody", 1: "one connection"}.get(count, f"{count} connections"),
    )


_SENTENCES: Final = {
    "enter": "Entered these pages.",
    "drain": "No new game begins until the server is started again.",
    "pause": "{game} is paused.",
    "go_on": "{game} goes on.",
    "close": "{game} is void{because}",
    "ban": "{name} is banned {term}{because}",
    "unban": "{name} may log in again.",
    "rename": "{name} is called {new} now.",
    "announce": "Told {whom}{because}",
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
