"""The player of a strategy: where it is in the tree, what it plays, and where it may play."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.errors import BadInput, DamagedFile
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    Action,
    Call,
    Fold,
    Raise,
    act,
    limit_holdem,
    seeded_deals,
    start,
    view,
)
from railbird.players import make_player
from railbird.players.equilibrium.known_strategy import known_strategy
from railbird.players.equilibrium.player import StrategyPlayer
from railbird.solve.abstraction import CardBlind
from railbird.solve.limit import CALL, FOLD, RAISE, LimitStrategy, betting_tree
from railbird.solve.limit.betting_tree import same_game
from railbird.solve.limit.strategy import open_strategy, uniform_strategy, write_strategy
from railbird.solve.real_game import by_weights
from railbird.units import Seat


@pytest.fixture
def strategy() -> LimitStrategy:
    """Random probabilities of a player that does not look at its cards."""
    uniform = uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind())
    rng = np.random.default_rng(3)
    tables = tuple(table * rng.random(table.shape, np.float32) for table in uniform.probabilities)
    return replace(uniform, probabilities=tables)


def test_a_size_that_takes_hours_is_not_solved_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    with pytest.raises(BadInput, match="railbird solve limit --size medium does, in an hour"):
        make_player("equilibrium:medium")


def test_it_plays_the_probabilities_of_its_place(strategy: LimitStrategy) -> None:
    tree, rng = strategy.tree, np.random.default_rng(5)
    player = StrategyPlayer(strategy)
    player.reset(np.random.default_rng(0))
    decisions = 0
    for row in seeded_deals(rng, seats=2, deals=30):
        state, text = start(HEADS_UP_LIMIT, row), ""
        player.begin(view(state, Seat(0)))
        while state.actor is not None:
            seat, street = state.actor, state.street
            place = tree.after(text)
            seen = view(state, seat)
            chances = player.distribution(seen)
            assert chances is not None
            decided = player.act(seen)
            assert chances.probability(decided) > 0
            to = state.min_raise_to
            actions: dict[int, Action | None] = {
                FOLD: Fold(),
                CALL: Call(),
                RAISE: None if to is None else Raise(to),
            }
            part = tree.rounds[place.street]
            kinds = part.kind[slice(*part.first_slot[place.node : place.node + 2])].tolist()
            for kind, chance in zip(kinds, strategy.at(place, 0), strict=True):
                possible = actions[kind]
                assert possible is not None
                assert chances.probability(possible) == pytest.approx(chance)
            decisions += 1
            # Others play at random, so that all lines are seen.
            action = actions[int(rng.choice([k for k in kinds if k != FOLD or rng.random() < 0.2]))]
            assert action is not None
            kind = {Fold: FOLD, Call: CALL, Raise: RAISE}[type(action)]
            state = act(state, action, row)
            text += "fcr"[kind]
            player.observe(view(state, Seat(0)), Act(seat, action))
            assert street <= state.street
    assert decisions > 100


def test_frequencies_are_the_probabilities(strategy: LimitStrategy) -> None:
    player = StrategyPlayer(strategy)
    player.reset(np.random.default_rng(8))
    (row,) = seeded_deals(np.random.default_rng(1), seats=2, deals=1)
    state = start(HEADS_UP_LIMIT, row)
    seen = view(state, Seat(1))
    player.begin(seen)
    counts = {Fold: 0, Call: 0, Raise: 0}
    for _ in range(4_000):
        counts[type(player.act(seen))] += 1
    chances = strategy.at(strategy.tree.root, 0)
    for count, chance in zip(counts.values(), chances, strict=True):
        assert abs(count / 4_000 - chance) < 5 * (chance * (1 - chance) / 4_000) ** 0.5


def test_explanation(strategy: LimitStrategy) -> None:
    player = StrategyPlayer(strategy)
    (row,) = seeded_deals(np.random.default_rng(1), seats=2, deals=1)
    seen = view(start(HEADS_UP_LIMIT, row), Seat(1))
    player.begin(seen)
    with pytest.raises(LookupError):
        player.explain(seen)
    action = player.act(seen)
    reasons = player.explain(seen)
    assert [each.decided for each in reasons.requirements].count(True) == 1
    index = [each.decided for each in reasons.requirements].index(True)
    assert type(action) is (Fold, Call, Raise)[index]
    assert reasons.readings[1].value == 1


def test_where_it_plays(strategy: LimitStrategy) -> None:
    player = StrategyPlayer(strategy)
    assert player.supports(HEADS_UP_LIMIT) is None
    assert player.supports(limit_holdem(small_bet=2)) is None
    assert player.supports(limit_holdem(stack=1_000)) is None
    assert player.supports(limit_holdem(stack=1_000), carries_over=True) is not None
    for rules, words in (
        (HEADS_UP_NO_LIMIT, "2 seats, no-limit"),
        (limit_holdem(3), "3 seats"),
        (limit_holdem(stack=100), "stacks"),
        (limit_holdem(max_raises=(3, 3, 3, 3)), "other blinds, bets or caps"),
        (limit_holdem(ante=1), "other blinds, bets or caps"),
    ):
        assert words in str(player.supports(rules))


def test_a_changed_file_is_no_known_strategy(strategy: LimitStrategy, tmp_path: Path) -> None:
    path = tmp_path / "x.strategy"
    write_strategy(path, strategy)
    known = known_strategy(f"equilibrium:{path}")
    assert known.key == open_strategy(path).hash
    whole = bytearray(path.read_bytes())
    whole[-1] ^= 1
    path.write_bytes(whole)
    with pytest.raises(DamagedFile, match="a strategy that was changed"):
        known_strategy(f"equilibrium:{path}")


def test_a_strategy_of_one_state_does_not_look_at_its_cards(tmp_path: Path) -> None:
    path = tmp_path / "x.strategy"
    tree = betting_tree(HEADS_UP_LIMIT)
    write_strategy(path, uniform_strategy(tree, CardBlind()))
    known = known_strategy(f"equilibrium:{path}").card_blind
    assert known is not None
    for found, wanted in zip(known.probabilities, by_weights((1, 1, 1)).probabilities, strict=True):
        assert np.allclose(found, wanted, rtol=0, atol=1e-7)


def test_chips_of_another_size_are_the_same_game() -> None:
    one = betting_tree(HEADS_UP_LIMIT).betting
    assert same_game(one, betting_tree(limit_holdem(small_bet=2)).betting)
    assert not same_game(one, replace(one, posts=(10, 10)))


def test_specs(tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(BadInput, match="equilibrium:smal: no such file; allowed: blind, small"):
        make_player("equilibrium:smal")
    folder = tmp_path_factory.mktemp("strategies")
    (folder / "x.strategy").write_bytes(b"nothing")
    with pytest.raises(BadInput, match="no strategy of limit hold'em"):
        make_player(f"equilibrium:{folder / 'x.strategy'}")
