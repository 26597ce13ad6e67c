"""Tables of other games than hold'em as Chromium plays them: whole tournaments, and practice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

import pytest
from playwright.sync_api import Browser

from helpers.web_person import CONTRASTS, FITS, SIZES, TablePerson, table_app, threaded_server
from railbird.cards import VARIANTS, Variant
from railbird.game import Betting
from railbird.hosting.formats import TournamentFormat
from railbird.serve.formats_file import Games
from railbird.tournament import parse_schedule

GAMES = ("omaha-hilo", "omaha6", "double-board-omaha", "irish", "stud-hilo", "27-triple", "badugi")
VISIBLE = """() => [...document.querySelectorAll(".pod.me .card")].map((card) => {
  const box = card.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width * .2, box.top + box.height * .2);
  return card.contains(top) && box.left >= 0 && box.right <= innerWidth;
})"""
"""Whether the corner of each own card, with its rank, is seen."""


def form_of(variant: str) -> TournamentFormat:
    return TournamentFormat(
        name=variant,
        variant=variant,
        betting=Betting.LIMIT
        if VARIANTS[variant].has_bring_in or VARIANTS[variant].draws
        else Betting.POT_LIMIT,
        seats=6,
        stack=400,
        schedule=parse_schedule("10/20x4,40/80x4,200/400x9"),
        house_after=0.3,
        house=("sensible", "always-call", "random"),
        rated=False,
    )


def own_sizes(variant: Variant) -> set[int]:
    """How many cards a seat has on each street."""
    dealt = (street.down + street.up - street.discard for street in variant.streets)
    return set(accumulate(dealt))


def draw(person: TablePerson, number: int) -> None:
    """Mark some cards in one of the ways that there are, look, and throw them away."""
    page, turn = person.page, person.turn
    cards = page.locator("#bar [name=cards]")
    names = [card.get_attribute("value") or "" for card in cards.all()]
    own = set(names)
    has_to = int(page.locator("#draw-words").get_attribute("data-least") or 0)
    if has_to:
        assert page.locator("#do-call").is_disabled()
    thrown = names[: has_to or number % 4]
    page.locator("#bar:not(.rests)").wait_for()
    for place, name in enumerate(thrown, 1):
        match (number + place) % 3:
            case 0:
                page.keyboard.press(str(place))
            case 1:
                person.press(page.locator(f"label:has(#throw-{name})"), by_keyboard=False)
            case _:
                page.locator(f'#felt .me .card[id$="{name}"]').dispatch_event("click")
    words = f"Draw {len(thrown)}" if thrown else "Stand pat"
    if has_to:
        words = f"Throw {has_to} away"
    assert page.locator("#draw-words").inner_text() == words
    assert page.locator("#felt .me .card.thrown").count() == len(thrown)
    assert person.axe() == []
    person.act("call", by_keyboard=number % 2 == 1)
    page.wait_for_function("turn => document.getElementById('bar').dataset.turn !== turn", arg=turn)
    lines = " ".join(page.locator("#log .log-mine").all_inner_texts())
    said = "You draw" if thrown else "You stand pat"
    assert (f"You throw {has_to} away" if has_to else said) in lines
    assert own


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    games = Games(tournaments=tuple(map(form_of, GAMES)))
    app = table_app(tmp_path_factory.mktemp("games"), games=games)
    with threaded_server(app, ws="websockets-sansio") as where:
        yield where


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["360x640", "390x844", "1280x800"])
@pytest.mark.parametrize("variant", GAMES)
def test_a_whole_tournament(
    browser: Browser, address: str, variant: str, size: str, scheme: str
) -> None:
    person = TablePerson(browser, address, color_scheme=scheme, **SIZES[size])
    person.sign_up()
    person.enter(variant)
    decisions = 0
    while person.until("turn", "over") == "turn":
        fits = person.page.evaluate(FITS)
        assert fits["wide"] <= 0
        assert fits["bottom"] <= fits["height"], person.bar.inner_html()
        visible = person.page.evaluate(VISIBLE)
        assert all(visible)
        assert len(visible) in own_sizes(VARIANTS[variant])
        if not decisions % 4:
            assert person.axe() == []
            contrasts = person.page.evaluate(CONTRASTS)
            assert contrasts[0][0] >= 4.5, contrasts[:4]
        if person.page.locator("#draw-words").count():
            draw(person, decisions)
            decisions += 1
            continue
        can_raise = person.page.locator("#do-raise").count() > 0
        person.act("raise" if can_raise and decisions % 3 == 1 else "call")
        decisions += 1
    assert decisions
    log = person.page.locator("#log").inner_text()
    if person.page.locator("#log .log-show").count() and len(VARIANTS[variant].shares) > 1:
        assert "High:" in log
    assert person.axe() == []
    person.page.locator("#to-report").click()
    person.page.locator("a[href*='/hands/']").first.click()
    person.page.locator("#replay").wait_for()
    person.page.locator("#end").click()
    person.page.locator(".steps .off", has_text="Last").wait_for()
    assert person.page.locator("#replay .pod .card:not(.back)").count()
    if VARIANTS[variant].draws:
        drawn = person.page.locator("#replay .hand-log")
        assert "First draw" in drawn.inner_text() or "folds" in drawn.inner_text()
    assert person.axe() == []
    assert person.complaints == []
    person.close()


@pytest.mark.slow
def test_practice_of_another_game(browser: Browser, address: str) -> None:
    person = TablePerson(browser, address, **SIZES["1280x800"])
    person.page.goto(f"{address}/play")
    form = person.page.locator("#other")
    form.locator("select[name=variant]").select_option("omaha-hilo")
    form.locator("select[name=copies]").select_option("2")
    form.locator("> button").click()
    person.page.wait_for_url("**/table")
    assert person.until("turn") == "turn"
    assert person.page.evaluate(VISIBLE) == [True] * 4
    person.page.locator("#b-hint").click()
    person.page.locator("#hint summary").wait_for()
    assert "against any 4 cards" in person.page.locator("#hint").inner_text()
    assert person.axe() == []
    person.act("fold" if person.page.locator("#do-fold").count() else "call")
    assert person.complaints == []
    person.close()
