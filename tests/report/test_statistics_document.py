"""What is said of players' statistics beside the tables."""

from __future__ import annotations

from railbird.assessment.player_statistics import HourlyRate
from railbird.estimates.estimate import estimate
from railbird.report.statistics_document import _rate_words


def test_every_rate_is_said_to_be_an_hours() -> None:
    rate = HourlyRate(
        hours=0.7,
        sessions=1,
        bb=estimate([-27.5], unit="bb"),
        money={"$5/$10 no-limit": estimate([-275.19], unit="$")},
    )
    assert _rate_words(rate) == (
        "0.7 hours in 1 session: −27.5 bb an hour (too few to say); $5/$10 no-limit: −$275.19 an"
        " hour (too few to say)."
    )
