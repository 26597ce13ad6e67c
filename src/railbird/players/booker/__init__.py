"""Booker: no-limit tournament players that learn from shown cards (Booker 2004)."""

from railbird.players.booker.options import OPTIONS, VERSION, make_booker
from railbird.players.booker.player import BookerPlayer, LearningBooker, NoisyBooker
from railbird.players.booker.settings import VERSIONS, BookerSettings

__all__ = [
    "OPTIONS",
    "VERSION",
    "VERSIONS",
    "BookerPlayer",
    "BookerSettings",
    "LearningBooker",
    "NoisyBooker",
    "make_booker",
]
