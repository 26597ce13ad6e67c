"""A web application on loopback, in a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import uvicorn
from fastapi import FastAPI


@contextmanager
def threaded_server(
    app: FastAPI, *, ws: Literal["none", "websockets-sansio"] = "none"
) -> Iterator[str]:
    """Serve until the end of the block; the value is the address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", ws=ws))
    thread = threading.Thread(target=server.run)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < deadline, "the server took too long to start"
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://localhost:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=20)
