"""Sentences on a ledger of evaluations: who is beaten, and what responses win."""

from __future__ import annotations

from typing import Any

import numpy as np

from railbird._provenance import current_provenance
from railbird.arena.evaluations import AIVAT, LOCAL_RESPONSE, MONEY, Evaluation
from railbird.report.evaluations import evaluations_words


def line(opponent: str, value: float, stderr: float, **changes: Any) -> Evaluation:
    fields: dict[str, Any] = {
        "player": "killer",
        "player_hash": "",
        "opponent": opponent,
        "opponent_hash": "",
        "game": "holdem.nolimit.2p.reverse_blinds.game,stack=10000",
        "method": AIVAT,
        "duplicate": True,
        "deals": 1_000,
        "seed": 0,
        "value": value,
        "stderr": stderr,
        "low": value - 1.96 * stderr,
        "high": value + 1.96 * stderr,
        "unit": "bb",
        "made": current_provenance(),
        "commit": "",
    }
    return Evaluation(**fields | changes)


def test_who_is_beaten_beyond_three_standard_errors() -> None:
    lines = [
        line("weak", 0.31, 0.1),
        line("equal", 0.29, 0.1),
        line("strong", -0.31, 0.1),
        line("rich", 5.0, 0.1, method=MONEY),
    ]
    (words,) = evaluations_words(lines)
    assert words == (
        "killer, 100 big blinds: it beats weak (+310) by more than three standard errors; it loses "
        "to strong (−310) by more than three; with equal (+290) neither is shown. Amounts are "
        "thousandths of a big blind a hand."
    )


def test_matches_with_other_seeds_count_as_one() -> None:
    """Three times the deals weigh three times as much; the same seed again replaces its line."""
    lines = [
        line("weak", 0.9, 0.1),
        line("weak", 0.1, 0.1),
        line("weak", 0.2, 0.04, seed=1, deals=3_000),
    ]
    (words,) = evaluations_words(lines)
    assert np.hypot(0.25 * 0.1, 0.75 * 0.04) * 3 < 0.175
    assert "it beats weak (+175)" in words
    assert evaluations_words([]) == []


def test_what_responses_win_is_what_the_player_loses() -> None:
    lines = [
        line("fc on flop", -0.5, 0.1, method=LOCAL_RESPONSE),
        line("fcpa on turn,river", 0.1, 0.1, method=LOCAL_RESPONSE, low=None, high=None),
    ]
    (words,) = evaluations_words(lines)
    assert "fc on flop 500 (up to 696); fcpa on turn,river −100 (up to −100)" in words
