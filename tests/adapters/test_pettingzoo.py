"""Our games in PettingZoo, judged by its own test."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from railbird.errors import BadInput, IllegalAction
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Rules,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
)
from railbird.players import make_player

pytest.importorskip("pettingzoo", reason="needs the extra railbird[pettingzoo]")

GAMES = [
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    limit_holdem(6),
    no_limit_holdem(3, blinds=(1, 2), stack=(5, 30, 100)),
    pot_limit_holdem(4, blinds=(1, 2), stack=100, ante=1),
]


def environment(rules: Rules, **options: Any) -> Any:
    from railbird.adapters.pettingzoo import HoldemEnv

    return HoldemEnv(rules, **options)


@pytest.mark.parametrize("rules", GAMES)
def test_their_own_test_passes_without_a_warning(rules: Rules) -> None:
    from pettingzoo.test import api_test, seed_test

    api_test(environment(rules), num_cycles=200)
    seed_test(lambda: environment(rules), num_cycles=50)


@pytest.mark.parametrize("rules", GAMES)
def test_what_is_won_is_lost(rules: Rules) -> None:
    env = environment(rules)
    rng = np.random.default_rng(1)
    for hand in range(30):
        env.reset(seed=hand)
        won: dict[str, float] = {}
        for agent in env.agent_iter():
            _, reward, terminated, _, info = env.last()
            if terminated:
                won[agent] = reward
                env.step(None)
            else:
                env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        assert set(won) == set(env.possible_agents)
        assert sum(won.values()) == pytest.approx(0)


def test_players_of_ours_can_sit_in_it() -> None:
    env = environment(HEADS_UP_LIMIT)
    player = make_player("always-call")
    env.reset(seed=4)
    for agent in env.agent_iter():
        if env.last()[2]:
            env.step(None)
            continue
        assert env.view(agent).holding is not None
        choices = env._choices.actions(env.view(agent).state)
        env.step(choices.index(player.act(env.view(agent))))
    assert env.render() == "river: pot 20, over"


def test_what_the_mask_forbids_is_refused() -> None:
    env = environment(HEADS_UP_LIMIT)
    env.reset(seed=1)
    env.step(1)
    with pytest.raises(IllegalAction, match="seat_0 cannot choose 0"):
        env.step(0)


def test_a_game_without_decisions() -> None:
    with pytest.raises(BadInput, match="nobody has a decision to make"):
        environment(no_limit_holdem(2, blinds=(1, 2), stack=1))
