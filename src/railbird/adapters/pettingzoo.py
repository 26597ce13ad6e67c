"""Our games as PettingZoo environments (needs the extra ``pettingzoo``).

>>> env = HoldemEnv(HEADS_UP_LIMIT)
>>> env.reset(seed=1)
>>> env.agent_selection
'seat_1'
>>> env.step(1)
>>> print(env.render())
preflop: pot 20, seat_0 to act
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird._extras import needing
from railbird.adapters.observation_encoding import (
    ActionNumbers,
    most,
    observation,
    observation_size,
)
from railbird.errors import BadInput, IllegalAction
from railbird.game import (
    HEADS_UP_LIMIT,
    HandState,
    Phase,
    Rules,
    View,
    act,
    is_settled,
    payoffs,
    seeded_deals,
    start,
    view,
)
from railbird.units import Seat

with needing("pettingzoo"):
    import gymnasium
    from pettingzoo import AECEnv


class HoldemEnv(AECEnv):  # type: ignore[misc]
    """An environment whose episodes are single hands; the agents are the seats.

    Observations come from `railbird.adapters.observation_encoding.observation`. Actions are the
    numbers of `railbird.adapters.observation_encoding.ActionNumbers`, and
    ``infos[agent]["action_mask"]`` says which of them are allowed. Rewards come at the end of the
    hand, in small bets (limit) or big blinds.

    Raises `BadInput` for rules by which nobody ever has a decision.
    """

    metadata = {  # noqa: RUF012 - the library's own form
        "name": "railbird_holdem_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules = HEADS_UP_LIMIT,
        *,
        pots: Sequence[float] = (0.5, 1.0),
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(rules.seats)]
        self.agents: list[str] = []
        self._rules = rules
        self._choices = ActionNumbers(rules, pots)
        self._rng = np.random.default_rng()
        shape = (observation_size(rules),)
        self.observation_spaces = {
            agent: gymnasium.spaces.Box(0.0, most(rules), shape, np.float32)
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(self._choices.size) for agent in self.possible_agents
        }
        self._cards, self._state = self._deal()
        self.agent_selection = self.possible_agents[0]
        self.infos: dict[str, dict[str, Any]] = {}
        if self._state.phase is not Phase.BETTING:
            raise BadInput("the blinds take every stack, so nobody has a decision to make")

    def observation_space(self, agent: str) -> Any:
        """The same for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The same for every agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a hand; without a seed, the next hand of the last seed. There are no options."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._cards, self._state = self._deal()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._inform()

    def step(self, action: int | None) -> None:
        """Apply the selected agent's action, None if it has terminated.

        Raises `IllegalAction` for a number that the mask does not allow.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        chosen = None if action is None else self._choices.actions(self._state)[int(action)]
        if chosen is None:
            raise IllegalAction(
                f"{agent} cannot choose {action}; its action mask marks what it can"
            )
        self._cumulative_rewards[agent] = 0.0
        self._state = act(self._state, chosen, self._cards)
        self._clear_rewards()
        if is_settled(self._state) and self._state.phase is not Phase.BETTING:
            unit = self._rules.chips_per_unit
            won = zip(self.agents, payoffs(self._state), strict=True)
            self.rewards = {agent: float(chips / unit) for agent, chips in won}
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._inform()

    def observe(self, agent: str) -> NDArray[np.float32]:
        """Return an agent's current observation."""
        return observation(self.view(agent))

    def view(self, agent: str) -> View:
        """Return an agent's view, for use with our players."""
        return view(self._state, Seat(self.possible_agents.index(agent)))

    def render(self) -> str:
        """Return the public state in one line."""
        state = self._state
        turn = "over" if state.actor is None else f"seat_{state.actor} to act"
        return f"{state.street.name.lower()}: pot {state.pot}, {turn}"

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def _deal(self) -> tuple[NDArray[np.uint8], HandState]:
        cards = seeded_deals(self._rng, self._rules.seats, 1)[0]
        return cards, start(self._rules, cards)

    def _inform(self) -> None:
        """Select the agent to act (the first seat at the end), and set its action mask."""
        actor = self._state.actor
        nothing = np.zeros(self._choices.size, np.int8)
        self.agent_selection = self.possible_agents[actor or 0]
        self.infos = {agent: {"action_mask": nothing} for agent in self.agents}
        if actor is not None:
            self.infos[self.agent_selection] = {"action_mask": self._choices.mask(self._state)}
