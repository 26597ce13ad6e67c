"""Sources of cards. A deal is a row of 2 * seats + 5 cards: two for each seat, then the board.

>>> rng = np.random.default_rng(7)
>>> seeded_deals(rng, seats=2, deals=1_000).shape
(1000, 9)
>>> AcpcDealer(42).deals(seats=2, deals=1)
array([[21,  5,  2, 48, 15, 47, 23, 31, 18]], dtype=uint8)
"""

from __future__ import annotations

from operator import index

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.cards import HOLDING_INDEX, Card, Holding
from railbird.errors import BadInput
from railbird.game import _kernels_deal
from railbird.game.engine.state import HandState, Phase
from railbird.game.events import DealBoard, DealHoles
from railbird.game.rules import BOARD_CARDS, SEATS

Deals = NDArray[np.uint8]
"""Cards, shape (deals, 2 * seats + 5)."""

_BOARD = 5
_MOST_DEALS = 1_000_000_000
"""In one call; each takes nine bytes or more."""


@checked
def seeded_deals(rng: np.random.Generator, seats: int, deals: int) -> Deals:
    """Deal ``deals`` hands; every possible deal is equally likely.

    One number is drawn from ``rng``; each deal depends only on that number and on its own index, so
    a shorter run is a prefix of a longer one.
    """
    _check_seats(seats)
    if not 0 <= index(deals) <= _MOST_DEALS:
        raise BadInput(f"{deals} deals; allowed: 0 to {_MOST_DEALS:,}")
    key = rng.integers(1 << 64, dtype=np.uint64)
    cards = np.empty((index(deals), 2 * seats + _BOARD), np.uint8)
    _kernels_deal.deal_many(key, cards)
    return cards


@checked
def due(state: HandState, cards: NDArray[np.uint8]) -> DealHoles | DealBoard:
    """Return the deal that the hand is waiting for, from one row of cards. Raises `BadInput`."""
    seats = state.rules.seats
    row: list[int] = cards.tolist()
    match state.phase:
        case Phase.DEAL_HOLES:
            pairs = zip(row[: 2 * seats : 2], row[1 : 2 * seats : 2], strict=True)
            return DealHoles(tuple(Holding(HOLDING_INDEX.item(*pair)) for pair in pairs))
        case Phase.DEAL_BOARD:
            first, last = BOARD_CARDS[state.street], BOARD_CARDS[state.street + 1]
            return DealBoard(tuple(map(Card, row[2 * seats + first : 2 * seats + last])))
        case _:
            raise BadInput(f"no cards are due: {state!r}")


class AcpcDealer:
    """The sequence of deals that the ACPC's dealer makes from a seed.

    Its generator is MT19937 seeded by ``init_genrand``, which is what NumPy's legacy seeding does
    with an integer. The deck is ordered by suit (c, d, h, s), then rank; each draw takes the card
    at a random 32-bit number modulo the cards left, and the last card fills the gap. Every hand
    draws the hole cards seat by seat, then all five board cards.

    Raises `BadInput` for a seed that is not a 32-bit number.
    """

    @checked
    def __init__(self, seed: int) -> None:
        if not 0 <= index(seed) < 1 << 32:
            raise BadInput(f"seed {seed}; allowed: 0 to {2**32 - 1}")
        # Only the legacy class seeds MT19937 in this way.
        self._random = np.random.RandomState(seed)

    @checked
    def deals(self, seats: int, deals: int) -> Deals:
        """Return the next deals, shape (deals, 2 * seats + 5)."""
        _check_seats(seats)
        cards = np.empty((deals, 2 * seats + _BOARD), np.uint8)
        draws = self._random.randint(0, 1 << 32, cards.shape, np.uint32)
        _kernels_deal.draw_as_acpc(draws, cards)
        return cards


def _check_seats(seats: int) -> None:
    if seats not in SEATS:
        raise BadInput(f"{seats} seats; allowed: {SEATS.start} to {SEATS.stop - 1}")
