"""`railbird play`: a person's table in a terminal."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import ClassVar, Final

from msgspec.structs import replace
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from railbird.client.local_game import LocalGame
from railbird.client.server_link import ServerLink
from railbird.client.table_model import GameSource, LinkNews, LinkState, News, TableModel
from railbird.client.terminal.felt import Amount, Question, TextDialog, help_dialog, shown
from railbird.client.terminal.table_screen import TableScreen
from railbird.protocol import ErrorCode, messages
from railbird.table.words import format_in_words, line_text

# The screen of a server's lobby.


_REFRESH_SECONDS = 5.0
_THEORY = "equilibrium:small"
_LIMIT = messages.Practise(
    opponents=[_THEORY], stack=480, big_blind=20, betting="limit", top_up=True
)
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

    def __init__(self, model: TableModel, source: GameSource) -> None:
        super().__init__()
        self._source = source
        self._model = model
        self._is_ready = False
        self._choices: dict[str, messages.GameRequest | messages.TableInfo] = {}
        self._listed: list[tuple[str, str]] = []

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
        # At a table the lobby is not seen, and the server should not be asked for it every few
        # seconds.
        if self.app.screen is self:
            self._source.send(messages.AskLobby())

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
        self._text(
            "lobby-notes", "\n".join(line_text(line, model.suits) for line in list(model.log)[-2:])
        )
        if model.queued is not None:
            queued = model.queued
            starts = (
                ""
                if queued.starts_in_ms is None
                else (f"; house players join in {queued.starts_in_ms / 1000:.0f} s at the latest")
            )
            if queued.held:
                starts = "; the server cannot save hands now, play begins as soon as it can"
            words = f"waiting in {queued.queue}: {queued.waiting} of {queued.seats}{starts}"
            self._text("lobby-notes", f"{words}\nl leaves the queue")
        self._list()

    def _text(self, id_: str, text: str) -> None:
        lines = map(shown, text.split("\n"))
        self.query_one(f"#{id_}", Static).update(Text("\n".join(lines)))

    def _list(self) -> None:
        rows = list(self._rows())
        listed = [(id_, text) for id_, text, _ in rows]
        # A list that is built anew moves its cursor; every few seconds that would pull it away from
        # somebody who is choosing.
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
        # The cursor stays at the same game though its row has moved.
        options.highlighted = ids.index(chosen) if chosen in ids else 0 if ids else None
        options.focus()

    def _rows(self) -> list[tuple[str, str, messages.GameRequest | messages.TableInfo]]:
        lobby = self._model.lobby
        if lobby is None:
            return []
        rows: list[tuple[str, str, messages.GameRequest | messages.TableInfo]] = []
        for queue in lobby.queues:
            running = f", {queue.tournaments} running" if queue.tournaments else ""
            form = format_in_words(queue.format, brief=True)
            words = f"queue {queue.queue}: {form}; {queue.waiting} waiting{running}"
            rows.append((f"q {queue.queue}", words, messages.EnterQueue(queue=queue.queue)))
        for table in lobby.tables:
            players = f"{len(table.players)} of {table.format.table_seats} there"
            verb = "sit" if table.kind == "ring" else "watch"
            words = f"{verb} {table.table}: {format_in_words(table.format, brief=True)}; {players}"
            rows.append((f"t {table.table}", words, table))
        if lobby.house:
            names = [player.name for player in lobby.house if not player.needs_top_up]
            wanted: list[str] = [n for n in ("tight", "booker", "loki") if n in names] or names[:2]
            words = f"practice at once against {', '.join(wanted)}; unrated, with all cards after"
            rows.append(("practice", words, messages.Practise(opponents=wanted)))
        if of_limit := [player.name for player in lobby.house if player.needs_top_up]:
            name = _THEORY if _THEORY in of_limit else of_limit[0]
            words = f"practice heads-up limit against {name}, with the same stacks in each hand"
            rows.append(("practice limit", words, replace(_LIMIT, opponents=[name])))
        return rows

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter a queue, sit down, watch or practise."""
        event.stop()
        choice = self._choices.get(event.option.id or "")
        if isinstance(choice, messages.TableInfo):
            if choice.kind == "ring":
                self._sit(choice)
            else:
                self._source.send(messages.Watch(table=choice.table))
        elif choice is not None:
            self._source.send(choice)

    def _sit(self, table: messages.TableInfo) -> None:
        low, high = table.format.least_buy_in or 1, table.format.stack

        def answered(amount: int | None) -> None:
            if amount is not None:
                self._source.send(messages.Sit(table=table.table, buy_in=amount))

        self.app.push_screen(
            Amount(f"Chips to sit down with at {table.table}", low, high), answered
        )

    def action_watch(self) -> None:
        """Watch the table under the cursor."""
        options = self.query_one(OptionList)
        if options.highlighted is None:
            return
        choice = self._choices.get(options.get_option_at_index(options.highlighted).id or "")
        if isinstance(choice, messages.TableInfo):
            self._source.send(messages.Watch(table=choice.table))
        else:
            self._model.say("a queue cannot be watched", "problem")
            self.show()

    def action_leave_queue(self) -> None:
        """Wait no longer."""
        if self._model.queued is not None:
            self._source.send(messages.LeaveQueue())

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(help_dialog())


_GONE: Final = (ErrorCode.NO_SUCH_TABLE, ErrorCode.NOT_SEATED)


class Told(Message):
    """News for the screen, from another thread."""

    bubble = False

    def __init__(self, news: News) -> None:
        super().__init__()
        self.news = news


class Compiling(Message):
    """Code is compiled, for which somebody at the table waits."""

    bubble = False


class PlayApp(App[None]):
    """A table, and on a server a lobby before it."""

    TITLE = "railbird"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "leave"),
        Binding("ctrl+c", "leave", "leave", priority=True, show=False),
        Binding("ctrl+q", "leave", "leave", priority=True, show=False),
    ]

    def __init__(
        self,
        source: LocalGame | ServerLink,
        model: TableModel,
        *,
        enter: messages.GameRequest | None = None,
        advisers: Sequence[str] = (),
        rings: bool = False,
    ) -> None:
        # Without colours also no shades of grey: the terminal's own colours, and no others.
        super().__init__(ansi_color="NO_COLOR" in os.environ or None)
        self.source = source
        self.model = model
        self._enter = enter
        self.table = TableScreen(model, source, self.go_on, advisers=advisers, rings=rings)
        self._lobby = LobbyScreen(model, source)
        self._leaving = False
        self._has_said_compiling = False
        self._has_shown_result = False
        self._is_back = False
        """Whether it is not known yet if the seat from before a cut still is there."""

    @property
    def local(self) -> LocalGame | None:
        """The game in this process, if it is one."""
        return self.source if isinstance(self.source, LocalGame) else None

    def on_mount(self) -> None:
        """Show the lobby or the table, and begin."""
        # Installed, they keep their widgets while another screen is shown.
        self.install_screen(self._lobby, "lobby")
        self.install_screen(self.table, "table")
        self.push_screen("lobby" if self.source.is_server else "table")
        self.source.start(lambda news: self.post_message(Told(news)))

    def begins(self, room: str, kernel: str) -> None:
        """Take note that code is compiled; called from other threads."""
        del room, kernel
        if not self._has_said_compiling:
            self._has_said_compiling = True
            self.post_message(Compiling())

    def on_compiling(self) -> None:
        """Say why the first hands take longer."""
        self.model.say("compiling code for this machine, once: this takes a while", "note")
        self.table.show()

    def ends(self) -> None:
        """Do nothing: what follows shows that the compiling is over."""

    def on_told(self, message: Told) -> None:
        """Draw what has happened."""
        news, model = message.news, self.model
        model.hears(news)
        match news:
            case messages.Welcome():
                self._welcome()
            case messages.Seated() | messages.Snapshot():
                self._has_shown_result = self._is_back = False
                self._to_table()
            case messages.ErrorMessage(code=code):
                self.table.refused()
                # Only the answer to our own question after a cut says that the seat is gone; later
                # the same error is the answer to a key that came too late.
                if self._is_back and code in _GONE:
                    self._is_back = False
                    model.say("the game ended while you were away", "note")
                    self._back_to_lobby()
            case messages.Result() if not model.is_watching or self.local is not None:
                self.show_result()
            case LinkNews(state=LinkState.OVER):
                self._over(news)
            case _:
                pass
        self.table.show()
        self._lobby.show()
        self.table.play_plan()

    def _welcome(self) -> None:
        """Ask for the lobby, and after a cut for the table."""
        self.source.send(messages.AskLobby())
        # What the command line asked for is entered once. After a cut the queue or the seat is
        # still held, and asking again would be refused.
        if self._enter is not None:
            self.source.send(self._enter)
            self._enter = None
        table = self.model.table
        if table is not None and not self._is_done:
            # A seat is kept by the server over a cut, but who watches is forgotten and has to ask
            # again.
            self._is_back = not self.model.is_watching
            asked = messages.AskSnapshot if self._is_back else messages.Watch
            self.source.send(asked(table=table.table))

    def _to_table(self) -> None:
        if self.table not in self.screen_stack:
            self.push_screen("table")

    def _over(self, news: LinkNews) -> None:
        if self._leaving or (self.source.is_server and news.is_failure):
            self.exit()
        elif news.is_failure:
            self.push_screen(TextDialog("The game has ended", [news.text]), lambda _: self.exit())

    def show_result(self) -> None:
        """Show the places of a tournament that is over."""
        state = self.model.state
        result = None if state is None else state.result
        if result is None or self._has_shown_result:
            return
        self._has_shown_result = True
        lines = [
            f"{place.place:>3}  {place.name}" + (f"  {place.prize}" if place.prize != "0" else "")
            for place in result.places
        ]
        name = result.tournament
        if (series := self.source.series) is not None:
            name = f"Tournament {series[0]} of {series[1]}"
        title = f"{name}: void" if result.void else f"{name}: the result"
        self.push_screen(TextDialog(title, lines))

    def go_on(self) -> None:
        """Go on at once; come back to a server; leave a table where everything is over."""
        link = self.model.link
        if link is not None and link.state is LinkState.WAITING:
            self.source.come_back()
        elif link is not None and link.state is LinkState.OVER:
            self.exit()
        elif self.source.is_server and self._is_done:
            self._back_to_lobby()
        else:
            self.source.hurry()

    @property
    def _is_done(self) -> bool:
        state = self.model.state
        return state is not None and (
            state.is_over or state.knocked_out is not None or state.report is not None
        )

    def _back_to_lobby(self) -> None:
        model = self.model
        if model.is_watching and model.table is not None:
            self.source.send(messages.Unwatch(table=model.table.table))
        model.leave_table()
        if self.screen is self.table:
            self.pop_screen()

    def action_leave(self) -> None:
        """Leave the table, or the program; ask where a hand would be folded."""
        # The second key leaves at once, since the hand that is played to its end may take long.
        if self._leaving:
            self.exit()
            return
        model, table = self.model, self.model.table
        if self.source.is_server and self.screen is self.table and table is not None:
            self._leave_server_table()
            return
        if model.state is not None and model.state.is_in and self.local is not None:
            words = "Leave? Your hand is folded, and logged."
            self.push_screen(Question(words, yes="Leave", no="Stay"), self._leave_if)
        else:
            self._leave_if(True)

    @property
    def _is_connected(self) -> bool:
        link = self.model.link
        return link is not None and link.state is LinkState.OPEN

    def _leave_server_table(self) -> None:
        model = self.model
        assert model.table is not None
        if model.is_watching or self._is_done:
            self._back_to_lobby()
            return
        if not self._is_connected:
            words = "Leave? You can log in again later."
        elif model.table.kind == "tournament":
            words = "Leave? Your seat stays and its clock runs; log in again to play on."
        else:
            words = "Stand up after this hand? It is folded."
        self.push_screen(Question(words, yes="Leave", no="Stay"), self._leave_if)

    def _leave_if(self, yes: bool | None) -> None:
        if not yes:
            return
        table = self.model.table
        # A seat in a tournament cannot be given up: its chips stay in play until they are lost.
        can_stand_up = self.source.is_server and self._is_connected and not self._is_done
        if can_stand_up and table is not None and table.kind != "tournament":
            self.source.send(messages.StandUp())
            return
        self._leaving = True
        if self.local is None or not self._is_connected:
            self.exit()
        else:
            self.model.say("the hand is played to its end without you; q again leaves at once")
            self.source.send(messages.StandUp())
            self.table.show()
