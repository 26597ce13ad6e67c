from . import settings, strategy
from .solving import nolimit_path, solve_nolimit
from .strategy import NoLimitStrategy, open_nolimit

__all__ = [
    "NoLimitStrategy",
    "nolimit_path",
    "open_nolimit",
    "settings",
    "solve_nolimit",
    "strategy",
]
