"""A hand dealt from known cards, without I/O: whoever drives it supplies actions only.

>>> from railbird.game import Call, Fold, no_limit_holdem, seeded_deals
>>> import numpy as np
>>> cards = seeded_deals(np.random.default_rng(7), seats=2, deals=1)[0]
>>> dealer = HandDealer.of_row(no_limit_holdem(2, blinds=(1, 2), stack=100), cards)
>>> [type(step.event).__name__ for step in dealer.begin()], dealer.asks
(['DealHoles'], 1)
>>> [type(step.event).__name__ for step in dealer.act(Call())], dealer.asks
(['Act'], 0)
>>> [type(step.event).__name__ for step in dealer.act(Call())], dealer.asks
(['Act', 'DealBoard'], 0)
>>> [type(step.event).__name__ for step in dealer.act(Fold())], dealer.asks
Traceback (most recent call last):
railbird.errors.IllegalAction: seat 0 cannot fold: checking is free (flop)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_INDEX, Card, Holding
from railbird.errors import BadInput
from railbird.game.actions import Action
from railbird.game.engine.play import showdown, step
from railbird.game.engine.state import HandState, Phase, initial
from railbird.game.events import Act, DealBoard, DealHoles, Event
from railbird.game.rules import BOARD_CARDS, Rules
from railbird.units import Seat


class Step(NamedTuple):
    """An event of a hand, and the states before and after it."""

    event: Event
    before: HandState
    after: HandState


class HandDealer:
    """Deals a hand's cards as they fall due, and has it shown down, between the actions.

    `begin` and `act` return everything that happens until somebody is asked again: the deal, the
    action, board cards, and in the end the showdown, in which everybody mucks who may. Then `asks`
    names the seat to act; None says that the hand is over.

    Holdings may be None where they are not known and need not be shown.
    """

    __slots__ = ("_board", "_holdings", "state")

    def __init__(
        self, rules: Rules, holdings: Sequence[Holding | None], board: Sequence[Card]
    ) -> None:
        self.state = initial(rules)
        self._holdings = tuple(holdings)
        self._board = tuple(board)

    @classmethod
    def of_row(cls, rules: Rules, cards: NDArray[np.uint8]) -> Self:
        """Deal from a row of `railbird.game.deal`, shape (2 * seats + 5,)."""
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
        """Deal the holdings; where the posts put everybody all-in, the hand is then over."""
        return self._go_on([self._next(DealHoles(self._holdings))])

    def act(self, action: Action) -> list[Step]:
        """Take the action of the seat to act.

        Raises `IllegalAction` for what the rules do not allow; nothing has happened then.
        """
        seat = self.state.actor
        if seat is None:
            raise BadInput(f"nobody is to act: {self.state!r}")
        return self._go_on([self._next(Act(seat, action))])

    def _go_on(self, steps: list[Step]) -> list[Step]:
        while self.state.phase is Phase.DEAL_BOARD:
            street = self.state.street
            cards = self._board[BOARD_CARDS[street] : BOARD_CARDS[street + 1]]
            steps.append(self._next(DealBoard(cards)))
        if self.state.phase is Phase.SHOWDOWN:
            steps += [self._next(event) for event in showdown(self.state)]
        return steps

    def _next(self, event: Event) -> Step:
        before = self.state
        self.state = step(before, event)
        return Step(event, before, self.state)
