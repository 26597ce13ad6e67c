"""The result of any game as a `Document`, and the forms in which it is shown.

`html_page` writes one as a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Column
from rich.table import Table as RichTable
from rich.text import Text

from railbird.report.charts import CONFIG, finite
from railbird.report.number_format import ALL_ALIKE, TOO_FEW

if TYPE_CHECKING:
    from railbird.report.altair import alt


# Documents: headings, words, tables, figures and hands, before it is known where they are shown.
#
# A result becomes a `Document` once; `page` (HTML), `terminal` and `markdown` show any of them. So
# what a page says and what a verb prints cannot differ, and neither can two pages look like two
# programs.


_NUMBER: Final = re.compile(
    "(over |under |more than a )?[+\N{MINUS SIGN}\\-±<≥]?[^\\w\\s]?\\.?(\\d|billion)"
)
"""How the cells of a column of numbers begin: a sign, a currency, a digit."""
_WHOLE_NUMBER: Final = re.compile(r"[\d.,]+")
_NEITHER: Final = frozenset(
    {"", "–", "…", "?", "∞", "too few", "best", "never", "exact", TOO_FEW, ALL_ALIKE}
)
"""Cells that may be in a column of numbers or of words."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under columns; numbers are set to the right and words to the left."""

    columns: Sequence[str]
    """Headings; a table whose headings are all empty is shown without them."""
    rows: Sequence[Sequence[str]]
    title: str = ""
    names: int = 1
    """Leading columns that name a row: a table too wide for its place repeats them."""
    page_only: Collection[str] = ()
    """Columns for which a terminal has no room."""
    short: Sequence[str] = ()
    """Headings for a terminal, if those of a page are too long for it."""
    groups: Sequence[str] = ()
    """The first column of each group that a table too wide for its place keeps together."""
    is_right: bool = False
    """Set all columns that do not name a row to the right, numbers or not."""
    strong: Collection[int] = ()
    """Numbers of rows that are set off, from 0."""
    faint: Collection[int] = ()
    """Numbers of rows that say little."""

    def is_numeric(self, column: int) -> bool:
        """Return whether a column is one of numbers."""
        if self.is_right:
            return column >= self.names
        cells = [cell for row in self.rows if (cell := row[column]) not in _NEITHER]
        if column < self.names:
            return bool(cells) and all(_WHOLE_NUMBER.fullmatch(cell) for cell in cells)
        # A column of dashes alone stands with the numbers that are missing from it.
        if not cells:
            return any(row[column] for row in self.rows)
        return all(_NUMBER.match(cell) for cell in cells)

    def without(self, places: Collection[int]) -> Table:
        """Return the table less some columns, by number from 0."""

        def kept(cells: Sequence[str]) -> tuple[str, ...]:
            return tuple(cell for place, cell in enumerate(cells) if place not in places)

        rows = tuple(map(kept, self.rows))
        return replace(self, columns=kept(self.columns), rows=rows, short=kept(self.short))


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A number set large, with its name and a line that qualifies it."""

    name: str
    value: str
    under: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its description in words."""

    chart: alt.LayerChart | Callable[[], alt.LayerChart]
    """The chart, or what draws it where it is wanted: a terminal has no need of it."""
    words: str
    """Description for those who cannot see it."""
    name: str = ""
    """Name, as in its file name."""
    title: str = ""
    note: str = ""
    """Instructions for reading it."""
    text: RenderableType | None = None
    """The same in a terminal, which leaves out what has no text."""

    whole: Callable[[], dict[str, Any]] | None = None
    """What makes its specification, data and title included, where the chart refers to data."""

    def draw(self) -> alt.LayerChart:
        """Return the chart."""
        return self.chart() if callable(self.chart) else self.chart

    def spec(self) -> dict[str, Any]:
        """Return the Vega-Lite specification, without the shared data and with colours by name."""
        spec: dict[str, Any] = finite(self.draw().properties(description=self.words).to_dict())
        return {**spec, "config": CONFIG}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a document; its fields are shown in this order, without the empty ones."""

    heading: str = ""
    anchor: str = ""
    """The section's name in links on its page."""
    key: Sequence[KeyFigure] = ()
    words: str = ""
    figures: Sequence[Figure] = ()
    """Side by side where there is room."""
    table: Table | None = None
    places: Sequence[tuple[int, int | None]] = ()
    """For each row of the table its hand, and the action in it, from 0; empty if about no hand."""
    terms: Sequence[tuple[str, str]] = ()
    """Words that the table uses, and what they mean."""
    note: str = ""
    """How to read it, in small letters."""
    hands: Sequence[ReplayedHand] = ()
    either: bool = False
    """Show the figures on a wide screen and the table, which says the same, elsewhere."""
    page_only: bool = False
    """Leave it out in a terminal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedHand:
    """A hand that the reader can open."""

    name: str
    anchor: str = ""
    """The hand's name in links from tables, as `hand_anchor` gives it."""
    amount: str = ""
    """The amount that hands are ordered by, such as the effect of a player's decisions."""
    cards: str = ""
    """The players and their holdings."""
    sections: Sequence[Section] = ()
    is_open: bool = False
    """Show it open; a terminal shows no other hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A result as a document: its sections, tables, figures and replayed hands."""

    title: str
    lead: str = ""
    """The result, in a sentence."""
    sections: Sequence[Section] = ()
    data: Mapping[str, Mapping[str, Sequence[float]]] | None = None
    """Columns that figures refer to by name. A page that has them draws its figures by a script,
    so that they follow the pointer; all others run none."""
    footer: str = ""

    @property
    def figures(self) -> list[Figure]:
        """All figures, in order."""
        return [figure for section in self.sections for figure in section.figures]

    @property
    def anchors(self) -> frozenset[str]:
        """Anchors of the hands that rows of tables can lead to."""
        return frozenset(hand.anchor for section in self.sections for hand in section.hands)


def hand_anchor(row: int) -> str:
    """Name a hand by its row for the links of a page."""
    return f"hand-{row}"


# A document for the terminal: no number is ever cut, and nothing of a log is read as markup.


_ROWS: Final = 60
"""Rows of a table beyond which a screen is of no use."""
_LONG: Final = 40
"""Characters of a cell beyond which a column of words is wrapped."""
_FOLDED: Final = 16
"""The least width that a leading column is folded to."""
_UNBOUNDED: Final = 10_000
_SPACES: Final = re.compile(r"(?<=\s)")
_MARKS: Final = re.compile(r"(?<=[:=-])|(?<=,)(?!\d)")
"""Where a name or a spec may be broken; commas in numbers are no marks."""


def terminal(document: Document, *, titled: bool = True) -> RenderableType:
    """Lay a document out, perhaps below its title; its verdict is last, where the screen ends."""
    parts: list[RenderableType] = [Text(document.title, style="bold")] if titled else []
    sections = (_section(section) for section in document.sections if not section.page_only)
    parts += chain.from_iterable(sections)
    if document.lead:
        parts += [Text(), Text(document.lead)]
    is_gap = bool(parts) and isinstance(parts[0], Text) and not parts[0]
    return Group(*parts[is_gap:])


def terminal_table(table: Table) -> RenderableType:
    """Lay a table out; in a narrow terminal its columns continue below."""
    visible_columns = [i for i, name in enumerate(table.columns) if name not in table.page_only]
    heads = table.short or table.columns
    rich = RichTable(
        box=None,
        title=Text(table.title) if table.title else None,
        title_justify="left",
        title_style="italic",
        show_header=any(heads[i] for i in visible_columns),
    )
    for i in visible_columns:
        is_long = max((cell_len(row[i]) for row in table.rows), default=0) > _LONG
        rich.add_column(
            heads[i],
            justify="right" if table.is_numeric(i) else "left",
            no_wrap=i >= table.names and not is_long,
            overflow="fold",
        )
    for number, row in enumerate(table.rows):
        style = "bold" if number in table.strong else "dim" if number in table.faint else ""
        rich.add_row(*(row[i] for i in visible_columns), style=style)
    starts = [place for place, i in enumerate(visible_columns) if table.columns[i] in table.groups]
    return Wrapped(rich, lead=table.names, starts=starts)


def _section(section: Section) -> Iterator[RenderableType]:
    yield from _words(section)
    for figure in section.figures:
        if figure.text is not None:
            yield from (Text(), Text(figure.title), figure.text)
    if section.table is not None and section.table.rows:
        yield from _table(section.table, is_first=not (section.heading or section.words))
    yield from (Text(f"{word}: {meaning}") for word, meaning in section.terms)
    if section.note:
        yield Text(section.note)
    for part in (part for hand in section.hands if hand.is_open for part in hand.sections):
        yield from _section(part)


def _words(section: Section) -> Iterator[RenderableType]:
    if section.heading or section.key or section.words:
        yield Text()
    if section.heading:
        yield Text(section.heading, style="bold")
    if section.key:
        yield Text(
            " · ".join(f"{key_figure.name} {key_figure.value}" for key_figure in section.key)
        )
    if section.words:
        yield Text(section.words)


def _table(table: Table, *, is_first: bool) -> Iterator[RenderableType]:
    if is_first:
        yield Text()
    yield terminal_table(replace(table, rows=table.rows[:_ROWS]))
    if (more := len(table.rows) - _ROWS) > 0:
        yield Text(f"and {more:,} more; --json has all")


class Wrapped:
    """A table that is split into several, one below the other, in a narrow terminal.

    The first ``lead`` columns name the rows: they may be folded, where a spec has a mark if it has
    one, and are repeated in each table. So may columns of long text; all others are shown whole, in
    as few tables as they fit into. Columns from one of ``starts`` to the next stay together if they
    fit; without any, each column is its own group.
    """

    def __init__(self, table: RichTable, *, lead: int = 1, starts: Collection[int] = ()) -> None:
        self._table = table
        self._lead = lead
        self._starts = starts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        free = options.update(width=_UNBOUNDED)
        if self._has_line:
            yield Text(str(self._table.title), style="table.title")
        if not self._table.rows and not self._table.show_header:
            return  # to Rich, a column without cells is as wide as may be
        # Measured without a bound: with the console's width Rich would report a table that it has
        # already squeezed.
        least, most = Measurement.get(console, free, self._table)
        # Columns of words may be wrapped before the table is divided, if its longest words fit.
        has_words = any(not column.no_wrap for column in self._table.columns[self._lead :])
        if most <= options.max_width or (has_words and least <= options.max_width):
            yield self._untitled if self._has_line else self._table
            return
        for columns in self._split(console, options.max_width):
            part = self._part(console, columns)
            self._fold(console, part, options.max_width)
            yield part

    @property
    def _has_line(self) -> bool:
        """Whether the title has its own line, which may be wider than the table."""
        return self._table.title is not None and self._table.title_justify == "left"

    @property
    def _untitled(self) -> RichTable:
        table = copy(self._table)
        table.title = None
        return table

    def _split(self, console: Console, width: int) -> Iterator[Sequence[int]]:
        """Columns of the tables that are needed; one at least beside the leading ones."""
        others: list[int] = []
        for group in self._groups():
            if others and self._width(console, [*others, *group]) > width:
                yield others
                others = []
            for column in group:  # whose group may not fit by itself
                if others and self._width(console, [*others, column]) > width:
                    yield others
                    others = []
                others.append(column)
        yield others

    def _groups(self) -> Iterator[Sequence[int]]:
        """Columns that stay together, without the leading ones."""
        columns = range(self._lead, len(self._table.columns))
        starts = sorted({self._lead, *(self._starts or columns)})
        for start, end in zip(starts, [*starts[1:], len(self._table.columns)], strict=True):
            yield range(start, end)

    def _width(self, console: Console, others: Sequence[int]) -> int:
        """The least width of a table of the leading columns and others."""
        part = self._part(console, others)
        for column in part.columns[: self._lead]:
            column.max_width = _FOLDED
        return Measurement.get(console, console.options.update(width=_UNBOUNDED), part).maximum

    def _fold(self, console: Console, rich_table: RichTable, width: int) -> None:
        """Fold the widest of the leading columns to the room that there is."""
        free = console.options.update(width=_UNBOUNDED)
        widest = max(
            rich_table.columns[: self._lead],
            key=lambda column: _longest(console, column),
        )
        beyond = Measurement.get(console, free, rich_table).maximum - width
        if beyond > 0:
            room = max(1, _longest(console, widest) - beyond)
            # Rich folds inside numbers and names; the lines are broken here instead, and it finds
            # them short enough.
            widest._cells = [
                folded(cell, room) if isinstance(cell, str) else cell for cell in widest.cells
            ]
        if Measurement.get(console, free, rich_table).maximum > width:
            for column in rich_table.columns:  # else Rich gives the leading ones no room at all
                column.no_wrap = False

    def _part(self, console: Console, others: Sequence[int]) -> RichTable:
        """The leading columns and others, under the title where they are the first ones."""
        full_table = self._table
        rich_table = RichTable(
            title=full_table.title if self._lead in others and not self._has_line else None,
            title_justify=full_table.title_justify,
            box=full_table.box,
            padding=full_table.padding,
            pad_edge=full_table.pad_edge,
            show_header=full_table.show_header,
            header_style=full_table.header_style,
        )
        columns = [*range(self._lead), *others]
        for index in columns:
            column = full_table.columns[index]
            leading = index < self._lead
            rich_table.add_column(
                column.header,
                style=column.style,
                justify=column.justify,
                no_wrap=column.no_wrap,
                overflow="fold",
                min_width=_folded(console, column) if leading else column.min_width,
            )
        for row, cells in zip(
            full_table.rows,
            zip(*(column.cells for column in full_table.columns), strict=True),
            strict=True,
        ):
            rich_table.add_row(*(cells[index] for index in columns), end_section=row.end_section)
        return rich_table


def folded(text: str, width: int) -> str:
    """Break a text into lines: between words, and words too long for a line behind marks of specs.

    >>> print(folded("booker:4,aggression=100", 16))
    booker:4,
    aggression=100
    >>> print(folded("judged by pot=facing-bet", 18))
    judged by
    pot=facing-bet
    """
    pieces: list[str] = []
    for word in _SPACES.split(text):
        pieces += [word] if cell_len(word.rstrip()) <= width else _MARKS.split(word)
    lines = [""]
    for piece in pieces:
        if lines[-1] and cell_len(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def _folded(console: Console, column: Column) -> int:
    """The width of the longest word in a column, as far as a narrow terminal has room for it."""
    return min(_FOLDED, max(size.minimum for size in _sizes(console, column)))


def _longest(console: Console, column: Column) -> int:
    """The width of the longest cell in a column, its header among them."""
    return max(size.maximum for size in _sizes(console, column))


def _sizes(console: Console, column: Column) -> Iterator[Measurement]:
    free = console.options.update(width=_UNBOUNDED)
    for cell in (column.header, *column.cells):
        yield Measurement.get(console, free, cell)
