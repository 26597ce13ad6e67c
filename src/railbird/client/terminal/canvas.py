"""A grid of terminal cells to draw text on, whatever width its characters have."""

from __future__ import annotations

import unicodedata

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from railbird._terminal_safe import visible

_VARIATION_SELECTORS = range(0xFE00, 0xFE10)
"""Terminals disagree on the width of what these make of a character."""


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
    kept, used = "", 0
    for character in text:
        size = cell_len(character)
        if used + size > width - 1:
            break
        kept, used = kept + character, used + size
    return f"{kept}…" if width > 0 else ""


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
        whole = Text(no_wrap=True, end="")
        for number, row in enumerate(self._cells):
            if number:
                whole.append("\n")
            run, style = "", row[0][1] if row else Style()
            for character, own in row:
                if own != style:
                    whole.append(run, style)
                    run, style = "", own
                run += character
            whole.append(run, style)
        return whole
