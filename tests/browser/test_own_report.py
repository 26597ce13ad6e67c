"""The report on one's own play as Chromium shows it: upload, replay by keys and slider, puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from helpers.site_texts import CUT
from helpers.web_person import app_of, threaded_server
from railbird.serve.mounts.report import mount
from railbird.serve.report_jobs import ReportSettings

HAND = "Ts6s,Jd5d,Td5hTh/2d/{river}h SlCk/kBrC/bRrC/bC # {number}:Ann|Bob\n"
FOLDED = "TsTc,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/kBf # 3:Ann|Bob\n"
"""A fold of four tens: a puzzle whose answer is certain."""
LOG = ("".join(HAND.format(number=n, river="?23478"[n]) for n in range(1, 3)) + FOLDED).encode()
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 640},
    "has_touch": True,
    "is_mobile": True,
}
MIDDLE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    database = f"sqlite:///{tmp_path_factory.mktemp('report') / 'serve.sqlite3'}"
    with threaded_server(app_of(database, mount(ReportSettings(nice=0)))) as where:
        yield where


@pytest.fixture(scope="module")
def cookies(browser: Browser, address: str) -> list[Any]:
    """The cookies of somebody whose report is made, with its address behind them."""
    page = browser.new_context().new_page()
    page.goto(f"{address}/report")
    page.set_input_files("#file", {"name": "a.txt", "mimeType": "text/plain", "buffer": LOG})
    page.get_by_label("Your name in it").fill("Ann")
    page.get_by_role("button", name="Make the report").click()
    expect(page.locator(".figures")).to_be_visible()
    kept = [page.url, page.context.cookies()]
    page.context.close()
    return kept


def opened(browser: Browser, cookies: list[Any], **options: Any) -> tuple[Page, list[str]]:
    # Cards that fade in have less contrast for a moment.
    context = browser.new_context(reduced_motion="reduce", **options)
    context.add_cookies(cookies[1])
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return page, complaints


def sound(page: Page) -> None:
    """Nothing to the side or cut, nothing for axe, nothing from elsewhere, and not too long."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(CUT) == []
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()
    assert len(page.content()) < 200_000


EVERY = [
    pytest.param(PHONE, "light", id="phone"),
    pytest.param(MIDDLE, "dark", id="middle", marks=pytest.mark.slow),
    pytest.param(DESKTOP, "dark", id="desktop"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("device", "scheme"), EVERY)
def test_report_replay_and_puzzle(
    browser: Browser,
    address: str,
    cookies: list[Any],
    device: dict[str, Any],
    scheme: Literal["light", "dark"],
) -> None:
    page, complaints = opened(browser, cookies, color_scheme=scheme, **device)
    page.goto(f"{address}/report")
    sound(page)
    page.goto(cookies[0])
    sound(page)
    page.locator("table a").first.click()
    head, said = page.locator(".replay-head .note"), page.locator("[data-said]")
    before = head.text_content()
    expect(said).to_contain_text("Ann is to act")
    page.keyboard.press("ArrowRight")
    expect(head).not_to_have_text(before or "")
    expect(page.locator("#live")).to_contain_text(said.text_content() or "")
    expect(page.get_by_text("Cards of Bob")).to_have_count(0)
    page.keyboard.press("End")
    expect(said).to_contain_text("wins")
    sound(page)
    page.locator("#slider").focus()
    page.keyboard.press("Home")
    expect(head).to_contain_text("step 0 of")
    expect(page.locator("#slider")).to_be_focused()
    page.locator("#on").click()
    expect(head).to_contain_text("step 1 of")
    expect(page.locator("#on")).to_be_focused()
    assert page.url.endswith("step=1")
    page.reload()
    expect(head).to_contain_text("step 1 of")
    page.get_by_role("link", name="Show all known cards").click()
    expect(page.get_by_role("group", name="Cards of Bob")).to_have_count(1)
    page.goto(cookies[0])
    page.get_by_role("button", name="as puzzles").click()
    expect(page.get_by_role("heading", name="What would you do?")).to_be_visible()
    sound(page)
    page.keyboard.press("1")
    expect(page.locator(".verdict")).to_be_visible()
    sound(page)
    assert complaints == []
    page.context.close()


@pytest.mark.slow
def test_without_scripts_a_replay_steps_by_links(browser: Browser, cookies: list[Any]) -> None:
    page, _ = opened(browser, cookies, java_script_enabled=False)
    page.goto(f"{cookies[0]}/hands/0")
    page.locator("#on").click()
    assert page.locator(".replay-head .note").text_content() == "step 1 of 18"
    page.get_by_role("button", name="Go").click()
    assert page.locator(".replay-head .note").text_content() == "step 1 of 18"
    page.context.close()


@pytest.mark.slow
def test_a_file_is_dropped(browser: Browser, address: str, tmp_path: Path) -> None:
    page = browser.new_context(**DESKTOP).new_page()
    page.goto(f"{address}/report")
    page.evaluate(
        """() => {
        const data = new DataTransfer();
        data.items.add(new File(["no hands"], "dropped.txt"));
        document.getElementById("drop").dispatchEvent(
            new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
        }"""
    )
    assert page.evaluate("document.getElementById('file').files[0].name") == "dropped.txt"
    page.context.close()


@pytest.mark.slow
def test_results_pages_are_sound(browser: Browser, address: str) -> None:
    page = browser.new_context(**PHONE).new_page()
    for path in ("results", "ratings", "crosstable", "puzzles"):
        page.goto(f"{address}/{path}")
        sound(page)
    page.context.close()
