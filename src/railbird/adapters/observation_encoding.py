"""Views and actions as arrays of fixed size, for learning algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from railbird.cards import cards_of
from railbird.errors import BadInput
from railbird.game import Action, Betting, Call, Fold, HandState, Raise, Rules, View, legal
from railbird.units import Chips

_CARDS: Final = 52
_STREETS: Final = 4
_SCALARS: Final = 4
_PER_SEAT: Final = 5
_UNCAPPED: Final = 1000


def observation_size(rules: Rules) -> int:
    """Return the length of an `observation`."""
    return 2 * _CARDS + _STREETS + _SCALARS + _PER_SEAT * rules.seats


def observation(view: View) -> NDArray[np.float32]:
    """Return a seat's view as numbers, (`observation_size`,), none of them negative.

    First come 52 flags for the seat's own cards and 52 for the board, then four flags for the
    street. Next are the pot, the bet to match, the cost of a call (0 if it is not the seat's turn)
    and the number of raises on this street. Then follow five blocks with one number per seat,
    starting with the seat's own and going left: whether it is the hand's seat 0, whether it has not
    folded, its chips on this street, its chips in the hand, and its chips behind (0 if stacks are
    unlimited). Chips are in `Rules.chips_per_unit`.
    """
    state, rules, own = view.state, view.rules, view.seat
    seats = [(own + turn) % rules.seats for turn in range(rules.seats)]
    unit = rules.chips_per_unit
    flags = np.zeros(2 * _CARDS + _STREETS, np.float32)
    flags[list(cards_of(view.holding))] = 1
    flags[[_CARDS + card for card in state.board]] = 1
    flags[2 * _CARDS + state.street] = 1
    to_call = state.to_call if state.actor == own else 0
    stacks = state.stacks or (0,) * rules.seats
    bets, spent, inside = state.street_bets, state.spent, state.in_hand
    numbers: list[float] = [state.pot / unit, state.bet / unit, to_call / unit, state.raises]
    numbers += [seat == 0 for seat in seats]
    numbers += [seat in inside for seat in seats]
    for chips in (bets, spent, stacks):
        numbers += [chips[seat] / unit for seat in seats]
    return np.concatenate([flags, np.array(numbers, np.float32)])


def most(rules: Rules) -> float:
    """Return an upper bound of all numbers in an observation."""
    if rules.stacks is None:
        raises = rules.max_raises or (_UNCAPPED,) * _STREETS
        sizes = rules.largest_bets or rules.bet_sizes
        bets = sum(n * size for n, size in zip(raises, sizes, strict=True))
        chips = rules.seats * (bets + max(rules.blinds) + max(rules.antes, default=0))
    else:
        chips = sum(rules.stacks)
    return max(float(_UNCAPPED), chips / rules.chips_per_unit)


class ActionNumbers:
    """A game's actions as numbers from 0: fold, call, then raises from the smallest up.

    Limit has a single raise. Otherwise there are the smallest raise, one for each of ``pots`` (a
    multiple of the pot after calling), and all-in. Illegal sizes are moved to the nearest legal
    one, and of equal sizes only the first is allowed.

    Raises `BadInput` if ``pots`` are not positive and ascending.
    """

    def __init__(self, rules: Rules, pots: Sequence[float] = (0.5, 1.0)) -> None:
        if sorted(set(pots)) != list(pots) or min(pots, default=1) <= 0:
            raise BadInput(f"raises of {tuple(pots)} pots; allowed: ascending numbers above 0")
        self._pots: tuple[float, ...] | None = (
            None if rules.betting is Betting.LIMIT else tuple(pots)
        )
        self.size = 3 if self._pots is None else 4 + len(self._pots)

    def actions(self, state: HandState) -> list[Action | None]:
        """Return the action of each number for the seat to act; None if it is not allowed."""
        allowed = legal(state)
        actions: list[Action | None] = [Fold() if allowed.fold else None, Call()]
        low, high = allowed.min_raise_to, allowed.max_raise_to
        if low is None or high is None:
            return actions + [None] * (self.size - 2)
        sizes: list[int] = [low]
        if self._pots is not None:
            pot = state.pot + state.to_call
            sizes += [min(max(state.bet + round(part * pot), low), high) for part in self._pots]
            sizes.append(high)
        seen: set[int] = set()
        for size in sizes:
            actions.append(None if size in seen else Raise(Chips(size)))
            seen.add(size)
        return actions

    def mask(self, state: HandState) -> NDArray[np.int8]:
        """Return 1 for each number that the seat to act may choose, otherwise 0, (size,)."""
        return np.array([action is not None for action in self.actions(state)], np.int8)
