"""Layout of the int64 vector that is the state of one hand.

Amounts are chips. A mask has bit s for seat s. The header includes the rules, which never change;
a block of `STRIDE` numbers for each seat follows.
"""

from __future__ import annotations

# The legal actions of the seat to act, contiguous so that `railbird.game.legal` copies one slice.
PHASE = 0
STREET = 1
ACTOR = 2
"""The seat that is to act; -1 if none."""
TO_CALL = 3
"""Cost of a call to the actor."""
LOW_TO = 4
HIGH_TO = 5
"""The actor may raise to LOW_TO..HIGH_TO, if NO_RAISE is 0."""
NO_RAISE = 6
"""Reason why the actor may not raise; 0 if it may."""
OPEN_FOLDS = 7
"""1 if a hand may be folded when checking is free."""
LEGAL = 8
"""Number of the fields above."""

# The rest of the state.
ALIVE = 8
"""Mask: not folded."""
ABLE = 9
"""Mask: not folded, and chips left to bet."""
PENDING = 10
"""Mask: still has to act on this street; in a showdown, to show."""
ACTED = 11
"""Mask: has acted on this street."""
BET = 12
"""The bet to match: what a seat must have put in on this street to stay."""
FULL_RAISE = 13
"""The size of the last full bet or raise of this street."""
MIN_TO = 14
"""Total of the smallest raise, before limiting it to the actor's stack."""
RAISES = 15
"""Bets and raises made on this street, except all-ins that were too short to count."""
CAP = 16
"""Bets and raises allowed on this street."""
AGGRESSOR = 17
"""The last seat that bet or raised on the last street with betting; -1 if none."""
POT = 18
"""All chips put in."""
BOARD_SIZE = 19
BOARD = 20
"""Five cards; -1 where not dealt."""
CARDS = 25
"""The known cards of all seats and of the board, as a sum of CARD_BIT."""
SHORT_ANTE = 26
"""Mask: could not pay its whole ante."""
SHOWN = 27
"""Mask: has shown its cards."""
MUCKED = 28
"""Mask: has mucked its cards in the showdown."""
SHOWER = 29
"""The seat that is to show or to muck; -1 if none."""
RAKED = 30
"""Rake taken; 0 until the betting is over."""
SETTLED = 31
"""1 once the payoffs are known."""

# The rest of the rules.
SEATS = 32
BETTING = 33
"""LIMIT, SPREAD_LIMIT, POT_LIMIT or NO_LIMIT."""
SHORT_ALL_IN = 34
"""NEEDS_FULL_RAISE, NEEDS_HALF_RAISE or REOPENS."""
UNCALLABLE = 35
"""1 if a seat may raise to more than any other seat can call."""
DENOMINATOR = 36
"""Denominator of payoffs in chips; 1 unless odd chips are split."""
LIFTS_CAP = 37
"""1 if there is no cap on a street that two players begin."""
MOST_ANTE = 38
BET_SIZE = 39
"""Four, by street."""
LARGEST_BET = 43
"""Four, by street; in spread limit."""
RAKE = 47
"""Rake as a share of the pot, in ten-thousandths; 0 for none."""
RAKE_STEP = 48
"""The rake is a multiple of this."""
RAKE_CAP = 49
"""The maximum rake."""
NO_FLOP_NO_DROP = 50
"""1 if hands without a flop are not raked."""
MAX_RAISES = 51
"""Four, by street."""
FIRST = 55
"""Four, by street: the seat that acts first."""
HEADER = 59

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

# Actions; a raise is coded as its total, from 1.
FOLD = -1
CALL = 0
BELOW = -2
"""A raise to less than one chip."""
BEYOND = 1 << 62
"""A raise to more chips than anyone has."""

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
"""Stack of a seat that cannot run out; number of raises if there is no cap."""
