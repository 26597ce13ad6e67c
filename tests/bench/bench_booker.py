"""Booker: probabilities of winning, decisions, and tournaments of six; one core."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time

import numpy as np

from bench.goals import Row
from railbird.arena.tournament import Tournaments, TournamentTables
from railbird.cards import HOLDING_INDEX, Card, Holding
from railbird.game import (
    BOARD_CARDS,
    Act,
    Call,
    DealBoard,
    Phase,
    View,
    no_limit_holdem,
    seeded_deals,
    start,
    step,
    view,
)
from railbird.odds import win_probability
from railbird.players import make_player
from railbird.tournament.schedule import parse_schedule

STATES = 400
BLINDS = "10/20x10,15/30x10,25/50x10,50/100x10,75/150x10,100/200x10"
"""The source's schedule; stacks of 1,500."""
TOURNAMENTS = 40


def rows() -> list[Row]:
    """Return what, how much and in which unit."""
    return [*_probabilities(), *_decisions(), *_tournaments()]


def _median(calls: list[Callable[[], object]]) -> float:
    """Median of the processor time of calls, in milliseconds."""
    taken = []
    for call in calls:
        begun = process_time()
        call()
        taken.append(1e3 * (process_time() - begun))
    return float(np.median(taken))


def _forget() -> None:
    for kept in (win_probability._counted, win_probability._rolled_out):
        kept.cache_clear()


def _probabilities() -> Iterator[Row]:
    rng = np.random.default_rng(1)
    for what, cards, opponents in (
        ("exactly, one opponent, flop", 3, 1),
        ("exactly, one opponent, turn", 4, 1),
        ("2,500 deals, two opponents, flop", 3, 2),
        ("2,500 deals, nine opponents, flop", 3, 9),
    ):
        drawn = [rng.permutation(52)[: cards + 2].tolist() for _ in range(STATES)]
        calls: list[Callable[[], object]] = [
            partial(
                win_probability.state_probability,
                Holding(int(HOLDING_INDEX[row[0], row[1]])),
                tuple(map(Card, row[2:])),
                opponents,
            )
            for row in drawn
        ]
        _forget()
        calls[0]()
        _forget()
        yield f"ours: probability of winning, {what}", _median(calls), "ms"


def _flops(seats: int) -> list[View]:
    """Flops that everybody has called, in the eyes of who acts first."""
    rules = no_limit_holdem(seats, blinds=(10, 20), stack=1_500)
    deals = seeded_deals(np.random.default_rng(seats), seats, STATES)
    views = []
    for deal in range(STATES):
        state = start(rules, deals[deal])
        while state.phase is Phase.BETTING and state.actor is not None:
            state = step(state, Act(state.actor, Call()))
        first = 2 * seats
        board = deals[deal][first : first + BOARD_CARDS[1]].tolist()
        state = step(state, DealBoard(tuple(map(Card, board))))
        assert state.actor is not None
        views.append(view(state, state.actor))
    return views


def _decisions() -> Iterator[Row]:
    for seats in (2, 6):
        views, player = _flops(seats), make_player("booker:1")
        calls: list[Callable[[], object]] = [partial(player.act, seen) for seen in views]
        _forget()
        yield f"ours: a decision on a new flop, {seats} players", _median(calls), "ms"
        yield f"ours: the same once known, {seats} players", _median(calls), "ms"


def _tournaments() -> Iterator[Row]:
    for spec in ("booker:1", "booker:4"):
        tournaments = Tournaments(
            players=(spec,) * 6,
            count=2 * TOURNAMENTS,
            seed=1,
            stack=1_500,
            schedule=parse_schedule(BLINDS),
        )
        tables = TournamentTables(tournaments)
        for index in range(TOURNAMENTS // 4):
            tables.play(index)
        begun = process_time()
        for index in range(TOURNAMENTS, 2 * TOURNAMENTS):
            tables.play(index)
        yield f"ours: six {spec}", TOURNAMENTS / (process_time() - begun), "tournaments/s"
