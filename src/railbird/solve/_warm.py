"""Compile the kernels of this room by calls that do next to nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from railbird.cards import CLASSES
from railbird.solve._kernels_mccfr import visit_deals
from railbird.solve.cfr import solve
from railbird.solve.kuhn import kuhn
from railbird.solve.pushfold_table._kernels_showdown import ORDERS, WIDTH, orders_against


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Name and call for each group of kernels."""
    return [
        ("regrets and best response", lambda: solve(kuhn(), tolerance=1.0)),
        ("sampled deals", _visit_none),
        ("showdowns of three", _meet_nobody),
    ]


def _visit_none() -> None:
    deals, edge = np.empty((0, 2), dtype=np.int64), np.empty((0, 0), dtype=np.float32)
    regrets, current = np.empty((2, 2, 0)), np.empty((2, 0))
    visits = np.empty((2, 0), dtype=np.int64)
    visit_deals(deals, edge, (0.0, 0.0, 0.0), regrets, current, current.copy(), visits)


def _meet_nobody() -> None:
    table, start = np.empty((0, WIDTH), dtype=np.float32), np.empty((0, 0), dtype=np.int64)
    codes, nobody = np.empty((6, ORDERS), dtype=np.int64), np.zeros(CLASSES)
    orders_against(table, start, nobody, nobody, codes, 0, np.empty((CLASSES, ORDERS)))
