"""The table as Chromium plays it: whole tournaments by keys and by touch, in every state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from helpers.web_person import (
    CONTRASTS,
    FITS,
    PASSWORD,
    SIZES,
    TablePerson,
    table_app,
    threaded_server,
)


@pytest.fixture(scope="module")
def table_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
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


@pytest.mark.slow(only=["360x640-dark-False"])
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
    browser: Browser, table_address: str, size: str, scheme: str, by_keyboard: bool
) -> None:
    person = _person(browser, table_address, color_scheme=scheme, **SIZES[size])
    assert _tournament(person, by_keyboard=by_keyboard) > 0
    assert person.page.locator("#bar-head").inner_text().startswith(("You are out", "You finish"))
    expect(person.page.locator("#to-report")).to_have_attribute("href", re.compile("^/games/"))
    assert person.axe() == []
    assert person.complaints == []
    assert person.foreign == []
    person.close()


@pytest.mark.slow
def test_a_reload_comes_back_to_the_same_state_and_a_second_tab_takes_over(
    browser: Browser, table_address: str
) -> None:
    person = _person(browser, table_address, **SIZES["360x640"])
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
    second.goto(f"{table_address}/table")
    person.until("turn")
    assert person.turn == turn
    first.locator("#bar[data-bar=elsewhere]").wait_for()
    person.act("call")
    first.locator("#bar a").click()
    first.locator("#bar:not([data-bar=elsewhere])").wait_for()
    second.locator("#bar[data-bar=elsewhere]").wait_for()
    person.close()


@pytest.mark.slow
def test_two_hundred_swaps_leave_the_focus_and_a_half_typed_amount(
    browser: Browser, table_address: str
) -> None:
    person = _person(browser, table_address, **SIZES["1280x800"])
    pushes: list[str | bytes] = []
    person.page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda frame: pushes.append(frame))
    )
    person.enter("heads-up")
    person.until("turn")
    page = person.page
    pushes.clear()
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
    assert swaps == 200 + len(pushes), "the server's own among them"
    assert page.evaluate("document.activeElement.id") == "amount"
    assert page.locator("#amount").input_value() == "123"
    page.keyboard.type("4")
    assert page.locator("#amount").input_value() == "1234"
    assert "1,234" in page.locator("#do-raise").inner_text()
    assert person.complaints == []
    person.close()


@pytest.mark.slow
def test_a_page_is_small_and_rests_at_anothers_turn(browser: Browser, table_address: str) -> None:
    person = _person(browser, table_address, **SIZES["1280x800"])
    sizes: dict[str, int] = {}

    def weigh(request: Any) -> None:
        if "socket" not in request.url:
            sizes[request.url] = request.sizes()["responseBodySize"]  # as it was sent

    person.enter("heads-up")
    person.until("turn")
    person.page.on("requestfinished", weigh)
    session = person.context.new_cdp_session(person.page)
    session.send("Network.enable")  # without which the next command does nothing
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})  # as at the first visit
    person.page.reload()
    person.until("turn")
    person.page.wait_for_load_state("networkidle")
    assert min(sizes.values()) > 0, "nothing comes from a cache"
    assert 10_000 < sum(sizes.values()) < 120_000, sizes
    session.send("Performance.enable")

    def drawn() -> dict[str, float]:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return {one["name"]: one["value"] for one in metrics if one["name"].endswith("Count")}

    person.page.wait_for_timeout(1000)
    before = drawn()
    person.page.wait_for_timeout(3000)
    work = {name: count - before[name] for name, count in drawn().items()}
    assert max(work["LayoutCount"], work["RecalcStyleCount"]) < 30, "60 a second are an animation"
    person.close()


# The table in its rarer states: chosen ahead, frozen, away, watched, practice, without script.


@pytest.fixture(scope="module")
def table_states_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = table_app(tmp_path_factory.mktemp("table"), away_s=1.0)
    with threaded_server(app, ws="websockets-sansio") as where:
        yield where


@pytest.fixture
def person(browser: Browser, table_states_address: str) -> Iterator[TablePerson]:
    person = TablePerson(browser, table_states_address, **SIZES["360x640"])
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


@pytest.mark.slow
def test_two_people_see_each_other_away_wait_and_choose_ahead(
    browser: Browser, table_states_address: str, person: TablePerson
) -> None:
    other = TablePerson(browser, table_states_address, **SIZES["1280x800"], color_scheme="dark")
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
    ahead = second.page.locator("#ahead-call").bounding_box()
    second.page.evaluate(PRESS_CALL_WHILE_IT_RESTS)
    second.page.evaluate(RECORD_MOVES)
    first.page.emulate_media(reduced_motion="reduce")
    first.page.evaluate(RECORD_MOVES)
    first.page.keyboard.press("a")
    first.page.keyboard.type("100")
    first.page.keyboard.press("Enter")
    assert second.until("turn") == "turn"
    assert "Call 80" in second.page.locator("#do-call").inner_text()
    call = second.page.locator("#do-call").bounding_box()
    assert ahead is not None
    assert call is not None
    assert ahead["y"] == pytest.approx(call["y"], abs=1), "a finger need not look for the buttons"
    # The price changed under the finger: for half a second no button does anything.
    second.page.wait_for_function("window.pressed")
    second.page.locator("#bar:not(.rests)").wait_for()
    assert second.until("turn") == "turn"
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
    first.page.goto(f"{table_states_address}/odds")
    second.page.locator("#felt >> text=away").wait_for()
    assert second.axe() == []
    first.page.goto(f"{table_states_address}/table")
    second.page.locator("#felt >> text=away").wait_for(state="detached")
    assert other.complaints == []
    other.close()


def _acts_first(one: TablePerson, other: TablePerson) -> bool:
    wanted = "#bar[data-bar=turn], #bar[data-bar=ahead]"
    one.page.locator(wanted).wait_for()
    other.page.locator(wanted).wait_for()
    return bool(one.turn)


@pytest.mark.slow
def test_the_pages_around_the_table_are_accessible_and_fit(
    table_states_address: str, person: TablePerson
) -> None:
    page = person.page
    overflow = "document.documentElement.scrollWidth - innerWidth"
    for path in ("/", "/account", "/play"):
        page.goto(table_states_address + path)
        assert person.axe() == []
        assert page.evaluate(overflow) <= 0
    page.locator("#queue-six").click()
    page.locator("#leave-queue, #bar").first.wait_for()
    page.wait_for_url("**/table")
    page.goto(f"{table_states_address}/play")
    assert page.locator("#to-table").count() == 1
    assert person.axe() == []
    page.locator("#to-table").tap()
    assert person.until("turn", "ahead", "waiting", "over")


@pytest.mark.slow
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


@pytest.mark.slow
def test_practice_has_hints_all_cards_and_spoken_words(person: TablePerson) -> None:
    person.practise("always-call", "baseline", stack=100)
    page = person.page
    person.until("turn")
    assert person.axe() == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        _is_legible(person)
    page.locator("#b-hint").click()
    assert re.match(r"(Fold|Check|Call|Bet|Raise).*%", page.locator("#hint summary").inner_text())
    page.locator("#hint summary").click()
    hint = page.locator("#hint").inner_text()
    assert "You win" in hint
    assert re.search(r"\w+ would (fold|check|call|bet|raise)", hint)
    page.locator("#hint summary").click()
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


@pytest.mark.slow
def test_folded_cards_are_shown_by_a_button_in_practice(person: TablePerson) -> None:
    person.practise("always-raise")
    while person.until("turn", "study") == "turn":
        person.act("fold")
    button = person.page.locator("#b-show")
    assert button.inner_text() == "Show my cards"
    assert person.axe() == []
    button.click()
    button.wait_for(state="detached")
    assert "by choice" in (person.page.locator("body").text_content() or "")


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_spectator_sees_no_hidden_card(
    browser: Browser, table_states_address: str, person: TablePerson
) -> None:
    person.enter("six")
    person.until("turn")
    spectator = TablePerson(browser, table_states_address, **SIZES["390x844"])
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
    page.goto(f"{table_states_address}/watch/nothing.1-1")
    assert "no table" in page.locator("main").inner_text().lower()
    spectator.complaints.clear()  # chromium's own line for the 404
    spectator.close()


@pytest.mark.slow
def test_it_plays_without_script(browser: Browser, table_states_address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{table_states_address}/account")
    page.fill("#sign-up-name", "plain")
    page.fill("#sign-up-password", PASSWORD)
    page.locator("button:has-text('Sign up')").click()
    page.locator("#queue-heads-up").click()
    while page.locator("#to-table").count() == 0:
        page.wait_for_timeout(300)
        page.goto(f"{table_states_address}/play")
    page.locator("#to-table").click()
    acted = 0
    while acted < 4 and page.locator("#bar[data-bar=over]").count() == 0:
        if page.locator("#bar[data-bar=turn]").count():
            page.fill("#amount", page.locator("#amount").get_attribute("min") or "")
            page.locator("#do-raise" if acted == 1 else "#do-call").click()
            acted += 1
        else:
            page.wait_for_timeout(200)
            page.goto(f"{table_states_address}/table")
    assert acted == 4
    assert re.search(r"You (raise to|bet) \d+", page.locator("#log").inner_text())
    context.close()


@pytest.mark.slow
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
