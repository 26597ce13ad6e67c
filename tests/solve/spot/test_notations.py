"""Ranges as other programs write them."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.cards import HOLDINGS, Range
from railbird.errors import BadInput, RailbirdError
from railbird.solve.spot.notations import NOTATIONS, house_notation, in_notation
from railbird.solve.spot.spot import Spot


@pytest.mark.parametrize(
    ("text", "house"),
    [
        ("AA,[50]KK-QQ, AKs[/50],22+", "AA,KK-QQ:0.5,AKs:0.5,22+"),
        ("[25.0]AKs\n76s[/25.0]", "AKs:0.25,76s:0.25"),
        ("[1]AA[/1]", "AA:0.01"),
        ("[50]KK[/50],AA:80,22:100", "KK:0.5,AA:0.8,22:1"),
        ("AA:0.8,[50]KK[/50]", "AA:0.8,KK:0.5"),
        ("AA:100, KK:50;QQ", "AA:1,KK:0.5,QQ"),
        ("AA@50 KK @ 25", "AA:0.5,KK:0.25"),
        ("AA@0.5", "AA:0.5"),
        ('{"AA": 1, "AhKh": 0.25, "KK": 0}', "AA:1,AhKh:0.25"),
        ('{"AA": 100, "KK": 1}', "AA:1,KK:0.01"),
        ("QQ+, A5s-A2s:0.5, 15%", "QQ+, A5s-A2s:0.5, 15%"),
        ("random", "random"),
        ("", ""),
    ],
    ids=str,
)
def test_ranges_of_others(text: str, house: str) -> None:
    assert house_notation(text) == house
    Range.parse(house)


WRONG = ["[50]AA", "AA]", "[50]AA[/40]", "[[50]]AA", "[1]", "AA:500", "9" * 99_999]
WRONG += ["[120]AA[/120]", "[50]KK:0.5[/50]", "[50]KK[/50],AA:101"]
WRONG += ["{", "{" * 9999, '{"AA": NaN}', '{"AA": 1e400}', '{"AA": "x"}']


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_what_is_no_range_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        house_notation(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


@given(st.text(alphabet='[]{}/:@.,;% AKQ92hsdo+-50"\n', max_size=60))
def test_no_text_ends_otherwise_than_in_a_range_or_a_refusal(text: str) -> None:
    with contextlib.suppress(RailbirdError):
        Range.parse(house_notation(text))


@pytest.mark.parametrize("example", NOTATIONS)
def test_what_is_written_reads_back(example: str) -> None:
    rng = np.random.default_rng(7)
    for weights in (
        np.round(rng.choice([0, 1, 0.5, 0.25], HOLDINGS), 4),
        np.round(rng.random(HOLDINGS), 4),
        Range.parse("22+, A2s+:0.35, KTo+:0.125, T9s").weights,
        np.zeros(HOLDINGS),
    ):
        written = in_notation(Range(weights), example)
        assert Range.parse(house_notation(written)).weights == pytest.approx(weights, abs=1e-6)


def test_a_spot_takes_them() -> None:
    lines = "board = Ks7d2c9h3d\npot = 10\nstack = 20\n"
    foreign = Spot.parse(lines + 'oop = [50]QQ[/50],AQs\nip = {"JJ": 0.25}')
    house = Spot.parse(lines + "oop = QQ:0.5,AQs\nip = JJ:0.25")
    assert str(foreign) == str(house)
