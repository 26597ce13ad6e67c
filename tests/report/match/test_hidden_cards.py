"""Cards that are not shown turn DIVAT round, so nothing may be concluded from it then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from railbird.arena import Match, hands
from railbird.assessment import Assessment, assess
from railbird.assessment.estimator import Form
from railbird.assessment.registry import names_of
from railbird.game import HEADS_UP_LIMIT, Fold
from railbird.histories import HandRecord
from railbird.report import summarise_match, write
from railbird.report.match.charts import figures
from railbird.report.match.costly_spots import costly
from railbird.report.match.verdict import Finding, excludes_zero
from railbird.report.toolkit.result_rows import match_rows

PLAYERS = ("baseline:tight-high", "baseline:loose-high")


def as_a_site_shows_it(record: HandRecord) -> HandRecord:
    """Take away the cards of whoever folded."""
    if record.actions[-1] != Fold():
        return record
    loser = 0 if record.payoffs[0] < 0 else 1
    holes = tuple(None if seat == loser else hole for seat, hole in enumerate(record.holes))
    return replace(record, holes=holes)


@pytest.fixture(scope="module")
def records() -> list[HandRecord]:
    match = Match(players=PLAYERS, rules=HEADS_UP_LIMIT, deals=8_000, seed=0)
    return list(hands(match))


@pytest.fixture(scope="module")
def shown(records: list[HandRecord]) -> Assessment:
    return assess((as_a_site_shows_it(record) for record in records), player=PLAYERS[0])


def test_the_sample_of_shown_hands_says_the_opposite_with_certainty(
    records: list[HandRecord], shown: Assessment
) -> None:
    whole = assess(records, player=PLAYERS[0]).estimates[PLAYERS[0]]["divat"]
    selected = shown.estimates[PLAYERS[0]]["divat"]
    assert whole.low > 0
    assert selected.high < 0


def test_no_table_shows_the_selected_sample(shown: Assessment) -> None:
    """Not even with an interval of hands that can score only money."""
    facts = summarise_match(shown)
    for row in (*(row for row in facts.rows if row.name != "money"), *facts.rounds):
        assert (row.shown, row.shown_interval, row.shown_sd, row.shown_total) == ("–",) * 4
    assert facts.money.shown_interval != "–"
    assert {figure.name for figure in figures(facts)} == {"money", "estimators"}
    mine = shown.as_json()["players"][PLAYERS[0]]
    assert {key for key in names_of(Form.MATCH) if mine[key] is not None} == {"money"}
    assert mine["divat_sd"] is None
    assert set(mine["rounds"].values()) == {None}
    assert mine["money"]["n"] == shown.hands
    assert {row.estimator for row in match_rows(shown, ("money", "divat"))} == {"money"}


def test_nor_the_spots_that_cost_most_in_it(
    records: list[HandRecord], shown: Assessment, tmp_path: Path
) -> None:
    every = assess(records[:500])
    assert costly(every, PLAYERS[0])
    assert shown.spots.height
    assert not any(costly(shown, player) for player in PLAYERS)
    page = write(shown, tmp_path / "hidden").read_text()
    assert "spots that cost most" not in page
    assert "largest DIVAT differences of those whose cards were shown, replayed" in page


def test_so_there_is_no_verdict(shown: Assessment) -> None:
    facts = summarise_match(shown)
    assert facts.verdict.finding is Finding.HIDDEN
    assert excludes_zero(facts.skill.estimate)
    said = " ".join((facts.verdict.headline, *facts.verdict.reasons))
    assert said.startswith("No verdict on skill: the cards of ")
    assert f"{shown.hidden:,} of 8,000 hands were not shown" in said
    assert "better" not in said
    assert shown.evidence["verdict_by"] == "money"
