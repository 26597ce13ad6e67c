"""A table of compiled players, whose hands are played in one call."""

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
from railbird.players.compiled.policies import (
    BaselinePolicy,
    LokiPolicy,
    policies_of,
    tables_for,
)

_ACTIONS_A_SEAT = 8
"""Initial room for actions, on average; grown as needed."""


class CompiledTable:
    """Players who begin afresh, and remember what they see from hand to hand.

    ``together`` says that all of them see every hand; only then can they share what they observe.
    """

    def __init__(self, players: Sequence[CompiledPolicy], *, together: bool) -> None:
        self._players = len(players)
        self._policies, self._streams = policies_of(players)
        self._tables = tables_for(players)
        self._lokis = None
        if any(isinstance(player, LokiPolicy) for player in players):
            from railbird.players.loki.compiled import table_of

            self._lokis, self._extensions = table_of(players, together=together)
        self._has_baselines = any(isinstance(player, BaselinePolicy) for player in players)
        self._scratch = np.zeros(1, SCRATCH)

    def play(self, rules: Rules, cards: Deals, seated: NDArray[np.int64]) -> Hands:
        """Play deals one after the other; ``seated`` are the players by deal and seat."""
        play = self._loop(rules)
        actions = np.empty(seated.size * _ACTIONS_A_SEAT, np.int64)
        ends = np.zeros(len(cards), np.int64)
        streets = np.empty(len(cards), np.int64)
        payoffs = np.zeros((len(cards), self._players), np.int64)
        done, empty = 0, initial(rules).vector
        while True:
            done = play(
                self._scratch, empty, cards, seated, self._streams, done,
                actions, ends, streets, payoffs,
            )  # fmt: skip
            if done == len(cards):
                return Hands(actions[: ends[-1]], ends, streets, payoffs)
            actions = np.concatenate([actions, np.empty_like(actions)])

    def _loop(self, rules: Rules) -> Callable[..., int]:
        """Return the loop that the players need: the one for Lokis takes longer to compile."""
        policies, tables = self._policies, self._tables
        if self._lokis is None:
            return partial(_kernels_play_hands.play_hands, policies, tables)
        from railbird.arena import _kernels_play_observed as observed
        from railbird.modelling.board_ranking import board_tables
        from railbird.players.loki.compiled import set_rules

        set_rules(self._lokis, rules)
        return partial(
            observed.play_observed_hands,
            self._lokis,
            self._extensions,
            board_tables(),
            observed.Baselines(policies, tables) if self._has_baselines else None,
            policies.kind,
            policies.weights,
        )


def choose_once() -> None:
    """Let a Loki decide before the flop, which compiles all of its decisions."""
    from railbird.arena import _kernels_play_observed as observed
    from railbird.players.loki.compiled import set_rules, table_of
    from railbird.players.loki.settings import LokiSettings

    rules, scratch = HEADS_UP_LIMIT, np.zeros(1, SCRATCH)
    vector = start(rules, np.arange(2 * rules.seats + 5, dtype=np.uint8)).vector
    scratch[0]["hand"][: len(vector)] = vector
    players = [LokiPolicy(settings=LokiSettings(), stream=0)] * rules.seats
    table, _ = table_of(players, together=True)
    set_rules(table, rules)
    observed.choose_once(scratch, table, np.zeros(rules.seats, np.uint64))
