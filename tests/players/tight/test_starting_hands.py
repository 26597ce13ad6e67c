"""Starting hands in order, and the ranges of the plain no-limit player."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from railbird.cards import CLASS_NAMES, HOLDINGS, Range, parse_class
from railbird.odds import equity
from railbird.players.tight.starting_hands import (
    ALL,
    best,
    equities_against,
    kept,
    opening,
    order,
)
from railbird.solve import COMBINATIONS


def test_each_class_is_the_worst_against_those_that_remain() -> None:
    best_first = order().tolist()
    assert sorted(best_first) == list(range(169))
    for place in (168, 120, 60, 20, 5):
        remain = np.zeros(169)
        remain[best_first[: place + 1]] = 1.0
        equities = np.where(remain > 0, equities_against(remain), np.inf)
        assert int(np.argmin(equities)) == best_first[place]


def test_the_best_and_the_worst_hands_are_those_that_everybody_names() -> None:
    names = [CLASS_NAMES[kind] for kind in order()]
    assert names[:2] == ["AA", "KK"]
    assert set(names[:8]) == {"AA", "KK", "QQ", "JJ", "TT", "AKs", "AKo", "AQs"}
    assert names[-1] == "32o"
    # By equity against any two cards it would be the other way round.
    assert names.index("JTs") < names.index("K4o")
    assert equities_against(ALL)[parse_class("K5o")] < equities_against(ALL)[parse_class("K6o")]


def test_equity_against_a_range_is_exact() -> None:
    tens_up = np.zeros(169)
    for name in ("AA", "KK", "QQ", "JJ", "TT", "AKs", "AKo"):
        tens_up[parse_class(name)] = 1.0
    for hand in ("AQs", "77", "T9s"):
        exact = equity([Range.parse(hand), Range.parse("TT+, AK")]).players[0].equity
        assert equities_against(tens_up)[parse_class(hand)] == pytest.approx(exact, abs=1e-12)


def test_more_players_behind_open_fewer_hands() -> None:
    ranges = [opening(behind) for behind in range(1, 10)]
    for looser, tighter in itertools.pairwise(ranges):
        assert (tighter <= looser).all()
        assert tighter.sum() < looser.sum()


def test_the_opening_share_keeps_better_hands_away_often_enough() -> None:
    for behind in range(1, 10):
        share = float(opening(behind) @ COMBINATIONS) / HOLDINGS
        # A class is opened whole, so the share is within half a class of twelve holdings.
        assert abs((1 - share) ** behind - 0.40) < behind * 6 / HOLDINGS


def test_a_share_of_a_range_has_that_weight() -> None:
    for share in (0.0, 0.01, 0.25, 0.5, 1.0):
        top = best(ALL, share)
        assert float(top @ COMBINATIONS) == pytest.approx(share * HOLDINGS)
    half = best(best(ALL, 0.5), 0.5)
    assert half == pytest.approx(best(ALL, 0.25))


def test_a_class_of_little_weight_is_kept_whole_before_the_next() -> None:
    ranking, counts = np.array([2, 0, 1]), np.ones(3)
    assert kept(np.array([1.0, 1.0, 0.5]), ranking, counts, 0.4).tolist() == [0.5, 0.0, 0.5]
