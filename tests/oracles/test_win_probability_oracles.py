"""Win probabilities before the flop against published ones."""

from __future__ import annotations

import pytest

from railbird.cards import holdings_of_class, parse_class
from railbird.odds.win_probability.win_probability import win_probability

AGAINST_ONE = {
    "AA": 85.2,
    "KK": 82.4,
    "QQ": 79.9,
    "JJ": 77.5,
    "TT": 75.0,
    "99": 72.1,
    "88": 69.2,
    "AKs": 67.0,
    "77": 66.2,
    "AQs": 66.2,
    "AJs": 65.4,
    "AKo": 65.3,
    "ATs": 64.6,
    "AQo": 64.4,
    "AJo": 63.6,
    "KQs": 63.4,
    "66": 63.3,
    "A9s": 62.8,
    "ATo": 62.7,
    "KJs": 62.6,
    "55": 60.3,
    "JTs": 57.5,
    "44": 57.0,
    "K6s": 56.6,
    "K8o": 56.0,
    "QTo": 57.3,
    "A2s": 57.4,
    "Q9s": 57.7,
}
"""Share of the pot in per cent, to a decimal: forums.replaypoker.com/t/22406, "Hand Equity v Random
Hand"."""


@pytest.mark.parametrize("name", AGAINST_ONE)
def test_against_one(name: str) -> None:
    share = 100 * win_probability(holdings_of_class(parse_class(name))[0]).share
    assert share == pytest.approx(AGAINST_ONE[name], abs=0.08)


def test_aces_against_several() -> None:
    """pokerfortress.com, "Odds of winning with pocket aces" (by Equilab): 85, 73.5 and 64 %."""
    for opponents, published, digits in ((1, 85.0, 0.5), (2, 73.5, 0.06), (3, 64.0, 0.5)):
        share = 100 * win_probability("AsAh", opponents=opponents).share
        assert share == pytest.approx(published, abs=digits)
