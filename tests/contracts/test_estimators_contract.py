"""One suite for all estimators: each values the rows of its forms, with what is promised.

What is promised is `Estimator.values`; one written by that sentence alone is among them.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
import polars as pl
import pytest

from helpers.random_records import random_hand
from railbird.arena import Tournaments, play_tournaments
from railbird.assessment import (
    ESTIMATORS,
    Assessment,
    ColumnEstimator,
    Contest,
    EstimatorKind,
    assess,
    assess_table,
    assess_tournaments,
    estimators_of,
)
from railbird.assessment.divat.any_game import baseline_for
from railbird.assessment.estimator import CardsNeeded, Estimator, Scoring
from railbird.assessment.rake import rake_by_seat
from railbird.cards import cards_from
from railbird.extending import check_estimator
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Action,
    Call,
    Fold,
    Raise,
    Rules,
    no_limit_holdem,
    replay,
)
from railbird.histories import HandRecord
from railbird.histories.columns import batch_of, records_of
from railbird.tournament import parse_payouts
from railbird.units import Chips

PROMISED: Final = {
    Contest.MATCH: {"money", "rake", "other_rake"},
    Contest.TABLE: {"money", "rake", "row", "deal", "player", "seat"},
    Contest.TOURNAMENT: {"set", "player", "place", "prize"},
}
"""Columns by form, as `Estimator.values` has them."""


def _hands(rules: Rules, *, hidden: bool = False, raked: bool = False) -> list[HandRecord]:
    rng = np.random.default_rng(20)
    records = [
        random_hand(rng, rules=rules, players=("Bob", "Ann") if i % 2 else ("Ann", "Bob"), number=i)
        for i in range(24)
    ]
    if hidden:
        records = [replace(one, holes=(None, one.holes[1])) for one in records[:12]] + records[12:]
    return [_raked(one) for one in records] if raked else records


def _raked(record: HandRecord) -> HandRecord:
    """Take a chip of each winner."""
    paid = tuple(Fraction(amount) - (amount > 0) for amount in record.payoffs)
    return replace(record, payoffs=paid)


LOGS: Final = {
    f"{name}{'-hidden' * hidden}{'-raked' * raked}": _hands(rules, hidden=hidden, raked=raked)
    for name, rules in (("limit", HEADS_UP_LIMIT), ("no-limit", HEADS_UP_NO_LIMIT))
    for hidden in (False, True)
    for raked in (False, True)
}


def by_the_manual(form: Contest) -> ColumnEstimator:
    """Return an estimator that uses every promised column."""
    columns = [
        (
            pl.col(name) != "" if (form, name) == (Contest.TOURNAMENT, "player") else pl.col(name)
        ).cast(pl.Float64)
        for name in sorted(PROMISED[form])
    ]
    return ColumnEstimator(
        name="promised",
        title="By the manual",
        kind=EstimatorKind.PLAY,
        meaning="a sum",
        assumes="Nothing.",
        forms=form,
        cards=CardsNeeded.NONE,
        value=pl.sum_horizontal(columns, ignore_nulls=False),
        other=-pl.sum_horizontal(columns, ignore_nulls=False),
    )


@pytest.mark.slow
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda known: f"{known.name}-{known.forms}")
def test_an_estimator_keeps_to_its_contracts(estimator: Estimator) -> None:
    check_estimator(estimator)


@pytest.mark.parametrize(
    ("form", "log"),
    [
        *((Contest.TABLE, log) for log in LOGS),
        *((Contest.MATCH, log) for log in LOGS if LOGS[log][0].rules == HEADS_UP_LIMIT),
    ],
)
def test_an_estimator_has_the_rows_that_it_is_promised(form: Contest, log: str) -> None:
    records, manual = LOGS[log], by_the_manual(form)
    check_estimator(manual, logs=[records], only=["members", "own name", "columns", "values"])
    assessment: Assessment[Any]
    if form is Contest.MATCH:
        assessment = assess(records, more=[manual])
        rows = assessment.scores
    else:
        assessment = assess_table(records, boards=4, more=[manual])
        rows = assessment.form.every
    assert rows.height == len(records) * (1 if form is Contest.MATCH else 2)
    assert rows.select(sorted(PROMISED[form])).null_count().sum_horizontal().item() == 0
    how = Scoring(policies=(baseline_for(records[0].rules),))
    for known in assessment.estimators:
        some = rows if known.cards is not CardsNeeded.ALL else assessment.scores
        assert len(known.values(some, how)) == some.height, known.name
    assert set(assessment.players) == {"Ann", "Bob"}
    for player in assessment.players:
        assert assessment.estimates[player]["promised"].n == len(records)


@pytest.mark.parametrize("hidden", [False, True])
def test_every_estimator_values_tournaments(hidden: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "railbird.assessment.registry.ESTIMATORS", [*ESTIMATORS, by_the_manual(Contest.TOURNAMENT)]
    )
    played = Tournaments(players=("random", "always-raise"), count=3, stack=100, seed=1)
    batches = play_tournaments(played, keep=True).batches()
    hands = [hand for batch in batches for hand in records_of(batch)]
    if hidden:
        hands[0] = replace(hands[0], holes=(None, *hands[0].holes[1:]))
    found = assess_tournaments(hands, payouts=parse_payouts("100"))
    assert PROMISED[Contest.TOURNAMENT] < {*found.rows.columns}
    assert found.tournaments == 3
    for player in found.players:
        assert set(found.estimates[player]) == {
            one.name
            for one in estimators_of(Contest.TOURNAMENT)
            if not hidden or one.cards is CardsNeeded.NONE
        }
        assert found.estimates[player]["promised"].n == 3
        mine = found.rows.filter(pl.col("player") == player)
        by_hand = sum(float(mine[name].sum()) for name in ("set", "place", "prize")) + 3
        assert 3 * found.estimates[player]["promised"].value == pytest.approx(by_hand)


@pytest.mark.parametrize("log", LOGS)
def test_rake_is_that_of_the_winner(log: str) -> None:
    """With all cards known or not: nothing without rake, else the winner's."""
    records = LOGS[log]
    rows = assess_table(records, boards=4).to_polars().sort("row", "seat")
    by_hand = rows.partition_by("row", maintain_order=True)
    for record, part in zip(records, by_hand, strict=True):
        raked = float(-sum(record.payoffs)) / record.rules.chips_per_unit
        assert part["rake"].sum() == pytest.approx(raked, abs=1e-9)
        if len({*record.payoffs}) == 2:
            winner = record.players[record.payoffs.index(max(record.payoffs))]
            mine = part.filter(pl.col("player") == winner)["rake"].item()
            assert mine == pytest.approx(raked, abs=1e-9)


def test_rake_that_takes_all_is_that_of_who_lost_least() -> None:
    """One of two wins; both lose to the house as much; one loses all, the other gets less back."""
    hand = LOGS["no-limit"][0]
    stake = min(replay(hand.rules, hand.holes, hand.board, hand.actions).spent)
    batch = batch_of([hand] * 3)
    payoff = np.array([[-6, 2], [-1, -1], [-stake, -1]]) * batch.parts[:, None]
    unit = batch.rules[0].chips_per_unit
    rake = rake_by_seat(replace(batch, payoff=payoff)) * unit
    assert rake.tolist() == [[0.0, 4.0], [1.0, 1.0], [0.0, stake + 1.0]]


SHOVED: Final = "r c c"
CASES: Final = {
    "A has the main pot of 300 for 270, B the side pot of 400 unraked": (
        ((100, 300, 300), SHOVED, (170, 100, -300)),
        (30, 0, 0),
    ),
    "A and B share the main pot of 300 for 270, B has the side pot unraked": (
        ((100, 300, 300), SHOVED, (35, 235, -300)),
        (15, 15, 0),
    ),
    "A has 900 for 870, B loses by the hand and has the side pot of 200 for 190": (
        ((300, 400, 400), SHOVED, (570, -210, -400)),
        (30, 10, 0),
    ),
    "A and B share 900 for 870, C's last 100 are not called": (
        ((300, 300, 400), SHOVED, (135, 135, -300)),
        (15, 15, 0),
    ),
    "all share one pot": (((300, 300, 300), SHOVED, (-10, -10, -10)), (10, 10, 10)),
    "C raises, all fold": (((300, 300, 300), "200 f f", (-50, -100, 120)), (0, 0, 30)),
    "A has 400 for 380, C and D share 551 with B's 151, unraked, by 276 and 275": (
        ((100, 300, 300, 300), "c c c 251 r c f", (280, -251, -24, -25)),
        (20, 0, -0.5, 0.5),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_winners_of_several_pots_pay_pot_by_pot(case: str) -> None:
    (stacks, words, payoffs), paid = CASES[case]
    seats = len(stacks)
    rules = no_limit_holdem(seats, blinds=(50, 100), stack=stacks)
    actions: dict[str, Action] = {"c": Call(), "f": Fold(), "r": Raise(Chips(max(stacks)))}
    record = HandRecord(
        rules=rules,
        players=("A", "B", "C", "D")[:seats],
        holes=(None,) * seats,
        board=cards_from("2c7d9hTsKs") if "f f" not in words else (),
        actions=tuple(
            Raise(Chips(int(word))) if word.isdigit() else actions[word] for word in words.split()
        ),
        payoffs=tuple(map(Fraction, payoffs)),
    )
    rake = rake_by_seat(batch_of([record] * 2)) * rules.chips_per_unit
    assert rake.tolist() == [pytest.approx(paid)] * 2
