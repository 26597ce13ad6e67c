"""The policies of `helpers.simulated_hands` through the Python API, in Python integers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from helpers.simulated_hands import SimplePolicy
from railbird.game import Action, Call, Fold, HandState, Raise, Rules, act, payoffs, start
from railbird.game.deal import Deals
from railbird.units import Chips

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(state: int) -> int:
    """SplitMix64's output function (Steele, Lea and Flood, 2014)."""
    state = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & MASK
    state = ((state ^ state >> 27) * 0x94D049BB133111EB) & MASK
    return state ^ state >> 31


def play_slowly(
    rules: Rules, policies: Sequence[SimplePolicy], deals: Deals, rng: np.random.Generator
) -> list[list[int]]:
    """What `helpers.simulated_hands.simulate` returns."""
    key = int(rng.integers(1 << 64, dtype=np.uint64))
    results = []
    for index, row in enumerate(deals):
        stream = mix((key + index * GOLDEN) & MASK)
        state = start(rules, row)
        while state.actor is not None:
            stream = (stream + GOLDEN) & MASK
            state = act(state, choose(state, policies[state.actor], mix(stream)), row)
        results.append([int(amount * rules.denominator) for amount in payoffs(state)])
    return results


def choose(state: HandState, policy: SimplePolicy, bits: int) -> Action:
    low, high = state.min_raise_to, state.max_raise_to
    match policy:
        case SimplePolicy.ALWAYS_RAISE if low is not None:
            return Raise(low)
        case SimplePolicy.ALWAYS_FOLD if state.to_call > 0:
            return Fold()
        case SimplePolicy.RANDOM:
            choices: list[Action] = [Fold(), Call()] if state.to_call > 0 else [Call()]
            if low is not None and high is not None:
                choices.append(Raise(Chips(low + ((bits >> 32) * (high - low + 1) >> 32))))
            return choices[(bits & 0xFFFFFFFF) * len(choices) >> 32]
        case _:
            return Call()
