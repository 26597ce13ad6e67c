"""Decisions before the flop, by the charts that ship for three seats and 100 big blinds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from railbird.assessment.graded_decisions import Grade, Judge, grades
from railbird.assessment.preflop_decisions import NotCharted, PreflopCost, preflop_cost
from railbird.cards import Holding, cards_from, parse_holding
from railbird.game import Action, Call, Fold, HandDealer, Raise, Rules, no_limit_holdem, payoffs
from railbird.histories import HandRecord
from railbird.modelling.betting_ranges import observed_actions
from railbird.units import Chips

THREE = no_limit_holdem(3, blinds=(50, 100), stack=10_000)
"""Seats are the small blind, the big blind and the button, who acts first."""
BUTTON, SMALL, BIG = 2, 0, 1
BOARD = tuple(cards_from("Ks9d5c3h2s"))
DEALT = ("Tc6d", "9h4c", "8s3d", "Jc4d", "Th5s", "6h2d")


def raised(to: float) -> Raise:
    return Raise(Chips(round(100 * to)))


def record_of(
    actions: Sequence[Action], seat: int, holding: str, rules: Rules = THREE
) -> HandRecord:
    """Play a hand to its end; after the given actions everybody folds or checks."""
    holes: list[Holding | None] = [parse_holding(cards) for cards in DEALT[: rules.seats]]
    holes[seat] = parse_holding(holding)
    dealer = HandDealer(rules, tuple(holes), BOARD)
    dealer.begin()
    played = list(actions)
    for action in actions:
        dealer.act(action)
    while dealer.asks is not None:
        played.append(Fold() if dealer.state.to_call else Call())
        dealer.act(played[-1])
    return HandRecord(
        rules=rules,
        players=("Sal", "Bea", "Bob", "Ann", "Cy", "Dee")[: rules.seats],
        holes=tuple(holes),
        board=tuple(dealer.state.board),
        actions=tuple(played),
        payoffs=payoffs(dealer.state),
    )


def cost_of(
    actions: Sequence[Action], seat: int, holding: str, rules: Rules = THREE
) -> PreflopCost:
    """Return what the last of some actions cost with a holding."""
    record = record_of(actions, seat, holding, rules)
    observed = list(observed_actions(record))[: len(actions)]
    cards = record.holes[seat]
    assert cards is not None
    return preflop_cost(observed[-1], cards, observed[:-1])


@pytest.mark.parametrize(
    ("actions", "seat", "holding"),
    [
        ([raised(2.5)], BUTTON, "AsAh"),
        ([raised(2)], BUTTON, "AsKd"),
        ([Fold()], BUTTON, "7s2h"),
        ([raised(2.5), Fold()], SMALL, "8h2c"),
        ([raised(2.5), Fold(), raised(8)], BIG, "AsAh"),
        ([raised(2.5), Fold(), Call()], BIG, "QsJs"),
    ],
)
def test_usual_play_costs_next_to_nothing(actions: list[Action], seat: int, holding: str) -> None:
    cost = cost_of(actions, seat, holding)
    assert cost.low == 0
    assert cost.high <= 0.4


@pytest.mark.parametrize(
    ("actions", "seat", "holding", "best"),
    [
        ([Fold()], BUTTON, "AsAh", "raise"),
        ([raised(2.5), Fold(), Fold()], BIG, "KsKh", "raise"),
        ([raised(100)], BUTTON, "7s2h", "fold"),
        ([raised(2.5), raised(100)], SMALL, "9s4h", "fold"),
    ],
)
def test_what_nobody_should_do_is_a_mistake(
    actions: list[Action], seat: int, holding: str, best: str
) -> None:
    cost = cost_of(actions, seat, holding)
    assert cost.best == best
    assert 0.3 < cost.low <= cost.high


def test_costs_are_in_the_frame_of_grades() -> None:
    folded = grades([record_of([Fold()], BUTTON, "AsAh")], "Bob")
    (row,) = folded.iter_rows(named=True)
    assert (row["grade"], row["by"], row["best"]) == (
        Grade.MISTAKE.value,
        Judge.CHARTS.value,
        "raise",
    )
    assert row["cost_low"] == pytest.approx(cost_of([Fold()], BUTTON, "AsAh").low)


@pytest.mark.parametrize(
    ("actions", "seat", "rules", "why"),
    [
        ([Call()], BUTTON, THREE, "with a call of the big blind"),
        ([raised(5)], BUTTON, THREE, "with a size"),
        (
            [raised(2.5), raised(7.5), raised(22), raised(60)],
            BUTTON,
            THREE,
            "with more raises",
        ),
        ([raised(2.5)], BUTTON, no_limit_holdem(3, blinds=(50, 100), stack=1_000), "stacks far"),
    ],
)
def test_what_the_charts_lack_is_said(
    actions: list[Action], seat: int, rules: Rules, why: str
) -> None:
    with pytest.raises(NotCharted, match=why):
        cost_of(actions, seat, "AsQs", rules)
