"""Layout of the records in which kernels keep what is learned of players' types."""

from __future__ import annotations

import numpy as np

from railbird.modelling.learned._kernels_situations import LATER_CLASSES, LATER_ROWS, LEVELS

MOST_TYPES = 64
"""Types of players in a model, at most."""

SEATS = 23
_STREETS, _KINDS = 4, 3

EVIDENCE = np.dtype(
    [
        ("model", np.int64),
        ("first", np.int64),
        ("types", np.int64),
        ("is_specific", np.int64),
        ("logs", np.float64, (SEATS, MOST_TYPES)),
        ("acted", np.int64, (SEATS,)),
        ("unseen", np.float64, (SEATS, MOST_TYPES)),
        ("shown", np.float64, (SEATS, MOST_TYPES)),
        ("chances", np.float64, (SEATS, MOST_TYPES)),
        ("is_mixed", np.int64, (SEATS, _STREETS)),
        ("mixed", np.float64, (SEATS, LATER_ROWS, LATER_CLASSES, _KINDS)),
        ("shares", np.float64, (LATER_CLASSES, _KINDS)),
        ("held", np.float64, (LATER_CLASSES,)),
        ("ratios", np.float64, (LEVELS, _KINDS)),
    ]
)
"""What one tracker knows of types: those of its ``model`` are the ``types`` from ``first`` on in
the tables of all models; ``logs`` are log-likelihoods by person. The rest is of the current hand,
by seat: who has ``acted``, log-likelihoods of these actions if the cards stay ``unseen`` and if
they are ``shown``, the ``chances`` of types, and ``mixed``, the probabilities of actions on the
streets on which it ``is_mixed``. ``shares``, ``held`` and ``ratios`` are space for one action.
"""

BOARD_CLASSES = np.dtype(
    [
        ("preflop", np.int64, (3, 1326)),
        ("later", np.int64, (_STREETS, 1326)),
        ("raised_before", np.int64),
        ("raised", np.int64),
        ("nothing_more", np.float64, (LEVELS, _KINDS)),
    ]
)
"""Strength classes of all holdings: before the flop by group of opponents, and on the boards of the
current hand by street; masks of those who bet or raised on the street before and on this one;
ratios of one, since before the flop no more facts are known.
"""
