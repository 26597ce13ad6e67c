"""The page's only address, which says everything that is set."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from railbird.errors import BadInput
from railbird.serve import pages
from railbird.serve.odds.question import Question
from railbird.serve.odds.view import view_of

HOME = "/odds"
HEAVY: tuple[str, ...] = ()

router = APIRouter()


@router.get(HOME, include_in_schema=False)
async def odds(request: Request) -> Response:
    """Show the odds of what the address sets; to htmx only the part that changes."""
    try:
        question = Question.parse(dict(request.query_params))
    except BadInput as problem:
        raise HTTPException(422, str(problem)) from None
    values = await asyncio.to_thread(view_of, question)
    part = pages.is_partial(request)
    answer = pages.page("odds/odds.html.jinja" if part else "odds/page.html.jinja", **values)
    answer.headers["Vary"] = "HX-Request"
    return answer
