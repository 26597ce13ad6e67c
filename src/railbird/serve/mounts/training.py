"""Training against solutions as a mount of the web application: hands, hard decisions, progress."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from functools import partial
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from railbird.cards import parse_cards
from railbird.errors import BadInput
from railbird.serve import pages
from railbird.serve import training_page as view
from railbird.serve.caller import Accounts, puzzle_owner
from railbird.serve.mounts import Mount
from railbird.serve.mounts.spots import HOME as SPOTS
from railbird.serve.mounts.spots import Line, Word, answer_of_reader, job_of, spot_jobs_of
from railbird.serve.session import Caller, TokenForm
from railbird.serve.spots_jobs import SpotJob
from railbird.serve.spots_page import NAMES
from railbird.solve.spot.drills import Drill
from railbird.solve.spot.spot import PLAYERS
from railbird.storage import training as stored
from railbird.storage.database import now
from railbird.storage.training import TrainedAnswer

HOME: Final = "/train"
HARD: Final = "/train/hard"
HAND: Final = SPOTS + "/{job_id}/train"

_ANSWERS: Final = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*)?")
_MOST_SEED: Final = 1 << 31
_LONGEST_ANSWERS: Final = 600
_LONGEST_WORD: Final = 40
_MOST_WORDS: Final = 5
_NO_BUTTON: Final = "This page has no such button."
_TITLE: Final = 80

router = APIRouter(include_in_schema=False)

Seed = Annotated[int, Query(ge=0, lt=_MOST_SEED)]
Words = Annotated[list[str], Query(max_length=_MOST_WORDS)]


class HandForm(TokenForm):
    """A decision of a hand that is played against a solution."""

    line: Annotated[str, Field(max_length=400)] = ""
    seat: Annotated[str, Field(max_length=20)] = ""
    drill: Annotated[str, Field(max_length=_MOST_WORDS * _LONGEST_WORD)] = ""
    seed: Annotated[int, Field(ge=1, lt=_MOST_SEED)]
    answers: Annotated[str, Field(max_length=_LONGEST_ANSWERS)] = ""
    answer: Annotated[int, Field(ge=0, le=99)]


class CardForm(TokenForm):
    """An answer to a decision that came back."""

    card: Annotated[int, Field(ge=1, le=2**31 - 1)]
    place: Annotated[int, Field(ge=0, le=2**31 - 1)]
    """How often it had been answered."""
    answer: Annotated[int, Field(ge=0, le=99)]


def _drill(words: list[str]) -> str:
    """Return a drill as one text. Raises a refusal."""
    if any(len(word) > _LONGEST_WORD * _MOST_WORDS for word in words):
        raise HTTPException(422, _NO_BUTTON)
    try:
        return str(Drill.parse(",".join(words)))
    except BadInput:
        raise HTTPException(422, _NO_BUTTON) from None


def _answers(text: str, seat: str) -> list[int]:
    if not _ANSWERS.fullmatch(text) or (seat and seat not in PLAYERS):
        raise HTTPException(422, _NO_BUTTON)
    return [int(answer) for answer in text.split(".") if answer]


async def _asked(
    request: Request, job: SpotJob, line: str, drill: str, seat: str, seed: int, answers: list[int]
) -> dict[str, Any]:
    asked = spot_jobs_of(request).train(
        job,
        line=line,
        drill=drill,
        seed=seed,
        seat=PLAYERS.index(seat) if seat else None,
        answers=answers,
    )
    return await answer_of_reader(job, asked)


@router.get(HAND)
async def show_training_hand(
    job_id: str,
    request: Request,
    visitor: Caller,
    line: Line = "",
    seat: Word = "",
    drill: Words = [],  # noqa: B006
    seed: Seed = 0,
    answers: Annotated[str, Query(max_length=_LONGEST_ANSWERS)] = "",
) -> Response:
    """Let a person play against a solution; the address has the seed and all answers."""
    job = job_of(request, job_id)
    words = _drill(drill)
    numbers = _answers(answers, seat)
    if not seed:
        begun = {"line": line, "seat": seat, "drill": words}
        begun["seed"] = str(1 + secrets.randbelow(_MOST_SEED - 1))
        return RedirectResponse(f"{HAND.format(job_id=job_id)}?{urlencode(begun)}", 303)
    at = await _asked(request, job, line, words, seat, seed, numbers)
    board = parse_cards(str(job.facts["board"]))
    return pages.page_response(
        "training/hand.html.jinja",
        job=job,
        at=await asyncio.to_thread(view.training_of, at),
        line=line,
        seat=seat,
        seed=seed,
        answers=answers,
        drill=view.drill_menus(len(board), words),
        seats={"": "By turns"} | dict(zip(PLAYERS, NAMES, strict=True)),
        token=visitor.form_token,
    )


@router.post(HAND)
async def decide_training_hand(
    job_id: str,
    form: Annotated[HandForm, Form()],
    request: Request,
    visitor: Caller,
    directory: Accounts,
) -> Response:
    """Take a decision, record what it costs, and go on."""
    visitor.check(form.token)
    job = job_of(request, job_id)
    words = _drill([form.drill])
    numbers = [*_answers(form.answers, form.seat), form.answer]
    at = await _asked(request, job, form.line, words, form.seat, form.seed, numbers)
    made, asked = at["decisions"][-1], at["said"]
    title = job.title[:_TITLE]
    # The same hands are the same run, whichever address leads there.
    run = _digest(job.spot, form.line, words, form.seat, str(form.seed))
    unsure = (at["uncertainty"] or 0.0) / made["pot"]
    answer = TrainedAnswer(
        run=run,
        place=len(numbers),
        spot=title,
        street=made["street"],
        made=made["class"],
        loss=made["loss"],
        pot=made["pot"],
    )
    question = {key: value for key, value in asked.items() if key != "taken"}
    question |= {"spot": title, "street": made["street"], "made": made["class"], "unsure": unsure}
    await directory.write(
        stored.record_trained,
        await puzzle_owner(request, visitor),
        answer,
        question,
        _digest(job.spot, asked["line"], asked["holding"]),
        partial(view.recall, unsure=unsure),
    )
    query = {
        "line": form.line,
        "seat": form.seat,
        "drill": words,
        "seed": form.seed,
        "answers": ".".join(map(str, numbers)),
    }
    return RedirectResponse(f"{HAND.format(job_id=job_id)}?{urlencode(query)}#said", 303)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


@router.get(HOME)
async def show_training_progress(
    request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Show what one's decisions have cost, by street, class of hand, spot and day."""
    owner = await puzzle_owner(request, visitor)
    progress = await directory.read(stored.trained_progress, owner)
    return pages.page_response(
        "training/progress.html.jinja",
        at=view.progress_of(progress, now()),
        logged_in=owner.account_id is not None,
    )


@router.get(HARD)
async def ask_hard_decision(
    request: Request,
    visitor: Caller,
    directory: Accounts,
    graded: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    taken: Annotated[int, Query(ge=0, le=99)] = 0,
) -> Response:
    """Ask a decision that is due again, and show what was said of the last one."""
    owner = await puzzle_owner(request, visitor)
    card = await directory.read(stored.due_trained_card, owner)
    progress = await directory.read(stored.trained_progress, owner)
    verdict = None
    if graded:
        before = await directory.read(stored.trained_card, owner, graded)
        if before is not None and taken < len(before.question["actions"]):
            verdict = view.verdict_of(before.question, taken)
    return pages.page_response(
        "training/hard.html.jinja",
        card=card,
        at=None if card is None else view.question_of(card.question),
        said=verdict,
        progress=view.progress_of(progress, now()),
        token=visitor.form_token,
    )


@router.post(HARD)
async def judge_hard_decision(
    form: Annotated[CardForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Take an answer to a decision that came back."""
    visitor.check(form.token)
    owner = await puzzle_owner(request, visitor)
    card = await directory.read(stored.trained_card, owner, form.card)
    if card is None:
        raise HTTPException(404, "This decision no longer comes back.")
    question = card.question
    values = question["values"]
    if form.answer >= len(values):
        raise HTTPException(422, "Choose one of the actions.")
    answer = TrainedAnswer(
        run=f"card-{card.id}",
        place=form.place,
        spot=question["spot"],
        street=question["street"],
        made=question["made"],
        loss=max(values) - values[form.answer],
        pot=question["pot"],
    )
    again = partial(view.recall, unsure=question["unsure"])
    await directory.write(stored.answer_trained_card, owner, card.id, answer, again)
    query = urlencode({"graded": card.id, "taken": form.answer})
    return RedirectResponse(f"{HARD}?{query}", 303)


def mount() -> Mount:
    """Return the pages; `mounts.spots` has the solutions."""
    return Mount(name="training", router=router)
