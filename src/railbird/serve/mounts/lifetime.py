"""The page of an account's lifetime: all that it has played, with luck and without, in plain words.

Hands of games on this server are counted when their player asks for it, and those of an uploaded
log from its report. Each counts once.
"""

from __future__ import annotations

import asyncio
import csv
import io
import math
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, FastAPI, Form, Query, Request
from pydantic import Field
from sqlalchemy.orm import Session
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from railbird.cards import HOLDEM
from railbird.errors import RailbirdError
from railbird.estimates.estimate import Z_95
from railbird.histories import HandRecord, Skipped
from railbird.histories.format import WriteOptions
from railbird.histories.phh import write as write_phh
from railbird.hosting.house_game import hand_records, is_over
from railbird.hosting.journal import Joined, Opened, read_journal
from railbird.report.hand_digest import digest_of
from railbird.report.number_format import counted, number, signed
from railbird.serve import pages
from railbird.serve.admin import host_of
from railbird.serve.caller import Accounts, account_of, caller_address
from railbird.serve.host import server_name
from railbird.serve.jobs import Full
from railbird.serve.mounts import Mount
from railbird.serve.mounts.host import with_pauses
from railbird.serve.mounts.report import own_report, report_jobs_of, sums_chart
from railbird.serve.report_jobs import ReportJob, ReportStage
from railbird.serve.session import Caller, TokenForm
from railbird.storage import drills, lifetime
from railbird.storage import results as stored
from railbird.storage.accounts import Account
from railbird.storage.lifetime import LifeHand, LifeSums
from railbird.storage.puzzles import Owner

HOME: Final = "/lifetime"
MOST_COUNTED: Final = 8_000
"""Hands of games on this server that are counted at a time."""
_MOST_RESULTS: Final = 1_000
_SHOWN: Final = 20
"""Latest tournaments on the page."""
_POINTS: Final = 240
"""Of a line of the chart."""
_ENOUGH: Final = 30
"""Hands below which a row of a table is folded away, and no interval is said."""
_JOBS_OF: Final = "lifetime:"
"""Beginning of the owner of the jobs that count hands."""

router = APIRouter(prefix=HOME, include_in_schema=False)


# What the page says.


@dataclass(frozen=True, slots=True)
class LifeRow:
    """A row of a table: what was won, and what without luck."""

    name: str
    hands: str
    money: str
    skill: str
    """Empty where luck is unknown."""


def sum_interval(total: float, squares: float, hands: int) -> tuple[float, float] | None:
    """Return the 95 % interval of a sum over hands; None for too few.

    >>> sum_interval(0.0, 100.0, 100)
    (-19.698..., 19.698...)
    """
    if hands < _ENOUGH:
        return None
    spread = max(squares - total * total / hands, 0.0) * hands / (hands - 1)
    half = Z_95 * math.sqrt(spread)
    return total - half, total + half


def _within(total: float, squares: float, hands: int, unit: str = "") -> str:
    """Write a sum with its interval."""
    interval = sum_interval(total, squares, hands)
    said = f"{signed(total, 1)}{unit}"
    if interval is None:
        return said
    return f"{said} ({signed(interval[0], 0)} to {signed(interval[1], 0)})"


def life_row(sums: LifeSums) -> LifeRow:
    """Return a row of a table."""
    return LifeRow(
        sums.name,
        f"{sums.hands:,}",
        _within(sums.money, sums.money_squares, sums.hands),
        _within(sums.skill, sums.skill_squares, sums.known) if sums.known else "",
    )


def life_sentences(sums: LifeSums) -> list[str]:
    """Say what was won, how much of that was luck, and how certain that is.

    >>> life_sentences(LifeSums("", 400, 50.0, 9e4, 400, 50.0, -20.0, 4e4))[:1]
    ['You won 50.0 big blinds in 400 hands.']
    """
    if not sums.hands:
        return []
    did = "won" if sums.money > 0 else "lost" if sums.money < 0 else "neither won nor lost:"
    sentences = [
        f"You {did} {number(abs(sums.money), 1)} big blinds in {counted(sums.hands, 'hand')}."
    ]
    if not sums.known:
        return [*sentences, "How much of that was luck cannot be told: too few cards are known."]
    by = sums.known_money - sums.skill
    verb = "brought" if by >= 0 else "cost"
    would = "won" if sums.skill >= 0 else "lost"
    of = "that" if sums.known == sums.hands else f"the {sums.known:,} hands in which it can be told"
    sentences.append(
        f"Luck {verb} you about {number(abs(by), 1)} of {of}: without it you would have {would} "
        f"about {number(abs(sums.skill), 1)}."
    )
    interval = sum_interval(sums.skill, sums.skill_squares, sums.known)
    if interval is None:
        return [*sentences, f"From {_ENOUGH} hands on, this page says how sure that is."]
    low, high = interval
    if low > 0:
        verdict = "you win, beyond chance"
    elif high < 0:
        verdict = "you lose, beyond chance"
    else:
        verdict = "it is not yet certain whether you win or lose"
    sentences.append(
        f"This is no exact figure: what you would win in so many hands lies between "
        f"{signed(low, 0)} and {signed(high, 0)}, 95 times in 100, so {verdict}."
    )
    return sentences


def life_chart(results: Sequence[tuple[float, float | None]]) -> dict[str, Any]:
    """Return running sums of money, with and without luck, thinned out.

    A hand in which luck is unknown counts with its money in both; where it is unknown in all, there
    is one line.
    """
    money, skill = 0.0, 0.0
    stride = max(1, -(-len(results) // _POINTS))
    hands, sums = [0], ([0.0], [0.0])
    for count, (won, without) in enumerate(results, 1):
        money += won
        skill += won if without is None else without
        if count % stride == 0 or count == len(results):
            hands.append(count)
            sums[0].append(round(money, 2))
            sums[1].append(round(skill, 2))
    lines = {"with luck": sums[0], "without luck": sums[1]}
    if all(without is None for _, without in results):
        del lines["without luck"]
    return {"hands": hands, "sums": lines}


# Hands of this server's games.


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game on this server that an account has played."""

    id: str
    name: str
    """The game's name: the tournament's or ring game's, or practice."""
    path: Path
    """Of its journal."""


async def own_games(request: Request, account: Account, directory: Accounts) -> list[OwnGame]:
    """Return the games of an account whose hands are on this server, the oldest first."""
    host = host_of(request)
    if host is None:
        return []
    prefix = f"{server_name(host.settings.journal)}."
    read = partial(stored.results, name=account.name, most=_MOST_RESULTS)
    played = [(result.id, result.ladder) for result in reversed(await directory.read(read))]
    sessions = await directory.read(stored.ring_sessions_of, account.id)
    played += [(ended.id.partition("/")[0], ended.game) for ended in sessions if ended.hands]
    names = {id_.removeprefix(prefix): name for id_, name in played if id_.startswith(prefix)}
    practice = await asyncio.to_thread(host.house.practice_of, account.name)
    names |= {game: "practice" for game, _ in reversed(practice)}
    return [
        OwnGame(id_, name, path)
        for id_, name in names.items()
        if (path := host.house.journal_of(id_)) is not None
    ]


def hands_of_game(game: OwnGame, name: str) -> list[HandRecord]:
    """Return the hands of hold'em that somebody played in a game, with all cards.

    None before its end.
    """
    records = read_journal(game.path)
    opened = records[0]
    if not (is_over(records) or (isinstance(opened, Opened) and opened.kind == "practice")):
        return []
    everybody = {record.entrant.name for record in records if isinstance(record, Joined)}
    hands = with_pauses(hand_records(records, own=everybody))
    return [hand for hand in hands if name in hand.players and hand.rules.variant is HOLDEM]


async def _uncounted(request: Request, account: Account, directory: Accounts) -> list[OwnGame]:
    known = await directory.read(lifetime.life_sources, account.id)
    return [game for game in await own_games(request, account, directory) if game.id not in known]


# Pages and forms.


class AddForm(TokenForm):
    """A report whose hands are added."""

    report: Annotated[str, Field(max_length=64)]


async def _account(request: Request) -> Account:
    account = await account_of(request)
    if account is None:
        if request.method == "GET":
            raise HTTPException(303, headers={"Location": f"/account?next={HOME}"})
        raise HTTPException(401, "Log in first.")
    return account


def _job_of(request: Request, account: Account) -> ReportJob | None:
    jobs = report_jobs_of(request).all_of(f"{_JOBS_OF}{account.id}")
    return next(iter(jobs), None)


@router.get("")
async def show_lifetime(
    request: Request,
    visitor: Caller,
    directory: Accounts,
    added: Annotated[int | None, Query(ge=0, le=lifetime.MOST_HANDS)] = None,
    none: Literal["", "1"] = "",
) -> Response:
    """Show what an account has played, and put what was counted to it."""
    account = await _account(request)
    job = _job_of(request, account)
    problem = "There is nothing new: your games are not over, or counted already" if none else ""
    if job is not None and not job.is_moving:
        if job.stage is ReportStage.DONE:
            games = counted_games(request).pop(job.id, {})
            added = await _add(directory, account, job, games)
        else:
            problem = job.problem
        report_jobs_of(request).forget(job)
        job = None
    values: dict[str, Any] = {"job": job, "problem": problem, "added": added}
    values["token"] = visitor.form_token
    if pages.is_partial(request) and job is not None:
        return pages.page_response("lifetime/counting.html.jinja", **values)
    values |= await _figures(request, account, directory)
    answer = pages.page_response("lifetime/page.html.jinja", **values)
    if pages.is_partial(request):
        answer.headers["HX-Refresh"] = "true"
    answer.headers["Vary"] = "HX-Request"
    return answer


async def _figures(request: Request, account: Account, directory: Accounts) -> dict[str, Any]:
    every = await directory.read(lifetime.life_sums, account.id)
    by_game = await directory.read(partial(lifetime.life_sums, account_id=account.id, by="game"))
    by_position = await directory.read(
        partial(lifetime.life_sums, account_id=account.id, by="position")
    )
    results = await directory.read(lifetime.life_results, account.id)
    finished = await directory.read(partial(stored.results, name=account.name, most=_MOST_RESULTS))
    sessions = await directory.read(stored.ring_sessions_of, account.id)
    standing = await directory.read(
        drills.drill_standing, Owner(account.id, ""), datetime.now(UTC).date()
    )
    games = await _uncounted(request, account, directory)
    mine = [
        (result, entry)
        for result in finished
        for entry in result.entries
        if entry.name == account.name
    ]
    chart = await asyncio.to_thread(life_chart, results)
    return {
        "account": account,
        "sentences": life_sentences(every[0]) if every else [],
        "hands": every[0].hands if every else 0,
        "full": bool(every) and every[0].hands >= lifetime.MOST_HANDS,
        "chart": sums_chart(chart, "big blinds") if results else None,
        "tables": [
            ("By game", [life_row(row) for row in by_game]),
            ("By position", [life_row(row) for row in by_position if row.hands >= _ENOUGH]),
        ],
        "tournaments": mine[:_SHOWN],
        "played": len(mine),
        "won": sum(entry.place == 1 for _, entry in mine),
        "prizes": number(sum(entry.prize - entry.fee for _, entry in mine), 1),
        "sessions": len(sessions),
        "ring_won": signed(sum(session.won / max(session.big_blind, 1) for session in sessions), 1),
        "standing": standing,
        "uncounted": len(games),
    }


async def _add(
    directory: Accounts, account: Account, job: ReportJob, games: Mapping[str, OwnGame]
) -> int:
    """Put the hands of a finished job to an account's lifetime; return how many are new."""
    hands = [
        LifeHand(
            digest,
            games[digest].id if digest in games else f"log {job.title}",
            games[digest].name if digest in games else game,
            *rest,
        )
        for digest, game, *rest in job.report["results"]
    ]
    return await directory.write(lifetime.add_life_hands, account.id, hands)


@router.post("/count")
async def count_games(
    form: Annotated[TokenForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Begin to count the hands of games on this server that are not counted yet."""
    visitor.check(form.token)
    account = await _account(request)
    if _job_of(request, account) is None:
        games = await _uncounted(request, account, directory)
        source, by_digest = await asyncio.to_thread(_gathered, games, account.name)
        if not source:
            return RedirectResponse(f"{HOME}?none=1", 303)
        try:
            job = report_jobs_of(request).add(
                f"{_JOBS_OF}{account.id}",
                "your games",
                source,
                account.name,
                address=caller_address(request),
                only_results=True,
            )
        except Full:
            raise HTTPException(503, "Too many reports are waiting. Try again soon.") from None
        counted_games(request)[job.id] = by_digest
    return RedirectResponse(HOME, 303)


def counted_games(request: Request) -> dict[str, dict[str, OwnGame]]:
    """Return by the name of a job the game of each hand that it counts."""
    games: dict[str, dict[str, OwnGame]] = request.app.state.lifetime
    return games


def _gathered(games: Sequence[OwnGame], name: str) -> tuple[bytes, dict[str, OwnGame]]:
    """Return hands as PHH, with their games, which all have the betting of the first."""
    chosen: list[HandRecord] = []
    by_digest: dict[str, OwnGame] = {}
    for game in games:
        try:
            hands = hands_of_game(game, name)
        except RailbirdError:
            continue
        if not hands or (chosen and hands[0].rules.betting is not chosen[0].rules.betting):
            continue
        if chosen and len(chosen) + len(hands) > MOST_COUNTED:
            break
        chosen += hands
        by_digest |= {digest_of(hand): game for hand in hands}
    texts = with_pauses(write_phh(chosen, WriteOptions())) if chosen else ()
    return "".join(text for text in texts if not isinstance(text, Skipped)).encode(), by_digest


@router.post("/add")
async def add_report(
    form: Annotated[AddForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Put the hands of a report to the account's lifetime."""
    visitor.check(form.token)
    account = await _account(request)
    job = own_report(request, visitor, form.report)
    added = 0
    if job.stage is ReportStage.DONE:
        added = await _add(directory, account, job, {})
    return RedirectResponse(f"{HOME}?added={added}", 303)


@router.post("/forget")
async def forget_lifetime(
    form: Annotated[TokenForm, Form()], request: Request, visitor: Caller, directory: Accounts
) -> Response:
    """Delete the counted hands; the games themselves stay."""
    visitor.check(form.token)
    account = await _account(request)
    await directory.write(lifetime.forget_life_hands, account.id)
    return RedirectResponse(HOME, 303)


@router.get("/hands.csv")
async def download_life_hands(request: Request, directory: Accounts) -> Response:
    """Download the counted hands as CSV, in the order in which they were added."""
    account = await _account(request)
    hands = await directory.read(_all_hands, account.id)
    named = {"Content-Disposition": 'attachment; filename="lifetime.csv"'}
    text = await asyncio.to_thread(_csv, hands)
    return PlainTextResponse(text, headers=named, media_type="text/csv; charset=utf-8")


def _all_hands(session: Session, account_id: int) -> list[LifeHand]:
    return list(lifetime.life_hands(session, account_id))


def _csv(hands: Sequence[LifeHand]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["hand", "source", "game", "position", "won_bb", "without_luck_bb"])
    for hand in hands:
        row = [hand.digest, hand.source, hand.game, hand.position, hand.money, hand.skill]
        writer.writerow([_plain(cell) for cell in row])
    return text.getvalue()


def _plain(cell: object) -> object:
    """Keep a spreadsheet from reading a title as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in tuple("=+-@\t\r") and cell else cell


def mount() -> Mount:
    """Return the page."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.lifetime = {}
        yield

    return Mount(name="lifetime", rank=205, router=router, heavy=(HOME,), lifespan=lifespan)
