from . import settings
from .formats import Clocks, RingFormat, TournamentFormat
from .house_seats import HousePlayers

__all__ = [
    "Clocks",
    "HousePlayers",
    "RingFormat",
    "TournamentFormat",
    "settings",
]
