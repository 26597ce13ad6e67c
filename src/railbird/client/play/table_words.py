"""A whole table in words, for whoever cannot see it."""

from __future__ import annotations

from railbird.client.play.event_words import cards_text, chips
from railbird.client.play.shown import SeatShown
from railbird.client.play.table_model import TableModel


def table_words(model: TableModel) -> list[str]:
    """Return one's cards, the board, the pots, and every seat."""
    if model.hand is None:
        return ["no hand yet"]
    lines = []
    if model.my_cards:
        made = f", {model.my_hand}" if model.my_hand else ""
        lines.append(f"your cards {cards_text(model.my_cards, model.suits)}{made}")
    board = cards_text(model.board, model.suits) if model.board else "no cards yet"
    return [*lines, f"board: {board}", *model.pot_lines, *map(_seat_words, model.seats)]


def _seat_words(seat: SeatShown) -> str:
    notes = [
        *(["button"] if seat.is_button else []),
        *(["to act"] if seat.is_to_act else []),
        *(["folded"] if seat.folded else []),
        *(["all-in"] if seat.all_in else []),
        *([f"bet {chips(seat.bet)}"] if seat.bet else []),
        *([seat.absence] if seat.absence else []),
    ]
    words = f" ({', '.join(notes)})" if notes else ""
    return f"{seat.name}{' (you)' if seat.is_me else ''} {chips(seat.stack)}{words}"
