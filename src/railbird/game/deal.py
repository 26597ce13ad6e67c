"""Sources of cards. A deal is a row of 2 * seats + 5 cards: two for each seat, then the board.

In other games than hold'em each seat has more cards, and there may be more boards
(`railbird.cards.Variant.row_length`).

>>> rng = np.random.default_rng(7)
>>> seeded_deals(rng, seats=2, deals=1_000).shape
(1000, 9)
>>> AcpcDealer(42).deals(seats=2, deals=1)
array([[21,  5,  2, 48, 15, 47, 23, 31, 18]], dtype=uint8)
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.cards import HOLDEM, HOLDING_INDEX, Card, Holding, Variant
from railbird.errors import BadInput
from railbird.game import kernels, tail
from railbird.game.actions import (
    Act,
    Action,
    Call,
    DealBoard,
    DealHoles,
    DealStreet,
    Discard,
    Event,
)
from railbird.game.play import showdown, step
from railbird.game.rules import BOARD_CARDS, SEATS, Rules
from railbird.game.state import HandState, Phase, initial
from railbird.units import Seat

Deals = NDArray[np.uint8]
"""Cards, shape (deals, 2 * seats + 5), in another game than hold'em its `Variant.row_length`."""

_BOARD = 5
_MOST_DEALS = 1_000_000_000
"""Most deals of one call; each takes nine bytes or more."""


@checked
def seeded_deals(
    rng: np.random.Generator, seats: int, deals: int, variant: Variant = HOLDEM
) -> Deals:
    """Deal ``deals`` hands; every possible deal is equally likely.

    One number is drawn from ``rng``; each deal depends only on that number and on its own index, so
    a shorter run is a prefix of a longer one.
    """
    _check_seats(seats)
    if not 0 <= index(deals) <= _MOST_DEALS:
        raise BadInput(f"{deals} deals; allowed: 0 to {_MOST_DEALS:,}")
    key = rng.integers(1 << 64, dtype=np.uint64)
    length, deck = variant.row_length(seats), np.array(variant.deck, np.uint8)
    if seats > variant.most_seats:
        raise BadInput(f"{seats} seats in {variant.name}; allowed: 2 to {variant.most_seats}")
    cards = np.empty((index(deals), length), np.uint8)
    kernels.deal_many(key, cards, deck)
    return cards


@checked
def duplicate_deals(rng: np.random.Generator, seats: int, deals: int) -> Deals:
    """Return hands that play each deal from every seat, shape (deals * seats, 2 * seats + 5).

    A row has the cards by player. Players keep their chairs, and the button moves on by one after
    each hand; in the first hand, player 0 has seat 0, left of the button. Every player gets the
    cards of each seat of a deal once and plays them from that seat. The copies of a deal lie about
    ``deals`` hands apart. Raises `BadInput` unless ``deals`` is a multiple of ``seats``, since
    otherwise the button would not come round.

    >>> rows = duplicate_deals(np.random.default_rng(7), seats=2, deals=2)
    >>> rows[0][[2, 3, 0, 1]].tolist() == rows[3][:4].tolist(), len(rows)
    (True, 4)
    """
    _check_seats(seats)
    if deals % seats:
        raise BadInput(f"{deals} deals at {seats} seats; allowed: a multiple of {seats}")
    every = seeded_deals(rng, seats, deals)
    place = np.arange(deals)
    rows = []
    for copy in range(seats):
        # The button has moved on as often as there were hands, so that this deal is due.
        turned = every[place // seats * seats + (place - copy) % seats]
        seat = (np.arange(seats) - place[:, np.newaxis]) % seats
        cards = 2 * seat[:, :, np.newaxis] + np.arange(2)
        held = np.take_along_axis(turned, cards.reshape(deals, 2 * seats), axis=1)
        rows.append(np.hstack([held, turned[:, 2 * seats :]]))
    return np.concatenate(rows)


@checked
def due(state: HandState, cards: NDArray[np.uint8]) -> DealHoles | DealBoard | DealStreet:
    """Return the deal that the hand is waiting for, from one row of cards. Raises `BadInput`."""
    seats = state.rules.seats
    row: list[int] = cards.tolist()
    if state.rules.variant is not HOLDEM and state.phase in (Phase.DEAL_HOLES, Phase.DEAL_BOARD):
        return tail.deal_of_row(state, row)
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
        kernels.draw_as_acpc(draws, cards)
        return cards


def _check_seats(seats: int) -> None:
    if seats not in SEATS:
        raise BadInput(f"{seats} seats; allowed: {SEATS.start} to {SEATS.stop - 1}")


# A hand dealt from known cards, without I/O: whoever drives it supplies actions only.
#
# >>> from railbird.game import Call, Fold, no_limit_holdem, seeded_deals
# >>> import numpy as np
# >>> cards = seeded_deals(np.random.default_rng(7), seats=2, deals=1)[0]
# >>> dealer = HandDealer.of_row(no_limit_holdem(2, blinds=(1, 2), stack=100), cards)
# >>> [type(step.event).__name__ for step in dealer.begin()], dealer.asks
# (['DealHoles'], 1)
# >>> [type(step.event).__name__ for step in dealer.act(Call())], dealer.asks
# (['Act'], 0)
# >>> [type(step.event).__name__ for step in dealer.act(Call())], dealer.asks
# (['Act', 'DealBoard'], 0)
# >>> [type(step.event).__name__ for step in dealer.act(Fold())], dealer.asks
# Traceback (most recent call last):
# railbird.errors.IllegalAction: seat 0 cannot fold: checking is free (flop)


class Step(NamedTuple):
    """An event of a hand, and the states before and after it."""

    event: Event
    before: HandState
    after: HandState


class HandDealer:
    """Deals a hand's cards as they fall due, and plays its showdown, between the actions.

    `begin` and `act` return all events until the next decision: the deal, the action, board cards,
    and at the end the showdown, in which every seat mucks that may. Then `asks` is the seat to act,
    or None if the hand is over.

    Unknown holdings are None. A hand whose showdown needs one of them ends in `Phase.SHOWDOWN`:
    sites muck losing hands that these rules would have shown.
    """

    __slots__ = ("_board", "_holdings", "_row", "state")

    def __init__(
        self, rules: Rules, holdings: Sequence[Holding | None], board: Sequence[Card]
    ) -> None:
        self.state = initial(rules)
        self._holdings = tuple(holdings)
        self._board = tuple(board)
        self._row: NDArray[np.uint8] | None = None

    @classmethod
    def of_row(cls, rules: Rules, cards: NDArray[np.uint8]) -> Self:
        """Deal from a row of `railbird.game.deal`, of any game."""
        if rules.variant is not HOLDEM:
            dealer = cls(rules, (), ())
            dealer._row = cards
            return dealer
        holes = 2 * rules.seats
        row: list[int] = cards.tolist()
        pairs = zip(row[:holes:2], row[1:holes:2], strict=True)
        holdings = [Holding(HOLDING_INDEX.item(*pair)) for pair in pairs]
        return cls(rules, holdings, tuple(map(Card, row[holes:])))

    @property
    def asks(self) -> Seat | None:
        """The seat to act; None before `begin`, and once the hand is over."""
        return self.state.actor

    def begin(self) -> list[Step]:
        """Deal the holdings; if the posts put everybody all-in, the hand is then over."""
        return self._go_on([self._next(self._due())])

    def act(self, action: Action) -> list[Step]:
        """Take the action of the seat to act; a check in a draw becomes the discard that it is.

        Raises `IllegalAction` for an action against the rules, and then changes nothing.
        """
        seat = self.state.actor
        if seat is None:
            raise BadInput(f"nobody is to act: {self.state!r}")
        if self.state.phase is Phase.DRAW and isinstance(action, Call):
            action = Discard(tail.check_in_draw(self.state))
        return self._go_on([self._next(Act(seat, action))])

    def _go_on(self, steps: list[Step]) -> list[Step]:
        while self.state.phase is Phase.DEAL_BOARD:
            steps.append(self._next(self._due()))
        if self.state.phase is Phase.SHOWDOWN:
            steps += [self._next(event) for event in self._showdown()]
        return steps

    def _due(self) -> Event:
        if self._row is not None:
            return due(self.state, self._row)
        if self.state.phase is Phase.DEAL_HOLES:
            return DealHoles(self._holdings)
        street = self.state.street
        return DealBoard(self._board[BOARD_CARDS[street] : BOARD_CARDS[street + 1]])

    def _showdown(self) -> Sequence[Event]:
        is_known = self._row is None or kernels.UNKNOWN_CARD not in self._row
        if is_known and None not in self._holdings:
            return showdown(self.state)
        try:
            return showdown(self.state)
        except BadInput:
            return ()

    def _next(self, event: Event) -> Step:
        before = self.state
        self.state = step(before, event)
        return Step(event, before, self.state)
