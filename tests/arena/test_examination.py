"""Examinations: the decisions are real, their costs right, faults apart, and seeds alike."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import pytest

from railbird.arena import Fault, exam_decisions
from railbird.arena.exam_decisions import (
    BEFORE_FLOP,
    GAP,
    ITERATIONS,
    MOST_POT,
    SEATS,
    SHARED_ERROR,
    SHARED_ERROR_OF_SIZES,
    ExamCost,
    ExamKind,
    ExamQuestion,
    _bets,
    _river_of,
    draw_exam,
)
from railbird.arena.examination import (
    GUESS,
    SOLUTION,
    ExamAnswer,
    ExamResult,
    exam_loss,
    examine,
    examine_on,
    reference_results,
)
from railbird.assessment.graded_decisions import solved
from railbird.cards import CLASS_OF_HOLDING, Range
from railbird.errors import BadInput
from railbird.game import Action, Call, Event, Fold, Raise, View, legal, view
from railbird.players import Distribution, IllegalAnswer
from railbird.solve import PushFoldTable, solve_pushfold_table
from railbird.solve.drill_store import DrillStore
from railbird.solve.spot import Spot, SpotSolver, begun, resume
from railbird.solve.spot.presets import BIG_BLIND, PRESETS
from railbird.units import Chips

BETS = (ExamKind.HEADS_UP, ExamKind.PRIZES)


def bets(seed: int = 1, count: int = 40) -> tuple[ExamQuestion, ...]:
    return draw_exam(seed, count, kinds=BETS)


class Answering:
    """A player that does what a function says."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.notes: list[str] = []
        self.seen: list[str] = []

    def reset(self, rng: np.random.Generator) -> None:
        pass

    def act(self, view: View) -> Action:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]

    def brief(self, words: str) -> None:
        self.notes.append(words)

    def begin(self, view: View) -> None:
        self.seen.append("begin")

    def observe(self, view: View, event: Event) -> None:
        self.seen.append(type(event).__name__)

    def end(self, view: View) -> None:
        self.seen.append("end")


class Halving(Answering):
    """Calls half of the time, and says so."""

    def distribution(self, view: View) -> Distribution:
        return Distribution(fold=0.5, call=0.5)


def asked_view(question: ExamQuestion) -> View:
    *_, last = question.steps()
    assert last.after.actor is not None
    return view(last.after, last.after.actor)


def test_all_in_bets_are_hands_in_which_a_call_ends_the_betting() -> None:
    questions = bets(count=200)
    assert {question.kind for question in questions} == set(BETS)
    for question in questions:
        seen = asked_view(question)
        assert set(legal(seen.state).actions()) == set(question.costs) == {Fold(), Call()}
        assert min(cost.value for cost in question.costs.values()) == 0
        assert bool(question.prizes) is (question.kind is ExamKind.PRIZES)
        assert ("per cent" in question.note) is bool(question.prizes)


def test_heads_up_costs_are_those_of_graded_decisions() -> None:
    questions = [
        question
        for question in bets(count=400)
        if question.kind is ExamKind.HEADS_UP and question.name.startswith(("10 10 ", "8 8 "))
    ]
    assert len(questions) > 10
    for question in questions:
        seen = asked_view(question)
        for action in (Fold(), Call()):
            graded = solved(seen.state, seen.holding, action)
            assert graded is not None
            # Those charts are coarser, to 1e-5 bb of the whole game.
            assert 1000 * graded.cost == pytest.approx(question.costs[action].value, abs=15)


@pytest.mark.slow
def test_costs_for_prizes_are_those_of_the_table() -> None:
    table = PushFoldTable(stacks=(14, 8, 5), payouts=(65, 35), most_in=2)
    values = solve_pushfold_table(table, tolerance=1e-6).values
    questions = [
        question
        for question in draw_exam(3, 2_000, kinds=[ExamKind.PRIZES])
        if question.name.startswith("14 8 5 0 ")
    ]
    assert len(questions) > 5
    for question in questions:
        hand = CLASS_OF_HOLDING[asked_view(question).holding]
        gain = values.push[2, (0,)][hand] - values.fold[2, (0,)][hand]
        lost = gain / 100 * 27 * 1000
        assert question.costs[Fold()].value == pytest.approx(max(lost, 0), abs=1)
        assert question.costs[Call()].value == pytest.approx(max(-lost, 0), abs=1)


@pytest.mark.slow
def test_rivers_are_those_of_the_store() -> None:
    questions = draw_exam(1, 120, kinds=[ExamKind.RIVER])
    for question in questions:
        decision = question.river
        assert decision is not None
        seen = asked_view(question)
        assert seen.state.pot == decision.pot
        stacks = seen.state.stacks
        assert stacks is not None
        assert stacks[seen.seat] == decision.stacks[decision.player]
        assert all(action in legal(seen.state) for action in question.costs)
        assert len(question.costs) == len(decision.actions)
        assert question.costs[question.best()].value == 0


@pytest.mark.slow
def test_a_size_beside_one_of_the_tree_costs_about_the_same() -> None:
    questions = draw_exam(2, 60, kinds=[ExamKind.RIVER])
    compared = 0
    for question in questions:
        sizes = [action for action in question.costs if isinstance(action, Raise)]
        if len(sizes) < 2 or compared == 8:
            continue
        size = sizes[0]
        beside = question.cost_of(Raise(Chips(size.to + 1)))
        listed = question.costs[size]
        assert beside.low <= listed.high + 100
        assert listed.low <= beside.high + 100
        compared += 1
    assert compared == 8


@pytest.mark.slow
def test_every_legal_size_has_a_cost() -> None:
    questions = draw_exam(8, 40, kinds=[ExamKind.RIVER])
    raised = [question for question in questions if asked_view(question).legal.min_raise_to]
    for question in raised[:8]:
        allowed = asked_view(question).legal
        low, high = int(allowed.min_raise_to or 0), int(allowed.max_raise_to or 0)
        for size in {low, low + 1, (low + high) // 2, high - 1, high}:
            cost = question.cost_of(Raise(Chips(min(max(size, low), high))))
            assert 0 <= cost.low <= cost.value <= cost.high < 200_000


def test_the_best_action_costs_nothing_and_the_others_what_they_say() -> None:
    questions = bets()
    best, guess = reference_results(questions)
    assert (best.player, guess.player) == (SOLUTION, GUESS)
    assert best.ev_lost.value == 0
    calls = examine_on(Answering(Call()), questions)
    folds = examine_on(Answering(Fold()), questions)
    assert calls.ev_lost.value + folds.ev_lost.value == pytest.approx(2 * guess.ev_lost.value)
    halves = examine_on(Halving(Call()), questions)
    assert halves.ev_lost.value == pytest.approx(guess.ev_lost.value)


def test_a_player_sees_the_hand_from_its_deal_to_its_end_and_what_it_plays_for() -> None:
    questions = bets(count=20)
    player = Answering(Call())
    examine_on(player, questions)
    assert player.notes == [question.note for question in questions]
    assert player.seen.count("begin") == player.seen.count("end") == len(questions)
    acts = sum(len(question.before) + 1 for question in questions)
    assert player.seen.count("Act") == acts


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (Raise(Chips(10**9)), Fault.ILLEGAL),
        ("all in!", Fault.ILLEGAL),
        (IllegalAnswer("no action"), Fault.ILLEGAL),
        (TimeoutError("no answer"), Fault.LATE),
        (ZeroDivisionError("oh"), Fault.EXCEPTION),
    ],
    ids=["size", "text", "answer", "late", "error"],
)
def test_faults_are_apart_from_play(answer: object, fault: Fault) -> None:
    result = examine_on(Answering(answer), bets(count=20))
    assert result.faults_of(fault) == result.count == 20
    assert result.faults.counts == {fault: 20}
    assert result.played == []
    document = result.as_json()
    assert document[fault.value] == 20
    assert document["with_faults_mbb"]["value"] > 0
    assert np.isnan(result.ev_lost.value)


def test_the_same_seed_asks_the_same_and_another_seed_others() -> None:
    names = [[question.name for question in bets(seed)] for seed in (1, 1, 2)]
    assert names[0] == names[1]
    assert len(set(names[0]) & set(names[2])) < len(names[0]) / 2


def test_seeds_are_equally_difficult() -> None:
    """Spread over seeds is what the interval says, and far below what single decisions have."""
    values, errors = [], []
    for seed in range(12):
        _, guess = reference_results(bets(seed, 200))
        values.append(guess.ev_lost.value)
        errors.append(guess.ev_lost.stderr)
    assert np.std(values) < 2 * np.mean(errors)
    single = [
        np.mean([cost.value for cost in question.costs.values()]) for question in bets(0, 200)
    ]
    assert np.std(values) < np.std(single) / np.sqrt(200) / 5


@pytest.mark.parametrize("kind", BETS)
def test_the_weighted_mean_is_that_of_all_decisions(kind: ExamKind) -> None:
    """Dear decisions are drawn more often, and count less."""
    population = _bets(kind)
    everything = draw_exam(0, len(population.places), kinds=[kind])
    assert {question.weight for question in everything} == {1 / len(everything)}
    truth = next(iter(reference_results(everything))).ev_lost.value, population.costs.mean() / 2
    samples = [[*reference_results(draw_exam(seed, 60, kinds=[kind]))] for seed in range(30)]
    assert truth[0] == 0
    guesses = [guess.ev_lost.value for _, guess in samples]
    error = np.std(guesses) / np.sqrt(len(guesses))
    assert np.mean(guesses) == pytest.approx(truth[1], abs=4 * error)
    assert error < truth[1] / 500
    weights = [question.weight for question in draw_exam(1, 60, kinds=[kind])]
    assert sum(weights) == pytest.approx(1)
    assert max(weights) > 5 * min(weights)


@pytest.mark.slow
def test_errors_of_costs_cancel_as_far_as_is_said() -> None:
    """Against rivers solved ten times as far."""
    questions = draw_exam(5, 200, kinds=[ExamKind.RIVER])
    errors, bounds = [], []
    for question in questions:
        river, point = _river_of(question.name)
        solver = SpotSolver(Spot.parse(river["spot"]), threads=1)
        finer = resume(begun(solver), gap_percent=GAP / 10, iterations=3 * ITERATIONS)
        node = finer.node(point["line"])
        assert question.river is not None
        holding = Range.parse(question.river.holding).weights.argmax()
        truths = 1_000 / BIG_BLIND * node.losses[:, holding]
        for cost, truth in zip(question.costs.values(), truths, strict=True):
            assert cost.mean_low <= cost.value <= cost.mean_high
            errors.append(float(truth) - cost.value)
            bounds.append((cost.high - cost.low, abs(errors[-1])))
    widths = np.array([width / 2 for width, _ in bounds])
    chance = 2 * np.std(errors) / np.sqrt(len(questions))
    assert abs(np.mean(errors)) < SHARED_ERROR * widths.mean() + chance
    assert chance < SHARED_ERROR * widths.mean()
    sizes = np.array([error for _, error in bounds])
    assert np.mean(sizes <= 2 * widths + 1e-9) > 0.95


@pytest.mark.slow
def test_errors_of_added_sizes_cancel_as_far_as_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against rivers solved ten times as far, in pots larger than any that an examination asks."""
    monkeypatch.setattr(exam_decisions, "MOST_POT", 10 * MOST_POT)
    monkeypatch.setattr(exam_decisions, "_river_population", [])
    drawn = draw_exam(6, 400, kinds=[ExamKind.RIVER])
    errors, widths = [], []
    for number, question in enumerate(drawn):
        river = question.river
        assert river is not None
        allowed = asked_view(question).legal
        if river.pot <= MOST_POT * BIG_BLIND or allowed.min_raise_to is None:
            continue
        assert allowed.max_raise_to is not None
        wanted = allowed.to_call + (0.45, 0.9, 1.3)[number % 3] * (river.pot + allowed.to_call)
        size = Raise(Chips(min(max(round(wanted), allowed.min_raise_to), allowed.max_raise_to)))
        if size in question.costs:
            continue
        cost = question.cost_of(size)
        with monkeypatch.context() as finer:
            finer.setattr(exam_decisions, "GAP", GAP / 10)
            finer.setattr(exam_decisions, "ITERATIONS", 3 * ITERATIONS)
            for cached in (exam_decisions._solved_cost, exam_decisions._solved_node):
                cached.cache_clear()
            truth, _ = exam_decisions._solved_cost(river.name, int(size.to))
        for cached in (exam_decisions._solved_cost, exam_decisions._solved_node):
            cached.cache_clear()
        assert cost.mean_low <= cost.value <= cost.mean_high
        errors.append(truth.value - cost.value)
        widths.append((cost.high - cost.low) / 2)
    chance = 2 * np.std(errors) / np.sqrt(len(errors))
    sys.stdout.write(
        f"{len(errors)} sizes: mean error {np.mean(errors):.1f} +- {chance:.1f}, "
        f"mean bound {np.mean(widths):.1f}\n"
    )
    assert len(errors) >= 60
    assert abs(np.mean(errors)) < SHARED_ERROR_OF_SIZES * np.mean(widths) + chance
    assert chance < SHARED_ERROR_OF_SIZES * np.mean(widths)
    assert np.mean(np.abs(errors) <= 2 * np.array(widths)) > 0.95


@pytest.mark.parametrize("seed", range(4))
def test_the_interval_holds_what_another_draw_costs(seed: int) -> None:
    losses = [examine_on(Answering(Call()), bets(at, 400)).ev_lost for at in (seed, 100 + seed)]
    error = np.hypot(losses[0].stderr, losses[1].stderr)
    assert abs(losses[0].value - losses[1].value) < 3 * error


def test_bounds_of_costs_are_in_the_interval() -> None:
    question = bets()[0]

    def loss(costs: Sequence[ExamCost]) -> tuple[float, float]:
        result = exam_loss([ExamAnswer(question, Call(), cost) for cost in costs])
        return result.low, result.high

    low, high = loss([ExamCost.of(10, 10, 10)] * 30)
    assert low == pytest.approx(10)
    assert high > 10  # thirty may lack a dear one
    least, most = loss([ExamCost.of(10, 5, 20)] * 30)
    assert least == pytest.approx(5)
    assert most == pytest.approx(high + 10)
    low, high = loss([ExamCost.of(0, 0, 0), ExamCost.of(20, 20, 20)] * 30)
    assert low < 10 < high


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(BadInput, match="19 decisions; allowed: 20 to"):
        draw_exam(1, 19)
    with pytest.raises(BadInput, match="seed -1"):
        draw_exam(-1, 20)
    with pytest.raises(BadInput, match="no kind"):
        draw_exam(1, 20, kinds=[])
    with pytest.raises(BadInput, match="decisions all-in for prizes; allowed"):
        draw_exam(1, 9_000, kinds=[ExamKind.PRIZES])
    with pytest.raises(BadInput, match="vexbot: it plays heads-up limit"):
        examine_on("vexbot", bets())
    with pytest.raises(BadInput, match="nobody"):
        examine_on("nobody", bets())


def test_a_player_of_two_seats_is_asked_about_two_seats_alone() -> None:
    class HeadsUp(Answering):
        def supports(self, rules: object) -> str | None:
            return None if getattr(rules, "seats", 0) == 2 else "two seats only"

    result = examine_on(HeadsUp(Call()), bets())
    assert set(result.by_kind) == {ExamKind.HEADS_UP}
    assert result.refused == {ExamKind.PRIZES: "two seats only"}
    assert result.as_json()["not_asked"] == {"prizes": "two seats only"}


def test_stopping_leaves_what_was_answered() -> None:
    class Stopping(Answering):
        def act(self, view: View) -> Action:
            if len(self.notes) > 5:
                raise KeyboardInterrupt
            return Call()

    result = examine_on(Stopping(Call()), bets())
    assert result.count == 5


@pytest.mark.slow
def test_a_whole_examination() -> None:
    result = examine("always-call", seed=4, count=60)
    assert isinstance(result, ExamResult)
    assert set(result.by_kind) == set(ExamKind)
    assert result.count == 60
    loss = result.ev_lost
    assert 0 < loss.low < loss.value < loss.high
    assert "river" in str(result)


def test_every_preset_of_the_store_has_its_actions() -> None:
    assert set(BEFORE_FLOP) == {name for name, preset in PRESETS.items() if preset.seats == 6}
    store = DrillStore()
    seats = store.river(next(iter(store.index()["rivers"])))["seats"]
    assert set(seats) <= set(SEATS)
