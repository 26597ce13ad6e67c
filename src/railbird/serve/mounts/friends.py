"""Private tables by link as a mount of the web application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, FastAPI, Form, Request
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from railbird.errors import BadInput
from railbird.hosting.ring_play import RingPlay
from railbird.protocol.messages import Sit
from railbird.serve import pages
from railbird.serve.caller import GUEST_FIELD, caller_address
from railbird.serve.friends import LONGEST, SEATS, Friends
from railbird.serve.mounts import Mount
from railbird.serve.person import ANSWER_SECONDS, Person
from railbird.serve.session import Caller, TokenForm
from railbird.serve.table_routes import HOME as TABLE
from railbird.serve.table_routes import Somebody, TableName, people_of, person_at
from railbird.table.words import short_name

HOME: Final = "/friends"
router = APIRouter(prefix=HOME, include_in_schema=False)


Nick = Annotated[str, Field(max_length=12, pattern=r"^[A-Za-z0-9]*$")]


class OpenForm(TokenForm):
    """A private table."""

    nick: Nick = ""
    betting: Literal["no-limit", "pot-limit", "limit"] = "no-limit"
    big_blind: Annotated[int, Field(ge=2, le=10**6, multiple_of=2)] = 20
    stack: Annotated[int, Field(ge=5, le=500)] = 100
    """In big blinds."""
    house: Annotated[int, Field(ge=0, le=SEATS - 2)] = 2


class FriendForm(TokenForm):
    """A seat at a private table."""

    nick: Nick = ""


class SayForm(TokenForm):
    """Something to say."""

    text: Annotated[str, Field(max_length=4 * LONGEST)]


class OwnForm(TokenForm):
    """What the owner of a table wants."""

    what: Literal["pause", "go_on", "anew", "guests"]


def friends_of(request: Request) -> Friends:
    """Return the private tables; refuse where no tournament server runs."""
    friends = request.app.state.friends
    if not isinstance(friends, Friends):
        raise HTTPException(404, "No tournament server runs here.")
    return friends


@router.post("")
async def open_table(
    form: Annotated[OpenForm, Form()], request: Request, visitor: Caller
) -> Response:
    """Open a private table, and sit down there; who has no account is a guest."""
    visitor.check(form.token)
    person = await _player(request, form.nick)
    if people_of(request).plays(person):
        return RedirectResponse(TABLE, 303)
    try:
        table, chips = friends_of(request).open(
            form.betting, form.big_blind, form.stack, form.house, address=caller_address(request)
        )
    except BadInput as problem:
        raise HTTPException(422, f"{problem}.") from None
    return await _sit(request, person, table, chips)


@router.get("/{table}")
async def show_invitation(table: TableName, request: Request, visitor: Caller) -> Response:
    """Show a private table to who has its link."""
    play = _play(request, table)
    person = await person_at(request)
    info = play.table_info(1)
    return pages.page_response(
        "friends/invitation.html.jinja",
        token=visitor.form_token,
        table=table,
        form=info.format,
        names=[short_name(player.name) for player in info.players],
        seats=SEATS,
        person=person,
        here=person is not None and any(p.name == person.identity.name for p in info.players),
    )


@router.post("/{table}/sit")
async def sit_among_friends(
    table: TableName, form: Annotated[FriendForm, Form()], request: Request, visitor: Caller
) -> Response:
    """Sit down at a private table; who has no account is a guest there."""
    visitor.check(form.token)
    play = _play(request, table)
    person = await _player(request, form.nick)
    return await _sit(request, person, table, play.form.buy_ins[1])


async def _player(request: Request, nick: str) -> Person:
    """Return who asks; who has no account is a guest from now on."""
    person = await person_at(request)
    if person is None:
        person = people_of(request).new_guest(caller_address(request), nick)
        request.session[GUEST_FIELD] = person.identity.name
    return person


async def _sit(request: Request, person: Person, table: str, chips: int) -> Response:
    people = people_of(request)
    if not people.plays(person):
        person.come_back()
        person.send(Sit(table=table, buy_in=chips))
        for _ in range(20):  # the house looks up who sits down
            if people.plays(person) or person.notice:
                break
            await asyncio.sleep(0.05)
        await person.until_seated(ANSWER_SECONDS)
    if person.notice and not people.plays(person):
        notice = person.notice
        person.put_notice("")
        raise HTTPException(409, notice)
    return RedirectResponse(TABLE, 303)


@router.post("/talk/say")
async def say(
    form: Annotated[SayForm, Form()], request: Request, visitor: Caller, person: Somebody
) -> Response:
    """Say something at one's private table."""
    visitor.check(form.token)
    person.put_notice(friends_of(request).say(person, _own_table(person), form.text))
    if person.notice:
        person.changed()
    return _after(request)


@router.post("/talk/own")
async def own(
    form: Annotated[OwnForm, Form()], request: Request, visitor: Caller, person: Somebody
) -> Response:
    """Pause one's private table, or let it go on or begin anew."""
    visitor.check(form.token)
    friends, table = friends_of(request), _own_table(person)
    if friends.owner_of(table) != person.identity.name:
        raise HTTPException(403, "Only the player who has sat here longest can do that.")
    friends.own(table, form.what)
    return _after(request)


def _own_table(person: Person) -> str:
    return "" if person.seat is None else person.seat.truth.info.table


def _after(request: Request) -> Response:
    return Response(status_code=204) if pages.is_partial(request) else RedirectResponse(TABLE, 303)


def _play(request: Request, table: str) -> RingPlay:
    task = friends_of(request).task_of(table)
    if task is None or not isinstance(task.play, RingPlay):
        raise HTTPException(404, "This table has closed. Ask your friends for a new link.")
    return task.play


def mount() -> Mount:
    """Return the pages; where no tournament server runs, they say so."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        people: Any = app.state.table
        app.state.friends = None if people is None else Friends(people)
        yield

    return Mount(name="friends", rank=11, router=router, lifespan=lifespan)
