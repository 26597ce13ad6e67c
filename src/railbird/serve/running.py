"""The web application under uvicorn, from its start to its end."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Sequence
from typing import Final

import uvicorn
from fastapi import FastAPI

from railbird.protocol.settings import LONGEST_LINE
from railbird.serve.app import create_app
from railbird.serve.host.host import Host
from railbird.serve.mounts import Mount
from railbird.serve.settings import ServerSettings
from railbird.serve.timeouts import PatientProtocol

_MOST_CONNECTIONS: Final = 6000
_GRACE_S: Final = 1
"""Seconds for requests in progress at the end; the house has said good-bye before."""


def run(
    settings: ServerSettings,
    mounts: Sequence[Mount],
    listening: socket.socket,
    *,
    behind_proxy: bool = False,
    ready: Callable[[], object] = lambda: None,
) -> None:
    """Serve on a socket until Ctrl-C or SIGTERM; ``ready`` is called once clients are served."""
    _allow_files(2 * _MOST_CONNECTIONS)
    app = create_app(settings, *mounts)
    config = uvicorn.Config(
        app,
        log_level="warning",
        http=PatientProtocol,
        server_header=False,
        proxy_headers=behind_proxy,
        ws="websockets-sansio",
        ws_max_size=LONGEST_LINE,
        ws_per_message_deflate=False,  # it takes hundreds of kilobytes for each connection
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE_S,
    )
    # The server has shut down in order before it raises again the signal that stopped it.
    with contextlib.suppress(KeyboardInterrupt):
        _Server(config, app, ready).run(sockets=[listening])


def _allow_files(count: int) -> None:
    """Raise this process's limit of open files, usually 1,024, as far as the system lets it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if most == resource.RLIM_INFINITY else min(count, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


class _Server(uvicorn.Server):
    """uvicorn, that lets the house tell its players to come back before it closes anything."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._app = app
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        host = getattr(self._app.state, "host", None)
        if isinstance(host, Host):
            await host.stop()
        await super().shutdown(sockets)
