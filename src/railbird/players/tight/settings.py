"""Numbers of the plain no-limit player; the manual gives each with its rule and its reason."""

from __future__ import annotations

from typing import Final

BEST_BEHIND: Final = 0.40
"""Open a hand if at least this often nobody left to act holds a better one.

It opens a tenth of all hands first of ten, a sixth first of six, 40 % on the button and 60 % from
the small blind, about what printed charts open.
"""

OPENING_BLINDS: Final = 2.5
"""Big blinds to which it opens, one more for each player who has called."""

RERAISE: Final = 3.0
"""Raise of a raise, as a multiple of it."""

FAVOURITE: Final = 0.5
"""Equity from which a hand is ahead of a range: raise the raiser, bet against those who call."""

RAISING_FAVOURITE: Final = 0.6
"""The same for raising a bet after the flop, since a raise is called by better hands than a bet."""

IN_POSITION: Final = 0.85
OUT_OF_POSITION: Final = 0.70
"""Share of its equity before the flop that a hand realises, last to act later on or not."""

NEXT_STREETS: Final = (1.0, 0.85, 0.90, 1.0)
"""By street: the share of its equity that a hand realises after calling; all of it on the river."""

SHORT: Final = 10.0
"""Effective stack in big blinds up to which it is all-in or folds."""

BET: Final = 2 / 3
"""Value bet and raise, as a share of the pot."""

CONTINUATION_BET: Final = 1 / 2
"""Continuation bet, as a share of the pot; it pays for itself if one in three folds."""

CONTINUATION_EQUITY: Final = 1 / 3
"""Equity from which the raiser bets the flop again against a single opponent."""

COMMITTED: Final = 1 / 3
"""A raise of more than this share of the effective stack is made all-in."""

PRIOR: Final = 3.0
"""Raises, bets or calls as expected that a player is credited with before any is seen."""
