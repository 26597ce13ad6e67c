"""The game's pages and forms."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response, StreamingResponse

from railbird.cards import class_of, holding_of
from railbird.serve import pages
from railbird.serve.pushfold import book, export
from railbird.serve.pushfold.chart import cells, sparkline
from railbird.serve.pushfold.equilibrium import LEAST_STACK, MOST_STACK, Equilibria, checked_stack
from railbird.serve.pushfold.hand import Choice, Seat
from railbird.serve.pushfold.leaders import leaders
from railbird.serve.pushfold.table import SKILLS, table_of
from railbird.serve.settings import Settings
from railbird.serve.storage import Database, Player
from railbird.serve.visitor import Caller, Visitor

router = APIRouter(prefix="/pushfold")

HOME = "/pushfold"
HEAVY = ("/pushfold/data.", "/pushfold/leaders")
"""What reads everybody's decisions."""
_SPARK_HANDS = 200
SPARK = (100, 28)

Stack = Annotated[
    float, Field(ge=LEAST_STACK, le=MOST_STACK, allow_inf_nan=False), AfterValidator(checked_stack)
]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


def _printable(text: str) -> str:
    text = " ".join(text.split())
    if not text.isprintable():
        raise ValueError("only letters, digits and signs")
    return text


class _Sent(BaseModel):
    """A form of ours."""

    model_config = ConfigDict(extra="forbid")

    token: Annotated[str, Field(max_length=64)]


class NextForm(_Sent):
    """Deal the hand after this one."""

    after: Number


class HintForm(_Sent):
    """Say what the equilibrium does."""

    hand: Number


class ActForm(_Sent):
    """Push, call or fold."""

    hand: Number
    choice: Choice


class SettingsForm(_Sent):
    """How the player wants it."""

    stack: Stack
    nickname: Annotated[str, Field(max_length=24), AfterValidator(_printable)] = ""
    skill: Annotated[str, Field(pattern=f"^({'|'.join(SKILLS)})?$")] = ""


def _database(request: Request) -> Database:
    found = request.app.state.database
    assert isinstance(found, Database)
    return found


def _equilibria(request: Request) -> Equilibria:
    found = request.app.state.equilibria
    assert isinstance(found, Equilibria)
    return found


def _settings(request: Request) -> Settings:
    found = request.app.state.settings
    assert isinstance(found, Settings)
    return found


Store = Annotated[Database, Depends(_database)]
Solved = Annotated[Equilibria, Depends(_equilibria)]
Told = Annotated[Settings, Depends(_settings)]


async def _known_player(visitor: Visitor, database: Database) -> Player:
    async with database.read() as session:
        player = await book.player_of(session, visitor.player)
    if player is None:
        raise HTTPException(409, "No hand has been dealt to you yet: reload the page.")
    return player


async def _state(
    visitor: Visitor, database: Database, solved: Equilibria, settings: Settings
) -> dict[str, Any]:
    """Gather what the table's template shows."""
    async with database.read() as session:
        player = await book.player_of(session, visitor.player)
        hand = await book.last_hand(session, player) if player else None
        decision = await book.decision_of(session, hand) if hand else None
        tally = await book.tally(session, player) if player else book.Tally()
        won = await book.running_winnings(session, player, most=_SPARK_HANDS) if player else []
    equilibrium = await solved.at(hand.stack) if hand else None
    return {
        "token": visitor.form_token,
        "player": player,
        "stack": player.stack if player else settings.stack,
        "table": table_of(hand, decision, equilibrium) if hand and equilibrium else None,
        "tally": tally,
        "spark": sparkline(won, width=SPARK[0], height=SPARK[1]),
        "skills": SKILLS,
    }


async def _answer(
    request: Request, visitor: Visitor, database: Database, solved: Equilibria, settings: Settings
) -> Response:
    """Show the table anew: the piece of it where htmx asks, else by going back to the page."""
    if not pages.is_partial(request):
        return RedirectResponse(HOME, 303)
    state = await _state(visitor, database, solved, settings)
    answer = pages.page("pushfold/swap.html.jinja", **state)
    answer.headers["HX-Trigger"] = "played"
    return answer


@router.get("")
async def show(
    request: Request, visitor: Caller, database: Store, solved: Solved, settings: Told
) -> Response:
    """The page."""
    state = await _state(visitor, database, solved, settings)
    chart = await _chart(visitor, database, solved, settings, seat=None)
    return pages.page("pushfold/page.html.jinja", **state, **chart)


@router.post("/next")
async def deal_next(
    request: Request,
    form: Annotated[NextForm, Form()],
    visitor: Caller,
    database: Store,
    solved: Solved,
    settings: Told,
) -> Response:
    """Deal the next hand; the first one makes the player."""
    visitor.check(form.token)
    async with database.read() as session:
        player = await book.player_of(session, visitor.player)
    if player is None:
        async with database.write() as session:
            player = Player(token=visitor.become(), stack=settings.stack, nickname="", skill="")
            session.add(player)
    try:
        await book.deal_next(
            database,
            player,
            form.after,
            equilibrium=await solved.at(player.stack),
            rng=settings.generator(),
        )
    except book.OutOfTurn as problem:
        raise HTTPException(409, str(problem)) from None
    return await _answer(request, visitor, database, solved, settings)


@router.post("/act")
async def act(
    request: Request,
    form: Annotated[ActForm, Form()],
    visitor: Caller,
    database: Store,
    solved: Solved,
    settings: Told,
) -> Response:
    """Push, call or fold."""
    visitor.check(form.token)
    player = await _known_player(visitor, database)
    try:
        await book.decide(database, player, form.hand, form.choice, equilibria=solved)
    except book.OutOfTurn as problem:
        raise HTTPException(409, str(problem)) from None
    return await _answer(request, visitor, database, solved, settings)


@router.post("/hint")
async def hint(
    request: Request,
    form: Annotated[HintForm, Form()],
    visitor: Caller,
    database: Store,
    solved: Solved,
    settings: Told,
) -> Response:
    """Say what the equilibrium does; the hand's decision no longer counts."""
    visitor.check(form.token)
    player = await _known_player(visitor, database)
    try:
        await book.hint(database, player, form.hand)
    except book.OutOfTurn as problem:
        raise HTTPException(409, str(problem)) from None
    return await _answer(request, visitor, database, solved, settings)


@router.post("/settings")
async def set_up(
    form: Annotated[SettingsForm, Form()],
    visitor: Caller,
    database: Store,
    solved: Solved,
) -> Response:
    """Take the stack, the nickname and the skill; a hand on the table keeps its stack."""
    visitor.check(form.token)
    await solved.at(form.stack)
    async with database.write() as session:
        player = await book.player_of(session, visitor.player)
        if player is None:
            player = Player(token=visitor.become())
            session.add(player)
        player.stack, player.nickname, player.skill = form.stack, form.nickname, form.skill
    return RedirectResponse(HOME, 303)


async def _chart(
    visitor: Visitor,
    database: Database,
    solved: Equilibria,
    settings: Settings,
    *,
    seat: Seat | None,
) -> dict[str, Any]:
    """Gather the chart of a seat, or of the seat of the hand on the table."""
    async with database.read() as session:
        player = await book.player_of(session, visitor.player)
        hand = await book.last_hand(session, player) if player else None
        shown = seat or (Seat(hand.seat) if hand else Seat.SMALL_BLIND)
        stack = hand.stack if hand else player.stack if player else settings.stack
        counts = await book.counts(session, player, seat=shown, stack=stack)
    equilibrium = await solved.at(stack)
    is_asked = hand is not None and hand.ending is None and hand.seat == shown
    asked = class_of(holding_of(*book.dealt(hand).own)) if hand and is_asked else None
    return {
        "seat": shown,
        "chart_stack": stack,
        "cells": cells(equilibrium.frequencies(shown), counts, asked=asked),
    }


@router.get("/chart")
async def chart(
    request: Request,
    visitor: Caller,
    database: Store,
    solved: Solved,
    settings: Told,
    seat: Annotated[Seat | None, Query()] = None,
) -> Response:
    """A player's frequencies on the equilibrium's."""
    found = await _chart(visitor, database, solved, settings, seat=seat)
    partial = pages.is_partial(request)
    return pages.page(f"pushfold/chart{'' if partial else '_page'}.html.jinja", **found)


@router.get("/leaders")
async def leaderboard(
    visitor: Caller,
    database: Store,
    settings: Told,
    stack: Annotated[Stack | None, Query()] = None,
) -> Response:
    """Who gives up least."""
    at = settings.stack if stack is None else stack
    async with database.read() as session:
        player = await book.player_of(session, visitor.player)
        places = await leaders(session, stack=at, minimum=settings.minimum_decisions)
    return pages.page(
        "pushfold/leaders.html.jinja",
        places=places,
        player=player,
        stack=at,
        minimum=settings.minimum_decisions,
    )


@router.get("/data.csv")
async def data_csv(database: Store) -> Response:
    """All decisions as CSV."""
    return StreamingResponse(
        export.as_csv(database),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="pushfold.csv"'},
    )


@router.get("/data.json")
async def data_json(database: Store) -> Response:
    """All decisions as JSON."""
    return StreamingResponse(
        export.as_json(database),
        media_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="pushfold.json"'},
    )
