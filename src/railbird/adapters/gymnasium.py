"""Our games as a Gymnasium environment against our players (needs the extra ``gymnasium``).

Once this module is imported, `gymnasium.make` knows it as ``railbird/Holdem-v0``.

>>> env = HoldemEnv(HEADS_UP_LIMIT, opponents=("always-call",))
>>> observation, info = env.reset(seed=1)
>>> info["action_mask"].tolist()
[1, 1, 1]
>>> observation, reward, terminated, truncated, info = env.step(0)
>>> reward, terminated
(-0.5, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, SupportsInt

import numpy as np
from numpy.typing import NDArray

from railbird._extras import needing
from railbird.adapters.observation_encoding import (
    ActionNumbers,
    most,
    observation,
    observation_size,
)
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    HandDealer,
    Moment,
    Phase,
    Rules,
    View,
    is_settled,
    payoffs,
    seeded_deals,
    start,
)
from railbird.players import Audience, Player, make_player
from railbird.players.equilibrium import why_not_unmade
from railbird.players.policy import why_not
from railbird.players.spec import parse_spec
from railbird.units import Seat

with needing("gymnasium"):
    import gymnasium

_GO_ON: Final = 1
"""The only number that the mask allows if a hand has ended before our turn."""


ENVIRONMENT: Final = "railbird/Holdem-v0"


class HoldemEnv(gymnasium.Env):  # type: ignore[misc]
    """An environment whose episodes are single hands against our players; the button moves on.

    Observations come from `railbird.adapters.observation_encoding.observation`. Actions are the
    numbers of `railbird.adapters.observation_encoding.ActionNumbers`. ``info["action_mask"]`` says
    which of them are allowed; any other is played as a check or call. The reward comes at the end
    of the hand, in small bets (limit) or big blinds.

    If everybody folds to us in the big blind, the hand ends before our turn. It is an episode all
    the same, so that rewards sum to the winnings. The mask then allows only 1, which ends it.

    ``opponents`` are specs or players, one for each seat but ours, from our left on. They keep what
    they learn until `reset` is called with a seed. Raises `BadInput` for a wrong number of
    opponents, for one that cannot play the game, and for rules by which nobody ever has a decision.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - the library's own form

    def __init__(
        self,
        rules: Rules = HEADS_UP_LIMIT,
        *,
        opponents: Sequence[str | Player] = ("baseline",),
        pots: Sequence[float] = (0.5, 1.0),
        render_mode: str | None = None,
    ) -> None:
        if len(opponents) != rules.seats - 1:
            raise BadInput(f"{len(opponents)} opponents; allowed: {rules.seats - 1}, one a seat")
        self.render_mode = render_mode
        for spec in (o for o in opponents if isinstance(o, str)):
            if reason := why_not_unmade(parse_spec(spec), rules, carries_over=False):
                raise BadInput(reason)  # before the player is made, which may solve a game
        self._opponents = [make_player(o) if isinstance(o, str) else o for o in opponents]
        for player in self._opponents:
            if reason := why_not(player, rules):
                raise BadInput(reason)
        self._rules = rules
        self._choices = ActionNumbers(rules, pots)
        shape = (observation_size(rules),)
        self.observation_space = gymnasium.spaces.Box(0.0, most(rules), shape, np.float32)
        self.action_space = gymnasium.spaces.Discrete(self._choices.size)
        self._seat = Seat(0)
        self._is_seeded = False
        row = seeded_deals(np.random.default_rng(0), rules.seats, 1)[0]
        if start(rules, row).phase is not Phase.BETTING:
            raise BadInput("the blinds take every stack, so nobody has a decision to make")
        self._dealer = HandDealer.of_row(rules, row)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal a hand and play up to our turn; there are no options.

        A seed makes the opponents forget everything, and the seat is drawn anew.
        """
        super().reset(seed=seed)
        if seed is not None or not self._is_seeded:
            self._is_seeded = True
            self._seat = Seat(int(self.np_random.integers(self._rules.seats)))
            for player in self._opponents:
                player.reset(np.random.default_rng(self.np_random.integers(2**63)))
        self._seat = Seat((self._seat + 1) % self._rules.seats)
        row = seeded_deals(self.np_random, self._rules.seats, 1)[0]
        self._dealer = HandDealer.of_row(self._rules, row)
        seats = self._rules.seats
        self._players = {
            Seat((self._seat + place) % seats): player
            for place, player in enumerate(self._opponents, start=1)
        }
        self._audience = Audience.of(self._players.items())
        self._audience.meet(tuple((seat - self._seat) % seats for seat in range(seats)))
        self._audience.notify(self._dealer.begin())
        self._play_on()
        return self._observed(), self._info()

    def step(
        self, action: SupportsInt
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Take our action and play up to our next turn, or to the end of the hand."""
        if self._dealer.asks == self._seat:
            chosen = self._choices.actions(self._dealer.state)
            taken = self._dealer.act(chosen[int(action)] or chosen[_GO_ON])  # type: ignore[arg-type]
            self._audience.notify(taken)
            self._play_on()
        is_over = self._dealer.asks is None
        reward = 0.0
        if is_over:
            state = self._dealer.state
            assert is_settled(state)
            reward = float(payoffs(state)[self._seat] / self._rules.chips_per_unit)
        return self._observed(), reward, is_over, False, self._info()

    def render(self) -> str:
        """Return the public state in one line."""
        state = self._dealer.state
        turn = "over" if state.actor is None else "our turn"
        return f"{state.street.name.lower()}: pot {state.pot}, {turn}"

    def view(self) -> View:
        """Return what our seat sees, for use with our players."""
        return Moment(self._dealer.state).view(self._seat)

    def _play_on(self) -> None:
        """Let the others act until it is our turn or the hand is over."""
        dealer = self._dealer
        while (actor := dealer.asks) is not None and actor != self._seat:
            action = self._players[actor].act(Moment(dealer.state).view(actor))
            self._audience.notify(dealer.act(action))
        if dealer.asks is None:
            self._audience.end(dealer.state)

    def _observed(self) -> NDArray[np.float32]:
        return observation(self.view())

    def _info(self) -> dict[str, Any]:
        if self._dealer.asks == self._seat:
            return {"action_mask": self._choices.mask(self._dealer.state)}
        mask = np.zeros(self._choices.size, np.int8)
        mask[_GO_ON] = 1
        return {"action_mask": mask}


if ENVIRONMENT not in gymnasium.registry:
    gymnasium.register(ENVIRONMENT, entry_point=HoldemEnv)
