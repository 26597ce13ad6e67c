"""The operator's interface: only from this machine, and with its own token."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from railbird.errors import BadInput, RailbirdError
from railbird.hosting.game_task import GameTask
from railbird.hosting.house_game import is_over, phh
from railbird.hosting.journal import SUFFIX, read_journal
from railbird.serve.caller import PROBLEMS, Name, Taken
from railbird.serve.host import Host
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


# Partiality between accounts, for the operator: favours of two players to each other.
#
# It is computed by `railbird assess` in a process of its own, which compiles and calculates for as
# long as it needs while the tables play on.


MOST_GAMES: Final = 1000
_SECONDS: Final = 300.0
"""Longest calculation, the compilation at a first use included."""


READING: Final = (
    "A pair's value is what each gives the other by its decisions, less what it gives the others "
    "on average, both added, in big blinds a hand. It is no proof of anything: honest players of "
    "different styles give unequally too, and two who only play softly do not show."
)


class NoPartiality(RailbirdError):
    """There are no hands from which it could be computed."""


FREQUENT: Final = (
    "Owners who meet each other so often, and others so seldom, that their next rated result "
    "counts for the part given as weight, or one of whom is a newcomer, who has met hardly anybody "
    "else, while the other meets newcomers that often. It is no proof of anything: two friends do "
    "so as well as two who trade wins."
)


async def partiality(folder: Path, games: int, least_hands: int) -> dict[str, Any]:
    """Return the pairs of the newest finished games, the largest first.

    Pairs that were dealt fewer than ``least_hands`` hands together are left out.

    Raises `NoPartiality`.
    """
    with tempfile.TemporaryDirectory(prefix="railbird-partiality-") as temporary:
        log = Path(temporary) / "hands.phhs"
        count = await asyncio.to_thread(_write, folder / "done", games, log)
        if not count:
            raise NoPartiality("no finished game")
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "railbird", "assess", str(log), "--json"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(_SECONDS):
                out, problems = await process.communicate()
        except TimeoutError:
            raise NoPartiality(f"{count} games took longer than {_SECONDS:g} s") from None
        finally:
            with suppress(ProcessLookupError):
                process.kill()
    if process.returncode:
        last = problems.decode(errors="replace").strip().splitlines()[-1:]
        raise NoPartiality(" ".join(last) or "the calculation failed")
    answer = json.loads(out)
    pairs = [pair for pair in answer.get("partiality", []) if pair["n"] >= least_hands]
    return {"games": count, "hands": answer.get("hands"), "pairs": pairs, "reading": READING}


def _write(done: Path, games: int, log: Path) -> int:
    """Write the hands of the newest finished games to a file; return how many games there were."""
    paths = sorted(done.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    count = 0
    with log.open("w", encoding="utf-8") as file:
        for path in paths[:games]:
            with suppress(RailbirdError):
                records = read_journal(path)
                if is_over(records):
                    file.writelines(phh(records))
                    count += 1
    return count


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
    games: Annotated[int, Query(ge=1, le=MOST_GAMES)] = 100,
    hands: Annotated[int, Query(ge=2)] = 100,
) -> dict[str, Any]:
    """Show which pairs favour each other in the newest games, and whose results count less.

    Neither is a verdict.
    """
    if host.measuring.locked():
        raise HTTPException(409, "It is being computed already.")
    frequent = await host.directory.read(frequent_pairs, LADDER)
    async with host.measuring:
        try:
            measured = await partiality(host.settings.journal, games, hands)
        except NoPartiality as problem:
            measured = {"games": 0, "hands": 0, "pairs": [], "problem": f"{problem}."}
    return {**measured, "frequent": list(map(asdict, frequent)), "reading_frequent": FREQUENT}


async def _account(host: Host, name: str) -> Account:
    account = await host.directory.read(accounts.find_account, name)
    if account is None:
        raise HTTPException(404, f"There is no account called {name}.")
    return account
