"""What is said of players' statistics beside the tables."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from railbird.assessment import statistics_by_player
from railbird.assessment.player_statistics import HourlyRate, Statistic
from railbird.estimates.estimate import estimate
from railbird.report.document import terminal_table
from railbird.report.statistics_document import _GROUPS, _rate_words, _table, players_table

SIX = Path(__file__).parents[1] / "golden" / "histories" / "six.log"
"""Eight hands of six players."""


def test_every_rate_is_said_to_be_an_hours() -> None:
    rate = HourlyRate(
        hours=0.7,
        sessions=1,
        bb=estimate([-27.5], unit="bb"),
        money={"$5/$10 no-limit": estimate([-275.19], unit="$")},
    )
    assert _rate_words(rate) == (
        "0.7 hours in 1 session: −27.5 bb an hour (too few to say); $5/$10 no-limit: −$275.19 an"
        " hour (too few to say)."
    )


def test_a_table_has_a_row_for_each_player() -> None:
    players = statistics_by_player(SIX).players
    table = players_table(players)
    assert [row[0] for row in table.rows] == list(players)
    flo = dict(zip(table.columns, table.rows[-1], strict=True))
    assert flo["hands"] == "8"
    grouped = {statistic.key.replace("_", " ") for group in _GROUPS for statistic in group}
    assert grouped <= {*table.columns}
    alone = {row[0] for row in _table(players["Flo"]).rows}
    assert {statistic.key.replace("_", " ") for statistic in Statistic} <= alone
    share = players["Flo"].shares[Statistic.PFR]
    low, high = share.interval()
    value, _, margin = flo["pfr"].partition(" ±")
    assert float(value) == round(100 * share.value)
    assert float(margin) == round(100 * max(share.value - low, high - share.value))
    assert "style" not in table.columns, "nothing is known of it"


def test_a_table_too_wide_for_a_terminal_keeps_groups_of_statistics_together() -> None:
    table = players_table(statistics_by_player(SIX).players)
    parts = {}
    for width in (80, 100, 400):
        text = io.StringIO()
        Console(file=text, width=width).print(terminal_table(table))
        lines = text.getvalue().splitlines()
        assert max(map(len, lines)) <= width
        parts[width] = [line for line in lines if line.startswith(" player")]
    assert len(parts[400]) == 1
    for width in (80, 100):
        before_the_flop = next(line for line in parts[width] if "vpip" in line)
        assert before_the_flop.split()[1:3] == ["vpip", "pfr"], "the group begins its table"
        at_the_end = next(line for line in parts[width] if "wtsd" in line)
        assert "wtsd wsd wwsf" in " ".join(at_the_end.split()), "and is not divided"
