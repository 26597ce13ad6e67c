"""Layout of the records in which kernels keep trackers.

Records rather than arrays, because a kernel takes an array as seven arguments and counts references
to it: with thirty arrays both took most of the time to compile.
"""

from __future__ import annotations

import numpy as np

# Columns of the evidence of a seat on a street.
KIND = 0
MEAN = 1
POT_ODDS = 2
EVIDENCE = 3

# Kinds of evidence, in rising order of rank.
NOTHING = 0
BELOW = 1
"""A check, by a holding below the threshold."""
ABOVE = 2
"""A call, a bet or a raise, by a holding above it."""

# Kinds of actions, as `ActionKind` numbers them.
FOLD = 0
CALL = 1
RAISE = 2
KINDS = 3
BETS = 3
CONTEXTS = 36
"""Counts of one player: by street, bets to call and kind."""

_SEATS, _STREETS, _HOLDINGS = 23, 4, 1326

TRACKER = np.dtype(
    [
        ("observes", np.int64),
        ("learner", np.int64),
        ("is_specific", np.int64),
        ("by_field", np.int64),
        ("uses_checks", np.int64),
        ("decay", np.float64),
        ("floor", np.float64),
        ("counts", np.float64, (_SEATS, CONTEXTS)),
        ("evidence", np.float64, (_SEATS, _STREETS, EVIDENCE)),
        ("current", np.int64, (_SEATS,)),
        ("weighed_on", np.int64, (_SEATS,)),
        ("chances", np.float64, (_SEATS, _HOLDINGS)),
        ("weights", np.float64, (_SEATS, 1 + _STREETS, _HOLDINGS)),
        ("scales", np.float64, (_SEATS, _STREETS, _HOLDINGS)),
    ]
)
"""One tracker: whether it observes the current hand, the number of its record of learned types (-1
for none; else it weighs by types, not by thresholds), its settings, the ``counts`` of `Frequencies`
by person and, for the current hand by seat, the ``evidence`` that counts by street, and the
``weights``: ones, then those after each street. Of these ``current`` are computed. ``chances`` are
the normalised weights on the board of the street ``weighed_on``, -1 for none; ``scales`` are
rankings by the field.
"""

BOARDS = np.dtype(
    [
        ("values", np.float64, (_STREETS, _HOLDINGS)),
        ("potential", np.float64, (_STREETS, _HOLDINGS)),
        ("ranks", np.int32, (_HOLDINGS,)),
        ("gains", np.int32, (_HOLDINGS,)),
        ("defaults", np.float64, (BETS, KINDS)),
        ("rates", np.float64, (_HOLDINGS,)),
        ("ascending", np.float64, (_HOLDINGS,)),
        ("blended", np.float64),
        ("preflop_spread", np.float64),
        ("postflop_spread", np.float64),
        ("least_preflop_mean", np.float64),
    ]
)
"""What all trackers of a table share: EHS' and crude potential of all holdings on the boards of the
current hand by street, the income rates by holding and in ascending order, and the constants of
`railbird.modelling.settings`.
"""
