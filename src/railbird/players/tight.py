"""The plain player for no-limit hold'em: ranges from the actions of a hand, rules, the player.

`killer` keeps notes on each opponent; `pushfold` decides short stacks heads-up.

Before the flop a range has weights for the 169 classes, later for the 1,326 holdings. Everybody is
assumed to play by rules like our own, but as often as they have been seen to (`Habits`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, lru_cache
from math import prod
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS, Card, Holding, cards_of
from railbird.cards.isomorphism import board_index
from railbird.cards.isomorphism_kernels import COLUMN
from railbird.cards.tables import CARD_MASK, HOLDING_MASK
from railbird.game import Act, Action, Call, Event, Fold, HandState, Raise, Street, View
from railbird.odds import Tables, classes_matrix, open_tables, potential
from railbird.players.explanation import (
    BeliefHistory,
    BeliefStage,
    Explanation,
    Reading,
    action_words,
    rule_sentence,
    street_words,
)
from railbird.players.policy import Distribution, RangeDistribution, ask_each
from railbird.players.pushfold import charts, effective_stack
from railbird.players.seeds import SplitMix64
from railbird.players.tight_kernels import equity_against_each
from railbird.solve import COMBINATIONS
from railbird.units import Chips, Seat

# The player's numbers; the manual gives each with its rule and its reason.


BEST_BEHIND: Final = 0.40
"""Open a hand if, with at least this probability, nobody left to act has a better one.

This opens a tenth of all hands when first of ten to act, a sixth when first of six, 40 % on the
button and 60 % in the small blind, which is about what printed charts open.
"""

OPENING_BLINDS: Final = 2.5
"""Size of an opening raise in big blinds; one more for each player who has called."""

RERAISE: Final = 3.0
"""Size of a reraise, as a multiple of the raise."""

FAVOURITE: Final = 0.5
"""Equity from which a hand is ahead of a range, so it reraises, or bets against callers."""

RAISING_FAVOURITE: Final = 0.6
"""Equity from which a bet after the flop is raised. It is higher because a raise is called by
better hands than a bet."""

IN_POSITION: Final = 0.85
OUT_OF_POSITION: Final = 0.70
"""Share of its preflop equity that a hand realises, by whether it acts last after the flop."""

NEXT_STREETS: Final = (1.0, 0.85, 0.90, 1.0)
"""By street, the share of its equity that a hand realises after calling; all of it on the river."""

SHORT: Final = 10.0
"""Effective stack in big blinds up to which it only goes all-in or folds."""

BET: Final = 2 / 3
"""Size of a value bet or raise, as a share of the pot."""

CONTINUATION_BET: Final = 1 / 2
"""Size of a continuation bet, as a share of the pot; it breaks even if one in three folds."""

CONTINUATION_EQUITY: Final = 1 / 3
"""Equity from which the preflop raiser bets the flop against a single opponent."""

COMMITTED: Final = 1 / 3
"""A raise of more than this share of the effective stack becomes an all-in."""

PRIOR: Final = 3.0
"""Number of raises, bets or calls, as often as expected, that a player is credited with at
first."""


# Starting hands in order, by exact preflop equities, and ranges of the best of them.


Weights = npt.NDArray[np.float64]
"""(169,) weights of hand classes, or (1326,) of holdings, 0 to 1."""

ALL: Weights = np.ones(CLASSES)
ALL.flags.writeable = False


class _Equities(NamedTuple):
    """Exact counts for each class against each class, (169, 169)."""

    won: Weights
    """Boards won, ties counting half, over all pairs of holdings that share no card."""
    boards: Weights


@cache
def order() -> npt.NDArray[np.int64]:
    """Return the 169 classes from best to worst, ordered by successive elimination.

    The class with the least equity against all those that remain is removed, again and again. So
    the longer a hand stays, the better are the hands that it is compared with. That ranks small
    pairs and suited hands by how they fare against hands that people play, which the order by
    equity against any two cards does not.
    """
    won, boards = _equities()
    left = ALL.copy()
    worst_first = []
    for _ in range(CLASSES):
        equity = np.where(left > 0, (won @ left) / np.maximum(boards @ left, 1.0), np.inf)
        worst = int(np.argmin(equity))
        worst_first.append(worst)
        left[worst] = 0.0
    best_first = np.array(worst_first[::-1])
    best_first.flags.writeable = False
    return best_first


def class_equities(weights: Weights) -> Weights:
    """Return each class's exact equity against a range of classes, (169,), with card removal."""
    won, boards = _equities()
    return (won @ weights) / np.maximum(boards @ weights, 1e-300)


def best(weights: Weights, share: float) -> Weights:
    """Return the best ``share`` of a range of classes, with a part of the last class.

    >>> from railbird.cards import parse_class
    >>> top = best(ALL, 0.02)
    >>> [round(float(top[parse_class(hand)]), 3) for hand in ("AA", "AKo", "JJ")]
    [1.0, 0.377, 0.0]
    """
    return kept(weights, order(), np.asarray(COMBINATIONS, np.float64), share)


def kept(
    weights: Weights, ranking: npt.NDArray[np.int64], counts: Weights, share: float
) -> Weights:
    """Return the first ``share`` of the sum of ``weights * counts``, in the order of a ranking."""
    mass = (weights * counts)[ranking]
    wanted = share * mass.sum()
    before = mass.cumsum() - mass
    # Twice as fast as `numpy.clip`, whose wrappers take longer than the work itself.
    part = np.minimum(np.maximum((wanted - before) / np.maximum(mass, 1e-300), 0.0), 1.0)
    result = np.zeros_like(weights)
    result[ranking] = weights[ranking] * part
    return result


@lru_cache(maxsize=64)
def opening(behind: int) -> Weights:
    """Return which classes are opened with ``behind`` players left to act, (169,) of 0 and 1.

    If a share q of hands is better, none of n players holds one with probability (1 - q)^n, and
    that must be at least `BEST_BEHIND`. A class is opened if most of it lies within the share.

    >>> [round(float(opening(n) @ COMBINATIONS) / 1326, 3) for n in (9, 5, 3, 2, 1)]
    [0.095, 0.17, 0.261, 0.37, 0.596]
    """
    share = 1 - BEST_BEHIND ** (1 / max(behind, 1))
    chosen = np.where(best(ALL, share) >= 0.5, 1.0, 0.0)
    chosen.flags.writeable = False
    return chosen


@cache
def _equities() -> _Equities:
    counts = classes_matrix()
    return _Equities(counts.wins + counts.ties / 2, counts.boards.astype(np.float64))


# A holding's equity against every holding of an opponent, and holdings ranked on a board.


_RIVER = 5


@lru_cache(maxsize=8)
def possible(holding: Holding, board: tuple[Card, ...]) -> npt.NDArray[np.bool_]:
    """Return which holdings an opponent can have, (1326,)."""
    known = np.bitwise_or.reduce(CARD_MASK[[*cards_of(holding), *board]])
    free: npt.NDArray[np.bool_] = (HOLDING_MASK & known) == 0
    return free


def equities_of(
    holding: Holding, board: tuple[Card, ...], wanted: npt.NDArray[np.bool_]
) -> Weights:
    """Return a holding's exact equity against each wanted holding, (1326,); 0 elsewhere.

    ``board`` has three to five cards; ``wanted`` (1326,) is a subset of `possible`.
    """
    equities = np.zeros(HOLDINGS)
    others = np.flatnonzero(wanted).astype(np.uint16)
    equity_against_each(int(holding), np.array(board, np.uint8), others, equities)
    return equities


@lru_cache(maxsize=2048)
def all_equities(holding: Holding, board: tuple[Card, ...]) -> Weights:
    """Return `equities_of` against every possible holding; the array is read-only.

    The cache holds more entries than a board has holdings, for callers that ask again and again
    what the player would do with each of them.
    """
    equities = equities_of(holding, board, possible(holding, board))
    equities.flags.writeable = False
    return equities


@lru_cache(maxsize=8)
def class_ranking(board: tuple[Card, ...]) -> npt.NDArray[np.int64]:
    """Return the 1,326 holdings from best to worst on a board of three to five cards.

    They are ranked by exact equity against any two cards, so draws count for what they may become.
    Holdings that share a card with the board are in it too, at no particular place.
    """
    tables, index = _tables(), board_index(board)
    street = {3: "flop", 4: "turn", _RIVER: "river"}[len(board)]
    values = getattr(tables, f"{street}_ihr" if len(board) == _RIVER else f"{street}_hr7")
    start = int(getattr(tables, f"{street}_start")[index])
    columns = COLUMN[getattr(tables, f"{street}_pattern")[index]]
    ranked: npt.NDArray[np.int64] = np.argsort(
        -values[start:][columns].astype(np.int64), kind="stable"
    )
    return ranked


def mean_equity(equities: Weights, weights: Weights) -> float:
    """Return the mean equity against a range of holdings; both arrays are (1326,)."""
    return float(equities @ weights / weights.sum())


@lru_cache(maxsize=1)
def _tables() -> Tables:
    return open_tables()


def make_ready(board: Sequence[Card] = tuple(map(Card, (20, 25, 30)))) -> None:
    """Compile the kernel and open the tables, so that no decision has to wait for them."""
    flop, held = tuple(board), Holding(0)
    equities_of(held, flop, possible(held, flop))
    class_ranking(flop)


# The ranges that the actions of a hand leave.


_EACH = np.ones(HOLDINGS)
_VALUE = 1 / (1 + BET) / 2
_BLUFFS = BET / (1 + 2 * BET)
_BETS_EXPECTED = _VALUE / (1 - _BLUFFS)
"""How often a player of our kind bets after the flop, with bets of our size."""


@dataclass(slots=True)
class Habit:
    """How often somebody does something, compared with a player of our kind."""

    seen: float = 0.0
    expected: float = 0.0
    """How often a player of our kind would have done it in the same situations."""

    @property
    def factor(self) -> float:
        """Posterior mean of the ratio; the gamma prior has mean 1 and counts as `PRIOR`."""
        return (PRIOR + self.seen) / (PRIOR + self.expected)

    def count(self, expected: float, *, happened: bool) -> None:
        """Count an occasion on which it could have happened."""
        self.seen += happened
        self.expected += expected


@dataclass(slots=True)
class Habits:
    """What has been seen of one player."""

    raises: Habit = field(default_factory=Habit)
    """Raises before the flop."""
    bets: Habit = field(default_factory=Habit)
    """Bets and raises after the flop."""
    calls: Habit = field(default_factory=Habit)
    """Calls of a bet, as opposed to folds."""


@dataclass(frozen=True, slots=True)
class ActionInHand:
    """An action, with the hand before and after it."""

    act: Act
    before: HandState
    after: HandState


@dataclass(frozen=True, slots=True, eq=False)
class _Narrowing:
    """A range after an action, with words that explain it."""

    seat: Seat
    action: Action
    before: HandState
    share: float
    factor: float
    left: Weights
    """(169,) of classes before the flop, (1326,) of holdings after it."""

    @property
    def stage(self) -> BeliefStage:
        """The narrowing, in words."""
        return BeliefStage(
            what=f"{action_words(self.action, self.before)}, {street_words(self.before)}",
            weights=self.left if self.left.size == HOLDINGS else self.left[CLASS_OF_HOLDING],
            readings=(
                Reading(name="share kept", value=self.share),
                Reading(name="as often as expected, times", value=self.factor, decimals=2),
            ),
        )


class HandRanges:
    """The ranges of all seats in one hand; `learn` brings them up to date."""

    def __init__(self, habits: Sequence[Habits]) -> None:
        self.raiser: Seat | None = None
        """The seat that raised last before the flop."""
        self._habits = habits
        self._classes: list[Weights] = [ALL] * len(habits)
        self._holdings: dict[Seat, Weights] = {}
        self._seen: list[_Narrowing] = []
        self._against: dict[Seat, tuple[Weights, Weights]] = {}

    def classes(self, seat: Seat) -> Weights:
        """Return a seat's range before the flop, (169,)."""
        return self._classes[seat]

    def holdings(self, seat: Seat) -> Weights:
        """Return a seat's range, (1326,)."""
        if seat in self._holdings:
            return self._holdings[seat]
        weights: Weights = self._classes[seat][CLASS_OF_HOLDING]
        return weights

    def equities_against(self, seat: Seat) -> Weights:
        """Return the equity of each class (169,) against a seat's range before the flop."""
        range_ = self._classes[seat]
        known = self._against.get(seat)
        if known is None or known[0] is not range_:
            self._against[seat] = known = (range_, class_equities(range_))
        return known[1]

    def calling(self, seat: Seat, pot: float, cost: float) -> float:
        """Return the share of its range with which a seat calls a bet; ``pot`` includes the bet."""
        return min(1.0, defended(pot, cost) * self._habits[seat].calls.factor)

    def stages(self, seat: Seat) -> tuple[BeliefStage, ...]:
        """Return how a seat's range came about, from the deal on."""
        dealt = BeliefStage(what="at the deal", weights=_EACH)
        return (dealt, *(seen.stage for seen in self._seen if seen.seat == seat))

    def learn(self, seen: ActionInHand, *, over: bool = False) -> None:
        """Narrow a range by an action, and count the action; folds and checks narrow nothing.

        ``over`` says that the hand is over, so ranges after the flop need not be computed.
        """
        seat, action, state = seen.act.seat, seen.act.action, seen.before
        habits = self._habits[seat]
        if state.street is Street.PREFLOP:
            expected, raising = self._raises_expected(seat, state), habits.raises
        else:
            expected, raising = _BETS_EXPECTED / (2 if state.raises else 1), habits.bets
        factor = raising.factor if isinstance(action, Raise) else habits.calls.factor
        if state.min_raise_to is not None:
            raising.count(expected, happened=isinstance(action, Raise))
        if isinstance(action, Call) and state.to_call == 0:
            return
        if not isinstance(action, Raise):
            share = self.calling(seat, state.pot, state.to_call)
            habits.calls.count(
                defended(state.pot, state.to_call), happened=isinstance(action, Call)
            )
            if isinstance(action, Fold):
                return
        elif state.street is Street.PREFLOP:
            share = min(1.0, expected * factor)
        else:
            share = min(1.0, _value_share(seen) * factor)
        share = max(share, 1 / HOLDINGS)  # a range must keep at least one holding
        if state.street is Street.PREFLOP:
            had = self._classes[seat]
            chart = _chart(seen)
            self._classes[seat] = best(had, share) if chart is None else chart
            if isinstance(action, Raise):
                self.raiser = seat
        elif over:
            return
        else:
            bluffs = _bluffs(seen) if isinstance(action, Raise) else 0.0
            self._holdings[seat] = _ranges_after_flop(
                self.holdings(seat), class_ranking(state.board), share, bluffs
            )
        left = self._holdings.get(seat, self._classes[seat])
        self._seen.append(_Narrowing(seat, action, state, share, factor, left))

    def _raises_expected(self, seat: Seat, before: HandState) -> float:
        """Return the share of its range that a seat would raise before the flop, by our rules."""
        had = self._classes[seat]
        if self.raiser is None:
            callers = [opponent for opponent in before.acted if opponent in before.in_hand]
            raised = opening(len(yet_to_act(before, seat)) + len(callers)) * had
        else:
            raised = (self.equities_against(self.raiser) >= FAVOURITE) * had
        # At least one holding: a share of zero could not be scaled by what has been seen.
        return max(float(raised @ COMBINATIONS / (had @ COMBINATIONS)), 1 / HOLDINGS)


def yet_to_act(state: HandState, seat: Seat) -> list[Seat]:
    """Return the others who have not acted on this street."""
    return [
        opponent for opponent in state.in_hand if opponent not in state.acted and opponent != seat
    ]


def defended(pot: float, bet: float) -> float:
    """Return the share of a range that calls a bet; ``pot`` includes the bet.

    This is the minimum defence frequency: if fewer called, betting any two cards would pay.

    >>> defended(150, 50)
    0.6666666666666666
    """
    return max(pot - bet, 0.0) / pot if pot > 0 else 1.0


def _ranges_after_flop(
    had: Weights, ranked: npt.NDArray[np.int64], share: float, bluffs: float
) -> Weights:
    """Keep the best share of a range, and as much of the rest as makes the share of bluffs."""
    value = kept(had, ranked, _EACH, share)
    rest = had - value
    weight = bluffs / (1 - bluffs) * value.sum() / max(rest.sum(), 1e-300)
    range_: Weights = value + rest * min(weight, 1.0)
    return range_


def _cost(seen: ActionInHand) -> float:
    """Return what a bet or raise costs those who face it."""
    return float(seen.after.pot - seen.before.pot - seen.before.to_call)


def _bluffs(seen: ActionInHand) -> float:
    """Return the share of bluffs that makes calling as good as folding."""
    cost = _cost(seen)
    return cost / (seen.after.pot + cost)


def _value_share(seen: ActionInHand) -> float:
    """Return the share of a range bet for value: half of the callers are then worse."""
    share = defended(seen.after.pot, _cost(seen)) / 2
    return share / 2 if seen.before.raises else share


def _chart(seen: ActionInHand) -> Weights | None:
    """Return the equilibrium's range for an all-in heads-up with short stacks; otherwise None."""
    before, after, seat = seen.before, seen.after, seen.act.seat
    stacks = after.stacks
    stack = effective_stack(before.rules)
    if before.rules.seats > 2 or stacks is None or stack > SHORT or stacks[seat] > 0:
        return None
    push, call = charts(stack, ante_in_blinds(before))
    return call if isinstance(seen.act.action, Call) else push


def ante_in_blinds(state: HandState) -> float:
    """Return the mean ante of the seats in big blinds, rounded as the charts are.

    The charts have antes from everybody. If the big blind posts for all, the pot is the same.
    """
    antes = state.rules.antes
    return round(sum(antes) / len(antes) / max(state.rules.blinds), 1) if antes else 0.0


# The plain no-limit player.


# The rules: one decision, from the hand and the ranges of the others.


_UNLIMITED = Chips(1 << 40)


class TightRule(Enum):
    """The rules in words, in the order of the manual's table, which gives the reasons."""

    PUSH_FOLD = "short and heads-up, by the push/fold equilibrium"
    OPEN = "opens, since it is likely enough that nobody behind holds a better hand"
    RERAISE = "raises the raiser, against whose range it is the favourite"
    CALL_PREFLOP = "calls before the flop, since what it realises of its equity covers the pot odds"
    CALL_ALL_IN = "calls, since its equity covers the pot odds and no more bets follow"
    GIVE_UP_PREFLOP = "gives up, or checks where that is free, as nothing else pays"
    VALUE_BET = "bets as the favourite against all that would call"
    CONTINUATION_BET = "bets the flop again as the raiser before it"
    CHECK = "checks"
    VALUE_RAISE = "raises as a clear favourite against all that would call"
    CALL = "calls, since what it realises of its equity covers the pot odds"
    DRAW = "calls, since the next card alone improves it often enough for the pot odds"
    FOLD = "folds"


@dataclass(frozen=True, slots=True)
class TightDecision:
    """An action, its rule, and the numbers behind it."""

    rule: TightRule
    action: Action
    readings: tuple[Reading, ...] = ()
    mixed: tuple[tuple[Action, float], ...] = ()
    """Actions with probabilities, if an equilibrium mixes; ``action`` is then the likeliest."""

    @property
    def distribution(self) -> Distribution:
        """The probabilities of all actions."""
        return (
            Distribution.of(list(self.mixed)) if self.mixed else Distribution.certain(self.action)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TightSpot:
    """The situation of the seat to act, with amounts in chips."""

    state: HandState
    seat: Seat
    rivals: tuple[Seat, ...]
    """The others who are still in the hand."""
    effective: int
    """The most that can be bet against any of them, as the street's total."""
    pot_odds: float
    """The share of the pot that a call pays, not counting chips that cannot be won."""
    closes: bool
    """Whether a call ends the betting: nobody left can bet against the seat again."""
    in_position: bool
    """Whether the seat acts last after the flop."""


def spot_of(view: View) -> TightSpot:
    """Return the situation of the seat to act."""
    state, seat = view.state, view.seat
    rivals = tuple(opponent for opponent in state.in_hand if opponent != seat)
    stacks, bets, spent = state.stacks, state.street_bets, state.spent
    if stacks is None:
        stacks = (_UNLIMITED,) * state.rules.seats
    call = min(state.to_call, stacks[seat])
    total = spent[seat] + call
    winnable = sum(min(chips, total) for player, chips in enumerate(spent) if player != seat)
    first, seats = state.rules.first_to_act[Street.FLOP], state.rules.seats
    turn = {player: (player - first) % seats for player in state.in_hand}
    return TightSpot(
        state=state,
        seat=seat,
        rivals=rivals,
        effective=min(
            stacks[seat] + bets[seat], max(stacks[rival] + bets[rival] for rival in rivals)
        ),
        pot_odds=call / max(winnable + total, 1),
        closes=call == stacks[seat] or not any(stacks[rival] for rival in rivals),
        in_position=turn[seat] == max(turn.values()),
    )


def decide(view: View, ranges: HandRanges) -> TightDecision:
    """Decide by the first rule that applies."""
    spot = spot_of(view)
    if spot.state.street is Street.PREFLOP:
        short = _push_or_fold(view, spot)
        if short is not None:
            return short
        if spot.state.raises == 0:
            return _unraised(view, spot, ranges)
        return _raised(view, spot, ranges)
    return _after_flop(view, spot, ranges)


def _push_or_fold(view: View, spot: TightSpot) -> TightDecision | None:
    """Play the equilibrium: the small blind's first action, or the answer to an all-in."""
    state = spot.state
    stack = effective_stack(state.rules)
    first = state.raises == 0 and state.to_call > 0
    if state.rules.seats > 2 or stack > SHORT or not (first or spot.closes):
        return None
    push, call = charts(stack, ante_in_blinds(state))
    chart = push if first else call
    chance = min(1.0, max(0.0, float(chart[CLASS_OF_HOLDING[view.holding]])))
    plays = _raise_to(spot, spot.effective) if first else Call()
    return TightDecision(
        TightRule.PUSH_FOLD,
        plays if chance >= 0.5 else Fold(),
        (
            Reading(name="effective stack in big blinds", value=stack, decimals=1),
            Reading(name="all-in" if first else "call", value=chance),
        ),
        ((plays, chance), (Fold(), 1 - chance)),
    )


def _unraised(view: View, spot: TightSpot, ranges: HandRanges) -> TightDecision:
    """Decide before the flop if nobody has raised, by rules 2, 4 and 6."""
    state, kind = spot.state, CLASS_OF_HOLDING[view.holding]
    behind = len(yet_to_act(state, spot.seat))
    callers = len(spot.rivals) - behind
    opens = opening(behind + callers)
    readings = (
        Reading(name="players left to act", value=behind),
        Reading(name="players who have called", value=callers),
        Reading(name="hands that it opens", value=_share(opens)),
    )
    if opens[kind] and state.min_raise_to is not None:
        big = max(state.rules.blinds)
        size = (OPENING_BLINDS + callers) * big + sum(state.rules.antes)
        return TightDecision(TightRule.OPEN, _sized(spot, size), readings)
    # If only the blinds are to be beaten, the call is judged as if they held any two cards.
    return _call_or_give_up(view, spot, ranges, spot.rivals, readings)


def _raised(view: View, spot: TightSpot, ranges: HandRanges) -> TightDecision:
    """Decide before the flop after a raise, by rules 3 to 6."""
    state, kind = spot.state, CLASS_OF_HOLDING[view.holding]
    raiser = ranges.raiser if ranges.raiser in spot.rivals else spot.rivals[0]
    ahead = float(ranges.equities_against(raiser)[kind])
    readings = (
        Reading(name="hands that the raiser has", value=_share(ranges.classes(raiser))),
        Reading(name="equity against the raiser", value=ahead),
    )
    if ahead >= FAVOURITE and state.min_raise_to is not None:
        return TightDecision(TightRule.RERAISE, _sized(spot, RERAISE * state.bet), readings)
    waiting = yet_to_act(state, spot.seat)
    against = [opponent for opponent in spot.rivals if opponent not in waiting] or [raiser]
    return _call_or_give_up(view, spot, ranges, against, readings)


def _call_or_give_up(
    view: View,
    spot: TightSpot,
    ranges: HandRanges,
    against: Sequence[Seat],
    readings: tuple[Reading, ...],
) -> TightDecision:
    kind = CLASS_OF_HOLDING[view.holding]
    if spot.state.to_call == 0:
        return TightDecision(TightRule.GIVE_UP_PREFLOP, Call(), readings)
    equity = prod(float(ranges.equities_against(seat)[kind]) for seat in against)
    position = IN_POSITION if spot.in_position else OUT_OF_POSITION
    realised = equity * (1.0 if spot.closes else position)
    readings = (
        *readings,
        Reading(name="equity", value=equity),
        Reading(name="of which it realises", value=realised),
        Reading(name="pot odds", value=spot.pot_odds),
    )
    if realised >= spot.pot_odds:
        rule = TightRule.CALL_ALL_IN if spot.closes else TightRule.CALL_PREFLOP
        return TightDecision(rule, Call(), readings)
    return TightDecision(TightRule.GIVE_UP_PREFLOP, Fold(), readings)


def _after_flop(view: View, spot: TightSpot, ranges: HandRanges) -> TightDecision:
    """Decide from the flop on, by rules 5 and 7 to 13."""
    state, board = spot.state, spot.state.board
    free = possible(view.holding, board)
    held = [_possible_part(ranges.holdings(seat), free) for seat in spot.rivals]
    wanted = np.any([weights > 0 for weights in held], axis=0)
    equities = equities_of(view.holding, board, wanted)
    equity = prod(mean_equity(equities, weights) for weights in held)
    readings: tuple[Reading, ...] = (Reading(name="equity", value=equity),)
    facing = state.to_call > 0
    size = state.bet + BET * (state.pot + state.to_call)
    if state.min_raise_to is not None:
        action = _sized(spot, size)
        called = _equity_when_called(spot, action, held, equities, ranges)
        least = RAISING_FAVOURITE if facing else FAVOURITE
        readings = (
            *readings,
            Reading(name="equity when called", value=called),
            Reading(
                name="which a raise asks for" if facing else "which a bet asks for", value=least
            ),
        )
        if called >= least:
            rule = TightRule.VALUE_RAISE if facing else TightRule.VALUE_BET
            return TightDecision(rule, action, readings)
    if not facing:
        if (
            state.street is Street.FLOP
            and ranges.raiser == spot.seat
            and len(spot.rivals) == 1
            and state.min_raise_to is not None
            and equity >= CONTINUATION_EQUITY
        ):
            size = CONTINUATION_BET * state.pot
            return TightDecision(TightRule.CONTINUATION_BET, _sized(spot, size), readings)
        return TightDecision(TightRule.CHECK, Call(), readings)
    return _call_or_fold(view, spot, held, equity, readings)


def _call_or_fold(
    view: View,
    spot: TightSpot,
    held: Sequence[Weights],
    equity: float,
    readings: tuple[Reading, ...],
) -> TightDecision:
    state = spot.state
    realised = equity * (1.0 if spot.closes else NEXT_STREETS[state.street])
    readings = (
        *readings,
        Reading(name="of which it realises", value=realised),
        Reading(name="pot odds", value=spot.pot_odds),
    )
    if realised >= spot.pot_odds:
        return TightDecision(
            TightRule.CALL_ALL_IN if spot.closes else TightRule.CALL, Call(), readings
        )
    if state.street is not Street.RIVER and not spot.closes and len(held) == 1:
        then = potential(view.holding, state.board, weights=held[0])
        improves = (1 - then.hs) * then.ppot
        readings = (*readings, Reading(name="overtakes with the next card", value=improves))
        if improves >= spot.pot_odds:
            return TightDecision(TightRule.DRAW, Call(), readings)
    return TightDecision(TightRule.FOLD, Fold(), readings)


def _equity_when_called(
    spot: TightSpot,
    action: Action,
    held: Sequence[Weights],
    equities: Weights,
    ranges: HandRanges,
) -> float:
    """Return the least equity against the part of each rival's range that would call a raise."""
    assert isinstance(action, Raise)
    state, ranked = spot.state, class_ranking(spot.state.board)
    put_in = action.to - state.street_bets[spot.seat]
    least = 1.0
    for rival, weights in zip(spot.rivals, held, strict=True):
        cost = max(action.to - state.street_bets[rival], 0)
        calling = kept(weights, ranked, _EACH, ranges.calling(rival, state.pot + put_in, cost))
        if calling.sum() > 0:
            least = min(least, mean_equity(equities, calling))
    return least


def _possible_part(weights: Weights, free: np.ndarray) -> Weights:
    """Return a range without known cards; any two cards if nothing of it is left."""
    left = np.where(free, weights, 0.0)
    return left if left.sum() > 0 else free.astype(np.float64)


def _sized(spot: TightSpot, size: float) -> Action:
    """Raise to a size; all-in if that would commit the seat or stacks are short."""
    big = max(spot.state.rules.blinds)
    short = spot.effective <= SHORT * big and spot.state.street is Street.PREFLOP
    if short or size > COMMITTED * spot.effective:
        size = spot.effective
    return _raise_to(spot, size)


def _raise_to(spot: TightSpot, size: float) -> Action:
    """Raise to the nearest legal size; call if no raise is allowed."""
    low, high = spot.state.min_raise_to, spot.state.max_raise_to
    if low is None or high is None:
        return Call()
    return Raise(Chips(min(max(round(size), low), high)))


def _share(classes: Weights) -> float:
    """Return the share of the 1,326 holdings in a range of classes."""
    return float(classes[CLASS_OF_HOLDING].mean())


# The player.


class TightPlayer:
    """Plays hold'em by thirteen no-limit rules, and counts how often others raise, bet and call.

    It infers everybody's range from the actions of a hand, and learns from nothing else. In other
    betting structures its bets are the nearest legal ones. The constructor opens the hand-rank
    tables, and builds them if they are missing.
    """

    def __init__(self) -> None:
        make_ready()
        order()
        charts(SHORT)
        self._stream = SplitMix64(0)
        self._views: list[View] = []
        self._acts: list[tuple[int, Act]] = []
        self._ranges = HandRanges(())
        self._habits: dict[int, Habits] = {}
        self._people: tuple[int, ...] | None = None
        self._decision: TightDecision | None = None

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws, and forget everybody's habits."""
        self._stream = SplitMix64(int(rng.integers(1 << 64, dtype=np.uint64)))
        self._views, self._acts, self._decision = [], [], None
        self._habits, self._people = {}, None

    def meet(self, people: tuple[int, ...]) -> None:
        """Set who sits in each seat in the next hand."""
        self._people = people

    def begin(self, view: View) -> None:
        """Begin a hand, in which everybody may hold anything."""
        self._views, self._acts = [view], []
        people = self._people or range(view.rules.seats)
        self._ranges = HandRanges([self._habits.setdefault(who, Habits()) for who in people])

    def observe(self, view: View, event: Event) -> None:
        """Note an action; what it says is worked out only when a decision needs it."""
        self._views.append(view)
        if isinstance(event, Act):
            self._acts.append((len(self._views) - 1, event))

    def end(self, view: View) -> None:
        """Count the actions since the last decision."""
        self._learn(over=True)

    def act(self, view: View) -> Action:
        """Decide by the first rule that applies."""
        decision = self._decide(view)
        self._decision = decision
        if not decision.mixed:
            return decision.action
        left = self._stream.fraction()
        for action, chance in decision.mixed:
            left -= chance
            if left < 0:
                return action
        return decision.action

    def distribution(self, view: View) -> Distribution:
        """Return the equilibrium's probabilities if it decides, otherwise one certain action."""
        return self._decide(view).distribution

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        """Return the answers for the given holdings."""
        return ask_each(self, view, holdings)

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        if self._decision is None:
            raise LookupError("this player has not decided anything yet")
        rivals = [seat for seat in view.state.in_hand if seat != view.seat]
        return Explanation(
            rule=f"{rule_sentence(self._decision.rule)}.",
            readings=self._decision.readings,
            beliefs=tuple(
                BeliefHistory(seat=seat, stages=self._ranges.stages(seat)) for seat in rivals
            ),
        )

    def _decide(self, view: View) -> TightDecision:
        """Bring the ranges up to date, and decide."""
        self._learn()
        return decide(view, self._ranges)

    def _learn(self, *, over: bool = False) -> None:
        for place, act in self._acts:
            before, after = self._views[place - 1].state, self._views[place].state
            self._ranges.learn(ActionInHand(act, before, after), over=over)
        self._acts = []
