"""House players in processes of their own: the same decisions, and what happens when one ends."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from random import Random
from typing import Any

import pytest

from helpers.hosted import PATIENCE_S, Player, any_action, hosting
from railbird.game import Action
from railbird.hosting import house_game
from railbird.hosting.formats import TournamentFormat
from railbird.hosting.house import House
from railbird.hosting.house_game import HouseGame
from railbird.hosting.house_workers import HouseWorkers
from railbird.hosting.settings import MOST_HOUSE_FAULTS
from railbird.hosting.supervisor import Supervisor
from railbird.protocol import Identity
from railbird.protocol.messages import Practise, Turn, Verb
from railbird.serve.person import CompilingNotice

pytestmark = pytest.mark.anyio

Answer = tuple[Action | None, str]
Asked = tuple[int, int, str, Answer]
"""The journal's size, the player, the turn, and the answer."""


def passive(turn: Turn, rng: Random) -> tuple[Verb, None]:
    del turn, rng
    return Verb.CALL, None


def careful_at_first() -> Callable[[Turn, Random], tuple[Verb, int | None]]:
    """Return a way to play that cannot be knocked out in its first dozen turns."""
    turns = itertools.count(1)

    def choose(turn: Turn, rng: Random) -> tuple[Verb, int | None]:
        if next(turns) > 12:
            return any_action(turn, rng)
        return (Verb.FOLD if turn.legal.to_call > 20 else Verb.CALL), None

    return choose


def duel(spec: str) -> TournamentFormat:
    return TournamentFormat(name="duel", seats=2, house_after=0.0, house=(spec,), stack=800)


async def asked_in_a_tournament(
    folder: Path, spec: str, monkeypatch: pytest.MonkeyPatch
) -> list[Asked]:
    """Play a tournament; return what its house player was asked."""
    asked: list[Asked] = []
    decide = house_game.decide_turn

    def noting(journal: Path, size: int, player: int, turn: str) -> Answer:
        answer = decide(journal, size, player, turn)
        asked.append((size, player, turn, answer))
        return answer

    monkeypatch.setattr(house_game, "decide_turn", noting)
    async with hosting(folder, duel(spec)) as house:
        ann = Player(house, Identity("ann"), chooses=careful_at_first())
        ann.queue("duel")
        await ann.until("result")
    return asked


async def check_repeated(folder: Path, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = await asked_in_a_tournament(folder, spec, monkeypatch)
    (journal,) = folder.glob("**/duel.1.journal")
    assert len(asked) > 3
    again = HouseGame(journal)
    for size, player, turn, answer in asked:
        again.follow(size)
        assert again.decide(player, turn) == answer, turn
    again.close()


@pytest.mark.parametrize("spec", ["random", "booker:4"])
async def test_the_same_game_is_decided_in_the_same_way(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await check_repeated(tmp_path, spec, monkeypatch)


@pytest.mark.slow(only=["killer", "pushfold"])
@pytest.mark.parametrize(
    "spec", ["baseline", "loki", "loki:som", "rollout", "killer", "tight", "pushfold"]
)
async def test_so_it_is_by_the_others(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await check_repeated(tmp_path, spec, monkeypatch)


def process_of(house: House) -> int:
    (worker,) = house.house_workers.workers
    place: Any = worker.place
    pid: int = place.pid
    return pid


async def practising(house: House) -> Player:
    """Return a client at a practice table that has seen two hands."""
    ann = Player(house, Identity("ann"), chooses=passive)
    ann.send(Practise(opponents=["always-call"], stack=4000, big_blind=20))
    await ann.until("hand_over", 2)
    return ann


@pytest.mark.slow
async def test_a_game_goes_on_when_the_process_of_its_house_players_is_killed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with hosting(tmp_path, house_processes=1) as house:
        ann = await practising(house)
        first = process_of(house)
        assert first != os.getpid()
        os.kill(first, signal.SIGKILL)
        await ann.until("hand_over", len(ann.of("hand_over")) + 4)
        assert process_of(house) != first
        assert house.supervisor.failures["house players"] == 1
    assert "ended by itself" in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.slow
async def test_a_process_that_does_not_answer_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with hosting(tmp_path, house_processes=1) as house:
        ann = await practising(house)
        ann.chooses = None
        async with asyncio.timeout(PATIENCE_S):
            while ann.turn is None or house.house_workers.waiting:
                await asyncio.sleep(0.01)
        first = process_of(house)
        monkeypatch.setattr("railbird.hosting.house_workers.HOUSE_CALL_SECONDS", 0.3)
        os.kill(first, signal.SIGSTOP)
        ann.chooses = passive
        ann.act(Verb.CALL)
        async with asyncio.timeout(PATIENCE_S):
            while not house.supervisor.failures["house players"]:
                await asyncio.sleep(0.01)
        monkeypatch.undo()
        await ann.until("hand_over", len(ann.of("hand_over")) + 4)
    assert "did not answer for 0.3 s, busy with practice.1" in caplog.text


COMPILES = "import numba; assert numba.njit(lambda x: x + 1)(2) == 3"
"""As text: the other process cannot import this module."""


@pytest.mark.slow
def test_what_a_process_compiles_is_told_where_pages_say_so() -> None:
    workers = HouseWorkers(1, Supervisor())
    place = workers.start()
    try:
        began = time.monotonic()
        assert not CompilingNotice(elsewhere=lambda: workers.compiled_at).goes_on
        place.submit(exec, COMPILES).result()
        assert workers.compiled_at > began
        assert CompilingNotice(lambda: began, elsewhere=lambda: workers.compiled_at).goes_on
    finally:
        place.kill()


class Dying:
    """Stands for a process that ends whenever a game is called for."""

    def __init__(self, culprit: Path) -> None:
        self._culprit = culprit

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if arguments[0] == self._culprit:
            future.set_exception(BrokenExecutor())
        else:
            future.set_result(function(*arguments))
        return future

    def kill(self) -> None:
        """Nothing is left to end."""

    def close(self) -> None:
        """Nothing is left to end."""


async def test_the_players_of_a_game_that_end_their_process_again_and_again_are_asked_no_more(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)
    culprit, other = Path("culprit"), Path("other")
    made: list[Dying] = []

    def start() -> Dying:
        made.append(Dying(culprit))
        return made[-1]

    supervisor = Supervisor()
    workers = HouseWorkers(1, supervisor)
    workers.start = start
    worker = workers.one()
    answers: list[str | None] = []
    for _ in range(5):
        worker.call(answers.append, str, culprit)
        worker.call(answers.append, str, other)
    async with asyncio.timeout(PATIENCE_S):
        while len(answers) < 10:
            await asyncio.sleep(0)
    assert answers == [None, "other"] * 5
    assert supervisor.failures["house players"] == MOST_HOUSE_FAULTS
    assert len(made) == MOST_HOUSE_FAULTS + 1
    await workers.stop()


class Ready:
    """Stands for a process that notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        del arguments
        self.asked.append(function.__name__)
        future: Future[Any] = Future()
        future.set_result(None)
        return future

    def kill(self) -> None:
        """Nothing is left to end."""

    def close(self) -> None:
        """Nothing is left to end."""


@pytest.mark.parametrize("processes", [0, 2])
async def test_a_visitor_who_may_want_to_play_has_one_process_load_its_players_once(
    processes: int,
) -> None:
    workers = HouseWorkers(processes, Supervisor())
    made: list[Ready] = []

    def start() -> Ready:
        made.append(Ready())
        return made[-1]

    workers.start = start
    for _ in range(3):
        workers.prepare()
        while workers.waiting:
            await asyncio.sleep(0)
        workers.prepare()
    assert [place.asked for place in made] == ([["load_players"]] if processes else [])
    await workers.stop()
