"""Spots as Chromium shows them: set up by touch, solved, and read with and without a script."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from threading import Event
from typing import Any, Literal
from urllib.parse import parse_qs

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from helpers.hosted import PATIENCE_S
from helpers.site_texts import CUT
from helpers.web_person import app_of, threaded_server
from railbird.errors import BadInput
from railbird.serve.mounts.spots import mount
from railbird.serve.spots_jobs import SpotJobs, SpotSettings

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
BOARD = ("Ks", "7d", "2c", "9h", "3d")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    database = f"sqlite:///{tmp_path_factory.mktemp('spots') / 'serve.sqlite3'}"
    settings = SpotSettings(nice=0, answer_s=PATIENCE_S)
    with threaded_server(app_of(database, mount(settings))) as where:
        yield where


def sound(page: Page) -> None:
    """Nothing to the side or cut, and nothing for axe."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(CUT) == []
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()
    assert len(page.content()) < 200_000


def touch(page: Page, device: dict[str, Any], value: str) -> None:
    button = page.locator(f'button[value="{value}"]')
    button.tap() if device.get("has_touch") else button.click()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("device", "scheme"),
    [pytest.param(PHONE, "light", id="phone"), pytest.param(DESKTOP, "dark", id="desktop")],
)
def test_a_spot_from_the_first_touch_to_the_last_card(
    browser: Browser, address: str, device: dict[str, Any], scheme: Literal["light", "dark"]
) -> None:
    page = browser.new_context(color_scheme=scheme, reduced_motion="reduce", **device).new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{address}/spots")
    sound(page)
    touch(page, device, "preset bu-bb-3")
    touch(page, device, "sizes river")
    expect(page.locator("#pot")).to_have_value("225")
    for card in BOARD:
        touch(page, device, f"board {card}")
    expect(page.locator("#board")).to_have_value("".join(BOARD))
    page.locator("#range-ip summary", has_text="grid").click()
    page.get_by_label("50", exact=True).check()
    for hand in ("72o", "82o", "92o"):
        touch(page, device, f"ip {hand}")
    expect(page.locator("#ip")).to_have_value(re.compile(r"92o:0.5, 82o:0.5, 72o:0.5"))
    expect(page.locator("#size .said:visible")).to_contain_text("MB")
    sound(page)
    page.locator("#oop").fill("AA,nonsense")
    page.locator("#pot").focus()
    expect(page.locator("#oop-problem")).to_be_visible()
    sound(page)
    page.locator("#oop").fill("QQ+,AK,76s")
    page.locator("#pot").focus()
    expect(page.locator("#oop-problem")).to_have_count(0)
    page.locator(".main").click()
    expect(page.locator("#grid")).to_be_visible()
    expect(page.locator(".lead")).to_contain_text("would win 0.")
    sound(page)
    page.locator("#locks-begin").click()
    sliders = page.locator("#locks input[type=range]")
    for share in ("30", "100", "40"):
        sliders.first.fill(share)
        shares = [int(slider.input_value()) for slider in sliders.all()]
        assert (shares[0], sum(shares)) == (int(share), 100)
    sound(page)
    page.locator("#locks-begin").click()
    page.locator("#grid a", has_text="AA").first.click()
    expect(page.locator("#hand tbody th")).to_have_count(7)  # all together first
    page.get_by_role("link", name="Equity").click()
    expect(page.locator("#grid .value").first).to_be_visible()
    sound(page)
    page.locator(".next a").last.click()
    expect(page.locator(".line li")).to_have_count(2)
    page.locator(".line a", has_text="check").click()
    expect(page.locator(".line [aria-current=true]")).to_have_text("check")
    with page.expect_download() as download:
        page.get_by_role("link", name="Hands as CSV").click()
    assert download.value.suggested_filename == "Ks7d2c9h3d-hands.csv"

    # What is read needs no script, nor does another browser.
    plain = browser.new_context(java_script_enabled=False, **PHONE).new_page()
    plain.goto(page.url)
    plain.locator("#grid a", has_text="JJ").first.click()
    assert plain.locator("#hand tbody th").count() == 7

    page.get_by_role("link", name="Compare with other sizes").click()
    page.locator("#river_bets").fill("50%")
    page.locator(".main").click()
    expect(page.get_by_role("heading", name="Compared with other sizes")).to_be_visible()
    sound(page)
    assert complaints == []
    page.context.close()
    plain.context.close()


@pytest.mark.slow
def test_touches_do_not_wait_for_sizes(
    browser: Browser, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six questions that wait are all the connections that a browser has for a server."""
    is_over = Event()

    async def slow_size(jobs: SpotJobs, text: str, *, detail: object) -> dict[str, Any]:
        while not is_over.is_set():
            await asyncio.sleep(0.01)
        raise BadInput("spot: no size")

    monkeypatch.setattr(SpotJobs, "size", slow_size)
    page = browser.new_context(**PHONE).new_page()
    page.goto(f"{address}/spots?preset=bu-bb-3&street=river")
    page.locator("#range-ip summary", has_text="grid").click()
    page.locator("#board").fill("".join(BOARD))
    for _ in range(8):
        with page.expect_request("**/spots/size"):
            touch(page, PHONE, "board 3d")
    touch(page, PHONE, "ip 72o")
    expect(page.locator("#ip")).to_have_value(re.compile("72o"))
    expect(page.locator("#notice")).to_be_empty()
    is_over.set()
    page.context.close()


@pytest.mark.slow
def test_solving_takes_along_what_was_just_touched(browser: Browser, address: str) -> None:
    page = browser.new_context(**PHONE).new_page()
    page.goto(f"{address}/spots?preset=bu-bb-3&street=river")
    edits: list[Route] = []
    page.route("**/spots/edit", lambda route: edits.append(route), times=1)
    page.locator("#range-ip summary", has_text="grid").click()
    with page.expect_request("**/spots/edit"):
        touch(page, PHONE, "ip 72o")
    touch(page, PHONE, "ip 82o")
    page.locator(".main").click()
    with page.expect_request("**/spots/solve") as solve:
        edits[0].continue_()
    (text,) = parse_qs(solve.value.post_data)["ip"]
    assert {"72o", "82o"} <= {str(hand) for hand in re.findall(r"\d\do", text)}, text
    page.context.close()


@pytest.mark.slow
def test_touches_that_were_not_answered_are_sent_with_the_next(
    browser: Browser, address: str
) -> None:
    page = browser.new_context(**PHONE).new_page()
    page.goto(f"{address}/spots?preset=bu-bb-3&street=river")
    page.locator("#range-ip summary", has_text="grid").click()
    page.route("**/spots/edit", lambda route: route.abort(), times=1)
    touch(page, PHONE, "ip 72o")
    expect(page.locator("#notice")).not_to_be_empty()
    touch(page, PHONE, "ip 82o")
    expect(page.locator("#ip")).to_have_value(re.compile("82o.*72o"))
    expect(page.locator("#notice")).to_be_empty()
    page.context.close()


@pytest.mark.slow
def test_a_turn_without_a_script_has_its_cards(browser: Browser, address: str) -> None:
    page = browser.new_context(java_script_enabled=False, **PHONE).new_page()
    page.goto(f"{address}/spots?preset=bu-bb-3&street=turn")
    page.locator("#board").fill("".join(BOARD[:4]))
    page.locator("#oop").fill("QQ+,AK")
    page.locator("#ip").fill("TT,AQ")
    page.locator("#turn_bets").fill("50%")
    page.locator("#gap").select_option("1")
    page.locator(".main").click()
    # Without a script the page asks again by itself.
    expect(page.locator("#grid")).to_be_visible()
    page.locator(".next a", has_text="check").click()
    page.locator(".next a", has_text="check").click()
    page.get_by_role("link", name="Compare all cards").click()
    assert page.locator("tbody tr").count() == 48
    page.locator("tbody a", has_text="A♠").click()
    assert page.locator(".spot-board b").inner_text().endswith("A♠")
    page.context.close()

    seen = browser.new_context(reduced_motion="reduce", **PHONE).new_page()
    seen.goto(page.url)
    sound(seen)
    seen.locator(".line a", has_text="another card").click()
    sound(seen)
    seen.get_by_role("link", name="Compare all cards").click()
    sound(seen)
    seen.context.close()
