"""What the player's decisions need at the first use: machine code, tables."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from railbird.cards import HOLDINGS, parse_cards, parse_holding
from railbird.odds import showdown_odds
from railbird.players.killer.order import quantiles_on
from railbird.players.killer.preflop import odds_against
from railbird.players.tight.holding_equities import equities_of, possible


@lru_cache(maxsize=1)
def make_ready() -> None:
    """Compile the kernels and open the tables, so that no decision waits for them."""
    held, board = parse_holding("AdQc"), parse_cards("3h4cJh2d7s")
    odds_against(held, [0.5], 0.0)
    quantiles_on(board[:3])
    equities_of(held, board, possible(held, board))
    showdown_odds(held, board, [np.ones(HOLDINGS)] * 2)
