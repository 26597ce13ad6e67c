"""Public chance sampling: one board by hand, the card-blind game, the matrix solver's game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from railbird._threads import threads_limited
from railbird.cards import CLASSES, HOLDING_CARDS, Card, parse_cards, strengths
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT
from railbird.solve.abstraction import BLOCKED, CardBlind, states_on
from railbird.solve.abstraction.percentile import PercentileAbstraction, read_shipped
from railbird.solve.limit import FOLD, BettingTree, LimitBetting, open_strategy, solving
from railbird.solve.limit.betting_tree import betting_tree, limit_tree
from railbird.solve.limit.matrix_cfr import MatrixSolver
from railbird.solve.limit.sampling import PublicChanceSolver, SampledSolver, chunk_bounds
from railbird.solve.limit.solving import Algorithm, kept_strategies, solve_limit, solve_sampled
from railbird.solve.limit.strategy import StateGame, kuhn_states, leduc_states, state_game

Vector = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def tree() -> BettingTree:
    """One raise a street: 1, 3, 9 and 27 betting sequences."""
    return limit_tree(
        LimitBetting(
            posts=(1, 2), bet_sizes=(2, 2, 4, 4), most_raises=(1, 1, 1, 1), first=(0, 1, 1, 1)
        )
    )


@pytest.fixture(scope="module")
def abstraction() -> PercentileAbstraction:
    """Some thresholds, by which the states of all streets differ."""
    flop = np.array([[8161, 23514], [13846, 31590]])
    turn = np.array([[1799], [2443], [4843]] * 2)
    river = np.array([[113 + 50 * state] for state in range(12)])
    preflop = (np.arange(CLASSES) % 13 < 6).astype(np.int32)
    return PercentileAbstraction((2, 3, 2, 2), preflop, (flop, turn, river))


class _OneByOne:
    """The slow twin: every betting sequence by itself, every pair of holdings."""

    def __init__(self, solver: PublicChanceSolver, board: npt.NDArray[np.uint8]) -> None:
        self.solver, self.tree = solver, solver.tree
        states = states_on(solver.abstraction, [Card(int(card)) for card in board])
        live = np.flatnonzero(states[3] != BLOCKED)
        self.states = states[:, live]
        low, high = HOLDING_CARDS[live].T
        shares = (low[:, None] == low) | (high[:, None] == high)
        shares |= (low[:, None] == high) | (high[:, None] == low)
        hands = np.column_stack([HOLDING_CARDS[live], np.tile(board, (len(live), 1))])
        rank = strengths(hands.astype(np.uint8)).astype(np.int64)
        self.apart = (~shares).astype(np.float64)
        self.edge = np.sign(rank[:, None] - rank) * self.apart
        self.regrets = [np.zeros(table.shape) for table in solver.regrets]
        self.sums = [np.zeros(table.shape) for table in solver.regrets]
        self.walk(0, 0, 0, [np.ones(len(live))] * 2)

    def walk(self, street: int, sequence: int, node: int, reach: list[Vector]) -> list[Vector]:
        """Return what both players win from a decision, by their holdings."""
        part, states = self.tree.rounds[street], self.states[street]
        first, last = part.first_slot[node : node + 2]
        lanes = np.arange(first, last) * part.sequences + sequence
        player = int(part.player[node])
        positive = np.maximum(self.solver.regrets[street][states][:, lanes], 0).astype(np.float64)
        total = positive.sum(axis=1, keepdims=True)
        share = np.where(total > 0, positive / np.maximum(total, 1e-30), 1 / (last - first))
        won = []
        for action, slot in enumerate(range(first, last)):
            after = list(reach)
            after[player] = reach[player] * share[:, action]
            won.append(self.take(street, sequence, slot, player, after))
            np.add.at(self.sums[street], (states, lanes[action]), after[player])
        value = [sum(each[seat] for each in won) for seat in (0, 1)]
        value[player] = sum(share[:, a] * each[player] for a, each in enumerate(won))
        for action, each in enumerate(won):
            change = each[player] - value[player]
            np.add.at(self.regrets[street], (states, lanes[action]), change)
        return value  # type: ignore[return-value]

    def take(
        self, street: int, sequence: int, slot: int, player: int, reach: list[Vector]
    ) -> list[Vector]:
        part = self.tree.rounds[street]
        if part.child[slot] >= 0:
            return self.walk(street, sequence, int(part.child[slot]), reach)
        if slot in part.fold_slot:
            paid = part.fold_paid[np.flatnonzero(part.fold_slot == slot)[0]]
            lost = float(part.before[sequence] + paid)
            return [
                (-lost if seat == player else lost) * (self.apart @ reach[1 - seat])
                for seat in (0, 1)
            ]
        end = int(np.flatnonzero(part.end_slot == slot)[0])
        if street == 3:
            at_stake = float(part.before[sequence] + part.end_paid[end])
            return [at_stake * (self.edge @ reach[1 - seat]) for seat in (0, 1)]
        return self.walk(street + 1, end * part.sequences + sequence, 0, reach)


def test_chunks_continue_those_of_the_street_before_where_that_makes_no_more() -> None:
    bounds = chunk_bounds(betting_tree(HEADS_UP_LIMIT))
    assert [each.tolist() for each in bounds[:3]] == [[0, 1], [0, 7], [0, 16, 32, 48, 63]]
    assert bounds[3].tolist() == [*(63 * k + n for k in range(9) for n in (0, 16, 32, 48)), 567]


@pytest.mark.slow(but=["KhQhJhTh9h-raises2"])
@pytest.mark.parametrize(
    ("board", "raises"),
    [
        ("Td5hTh2d2h", (1, 1, 1, 1)),  # 27 betting sequences in two chunks
        ("As9s8s3c2s", (1, 2, 1, 1)),  # 45 in three, each of which continues the turn's
        ("KhQhJhTh9h", (1, 1, 1, 1)),
    ],
)
def test_a_board_changes_what_it_does_one_by_one(
    tree: BettingTree, abstraction: PercentileAbstraction, board: str, raises: tuple[int, ...]
) -> None:
    tree = limit_tree(replace(tree.betting, most_raises=raises))
    solver = PublicChanceSolver(tree, abstraction, seed=1)
    rng = np.random.default_rng(2)
    for table in solver.regrets:
        table[:] = rng.normal(size=table.shape)
    cards = np.array(parse_cards(board), dtype=np.uint8)
    found = solver.changes_on(solver._rooms[0], cards)
    twin = _OneByOne(solver, cards)
    for street, changes in enumerate(found):
        member = np.unique(twin.states[street])
        assert np.array_equal(changes.member, member)
        for got, expected in (
            (changes.regret_change, twin.regrets[street]),
            (changes.sum_change, twin.sums[street]),
        ):
            scale = np.abs(expected).max()
            assert np.allclose(got, expected[member], rtol=1e-4, atol=1e-5 * scale)


def test_who_does_not_look_at_cards_never_folds(tree: BettingTree) -> None:
    """The card-blind game, as the matrix solver finds it: worth nothing to either player."""
    solver = PublicChanceSolver(tree, CardBlind(), seed=3)
    solver.run(100)
    (average,) = solver.average()[0]
    assert average[tree.slot(tree.root, FOLD)] < 0.01
    one = np.zeros(1, dtype=np.int32)
    exact = MatrixSolver(state_game(tree, (one,) * 4, [[0]], [[1]]))
    uniform = exact.exploitability()
    exact.sums = tuple(table.astype(np.float32) for table in solver.sums)
    assert exact.exploitability() < 0.02 < 0.1 < uniform
    assert exact.value() == pytest.approx(0, abs=0.01)


@pytest.mark.slow
def test_the_gap_in_a_counted_abstraction_falls(tree: BettingTree) -> None:
    """Samples of boards against the counts of all boards, in the states of 5-5-5-5."""
    shipped = read_shipped((5, 5, 5, 5))
    assert shipped is not None
    abstraction, wins, ties = shipped
    parents = tuple(
        np.arange(states, dtype=np.int32) // (5 if street else states)
        for street, states in enumerate(abstraction.states)
    )
    exact = MatrixSolver(state_game(tree, parents, wins, ties))
    gaps = [1000 * exact.exploitability()]
    solver = PublicChanceSolver(tree, abstraction, seed=4)
    for batches in (25, 100):
        solver.run(batches)
        exact.sums = tuple(table.astype(np.float32) for table in solver.sums)
        gaps.append(1000 * exact.exploitability())
    assert gaps[2] < 0.6 * gaps[1] < 0.2 * gaps[0]


def test_the_number_of_threads_changes_nothing(
    tree: BettingTree, abstraction: PercentileAbstraction
) -> None:
    tables = []
    for threads in (1, 3):
        solver = PublicChanceSolver(tree, abstraction, seed=5)
        with threads_limited(threads):
            solver.run(3)
        tables.append([*solver.regrets, *solver.sums])
    assert all(np.array_equal(*pair) for pair in zip(*tables, strict=True))
    other = PublicChanceSolver(tree, abstraction, seed=6)
    other.run(3)
    assert not np.array_equal(other.regrets[3], tables[0][3])


@pytest.fixture
def quick(
    tree: BettingTree, abstraction: PercentileAbstraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Solve a small game in place of the large one."""
    monkeypatch.setattr(solving, "betting_tree", lambda rules: tree)
    monkeypatch.setattr(solving, "bucket_abstraction", lambda states, **_: abstraction)
    monkeypatch.setattr(solving, "FIRST_KEPT_BOARDS", 8)


@pytest.mark.usefixtures("quick")
def test_public_chance_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    whole = solve_sampled(tmp_path / "whole.strategy", (169, 1, 1, 1), boards=32)
    path = tmp_path / "cut.strategy"

    def interrupt(done: int, total: int, what: str) -> None:
        if done == 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_sampled(path, (169, 1, 1, 1), boards=32, progress=interrupt)
    assert not path.exists()
    numbers: list[int] = []
    solve_sampled(path, (169, 1, 1, 1), boards=20, progress=lambda done, *_: numbers.append(done))
    assert numbers == [16, 20]
    found = solve_sampled(path, (169, 1, 1, 1), boards=32)
    for table, other in zip(whole.probabilities, found.probabilities, strict=True):
        assert np.array_equal(table, other)
    assert found.training["boards"] == 32
    kept = kept_strategies(path)
    assert [each.boards for each in kept] == [8, 16, 32]
    assert open_strategy(kept[-1].path).training["boards"] == 32
    assert np.array_equal(
        open_strategy(kept[1].path).probabilities[3],
        open_strategy(kept_strategies(tmp_path / "whole.strategy")[1].path).probabilities[3],
    )


@pytest.mark.usefixtures("quick")
def test_a_damaged_or_foreign_rest_of_a_run_is_left(tmp_path: Path) -> None:
    path = tmp_path / "x.strategy"
    path.with_suffix(".part.npz").write_bytes(b"PK\x03\x04")
    assert solve_sampled(path, (169, 1, 1, 1), boards=4).training["boards"] == 4
    assert solve_sampled(path, (169, 1, 1, 1), boards=4, seed=2).training["iterations"] == 1
    with pytest.raises(BadInput, match="1 or more"):
        solve_sampled(path, (169, 1, 1, 1), boards=0)


# External sampling against the matrix solver, on the same games.


@pytest.mark.slow(only=["leduc_states-0.05"])
@pytest.mark.parametrize(("game", "gap"), [(kuhn_states, 0.01), (leduc_states, 0.05)])
def test_it_comes_to_the_same_value(game: Callable[[], StateGame], gap: float) -> None:
    exact = MatrixSolver(game())
    exact.run(1_000)
    sampled = SampledSolver(exact.game, np.random.default_rng(1))
    sampled.run(20_000)
    early = sampled.exploitability()
    sampled.run(80_000)
    assert sampled.exploitability() < min(gap, early)
    assert sampled.value() == pytest.approx(exact.value(), abs=gap)


def test_limit_holdem_of_two_states() -> None:
    """The river is won by the better of two states, three times in four."""
    tree = betting_tree(HEADS_UP_LIMIT)
    one, two = np.zeros(1, dtype=np.int32), np.zeros(2, dtype=np.int32)
    states = state_game(tree, (one, one, one, two), [[1, 1], [3, 1]], [[2, 0], [0, 2]])
    sampled = SampledSolver(states, np.random.default_rng(2))
    sampled.run(2_000)
    early = sampled.exploitability()
    sampled.run(18_000)
    assert sampled.exploitability() < early / 4
    exact = MatrixSolver(states)
    exact.run(200)
    assert exact.exploitability() < 0.01
    assert sampled.value() == pytest.approx(exact.value(), abs=sampled.exploitability())


def test_deals_are_drawn_as_often_as_they_come() -> None:
    game = leduc_states()
    deals = 100_000
    solver = SampledSolver(game, np.random.default_rng(3))
    states, results = solver.draw(solver.rng, deals)
    met = np.zeros_like(game.edge)
    edge = np.zeros_like(game.edge)
    np.add.at(met, (states[:, 0, 1], states[:, 1, 1]), 1 / deals)
    np.add.at(edge, (states[:, 0, 1], states[:, 1, 1]), results / deals)
    assert np.abs(met - game.meet[1]).max() < 5e-3
    assert np.abs(edge - game.edge).max() < 5e-3
    assert np.array_equal(game.parents[1][states[:, :, 1]], states[:, :, 0])


def test_the_same_seed_gives_the_same_tables() -> None:
    tables = []
    for _ in range(2):
        solver = SampledSolver(kuhn_states(), np.random.default_rng(4))
        solver.run(1_000)
        tables.append(solver.sums)
    assert np.array_equal(tables[0], tables[1])


@pytest.mark.slow
def test_external_sampling_an_interrupted_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("railbird.solve.limit.solving.DEALS_A_STEP", 1_000)
    how: dict[str, Any] = {"algorithm": Algorithm.EXTERNAL, "gap_mb": 1e-9, "most": 5_000}
    whole = solve_limit(tmp_path / "whole.strategy", (1, 1, 1, 1), **how)
    path = tmp_path / "cut.strategy"

    def interrupt(done: int, total: int, what: str) -> None:
        if done == 3_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_limit(path, (1, 1, 1, 1), progress=interrupt, **how)
    numbers: list[int] = []
    found = solve_limit(path, (1, 1, 1, 1), progress=lambda done, *_: numbers.append(done), **how)
    assert numbers == [4_000, 5_000]
    for table, other in zip(whole.probabilities, found.probabilities, strict=True):
        assert np.array_equal(table, other)
    assert found.training["deals"] == 5_000
