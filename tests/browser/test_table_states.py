"""The table in its rarer states: chosen ahead, frozen, away, watched, practice, without script."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from helpers.table_person import CONTRASTS, FITS, PASSWORD, SIZES, TablePerson
from helpers.table_server import table_app
from helpers.threaded_server import threaded_server


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = table_app(tmp_path_factory.mktemp("table"), away_s=1.0)
    with threaded_server(app, ws="websockets-sansio") as where:
        yield where


@pytest.fixture
def person(browser: Browser, address: str) -> Iterator[TablePerson]:
    person = TablePerson(browser, address, **SIZES["360x640"])
    person.sign_up()
    yield person
    assert person.complaints == []
    assert person.foreign == []
    person.close()


PRESS_CALL_WHILE_IT_RESTS = """() => {
  const table = document.getElementById("table");
  const seen = new MutationObserver(() => {
    if (!document.querySelector("#bar.rests #do-call")) return;
    seen.disconnect();
    document.getElementById("do-call").click();
    window.pressed = true;
  });
  seen.observe(table, { subtree: true, childList: true, attributes: true });
}"""


RECORD_MOVES = """() => {
  window.moves = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (path, options) {
    const inFelt = this.closest("#felt") !== null;
    window.moves.push([inFelt ? "bet" : "pot", this.textContent.replace("bet ", "").trim()]);
    return animate.call(this, path, options);
  };
}"""


def test_two_people_see_each_other_away_wait_and_choose_ahead(
    browser: Browser, address: str, person: TablePerson
) -> None:
    other = TablePerson(browser, address, **SIZES["1280x800"], color_scheme="dark")
    other.sign_up()
    for one in (person, other):
        one.page.locator("#sit-1").click()
        one.page.wait_for_url("**/table")
        if one is person:
            assert one.until("waiting") == "waiting"
            assert one.axe() == []
    first, second = (person, other) if _acts_first(person, other) else (other, person)
    assert second.axe() == []
    for pressed in ("true", "false", "true"):  # the big blind's check, which a raise cancels
        second.page.locator("#ahead-call").click()
        second.page.locator(f"#ahead-call[aria-pressed={pressed}]").wait_for()
    second.page.evaluate(PRESS_CALL_WHILE_IT_RESTS)
    second.page.evaluate(RECORD_MOVES)
    first.page.emulate_media(reduced_motion="reduce")
    first.page.evaluate(RECORD_MOVES)
    first.page.keyboard.press("a")
    first.page.keyboard.type("100")
    first.page.keyboard.press("Enter")
    assert second.until("turn") == "turn"
    assert "Call 80" in second.page.locator("#do-call").inner_text()
    # The price changed under the finger: for half a second no button does anything.
    second.page.wait_for_function("window.pressed")
    second.page.wait_for_timeout(700)
    assert second.until("turn") == "turn"
    assert second.page.locator("#bar.rests").count() == 0
    second.act("call")
    # Chips have travelled: the raise to its place, then both bets into the pot.
    second.page.wait_for_function("window.moves.length >= 3")
    moves = second.page.evaluate("window.moves")
    assert ["bet", "100"] in moves
    assert sorted(move for move in moves if move[0] == "pot")[0] == ["pot", "100"]
    second.page.locator(".travels").first.wait_for(state="detached")
    assert first.page.evaluate("window.moves") == []  # who asks for less motion gets none
    # The big blind acts first on the flop; what the other one chooses ahead is done at once.
    second.until("turn")
    first.until("ahead")
    first.page.locator("#ahead-call").click()
    first.page.locator("#ahead-call[aria-pressed=true]").wait_for()
    second.page.locator("#bar:not(.rests)").wait_for()
    flop = second.turn
    second.act("call")
    second.until("turn")
    assert second.turn != flop
    assert second.page.locator(".board .card:not(.slot)").count() == 4
    # All-in, and the other one is to act.
    second.until("turn")
    second.page.locator("#bar:not(.rests)").wait_for()
    second.page.locator("#preset-4").click()
    second.act("raise")
    second.until("waiting")
    assert second.page.locator("#bar-head").inner_text() == "You are all-in"
    assert second.axe() == []
    _is_legible(second)
    first.until("turn")
    assert "All-in" in first.page.locator("#do-call").inner_text()
    assert first.axe() == []
    _is_legible(first)
    first.page.locator("#bar:not(.rests)").wait_for()
    first.act("fold")
    # Who closes the page is away, and the other one sees it.
    first.page.goto(f"{address}/odds")
    second.page.locator("#felt >> text=away").wait_for()
    assert second.axe() == []
    first.page.goto(f"{address}/table")
    second.page.locator("#felt >> text=away").wait_for(state="detached")
    assert other.complaints == []
    other.close()


def _acts_first(one: TablePerson, other: TablePerson) -> bool:
    wanted = "#bar[data-bar=turn], #bar[data-bar=ahead]"
    one.page.locator(wanted).wait_for()
    other.page.locator(wanted).wait_for()
    return bool(one.turn)


def test_the_pages_around_the_table_are_accessible_and_fit(
    address: str, person: TablePerson
) -> None:
    page = person.page
    overflow = "document.documentElement.scrollWidth - innerWidth"
    for path in ("/", "/account", "/play"):
        page.goto(address + path)
        assert person.axe() == []
        assert page.evaluate(overflow) <= 0
    page.locator("#queue-six").click()
    page.locator("#leave-queue, #bar").first.wait_for()
    page.wait_for_url("**/table")
    page.goto(f"{address}/play")
    assert page.locator("#to-table").count() == 1
    assert person.axe() == []
    page.locator("#to-table").tap()
    assert person.until("turn", "ahead", "waiting", "over")


def test_who_does_not_act_is_frozen_and_comes_back(person: TablePerson) -> None:
    person.enter("hasty")
    while person.until("turn", "frozen", "over") == "turn":
        person.page.wait_for_timeout(200)
    assert person.until("frozen", "over") == "frozen"
    assert person.axe() == []
    person.page.reload()
    assert person.until("frozen", "over") == "frozen"
    person.page.keyboard.press("n")
    assert person.until("turn", "ahead", "waiting", "study", "over") in ("turn", "ahead", "waiting")


def test_practice_has_hints_all_cards_and_spoken_words(person: TablePerson) -> None:
    person.practise("always-call", "baseline", stack=100)
    page = person.page
    person.until("turn")
    assert person.axe() == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        _is_legible(person)
    page.locator("#b-hint").click()
    hint = page.locator("#hint").inner_text()
    assert "You win" in hint
    assert re.search(r"\w+ would (fold|check|call|bet|raise)", hint)
    assert person.axe() == []
    for key, words in (("h", "You hold"), ("b", "oard"), ("p", "ot "), ("s", "Stacks: ")):
        page.keyboard.press(key)
        page.wait_for_function(
            "words => document.getElementById('spoken').textContent.includes(words)", arg=words
        )
    page.evaluate(RECORD_MOVES)
    while person.until("turn", "study", "over") == "turn":
        if page.locator("#preset-4").count():
            page.locator("#preset-4").tap()
        person.act("raise" if page.locator("#do-raise").count() else "call")
    if person.until("study", "over") == "study":
        gains = page.locator("#felt .won .gain").all_inner_texts()
        assert gains
        for gain in gains:  # chips travel from the pot to whoever wins
            assert ["pot", gain] in page.evaluate("window.moves")
        shown = page.locator(".pod:not(.out) .pod-cards .card:not(.back)").count()
        assert shown >= 4
        assert page.locator("#felt .back").count() == 0
        assert person.axe() == []
        _is_legible(person)
        page.keyboard.press("n")
        page.locator("#bar:not([data-bar=study])").wait_for()


def test_buttons_that_rest_look_so_when_a_hint_comes(person: TablePerson) -> None:
    person.practise("always-call")
    person.until("turn")
    page = person.page
    # Time stands still, so that no machine is too slow for half a second.
    page.evaluate("performance.now = (now => () => now)(performance.now())")
    person.act("call")
    page.locator("#bar.rests[data-bar=turn]").wait_for()
    page.locator("#b-hint").click()
    page.locator("#hint").wait_for()
    assert page.locator("#bar.rests").count() == 1


def _is_legible(person: TablePerson) -> None:
    person.page.wait_for_timeout(300)  # what has just moved is transparent
    contrasts = person.page.evaluate(CONTRASTS)
    assert len(contrasts) > 10
    assert contrasts[0][0] >= 4.5, contrasts[:4]


def test_keys_can_be_changed_and_switched_off(person: TablePerson) -> None:
    person.enter("heads-up")
    person.until("turn")
    page = person.page
    page.locator("#settings-head").click()
    page.fill("[name=key-call]", "x")
    turn = person.turn
    page.locator("#bar-head").focus()
    page.keyboard.press("c")
    assert person.turn == turn
    page.keyboard.press("x")
    page.wait_for_function("t => document.getElementById('bar').dataset.turn !== t", arg=turn)
    person.until("turn")
    page.locator("[name=keys]").uncheck()
    turn = person.turn
    page.locator("#bar-head").focus()
    page.keyboard.press("x")
    page.wait_for_timeout(300)
    assert person.turn == turn
    page.reload()
    person.until("turn")
    assert not page.locator("[name=keys]").is_checked()
    assert page.locator("[name=key-call]").input_value() == "x"
    assert person.axe() == []


def test_a_spectator_sees_no_hidden_card(
    browser: Browser, address: str, person: TablePerson
) -> None:
    person.enter("six")
    person.until("turn")
    spectator = TablePerson(browser, address, **SIZES["390x844"])
    spectator.sign_up()
    page = spectator.page
    page.locator("a:has-text('Watch six.')").last.click()
    assert spectator.until("watching") == "watching"
    page.locator("#felt .back").first.wait_for()
    mine = [card.get_attribute("aria-label") for card in person.page.locator(".me .card").all()]
    assert len(mine) == 2
    for name in mine:
        assert name is not None
        assert name not in page.content()
    assert spectator.axe() == []
    page.goto(f"{address}/watch/nothing.1-1")
    assert "no table" in page.locator("main").inner_text().lower()
    spectator.complaints.clear()  # chromium's own line for the 404
    spectator.close()


def test_it_plays_without_script(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/account")
    page.fill("#sign-up-name", "plain")
    page.fill("#sign-up-password", PASSWORD)
    page.locator("button:has-text('Sign up')").click()
    page.locator("#queue-heads-up").click()
    while page.locator("#to-table").count() == 0:
        page.wait_for_timeout(300)
        page.goto(f"{address}/play")
    page.locator("#to-table").click()
    acted = 0
    while acted < 4 and page.locator("#bar[data-bar=over]").count() == 0:
        if page.locator("#bar[data-bar=turn]").count():
            page.fill("#amount", page.locator("#amount").get_attribute("min") or "")
            page.locator("#do-raise" if acted == 1 else "#do-call").click()
            acted += 1
        else:
            page.wait_for_timeout(200)
            page.goto(f"{address}/table")
    assert acted == 4
    assert re.search(r"plain (raises to|bets) \d+", page.locator("#log").inner_text())
    context.close()


def test_nine_seats_fit_the_smallest_phone(person: TablePerson) -> None:
    person.practise(*["always-call"] * 8)
    person.until("turn")
    fits = person.page.evaluate(FITS)
    extras = person.page.locator(".ring-menu").bounding_box()
    assert extras is not None
    assert fits["wide"] <= 0
    assert extras["y"] <= fits["height"]
    boxes = [pod.bounding_box() for pod in person.page.locator(".pod").all()]
    assert len(boxes) == 9
    for number, a in enumerate(boxes):
        for b in boxes[number + 1 :]:
            assert a is not None
            assert b is not None
            apart = (
                a["x"] + a["width"] <= b["x"] + 1
                or b["x"] + b["width"] <= a["x"] + 1
                or a["y"] + a["height"] <= b["y"] + 1
                or b["y"] + b["height"] <= a["y"] + 1
            )
            assert apart, (a, b)
