"""The table for people as a mount of the web application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, FastAPI, Form, Request
from msgspec import structs
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from railbird import _jit
from railbird.cards import HOLDEM, VARIANTS
from railbird.errors import BadInput
from railbird.hosting.house import House
from railbird.hosting.house_seats import known_as, why_unseatable
from railbird.hosting.ladder import BY_NAME, EVERYWHERE, LADDER
from railbird.hosting.openings import practice_rules
from railbird.hosting.ring_play import RingPlay
from railbird.players.registry import REGISTRY, why_unfit
from railbird.players.spec import parse_spec
from railbird.protocol.messages import EnterQueue, HousePlayer, LeaveQueue, Lobby, Practise, Sit
from railbird.serve import pages
from railbird.serve import table_routes as routes
from railbird.serve.host import Host
from railbird.serve.mounts import Mount
from railbird.serve.person import ANSWER_SECONDS, LOBBY_SECONDS, People, Person, TableSettings
from railbird.serve.session import Caller, TokenForm
from railbird.serve.spectators import Spectators
from railbird.serve.table_routes import (
    HOME,
    AnyPlayer,
    Member,
    TableName,
    people_of,
    person_at,
)
from railbird.table.words import format_in_words

# The lobby: queues, tables, and practice with house players.


lobby_router = APIRouter(prefix="/play")

LOBBY = "/play"
_BETTINGS = ("no-limit", "pot-limit", "limit")
_MOST_OPPONENTS: Final = 8
_GAMES: Final = {name: game.title for name, game in VARIANTS.items() if game is not HOLDEM}
"""Titles of other games than hold'em that can be played, by name."""
_EVERYBODY: Final = [who.name for who in EVERYWHERE]
_FIRST = Practise(opponents=_EVERYBODY)
"""What the form for a practice table contains at first, and a table for six where one plays now."""
_HEADS_UP = Practise(opponents=[_EVERYBODY[len(_EVERYBODY) // 2]])
"""A table for two where one plays now: the middle of the ladder."""
_FIRST_LIMIT = Practise(opponents=["equilibrium:small"], stack=480, top_up=True)
"""What the form has for players of heads-up limit."""


_FIRST_OTHER = Practise(opponents=["sensible"] * 3, variant="omaha")
"""What the form has for other games than hold'em."""


class QueueForm(TokenForm):
    """A queue to wait in."""

    queue: TableName


class SitForm(TokenForm):
    """A ring table, and chips to sit down with."""

    table: TableName
    buy_in: Annotated[int, Field(ge=1, le=2**53)]


class PractiseForm(TokenForm):
    """A practice table."""

    opponent: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=8)]
    betting: Literal["", "no-limit", "pot-limit", "limit"] = ""
    """Empty, which a form leaves out, for what the game is usually played by."""
    stack: Annotated[int, Field(ge=1, le=10**9)]
    big_blind: Annotated[int, Field(ge=2, le=10**6)]
    top_up: Literal["", "1"] = ""
    variant: Annotated[str, Field(max_length=32)] = ""
    copies: Annotated[int, Field(ge=1, le=8)] = 1
    """Seats that each opponent has."""


class NowForm(TokenForm):
    """A table at once."""

    seats: Literal["6", "2"] = "6"


@lobby_router.get("")
async def show_lobby(request: Request, visitor: Caller) -> Response:
    """Show the games; a person who has logged in may sit down, and one who is called is led."""
    people = people_of(request)
    people.host.house.house_workers.prepare()
    person = await person_at(request)
    if person is not None:
        _here(person)
        for seat in people.taken_seats(person):
            await seat.until_seated(ANSWER_SECONDS)
            if seat.is_called:  # a game has begun since its place was asked for
                return RedirectResponse(f"{HOME}{seat.query}", 303)
    values = _values(people, person)
    last = None if person is None else person.practised
    last_variant = last if last is not None and last.variant is not None else _FIRST_OTHER
    last = None if last is last_variant else last
    house = values["lobby"].house
    names = {house_player.name for house_player in house}
    return pages.page_response(
        "table/lobby_page.html.jinja",
        token=visitor.form_token,
        ladder=[who for who in LADDER if who.name in names and not who.heads_up_only],
        practice=[
            house_player
            for house_player in house
            if not house_player.needs_top_up and house_player.name not in BY_NAME
        ],
        practice_groups=_groups(people, house, _FIRST if last is None or last.top_up else last),
        of_limit=[house_player for house_player in house if house_player.needs_top_up],
        last=_FIRST if last is None or last.top_up else last,
        last_of_limit=last if last is not None and last.top_up else _FIRST_LIMIT,
        kept=[] if person is None else people.host.house.practice_of(person.identity.name),
        bettings=_BETTINGS,
        games=_GAMES,
        last_variant=last_variant,
        **values,
    )


@lobby_router.get("/parts")
async def parts(request: Request, visitor: Caller) -> Response:
    """Return the changes of the lobby; lead a person who got a seat to the table."""
    people = people_of(request)
    person = await person_at(request)
    if person is not None:
        _here(person)
        for seat in person.seats:
            if seat.is_called:
                return Response(status_code=204, headers={"HX-Redirect": f"{HOME}{seat.query}"})
    values = _values(people, person)
    return pages.page_response("table/games.html.jinja", token=visitor.form_token, **values)


@lobby_router.post("/queue")
async def enter_queue(
    form: Annotated[QueueForm, Form()], request: Request, visitor: Caller, person: Member
) -> Response:
    """Wait for a tournament."""
    visitor.check(form.token)
    person.come_back()
    person.send(EnterQueue(queue=form.queue))
    return await _after(people_of(request), person)


@lobby_router.post("/leave")
async def leave_queue(
    form: Annotated[TokenForm, Form()], request: Request, visitor: Caller, person: Member
) -> Response:
    """Wait no longer."""
    visitor.check(form.token)
    for seat in person.seats:
        if seat.queued is not None:
            seat.send(LeaveQueue())
    return await _after(people_of(request), person)


@lobby_router.post("/sit")
async def sit(
    form: Annotated[SitForm, Form()], request: Request, visitor: Caller, person: Member
) -> Response:
    """Sit down at a ring table; whoever sits at others has a further seat there."""
    visitor.check(form.token)
    people = people_of(request)
    number = people.free_seat(person) or 1  # of the first, the house says why it cannot
    seat = person if number == 1 else people.further(person, number)
    seat.come_back()
    seat.send(Sit(table=form.table, buy_in=form.buy_in))
    return await _after(people, seat)


@lobby_router.post("/now")
async def play_now(
    form: Annotated[NowForm, Form()], request: Request, visitor: Caller, person: AnyPlayer
) -> Response:
    """Open a practice table with named opponents; no account is needed."""
    visitor.check(form.token)
    if not people_of(request).plays(person):
        table = _FIRST if form.seats == "6" else _HEADS_UP
        person.practised = structs.replace(table, waits=True)
    return await open_practice_again(TokenForm(token=form.token), request, visitor, person)


@lobby_router.post("/practise")
async def practise(
    form: Annotated[PractiseForm, Form()], request: Request, visitor: Caller, person: AnyPlayer
) -> Response:
    """Open a practice table."""
    visitor.check(form.token)
    opponents = [spec for spec in form.opponent if spec] * form.copies
    if not 1 <= len(opponents) <= _MOST_OPPONENTS:
        raise HTTPException(422, "Choose one to eight opponents.")
    if form.stack < form.big_blind:
        raise HTTPException(422, "The stack must be at least a big blind.")
    wanted = Practise(
        opponents=opponents,
        stack=form.stack,
        big_blind=form.big_blind,
        betting=form.betting or None,
        variant=form.variant or None,
        top_up=bool(form.top_up),
        waits=True,
    )
    try:
        rules = practice_rules(wanted)
    except BadInput as problem:
        raise HTTPException(422, f"{problem}.") from None
    known = people_of(request).host.house.house_players
    for name in dict.fromkeys(opponents):
        try:
            spec = known.spec_of(name)
        except BadInput as problem:
            raise HTTPException(422, f"{problem}.") from None
        if why := await asyncio.to_thread(why_unseatable, spec, rules, top_up=wanted.top_up):
            raise HTTPException(422, f"{why}.")
    person.practised = wanted
    return await open_practice_again(TokenForm(token=form.token), request, visitor, person)


@lobby_router.post("/again")
async def open_practice_again(
    form: Annotated[TokenForm, Form()], request: Request, visitor: Caller, person: AnyPlayer
) -> Response:
    """Open a practice table like the last one."""
    visitor.check(form.token)
    if people_of(request).plays(person):  # pressed twice
        return RedirectResponse(HOME, 303)
    if person.practised is None:
        return RedirectResponse(LOBBY, 303)
    person.come_back()
    person.send(person.practised)
    return await _after(people_of(request), person)


def _here(person: Person) -> None:
    """Let the person be connected for as long as the lobby asks anew, and a little longer."""
    person.patience = LOBBY_SECONDS
    for seat in person.seats:
        seat.connect()


async def _after(people: People, person: Person) -> Response:
    """Lead to the table once there is a seat, else back to the lobby, which says why not."""
    if people.plays(person):
        await person.until_seated(ANSWER_SECONDS)
        return RedirectResponse(f"{HOME}{person.query}", 303)
    await asyncio.sleep(0)  # the house's answer
    await asyncio.sleep(0)
    return RedirectResponse(LOBBY, 303)


def _values(people: People, person: Person | None) -> dict[str, Any]:
    house = people.host.house
    lobby = house.lobby.message()
    rings = [table for table in lobby.tables if table.kind == "ring"]
    member = None if person is None or person.is_guest else person
    notice, is_news, plays = "", False, False
    if person is not None:
        notices = ((seat.notice, seat.is_news) for seat in person.seats if seat.notice)
        notice, is_news = next(notices, ("", False))
        for seat in person.seats:
            seat.put_notice("")
        plays = people.plays(person)
    taken = [] if person is None else people.taken_seats(person)
    queued = None if person is None else next((s.queued for s in person.seats if s.queued), None)
    return {
        "lobby": lobby,
        "person": person,
        "member": member,
        "taken": taken,
        "own": {seat.own_table.info.table for seat in taken if seat.own_table is not None},
        "may_sit": member is not None and queued is None and people.free_seat(member) is not None,
        "notice": notice,
        "is_news": is_news,
        "plays": plays,
        "queued": queued,
        "describe": format_in_words,
        "running": _running(lobby),
        "rings": rings,
        "house_of": {
            table.table: words for table in rings if (words := _house_of(house, table.table))
        },
    }


def _groups(
    people: People, players: list[HousePlayer], table: Practise
) -> dict[str, list[HousePlayer]]:
    """Return who can practise, by what they are good for at a table like this."""
    known, rules = people.host.house.house_players, practice_rules(table)
    fit, weak, drills = "Opponents", "Weak with such stacks", "Drills"
    groups: dict[str, list[HousePlayer]] = {fit: [], weak: [], drills: []}
    for player in players:
        if player.needs_top_up or player.name in BY_NAME:
            continue
        spec = known.spec_of(player.name)
        if REGISTRY[parse_spec(spec).name].fit.is_drill:
            groups[drills].append(player)
        else:
            groups[fit if why_unfit(spec, rules) is None else weak].append(player)
    return {group: members for group, members in groups.items() if members}


def _house_of(house: House, table: str) -> str:
    """Name the house players that come to a ring table with the first person."""
    task = house.tasks.get(table)
    if task is None or not isinstance(task.play, RingPlay):
        return ""
    return " and ".join(map(known_as, task.play.form.house))


def _running(lobby: Lobby) -> list[Any]:
    return [table for table in lobby.tables if table.kind == "tournament"]


def mount(settings: TableSettings | None = None) -> Mount:
    """Return the lobby and the tables; where no tournament server runs, they say so."""
    chosen = settings or TableSettings()
    router = APIRouter(include_in_schema=False)
    router.include_router(lobby_router)
    router.include_router(routes.router)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.table = None
        host = app.state.host  # mounts start in the order of their ranks
        if not isinstance(host, Host):
            yield
            return
        people = app.state.table = People(host, chosen)
        spectators = app.state.spectators = Spectators(people)
        host.supervisor.keep("people", people.watch, has_beat=True)
        host.supervisor.keep("spectators", spectators.wake, has_beat=True)
        with _jit.watched(people.compiling):
            yield

    return Mount(name="table", title="Play", path=LOBBY, rank=10, router=router, lifespan=lifespan)
