"""The game's pages and forms."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response, StreamingResponse

from railbird.cards import class_of, holding_of
from railbird.serve import pages
from railbird.serve.pushfold import export, transactions
from railbird.serve.pushfold.chart import cells, sparkline
from railbird.serve.pushfold.equilibrium import Equilibria, checked_stack
from railbird.serve.pushfold.hand import Choice
from railbird.serve.pushfold.hand_view import SKILLS, view_of
from railbird.serve.pushfold.leaderboard import leaders
from railbird.serve.pushfold.settings import PushFoldSettings
from railbird.serve.session import Caller, Visitor
from railbird.solve import LEAST_STACK, MOST_STACK, Seat
from railbird.storage import Database, PushFoldPlayerRow

router = APIRouter(prefix="/pushfold")

HOME = "/pushfold"
HEAVY = ("/pushfold/data.", "/pushfold/leaders")
"""Paths that read everybody's decisions."""
_SPARK_HANDS = 200
SPARK = (100, 28)

Stack = Annotated[
    float, Field(ge=LEAST_STACK, le=MOST_STACK, allow_inf_nan=False), AfterValidator(checked_stack)
]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


def _printable(text: str) -> str:
    text = " ".join(text.split())
    if not text.isprintable():
        raise ValueError("only letters, digits and punctuation")
    return text


class _Sent(BaseModel):
    """A form of our pages."""

    model_config = ConfigDict(extra="forbid")

    token: Annotated[str, Field(max_length=64)]


class NextForm(_Sent):
    """Request for the next hand."""

    after: Number


class HintForm(_Sent):
    """Request for a hint."""

    hand: Number


class ActForm(_Sent):
    """A decision."""

    hand: Number
    choice: Choice


class SettingsForm(_Sent):
    """The player's settings."""

    stack: Stack
    nickname: Annotated[str, Field(max_length=24), AfterValidator(_printable)] = ""
    skill: Annotated[str, Field(pattern=f"^({'|'.join(SKILLS)})?$")] = ""


@dataclass(frozen=True, slots=True)
class State:
    """What the game keeps while the server runs."""

    settings: PushFoldSettings
    equilibria: Equilibria


@dataclass(frozen=True, slots=True)
class Game:
    """A request, with everything needed to answer it."""

    request: Request
    visitor: Visitor
    database: Database
    solved: Equilibria
    settings: PushFoldSettings

    async def player(self, form: _Sent) -> PushFoldPlayerRow:
        """Return the player who sent a form; refuse one who has not been dealt a hand."""
        self.visitor.check(form.token)
        async with self.database.read() as session:
            player = await transactions.player_of(session, self.visitor.player)
        if player is None:
            raise HTTPException(409, "You have not been dealt a hand yet. Please reload the page.")
        return player

    async def state(self) -> dict[str, Any]:
        """Collect the values for the table's template."""
        async with self.database.read() as session:
            player = await transactions.player_of(session, self.visitor.player)
            hand = await transactions.last_hand(session, player) if player else None
            decision = await transactions.decision_of(session, hand) if hand else None
            tally = await transactions.tally(session, player) if player else transactions.Tally()
            won = (
                await transactions.running_winnings(session, player, most=_SPARK_HANDS)
                if player
                else []
            )
        equilibrium = await self.solved.at(hand.stack) if hand else None
        return {
            "token": self.visitor.form_token,
            "player": player,
            "stack": player.stack if player else self.settings.stack,
            "table": view_of(hand, decision, equilibrium) if hand and equilibrium else None,
            "tally": tally,
            "spark": sparkline(won, width=SPARK[0], height=SPARK[1]),
            "skills": SKILLS,
        }

    async def chart(self, seat: Seat | None = None) -> dict[str, Any]:
        """Collect the chart of a seat, by default the seat of the current hand."""
        async with self.database.read() as session:
            player = await transactions.player_of(session, self.visitor.player)
            hand = await transactions.last_hand(session, player) if player else None
            shown = seat or (Seat(hand.seat) if hand else Seat.SMALL_BLIND)
            stack = hand.stack if hand else player.stack if player else self.settings.stack
            counts = await transactions.counts(session, player, seat=shown, stack=stack)
        equilibrium = await self.solved.at(stack)
        is_asked = hand is not None and hand.ending is None and hand.seat == shown
        asked = class_of(holding_of(*transactions.dealt(hand).own)) if hand and is_asked else None
        return {
            "seat": shown,
            "chart_stack": stack,
            "cells": cells(equilibrium.frequencies(shown), counts, asked=asked),
        }

    async def after(self, turn: Awaitable[object]) -> Response:
        """Take a turn and show the table anew: the piece of it where htmx asks, else the page.

        A turn that is not the player's, or no longer, is a conflict.
        """
        try:
            await turn
        except transactions.OutOfTurn as problem:
            raise HTTPException(409, str(problem)) from None
        if not pages.is_partial(self.request):
            return RedirectResponse(HOME, 303)
        answer = pages.page("pushfold/swap.html.jinja", **await self.state())
        answer.headers["HX-Trigger"] = "played"
        return answer


def _game(request: Request, visitor: Caller) -> Game:
    state: State = request.app.state.pushfold
    database: Database = request.app.state.database
    return Game(request, visitor, database, state.equilibria, state.settings)


Played = Annotated[Game, Depends(_game)]


@router.get("")
async def show(game: Played) -> Response:
    """Show the page."""
    return pages.page("pushfold/game_page.html.jinja", **await game.state(), **await game.chart())


@router.post("/next")
async def deal_next(form: Annotated[NextForm, Form()], game: Played) -> Response:
    """Deal the next hand; the first one creates the player."""
    game.visitor.check(form.token)
    async with game.database.read() as session:
        player = await transactions.player_of(session, game.visitor.player)
    if player is None:
        async with game.database.write() as session:
            player = PushFoldPlayerRow(
                token=game.visitor.become(), stack=game.settings.stack, nickname="", skill=""
            )
            session.add(player)
    return await game.after(
        transactions.deal_next(
            game.database,
            player,
            form.after,
            equilibrium=await game.solved.at(player.stack),
            rng=game.settings.generator(),
        )
    )


@router.post("/act")
async def act(form: Annotated[ActForm, Form()], game: Played) -> Response:
    """Take a decision."""
    player = await game.player(form)
    return await game.after(
        transactions.decide(game.database, player, form.hand, form.choice, equilibria=game.solved)
    )


@router.post("/hint")
async def hint(form: Annotated[HintForm, Form()], game: Played) -> Response:
    """Show what the equilibrium does; the decision no longer counts."""
    return await game.after(transactions.hint(game.database, await game.player(form), form.hand))


@router.post("/settings")
async def set_up(form: Annotated[SettingsForm, Form()], game: Played) -> Response:
    """Change stack, nickname and skill; the current hand keeps its stack."""
    game.visitor.check(form.token)
    await game.solved.at(form.stack)
    async with game.database.write() as session:
        player = await transactions.player_of(session, game.visitor.player)
        if player is None:
            player = PushFoldPlayerRow(token=game.visitor.become())
            session.add(player)
        player.stack, player.nickname, player.skill = form.stack, form.nickname, form.skill
    return RedirectResponse(HOME, 303)


@router.get("/chart")
async def chart(game: Played, seat: Annotated[Seat | None, Query()] = None) -> Response:
    """Show a player's frequencies beside the equilibrium's."""
    partial = pages.is_partial(game.request)
    name = f"pushfold/chart{'' if partial else '_page'}.html.jinja"
    return pages.page(name, **await game.chart(seat))


@router.get("/leaders")
async def leaderboard(game: Played, stack: Annotated[Stack | None, Query()] = None) -> Response:
    """Show who gives up least."""
    at = game.settings.stack if stack is None else stack
    minimum = game.settings.minimum_decisions
    async with game.database.read() as session:
        player = await transactions.player_of(session, game.visitor.player)
        places = await leaders(session, stack=at, minimum=minimum)
    return pages.page(
        "pushfold/leaders.html.jinja", places=places, player=player, stack=at, minimum=minimum
    )


@router.get("/data.csv")
async def data_csv(game: Played) -> Response:
    """Download all decisions as CSV."""
    return _download(export.as_csv(game.database), "csv", "text/csv; charset=utf-8")


@router.get("/data.json")
async def data_json(game: Played) -> Response:
    """Download all decisions as JSON."""
    return _download(export.as_json(game.database), "json", "application/json")


def _download(pieces: AsyncIterator[str], ending: str, media_type: str) -> Response:
    named = {"Content-Disposition": f'attachment; filename="pushfold.{ending}"'}
    return StreamingResponse(pieces, media_type=media_type, headers=named)
