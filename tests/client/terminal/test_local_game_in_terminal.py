"""The table in a terminal over a real game in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from railbird.arena.fault_policy import DEFAULT_FAULTS
from railbird.arena.guarded_player import seat_players
from railbird.client.play.local_game import LocalGame
from railbird.client.play.table_model import TableModel
from railbird.client.terminal.app import PlayApp
from railbird.client.terminal.dialogs import Question
from railbird.hosting.formats import Clocks, RingFormat

pytestmark = pytest.mark.anyio


def local_game(pause: float) -> LocalGame:
    clocks = Clocks(limit=86_400, bank=0, refill=None, lag=0)
    form = RingFormat(name="play", seats=3, buy_ins=(20, 2000), clocks=clocks)
    names = ("random", "always-call")
    players = seat_players(names, names, DEFAULT_FAULTS, form.rules([2000] * 3))
    return LocalGame(form, "ann", dict(zip(names, players, strict=True)), seed=4, pause=pause)


async def until(what: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not what():
            await asyncio.sleep(0.01)


async def test_hands_are_played_by_keys_until_the_person_leaves() -> None:
    game, model = local_game(pause=0), TableModel()
    model.me = "ann"
    app = PlayApp(game, model)
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(1000):
            await until(lambda: model.turn is not None or app.is_broke)
            if model.hands >= 3 and model.turn is not None:
                break
            app._table._rests_until = 0.0
            await pilot.press("t" if app.is_broke else "c")
            await pilot.pause()
        await pilot.press("q")
        assert isinstance(app.screen, Question)
        await pilot.press("y")
        await until(lambda: not app.is_running)
    game.close()
    assert (game.hands, game.net) == (model.hands, model.net)
    assert game.hands >= 4


async def test_pauses_are_cut_short_and_chosen_by_keys() -> None:
    game, model = local_game(pause=50.0), TableModel()
    model.me = "ann"
    app = PlayApp(game, model)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: model.hand is not None)
        for _ in range(5):
            await pilot.press("enter")
            await pilot.pause(0.05)
            if model.turn is not None:
                break
        await until(lambda: model.turn is not None)
        await pilot.press("p")
        assert game.pause == 0.0
        await pilot.press("p")
        assert game.pause == 0.2
    game.close()
