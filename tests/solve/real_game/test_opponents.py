"""The baseline and random players as strategies do what the players do."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Call, Fold, HandState, Raise, act, due, start, step, view
from railbird.game import seeded_deals as deals_of
from railbird.game.rules import BOARD_CARDS
from railbird.game.state import Phase
from railbird.players import Distribution, Policy, make_player
from railbird.players.known_strategy import known_strategy
from railbird.solve.abstraction.card_abstraction import CardBlind
from railbird.solve.limit import CALL, FOLD, DecisionPlace, betting_tree, write_strategy
from railbird.solve.limit.strategy import uniform_strategy
from railbird.solve.real_game import BoardStrategy, BoardTable
from railbird.solve.real_game.card_blind import by_weights


def probabilities(
    strategy: BoardStrategy, state: HandState, place: DecisionPlace, holding: int
) -> list[float]:
    """Return fold, call and raise by the strategy's tables."""
    table: BoardTable | None = None
    board = np.array(state.board, dtype=np.uint8)
    for street in range(place.street + 1):
        table = strategy.on(board[: BOARD_CARDS[street]], table)
    assert table is not None
    part, found = strategy.tree.rounds[place.street], [0.0, 0.0, 0.0]
    for slot in range(part.first_slot[place.node], part.first_slot[place.node + 1]):
        share = table.table[table.rows[holding], part.lane(slot, place.sequence)]
        found[part.kind[slot]] = float(share)
    return found


@pytest.mark.parametrize(
    "spec",
    [
        "baseline",
        "baseline:aggressive-high,turn=loose-low,pot=facing-bet",
        "random:amount,fold=0.4",
    ],
)
def test_every_decision_is_the_players(spec: str) -> None:
    rng = np.random.default_rng(4)
    player, known = make_player(spec), known_strategy(spec)
    assert isinstance(player, Policy)
    strategy, tree = known.on_boards, known.on_boards.tree
    seen = np.zeros((4, 3))
    for cards in deals_of(rng, 2, 120):
        state, place = start(HEADS_UP_LIMIT, cards), tree.root
        while True:
            if state.phase is Phase.DEAL_BOARD:
                state = step(state, due(state, cards))
            if state.actor is None:
                break
            seen_by = view(state, state.actor)
            told = player.distribution(seen_by)
            assert isinstance(told, Distribution)
            raises = sum(sizes.probability for sizes in told.raises)
            found = probabilities(strategy, state, place, seen_by.holding)
            assert found == pytest.approx([told.fold, told.call, raises], abs=1e-6)
            seen[place.street] += found
            # All that can happen, and not too many folds.
            low = state.min_raise_to
            kind = int(rng.choice(3, p=[0.08, 0.5, 0.42]))
            if (kind == FOLD and state.to_call == 0) or (kind == 2 and low is None):
                kind = CALL
            action = (Fold(), Call(), Call() if low is None else Raise(low))[kind]
            after = tree.step(place, kind)
            state = act(state, action)
            place = after or place
    assert (seen > 5).all()


def test_strategies_can_be_sent(tmp_path: Path) -> None:
    """As a cluster's machines may lack a strategy's file."""
    path = tmp_path / "blind.strategy"
    write_strategy(path, uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind()))
    board = np.array([0, 5, 10, 20, 51], dtype=np.uint8)
    for spec in ("baseline", "always-call", f"equilibrium:{path}"):
        known = known_strategy(spec)
        sent = pickle.loads(pickle.dumps(known))
        assert (sent.spec, sent.key) == (known.spec, known.key)
        before = [each.on_boards.on(board[:0], None) for each in (known, sent)]
        for cards in (3, 4, 5):
            found = [
                each.on_boards.on(board[:cards], table)
                for each, table in zip((known, sent), before, strict=True)
            ]
            for one_of, other in zip(*found, strict=True):
                assert np.array_equal(one_of, other)
                assert one_of.flags.writeable == other.flags.writeable
            before = found


def test_who_is_not_known_beforehand() -> None:
    with pytest.raises(BadInput, match=r"killer: .* not known beforehand; allowed: always-call"):
        known_strategy("killer")
    with pytest.raises(BadInput, match="weights"):
        by_weights((-1.0, 1.0, 1.0))
