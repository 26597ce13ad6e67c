"""Hands of compiled players, each call in one kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from railbird.arena import _kernels_play_hands
from railbird.arena.match.chunks import Hands
from railbird.game import HEADS_UP_LIMIT, Rules, initial, start
from railbird.game.deal import Deals
from railbird.game.engine._kernels_simulate import SCRATCH
from railbird.players import CompiledPolicy
from railbird.players.compiled._kernels_policies import Policies
from railbird.players.compiled.policies import (
    BaselinePolicy,
    LokiPolicy,
    policies_of,
    tables_for,
)

_ACTIONS_A_SEAT = 8
"""Initial room for actions, on average; grown as needed."""


def play_compiled(
    players: Sequence[CompiledPolicy], rules: Rules, cards: Deals, seated: NDArray[np.int64]
) -> Hands:
    """Play deals one after the other by players who begin afresh; see `arena.hand_loop`."""
    policies, streams = policies_of(players)
    play = _loop_of(players, policies, rules)
    actions = np.empty(seated.size * _ACTIONS_A_SEAT, np.int64)
    ends = np.zeros(len(cards), np.int64)
    streets = np.empty(len(cards), np.int64)
    payoffs = np.empty(seated.shape, np.int64)
    scratch, done = np.zeros(1, SCRATCH), 0
    while True:
        done = play(
            scratch, initial(rules).vector, cards, seated, streams, done,
            actions, ends, streets, payoffs,
        )  # fmt: skip
        if done == len(cards):
            return Hands(actions[: ends[-1]], ends, streets, payoffs)
        actions = np.concatenate([actions, np.empty_like(actions)])


def _loop_of(
    players: Sequence[CompiledPolicy], policies: Policies, rules: Rules
) -> Callable[..., int]:
    """Return the loop that the players need: with Lokis it takes longer to compile."""
    if not any(isinstance(player, LokiPolicy) for player in players):
        return partial(_kernels_play_hands.play_hands, policies, tables_for(players))
    from railbird.arena import _kernels_play_observed as observed
    from railbird.modelling.board_ranking import board_tables
    from railbird.players.loki.compiled import table_of

    baselines = None
    if any(isinstance(player, BaselinePolicy) for player in players):
        baselines = observed.Baselines(policies, tables_for(players))
    return partial(
        observed.play_observed_hands,
        table_of(players, rules),
        board_tables(),
        baselines,
        policies.kind,
        policies.weights,
    )


def choose_once() -> None:
    """Let a Loki decide before the flop, which compiles all of its decisions."""
    from railbird.arena import _kernels_play_observed as observed
    from railbird.players.loki.compiled import table_of
    from railbird.players.loki.settings import LokiSettings

    rules, scratch = HEADS_UP_LIMIT, np.zeros(1, SCRATCH)
    vector = start(rules, np.arange(2 * rules.seats + 5, dtype=np.uint8)).vector
    scratch[0]["hand"][: len(vector)] = vector
    players = [LokiPolicy(settings=LokiSettings(), stream=0)] * rules.seats
    observed.choose_once(scratch, table_of(players, rules), np.zeros(rules.seats, np.uint64))
