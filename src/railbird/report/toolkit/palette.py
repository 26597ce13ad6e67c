"""Colours by meaning in a light and a dark theme, for pages, figures and exported files.

A figure names a colour by its CSS variable, so one figure serves both themes and print, and a
file export replaces the names by one theme's values. Lines that share a figure differ in dash as
well as in colour.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

from railbird._terminal_safe import visible


class Theme(Enum):
    """The two themes of a page or an exported figure."""

    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Colour:
    """One meaning's colour in both themes, ``#rrggbb``."""

    light: str
    dark: str

    def of(self, theme: Theme) -> str:
        """Return the value in a theme."""
        return self.light if theme is Theme.LIGHT else self.dark


COLOURS = {
    "paper": Colour("#fdfdfb", "#16181b"),
    "raised": Colour("#f4f4f0", "#1e2125"),
    "ink": Colour("#1b1c1e", "#e6e4df"),
    "muted": Colour("#5b5d61", "#a3a5a8"),
    "line": Colour("#dcdcd6", "#34383d"),
    "money": Colour("#b5480a", "#f2a057"),
    "skill": Colour("#0b5fa5", "#6db3f8"),
    "luck": Colour("#00796b", "#5ed3b4"),
    "position": Colour("#8f1f6f", "#f29bd0"),
    "preflop": Colour("#8a5a00", "#e5b84b"),
    "flop": Colour("#b0246a", "#f48bb9"),
    "turn": Colour("#00788c", "#5cc9db"),
    "river": Colour("#3b3f8f", "#a5aaf5"),
}
"""Colours by purpose; contrast with the background is 3:1 for marks and 4.5:1 for text."""

_REFERENCE = re.compile(r"var\(--([a-z]+)\)")


def variable(name: str) -> str:
    """Refer to a colour as a figure does.

    >>> variable("money")
    'var(--money)'
    """
    if name not in COLOURS:
        raise KeyError(name)
    return f"var(--{name})"


def resolve(spec: Any, theme: Theme) -> Any:
    """Replace every colour reference in a nested specification by its value in a theme.

    Hidden characters, which names from logs may contain, are replaced too.

    >>> resolve({"mark": {"color": "var(--ink)"}}, Theme.LIGHT)
    {'mark': {'color': '#1b1c1e'}}
    """
    match spec:
        case str():
            # XML knows no control characters: the renderer would abort the process.
            return visible(_REFERENCE.sub(lambda m: COLOURS[m.group(1)].of(theme), spec))
        case dict():
            return {key: resolve(value, theme) for key, value in spec.items()}
        case list():
            return [resolve(value, theme) for value in spec]
        case _:
            return spec


def theme_css() -> str:
    """Write the palette as CSS variables: light, dark where the reader's system is, and print."""

    def block(selector: str, theme: Theme) -> str:
        values = ";".join(f"--{name}:{colour.of(theme)}" for name, colour in COLOURS.items())
        return f"{selector}{{color-scheme:{theme.value};{values}}}"

    return "\n".join(
        [
            block(":root", Theme.LIGHT),
            "@media (prefers-color-scheme:dark){" + block(":root", Theme.DARK) + "}",
            block(":root[data-theme=light]", Theme.LIGHT),
            block(":root[data-theme=dark]", Theme.DARK),
            "@media print{" + block(":root:root", Theme.LIGHT) + "}\n",
        ]
    )
