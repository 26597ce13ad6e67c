"""The pages at the sizes of phones, upright and on their side, and of a desk: nothing is hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from helpers.site_texts import CUT
from helpers.web_person import SIZES as ALL_SIZES
from helpers.web_person import TablePerson, table_app, threaded_server

SIZES: Final[dict[str, dict[str, Any]]] = {
    "360x740": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
    "390x844": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "740x360": {"viewport": {"width": 740, "height": 360}, "has_touch": True, "is_mobile": True},
    "1280x800": {"viewport": {"width": 1280, "height": 800}},
    "1920x1080": {"viewport": {"width": 1920, "height": 1080}},
}
PAGES = (
    *("/", "/play", "/account", "/odds?hole=AsTh&board=Tc8d2c&n=3", "/report", "/puzzles"),
    *("/results", "/ratings", "/crosstable", "/pushfold", "/blackjack", "/spots"),
)
MORE_PAGES = ("/lifetime", "/drills", "/drills/puzzle", "/drills/drill", "/operate", "/nothing")

BEYOND = """() => ({
  wide: document.documentElement.scrollWidth - innerWidth,
  links: [...document.querySelectorAll(".top a")].filter((link) => {
    const place = link.getBoundingClientRect();
    return place.left < 0 || place.right > innerWidth;
  }).map((link) => link.textContent.trim()),
})"""

SMALL = """() => [...document.querySelectorAll("a, button, summary, select, input, textarea")]
  .filter((control) => {
    if (!control.checkVisibility({ visibilityProperty: true }) || control.disabled) return false;
    if (control.closest(".unseen, .skip, svg, [hidden]")) return false;
    // A link within words, and a box whose label is as large as a finger, are no buttons.
    if (control.matches("a") && control.closest("p, li, td, th, dd, figcaption")) return false;
    const area = control.matches("[type=checkbox], [type=radio]") && control.closest("label");
    const { width, height } = (area || control).getBoundingClientRect();
    return width > 1 && height > 1 && height < 43.5;
  })
  .map(({ nodeName, id, textContent }) => `${nodeName} ${id} ${textContent.trim().slice(0, 30)}`)"""
"""Controls that are too low for a finger, which needs 44 pixels."""


HIDDEN = """() => {
  const inSight = (element) => {
    const { top, left, bottom, right } = element.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  };
  const isOnTop = (element) => {
    const place = element.getBoundingClientRect();
    const found = document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2);
    return element.contains(found);
  };
  const wanted = "#bar button:not(.unseen), #bar input:not([type=hidden]), .me .card, #hint";
  return [...document.querySelectorAll(wanted)]
    .filter((element) => element.checkVisibility() && !(inSight(element) && isOnTop(element)))
    .map((element) => `${element.id} ${element.className}`);
}"""
"""What a turn needs that is beside the window or below something else; nothing was scrolled."""

CHIPS_OVER = """() => {
  for (const pod of document.querySelectorAll(".pod:not(.me)")) {
    pod.querySelector(".pod-bet").innerHTML = "<span class=chip>1,950</span>";
    pod.querySelector(".pod-act").textContent = "Raise";
  }
  const wanted = ".pod-act, .pod-name b, .pod-stack, .pots, .board > *, #ticker li";
  const read = [...document.querySelectorAll(wanted)].filter((element) =>
    element.checkVisibility({ visibilityProperty: true })).map((element) => {
      const range = document.createRange();
      if (element.matches(".board > *")) range.selectNode(element);
      else range.selectNodeContents(element);
      return [`${element.className} ${element.textContent.trim()}`, range.getBoundingClientRect()];
    });
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5;
  return [...document.querySelectorAll(".pod:not(.me) .chip, #bar")].flatMap((chip) =>
    read.filter(([, place]) => place.width && meet(chip.getBoundingClientRect(), place))
      .map(([name]) => `${chip.closest("li")?.className ?? "bar"} over ${name}`));
}"""
"""Words and cards that bets or buttons lie over, if everybody else has bet a lot."""

ADD_UP_SHIFTS = """new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) {
    const told = JSON.parse(sessionStorage.getItem("shifts") || "[]");
    const moved = shift.sources.map(({ node, previousRect: from, currentRect: to }) =>
      `${node?.id || node?.className || node?.nodeName} ${from.x},${from.y} to ${to.x},${to.y}`);
    told.push([shift.value, location.pathname, moved]);
    sessionStorage.setItem("shifts", JSON.stringify(told));
  }
}).observe({ type: "layout-shift", buffered: true });"""
"""Of all pages of a tab, and of those shifts as well that follow a touch, which browsers excuse:
house players that answer at once are no excuse."""

LINES_AFTER_SWAP = """(whose) => {
  const log = document.getElementById("log"), next = log.cloneNode(true);
  [...next.children].slice(0, 5).forEach((line) => line.remove());
  if (whose !== "as before") next.children[1].textContent = whose;
  const fragment = document.createDocumentFragment();
  fragment.append(next);
  const detail = { tasks: [{ target: null, fragment }, { target: log, fragment }] };
  document.dispatchEvent(new CustomEvent("htmx:before:swap", { detail }));
  return [log.children.length, next.children.length];
}"""
"""Of the log before and after, where the server sends all but five: counted at one moment."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = table_app(tmp_path_factory.mktemp("screens"))
    with threaded_server(app, ws="websockets-sansio") as where:
        yield where


@pytest.mark.slow
def test_no_page_and_no_link_of_its_head_goes_beyond_the_screen(
    browser: Browser, address: str
) -> None:
    person = TablePerson(browser, address, **SIZES["390x844"])
    person.sign_up()
    for path in PAGES:
        person.page.goto(address + path)
        for size in SIZES.values():
            person.page.set_viewport_size(size["viewport"])
            assert person.page.evaluate(BEYOND) == {"wide": 0, "links": []}, (path, size)
    person.close()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["360x640", *list(SIZES)[1:]])
def test_axe_has_nothing_to_say_of_any_page_and_phones_have_targets_for_fingers(
    browser: Browser, address: str, size: str, scheme: str
) -> None:
    width, height = map(int, size.split("x"))
    is_phone = width < 800
    options = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
    person = TablePerson(browser, address, has_touch=is_phone, is_mobile=is_phone, **options)
    person.sign_up()
    problems = {}
    for path in (*PAGES, *MORE_PAGES):
        person.page.goto(address + path)
        problems[path] = person.axe()
        problems[path] += person.page.evaluate(SMALL) if is_phone else []
        if person.page.evaluate(BEYOND)["wide"] > 0:
            problems[path].append("is wider than the screen")
    assert {path: found for path, found in problems.items() if found} == {}
    person.close()


@pytest.mark.slow(but=["740x360"])
@pytest.mark.parametrize("size", SIZES)
def test_all_that_a_turn_needs_is_in_sight_and_so_is_a_hint(
    browser: Browser, address: str, size: str
) -> None:
    person = TablePerson(browser, address, **SIZES[size])
    person.sign_up()
    person.practise("baseline", "always-call", "tight", "tight", "tight")
    person.until("turn")
    assert person.page.locator("#bar button:not(.unseen)").count() == 9
    assert person.page.evaluate(HIDDEN) == []
    person.press(person.page.locator("#b-hint"), by_keyboard=False)
    person.page.locator("#hint").wait_for()
    assert person.page.evaluate(HIDDEN) == []
    # Other cards have a longer hint, on a phone on its side than there is room for: it scrolls.
    person.page.locator("#hint li").last.evaluate("line => { line.append(' ' + line.innerText); }")
    assert person.page.evaluate(HIDDEN) == []
    assert person.page.evaluate("scrollY") == 0
    # Its reasons may lie over the cards, but over nothing that is to be pressed.
    person.press(person.page.locator("#hint summary"), by_keyboard=False)
    person.page.locator("#hint li").last.wait_for()
    assert [name for name in person.page.evaluate(HIDDEN) if "card" not in name] == []
    person.close()


@pytest.mark.slow
@pytest.mark.parametrize("opponents", [5, 8])
@pytest.mark.parametrize("size", SIZES)
def test_no_bet_lies_over_words_or_the_board(
    browser: Browser, address: str, size: str, opponents: int
) -> None:
    person = TablePerson(browser, address, **SIZES[size])
    person.sign_up()
    person.practise(*["tight"] * opponents)
    person.until("turn")
    assert person.page.evaluate(CHIPS_OVER) == []
    person.press(person.page.locator("#b-hint"), by_keyboard=False)
    person.page.locator("#hint").wait_for()
    assert person.page.evaluate(CHIPS_OVER) == []
    person.close()


@pytest.mark.slow
def test_names_in_tables_are_whole(browser: Browser, address: str) -> None:
    """A table that is too wide scrolls: no name is broken where its cell ends."""
    person = TablePerson(browser, address, **SIZES["360x740"])
    person.sign_up()
    person.enter("six")
    while person.until("turn", "over") == "turn":
        person.act("call")
    game = person.page.locator("#to-report").get_attribute("href")
    person.page.locator("#bar .places").or_(
        person.page.locator("#bar a[href^='/watch']")
    ).wait_for()
    broken = """() => [...document.querySelectorAll("tbody :is(th, td)")].filter((cell) => {
      const link = cell.querySelector("a") ?? cell;
      const range = document.createRange();
      range.selectNodeContents(link);
      const text = link.textContent.trim();
      const lines = new Set([...range.getClientRects()].map((at) => at.top));
      return !/[ -]/.test(text) && lines.size > 1;
    }).map((cell) => cell.textContent.trim())"""
    for path in (game, "/ratings", "/crosstable"):
        person.page.goto(f"{address}{path}")
        while not person.page.locator("tbody tr").count():  # the result is on its way
            person.page.goto(f"{address}{path}")
        assert person.page.evaluate(broken) == [], path
    person.close()


@pytest.mark.slow(only=["360x740"])
@pytest.mark.parametrize(
    "size",
    [
        "360x740",
        pytest.param("360x640", marks=pytest.mark.slow),
        pytest.param("740x360", marks=pytest.mark.slow),
        pytest.param("390x844", marks=pytest.mark.slow),
        pytest.param("1280x800", marks=pytest.mark.slow),
        pytest.param("1920x1080", marks=pytest.mark.slow),
    ],
)
def test_nothing_moves_during_a_tournament_and_nothing_is_cut_after_it(
    browser: Browser, address: str, size: str
) -> None:
    person = TablePerson(browser, address, **(SIZES | ALL_SIZES)[size])
    person.sign_up()
    person.context.add_init_script(ADD_UP_SHIFTS)
    person.page.goto(f"{address}/play")
    person.enter("six")
    decisions = 0
    while person.until("turn", "over") == "turn":
        assert person.page.evaluate(HIDDEN) == []
        can_raise = person.page.locator("#do-raise").count() > 0
        person.act("raise" if can_raise and decisions % 3 == 1 else "call")
        decisions += 1
    person.page.locator("#bar .places").or_(
        person.page.locator("#bar a[href^='/watch']")
    ).wait_for()
    assert decisions
    shifts = json.loads(person.page.evaluate("sessionStorage.getItem('shifts')") or "[]")
    assert sum(value for value, *_ in shifts) <= 0.05, shifts
    assert person.page.locator("#log li").first.inner_text().startswith("Table six")
    before, after = person.page.evaluate(LINES_AFTER_SWAP, "as before")
    assert after == before
    before, after = person.page.evaluate(LINES_AFTER_SWAP, "another table's")
    assert after == before - 5
    for path in (person.page.locator("#to-report").get_attribute("href"), *PAGES):
        person.page.goto(f"{address}{path}")
        assert person.page.evaluate(CUT) == [], path
    person.close()


WITH_SIDE_POTS = """(count) => {
  const pots = document.querySelector(".pots"), number = () => {
    const { x, y } = pots.querySelector("b").getBoundingClientRect();
    return [Math.round(x), Math.round(y)];
  };
  const before = [number(), document.querySelector(".board").getBoundingClientRect().y];
  const names = ["Tess", "Bartholomew", "Lena"];
  pots.innerHTML = "<span>Main pot <b>12,345</b></span>" + names.slice(0, count).map((name) =>
    ` <span>Side pot <b>1,950</b><span class=who-can> ${name}, You</span></span>`).join("");
  return [before, [number(), document.querySelector(".board").getBoundingClientRect().y]];
}"""
"""Where the number of the pot and the board are, without side pots and with some."""


@pytest.mark.slow
def test_side_pots_move_neither_the_pot_nor_the_board(browser: Browser, address: str) -> None:
    person = TablePerson(browser, address, **ALL_SIZES["360x640"])
    person.sign_up()
    person.practise("always-call", "always-call", "always-call")
    person.until("turn")
    for size in ALL_SIZES.values():
        person.page.set_viewport_size(size["viewport"])
        for count in (1, 3):
            before, after = person.page.evaluate(WITH_SIDE_POTS, count)
            assert before == after, (size, count)
    person.close()


@pytest.mark.slow
def test_chips_to_add_move_no_button_and_a_notice_hides_no_seat(
    browser: Browser, address: str
) -> None:
    person = TablePerson(browser, address, **ALL_SIZES["360x640"])
    person.sign_up()
    page = person.page
    page.fill("#buy-1", "1000")
    page.locator("#sit-1").tap()
    person.until("waiting")
    assert page.locator("#bar-head").inner_text() == "Nobody else is here yet"
    before = page.locator("#b-sit_out").bounding_box()
    page.locator("#b-buy").click()
    page.locator(".buy").wait_for(state="detached")
    assert page.locator("#b-sit_out").bounding_box() == before
    page.locator("#notice").evaluate(
        "notice => { notice.textContent = 'It is too late for this.'; }"
    )
    notice, felt = (page.locator(name).bounding_box() for name in ("#notice", "#felt"))
    assert notice is not None
    assert felt is not None
    assert notice["y"] + notice["height"] <= felt["y"] + 1
    page.keyboard.press("Escape")
    assert page.locator("#notice").inner_text() == ""
    person.close()


@pytest.mark.slow
def test_no_amount_but_the_typed_one_is_sent_and_a_refusal_is_said_until_the_next_try(
    browser: Browser, address: str
) -> None:
    person = TablePerson(browser, address, **ALL_SIZES["390x844"])
    person.sign_up()
    person.practise("always-call")
    person.until("turn")
    page, turn = person.page, person.turn
    page.fill("#amount", "-1")
    assert page.locator("#do-raise").inner_text().endswith("\u2026")
    assert page.locator("#in-blinds").inner_text() == ""
    page.locator("#do-raise").tap()
    page.locator("#notice", has_text="'-1' is no amount; allowed: 40 to").wait_for()
    assert person.turn == turn
    person.act("call")
    assert page.locator("#notice").inner_text() == ""
    person.close()


@pytest.mark.slow
def test_that_the_server_does_not_respond_is_said_while_it_is_true(
    browser: Browser, address: str
) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{address}/pushfold")
    page.context.set_offline(True)
    page.locator("#game button").last.click()
    page.locator("#notice:has-text('does not respond')").wait_for()
    page.context.set_offline(False)
    page.locator("#game button").last.click()
    page.locator("#game button[value=fold]").wait_for()
    assert page.locator("#notice").inner_text() == ""
    page.context.close()


HANDS_OVER = """() => {
  const places = (wanted) => [...document.querySelectorAll(wanted)]
    .filter((element) => element.checkVisibility()).flatMap((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return [...range.getClientRects()].map((place) => [element.textContent.trim(), place]);
    });
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5;
  return places(".made span").flatMap(([words, place]) => places(".pod-name b, .pod-stack")
    .filter(([, name]) => meet(place, name)).map(([name]) => `${words} over ${name}`));
}"""
"""Hands named at the end that lie over names and stacks of players."""


@pytest.mark.slow
def test_hands_that_are_named_lie_over_no_player_and_a_turn_is_said_first(
    browser: Browser, address: str
) -> None:
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    person = TablePerson(browser, address, **phone)
    person.sign_up()
    person.practise("always-call", "always-call", "always-call")
    while person.until("turn", "study") == "turn":
        # The line of news is cut where it is too long, but this of it is always seen.
        assert person.page.locator("#ticker").inner_text().startswith("Your turn")
        person.act("call")
    assert person.page.locator(".made span:visible").count()
    assert person.page.evaluate(HANDS_OVER) == []
    for size in SIZES.values():
        person.page.set_viewport_size(size["viewport"])
        assert person.page.evaluate(HANDS_OVER) == [], size
    person.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", ["390x844", "740x360", "1280x800"])
def test_what_friends_say_moves_nothing_and_ends_with_what_is_new(
    browser: Browser, address: str, size: str
) -> None:
    owner = TablePerson(browser, address, **SIZES[size])
    owner.context.add_init_script(ADD_UP_SHIFTS)
    page = owner.page
    page.goto(f"{address}/play")
    form = page.locator("#friends form")
    form.locator("[name=nick]").fill(f"Ann{size.partition('x')[0]}")
    form.locator("[name=house]").select_option("0")
    form.locator("button").click()
    owner.until("waiting")
    # From here on: the form before it is another page's.
    page.evaluate("sessionStorage.setItem('shifts', '[]')")
    friend = TablePerson(browser, address, **SIZES["390x844"])
    friend.page.goto(f"{address}{page.locator('#invitation').get_attribute('href')}")
    friend.page.fill("[name=nick]", "Bo")
    friend.page.locator("#sit-down").click()
    owner.until("turn", "ahead")
    for number in range(1, 6):
        friend.page.locator(f"#react-{number}").click()
        page.locator(f"#said li:nth-child({number})").wait_for()
    page.locator("#say-text").fill("a line that has to be wrapped on every screen " * 2)
    page.locator("#b-say").click()
    page.locator("#said li:nth-child(6)").wait_for()
    shifts = json.loads(page.evaluate("sessionStorage.getItem('shifts')") or "[]")
    assert sum(value for value, *_ in shifts) <= 0.05, shifts
    rest = "(said => said.scrollHeight - said.clientHeight - said.scrollTop)"
    page.wait_for_function(f"{rest}(document.getElementById('said')) < 2")
    assert owner.axe() == []
    owner.close()
    friend.close()
