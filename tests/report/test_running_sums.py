"""Running sums are exact where they are kept, and few are."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.report.running_sums import STREETS, curves, pair_means, thinned


def _scores(hands: int) -> pl.DataFrame:
    rng = np.random.default_rng(7)
    names = ["money", "divat", "fitted", "position", "dcash", "redgreen"]
    names += [f"{part}_{street}" for part in ("divat", "luck") for street in STREETS]
    return pl.DataFrame({name: rng.normal(0, 3, hands) for name in names})


@given(st.integers(0, 5000), st.integers(1, 400))
def test_kept_hands(hands: int, points: int) -> None:
    thin = thinned(pl.DataFrame({"money": np.ones(hands)}), points=points)
    kept = thin.table["hand"].to_list()
    assert len(kept) <= points + 2
    assert kept[0] == 0
    assert kept[-1] == hands
    assert kept == sorted(set(kept))
    assert all(b - a <= thin.stride for a, b in itertools.pairwise(kept))
    assert thin.table["money"].to_list() == [float(hand) for hand in kept]


def test_sums_are_those_of_all_hands() -> None:
    scores = _scores(2345)
    thin = curves(scores, points=100)
    for hand, money, luck in thin.table.select("hand", "money", "luck").iter_rows():
        assert money == pytest.approx(scores["money"][:hand].sum(), abs=1e-3)
        expected = sum(scores[f"luck_{street}"][:hand].sum() for street in STREETS)
        assert luck == pytest.approx(expected, abs=1e-3)


def test_a_short_match_is_kept_whole() -> None:
    assert curves(_scores(50)).table["hand"].to_list() == list(range(51))


def test_a_hand_without_a_value_adds_nothing() -> None:
    amounts = pl.DataFrame({"aie": [1.0, None, None, 2.0]})
    assert thinned(amounts).table["aie"].to_list() == [0.0, 1.0, 1.0, 1.0, 3.0]


def test_pairs_are_averaged_and_single_hands_left_out() -> None:
    scores = pl.DataFrame(
        {
            "pair": [4, 2, 4, 2, 9, None],
            "money": [6.0, 1.0, -4.0, 1.0, 5.0, 7.0],
            "divat": [1.0, 0.0, 0.0, 1.0, 5.0, 7.0],
            "fitted": [2.0, 0.0, 0.0, 2.0, 5.0, 7.0],
        }
    )
    means = pair_means(scores)
    assert means is not None
    # The source's example: 6 won, then 4 lost with the seats exchanged, is 1 a hand.
    assert means.rows() == [(4, 1.0, 0.5, 1.0), (2, 1.0, 0.5, 1.0)]


def test_no_pairs() -> None:
    scores = {"pair": [None, 2], "money": 1.0, "divat": 1.0, "fitted": 1.0}
    assert pair_means(pl.DataFrame(scores)) is None
