"""Nights among friends as a mount of the web application: a log is uploaded, a page is shared.

Whoever has the link of a page reads it; the browser or account that uploaded it deletes it. A page
is made from names that strangers may have chosen, so it is shown in a sandbox: no cookie is sent
from it, and it loads nothing.
"""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Form, Path, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from railbird.serve import pages
from railbird.serve.caller import Accounts, puzzle_owner
from railbird.serve.mounts import Mount
from railbird.serve.mounts.report import (
    FORM_BYTES,
    begin_report,
    own_report,
    report_jobs_of,
    upload_values,
    uploaded_log,
)
from railbird.serve.report_jobs import ReportSettings, ReportStage
from railbird.serve.session import Caller, TokenForm
from railbird.storage import nights

HOME: Final = "/night"
UPLOAD: Final = "/night/upload"
MAKING: Final = "/night/making"
PAGE_HEADERS: Final = {
    "Content-Security-Policy": (
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}
"""Headers of a shared page, whose own policy names its scripts by their digests."""

router = APIRouter(include_in_schema=False)

Link = Annotated[str, Path(min_length=20, max_length=64, pattern="^[A-Za-z0-9_-]+$")]


@router.get(HOME)
async def show_nights(request: Request, visitor: Caller, directory: Accounts) -> Response:
    """Show the form of the upload, and the pages of this browser or account."""
    return pages.page_response(
        "night/home.html.jinja",
        nights=await directory.read(nights.nights_of, await puzzle_owner(request, visitor)),
        address=f"{request.base_url}".rstrip("/") + HOME,
        days=nights.NIGHT_DAYS,
        **upload_values(request, visitor, night=True),
    )


@router.post(UPLOAD)
async def upload_night(request: Request, visitor: Caller) -> Response:
    """Take a log."""
    log = await uploaded_log(request, visitor)
    where = begin_report(request, visitor, log.title, log.source, home=MAKING, night=True)
    return RedirectResponse(where, 303)


@router.get(MAKING + "/{job_id}")
async def make_night_page(
    job_id: str, request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Show how far a page is; keep it once it is made."""
    job = own_report(request, visitor, job_id, night=True)
    if job.stage is ReportStage.DONE:
        owner = await puzzle_owner(request, visitor)
        if job is not own_report(request, visitor, job_id, night=True):
            raise HTTPException(404, "There is no such page.")
        report_jobs_of(request).forget(job)  # in one step with the look, so that it is kept once
        made = job.report["title"], job.report["page"]
        await directory.write(nights.share_night, owner, *made)
        if pages.is_partial(request):
            return Response(status_code=204, headers={"HX-Redirect": HOME})
        return RedirectResponse(HOME, 303)
    return pages.page_response(
        "night/making.html.jinja", job=job, token=visitor.form_token, Stage=ReportStage
    )


@router.get(HOME + "/{link}")
async def show_night(link: Link, directory: Accounts) -> Response:
    """Show a page to whoever has its link."""
    page = await directory.read(nights.night_page, link)
    if page is None:
        raise HTTPException(404, "There is no such page, or it has been deleted.")
    return HTMLResponse(page, headers=PAGE_HEADERS)


@router.post(HOME + "/{link}/delete")
async def delete_night(
    link: Link,
    form: Annotated[TokenForm, Form()],
    request: Request,
    visitor: Caller,
    directory: Accounts,
) -> Response:
    """Delete a page of one's own at once."""
    visitor.check(form.token)
    owner = await puzzle_owner(request, visitor)
    if not await directory.write(nights.forget_night, owner, link):
        raise HTTPException(404, "There is no such page of yours.")
    return RedirectResponse(HOME, 303)


def mount() -> Mount:
    """Return the pages; what the mount of reports has set holds for uploads here, too."""
    return Mount(
        name="night",
        path=HOME,
        rank=56,
        router=router,
        heavy=(UPLOAD,),
        bodies={UPLOAD: ReportSettings().most_bytes + FORM_BYTES},
    )
