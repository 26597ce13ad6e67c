"""The table's pages, forms and socket."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_hex
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Form, Request
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from railbird.errors import BadInput
from railbird.hosting.house_seats import known_as
from railbird.hosting.ladder import LADDER
from railbird.hosting.supervisor import until_first
from railbird.protocol import CloseCode
from railbird.protocol.messages import (
    MOST_DRAWN,
    ActMessage,
    BuyChips,
    CardText,
    Presence,
    RunTwice,
    ShowCards,
    SitIn,
    SitOut,
    StandUp,
    Turn,
    Verb,
)
from railbird.serve import pages
from railbird.serve.caller import GUEST_FIELD, account_of, caller_address, guest_of
from railbird.serve.friends import REACTIONS, Friends
from railbird.serve.person import (
    ANSWER_SECONDS,
    READY_SECONDS,
    WITHOUT_SCRIPT_SECONDS,
    People,
    Person,
    Screen,
)
from railbird.serve.session import Caller, TokenForm, Visitor
from railbird.serve.spectators import Spectators
from railbird.table.advice import hint
from railbird.table.choices import Plan, choices_of, may_plan, price_of, typed_amount
from railbird.table.felt import Felt, facts
from railbird.table.state import TableState, turn_words
from railbird.table.words import short_name, spoken_line, stakes_words, table_title

# The socket of an open page: it carries HTML to the page, and nothing from it.


@dataclass(frozen=True, slots=True)
class PagePart:
    """A part of a page: its HTML, which is sent when its key has changed."""

    key: object
    html: str


_ENOUGH_HANDS: Final = 30
"""Hands from which on shares are said of how somebody plays."""

Parts = dict[str, PagePart]
"""Parts of a page, by the ids of their elements."""

TAKEN_OVER: Final = 4003
_SEND_S: Final = 10.0
"""Seconds in which a page must take its messages; otherwise it has to connect again."""


class PageSocket:
    """One open page. What has changed since the last time is sent, however often it changed."""

    def __init__(self, websocket: WebSocket, person: Person, key: str, *, loaded: int = 0) -> None:
        """Serve a page that was ``loaded`` then, in milliseconds."""
        self.loaded = loaded
        self._websocket = websocket
        self._person = person
        self._key = key
        self._dirty = asyncio.Event()
        self._taken = False
        self._sent: dict[str, object] = {}

    def taken_over(self) -> None:
        """Another page shows this table from now on."""
        self._taken = True
        self._dirty.set()

    async def serve(self, parts: Callable[[], Parts], last_words: Callable[[], str]) -> None:
        """Send the parts of the page now and after every change, until either side ends it."""
        person, key = self._person, self._key
        before = person.pages.get(key)
        if before is not None and before.loaded > self.loaded:
            # This page has been left: its socket took longer than that of the page after it.
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
                await self._send(last_words())
                await self._websocket.close(TAKEN_OVER)
            return
        person.pages[key] = self
        if before is not None:
            before.taken_over()
        person.listen(self._dirty.set)
        self._dirty.set()
        try:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
                await until_first(self._read(), self._write(parts, last_words))
        finally:
            person.unlisten(self._dirty.set)
            if person.pages.get(key) is self:
                del person.pages[key]
            person.happened()

    async def _read(self) -> None:
        while (await self._websocket.receive())["type"] != "websocket.disconnect":
            pass  # a page has nothing to say here

    async def _write(self, parts: Callable[[], Parts], last_words: Callable[[], str]) -> None:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            if self._taken:
                await self._send(last_words())
                await self._websocket.close(TAKEN_OVER)
                return
            now = parts()
            changed = [part.html for name, part in now.items() if self._sent.get(name) != part.key]
            self._sent = {name: part.key for name, part in now.items()}
            if changed:
                await self._send("".join(changed))

    async def _send(self, html: str) -> None:
        async with asyncio.timeout(_SEND_S):
            await self._websocket.send_text(html)


# Parts of the table's page, each rendered from what its viewer was told and sent as it changes.


def own_parts(
    person: Person, token: str, friends: Friends | None = None, *, is_full_page: bool = False
) -> Parts:
    """Return the parts of the person's table page; the full page has a clock in words."""
    screen = person.seat
    if screen is None:
        return _gone(person)
    state, now = screen.shown, time.monotonic()
    table = state.felt()
    values: dict[str, Any] = {
        "query": person.query,
        "tables": [seat for seat in person.seats if seat is not person and seat.own_table],
        **_common(state, table, now, is_full_page=is_full_page),
        **_talk(person, state, friends),
        **_bar(person, screen),
        "token": token,
        "notice": person.notice,
        "is_news": person.is_news,
        "is_compiling": person.waits_for_code and screen.truth.turn is None,
    }
    if person.asks_share:
        values["facts"] |= {"share": person.asks_share, "token": token}  # for the page's script
    return _rendered(values, state, mine=True)


def watched_parts(screen: Screen, *, is_full_page: bool = False) -> Parts:
    """Return the parts of the page of a table that is watched."""
    state, now = screen.shown, time.monotonic()
    values = _common(state, state.felt(), now, is_full_page=is_full_page)
    bar = "over" if state.left else "watching"
    values |= {"bar": bar, "token": "", "notice": "", "presence": Presence.HERE, "again": False}
    values["is_compiling"] = False
    values |= {"talk": None, "is_alone": False, "query": "", "tables": []}
    return _rendered(values, state, mine=False)


def _talk(person: Person, state: TableState, friends: Friends | None) -> dict[str, Any]:
    """Return what is said at a private table, and what the person may do there."""
    table = state.info.table
    talk = None if friends is None or state.is_over else friends.talk_of(table)
    if friends is None or talk is None:
        return {"talk": None, "is_alone": False}
    owner = friends.owner_of(table)
    is_owner = owner == person.identity.name
    return {
        "talk": talk,
        "owner": short_name(owner),
        "is_owner": is_owner,
        "is_alone": len(state.info.players) == 1 and not state.info.paused,
        "is_guest": person.is_guest,
        "reactions": REACTIONS,
        "also_twice": [
            short_name(player.name)
            for player in state.info.players
            if player.runs_twice and player.name != person.identity.name
        ],
        "short": short_name,
    }


def last_words() -> str:
    """Return the rest of a page whose table another page shows now."""
    return pages.part("table/elsewhere.html.jinja")


def joined_parts(parts: Parts) -> str:
    """Return all parts as one text."""
    return "".join(part.html for part in parts.values())


def _rendered(values: dict[str, Any], state: TableState, *, mine: bool) -> Parts:
    names = ("status", "felt", "ticker", "notice", "bar", "facts", "log", "talk", "seen", "tables")
    parts = {
        name: PagePart(html, html)
        for name in names
        for html in [pages.part(f"table/{name}.html.jinja", **values)]
    }
    clock = state.clock
    key = None if clock is None else (clock.seat, clock.ends, clock.bank_s)
    parts["clock"] = PagePart(key, pages.part("table/clock.html.jinja", **values, mine=mine))
    turn = None if state.turn is None else state.turn.turn
    parts["say"] = PagePart(turn, pages.part("table/say.html.jinja", **values))
    return parts


def _gone(person: Person) -> Parts:
    """Return what is left of a table: nobody's turn, and no clock."""
    values = {
        "notice": person.notice,
        "is_news": person.is_news,
        "ticker": [],
        "turn_id": "",
        "turn_words": "",
        "mine": False,
        "is_timed": False,
        "limit_ms": 0,
        "bank_ms": 0,
        "whole_ms": 0,
    }
    parts = {
        name: PagePart(html, html)
        for name in ("notice", "ticker", "say", "clock")
        for html in [pages.part(f"table/{name}.html.jinja", **values)]
    }
    bar = pages.part("table/closed.html.jinja", is_expected=person.is_expected)
    return {**parts, "bar": PagePart(bar, bar)}


def _common(state: TableState, table: Felt, now: float, *, is_full_page: bool) -> dict[str, Any]:
    clock = state.clock
    limit, bank = (0.0, 0.0) if clock is None else clock.left(now)
    is_timed = clock is not None and clock.is_drawn
    return {
        "game": game_of(state),
        "can_buy": state.can_buy,
        "state": state,
        "table": table,
        "info": state.info,
        "blinds": "" if state.hand is None else stakes_words(state.hand),
        "limit_ms": round(1000 * limit),
        "bank_ms": round(1000 * bank),
        "whole_ms": 0 if clock is None else round(1000 * clock.limit_s),
        "is_timed": is_timed,
        "seconds": round(limit + bank) if is_full_page and is_timed else None,
        "turn_words": turn_words(state, now),
        "turn_id": "" if state.turn is None else state.turn.turn,
        "facts": facts(table) | {"last": _last_words(state)},
        "seen": seen_rows(state),
        "ticker": [line for line in state.fresh if line.kind != "hand"],
    }


def seen_rows(state: TableState) -> list[dict[str, str]]:
    """Return how everybody at a table has played before the flop, for people.

    Of few hands a share would say too much: there the counts are said.
    """
    rows = []
    for player in state.info.players:
        play = state.seen.get(player.name)
        if play is not None and player.name != state.name:
            rows.append(
                {
                    "name": short_name(player.name),
                    "hands": f"{play.hands:,}",
                    "joined": _share_words(play.joined, play.hands),
                    "raised": _share_words(play.raised, play.hands),
                }
            )
    return rows


def _share_words(count: int, hands: int) -> str:
    return f"{count} of {hands}" if hands < _ENOUGH_HANDS else f"{100 * count / hands:.0f} %"


def game_of(state: TableState) -> str:
    """Return the name under which the hands of this table are kept; practice is not."""
    return "" if state.is_practice else state.info.tournament or state.info.table


def _bar(person: Person, screen: Screen) -> dict[str, Any]:
    """Return what the buttons below the felt need."""
    state = screen.shown
    values: dict[str, Any] = {"bar": "waiting", "action": person.actions + 1, "again": False}
    if person.ended is CloseCode.FROZEN:
        values["bar"] = "frozen"
    elif person.ended is not None:
        values["bar"] = "gone"
    elif state.is_over:
        values |= {"bar": "over", "again": state.is_practice and person.practised is not None}
    elif state.waits_for_me and not screen.is_behind:
        values["bar"] = "study"
    elif state.turn is not None and screen.truth.turn is not None:
        values |= {"bar": "turn", "choices": choices_of(state.turn)}
        values["asks_fold"] = person.asks_fold == state.turn.turn
        known, words = person.hint or ("", ())
        values["hint"] = words if known == state.turn.turn else ()
    elif may_plan(state) and not state.info.paused:
        price = price_of(state)
        plans = {plan.value: plan.label(price) for plan in Plan}
        values |= {"bar": "ahead", "price": price, "plans": plans, "ahead": person.ahead}
    values["presence"] = state.presence
    return values


def _last_words(state: TableState) -> str:
    """Return the last lines of the log as they are spoken."""
    return ". ".join(spoken_line(line) for _, line in state.lines[-5:])


router = APIRouter()

HOME = "/table"
LOG_IN = "/account"
_REFUSED = 1008
_REFRESH_S = 3

TableName = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[!-~]+$")]


class ActForm(TokenForm):
    """An action."""

    turn: TableName
    action: Annotated[int, Field(ge=0, le=2**40)]
    verb: Literal["fold", "check", "call", "raise", "discard"]
    to: Annotated[str, Field(max_length=20)] = ""
    """Chips, or such as 2.5bb or 60%."""
    cards: Annotated[list[CardText], Field(max_length=MOST_DRAWN)] = Field(default_factory=list)
    """Cards to throw away."""
    sure: Literal["", "1"] = ""


class AheadForm(TokenForm):
    """An action in advance, or none."""

    what: Literal["nothing", "check_fold", "call"]


class ShareForm(TokenForm):
    """A share of the seed."""

    game: TableName
    share: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class SeatForm(TokenForm):
    """What somebody at a ring table wants."""

    what: Literal["sit_in", "wait_in", "sit_out", "stand_up", "buy", "twice", "once"]
    chips: Annotated[int, Field(ge=1, le=2**53)] | None = None


def people_of(connection: HTTPConnection) -> People:
    """Return everybody at the tables; refuse where no tournament server runs."""
    people = connection.app.state.table
    if not isinstance(people, People):
        raise HTTPException(404, "No tournament server runs here.")
    return people


def spectators_of(connection: HTTPConnection) -> Spectators:
    """Return everybody who watches; refuse where no tournament server runs."""
    people_of(connection)
    spectators = connection.app.state.spectators
    assert isinstance(spectators, Spectators)
    return spectators


async def person_at(connection: HTTPConnection) -> Person | None:
    """Return the person of this browser, with an account or as a guest; None for neither."""
    people, address = people_of(connection), caller_address(connection)
    account = await account_of(connection)
    if account is not None:
        person, number = people.of(account, address), connection.query_params.get("seat")
        return next((seat for seat in person.seats if str(seat.number) == number), person)
    guest = guest_of(connection)
    return None if guest is None else people.guest(guest, address)


async def person_of(request: Request) -> Person:
    """Return the person who asks; a page for those who play sends others to log in."""
    person = await person_at(request)
    if person is None:
        if request.method == "GET" and not pages.is_partial(request):
            raise HTTPException(303, headers={"Location": f"{LOG_IN}?next={request.url.path}"})
        raise HTTPException(401, "Log in first.")
    return person


async def account_holder(request: Request) -> Person:
    """Return the person who asks, who must have an account."""
    person = await person_of(request)
    if person.is_guest:
        raise HTTPException(401, "Log in or sign up first: guests practise with house players.")
    return person


async def player_of(request: Request) -> Person:
    """Return the person who asks; who has no account is a guest from now on."""
    person = await person_at(request)
    if person is None:
        person = people_of(request).new_guest(caller_address(request))
        request.session[GUEST_FIELD] = person.identity.name
    return person


Somebody = Annotated[Person, Depends(person_of)]
Member = Annotated[Person, Depends(account_holder)]
AnyPlayer = Annotated[Person, Depends(player_of)]


@router.get(HOME)
async def show_own_table(request: Request, visitor: Caller, person: Somebody) -> Response:
    """Show the person's table as it is now."""
    people = people_of(request)
    person.patience = WITHOUT_SCRIPT_SECONDS  # a page with script opens its socket at once
    await people.settle(person)
    if person.seat is None and person.is_expected:
        await person.until_seated(READY_SECONDS)
    if person.seat is None:
        return RedirectResponse("/play", 303)
    person.is_called = False
    person.seat.flush()
    friends = request.app.state.friends
    parts = own_parts(person, visitor.form_token, friends, is_full_page=True)
    waits = person.seat.shown.turn is None and person.ended is None
    shown = person.seat.shown
    query = person.query
    socket = f"{HOME}/socket?page={time.time_ns() // 1_000_000}{query.replace('?', '&')}"
    return _page(shown, parts, socket, f"{HOME}/parts{query}", waits=waits)


@router.get(f"{HOME}/parts")
async def show_own_parts(request: Request, visitor: Caller, person: Somebody) -> Response:
    """Return all parts, for a page whose socket is closed."""
    return _parts(own_parts(person, visitor.form_token, request.app.state.friends))


@router.get("/watch/{table}")
async def show_watched(table: TableName, request: Request) -> Response:
    """Show a table to a spectator, who needs no account."""
    person = await person_at(request)
    if person is not None:
        person.connect()
        for seat in person.seats:
            if seat.own_table is not None and seat.own_table.info.table == table:
                return RedirectResponse(f"{HOME}{seat.query}", 303)
    audience = spectators_of(request).audience(table)
    if audience is None:
        raise HTTPException(404, f"There is no table {table}.")
    audience.connect()
    screen = await audience.watch(table, patience_s=ANSWER_SECONDS)
    if screen is None:
        raise HTTPException(404, audience.notice or f"There is no table {table}.")
    parts = watched_parts(screen, is_full_page=True)
    socket = f"{HOME}/socket?table={table}"
    waits = not screen.truth.is_over
    return _page(screen.shown, parts, socket, f"/watch/{table}/parts", waits=waits)


@router.get("/watch/{table}/parts")
async def watched_again(table: TableName, request: Request) -> Response:
    """Return all parts of a table that is watched."""
    audience = spectators_of(request).audience(table)
    if audience is None or table not in audience.watched:
        raise HTTPException(404, "You are not watching this table. Please reload the page.")
    return _parts(audience.shown(watched_parts))


@router.websocket(f"{HOME}/socket")
async def socket(
    websocket: WebSocket, table: TableName = "", page: Annotated[int, Field(ge=0, le=2**53)] = 0
) -> None:
    """Send a page what changes; ``page`` is when it was loaded, in milliseconds."""
    await websocket.accept()
    people = websocket.app.state.table
    if not isinstance(people, People):
        await websocket.close(_REFUSED)
        return
    person = await person_at(websocket)
    if table:
        await _show_spectator(websocket, person, table)
    elif person is None:
        await websocket.close(_REFUSED)
    else:
        person.patience = people.settings.away_s
        await people.settle(person)
        token = Visitor(websocket).form_token
        friends = websocket.app.state.friends
        own = PageSocket(websocket, person, "", loaded=page)
        await own.serve(lambda: own_parts(person, token, friends), last_words)


async def _show_spectator(websocket: WebSocket, person: Person | None, table: str) -> None:
    """Show a table to a spectator, who may have logged in, and is here as long as it is shown."""
    spectators = spectators_of(websocket)
    audience, key = spectators.audience(table), token_hex(8)
    if audience is None or not spectators.enter(key, table, caller_address(websocket)):
        await websocket.close(_REFUSED)
        return
    page = PageSocket(websocket, audience, key)
    try:
        audience.connect()
        if await audience.watch(table, patience_s=ANSWER_SECONDS) is None:
            await websocket.close(_REFUSED)
            return
        if person is not None:
            person.connect()
            person.pages[key] = page
        await page.serve(lambda: audience.shown(watched_parts), last_words)
    finally:
        spectators.leave(key)
        if person is not None:
            person.pages.pop(key, None)
            person.happened()


@router.post(f"{HOME}/act")
async def act_at_table(
    form: Annotated[ActForm, Form()], request: Request, visitor: Caller, person: Somebody
) -> Response:
    """Act, and wait for the table's answer; a fold with a free check is asked once."""
    visitor.check(form.token)
    await _here(request, person)
    seat = person.seat
    turn = None if seat is None else seat.truth.turn
    is_free = turn is not None and turn.turn == form.turn and not turn.legal.to_call
    if is_free and form.verb == "fold" and not form.sure:
        person.asks_fold = form.turn
        person.changed()
        return _after(request, visitor, person)
    if (form.turn, form.verb) == person.acted_on and (turn is None or turn.turn != form.turn):
        return _after(request, visitor, person)  # pressed twice
    to = _amount(form.to, turn) if form.verb == "raise" else None
    verb = Verb(form.verb)
    if seat is not None:
        seat.flush()
    person.actions = max(person.actions, form.action)
    cards = form.cards if verb is Verb.DISCARD else None
    message = ActMessage(turn=form.turn, action=person.actions, verb=verb, to=to, cards=cards)
    person.acted_on = form.turn, form.verb
    await person.act(message, patience_s=ANSWER_SECONDS)
    return _after(request, visitor, person)


def _amount(text: str, turn: Turn | None) -> int:
    """Return the chips of a raise; the table itself refuses those that the rules do not allow."""
    text = text.strip()
    if text.isascii() and text.isdecimal() and int(text) <= 2**53:
        return int(text)
    if turn is None:
        raise HTTPException(409, "That turn is over already.")
    try:
        return typed_amount(choices_of(turn), text)
    except BadInput as problem:
        raise HTTPException(422, f"{str(problem)[:1].upper()}{str(problem)[1:]}.") from None


@router.post(f"{HOME}/ahead")
async def ahead(
    form: Annotated[AheadForm, Form()], request: Request, visitor: Caller, person: Somebody
) -> Response:
    """Choose an action in advance, or take the choice back."""
    visitor.check(form.token)
    person.choose_ahead(None if form.what == "nothing" else Plan(form.what))
    return _after(request, visitor, person)


@router.post(f"{HOME}/next")
async def show_next_hand(
    form: Annotated[TokenForm, Form()], request: Request, visitor: Caller, person: Somebody
) -> Response:
    """Show the next hand of a practice table."""
    visitor.check(form.token)
    await _here(request, person)
    if person.seat is not None and person.seat.truth.waits_for_me:
        person.send(SitIn())
        await asyncio.sleep(0)  # the table's answer
        await asyncio.sleep(0)
    return _after(request, visitor, person)


@router.post(f"{HOME}/show")
async def show_cards(
    form: Annotated[TokenForm, Form()], request: Request, visitor: Caller, person: Somebody
) -> Response:
    """Show the person's cards of the hand that is over."""
    visitor.check(form.token)
    await _here(request, person)
    state = None if person.seat is None else person.seat.shown
    if state is not None and state.showable:
        person.send(ShowCards(table=state.info.table, hand=state.showable))
        await asyncio.sleep(0)  # the table's answer
        await asyncio.sleep(0)
    return _after(request, visitor, person)


@router.post(f"{HOME}/share")
async def give_share(
    form: Annotated[ShareForm, Form()], visitor: Caller, person: Somebody
) -> Response:
    """Give the browser's share of a game's seed to the table."""
    visitor.check(form.token)
    person.give_share(form.game, form.share)
    return Response(status_code=204)


@router.post(f"{HOME}/back")
async def back(
    form: Annotated[TokenForm, Form()], request: Request, visitor: Caller, person: Somebody
) -> Response:
    """Come back to a seat that is frozen or was taken over."""
    visitor.check(form.token)
    person.come_back()
    if people_of(request).plays(person) and person.seat is not None:
        person.seat.flush()
    return _after(request, visitor, person)


@router.post(f"{HOME}/seat")
async def change_own_seat(
    form: Annotated[SeatForm, Form()], request: Request, visitor: Caller, person: Somebody
) -> Response:
    """Sit out or in, buy chips, run all-ins twice, or leave a ring or practice table."""
    visitor.check(form.token)
    await _here(request, person)
    match form.what:
        case "sit_in":
            person.send(SitIn())
        case "wait_in":
            person.send(SitIn(waits=True))
        case "sit_out":
            person.send(SitOut())
        case "stand_up":
            if person.seat is not None:
                if not person.seat.truth.is_over:
                    person.send(StandUp())
                person.seat.hurry()
        case "twice" | "once":
            if person.seat is not None:
                table = person.seat.truth.info.table
                person.send(RunTwice(table=table, wants=form.what == "twice"))
        case "buy":
            person.send(BuyChips(amount=form.chips or 1))
    return _after(request, visitor, person)


@router.post(f"{HOME}/hint")
async def ask_hint(
    form: Annotated[TokenForm, Form()], request: Request, visitor: Caller, person: Somebody
) -> Response:
    """Give advice on this decision, at a practice table."""
    visitor.check(form.token)
    people = people_of(request)
    truth = None if person.seat is None else person.seat.truth
    if truth is None or truth.turn is None or not truth.is_practice:
        raise HTTPException(409, "Hints are for your turn at a practice table.")
    ranks = {who.spec: rank for rank, who in enumerate(LADDER)}
    specs = sorted(people.specs_at(person), key=lambda spec: -ranks.get(spec, -1))
    lines = await asyncio.to_thread(hint, truth.turn, truth.info.format, specs, named=known_as)
    person.hint = (truth.turn.turn, lines)
    person.changed()
    return _after(request, visitor, person)


async def _here(request: Request, person: Person) -> None:
    """Log in again a person without script, who was away since the last request."""
    if not person.is_connected:
        await people_of(request).settle(person)


def _after(request: Request, visitor: Visitor, person: Person) -> Response:
    """Answer a form; a page with an open socket gets the answer there."""
    if not pages.is_partial(request):
        return RedirectResponse(f"{HOME}{person.query}", 303)
    if "" in person.pages:
        return Response(status_code=204)
    return _parts(own_parts(person, visitor.form_token, request.app.state.friends))


def _parts(parts: Parts) -> Response:
    return Response(joined_parts(parts), media_type="text/html")


def _page(state: TableState, parts: Parts, socket: str, again: str, *, waits: bool) -> Response:
    game = game_of(state)
    values: dict[str, Any] = {name: part.html for name, part in parts.items()}
    return pages.page_response(
        "table/table_page.html.jinja",
        title=table_title(state.info),
        parts=values,
        game=game,
        kind=state.info.kind,
        socket=socket,
        again=again,
        refresh=_REFRESH_S if waits else 0,
    )
