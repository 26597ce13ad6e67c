"""`railbird play`: a person's table in a terminal."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import App
from textual.binding import Binding, BindingType
from textual.message import Message

from railbird.client.play.local_game import LocalGame
from railbird.client.play.server_link import ServerLink
from railbird.client.play.shown import Tone
from railbird.client.play.source import LinkNews, LinkState, News
from railbird.client.play.table_model import TableModel
from railbird.client.terminal.dialogs import Question, TextDialog, help_dialog
from railbird.client.terminal.lobby_screen import LobbyScreen
from railbird.client.terminal.table_screen import TableScreen
from railbird.protocol import ErrorCode
from railbird.protocol.messages.client import (
    AskLobby,
    AskSnapshot,
    GameRequest,
    StandUp,
    Unwatch,
    Watch,
)
from railbird.protocol.messages.game import Result, Seated, Snapshot
from railbird.protocol.messages.session import ErrorMessage, Welcome

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
        enter: GameRequest | None = None,
        advisers: Sequence[str] = (),
        rings: bool = False,
    ) -> None:
        # Without colours also no shades of grey: the terminal's own colours, and no others.
        super().__init__(ansi_color="NO_COLOR" in os.environ or None)
        self.source = source
        self.model = model
        self.advisers = tuple(advisers)
        self.rings = rings
        """Whether the terminal's bell rings at my turn."""
        self._enter = enter
        self._table = TableScreen(model)
        self._lobby = LobbyScreen(model)
        self._actions = 0
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
        """Begin."""
        # Installed, they keep their widgets while another screen is shown.
        self.install_screen(self._lobby, "lobby")
        self.install_screen(self._table, "table")
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
        self.model.say("compiling code for this machine, once: this takes a while", Tone.NOTICE)
        self._table.show()

    def ends(self) -> None:
        """Do nothing: what follows shows that it went on."""

    def on_told(self, told: Told) -> None:
        """Follow news."""
        news, model = told.news, self.model
        model.hears(news)
        match news:
            case Welcome():
                self._welcome()
            case Seated() | Snapshot():
                self._has_shown_result = self._is_back = False
                self._to_table()
            case ErrorMessage(code=code):
                self._table.refused()
                if self._is_back and code in _GONE:
                    self._is_back = False
                    model.say("the game ended while you were away", Tone.NOTICE)
                    self._back_to_lobby()
            case Result() if not model.is_watching or self.local is not None:
                self.show_result()
            case LinkNews(state=LinkState.OVER):
                self._over(news)
            case _:
                pass
        self._table.show()
        self._lobby.show()
        self._table.play_plan()

    def _welcome(self) -> None:
        """Ask for the lobby, and after a cut for the table."""
        self.source.send(AskLobby())
        if self._enter is not None:
            self.source.send(self._enter)
            self._enter = None
        table = self.model.table
        if table is not None and not self._is_done:
            self._is_back = not self.model.is_watching
            asked = AskSnapshot if self._is_back else Watch
            self.source.send(asked(table=table.table))

    def _to_table(self) -> None:
        if self._table not in self.screen_stack:
            self.push_screen("table")

    def _over(self, news: LinkNews) -> None:
        if self._leaving or (self.source.is_server and news.is_failure):
            self.exit()
        elif news.is_failure:
            self.push_screen(TextDialog("The game has ended", [news.text]), lambda _: self.exit())

    # What the screens ask for.

    def next_action(self) -> int:
        """Return the number of another action."""
        self._actions += 1
        return self._actions

    def ask_snapshot(self) -> None:
        """Ask for the table as it is now."""
        if self.model.table is not None and self.source.is_server:
            self.source.send(AskSnapshot(table=self.model.table.table))
        self.model.needs_snapshot = False

    def my_turn_begins(self) -> None:
        """Ring the bell, if it is wanted."""
        if self.rings:
            self.bell()

    @property
    def is_broke(self) -> bool:
        """Whether I have no chips left at a ring table."""
        hand, table = self.model.hand, self.model.table
        if hand is None or hand.you is None or table is None or not self.model.is_over:
            return False
        buys = table.kind == "ring" and not table.format.top_up
        return buys and hand.seats[hand.you].stack == 0

    def missing_chips(self) -> int:
        """Return the chips that a full stack lacks; 0 where none can be bought."""
        hand, table = self.model.hand, self.model.table
        if hand is None or hand.you is None or table is None or table.kind != "ring":
            return 0
        if table.format.top_up:
            return 0
        mine = hand.seats[hand.you]
        had = mine.stack if self.model.is_over else mine.stack + mine.spent
        return max(0, table.format.stack - had)

    def show_help(self) -> None:
        """Show the keys."""
        self.push_screen(help_dialog())

    def show_result(self) -> None:
        """Show the places of a tournament that is over."""
        result = self.model.result
        if result is None or self._has_shown_result:
            return
        self._has_shown_result = True
        lines = [
            f"{place.place:>3}  {place.name}" + (f"  {place.prize}" if place.prize != "0" else "")
            for place in result.places
        ]
        title = f"{result.tournament}: void" if result.void else f"{result.tournament}: the result"
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
        model = self.model
        return model.result is not None or model.place is not None or model.session is not None

    def _back_to_lobby(self) -> None:
        model = self.model
        if model.is_watching and model.table is not None:
            self.source.send(Unwatch(table=model.table.table))
        model.leave_table()
        if self.screen is self._table:
            self.pop_screen()

    def action_leave(self) -> None:
        """Leave the table, or the program; ask where a hand would be folded."""
        if self._leaving:
            self.exit()
            return
        model, table = self.model, self.model.table
        if self.source.is_server and self.screen is self._table and table is not None:
            self._leave_server_table()
            return
        if model.is_in and self.local is not None:
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
        can_stand_up = self.source.is_server and self._is_connected and not self._is_done
        if can_stand_up and table is not None and table.kind != "tournament":
            self.source.send(StandUp())
            return
        self._leaving = True
        if self.local is None or not self._is_connected:
            self.exit()
        else:
            self.model.say("the hand is played to its end without you; q again leaves at once")
            self.source.send(StandUp())
            self._table.show()
