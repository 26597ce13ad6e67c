"""What Vexbot expects before it has seen anything: its making, and what becomes of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.cards import HOLDING_CARDS, parse_cards
from railbird.game import HEADS_UP_LIMIT, limit_holdem
from railbird.players.vexbot.contexts import Contexts, contexts_of
from railbird.players.vexbot.detail_building import expect
from railbird.players.vexbot.opponent_model import OpponentModel
from railbird.players.vexbot.prior import read_expected, shipped_priors, write_expected
from railbird.players.vexbot.range_model import RangeModel, range_cells
from railbird.players.vexbot.settings import HOLDING_CELLS
from railbird.solve.limit import CALL, FOLD, RAISE, betting_tree
from railbird.solve.real_game.opponents import BoardTable, read_only

_CARDS = 0, 3, 4, 5


@pytest.fixture(scope="module")
def contexts() -> Contexts:
    return contexts_of(betting_tree(HEADS_UP_LIMIT))


class _ByHolding:
    """A strategy by nothing but the number of the holding."""

    tree = betting_tree(HEADS_UP_LIMIT)

    def on(self, board: np.ndarray, before: BoardTable | None) -> BoardTable:
        part = self.tree.rounds[max(len(board) - 2, 0)]
        rng = np.random.default_rng(len(board))
        table = rng.random((3, part.slots, part.sequences)) + 0.1
        for node in range(part.nodes):
            own = slice(*part.first_slot[node : node + 2])
            table[:, own] /= table[:, own].sum(axis=1, keepdims=True)
        rows = np.arange(len(HOLDING_CARDS), dtype=np.int32) % 3
        table = table.reshape(3, -1)[rows]
        return BoardTable(read_only(table), np.arange(len(rows), dtype=np.int32))


def test_before_anything_was_seen_it_expects_the_prior(contexts: Contexts) -> None:
    """Of the very betting that it meets, unless the finer groups are not to count."""
    both = shipped_priors(contexts)
    for detailed, prior in enumerate(both):
        model = OpponentModel(contexts, *both, detailed=bool(detailed))
        actions, ranks = model.action_chances(), model.rank_chances()
        assert actions == pytest.approx(prior.actions[: len(actions)])
        assert ranks == pytest.approx(prior.ranks[: len(ranks)])
        ranges = RangeModel(contexts, *both)
        ranges.estimate(detailed=bool(detailed))
        assert ranges.chances == pytest.approx(prior.by_cell[: len(ranges.chances)])
    coarse = both[0].actions
    assert np.array_equal(coarse[contexts.decisions[0]], coarse[contexts.decisions[3]])


def test_a_habit_of_all_places_changes_what_the_prior_tells_of_each(contexts: Contexts) -> None:
    """Who folds less than expected wherever it was seen is expected to do so elsewhere."""
    _, prior = shipped_priors(contexts)
    model = OpponentModel(contexts, *shipped_priors(contexts), detailed=True)
    tree, rng = contexts.tree, np.random.default_rng(3)
    for text in ("cc/r", "rrc/r"):
        decision = contexts.decision(tree.after(text))
        less = prior.actions[decision] / [4, 1, 1]
        for kind in rng.choice(3, size=2_000, p=less / less.sum()):
            model.saw_action(decision, int(kind))
    unseen = [contexts.decision(tree.after(text)) for text in ("rc/r", "crc/r")]
    before, found = (table[unseen] for table in (prior.actions, model.foretold()))
    assert (found[:, FOLD] < 0.65 * before[:, FOLD]).all()
    for kinds in ([FOLD, CALL], [RAISE, CALL]):
        odds, now = (table[:, kinds[0]] / table[:, kinds[1]] for table in (before, found))
        assert now[0] / now[1] == pytest.approx(odds[0] / odds[1], rel=1e-3)


def test_the_prior_is_what_a_strategy_does_against_itself() -> None:
    """Beside a walk through the betting of some decisions on one board."""
    strategy, board = _ByHolding(), np.array(parse_cards("Td5hTh2cKs"), dtype=np.uint8)
    tree, contexts = strategy.tree, contexts_of(strategy.tree)
    expected = expect(strategy, board[np.newaxis])
    cells = range_cells(board)
    live = np.flatnonzero(cells[-1] >= 0)
    for text in ("", "cr", "rrc/r", "cc/crc/", "rc/rc/rrc/cr"):
        place = tree.after(text)
        seat = int(tree.rounds[place.street].player[place.node])
        reach = [np.full(len(live), 1 / len(live)) for _ in range(2)]
        here = tree.root
        for letter in text.replace("/", ""):
            slot = tree.slot(here, "fcr".index(letter))
            lane = tree.rounds[here.street].lane(slot, here.sequence)
            actor = tree.rounds[here.street].player[here.node]
            reach[actor] *= strategy.on(board[: _CARDS[here.street]], None).table[live, lane]
            here = tree.step(here, "fcr".index(letter)) or here
        assert here == place
        part = tree.rounds[place.street]
        table = strategy.on(board[: _CARDS[place.street]], None).table[live]
        for slot in range(*part.first_slot[place.node : place.node + 2].tolist()):
            done = reach[seat] * table[:, part.lane(slot, place.sequence)]
            by_cell = np.bincount(cells[place.street, live], done, HOLDING_CELLS)
            found = expected.by_cell[contexts.decision(place), :, part.kind[slot]]
            assert found == pytest.approx(by_cell * reach[1 - seat].sum(), rel=1e-4)
    # All that is dealt is folded or shown, by both seats.
    folded = expected.by_cell[..., FOLD].sum()
    assert folded + expected.ranks.sum() / 2 == pytest.approx(1, rel=1e-4)


def test_a_prior_that_was_written(contexts: Contexts, tmp_path: Path) -> None:
    """What is kept of it is right to a percent or two."""
    expected = expect(_ByHolding(), np.array([parse_cards("Td5hTh2cKs")], dtype=np.uint8))
    write_expected(tmp_path / "prior.npz", expected)
    found = read_expected(tmp_path / "prior.npz")
    for ours, theirs in ((found.by_cell, expected.by_cell), (found.ranks, expected.ranks)):
        sums, known = theirs.sum(axis=-1), theirs.sum(axis=-1) > 0
        assert np.allclose(ours.sum(axis=-1), sums, rtol=0.1)
        one, other = (
            each[known] / each[known].sum(axis=-1, keepdims=True) for each in (ours, theirs)
        )
        assert np.allclose(one, other, rtol=0, atol=0.004)


def test_the_prior_of_other_caps_is_that_of_the_same_betting(contexts: Contexts) -> None:
    _, prior = shipped_priors(contexts)
    other = contexts_of(betting_tree(limit_holdem(max_raises=(2, 2, 2, 2))))
    coarse, found = shipped_priors(other)
    for text, same in (("cr", True), ("rc/cr", True), ("rc/rc/cr", True), ("crr", False)):
        one, two = (each.decision(each.tree.after(text)) for each in (contexts, other))
        if same:
            assert found.actions[two] == pytest.approx(prior.actions[one], abs=1e-3)
            assert found.by_cell[two, 10] == pytest.approx(prior.by_cell[one, 10], abs=0.01)
        else:  # nobody may raise again
            assert found.actions[two, RAISE] == 0
    for each in (coarse, found):
        assert np.allclose(each.actions.sum(axis=1), 1)
        assert np.allclose(each.by_cell.sum(axis=2), 1)


@pytest.mark.parametrize("like_it", [True, False])
def test_the_prior_s_detail_counts_while_it_foretells_more(
    contexts: Contexts, like_it: bool
) -> None:
    """Of a player who does what the prior tells, and of one who always raises if it may."""
    rng = np.random.default_rng(9)
    model = OpponentModel(contexts, *shipped_priors(contexts))
    assert not model.detailed
    often = model.detail.actions[: contexts.decisions.shape[1]]
    for _ in range(40):
        model.choose_detail()
        for decision in rng.choice(len(often), size=10).tolist():
            chances = often[decision]
            if like_it:
                model.saw_action(decision, int(rng.choice(3, p=chances / chances.sum())))
            else:
                model.saw_action(decision, RAISE if chances[RAISE] > 0 else CALL)
    model.choose_detail()
    assert model.detailed == like_it
