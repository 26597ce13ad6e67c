"""Dialogs over the table: help, questions, amounts, results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from railbird.client.terminal.canvas import shown

_Result = TypeVar("_Result")

KEYS: tuple[tuple[str, str], ...] = (
    ("f", "fold; where checking is free it asks once"),
    ("c", "check or call"),
    ("r", "bet or raise: type the amount; Enter sends, Escape leaves it"),
    ("1 2 3 4", "amount: ½ pot, ¾ pot, pot, all-in; nothing is sent yet"),
    ("up down", "amount: a big blind more or less"),
    ("x  v", "plan check/fold, or a call at this price; changes end it"),
    ("o", "odds: probability of winning, what a call needs"),
    ("h", "what a house player would do, and why (practice only)"),
    ("w", "say in words: cards, board, pots, stacks"),
    ("l", "suits as letters or as symbols"),
    ("b", "bell at my turn: on or off"),
    ("Enter", "go on at once where the game waits for me to read"),
    ("p", "pause after others' actions: none, short, usual, long"),
    ("t", "top up to the full stack (ring games)"),
    ("s", "sit out, or play again (ring games on a server)"),
    ("PgUp PgDn", "look back in the log"),
    ("? F1", "this help"),
    ("q Ctrl-C", "leave; a hand in play is folded, and logged"),
)
"""Keys and what they do, for the help screen and the manual."""

_DIALOG_CSS = """
Dialog { align: center middle; }
Dialog > VerticalScroll {
    width: 76; max-width: 100%; height: auto; max-height: 100%;
    border: solid $accent; background: $surface; padding: 0 1;
}
Dialog Horizontal { height: auto; width: 100%; }
Dialog Button { margin: 0 2 0 0; }
"""


class Dialog(ModalScreen[_Result]):
    """A box over the table."""

    DEFAULT_CSS = _DIALOG_CSS
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "leave", priority=True)]

    def action_leave(self) -> None:
        """Leave at once."""
        self.app.exit()


class TextDialog(Dialog[None]):
    """Lines to read, until a key."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,question_mark,f1", "done", "Close"),
    ]

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        """Show the lines."""
        with VerticalScroll():
            yield Static(Text(shown(self._title), style="bold"))
            yield Static(Text("\n".join(map(shown, self._lines))))
            yield Static(Text("Enter or Escape closes", style="italic"))

    def action_done(self) -> None:
        """Close."""
        self.dismiss()


def help_dialog() -> TextDialog:
    """Return the help."""
    width = max(len(key) for key, _ in KEYS)
    return TextDialog("Keys", [f"{key.ljust(width)}  {words}" for key, words in KEYS])


class Question(Dialog[bool]):
    """A question that is answered by yes or no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, question: str, *, yes: str, no: str) -> None:
        super().__init__()
        self._question, self._yes, self._no = question, yes, no

    def compose(self) -> ComposeResult:
        """Show the question and two buttons."""
        with VerticalScroll():
            yield Static(Text(shown(self._question)))
            with Horizontal():
                yield _button(f"{self._no} (n)", "no")
                yield _button(f"{self._yes} (y)", "yes")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        event.stop()
        self.dismiss(event.button.id == "yes")

    def action_answer(self, yes: bool) -> None:
        """Answer."""
        self.dismiss(yes)


class Amount(Dialog[int | None]):
    """Asks for a whole number between two bounds."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "give_up", "Cancel")]
    AUTO_FOCUS = "Input"

    def __init__(self, question: str, low: int, high: int) -> None:
        super().__init__()
        self._question, self._low, self._high = question, low, high

    def compose(self) -> ComposeResult:
        """Show the question and a field."""
        with VerticalScroll():
            yield Static(Text(f"{shown(self._question)} ({self._low:,} to {self._high:,})"))
            yield Input(str(self._high), restrict=r"[0-9]*", max_length=16, compact=True)
            yield Static("", id="problem")
            yield Static(Text("Enter takes it, Escape gives up", style="italic"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the number if it is allowed."""
        event.stop()
        number = int(event.value or 0)
        if self._low <= number <= self._high:
            self.dismiss(number)
        else:
            words = f"{number:,}; allowed: {self._low:,} to {self._high:,}"
            self.query_one("#problem", Static).update(Text(words))

    def action_give_up(self) -> None:
        """Close."""
        self.dismiss(None)


def _button(text: str, id_: str) -> Button:
    button = Button(Content(text), id=id_, compact=True)
    button.can_focus = False
    return button
