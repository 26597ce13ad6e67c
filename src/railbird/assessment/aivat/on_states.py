"""Strategies over other states, as strategies over those that have values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from railbird.assessment.aivat.settings import BOARDS
from railbird.game.rules import BOARD_CARDS
from railbird.solve.abstraction.card_abstraction import (
    CardAbstraction,
    States,
    is_blocked,
)
from railbird.solve.limit.strategy import LimitStrategy
from railbird.solve.real_game.opponents import (
    BoardStrategy,
    BoardTable,
    StatesStrategy,
)

Floats = npt.NDArray[np.float64]


def on_states(
    strategy: BoardStrategy, abstraction: CardAbstraction, *, boards: int = BOARDS, seed: int = 0
) -> LimitStrategy:
    """Return the mean of a strategy over the holdings of each state of an abstraction.

    It is exact for a strategy over the same states, else a mean over random ``boards``; states that
    none of them has get the mean of all.
    """
    if isinstance(strategy, StatesStrategy) and _same(strategy.strategy.abstraction, abstraction):
        return strategy.strategy
    streets = len(BOARD_CARDS)
    # What a row does is the same on every board, so that only the rows are counted.
    counts: list[dict[int, Floats]] = [{} for _ in range(streets)]
    tables: dict[int, npt.NDArray[np.float32]] = {}
    rng = np.random.default_rng(seed)
    for _ in range(boards):
        cards = rng.choice(52, BOARD_CARDS[-1], replace=False).astype(np.uint8)
        found: BoardTable | None = None
        states: States | None = None
        for street, count in enumerate(BOARD_CARDS):
            board = cards[:count]
            found = strategy.on(board, found)
            states = abstraction.next_states(board, states)
            tables[id(found.table)] = found.table
            shape = abstraction.states[street], len(found.table)
            met = counts[street].setdefault(id(found.table), np.zeros(shape))
            live = ~is_blocked(board)
            np.add.at(met, (states[live], found.rows[live]), 1.0)
    means = []
    for street in range(streets):
        rows = list(counts[street].items())
        total = np.sum([each.sum(axis=1, keepdims=True) for _, each in rows], axis=0)
        mean = np.sum([each @ tables[key] for key, each in rows], axis=0)
        anywhere = mean.sum(axis=0) / total.sum()
        with np.errstate(invalid="ignore"):
            each = np.where(total > 0, mean / total, anywhere)
        means.append(each.astype(np.float32))
    return LimitStrategy(strategy.tree, abstraction, tuple(means))


def _same(one: CardAbstraction, other: CardAbstraction) -> bool:
    return one.record == other.record
