"""The page of odds: numbers, links that keep everything, and addresses that make no sense."""

from __future__ import annotations

import html
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator
from urllib.parse import parse_qs, urlencode

import pytest

from helpers.web_person import Served, serving
from railbird.cards import Card, format_cards
from railbird.errors import BadInput
from railbird.odds import Opponent, reflective_odds
from railbird.report.number_format import percent
from railbird.serve.mounts.odds import OddsQuestion, odds_view

SPOT = {"hole": "AsTh", "board": "Tc8d2c", "o1p": "raise", "o1f": "bet", "pot": "12", "call": "2"}


def links(page: str) -> dict[str, str]:
    """The address behind each card."""
    return {
        card: html.unescape(address)
        for card, address in re.findall(r'id="card-(..)"[^>]* href="/odds\?([^"]*)"', page)
    }


@pytest.fixture(scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    """One server for all: the page keeps nothing."""
    async with serving(f"sqlite:///{tmp_path_factory.mktemp('served')}/x.sqlite3") as one:
        yield one


@pytest.mark.anyio
async def test_the_page_says_what_the_library_says(served: Served) -> None:
    odds = reflective_odds("AsTh", "Tc8d2c", [Opponent.parse("preflop:raise flop:bet")])
    async with served.person() as person:
        answer = await person.client.get("/odds", params=SPOT)
        assert answer.status_code == 200
        for value in (odds.reflective.joint, odds.raw.joint, odds.kept[0]):
            assert percent(value, 1) in answer.text
        assert "<dt>Straight play</dt><dd>call</dd>" in answer.text
        part = await person.client.get("/odds", params=SPOT, headers={"HX-Request": "true"})
        assert part.text.startswith('<section id="odds"')
        assert part.headers["vary"] == "HX-Request"
        empty = await person.client.get("/odds")
        assert "Touch your two cards." in empty.text


@pytest.mark.anyio
async def test_cards_are_set_one_by_one_by_links_alone(served: Served) -> None:
    async with served.person() as person:
        address = "o1f=bet&pot=12"
        for card in ("As", "Th", "Tc", "8d", "2c"):
            page = (await person.client.get(f"/odds?{address}")).text
            assert len(links(page)) == 52
            address = links(page)[card]
        kept = {name: value for name, (value,) in parse_qs(address).items()}
        assert kept == {"hole": "AsTh", "board": "Tc8d2c", "o1f": "bet", "pot": "12"}
        page = (await person.client.get(f"/odds?{address}")).text
        assert parse_qs(links(page)["8d"])["board"] == ["Tc2c"]
        assert parse_qs(links(page)["As"])["hole"] == ["Th"]


@pytest.mark.parametrize(
    "changed",
    [
        {"hole": "AsAs"},
        {"hole": "AsThKd"},
        {"hole": "zz"},
        {"hole": "As" * 1000},
        {"board": "AsTc8d"},
        {"board": "Tc8d2c3c4c5c"},
        {"n": "0"},
        {"n": "10"},
        {"n": "0013"},
        {"n": "٣"},
        {"n": "1e1"},
        {"o1f": "fold"},
        {"o1l": "3"},
        {"pot": "nan"},
        {"pot": "-1"},
        {"call": "x"},
        {"pot": "1e99"},
    ],
)
@pytest.mark.anyio
async def test_addresses_that_make_no_sense_are_refused_in_a_line(
    served: Served, changed: dict[str, str]
) -> None:
    with pytest.raises(BadInput):
        OddsQuestion.parse(SPOT | changed)
    async with served.person() as person:
        answer = await person.client.get("/odds", params=SPOT | changed)
        assert answer.status_code == 422
        assert "Traceback" not in answer.text


def test_an_address_keeps_what_was_set() -> None:
    amounts = {"pot": "123456789.5", "call": "1234567"}
    question = OddsQuestion.parse(SPOT | amounts | {"n": "3", "o3l": "2", "o2t": "check"})
    again = {name: value for name, (value,) in parse_qs(question.address()).items()}
    assert OddsQuestion.parse(again) == question
    assert urlencode(again) == question.address()


def test_half_a_flop_is_no_flop_and_later_actions_wait() -> None:
    early = odds_view(OddsQuestion.parse(SPOT | {"board": "Tc8d"}))
    assert "1 more for the flop" in early["next"]
    before = odds_view(OddsQuestion.parse(SPOT | {"board": ""}))
    assert early["rows"] == before["rows"]
    assert not early["problem"]


def test_cards_that_leave_an_opponent_nothing_are_said() -> None:
    nobody = odds_view(OddsQuestion.parse({"hole": "AsTh", "o1p": "raise", "n": "9"}))
    assert not nobody["problem"]
    nine_raisers = {f"o{i}p": "raise" for i in range(1, 10)} | {
        f"o{i}l": "0.5" for i in range(1, 10)
    }
    assert odds_view(OddsQuestion.parse({"hole": "AsTh", "n": "9", **nine_raisers}))["rows"]


def _calls(question: OddsQuestion) -> int:
    """Count the calls of functions in an answer."""
    odds_view(question)  # what is kept for later answers
    events: Counter[str] = Counter()
    sys.setprofile(lambda _frame, event, _what: events.update([event]))
    try:
        odds_view(question)
    finally:
        sys.setprofile(None)
    return events["call"]


@pytest.mark.parametrize(
    "more",
    [{}, {"o2f": "call"}, {"board": ""}, {"board": "Tc8d2c4d"}],
    ids=str,
)
def test_nine_opponents_take_less_than_twice_the_work_of_one(more: dict[str, str]) -> None:
    """Counted in calls of functions; ``tests/bench odds`` measures the time."""
    calls = {n: _calls(OddsQuestion.parse(SPOT | more | {"n": n})) for n in ("1", "9")}
    assert calls["9"] < 2 * calls["1"]
    assert calls["9"] < 20_000


def test_every_card_has_a_name() -> None:
    view = odds_view(OddsQuestion.parse(SPOT))
    cards = [card for suit in view["suits"] for card in suit["cards"]]
    assert len({card["name"] for card in cards}) == 52
    assert sum(card["where"] == "hand" for card in cards) == 2
    names = {card["id"] for card in cards}
    assert names == {f"card-{format_cards([Card(each)])}" for each in range(52)}
