"""The manual's table of the source's figures: all are there, and their pictures are drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from railbird.experiments import EXPERIMENTS, Workspace, run, write
from railbird.report import Image

MANUAL = Path(__file__).parents[2] / "docs" / "experiments.md"
_SPAN = re.compile(r"([45])\.([0-9]+)(?: to [45]\.([0-9]+))?")


def _rows() -> list[tuple[str, list[str], list[str]]]:
    """Return the first cell, the experiments and the pictures of every row."""
    section = MANUAL.read_text().split("## Figures and tables of Kan (2007)")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    code = re.compile("`([^`]+)`")
    return [(row[0], code.findall(row[2]), code.findall(row[3])) for row in cells]


def test_every_figure_and_table_has_an_experiment() -> None:
    figures, tables = set[tuple[int, int]](), set[tuple[int, int]]()
    for what, experiments, pictures in _rows():
        assert set(experiments) <= set(EXPERIMENTS), what
        assert pictures, what
        for chapter, first, last in _SPAN.findall(what):
            wanted = range(int(first), int(last or first) + 1)
            (tables if what.startswith("tables") else figures).update(
                (int(chapter), number) for number in wanted
            )
    assert figures == {(4, n) for n in range(1, 12)} | {(5, n) for n in range(1, 24)}
    assert tables == {(4, 1), (4, 2), (5, 1), (5, 2)}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({name for _, names, _ in _rows() for name in names}))
def test_pictures_of_the_table_are_drawn(tmp_path: Path, name: str) -> None:
    """Every experiment with its own players, as small as it goes; some take a minute."""
    done = run(name, Workspace(scale=0.001, seed=1, folder=tmp_path / "logs"))
    write([done], tmp_path, images=[Image.PNG])
    drawn = {drawing.figure.name for drawing in done.result.drawings}
    for _, experiments, pictures in _rows():
        if experiments == [name]:
            assert set(pictures) <= drawn
        elif name in experiments:
            assert set(pictures) & drawn
    for picture in drawn:
        image = tmp_path / "figures" / f"{name}-{picture}.png"
        assert image.read_bytes().startswith(b"\x89PNG")
    assert len((tmp_path / "table.csv").read_text().splitlines()) == 1 + len(done.result.rows)
