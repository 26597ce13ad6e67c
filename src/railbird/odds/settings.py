"""Defaults and limits of exact and sampled equity."""

from __future__ import annotations

from typing import Final

WORK_LIMIT: Final = 10.0
"""Approximate seconds of one core up to which `Mode.AUTO` computes exactly."""

SAMPLES: Final = 1_000_000
"""Default number of deals in a sample."""

MOST_SAMPLES: Final = 10**10
"""Maximum number of trials."""

MOST_DEALS: Final = 1 << 22
"""Maximum number of deals that are listed; for ten players they take 80 MB."""

CACHED_STATES: Final = 1 << 15
"""Holdings on boards whose strength or probability is kept; about ten megabytes each."""

ROLL_OUTS: Final = 2_500
"""Deals of a roll-out against several opponents: a standard error of one per cent at most."""

PREFLOP_BOARDS: Final = 20_000
"""Boards of a sample before the flop: all opposing holdings are counted on each, so that a share of
the pot has a standard error of 0.25 % at most."""

MOST_BOARDS: Final = 10**6
"""Maximum size of that sample."""

CACHED_BOARDS: Final = 1 << 10
"""Boards whose order of holdings is kept; ten kilobytes each."""

FLOPS_SEEN: Final = 0.2
"""The ideal share of flops seen at a full table (Peretz 2005, "Opponent Modeling")."""

LOOSENESS_HANDS: Final = 20
"""Hands at the ideal rate that an estimate of looseness begins with: two rounds of a full table."""

MOST_LOOSENESS: Final = 20.0
"""Looseness at which everybody plays everything, whatever the action."""

SHARES: Final[tuple[dict[str, float], ...]] = (
    {"check": 1.0, "call": 0.25, "bet": 0.1, "raise": 0.1},
    {"check": 1.0, "call": 0.45, "bet": 0.35, "raise": 0.15},
    {"check": 1.0, "call": 0.35, "bet": 0.3, "raise": 0.1},
    {"check": 1.0, "call": 0.3, "bet": 0.25, "raise": 0.08},
)
"""Share of the best holdings that is worth an action, by street. The source gives the quarter that
is played before the flop and leaves the rest to the program; a check says nothing."""

CACHED_VALUES: Final = 128
"""Files of a hand class's values on all flops that are kept, about a megabyte each."""

TABLE_SEATS: Final = 10
"""Seats of a table before the flop, as the source counts them."""

COLD_CALL_SHARE: Final = 0.12
"""Share of starting hands worth a call of a raise: half of what calls the blind, since one bet to
the right makes many hands that could be raised a fold, as the source says."""

SMALL_BLIND_SHARE: Final = 0.2
"""The same for the small blind, which has paid a quarter of the raise."""

BIG_BLIND_SHARE: Final = 0.4
"""The same for the big blind, which has paid half and closes the round."""

RERAISE_SHARE: Final = 0.04
"""Share of starting hands worth a second raise, or a call of it: QQ and better, AK."""

EXPECTED_BETS: Final = 3.0
"""Big blinds of limit that a hand bets from the flop on: the flop's bet and the turn's. All three
rounds would be 5, and folds come before."""

PAYING_SHARE: Final = 0.5
"""Share of these bets that an opponent pays."""

MOST_AT_TABLE: Final = 9
"""Opponents of a full table."""
