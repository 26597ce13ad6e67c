"""Kernels of the assessment beside the algorithms as they are printed."""

from __future__ import annotations

import numpy as np
import pytest

from helpers.random_records import random_hand
from railbird.assessment import RoundScore, Scorer, open_scorer, score_hand
from railbird.baseline import BET_SIZES, parse_settings
from railbird.game import Street
from railbird.histories import HandRecord
from twins.slow_divat import (
    Pair,
    after_line,
    dcash,
    difference,
    line_of,
    value_of_deal,
)

SETTINGS = (
    "standard",
    "aggressive-high,tight-high,pot=facing-bet",
    "river.make1=0.4,turn=loose-high",
)


@pytest.fixture(scope="module", params=SETTINGS)
def scorer(request: pytest.FixtureRequest) -> Scorer:
    return open_scorer(parse_settings(request.param))


def _contributions(rounds: tuple[RoundScore, ...]) -> list[int]:
    """Small bets of each player before each round."""
    before = [0]
    for row in rounds[:-1]:
        level = line_of(row.street, row.actual.removeprefix("Sl")).level
        before.append(before[-1] + BET_SIZES[row.street] * level)
    return before


def _check(record: HandRecord, scorer: Scorer, streets: tuple[Street, ...]) -> int:
    """Compare the rounds of these streets, to the last digit that a float has; count them."""
    pair, settings = _pair(record), scorer.settings
    score = score_hand(record, scorer=scorer)
    compared = 0
    for row, before in zip(score.rounds, _contributions(score.rounds), strict=True):
        if row.street not in streets:
            continue
        line = line_of(row.street, row.actual)
        base = value_of_deal(pair, row.board, before, settings)
        actual = after_line(pair, row.board, before, line, settings)
        assert row.roe.baseline == pytest.approx(float(base), abs=1e-12)
        assert row.roe.actual == pytest.approx(float(actual), abs=1e-12)
        slow = difference(pair, row.board, before, line, settings)
        assert row.roe.difference == pytest.approx(float(slow), abs=1e-12)
        compared += 1
    return compared


@pytest.mark.slow(but=["river.make1=0.4,turn=loose-high"])
def test_turn_and_river_of_random_hands(scorer: Scorer) -> None:
    rng = np.random.default_rng(2007)
    compared = 0
    while compared < 30:
        compared += _check(random_hand(rng), scorer, (Street.TURN, Street.RIVER))


@pytest.mark.slow(only=["standard"])
def test_flops_of_random_hands(scorer: Scorer) -> None:
    rng = np.random.default_rng(2006)
    compared = 0
    while compared < 1:
        compared += _check(random_hand(rng), scorer, (Street.FLOP,))


@pytest.mark.slow
def test_more_flops_of_random_hands(scorer: Scorer) -> None:
    rng = np.random.default_rng(2005)
    compared = 0
    while compared < 12:
        compared += _check(random_hand(rng), scorer, tuple(Street)[1:])


@pytest.mark.slow(only=["standard"])
def test_dcash_of_random_hands(scorer: Scorer) -> None:
    rng = np.random.default_rng(31)
    compared = 0
    while compared < 4:
        record = random_hand(rng, folds=0.02)
        if len(record.board) < 4:
            continue
        score = score_hand(record, scorer=scorer)
        preflop = line_of(Street.PREFLOP, score.rounds[0].baseline.removeprefix("Sl"))
        slow = dcash(_pair(record), record.board, preflop, scorer.settings)
        assert score.dcash == pytest.approx(float(slow), abs=1e-12)
        compared += 1


def _pair(record: HandRecord) -> Pair:
    first, second = record.holes
    assert first is not None
    assert second is not None
    return first, second
