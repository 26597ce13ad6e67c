"""The exact preflop table: what building one costs, and reading it."""

from __future__ import annotations

import time

import numpy as np

from bench.goals import Row
from railbird.assessment.divat.preflop_builder import betting_plan, rank_tables
from railbird.assessment.divat.preflop_kernels import LANES, MOST, add_boards, new_board, new_row
from railbird.assessment.divat.preflop_values import find_table, pair_rows
from railbird.baseline import STANDARD
from railbird.cards import HOLDINGS
from railbird.cards.isomorphism import board_classes
from railbird.odds.rank_tables import open_tables

SAMPLE = 64
"""Boards that stand for all 16,432 of them."""
LOOKUPS = 1_000_000


def rows() -> list[Row]:
    """Label, value and unit of each figure."""
    return [
        (f"ours: preflop table, core time, from {SAMPLE} of 16,432 boards", _building(), "s"),
        ("ours: preflop values, bulk lookup", LOOKUPS / _lookups(), "values/s"),
    ]


def _building() -> float:
    plan, classes = betting_plan(STANDARD), board_classes(4)
    board, row = new_board(len(plan.groups), len(plan.levels)), new_row(len(plan.groups))
    values = np.zeros((HOLDINGS, MOST[0], LANES), dtype=np.int32)
    gains, done = np.zeros_like(values), np.zeros(len(classes.orbit), dtype=np.bool_)
    ranks = rank_tables(open_tables())
    picked = np.random.default_rng(1).choice(len(classes.orbit), SAMPLE + 1, replace=False)
    start = 0.0
    for n, index in enumerate(picked.tolist()):
        if n == 1:  # the first compiles
            start = time.thread_time()
        add_boards(
            classes.representative,
            classes.orbit,
            index,
            index + 1,
            ranks,
            plan,
            board,
            row,
            values,
            gains,
            done,
        )
    return (time.thread_time() - start) / SAMPLE * len(classes.orbit)


def _lookups() -> float:
    table = find_table(STANDARD)
    assert table is not None
    rng = np.random.default_rng(2)
    pairs = rng.integers(0, HOLDINGS, (2 * LOOKUPS, 2)).astype(np.int16)
    first, second = pairs[pair_rows()[tuple(pairs.T)] >= 0][:LOOKUPS].T
    contribution = rng.integers(1, 5, (LOOKUPS, 1)).astype(np.int16)
    best = np.inf
    for _ in range(3):
        start = time.perf_counter()
        table.values(first, second, contribution)
        best = min(best, time.perf_counter() - start)
    return float(best)
