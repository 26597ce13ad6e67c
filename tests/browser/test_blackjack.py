"""Blackjack as Chromium plays it: on a phone, by keyboard, in the dark, without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from helpers.web_person import app_of, threaded_server
from railbird.serve.mounts.blackjack import BlackjackSettings, mount

WAYS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
    "desktop": {"viewport": {"width": 1280, "height": 900}},
    "dark": {"viewport": {"width": 800, "height": 900}, "color_scheme": "dark"},
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    database = f"sqlite:///{tmp_path_factory.mktemp('serve') / 'serve.sqlite3'}"
    with threaded_server(app_of(database, mount(BlackjackSettings(seed=3)))) as where:
        yield f"{where}/blackjack"


def _step(page: Page, *, by_keyboard: bool) -> None:
    """Press the last button, which is the boldest."""
    button = page.locator("#game button").last
    key = button.get_attribute("data-key")
    assert key
    page.evaluate("document.getElementById('game').dataset.old = true")
    if by_keyboard:
        page.keyboard.press(key)
    else:
        button.click()
    page.locator("#game:not([data-old])").wait_for()


@pytest.mark.slow(but=["desktop"])
@pytest.mark.parametrize("way", WAYS)
def test_it_plays_and_fits_and_axe_has_nothing_to_say(
    browser: Browser, address: str, way: str
) -> None:
    complaints: list[str] = []
    page = browser.new_context(**WAYS[way]).new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    for _ in range(25):
        _step(page, by_keyboard=way == "desktop")
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
        buttons = "[...document.querySelectorAll('#game button')]"
        assert not page.evaluate(f"{buttons}.some(b => b.scrollWidth > b.clientWidth)")
    assert page.locator("#decisions tbody tr").count() > 5
    assert page.locator("#decisions .bad").count() > 0
    assert Axe().run(page).response["violations"] == []
    assert complaints == []
    page.context.close()


@pytest.mark.slow
def test_it_plays_without_scripts(browser: Browser, address: str) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(address)
    for _ in range(6):
        page.locator("#game button").first.click()
    assert page.locator("#decisions tbody tr").count() > 0
    page.context.close()
