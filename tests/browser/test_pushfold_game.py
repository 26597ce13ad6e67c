"""The push/fold game as Chromium plays it: on a phone, by keyboard, without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from helpers.web_person import app_of, threaded_server

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
    app = app_of(database, minimum_decisions=5)
    with threaded_server(app) as where:
        yield f"{where}/pushfold"


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


@pytest.mark.slow
def test_twenty_hands_on_a_phone(browser: Browser, address: str, complaints: list[str]) -> None:
    page = _open(browser, address, complaints, **PHONE)
    _play(page, 20)
    assert _hands(page) == 20
    assert complaints == []
    page.context.close()


@pytest.mark.slow
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


@pytest.mark.slow
def test_keys_play_and_the_focus_stays(
    browser: Browser, address: str, complaints: list[str]
) -> None:
    page = _open(browser, address, complaints, **DESKTOP)
    _play(page, 5, by_keyboard=True)
    _press(page, "n")
    page.locator("#headline:focus, #game button[data-key=n]:focus").wait_for()
    page.locator("input[name=nickname]").focus()
    before = _hands(page)
    page.keyboard.type("fnpch")
    assert page.locator("input[name=nickname]").input_value() == "fnpch"
    assert _hands(page) == before
    assert page.locator("#live").inner_text()
    assert complaints == []
    page.context.close()


def _until_to_act(page: Page) -> None:
    while not page.locator("#game button[data-key=f]").count():
        _press(page, "n")


@pytest.mark.slow(but=["True"])
@pytest.mark.parametrize("by_keyboard", [False, True])
def test_no_choice_is_suggested(
    browser: Browser, address: str, complaints: list[str], by_keyboard: bool
) -> None:
    """Fold and push look alike, and Enter makes neither: what is collected is people's own."""
    page = _open(browser, address, complaints, **DESKTOP)
    for _ in range(3):
        _press(page, "n", by_keyboard=by_keyboard)
        _until_to_act(page)
        fold, push = page.locator("#game .choices button").all()
        assert fold.evaluate(_LOOKS) == push.evaluate(_LOOKS)
        widths = [button.evaluate("e => e.offsetWidth") for button in (fold, push)]
        assert widths[0] == pytest.approx(widths[1], abs=2)
        assert page.locator("#game .choices button:focus").count() == 0
        before = page.locator("#game").inner_text()
        page.keyboard.press("Enter")
        assert page.locator("#game").inner_text() == before
        _press(page, "f", by_keyboard=by_keyboard)
    assert complaints == []
    page.context.close()


_LOOKS = """
(button) => {
  const style = getComputedStyle(button);
  return ["color", "backgroundColor", "border", "boxShadow", "fontSize", "fontWeight", "height"]
    .map((name) => style[name]);
}
"""


@pytest.mark.slow
def test_buttons_say_their_keys_where_there_is_a_keyboard(
    browser: Browser, address: str, complaints: list[str]
) -> None:
    for options, shown in ((DESKTOP, True), (PHONE, False)):
        page = _open(browser, address, complaints, **options)
        _until_to_act(page)
        for button in page.locator("#game .actions button").all():
            said = button.locator("kbd")
            assert said.is_visible() is shown
            assert (said.text_content() or "").lower() == button.get_attribute("data-key")
        page.context.close()


def _until_showdown(page: Page) -> None:
    while not page.locator("#game.showdown").count():
        _until_to_act(page)
        _press(page, page.locator("#game button[value=aggress]").get_attribute("data-key") or "")


@pytest.mark.slow
def test_the_result_comes_after_the_river(
    browser: Browser, address: str, complaints: list[str]
) -> None:
    page = _open(browser, address, complaints, **DESKTOP)
    _play(page, 2)
    _until_showdown(page)
    dealt, told, dimmed = page.evaluate(_TIMES)
    assert len(dealt) == 5
    assert dealt == sorted(dealt)
    assert len(told) >= 5  # the headline, the winnings, both hands by name, the curve
    assert min(told + dimmed) >= dealt[-1]
    headline = page.locator("#headline")
    assert "board is dealt" in headline.locator(".early").inner_text()
    headline.locator(".late").wait_for(state="visible")
    headline.locator(".early").wait_for(state="hidden")
    assert headline.locator(".late .amount").is_visible()
    page.context.close()


_TIMES = """
() => {
  const times = { turned: [], hidden: [], undimmed: [] };
  for (const element of document.querySelectorAll("*")) {
    const style = getComputedStyle(element);
    const [names, delays, durations] = ["Name", "Delay", "Duration"].map(
      (key) => style[`animation${key}`].split(", ")
    );
    names.forEach((name, place) => {
      const lasting = name === "turned" ? parseFloat(durations[place]) : 0;
      times[name]?.push(1000 * (parseFloat(delays[place]) + lasting));
    });
  }
  return [times.turned, times.hidden, times.undimmed];
}
"""
"""As the page's style has them, for on a busy machine some animations are over when it is asked."""


@pytest.mark.slow
def test_without_motion_the_result_is_there_at_once(
    browser: Browser, address: str, complaints: list[str]
) -> None:
    page = _open(browser, address, complaints, reduced_motion="reduce", **DESKTOP)
    _until_showdown(page)
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.locator("#headline .amount").is_visible()
    assert page.locator("#headline .early").is_hidden()
    page.context.close()


@pytest.mark.slow
def test_the_curve_is_labelled(browser: Browser, address: str, complaints: list[str]) -> None:
    for options in (PHONE, DESKTOP):
        page = _open(browser, address, complaints, **options)
        _play(page, 3)
        label = page.locator(".spark dt")
        assert label.inner_text() == "Last 3 hands"
        assert label.evaluate("e => e.parentElement.scrollWidth <= e.parentElement.clientWidth")
        assert label.evaluate("e => e.offsetHeight") < 20, "one line"
        page.context.close()


@pytest.mark.slow(but=["dark-options2", "light-options3"])
@pytest.mark.parametrize(
    ("scheme", "options"),
    [
        ("light", PHONE),
        ("dark", DESKTOP),
        pytest.param("dark", PHONE, marks=pytest.mark.slow),
        pytest.param("light", DESKTOP, marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing(
    browser: Browser,
    address: str,
    complaints: list[str],
    scheme: Literal["light", "dark"],
    options: dict[str, Any],
) -> None:
    page = _open(
        browser, address, complaints, color_scheme=scheme, reduced_motion="reduce", **options
    )
    _refuse_what_axe_finds(page, "before the first hand")
    _play(page, 3)
    _until_to_act(page)
    _refuse_what_axe_finds(page, "a decision")
    _until_showdown(page)
    _refuse_what_axe_finds(page, "a showdown")
    for place in ("chart", "leaders", "no-such-page"):
        page.goto(f"{address}/{place}")
        _refuse_what_axe_finds(page, place)
    page.context.close()


def _refuse_what_axe_finds(page: Page, where: str) -> None:
    found = Axe().run(page)
    assert not found.violations_count, f"{where}: {found.generate_report()}"


@pytest.mark.slow
def test_the_chart_follows_the_play(browser: Browser, address: str, complaints: list[str]) -> None:
    page = _open(browser, address, complaints, **PHONE)
    assert page.locator("#chart svg .base").count() == 0
    _play(page, 6)
    page.locator("#chart svg .base").first.wait_for(state="attached")
    page.get_by_role("link", name="Call", exact=True).click()
    page.locator("#chart [aria-current]", has_text="Call").wait_for()
    page.context.close()


@pytest.mark.slow
def test_a_stale_page_is_told_in_one_line(
    browser: Browser, address: str, complaints: list[str]
) -> None:
    page = _open(browser, address, complaints, **DESKTOP)
    _until_to_act(page)
    twin = page.context.new_page()
    twin.goto(address)
    twin.locator("#game button[data-key=f]").click()
    twin.locator("#game button[data-key=n]").wait_for()
    page.locator("#game button[value=aggress]").click()
    page.locator("#notice", has_text="That hand is over").wait_for()
    page.context.close()


@pytest.mark.slow
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


@pytest.mark.slow(but=["dark"])
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
