"""Kuhn poker (1950): three cards, one each, one bet of 1 into antes of 1. Worth -1/18."""

from __future__ import annotations

import numpy as np

from railbird.solve.game_tree import Decision, Game, Terminal, compile_game

_FOLD, _SHOW = 0, 1


def kuhn() -> Game:
    """Build the game; states are jack, queen and king."""
    deal = (1 - np.eye(3)) / 6
    card = np.arange(3)
    wins = deal * np.sign(card[:, None] - card[None, :])
    facing_check = Decision(
        1,
        "after a check",
        ("check", "bet"),
        (
            Terminal(_SHOW, 1),
            Decision(
                0, "after check, bet", ("fold", "call"), (Terminal(_FOLD, -1), Terminal(_SHOW, 2))
            ),
        ),
    )
    facing_bet = Decision(
        1, "after a bet", ("fold", "call"), (Terminal(_FOLD, 1), Terminal(_SHOW, 2))
    )
    root = Decision(0, "first", ("check", "bet"), (facing_check, facing_bet))
    return compile_game(root, [deal, wins], state_names="JQK")
