"""Two solutions of a spot beside each other, and each in the other's tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from railbird.errors import BadInput
from railbird.solve.spot import BetSizes, Lock, Spot, SpotSolution, same_sizes, solve_spot
from railbird.solve.spot.comparison import compare_solutions
from railbird.solve.spot.kernels import BEST

RIVER = Spot.of(
    "Td9d6hQc2s",
    "QQ,99,AKs,KJs,87s,A5s:0.5",
    "TT,66,KQs,J8s,AJs,76s:0.25",
    pot=20,
    stack=60,
    sizes=same_sizes(BetSizes.parse("50%", "a")),
)
WIDER = replace(RIVER, sizes=same_sizes(BetSizes.parse("50%, a", "a")))
ANOTHER = replace(RIVER, sizes=same_sizes(BetSizes.parse("80%", "a")))


@pytest.fixture(scope="module")
def solved() -> SpotSolution:
    return solve_spot(RIVER, gap_percent=0.1, threads=1)


def test_a_solution_beside_itself_keeps_its_gap_and_values(solved: SpotSolution) -> None:
    comparison = compare_solutions(solved, solved)
    assert comparison.inputs == ()
    for placed in (comparison.first_in_second, comparison.second_in_first):
        assert placed is not None
        assert placed.ev == pytest.approx(solved.values(), abs=1e-5)
        assert placed.gap_percent_of_pot == pytest.approx(solved.gap_percent_of_pot, abs=1e-5)
        assert placed.against == pytest.approx(solved.values(), abs=1e-5)
        assert (placed.moved, placed.unknown) == (0, 0)
    assert max(parting.difference for parting in comparison.partings) < 1e-6
    assert comparison.partings[0].reach <= 1


def test_a_tree_with_a_size_more_has_a_place_for_all_that_was_played(solved: SpotSolution) -> None:
    """The same game to both players: nothing is moved, and a best response may gain more."""
    wider = solve_spot(WIDER, gap_percent=0.1, threads=1)
    comparison = compare_solutions(solved, wider)
    assert [difference.key for difference in comparison.inputs] == ["bets"]
    placed = comparison.first_in_second
    assert placed is not None
    assert placed.moved == 0
    assert placed.unknown > 0, "what follows a bet that it has not is not known to it"
    assert placed.ev == pytest.approx(solved.values(), abs=1e-4)
    assert placed.gap_percent_of_pot >= solved.gap_percent_of_pot - 1e-4
    # Against the other solution nobody gains more than that one's gap leaves.
    for seat in range(2):
        best = wider.values()[seat] + 2 * wider.gap
        assert placed.against[seat] <= best + 1e-4
    back = comparison.second_in_first
    assert back is not None
    assert back.moved > 0


def test_a_gap_in_the_other_tree_is_what_best_responses_gain_there(solved: SpotSolution) -> None:
    """Found again by writing the moved mixes by hand: 50 % of the pot becomes 80 %."""
    another = solve_spot(ANOTHER, gap_percent=0.1, threads=1)
    placed = compare_solutions(solved, another).first_in_second
    assert placed is not None
    twin = solve_spot(ANOTHER, gap_percent=50, iterations=1, threads=1)
    own, there = solved.solver, twin.solver
    for forest, mine in zip(there.forests, own.forests, strict=True):
        for node, same in zip(forest.nodes(), mine.nodes(), strict=True):
            if not node.actions:
                continue
            _, padded, _, base = there.streets[0].boards.sizes[0, node.player]
            _, _, _, from_base = own.streets[0].boards.sizes[0, same.player]
            size = len(node.actions) * padded
            start, source = base + node.slot * padded, from_base + same.slot * padded
            there.averages[start : start + size] = own.averages[source : source + size]
    gain = (there.value(0, BEST) + there.value(1, BEST)) / 2
    assert placed.gap_percent_of_pot == pytest.approx(100 * gain / RIVER.pot, abs=1e-4)
    assert placed.gap_percent_of_pot > 1


def test_partings_are_the_largest_first(solved: SpotSolution) -> None:
    another = solve_spot(ANOTHER, gap_percent=0.1, threads=1)
    partings = compare_solutions(solved, another).partings
    weights = [parting.reach * parting.difference for parting in partings]
    assert weights == sorted(weights, reverse=True)
    root = next(parting for parting in partings if not parting.line)
    assert root.reach == pytest.approx(1)
    assert root.second == pytest.approx(another.node().frequency().tolist(), abs=1e-6)
    assert root.first == pytest.approx(solved.node().frequency().tolist(), abs=1e-6)


def test_other_games_have_no_place_for_each_other(solved: SpotSolution) -> None:
    deeper = solve_spot(replace(RIVER, stack=80), gap_percent=1, threads=1)
    comparison = compare_solutions(solved, deeper)
    assert [difference.key for difference in comparison.inputs] == ["stack"]
    assert comparison.first_in_second is comparison.second_in_first is None
    assert comparison.partings == ()
    assert np.isfinite(comparison.doubt)


def test_locks_hold_in_the_tree_that_has_them(solved: SpotSolution) -> None:
    lock = Lock.parse("> QQ,AKs > check 1")
    locked = solve_spot(replace(RIVER, locks=(lock,)), gap_percent=0.1, threads=1)
    placed = compare_solutions(locked, locked).first_in_second
    assert placed is not None
    assert placed.gap_percent_of_pot == pytest.approx(locked.gap_percent_of_pot, abs=1e-5)
    comparison = compare_solutions(locked, solved)
    assert [difference.key for difference in comparison.inputs] == ["lock"]
    free, bound = comparison.first_in_second, comparison.second_in_first
    assert free is not None
    assert bound is not None
    assert free.ev == pytest.approx(locked.values(), abs=1e-4)
    assert free.gap_percent_of_pot > locked.gap_percent_of_pot
    assert bound.ev != pytest.approx(solved.values(), abs=1e-3)


def test_suits_that_a_lock_tells_apart_are_refused() -> None:
    sizes = same_sizes(BetSizes.parse("a"))
    turn = Spot.of("Td9d6dQd", "QQ,99,AKs", "TT,KQs", pot=20, stack=20, sizes=sizes)
    locked = replace(turn, locks=(Lock.parse("> AsKs > check 1"),))
    pair = [solve_spot(spot, gap_percent=5, threads=1) for spot in (turn, locked)]
    with pytest.raises(BadInput, match="particular suits"):
        compare_solutions(*pair)


def test_turns_are_compared_on_all_rivers_and_without_them_refused() -> None:
    turn = Spot.of(
        "Td9d6hQc", "QQ,99,AKs", "TT,KQs", pot=20, stack=20, sizes=same_sizes(BetSizes.parse("a"))
    )
    solution = solve_spot(turn, gap_percent=1, threads=1)
    placed = compare_solutions(solution, solution).first_in_second
    assert placed is not None
    assert placed.ev == pytest.approx(solution.values(), abs=1e-5)
    assert placed.gap_percent_of_pot == pytest.approx(solution.gap_percent_of_pot, abs=1e-5)
    solution.solver.kept = {}
    with pytest.raises(BadInput, match="without its river"):
        compare_solutions(solution, solution)


def test_a_rake_in_per_cent_differs_without_the_digits_of_a_fraction(solved: SpotSolution) -> None:
    spot = Spot.parse(f"{RIVER}rake = 5.34%")
    raked = solve_spot(spot, gap_percent=1, threads=1)
    assert [(d.key, d.second) for d in compare_solutions(solved, raked).inputs] == [
        ("rake", "0.0534")
    ]
