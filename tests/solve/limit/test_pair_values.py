"""Values of states: Leduc hold'em dealt out and played in full."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from railbird.errors import BadInput
from railbird.solve.limit import CALL, FOLD, BettingTree, LimitStrategy
from railbird.solve.limit.pair_values import PairValues, pair_values
from railbird.solve.limit.strategy import kuhn_states, leduc_states


class States:
    """The states of Leduc hold'em: a rank, then the rank on the board with it."""

    def __init__(self, states: tuple[int, ...]) -> None:
        self.states = states


def random_strategy(tree: BettingTree, states: tuple[int, ...], seed: int) -> LimitStrategy:
    rng = np.random.default_rng(seed)
    tables = []
    for part, count in zip(tree.rounds, states, strict=True):
        weight = rng.random((count, part.slots, part.sequences))
        total = np.add.reduceat(weight, part.first_slot[:-1], axis=1)
        tables.append((weight / total[:, part.node]).reshape(count, -1).astype(np.float32))
    return LimitStrategy(tree, States(states), tuple(tables))  # type: ignore[arg-type]


class Dealt:
    """Sums over all deals, of the probability of a lane and of what is won after it."""

    def __init__(self, pair: tuple[LimitStrategy, LimitStrategy]) -> None:
        self.pair, self.tree = pair, pair[0].tree
        shapes = [(part.lanes, 9 if s else 3) for s, part in enumerate(self.tree.rounds)]
        self.mass = [np.zeros((2, *shape)) for shape in shapes]
        self.won = [np.zeros((2, *shape)) for shape in shapes]
        self.total = 0.0
        for cards in permutations(range(6), 3):
            mine, other, board = (card // 2 for card in cards)
            self.states = ((mine, 3 * mine + board), (other, 3 * other + board))
            strengths = [rank + 3 * (rank == board) for rank in (mine, other)]
            self.result = np.sign(strengths[0] - strengths[1])
            self.total += self.play(0, 0, 0, (1.0, 1.0)) / 120

    def play(self, street: int, sequence: int, node: int, reach: tuple[float, float]) -> float:
        """Return what seat 0 wins from a node on."""
        part = self.tree.rounds[street]
        seat, value = int(part.player[node]), 0.0
        for slot in range(part.first_slot[node], part.first_slot[node + 1]):
            lane = part.lane(slot, sequence)
            share = float(self.pair[seat].probabilities[street][self.states[seat][street], lane])
            after = list(reach)
            after[seat] *= share
            won = self.after(street, sequence, slot, (after[0], after[1]))
            for player in range(2):
                # Weighted by the opponent's reach: the player's own state is given.
                cell = player, lane, self.states[player][street]
                self.mass[street][cell] += after[1 - player]
                self.won[street][cell] += after[1 - player] * (won if player == 0 else -won)
            value += share * won
        return value

    def after(self, street: int, sequence: int, slot: int, reach: tuple[float, float]) -> float:
        part = self.tree.rounds[street]
        chips = float(part.before[sequence])
        if part.child[slot] >= 0:
            return self.play(street, sequence, int(part.child[slot]), reach)
        if part.kind[slot] == FOLD:
            chips += part.fold_paid[np.searchsorted(part.fold_slot, slot)]
            return float(chips if part.player[part.node[slot]] == 1 else -chips)
        end = int(np.searchsorted(part.end_slot, slot))
        if street:
            return float(self.result * (chips + part.end_paid[end]))
        return self.play(1, end * part.sequences + sequence, 0, reach)


@pytest.fixture
def without_trembling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railbird.solve.limit.pair_values.TREMBLE", 0.0)


@pytest.mark.usefixtures("without_trembling")
def test_states_are_worth_what_all_deals_say() -> None:
    game = leduc_states()
    pair = tuple(random_strategy(game.tree, game.states, seed) for seed in (1, 2))
    values, dealt = pair_values(game, (pair[0], pair[1])), Dealt((pair[0], pair[1]))
    unit = game.tree.chips_per_unit
    assert values.value == pytest.approx(dealt.total / unit, abs=1e-5)
    for street in range(2):
        mean = dealt.won[street] / dealt.mass[street] / unit
        # Seat 0's is less a constant of the lane, so that both together have the pair's mean.
        constant = mean[0] - values.after[street].first
        np.testing.assert_allclose(
            constant, np.broadcast_to(constant[:, :1], constant.shape), atol=1e-4
        )
        np.testing.assert_allclose(values.after[street].second, mean[1], atol=1e-4)


@pytest.mark.usefixtures("without_trembling")
def test_the_main_effects_have_the_mean_of_the_pair() -> None:
    game = leduc_states()
    pair = tuple(random_strategy(game.tree, game.states, seed) for seed in (3, 4))
    values: PairValues = pair_values(game, (pair[0], pair[1]))
    start = values.start[0]
    worth = start.first[0][:, None] - start.second[0][None, :]
    assert (game.meet[0] * worth).sum() == pytest.approx(values.value, abs=1e-5)


def test_who_checks_down_wins_the_pot_by_the_edge_of_the_showdown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("railbird.solve.limit.pair_values.TREMBLE", 1e-6)
    game = leduc_states()
    tables = []
    for part, count in zip(game.tree.rounds, game.states, strict=True):
        calls = np.repeat(part.kind == CALL, part.sequences).astype(np.float32)
        tables.append(np.tile(calls, (count, 1)))
    strategy = LimitStrategy(game.tree, States(game.states), tuple(tables))  # type: ignore[arg-type]
    lines = pair_values(game, (strategy, strategy)).lines
    checked, part = 0, game.tree.rounds[1]
    for seat in range(2):
        for found, stakes in ((lines[seat][0], part.before[:1]), (lines[seat][1], part.before)):
            pot = stakes[checked] / game.tree.chips_per_unit
            assert found.slope[checked] == pytest.approx(pot, abs=1e-4)
            assert found.constant[checked] == pytest.approx(0, abs=1e-4)


@pytest.mark.usefixtures("without_trembling")
def test_lines_have_the_mean_value_of_the_player() -> None:
    """Least squares leave no mean: what the states are worth together is what the line says."""
    game = leduc_states()
    pair = tuple(random_strategy(game.tree, game.states, seed) for seed in (3, 4))
    values = pair_values(game, (pair[0], pair[1]))
    for seat, sign in enumerate((1, -1)):
        constant, slope = (float(each[0]) for each in values.lines[seat][0])
        # Before the first action all ranks are as likely, so that the edges' mean is zero.
        assert constant == pytest.approx(sign * values.value, abs=1e-5)
        assert slope > 0


def test_other_states_are_refused() -> None:
    game, other = leduc_states(), kuhn_states()
    strategy = random_strategy(other.tree, other.states, 1)
    with pytest.raises(BadInput, match="tables of"):
        pair_values(game, (strategy, strategy))
