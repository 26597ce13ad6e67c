"""Grades of decisions: by what could be seen, and by nothing that came out later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from railbird.assessment.graded_decisions import (
    Grade,
    Judge,
    _pots,
    call_ends_betting,
    grade_of_costs,
    grades,
)
from railbird.assessment.own_play import assess_play
from railbird.cards import cards_from, parse_holding
from railbird.game import (
    HEADS_UP_LIMIT,
    Action,
    Call,
    DealHoles,
    Fold,
    HandDealer,
    Raise,
    Rules,
    act,
    initial,
    no_limit_holdem,
    payoffs,
    step,
)
from railbird.histories import HandRecord, read, read_hand
from railbird.modelling import betting_ranges
from railbird.modelling.betting_ranges import RETOLD, count_betting
from railbird.report.play_data import _puzzles
from railbird.report.play_document import play_document
from railbird.units import Chips

DEEP = no_limit_holdem(2, blinds=(50, 100), stack=2_500)
BOARD = "Ks9d5c3h2s"


def hand(
    rules: Rules, holes: Sequence[str], actions: Sequence[Action], board: str = BOARD
) -> HandRecord:
    """Play a hand; Hero is the first seat."""
    dealt = tuple(map(parse_holding, holes))
    cards = tuple(cards_from(board))
    dealer = HandDealer(rules, dealt, cards)
    dealer.begin()
    for action in actions:
        dealer.act(action)
    assert dealer.asks is None
    return HandRecord(
        rules=rules,
        players=("Hero", *(f"P{seat}" for seat in range(1, rules.seats))),
        holes=dealt,
        board=tuple(dealer.state.board),
        actions=tuple(actions),
        payoffs=tuple(map(Fraction, payoffs(dealer.state))),
    )


def judged(found: pl.DataFrame) -> pl.DataFrame:
    """Return the decisions that something other than charts judges."""
    return found.filter(pl.col("by").is_not_null() & (pl.col("by") != Judge.CHARTS.value))


def opening(rules: Rules) -> bool:
    """Return whether Hero acts first."""
    return step(initial(rules), DealHoles((None,) * rules.seats)).actor == 0


def raised_and_shoved(cards: str, theirs: str, answer: Action, board: str = BOARD) -> HandRecord:
    first = [Raise(Chips(200)), Raise(Chips(2_500)), answer]
    actions = first if opening(DEEP) else [Call(), *first]
    return hand(DEEP, (cards, theirs), actions, board)


@pytest.mark.slow
def test_a_fold_that_lacked_the_odds_is_right_whatever_the_other_one_held() -> None:
    """84o needs 48 % and wins 38 % even against any hand: the other one had 72o."""
    six = no_limit_holdem(6, blinds=(50, 100), stack=10_000)
    first = step(initial(six), DealHoles((None,) * 6)).actor
    assert first is not None
    names = [f"P{seat}" for seat in range(6)]
    names[first] = "Hero"
    holes = ["9c3d", "8d3h", "Tc2s", "Jd3s", "9h2h", "Qc2d"]
    holes[first], holes[(first + 1) % 6] = "8h4s", "7d2c"
    actions: list[Action] = [Raise(Chips(300)), Raise(Chips(10_000)), *[Fold()] * 5]
    record = replace(hand(six, holes, actions), players=tuple(names))
    opened, row = grades([record], "Hero").iter_rows(named=True)
    assert (opened["grade"], opened["by"], opened["cost_low"]) == ("unknown", "charts", 0.0)
    assert opened["reason"] == "depends on how opponents play"
    assert row["required"] == pytest.approx(9_700 / 20_150)
    assert 0.1 < row["equity_low"] < row["equity_high"] < 0.45
    assert (row["grade"], row["best"]) == ("good", "fold")
    play = assess_play([record], "Hero", ask=False)
    assert play.mistakes.is_empty()
    assert [one["best"] for one in _puzzles(play)] in ([], ["fold"])
    assert play.as_json()["costliest"] == []


@pytest.mark.slow
def test_folding_aces_before_the_flop_is_a_mistake_even_if_they_would_have_lost() -> None:
    record = raised_and_shoved("AhAs", "7d7c", Fold(), board="7h7s2c3d4h")
    play = assess_play([record], "Hero", ask=False)
    (row,) = play.mistakes.iter_rows(named=True)
    assert (row["grade"], row["best"]) == ("mistake", "call")
    assert row["cost"] == row["cost_low"] == pytest.approx(row["call_low"])
    section = next(one for one in play_document(play).sections if one.heading.startswith("Calls"))
    assert section.table is not None
    assert section.table.rows[0][-1] == "fold"
    assert tuple(section.places) == ((0, row["act"]),)
    (puzzle,) = _puzzles(play)
    assert (puzzle["by"], puzzle["best"]) == ("equity", "call")


@pytest.mark.parametrize("answer", [Fold(), Call()])
def test_other_holdings_and_other_boards_leave_every_grade(answer: Action) -> None:
    first = [raised_and_shoved("KhQs", "AdAc", answer)]
    river = "TsAc9h8d3d"
    bets: list[Action] = [Call(), Call()]
    for _ in range(2):
        bets += [Call(), Call()]
    bets += [Raise(Chips(100)), Raise(Chips(400)), answer]
    if not opening(DEEP):
        bets = [Call(), Call(), *[Call(), Call()] * 2, Call(), Raise(Chips(300)), answer]
    first.append(hand(DEEP, ("KhQs", "JsJd"), bets, river))
    told = grades(first, "Hero")
    assert judged(told).height == 2
    again = [
        raised_and_shoved("KhQs", "3d2c", answer, board="AhAsAc2s2h"),
        hand(DEEP, ("KhQs", "4s4d"), bets, river),
    ]
    assert grades(again, "Hero").equals(told)
    hidden = [replace(one, holes=(one.holes[0], None)) for one in first]
    assert grades(hidden, "Hero").equals(told)


def test_only_a_call_that_ends_the_betting_is_graded() -> None:
    state = step(initial(DEEP), DealHoles((None, None)))
    assert not call_ends_betting(state)
    raised = act(state, Raise(Chips(300)))
    assert not call_ends_betting(raised), "there is a flop to come, and chips to bet"
    assert call_ends_betting(act(raised, Raise(Chips(2_500))))
    three = no_limit_holdem(3, blinds=(50, 100), stack=2_500)
    shoved = act(step(initial(three), DealHoles((None,) * 3)), Raise(Chips(2_500)))
    assert not call_ends_betting(shoved), "somebody else is still to act"
    assert call_ends_betting(act(shoved, Call()))
    first = read_hand("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC # 1:Hero|Bob")
    told = judged(grades([first], "Bob"))
    (last,) = told.iter_rows(named=True)
    assert last["act"] == len(first.actions) - 1


def test_side_pots_are_won_from_those_who_are_in_them() -> None:
    rules = replace(
        no_limit_holdem(4, blinds=(50, 100), stack=2_000),
        stacks=tuple(map(Chips, (2_000, 2_000, 600, 2_000))),
        antes=(Chips(10),) * 4,
    )
    state = step(initial(rules), DealHoles((None,) * 4))
    order = []
    while state.actor is not None:
        seat = state.actor
        order.append(seat)
        high = state.max_raise_to
        if seat == 3:
            state = act(state, Fold()) if state.to_call else act(state, Call())
        else:
            state = act(state, Raise(high) if high is not None else Call())
    main, side = _pots(state, 0)  # type: ignore[arg-type]
    assert main.chips == 3 * 590 + 40
    assert set(main.rivals) == {1, 2}
    assert (side.chips, side.rivals) == (2 * (1_990 - 590), (1,))


def test_a_decision_is_close_only_where_no_reading_is_far() -> None:
    """A fold that costs 6 to 67 big blinds of a pot of 118 depends on how opponents play."""
    assert grade_of_costs(6.4 / 118, 67.4 / 118) is not Grade.CLOSE
    assert grade_of_costs(0.0, 0.3) is Grade.UNKNOWN
    assert grade_of_costs(0.01, 0.08) is Grade.CLOSE


def test_what_the_betting_tells_may_be_less_or_more() -> None:
    """A mistake has its cost beside it if opponents bluff more, have the best, or bet any hand."""
    (row,) = judged(grades([raised_and_shoved("AhAs", "7d7c", Fold())], "Hero")).iter_rows(
        named=True
    )
    assert row["grade"] == "mistake"
    assert row["cost_best"] < row["cost_any"]
    costs = [row[f"cost_{name}"] for name in RETOLD]
    assert row["cost_low"] < min(costs)
    assert max(costs) < row["cost_high"]
    # King high lacks the odds against what shoves there, and has them against any hand.
    (row,) = judged(grades([raised_and_shoved("Kh5s", "7d7c", Call())], "Hero")).iter_rows(
        named=True
    )
    assert row["cost_best"] > 0 == row["cost_any"]
    assert row["grade"] == "unknown"


def test_limit_is_graded_on_the_river() -> None:
    records = [
        read_hand(f"9s6s,JdTc,Td5hTh/2d/2h SlCk/kBrC/bRrC/b{last} # {number}:Hero|Bob")
        for number, last in ((1, "C"), (2, "F"))
    ]
    assert records[0].rules.betting is HEADS_UP_LIMIT.betting
    told = judged(grades(records, "Bob"))
    assert told["row"].to_list() == [0, 1]
    assert told["grade"].to_list() == ["good", "mistake"]
    assert told["best"].to_list() == ["call", "call"]


@pytest.fixture
def pluribus(shared_data: Path) -> list[HandRecord]:
    path = shared_data / "pluribus" / "pluribus_10000.phhs.gz"
    return [record for record in read(str(path)) if isinstance(record, HandRecord)]


@pytest.mark.slow
def test_the_frequencies_that_come_with_the_program_are_those_of_the_hands_it_names(
    pluribus: list[HandRecord],
) -> None:
    counted = count_betting(pluribus)
    assert np.array_equal(counted.shares, betting_ranges._shipped())


def test_a_call_that_beats_nothing_is_a_mistake_in_a_large_pot_of_limit() -> None:
    """It loses its bet by every reading, also where that is a seventeenth of the pot."""
    record = read_hand("4c3d,AsKs,9hThJc/Kd/2s SlRrRc/bRrRc/bRrRc/kBc # 1:Hero|Bob")
    *_, last = judged(grades([record], "Hero")).iter_rows(named=True)
    assert 0 < last["equity_high"] < 0.02
    assert (last["grade"], last["best"]) == ("mistake", "fold")
    assert 1.5 < last["cost_low"] < last["cost_high"] == 2.0
