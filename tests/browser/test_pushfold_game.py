"""The push/fold game as Chromium plays it: on a phone, by keyboard, without scripts."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any, Literal

import pytest
import uvicorn
from playwright.sync_api import Browser, Page

from helpers.web_person import settings
from railbird.serve import create_app

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of our own on loopback."""
    database = f"sqlite:///{tmp_path_factory.mktemp('serve') / 'serve.sqlite3'}"
    app = create_app(settings(database, minimum_decisions=5))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", ws="none"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://localhost:{port}"
    server.should_exit = True
    thread.join(timeout=20)


@pytest.fixture
def complaints() -> list[str]:
    return []


def _open(browser: Browser, address: str, complaints: list[str], **options: Any) -> Page:
    page = browser.new_context(**options).new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.goto(address)
    return page


def _hands(page: Page) -> int:
    return int(page.locator(".score dd").nth(1).inner_text())


def _press(page: Page, key: str, *, by_keyboard: bool = False) -> None:
    """Press a button with a tap or its key, and wait until the table has been swapped."""
    page.evaluate("document.getElementById('game').dataset.old = true")
    if by_keyboard:
        page.keyboard.press(key)
    else:
        page.locator(f'#game button[data-key="{key}"]').click()
    page.locator("#game:not([data-old])").wait_for()


def _play(page: Page, hands: int, *, by_keyboard: bool = False) -> None:
    while _hands(page) < hands:
        buttons = page.locator("#game .choices button").all()
        keys = [button.get_attribute("data-key") or "" for button in buttons]
        _press(page, keys[_hands(page) % len(keys)], by_keyboard=by_keyboard)


def test_twenty_hands_on_a_phone(browser: Browser, address: str, complaints: list[str]) -> None:
    page = _open(browser, address, complaints, **PHONE)
    _play(page, 20)
    assert _hands(page) == 20
    assert complaints == []
    page.context.close()


def test_buttons_are_under_the_thumb_and_nothing_scrolls_sideways(
    browser: Browser, address: str, complaints: list[str]
) -> None:
    page = _open(browser, address, complaints, **PHONE)
    for _ in range(8):
        for button in page.locator("#game .choices button").all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 48
            assert box["width"] >= 96
            assert box["y"] > 844 * 0.6
            assert box["y"] + box["height"] <= 844
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 844})
            overflow = "document.documentElement.scrollWidth - innerWidth"
            assert page.evaluate(overflow) <= 0
        worth = page.locator(".say").bounding_box()
        bar = page.locator(".actions").bounding_box()
        page.set_viewport_size({"width": 390, "height": 844})
        assert worth is not None
        assert bar is not None
        assert worth["y"] + worth["height"] <= bar["y"] + 8
        _press(page, page.locator("#game .choices button").last.get_attribute("data-key") or "")
    page.context.close()


def test_keys_play_and_the_focus_stays(
    browser: Browser, address: str, complaints: list[str]
) -> None:
    page = _open(browser, address, complaints, **DESKTOP)
    _play(page, 5, by_keyboard=True)
    page.locator("#game .choices button").last.focus()
    page.keyboard.press("Enter")
    page.locator("#game .choices button:focus").wait_for()
    page.locator("input[name=nickname]").focus()
    before = _hands(page)
    page.keyboard.type("fnpch")
    assert page.locator("input[name=nickname]").input_value() == "fnpch"
    assert _hands(page) == before
    assert page.locator("#live").inner_text()
    assert complaints == []
    page.context.close()


def test_the_chart_follows_the_play(browser: Browser, address: str, complaints: list[str]) -> None:
    page = _open(browser, address, complaints, **PHONE)
    assert page.locator("#chart svg .base").count() == 0
    _play(page, 6)
    page.locator("#chart svg .base").first.wait_for(state="attached")
    page.get_by_role("link", name="Call", exact=True).click()
    page.locator("#chart [aria-current]", has_text="Call").wait_for()
    page.context.close()


def test_a_stale_page_is_told_in_one_line(
    browser: Browser, address: str, complaints: list[str]
) -> None:
    page = _open(browser, address, complaints, **DESKTOP)
    while not page.locator("#game button.fold").count():
        _press(page, "n")
    twin = page.context.new_page()
    twin.goto(address)
    twin.locator("#game button.fold").click()
    twin.locator("#game button[data-key=n]").wait_for()
    page.locator("#game button.go").click()
    page.locator("#notice", has_text="That hand is over").wait_for()
    page.context.close()


def test_playable_without_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, **PHONE)
    page = context.new_page()
    page.goto(address)
    _play_without_scripts(page, 4)
    assert page.locator("#chart svg").count() == 1
    context.close()


def _play_without_scripts(page: Page, hands: int) -> None:
    while _hands(page) < hands:
        with page.expect_navigation():
            page.locator("#game .choices button").last.click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_readable_in_both_themes(
    browser: Browser, address: str, complaints: list[str], scheme: Literal["light", "dark"]
) -> None:
    """WCAG AA: 4.5 to 1 for text against the ground behind it."""
    page = _open(browser, address, complaints, color_scheme=scheme, **PHONE)
    _play(page, 3)
    found = page.evaluate(_CONTRASTS)
    assert len(found) > 10
    assert [entry for entry in found if entry["ratio"] < 4.5] == []
    page.context.close()


_CONTRASTS = """
() => {
  const parse = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
  const part = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      if (e.classList.contains("felt")) return null;
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll("main *, header *")].flatMap((e) => {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || e.closest("svg, [hidden], details:not([open]) > p, .unseen")) return [];
    const behind = ground(e);
    if (!behind) return [];
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind)].sort((x, y) => y - x);
    return [{ text: e.textContent.trim().slice(0, 30), ratio: (a + 0.05) / (b + 0.05) }];
  });
}
"""
