"""Tables that wrap their columns in a narrow terminal, so that no number is ever cut."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

_FOLDED = 16
"""The least width that a leading column is folded to."""
_UNBOUNDED = 10_000
_SPACES = re.compile(r"(?<=\s)")
_MARKS = re.compile(r"(?<=[:=-])|(?<=,)(?!\d)")
"""Where a name or a spec may be broken; commas in numbers are no marks."""


class Fitted:
    """A table that is split into several, one below the other, in a narrow terminal.

    The first ``lead`` columns name the rows: they may be folded, where a spec has a mark if it has
    one, and are repeated in each table.
    All other columns are shown whole, in as few tables as they fit into.
    """

    def __init__(self, table: Table, *, lead: int = 1) -> None:
        self._table = table
        self._lead = lead

    @property
    def table(self) -> Table:
        """The whole table."""
        return self._table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        free = options.update(width=_UNBOUNDED)
        if self._has_line:
            yield Text(str(self._table.title), style="table.title")
        if Measurement.get(console, free, self._table).maximum <= options.max_width:
            yield self._untitled if self._has_line else self._table
            return
        for columns in self._split(console, options.max_width):
            part = self._part(console, columns)
            self._fold(console, part, options.max_width)
            yield part

    @property
    def _has_line(self) -> bool:
        """Whether the title is a line of its own, which may be wider than the table."""
        return self._table.title is not None and self._table.title_justify == "left"

    @property
    def _untitled(self) -> Table:
        table = copy(self._table)
        table.title = None
        return table

    def _split(self, console: Console, width: int) -> Iterator[Sequence[int]]:
        """Columns of the tables that are needed; one at least beside the leading ones."""
        others: list[int] = []
        for column in range(self._lead, len(self._table.columns)):
            if others and self._width(console, [*others, column]) > width:
                yield others
                others = []
            others.append(column)
        yield others

    def _width(self, console: Console, others: Sequence[int]) -> int:
        """The least width of a table of the leading columns and others."""
        part = self._part(console, others)
        for column in part.columns[: self._lead]:
            column.max_width = _FOLDED
        return Measurement.get(console, console.options.update(width=_UNBOUNDED), part).maximum

    def _fold(self, console: Console, part: Table, width: int) -> None:
        """Fold the widest of the leading columns to the room that there is."""
        free = console.options.update(width=_UNBOUNDED)
        widest = max(
            part.columns[: self._lead],
            key=lambda column: max(Measurement.get(console, free, c).maximum for c in column.cells),
        )
        beyond = Measurement.get(console, free, part).maximum - width
        if beyond > 0:
            natural = max(Measurement.get(console, free, cell).maximum for cell in widest.cells)
            room = max(1, natural - beyond)
            widest._cells = [
                folded(cell, room) if isinstance(cell, str) else cell for cell in widest.cells
            ]

    def _part(self, console: Console, others: Sequence[int]) -> Table:
        """The leading columns and others, under the title where they are the first ones."""
        whole = self._table
        part = Table(
            title=whole.title if self._lead in others and not self._has_line else None,
            title_justify=whole.title_justify,
            box=whole.box,
            padding=whole.padding,
            pad_edge=whole.pad_edge,
            show_header=whole.show_header,
            header_style=whole.header_style,
        )
        columns = [*range(self._lead), *others]
        for place in columns:
            column = whole.columns[place]
            leading = place < self._lead
            part.add_column(
                column.header,
                style=column.style,
                justify=column.justify,
                no_wrap=not leading,
                overflow="fold",
                min_width=_folded(console, column) if leading else column.min_width,
            )
        for row, cells in zip(
            whole.rows, zip(*(column.cells for column in whole.columns), strict=True), strict=True
        ):
            part.add_row(*(cells[place] for place in columns), end_section=row.end_section)
        return part


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
    free = console.options.update(width=_UNBOUNDED)
    words = [
        Measurement.get(console, free, cell).minimum for cell in (column.header, *column.cells)
    ]
    return min(_FOLDED, max(words))
