"""The felt: seats around a board, as text of any size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from railbird.cards import SUITS, Suits
from railbird.client.play.event_words import chips
from railbird.client.play.shown import SeatShown
from railbird.client.play.table_model import TableModel
from railbird.client.terminal.canvas import Canvas, fitted

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


def draw(model: TableModel, width: int, height: int) -> Text:
    """Draw a table."""
    canvas = Canvas(width, height, _FELT)
    seats = model.seats
    if seats:
        where = places(len(seats))
        across = max(sum(place.row == row for place in where) for row in ("top", "bottom"))
        room = min(_WIDEST_SEAT, (width - 2) // max(across, 3 if across > 1 else 2))
        for seat, place in zip(seats, where, strict=True):
            x = 1 + round(place.across * (width - 2 - room))
            y = _top_of(place, height)
            _draw_seat(canvas, seat, x, y, room, model.suits)
            if seat.is_me and seat.cards is not None and height >= _LARGE_CARDS_FROM:
                for number, card in enumerate(seat.cards):
                    _board_card(canvas, x + 1 + 7 * number, y - 4, card, model.suits, large=True)
    _draw_middle(canvas, model)
    return canvas.text()


def _top_of(place: _Place, height: int) -> int:
    edge = height // 9 if height >= _LARGE_CARDS_FROM else 0
    if place.row == "top":
        return edge
    if place.row == "bottom":
        return height - _SEAT_HEIGHT - edge
    return (height - _SEAT_HEIGHT) // 2


def _draw_seat(canvas: Canvas, seat: SeatShown, x: int, y: int, width: int, suits: Suits) -> None:
    """Draw a seat: the name; cards and stack; what it is doing."""
    base = _DIM if seat.folded else _MINE if seat.is_me else Style()
    sign = "▶" if seat.is_to_act else "★" if seat.won else " "
    if suits is Suits.LETTERS:
        sign = {"▶": ">", "★": "*"}.get(sign, sign)
    head = _TURN if seat.is_to_act else base
    name = fitted(seat.name, width - 2 - (3 if seat.is_button else 0))
    canvas.put(x, y, f"{sign}{name}".ljust(0), head)
    if seat.is_to_act:
        used = 1 + cell_len(name)
        canvas.put(x + used, y, " " * (width - used - 1), head)
    if seat.is_button:
        canvas.put(x + width - 4, y, "(D)", _BUTTON)
    after = x + 1
    if seat.cards is not None:
        for card in seat.cards:
            after = _small_card(canvas, after, y + 1, card, suits, dim=seat.folded) + 1
    elif seat.holds_cards:
        back = "##" if suits is Suits.LETTERS else "▒▒"
        after = canvas.put(after, y + 1, back, _BACK) + 1
        after = canvas.put(after, y + 1, back, _BACK) + 1
    stack = "all-in" if seat.all_in else chips(seat.stack)
    canvas.put(after, y + 1, fitted(stack, max(0, x + width - after)), base)
    doing = seat.absence or seat.doing
    if seat.absence and seat.doing and seat.doing != "fold":
        doing = f"{seat.doing} ({seat.absence})"
    style = _WON if seat.won else base
    canvas.put(x + 1, y + 2, fitted(doing, width - 2), style)


def _small_card(
    canvas: Canvas, x: int, y: int, card: str, suits: Suits, *, dim: bool = False
) -> int:
    style = _SUIT_STYLES[card[1]]
    if dim:
        style = style + Style(dim=True, bold=False)
    return canvas.put(x, y, card_face(card, suits), style)


def card_face(card: str, suits: Suits) -> str:
    """Return a card in two cells.

    >>> card_face("Td", Suits.SYMBOLS), card_face("Td", Suits.LETTERS)
    ('T♦', 'Td')
    """
    return card if suits is Suits.LETTERS else f"{card[0]}{_SYMBOLS[card[1]]}"


def _draw_middle(canvas: Canvas, model: TableModel) -> None:
    """Draw the board and the pots."""
    lines = model.pot_lines
    large = canvas.height >= _LARGE_CARDS_FROM
    card = 6 if large else 4
    tall = 3 if large else 1
    x = (canvas.width - 5 * card - 4) // 2
    y = (canvas.height - tall) // 2 - (1 if len(lines) < 3 else 2)
    if model.hand is None:
        words = "waiting for the first hand" if model.table is not None else "no table"
        _centred(canvas, y, words, _DIM)
        return
    for number in range(5):
        left = x + number * (card + 1)
        if number < len(model.board):
            _board_card(canvas, left, y, model.board[number], model.suits, large=large)
        else:
            sign = "·" if model.suits is Suits.SYMBOLS else "."
            canvas.put(left + card // 2 - 1, y + tall // 2, sign, _DIM)
    most = canvas.width - 4 if len(model.seats) < 4 else canvas.width - 2 * _WIDEST_SEAT
    for number, line in enumerate(lines[:5]):
        _centred(canvas, y + tall + number, fitted(line, max(most, 20)), _MINE)


def _board_card(canvas: Canvas, x: int, y: int, card: str, suits: Suits, *, large: bool) -> None:
    style = _SUIT_STYLES[card[1]]
    if not large:
        canvas.put(x, y, f" {card_face(card, suits)} ", style)
        return
    suit = card[1] if suits is Suits.LETTERS else _SYMBOLS[card[1]]
    canvas.put(x, y, f" {card[0]}    ", style)
    canvas.put(x, y + 1, f"  {suit}{suit}  ", style)
    canvas.put(x, y + 2, f"    {card[0]} ", style)


def _centred(canvas: Canvas, y: int, text: str, style: Style) -> None:
    canvas.put((canvas.width - cell_len(text)) // 2, y, text, style)
