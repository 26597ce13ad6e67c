"""The chart of whose decisions changed whose result."""

from __future__ import annotations

from railbird.estimates import Estimate
from railbird.report.match.crosstable_chart import crosstable_chart


def test_names_that_look_alike_have_rows_of_their_own() -> None:
    players = ["a\x1bb", "a\x07b", "x" * 50, "x" * 60]
    cells = {(one, two): Estimate(1.25, 0.5, 100) for one in players for two in players}
    spec = crosstable_chart(cells, players, "bb").to_dict()
    (rows,) = spec["datasets"].values()
    labels = list(dict.fromkeys(row["decisions"] for row in rows))
    assert labels == ["a\ufffdb", "a\ufffdb (2)", "x" * 39 + "…", "x" * 39 + "… (2)"]
    assert len({(row["decisions"], row["result"]) for row in rows}) == len(rows)
    assert rows[0]["value"] == "+1,250"


def test_the_chart_of_two_players_is_as_wide_as_its_title() -> None:
    players = ["a", "b"]
    cells = {(one, two): Estimate(1.0, 0.5, 100) for one in players for two in players}
    assert crosstable_chart(cells, players, "bb").to_dict()["width"] >= 300
