"""Players that ignore their cards and fold, call and raise by fixed weights."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np

from railbird.errors import BadInput
from railbird.game import Action, Call, Fold, HandState, Raise, Rules, View
from railbird.players.compiled import _kernels_layout as by
from railbird.players.compiled.policies import WeightedPolicy
from railbird.players.compiled.splitmix import SplitMix64
from railbird.players.policy import Distribution, RaiseSizes
from railbird.units import Chips


class RaiseSize(Enum):
    """Size of a raise if the rules leave a choice."""

    MIN = "min"
    POT = "pot"
    """A bet of the pot after calling, or the nearest legal size."""
    MAX = "max"
    RANDOM = "random"
    """Every legal size is equally likely."""


_CODES = {
    RaiseSize.MIN: by.MIN,
    RaiseSize.POT: by.POT,
    RaiseSize.MAX: by.MAX,
    RaiseSize.RANDOM: by.RANDOM,
}

_CALL, _FOLD = Call(), Fold()
_raise = lru_cache(maxsize=1 << 12)(Raise)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Relative frequencies of fold (to a bet only), call and raise."""

    fold: float = 0.0
    call: float = 0.0
    bet: float = 0.0
    size: RaiseSize = RaiseSize.MIN

    def __post_init__(self) -> None:
        if min(self.fold, self.call, self.bet) < 0:
            raise BadInput(f"weights {self.fold}, {self.call}, {self.bet}; allowed: 0 or more")


class WeightedPlayer:
    """Draws an action by weight among the possible ones; calls if all weights are zero.

    `always-call` and the like have a single weight and draw nothing.
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._calls = weights.fold == weights.bet == 0  # then the view does not matter
        self._raises = weights.fold == weights.call == 0 < weights.bet
        self._stream = SplitMix64(0)

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws."""
        self._stream = SplitMix64(int(rng.integers(1 << 64, dtype=np.uint64)))

    def act(self, view: View) -> Action:
        """Draw an action, then a size if there is a choice."""
        if self._calls:
            return _CALL
        state, weights = view.state, self.weights
        low = state.min_raise_to
        if self._raises:
            return _CALL if low is None else _raise(self._raise_to(state, low))
        fold = weights.fold if state.to_call > 0 else 0.0
        bet = 0.0 if low is None else weights.bet
        total = fold + weights.call + bet
        if total == weights.call:
            return _CALL
        if total == fold:
            return _FOLD
        if total != bet:
            drawn = self._stream.fraction() * total
            if drawn < fold:
                return _FOLD
            if drawn < fold + weights.call:
                return _CALL
        assert low is not None  # otherwise a bet would have no weight
        return _raise(self._raise_to(state, low))

    def distribution(self, view: View) -> Distribution:
        """Return the weights of what is possible."""
        state, weights = view.state, self.weights
        low, high = state.min_raise_to, state.max_raise_to
        fold = weights.fold if state.to_call > 0 else 0.0
        total = fold + weights.call + (0.0 if low is None else weights.bet)
        if not total:
            return Distribution(call=1.0)
        raises: tuple[RaiseSizes, ...] = ()
        if low is not None and high is not None and weights.bet:
            if weights.size is not RaiseSize.RANDOM:
                low = high = self._raise_to(state, low)
            raises = (RaiseSizes(low, high, weights.bet / total),)
        return Distribution(fold=fold / total, call=weights.call / total, raises=raises)

    def policy(self, rules: Rules) -> WeightedPolicy:
        """Return the compiled form, for any game."""
        weights = self.weights
        return WeightedPolicy(
            row=(weights.fold, weights.call, weights.bet, float(_CODES[weights.size])),
            stream=self._stream.state,
        )

    def _raise_to(self, state: HandState, low: Chips) -> Chips:
        if self.weights.size is RaiseSize.MIN:
            return low
        high = state.max_raise_to
        assert high is not None
        match self.weights.size:
            case RaiseSize.MAX:
                return high
            case RaiseSize.POT:
                return min(max(Chips(state.bet + state.pot + state.to_call), low), high)
            case RaiseSize.RANDOM:
                return Chips(self._stream.between(low, high)) if high > low else low
