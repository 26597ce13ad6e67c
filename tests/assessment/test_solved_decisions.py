"""Decisions valued by solving the rest of the hand: by what was visible, within what is open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from railbird.arena import Match, play
from railbird.assessment.graded_decisions import Grade, grade_of_costs, grades
from railbird.assessment.solved_decisions import (
    FORCE_ALL_IN,
    LEAST_REACH,
    MENUS,
    SpotReading,
    SpotValues,
    why_not_solved,
)
from railbird.cards import Holding, cards_from, parse_holding
from railbird.errors import BadInput
from railbird.game import (
    Action,
    Call,
    Fold,
    HandDealer,
    Raise,
    Street,
    acpc_rules,
    no_limit_holdem,
    payoffs,
)
from railbird.histories import HandRecord, hands_from, read
from railbird.histories.columns import batches_of, records_of
from railbird.modelling.betting_ranges import RETOLD, observed_actions
from railbird.modelling.tracker import ObservedAction
from railbird.solve.spot import Spot, SpotSolution, resume, solve_spot
from railbird.solve.spot.solving import SpotSolver
from railbird.units import Chips

RULES = no_limit_holdem(2, blinds=(50, 100), stack=2_500)
CHECKED: list[Action] = [Call(), Call()]


def hand(
    holes: Sequence[str], actions: Sequence[Action], board: str, *, hero_first: bool = True
) -> HandRecord:
    """Play a hand; Hero acts first, or last, on the flop."""
    dealt = tuple(map(parse_holding, holes))
    dealer = HandDealer(RULES, dealt, tuple(cards_from(board)))
    dealer.begin()
    for action in actions:
        dealer.act(action)
    assert dealer.asks is None
    first = 0 if _first_after_flop() == 0 else 1
    names = ["Bob", "Bob"]
    names[first if hero_first else 1 - first] = "Hero"
    return HandRecord(
        rules=RULES,
        players=tuple(names) if len(set(names)) == 2 else ("Hero", "Bob"),
        holes=dealt,
        board=tuple(dealer.state.board),
        actions=tuple(actions),
        payoffs=tuple(map(Fraction, payoffs(dealer.state))),
    )


def _first_after_flop() -> int:
    dealer = HandDealer(RULES, (None, None), tuple(cards_from("Ks9d5c3h2s")))
    dealer.begin()
    for action in CHECKED:
        dealer.act(action)
    assert dealer.state.actor is not None
    return int(dealer.state.actor)


def holes(hero: str, other: str, *, hero_first: bool = True) -> tuple[str, str]:
    """Deal by seat."""
    at = _first_after_flop() if hero_first else 1 - _first_after_flop()
    return (hero, other) if at == 0 else (other, hero)


def raised(*last: Action) -> list[Action]:
    """Raise and call before the flop, check flop and turn, and act on the river."""
    return [Raise(Chips(300)), Call(), *CHECKED, *CHECKED, *last]


BOARD = "Ks9d5c3h2s"


def judged(record: HandRecord, spots: SpotValues) -> dict[str, Any]:
    """Return the last decision that a solution judges."""
    found = grades([record], "Hero", spots=spots).filter(pl.col("by") == "solution")
    *_, last = found.iter_rows(named=True)
    return last


def test_folding_the_nuts_is_a_mistake_that_costs_at_least_the_pot() -> None:
    bet = raised(Raise(Chips(600)), Fold())
    record = hand(holes("6h4h", "KdKc", hero_first=False), bet, BOARD, hero_first=False)
    row = judged(record, SpotValues(threads=1))
    assert (row["grade"], row["by"]) == ("mistake", "solution")
    # 600 in the pot and 600 bet are won, but for ties, of which the best third of a range has most.
    assert row["cost_low"] >= 12 - 0.2
    assert "raise" in str(row["best"]) or "all-in" in str(row["best"])


def test_calling_without_any_hope_is_a_mistake_that_costs_the_call() -> None:
    bet = raised(Raise(Chips(600)), Call())
    record = hand(holes("7h6h", "KdKc", hero_first=False), bet, BOARD, hero_first=False)
    row = judged(record, SpotValues(threads=1))
    assert (row["grade"], row["best"]) == ("mistake", "fold")
    # Seven high beats nothing, and a few of the same tie; the search leaves a little open.
    assert 5 < row["cost_low"] <= 6 <= row["cost_high"] + 0.5 < 7
    # Where good play with such a range hardly ever bets, what the call wins takes its place.
    costs = [row[f"cost_{name}"] for name in RETOLD]
    assert row["cost_low"] <= min(costs) <= max(costs) <= row["cost_high"]
    assert min(costs) > 0, "the call loses to any reading"
    # The range models say the same, and are told beside it.
    assert row["required"] == pytest.approx(600 / 1_800)
    assert row["call_high"] < 0


def test_what_a_solution_never_does_is_left_to_the_ranges() -> None:
    """Nobody bets four pots there, and the solution has no range for it."""
    bet = raised(Raise(Chips(2_200)), Call())
    record = hand(holes("7h6h", "KdKc", hero_first=False), bet, BOARD, hero_first=False)
    *_, row = grades([record], "Hero", spots=SpotValues(threads=1)).iter_rows(named=True)
    assert (row["grade"], row["by"], row["best"]) == ("mistake", "ranges", "fold")


@pytest.mark.slow(but=["3"])
@pytest.mark.parametrize("street", [Street.RIVER, Street.TURN])
def test_other_holdings_and_later_boards_leave_every_grade(street: Street) -> None:
    if street is Street.RIVER:
        actions = raised(Raise(Chips(400)), Call())
        again = BOARD
    else:
        actions = [Raise(Chips(900)), Call(), *CHECKED, Raise(Chips(800)), Call(), *CHECKED]
        again = "Ks9d5c3hKd"
    spots = SpotValues(threads=1, first=street)
    record = hand(holes("KhQc", "AdAc"), actions, BOARD)
    told = grades([record], "Hero", spots=spots)
    assert told["by"].to_list().count("solution") >= 1
    other = hand(holes("KhQc", "7d6c"), actions, again)
    hidden = replace(
        other,
        holes=tuple(
            held if name == "Hero" else None
            for held, name in zip(other.holes, other.players, strict=True)
        ),
    )
    kept = told.filter(pl.col("by") == "solution") if street is Street.TURN else told
    for redealt in (other, hidden):
        found = grades([redealt], "Hero", spots=spots)
        if street is Street.TURN:  # the river itself is another decision
            found = found.filter(pl.col("act") <= 5)
            kept = told.filter(pl.col("act") <= 5)
        assert found.equals(kept)


def test_all_that_a_menu_says_is_in_the_spot(monkeypatch: pytest.MonkeyPatch) -> None:
    spots: list[Spot] = []

    def solve(spot: Spot, **_: Any) -> SpotSolution:
        spots.append(spot)
        raise BadInput("seen")

    monkeypatch.setattr("railbird.assessment.solved_decisions.solve_spot", solve)
    menu = "river_bets = 50%\nmerging = 0.1\nall_in_threshold = 1.5"
    record = hand(holes("KhQc", "AdAc"), raised(Raise(Chips(400)), Call()), BOARD)
    grades([record], "Hero", spots=SpotValues(threads=1, menus={Street.RIVER: (menu,)}))
    assert {(spot.merging, spot.all_in_threshold, spot.force_all_in) for spot in spots} == {
        (0.1, 1.5, FORCE_ALL_IN)
    }


@pytest.mark.slow
def test_what_was_solved_is_kept_and_used_again(tmp_path: Path) -> None:
    record = hand(holes("KhQc", "AdAc"), raised(Raise(Chips(400)), Call()), BOARD)
    first, second = (SpotValues(threads=1, folder=tmp_path) for _ in range(2))
    told = grades([record], "Hero", spots=first)
    assert first.solved == 7, "two models by two menus, and three other readings"
    assert grades([record], "Hero", spots=second).equals(told)
    assert second.solved == 0
    first_file, *_ = sorted(tmp_path.rglob("*.json"))
    first_file.write_text("{")
    assert grades([record], "Hero", spots=second).equals(told)
    assert second.solved == 1, "a damaged file is written anew"
    second.solved = 0
    # A holding more is a value more.
    other = hand(holes("QhJc", "AdAc"), raised(Raise(Chips(400)), Call()), BOARD)
    grades([other], "Hero", spots=second)
    assert second.solved == 7
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]


@pytest.mark.parametrize("number", [1, 2, 5])
def test_an_interruption_ends_the_grades_and_nothing_unfinished_is_kept(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the first search as in one of those that go on with it."""
    run_on, calls = SpotSolver.run, []

    def interrupted(self: SpotSolver, iterations: int) -> None:
        run_on(self, iterations)
        calls.append(iterations)
        if len(calls) == number:
            raise KeyboardInterrupt

    monkeypatch.setattr(SpotSolver, "run", interrupted)
    record = hand(holes("KhQc", "AdAc"), raised(Raise(Chips(400)), Call()), BOARD)
    spots = SpotValues(threads=1, folder=tmp_path)
    with pytest.raises(KeyboardInterrupt):
        grades([record], "Hero", spots=spots)
    assert len(calls) == number
    assert len(list(tmp_path.rglob("*.json"))) == spots.solved


def test_what_is_not_judged_says_why() -> None:
    record = hand(holes("KhQc", "AdAc"), raised(Raise(Chips(400)), Call()), BOARD)
    flop = grades([record], "Hero", spots=SpotValues(threads=1))["reason"].to_list()
    assert flop.count("not solved on the flop") == flop.count("not solved on the turn") == 1
    late = SpotValues(threads=1, seconds=0.0, cpu_s=1.0)
    assert "not solved: no time was left" in grades([record], "Hero", spots=late)["reason"]
    three = no_limit_holdem(3, blinds=(50, 100), stack=2_500)
    dealer = HandDealer(three, (None,) * 3, tuple(cards_from(BOARD)))
    dealer.begin()
    for action in (Call(), Call(), Call()):
        dealer.act(action)
    assert why_not_solved(dealer.state, []).startswith("more than two players")


def test_grades_need_all_readings() -> None:
    assert grade_of_costs(0.0, 0.02).value == "good"
    assert grade_of_costs(0.0, 0.2).value == "unknown", "one reading sees nothing, another a lot"
    assert grade_of_costs(0.04, 0.2).value == "mistake"


OTHER_SIZES = "river_bets = 33%, 50%, 75%, 100%, 200%, a\nriver_raises = 50%, 100%, a"


@pytest.fixture
def goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Go on with what was solved of a spot where it is asked for again, at a smaller gap."""
    solved: dict[str, SpotSolution] = {}

    def solve(spot: Spot, *, gap_percent: float, iterations: int, **how: Any) -> SpotSolution:
        known = solved.get(key := spot.key())
        if known is not None and gap_percent < 2 * known.gap_percent_of_pot:
            return resume(known, gap_percent=gap_percent, iterations=iterations)
        if len(solved) >= 8:  # of one decision; more take memory and are not asked for again
            solved.clear()
        solved[key] = solve_spot(spot, gap_percent=gap_percent, iterations=iterations, **how)
        return solved[key]

    monkeypatch.setattr("railbird.assessment.solved_decisions.solve_spot", solve)


def rivers(
    records: Iterable[HandRecord], folder: Path, *, grade: Grade | None = None
) -> Iterator[tuple[ObservedAction, Holding, list[ObservedAction], list[SpotReading]]]:
    """Yield decisions on rivers between two that have a grade, with what came before them.

    With ``grade`` those of this grade alone. All readings have to say so: where those of the menu
    with fewer sizes do not, the other menu is not solved. ``folder`` keeps what was solved.
    """
    rough = SpotValues(threads=1, folder=folder, retells=False)
    fewer = replace(rough, menus={Street.RIVER: MENUS[Street.RIVER][1:]})
    for record in records:
        seen: list[ObservedAction] = []
        for observed in observed_actions(record):
            before, state = list(seen), observed.before
            holding = record.holes[observed.act.seat]
            seen.append(observed)
            if state.street is not Street.RIVER or why_not_solved(state, before):
                continue
            assert holding is not None
            if grade is not None:
                told = _readings(fewer, observed, holding, before)
                if not told or _grade(told, observed) is not grade:
                    continue
            told = _readings(rough, observed, holding, before)
            if min((each.reach for each in told), default=0.0) >= LEAST_REACH and (
                grade is None or _grade(told, observed) is grade
            ):
                yield observed, holding, before, told


def finer(
    observed: ObservedAction, holding: Holding, before: list[ObservedAction]
) -> tuple[list[float], list[float]]:
    """Costs at a quarter of the gap, and at half of it with a menu that no grade has."""
    one, other = (
        [(each.low + each.high) / 2 for each in _readings(spots, observed, holding, before)]
        for spots in (
            SpotValues(threads=1, finer=4.0, retells=False),
            SpotValues(threads=1, finer=2.0, menus={Street.RIVER: (OTHER_SIZES,)}, retells=False),
        )
    )
    return one, other


@pytest.mark.slow
@pytest.mark.usefixtures("goes_on")
def test_costs_beside_a_solver_at_a_smaller_gap_and_with_other_sizes(
    shared_data: Path, tmp_path: Path
) -> None:
    """200 decisions in real hands, drawn at random; some five minutes of a core."""
    path = shared_data / "pluribus" / "pluribus_10000.phhs.gz"
    records = [record for record in read(str(path)) if isinstance(record, HandRecord)]
    order = np.random.default_rng(20_261_126).permutation(len(records))
    covered = 0
    drawn = islice(rivers((records[row] for row in order), tmp_path), 200)
    for observed, holding, before, told in drawn:
        low, high = _bounds(told)
        one, other = finer(observed, holding, before)
        true = [*one, *other]
        slack = 1e-3 * float(observed.before.pot)
        covered += low - slack <= min(true) and max(true) <= high + slack
    assert covered >= 0.93 * 200


@pytest.mark.slow
@pytest.mark.usefixtures("goes_on")
def test_mistakes_are_mistakes_to_a_solver_at_a_smaller_gap_and_with_other_sizes(
    tmp_path: Path,
) -> None:
    """Of players who make some: professionals make one in a hundred decisions on the river."""
    rules = acpc_rules(no_limit_holdem(2, blinds=(50, 100), stack=10_000))
    mistakes = right = 0
    for seed, names in enumerate((("tight:nolimit", "always-call"), ("booker:1", "killer"))):
        played = play(Match(players=names, rules=rules, deals=300, seed=seed), keep=True)
        records = (
            record for batch, _ in batches_of(hands_from(played)) for record in records_of(batch)
        )
        for observed, holding, before, _ in rivers(records, tmp_path, grade=Grade.MISTAKE):
            mistakes += 1
            one, other = finer(observed, holding, before)
            right += min(*one, *other) > 0
            if mistakes >= 15 * (seed + 1):
                break
    assert mistakes >= 30
    assert right >= 0.97 * mistakes


def _readings(
    spots: SpotValues, observed: ObservedAction, holding: Holding, seen: list[ObservedAction]
) -> list[SpotReading]:
    try:
        return spots.readings(observed, holding, seen)
    except BadInput:
        return []


def _grade(readings: Sequence[SpotReading], observed: ObservedAction) -> Grade:
    low, high = _bounds(readings)
    return grade_of_costs(low / observed.before.pot, high / observed.before.pot)


def _bounds(readings: Sequence[SpotReading]) -> tuple[float, float]:
    return min(each.low for each in readings), max(each.high for each in readings)
