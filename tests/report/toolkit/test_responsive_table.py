"""Tables in narrow terminals: nothing is cut, whatever the width."""

from __future__ import annotations

import io
import re

import pytest
from rich import box
from rich.console import Console, RenderableType
from rich.table import Table

from helpers.made_up_match import made_up
from railbird.report import text
from railbird.report.toolkit.number_format import MINUS
from railbird.report.toolkit.responsive_table import Fitted


def _shown(part: RenderableType, width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width).print(part)
    return out.getvalue().splitlines()


def _table(columns: int) -> Table:
    table = Table(title="wide", box=box.SIMPLE_HEAD)
    table.add_column("player")
    for column in range(columns):
        table.add_column(f"c{column}", justify="right")
    table.add_row("a-player-of-a-long-name", *(f"{10_000 + column}" for column in range(columns)))
    table.add_row("b", *(f"{20_000 + column} is" for column in range(columns)))
    return table


@pytest.mark.parametrize("width", [30, 47, 60, 80, 200])
def test_every_cell_is_shown_once_and_whole(width: int) -> None:
    lines = _shown(Fitted(_table(9)), width)
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    for column in range(9):
        for cell in (f"c{column}", f"{10_000 + column}", f"{20_000 + column}"):
            assert words.count(cell) == 1
    assert words.count("wide") == 1


@pytest.mark.parametrize("width", [47, 60, 70])
def test_a_long_spec_is_folded_behind_its_marks(width: int) -> None:
    table = Table(box=None)
    for column in ("player", "won", "95 % interval"):
        table.add_column(column, no_wrap=column != "player")
    spec = "booker:4,aggression=100,pay=20,groups=revised"
    names = ["always-raise:random", spec, "Ann Lee of Kent", "hands 1 to 4,000"]
    for name in names:
        table.add_row(name, "+1.2", "too few to say")
    lines = _shown(Fitted(table), width)
    assert max(map(len, lines)) <= width
    words = re.compile(r"[^\s,:=-]+")
    shown = " ".join(re.sub(r"\+1\.2|too few to say", "", line) for line in lines[1:])
    assert words.findall(shown) == words.findall(" ".join(names)), "no word is cut"
    assert all(line.strip() for line in lines)


def test_a_title_may_be_wider_than_its_table() -> None:
    table = Table(title="600 hands, 43 a second; the house took 129.0 sb", title_justify="left")
    table.add_column("player")
    table.add_row("tom")
    assert _shown(Fitted(table), 60)[0].strip() == table.title


def test_a_table_that_fits_is_as_it_was() -> None:
    assert _shown(Fitted(_table(3)), 80) == _shown(_table(3), 80)


def test_as_few_tables_as_possible() -> None:
    lines = _shown(Fitted(_table(9)), 60)
    assert sum(line.split()[:1] == ["player"] for line in lines) == 3


@pytest.mark.parametrize("width", [40, 60, 79])
def test_no_number_of_an_assessment_is_cut(width: int) -> None:
    match = made_up(20_000, edge=0.3)
    wide = " ".join(_shown(text(match), 200)).split()
    narrow = " ".join(_shown(text(match), width)).split()
    assert "…" not in " ".join(narrow)
    for number in (word for word in wide if word.lstrip(f"+{MINUS}")[:1].isdigit()):
        assert number in narrow
