"""Tables of value policies: batches of hands for studies that need very many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from railbird.assessment.decision_divat.scorer import percentiles, space_of
from railbird.assessment.decision_divat.settings import ValuePolicy
from railbird.experiments.any_holdem import _kernels_play as kernels
from railbird.game import Rules
from railbird.game.engine import _kernels_layout as at
from railbird.histories.columns import (
    NO_TIME,
    UNKNOWN,
    Circumstances,
    HandBatch,
    answers_of,
    opened_vectors,
)
from railbird.players.compiled.policies import rank_tables

_ACTIONS = 24
"""Room for a hand and seat; what is left of a batch's room bears the longer ones."""


class Collusion(IntEnum):
    """Kinds of collusion of the first two players."""

    NONE = kernels.HONEST
    SOFT_PLAY = kernels.SOFT_PLAY
    """They do not bet or raise once only the two are left."""
    SQUEEZE = kernels.SQUEEZE
    """They also raise as long as another is in and either holds a strong hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPlayer:
    """A value policy, and the probability of drawing a legal action instead."""

    name: str
    policy: ValuePolicy
    deviation: float = 0.0


def play_policies(
    rules: Rules,
    players: Sequence[PolicyPlayer],
    hands: int,
    *,
    seed: int,
    first: int = 0,
    collusion: Collusion = Collusion.NONE,
) -> HandBatch:
    """Play the hands of a table from ``first`` on; seats move by one each hand.

    A hand depends on its number and the seed alone.
    """
    seats = rules.seats
    numbers = np.arange(first, first + hands)
    order = (np.arange(seats) + numbers[:, None]) % seats
    key = np.random.default_rng([seed, seats]).integers(1 << 63, dtype=np.uint64)
    opened = opened_vectors([rules])[0]
    played = kernels.Played(
        holding=np.zeros((hands, seats), np.int16),
        board=np.zeros((hands, 5), np.uint8),
        dealt=np.zeros(hands, np.uint8),
        start=np.zeros(hands + 1, np.int64),
        action=np.zeros(hands * seats * _ACTIONS, np.int64),
        payoff=np.zeros((hands, seats), np.int64),
    )
    done = kernels.play_hands(
        0,
        hands,
        opened,
        _mixed(key + numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)),
        order,
        np.concatenate([space_of(player.policy) for player in players]),
        np.array([player.deviation for player in players]),
        int(collusion),
        percentiles(),
        rank_tables(),
        np.zeros_like(opened),
        played,
    )
    assert done == hands, "hands are longer than there is room for"
    action = played.action[: played.start[-1]].copy()
    rules_of = np.zeros(hands, np.int32)
    return HandBatch(
        rules=(rules,),
        rules_of=rules_of,
        player=order.astype(np.int32),
        names=tuple(player.name for player in players),
        holding=played.holding,
        low_first=np.zeros(hands, np.uint32),
        board=played.board,
        dealt=played.dealt,
        start=played.start,
        action=action,
        answers=answers_of((rules,), rules_of, played.start, action),
        payoff=played.payoff,
        parts=np.full(hands, opened[at.DENOMINATOR], np.int64),
        number=numbers,
        played_at=np.full(hands, NO_TIME),
        circumstances=(Circumstances(),),
        circumstances_of=np.zeros(hands, np.int32),
        sources=(),
        file=np.full(hands, UNKNOWN, np.int32),
        line=np.full(hands, UNKNOWN, np.int64),
    )


def _mixed(state: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Spread numbers over all 64 bits (the finaliser of SplitMix64)."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        state = (state ^ (state >> np.uint64(shift))) * np.uint64(factor)
    return state ^ (state >> np.uint64(31))
