"""Pauses of a person's game, and what stands by the table."""

from __future__ import annotations

from typing import Final

from railbird.game import Betting

PAUSE: Final = 0.6
"""Seconds for which each action of others is shown: a little over the time to read a short line."""

PAUSES: Final = (0.0, 0.2, PAUSE, 1.5)
"""Pauses to choose from; without any, hands follow each other at once."""

OUT_OF_HAND: Final = 1 / 3
"""Part of the pause once the person has folded."""

HAND_PAUSE: Final = 5.0
"""Times the pause for which the end of a hand is shown."""

CLOSE_SECONDS: Final = 5.0
"""Most seconds to wait, when leaving, for the end of a hand that house players still play."""

FREEZE_SECONDS: Final = 0.5
"""Seconds for which buttons rest when the price of a call has changed under a finger."""

OPPONENTS: Final = {
    Betting.LIMIT: ("loki:som", "booker:4"),
    Betting.POT_LIMIT: ("tight:nolimit", "booker:4"),
    Betting.SPREAD_LIMIT: ("baseline", "booker:4"),
    Betting.NO_LIMIT: ("tight:nolimit", "booker:4"),
}
"""House players who sit down where none are named, and who are asked for advice."""

BLINDS: Final = (10, 20)

SEATS: Final = 6

MOST_SEATS: Final = 10
"""Seats of a table that 80 columns have room for."""

LOG_LINES: Final = 2000
"""Lines of the log that are kept on the screen."""
