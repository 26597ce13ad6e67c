"""What is said of one person's decisions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import polars as pl
import pytest

from railbird.assessment.graded_decisions import Grade
from railbird.assessment.own_play import OwnPlay
from railbird.report.play_document import decision_words


@pytest.mark.parametrize(
    ("hands", "cost"), [(3, "31.9 to 43.8 bb in 3 hands"), (20, "159.5 to 219.0 bb for 100 hands")]
)
def test_a_few_hands_make_no_rate(hands: int, cost: str) -> None:
    mistake = {
        "by": "what the call wins",
        "grade": Grade.MISTAKE.value,
        "cost_low": 31.9,
        "cost_high": 43.8,
    }
    play = SimpleNamespace(decisions=pl.DataFrame([mistake]), hands=range(hands), unit="bb")
    assert f"1 a mistake, which cost {cost}; " in decision_words(cast(OwnPlay, play))
