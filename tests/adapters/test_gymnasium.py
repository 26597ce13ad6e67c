"""Our games in Gymnasium, judged by its own checker, and by what players of ours win in them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT, Rules, limit_holdem, no_limit_holdem
from railbird.players import make_player

pytest.importorskip("gymnasium", reason="needs the extra railbird[gymnasium]")

GAMES = {
    "limit": (HEADS_UP_LIMIT, ("baseline",)),
    "no-limit": (HEADS_UP_NO_LIMIT, ("random",)),
    "six": (limit_holdem(6), ("loki", "random", "always-call", "tight", "always-raise")),
    "short": (no_limit_holdem(3, blinds=(1, 2), stack=(5, 30, 100)), ("random", "random")),
}


def environment(rules: Rules, opponents: tuple[str, ...], **options: Any) -> Any:
    from railbird.adapters.gymnasium import HoldemEnv

    return HoldemEnv(rules, opponents=opponents, **options)


@pytest.mark.parametrize("name", GAMES)
def test_its_own_checker_passes(name: str) -> None:
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    from railbird.adapters.gymnasium import ENVIRONMENT

    rules, opponents = GAMES[name]
    made = gymnasium.make(ENVIRONMENT, rules=rules, opponents=opponents, render_mode="ansi")
    check_env(made.unwrapped)


@pytest.mark.parametrize("name", GAMES)
def test_a_seed_says_what_comes(name: str) -> None:
    told = []
    for _ in range(2):
        env = environment(*GAMES[name])
        rng = np.random.default_rng(3)
        _, info = env.reset(seed=11)
        rewards: list[float] = []
        while len(rewards) < 20:
            number = rng.choice(np.flatnonzero(info["action_mask"]))
            seen, reward, is_over, _, info = env.step(number)
            assert env.observation_space.contains(seen)
            if is_over:
                rewards.append(reward)
                _, info = env.reset()
            else:
                assert reward == 0
        told.append(rewards)
    assert told[0] == told[1]
    assert any(told[0])


def test_a_player_of_ours_wins_and_loses_what_the_rules_say() -> None:
    """Always-call and always-raise put in two small bets, one, then twice two."""
    env = environment(HEADS_UP_LIMIT, ("always-raise",))
    ours = make_player("always-call")
    env.reset(seed=5)
    won = []
    for _ in range(40):
        is_over, reward = False, 0.0
        while not is_over:
            number = env._choices.actions(env.view().state).index(ours.act(env.view()))
            _, reward, is_over, _, _ = env.step(number)
        won.append(reward)
        env.reset()
    assert {-7.0, 7.0} <= set(won) <= {-7.0, 0.0, 7.0}


def test_hands_that_end_before_our_turn_count() -> None:
    env = environment(no_limit_holdem(3, blinds=(1, 2), stack=100), ("always-fold", "always-fold"))
    won = 0.0
    for hand in range(3):
        _, info = env.reset(seed=2 if hand == 0 else None)
        number = 1 if info["action_mask"].sum() == 1 else 0
        _, reward, is_over, _, _ = env.step(number)
        assert is_over
        won += reward
    # Always folding, we lose the small blind once, and win it once in the big blind.
    assert won == pytest.approx(-0.5 + 0.5)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(BadInput, match="2 opponents; allowed: 1"):
        environment(HEADS_UP_LIMIT, ("random", "random"))
    with pytest.raises(BadInput, match="nobody has a decision"):
        environment(no_limit_holdem(2, blinds=(1, 2), stack=1), ("random",))
    with pytest.raises(BadInput, match="limit"):
        environment(HEADS_UP_NO_LIMIT, ("equilibrium:small",))
