"""The tables that walk through the code name files, and in them names, that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WALKS = {
    ("docs/inside.md", "A walk: from a file to a page"): "src/railbird",
    ("CONTRIBUTING.md", "An example change"): "",
}
"""By page and heading: the folder in which the files lie."""


def steps() -> list[tuple[Path, list[str]]]:
    """Return the file of each row, and the names in code beside it."""
    rows = []
    for (page, heading), folder in WALKS.items():
        text = (ROOT / page).read_text(encoding="utf-8")
        section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
        lines = (line for line in section.splitlines() if line.startswith("| ") and "`" in line)
        for file, *names in (re.findall("`([^`]+)`", line) for line in lines):
            rows.append((ROOT / folder / file, names))
    return rows


STEPS = steps()


@pytest.mark.parametrize(("file", "names"), STEPS, ids=[file.name for file, _ in STEPS])
def test_a_step_names_what_its_file_has(file: Path, names: list[str]) -> None:
    if file.is_dir():
        assert any(name in path.name for path in file.iterdir() for name in names)
        return
    assert names
    text = file.read_text(encoding="utf-8")
    own = [name for name in names if "/" not in name and " " not in name]
    assert [name for name in own if not re.search(rf"\b{name.split('.')[-1]}\b", text)] == []


def test_the_walk_goes_from_a_file_to_a_page() -> None:
    assert [file.stem for file, _ in STEPS[:2]] == ["assess", "files"]
    assert STEPS[15][0].stem == "html_page"
