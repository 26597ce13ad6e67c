"""The first docstring line of a module names its form of game; neighbours named there exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

SOURCE: Final = Path(__file__).parents[1] / "src" / "railbird"
ROOMS: Final = ("assessment", "solve", "arena", "report", "players")
"""Rooms whose modules serve different forms of game under similar names."""
FORMS: Final = re.compile(
    r"heads-up|limit hold'em|any hold'em|two[- ]players?|one person|people|tournaments?|push/fold"
    r"|blackjack|any game",
    re.IGNORECASE,
)
LONGEST: Final = 100
NEIGHBOUR: Final = re.compile(r"(?<!`)`([a-z][a-z_.]*)`(?!`)")


def documented_modules() -> dict[str, list[str]]:
    """Return the docstring's paragraphs of each module, by its name."""
    paragraphs = {}
    for room in ROOMS:
        for path in sorted((SOURCE / room).rglob("*.py")):
            name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
            docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            paragraphs[name.removesuffix(".__init__")] = docstring.split("\n\n")
    return paragraphs


MODULES: Final = documented_modules()


@cache
def names_in(module: str) -> set[str]:
    """Return what a module's text defines and imports, or nothing where no module is so called."""
    path = SOURCE.parent.joinpath(*module.split(".")).with_suffix(".py")
    if not path.is_file():
        return set()
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)} | {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def is_known(name: str, module: str) -> bool:
    """Tell whether ``module`` can mean a module, or a name in one, by ``name``."""
    parts = module.split(".")
    for depth in range(len(parts) + 1):
        *owner, attribute = [*parts[:depth], *name.split(".")]
        path = SOURCE.parent.joinpath(*owner, attribute)
        if path.is_dir() or path.with_suffix(".py").is_file():
            return True
        if attribute in names_in(".".join(owner)):
            return True
    return False


@pytest.mark.parametrize("room", ROOMS)
def test_the_first_line_names_a_form_of_game(room: str) -> None:
    first_lines = {
        name: paragraphs[0]
        for name, paragraphs in MODULES.items()
        if name.startswith(f"railbird.{room}")
    }
    unnamed = {name: line for name, line in first_lines.items() if not FORMS.search(line)}
    assert not unnamed
    assert not {name for name, line in first_lines.items() if len(line) > LONGEST or "\n" in line}


def test_neighbours_exist() -> None:
    unknown = [
        (module, name)
        for module, paragraphs in MODULES.items()
        for paragraph in paragraphs[:2]
        for name in NEIGHBOUR.findall(paragraph)
        if not is_known(name, module)
    ]
    assert not unknown
