"""Where everything stands in the int64 vector that is the state of one hand.

Amounts are chips. A mask has bit s for seat s. The rules come first and never change; the state
follows, then a block of `STRIDE` numbers for each seat.
"""

from __future__ import annotations

# The rules.
SEATS = 0
BETTING = 1
"""LIMIT, POT_LIMIT or NO_LIMIT."""
REOPENS = 2
"""1 if a short all-in reopens the betting."""
OPEN_FOLDS = 3
"""1 if a hand may be folded when checking is free."""
DENOMINATOR = 4
"""Payoffs are in chips divided by this; 1 where odd chips are not split."""
LIFTS_CAP = 5
"""1 if there is no cap on a street that two players begin."""
MOST_ANTE = 6
BET_SIZE = 7
"""Four, by street."""
MAX_RAISES = 11
"""Four, by street."""
FIRST = 15
"""Four, by street: the seat that acts first."""

# The state.
PHASE = 19
STREET = 20
ACTOR = 21
"""The seat that is to act; -1 if none."""
ALIVE = 22
"""Mask: not folded."""
ABLE = 23
"""Mask: not folded, and chips left to bet."""
PENDING = 24
"""Mask: still has to act on this street; in a showdown, to show."""
ACTED = 25
"""Mask: has acted on this street."""
BET = 26
"""What a seat must have put in on this street to stay."""
FULL_RAISE = 27
"""The size of the last full bet or raise of this street."""
MIN_TO = 28
"""Where the ACPC's dealer has the smallest raise go to."""
RAISES = 29
"""Bets and raises made on this street."""
CAP = 30
"""Bets and raises allowed on this street."""
AGGRESSOR = 31
"""The last seat that bet or raised on the last street with betting; -1 if none."""
POT = 32
"""All chips put in."""
TO_CALL = 33
"""What the actor puts in by calling."""
LOW_TO = 34
HIGH_TO = 35
"""The actor may raise to LOW_TO..HIGH_TO, if NO_RAISE is 0."""
NO_RAISE = 36
"""Why the actor may not raise."""
BOARD_SIZE = 37
BOARD = 38
"""Five cards; -1 where not dealt."""
CARDS = 43
"""The known cards of all seats and the board, as a sum of CARD_BIT."""
SHORT_ANTE = 44
"""Mask: could not pay its whole ante."""
SHOWN = 45
"""Mask: has shown its cards."""
MUCKED = 46
"""Mask: has thrown its cards away in the showdown."""
SHOWER = 47
"""The seat that is to show or to muck; -1 if none."""
SETTLED = 48
"""1 once the payoffs are known."""
HEADER = 49

# A seat's block: seat s begins at HEADER + STRIDE * s.
BEHIND = 0
"""Chips left to bet."""
IN = 1
"""Live chips put in on this street."""
LIVE = 2
"""Live chips put in during the hand."""
ANTE = 3
"""Dead chips put in."""
HOLDING = 4
"""0..1325; -1 if not known."""
STRENGTH = 5
"""0..7461 in a showdown; -1 if not known."""
PAYOFF = 6
STRIDE = 7

# BETTING
LIMIT = 0
POT_LIMIT = 1
NO_LIMIT = 2

# PHASE
DEALING_HOLES = 0
BETTING_ROUND = 1
DEALING_BOARD = 2
SHOWDOWN = 3
OVER = 4

# Actions; a raise is the amount that it goes to, from 1.
FOLD = -1
CALL = 0
BELOW = -2
"""A raise to less than one chip."""
BEYOND = 1 << 62
"""A raise to more than anyone has."""

# Why something is refused; 0 if it is not.
NOBODY_TO_ACT = 1
NOTHING_TO_FOLD_TO = 2
CAPPED = 3
COVERED = 4
NOBODY_TO_CALL = 5
NOT_REOPENED = 6
TOO_SMALL = 7
TOO_LARGE = 8
WRONG_PHASE = 9
CARD_TWICE = 10
WRONG_BOARD = 11
NOT_THE_TURN = 12
NOT_BEATEN = 13
OTHER_CARDS = 14
NO_SUCH_CARD = 15

UNLIMITED = 1 << 40
"""Chips of a seat that cannot run out, and raises where there is no cap."""
