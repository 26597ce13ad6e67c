"""The felt: any number of seats in any room, and names of any kind."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from helpers.scripted_table import ScriptedTable
from railbird.cards import Suits
from railbird.client.play.table_model import TableModel
from railbird.client.terminal.canvas import fitted
from railbird.client.terminal.felt import draw, places
from railbird.protocol.messages.client import Verb

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


@pytest.mark.parametrize("size", [(80, 13), (80, 11), (114, 40), (20, 5), (1, 1), (300, 90)])
def test_every_line_has_the_width_of_the_room(size: tuple[int, int]) -> None:
    model = model_of(NAMES)
    text = draw(model, *size).plain.split("\n")
    assert len(text) == size[1]
    assert {cell_len(line) for line in text} == {size[0]}


def test_names_are_shown_as_they_are_and_do_nothing() -> None:
    text = draw(model_of(NAMES), 100, 13).plain
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
    text = draw(model_of(names), 80, 13).plain
    for name in names:
        assert name in text
    assert "pot " in text


def test_cards_without_symbols() -> None:
    text = draw(model_of(["ann", "bob"], Suits.LETTERS), 80, 13).plain
    assert not set(text) & set("♠♥♦♣▒★▶·")
    assert text.isascii()


def test_the_one_to_act_is_told_by_a_sign_and_not_by_colour_alone() -> None:
    table = ScriptedTable(["ann", "bob", "cid"])
    model = TableModel()
    model.me = "ann"
    table.start(model.hears)
    table.begin()
    table.until_mine()
    assert "▶ann" in draw(model, 80, 13).plain


def test_cut_names_keep_whole_characters() -> None:
    assert fitted("日本語プレイヤー", 7) == "日本語…"
    assert cell_len(fitted("🎲🎲🎲🎲", 4)) <= 4
