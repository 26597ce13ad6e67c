"""Documents: sides of columns, and the same content as a page, in a terminal and as Markdown."""

from __future__ import annotations

import io
import json
import re
from importlib import resources

import altair as alt
import polars as pl
import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType
from tabulate import tabulate

from helpers.made_up_match import made_up
from railbird.errors import BadInput
from railbird.report import html_page, text
from railbird.report.document import (
    Document,
    Figure,
    KeyFigure,
    ReplayedHand,
    Section,
    Table,
    terminal,
    terminal_table,
)
from railbird.report.html_page import markdown, markdown_table, page, pipe_table
from railbird.report.number_format import MINUS

HOSTILE = "<b>[red]*x*|"

EVERYTHING = Document(
    title=f"{HOSTILE} against Bob",
    lead="Nobody is better.",
    sections=(
        Section(
            heading="First",
            key=(KeyFigure("hands", "12", "of 20"),),
            words="Words.",
            table=Table(("player", "won", "why"), [(HOSTILE, "+1.5", "luck")], page_only=("why",)),
            terms=(("won", "chips"),),
            note="Small print.",
        ),
        Section(heading="Only on a page", page_only=True),
        Section(
            hands=(
                ReplayedHand(name="Open", sections=(Section(heading="Flop"),), is_open=True),
                ReplayedHand(name="Closed", sections=(Section(heading="River"),)),
            )
        ),
    ),
)


def _document_shown(document: Document) -> str:
    out = io.StringIO()
    Console(file=out, width=80, markup=False).print(terminal(document))
    return out.getvalue()


@pytest.mark.parametrize(
    ("cells", "is_numeric"),
    [
        (("+1.5", "–", "too few to say"), True),
        (("−$195.00", "+25,149 chips"), True),
        (("under 20", "more than a billion", "3.2 million"), True),
        (("–", ""), True),
        (("", ""), False),
        (("1.5", "luck"), False),
        (("call", "fold"), False),
    ],
)
def test_numbers_are_set_to_the_right(cells: tuple[str, ...], is_numeric: bool) -> None:
    rows = [(f"{place} Ann", cell) for place, cell in enumerate(cells)]
    table = Table(("player", "cell"), rows)
    assert table.is_numeric(1) is is_numeric
    assert not table.is_numeric(0), "a name may begin with a digit"


def test_every_form_has_everything_and_reads_no_name_as_markup() -> None:
    html, text, md = page(EVERYTHING), _document_shown(EVERYTHING), markdown(EVERYTHING)
    for words in ("Nobody is better.", "First", "12", "Words.", "+1.5", "chips", "Small print."):
        assert words in html
        assert words in text
        assert words in md
    assert "&lt;b&gt;[red]*x*|" in html
    assert "<b>" not in html
    assert f"{HOSTILE} against Bob" in text
    assert r"\<b\>\[red\]\*x\*\| against Bob" in md
    assert "<script" not in html


def test_a_terminal_leaves_out_what_it_has_no_room_for() -> None:
    text = _document_shown(EVERYTHING)
    for words in ("luck", "Only on a page", "River"):
        assert words not in text
        assert words in page(EVERYTHING)
    assert "Flop" in text


def test_cells_of_markdown_cannot_end_a_column() -> None:
    lines = markdown_table(Table(("a", "b"), [("x|y", "1")])).splitlines()
    assert lines[1].replace("-", "") == "|:|:|"
    assert r"x\|y" in lines[2]


@given(
    st.lists(
        st.tuples(st.text("ab|−±9", min_size=1), st.text("ab 9÷", min_size=1), st.booleans()),
        min_size=1,
        max_size=5,
    )
)
def test_a_markdown_table_is_the_one_that_tabulate_writes(
    columns: list[tuple[str, str, bool]],
) -> None:
    is_right = [right for _, _, right in columns]
    heads = [head.strip() or "x" for head, _, _ in columns]
    cells = [cell.strip() or "x" for _, cell, _ in columns]
    escaped = [[text.replace("|", r"\|") for text in line] for line in (heads, cells)]
    sides = ["right" if right else "left" for right in is_right]
    assert pipe_table(heads, [cells], is_right) == tabulate(
        [escaped[1]], escaped[0], tablefmt="pipe", disable_numparse=True, colalign=sides
    )


# Tables in narrow terminals: nothing is cut, whatever the width.


def _terminal_table_shown(part: RenderableType, width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width).print(part)
    return out.getvalue().splitlines()


def _table(columns: int) -> Table:
    rows = [
        ("a-player-of-a-long-name", *(f"{10_000 + column}" for column in range(columns))),
        ("b", *(f"{20_000 + column} is" for column in range(columns))),
    ]
    return Table(("player", *(f"c{column}" for column in range(columns))), rows, title="wide")


@pytest.mark.parametrize("width", [30, 47, 60, 80, 200])
def test_every_cell_is_shown_once_and_whole(width: int) -> None:
    lines = _terminal_table_shown(terminal_table(_table(9)), width)
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    for column in range(9):
        for cell in (f"c{column}", f"{10_000 + column}", f"{20_000 + column}"):
            assert words.count(cell) == 1
    assert words.count("wide") == 1


@pytest.mark.parametrize("width", [47, 60, 70])
def test_a_long_spec_is_folded_behind_its_marks(width: int) -> None:
    spec = "booker:4,aggression=100,pay=20,groups=revised"
    names = ["always-raise:random", spec, "Ann Lee of Kent", "hands 1 to 4,000"]
    rows = [(name, "+1.2", "too few to say") for name in names]
    lines = _terminal_table_shown(
        terminal_table(Table(("player", "won", "95 % interval"), rows)), width
    )
    assert max(map(len, lines)) <= width
    words = re.compile(r"[^\s,:=-]+")
    shown = " ".join(re.sub(r"\+1\.2|too few to say", "", line) for line in lines[1:])
    assert words.findall(shown) == words.findall(" ".join(names)), "no word is cut"
    assert all(line.strip() for line in lines)


@pytest.mark.parametrize("width", [30, 200])
@pytest.mark.parametrize("heads", [("", ""), ("player", "won, in big blinds a hundred hands")])
@pytest.mark.parametrize("rows", [[], [("bob", "+1.0")]])
def test_no_word_of_heads_and_rows_is_lost(
    heads: tuple[str, str], rows: list[tuple[str, str]], width: int
) -> None:
    lines = _terminal_table_shown(terminal_table(Table(heads, rows, title="nobody")), width)
    assert "nobody" in lines[0]
    words = [*heads[0].split(), *heads[1].split(), *(cell for row in rows for cell in row)]
    assert sorted(" ".join(lines[1:]).split()) == sorted(words)


def test_a_title_may_be_wider_than_its_table() -> None:
    title = "600 hands, 43 a second; the house took 129.0 sb"
    table = Table(("player",), [("tom",)], title=title)
    assert _terminal_table_shown(terminal_table(table), 60)[0].strip() == title


def test_a_table_that_fits_is_one() -> None:
    lines = _terminal_table_shown(terminal_table(_table(3)), 80)
    assert len(lines) == 4
    assert lines[1].split() == ["player", "c0", "c1", "c2"]


def test_as_few_tables_as_possible() -> None:
    lines = _terminal_table_shown(terminal_table(_table(9)), 60)
    assert sum(line.split()[:1] == ["player"] for line in lines) == 3


@pytest.mark.slow
@pytest.mark.parametrize("width", [40, 60, 79])
def test_no_number_of_an_assessment_is_cut(width: int) -> None:
    match = made_up(20_000, edge=0.3)
    wide = " ".join(_terminal_table_shown(text(match), 200)).split()
    narrow = " ".join(_terminal_table_shown(text(match), width)).split()
    assert "…" not in " ".join(narrow)
    for number in (word for word in wide if word.lstrip(f"+{MINUS}")[:1].isdigit()):
        assert number in narrow


# Figures without the extra `images`.


def _with_figures() -> Document:
    def chart() -> alt.LayerChart:
        points = pl.DataFrame({"x": [1], "y": [2]})
        return alt.LayerChart(layer=[alt.Chart(points).mark_point().encode(x="x:Q", y="y:Q")])

    inner = Section(figures=(Figure(chart(), "In the hand."),))
    hands = (ReplayedHand(name="One", sections=(inner,)),)
    first = Section(figures=(Figure(chart, "One point."), Figure(chart, "Again.")))
    return Document(title="Points", lead="", sections=(first, Section(hands=hands)))


def test_without_the_extra_the_pages_script_draws_the_figures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = page(_with_figures())
    assert drawn.count("<svg") == 3
    assert "<script" not in drawn
    monkeypatch.setattr(html_page, "is_installed", lambda _: False)
    scripted = page(_with_figures())
    assert "<svg" not in scripted.partition("<script")[0]  # the script has the words alone
    (told,) = re.findall(r'<script type="application/json" id="figures">(.*?)</script>', scripted)
    figures = json.loads(told)["figures"]
    assert [figures[name]["description"] for name in figures] == [
        "One point.",
        "Again.",
        "In the hand.",
    ]
    assert all(f'id="figure-{name}"' in scripted for name in figures)
    assert "<script" not in page(EVERYTHING)  # nothing to draw


def test_a_drawing_says_once_what_its_marks_share() -> None:
    name = "<script>1.23456"
    points = pl.DataFrame({"x": [name, "b"], "y": [1 / 3, 2 / 3]})
    chart = alt.Chart(points).mark_rect(clip=True).encode(x="x:N", y="y:Q")
    whole = html_page.together(alt.LayerChart(layer=[chart]))
    svg = html_page.drawing(whole)
    assert len(svg) < 0.75 * len(vl_convert.vegalite_to_svg(whole))
    assert svg.count("font-family") < svg.count("<text") / 2
    assert "<script" not in svg
    assert "1.23456" in svg  # names are not rounded
    assert not re.search(r"\.\d{3,}[\",]", svg)
    (identifier,) = set(re.findall(r'id="(\S+)"', svg))
    assert f"url(#{identifier})" in svg
    other = html_page.drawing(html_page.together(alt.LayerChart(layer=[chart], title="Again")))
    assert identifier not in other


def test_without_the_extra_no_picture_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_page, "is_installed", lambda _: False)
    with pytest.raises(BadInput, match=r"install .*\[images\]'"):
        html_page.render({}, html_page.Image.SVG)


@pytest.mark.slow
def test_the_script_of_pages_is_what_draws_pictures() -> None:
    """Where vl-convert has a newer Vega, `vega.min.js` is to be written anew in this way."""
    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    kept = resources.files("railbird.report").joinpath("assets", "vega.min.js").read_text("utf-8")
    assert kept == bundle.replace("</script", "<\\/script")
