"""Notebooks made of pages of the manual: their prose, and a cell for each step of their examples.

``PYTHONPATH=tests python -m helpers.notebooks`` writes those of the lectures anew. They are kept
without what their cells put out.
"""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from typing import Any, Final

DOCS: Final = Path(__file__).parents[2] / "docs"
LECTURES: Final = tuple(sorted(DOCS.glob("learn-*.md")))
_BLOCK: Final = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_KERNEL: Final = {"display_name": "Python 3", "language": "python", "name": "python3"}


def notebook_of(page: Path) -> Path:
    """Return where the notebook of a page stands."""
    return page.with_suffix(".ipynb")


def notebook_text(page: Path) -> str:
    """Return the notebook of a page as JSON text."""
    prose_and_code = _BLOCK.split(page.read_text(encoding="utf-8"))
    cells: list[dict[str, Any]] = []
    for place, text in enumerate(prose_and_code):
        for kind, source in _steps(text) if place % 2 else [("markdown", text.strip())]:
            if source:
                cells.append(_cell(kind, source, len(cells)))
    language = {"name": "python"}
    notebook = {
        "cells": cells,
        "metadata": {"kernelspec": _KERNEL, "language_info": language},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _steps(block: str) -> list[tuple[str, str]]:
    """Divide a block into cells, each of which ends with what shows something."""
    cells, sources = [], []
    for example in doctest.DocTestParser().get_examples(block):
        sources.append(example.source.rstrip("\n"))
        if example.want:
            cells.append(("code", "\n".join(sources)))
            sources = []
    return [*cells, ("code", "\n".join(sources))]


def _cell(kind: str, source: str, number: int) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell | {"source": source.splitlines(keepends=True)}


if __name__ == "__main__":
    for lecture in LECTURES:
        notebook_of(lecture).write_text(notebook_text(lecture), encoding="utf-8")
