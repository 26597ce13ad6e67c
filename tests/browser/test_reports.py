"""The report as Chromium shows it: figures drawn, nothing asked for, both themes, on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from helpers.made_up_match import made_up
from helpers.site_texts import CUT
from railbird.cli import run
from railbird.report import write
from railbird.report.charts import COLOURS

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
FIGURES = 9


@dataclass
class Visit:
    """A report that is open in a page."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    """Messages on the console, errors and dialogs."""
    requests: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    players = ('Ann</script><script>alert("hi")</script>', "<img src=x onerror=alert(1)>")
    assessment = made_up(5_000, edge=0.1, duplicate=True, players=players, skipped={"cut off": 1})
    return write(assessment, tmp_path_factory.mktemp("report"), largest=3)


def _visit(browser: Browser, report: Path, **options: Any) -> Visit:
    page = browser.new_context(**{"viewport": DESKTOP, **options}).new_page()
    visit = Visit(page)
    page.on("console", lambda message: visit.complaints.append(message.text))
    page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    page.on("dialog", lambda dialog: visit.complaints.append(dialog.message))
    page.on("request", lambda request: visit.requests.append(request.url))
    page.goto(report.as_uri())
    page.wait_for_function(f"() => document.querySelectorAll('.chart svg').length === {FIGURES}")
    return visit


@pytest.fixture(scope="module")
def visit(browser: Browser, report: Path) -> Iterator[Visit]:
    opened = _visit(browser, report)
    yield opened
    opened.page.context.close()


@pytest.mark.slow
def test_nothing_asked_for_and_nothing_complained_of(visit: Visit, report: Path) -> None:
    assert visit.complaints == []
    assert visit.requests == [report.as_uri()]


@pytest.mark.slow
def test_every_figure_has_marks(visit: Visit) -> None:
    marks = ".mark-line path, .mark-rect path, .mark-symbol path"
    drawn = visit.page.evaluate(
        "marks => [...document.querySelectorAll('.chart')]"
        ".map(chart => chart.querySelectorAll(marks).length)",
        marks,
    )
    assert all(count > 0 for count in drawn)
    heights = visit.page.evaluate(
        "[...document.querySelectorAll('.chart svg')]"
        ".map(svg => svg.getBoundingClientRect().height)"
    )
    assert all(height > 100 for height in heights)


@pytest.mark.slow
def test_hover_shows_the_sums(visit: Visit) -> None:
    chart = visit.page.locator("#figure-money-and-skill svg")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box is not None
    for x in (0.5, 0.6):
        visit.page.mouse.move(box["x"] + x * box["width"], box["y"] + 0.6 * box["height"])
    tooltip = visit.page.locator("#vg-tooltip-element.visible")
    tooltip.wait_for()
    shown = tooltip.inner_text()
    for label in ("hands", "money", "decisions", "± 1 sd"):
        assert label in shown


WORDS_BEYOND = """() => [...document.querySelectorAll(".chart svg text")].filter((text) => {
  const { left, right, width } = text.getBoundingClientRect();
  return width && (left < 0 || right > innerWidth);
}).map((text) => text.textContent)"""


@pytest.mark.slow
def test_no_sideways_scrolling_and_no_word_of_a_chart_beyond_the_window(
    browser: Browser, report: Path
) -> None:
    page = _visit(browser, report, viewport=PHONE, has_touch=True, is_mobile=True).page
    page.evaluate("document.querySelectorAll('details').forEach(hand => hand.open = true)")
    for width in (390, 500, 360, 320, 768):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(
            "() => [...document.querySelectorAll('.chart svg')]"
            ".every(svg => svg.getBoundingClientRect().right <= innerWidth)"
        )
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(overflow) <= 0
        # A legend's columns follow the width once a chart is drawn anew.
        page.wait_for_function(f"() => !({WORDS_BEYOND})().length")
    page.context.close()


@pytest.mark.slow
def test_no_legend_lies_over_the_words_above_a_figure_on_a_phone(
    browser: Browser, report: Path
) -> None:
    page = _visit(browser, report, viewport={"width": 360, "height": 740}).page
    above = """() => [...document.querySelectorAll(".chart svg")].map(svg => {
      const tops = [...svg.querySelectorAll("text")].map(text => text.getBoundingClientRect().top);
      return svg.getBoundingClientRect().top - Math.min(...tops);
    })"""
    assert max(page.evaluate(above)) <= 0
    page.context.close()


@pytest.mark.slow
def test_a_caption_is_as_wide_as_a_table_that_is_a_list(browser: Browser, report: Path) -> None:
    page = _visit(browser, report, viewport={"width": 360, "height": 740}).page
    lines = """() => [...document.querySelectorAll(".stack caption")].map(caption => [
      caption.textContent, caption.getBoundingClientRect().width
        / caption.closest("table").getBoundingClientRect().width])"""
    found = page.evaluate(lines)
    assert found
    assert [words for words, share in found if share < 0.99] == []
    page.context.close()


@pytest.mark.slow
def test_no_axis_title_lies_over_the_numbers_of_its_axis(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ring = "ring random always-call baseline --hands 200 --seed 2 --log ring.log"
    for command in (ring, "assess ring.log --out several"):
        assert run(command.split()) == 0
    page = browser.new_context().new_page()
    page.goto((tmp_path / "several" / "report.html").as_uri())
    over = """() => [...document.querySelectorAll(".role-axis")].flatMap(axis => {
      const title = axis.querySelector(".role-axis-title text")?.getBoundingClientRect();
      return [...axis.querySelectorAll(".role-axis-label text")].filter(label => {
        const at = label.getBoundingClientRect();
        return title && title.right > at.left && title.left < at.right
          && title.bottom > at.top && title.top < at.bottom;
      }).map(label => label.textContent);
    })"""
    assert page.locator(".role-axis-title text").count()
    assert page.evaluate(over) == []
    page.close()


def _ground(page: Page) -> str:
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return colour


def _rgb(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


LIGHT, DARK = _rgb(COLOURS["paper"].light), _rgb(COLOURS["paper"].dark)


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "ground"), [("light", LIGHT), ("dark", DARK)])
def test_theme_follows_the_system_and_the_button(
    visit: Visit, scheme: Literal["light", "dark"], ground: str
) -> None:
    money = (
        "getComputedStyle(document.querySelector('#figure-money-and-skill .mark-line path')).stroke"
    )
    visit.page.emulate_media(color_scheme=scheme)
    visit.page.evaluate("delete document.documentElement.dataset.theme")
    assert _ground(visit.page) == ground
    before = visit.page.evaluate(money)
    visit.page.locator("#theme").click()
    assert _ground(visit.page) == (DARK if ground == LIGHT else LIGHT)
    assert visit.page.evaluate(money) != before


@pytest.mark.slow
def test_print_is_light_and_shows_the_hands(visit: Visit) -> None:
    visit.page.emulate_media(media="print", color_scheme="dark")
    assert _ground(visit.page) == LIGHT
    visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert visit.page.locator("details:not([open])").count() == 0
    visit.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert visit.page.locator("details[open]").count() == 0
    visit.page.emulate_media(media="screen", color_scheme="light")


@pytest.mark.slow
def test_hands_open_and_are_told(visit: Visit) -> None:
    first = visit.page.locator("details").first
    first.locator("summary").click()
    assert "checks" in first.inner_text()
    assert first.locator("table").count() == 4


@pytest.mark.slow
def test_readable_without_scripts(browser: Browser, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert "The figures need JavaScript" in page.inner_text("body")
    assert page.locator("table").first.is_visible()
    assert not page.locator("#theme").is_visible()
    context.close()


# Every kind of report on the screens of phones: nothing is cut, and what scrolls looks so.


RING = "ring baseline always-call tight random --hands 30 --seed 2 --log ring.log"
MATCH = "match baseline always-call --hands 60 --seed 3 --log match.log"
SERIES = "tournament always-raise always-call --count 20 --seed 1 --log series.phhs"
REPORTS: Final = {
    "match": f"{MATCH}; assess match.log --out match",
    "several players": f"{RING}; assess ring.log --player baseline --out several",
    "one player": f"{RING}; report ring.log --player tight --ask baseline --out one.html",
    "statistics": f"{RING}; stats ring.log --player tight --out statistics.html",
    "tournaments": f"{SERIES}; assess series.phhs --payouts 70,30 --out series.html",
    "decision": f"{RING}; explain ring.log --hand 5 --player tight --out why.html",
    "hand": f"{RING}; score ring.log --hand 7 --out hand.html",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [
        *("match", "several players", "one player", "decision"),
        pytest.param("statistics", marks=pytest.mark.slow),
        "tournaments",
        pytest.param("hand", marks=pytest.mark.slow),
    ],
)
def test_reports_can_be_read_whole(
    browser: Browser, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in REPORTS[kind].split("; "):
        assert run(command.split()) == 0
    (report,) = tmp_path.rglob("*.html")
    page = browser.new_context(is_mobile=True, has_touch=True).new_page()
    for width, height in ((360, 740), (390, 844), (740, 360)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(report.as_uri())
        if kind == "match":
            page.wait_for_function("() => !document.querySelector('.chart:empty')")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate(CUT) == []
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()
    page.context.close()
