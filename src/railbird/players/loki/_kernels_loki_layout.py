"""Layout of the records in which kernels keep Loki's settings and plans."""

from __future__ import annotations

import numpy as np

from railbird.modelling.learned._kernels_situations import LATER_CLASSES, LATER_ROWS

# Opponents that a hand must be ahead of.
ALL = 0
EACH = 1
ONE = 2

UNDECIDED = -1
"""The strategy before the first decision of a hand."""

# Strategies that are no fixed number of bets, as `Strategy` numbers them.
CALL1 = 1
CALL2 = 3
MAKE4 = 5
"""To the cap. The others are twice their number of bets."""

# Intended actions.
FOLD = 0
CALL = 1
RAISE = 2

_SEATS, _STREETS, _HOLDINGS, _CLASSES = 23, 4, 1326, 169
GROUPS = 23
"""Groups of thresholds before the flop, at most."""
STRATEGIES = 6
CELLS = 6
"""Thresholds of one group and position at most."""

PLAYER = np.dtype(
    [
        ("tracker", np.int64),
        ("opponents", np.int64),
        ("counts_checkers", np.int64),
        ("to_cap", np.int64),
        ("measured", np.int64),
        ("trials", np.int64),
        ("potential", np.int64),
        ("semi_bluff", np.int64),
        ("fold_equity", np.int64),
        ("pot_odds", np.int64),
        ("showdown_odds", np.int64),
        ("make1", np.float64),
        ("make2", np.float64),
        ("jitter", np.float64),
        ("check_raise", np.float64),
        ("balancing_raise", np.float64),
        ("river_bluff", np.float64),
        ("bluff_below", np.float64),
        ("fixed", np.float64, (_HOLDINGS,)),
        ("thresholds", np.float64, (GROUPS, _SEATS, CELLS, STRATEGIES)),
        ("strategy", np.int64),
        ("barrel", np.int64),
    ]
)
"""One player: settings as in `LokiSettings`; ``tracker`` is the number of its tracker, -1 for
``fixed`` weights; ``trials`` are 0 unless it decides by simulation. ``thresholds``
are the least income rates, infinite for none, by group, position, cell and strategy: the expert's
cell is 1 for the small blind, those of ``measured`` thresholds are as `measured_preflop.CELLS` has
them. ``strategy`` and ``barrel`` are plans for the current hand.
"""

ACTIONS = np.dtype([("actions", np.float64, (_SEATS, LATER_ROWS, LATER_CLASSES, 3))])
"""Probabilities of actions by seat, as `ActionModel.later` has them for each type."""

TABLE = np.dtype(
    [
        ("blinds", np.int64, (_SEATS,)),
        ("caps", np.int64, (_STREETS,)),
        ("small_blind", np.int64),
        ("seated", np.int64, (_SEATS,)),
        ("group", np.int64, (_SEATS + 1, _SEATS + 1)),
        ("rates", np.float64, (GROUPS, _CLASSES)),
        ("level", np.int32, (_HOLDINGS,)),
        ("later", np.int32, (13, 91)),
        ("ranked_on", np.int64),
    ]
)
"""What all Lokis of a table share: live posts, bets and raises that Loki makes at most by street,
who is ``seated``, the group by the players who are in and those who may come, income rates by group
and class, and the strengths on the board of the street ``ranked_on``, 0 for none.
"""
