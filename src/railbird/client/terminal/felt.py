"""The felt: seats around a board, as text of any size."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypeVar

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from railbird._terminal_safe import visible
from railbird.cards import SUITS, Suits
from railbird.table.felt import Felt, FeltSeat
from railbird.table.state import TableState
from railbird.table.words import amount, cards_text

# A grid of terminal cells to draw text on, whatever width its characters have.


_VARIATION_SELECTORS = range(0xFE00, 0xFE10)
"""Characters that say how the one before them is drawn; terminals disagree on the width of the
result."""


def shown(text: str) -> str:
    r"""Return text in one line that has the same width in every terminal.

    >>> ascii(shown("a\x1b[31m\nb\ufe0f"))
    "'a\\ufffd[31m\\ufffdb'"
    """
    return "".join(c for c in visible(text, layout="") if ord(c) not in _VARIATION_SELECTORS)


def fitted(text: str, width: int) -> str:
    """Return text cut to a width in cells, with an ellipsis where something is missing.

    >>> fitted("always-call", 8), fitted("日本語", 5), fitted("abc", 0)
    ('always-…', '日本…', '')
    """
    text = shown(text)
    if cell_len(text) <= width:
        return text
    prefix, used = "", 0
    for character in text:
        size = cell_len(character)
        if used + size > width - 1:
            break
        prefix, used = prefix + character, used + size
    return f"{prefix}…" if width > 0 else ""


class Canvas:
    """A grid of cells; what does not fit is cut off."""

    def __init__(self, width: int, height: int, style: Style) -> None:
        self.width = width
        self.height = height
        self._cells = [[(" ", style) for _ in range(width)] for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Style) -> int:
        """Write text; return the column after it. A style keeps the ground that it does not set."""
        if not 0 <= y < self.height:
            return x + cell_len(text)
        row = self._cells[y]
        for character in shown(text):
            size = cell_len(character)
            if size == 0:
                if unicodedata.combining(character) and 0 < x <= self.width:
                    before, old = row[x - 1]
                    row[x - 1] = (before + character, old)
                continue
            if x >= 0 and x + size <= self.width:
                row[x] = (character, row[x][1] + style)
                for more in range(x + 1, x + size):
                    row[more] = ("", row[more][1] + style)
            x += size
        return x

    def fill(self, x: int, y: int, width: int, height: int, style: Style) -> None:
        """Fill a rectangle with blanks."""
        for row in range(y, y + height):
            self.put(x, row, " " * width, style)

    def text(self) -> Text:
        """Return everything as one text."""
        full_text = Text(no_wrap=True, end="")
        for number, row in enumerate(self._cells):
            if number:
                full_text.append("\n")
            run, style = "", row[0][1] if row else Style()
            for character, own in row:
                if own != style:
                    full_text.append(run, style)
                    run, style = "", own
                run += character
            full_text.append(run, style)
        return full_text


# The felt.


_FELT: Final = Style.parse("#f2f5f0 on #0f3d2e")
_DIM: Final = Style.parse("#b9cbbf")
_MINE: Final = Style.parse("bold")
_TURN: Final = Style.parse("bold #101010 on #ffd75f")
_WON: Final = Style.parse("bold #ffd75f")
_BUTTON: Final = Style.parse("bold #101010 on #f2f5f0")
_BACK: Final = Style.parse("#c8d4f0 on #2a4a86")
_SUIT_STYLES: Final = {
    "s": Style.parse("bold #101010 on #ffffff"),
    "h": Style.parse("bold #b00020 on #ffffff"),
    "d": Style.parse("bold #0047c2 on #ffffff"),
    "c": Style.parse("bold #006b1f on #ffffff"),
}
_SYMBOLS: Final = dict(zip(SUITS, Suits.SYMBOLS.value, strict=True))

_SEAT_HEIGHT: Final = 3
_WIDEST_SEAT: Final = 22
_MOST_APART: Final = 2
"""Cards of a seat that have a space between them; more would leave no room for the stack."""
_UP_GAP: Final = 2
"""Columns between down and up cards that are drawn large."""
_LARGE_CARDS_FROM: Final = 24
"""Rows of felt from which on cards take three rows."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a seat is drawn, in shares of the felt: left to right, and top, middle or bottom."""

    across: float
    row: str


def places(count: int) -> list[_Place]:
    """Return places clockwise, the first in the middle of the bottom.

    >>> [(round(place.across, 2), place.row) for place in places(4)]
    [(0.5, 'bottom'), (0.0, 'middle'), (0.5, 'top'), (1.0, 'middle')]
    """
    if count == 1:
        return [_Place(0.5, "bottom")]
    if count == 2:
        return [_Place(0.5, "bottom"), _Place(0.5, "top")]
    sides = 0 if count == 3 else 2
    beside = 2 * ((count - 5) // 4 + (count > 6)) if count > 6 else 0
    top = count - 1 - sides - beside
    half = beside // 2
    bottom = [_Place(_share(n, beside + 1), "bottom") for n in range(beside + 1)]
    left, right = bottom[:half][::-1], bottom[half + 1 :][::-1]
    upper = [_Place(_share(n, top), "top") for n in range(top)]
    middle = [_Place(0.0, "middle")] if sides else []
    end = [_Place(1.0, "middle")] if sides else []
    return [bottom[half], *left, *middle, *upper, *end, *right]


def _share(number: int, count: int) -> float:
    if count == 1:
        return 0.5
    if count == 2:
        return (0.15, 0.85)[number]
    return number / (count - 1)


def draw(state: TableState | None, suits: Suits, width: int, height: int) -> Text:
    """Draw a table; None before its snapshot has come."""
    canvas = Canvas(width, height, _FELT)
    table = Felt(seats=(), chairs=0) if state is None else state.felt()
    if seats := table.seats:
        where = places(len(seats))
        across = max(sum(place.row == row for place in where) for row in ("top", "bottom"))
        room = min(_WIDEST_SEAT, (width - 2) // max(across, 3 if across > 1 else 2))
        for seat, place in zip(seats, where, strict=True):
            x = 1 + round(place.across * (width - 2 - room))
            y = _top_of(place, height)
            _draw_seat(canvas, table, seat, x, y, room, suits)
            if seat.is_me and height >= _LARGE_CARDS_FROM:
                left = x + 1 - 7 * max(0, len(seat.cards) + len(seat.up) - 3) // 2
                for number, card in enumerate((*seat.cards, *seat.up)):
                    gap = _UP_GAP * (number >= len(seat.cards))
                    _board_card(canvas, left + 7 * number + gap, y - 4, card, suits, large=True)
    _draw_middle(canvas, table, suits, is_known=state is not None)
    return canvas.text()


def _top_of(place: _Place, height: int) -> int:
    edge = height // 9 if height >= _LARGE_CARDS_FROM else 0
    if place.row == "top":
        return edge
    if place.row == "bottom":
        return height - _SEAT_HEIGHT - edge
    return (height - _SEAT_HEIGHT) // 2


def _draw_seat(
    canvas: Canvas, table: Felt, seat: FeltSeat, x: int, y: int, width: int, suits: Suits
) -> None:
    """Draw a seat: the name; cards and stack; what it is doing."""
    base = _DIM if seat.folded else _MINE if seat.is_me else Style()
    won = seat.won is not None and seat.won > 0
    sign = "▶" if seat.to_act else "★" if won else " "
    if suits is Suits.LETTERS:
        sign = {"▶": ">", "★": "*"}.get(sign, sign)
    head = _TURN if seat.to_act else base
    name = fitted(seat.short_name, width - 2 - (3 if seat.is_button else 0))
    canvas.put(x, y, f"{sign}{name}".ljust(0), head)
    if seat.to_act:
        used = 1 + cell_len(name)
        canvas.put(x + used, y, " " * (width - used - 1), head)
    if seat.is_button:
        canvas.put(x + width - 4, y, "(D)", _BUTTON)
    after, back = x + 1, "##" if suits is Suits.LETTERS else "▒▒"
    gap = int(max(len(seat.cards), seat.hidden) <= _MOST_APART and not seat.up)
    if seat.cards:
        for card in seat.cards:
            after = _small_card(canvas, after, y + 1, card, suits, dim=seat.folded) + gap
    for _ in range(seat.hidden):
        after = canvas.put(after, y + 1, back, _BACK) + gap
    after += not gap
    for card in seat.up:
        after = _small_card(canvas, after, y + 1, card, suits, dim=seat.folded)
    after += bool(seat.up)
    stack = "all-in" if seat.all_in else amount(seat.stack)
    canvas.put(after, y + 1, fitted(stack, max(0, x + width - after)), base)
    words = _doing(seat, is_over=table.is_over)
    canvas.put(x + 1, y + 2, fitted(words, width - 2), _WON if won else base)


def _doing(seat: FeltSeat, *, is_over: bool) -> str:
    """Return what a seat does: the last action and what it has bet, the blind, what it won."""
    if seat.won is not None and seat.won > 0:
        doing = f"wins {amount(seat.won)}"
    elif is_over or seat.folded:
        doing = "fold" if seat.folded else ""
    else:
        doing = seat.last.lower() or seat.last_draw or (seat.blind if seat.bet else "")
        doing += f" {amount(seat.bet)}" if seat.bet and doing not in ("", "check") else ""
    if not seat.absence or not doing or seat.folded:
        return seat.absence or doing
    return f"{doing} ({seat.absence})"


def _small_card(
    canvas: Canvas, x: int, y: int, card: str, suits: Suits, *, dim: bool = False
) -> int:
    style = _SUIT_STYLES[card[1]]
    if dim:
        style = style + Style(dim=True, bold=False)
    return canvas.put(x, y, cards_text([card], suits), style)


def pot_lines(table: Felt) -> list[str]:
    """Return the pot; where there are side pots, all chips and then each with who can win it."""
    if len(table.pots) < 2:
        return [f"pot {amount(pot.amount)}" for pot in table.pots]
    total_lines = [] if table.is_over else [f"pot {amount(table.total)}"]
    return total_lines + [
        f"{pot.label.lower()} {amount(pot.amount)}: {', '.join(pot.names)}" for pot in table.pots
    ]


def _draw_middle(canvas: Canvas, table: Felt, suits: Suits, *, is_known: bool) -> None:
    """Draw the board and the pots."""
    lines = pot_lines(table)
    if table.second_board:
        lines.insert(0, f"second: {cards_text(table.second_board, suits)}")
    lines += table.won_shares
    large = canvas.height >= _LARGE_CARDS_FROM
    card = 6 if large else 4
    tall = 3 if large else 1
    x = (canvas.width - 5 * card - 4) // 2
    y = (canvas.height - tall) // 2 - (1 if len(lines) < 3 else 2)
    if not table.hand:
        _centred(canvas, y, "waiting for the first hand" if is_known else "no table", _DIM)
        return
    for number in range(max(len(table.board), table.variant.board_sizes[-1])):
        left = x + number * (card + 1)
        if number < len(table.board):
            _board_card(canvas, left, y, table.board[number], suits, large=large)
        else:
            sign = "·" if suits is Suits.SYMBOLS else "."
            canvas.put(left + card // 2 - 1, y + tall // 2, sign, _DIM)
    most = canvas.width - 4 if len(table.seats) < 4 else canvas.width - 2 * _WIDEST_SEAT
    for number, line in enumerate(lines[:5]):
        _centred(canvas, y + tall + number, fitted(line, max(most, 20)), _MINE)


def _board_card(canvas: Canvas, x: int, y: int, card: str, suits: Suits, *, large: bool) -> None:
    style = _SUIT_STYLES[card[1]]
    if not large:
        canvas.put(x, y, f" {cards_text([card], suits)} ", style)
        return
    suit = card[1] if suits is Suits.LETTERS else _SYMBOLS[card[1]]
    canvas.put(x, y, f" {card[0]}    ", style)
    canvas.put(x, y + 1, f"  {suit}{suit}  ", style)
    canvas.put(x, y + 2, f"    {card[0]} ", style)


def _centred(canvas: Canvas, y: int, text: str, style: Style) -> None:
    canvas.put((canvas.width - cell_len(text)) // 2, y, text, style)


# Dialogs over the table: help, questions, amounts, results.


_Result = TypeVar("_Result")

KEYS: tuple[tuple[str, str], ...] = (
    ("f", "fold; where checking is free it asks once, if a fold is allowed"),
    ("c", "check or call; in a draw, throw away what is marked"),
    ("r", "bet or raise: type the amount; Enter sends, Escape leaves it"),
    ("1 2 3 4", "½ pot, ¾ pot, pot, all-in; in a draw, cards 1 to 5"),
    ("up down", "amount: a big blind more or less"),
    ("x  v", "plan check/fold, or a call at this price; changes end it"),
    ("o", "odds: probability of winning, what a call needs"),
    ("h", "what a house player would do, and why (practice only)"),
    ("w", "say in words: cards, board, pots, stacks"),
    ("l", "suits as letters or as symbols"),
    ("b", "bell at my turn: on or off"),
    ("Enter", "go on at once where the game waits for me to read"),
    ("p", "pause after others' actions: none, short, usual, long"),
    ("m", "show my cards after a hand, where nobody has seen them"),
    ("t", "top up to the full stack (ring games)"),
    ("s  d", "on a server: sit out or in; run my all-ins twice, or once"),
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
    """A box with lines to read, which Enter or Escape closes."""

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
