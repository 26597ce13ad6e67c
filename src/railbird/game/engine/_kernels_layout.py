"""Where everything stands in the int64 vector that is the state of one hand.

Amounts are chips. A mask has bit s for seat s. The rules come first and never change; the state
follows, then a block of `STRIDE` numbers for each seat.
"""

from __future__ import annotations

# The rules.
SEATS = 0
BETTING = 1
"""LIMIT, SPREAD_LIMIT, POT_LIMIT or NO_LIMIT."""
SHORT_ALL_IN = 2
"""NEEDS_FULL_RAISE, NEEDS_HALF_RAISE or REOPENS."""
OPEN_FOLDS = 3
"""1 if a hand may be folded when checking is free."""
UNCALLABLE = 4
"""1 if a seat may raise to more than anybody else has."""
DENOMINATOR = 5
"""Payoffs are in chips divided by this; 1 where odd chips are not split."""
LIFTS_CAP = 6
"""1 if there is no cap on a street that two players begin."""
MOST_ANTE = 7
BET_SIZE = 8
"""Four, by street."""
LARGEST_BET = 12
"""Four, by street; in spread limit."""
MAX_RAISES = 16
"""Four, by street."""
FIRST = 20
"""Four, by street: the seat that acts first."""

# The state.
PHASE = 24
STREET = 25
ACTOR = 26
"""The seat that is to act; -1 if none."""
ALIVE = 27
"""Mask: not folded."""
ABLE = 28
"""Mask: not folded, and chips left to bet."""
PENDING = 29
"""Mask: still has to act on this street; in a showdown, to show."""
ACTED = 30
"""Mask: has acted on this street."""
BET = 31
"""What a seat must have put in on this street to stay."""
FULL_RAISE = 32
"""The size of the last full bet or raise of this street."""
MIN_TO = 33
"""Where the smallest raise goes to; what a stack is too short for is not taken off yet."""
RAISES = 34
"""Bets and raises made on this street, without all-ins that were too short to count."""
CAP = 35
"""Bets and raises allowed on this street."""
AGGRESSOR = 36
"""The last seat that bet or raised on the last street with betting; -1 if none."""
POT = 37
"""All chips put in."""
TO_CALL = 38
"""What the actor puts in by calling."""
LOW_TO = 39
HIGH_TO = 40
"""The actor may raise to LOW_TO..HIGH_TO, if NO_RAISE is 0."""
NO_RAISE = 41
"""Why the actor may not raise."""
BOARD_SIZE = 42
BOARD = 43
"""Five cards; -1 where not dealt."""
CARDS = 48
"""The known cards of all seats and the board, as a sum of CARD_BIT."""
SHORT_ANTE = 49
"""Mask: could not pay its whole ante."""
SHOWN = 50
"""Mask: has shown its cards."""
MUCKED = 51
"""Mask: has thrown its cards away in the showdown."""
SHOWER = 52
"""The seat that is to show or to muck; -1 if none."""
SETTLED = 53
"""1 once the payoffs are known."""
HEADER = 54

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
SPREAD_LIMIT = 1
POT_LIMIT = 2
NO_LIMIT = 3

# SHORT_ALL_IN: what reopens the betting to a seat that has acted.
NEEDS_FULL_RAISE = 0
NEEDS_HALF_RAISE = 1
REOPENS = 2

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
