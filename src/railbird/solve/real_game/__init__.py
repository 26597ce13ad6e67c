"""Best responses to strategies for limit hold'em in the game itself, without an abstraction."""

from railbird.solve.real_game.card_blind import (
    CardBlindStrategy,
    always,
    best_response_to_card_blind,
)
from railbird.solve.real_game.opponents import (
    BoardStrategy,
    BoardTable,
    OneRowStrategy,
    StatesStrategy,
)
from railbird.solve.real_game.public_tree import (
    Flops,
    PublicTree,
    best_response,
    expected_win,
)

__all__ = [
    "BoardStrategy",
    "BoardTable",
    "CardBlindStrategy",
    "Flops",
    "OneRowStrategy",
    "PublicTree",
    "StatesStrategy",
    "always",
    "best_response",
    "best_response_to_card_blind",
    "expected_win",
]
