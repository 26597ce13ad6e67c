"""Puzzles and drills as a mount of the web application: spots solved in advance, the same for all.

`mounts.report` has puzzles of one's own decisions.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, FastAPI, Form, Request
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from railbird.cards import CLASS_NAMES
from railbird.errors import BadInput
from railbird.estimates.estimate import Z_95
from railbird.report.number_format import counted, number, percent, signed
from railbird.serve import pages
from railbird.serve.caller import Accounts, puzzle_owner
from railbird.serve.mounts import Mount
from railbird.serve.session import Caller, TokenForm, Visitor
from railbird.solve.drill_store import DrillAction, DrillDecision, DrillGrade, DrillStore, in_blinds
from railbird.solve.spot.presets import BIG_BLIND
from railbird.storage import drills as stored
from railbird.storage.drills import AskedAs, DrillAnswer, DrillStanding
from railbird.storage.puzzles import Owner
from railbird.storage.results import LadderRating
from railbird.table.felt import Felt, FeltPot, FeltSeat
from railbird.table.words import made
from railbird.tournament.ratings import Rating, rated

HOME: Final = "/drills"
TITLES: Final = {
    AskedAs.DAILY: "Today’s",
    AskedAs.PUZZLE: "Puzzles",
    AskedAs.DRILL: "Drill",
}
CELL: Final = 26
"""Side of a cell of the grid of hands, in the drawing's units."""

router = APIRouter(prefix=HOME, include_in_schema=False)


class DrillForm(TokenForm):
    """An answer."""

    kind: AskedAs
    question: Annotated[str, Field(max_length=24)]
    answer: Annotated[str, Field(max_length=24)]


# What a page shows.


@dataclass(frozen=True, slots=True)
class DrillVerdict:
    """What is said of an answer."""

    words: str
    style: str
    """``good``, ``bad`` or nothing."""
    rows: tuple[dict[str, Any], ...]
    """Of each action: what it is worth, what it costs and how sure that is."""


def drill_verdict(decision: DrillDecision, taken: DrillAction) -> DrillVerdict:
    """Say how good an action was, and no more than is known."""
    words, style = {
        DrillGrade.BEST: (f"Right: anything else costs {_blinds(decision.least)} or more", "good"),
        DrillGrade.EVEN: ("Good: nothing is worth more, as far as can be told", "good"),
        DrillGrade.UNCLEAR: (
            f"Not clear: this costs between {_blinds(taken.low)} and {_blinds(taken.high)}",
            "",
        ),
        DrillGrade.LOSS: (
            f"This costs {_blinds(taken.cost)}. Best: {decision.best.words}",
            "bad",
        ),
    }[decision.grade(taken)]
    rows = tuple(
        {
            "words": action.words,
            "value": signed(action.value, 2),
            "cost": number(action.cost, 2) if action.cost else "–",
            "within": f"{number(action.low, 2)} to {number(action.high, 2)}" if action.cost else "",
            "share": percent(action.share, 0),
            "is_taken": action is taken,
            "is_best": action is decision.best,
        }
        for action in decision.actions
    )
    return DrillVerdict(words, style, rows)


def _blinds(amount: float) -> str:
    return f"{number(amount, 2)} bb"


def felt_at(decision: DrillDecision, *, is_open: bool) -> Felt:
    """Return the table at a decision, its player at the bottom, who has to act if it is open."""
    me = decision.player
    cards = (decision.holding[:2], decision.holding[2:])
    board = tuple(decision.board[at : at + 2] for at in range(0, len(decision.board), 2))
    return Felt(
        seats=tuple(
            FeltSeat(
                name=decision.seats[seat],
                chair=seat + 1,
                seat=seat,
                stack=decision.stacks[seat],
                distance=int(seat != me),
                bet=decision.bets[seat],
                heap=bool(decision.bets[seat]) + (decision.bets[seat] >= 10 * BIG_BLIND),
                cards=cards if seat == me else (),
                hidden=2 * (seat != me),
                is_me=seat == me,
                is_button=seat == 1 and "Button" in decision.seats,
                last="Check" if seat != me and not decision.bets[seat] and me else "",
                to_act=is_open and seat == me,
                made=made(cards, board) if seat == me else "",
            )
            for seat in (me, 1 - me)
        ),
        chairs=2,
        around=2,
        board=board,
        pots=(FeltPot("Pot", decision.pot, decision.seats),),
        total=decision.pot,
        hand=1,
    )


def held_cells(decision: DrillDecision) -> list[dict[str, Any]]:
    """Return the grid of what the other player can have, for a drawing."""
    return [
        {
            "name": name,
            "x": CELL * (index % 13),
            "y": CELL * (index // 13),
            "share": share,
            "told": f"{name}: {percent(share, 0)}",
        }
        for index, (name, share) in enumerate(zip(CLASS_NAMES, decision.other, strict=True))
    ]


def standing_words(standing: DrillStanding, kind: AskedAs) -> str:
    """Say how somebody has done so far; nothing before the first answer."""
    if kind is AskedAs.DRILL:
        if not standing.drills:
            return ""
        within = ""
        if standing.stderr is not None:
            within = f" ± {number(Z_95 * standing.stderr, 2)}"
        lost = f"{number(standing.lost, 2)}{within} bb given up in each"
        return f"{counted(standing.drills, 'decision')}, {lost}"
    if not standing.puzzles:
        return ""
    words = f"{standing.right:,} of {standing.puzzles:,} right, {standing.streak:,} in a row"
    if standing.days:
        words += f", {counted(standing.days, 'day')} running"
    if standing.rating is not None:
        rating = standing.rating
        words += f"; your rating is {number(rating.mean, 1)} ± {number(2 * rating.deviation, 1)}"
    return words


def rate_by_ladder(
    person: LadderRating | None, puzzle: LadderRating | None, right: bool
) -> tuple[LadderRating, LadderRating]:
    """Rate a person and a puzzle like two players, the puzzle winning where the answer is wrong."""
    before = [
        None if old is None else Rating(old.mean, old.deviation, old.tournaments)
        for old in (person, puzzle)
    ]
    after = rated(before, [1, 2] if right else [2, 1])
    first, second = (LadderRating(new.mean, new.deviation, new.tournaments) for new in after)
    return first, second


# Pages and forms.


def _store(request: Request) -> DrillStore:
    store = request.app.state.drills
    assert isinstance(store, DrillStore)
    return store


def _today() -> date:
    return datetime.now(UTC).date()


async def _question(
    request: Request, owner: Owner, directory: Accounts, kind: AskedAs
) -> str | None:
    """Return the name of what is asked next; None where all puzzles are solved."""
    store = _store(request)
    match kind:
        case AskedAs.DAILY:
            return await asyncio.to_thread(store.of_day, _today())
        case AskedAs.PUZZLE:
            solved = await directory.read(stored.answered_puzzles, owner)
            return await asyncio.to_thread(store.puzzle_for, owner.key, solved)
        case AskedAs.DRILL:
            return await asyncio.to_thread(store.drill_at, secrets.randbits(64))


async def _page(
    request: Request,
    visitor: Visitor,
    directory: Accounts,
    owner: Owner,
    kind: AskedAs,
    decision: DrillDecision | None,
    answer: DrillAnswer | None,
) -> Response:
    """Show a decision, or what was said of it."""
    standing = await directory.read(stored.drill_standing, owner, _today())
    values: dict[str, Any] = {}
    if decision is not None:
        taken = None if answer is None else decision.action(answer.answer)
        values = {
            "decision": decision,
            "felt_now": felt_at(decision, is_open=taken is None),
            "pot": in_blinds(decision.pot),
            "stack": in_blinds(min(decision.stacks)),
            "verdict": None if taken is None else drill_verdict(decision, taken),
            "cells": held_cells(decision),
            "opponent": decision.seats[1 - decision.player].lower(),
        }
    return pages.page_response(
        "drills/page.html.jinja",
        token=visitor.form_token,
        kind=kind,
        AskedAs=AskedAs,
        titles=TITLES,
        so_far=standing_words(standing, kind),
        logged_in=owner.account_id is not None,
        spots=len(_store(request).counts()),
        **{"decision": None, "verdict": None, **values},
    )


@router.get("")
async def show_daily_puzzle(request: Request, visitor: Caller, directory: Accounts) -> Response:
    """Ask the puzzle of the day, or show what was answered."""
    return await ask_drill(AskedAs.DAILY, request, visitor, directory)


@router.get("/{kind}")
async def ask_drill(
    kind: AskedAs, request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Ask a question of a kind."""
    owner = await puzzle_owner(request, visitor)
    name = await _question(request, owner, directory, kind)
    if name is None:
        return await _page(request, visitor, directory, owner, kind, None, None)
    decision = await asyncio.to_thread(_store(request).decision, name)
    answer = None
    if kind is AskedAs.DAILY:
        answer = await directory.read(stored.answer_to, owner, name)
    return await _page(request, visitor, directory, owner, kind, decision, answer)


@router.post("/answer")
async def judge_drill(
    form: Annotated[DrillForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Judge an answer; the first one to a question counts."""
    visitor.check(form.token)
    owner = await puzzle_owner(request, visitor)
    store = _store(request)
    decision, action = await asyncio.to_thread(_chosen, store, form)
    before = await directory.read(stored.answer_to, owner, form.question)
    if before is None:
        if form.kind is not AskedAs.DRILL:
            asked = await _question(request, owner, directory, form.kind)
            if asked != form.question:
                raise HTTPException(409, "This puzzle is not asked any more.")
        elif store.is_puzzle(decision.name):
            raise HTTPException(409, "This is a puzzle and no drill.")
        answer = DrillAnswer(
            kind=form.kind,
            question=decision.name,
            answer=action.name,
            cost=action.cost,
            error=action.error,
            right=action is decision.best,
        )
        await directory.write(stored.record_answer, owner, answer, rate_by_ladder)
    return RedirectResponse(f"{HOME}/answered/{form.question}", 303)


def _chosen(store: DrillStore, form: DrillForm) -> tuple[DrillDecision, DrillAction]:
    try:
        decision = store.decision(form.question)
    except BadInput:
        raise HTTPException(404, "There is no such puzzle.") from None
    try:
        return decision, decision.action(form.answer)
    except BadInput:
        raise HTTPException(422, "Choose one of the actions.") from None


@router.get("/answered/{question}")
async def show_answer(
    question: Annotated[str, Field(max_length=24)],
    request: Request,
    visitor: Caller,
    directory: Accounts,
) -> Response:
    """Show a question that one has answered, and what the answer cost."""
    owner = await puzzle_owner(request, visitor)
    answer = await directory.read(stored.answer_to, owner, question)
    if answer is None:
        raise HTTPException(404, "You have not answered this puzzle.")
    decision = await asyncio.to_thread(_store(request).decision, question)
    return await _page(request, visitor, directory, owner, answer.kind, decision, answer)


def mount(store: DrillStore | None = None) -> Mount:
    """Return the pages; the file of spots is opened when it is first asked."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.drills = store or DrillStore()
        yield

    return Mount(
        name="drills", title="Puzzles", path=HOME, rank=45, router=router, lifespan=lifespan
    )
