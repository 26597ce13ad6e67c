"""Layout of the arrays that describe compiled players."""

from __future__ import annotations

# Kinds of players.
WEIGHTED = 0
BASELINE = 1
LOKI = 2

# Columns of a weighted player's row.
FOLD = 0
"""Weight of folding to a bet."""
CALL = 1
"""Weight of checking or calling."""
RAISE = 2
"""Weight of betting or raising."""
SIZE = 3
"""Kind of size of raises."""
ROW = 4

# Sizes of raises.
MIN = 0
POT = 1
MAX = 2
RANDOM = 3
