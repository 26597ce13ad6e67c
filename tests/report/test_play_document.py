"""What is said of one person's decisions."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import cast

import polars as pl
import pytest

from railbird.assessment.graded_decisions import Grade
from railbird.assessment.own_play import OwnPlay
from railbird.report.play_document import _verdicts, decision_words


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


def test_a_log_of_which_little_is_judged_says_so_and_why_no_mistake_is_named() -> None:
    good = {
        "by": "ranges",
        "grade": Grade.GOOD.value,
        "reason": None,
        "cost_low": 0.0,
        "cost_high": 0.1,
    }
    open_ = good | {"by": None, "grade": Grade.UNKNOWN.value, "reason": "more betting to come"}
    unknown = good | {"grade": Grade.UNKNOWN.value}

    def play_of(*rows: Mapping[str, object]) -> OwnPlay:
        frame = pl.DataFrame(rows, infer_schema_length=None)
        return cast(OwnPlay, SimpleNamespace(decisions=frame, hands=range(9), unit="sb"))

    few = play_of(good, unknown, *[open_] * 1_358)
    assert decision_words(few).endswith(
        "1 was good, 0 close and 0 mistakes; 1 was unknown, and 1,358 could not be judged."
    )
    section = _verdicts(few)
    assert section is not None
    assert (
        section.note.count("1 of 1,360 decisions could be judged; what 1 more cost is known") == 1
    )
    assert "for a grade. No mistake is named" in section.note
    assert "Nothing judges: more betting to come, 1,358." in section.note
    mistaken = _verdicts(play_of(good, good | {"grade": Grade.MISTAKE.value}))
    assert mistaken is not None
    assert "2 of 2 decisions could be judged." in mistaken.note
    assert "No mistake is named" not in mistaken.note
