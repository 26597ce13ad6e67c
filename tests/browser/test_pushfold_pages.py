"""Pages of push/fold charts as Chromium shows them: large, legible, in both themes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from railbird.assessment.pushfold import (
    PushfoldStrategy,
    judge_decisions,
    read_decisions,
    take_census,
)
from railbird.report.html_page import write
from railbird.report.pushfold_pages import (
    PopulationReport,
    population_document,
    solution_document,
    sweep_document,
    write_population,
)
from railbird.solve import solve_pushfold, sweep_stacks

PEOPLE = "card1,card2,position,decision\n" + "As,Ad,sb,aggress\n7c,2d,sb,fold\nKs,5d,bb,fold\n" * 20


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("pages")
    solution = solve_pushfold(10)
    write(solution_document(solution), folder / "chart.html")
    write(sweep_document(sweep_stacks([5, 10])), folder / "sweep.html")
    (folder / "people.csv").write_text(PEOPLE)
    census = take_census(read_decisions(folder / "people.csv"))
    own = PushfoldStrategy(solution.push, solution.call)
    report = PopulationReport(
        decisions=judge_decisions(census.by_stack, {10: own}),
        census=census,
        strategy="equilibrium",
    )
    people = write_population(
        report, population_document(report, source="people.csv"), folder / "people"
    )
    return [folder / "chart.html", folder / "sweep.html", people]


@pytest.mark.slow(but=["dark-1280-540", "light-390-340"])
@pytest.mark.parametrize(
    ("scheme", "width", "least"),
    [
        ("light", 1280, 540),
        ("dark", 390, 340),
        pytest.param("dark", 1280, 540, marks=pytest.mark.slow),
        pytest.param("light", 390, 340, marks=pytest.mark.slow),
    ],
)
def test_charts_fill_the_page(
    browser: Browser, pages: list[Path], scheme: Literal["light", "dark"], width: int, least: int
) -> None:
    for path in pages:
        viewport: Any = {"width": width, "height": 844}
        page = browser.new_context(color_scheme=scheme, viewport=viewport).new_page()
        page.goto(path.as_uri())
        charts = page.locator("figure .drawing").all()
        assert len(charts) >= 2
        for chart in charts:
            box = chart.locator("svg").bounding_box()
            assert box is not None
            assert box["width"] >= least
            assert chart.get_attribute("aria-label")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        _refuse_what_axe_finds(page)
        page.context.close()


def _refuse_what_axe_finds(page: Page) -> None:
    found = Axe().run(page)
    assert not found.violations_count, f"{page.url}: {found.generate_report()}"
