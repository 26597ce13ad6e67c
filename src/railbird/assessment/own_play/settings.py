"""Settings of the assessment of one person's play."""

from __future__ import annotations

from typing import Final

from railbird.game import Betting

ADVISERS: Final = {
    Betting.LIMIT: ("loki:som", "baseline"),
    Betting.POT_LIMIT: ("tight:nolimit", "baseline"),
    Betting.NO_LIMIT: ("tight:nolimit", "baseline"),
}
"""Players that are asked what they would have done, the first that supports the game: the strongest
of ours that explains itself and answers within milliseconds."""

MOST_SOLVED_BB: Final = 10.0
"""Big blinds up to which a heads-up decision is judged by the push/fold equilibrium: with deeper
stacks small raises and calls are worth so much that its choice is no longer the best."""

FEWEST_IN_SPOT: Final = 3
"""Decisions in a spot below which a sum of costs is that of a single hand."""
