"""The example notebook runs from its first cell to its last, and shows what it speaks of."""

from __future__ import annotations

import json
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[1] / "docs/example.ipynb"


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """What each cell of code has put out, by its first line."""
    folder = tmp_path_factory.mktemp("notebook")
    copy = Path(shutil.copy(NOTEBOOK, folder))
    execute = shutil.which("jupyter-execute", path=sysconfig.get_path("scripts"))
    assert execute
    done = subprocess.run(
        [execute, "--inplace", copy], cwd=folder, capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, done.stderr
    executed = json.loads(copy.read_text(encoding="utf-8"))["cells"]
    return {cell["source"][0]: cell["outputs"] for cell in executed if cell["cell_type"] == "code"}


def html(outputs: list[dict[str, Any]]) -> str:
    return "".join(outputs[-1]["data"]["text/html"])


def test_results_show_themselves(cells: dict[str, list[dict[str, Any]]]) -> None:
    shown = {line: html(out) for line, out in cells.items() if out and "data" in out[-1]}
    assert len(shown) == 7
    assert all("<" in text for text in shown.values())
    judged = next(text for line, text in shown.items() if line.startswith("found = "))
    assert "small bets a hand" in judged
    assert "<td" in judged
    drawn = [text for line, text in shown.items() if "vega" in text]
    assert len(drawn) == 2


def test_it_is_kept_without_what_it_puts_out() -> None:
    kept = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in kept)
