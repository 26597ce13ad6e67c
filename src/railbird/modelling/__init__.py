"""What a player learns of his opponents from their actions."""

from railbird.modelling.boards import BoardValues, board_values
from railbird.modelling.choices import Checks, Ranking, Sigma
from railbird.modelling.frequencies import DEFAULTS, Frequencies, Habit
from railbird.modelling.income_rates import income_rates, roll_out
from railbird.modelling.lessons import LOW, Lesson, Weights
from railbird.modelling.spreads import Spreads
from railbird.modelling.tracker import Learned, Tracker

__all__ = [
    "DEFAULTS",
    "LOW",
    "BoardValues",
    "Checks",
    "Frequencies",
    "Habit",
    "Learned",
    "Lesson",
    "Ranking",
    "Sigma",
    "Spreads",
    "Tracker",
    "Weights",
    "board_values",
    "income_rates",
    "roll_out",
]
