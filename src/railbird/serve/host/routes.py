"""The WebSocket of programs, the state of the server, and its metrics."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.websockets import WebSocket

from railbird.serve.connections.websocket import talk
from railbird.serve.host.access import from_operator, host_of
from railbird.storage.accounts import Busy, accounts

router = APIRouter()

_NO_METRICS: dict[int | str, dict[str, Any]] = {
    status: {"description": why, "content": {"text/plain": {}}}
    for status, why in {403: "Not from this machine", 404: "No tournament server"}.items()
}


@router.websocket("/ws")
async def programs(websocket: WebSocket) -> None:
    """Speak the protocol, a message in each frame."""
    host = host_of(websocket)
    if host is None:
        await websocket.close(1013)
    else:
        await talk(host.connections, websocket)


@router.get("/health", responses={503: {"description": "The database does not answer"}})
async def health(request: Request, response: Response) -> dict[str, Any]:
    """Say whether the server plays, and whether its database answers; 503 if it does not."""
    host = host_of(request)
    try:
        await request.app.state.directory.read(accounts.find, "nobody")
        database = True
    except Busy:
        database = False
        response.status_code = 503
    draining = host is not None and host.house.is_draining
    return {"status": "draining" if draining else "ok", "database": database}


@router.get("/metrics", response_class=PlainTextResponse, responses=_NO_METRICS)
async def metrics(request: Request) -> Response:
    """Return the metrics, to this machine and to operators."""
    host = host_of(request)
    if host is None:
        raise HTTPException(404, "No tournament server runs here.")
    if not from_operator(request, host, loopback_suffices=True):
        raise HTTPException(403, "Metrics are for this machine, or with the operator's token.")
    return Response(host.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
