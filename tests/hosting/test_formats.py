"""Formats: validated, and the same after being written as text."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest

from railbird.errors import BadInput
from railbird.game import Betting, parse_rake
from railbird.hosting.formats import (
    Clocks,
    Freeze,
    LevelBy,
    RingFormat,
    TournamentFormat,
    format_text,
    ring_format,
    tournament_format,
)
from railbird.tournament import parse_payouts, parse_schedule
from railbird.tournament.schedule import Refill, Stages


def test_every_format_is_read_back_from_its_text() -> None:
    for form in (
        TournamentFormat(name="six"),
        TournamentFormat(name="fine", payouts=(1 - Fraction(1, 10**18), Fraction(1, 10**18))),
        TournamentFormat(
            name="all-different",
            betting=Betting.POT_LIMIT,
            seats=20,
            table_seats=5,
            stack=300,
            schedule=parse_schedule("5/10/1x3,10/20/2x4"),
            level_by=LevelBy.MINUTES,
            stages=Stages.SHOOT_OUT,
            fee=3,
            payouts=parse_payouts("50/30/20"),
            clocks=Clocks(limit=1.5, bank=0, refill=None, lag=0),
            freeze=Freeze.FOLD,
            rated=False,
            house_after=None,
            house=("booker:4", "random"),
            starts_at=datetime(2030, 1, 1, tzinfo=UTC),
        ),
    ):
        assert tournament_format(format_text(form)) == form
    for won in (500, 0):
        ring = RingFormat(name="r", rake=parse_rake("5%,cap=3"), opened_by=("small", won))
        assert ring_format(format_text(ring)) == ring


@pytest.mark.parametrize("shares", ["[0.99999, 0.00001]", '[".7", "30e-2"]', '["0.7", 0.3]', "[1]"])
def test_shares_of_the_prize_money_are_read_as_people_and_json_write_them(shares: str) -> None:
    assert sum(tournament_format(f'{{"name": "x", "payouts": {shares}}}').payouts) == 1


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": "a b"}, "letters"),
        ({"name": ""}, "letters"),
        ({"seats": 1}, "2 to 1,000"),
        ({"seats": 1_001}, "2 to 1,000"),
        ({"table_seats": 24}, "tables of 2 to 23"),
        ({"stack": 20_001}, "1 to 20,000 chips"),
        ({"stack": 0}, "1 to 20,000 chips"),
        ({"fee": -1}, "0 or more"),
        ({"fee": 10**16}, "0 or more"),
        ({"house_after": -1.0}, "a year"),
        ({"house_after": math.inf}, "a year"),
        ({"seats": 2, "payouts": (Fraction(3, 2), Fraction(-1, 2))}, "none below 0"),
        ({"seats": 2, "payouts": parse_payouts("50/30/20")}, "3 prizes for 2"),
        ({"payouts": (Fraction(1, 2),)}, "1 prizes"),
        ({"payouts": ()}, "0 prizes"),
        ({"payouts": (Fraction(0), Fraction(1))}, "the first above 0"),
        ({"payouts": (1 - Fraction(1, 10**20), Fraction(1, 10**20))}, "denominators"),
        ({"starts_at": datetime(2030, 1, 1)}, "UTC"),
    ],
)
def test_a_tournament_that_cannot_be_played_is_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        TournamentFormat(**{"name": "x", **fields})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"buy_ins": (19, 2000)}, "the big blind, 20"),
        ({"buy_ins": (400, 20_001)}, "to 20,000"),
        ({"buy_ins": (400, 300)}, "buy-ins"),
        ({"seats": 1}, "2 to 23"),
        ({"blinds": (30, 20)}, "up to the big one"),
        ({"blinds": (0, 0)}, "up to the big one"),
        ({"opened_by": ("other", -1)}, "0 to 10"),
        ({"name": "x/y"}, "letters"),
    ],
)
def test_a_ring_game_that_cannot_be_played_is_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        RingFormat(**{"name": "x", **fields})


@pytest.mark.parametrize("limit", [0, -1, 90_000, float("nan")])
def test_a_clock_that_cannot_run_is_refused(limit: float) -> None:
    with pytest.raises(BadInput, match="limit"):
        Clocks(limit=limit)


def test_a_wrong_text_is_refused_in_one_line_with_its_place() -> None:
    for text, words in (
        ('{"name": "x", "betting": "any"}', "betting"),
        ('{"name": "x", "seats": "six"}', "seats"),
        ('{"name": "x", "payouts": ["1/2", "1/0"]}', "payouts.1: 1/0 is no fraction"),
        ('{"name": "x", "payouts": ["1e999999999"]}', "payouts.0: 1e999999999 is no fraction"),
        ('{"name": "x", "payouts": ["1e-999999999"]}', "payouts.0: 1e-999999999 is no fraction"),
        ('{"name": "x", "payouts": [1e99]}', "is no fraction; allowed: such as 3/10"),
        ('{"name": "x", "payouts": [1, 1e-99]}', "denominators up to"),
        ('{"name": "x", "schedule": {"levels": []}}', "schedule: 0 levels"),
        (
            '{"name": "x", "schedule": {"levels": [{"small": 1, "big": 2, "hands": 0}]}}',
            r"schedule.levels.0: level '1/2x0'; allowed",
        ),
        (
            '{"name": "x", "schedule": {"levels": [{"small": 0, "big": 2, "hands": 1}]}}',
            r"schedule.levels.0: level '0/2x1'; allowed",
        ),
        (
            '{"name": "x", "clocks": {"refill": {"seconds": "inf", "hands": 1}}}',
            "clocks.refill: a refill of inf s",
        ),
        ('{"name": "x", "clocks": {"limit": 0}}', "clocks: a limit of 0.0 s"),
        ('{"seats": 6}', "name"),
        ('{"name": "x", "stack": 0}', "stack 0"),
        ("[]", "dict|object|instance"),
        ("{", "JSON"),
    ):
        with pytest.raises(BadInput, match=words) as refused:
            tournament_format(text)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "fields", [{"payouts": (True,)}, {"house": ("\ud800",), "rated": False}, {"fee": 0.5}]
)
def test_a_format_of_other_types_has_no_text(fields: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        format_text(TournamentFormat(**{"name": "x", **fields}))


def test_the_text_of_a_format_stays_the_same() -> None:
    """It is in every journal: seconds have a point, shares are fractions, times are in UTC."""
    clocks = Clocks(limit=5, bank=0, refill=Refill(seconds=10, hands=50), lag=0.5)
    form = TournamentFormat(
        name="x",
        schedule=parse_schedule("10/20/bb20x10"),
        clocks=clocks,
        starts_at=datetime(2030, 1, 1, 12, tzinfo=UTC),
    )
    assert format_text(form) == (
        '{"name":"x","betting":"no-limit","seats":6,"table_seats":9,"stack":1500,"schedule":'
        '{"levels":[{"small":10,"big":20,"ante":0,"big_blind_ante":20,"hands":10}]},'
        '"level_by":"hands","stages":"freeze-out","fee":10,"payouts":["7/10","3/10"],"clocks":'
        '{"limit":5.0,"bank":0.0,"refill":{"seconds":10.0,"hands":50},"lag":0.5},'
        '"freeze":"check","rated":true,"house_after":30.0,"house":[],'
        '"starts_at":"2030-01-01T12:00:00Z"}'
    )
