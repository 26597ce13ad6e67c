"""Best responses to strategies for heads-up limit in the game itself, without an abstraction."""

from railbird.solve.real_game.board_match import BoardMatch
from railbird.solve.real_game.card_blind import (
    CardBlindStrategy,
    always,
    best_response_to_card_blind,
    by_weights,
)
from railbird.solve.real_game.opponents import (
    BaselineStrategy,
    BoardStrategy,
    BoardTable,
    OneRowStrategy,
    StatesStrategy,
)
from railbird.solve.real_game.public_tree import (
    Bounds,
    Draws,
    Flops,
    PublicTree,
    bounds,
    draw_flops,
    exact_value,
    expected_win,
    flops_in_order,
    public_best_response,
)

__all__ = [
    "BaselineStrategy",
    "BoardMatch",
    "BoardStrategy",
    "BoardTable",
    "Bounds",
    "CardBlindStrategy",
    "Draws",
    "Flops",
    "OneRowStrategy",
    "PublicTree",
    "StatesStrategy",
    "always",
    "best_response_to_card_blind",
    "bounds",
    "by_weights",
    "draw_flops",
    "exact_value",
    "expected_win",
    "flops_in_order",
    "public_best_response",
]
