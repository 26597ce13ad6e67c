"""What is remembered of opponents: sessions added up, and all of it listed, shown and forgotten."""

from railbird.storage.opponents.opponents import (
    Opponent,
    forget,
    observer_names,
    opponent_names,
    opponents,
)

__all__ = ["Opponent", "forget", "observer_names", "opponent_names", "opponents"]
