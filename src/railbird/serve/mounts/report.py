"""The report on a person's own play as a mount of the web application."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, FastAPI, Form, Query, Request
from pydantic import Field
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from railbird.errors import NothingUsable
from railbird.histories import HandRecord, read_hand
from railbird.report.number_format import counted, display_name, file_name, number, percent, signed
from railbird.serve import pages
from railbird.serve.caller import PROBLEMS, Accounts, account_of, caller_address, puzzle_owner
from railbird.serve.jobs import Full
from railbird.serve.middleware import too_long
from railbird.serve.mounts import Mount
from railbird.serve.pages import Replay, Sight, replay_of, step_before_act
from railbird.serve.report_jobs import ReportJob, ReportJobs, ReportSettings, ReportStage
from railbird.serve.session import Caller, TokenForm, Visitor
from railbird.storage import puzzles as stored

# What the pages of a report show, from the data that a worker made.


_WIDTH: Final = 640
_HEIGHT: Final = 180
_NUMERIC: Final = "+\N{MINUS SIGN}-.0123456789"
_STYLES: Final = ("money", "skill")
PAGE: Final = 100
"""Hands on a page of the list."""


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the chart."""

    title: str
    points: str
    style: str
    last: str


@dataclass(frozen=True, slots=True)
class ShownChart:
    """Running sums as a picture."""

    lines: tuple[ShownLine, ...]
    zero: float
    """Height of the zero line."""
    high: str
    low: str
    hands: int
    words: str


def sums_chart(lines: Mapping[str, Any], unit: str) -> ShownChart:
    """Draw running sums as lines of a picture."""
    hands: Sequence[int] = lines["hands"]
    sums: Mapping[str, Sequence[float]] = lines["sums"]
    values = [value for line in sums.values() for value in line]
    high, low = max(*values, 0.0), min(*values, 0.0)
    span = (high - low) or 1.0
    last = hands[-1] or 1

    def y(value: float) -> float:
        return round(_HEIGHT * (high - value) / span, 1)

    chart_lines = tuple(
        ShownLine(
            title=title,
            points=" ".join(
                f"{round(_WIDTH * hand / last, 1):g},{y(value):g}"
                for hand, value in zip(hands, line, strict=True)
            ),
            style=style,
            last=number(line[-1], 1),
        )
        for (title, line), style in zip(sums.items(), _STYLES, strict=False)
    )
    ends = ", ".join(f"{line.title} {line.last} {unit}" for line in chart_lines)
    return ShownChart(
        lines=chart_lines,
        zero=y(0.0),
        high=number(high, 0),
        low=number(low, 0),
        hands=last,
        words=f"Running sums over {last:,} hands; in the end {ends}.",
    )


@dataclass(frozen=True, slots=True)
class Opening:
    """What a report says first."""

    sentences: tuple[str, ...]
    dearest: str
    """Hand and action of the dearest mistake, as in the address of its replay; empty for none."""


def opening_of(report: Mapping[str, Any]) -> Opening:
    """Say in three sentences what was won, how much of it was luck, and what was done wrong."""
    unit, lines = report["unit"], report["lines"]
    hands, sums = lines["hands"][-1], [line[-1] for line in lines["sums"].values()]
    money = sums[0]
    in_100 = number(abs(money) * 100 / max(hands, 1), 1)
    did = "won" if money > 0 else "lost" if money < 0 else "won and lost the same"
    result = (
        f"You {did} {number(abs(money), 1)} {unit} in {counted(hands, 'hand')}, {in_100} in 100."
    )
    by = money - sums[-1] if len(sums) > 1 else report["luck"]
    if by is None:
        luck = "How much of that was luck cannot be told from this log."
    else:
        skill = money - by
        verb = "brought you" if by >= 0 else "cost you"
        would = "won" if skill >= 0 else "lost"
        luck = (
            f"Luck {verb} about {number(abs(by), 1)} of that: without it you would have {would} "
            f"about {number(abs(skill), 1)} {unit}."
        )
    mistakes = [
        (float(costs[0]), row, act, cost)
        for row, decisions in report["decisions"].items()
        for act, _, _, _, _, cost, _ in decisions
        if (costs := re.findall(r"[0-9]+(?:\.[0-9]+)?", cost))
    ]
    if not mistakes:
        return Opening((result, luck, "No decision that could be judged was clearly wrong."), "")
    _, row, act, cost = max(mistakes)
    were = f"{counted(len(mistakes), 'decision')} {'was' if len(mistakes) == 1 else 'were'}"
    which = "it" if len(mistakes) == 1 else "the costliest"
    wrong = f"{were} clearly wrong; {which} gave up {cost} {unit}."
    return Opening((result, luck, wrong), f"{row}?act={act}")


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """A decision of a hand, beside what others would have done."""

    act: int
    """Its place among all actions of the hand, from 0."""
    step: int
    """The step of the replay before it."""
    did: str
    house: str
    why: str
    grade: str
    """Grade by what could be seen then; empty where nothing judges."""
    cost: str
    """What the decision gave up; empty unless it was a mistake."""
    hindsight: str
    """What it changed beside the baseline, with all cards seen; empty where some are not."""


def listed_decisions(
    report: Mapping[str, Any], row: int, record: HandRecord
) -> tuple[ShownDecision, ...]:
    """Return the person's decisions in a hand."""
    return tuple(
        ShownDecision(
            act=act,
            step=step_before_act(record, act) or 0,
            did=did,
            house="the same" if house == did else house,
            why=why,
            grade=grade,
            cost=cost,
            hindsight="" if own is None else signed(own, 2),
        )
        for act, did, house, why, grade, cost, own in report["decisions"].get(str(row), ())
    )


def sections_of(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the sections, with the side to which each column is set."""
    return [
        {
            **section,
            "sides": [
                "n" if cells and all(cell[:1] in _NUMERIC for cell in cells) else ""
                for cells in (
                    [row[place] for row in section["rows"]]
                    for place in range(len(section["columns"]))
                )
            ],
        }
        for section in report["sections"]
    ]


# Pages and forms of reports: upload, progress, the report, its hands.


HOME: Final = "/report"
UPLOAD: Final = "/report/upload"
FORM_BYTES: Final = 1 << 14
"""Bytes of an upload's form besides the file."""

report_router = APIRouter(include_in_schema=False)

Row = Annotated[int, Field(ge=0, le=10**7)]
Step = Annotated[int | None, Query(ge=0, le=10**4)]


class PlayerForm(TokenForm):
    """Whose play it is."""

    player: Annotated[str, Field(min_length=1, max_length=500)]


def report_jobs_of(request: Request) -> ReportJobs:
    """Return the reports of the server."""
    jobs = request.app.state.report
    assert isinstance(jobs, ReportJobs)
    return jobs


def own_report(
    request: Request, visitor: Visitor, job_id: str, *, night: bool | None = False
) -> ReportJob:
    """Return this visitor's report, a night's page or either; refuse others', as if not there."""
    job = report_jobs_of(request).of(visitor.player, job_id)
    if job is None or night not in (job.night, None):
        raise HTTPException(404, "This page no longer exists. Please upload the log again.")
    return job


def begin_report(
    request: Request,
    visitor: Visitor,
    title: str,
    source: bytes,
    player: str | None = None,
    known: Mapping[str, str] | None = None,
    *,
    home: str = HOME,
    night: bool = False,
) -> str:
    """Begin a report, or a night's page; return where below ``home`` it will be."""
    try:
        owner, address = visitor.player or visitor.become(), caller_address(request)
        job = report_jobs_of(request).add(
            owner, title, source, player, address=address, known=known, night=night
        )
    except Full:
        raise HTTPException(503, "Too many logs are waiting. Please try again soon.") from None
    return f"{home}/{job.id}"


def upload_values(request: Request, visitor: Visitor, *, night: bool = False) -> dict[str, Any]:
    """Return what the form of an upload and the list below it show."""
    jobs = report_jobs_of(request)
    return {
        "token": visitor.form_token,
        "jobs": [job for job in jobs.all_of(visitor.player) if job.night is night],
        "megabytes": f"{jobs.settings.most_bytes / (1 << 20):g}",
    }


@report_router.get(HOME)
async def show_reports(request: Request, visitor: Caller) -> Response:
    """Show the form of the upload and the visitor's reports."""
    kept = f"{report_jobs_of(request).settings.kept_s / 60:.0f}"
    values = upload_values(request, visitor)
    return pages.page_response("report/home.html.jinja", kept=kept, **values)


class UploadedLog(NamedTuple):
    """What a form of an upload sends."""

    title: str
    source: bytes
    player: str | None


async def uploaded_log(request: Request, visitor: Visitor) -> UploadedLog:
    """Return what a form has sent; refuse one without a file, or with a large one."""
    most = report_jobs_of(request).settings.most_bytes
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
        raise HTTPException(413, too_long(most))
    name = player.strip()[:500] if isinstance(player, str) else ""
    return UploadedLog(title, source, name or None)


@report_router.post(UPLOAD)
async def upload(request: Request, visitor: Caller) -> Response:
    """Take a log."""
    log = await uploaded_log(request, visitor)
    return RedirectResponse(begin_report(request, visitor, *log), 303)


@report_router.get(HOME + "/{job_id}")
async def show_report(job_id: str, request: Request, visitor: Caller) -> Response:
    """Show a report, or how far it is; to htmx only what changes."""
    job = own_report(request, visitor, job_id)
    values: dict[str, Any] = {"job": job, "token": visitor.form_token, "Stage": ReportStage}
    if job.stage is ReportStage.DONE:
        values |= {
            "logged_in": await account_of(request) is not None,
            "report": job.report,
            "sections": sections_of(job.report),
            "opening": opening_of(job.report),
            "chart": sums_chart(job.report["lines"], job.report["unit"]),
        }
    template = "report/body.html.jinja" if pages.is_partial(request) else "report/page.html.jinja"
    answer = pages.page_response(template, **{"spot": None, **values})
    answer.headers["Vary"] = "HX-Request"
    return answer


@report_router.post(HOME + "/{job_id}/player")
async def choose_player(
    job_id: str, form: Annotated[PlayerForm, Form()], request: Request, visitor: Caller
) -> Response:
    """Say whose play it is."""
    visitor.check(form.token)
    job = own_report(request, visitor, job_id)
    if job.stage is ReportStage.WHOSE and form.player not in job.names:
        raise HTTPException(422, "Choose one of the names.")
    report_jobs_of(request).choose(job, form.player)
    return RedirectResponse(f"{HOME}/{job.id}", 303)


@report_router.post(HOME + "/{job_id}/forget")
async def forget_report(
    job_id: str, form: Annotated[TokenForm, Form()], request: Request, visitor: Caller
) -> Response:
    """Forget a report at once, or a night's page that is being made."""
    visitor.check(form.token)
    job = own_report(request, visitor, job_id, night=None)
    report_jobs_of(request).forget(job)
    return RedirectResponse("/night" if job.night else HOME, 303)


@report_router.get(HOME + "/{job_id}/hands")
async def list_report_hands(
    job_id: str,
    request: Request,
    visitor: Caller,
    page: Annotated[int, Query(ge=1, le=10**5)] = 1,
) -> Response:
    """List the hands, some at a time."""
    job = _done(own_report(request, visitor, job_id))
    every = job.report["hands"]
    first = (page - 1) * PAGE
    page_hands = list(enumerate(every))[first : first + PAGE]
    if not page_hands:
        raise HTTPException(404, "There is no such page.")
    return pages.page_response(
        "report/hands.html.jinja",
        job=job,
        report=job.report,
        hands=page_hands,
        page=page,
        last=-(-len(every) // PAGE),
    )


@report_router.get(HOME + "/{job_id}/hands/{row}")
async def replay_report_hand(
    job_id: str,
    row: Row,
    request: Request,
    visitor: Caller,
    step: Step = None,
    act: Step = None,
    sight: Sight = Sight.OWN,
) -> Response:
    """Replay a hand; ``act`` begins at a decision."""
    # Loads Polars, which an idle server can do without.
    from railbird.report.play_data import hand_of, hand_text

    job = _done(own_report(request, visitor, job_id))
    record = await asyncio.to_thread(hand_of, job.report["phh"], row)
    if record is None:
        raise HTTPException(404, "This hand cannot be replayed.")
    player = job.report["player"]
    at = step if step is not None or act is None else step_before_act(record, act)
    shown = replay_of(record, viewer=player, step=at if at is not None else 0, sight=sight)
    where = f"{HOME}/{job.id}/hands"
    values = {
        "replay": shown,
        "sight": sight,
        "Sight": Sight,
        "address": f"{where}/{row}",
        "title": f"Hand {job.report['hands'][row]['name']}",
        "decisions": listed_decisions(job.report, row, record),
        "adviser": job.report["adviser"],
        "unit": job.report["unit"],
        "back": (f"{HOME}/{job.id}", "the report"),
        "previous": f"{where}/{row - 1}" if row else "",
        "next": f"{where}/{row + 1}" if row + 1 < len(job.report["hands"]) else "",
    }
    if hasattr(request.app.state, "spots") and (acts := pages.acts_of_spots(record)):
        text = await asyncio.to_thread(hand_text, job.report["phh"], row)
        values["spot"] = {"hand": text, "acts": acts, "token": visitor.form_token}
    return replay_page(request, values)


def replay_page(request: Request, values: dict[str, Any]) -> Response:
    """Show a replay; to htmx only what changes."""
    part = pages.is_partial(request)
    template = "view/replay.html.jinja" if part else "view/replay_page.html.jinja"
    answer = pages.page_response(template, **{"spot": None, **values})
    answer.headers["Vary"] = "HX-Request"
    return answer


def _done(job: ReportJob) -> ReportJob:
    if job.stage is not ReportStage.DONE:
        raise HTTPException(409, "The report is not ready.")
    return job


# Puzzles: one's own decisions, asked again at the table as it stood.


PUZZLES: Final = "/puzzles"

puzzle_router = APIRouter(include_in_schema=False)


class TakeForm(TokenForm):
    """A report whose decisions become puzzles."""

    report: Annotated[str, Field(max_length=64)]


class AnswerForm(TokenForm):
    """An answer."""

    puzzle: Annotated[int, Field(ge=1, le=2**31 - 1)]
    answer: Annotated[str, Field(max_length=100)]


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """How good an answer was, and what other choices are worth."""

    right: bool
    words: str
    rows: tuple[tuple[str, str, str], ...]
    """Each choice, its value, and who chose it."""
    how: str
    """The judge of a decision, and its assumptions."""


def puzzle_choices(puzzle: Mapping[str, Any]) -> list[str]:
    """Return the answers to choose from."""
    is_call = puzzle["by"] == "equity" or "call" in (puzzle["best"], puzzle["played"][:4])
    return ["fold", "call" if is_call else "all-in"]


def puzzle_verdict(puzzle: Mapping[str, Any], answer: str) -> AnswerVerdict:
    """Judge an answer, which is one of `puzzle_choices`."""
    from railbird.report.play_document import between, given_up_words  # loads Polars

    unit, (_, alternative) = puzzle["unit"], puzzle_choices(puzzle)
    right = (answer == "fold") == (puzzle["best"] == "fold")
    if puzzle["by"] == "equity":
        cost = given_up_words(*puzzle["call"])
        low, high = (signed(value, 1) for value in puzzle["call"])
        worth = {"fold": number(0.0, 1), alternative: low if low == high else f"{low} to {high}"}
        how = (
            f"A call needs {percent(puzzle['required'], 0)} of the pot here; against the hands "
            f"that bet like this you win {between(*puzzle['equity'])}. What the cards were plays "
            "no part"
        )
    else:
        cost = number(puzzle["cost"], 3)
        is_best = {
            words: (words == "fold") == (puzzle["best"] == "fold")
            for words in ("fold", alternative)
        }
        worth = {words: number(0.0, 3) if best else f"−{cost}" for words, best in is_best.items()}
        how = (
            f"By the push/fold equilibrium, which plays this hand {percent(puzzle['frequency'], 0)}"
            " of the time; it assumes an opponent who does so, too"
        )
    rows = tuple((words, value, _who(puzzle, words, answer)) for words, value in worth.items())
    return AnswerVerdict(right, "Right" if right else f"This gives up {cost} {unit}", rows, how)


def _who(puzzle: Mapping[str, Any], words: str, answer: str) -> str:
    """Say who chose this; everything but a fold is one choice."""
    other = puzzle_choices(puzzle)[1]
    chosen = {"you, now": answer, "you, then": puzzle["played"], puzzle["adviser"]: puzzle["house"]}
    return ", ".join(
        who
        for who, what in chosen.items()
        if who and what and words == ("fold" if what == "fold" else other)
    )


@puzzle_router.get(PUZZLES)
async def ask_puzzle(request: Request, visitor: Caller, directory: Accounts) -> Response:
    """Ask the next puzzle."""
    owner = await puzzle_owner(request, visitor)
    puzzle = await directory.read(stored.next_puzzle, owner)
    count = await directory.read(stored.count_puzzles, owner)
    values: dict[str, Any] = {"token": visitor.form_token, "count": count, "kept": puzzle}
    values |= {"logged_in": owner.account_id is not None, "verdict": None}
    if puzzle is not None:
        values |= _table(puzzle.puzzle) | {"choices": puzzle_choices(puzzle.puzzle)}
    return pages.page_response("report/puzzle.html.jinja", **values)


@puzzle_router.post(PUZZLES + "/take")
async def take(
    form: Annotated[TakeForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Keep the decisions of a report as puzzles."""
    visitor.check(form.token)
    job = own_report(request, visitor, form.report)
    if job.stage is ReportStage.DONE:
        owner = await puzzle_owner(request, visitor)
        await directory.write(stored.add_puzzles, owner, job.report["puzzles"])
    return RedirectResponse(PUZZLES, 303)


@puzzle_router.post(PUZZLES + "/answer")
async def judge_answer(
    form: Annotated[AnswerForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Judge an answer."""
    visitor.check(form.token)
    owner = await puzzle_owner(request, visitor)
    puzzle = await directory.read(stored.puzzle_of, owner, form.puzzle)
    if puzzle is None:
        raise HTTPException(404, "This puzzle no longer exists.")
    if form.answer not in puzzle_choices(puzzle.puzzle):
        raise HTTPException(422, "Choose one of the answers.")
    verdict = puzzle_verdict(puzzle.puzzle, form.answer)
    await directory.write(stored.answer_puzzle, owner, puzzle.id, right=verdict.right)
    return pages.page_response(
        "report/puzzle.html.jinja",
        token=visitor.form_token,
        count=await directory.read(stored.count_puzzles, owner),
        kept=puzzle,
        logged_in=owner.account_id is not None,
        choices=[],
        verdict=verdict,
        **_table(puzzle.puzzle, sight=Sight.OPEN),
    )


@puzzle_router.post(PUZZLES + "/forget")
async def forget_own_puzzles(
    form: Annotated[TokenForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Delete all puzzles of this visitor."""
    visitor.check(form.token)
    await directory.write(stored.forget_puzzles, await puzzle_owner(request, visitor))
    return RedirectResponse(PUZZLES, 303)


def _table(puzzle: Mapping[str, Any], *, sight: Sight = Sight.OWN) -> dict[str, Any]:
    """Return the table before the decision."""
    record: HandRecord = read_hand(puzzle["hand"])
    replay: Replay = replay_of(
        record, viewer=puzzle["player"], step=step_before_act(record, puzzle["act"]), sight=sight
    )
    return {"replay": replay}


# Assessments for programs.


ASSESS: Final = "/api/assess"

assess_router = APIRouter(responses=PROBLEMS)


@assess_router.post(
    ASSESS,
    openapi_extra={
        "requestBody": {
            "required": True,
            "description": "A log of any known format, compressed or not, or a zip archive.",
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    },
)
async def assess_log(
    request: Request,
    game: Annotated[
        str | None, Query(max_length=40, description="The game of a log that does not name it")
    ] = None,
    player: Annotated[
        str | None, Query(max_length=500, description="The player who is looked at first")
    ] = None,
    league: Annotated[
        bool, Query(description="Everybody against everybody, at every look")
    ] = False,
) -> dict[str, Any]:
    """Assess a log: the answer is the JSON of ``railbird assess``, with ``cut`` for a long log."""
    source = await request.body()
    if not source:
        raise HTTPException(422, "The body is empty; allowed: a log.")
    options = {"game": game, "player": player, "league": league}
    try:
        return await report_jobs_of(request).assessed(
            source, options, address=caller_address(request), is_gone=request.is_disconnected
        )
    except Full:
        raise HTTPException(503, "Too many logs are waiting. Try again soon.") from None
    except NothingUsable as problem:
        raise HTTPException(422, f"{problem}.") from None


def mount(settings: ReportSettings | None = None) -> Mount:
    """Return the pages; reports are made by worker processes, and so are assessments."""
    chosen = settings or ReportSettings()
    router = APIRouter()
    router.include_router(assess_router)
    router.include_router(report_router)
    router.include_router(puzzle_router)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.report = ReportJobs(chosen, supervisor=app.state.supervisor)
        try:
            yield
        finally:
            await app.state.report.close()

    return Mount(
        name="report",
        title="Report",
        path=HOME,
        rank=55,
        router=router,
        heavy=(UPLOAD, ASSESS),
        bodies={UPLOAD: chosen.most_bytes + FORM_BYTES, ASSESS: chosen.most_bytes},
        lifespan=lifespan,
    )
