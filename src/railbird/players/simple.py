"""Simple players of any game, without a model of opponents: fixed weights, and the baseline.

`compiled_kernels` makes the same decisions in compiled code.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from typing import Annotated

import numpy as np
import numpy.typing as npt

from railbird._option_fields import Description
from railbird.baseline import (
    CAP,
    RANK_UNITS,
    STANDARD,
    BaselineClass,
    BaselineSettings,
    OpponentHoldings,
    PotConvention,
    cutoffs,
    exact,
    parse_settings,
)
from railbird.cards import HOLDEM, Variant
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    Action,
    Betting,
    Call,
    Discard,
    Fold,
    HandState,
    Phase,
    Raise,
    Rules,
    Street,
    View,
    initial,
    legal,
)
from railbird.game import kernels as at
from railbird.players import compiled_kernels as by
from railbird.players.compiled import BaselinePolicy, WeightedPolicy, rank_tables
from railbird.players.compiled_kernels import RankTables, rank_of_actor
from railbird.players.explanation import Explanation, Reading, Requirement
from railbird.players.policy import Distribution, RaiseSizes, RangeDistribution, ask_each
from railbird.players.seeds import SplitMix64
from railbird.units import Chips


class RaiseSize(Enum):
    """Size of a raise if the rules leave a choice."""

    MIN = "min"
    POT = "pot"
    """A bet of the pot after calling, or the nearest legal size."""
    MAX = "max"
    RANDOM = "random"
    """Every legal size is equally likely."""


_CODES = {
    RaiseSize.MIN: by.MIN,
    RaiseSize.POT: by.POT,
    RaiseSize.MAX: by.MAX,
    RaiseSize.RANDOM: by.RANDOM,
}

_CALL, _FOLD = Call(), Fold()
_raise = lru_cache(maxsize=1 << 12)(Raise)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Relative frequencies of fold (only if there is a bet), call and raise."""

    fold: float = 0.0
    call: float = 0.0
    bet: float = 0.0
    size: RaiseSize = RaiseSize.MIN

    def __post_init__(self) -> None:
        if min(self.fold, self.call, self.bet) < 0:
            raise BadInput(f"weights {self.fold}, {self.call}, {self.bet}; allowed: 0 or more")


class WeightedPlayer:
    """Draws an action by weight among the possible ones, and calls if all weights are zero.

    `always-call` and the like have a single weight and draw nothing.
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._calls = weights.fold == weights.bet == 0  # then the view does not matter at all
        self._raises = weights.fold == weights.call == 0 < weights.bet
        self._stream = SplitMix64(0)

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws."""
        self._stream = SplitMix64(int(rng.integers(1 << 64, dtype=np.uint64)))

    def act(self, view: View) -> Action:
        """Draw an action, then a size if there is a choice."""
        if self._calls:
            return _CALL
        state, weights = view.state, self.weights
        if state.phase is Phase.DRAW:
            return self._discard(view)
        low = state.min_raise_to
        if self._raises:
            return _CALL if low is None else _raise(self._raise_to(state, low))
        fold = weights.fold if state.to_call > 0 and not state.must_bring_in else 0.0
        bet = 0.0 if low is None else weights.bet
        total = fold + weights.call + bet
        if total == weights.call:
            return _CALL
        if total == fold:
            return _FOLD
        if total != bet:
            drawn = self._stream.fraction() * total
            if drawn < fold:
                return _FOLD
            if drawn < fold + weights.call:
                return _CALL
        assert low is not None  # otherwise a bet would have no weight
        return _raise(self._raise_to(state, low))

    def _discard(self, view: View) -> Action:
        """Throw away any of the cards, each set as likely as another; none if it draws nothing."""
        weights, due = self.weights, view.legal.must_discard
        if (weights.fold > 0) + (weights.call > 0) + (weights.bet > 0) < 2:
            return _CALL if due else Discard(())
        if due:
            sets = list(combinations(view.cards, due))
            return Discard(sets[self._stream.between(0, len(sets) - 1)])
        thrown = self._stream.next()
        return Discard(tuple(card for place, card in enumerate(view.cards) if thrown >> place & 1))

    def distribution(self, view: View) -> Distribution:
        """Return the weights of the possible actions."""
        state, weights = view.state, self.weights
        low, high = state.min_raise_to, state.max_raise_to
        fold = weights.fold if state.to_call > 0 and not state.must_bring_in else 0.0
        total = fold + weights.call + (0.0 if low is None else weights.bet)
        if not total:
            return Distribution(call=1.0)
        raises: tuple[RaiseSizes, ...] = ()
        if low is not None and high is not None and weights.bet:
            chance = weights.bet / total
            if weights.size is not RaiseSize.RANDOM:
                low = high = self._raise_to(state, low)
            raises = (RaiseSizes(low, high, chance),)
            if low < high and view.legal.two_sizes:
                raises = tuple(RaiseSizes(to, to, chance / 2) for to in (low, high))
        return Distribution(fold=fold / total, call=weights.call / total, raises=raises)

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        """Return the weights, which are the same for every holding."""
        return RangeDistribution.same(self.distribution(view), len(holdings))

    def plays(self, variant: Variant) -> bool:
        """Return True: it ignores its cards, so it can play every game."""
        return True

    def policy(self, rules: Rules) -> WeightedPolicy | None:
        """Return the compiled form, for any betting in hold'em."""
        if rules.variant is not HOLDEM:
            return None
        weights = self.weights
        return WeightedPolicy(
            row=(weights.fold, weights.call, weights.bet, float(_CODES[weights.size])),
            stream=self._stream.state,
        )

    def _raise_to(self, state: HandState, low: Chips) -> Chips:
        if self.weights.size is RaiseSize.MIN:
            return low
        high = state.max_raise_to
        assert high is not None
        match self.weights.size:
            case RaiseSize.MAX:
                return high
            case RaiseSize.POT:
                pot_sized = Chips(state.bet + state.pot + state.to_call)
                if low < pot_sized < high:
                    return legal(state).nearest(pot_sized) or low
                return min(max(pot_sized, low), high)
            case RaiseSize.RANDOM:
                if low < high and state.rules.betting is Betting.LIMIT:  # two sizes
                    return (low, high)[self._stream.next() % 2]
                return Chips(self._stream.between(low, high)) if high > low else low


# The player of DIVAT's baseline: it bets its effective hand rank for value.
#
# The baseline is defined only for heads-up limit. In other games its rules are read as follows. The
# rank is still that against a single opponent. Without fixed bet sizes, a bet is the size of the
# pot, and a hand is folded if its rank is below the pot odds plus the offset.


_WORTH = tuple(BaselineClass)[BaselineClass.CALL :]
"""Classes of hands that do not fold, by how many of the make thresholds they reach."""
_CAPS = (CAP - 1, CAP, CAP, CAP)
"""Most raises by street; before the flop the blind is the first bet."""


class BaselinePlayer:
    """Plays the baseline with given settings, without randomness or memory.

    The constructor opens the hand-rank tables, and builds them if they are missing.
    """

    def __init__(
        self,
        settings: Annotated[
            BaselineSettings,
            Description(
                "the settings, as for assessment",
                if_absent=STANDARD.name,
                parse=parse_settings,
                allowed="settings such as aggressive-high,turn=loose-low,pot=facing-bet",
            ),
        ] = STANDARD,
    ) -> None:
        if settings.opponent is not OpponentHoldings.UNIFORM:
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
        """Do nothing: there is nothing to forget."""

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

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        """Return the answers for the given holdings."""
        return ask_each(self, view, holdings)

    def explain(self, view: View) -> Explanation:
        """Explain the answer to a view; it depends on nothing else."""
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
            rule=_worth(self._class(state, street)),
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
    """Return the tables, with their kernel compiled so that no decision has to wait for it."""
    tables = rank_tables()
    hand = initial(HEADS_UP_LIMIT).vector.copy()
    hand[at.ACTOR] = hand[at.HEADER + at.HOLDING] = 0  # a real deal would compile the whole engine
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
    """Return whether amounts are whole small bets within the range of the cutoff tables."""
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


def _worth(hand_class: BaselineClass) -> str:
    """Say in words what a class of hands is worth."""
    if hand_class is BaselineClass.FOLD:
        return "Its hand is not worth a call."
    if hand_class is BaselineClass.CALL:
        return "Its hand is worth a call, but no bet."
    bets = "one bet" if hand_class.bets == 1 else f"{hand_class.bets} bets"
    return f"Its hand is worth {bets} on a street."
