"""The game's pages and forms."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from railbird.errors import IllegalAction
from railbird.serve import pages
from railbird.serve.blackjack import view
from railbird.serve.blackjack.people import People, Person
from railbird.serve.session import Caller, Visitor

router = APIRouter(prefix="/blackjack")

HOME = "/blackjack"
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class DealForm(BaseModel):
    """Request for the next round."""

    model_config = ConfigDict(extra="forbid")

    token: Annotated[str, Field(max_length=64)]
    step: Number


class ChoiceForm(DealForm):
    """A decision."""

    choice: Annotated[str, Field(max_length=20)]


def _people(request: Request) -> People:
    people: People = request.app.state.blackjack
    return people


def _values(people: People, visitor: Visitor, person: Person) -> dict[str, Any]:
    played = person.round
    verdicts = [view.verdict_of(verdict) for verdict in person.latest]
    return {
        "token": visitor.form_token,
        "person": person,
        "step": person.step,
        "played": played,
        "hands": view.hands_of(played) if played else [],
        "dealer": view.faces(played.round.dealer, 2) if played else "",
        "dealer_total": view.dealer_total(played) if played else "",
        "choices": [(choice, view.KEYS[choice]) for choice in played.choices] if played else [],
        "headline": view.headline(person),
        "won": played.round.won() if played and played.over else None,
        "latest": verdicts,
        "last": verdicts[0] if verdicts and played and played.verdicts else None,
        "rules": view.rules_in_words(people.settings.rules),
    }


@router.get("")
async def show(request: Request, visitor: Caller) -> Response:
    """Show the table."""
    people = _people(request)
    person = people.of(visitor.player)
    return pages.page("blackjack/game_page.html.jinja", **_values(people, visitor, person))


@router.post("/deal")
async def deal(form: Annotated[DealForm, Form()], request: Request, visitor: Caller) -> Response:
    """Deal a round; the first one remembers the visitor."""
    visitor.check(form.token)
    people = _people(request)
    person = people.remember(visitor.player or visitor.become())
    async with person.lock:
        if form.step != person.step or (person.round is not None and not person.round.over):
            raise HTTPException(409, "This round is out of date. Please reload the page.")
        person.deal(people.settings, people.rng)
    return _after(request, people, visitor, person)


@router.post("/choose")
async def choose(
    form: Annotated[ChoiceForm, Form()], request: Request, visitor: Caller
) -> Response:
    """Take a decision, and say what it cost."""
    visitor.check(form.token)
    people = _people(request)
    person = people.of(visitor.player)
    async with person.lock:
        if person.round is None or form.step != person.step:
            raise HTTPException(409, "This round is out of date. Please reload the page.")
        try:
            await asyncio.to_thread(person.choose, form.choice)
        except IllegalAction:
            raise HTTPException(409, "That is not possible now. Please reload the page.") from None
    return _after(request, people, visitor, person)


def _after(request: Request, people: People, visitor: Visitor, person: Person) -> Response:
    if not pages.is_partial(request):
        return RedirectResponse(HOME, 303)
    return pages.page("blackjack/swap.html.jinja", **_values(people, visitor, person))
