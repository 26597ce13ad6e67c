"""Decisions summed up by spot."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import polars as pl
import pytest

from helpers.random_records import random_hand
from railbird.assessment import DecisionScore, assess, open_scorer, score_hand
from railbird.baseline import STANDARD
from railbird.histories import HandRecord, read_hand

_NAMES = {"f": "fold", "k": "check", "c": "call", "b": "bet", "r": "raise"}
_RAISES = ("nothing", "bet", "raise", "reraise", "cap")


def _facing(before: tuple[DecisionScore, ...]) -> str:
    """What the letters of a round so far put to the next player."""
    letters = "".join(decision.action.lower() for decision in before)
    preflop = before[0].street == 0 if before else False
    if letters[-1:] not in ("b", "r"):
        return "nothing"
    return _RAISES[min(4, letters.count("b") + letters.count("r") + preflop)]


@pytest.fixture(scope="module")
def records() -> list[HandRecord]:
    rng = np.random.default_rng(6)
    players = ("Ann", "Bob")
    return [random_hand(rng, players=players if i % 2 else players[::-1]) for i in range(60)]


@pytest.mark.slow
def test_spots_are_sums_over_the_decisions(records: list[HandRecord]) -> None:
    scorer = open_scorer(STANDARD)
    found = assess(records).form.spots
    expected: dict[tuple[str, ...], list[tuple[float, float]]] = defaultdict(list)
    for record in records:
        for row in score_hand(record, scorer=scorer).rounds:
            for i, decision in enumerate(row.decisions):
                facing = _facing(row.decisions[:i])
                if row.street == 0 and i == 0:
                    facing = "blind"
                key = (
                    record.players[decision.player],
                    row.street.name.lower(),
                    facing,
                    row.classes[decision.player].label,
                    _NAMES[decision.action.lower()],
                )
                expected[key].append((decision.divat, decision.evat))
    assert found.height == len(expected)
    for spot in found.iter_rows():
        key, (decisions, divat, stderr, evat) = spot[:5], spot[5:]
        gains = np.array([gain for gain, _ in expected[key]])
        assert decisions == len(gains)
        assert divat == pytest.approx(gains.sum(), abs=1e-9)
        assert evat == pytest.approx(sum(loss for _, loss in expected[key]), abs=1e-9)
        if decisions > 1:
            assert stderr == pytest.approx(gains.std(ddof=1) * np.sqrt(decisions), abs=1e-6)
        else:
            assert stderr is None


def test_spots_add_up_to_the_match(records: list[HandRecord]) -> None:
    result = assess(records, player="Ann")
    by_player = dict(result.form.spots.group_by("player").agg(pl.col("divat").sum()).iter_rows())
    assert by_player["Ann"] - by_player["Bob"] == pytest.approx(result.scores["divat"].sum())
    assert result.form.spots["divat"].is_sorted()


def test_what_is_faced_has_a_name() -> None:
    hand = read_hand("Ts6s,Jd5d,Td5hTh/2d/2h SlCrC/bRrRc/kK/kBf")
    spots = assess([hand]).form.spots.sort("street", "player")
    assert sorted(spots["facing"].to_list()) == sorted(
        ["blind", "nothing", "raise"]
        + ["nothing", "bet", "raise", "reraise", "cap"]
        + ["nothing"] * 2
        + ["nothing", "nothing", "bet"]
    )
    assert sorted(spots["action"].to_list()) == sorted(
        ["call", "raise", "call"]
        + ["bet", "raise", "raise", "raise", "call"]
        + ["check"] * 2
        + ["check", "bet", "fold"]
    )
