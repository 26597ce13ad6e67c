"""Estimators as a type: one added to the list stands in every table; the formula of them all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from helpers.random_records import random_hand
from railbird.assessment import (
    ESTIMATORS,
    ColumnEstimator,
    Contest,
    EstimatorKind,
    Scoring,
    assess,
    crosstable,
    estimators_of,
)
from railbird.assessment.any_table import assess_batches
from railbird.assessment.control_variates import corrected, luck_of
from railbird.assessment.estimator import CardsNeeded, Columns
from railbird.assessment.registry import fill, fitting, names_of
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT, Betting, Rules
from railbird.histories import HandRecord
from railbird.histories.columns import HandBatch, batch_of
from railbird.report import text
from railbird.report.document import terminal
from railbird.report.html_page import page as html
from railbird.report.match_summary import summarise_match
from railbird.report.table_document import table_document

PLAYERS = ("Ann", "Bob")


def _half_the_money(batch: HandBatch, _how: Scoring) -> Columns:
    units = np.array([rules.chips_per_unit for rules in batch.rules])[batch.rules_of]
    return {"half": batch.chips / units[:, None] / 2}


def _limit_alone(rules: Rules) -> str | None:
    return None if rules.betting is Betting.LIMIT else "limit alone"


HALF = ColumnEstimator(
    name="half",
    title="Half the money",
    kind=EstimatorKind.PLAY,
    meaning="a toy",
    assumes="That half is enough.",
    forms=Contest.MATCH | Contest.TABLE,
    cards=CardsNeeded.OWN,
    in_crosstable=True,
    fill=_half_the_money,
)


@pytest.fixture
def with_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "railbird.assessment.registry.ESTIMATORS", [*ESTIMATORS, HALF], raising=True
    )


def _match(n: int) -> list[HandRecord]:
    rng = np.random.default_rng(6)
    return [
        random_hand(rng, players=PLAYERS if i % 2 else PLAYERS[::-1], number=i) for i in range(n)
    ]


def _shown(renderable: object) -> str:
    console = Console(width=200, record=True, file=None)
    with console.capture() as capture:
        console.print(renderable)
    return capture.get()


@pytest.mark.usefixtures("with_toy")
def test_a_toy_in_the_list_stands_in_every_table_of_a_match() -> None:
    found = assess(_match(60))
    for player in PLAYERS:
        half, money = (found.estimates[player][name] for name in ("half", "money"))
        assert half.value == pytest.approx(money.value / 2)
        assert found.as_json()["players"][player]["half"]["value"] == half.value
    assert "Half the money" in _shown(text(found))
    row = summarise_match(found).row("half")
    assert (row.meaning, row.assumes, row.hands) == ("a toy", "That half is enough.", 60)
    table = crosstable([found])
    assert table.estimators == ("money", "divat", "fitted", "half")
    assert "half" in table.as_json()["players"]["Ann"]  # type: ignore[index]


@pytest.mark.usefixtures("with_toy")
def test_a_toy_in_the_list_stands_in_every_table_of_several_players() -> None:
    records = _match(60)
    # One hand whose cards are not all known: the toy does not mind.
    records[7] = replace(records[7], holes=(None, records[7].holes[1]))
    found = assess_batches([(batch_of(records), ())], boards=4)
    assert (found.known, found.hidden) == (59, 1)
    half, money = (found.estimates["Ann"][name] for name in ("half", "money"))
    assert half.n == money.n == 60
    assert half.value == pytest.approx(money.value / 2)
    assert found.estimate("Ann", "half") == half
    players = found.as_json()["players"]
    assert players["Ann"]["half"]["value"] == half.value
    assert "That half is enough." in html(table_document(found))
    shown = _shown(terminal(table_document(found, estimators=["money", "half"])))
    assert "Half the money" in shown
    assert "Fitted" not in shown


def test_a_name_stands_once_in_a_form() -> None:
    for form in Contest:
        assert len(set(names_of(form))) == len(names_of(form)) > 2
        for one in estimators_of(form):
            assert one.title
            assert one.meaning
            assert one.assumes.endswith(".")


def test_what_cannot_be_scored_is_nan(monkeypatch: pytest.MonkeyPatch) -> None:
    choosy = replace(HALF, why_not=_limit_alone)
    monkeypatch.setattr("railbird.assessment.registry.ESTIMATORS", [choosy])
    no_limit = HEADS_UP_NO_LIMIT
    assert [
        one.name for one in fitting(estimators_of(Contest.TABLE), [HEADS_UP_LIMIT, no_limit])
    ] == ["half"]
    assert fitting(estimators_of(Contest.TABLE), [no_limit]) == ()
    limit_hand = _match(1)[0]
    batch = batch_of([limit_hand, limit_hand])
    mixed = replace(
        batch,
        rules=(HEADS_UP_LIMIT, no_limit),
        rules_of=np.array([0, 1], dtype=np.int32),
    )
    half = fill([choosy], mixed, Scoring())["half"]
    assert not np.isnan(half[0]).any()
    assert np.isnan(half[1]).all()


def test_who_cannot_score_a_hand_leaves_what_others_filled() -> None:
    """Both fill one column; the second cannot score limit."""
    records = _match(2)
    batch = batch_of(records)
    choosy = replace(HALF, name="choosy", why_not=lambda _rules: "nothing")
    half = fill([HALF, choosy], batch, Scoring())["half"]
    assert not np.isnan(half).any()


def test_what_several_need_is_computed_once() -> None:
    calls: list[str] = []

    def make() -> int:
        calls.append("made")
        return 7

    how = Scoring()
    assert [how.once("key", make) for _ in range(3)] == [7, 7, 7]
    assert len(calls) == 1


def test_corrected_takes_luck_at_its_weight() -> None:
    utility = np.array([3.0, -1.0])
    luck = luck_of([[2.0, 1.0], [0.0, -2.0]], [[1.0, 1.0], [0.5, 0.0]])
    assert luck.tolist() == [[1.0, 0.0], [-0.5, -2.0]]
    assert corrected(utility, luck).tolist() == [2.0, 1.5]
    assert corrected(utility, luck, 0.5).tolist() == [2.5, 0.25]
    assert corrected(utility, luck, np.array([1.0, 0.0])).tolist() == [2.0, -0.5]


def test_the_manual_has_every_estimator() -> None:
    docs = Path(__file__).parents[2] / "docs"
    pages = {
        Contest.MATCH: "divat.md",
        Contest.TABLE: "any-holdem.md",
        Contest.TOURNAMENT: "tournaments.md",
    }
    assert set(pages) == set(Contest)
    for form, page in pages.items():
        manual = (docs / page).read_text(encoding="utf-8")
        assert [name for name in names_of(form) if f"\n| `{name}` |" not in manual] == []
