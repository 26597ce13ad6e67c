"""Spots against published values, and what a solution says against itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.cards import (
    HOLDING_CARDS,
    Card,
    Range,
    format_card,
    parse_cards,
    parse_holding,
)
from railbird.cards.isomorphism_kernels import CARD_UNDER, HOLDING_UNDER
from railbird.errors import BadInput
from railbird.solve.spot import (
    BetSizes,
    Spot,
    SpotNode,
    SpotSolution,
    SpotSolver,
    open_solution,
    resume,
    same_sizes,
    save_solution,
    solve_spot,
)
from railbird.solve.spot.kernels import UPDATE
from railbird.solve.spot.solution import STALLED
from railbird.solve.spot.solving import CHECK_EVERY
from railbird.solve.spot.tree import Ends

RIVER = """
oop = 66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s
ip = QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+
board = Td9d6hQc2s
pot = 200
stack = 900
bets = 60%, e, a
raises = 2.5x
all_in_threshold = 1.5
"""
TURN = RIVER.replace("Td9d6hQc2s", "Td9d6hQc")
SMALL = Spot.of(
    "Td9d6hQc",
    "QQ,99,AKs,KJs,87s,A5s:0.5",
    "TT,66,KQs,J8s,AJs,76s:0.25",
    pot=20,
    stack=60,
    sizes=same_sizes(BetSizes.parse("50%", "a")),
)


def test_equal_spots_have_one_key_and_no_others() -> None:
    spot = Spot.parse(RIVER)
    others = [
        replace(spot, pot=201),
        replace(spot, board=SMALL.board),
        spot.with_sizes(SMALL.sizes[0][0]),
        replace(spot, ranges=(spot.ranges[1], spot.ranges[0])),
        replace(spot, ranges=(spot.ranges[0], Range.parse("QQ-22:0.999,AQs-A2s"))),
    ]
    keys = {each.key() for each in (spot, Spot.parse(str(spot)), *others)}
    assert len(keys) == 1 + len(others)


@pytest.fixture(scope="module")
def small() -> SpotSolution:
    return solve_spot(SMALL, gap_percent=0.2, threads=1)


def test_holdings_together_are_their_mean(small: SpotSolution) -> None:
    """All of them are the range; one alone is itself; who does not come here is refused."""
    node = small.node("check")
    rows = {(row["player"], row["holding"]): row for row in node.rows()}
    for player, name in enumerate(("oop", "ip")):
        everything = node.mean_row(player, np.ones(1326, bool), "all")
        assert everything["ev"] == pytest.approx(node.mean(node.values)[player])
        assert everything["equity"] == pytest.approx(node.mean(node.equity)[player])
        assert everything["reach"] == pytest.approx(node.reach[player].sum())
        for holding in ("QsQh", "TsTh"):
            one = np.zeros(1326, bool)
            one[parse_holding(holding)] = True
            if (name, holding) in rows:
                assert node.mean_row(player, one, holding) == pytest.approx(rows[name, holding])
            else:
                with pytest.raises(BadInput, match=f"{name} does not come here"):
                    node.mean_row(player, one, holding)
    together = node.mean_row(1, np.ones(1326, bool), "all")
    assert [together[str(action)] for action in node.actions] == pytest.approx(
        node.frequency().tolist()
    )


def test_river() -> None:
    """postflop-solver (Inoue 2023), 850 iterations: EV 92.773, gap 0.005 % of the pot."""
    solution = solve_spot(Spot.parse(RIVER), gap_percent=0.01, threads=1)
    assert solution.finished
    assert solution.values()[0] == pytest.approx(92.773, abs=200 * 1.5e-4)
    assert sum(solution.values()) == pytest.approx(200, abs=1e-3)
    assert solution.equity == pytest.approx(0.516174, abs=1e-6)
    root = solution.node()
    assert [str(action) for action in root.actions] == ["check", "bet 120", "all-in 900"]
    assert root.frequency() == pytest.approx([0.689, 0.311, 0], abs=0.01)


@pytest.mark.slow
def test_turn() -> None:
    """postflop-solver (Inoue 2023), to a gap of 0.095 %: EV 91.950, bet 120 0.041."""
    solution = solve_spot(Spot.parse(TURN), gap_percent=0.1)
    assert solution.values()[0] == pytest.approx(91.950, abs=200 * 2e-3)
    assert solution.equity == pytest.approx(0.530603, abs=1e-6)
    assert solution.node().frequency()[0] == pytest.approx(0.959, abs=0.02)


def test_values_are_those_of_the_actions(small: SpotSolution) -> None:
    """What a decision is worth is the mean of what its actions are, less what they cost."""
    for line in ("", "check", "check bet 10", "check check 2c", "bet 10 call Kd check bet 20"):
        node = small.node(line)
        costs = [small.node(f"{line} {action}").paid[node.player] for action in node.actions]
        after = [small.node(f"{line} {action}").values[node.player] for action in node.actions]
        of_actions = np.stack(after, axis=1) - (np.array(costs) - node.paid[node.player])
        expected = (node.strategy * of_actions).sum(axis=1)
        known = np.isfinite(expected) & (node.reach[node.player] > 0)
        assert known.any()
        assert node.values[node.player][known] == pytest.approx(expected[known], abs=2e-3)
        # The points after the actions are found by passes of their own.
        assert node.action_values[:, known] == pytest.approx(of_actions[known].T, abs=2e-3)


def _random_decisions(solution: SpotSolution, count: int, seed: int) -> Iterator[SpotNode]:
    """Yield decisions on lines of random actions and cards."""
    rng = np.random.default_rng(seed)
    while count > 0:
        words: list[str] = []
        while (node := solution.node(" ".join(words))).kind in (Ends.DECISION, Ends.LATER):
            if node.kind is Ends.DECISION:
                words.append(str(node.actions[rng.integers(len(node.actions))]))
                count -= 1
                yield node
            else:
                left = [card for card in range(52) if card not in node.board]
                words.append(format_card(Card(left[rng.integers(len(left))])))


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_mix_is_worth_the_mean_of_its_actions(small: SpotSolution, count: int) -> None:
    """To a millionth of the pot, at random decisions of all streets."""
    for node in _random_decisions(small, count, seed=count):
        values = node.values[node.player]
        known = np.isfinite(values)
        of_mix = (node.strategy.T * node.action_values).sum(axis=0)
        assert of_mix[known] == pytest.approx(values[known], abs=1e-6 * node.pot)
        assert (node.losses[:, known].min(axis=0) == 0).all()
        best = node.action_values[:, known].max(axis=0)
        assert node.regrets[known] == pytest.approx(best - values[known], abs=1e-6 * node.pot)


@pytest.fixture(scope="module")
def polar() -> SpotSolution:
    """Three combinations that beat two aces, and four that do not, may bet the pot."""
    sizes = same_sizes(BetSizes.parse("a"))
    spot = Spot.of("Ks8d5c3h2d", "88,JTs", "AA", pot=100, stack=100, sizes=sizes)
    return solve_spot(spot, gap_percent=0.001, iterations=5_000, threads=1)


def test_what_an_action_is_worth_on_paper(polar: SpotSolution) -> None:
    """Who is bet the pot is indifferent; who bets it with the best hand is called half the time."""
    fold, call = polar.node("all-in").action_values[:, parse_holding("AsAh")]
    assert fold == pytest.approx(0, abs=1e-4)
    assert call == pytest.approx(0, abs=0.2)
    root, best = polar.node(), parse_holding("8s8h")
    assert root.action_values[:, best] == pytest.approx([100, 150], abs=0.5)
    assert root.losses[:, best] == pytest.approx([50, 0], abs=0.5)
    assert root.realisation[0, best] == pytest.approx(1.5, abs=0.01)


def test_blockers_and_curves(polar: SpotSolution) -> None:
    """One who holds an eight meets one of the three best hands; weak hands come first."""
    root = polar.node()
    bluffs = 7 * root.frequency()[1] - 3
    eight, ace, on_board = (parse_cards(card)[0] for card in ("8s", "As", "Ks"))
    expected = (1 + bluffs) / 5 - (3 + bluffs) / 7
    assert root.blockers()[eight] == pytest.approx([-expected, expected], abs=1e-3)
    assert root.blockers()[ace] == pytest.approx([0, 0], abs=1e-9)
    assert np.isnan(root.blockers()[on_board]).all()
    assert root.curve(root.equity, 0, points=8).tolist() == [0, 0, 0, 0, 0, 1, 1, 1]
    assert np.isnan(root.realisation[0, parse_holding("JsTs")])


def test_cards_are_dealt_alike(small: SpotSolution) -> None:
    """A street's end is worth the mean of the cards that can follow, for every holding."""
    before = small.node("check check")
    cards = [card for card in range(52) if card not in SMALL.board]
    total, seen = np.zeros(1326), np.zeros(1326)
    for card in cards:
        after = small.node(f"check check {format_card(Card(card))}")
        free = ~np.isin(HOLDING_CARDS, card).any(axis=1)
        met = np.isfinite(after.values[0])
        total[free & met] += after.values[0][free & met]
        seen[free & met] += 1
    held = (before.reach[0] > 0) & (seen > 0)
    # Every river counts alike for a holding only where it blocks as much of the other's range.
    assert (total / np.maximum(seen, 1))[held].mean() == pytest.approx(
        before.values[0][held].mean(), rel=0.05
    )


def test_root_is_the_solution(small: SpotSolution) -> None:
    root = small.node()
    assert root.mean(root.values) == pytest.approx(small.values(), abs=1e-4)
    best = small.best_response(0)
    weights = np.isfinite(root.values[0]) & (root.reach[0] > 0)
    assert (best[weights] >= root.values[0][weights] - 1e-4).all()


def test_an_interruption_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three iterations, of two passes each, are done when the fourth is interrupted."""
    once, done = SpotSolver._pass, []

    def interrupted(self: SpotSolver, player: int, mode: int, *rest: Any) -> Any:
        if mode == UPDATE:
            done.append(player)
            if len(done) == 8:
                raise KeyboardInterrupt
        return once(self, player, mode, *rest)

    monkeypatch.setattr(SpotSolver, "_pass", interrupted)
    with pytest.raises(KeyboardInterrupt):  # nobody has asked for a part
        solve_spot(SMALL, threads=1)
    done.clear()
    found = solve_spot(SMALL, threads=1, keep=True)
    assert found.interrupted
    assert not found.finished
    assert found.iterations == 3
    assert found.solver.cpu_s > 0
    assert np.isfinite(found.gap)
    # What was asked for may be there all the same.
    done.clear()
    assert solve_spot(SMALL, gap_percent=99, threads=1, keep=True).finished
    done.clear()
    goal = found.gap_percent_of_pot + 1e-9
    content = solve_spot(SMALL, gap_percent=goal, threads=1, keep=True)
    assert content.interrupted
    assert content.finished


@pytest.mark.parametrize("board", ["Td9d6hQc2s", "Ks7d2c9h3d", "AhQs8s5c5d"])
def test_a_river_ends_where_its_gap_is_reached(board: str) -> None:
    """It is looked at every ten iterations, and before that where it is about to be reached."""
    sizes = same_sizes(BetSizes.parse("60%", "3x"))
    spot = Spot.of(board, "22+,A2s+,KTo+", "TT-33,A9s+,KTs+,QJs", pot=20, stack=60, sizes=sizes)
    looks: list[int] = []
    found = solve_spot(
        spot, gap_percent=0.2, on_check=lambda solution: looks.append(solution.iterations)
    )
    assert set(range(CHECK_EVERY, found.iterations, CHECK_EVERY)) <= set(looks)
    assert len(looks) <= found.iterations // CHECK_EVERY + 4
    solver = SpotSolver(spot)
    solver.allocate()
    while 100 * solver.gap() / spot.pot > 0.2:
        solver.run(1)
    assert solver.iterations <= found.iterations < solver.iterations + CHECK_EVERY


def test_compiling_is_no_time_of_iterations(
    small: SpotSolution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither at first nor where a solution is gone on with."""
    file = tmp_path / "x.solution"
    save_solution(small, file, resumable=True)
    found = open_solution(file, threads=1)
    clock, compiled = [0.0], SpotSolver._compile

    def takes_long(self: SpotSolver) -> None:
        compiled(self)
        clock[0] += 100

    monkeypatch.setattr("time.process_time", lambda: clock[0])
    monkeypatch.setattr(SpotSolver, "_compile", takes_long)
    before = found.solver.cpu_s
    resume(found, gap_percent=0, iterations=found.iterations + 2)
    assert clock[0] == 100
    assert found.solver.cpu_s == before


def test_sixteen_bits_end_when_they_come_no_nearer() -> None:
    sizes = same_sizes(BetSizes.parse("60%, e, a", "2.5x"))
    text = ("Td9d6hQc2s", "66+,A8s+,KQo,75s+", "QQ-22,ATo+,K5s+,T7s+")
    spot = Spot.of(*text, pot=200, stack=900, sizes=sizes)
    gaps: list[float] = []

    def told(solution: SpotSolution) -> None:
        gaps.append(solution.gap)

    found = solve_spot(spot, gap_percent=0, iterations=20_000, store=16, on_check=told)
    assert not found.finished
    assert found.iterations < 20_000
    assert len(gaps) - 1 - gaps.index(min(gaps)) == STALLED // CHECK_EVERY


# A solution's bits do not depend on the number of threads, nor its value on suits.


_SIZES = same_sizes(BetSizes.parse("60%", "a"))
_TURN = Spot.of("Ts9s6sQc", "QQ,99,AKs,87s", "TT,66,KQs,J8s", pot=10, stack=12, sizes=_SIZES)
_FLOP = Spot.of("Ts9s6s", "QQ,AKs,87s", "66,KQs", pot=10, stack=12, sizes=_SIZES)


def _solved(spot: Spot, threads: int) -> SpotSolver:
    solver = SpotSolver(spot, threads=threads)
    solver.allocate()
    solver.run(5)
    return solver


@pytest.mark.parametrize("spot", [_TURN, _FLOP])
def test_threads(spot: Spot) -> None:
    one, three = _solved(spot, 1), _solved(spot, 3)
    assert one.regrets.tobytes() == three.regrets.tobytes()
    assert one.averages.tobytes() == three.averages.tobytes()
    assert one.gap() == three.gap()


def test_alike_suits() -> None:
    """With one card for all that are alike, or with all of them: the same value."""
    fast = solve_spot(_TURN, gap_percent=0.05)
    slow = solve_spot(_TURN, gap_percent=0.05, isomorphism=False)
    boards = [len(each.solver.streets[1].cards) for each in (fast, slow)]
    assert boards[0] < boards[1] == 48
    assert fast.values() == pytest.approx(slow.values(), abs=10 * 1e-3)
    # A card that is another's image: what holds for one holds for its image.
    one, other = fast.node("check check Kc"), fast.node("check check Kd")
    assert one.mean(one.values) != other.mean(other.values)  # the queen is a club
    one, other = fast.node("check check Kd"), fast.node("check check Kh")
    assert one.mean(one.values) == pytest.approx(other.mean(other.values), abs=1e-6)
    assert one.reach.sum() == pytest.approx(other.reach.sum())


def test_named_otherwise() -> None:
    suits = 17
    ranges = [Range(each.weights[np.argsort(HOLDING_UNDER[suits])]) for each in _TURN.ranges]
    board = tuple(Card(int(CARD_UNDER[suits, card])) for card in _TURN.board)
    other = replace(_TURN, board=board, ranges=(ranges[0], ranges[1]))
    found = [solve_spot(each, gap_percent=0.05).values() for each in (_TURN, other)]
    assert found[0] == pytest.approx(found[1], abs=10 * 1e-3)


def test_no_weight_is_absent() -> None:
    more = replace(_TURN, ranges=(_TURN.ranges[0], Range.parse("TT,66,KQs,J8s,AA:0,22:0")))
    assert _solved(more, 1).averages.tobytes() == _solved(_TURN, 1).averages.tobytes()
