"""A hand as the player has followed it: who did what on which street, and what that leaves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from railbird.cards import Card
from railbird.game import BOARD_CARDS, Act, Fold, HandState, Raise, Street
from railbird.odds.pot_odds import pot_odds
from railbird.odds.settings import SHARES, TABLE_SEATS
from railbird.odds.spectra.bettable import kept_share
from railbird.players.explanation import Stage
from railbird.players.killer.habits import Habits
from railbird.players.killer.order import quantiles_on
from railbird.players.killer.preflop import opening_share, range_of_share
from railbird.players.killer.settings import (
    LEAST_FOR_SIZE,
    RERAISE_SHARE,
    SOFTNESS,
    Reflection,
)
from railbird.units import Seat

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Kept:
    """What one action keeps of a seat's holdings: the best ``share`` on a street's board."""

    street: Street
    share: float
    what: str


@dataclass(slots=True)
class SeenHand:
    """Actions of everybody in a hand, as filters of their holdings."""

    habits: Sequence[Habits]
    """By seat."""
    reflection: Reflection
    filters: list[list[Kept]] = field(default_factory=list)
    """By seat, in order."""

    def __post_init__(self) -> None:
        self.filters = [[] for _ in self.habits]

    @property
    def softness(self) -> float:
        """Width of the filter."""
        return SOFTNESS if self.reflection is Reflection.FUZZY else 0.0

    def learn(self, act: Act, before: HandState) -> None:
        """Note an action, and count it for the habits of whoever took it."""
        seat, street, facing = act.seat, before.street, before.to_call > 0
        aggressive, folds = isinstance(act.action, Raise), isinstance(act.action, Fold)
        share = self._share(act, before)
        self.habits[seat].act(street, facing=facing, aggressive=aggressive, folds=folds)
        if folds or share >= 1:
            return
        verb = ("raises" if facing else "bets") if aggressive else "calls"
        where = "before the flop" if street is Street.PREFLOP else f"the {street.name.lower()}"
        self.filters[seat].append(Kept(street, share, f"{verb} {where}"))

    def weights(self, seat: Seat, board: Sequence[Card]) -> Floats:
        """Return the weights (1326,) of what a seat may hold, before cards that are seen."""
        return self.stages(seat, board)[-1].weights

    def stages(self, seat: Seat, board: Sequence[Card]) -> tuple[Stage, ...]:
        """Return the weights after each action."""
        weights = np.ones(len(quantiles_on(())))
        stages = [Stage(what="is dealt cards", weights=weights)]
        if self.reflection is Reflection.OFF:
            return tuple(stages)
        for kept in self.filters[seat]:
            left = weights * self._kept(kept, board)
            if left.max() < 1e-6:
                continue  # no holding is worth all that: the last action is passed over
            weights = left
            stages.append(Stage(what=kept.what, weights=weights))
        return tuple(stages)

    def _kept(self, kept: Kept, board: Sequence[Card]) -> Floats:
        if kept.street is Street.PREFLOP:
            return range_of_share(kept.share, self.softness)
        quantiles = quantiles_on(board[: BOARD_CARDS[kept.street]])
        weights: Floats = np.nan_to_num(kept_share(quantiles, kept.share, self.softness))
        return weights

    def _share(self, act: Act, before: HandState) -> float:
        """Return the share of holdings that is worth an action; 1 for a check."""
        habits, facing = self.habits[act.seat], before.to_call > 0
        if isinstance(act.action, Raise):
            if before.street is Street.PREFLOP:
                return raising_share(before, act.seat, habits)
            usual = SHARES[before.street]["raise" if facing else "bet"]
            share = habits.raising_share(before.street, usual, facing=facing)
            return share * size_factor(act.action.to - before.street_bets[act.seat], before.pot)
        if not facing:
            return 1.0
        if before.street is Street.PREFLOP:
            return calling_share(before, act.seat, habits)
        staying = habits.staying_share(before.street, SHARES[before.street]["call"])
        return staying * size_factor(before.to_call, before.pot)


def raising_share(before: HandState, seat: Seat, habits: Habits) -> float:
    """Return the share of holdings with which a seat raises before the flop."""
    seats = before.rules.seats
    loose = habits.looseness(seats)
    if before.raises:
        usual = RERAISE_SHARE * math.sqrt(TABLE_SEATS / min(seats, TABLE_SEATS))
    else:
        behind = len([other for other in before.pending if other != seat])
        price = max(before.to_call, max(before.rules.blinds) / 2)
        usual = opening_share(max(behind, 1), pot_odds(price, before.pot))
    usual = min(1.0, usual * loose)
    return habits.raising_share(Street.PREFLOP, usual, facing=before.to_call > 0)


def calling_share(before: HandState, seat: Seat, habits: Habits) -> float:
    """Return the share of holdings with which a seat calls before the flop.

    Of a raise, what is left of the raiser's share by the price: the source's table of calls.
    """
    loose, seats = habits.looseness(before.rules.seats), before.rules.seats
    if before.raises:
        required = pot_odds(before.to_call, before.pot)
        behind = max(1, len(before.in_hand) - 1)
        usual = max(0.1, opening_share(behind, 0.4) * (1 - required))
    else:
        usual = SHARES[0]["call"] * TABLE_SEATS / seats
    return habits.staying_share(Street.PREFLOP, min(1.0, usual * loose))


def size_factor(chips: int, pot: int) -> float:
    """Return by how much a bet's size narrows what is worth it; 1 for half the pot.

    >>> [round(size_factor(chips, 100), 2) for chips in (25, 50, 100, 400)]
    [1.33, 1.0, 0.67, 0.3]
    """
    return max(LEAST_FOR_SIZE, 1 / (0.5 + chips / max(pot, 1)))
