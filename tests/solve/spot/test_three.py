"""Spots of three players against one triple of holdings after the other."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from railbird.cards import HOLDING_CARDS, parse_cards, parse_holding, strengths
from railbird.errors import BadInput, DamagedFile, TooLarge
from railbird.solve.spot import is_solution, open_solution, three
from railbird.solve.spot.three import (
    SEATS,
    ThreeNode,
    ThreeSolver,
    ThreeSpot,
    end_pays,
    solve_three,
    three_tree,
    with_gains,
)
from railbird.solve.spot.three_files import open_three, save_three
from railbird.solve.spot.three_kernels import AVERAGE, BEST, DECISION
from twins import slow_three

RIVER = """board = 2c3d7h9sJs
pot = 30
stacks = 90, 40, 60
bets = 50%, a
raises = a
first = AA:0.5,JTs,87s,T8s
second = KK,J9s,A5s:0.25
third = QQ,99,JTs,65s
"""
TURN = """board = 2c3d7h9s
pot = 30
stacks = 40, 30, 40
bets = a
first = AsAd,JsTs
second = KdKh,9c8c,JcTc:0.5
third = QsQd,Ts8s
"""


ALIKE = """board = 3d7d9dJd
pot = 30
stacks = 40, 30, 40
bets = a
first = AA,JTs
second = KK,98s:0.5
third = QQ,T8s
"""
"""Three suits change nothing."""


@cache
def rank(board: tuple[int, ...], holding: tuple[int, int]) -> int:
    return int(strengths(np.array([[*board, *holding]], dtype=np.uint8))[0])


def by_triples(solver: ThreeSolver, player: int, *, best: bool) -> float:
    spot = solver.spot
    weights = [
        {
            tuple(HOLDING_CARDS[holding].tolist()): float(of.weights[holding])
            for holding in np.flatnonzero(of.weights)
        }
        for of in spot.ranges
    ]
    reach = slow_three.triples(weights, spot.board)
    roots = [plan.nodes for plan in solver.river_plans]
    plan_of = {id(node): number for number, nodes in enumerate(roots) for node in nodes}

    def mix(
        node: ThreeNode, board: tuple[int, ...], seat: int, holding: tuple[int, int]
    ) -> list[float]:
        which, number, place = solver.board, -1, -1
        if id(node) in plan_of:
            number = plan_of[id(node)]
            place = next(
                at for at, river in enumerate(solver.rivers) if river.cards == tuple(board)
            )
            which = solver.rivers[place]
        column = which.where[holding]
        rows = slice(node.row, node.row + len(node.actions))
        table = np.abs(solver.tables(number, max(place, 0)).averages[rows, column])
        total = float(table.astype(float).sum())
        return [float(x) / total for x in table] if total else [1 / len(table)] * len(table)

    board = tuple(int(card) for card in spot.board)
    worth = slow_three.values(solver.root, player, reach, board, mix, rank, spot.pot, best=best)
    return sum(worth.values()) / sum(reach.values())


def test_values_and_best_responses_on_a_river_are_those_of_all_triples() -> None:
    solver = ThreeSolver(ThreeSpot.parse(RIVER))
    for iterations in (0, 7):
        solver.run(iterations)
        for player in range(3):
            for mode in (AVERAGE, BEST):
                expected = by_triples(solver, player, best=mode == BEST)
                assert solver.value(player, mode) == pytest.approx(expected, abs=1e-5)
        assert sum(solver.value(player) for player in range(3)) == pytest.approx(30, abs=1e-5)


def test_best_responses_are_summed_over_weights() -> None:
    """A slow best response is of the reach of the holding itself, which changes no maximum."""
    solution = solve_three(ThreeSpot.parse(RIVER), gap_percent=0.2)
    assert solution.gap_percent <= 0.2
    for player in range(3):
        gain = by_triples(solution.solver, player, best=True) - solution.values[player]
        assert gain == pytest.approx(solution.gains[player], abs=1e-5)


@pytest.mark.slow
def test_values_on_a_turn_are_those_of_all_triples() -> None:
    solver = ThreeSolver(ThreeSpot.parse(TURN))
    solver.run(5)
    for player in range(3):
        for mode in (AVERAGE, BEST):
            expected = by_triples(solver, player, best=mode == BEST)
            assert solver.value(player, mode) == pytest.approx(expected, abs=1e-4)


def test_a_turn_is_the_same_with_any_number_of_threads() -> None:
    solutions = []
    for threads in (1, 2):
        solver = ThreeSolver(ThreeSpot.parse(TURN), threads=threads)
        solver.run(2)
        solutions.append(with_gains(solver))
    assert solutions[0].values == solutions[1].values
    assert solutions[0].gains == solutions[1].gains
    assert sum(solutions[0].values) == pytest.approx(30, abs=1e-5)


def test_river_cards_that_suits_alone_tell_apart_are_solved_once() -> None:
    both = [ThreeSolver(ThreeSpot.parse(ALIKE), isomorphism=alike) for alike in (True, False)]
    assert [len(solver.rivers) for solver in both] == [9 + 13, 48]
    assert both[0].needs.memory_mb < 0.7 * both[1].needs.memory_mb
    for solver in both:
        solver.run(8)
    once, every = map(with_gains, both)
    assert once.values == pytest.approx(every.values, abs=1e-3)
    assert once.gains == pytest.approx(every.gains, abs=1e-3)
    for card in ("As", "Ac", "2h", "2d"):
        points = [solver.at(f"check check check {card}") for solver in both]
        order = [np.argsort(point.holdings) for point in points]
        assert (points[0].holdings[order[0]] == points[1].holdings[order[1]]).all()
        for of_points in ("weights", "strategy", "action_values"):
            first, second = (
                getattr(point, of_points)[..., by] for point, by in zip(points, order, strict=True)
            )
            assert first == pytest.approx(second, abs=1e-3, nan_ok=True), (card, of_points)


def test_holdings_that_are_alike_play_alike_to_the_last_digit() -> None:
    solver = ThreeSolver(ThreeSpot.parse(ALIKE))
    solver.run(30)
    holdings = solver.board.holdings.tolist()
    place = {holding: number for number, holding in enumerate(holdings)}
    hearts, spades = (place[parse_holding(text)] for text in ("AhAc", "AsAc"))
    for table in solver.tables(-1, 0):
        assert (table[:, hearts] == table[:, spades]).all()


def test_a_river_after_checks_is_the_spot_of_that_board() -> None:
    """With the same strategy there, and without a bet on the turn, which changes no range."""
    text = TURN.replace("bets = a", "river_bets = a")
    turn = ThreeSolver(ThreeSpot.parse(text))
    turn.run(6)
    river = ThreeSolver(ThreeSpot.parse(text.replace("2c3d7h9s", "2c3d7h9sJh")))
    number = [board.cards[-1] for board in turn.rivers].index(parse_cards("Jh")[0])
    river.tables(-1, 0).averages[:] = turn.tables(0, number).averages
    for line in ("", "check", "all-in", "check all-in 30 fold"):
        later, alone = turn.at(f"check check check Jh {line}"), river.at(line)
        assert (later.seat, later.pot, later.actions) == (alone.seat, alone.pot, alone.actions)
        assert (later.holdings == alone.holdings).all()
        assert later.strategy == pytest.approx(alone.strategy)
        assert later.action_values == pytest.approx(alone.action_values, nan_ok=True)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("check Ah", "where none is dealt; allowed there: actions"),
        ("check check check", "a river card comes next"),
        ("check check check check", "allowed there: a river card, such as Ah"),
        ("check check check 9s", "a card that is not on the board"),
        ("check check check *", "a card that is not on the board"),
        ("all-in fold fold", "nobody acts after"),
        ("check check check Ah bet 7", "allowed there: check, all-in 40"),
    ],
)
def test_a_line_that_is_not_there_is_refused(line: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        ThreeSolver(ThreeSpot.parse(TURN)).at(line)


@pytest.mark.parametrize("text", [RIVER, TURN, ALIKE], ids=["river", "turn", "alike"])
def test_a_file_has_the_solution(tmp_path: Path, text: str) -> None:
    solver = ThreeSolver(ThreeSpot.parse(text))
    solver.run(9)
    solution, file = with_gains(solver), tmp_path / "folder" / "three.solution"
    save_three(solution, file)
    assert is_solution(file)
    again = open_three(file)
    assert (again.values, again.gains) == (solution.values, solution.gains)
    assert (again.solver.iterations, again.interrupted) == (9, False)
    assert str(again.solver.spot) == str(ThreeSpot.parse(str(solver.spot)))
    measured = with_gains(again.solver)
    assert measured.values == pytest.approx(solution.values, abs=0.03)
    assert measured.gains == pytest.approx(solution.gains, abs=0.03)
    first, second = solver.at("check"), again.solver.at("check")
    assert first.strategy == pytest.approx(second.strategy, abs=1e-3)


def test_a_file_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    solver = ThreeSolver(ThreeSpot.parse(RIVER))
    solver.run(1)
    file, bad = tmp_path / "three.solution", tmp_path / "bad.solution"
    save_three(with_gains(solver), file)
    content = file.read_bytes()
    header, _, numbers = content.partition(b"\n")
    changed = bytes([numbers[0] ^ 1]) + numbers[1:]
    for damaged in (
        content[:-2],
        header + b"\n" + changed,
        content.replace(b'"iterations": 1', b'"iterations": -'),
        content.replace(b'"gains": [', b'"gains": [-1, '),
        content.replace(b"raises = a", b"raises = -"),
    ):
        bad.write_bytes(damaged)
        with pytest.raises(DamagedFile):
            open_three(bad)
    with pytest.raises(BadInput, match="three players; railbird solve spot three shows it"):
        open_solution(file)
    with pytest.raises(TooLarge):
        open_three(file, memory_mb=0.001)


@pytest.mark.parametrize("seed", range(40))
def test_side_pots_are_those_that_are_peeled_off(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(50):
        paid = rng.integers(0, 6, 3).tolist()
        folded = (rng.random(3) < 0.3).tolist()
        live = [seat for seat in range(3) if not folded[seat]]
        if not live or max(paid) > max(paid[seat] for seat in live):
            continue  # nobody folds who has paid most
        ranks = rng.integers(0, 3, 3).tolist()
        pays = end_pays(7, paid, folded)
        expected = slow_three.shares(7, paid, folded, ranks)
        for player in range(3):
            parts = []
            for other in (player + 1) % 3, (player + 2) % 3:
                weaker, equal = ranks[other] < ranks[player], ranks[other] == ranks[player]
                parts.append(np.array([weaker, equal, 1.0]))
            assert parts[0] @ pays[player] @ parts[1] == pytest.approx(expected[player])


def lines_of(node: ThreeNode, line: str = "") -> list[tuple[str, ThreeNode]]:
    found = [(line, node)]
    for action, child in zip(node.actions, node.children, strict=False):
        found += lines_of(child, f"{line} {action}".strip())
    return found


def test_the_betting_of_a_street() -> None:
    """Everybody acts after a bet, and who is short calls with what he has."""
    lines = dict(lines_of(three_tree(ThreeSpot.parse(RIVER))))
    assert [str(action) for action in lines[""].actions] == ["check", "bet 15", "all-in 60"]
    assert lines["check check check"].paid == (0, 0, 0)
    behind = lines["check bet 15"]
    assert (behind.kind, behind.seat) == (DECISION, 2)
    assert [str(action) for action in behind.actions] == ["fold", "call", "all-in 60"]
    assert lines["check bet 15 call"].seat == 0, "who checked acts on the bet"
    over = lines["check bet 15 call call"]
    assert (over.kind, over.paid) == (1, (15, 15, 15))
    short = lines["all-in 60 call call"]
    assert (short.kind, short.paid) == (1, (60, 40, 60))
    assert lines["all-in 60 fold fold"].folded == (False, True, True)
    assert lines["bet 15 call all-in 60 call"].seat == 1
    for line, node in lines.items():
        assert all(put <= stack for put, stack in zip(node.paid, (90, 40, 60), strict=True)), line


def test_an_unfinished_hand_of_each_line_reaches_an_end() -> None:
    for line, node in lines_of(three_tree(ThreeSpot.parse(TURN.replace("bets = a", "bets = 50%")))):
        assert node.actions or node.kind != DECISION, line


def test_a_decision_in_chips_from_here_on() -> None:
    solution = solve_three(ThreeSpot.parse(RIVER), gap_percent=0.5)
    point = solution.solver.at("all-in fold")
    assert (SEATS[point.seat], [str(action) for action in point.actions]) == (
        "third",
        ["fold", "call"],
    )
    assert point.pot == 90
    comes = point.weights > 0
    assert np.nanmax(np.abs(point.action_values[0, comes])) < 1e-9, "a fold wins nothing more"
    assert point.strategy.sum(axis=0) == pytest.approx(1)
    assert sum(point.frequency) == pytest.approx(1)
    first = solution.solver.at("")
    best = first.action_values.max(axis=0)
    mix = (first.strategy * first.action_values).sum(axis=0)
    held = first.weights > 0
    assert (best[held] >= mix[held] - 1e-9).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("board = 2c3d7h", "allowed: 4 or 5 different cards"),
        ("board = 2c3d7h9s9s", "9s"),
        ("pot = 0", "pot 0; allowed"),
        ("pot = nan", "whole chips"),
        ("pot = 99999999999999999999", "whole chips"),
        ("stacks = 5, 6", "allowed: 1 or 3"),
        ("stacks = 5, 6, -1", "whole chips"),
        ("bets = e", "allowed with three players"),
        ("first = 2c3d", "the ranges leave no three holdings"),
        ("fourth = AA", "unknown key 'fourth'"),
        ("third = KsKd", "no three holdings"),
    ],
    ids=range(11),
)
def test_what_is_no_spot_is_refused(change: str, words: str) -> None:
    key = change.split(" = ", maxsplit=1)[0]
    lines = [line for line in RIVER.splitlines() if not line.startswith(key)]
    text = "\n".join([*lines, change])
    if change == "third = KsKd":
        text = text.replace("KK,J9s,A5s:0.25", "KsKd")
    with pytest.raises(BadInput, match=words):
        ThreeSolver(ThreeSpot.parse(text))


def test_memory_is_said_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = ThreeSolver(ThreeSpot.parse(TURN))
    numbers = sum(
        table.size
        for plan in range(-1, len(solver.river_plans))
        for board in range(1 if plan < 0 else len(solver.rivers))
        for table in solver.tables(plan, board)
    )
    assert solver.needs.numbers == numbers
    with pytest.raises(TooLarge, match="fewer sizes and narrower ranges"):
        solve_three(ThreeSpot.parse(TURN), memory_mb=0.001)
    monkeypatch.setattr(three, "_MOST_NODES", 20)
    with pytest.raises(TooLarge, match="more than 20 points"):
        three_tree(ThreeSpot.parse(RIVER))
