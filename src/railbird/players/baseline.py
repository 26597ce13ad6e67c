"""The player that plays the baseline of DIVAT: it bets its effective hand rank for value.

The baseline is defined for heads-up limit. In other games the same rules are interpreted as
follows: the rank is still against a single opponent; without fixed bet sizes, a bet is the size of
the pot, and a hand is folded if its rank is below the pot odds plus the offset.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from fractions import Fraction
from functools import cache

import numpy as np

from railbird.baseline import (
    CAP,
    RANK_UNITS,
    STANDARD,
    BaselineClass,
    BaselineSettings,
    Opponent,
    PotConvention,
    cutoffs,
    exact,
)
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    Action,
    Betting,
    Call,
    Fold,
    HandState,
    Raise,
    Rules,
    Street,
    View,
    initial,
)
from railbird.game.engine import _kernels_layout as at
from railbird.players.compiled._kernels_policies import RankTables, rank_of_actor
from railbird.players.compiled.policies import BaselinePolicy, rank_tables
from railbird.players.explanation import Explanation, Reading, Requirement
from railbird.players.policy import Distribution
from railbird.units import Chips

_WORTH = tuple(BaselineClass)[BaselineClass.CALL :]
"""Classes of hands that do not fold, by the number of make thresholds they reach."""
_CAPS = (CAP - 1, CAP, CAP, CAP)
"""Raises by street; before the flop the blind is the first bet."""


class BaselinePlayer:
    """Plays the baseline with given settings, without randomness or memory.

    The constructor opens the hand-rank tables, and builds them if they are missing.
    """

    def __init__(self, settings: BaselineSettings) -> None:
        if settings.opponent is not Opponent.UNIFORM:
            raise BadInput(
                f"baseline:{settings.name}: a player ranks its hands against any two cards; "
                "opponent=typical is for assessment"
            )
        self.settings = settings
        self._cutoffs = cutoffs(settings)
        self._tables = _ready_tables()
        self._make: list[list[int]] = self._cutoffs.make.tolist()
        self._fold: dict[tuple[int, int, int], int] = {}

    def reset(self, rng: np.random.Generator) -> None:
        """Do nothing."""

    def act(self, view: View) -> Action:
        """Bet or raise as often as the hand is worth, then call; fold below the fold threshold."""
        state = view.state
        street = state.street
        own = self._class(state, street)
        bets = state.raises + (street is Street.PREFLOP)
        low, high = state.min_raise_to, state.max_raise_to
        if own.bets > bets and bets < CAP and low is not None and high is not None:
            pot_sized = Chips(state.bet + state.pot + state.to_call)
            return Raise(min(max(pot_sized, low), high))
        return Fold() if own is BaselineClass.FOLD and state.to_call > 0 else Call()

    def distribution(self, view: View) -> Distribution:
        """Return its one action: it draws nothing."""
        return Distribution.certain(self.act(view))

    def explain(self, view: View) -> Explanation:
        """Explain the answer to a view, which needs nothing but the view."""
        state = view.state
        street, units = state.street, RANK_UNITS[state.street]
        rank = self._rank(state)
        bets = state.raises + (street is Street.PREFLOP)
        fold = self._fold_cutoff(street, *_bet_and_pot(state, street, self.settings.pot))
        held = f"{rank / units:.4f}"
        rows: list[tuple[str, str]] = []
        if bets < CAP and state.min_raise_to is not None:
            rows.append(("raise" if bets else "bet", f"{self._make[street][bets] / units:.4f}"))
        if state.to_call:
            rows.append((f"call {state.to_call}", f"{fold / units:.4f}"))
        taken = self.act(view)
        number = 0 if isinstance(taken, Raise) else len(rows)
        if isinstance(taken, Call) and state.to_call:
            number -= 1
        rows.append(("fold" if state.to_call else "check", "nothing"))
        return Explanation(
            rule=f"Its hand is in the class {self._class(state, street).label}.",
            readings=(
                Reading(name="effective hand rank", value=rank / units, decimals=4),
                Reading(name="bets on the street", value=bets),
            ),
            requirements=tuple(
                [
                    Requirement(
                        action=action,
                        needed=asked if asked == "nothing" else f"a rank of {asked}",
                        actual="the rest" if asked == "nothing" else held,
                        decided=row == number,
                    )
                    for row, (action, asked) in enumerate(rows)
                ]
            ),
        )

    def policy(self, rules: Rules) -> BaselinePolicy | None:
        """Return the compiled form, for heads-up limit with the usual bet sizes."""
        return BaselinePolicy(self.settings) if _is_heads_up_limit(rules) else None

    def _class(self, state: HandState, street: Street) -> BaselineClass:
        """Return the class of the actor's hand."""
        rank = self._rank(state)
        if rank < self._fold_cutoff(street, *_bet_and_pot(state, street, self.settings.pot)):
            return BaselineClass.FOLD
        return _WORTH[bisect_right(self._make[street], rank)]

    def _rank(self, state: HandState) -> int:
        """Return the actor's effective hand rank, in the street's units."""
        return int(rank_of_actor(state.vector, self._cutoffs.bettable, self._tables))

    def _fold_cutoff(self, street: Street, bet: int, pot: int) -> int:
        """Return the rank, in the street's units, below which a hand folds to a bet."""
        cutoff = self._fold.get((street, bet, pot))
        if cutoff is None:
            row = self.settings[street]
            odds = Fraction(bet, max(pot + bet, 1))
            threshold = exact(row.fold_multiplier) * odds + exact(row.fold_offset)
            cutoff = math.ceil(threshold * RANK_UNITS[street])
            self._fold[street, bet, pot] = cutoff
        return cutoff


@cache
def _ready_tables() -> RankTables:
    """Return the tables with their kernel compiled, so that no decision waits for it."""
    tables = rank_tables()
    hand = initial(HEADS_UP_LIMIT).vector.copy()
    hand[at.ACTOR] = hand[at.HEADER + at.HOLDING] = 0  # no deal, which would compile the engine
    rank_of_actor(hand, cutoffs(STANDARD).bettable, tables)
    return tables


def _bet_and_pot(state: HandState, street: Street, convention: PotConvention) -> tuple[int, int]:
    """Return the amounts for the rule bet / (pot + bet)."""
    rules = state.rules
    if rules.betting is not Betting.LIMIT:
        return state.to_call, state.pot
    if street is Street.PREFLOP:
        return 1, 2
    bet = rules.bet_sizes[street]
    pot = state.pot - sum(state.street_bets)
    return bet, pot + bet if convention is PotConvention.FACING_BET else pot


def _is_heads_up_limit(rules: Rules) -> bool:
    """Return whether contributions are whole small bets within the range of the cutoffs."""
    small = rules.bet_sizes[0]
    return (
        rules.seats == 2
        and rules.betting is Betting.LIMIT
        and rules.stacks is None
        and not any(rules.antes)
        and rules.bet_sizes == (small, small, 2 * small, 2 * small)
        and max(rules.blinds) == small
        and rules.max_raises is not None
        and all(most <= cap for most, cap in zip(rules.max_raises, _CAPS, strict=True))
        and not rules.lift_cap_heads_up
    )
