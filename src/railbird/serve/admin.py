"""The operator's interface: only from this machine, and with its own token."""

from __future__ import annotations

import hmac
import ipaddress
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from railbird.errors import BadInput
from railbird.hosting.game_task import GameTask
from railbird.serve.caller import PROBLEMS, Name, Taken
from railbird.serve.host import Host
from railbird.serve.partiality import FREQUENT, LEAST_HANDS, MOST_GAMES, NEWEST_GAMES
from railbird.serve.results import LADDER
from railbird.storage import accounts
from railbird.storage.accounts import Account
from railbird.storage.database import now
from railbird.storage.results import frequent_pairs

# The running host, and who may operate it.


def host_of(connection: HTTPConnection) -> Host | None:
    """Return the tournament server, if one runs here."""
    host = connection.app.state.host
    return host if isinstance(host, Host) else None


def from_operator(
    connection: HTTPConnection, host: Host, *, loopback_suffices: bool = False
) -> bool:
    """Return whether a request comes from this machine and brings the operator's token.

    Where this machine suffices, the token does as well.
    """
    here = is_loopback(connection)
    known = host.settings.admin_token
    sent = connection.headers.get("authorization", "").removeprefix("Bearer ")
    fits = bool(known) and hmac.compare_digest(sent.encode(), known.encode())
    return (here or fits) if loopback_suffices else (here and fits)


def is_loopback(connection: HTTPConnection) -> bool:
    """Return whether the other end, or what a proxy says of it, is this machine."""
    client = connection.client
    if client is None or connection.headers.get("x-forwarded-for"):
        return False
    try:
        return ipaddress.ip_address(client.host).is_loopback
    except ValueError:
        return False


# The operator's requests.


router = APIRouter(prefix="/admin", responses=PROBLEMS)

Text = Annotated[str, Field(min_length=1, max_length=200)]
GameId = Annotated[str, Field(min_length=1, max_length=64)]


def _operated(request: Request) -> Host:
    host = host_of(request)
    if host is None:
        raise HTTPException(404, "No tournament server runs here.")
    if not from_operator(request, host):
        raise HTTPException(403, "Only from this machine, with the operator's token.")
    return host


Operated = Annotated[Host, Depends(_operated)]


class PauseBody(Taken):
    """Whether games stand still: one, or all."""

    paused: bool
    game: GameId | None = None


class CloseBody(Taken):
    """A game that is to end now, void."""

    game: GameId
    reason: Text


class BanBody(Taken):
    """An account that may not log in, for some hours or without an end; 0 hours let it in again."""

    name: Name
    reason: Text
    hours: Annotated[float | None, Field(ge=0, le=24 * 3650)] = None


class RenameBody(Taken):
    """Another name for an account."""

    name: Name
    new: Name


class AnnounceBody(Taken):
    """A text for everybody."""

    text: Text


@router.get("/state")
async def state(host: Operated) -> dict[str, Any]:
    """Show games, connections and offences."""
    house = host.house
    offences: dict[str, dict[str, int]] = {}
    for (name, kind), count in house.offences.most_common(1000):
        offences.setdefault(name, {})[kind] = count
    return {
        "draining": house.is_draining,
        "connections": len(host.connections.links),
        "outbox": len(house.outbox),
        "games": {
            id_: {
                "kind": task.play.opened.kind,
                "paused": task.play.paused,
                "parked": task.is_parked,
                "tables": len(task.play.tables),
                "players": [player.identity.name for player in task.play.players],
            }
            for id_, task in house.tasks.items()
        },
        "offences": offences,
    }


@router.post("/drain")
async def drain(host: Operated) -> dict[str, Any]:
    """Start nothing new; games in play go on."""
    host.house.drain()
    return {"draining": True, "games": host.house.in_play}


@router.post("/pause")
async def pause(body: PauseBody, host: Operated) -> dict[str, Any]:
    """Let a game, or all games, stand still or go on."""
    playing = [game for game, task in host.house.tasks.items() if not task.is_parked]
    games = playing if body.game is None else [body.game]
    for game in games:
        task = _game(host, game)
        task.post(partial(task.play.pause, body.paused))
    return {"paused": body.paused, "games": games}


@router.post("/close")
async def close_game(body: CloseBody, host: Operated) -> dict[str, Any]:
    """End a game now, void: fees go back, and nothing is rated."""
    task = _game(host, body.game)
    task.post(partial(task.play.annul, body.reason))
    return {"closed": body.game}


def _game(host: Host, game: str) -> GameTask:
    task = host.house.tasks.get(game)
    if task is None:
        raise HTTPException(404, "There is no such game in play.")
    if task.is_parked:
        raise HTTPException(409, "This game is parked: its journal cannot be written.")
    return task


@router.post("/ban")
async def ban_account(body: BanBody, host: Operated) -> dict[str, Any]:
    """Keep an account and its bots out, and throw them out now."""
    account = await _account(host, body.name)
    directory = host.directory
    if body.hours == 0:
        await directory.write(accounts.unban, account.id)
        return {"name": account.name, "banned": False}
    ends_at: datetime | None = None
    if body.hours is not None:
        ends_at = now() + timedelta(hours=body.hours)
    await directory.write(accounts.ban, account.id, reason=body.reason, ends_at=ends_at)
    bots = await directory.read(accounts.bots_of, account.id)
    host.connections.throw_out(
        [account.name, *(bot.name for bot in bots)], f"banned: {body.reason}"
    )
    return {"name": account.name, "banned": True, "ends_at": ends_at}


@router.post("/rename")
async def rename_account(body: RenameBody, host: Operated) -> dict[str, Any]:
    """Give an account another name; not while it plays, since its journal has the old one."""
    account = await _account(host, body.name)
    if account.name in host.house.accounts:
        raise HTTPException(409, "This account is connected or plays; wait, or ban it first.")
    try:
        renamed = await host.directory.write(accounts.rename, account.id, body.new)
    except BadInput as problem:
        raise HTTPException(409, f"{problem}.") from None
    host.house.forget_practice(account.name)
    return {"name": renamed.name}


@router.post("/announce")
async def announce(body: AnnounceBody, host: Operated) -> dict[str, Any]:
    """Send a text to everybody who is logged in."""
    return {"told": host.connections.announce(body.text)}


@router.get("/partiality")
async def partiality_between_accounts(
    host: Operated,
    games: Annotated[int, Query(ge=1, le=MOST_GAMES)] = NEWEST_GAMES,
    hands: Annotated[int, Query(ge=2)] = LEAST_HANDS,
) -> dict[str, Any]:
    """Show which pairs favour each other in the newest games, and whose results count less.

    Neither is a verdict.
    """
    if host.partialities.is_measuring:
        raise HTTPException(409, "It is being computed already.")
    return {**await host.partialities.measured(games, hands), **await frequent(host)}


async def frequent(host: Host) -> dict[str, Any]:
    """Return the owners who meet each other too often, and how to read that."""
    pairs = await host.directory.read(frequent_pairs, LADDER)
    return {"frequent": list(map(asdict, pairs)), "reading_frequent": FREQUENT}


async def _account(host: Host, name: str) -> Account:
    account = await host.directory.read(accounts.find_account, name)
    if account is None:
        raise HTTPException(404, f"There is no account called {name}.")
    return account
