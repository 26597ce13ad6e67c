"""A server in a thread whose event loop goes by a clock that the test moves."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn

from helpers.command_line import wait_for


class ManualLoop(asyncio.SelectorEventLoop):
    """An event loop whose timers end when `move` says so, however slow the machine is."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        """Let time pass, from another thread; return once what became due has been done."""

        async def pass_() -> None:
            self.now += seconds
            for _ in range(3):  # timers are looked at between two rounds of the loop
                await asyncio.sleep(0)

        asyncio.run_coroutine_threadsafe(pass_(), self).result(60)


@contextmanager
def serving(config: uvicorn.Config) -> Iterator[tuple[int, ManualLoop]]:
    """Serve at a port of its own."""
    server, loop = uvicorn.Server(config), ManualLoop()
    listening = config.bind_socket()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(server.serve(sockets=[listening]))

    thread = threading.Thread(target=run)
    thread.start()
    try:
        wait_for(lambda: server.started or not thread.is_alive())
        yield listening.getsockname()[1], loop
    finally:
        server.should_exit = True
        while thread.is_alive():
            with suppress(RuntimeError):  # it has closed meanwhile
                loop.call_soon_threadsafe(lambda: setattr(loop, "now", loop.now + 0.1))
            thread.join(0.01)
        listening.close()
