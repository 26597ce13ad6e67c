"""The HTTP interface as a mount of the web application."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.openapi.utils import get_openapi
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute

from railbird import __version__
from railbird.errors import BadInput
from railbird.protocol.encoding import schemas
from railbird.serve.caller import (
    DEVICES_FIELD,
    GUEST_FIELD,
    PROBLEMS,
    SESSION_FIELD,
    AccountAnswer,
    Accounts,
    ApiSettings,
    ApiState,
    BotBody,
    DeletionBody,
    EntryAnswer,
    Kept,
    LogInBody,
    MayChange,
    Name,
    NewTokenAnswer,
    Number,
    PasswordBody,
    Problem,
    RatingAnswer,
    ResultAnswer,
    SessionAnswer,
    SignedIn,
    SignUpBody,
    TokenAnswer,
    TokenBody,
    WaysIn,
    account_of,
    caller_address,
    guest_of,
    own_bot,
    refused,
)
from railbird.serve.log_ins import LogIns, TooMany
from railbird.serve.mounts import Mount
from railbird.serve.person import People
from railbird.serve.session import Caller
from railbird.storage import accounts, drills, nights, puzzles, training
from railbird.storage import accounts as keys
from railbird.storage import results as stored
from railbird.storage.accounts import Account, AccountKind, Forbidden, NameTaken
from railbird.storage.directory import Directory, LogInRefused, TooManyGuesses
from railbird.tournament.ratings import Rating

# Signing up, logging in, passwords, export and deletion; bots and their tokens.


account_router = APIRouter()

MOST_DEVICES: Final = 5
"""Names that a browser's cookie has a secret for."""


@account_router.get("/session")
async def session(request: Request, visitor: Caller) -> SessionAnswer:
    """Say which account this browser has logged in to, and its CSRF token."""
    account = await account_of(request)
    return SessionAnswer(
        account=None if account is None else public_account(account), csrf_token=visitor.form_token
    )


@account_router.post("/accounts", status_code=201)
async def sign_up(
    body: SignUpBody, request: Request, visitor: Caller, log_ins: WaysIn
) -> SessionAnswer:
    """Create a person's account, and log in."""
    try:
        account = await log_ins.sign_up(body.name, body.password, caller_address(request))
    except TooMany as problem:
        raise refused(problem, 429) from None
    except NameTaken as problem:
        raise refused(problem, 409) from None
    except BadInput as problem:
        raise refused(problem, 422) from None
    return await _logged_in(request, visitor, log_ins.directory, account)


@account_router.post("/session")
async def log_in(
    body: LogInBody, request: Request, visitor: Caller, log_ins: WaysIn
) -> SessionAnswer:
    """Log in by name and password."""
    account = await _checked(request, log_ins, body.name, body.password)
    return await _logged_in(request, visitor, log_ins.directory, account)


@account_router.delete("/session", status_code=204)
async def log_out(request: Request, account: MayChange, directory: Accounts) -> None:
    """Log this browser out."""
    await directory.write(keys.end_session, request.session.pop(SESSION_FIELD))
    request.session.pop("form", None)


@account_router.put("/account/password", status_code=204)
async def change_password(
    body: PasswordBody, request: Request, account: MayChange, log_ins: WaysIn
) -> None:
    """Change the password, which logs every browser of the account out."""
    await _checked(request, log_ins, account.name, body.old, wrong=403)
    try:
        await log_ins.directory.change_password(account, body.new)
    except BadInput as problem:
        raise refused(problem, 422) from None
    request.session.pop(SESSION_FIELD, None)
    _throw_out(request, [account.name], "the password was changed")


@account_router.get("/account")
async def account_itself(account: SignedIn) -> AccountAnswer:
    """Show the account of this browser."""
    return public_account(account)


@account_router.get("/account/export")
async def export(account: SignedIn, directory: Accounts, response: Response) -> dict[str, Any]:
    """Return everything that is stored of the account and its bots."""
    response.headers["Content-Disposition"] = 'attachment; filename="account.json"'
    return await directory.read(accounts.export_account, account.id)


@account_router.delete("/account", status_code=204)
async def delete(body: DeletionBody, request: Request, account: MayChange, log_ins: WaysIn) -> None:
    """Delete the account and its bots; its results stay, under a name that tells nothing."""
    await _checked(request, log_ins, account.name, body.password, wrong=403)
    directory = log_ins.directory
    bots = await directory.read(accounts.bots_of, account.id)
    await directory.write(accounts.delete_account, account.id)
    host = getattr(request.app.state, "host", None)
    if host is not None:
        host.house.forget_practice(account.name)
    _throw_out(request, [account.name, *(bot.name for bot in bots)], "the account was deleted")
    request.session.clear()


@account_router.get("/bots")
async def bots(account: SignedIn, directory: Accounts) -> list[AccountAnswer]:
    """List the account's bots."""
    return [public_account(bot) for bot in await directory.read(accounts.bots_of, account.id)]


@account_router.post("/bots", status_code=201)
async def new_bot(body: BotBody, account: MayChange, directory: Accounts) -> AccountAnswer:
    """Create a bot; it logs in by a token."""
    try:
        bot = await directory.write(
            accounts.create_account, body.name, kind=AccountKind.BOT, owner_id=account.id
        )
    except NameTaken as problem:
        raise refused(problem, 409) from None
    except Forbidden as problem:
        raise refused(problem, 403) from None
    return public_account(bot)


@account_router.delete("/bots/{name}", status_code=204)
async def delete_bot(name: Name, request: Request, account: MayChange, directory: Accounts) -> None:
    """Delete a bot; its results stay, under a name that tells nothing."""
    bot = await own_bot(request, account, name)
    await directory.write(accounts.delete_account, bot.id)
    _throw_out(request, [bot.name], "the bot was deleted")


@account_router.get("/bots/{name}/tokens")
async def tokens(
    name: Name, request: Request, account: SignedIn, directory: Accounts
) -> list[TokenAnswer]:
    """List a bot's tokens, without their texts."""
    bot = await own_bot(request, account, name)
    bot_tokens = await directory.read(keys.tokens_of, bot.id)
    return [
        TokenAnswer(id=token.id, label=token.label, created_at=token.created_at)
        for token in bot_tokens
    ]


@account_router.post("/bots/{name}/tokens", status_code=201)
async def new_token(
    name: Name, body: TokenBody, request: Request, account: MayChange, directory: Accounts
) -> NewTokenAnswer:
    """Create a token for a bot; its text is shown only now."""
    bot = await own_bot(request, account, name)
    try:
        token, text = await directory.write(keys.add_token, bot.id, body.label)
    except Forbidden as problem:
        raise refused(problem, 403) from None
    return NewTokenAnswer(id=token.id, label=token.label, created_at=token.created_at, token=text)


@account_router.delete("/bots/{name}/tokens/{token}", status_code=204)
async def revoke_token(
    name: Name, token: Number, request: Request, account: MayChange, directory: Accounts
) -> None:
    """Revoke one token."""
    bot = await own_bot(request, account, name)
    if not await directory.write(keys.delete_token, bot.id, token):
        raise HTTPException(404, "The bot has no such token.")
    _throw_out(request, [bot.name], "a token was revoked")


def _throw_out(request: Request, names: list[str], text: str) -> None:
    """Close the connections of accounts at the tables, if there are any in this process."""
    host = getattr(request.app.state, "host", None)
    if host is not None:
        host.connections.throw_out(names, text)


def public_account(account: Account) -> AccountAnswer:
    """Return what everybody may see of an account."""
    return AccountAnswer(
        name=account.name,
        kind=str(account.kind),
        owner=account.owner,
        created_at=account.created_at,
    )


async def _logged_in(
    request: Request, visitor: Caller, directory: Directory, account: Account
) -> SessionAnswer:
    """Start a session with a new key and CSRF token, so that no older ones open it."""
    before = request.session.pop(SESSION_FIELD, None)
    if isinstance(before, str):
        await directory.write(keys.end_session, before)
    request.session.pop("form", None)
    _remember_device(request, account.name)
    request.session[SESSION_FIELD] = await directory.write(keys.start_session, account.id)
    guest, people = guest_of(request), getattr(request.app.state, "table", None)
    if guest is not None and isinstance(people, People):
        people.adopt(guest, account.name)
        del request.session[GUEST_FIELD]
    if visitor.player is not None:
        owners = puzzles.Owner(None, visitor.player), puzzles.Owner(account.id, "")
        await directory.write(puzzles.adopt_puzzles, *owners)
        await directory.write(drills.adopt_answers, *owners)
        await directory.write(training.adopt_training, *owners)
        await directory.write(nights.adopt_nights, *owners)
    return SessionAnswer(account=public_account(account), csrf_token=visitor.form_token)


async def _checked(
    request: Request, log_ins: LogIns, name: str, password: str, *, wrong: int = 401
) -> Account:
    """Return the account if the password is right.

    Somebody at another's open browser may be guessing.
    """
    devices = request.session.get(DEVICES_FIELD)
    known = devices.get(name.lower(), "") if isinstance(devices, dict) else ""
    address = caller_address(request)
    try:
        return await log_ins.by_password(name, password, address, device=str(known))
    except (TooMany, TooManyGuesses) as problem:
        raise refused(problem, 429) from None
    except LogInRefused as problem:
        if wrong == 401 or problem.fits:
            raise refused(problem, wrong) from None
        raise HTTPException(wrong, "The password is wrong.") from None


def _remember_device(request: Request, name: str) -> None:
    devices = request.session.get(DEVICES_FIELD)
    others = dict(devices) if isinstance(devices, dict) else {}
    known = others.pop(name.lower(), None) or secrets.token_urlsafe(16)
    latest = list(others.items())[1 - MOST_DEVICES :]
    request.session[DEVICES_FIELD] = dict([*latest, (name.lower(), known)])


# Results, ratings and the protocol's schemas, for everybody.


result_router = APIRouter()

Ladder = Annotated[str, Field(min_length=1, max_length=32, pattern=r"^[!-~]+$")]
TournamentId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._-]+$")]


@result_router.get("/ratings")
async def ratings(
    directory: Accounts, ladder: Annotated[Ladder | None, Query()] = None
) -> dict[str, list[RatingAnswer]]:
    """List the ladders, the best first."""
    ladders = await directory.read(stored.standings, ladder=ladder)
    return {
        name: [_rating(standing) for standing in standings] for name, standings in ladders.items()
    }


@result_router.get("/results")
async def results(
    directory: Accounts,
    kept: Kept,
    player: Annotated[Name | None, Query()] = None,
    after: Annotated[int, Query(ge=0, le=10**6)] = 0,
) -> list[ResultAnswer]:
    """List finished tournaments, the newest first, a page at a time."""
    most = kept.settings.most_results
    finished = await directory.read(stored.results, name=player, most=most, after=after)
    return [_result(tournament) for tournament in finished]


@result_router.get("/results/{tournament}")
async def result(tournament: TournamentId, directory: Accounts) -> ResultAnswer:
    """Show how one tournament ended."""
    finished = await directory.read(stored.result_of, tournament)
    if finished is None:
        raise HTTPException(404, "There is no such result.")
    return _result(finished)


@result_router.get("/schemas/{side}")
async def schema(side: Literal["client", "server"]) -> dict[str, Any]:
    """Return the JSON Schema of the messages that one side of the protocol sends."""
    return schemas()[side]


def _rating(standing: stored.Standing) -> RatingAnswer:
    rating = Rating(standing.rating.mean, standing.rating.deviation, standing.rating.tournaments)
    return RatingAnswer(
        player=standing.title,
        kind=str(standing.kind),
        mean=rating.mean,
        deviation=rating.deviation,
        low=rating.low,
        high=rating.high,
        provisional=rating.provisional,
        tournaments=rating.tournaments,
    )


def _result(tournament: stored.TournamentResult) -> ResultAnswer:
    return ResultAnswer(
        tournament=tournament.id,
        ladder=tournament.ladder,
        rated=tournament.counts,
        void=tournament.void_reason,
        started_at=tournament.started_at,
        finished_at=tournament.finished_at,
        entries=[
            EntryAnswer(
                player=entry.title,
                kind=str(entry.kind),
                place=entry.place,
                prize=entry.prize,
                fee=entry.fee,
                hands=entry.hands,
                service=dict(entry.service),
            )
            for entry in tournament.entries
        ],
        details=dict(tournament.details),
    )


PREFIX = "/api"


def mount(settings: ApiSettings | None = None) -> Mount:
    """Return the interface."""
    chosen = settings or ApiSettings()
    router = APIRouter(prefix=PREFIX, responses=PROBLEMS)
    router.include_router(account_router)
    router.include_router(result_router)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.api = ApiState(chosen)
        yield

    @router.get("/openapi.json", include_in_schema=False)
    async def openapi(request: Request) -> dict[str, Any]:
        """Return the description of this interface, and of what other mounts add to it."""
        return described(request.app.routes)

    return Mount(
        name="api",
        router=router,
        heavy=(f"{PREFIX}/ratings", f"{PREFIX}/account/export"),
        lifespan=lifespan,
    )


def described(routes: Sequence[BaseRoute], *beginnings: str) -> dict[str, Any]:
    """Return the OpenAPI description of the paths that begin so, by default this interface's."""
    schema = get_openapi(title="Railbird", version=__version__, routes=routes)
    chosen = beginnings or (f"{PREFIX}/",)
    paths = schema.get("paths", {})
    schema["paths"] = {path: of for path, of in paths.items() if path.startswith(chosen)}
    schema.setdefault("components", {}).setdefault("schemas", {})["Problem"] = (
        Problem.model_json_schema()
    )
    return schema
