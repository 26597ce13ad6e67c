"""Runtime DIVAT: what it takes of each hand."""

from __future__ import annotations

import polars as pl

from railbird.experiments.kan2007.runtime import runtime_divat


def test_shown_hands_count_by_divat_and_others_by_money() -> None:
    scores = pl.DataFrame(
        {
            "kind": ["showdown", "showdown", "showdown", "fold"],
            "money": [4.0, -4.0, 0.0, 1.0],
            "divat": [1.0, 0.5, -0.5, 9.0],
            "position": [-0.1, 0.1, 0.1, 0.1],
        }
    )
    money, shown, winners = runtime_divat(scores)
    assert money.tolist() == [4.0, -4.0, 0.0, 1.0]
    assert shown.tolist() == [0.9, 0.6, -0.4, 1.0]
    # The opponent lost the first one and need not show.
    assert winners.tolist() == [4.0, 0.6, -0.4, 1.0]
