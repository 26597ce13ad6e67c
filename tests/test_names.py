"""What the source calls things: nouns for variables, and a public name for one idea."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path
from typing import Final

from measure import names

ROOT: Final = Path(__file__).parents[1]
TOPS: Final = ("src/railbird", "papers/src/railbird_papers")
MOST_PARTICLES: Final = 10
"""Fields of results, whose names stand in files that were written."""
MOST_LONG_LIVED: Final = 25
"""Places of tournaments, parts of jobs, ``other`` of operators, keywords that users give."""
MOST_CLASSES: Final = 20
MOST_FUNCTIONS: Final = 100
"""Names in several files, for which the plan of the house leaves room."""


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    paths = [path for top in TOPS for path in sorted((ROOT / top).rglob("*.py"))]
    # To look for garbage among millions of nodes, all of which stay, takes five times as long as to
    # make them.
    gc.disable()
    try:
        trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    finally:
        gc.enable()
    return tuple(
        (str(path.relative_to(ROOT)), tree) for path, tree in zip(paths, trees, strict=True)
    )


def test_few_variables_live_long_under_a_vague_name() -> None:
    uses = [f"{path}:{use}" for path, tree in modules() for use in names.long_lived(tree)]
    assert len(uses) < MOST_LONG_LIVED, uses


def test_particles_are_rare() -> None:
    stores = [f"{path}:{store}" for path, tree in modules() for store in names.particles(tree)]
    assert len(stores) < MOST_PARTICLES, stores


def test_a_public_name_stands_for_one_idea() -> None:
    classes = names.in_several_files(modules(), ast.ClassDef)
    assert len(classes) <= MOST_CLASSES, classes
    functions = names.in_several_files(modules(), ast.FunctionDef, ast.AsyncFunctionDef)
    assert len(functions) <= MOST_FUNCTIONS, functions


def test_what_is_counted() -> None:
    tree = ast.parse(
        "def shares(pot, one):\n    found = []\n    for seat in one:\n        found.append(\n"
        "            pot\n            / len(one)\n        )\n    return found\n"
    )
    assert list(names.particles(tree)) == ["2 found"]
    assert list(names.long_lived(tree)) == ["2 found in shares"]
    several = names.in_several_files([("a.py", tree), ("b.py", tree)], ast.FunctionDef)
    assert several == {"shares": ["a.py", "b.py"]}
