"""The page of odds as Chromium shows it: by touch, by keyboard, without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from helpers.web_person import app_of, threaded_server

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 640},
    "has_touch": True,
    "is_mobile": True,
}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    database = f"sqlite:///{tmp_path_factory.mktemp('odds') / 'serve.sqlite3'}"
    with threaded_server(app_of(database)) as where:
        yield f"{where}/odds"


def touch(page: Page, *cards: str) -> None:
    for card in cards:
        page.locator(f"#card-{card}").click()
        expect(page.locator(f"#card-{card}.hand, #card-{card}.board")).to_have_count(1)


@pytest.mark.slow(but=["phone-dark"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_cards_and_actions_are_set_by_touch(
    browser: Browser, address: str, device: dict[str, Any], scheme: Literal["light", "dark"]
) -> None:
    page = browser.new_context(color_scheme=scheme, **device).new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    touch(page, "As", "Th", "Tc", "8d", "2c")
    result = page.locator("#odds-result dd").first
    expect(result).to_have_text("78.5 %")
    page.select_option("#o1p", "raise")
    page.select_option("#o1f", "bet")
    expect(result).to_have_text("39.2 %")
    page.fill("#odds-pot", "12")
    page.fill("#odds-call", "2")
    page.locator("#odds-call").blur()
    expect(page.locator("#odds-result dd").last).to_have_text("call")
    expect(page).to_have_url(f"{address}?hole=AsTh&board=Tc8d2c&o1p=raise&o1f=bet&pot=12&call=2")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    found = Axe().run(page)
    assert [violation["id"] for violation in found.response["violations"]] == []
    assert complaints == []
    touch(page, "3c")  # the links of the cards know what was set
    expect(page.locator("#o1f")).to_have_value("bet")
    page.locator("#card-3c").click()
    expect(page.locator("#card-3c.board")).to_have_count(0)
    page.reload()
    expect(page.locator("#odds-result dd").first).to_have_text("39.2 %")
    page.context.close()


@pytest.mark.slow
def test_keys_suffice_and_the_focus_stays(browser: Browser, address: str) -> None:
    page = browser.new_context(**DESKTOP).new_page()
    page.goto(address)
    page.locator("#card-As").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#card-As.hand")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#card-Ks.hand")).to_be_focused()
    expect(page.locator("#odds-result dd").first).to_contain_text("%")
    page.context.close()


@pytest.mark.slow
def test_everything_works_without_scripts(browser: Browser, address: str) -> None:
    page = browser.new_context(java_script_enabled=False, **DESKTOP).new_page()
    page.goto(address)
    for card in ("As", "Th", "Tc", "8d", "2c"):
        page.locator(f"#card-{card}").click()
    page.select_option("#o1f", "bet")
    page.get_by_role("button", name="Update").click()
    assert "o1f=bet" in page.url
    expect(page.locator("#odds-result dt").first).to_contain_text("what is left")
    page.context.close()
