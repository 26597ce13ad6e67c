"""Hands per second of the rules engine, beside the engines that are installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence

import numpy as np

from bench.goals import Goal, Row
from bench.peers import rlcard_limit
from bench.timing import least
from helpers.random_hands import random_action
from helpers.simulated_hands import SimplePolicy, simulate
from railbird.game import (
    HEADS_UP_LIMIT,
    Action,
    Call,
    HandState,
    Raise,
    Rules,
    act,
    legal,
    no_limit_holdem,
    payoffs,
    replay,
    seeded_deals,
    start,
)
from railbird.game.deal import Deals

Player = Callable[[HandState], Action]

SIX_HANDED = no_limit_holdem(6, blinds=(50, 100), stack=20_000)
CALL = Call()
RAISES: dict[int, Raise] = {}
"""A player may keep the actions that it has made before."""


def always_call(_: HandState) -> Action:
    return CALL


def always_raise(state: HandState) -> Action:
    to = state.min_raise_to
    if to is None:
        return CALL
    return RAISES.get(to) or RAISES.setdefault(to, Raise(to))


_MATCH = "always-raise v always-call, limit"
GOALS = (
    Goal(f"ours: {_MATCH}, Python API", f"pokerkit: {_MATCH}", 150),
    Goal(f"ours: {_MATCH}, Python API", f"rlcard: {_MATCH}", 8),
)


def rows() -> list[Row]:
    """Label, figure and unit; each the best of several runs."""
    heads_up = [(always_call, always_raise), (always_raise, always_call)]
    callers = (always_call,) * 5
    found = [
        ("ours: always-raise v always-call, limit, Python API", _python_limit(heads_up), "hands/s"),
        (
            "ours: one min-raiser, five callers, no-limit, Python API",
            _python(SIX_HANDED, (always_raise, *callers), 300),
            "hands/s",
        ),
        ("ours: always-raise v always-call, limit, compiled", _compiled_limit(), "hands/s"),
        (
            "ours: one min-raiser, five callers, no-limit, compiled",
            _compiled(
                SIX_HANDED, (SimplePolicy.ALWAYS_RAISE, *(SimplePolicy.ALWAYS_CALL,) * 5), 20_000
            ),
            "hands/s",
        ),
        ("ours: replay of a limit record", _replay(), "us/hand"),
        ("ours: dealing heads-up", _dealing(), "hands/s"),
    ]
    peers = {"pokerkit": _pokerkit, "rlcard": _rlcard}
    for name, measure in peers.items():
        if importlib.util.find_spec(name):
            label = f"{name}: always-raise v always-call, limit"
            found.append((label, measure(), "hands/s"))
    return found


def _play(rules: Rules, players: tuple[Player, ...], deals: Deals) -> None:
    for row in deals:
        state = start(rules, row)
        while (seat := state.actor) is not None:
            state = act(state, players[seat](state), row)
        payoffs(state)


def _python(rules: Rules, players: tuple[Player, ...], hands: int) -> float:
    deals = seeded_deals(np.random.default_rng(1), rules.seats, hands)
    return hands / least(lambda: _play(rules, players, deals), times=8)


def _python_limit(pairs: Sequence[tuple[Player, ...]]) -> float:
    """Both seatings, half of the hands each."""
    return 2 / sum(1 / _python(HEADS_UP_LIMIT, pair, 1_000) for pair in pairs)


def _compiled(rules: Rules, policies: tuple[SimplePolicy, ...], hands: int) -> float:
    def run() -> None:
        rng = np.random.default_rng(1)
        simulate(rules, policies, seeded_deals(rng, rules.seats, hands), rng)

    return hands / least(run, times=30)


def _compiled_limit() -> float:
    call, push = SimplePolicy.ALWAYS_CALL, SimplePolicy.ALWAYS_RAISE
    seatings = [(call, push), (push, call)]
    return 2 / sum(1 / _compiled(HEADS_UP_LIMIT, seats, 50_000) for seats in seatings)


def _dealing() -> float:
    return 1e6 / least(lambda: seeded_deals(np.random.default_rng(1), 2, 1_000_000), times=8)


def _replay() -> float:
    rng = np.random.default_rng(1)
    records = []
    for row in seeded_deals(rng, 2, 500):
        state = start(HEADS_UP_LIMIT, row)
        actions: list[Action] = []
        while state.actor is not None:
            actions.append(random_action(rng, legal(state)))
            state = act(state, actions[-1], row)
        records.append((state.holdings, state.board, tuple(actions)))

    def run() -> None:
        for holdings, board, actions in records:
            replay(HEADS_UP_LIMIT, holdings, board, actions)

    return least(run, times=8) / len(records) * 1e6


def _pokerkit() -> float:
    import pokerkit

    automations = tuple(pokerkit.Automation)

    def run() -> None:
        for hand in range(20):
            state = pokerkit.FixedLimitTexasHoldem.create_state(
                automations, True, 0, (5, 10), 10, 20, 10_000, 2
            )
            while state.status:
                raiser = state.actor_index == hand % 2
                if raiser and state.can_complete_bet_or_raise_to():
                    state.complete_bet_or_raise_to()
                else:
                    state.check_or_call()

    return 20 / least(run, times=3)


def _rlcard() -> float:
    return 200 / least(lambda: rlcard_limit(200), times=5)
