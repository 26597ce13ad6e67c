"""The player that solves the rest of a hand while it plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    Act,
    Action,
    Call,
    Fold,
    HandState,
    Raise,
    act,
    seeded_deals,
    start,
    view,
)
from railbird.players import make_player
from railbird.players.equilibrium import resolving
from railbird.players.equilibrium.known_strategy import is_known, known_strategy
from railbird.players.equilibrium.resolving import Resolve, ResolvingPlayer
from railbird.solve.abstraction import CardBlind
from railbird.solve.limit import LimitStrategy, betting_tree
from railbird.solve.limit.strategy import uniform_strategy, write_strategy
from railbird.solve.limit.subgame import Subgame, solve_subgame
from railbird.units import Seat


@pytest.fixture(autouse=True)
def _few_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolving, "SUBGAME_ITERATIONS", {4: 3, 5: 4})


@pytest.fixture(scope="module")
def strategy() -> LimitStrategy:
    """All actions alike, whatever the cards."""
    return uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind())


def played(player: ResolvingPlayer, seat: int, actions: str) -> HandState:
    """Let a player see a hand; return the state after the actions, such as ``cccccr``."""
    (row,) = seeded_deals(np.random.default_rng(7), seats=2, deals=1)
    state = start(HEADS_UP_LIMIT, row)
    player.begin(view(state, Seat(seat)))
    for letter in actions:
        assert state.actor is not None
        action: Action = Call()
        if letter == "r":
            assert state.min_raise_to is not None
            action = Raise(state.min_raise_to)
        event = Act(state.actor, action)
        state = act(state, action, row)
        player.observe(view(state, Seat(seat)), event)
    return state


@pytest.mark.parametrize(("resolve", "streets"), [(Resolve.TURN, 2), (Resolve.RIVER, 1)])
def test_it_solves_the_streets_that_it_is_asked_to(
    strategy: LimitStrategy,
    resolve: Resolve,
    streets: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    boards: list[int] = []

    def counted(tree: Any, board: Any, ranges: Any, **options: Any) -> Subgame:
        boards.append(len(board))
        return solve_subgame(tree, board, ranges, **options)

    monkeypatch.setattr(resolving, "solve_subgame", counted)
    player = ResolvingPlayer(strategy, resolve)
    player.reset(np.random.default_rng(1))
    found = []
    seen = view(played(player, 0, ""), Seat(0))
    for _ in range(2):  # the same hand twice: the same probabilities
        boards.clear()
        seen = view(played(player, 0, "ccccrcr"), Seat(0))
        chances = player.distribution(seen)
        assert chances is not None
        assert chances == player.distribution(seen)
        found.append(chances)
        assert sum(chances.probability(a) for a in (Fold(), Call())) <= 1
        assert boards == [4, 5][-streets:]
    assert found[0] == found[1]
    assert abs(found[0].probability(Call()) - 1 / 3) > 1e-3
    action = player.act(seen)
    reasons = player.explain(seen)
    assert found[0].probability(action) > 0
    assert reasons.readings[-1].value == 4
    early = view(played(player, 0, "ccr"), Seat(0))
    before = player.distribution(early)
    assert before is not None
    assert before.probability(Call()) == pytest.approx(1 / 3)


def test_where_the_strategy_never_comes_it_plays_on(strategy: LimitStrategy) -> None:
    """Nobody ever calls before the flop, so there are no ranges after it."""
    tables = [table.copy() for table in strategy.probabilities]
    tables[0][:] = 0.5
    tables[0][:, strategy.tree.rounds[0].kind == 1] = 0.0
    player = ResolvingPlayer(
        LimitStrategy(strategy.tree, strategy.abstraction, tuple(tables)), Resolve.RIVER
    )
    player.reset(np.random.default_rng(1))
    seen = view(played(player, 1, "cccccc"), Seat(1))
    chances = player.distribution(seen)
    assert chances is not None
    assert chances.probability(Call()) == pytest.approx(1 / 2)
    player.act(seen)
    assert player.explain(seen).readings[-1].value == "the strategy's own"


def test_specs(strategy: LimitStrategy, tmp_path: Path) -> None:
    path = tmp_path / "x.strategy"
    write_strategy(path, strategy)
    assert isinstance(make_player(f"equilibrium:{path},resolve=turn"), ResolvingPlayer)
    with pytest.raises(BadInput, match="turn, river"):
        make_player(f"equilibrium:{path},resolve=flop")
    # Its probabilities are not those of the strategy that it begins with.
    with pytest.raises(BadInput, match="not known beforehand"):
        known_strategy(f"equilibrium:{path},resolve=river")


def test_what_is_not_known_is_refused_before_anything_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def opened(name: str) -> LimitStrategy:
        raise AssertionError(f"{name} is opened")

    monkeypatch.setattr("railbird.players.equilibrium.resolving.open_equilibrium", opened)
    assert is_known("equilibrium:small")
    assert not is_known("equilibrium:small,resolve=turn")
    with pytest.raises(BadInput, match="not known beforehand"):
        known_strategy("equilibrium:small,resolve=turn")
    with pytest.raises(BadInput, match="turn, river"):
        is_known("equilibrium:small,resolve=flop")
