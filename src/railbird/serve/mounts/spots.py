"""The pages of spots as a mount of the web application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Annotated, Any, BinaryIO, Final, TypeVar

from fastapi import APIRouter, FastAPI, Query, Request
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import FileResponse, RedirectResponse, Response

from railbird.cards import CLASS_NAMES
from railbird.errors import BadInput
from railbird.report.number_format import display_name, file_name
from railbird.serve import pages
from railbird.serve import spots_page as view
from railbird.serve import three_page as three
from railbird.serve.caller import caller_address
from railbird.serve.jobs import Full, ProcessGone
from railbird.serve.middleware import too_long
from railbird.serve.mounts import Mount
from railbird.serve.session import Caller, Visitor
from railbird.serve.spots_jobs import SpotJob, SpotJobs, SpotSettings, Stage
from railbird.serve.spots_page import (
    BRUSHES,
    DONKS,
    FORM_BYTES,
    GAPS,
    LABELS,
    LONGEST,
    RULES,
    SIZES,
    SIZES_IN_POSITION,
    SpotForm,
)
from railbird.solve.spot import rows_as_csv
from railbird.solve.spot.files import MAGIC, THREE_MAGIC
from railbird.solve.spot.presets import PRESETS
from railbird.solve.spot.spot import PLAYERS, STREETS

# Pages and forms of spots: setting one up, its size, the queue, and reading a solution.


HOME: Final = "/spots"
SIZE: Final = "/spots/size"
EDIT: Final = "/spots/edit"
SOLVE: Final = "/spots/solve"
OPEN: Final = "/spots/open"
PLAYED: Final = "/spots/played"
COMPARE: Final = "/spots/compare"
THREE: Final = "/spots/three"

_GONE: Final = "This takes too long for now. Try again, or use fewer sizes."
_LONG: Final = (
    f"Too large: the text of a spot has at most {FORM_BYTES >> 10} KB, and this is no solution."
)
_NEITHER: Final = "neither a solution nor a spot"
_NO_HAND: Final[dict[str, Any]] = dict.fromkeys(
    ("text", "number", "act", "problem", "spot"), ""
) | {"streets": (), "decisions": ()}
_MOST_LOCKS: Final = 20
_LONGEST_LOCK: Final = 2_000
_DIGITS: Final = 6
"""Of the number of a hand."""
_FULL: Final = "Too many spots are waiting. Please try again soon."

router = APIRouter(include_in_schema=False)

_Answer = TypeVar("_Answer")
Line = Annotated[str, Query(max_length=400)]
LineOrNone = Annotated[str | None, Query(max_length=400)]
Word = Annotated[str, Query(max_length=20)]


def spot_jobs_of(request: Request) -> SpotJobs:
    """Return the solutions of the server."""
    jobs = request.app.state.spots
    assert isinstance(jobs, SpotJobs)
    return jobs


def job_of(request: Request, job_id: str) -> SpotJob:
    """Return a solution; refuse one that is no longer there."""
    job = spot_jobs_of(request).of(job_id)
    if job is None:
        raise HTTPException(404, "This solution no longer exists. Please solve it again.")
    return job


def own_spot_job(request: Request, visitor: Visitor, job_id: str) -> SpotJob:
    """Return a solution of this visitor; refuse others'."""
    job = job_of(request, job_id)
    if visitor.player is None or job.owner != visitor.player:
        raise HTTPException(403, "Only the person who started this solution can do that.")
    return job


async def sent_by(request: Request, visitor: Visitor) -> FormData:
    """Read a form, and refuse one that is not of our page."""
    try:
        form = await request.form(max_files=0, max_fields=len(LONGEST) + 4)
    except ClientDisconnect:
        # The page gives up a request of its own where a newer one follows.
        raise HTTPException(400, "The form broke off.") from None
    token = form.get("token")
    visitor.check(token if isinstance(token, str) else "")
    return form


def form_page(
    request: Request, visitor: Visitor, form: SpotForm, template: str, **more: Any
) -> Response:
    """Show the form, or a part of it."""
    jobs = spot_jobs_of(request)
    settings = jobs.settings
    # First, for it says what is wrong beside which field.
    grids = {player: form.grid(player) for player in PLAYERS}
    values = {
        "form": form,
        "grids": grids,
        "names": dict(zip(PLAYERS, view.NAMES, strict=True)),
        "token": visitor.form_token,
        "presets": PRESETS.values(),
        "menus": view.MENU_NAMES,
        "sizes": SIZES,
        "sizes_in_position": SIZES_IN_POSITION,
        "donks": DONKS,
        "rules": RULES.values(),
        "gaps": GAPS,
        "brushes": BRUSHES,
        "settings": settings,
        "jobs": jobs.all_of(visitor.player),
        "gap_words": view.gap_words,
        "Stage": Stage,
        "size": ("", False),
        "steps": [],
        "chosen": 0,
        "least": 0,
        "labels": LABELS,
        "played": _NO_HAND,
        "file_problem": "",
        **more,
    }
    answer = pages.page_response(template, **values)
    answer.headers["Vary"] = "HX-Request"
    return answer


@router.get(HOME)
async def show_spot_form(
    request: Request,
    visitor: Caller,
    preset: Word = "",
    street: Word = "flop",
    like: Word = "",
    beside: Word = "",
    lock: Annotated[list[str], Query(max_length=_MOST_LOCKS)] = [],  # noqa: B006
) -> Response:
    """Show the form: empty, of a preset, or of a spot that was solved, perhaps with locks more."""
    form = SpotForm.empty(preset, street)
    job = spot_jobs_of(request).of(like) if like else None
    if job is not None and job.players == len(PLAYERS):
        if job.form:
            form = SpotForm.of(job.form)
        else:
            form = await asyncio.to_thread(SpotForm.from_lines, job.spot)
    form.values["beside"] = beside
    try:
        for text in lock:
            form.add_lock(text[:_LONGEST_LOCK])
    except BadInput as problem:
        raise HTTPException(422, str(problem)) from None
    return form_page(request, visitor, form, "spots/page.html.jinja")


@router.post(EDIT)
async def edit(request: Request, visitor: Caller) -> Response:
    """Take a touch of a grid or a card; to a script only that part is sent."""
    sent = await sent_by(request, visitor)
    form = SpotForm.of(sent)
    what = sent.get("edit")
    what = what if isinstance(what, str) and len(what) <= FORM_BYTES else ""
    player, _, rest = what.partition(" ")
    try:
        if rest:
            await asyncio.to_thread(form.edit, what)
    except BadInput as problem:
        raise HTTPException(422, str(problem)) from None
    if pages.is_partial(request) and player in PLAYERS:
        return form_page(request, visitor, form, "spots/range.html.jinja", player=player)
    return form_page(request, visitor, form, "spots/page.html.jinja")


async def checked_spot(request: Request, form: SpotForm) -> dict[str, Any] | None:
    """Return a spot and its size, or None after a message next to the field that is wrong."""
    if not await asyncio.to_thread(form.is_whole):
        return None
    try:
        gap = float(form.values["gap"])
        return await spot_jobs_of(request).size(form.text(), detail=form.detail, gap=gap)
    except BadInput as problem:
        form.refused(str(problem))
    except ProcessGone:
        form.problems["more"] = _GONE
    except Full:
        raise HTTPException(503, _FULL) from None
    return None


@router.post(SIZE)
async def size(request: Request, visitor: Caller) -> Response:
    """Say how large the tree is, and about how long it takes."""
    form = SpotForm.of(await sent_by(request, visitor))
    is_part = pages.is_partial(request)
    tree_size = await checked_spot(request, form)
    settings = spot_jobs_of(request).settings
    about: dict[str, Any] = {}
    if tree_size is not None:
        limits = settings.memory_mb, settings.seconds
        about = {
            "size": view.size_words(tree_size, *limits),
            "steps": await asyncio.to_thread(view.tree_steps, tree_size, *limits),
            "chosen": tree_size["chosen"],
            "least": tree_size["least"],
        }
    template = "spots/fitted.html.jinja" if is_part else "spots/page.html.jinja"
    return form_page(request, visitor, form, template, **about)


@router.post(SOLVE)
async def solve_spot_job(request: Request, visitor: Caller) -> Response:
    """Put a spot into the queue, if it is one and fits."""
    form = SpotForm.of(await sent_by(request, visitor))
    jobs = spot_jobs_of(request)
    size = await checked_spot(request, form)
    if size is not None:
        words, is_too_large = view.size_words(size, jobs.settings.memory_mb, jobs.settings.seconds)
        if is_too_large:
            form.problems["more"] = words
        else:
            beside = jobs.of(form.values["beside"])
            is_like = beside is not None and beside.players == len(PLAYERS)
            job = jobs.new(
                visitor.player or visitor.become(),
                size["spot"],
                f"{size['board']}, {size['pot']:,} in the pot, {size['stack']:,} behind",
                gap=float(form.values["gap"]),
                address=caller_address(request),
                size=size,
                form=dict(form.values),
                beside=form.values["beside"] if is_like else "",
            )
            try:
                job = jobs.add(job)
            except Full:
                raise HTTPException(503, _FULL) from None
            return RedirectResponse(f"{HOME}/{job.id}", 303)
    answer = form_page(request, visitor, form, "spots/page.html.jinja")
    answer.status_code = 422
    return answer


@router.post(OPEN)
async def open_file(request: Request, visitor: Caller) -> Response:
    """Take a file of `railbird solve spot`: a solution, or a spot for the form."""
    jobs = spot_jobs_of(request)
    most = jobs.settings.most_bytes
    async with request.form(max_files=1, max_fields=2, max_part_size=FORM_BYTES) as form:
        token, file = form.get("token"), form.get("file")
        visitor.check(token if isinstance(token, str) else "")
        if not isinstance(file, UploadFile) or not file.filename:
            return _refused_file(request, visitor, "Choose a file first.")
        if (file.size or 0) > most:
            raise HTTPException(413, too_long(most))
        title = display_name(file_name(file.filename))
        beginning = await file.read(FORM_BYTES + 1)
        try:
            if not beginning.startswith((MAGIC, THREE_MAGIC)):
                filled = await _form_of_file(jobs, beginning)
                return form_page(request, visitor, filled, "spots/page.html.jinja")
            await file.seek(0)
            job = await jobs.open(visitor.player or visitor.become(), title, file.file)
        except BadInput as problem:
            return _refused_file(request, visitor, str(problem))
        except ProcessGone:
            return _refused_file(request, visitor, _GONE)
        except Full:
            raise HTTPException(503, _FULL) from None
    return RedirectResponse(f"{HOME}/{job.id}", 303)


async def _form_of_file(jobs: SpotJobs, beginning: bytes) -> SpotForm:
    """Return the form of a file that is no solution. Raises `BadInput`."""
    if len(beginning) > FORM_BYTES:
        raise BadInput(_LONG)
    if not beginning.strip():
        raise BadInput("this file is empty")
    text = beginning.decode("utf-8", errors="replace")
    if "=" not in text:
        raise BadInput(f"this file is {_NEITHER}")
    lines = await jobs.lines(text, name="this file")
    return await asyncio.to_thread(SpotForm.from_file, text, lines)


def _refused_file(request: Request, visitor: Visitor, problem: str) -> Response:
    """Show the form again, with what is wrong beside the field of the file."""
    words = pages.sentence(problem)
    about = {"file_problem": words, "is_other_file": _NEITHER in problem}
    answer = form_page(request, visitor, SpotForm.empty(), "spots/page.html.jinja", **about)
    answer.status_code = 422
    return answer


_SAID_STREETS: Final = ("", *STREETS)


@router.post(PLAYED)
async def played(request: Request, visitor: Caller) -> Response:
    """Take a hand that was played, pasted or in a file, as a spot for the form."""
    jobs = spot_jobs_of(request)
    async with request.form(max_files=1, max_fields=6, max_part_size=FORM_BYTES) as sent:
        token, file = sent.get("token"), sent.get("file")
        visitor.check(token if isinstance(token, str) else "")
        text = sent.get("hand")
        text = text if isinstance(text, str) else ""
        if not text.strip() and isinstance(file, UploadFile) and file.filename:
            text = (await file.read(FORM_BYTES)).decode("utf-8", errors="replace")
        number, street, act = (str(sent.get(key) or "") for key in ("number", "street", "act"))
    hand: dict[str, Any] = _NO_HAND | {"text": text, "number": number, "act": act}
    form = SpotForm.empty()
    try:
        if not text.strip():
            raise BadInput("paste a hand, or choose a file")
        are_numbers = all(digits.isdecimal() or not digits for digits in (number, act))
        if street not in _SAID_STREETS or not are_numbers:
            raise BadInput("this page has no such button")
        hand |= await jobs.played(
            text,
            number=int(number[:_DIGITS] or 0) or None,
            street=street,
            act=int(act[:_DIGITS]) if act else None,
        )
        hand["notes"] = view.hand_notes(hand["spot"])
        hand["decisions"] = view.hand_decisions(hand["decisions"], hand["act"])
        lines = await jobs.lines(hand["spot"], name="hand")
        form = await asyncio.to_thread(SpotForm.from_file, hand["spot"], lines)
        form.values |= {key: hand[key][: LONGEST[key]] for key in ("line", "played", "holding")}
    except BadInput as problem:
        hand["problem"] = str(problem)
    except ProcessGone:
        hand["problem"] = _GONE
    except Full:
        raise HTTPException(503, _FULL) from None
    answer = form_page(request, visitor, form, "spots/page.html.jinja", played=hand)
    answer.status_code = 422 if hand["problem"] else 200
    return answer


# Three players.


@router.get(THREE)
async def show_three_form(request: Request, visitor: Caller, like: Word = "") -> Response:
    """Show the form of a spot of three players."""
    job = spot_jobs_of(request).of(like)
    text = job.spot if job is not None and job.players == len(three.THREE_NAMES) else three.EXAMPLE
    return _three_form(request, visitor, text)


def _three_form(
    request: Request, visitor: Visitor, text: str, problem: str = "", gap: str = "1"
) -> Response:
    answer = pages.page_response(
        "spots/three.html.jinja",
        token=visitor.form_token,
        text=text,
        problem=problem,
        gap=gap,
        gaps=three.THREE_GAPS,
        settings=spot_jobs_of(request).settings,
    )
    answer.status_code = 422 if problem else 200
    return answer


@router.post(THREE)
async def solve_three_job(request: Request, visitor: Caller) -> Response:
    """Put a spot of three players into the queue, if it is one and fits."""
    form = await sent_by(request, visitor)
    text, gap = str(form.get("spot") or ""), str(form.get("gap") or "")
    jobs = spot_jobs_of(request)
    try:
        if len(text) > FORM_BYTES or gap not in three.THREE_GAPS:
            raise BadInput("this page has no such button")
        size = await jobs.size_three(text)
    except BadInput as problem:
        return _three_form(request, visitor, text[:FORM_BYTES], str(problem))
    except ProcessGone:
        return _three_form(request, visitor, text, _GONE, gap)
    except Full:
        raise HTTPException(503, _FULL) from None
    job = jobs.new(
        visitor.player or visitor.become(),
        text,
        f"Three players on {size['board']}, {size['pot']} in the pot",
        gap=float(gap),
        address=caller_address(request),
        size={"nodes": size["nodes"], "memory_mb": size["memory_mb"], "pot": size["pot"]},
        players=len(three.THREE_NAMES),
    )
    try:
        job = jobs.add(job)
    except Full:
        raise HTTPException(503, _FULL) from None
    return RedirectResponse(f"{HOME}/{job.id}", 303)


async def _three_values(request: Request, job: SpotJob, line: str) -> dict[str, Any]:
    node = await read(request, job, "node", line, players=len(three.THREE_NAMES))
    return {
        "players": three.three_of(job.facts, job.facts["pot"]),
        "point": await asyncio.to_thread(three.three_point_of, node),
    }


# Reading a solution.


async def read(
    request: Request, job: SpotJob, do: str, line: str, *, players: int = len(PLAYERS)
) -> dict[str, Any]:
    """Return the answer about a solution, or refuse in a line."""
    return await answer_of_reader(job, spot_jobs_of(request).read(job, do, line), players=players)


async def answer_of_reader(
    job: SpotJob, answer: Coroutine[Any, Any, _Answer], *, players: int = len(PLAYERS)
) -> _Answer:
    """Return what a reader says of a solution of so many players, or refuse it in a line."""
    try:
        if job.players != players:
            answer.close()
            raise BadInput("this can only be done with two players")
        if job.stage is not Stage.DONE:
            answer.close()
            goes_on = "This solution is being continued; you can read it when that has ended."
            words = goes_on if job.facts else "This spot is not solved yet."
            raise HTTPException(409, words)
        return await answer
    except BadInput as problem:
        raise HTTPException(422, str(problem)) from None
    except ProcessGone:
        raise HTTPException(503, "Reading this takes too long. Please try again.") from None
    except Full:
        raise HTTPException(503, "Too many requests at once. Please try again soon.") from None


@router.get(HOME + "/{job_id}")
async def solution(
    job_id: str,
    request: Request,
    visitor: Caller,
    line: LineOrNone = None,
    player: Word = "",
    show: Word = "mix",
    hand: Word = "",
) -> Response:
    """Show a solution at a line, or how far it is; to htmx only what changes.

    Where no line is named, the spot of a played hand opens at the decision that was chosen.
    """
    job = job_of(request, job_id)
    jobs = spot_jobs_of(request)
    values: dict[str, Any] = {
        "job": job,
        "Stage": Stage,
        "token": visitor.form_token,
        "is_owner": visitor.player is not None and job.owner == visitor.player,
        "before": len(jobs.before(job)),
        "seconds_before": jobs.seconds_before(job),
        "gap_words": view.gap_words,
        "seconds_words": view.seconds_words,
        "left_out": view.left_out_words(job.facts.get("left_out", job.size.get("left_out", []))),
        "settings": jobs.settings,
    }
    if job.stage is Stage.DONE and job.players == len(three.THREE_NAMES):
        values |= await _three_values(request, job, line or "")
        is_part = pages.is_partial(request)
        template = "spots/three_body.html.jinja" if is_part else "spots/three_solution.html.jinja"
        answer = pages.page_response(template, **values)
        answer.headers["Vary"] = "HX-Request"
        return answer
    if job.stage is Stage.DONE:
        opens_at = job.form.get("line", "") if line is None else line
        node = await read(request, job, "node", opens_at)
        if line is None and node["line"]:
            hand = view.played_class(job.form)
        if job.facts["prizes"]:
            node = await asyncio.to_thread(view.evs_in_percent, node)
        seat = PLAYERS.index(player) if player in PLAYERS else max(node["player"], 0)
        shown = show if show in view.SHOWN else "mix"
        name = hand if hand in CLASS_NAMES else ""
        values |= await asyncio.to_thread(_of_node, job, node, seat, shown, name)
        if job.beside and (beside := jobs.of(job.beside)) is not None and beside.facts:
            values["both"] = [
                view.evs_in_percent(solved.facts) if solved.facts["prizes"] else solved.facts
                for solved in (job, beside)
            ]
            values["other"] = beside
            values["verdicts"] = view.comparison_words(job.facts, beside.facts)
    template = "spots/body.html.jinja" if pages.is_partial(request) else "spots/solution.html.jinja"
    answer = pages.page_response(template, **values)
    answer.headers["Vary"] = "HX-Request"
    return answer


def _of_node(
    job: SpotJob, node: dict[str, Any], seat: int, measure: str, hand: str
) -> dict[str, Any]:
    pot = node["pot"]
    return {
        "node": node,
        "seat": seat,
        "players": tuple(zip(PLAYERS, view.NAMES, strict=True)),
        "shown": measure,
        "ways": view.SHOWN,
        "hand": hand,
        "cells": view.grid_of(node, seat, measure, pot),
        "path": view.path_to(node),
        "actions": view.actions_of(node),
        "deck": view.cards_left(node) if node["kind"] == "later" else [],
        "classes": view.made_hand_rows(node, seat, pot),
        "draws": view.draws_of(node, seat, pot),
        "hands": view.holding_rows(node, seat, hand, pot) if hand else [],
        "played": view.played_decision(node, job.form, pot, job.facts["big_blind"]),
        "played_class": view.played_class(job.form),
        "hand_points": view.hand_points(job.form, node["line"]),
        "locks": view.locks_of(node, seat, hand) if hand else [],
        "numbers": view.numbers_of(node, job.facts["big_blind"]),
        "curves": view.curves_of(node),
        "blockers": view.blockers_of(node),
        "rare": view.rare_words(node, job.facts["combinations"]),
        "other": None,
    }


@router.get(HOME + "/{job_id}/cards")
async def cards(
    job_id: str,
    request: Request,
    line: Line = "",
    sort: Annotated[str, Query(max_length=40)] = "ev",
) -> Response:
    """Compare the cards that can come next."""
    job = job_of(request, job_id)
    run_outs = await _run_outs(request, job, line)
    rows, legend = await asyncio.to_thread(view.run_outs_of, run_outs, line, sort)
    return pages.page_response(
        "spots/cards.html.jinja",
        job=job,
        rows=rows,
        legend=legend,
        line=line,
        sort=sort,
        orders=view.RUN_OUT_ORDERS,
    )


@router.get(HOME + "/{job_id}/compare")
async def compare_with_solution(job_id: str, request: Request, beside: Word = "") -> Response:
    """Compare a solution with another one of the server."""
    job, other = job_of(request, job_id), job_of(request, beside)
    if other.stage is not Stage.DONE:
        raise HTTPException(409, "The other spot is not solved yet.")
    return await _compared(request, job, other, "")


@router.post(COMPARE)
async def compare_with_file(request: Request, visitor: Caller) -> Response:
    """Compare a solution with a file: another solution, or what another solver wrote."""
    most = spot_jobs_of(request).settings.most_bytes
    async with request.form(max_files=1, max_fields=3, max_part_size=FORM_BYTES) as form:
        token, file, line = form.get("token"), form.get("file"), form.get("line")
        visitor.check(token if isinstance(token, str) else "")
        job = job_of(request, str(form.get("job") or ""))
        if not isinstance(file, UploadFile) or not file.filename:
            raise HTTPException(422, "Choose a file first.")
        if (file.size or 0) > most:
            raise HTTPException(413, too_long(most))
        where = line if isinstance(line, str) else ""
        return await _compared(request, job, file.file, where[: LONGEST["line"]])


async def _compared(
    request: Request, job: SpotJob, other: SpotJob | BinaryIO, line: str
) -> Response:
    answer = await answer_of_reader(job, spot_jobs_of(request).compare(job, other, line=line))
    values = await asyncio.to_thread(view.compared_of, answer)
    return pages.page_response("spots/compare.html.jinja", job=job, **values)


async def _run_outs(request: Request, job: SpotJob, line: str) -> list[dict[str, Any]]:
    run_outs: list[dict[str, Any]] = (await read(request, job, "cards", line))["cards"]
    if job.facts["prizes"]:
        run_outs = [view.evs_in_percent(run_out) for run_out in run_outs]
    return run_outs


@router.get(HOME + "/{job_id}/cards.csv")
async def cards_csv(job_id: str, request: Request, line: Line = "") -> Response:
    """Send the cards that can come next as CSV."""
    job = job_of(request, job_id)
    run_outs = await _run_outs(request, job, line)
    return _csv(job, "cards", await asyncio.to_thread(view.run_out_rows, run_outs))


def _csv(job: SpotJob, what: str, rows: list[dict[str, object]]) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{_name_of(job)}-{what}.csv"'}
    return Response(rows_as_csv(rows), media_type="text/csv", headers=headers)


@router.get(HOME + "/{job_id}/hands.csv")
async def hands_csv(job_id: str, request: Request, line: Line = "") -> Response:
    """Send every holding at a line as CSV."""
    job = job_of(request, job_id)
    node = await read(request, job, "node", line)
    rows = [{key: value for key, value in row.items() if key != "pairs"} for row in node["rows"]]
    return await asyncio.to_thread(_csv, job, "hands", rows)


@router.get(HOME + "/{job_id}/hands.phh")
async def hands_phh(job_id: str, request: Request) -> Response:
    """Send hands that both play by the solution, as a log."""
    job = job_of(request, job_id)
    path = await answer_of_reader(job, spot_jobs_of(request).hands(job))
    return FileResponse(path, media_type="text/plain", filename=f"{_name_of(job)}.phh")


@router.get(HOME + "/{job_id}/file")
async def download_solution(job_id: str, request: Request, river: bool = False) -> Response:
    """Send the file that `railbird solve spot show` reads, without its river if that can be."""
    job = job_of(request, job_id)
    file = spot_jobs_of(request).file(job, river=river)
    path = await answer_of_reader(job, file, players=job.players)
    return FileResponse(
        path, media_type="application/octet-stream", filename=f"{_name_of(job)}.solution"
    )


def _name_of(job: SpotJob) -> str:
    """Return the board, which tells files of solutions apart."""
    return str(job.facts["board"])


@router.post(HOME + "/{job_id}/stop")
async def stop(job_id: str, request: Request, visitor: Caller) -> Response:
    """End a search with what has been found; give up one that waits."""
    await sent_by(request, visitor)
    job = own_spot_job(request, visitor, job_id)
    is_given_up = job.stage is Stage.WAITING and not job.facts
    await spot_jobs_of(request).stop(job)
    return RedirectResponse(HOME if is_given_up else f"{HOME}/{job.id}", 303)


@router.post(HOME + "/{job_id}/go-on")
async def resume_solution(job_id: str, request: Request, visitor: Caller) -> Response:
    """Go on with a solution that ended before its gap."""
    await sent_by(request, visitor)
    job = own_spot_job(request, visitor, job_id)
    if job.can_go_on:
        try:
            spot_jobs_of(request).go_on(job)
        except Full:
            raise HTTPException(503, _FULL) from None
    return RedirectResponse(f"{HOME}/{job.id}", 303)


@router.post(HOME + "/{job_id}/forget")
async def forget_solution(job_id: str, request: Request, visitor: Caller) -> Response:
    """Forget a solution at once."""
    await sent_by(request, visitor)
    spot_jobs_of(request).forget(own_spot_job(request, visitor, job_id))
    return RedirectResponse(HOME, 303)


def mount(settings: SpotSettings | None = None) -> Mount:
    """Return the pages; separate processes solve and read spots."""
    chosen = settings or SpotSettings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.spots = SpotJobs(chosen, supervisor=app.state.supervisor)
        try:
            await app.state.spots.restore()
            yield
        finally:
            await app.state.spots.close()

    return Mount(
        name="spots",
        title="Spots",
        path=HOME,
        rank=58,
        router=router,
        heavy=(SOLVE, OPEN, COMPARE, THREE),
        bodies={
            **dict.fromkeys((EDIT, SIZE, SOLVE, THREE), FORM_BYTES),
            PLAYED: 4 * FORM_BYTES,
            **dict.fromkeys((OPEN, COMPARE), chosen.most_bytes + FORM_BYTES),
        },
        lifespan=lifespan,
    )
