"""The screen of a server's lobby."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from railbird.client.play.event_words import chips
from railbird.client.play.shown import Tone
from railbird.client.play.table_model import TableModel
from railbird.client.terminal.canvas import shown
from railbird.client.terminal.dialogs import Amount
from railbird.protocol.messages.client import (
    AskLobby,
    EnterQueue,
    GameRequest,
    LeaveQueue,
    Practise,
    Sit,
    Watch,
)
from railbird.protocol.messages.game import GameFormat, TableInfo

if TYPE_CHECKING:
    from railbird.client.terminal.app import PlayApp

_REFRESH_SECONDS = 5.0
_THEORY = "equilibrium:small"
_LIMIT = Practise(opponents=[_THEORY], stack=480, big_blind=20, betting="limit", top_up=True)
"""Stacks of 24 big blinds, with which nobody is ever all-in."""


class LobbyScreen(Screen[None]):
    """Queues to wait in, ring tables to sit at, tables to watch, practice."""

    CSS = """
    LobbyScreen { layout: vertical; }
    #lobby-head { height: 1; background: $panel; text-style: bold; }
    #lobby-choices { height: 1fr; }
    #lobby-notes { height: 3; }
    #lobby-keys { height: 1; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "leave_queue", "leave the queue"),
        Binding("w", "watch", "watch"),
        Binding("question_mark,f1", "help", "help"),
    ]

    def __init__(self, model: TableModel) -> None:
        super().__init__()
        self._model = model
        self._is_ready = False
        self._choices: dict[str, GameRequest | TableInfo] = {}
        self._listed: list[tuple[str, str]] = []

    @property
    def _play(self) -> PlayApp:
        return self.app  # type: ignore[return-value]

    def compose(self) -> ComposeResult:
        """Put the parts of the screen in their places."""
        yield Static(id="lobby-head")
        yield OptionList(id="lobby-choices")
        yield Static(id="lobby-notes")
        yield Static(id="lobby-keys")

    def on_mount(self) -> None:
        """Show the lobby, and ask for it again and again."""
        self.set_interval(_REFRESH_SECONDS, self._ask)
        self._is_ready = True
        self.show()

    def on_screen_resume(self) -> None:
        """Show what has changed meanwhile."""
        self._ask()
        self.show()

    def _ask(self) -> None:
        if self._play.screen is self:
            self._play.source.send(AskLobby())

    def show(self) -> None:
        """Show what the model knows now."""
        if not self._is_ready:
            return
        model = self._model
        name = "" if model.me is None else f" · {model.me}"
        self._text("lobby-head", f" railbird · lobby{name}")
        self._text(
            "lobby-keys", "Enter chooses   w watches   l leaves the queue   ? help   q quits"
        )
        self._text("lobby-notes", "\n".join(line.text for line in list(model.log)[-2:]))
        if model.queued is not None:
            queued = model.queued
            starts = (
                ""
                if queued.starts_in_ms is None
                else (f"; house players join in {queued.starts_in_ms / 1000:.0f} s at the latest")
            )
            words = f"waiting in {queued.queue}: {queued.waiting} of {queued.seats}{starts}"
            self._text("lobby-notes", f"{words}\nl leaves the queue")
        self._list()

    def _text(self, id_: str, text: str) -> None:
        lines = map(shown, text.split("\n"))
        self.query_one(f"#{id_}", Static).update(Text("\n".join(lines)))

    def _list(self) -> None:
        rows = list(self._rows())
        listed = [(id_, text) for id_, text, _ in rows]
        if listed == self._listed:
            return
        options = self.query_one(OptionList)
        chosen = None
        if options.highlighted is not None and options.option_count:
            chosen = options.get_option_at_index(options.highlighted).id
        self._listed = listed
        self._choices = {id_: choice for id_, _, choice in rows}
        options.clear_options()
        options.add_options([Option(Text(shown(text)), id=id_) for id_, text in listed])
        ids = [id_ for id_, _ in listed]
        options.highlighted = ids.index(chosen) if chosen in ids else 0 if ids else None
        options.focus()

    def _rows(self) -> list[tuple[str, str, GameRequest | TableInfo]]:
        lobby = self._model.lobby
        if lobby is None:
            return []
        rows: list[tuple[str, str, GameRequest | TableInfo]] = []
        for queue in lobby.queues:
            running = f", {queue.tournaments} running" if queue.tournaments else ""
            words = (
                f"queue {queue.queue}: {_format(queue.format)}; {queue.waiting} waiting{running}"
            )
            rows.append((f"q {queue.queue}", words, EnterQueue(queue=queue.queue)))
        for table in lobby.tables:
            players = f"{len(table.players)} of {table.format.table_seats} there"
            verb = "sit" if table.kind == "ring" else "watch"
            words = f"{verb} {table.table}: {_format(table.format)}; {players}"
            rows.append((f"t {table.table}", words, table))
        if lobby.house:
            names = [player.name for player in lobby.house if not player.needs_top_up]
            wanted: list[str] = [n for n in ("tight", "booker", "loki") if n in names] or names[:2]
            words = f"practice at once against {', '.join(wanted)}; unrated, with all cards after"
            rows.append(("practice", words, Practise(opponents=wanted)))
        if of_limit := [player.name for player in lobby.house if player.needs_top_up]:
            name = _THEORY if _THEORY in of_limit else of_limit[0]
            words = f"practice heads-up limit against {name}, with the same stacks in each hand"
            rows.append(("practice limit", words, _LIMIT.model_copy(update={"opponents": [name]})))
        return rows

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter a queue, sit down, watch or practise."""
        event.stop()
        choice = self._choices.get(event.option.id or "")
        if isinstance(choice, TableInfo):
            if choice.kind == "ring":
                self._sit(choice)
            else:
                self._play.source.send(Watch(table=choice.table))
        elif choice is not None:
            self._play.source.send(choice)

    def _sit(self, table: TableInfo) -> None:
        low, high = table.format.least_buy_in or 1, table.format.stack

        def answered(amount: int | None) -> None:
            if amount is not None:
                self._play.source.send(Sit(table=table.table, buy_in=amount))

        self.app.push_screen(
            Amount(f"Chips to sit down with at {table.table}", low, high), answered
        )

    def action_watch(self) -> None:
        """Watch the table under the cursor."""
        options = self.query_one(OptionList)
        if options.highlighted is None:
            return
        choice = self._choices.get(options.get_option_at_index(options.highlighted).id or "")
        if isinstance(choice, TableInfo):
            self._play.source.send(Watch(table=choice.table))
        else:
            self._model.say("a queue cannot be watched", Tone.PROBLEM)
            self.show()

    def action_leave_queue(self) -> None:
        """Wait no longer."""
        if self._model.queued is not None:
            self._play.source.send(LeaveQueue())

    def action_help(self) -> None:
        """Show the keys."""
        self._play.show_help()


def _format(form: GameFormat) -> str:
    """Return a format in a few words, so that a line of 80 columns has room for it."""
    parts = [form.betting, re.sub(r"x.*", "", form.blinds)]
    if form.least_buy_in is None:
        parts += [f"{form.seats} players", f"stacks {chips(form.stack)}"]
    else:
        parts.append(f"buy-in {chips(form.least_buy_in)} to {chips(form.stack)}")
    parts += [f"fee {chips(form.fee)}"] if form.fee else []
    return ", ".join(parts)
