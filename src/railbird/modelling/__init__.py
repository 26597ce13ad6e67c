"""What a player learns of his opponents from their actions."""

from railbird.modelling.boards import BoardValues, board_values
from railbird.modelling.frequencies import DEFAULTS, Frequencies, Habit
from railbird.modelling.income_rates import income_rates, roll_out
from railbird.modelling.tracker import Learned, Lesson, Tracker, Weights

__all__ = [
    "DEFAULTS",
    "BoardValues",
    "Frequencies",
    "Habit",
    "Learned",
    "Lesson",
    "Tracker",
    "Weights",
    "board_values",
    "income_rates",
    "roll_out",
]
