"""What one opponent has done and shown, in numbers (Booker 2004, sections 3.4 and 7.3)."""

from railbird.modelling.opponent_statistics.observer import OpponentObserver
from railbird.modelling.opponent_statistics.opponent import OpponentStatistics
from railbird.modelling.opponent_statistics.public_hand import (
    ObservedHand,
    PlayedAction,
    PublicHand,
    SeenAction,
    ShownCards,
)
from railbird.modelling.opponent_statistics.record_form import KIND, StatisticsForm
from railbird.modelling.opponent_statistics.rolling import RollingArray, Stage

__all__ = [
    "KIND",
    "ObservedHand",
    "OpponentObserver",
    "OpponentStatistics",
    "PlayedAction",
    "PublicHand",
    "RollingArray",
    "SeenAction",
    "ShownCards",
    "Stage",
    "StatisticsForm",
]
