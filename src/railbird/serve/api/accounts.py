"""Signing up, logging in, passwords, export and deletion; bots and their tokens."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from railbird.errors import BadInput
from railbird.serve.api.caller import (
    SESSION_FIELD,
    Accounts,
    Kept,
    MayChange,
    SignedIn,
    account_of,
    address_of,
    own_bot,
    refused,
)
from railbird.serve.api.models import (
    AccountAnswer,
    BotBody,
    DeletionBody,
    LogInBody,
    Name,
    NewTokenAnswer,
    Number,
    PasswordBody,
    SessionAnswer,
    SignUpBody,
    TokenAnswer,
    TokenBody,
)
from railbird.serve.session import Caller
from railbird.storage import puzzles
from railbird.storage.accounts import (
    Account,
    Directory,
    Forbidden,
    Kind,
    LogInRefused,
    NameTaken,
    accounts,
    keys,
)

router = APIRouter()


@router.get("/session")
async def session(request: Request, visitor: Caller) -> SessionAnswer:
    """Say which account this browser has logged in to, and its CSRF token."""
    account = await account_of(request)
    return SessionAnswer(
        account=None if account is None else shown(account), csrf_token=visitor.form_token
    )


@router.post("/accounts", status_code=201)
async def sign_up(
    body: SignUpBody, request: Request, visitor: Caller, directory: Accounts, kept: Kept
) -> SessionAnswer:
    """Create a person's account, and log in."""
    if not kept.limits.sign_ups.take(address_of(request)):
        raise HTTPException(429, "Too many new accounts from this address; try again later.")
    try:
        account = await directory.sign_up(body.name, body.password)
    except NameTaken as problem:
        raise refused(problem, 409) from None
    except BadInput as problem:
        raise refused(problem, 422) from None
    return await _logged_in(request, visitor, directory, account)


@router.post("/session")
async def log_in(
    body: LogInBody, request: Request, visitor: Caller, directory: Accounts, kept: Kept
) -> SessionAnswer:
    """Log in by name and password."""
    name = body.name.lower()
    if not kept.limits.log_ins.take(address_of(request)) or kept.limits.failures.left(name) < 1:
        raise HTTPException(429, "Too many log-ins; try again in some minutes.")
    try:
        account = await directory.log_in(body.name, body.password)
    except LogInRefused as problem:
        kept.limits.failures.take(name)
        raise refused(problem, 401) from None
    return await _logged_in(request, visitor, directory, account)


@router.delete("/session", status_code=204)
async def log_out(request: Request, account: MayChange, directory: Accounts) -> None:
    """Log this browser out."""
    await directory.write(keys.end_session, request.session.pop(SESSION_FIELD))
    request.session.pop("form", None)


@router.put("/account/password", status_code=204)
async def change_password(
    body: PasswordBody, request: Request, account: MayChange, directory: Accounts, kept: Kept
) -> None:
    """Change the password, which logs every browser of the account out."""
    await _check_again(kept, directory, account, body.old)
    try:
        await directory.change_password(account, body.old, body.new)
    except BadInput as problem:
        raise refused(problem, 422) from None
    request.session.pop(SESSION_FIELD, None)
    _throw_out(request, [account.name], "the password was changed")


@router.get("/account")
async def account_itself(account: SignedIn) -> AccountAnswer:
    """Show the account of this browser."""
    return shown(account)


@router.get("/account/export")
async def export(account: SignedIn, directory: Accounts, response: Response) -> dict[str, Any]:
    """Return everything that is stored of the account and its bots."""
    response.headers["Content-Disposition"] = 'attachment; filename="account.json"'
    return await directory.read(accounts.export_account, account.id)


@router.delete("/account", status_code=204)
async def delete(
    body: DeletionBody, request: Request, account: MayChange, directory: Accounts, kept: Kept
) -> None:
    """Delete the account and its bots; its results stay, under a name that tells nothing."""
    await _check_again(kept, directory, account, body.password)
    bots = await directory.read(accounts.bots_of, account.id)
    await directory.write(accounts.delete_account, account.id)
    host = getattr(request.app.state, "host", None)
    if host is not None:
        host.house.forget_practice(account.name)
    _throw_out(request, [account.name, *(bot.name for bot in bots)], "the account was deleted")
    request.session.clear()


@router.get("/bots")
async def bots(account: SignedIn, directory: Accounts) -> list[AccountAnswer]:
    """List the account's bots."""
    return [shown(bot) for bot in await directory.read(accounts.bots_of, account.id)]


@router.post("/bots", status_code=201)
async def new_bot(body: BotBody, account: MayChange, directory: Accounts) -> AccountAnswer:
    """Create a bot; it logs in by a token."""
    try:
        bot = await directory.write(accounts.sign_up, body.name, kind=Kind.BOT, owner_id=account.id)
    except NameTaken as problem:
        raise refused(problem, 409) from None
    except Forbidden as problem:
        raise refused(problem, 403) from None
    return shown(bot)


@router.delete("/bots/{name}", status_code=204)
async def delete_bot(name: Name, request: Request, account: MayChange, directory: Accounts) -> None:
    """Delete a bot; its results stay, under a name that tells nothing."""
    bot = await own_bot(request, account, name)
    await directory.write(accounts.delete_account, bot.id)
    _throw_out(request, [bot.name], "the bot was deleted")


@router.get("/bots/{name}/tokens")
async def tokens(
    name: Name, request: Request, account: SignedIn, directory: Accounts
) -> list[TokenAnswer]:
    """List a bot's tokens, without their texts."""
    bot = await own_bot(request, account, name)
    found = await directory.read(keys.tokens_of, bot.id)
    return [TokenAnswer(id=one.id, label=one.label, created_at=one.created_at) for one in found]


@router.post("/bots/{name}/tokens", status_code=201)
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


@router.delete("/bots/{name}/tokens/{token}", status_code=204)
async def revoke_token(
    name: Name, token: Number, request: Request, account: MayChange, directory: Accounts
) -> None:
    """Revoke one token."""
    bot = await own_bot(request, account, name)
    if not await directory.write(keys.revoke_token, bot.id, token):
        raise HTTPException(404, "The bot has no such token.")
    _throw_out(request, [bot.name], "a token was revoked")


def _throw_out(request: Request, names: list[str], text: str) -> None:
    """Close the connections of accounts at the tables, if there are any in this process."""
    host = getattr(request.app.state, "host", None)
    if host is not None:
        host.connections.throw_out(names, text)


def shown(account: Account) -> AccountAnswer:
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
    """Start a session with a key and a CSRF token of its own, so that no older one opens it."""
    before = request.session.pop(SESSION_FIELD, None)
    if isinstance(before, str):
        await directory.write(keys.end_session, before)
    request.session.pop("form", None)
    request.session[SESSION_FIELD] = await directory.write(keys.start_session, account.id)
    if visitor.player is not None:
        owners = puzzles.Owner(None, visitor.player), puzzles.Owner(account.id, "")
        await directory.write(puzzles.adopt_puzzles, *owners)
    return SessionAnswer(account=shown(account), csrf_token=visitor.form_token)


async def _check_again(kept: Kept, directory: Directory, account: Account, password: str) -> None:
    """Refuse a wrong password, at the rate of log-ins: whoever found an open browser may guess."""
    name = account.name.lower()
    if kept.limits.failures.left(name) < 1:
        raise HTTPException(429, "Too many wrong passwords; try again in some minutes.")
    try:
        await directory.log_in(account.name, password)
    except LogInRefused:
        kept.limits.failures.take(name)
        raise HTTPException(403, "The password is wrong.") from None
