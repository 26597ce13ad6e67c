"""The rating in words: first the number with its interval, then how much it rests on."""

from __future__ import annotations

import math

import pytest

from railbird.assessment.play_rating import LostByDecisions, PlayRating
from railbird.estimates import Estimate
from railbird.report.number_format import percent
from railbird.report.play_rating import rating_key, rating_table, rating_words


def rating(
    *, value: float = 25.0, high: float = 33.0, unknown: int = 11, withheld: str = ""
) -> PlayRating:
    """A person with 500 decisions in 1,000 hands, of which 400 have bounds."""
    lost = LostByDecisions(
        decisions=500,
        bounded=400,
        good=350,
        close=30,
        mistakes=9,
        blunders=2,
        unknown=unknown,
        value=value,
        low=20.0,
        high=high,
    )
    money = Estimate(value=0.1, stderr=0.05, n=1_000, unit="bb")
    return PlayRating(
        player="Ann",
        hands=1_000,
        unit="bb",
        lost=lost,
        parts={"street": {"river": lost}},
        result=money,
        money=money,
        withheld=withheld,
    )


def test_a_sentence_tells_the_rate_its_interval_and_what_was_judged() -> None:
    assert rating_words(rating()) == (
        f"Ann's decisions gave up 1.0 bb in 100 hands ({percent(0.95, 0)}: 0.8 to 1.3), "
        "as far as their cost is known; "
        f"389 of 500 decisions ({percent(0.778, 0)}) could be judged."
    )
    key = rating_key(rating())
    assert (key.name, key.value) == ("lost by decisions, bb/100", "1.0")
    assert key.under.startswith("0.8 to 1.3; 78")


def test_where_too_little_is_judged_no_number_stands() -> None:
    few = rating(
        value=math.nan, unknown=380, withheld="20 of 500 decisions could be judged, 4%; needed 50%"
    )
    assert rating_words(few).startswith(
        "How good Ann's decisions were is not known: only 20 of 500 decisions (4.0"
    )
    assert rating_key(few).value == "not known"
    assert rating_table(few).rows[0][3] == "–"
    chosen = rating(value=math.nan, withheld="the hands were chosen by how they went")
    assert rating_words(chosen).endswith("is not known: the hands were chosen by how they went.")


@pytest.mark.parametrize("where", [rating_words, lambda known: rating_key(known).under])
def test_few_decisions_have_no_interval(where: object) -> None:
    assert callable(where)
    assert "too few to say" in where(rating(high=math.inf))
