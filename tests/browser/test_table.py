"""The table as Chromium plays it: whole tournaments by keys and by touch, in every state."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from helpers.table_person import FITS, SIZES, TablePerson
from helpers.table_server import table_app
from helpers.threaded_server import threaded_server


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = table_app(tmp_path_factory.mktemp("table"))
    with threaded_server(app, ws="websockets-sansio") as where:
        yield where


def _person(browser: Browser, address: str, **options: Any) -> TablePerson:
    person = TablePerson(browser, address, **options)
    person.sign_up()
    return person


def _tournament(person: TablePerson, *, by_keyboard: bool) -> int:
    """Play a six-seat tournament to its end; return the number of decisions."""
    person.enter("six", by_keyboard=by_keyboard)
    decisions = 0
    while person.until("turn", "over") == "turn":
        fits = person.page.evaluate(FITS)
        assert fits["wide"] <= 0
        assert fits["bottom"] <= fits["height"], person.bar.inner_html()
        assert fits["top"] >= 0
        can_raise = person.page.locator("#do-raise").count() > 0
        what = "raise" if can_raise and decisions % 3 == 1 else "call"
        if what == "raise" and person.page.locator("#preset-4").count():
            if by_keyboard:
                person.page.keyboard.press("4")
            else:
                person.press(person.page.locator("#preset-4"), by_keyboard=False)
            most = person.page.locator("#amount").get_attribute("max")
            assert person.page.locator("#amount").input_value() == most
        person.act(what, by_keyboard=by_keyboard)
        decisions += 1
    return decisions


@pytest.mark.parametrize(
    ("size", "scheme", "by_keyboard"),
    [
        pytest.param("360x640", "dark", False),
        *(
            pytest.param(size, scheme, by_keyboard, marks=pytest.mark.slow)
            for size in SIZES
            for scheme in ("light", "dark")
            for by_keyboard in (True, False)
            if (size, scheme, by_keyboard) != ("360x640", "dark", False)
        ),
    ],
)
def test_a_whole_tournament(
    browser: Browser, address: str, size: str, scheme: str, by_keyboard: bool
) -> None:
    person = _person(browser, address, color_scheme=scheme, **SIZES[size])
    assert _tournament(person, by_keyboard=by_keyboard) > 0
    assert person.page.locator("#bar-head").inner_text().startswith(("You are out", "You finish"))
    expect(person.page.locator("#to-report")).to_have_attribute("href", re.compile("^/games/"))
    assert person.axe() == []
    assert person.complaints == []
    assert person.foreign == []
    person.close()


def test_a_reload_comes_back_to_the_same_state_and_a_second_tab_takes_over(
    browser: Browser, address: str
) -> None:
    person = _person(browser, address, **SIZES["360x640"])
    person.enter("heads-up")
    person.until("turn")
    turn, cards = person.turn, person.page.locator(".me .pod-cards").inner_html()
    person.page.reload()
    person.until("turn")
    assert person.turn == turn
    assert person.page.locator(".me .pod-cards").inner_html() == cards
    person.page.locator("#table:not(.offline)").wait_for()
    first, second = person.page, person.new_page()
    person.page = second
    second.goto(f"{address}/table")
    person.until("turn")
    assert person.turn == turn
    first.locator("#bar[data-bar=elsewhere]").wait_for()
    person.act("call")
    first.locator("#bar a").click()
    first.locator("#bar:not([data-bar=elsewhere])").wait_for()
    second.locator("#bar[data-bar=elsewhere]").wait_for()
    person.close()


def test_two_hundred_swaps_leave_the_focus_and_a_half_typed_amount(
    browser: Browser, address: str
) -> None:
    person = _person(browser, address, **SIZES["1280x800"])
    person.enter("heads-up")
    person.until("turn")
    page = person.page
    page.keyboard.press("a")
    page.keyboard.type("123")
    swaps = page.evaluate(
        """async () => {
          let swaps = 0;
          document.addEventListener("htmx:after:swap", () => { swaps += 1; });
          for (let i = 0; i < 200; i++) {
            const answer = await fetch("/table/parts");
            await htmx.swap({sourceElement: document.getElementById("poll"), swap: "none",
                             target: document.getElementById("poll"), text: await answer.text()});
          }
          return swaps;
        }"""
    )
    assert swaps == 200
    assert page.evaluate("document.activeElement.id") == "amount"
    assert page.locator("#amount").input_value() == "123"
    page.keyboard.type("4")
    assert page.locator("#amount").input_value() == "1234"
    assert "1,234" in page.locator("#do-raise").inner_text()
    assert person.complaints == []
    person.close()


def test_a_page_is_small_and_rests_at_anothers_turn(browser: Browser, address: str) -> None:
    person = _person(browser, address, **SIZES["1280x800"])
    sizes: dict[str, int] = {}

    def weigh(response: Any) -> None:
        if response.status == 200 and "socket" not in response.url:
            sizes[response.url] = len(response.body())

    person.enter("heads-up")
    person.until("turn")
    person.page.on("response", weigh)
    person.page.reload()
    person.until("turn")
    person.page.wait_for_load_state("networkidle")
    assert 10_000 < sum(sizes.values()) < 200_000, sizes
    session = person.context.new_cdp_session(person.page)
    session.send("Performance.enable")

    def task_seconds() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    person.page.wait_for_timeout(1000)
    before, began = task_seconds(), time.monotonic()
    person.page.wait_for_timeout(3000)
    share = (task_seconds() - before) / (time.monotonic() - began)
    assert share < 0.03  # a hundredth on a machine of its own
    person.close()
