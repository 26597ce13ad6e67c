"""The table in a terminal, played by textual's pilot as a person would."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from textual import events
from textual.pilot import Pilot
from textual.widgets import Button, Input, Static

from helpers.told_table import ScriptedTable
from railbird.arena.guarded_player import DEFAULT_FAULTS, seat_players
from railbird.cards import Suits
from railbird.client.local_game import LocalGame
from railbird.client.table_model import LinkNews, LinkState, TableModel
from railbird.client.terminal.app import LobbyScreen, PlayApp
from railbird.client.terminal.felt import Question, TextDialog, draw, fitted, places
from railbird.client.terminal.table_screen import TableScreen
from railbird.game import Betting
from railbird.hosting.formats import Clocks, RingFormat
from railbird.protocol import ErrorCode, PlayerKind, told
from railbird.protocol.messages import (
    AskLobby,
    AskSnapshot,
    EnterQueue,
    ErrorMessage,
    HousePlayer,
    LeaveQueue,
    Lobby,
    Place,
    Practise,
    Queued,
    QueueInfo,
    Result,
    RunTwice,
    Seated,
    ShowCards,
    Sit,
    Unwatch,
    Verb,
    Watch,
    Welcome,
)
from railbird.table.choices import may_plan

pytestmark = pytest.mark.anyio

GOLDEN = Path(__file__).parents[1] / "golden" / "terminal"
SIX = ["ann", "bob", "cid", "[red]dan", "日本語", "🎲eve"]


class Seen:
    """An app in a terminal that is not there."""

    def __init__(self, app: PlayApp, pilot: Pilot[None], table: ScriptedTable) -> None:
        self.app, self.pilot, self.table = app, pilot, table
        self.model = app.model

    async def settle(self) -> None:
        await self.pilot.pause()

    async def mine(self, verb: Verb = Verb.CALL) -> None:
        """Let the others act until it is the person's turn, and the buttons rest no longer."""
        self.table.until_mine(verb)
        await self.awake()

    async def awake(self) -> None:
        await self.pilot.pause()
        self.screen._rests_until = 0.0
        self.screen.show()
        await self.pilot.pause()

    @property
    def screen(self) -> TableScreen:
        (found,) = [one for one in self.app.screen_stack if isinstance(one, TableScreen)]
        return found

    @property
    def can_plan(self) -> bool:
        return self.model.state is not None and may_plan(self.model.state)

    def last(self) -> object:
        """What the person asked for last."""
        return self.table.requests[-1]

    def label(self, id_: str) -> str:
        return str(self.screen.query_one(f"#{id_}", Button).label)

    def text(self, id_: str) -> str:
        return str(self.screen.query_one(f"#{id_}", Static).content)

    @property
    def rows(self) -> list[str]:
        """What the terminal shows, line by line."""
        width, _ = self.app.size
        strips = self.app.screen._compositor.render_strips()
        return [strip.text[:width] for strip in strips]


@asynccontextmanager
async def playing(
    names: Sequence[str] = ("ann", "bob", "cid"),
    *,
    size: tuple[int, int] = (80, 24),
    is_server: bool = False,
    **options: Any,
) -> AsyncIterator[Seen]:
    table = ScriptedTable(names, is_server=is_server, **options)
    model = TableModel()
    model.me = names[0]
    app = PlayApp(table, model)  # type: ignore[arg-type]
    async with app.run_test(size=size) as pilot:
        table.begin()
        await pilot.pause()
        yield Seen(app, pilot, table)


@pytest.mark.slow
async def test_call_fold_and_raise_by_keys() -> None:
    async with playing() as seen:
        await seen.mine()
        await seen.pilot.press("c")
        assert seen.table.verbs[-1][0] in ("call", "check")
        await seen.mine()
        await seen.pilot.press("r")
        field = seen.screen.query_one("#amount", Input)
        assert field.has_focus
        await seen.pilot.press(*"60", "enter")
        assert seen.table.verbs[-1] in (("bet", 60), ("raise", 60))
        assert seen.model.turn is None


async def test_the_amount_is_prepared_and_replaced_by_typing() -> None:
    async with playing() as seen:
        await seen.mine()
        field = seen.screen.query_one("#amount", Input)
        assert field.value == str(seen.model.turn.legal.min_to)  # type: ignore[union-attr]
        await seen.pilot.press("4")
        assert field.value == str(seen.model.turn.legal.max_to)  # type: ignore[union-attr]
        assert not seen.table.verbs
        await seen.pilot.press("down")
        assert int(field.value) == seen.model.turn.legal.max_to - 20  # type: ignore[union-attr,operator]
        assert "Enter sends the amount   Escape leaves it" in seen.text("keys")
        await seen.pilot.press("escape")
        assert not field.has_focus
        assert field.value == str(seen.model.turn.legal.min_to)  # type: ignore[union-attr]
        assert "h house player" in seen.text("keys")


async def test_a_wrong_amount_is_refused_in_a_line_and_nothing_is_sent() -> None:
    async with playing() as seen:
        await seen.mine()
        await seen.pilot.press("r", *"999999", "enter")
        assert not seen.table.verbs
        assert "999,999; allowed: 40 to 2,000" in seen.text("lines")
        assert seen.model.turn is not None
        await seen.pilot.press(*"60", "enter")  # in its place, not at its end
        assert seen.table.verbs[-1][1] == 60


async def test_in_a_series_the_title_counts_tournaments() -> None:
    async with playing() as seen:
        await seen.mine()
        assert "test · hand 1" in seen.text("head")
        seen.table.series = (2, 20)
        seen.screen.show()
        assert "tournament 2 of 20 · hand 1" in seen.text("head")


@pytest.mark.slow
async def test_the_mouse_presses_buttons() -> None:
    async with playing() as seen:
        await seen.mine()
        await seen.pilot.click("#size-2")
        assert not seen.table.verbs
        await seen.pilot.click("#raise")
        assert seen.table.verbs[-1][0] == "raise"
        await seen.mine()
        await seen.pilot.click("#call")
        assert len(seen.table.verbs) == 2


async def test_fold_and_raise_are_no_neighbours() -> None:
    async with playing() as seen:
        await seen.mine()
        fold, call, raise_ = (
            seen.screen.query_one(f"#{name}", Button).region for name in ("fold", "call", "raise")
        )
        assert fold.right <= call.x
        assert call.right <= raise_.x
        await seen.pilot.press("enter")  # presses no button
        assert not seen.table.verbs


async def test_buttons_rest_when_the_price_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    now, due, set_timer = [100.0], list[float](), TableScreen.set_timer

    def rests(screen: TableScreen, after: float, done: Any = None, **options: Any) -> Any:
        if done != screen._show_buttons:
            return set_timer(screen, after, done, **options)
        return due.append(after)

    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr("railbird.client.terminal.table_screen.time", clock)
    monkeypatch.setattr(TableScreen, "set_timer", rests)
    async with playing() as seen:
        while not seen.can_plan:
            seen.table.acts(Verb.CALL)
            await seen.settle()
        before = seen.model.price
        seen.table.acts(Verb.RAISE, 100)
        while seen.table.actor != 0:
            seen.table.acts(Verb.CALL)
        await seen.settle()
        assert seen.model.price != before
        assert seen.screen.query_one("#call", Button).disabled
        await seen.pilot.press("c")
        assert not seen.table.verbs
        now[0] += due[-1]
        seen.screen._show_buttons()
        await seen.settle()
        assert not seen.screen.query_one("#call", Button).disabled
        await seen.pilot.press("c")
        assert seen.table.verbs == [("call", None)]


async def test_a_double_press_acts_once() -> None:
    async with playing() as seen:
        await seen.mine()
        await seen.pilot.press("c", "c", "c")
        assert len(seen.table.verbs) == 1


@pytest.mark.slow
async def test_folding_for_free_is_asked_once() -> None:
    async with playing() as seen:
        await seen.mine()
        while seen.model.price:
            await seen.pilot.press("c")
            await seen.mine()
        await seen.pilot.press("f")
        # These rules do not let anybody fold for free, which is said; nothing is folded.
        assert not any(verb == "fold" for verb, _ in seen.table.verbs)
        assert "folding is not allowed" in seen.text("lines")
        state = seen.model.state
        assert state is not None
        assert state.turn is not None
        turn = replace(state.turn, legal=replace(state.turn.legal, fold=True))
        seen.model.state = dataclasses.replace(state, turn=turn)
        await seen.pilot.press("f")
        assert isinstance(seen.app.screen, Question)
        await seen.pilot.press("n")
        assert not any(verb == "fold" for verb, _ in seen.table.verbs)
        await seen.pilot.press("f", "y")
        assert seen.table.verbs[-1][0] == "fold"


async def test_a_plan_is_played_at_its_turn_and_never_at_another_price() -> None:
    async with playing(["ann", "bob", "cid", "dan"]) as seen:
        while not seen.can_plan:
            seen.table.acts(Verb.CALL)
            await seen.settle()
        await seen.pilot.press("v")
        assert "planned" in seen.text("prompt")
        price = seen.model.price
        while seen.table.actor not in (0, None) and not seen.table.verbs:
            seen.table.acts(Verb.CALL)
            await seen.settle()
        assert seen.table.verbs == [("call" if price else "check", None)]
    async with playing(["ann", "bob", "cid", "dan"]) as seen:
        while not seen.can_plan:
            seen.table.acts(Verb.CALL)
            await seen.settle()
        await seen.pilot.press("v")
        seen.table.acts(Verb.RAISE, 200)
        while seen.table.actor != 0:
            seen.table.acts(Verb.CALL)
        await seen.settle()
        assert not seen.table.verbs
        assert "is given up" in seen.text("lines")


async def test_a_plan_can_be_chosen_by_mouse() -> None:
    async with playing(["ann", "bob", "cid", "dan"]) as seen:
        while not seen.can_plan:
            seen.table.acts(Verb.CALL)
            await seen.settle()
        await seen.pilot.click("#plan-fold")
        assert seen.model.plan is not None
        assert "●" in seen.label("plan-fold")


async def test_limit_has_one_size_and_no_field() -> None:
    async with playing(betting=Betting.LIMIT) as seen:
        await seen.mine()
        assert not seen.screen.query_one("#amount", Input).display
        assert seen.label("raise") == "Raise to 40 (r)"
        await seen.pilot.press("r")
        assert seen.table.verbs == [("raise", 40)]


async def test_no_raise_where_none_is_allowed() -> None:
    async with playing(["ann", "bob"], stack=40) as seen:
        while seen.table.actor != 1:
            seen.table.acts(Verb.CALL)
        seen.table.acts(Verb.ALL_IN)
        await seen.awake()
        assert seen.model.turn is not None
        assert not seen.screen.query_one("#raise", Button).display
        await seen.pilot.press("r")
        assert len(seen.table.verbs) <= 1


async def test_garbage_that_is_pasted_does_nothing() -> None:
    async with playing() as seen:
        await seen.mine()
        seen.app.post_message(events.Paste("fffcccrrr\x1b[31m[red]\n9999999999\x00🎲" * 50))
        await seen.settle()
        assert not seen.table.verbs
        await seen.pilot.press("r")
        seen.app.screen.focused.post_message(events.Paste("12[bold]34\n56"))  # type: ignore[union-attr]
        await seen.settle()
        assert not seen.table.verbs
        assert len(seen.screen.query_one("#amount", Input).value) <= 16


@pytest.mark.slow
async def test_a_storm_of_resizes() -> None:
    async with playing(SIX) as seen:
        await seen.mine()
        sizes = [(1, 1), (200, 60), (79, 24), (80, 23), (10, 80), (300, 10), (120, 24), (80, 24)]
        for size in sizes:
            await seen.pilot.resize_terminal(*size)
        async with asyncio.timeout(60):
            while len(seen.rows) != 24:  # the last size is drawn when the machine comes to it
                await seen.settle()
        for name in SIX:
            assert any(name in row for row in seen.rows), name
        await seen.pilot.press("c")
        assert len(seen.table.verbs) == 1


@pytest.mark.parametrize("size", [(79, 24), (80, 23), (40, 10)])
async def test_a_small_terminal_says_so_in_a_line(size: tuple[int, int]) -> None:
    async with playing(size=size) as seen:
        await seen.mine()
        words = f"The table needs 80 × 24 cells; there are {size[0]} × {size[1]}."
        assert " ".join(" ".join(seen.rows).split()) == words
        await seen.pilot.press("c", "f")
        assert not seen.table.verbs  # who sees no price pays none


async def test_leaving_asks_where_a_hand_would_be_folded() -> None:
    async with playing(is_server=True) as seen:
        await seen.mine()
        await seen.pilot.press("ctrl+c")
        assert isinstance(seen.app.screen, Question)
        await seen.pilot.press("n")
        assert isinstance(seen.app.screen, TableScreen)
        assert not seen.table.requests or seen.table.requests[-1].type != "stand_up"
        await seen.pilot.press("q", "y")
        assert seen.table.requests[-1].type == "stand_up"


async def test_help_shows_every_key() -> None:
    async with playing() as seen:
        await seen.pilot.press("question_mark")
        assert isinstance(seen.app.screen, TextDialog)
        shown = "\n".join(seen.rows)
        for binding in TableScreen.BINDINGS:
            key = binding.key.split(",")[0]  # type: ignore[union-attr]
            words = {"question_mark": "?", "pageup": "PgUp", "enter": "Enter", "escape": "Escape"}
            if key not in ("pagedown",):
                assert words.get(key, key) in shown
        assert "Enter or Escape closes" in shown
        await seen.pilot.press("enter")
        assert isinstance(seen.app.screen, TableScreen)


@pytest.mark.slow
async def test_words_letters_bell() -> None:
    async with playing() as seen:
        await seen.mine()
        await seen.pilot.press("w")
        assert "Stacks: you 2,000" in seen.text("lines")
        await seen.pilot.press("l")
        assert not set("".join(seen.rows[1:14])) & set("♠♥♦♣")
        await seen.pilot.press("b")
        assert seen.app.table.rings


async def test_odds_on_demand() -> None:
    async with playing(["ann", "bob"]) as seen:
        await seen.mine()
        assert not seen.screen.query_one("#panel").display
        await seen.pilot.press("o")
        await seen.app.workers.wait_for_complete()
        await seen.settle()
        assert "against one opponent with any two cards" in seen.text("panel")
        assert "needs" in seen.text("panel")
        await seen.pilot.press("o")
        assert not seen.screen.query_one("#panel").display


@pytest.mark.slow
async def test_a_house_player_is_asked_in_practice_only() -> None:
    async with playing(["ann", "bob"]) as seen:
        seen.app.table.advisers = ("nobody", "always-call")
        await seen.mine()
        await seen.pilot.press("h")
        await seen.app.workers.wait_for_complete()
        await seen.settle()
        assert "always-call would " in seen.text("panel")
    async with playing(["ann", "bob"], is_server=True) as seen:
        await seen.mine()
        await seen.pilot.press("h")
        assert "practice games only" in seen.text("lines")


@pytest.mark.parametrize("is_server", [True, False])
async def test_cards_are_shown_by_a_key_after_a_hand_that_nobody_called(is_server: bool) -> None:
    async with playing(is_server=is_server) as seen:
        seen.table.play.pace = 1.0  # the next hand waits
        await seen.pilot.press("m")
        assert "cards are shown after a hand" in seen.text("lines")
        assert not any(isinstance(one, ShowCards) for one in seen.table.requests)
        while seen.table.actor is not None:
            seen.table.acts(Verb.FOLD)
        await seen.settle()
        assert "m shows your cards, or they are mucked" in seen.text("prompt")
        await seen.pilot.press("m")
        assert seen.last() == ShowCards(table="test", hand=1)
        await seen.settle()
        assert "You show" in seen.text("lines")
        assert "by choice" in seen.text("lines")
        assert "m shows" not in seen.text("prompt"), "once"


async def test_frozen_comes_back_by_enter() -> None:
    async with playing(is_server=True) as seen:
        seen.table.hear(LinkNews(LinkState.WAITING, "no action in time: Enter comes back"))
        await seen.settle()
        assert "Enter comes back" in seen.text("prompt")
        assert "WAITING" in seen.text("head")
        await seen.pilot.press("enter")
        assert seen.table.came_back == 1


async def test_a_game_that_is_over_is_left_by_enter() -> None:
    async with playing() as seen:
        seen.table.hear(LinkNews(LinkState.OVER))
        await seen.settle()
        assert seen.text("prompt") == " The game is over: Enter leaves"
        await seen.pilot.press("enter")
        await seen.settle()
        assert not seen.app.is_running


async def test_a_game_that_fails_says_why() -> None:
    async with playing() as seen:
        seen.table.hear(LinkNews(LinkState.OVER, "the disk is full", is_failure=True))
        await seen.settle()
        assert isinstance(seen.app.screen, TextDialog)
        assert any("the disk is full" in row for row in seen.rows)


def _stable(svg: str) -> str:
    """A picture without what differs from run to run, and without fonts from elsewhere."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"terminal-\d+", "terminal", svg).rstrip() + "\n"


@pytest.mark.slow(only=["odds-160x50"])
@pytest.mark.parametrize("name", ["turn-80x24", "odds-160x50", "plan-80x24"])
async def test_pictures(name: str) -> None:
    """Compared with those in tests/golden/terminal; RAILBIRD_PICTURES=1 writes them anew."""
    size = (160, 50) if "160" in name else (80, 24)
    async with playing(SIX, size=size, seed=4) as seen:
        if name.startswith("plan"):
            while not seen.can_plan:
                seen.table.acts(Verb.CALL)
                await seen.settle()
            await seen.pilot.press("v")
        else:
            await seen.mine()
            await seen.pilot.press("c")
            await seen.mine()
        if name.startswith("odds"):
            await seen.pilot.press("o")
            await seen.app.workers.wait_for_complete()
        await seen.settle()
        picture = _stable(seen.app.export_screenshot(title="railbird play", simplify=True))
    path = GOLDEN / f"{name}.svg"
    if os.environ.get("RAILBIRD_PICTURES") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(picture, encoding="utf-8")
    assert picture == path.read_text(encoding="utf-8")


def _lobby(table: ScriptedTable) -> Lobby:
    info = table.play.table_info(1)
    queue = QueueInfo(queue="six", format=info.format, waiting=2, tournaments=1)
    house = [
        HousePlayer(name="booker", summary="learns"),
        HousePlayer(name="vexbot", summary="learns limit", needs_top_up=True),
    ]
    other = replace(info, table="six.1-1", kind="tournament")
    return Lobby(queues=[queue], tables=[info, other], house=house)


def _result() -> Result:
    places = [
        Place(name="[red]bob", kind=PlayerKind.PERSON, place=1, prize="42"),
        Place(name="ann", kind=PlayerKind.PERSON, place=2, prize="0"),
    ]
    return Result(tournament="six.1", rated=True, places=places, commitment="", seed="")


@asynccontextmanager
async def in_lobby() -> AsyncIterator[Seen]:
    table = ScriptedTable(["ann", "bob"], is_server=True)
    model = TableModel()
    app = PlayApp(table, model)  # type: ignore[arg-type]
    async with app.run_test(size=(80, 24)) as pilot:
        seen = Seen(app, pilot, table)
        table.hear(Welcome(version=1, name="ann", kind=PlayerKind.PERSON, server="a test"))
        table.hear(_lobby(table))
        await seen.settle()
        yield seen


async def test_the_lobby_offers_queues_tables_and_practice() -> None:
    async with in_lobby() as seen:
        assert isinstance(seen.app.screen, LobbyScreen)
        shown = "\n".join(seen.rows)
        assert "queue six: no-limit, 10/20" in shown
        assert "2 waiting, 1 running" in shown
        assert "watch six.1-1" in shown
        await seen.pilot.press("enter")
        assert seen.last() == EnterQueue(queue="six")
        seen.table.hear(Queued(queue="six", waiting=3, seats=6, starts_in_ms=12_000))
        await seen.settle()
        assert "waiting in six: 3 of 6" in "\n".join(seen.rows)
        await seen.pilot.press("l")
        assert seen.last() == LeaveQueue()
        await seen.pilot.press("end", "enter")
        limit = Practise(opponents=["vexbot"], stack=480, betting="limit", top_up=True)
        assert seen.last() == limit
        await seen.pilot.press("up", "enter")
        assert seen.last() == Practise(opponents=["booker"])
        await seen.pilot.press("up", "w")
        assert seen.last() == Watch(table="six.1-1")


async def test_chips_to_sit_down_with_are_asked_for() -> None:
    async with in_lobby() as seen:
        await seen.pilot.press("down", "enter")
        await seen.pilot.press(*"5", "enter")
        assert not any(isinstance(one, Sit) for one in seen.table.requests)
        await seen.pilot.press("backspace", *"400", "enter")
        assert Sit(table="test", buy_in=400) in seen.table.requests


@pytest.mark.slow
async def test_from_the_lobby_to_a_table_to_the_result_and_back_and_again() -> None:
    async with in_lobby() as seen:
        for _ in range(2):
            info = replace(seen.table.play.table_info(1), tournament="six.1")
            seen.table.hear(Seated(table=info))
            await seen.settle()
            assert isinstance(seen.app.screen, TableScreen)
            assert "Button#" not in "".join(seen.rows)
            seen.table.hear(_result())
            await seen.settle()
            assert "[red]bob  42" in "\n".join(seen.rows)
            await seen.pilot.press("enter", "enter")
            await seen.settle()
            assert isinstance(seen.app.screen, LobbyScreen)
            seen.table.hear(_lobby(seen.table))
            await seen.settle()


async def test_a_seat_that_is_gone_after_a_cut_leads_back_to_the_lobby() -> None:
    async with in_lobby() as seen:
        seen.table.begin()
        await seen.settle()
        assert isinstance(seen.app.screen, TableScreen)
        seen.table.hear(LinkNews(LinkState.CONNECTING, "cut; connecting again"))
        seen.table.hear(LinkNews(LinkState.OPEN))
        seen.table.hear(Welcome(version=1, name="ann", kind=PlayerKind.PERSON, server="a test"))
        await seen.settle()
        assert AskSnapshot(table="test") in seen.table.requests
        seen.table.hear(ErrorMessage(code=ErrorCode.NO_SUCH_TABLE, text="no table test"))
        await seen.settle()
        assert isinstance(seen.app.screen, LobbyScreen)
        assert "ended while you were away" in "\n".join(seen.rows)


async def test_a_timer_that_rings_while_the_table_is_taken_away_changes_nothing() -> None:
    async with in_lobby() as seen:
        seen.table.begin()
        await seen.settle()
        table = seen.app.screen
        assert isinstance(table, TableScreen)
        await seen.app.pop_screen()
        await table.remove_children()
        for ring in (table.show, table._tick, table._show_buttons):
            ring()
        assert isinstance(seen.app.screen, LobbyScreen)


async def test_a_table_that_is_watched_hides_cards_and_has_no_buttons() -> None:
    async with in_lobby() as seen:
        table = ScriptedTable(["bob", "cid"])
        table.start(lambda _: None)
        table.begin()
        snapshot = told(table.play.table_moment(1), None)
        assert snapshot is not None
        seen.table.hear(snapshot)
        await seen.settle()
        shown = "\n".join(seen.rows)
        assert "watching" in shown
        assert shown.count("▒▒ ▒▒") == 2
        assert "Fold" not in shown
        await seen.pilot.press("c", "f", "r", "q")
        await seen.settle()
        assert isinstance(seen.table.requests[-1], AskLobby | Unwatch)
        assert isinstance(seen.app.screen, LobbyScreen)


async def test_compiling_is_said_once() -> None:
    async with playing() as seen:
        for kernel in ("deal_holes", "rank_boards"):
            await asyncio.to_thread(seen.app.begins, "game", kernel)
            seen.app.ends()
            await seen.settle()
        said = [line for line in seen.model.log if "compiling" in line.text]
        assert len(said) == 1
        assert any("compiling code for this machine" in row for row in seen.rows)


# The felt: any number of seats in any room, and names of any kind.


NAMES = [
    "ann",
    "[red]bob[/red]",
    "日本語プレイヤーの名前",
    "🎲🎲🎲",
    "e\u0301tienne",
    "\x1b[31mred\u202e",
]


def model_of(names: list[str], suits: Suits = Suits.SYMBOLS) -> TableModel:
    table = ScriptedTable(names)
    model = TableModel(suits=suits)
    model.me = names[0]
    table.start(model.hears)
    table.begin()
    table.until_mine()
    if table.actor is not None:
        table.acts(Verb.CALL)
    return model


def drawn(model: TableModel, width: int, height: int) -> str:
    return draw(model.state, model.suits, width, height).plain


@pytest.mark.parametrize("size", [(80, 13), (80, 11), (114, 40), (20, 5), (1, 1), (300, 90)])
def test_every_line_has_the_width_of_the_room(size: tuple[int, int]) -> None:
    model = model_of(NAMES)
    text = drawn(model, *size).split("\n")
    assert len(text) == size[1]
    assert {cell_len(line) for line in text} == {size[0]}


def test_names_are_shown_as_they_are_and_do_nothing() -> None:
    text = drawn(model_of(NAMES), 100, 13)
    assert "[red]bob[/red]" in text
    assert "日本語" in text
    assert "\x1b" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize("count", range(2, 24))
def test_seats_do_not_lie_upon_each_other(count: int) -> None:
    where = places(count)
    assert len({(place.across, place.row) for place in where}) == count
    assert where[0].row == "bottom"


@pytest.mark.parametrize("count", range(2, 11))
def test_every_player_can_be_read_in_80_columns(count: int) -> None:
    names = [f"player{number}" for number in range(count)]
    text = drawn(model_of(names), 80, 13)
    for name in names:
        assert name in text
    assert "pot " in text


def test_cards_without_symbols() -> None:
    text = drawn(model_of(["ann", "bob"], Suits.LETTERS), 80, 13)
    assert not set(text) & set("♠♥♦♣▒★▶·")
    assert text.isascii()


def test_the_one_to_act_is_told_by_a_sign_and_not_by_colour_alone() -> None:
    table = ScriptedTable(["ann", "bob", "cid"])
    model = TableModel()
    model.me = "ann"
    table.start(model.hears)
    table.begin()
    table.until_mine()
    assert "▶ann" in drawn(model, 80, 13)


def test_cut_names_keep_whole_characters() -> None:
    assert fitted("日本語プレイヤー", 7) == "日本語…"
    assert cell_len(fitted("🎲🎲🎲🎲", 4)) <= 4


# The table in a terminal over a real game in this process.


def local_game(pause: float) -> LocalGame:
    clocks = Clocks(limit=86_400, bank=0, refill=None, lag=0)
    form = RingFormat(name="play", seats=3, buy_ins=(20, 2000), clocks=clocks)
    names = ("random", "always-call")
    players = seat_players(names, names, DEFAULT_FAULTS, form.rules([2000] * 3))
    return LocalGame(form, "ann", dict(zip(names, players, strict=True)), seed=4, pause=pause)


async def until(what: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not what():
            await asyncio.sleep(0.01)


@pytest.mark.slow
async def test_hands_are_played_by_keys_until_the_person_leaves() -> None:
    game, model = local_game(pause=0), TableModel()
    model.me = "ann"
    app = PlayApp(game, model)
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(1000):
            await until(lambda: model.turn is not None or app.table.is_broke)
            if model.hands >= 3 and model.turn is not None:
                break
            app.table._rests_until = 0.0
            await pilot.press("t" if app.table.is_broke else "c")
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


async def test_a_key_asks_for_two_runs_at_private_tables_only() -> None:
    async with playing(is_server=True) as seen:
        await seen.pilot.press("d")
        assert "private tables" in seen.text("lines")
        assert not any(isinstance(one, RunTwice) for one in seen.table.requests)
        state = seen.app.table._model.state
        assert state is not None
        for wanted in (True, False):
            players = [replace(player, runs_twice=not wanted) for player in state.info.players]
            info = replace(state.info, players=players)
            seen.app.table._model.state = dataclasses.replace(state, info=info)
            await seen.pilot.press("d")
            assert seen.last() == RunTwice(table="test", wants=wanted)
