"""Background tasks that fail: started again, counted, told, and told to be well."""

from __future__ import annotations

import ast
import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import railbird
from railbird.hosting.supervisor import PublicFault, Supervisor, Well, until_first, until_set

pytestmark = pytest.mark.anyio

STARTERS = {"create_task", "ensure_future", "run_coroutine_threadsafe", "start_soon"}
"""What starts a task that nobody need wait for."""


@asynccontextmanager
async def supervised() -> AsyncIterator[tuple[Supervisor, list[float]]]:
    """A supervisor that hardly pauses, and its clock."""
    clock = [0.0]
    supervisor = Supervisor(pauses=(0.001, 0.004), least_s=10.0, now=lambda: clock[0])
    yield supervisor, clock
    await supervisor.stop()


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.001)


class Work:
    """Fails as often as it is told, then does its work for ever."""

    def __init__(self, *faults: BaseException | None) -> None:
        self.faults = list(faults)
        self.starts = 0

    async def __call__(self, well: Well) -> None:
        self.starts += 1
        if self.faults:
            fault = self.faults.pop(0)
            if fault is not None:
                raise fault
            return
        well()
        await asyncio.Event().wait()


async def test_a_task_is_started_again_however_it_ends(caplog: pytest.LogCaptureFixture) -> None:
    async with supervised() as (supervisor, _):
        work = Work(KeyError("secret"), None, asyncio.CancelledError(), PublicFault("no room"))
        supervisor.keep("results", work)
        await until(lambda: work.starts == 5)
        assert supervisor.failures == {"results": 4}
        assert supervisor.running == {"results": 1}
    said = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [bool(record.exc_info) for record in said] == [True, False, True, False]
    assert supervisor.running == {}


async def test_a_fault_is_told_until_the_task_is_well_and_for_some_seconds() -> None:
    async with supervised() as (supervisor, clock):
        work = Work(*[OSError(28, "No space left on device", "/secret")] * 3)
        supervisor.keep("results", work)
        assert supervisor.problems() == {}
        await until(lambda: supervisor.failures["results"])
        assert supervisor.problems() == {"results": "No space left on device"}
        clock[0] = 1000.0
        work.faults += [KeyError("secret")] * 5
        await until(lambda: supervisor.failures["results"] >= 6)
        words = "a fault of the server (KeyError); its log says more"
        assert supervisor.problems() == {"results": words}
        await until(lambda: not work.faults)
        await until(lambda: work.starts == 9)
        assert supervisor.problems() == {"results": words}
        clock[0] = 1010.0
        assert supervisor.problems() == {}


async def test_two_tasks_of_one_name_are_well_each_for_itself() -> None:
    async with supervised() as (supervisor, clock):
        never, once = Work(*[PublicFault("one ended")] * 10_000), Work(PublicFault("two ended"))
        supervisor.keep("house players", never)
        supervisor.keep("house players", once)
        await until(lambda: once.starts == 2)
        assert supervisor.problems() == {"house players": "one ended; two ended"}
        clock[0] = 10.0
        await until(lambda: never.starts > 10)
        assert supervisor.problems() == {"house players": "one ended"}
        assert supervisor.running == {"house players": 2}


async def test_a_task_that_hangs_is_told_until_it_is_heard_of_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("railbird.hosting.supervisor.BEAT_SECONDS", 0.05)
    goes_on = asyncio.Event()

    async def hang(well: Well) -> None:
        well()
        await goes_on.wait()
        while True:
            well()
            await asyncio.sleep(0)

    async with supervised() as (supervisor, clock):
        supervisor.keep("bans", hang, has_beat=True)
        supervisor.keep("ACPC port", hang)  # it waits for somebody, and is not expected to tell
        await until(supervisor.problems)
        assert supervisor.problems() == {"bans": "it has not been heard of for 0.05 s"}
        assert supervisor.failures == {"bans": 1}
        clock[0] = 40.0
        assert supervisor.silences() == {"bans": 40.0}
        assert supervisor.problems(), "it still hangs"
        goes_on.set()
        await until(lambda: supervisor.silences() == {"bans": 0.0})
        assert supervisor.problems() == {}
        assert supervisor.running == {"bans": 1, "ACPC port": 1}
    assert supervisor.silences() == {}


async def test_who_waits_for_an_event_says_that_it_is_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("railbird.hosting.supervisor.BEAT_SECONDS", 0.003)
    event, said = asyncio.Event(), 0

    def well() -> None:
        nonlocal said
        said += 1
        if said == 3:
            event.set()

    await until_set(event, well)
    assert said == 3


async def test_pauses_grow_up_to_a_bound() -> None:
    paused: list[float] = []

    async def sleep(seconds: float) -> None:
        paused.append(seconds)
        await real(0)

    real = asyncio.sleep
    clock = [0.0]
    supervisor = Supervisor(pauses=(0.1, 2.0), now=lambda: clock[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("railbird.hosting.supervisor.asyncio.sleep", sleep)

        async def fail(well: Well) -> None:
            if len(paused) == 8:  # it goes well for long
                well()
                clock[0] += 100.0
            raise PublicFault("again")

        supervisor.keep("queues", fail)
        while len(paused) < 10:
            await real(0)
        await supervisor.stop()
    assert paused[:8] == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0]
    assert paused[8] == 0.1


async def test_what_ends_by_itself_is_told_but_not_begun_again() -> None:
    async with supervised() as (supervisor, clock):
        work = Work(KeyError("x"))
        await supervisor.run("games", work(lambda: None))
        assert work.starts == 1
        assert list(supervisor.problems()) == ["games"]
        clock[0] = 10.0
        assert supervisor.problems() == {}
        task = supervisor.run("games", work(lambda: None))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert supervisor.failures == {"games": 1}
        assert supervisor.running == {}


async def test_what_is_cancelled_before_it_begins_leaves_nothing_behind() -> None:
    async with supervised() as (supervisor, _):
        work = Work()
        started = work(lambda: None)
        supervisor.run("reports", started).cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert inspect.getcoroutinestate(started) == inspect.CORO_CLOSED
        assert supervisor.failures == {}


async def test_a_callback_of_the_loop_that_fails_is_counted() -> None:
    async with supervised() as (supervisor, _):
        loop = asyncio.get_running_loop()
        before = loop.get_exception_handler()
        loop.set_exception_handler(supervisor.unhandled)
        loop.call_soon(int, "no number")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        loop.set_exception_handler(before)
        assert supervisor.failures == {"event loop": 1}


async def test_the_first_to_end_ends_the_others() -> None:
    ended = []

    async def wait(name: str, fault: Exception | None = None) -> None:
        try:
            await asyncio.sleep(0 if name == "first" else 60)
            if fault:
                raise fault
        finally:
            ended.append(name)

    await until_first(wait("first"), wait("second"))
    assert ended == ["first", "second"]
    with pytest.raises(KeyError):
        await until_first(wait("first", KeyError()), wait("second"))


def test_no_task_is_started_elsewhere() -> None:
    sources = Path(railbird.__file__).parent
    found = [
        f"{path.relative_to(sources)}:{node.lineno}"
        for path in sorted(sources.rglob("*.py"))
        if path.name != "supervisor.py"
        and any(name in (source := path.read_text()) for name in STARTERS)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute | ast.Name)
        and (node.attr if isinstance(node, ast.Attribute) else node.id) in STARTERS
    ]
    assert found == [], "a task that fails must be told: start it by hosting.supervisor"


async def test_tasks_of_a_name_may_go_on_when_the_others_are_ended() -> None:
    async with supervised() as (supervisor, _):
        ended = asyncio.Event()

        async def wait() -> None:
            await ended.wait()

        work, kept = supervisor.run("work", wait()), supervisor.run("spots", wait())
        await supervisor.stop(but="spots")
        assert (work.cancelled(), kept.done()) == (True, False)
        ended.set()
        await kept
