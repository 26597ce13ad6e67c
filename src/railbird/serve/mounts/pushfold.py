"""The game of push/fold as a mount of the web application."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Depends, FastAPI, Form, Query, Request
from numpy.typing import NDArray
from pydantic import AfterValidator, Field
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response, StreamingResponse

from railbird.cards import (
    CLASS_NAMES,
    HandClass,
    class_name,
    class_of,
    describe,
    format_holding,
    holding_of,
)
from railbird.report.number_format import percent
from railbird.serve import pages
from railbird.serve import pushfold_game as export
from railbird.serve import pushfold_game as transactions
from railbird.serve.mounts import Mount, at_first_use
from railbird.serve.pushfold_game import (
    Choice,
    ChoiceValues,
    Ending,
    Equilibria,
    Equilibrium,
    cards_of_hand,
    checked_stack,
    deal_pushfold,
    leaders,
    showdown_strengths,
    solve_at,
)
from railbird.serve.session import Caller, TokenForm, Visitor
from railbird.solve import LEAST_STACK, MOST_STACK, Seat
from railbird.storage import Database, PushFoldDecisionRow, PushFoldHandRow, PushFoldPlayerRow

# Settings of the push/fold game.


def fresh_generator() -> np.random.Generator:
    """Create an unpredictable generator, from 256 bits of the operating system's entropy."""
    return np.random.default_rng(secrets.randbits(256))


@dataclass(frozen=True, slots=True, kw_only=True)
class PushFoldSettings:
    """Settings of the game. Raises `railbird.errors.BadInput` for a stack that cannot be used."""

    stack: float = 10.0
    """Stack of a new player in big blinds, 1 to 100 in tenths."""
    minimum_decisions: int = 50
    """Decisions without a hint that a place on the leaderboard requires."""
    generator: Callable[[], np.random.Generator] = fresh_generator
    """Returns the generator that deals the next hand."""
    solver: Callable[[float], Equilibrium] = solve_at
    """Returns the equilibrium at a stack; called in a thread."""

    def __post_init__(self) -> None:
        checked_stack(self.stack)


# What a player sees of push/fold: the hand in the words of the page, and the 13 x 13 chart.


SKILLS = ("beginner", "intermediate", "advanced", "expert")
_ALL_IN = {
    Seat.SMALL_BLIND: "You push, the big blind calls.",
    Seat.BIG_BLIND: "The small blind pushes, you call.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PushfoldHandView:
    """A hand as its player sees it; it does not contain what must be hidden."""

    number: int
    stack: float
    seat: Seat
    own: str
    hand_class: str
    hinted: bool
    is_open: bool
    headline: str
    all_in: str
    """Headline while the board of a showdown is dealt."""
    winnings: float | None
    """None while the hand is open."""
    opponent: str | None
    """The opponent's cards, after a showdown."""
    board: str | None
    own_made: str | None
    opponent_made: str | None
    values: ChoiceValues | None
    """Values of both choices, after the decision or a hint."""
    choice: Choice | None
    loss: float | None

    @property
    def aggress(self) -> str:
        """Name of the choice other than folding."""
        return "Push" if self.seat is Seat.SMALL_BLIND else "Call"


def hand_view_of(
    hand: PushFoldHandRow, decision: PushFoldDecisionRow | None, equilibrium: Equilibrium
) -> PushfoldHandView:
    """Build the view of a stored hand."""
    seat, cards = Seat(hand.seat), cards_of_hand(hand)
    how = Ending(hand.ending) if hand.ending else None
    hand_class = class_of(holding_of(*cards.own))
    is_showdown = how is Ending.SHOWDOWN
    own_made, opponent_made = (
        map(describe, showdown_strengths(cards)) if is_showdown else (None, None)
    )
    has_values = decision is not None or (hand.hinted and how is None)
    return PushfoldHandView(
        number=hand.number,
        stack=hand.stack,
        seat=seat,
        own=format_holding(holding_of(*cards.own)),
        hand_class=class_name(hand_class),
        hinted=hand.hinted,
        is_open=how is None,
        headline=_headline(hand, seat, how),
        all_in=f"{_ALL_IN[seat]} The board is dealt.",
        winnings=None if how is None else hand.winnings,
        opponent=format_holding(holding_of(*cards.opponent)) if is_showdown else None,
        board=hand.board if is_showdown else None,
        own_made=own_made,
        opponent_made=opponent_made,
        values=equilibrium.value_of(seat, hand_class) if has_values else None,
        choice=Choice(decision.choice) if decision else None,
        loss=decision.loss if decision else None,
    )


def _headline(hand: PushFoldHandRow, seat: Seat, how: Ending | None) -> str:
    match how:
        case None if seat is Seat.SMALL_BLIND:
            return "You are in the small blind: push or fold?"
        case None:
            return f"The small blind pushes {hand.stack:g} big blinds: call or fold?"
        case Ending.PLAYER_FOLDED:
            return "You fold."
        case Ending.OPPONENT_FOLDED if seat is Seat.SMALL_BLIND:
            return "You push, the big blind folds: the pot is yours."
        case Ending.OPPONENT_FOLDED:
            return "The small blind folds: the pot is yours."
        case Ending.SHOWDOWN if hand.winnings > 0:
            return "You win the showdown."
        case Ending.SHOWDOWN if hand.winnings < 0:
            return "Your opponent wins the showdown."
        case _:
            return "The showdown is a tie: the pot is split."


# The 13 x 13 chart of a player's frequencies beside the equilibrium's, for a template.


CELL = 26
"""Side of a cell in the drawing's units."""


@dataclass(frozen=True, slots=True)
class ChartCell:
    """A cell of the chart: a class of hands."""

    name: str
    x: int
    y: int
    equilibrium: float | None
    """How often the equilibrium plays the class; None where that must not be seen."""
    decisions: int
    own: float | None
    """Share of the player's decisions that pushed or called; None without a decision."""

    @property
    def differs(self) -> bool:
        """True if the player deviates from the equilibrium, which may mix."""
        if self.own is None or self.equilibrium is None:
            return False
        off = abs(self.own - self.equilibrium)
        return off > 0.25 if 0.01 < self.equilibrium < 0.99 else off > 0.01

    @property
    def told(self) -> str:
        """Describe the cell in words."""
        parts = [] if self.equilibrium is None else [f"equilibrium {percent(self.equilibrium, 0)}"]
        if self.own is not None:
            parts.append(f"you {percent(self.own, 0)} of {self.decisions}")
        return f"{self.name}: {', '.join(parts) or 'not played yet'}"


def chart_cells(
    equilibrium: NDArray[np.float64], counts: NDArray[np.int64], *, asked: HandClass | None
) -> tuple[ChartCell, ...]:
    """Lay out the chart from frequencies (169,) and counts (169, 2) of pushes or calls, and all.

    The equilibrium is shown only where the player has decided before; otherwise the chart would be
    a hint that is not recorded. For the same reason it is hidden for the class that the player is
    ``asked`` about now.
    """
    return tuple(
        ChartCell(
            name,
            CELL * (index % 13),
            CELL * (index // 13),
            float(equilibrium[index]) if counts[index, 1] and index != asked else None,
            int(counts[index, 1]),
            float(counts[index, 0] / counts[index, 1]) if counts[index, 1] else None,
        )
        for index, name in enumerate(CLASS_NAMES)
    )


@dataclass(frozen=True, slots=True)
class Sparkline:
    """A running sum fitted into a box, as points of polylines."""

    hands: int
    before: str
    """Up to the hand before the last, whose outcome may not be known yet."""
    last: str
    zero: float
    """Height of the line where nothing is won or lost."""


def sparkline(winnings: Sequence[float], *, width: int, height: int) -> Sparkline:
    """Draw the running sum of winnings from zero.

    >>> sparkline([1.0, -1.0], width=10, height=4)
    Sparkline(hands=2, before='0.0,4.0 5.0,0.0', last='5.0,0.0 10.0,4.0', zero=4.0)
    """
    sums = np.concatenate(([0.0], np.cumsum(winnings)))
    low, high = float(sums.min()), float(sums.max())
    scale = height / (high - low) if high > low else 0.0
    steps = np.linspace(0, width, len(sums))
    points = [f"{x:.1f},{height - (y - low) * scale:.1f}" for x, y in zip(steps, sums, strict=True)]
    return Sparkline(
        hands=len(winnings),
        before=" ".join(points[:-1]),
        last=" ".join(points[-2:]),
        zero=round(height + low * scale, 1),
    )


# The game's pages and forms.


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


class NextForm(TokenForm):
    """Request for the next hand."""

    after: Number


class HintForm(TokenForm):
    """Request for a hint."""

    hand: Number


class PushFoldChoiceForm(TokenForm):
    """A decision."""

    hand: Number
    choice: Choice


class SettingsForm(TokenForm):
    """The player's settings."""

    stack: Stack
    nickname: Annotated[str, Field(max_length=24), AfterValidator(_printable)] = ""
    skill: Annotated[str, Field(pattern=f"^({'|'.join(SKILLS)})?$")] = ""


@dataclass(frozen=True, slots=True)
class State:
    """The game's settings and caches, kept while the server runs."""

    settings: PushFoldSettings
    equilibria: Equilibria


@dataclass(frozen=True, slots=True)
class PushfoldRequest:
    """A request to the game, with everything that is needed to answer it."""

    request: Request
    visitor: Visitor
    database: Database
    solved: Equilibria
    settings: PushFoldSettings

    async def player(self, form: TokenForm) -> PushFoldPlayerRow:
        """Return the player who sent a form; refuse one who has not been dealt a hand."""
        self.visitor.check(form.token)
        async with self.database.read() as session:
            player = await transactions.player_with_token(session, self.visitor.player)
        if player is None:
            raise HTTPException(409, "You have not been dealt a hand yet. Please reload the page.")
        return player

    async def state(self) -> dict[str, Any]:
        """Collect the values for the table's template."""
        async with self.database.read() as session:
            player = await transactions.player_with_token(session, self.visitor.player)
            hand = await transactions.last_hand(session, player) if player else None
            decision = await transactions.decision_row_of(session, hand) if hand else None
            tally = (
                await transactions.tally(session, player) if player else transactions.PlayerTotals()
            )
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
            "table": hand_view_of(hand, decision, equilibrium) if hand and equilibrium else None,
            "tally": tally,
            "spark": sparkline(won, width=SPARK[0], height=SPARK[1]),
            "skills": SKILLS,
        }

    async def chart(self, seat: Seat | None = None) -> dict[str, Any]:
        """Collect the chart of a seat, by default the seat of the current hand."""
        async with self.database.read() as session:
            player = await transactions.player_with_token(session, self.visitor.player)
            hand = await transactions.last_hand(session, player) if player else None
            chart_seat = seat or (Seat(hand.seat) if hand else Seat.SMALL_BLIND)
            stack = hand.stack if hand else player.stack if player else self.settings.stack
            counts = await transactions.counts(session, player, seat=chart_seat, stack=stack)
        equilibrium = await self.solved.at(stack)
        is_asked = hand is not None and hand.ending is None and hand.seat == chart_seat
        asked = (
            class_of(holding_of(*transactions.cards_of_hand(hand).own))
            if hand and is_asked
            else None
        )
        return {
            "seat": chart_seat,
            "chart_stack": stack,
            "cells": chart_cells(equilibrium.frequencies(chart_seat), counts, asked=asked),
        }

    async def after(self, turn: Awaitable[object]) -> Response:
        """Take a turn and show the table again: only its part if htmx asks, otherwise the page.

        If it is not, or no longer, the player's turn, that is a conflict.
        """
        try:
            await turn
        except transactions.OutOfTurn as problem:
            raise HTTPException(409, str(problem)) from None
        if not pages.is_partial(self.request):
            return RedirectResponse(HOME, 303)
        answer = pages.page_response("pushfold/swap.html.jinja", **await self.state())
        answer.headers["HX-Trigger"] = "played"
        return answer


def _game(request: Request, visitor: Caller) -> PushfoldRequest:
    state: State = request.app.state.pushfold
    database: Database = request.app.state.database
    return PushfoldRequest(request, visitor, database, state.equilibria, state.settings)


Played = Annotated[PushfoldRequest, Depends(_game)]


@router.get("")
async def show_pushfold(game: Played) -> Response:
    """Show the page."""
    return pages.page_response(
        "pushfold/game_page.html.jinja", **await game.state(), **await game.chart()
    )


@router.post("/next")
async def deal_next_hand(form: Annotated[NextForm, Form()], game: Played) -> Response:
    """Deal the next hand; the first one creates the player."""
    game.visitor.check(form.token)
    async with game.database.read() as session:
        player = await transactions.player_with_token(session, game.visitor.player)
    if player is None:
        async with game.database.write() as session:
            player = PushFoldPlayerRow(
                token=game.visitor.become(), stack=game.settings.stack, nickname="", skill=""
            )
            session.add(player)
    return await game.after(
        transactions.deal_hand_after(
            game.database,
            player,
            form.after,
            equilibrium=await game.solved.at(player.stack),
            rng=game.settings.generator(),
        )
    )


@router.post("/act")
async def decide_hand(form: Annotated[PushFoldChoiceForm, Form()], game: Played) -> Response:
    """Take a decision."""
    player = await game.player(form)
    return await game.after(
        transactions.decide_stored_hand(
            game.database, player, form.hand, form.choice, equilibria=game.solved
        )
    )


@router.post("/hint")
async def show_hint(form: Annotated[HintForm, Form()], game: Played) -> Response:
    """Show what the equilibrium does; the decision no longer counts."""
    return await game.after(
        transactions.record_hint(game.database, await game.player(form), form.hand)
    )


@router.post("/settings")
async def set_up(form: Annotated[SettingsForm, Form()], game: Played) -> Response:
    """Change stack, nickname and skill; the current hand keeps its stack."""
    game.visitor.check(form.token)
    await game.solved.at(form.stack)
    async with game.database.write() as session:
        player = await transactions.player_with_token(session, game.visitor.player)
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
    return pages.page_response(name, **await game.chart(seat))


@router.get("/leaders")
async def leaderboard(game: Played, stack: Annotated[Stack | None, Query()] = None) -> Response:
    """Show who gives up least."""
    at = game.settings.stack if stack is None else stack
    minimum = game.settings.minimum_decisions
    async with game.database.read() as session:
        player = await transactions.player_with_token(session, game.visitor.player)
        places = await leaders(session, stack=at, minimum=minimum)
    return pages.page_response(
        "pushfold/leaders.html.jinja", places=places, player=player, stack=at, minimum=minimum
    )


@router.get("/data.csv")
async def data_csv(game: Played) -> Response:
    """Download all decisions as CSV."""
    return _download(export.as_csv(game.database), "csv", "text/csv; charset=utf-8")


@router.get("/data.json")
async def data_json(game: Played) -> Response:
    """Download all decisions as JSON."""
    return _download(export.decisions_as_json(game.database), "json", "application/json")


def _download(pieces: AsyncIterator[str], ending: str, media_type: str) -> Response:
    named = {"Content-Disposition": f'attachment; filename="pushfold.{ending}"'}
    return StreamingResponse(pieces, media_type=media_type, headers=named)


def mount(settings: PushFoldSettings | None = None) -> Mount:
    """Return the game; its first equilibrium is solved before its first page."""
    chosen = settings or PushFoldSettings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.pushfold = State(chosen, Equilibria(chosen.solver))
        yield

    loaded = at_first_use(lambda: showdown_strengths(deal_pushfold(np.random.default_rng(0))))
    loaded.include_router(router)
    return Mount(
        name="pushfold",
        title="Push/fold",
        path=HOME,
        rank=50,
        router=loaded,
        heavy=HEAVY,
        lifespan=lifespan,
    )
