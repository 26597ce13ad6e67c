"""Workers on a Ray cluster, for when one machine is not enough; needs the extra ``ray``.

They take the place of local processes (`railbird.jobs.workers`) and give the same results. Every
machine of the cluster needs the same version of Railbird, and the modules of ``python:`` players.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Generic, Self
from urllib.parse import urlsplit

from railbird._extras import how_to_install
from railbird.errors import BadInput
from railbird.jobs.workers import END_SECONDS, Open, Outcome, Part, PiecePlayer, PieceT, answer

LOCAL = "ray"
"""A cluster on this machine alone, started and stopped with the job; other names are addresses."""


class RayWorkers(Generic[PieceT]):
    """A pool of Ray actors, each playing one part at a time; use it in a ``with`` statement.

    Leaving it kills busy actors; idle ones get a moment to close their players.

    Raises `BadInput` if Ray is not installed or there is no cluster at the address.
    """

    def __init__(self, job: Open[PieceT], count: int, address: str) -> None:
        self._ray = _ray()
        self._exit = ExitStack()
        self._connect(address)
        self._actor = self._ray.remote(max_restarts=0)(_Actor)
        self._job = self._ray.put(job)
        self._idle = [self._actor.remote(self._job) for _ in range(count)]
        self._busy: dict[Any, tuple[Any, Part]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None or kind is GeneratorExit:  # the job is done, or its reader has stopped
                closing = [actor.close.remote() for actor in self._idle]
                self._ray.wait(closing, num_returns=len(closing), timeout=END_SECONDS)
        finally:
            for actor in [*self._idle, *[actor for actor, _ in self._busy.values()]]:
                self._ray.kill(actor)
            self._exit.close()

    @property
    def has_idle(self) -> bool:
        """Whether a worker is waiting for a part."""
        return bool(self._idle)

    def submit(self, part: Part) -> None:
        """Give a part to an idle worker."""
        actor = self._idle.pop()
        self._busy[actor.play.remote(part)] = actor, part

    def wait(self) -> list[Outcome[PieceT]]:
        """Block until a part is done or a worker has died; a dead worker is replaced.

        Re-raises an exception raised in a worker.
        """
        ready, _ = self._ray.wait(list(self._busy), num_returns=1)
        return [self._outcome(reference) for reference in ready]

    def _outcome(self, reference: Any) -> Outcome[PieceT]:
        actor, part = self._busy.pop(reference)
        try:
            result = self._ray.get(reference)
        except self._ray.exceptions.RayActorError:
            self._idle.append(self._actor.remote(self._job))
            return Outcome(part, None)
        self._idle.append(actor)
        if isinstance(result, Exception):
            raise result
        return Outcome(part, result)

    def _connect(self, address: str) -> None:
        if address.startswith("ray:") and not urlsplit(address).hostname:  # Ray would try for 30 s
            raise BadInput(f"{address} names no host; allowed: ray, ray://HOST:PORT")
        if self._ray.is_initialized():
            return
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # Ray asks for a choice
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
        if address == LOCAL:
            # Ray's own 15 would leave them a tenth of what processes of ours get beside other work.
            os.environ.setdefault("RAY_worker_niceness", "0")
            options |= {"address": "local", "include_dashboard": False}
        else:
            options["address"] = address
        try:
            self._ray.init(**options)
        except (ConnectionError, ValueError) as problem:
            words = " ".join(str(problem).split())
            raise BadInput(f"no Ray cluster at {address}: {words}") from None
        self._exit.callback(self._ray.shutdown)


class _Actor:
    """A worker."""

    def __init__(self, job: Open[Any]) -> None:
        self._job = job
        self._player: PiecePlayer[Any] | None = None

    def play(self, part: Part) -> object:
        """Return the pieces of a part, or the exception raised."""

        def play(piece: Any) -> Any:
            self._player = self._player or self._job()
            return self._player.play(piece)

        return answer(play, part)

    def close(self) -> None:
        """Close the player."""
        if self._player is not None:
            self._player.close()


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise BadInput(f"Ray is not installed; {how_to_install('ray')}") from None
    return ray
