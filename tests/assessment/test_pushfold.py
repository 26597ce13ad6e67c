"""Lists of people's push/fold decisions, read and counted."""

from __future__ import annotations

import gc
import tracemalloc
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from railbird.assessment.pushfold import (
    JudgedDecisions,
    Population,
    PushFoldDecision,
    PushfoldStrategy,
    RowProblem,
    SkippedRow,
    count_decisions,
    deviations,
    fit_strategy,
    judge_decisions,
    judge_fit,
    match_up,
    read_decisions,
    take_census,
)
from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, HOLDINGS, HandClass, Holding, parse_class
from railbird.errors import BadInput, NothingUsable
from railbird.solve import COMBINATIONS, Seat, pushfold_ev, range_frequencies, solve_pushfold

HEADER = "card1,card2,position,skill,decision,played_at\n"


def test_rows_that_do_not_count_are_named(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(
        HEADER
        + "10s,KS,sb,expert,aggress,x\n"
        + "9C,9c,sb,,fold,\n"
        + ",,bb,,fold,\n"
        + "As,Ad,button,,fold,\n"
        + "As,Ad,bb,,limp,\n"
        + "As,Ad,BB,,Fold,\n"
    )
    rows = list(read_decisions(path))
    found = [row for row in rows if isinstance(row, PushFoldDecision)]
    assert [(row.seat, row.aggressive) for row in found] == [
        (Seat.SMALL_BLIND, True),
        (Seat.BIG_BLIND, False),
    ]
    skipped = [row for row in rows if isinstance(row, SkippedRow)]
    assert [(row.line, row.problem) for row in skipped] == [
        (3, RowProblem.CARDS),
        (4, RowProblem.CARDS),
        (5, RowProblem.POSITION),
        (6, RowProblem.DECISION),
    ]
    census = take_census(rows, first=1, examples=3)
    assert census.population.decisions == 1
    assert census.skipped[RowProblem.CARDS.value] == 2
    assert list(census.examples) == skipped[:3]


def test_a_short_row_lacks_its_last_fields(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("decision,card1,card2,position\nfold,As,Ad,bb,more\n\nfold,As\n")
    found, lost = read_decisions(path)
    assert isinstance(found, PushFoldDecision)
    assert lost == SkippedRow(4, RowProblem.CARDS, "As,,,fold")


@pytest.mark.slow(but=["rows1-RowProblem.CARDS"])
@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("As,Ad,sb,,aggress,\nAs,Ad,button,,fold,\n" * 100_000, RowProblem.POSITION),
        ("no line ends " * 300_000, RowProblem.CARDS),
    ],
)
def test_memory_does_not_grow_with_the_list(tmp_path: Path, rows: str, problem: RowProblem) -> None:
    path = tmp_path / "people.csv"
    path.write_text(HEADER)
    take_census(
        read_decisions(path), examples=1
    )  # what is loaded on first use is none of the list's
    path.write_text(HEADER + rows)
    gc.collect()
    tracemalloc.start()
    try:
        census = take_census(read_decisions(path), examples=1)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert list(census.skipped) == [problem.value]
    assert most < 1_500_000, "bytes; the file has 3,900,000"


def test_a_missing_column(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("card1,card2,decision\nAs,Ad,fold\n")
    with pytest.raises(BadInput, match="no column 'position'"):
        list(read_decisions(path))


def test_the_people_of_the_source(shared_data: Path) -> None:
    rows = list(read_decisions(shared_data / "pushfold_users" / "gameplay.csv"))
    # data/README.md: 5,127 rows, of which four lack cards.
    assert len(rows) == 5127
    census = take_census(rows, stack=10)
    assert list(census.by_stack) == [10]
    population = census.population
    assert population.decisions == 5123
    assert int(population.sb_hands.sum()) == 3179
    assert int(population.shoves.sum()) == 1803
    assert int(population.bb_hands.sum()) == 1944
    assert int(population.calls.sum()) == 943
    assert population.complete


EXPORT = "card1,card2,position,skill,decision,played_at,stack_bb,hand,hinted,equilibrium\n"


def test_stacks_and_hints_of_our_own_export_count(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text(
        EXPORT
        + "As,Ad,sb,,aggress,x,10.0,AA,False,1.0\n"
        + "As,Ad,sb,,fold,x,4.5,AA,False,1.0\n"
        + "As,Ad,sb,,fold,x,4.5,AA,True,1.0\n"
        + "7s,2d,bb,,fold,x,,72o,,0.0\n"
    )
    census = take_census(read_decisions(path), stack=8)
    assert {stack: each.decisions for stack, each in census.by_stack.items()} == {
        4.5: 1,
        8: 1,
        10: 1,
    }
    assert census.by_stack[4.5].shoves.sum() == 0
    assert census.skipped == {"made after a hint": 1}
    assert not census.examples, "a hint is no fault of the file"


@pytest.mark.parametrize(
    ("stack", "hinted", "problem"),
    [
        ("0.9", "False", RowProblem.STACK),
        ("101", "False", RowProblem.STACK),
        ("nan", "False", RowProblem.STACK),
        ("ten", "False", RowProblem.STACK),
        ("1" * 400, "False", RowProblem.STACK),
        ("10", "perhaps", RowProblem.HINT),
        ("10", "true", RowProblem.HINTED),
    ],
)
def test_stacks_and_hints_that_are_none(
    tmp_path: Path, stack: str, hinted: str, problem: RowProblem
) -> None:
    path = tmp_path / "export.csv"
    path.write_text(EXPORT + f"As,Ad,sb,,aggress,x,{stack},AA,{hinted},1.0\n")
    (row,) = read_decisions(path)
    assert isinstance(row, SkippedRow)
    assert row.problem is problem


def test_stacks_count_to_the_tenth(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    lines = (f"As,Ad,sb,,aggress,x,{9.5 + place / 1e6:.6f},AA,False,1.0\n" for place in range(99))
    path.write_text(EXPORT + "".join(lines))
    assert list(take_census(read_decisions(path)).by_stack) == [9.5]


def test_classes_that_never_came_have_no_frequency(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(HEADER + "As,Ad,sb,,aggress,\n")
    population = take_census(read_decisions(path)).population
    assert population.push[parse_class("AA")] == 1
    assert np.isnan(np.delete(population.push, parse_class("AA"))).all()
    assert np.isnan(population.call).all()
    assert not population.complete


# What people's push/fold decisions gave up.


@cache
def _equilibrium(stack: float) -> PushfoldStrategy:
    solution = solve_pushfold(stack)
    return PushfoldStrategy(solution.push, solution.call)


def _judge(people: Population, stack: float = 10) -> JudgedDecisions:
    return judge_decisions({stack: people}, {stack: _equilibrium(stack)})


def _holding(hand_class: HandClass) -> Holding:
    return Holding(int(np.flatnonzero(hand_class == CLASS_OF_HOLDING)[0]))


def _drawn(
    people: PushfoldStrategy, count: int, rng: np.random.Generator, stack: float = 10
) -> Population:
    """Decisions of people against the equilibrium: the big blind is asked after a push only."""
    own = _equilibrium(stack)
    decisions = []
    for _ in range(count):
        hand, other = rng.choice(HOLDINGS, 2, replace=False)
        seat = Seat.SMALL_BLIND if rng.random() < 0.5 else Seat.BIG_BLIND
        if seat is Seat.BIG_BLIND and rng.random() >= own.push[CLASS_OF_HOLDING[other]]:
            continue
        frequency = people.push if seat is Seat.SMALL_BLIND else people.call
        played = bool(rng.random() < frequency[CLASS_OF_HOLDING[hand]])
        decisions.append(PushFoldDecision(seat, Holding(int(hand)), played))
    return count_decisions(decisions)


def test_a_decision_gives_up_what_the_better_one_would_have_earned() -> None:
    values = pushfold_ev(*_equilibrium(10), stack=10)
    aces, deuce = parse_class("AA"), parse_class("72o")
    hand = {place: _holding(place) for place in (aces, deuce)}
    judged = _judge(
        count_decisions(
            [
                PushFoldDecision(Seat.SMALL_BLIND, hand[aces], False),
                PushFoldDecision(Seat.SMALL_BLIND, hand[deuce], False),
                PushFoldDecision(Seat.BIG_BLIND, hand[deuce], True),
            ]
        )
    )
    folded = values.push_ev[aces] - values.fold_ev_sb
    called = values.fold_ev_bb - values.call_ev[deuce]
    assert judged.small_blind.given_up.value == pytest.approx(folded / 2)
    assert judged.small_blind.lost[aces] == pytest.approx(folded)
    assert (judged.small_blind.mistakes, judged.small_blind.decisions) == (1, 2)
    assert judged.big_blind.given_up.value == pytest.approx(called)
    # The equilibrium wins what it is worth and what is given up; the big blind is not asked always.
    assert judged.small_blind.win.value == pytest.approx(folded / 2 - values.sb_value)
    asked = float(values.facing @ COMBINATIONS) / HOLDINGS
    assert judged.big_blind.win.value == pytest.approx(values.sb_value + asked * called, abs=1e-6)
    assert np.isnan(np.delete(judged.small_blind.frequency, [aces, deuce])).all()


@pytest.mark.slow
def test_on_a_long_list_it_is_what_their_frequencies_come_to() -> None:
    rng = np.random.default_rng(5)
    people = PushfoldStrategy(rng.random(169), rng.random(169))
    judged = _judge(_drawn(people, 60_000, rng))
    whole = match_up(_equilibrium(10), people, stack=10)
    for value, estimate in (
        (whole.small_blind, judged.big_blind.win),
        (whole.big_blind, judged.small_blind.win),
        (whole.mean, judged.mean),
    ):
        assert abs(estimate.value - value) < 4 * estimate.stderr
        assert estimate.stderr < 0.02


@pytest.mark.slow(but=["40"])
@pytest.mark.parametrize("count", [40, 160])
def test_short_lists_estimate_the_same_and_their_intervals_hold_it(count: int) -> None:
    """Classes that never came must not count as played half of the time, nor as certain."""
    rng = np.random.default_rng(7)
    solved = _equilibrium(10)
    people = PushfoldStrategy(0.8 * solved.push + 0.1, 0.8 * solved.call + 0.1)
    truth = match_up(solved, people, stack=10).mean
    judged = [_judge(_drawn(people, count, rng)).mean for _ in range(150)]
    values = [each.value for each in judged]
    assert abs(np.mean(values) - truth) < 4 * np.std(values) / np.sqrt(len(values))
    held = sum(each.low <= truth <= each.high for each in judged)
    assert held >= 0.9 * len(judged)


@pytest.mark.parametrize("count", [80, 300])
def test_random_parts_of_the_sources_people(shared_data: Path, count: int) -> None:
    """All 5,123 give +0.064; 80 of them were once said to give +0.3077 (0.3062 to 0.3092)."""
    rows = read_decisions(shared_data / "pushfold_users" / "gameplay.csv")
    decisions = [row for row in rows if isinstance(row, PushFoldDecision)]
    truth = _judge(count_decisions(decisions)).mean.value
    assert truth == pytest.approx(0.0643, abs=1e-4)
    rng = np.random.default_rng(1)
    parts = [rng.choice(len(decisions), count, replace=False) for _ in range(150)]
    judged = [_judge(count_decisions(decisions[at] for at in part)).mean for part in parts]
    values = [each.value for each in judged]
    assert abs(np.mean(values) - truth) < 4 * np.std(values) / np.sqrt(len(values))
    held = sum(each.low <= truth <= each.high for each in judged)
    assert 0.9 * len(judged) <= held


def test_the_figures_of_the_whole_list(shared_data: Path) -> None:
    census = take_census(
        read_decisions(shared_data / "pushfold_users" / "gameplay.csv"), first=4993
    )
    people, solved = census.population, _equilibrium(10)
    # The source, section 3.2, with its sampled win chances: +0.040, +0.090, +0.065.
    whole = match_up(solved, PushfoldStrategy(people.push, people.call), stack=10)
    assert whole.small_blind == pytest.approx(0.0458, abs=5e-5)
    assert whole.big_blind == pytest.approx(0.0827, abs=5e-5)
    assert whole.mean == pytest.approx(0.0643, abs=5e-5)
    # Section 3.3: 113 and 38 of 1,326 holdings.
    better = [COMBINATIONS[whole.opposite_is_better(seat)].sum() for seat in Seat]
    assert better == [112, 44]
    assert whole.opponent_values(Seat.BIG_BLIND).argmax() == parse_class("AA")
    judged = _judge(people)
    assert judged.mean.value == pytest.approx(whole.mean, abs=0.001)


def test_each_decision_is_judged_at_its_stack() -> None:
    hand = _holding(parse_class("K5o"))
    call = count_decisions([PushFoldDecision(Seat.BIG_BLIND, hand, True)] * 30)
    stacks = {5.0: call, 20.0: call}
    judged = judge_decisions(stacks, {stack: _equilibrium(stack) for stack in stacks})
    # K5o calls up to 10.2 big blinds.
    alone = {stack: _judge(call, stack).big_blind for stack in stacks}
    assert alone[5.0].mistakes == 0
    assert alone[20.0].mistakes == 30
    assert judged.big_blind.mistakes == 30
    assert judged.big_blind.given_up.value == pytest.approx(alone[20.0].given_up.value / 2)
    assert judged.big_blind.expected[parse_class("K5o")] == pytest.approx(0.5, abs=1e-3)
    assert judged.big_blind.win.value == pytest.approx(
        np.mean([each.win.value for each in alone.values()])
    )


def test_one_seat_alone_is_judged_and_nothing_said_of_the_other() -> None:
    hands = [Holding(hand) for hand in range(50)]
    judged = _judge(count_decisions(PushFoldDecision(Seat.SMALL_BLIND, h, True) for h in hands))
    assert np.isfinite(judged.small_blind.win.interval()).all()
    assert judged.big_blind.decisions == 0
    assert not np.isfinite(judged.big_blind.win.interval()).any()
    assert not np.isfinite(judged.mean.interval()).any()


def test_no_decision_is_nothing_usable() -> None:
    with pytest.raises(NothingUsable, match="no decision"):
        _judge(count_decisions([]))


# Ranges beside the equilibrium.


TEST_PUSHFOLD_DEVIATION_SOLUTION = solve_pushfold(10)
SOLVED = PushfoldStrategy(
    TEST_PUSHFOLD_DEVIATION_SOLUTION.push, TEST_PUSHFOLD_DEVIATION_SOLUTION.call
)


def test_the_equilibrium_gives_nothing_up() -> None:
    for each in deviations(SOLVED, TEST_PUSHFOLD_DEVIATION_SOLUTION):
        assert each.given_up == pytest.approx(0, abs=1e-4)
        assert each.worst == pytest.approx(0, abs=1e-7)
        assert not len(each.differs)


def test_a_range_that_folds_everything() -> None:
    nothing = np.zeros(169)
    push, call = deviations(PushfoldStrategy(nothing, nothing), TEST_PUSHFOLD_DEVIATION_SOLUTION)
    assert push.value == pytest.approx(-0.5, abs=1e-6)
    assert push.given_up == pytest.approx(
        TEST_PUSHFOLD_DEVIATION_SOLUTION.value_sb_bb + 0.5, abs=1e-6
    )
    # Nobody can take more from one who folds everything, or less.
    assert push.worst == pytest.approx(push.given_up, abs=1e-6)
    # A big blind that never calls loses its blind to a push of everything.
    assert call.worst == pytest.approx(1 - TEST_PUSHFOLD_DEVIATION_SOLUTION.value_sb_bb, abs=1e-6)
    assert CLASS_NAMES[call.differs[0]] == "AKo"


def test_a_range_of_text_is_worth_what_it_earns() -> None:
    own = PushfoldStrategy(
        range_frequencies("22+, A2+, K5o+"), range_frequencies("33+, A7o+:0.5, KQ")
    )
    push, call = deviations(own, TEST_PUSHFOLD_DEVIATION_SOLUTION)
    assert push.value == pytest.approx(
        pushfold_ev(own.push, SOLVED.call, stack=10).sb_value, abs=1e-4
    )
    assert call.value == pytest.approx(
        pushfold_ev(SOLVED.push, own.call, stack=10).bb_value, abs=1e-4
    )
    # An opponent's best response is worth as much as a best response against the range wins.
    against = match_up(SOLVED, own, stack=10)
    assert push.worst == pytest.approx(
        against.best_big_blind + TEST_PUSHFOLD_DEVIATION_SOLUTION.value_sb_bb, abs=1e-6
    )
    assert call.worst == pytest.approx(
        against.best_small_blind - TEST_PUSHFOLD_DEVIATION_SOLUTION.value_sb_bb, abs=1e-6
    )
    assert push.worst > push.given_up > 0
    lost = push.lost[push.differs]
    assert (np.diff(lost) <= 0).all()
    assert lost.sum() == pytest.approx(push.given_up, abs=1e-4)


# Complete push/fold strategies against each other.


TEST_PUSHFOLD_MATCHUP_WEIGHTS = COMBINATIONS / COMBINATIONS.sum()


def test_values_by_hand_add_up() -> None:
    rng = np.random.default_rng(3)
    own, other = (PushfoldStrategy(rng.random(169), rng.random(169)) for _ in range(2))
    found = match_up(own, other, stack=10)
    assert found.hand_values(Seat.SMALL_BLIND) @ TEST_PUSHFOLD_MATCHUP_WEIGHTS == pytest.approx(
        found.small_blind
    )
    assert found.hand_values(Seat.BIG_BLIND) @ TEST_PUSHFOLD_MATCHUP_WEIGHTS == pytest.approx(
        found.big_blind
    )
    assert found.opponent_values(Seat.SMALL_BLIND) @ TEST_PUSHFOLD_MATCHUP_WEIGHTS == pytest.approx(
        -found.big_blind
    )
    assert found.opponent_values(Seat.BIG_BLIND) @ TEST_PUSHFOLD_MATCHUP_WEIGHTS == pytest.approx(
        -found.small_blind
    )
    # Whoever answers best wins most: no strategy does better than the best response.
    always = np.ones(169)
    assert found.best_small_blind >= pushfold_ev(always, other.call, stack=10).sb_value
    assert found.best_big_blind >= pushfold_ev(other.push, always, stack=10).bb_value
    assert found.gain > 0


def test_the_equilibrium_against_itself() -> None:
    solution = solve_pushfold(10)
    own = PushfoldStrategy(solution.push, solution.call)
    found = match_up(own, own, stack=10)
    assert found.mean == pytest.approx(0, abs=1e-12)
    assert found.small_blind == pytest.approx(solution.value_sb_bb)
    assert found.gain == pytest.approx(0, abs=1e-7)


# A complete strategy for people whose decisions are known in part.


TEST_PUSHFOLD_POPULATION_SOLUTION = solve_pushfold(10)
OWN = PushfoldStrategy(
    TEST_PUSHFOLD_POPULATION_SOLUTION.push, TEST_PUSHFOLD_POPULATION_SOLUTION.call
)
TEST_PUSHFOLD_POPULATION_WEIGHTS = COMBINATIONS / COMBINATIONS.sum()


def _people(rng: np.random.Generator) -> PushfoldStrategy:
    """People as the prior has them."""
    values = pushfold_ev(OWN.push, OWN.call, stack=10)
    drawn = []
    for gain in (values.push_ev - values.fold_ev_sb, values.call_ev - values.fold_ev_bb):
        a, b, m = rng.normal(0, 0.5), rng.uniform(2, 6), rng.uniform(10, 60)
        mean = 1 / (1 + np.exp(-(a + b * gain)))
        drawn.append(rng.beta(np.maximum(m * mean, 1e-9), np.maximum(m * (1 - mean), 1e-9)))
    return PushfoldStrategy(drawn[0], drawn[1])


def _decisions(people: PushfoldStrategy, count: int, rng: np.random.Generator) -> Population:
    hands = [rng.multinomial(count, TEST_PUSHFOLD_POPULATION_WEIGHTS) for _ in range(2)]
    return Population(
        shoves=rng.binomial(hands[0], people.push),
        sb_hands=hands[0],
        calls=rng.binomial(hands[1], people.call),
        bb_hands=hands[1],
    )


@pytest.mark.slow
def test_intervals_hold_the_value_of_people_as_the_prior_has_them() -> None:
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(20):
        people = _people(rng)
        fit = fit_strategy(
            _decisions(people, 60, rng), TEST_PUSHFOLD_POPULATION_SOLUTION, rng=rng, draws=400
        )
        judged = judge_fit(OWN, fit, stack=10, ante=0)
        truth = match_up(OWN, people, stack=10).mean
        held += judged.mean.low <= truth <= judged.mean.high
    assert held >= 17


@pytest.mark.slow
def test_many_decisions_speak_for_themselves() -> None:
    rng = np.random.default_rng(3)
    people = PushfoldStrategy(rng.random(169), rng.random(169))
    fit = fit_strategy(
        _decisions(people, 2_000_000, rng), TEST_PUSHFOLD_POPULATION_SOLUTION, rng=rng, draws=400
    )
    assert np.abs(fit.mean.push - people.push).max() < 0.03
    assert np.abs(fit.mean.call - people.call).max() < 0.03
    judged = judge_fit(OWN, fit, stack=10, ante=0)
    truth = match_up(OWN, people, stack=10)
    assert judged.mean.value == pytest.approx(truth.mean, abs=0.005)
    assert judged.gain.value == pytest.approx(truth.gain, abs=0.005)
    # The mean of the draws is the value against their mean.
    assert judged.mean.value == pytest.approx(judged.matchup.mean)


@pytest.mark.slow
def test_classes_that_never_came_follow_the_rest() -> None:
    """Not a half: people who pushed what gains and folded what does not push aces."""
    rng = np.random.default_rng(4)
    whole = _decisions(OWN, 3_000, rng)
    missing = np.arange(169) == 0
    known = Population(
        shoves=np.where(missing, 0, whole.shoves),
        sb_hands=np.where(missing, 0, whole.sb_hands),
        calls=np.where(missing, 0, whole.calls),
        bb_hands=np.where(missing, 0, whole.bb_hands),
    )
    fit = fit_strategy(known, TEST_PUSHFOLD_POPULATION_SOLUTION, rng=rng, draws=400)
    assert fit.mean.push[0] > 0.97
    assert fit.mean.call[0] > 0.97


@pytest.mark.slow
def test_a_seat_without_decisions_cannot_be_made_complete() -> None:
    nothing = np.zeros(169, dtype=np.int64)
    some = np.ones(169, dtype=np.int64)
    population = Population(shoves=some, sb_hands=some, calls=nothing, bb_hands=nothing)
    with pytest.raises(BadInput, match="no decision in the big blind"):
        fit_strategy(population, TEST_PUSHFOLD_POPULATION_SOLUTION, rng=np.random.default_rng(0))
