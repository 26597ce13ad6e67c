"""Pages and forms of reports: upload, progress, the report, its hands."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from railbird.report.one_player.page_data import hand_of
from railbird.report.toolkit.number_format import display_name, file_name
from railbird.serve import pages
from railbird.serve.api.caller import address_of
from railbird.serve.report.jobs import Full, Job, Jobs, Stage
from railbird.serve.report.view import PAGE, chart_of, decisions_of, sections_of
from railbird.serve.session import Caller, Visitor
from railbird.serve.view.replay import Sight, replay_of, step_of

HOME: Final = "/report"
UPLOAD: Final = "/report/upload"
FORM_BYTES: Final = 1 << 14
"""Bytes of an upload's form besides the file."""

router = APIRouter(include_in_schema=False)

Row = Annotated[int, Field(ge=0, le=10**7)]
Step = Annotated[int | None, Query(ge=0, le=10**4)]


class TokenForm(BaseModel):
    """A form without any field of its own."""

    model_config = ConfigDict(extra="forbid")

    token: Annotated[str, Field(max_length=64)]


class PlayerForm(TokenForm):
    """Whose play it is."""

    player: Annotated[str, Field(min_length=1, max_length=500)]


def jobs_of(request: Request) -> Jobs:
    """Return the reports of the server."""
    jobs = request.app.state.report
    assert isinstance(jobs, Jobs)
    return jobs


def own_job(request: Request, visitor: Visitor, job_id: str) -> Job:
    """Return a report of this visitor; refuse others', as if there were none."""
    job = jobs_of(request).of(visitor.player, job_id)
    if job is None:
        raise HTTPException(404, "This report is not there any more. Please upload the log again.")
    return job


def begin(
    request: Request,
    visitor: Visitor,
    title: str,
    source: bytes,
    player: str | None,
    known: Mapping[str, str] | None = None,
) -> str:
    """Begin a report; return where it will be."""
    try:
        owner, address = visitor.player or visitor.become(), address_of(request)
        job = jobs_of(request).add(owner, title, source, player, address=address, known=known)
    except Full:
        raise HTTPException(503, "Too many reports are waiting. Please try again soon.") from None
    return f"{HOME}/{job.id}"


@router.get(HOME)
async def home(request: Request, visitor: Caller) -> Response:
    """Show the form of the upload and the visitor's reports."""
    jobs = jobs_of(request)
    return pages.page(
        "report/home.html.jinja",
        token=visitor.form_token,
        jobs=jobs.all_of(visitor.player),
        megabytes=f"{jobs.settings.most_bytes / (1 << 20):g}",
        kept=f"{jobs.settings.kept_s / 60:.0f}",
    )


@router.post(UPLOAD)
async def upload(request: Request, visitor: Caller) -> Response:
    """Take a log."""
    most = jobs_of(request).settings.most_bytes
    async with request.form(max_files=1, max_fields=4, max_part_size=FORM_BYTES) as form:
        token, player, file = form.get("token"), form.get("player"), form.get("file")
        visitor.check(token if isinstance(token, str) else "")
        if not isinstance(file, UploadFile) or not file.filename:
            raise HTTPException(422, "Choose a file with hands first.")
        source = await file.read(most + 1)
        title = display_name(file_name(file.filename))
    if not source:
        raise HTTPException(422, "The file is empty.")
    if len(source) > most:
        raise HTTPException(413, f"Too long: at most {most} bytes.")
    name = player.strip()[:500] if isinstance(player, str) else ""
    return RedirectResponse(begin(request, visitor, title, source, name or None), 303)


@router.get(HOME + "/{job_id}")
async def report(job_id: str, request: Request, visitor: Caller) -> Response:
    """Show a report, or how far it is; to htmx only what changes."""
    job = own_job(request, visitor, job_id)
    values: dict[str, Any] = {"job": job, "token": visitor.form_token, "Stage": Stage}
    if job.stage is Stage.DONE:
        values |= {
            "report": job.report,
            "sections": sections_of(job.report),
            "chart": chart_of(job.report["lines"], job.report["unit"]),
        }
    template = "report/body.html.jinja" if pages.is_partial(request) else "report/page.html.jinja"
    answer = pages.page(template, **values)
    answer.headers["Vary"] = "HX-Request"
    return answer


@router.post(HOME + "/{job_id}/player")
async def choose(
    job_id: str, form: Annotated[PlayerForm, Form()], request: Request, visitor: Caller
) -> Response:
    """Say whose play it is."""
    visitor.check(form.token)
    job = own_job(request, visitor, job_id)
    if job.stage is Stage.WHOSE and form.player not in job.names:
        raise HTTPException(422, "Choose one of the names.")
    jobs_of(request).choose(job, form.player)
    return RedirectResponse(f"{HOME}/{job.id}", 303)


@router.post(HOME + "/{job_id}/forget")
async def forget(
    job_id: str, form: Annotated[TokenForm, Form()], request: Request, visitor: Caller
) -> Response:
    """Forget a report at once."""
    visitor.check(form.token)
    jobs_of(request).forget(own_job(request, visitor, job_id))
    return RedirectResponse(HOME, 303)


@router.get(HOME + "/{job_id}/hands")
async def hands(
    job_id: str,
    request: Request,
    visitor: Caller,
    page: Annotated[int, Query(ge=1, le=10**5)] = 1,
) -> Response:
    """List the hands, some at a time."""
    job = _done(own_job(request, visitor, job_id))
    every = job.report["hands"]
    first = (page - 1) * PAGE
    shown = list(enumerate(every))[first : first + PAGE]
    if not shown:
        raise HTTPException(404, "There is no such page.")
    return pages.page(
        "report/hands.html.jinja",
        job=job,
        report=job.report,
        hands=shown,
        page=page,
        last=-(-len(every) // PAGE),
    )


@router.get(HOME + "/{job_id}/hands/{row}")
async def hand(
    job_id: str,
    row: Row,
    request: Request,
    visitor: Caller,
    step: Step = None,
    act: Step = None,
    sight: Sight = Sight.OWN,
) -> Response:
    """Replay a hand; ``act`` begins at a decision."""
    job = _done(own_job(request, visitor, job_id))
    record = await asyncio.to_thread(hand_of, job.report["phh"], row)
    if record is None:
        raise HTTPException(404, "This hand cannot be replayed.")
    player = job.report["player"]
    at = step if step is not None or act is None else step_of(record, act)
    shown = replay_of(record, viewer=player, step=at if at is not None else 0, sight=sight)
    where = f"{HOME}/{job.id}/hands"
    values = {
        "replay": shown,
        "sight": sight,
        "Sight": Sight,
        "address": f"{where}/{row}",
        "title": f"Hand {job.report['hands'][row]['name']}",
        "decisions": decisions_of(job.report, row, record),
        "adviser": job.report["adviser"],
        "unit": job.report["unit"],
        "back": (f"{HOME}/{job.id}", "the report"),
        "previous": f"{where}/{row - 1}" if row else "",
        "next": f"{where}/{row + 1}" if row + 1 < len(job.report["hands"]) else "",
    }
    return replay_page(request, values)


def replay_page(request: Request, values: dict[str, Any]) -> Response:
    """Show a replay; to htmx only what changes."""
    part = pages.is_partial(request)
    template = "view/replay.html.jinja" if part else "view/replay_page.html.jinja"
    answer = pages.page(template, **values)
    answer.headers["Vary"] = "HX-Request"
    return answer


def _done(job: Job) -> Job:
    if job.stage is not Stage.DONE:
        raise HTTPException(409, "The report is not ready.")
    return job
