"""Grades of one person's decisions in any hold'em, by what could be seen when they were taken.

Hindsight grades nothing: paying off the best hand may have been right, and so may folding it. The
cost of a decision is known only where a judge needs no more than the player's own cards:

* the push/fold equilibrium (`solved`), which is exact for short stacks heads-up;
* before the flop in no-limit of two to six seats, the charts of two games
  (`railbird.assessment.preflop_decisions`);
* between two players after the flop in no-limit, the solution of the rest of the hand
  (`railbird.assessment.solved_decisions`), where it is asked for;
* for other calls and folds that end the betting, the equity against the opponents' ranges that the
  betting so far leaves. A fold is worth 0, a call its share of the pots less its price. No model
  knows the opponents. So two models that have nothing in common read their betting, and the second
  is also applied as if the opponents bluffed more, had the best of their ranges, or bet with any
  hand (`railbird.modelling.betting_ranges.RETOLD`). Only where all agree is there a grade.

Every other action, such as a bet against several players, has an unknown value, because that
depends on others' answers. Such decisions are listed as unknown, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

import polars as pl

from railbird.assessment.preflop_decisions import NotCharted, preflop_cost
from railbird.assessment.pushfold import ChoiceLosses, PushfoldStrategy, choices
from railbird.assessment.solved_decisions import (
    LEAST_REACH,
    SpotReading,
    SpotValues,
    why_not_solved,
)
from railbird.cards import CLASS_OF_HOLDING, Holding
from railbird.errors import BadInput
from railbird.game import Act, Action, Betting, Call, Fold, HandState, Raise, Rules, Street, act
from railbird.histories import HandRecord
from railbird.modelling.betting_ranges import (
    RETOLD,
    Shares,
    observed_actions,
    range_left,
    retold,
)
from railbird.modelling.learned import LearnedTracker
from railbird.modelling.reweighting import Weights
from railbird.modelling.tracker import ObservedAction
from railbird.odds import showdown_odds
from railbird.players.advice import tell
from railbird.players.explanation import in_units
from railbird.players.pushfold import charts
from railbird.players.tight import ActionInHand, Habits, HandRanges
from railbird.solve import LEAST_STACK, pushfold_ev
from railbird.solve import Seat as Blind
from railbird.units import Seat

MOST_SOLVED_BB: Final = 10.0
"""Big blinds up to which a heads-up decision is judged by the push/fold equilibrium: with deeper
stacks small raises and calls are worth so much that its choice is no longer the best."""

MARGIN: Final = 0.05
"""Equity by which a call's bounds are wider than its readings, so that real cards are covered: with
and without it; ``docs/report.md`` gives both shares, also for logs not used to choose it. A bound
near 0 or 1 moves by no more than its distance from there: a hand that beats one in two hundred by
every reading does not beat one in twenty, and what it calls with is lost."""
_BOARDS: Final = 2_000
"""Boards before the flop against several opponents: a share of the pot to about 1 %."""


class Grade(Enum):
    """How a decision was, as far as could be seen."""

    GOOD = "good"
    CLOSE = "close"
    """The choices are worth about the same."""
    UNKNOWN = "unknown"
    """The models do not agree, or nothing judges."""
    MISTAKE = "mistake"


class Judge(Enum):
    """What valued a decision."""

    EQUILIBRIUM = "push/fold"
    SOLUTION = "solution"
    CHARTS = "charts"
    RANGES = "ranges"


SMALL: Final = 0.03
"""Part of the pot that a decision may cost without being called a mistake."""
CLOSE: Final = 0.1
"""Part of the pot up to which such a decision, if it is not good, is called close."""

SCHEMA: Final = {
    "row": pl.Int64,
    "act": pl.Int64,
    "grade": pl.String,
    "best": pl.String,
    "by": pl.String,
    "reason": pl.String,
    "cost_low": pl.Float64,
    "cost_high": pl.Float64,
    "frequency": pl.Float64,
    "given_up": pl.Float64,
    "required": pl.Float64,
    "equity_low": pl.Float64,
    "equity_high": pl.Float64,
    "call_low": pl.Float64,
    "call_high": pl.Float64,
    **{f"cost_{reading}": pl.Float64 for reading in RETOLD},
}
"""Columns of `grades`: ``row`` of the hand and ``act``, the number of the action in it, from 0;
``grade``, a value of `Grade`; ``best``, the better action, null if close or unknown;
``by``, a value of `Judge`, null where nothing judges; ``reason``, why the grade is unknown;
``cost_low`` and ``cost_high``, what the decision gave up at least and at most, in the unit of the
game, null where nothing judges. By the push/fold equilibrium ``frequency``, how often it plays the
hand, and ``given_up``, big blinds. Of a call or fold that ends the betting ``required``, the equity
at which a call breaks even, the least and the most equity by the readings, and what the call is
worth beside a fold by them, in the unit of the game. ``cost_half``, ``cost_best`` and ``cost_any``
are what the decision cost if the opponents' betting is read otherwise (`RETOLD`)."""


class _GradedCall(NamedTuple):
    """A call that ends the betting, by several readings of the opponents' ranges."""

    price: float
    won: float
    """Chips that a sure winner gets, rake taken off."""
    equities: dict[str, float]
    """By reading; its names are those of `RETOLD`, and of two models."""

    def worth(self, equity: float) -> float:
        """Return chips beside a fold."""
        return equity * self.won - self.price


class _Pot(NamedTuple):
    """A pot that a call competes for."""

    chips: int
    rivals: tuple[Seat, ...]


def grades(
    records: Iterable[HandRecord],
    name: str,
    *,
    shares: Shares | None = None,
    spots: SpotValues | None = None,
) -> pl.DataFrame:
    """Grade the decisions of one participant, whose hands come in their order.

    Each decision of a hand whose holding is known has a row. What is learned of opponents on the
    way, in limit, is what earlier hands showed of them. ``shares`` are as for
    `railbird.modelling.betting_ranges.range_left`; ``spots`` solve the rest of the hand where two
    are left, by default nothing does.
    """
    rows: list[dict[str, object]] = []
    tracker = LearnedTracker()
    numbers: dict[str, int] = {}
    for row, record in enumerate(records):
        people = tuple(numbers.setdefault(player, len(numbers)) for player in record.players)
        seat = Seat(record.players.index(name))
        is_limit = record.rules.betting is Betting.LIMIT
        for number, observed, seen in _acts(record, tracker if is_limit else None, seat, people):
            holding = record.holes[seat]
            if observed.act.seat == seat and holding is not None:
                model = tracker if is_limit else shares
                grade = _graded(observed, holding, seen, model, spots)
                rows.append({"row": row, "act": number, **grade})
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _acts(
    record: HandRecord, tracker: LearnedTracker | None, seat: Seat, people: tuple[int, ...]
) -> Iterator[tuple[int, ObservedAction, Sequence[ObservedAction]]]:
    """Yield the actions of a hand with their numbers and those before them.

    A tracker observes an action before it is yielded, and cards after it.
    """
    seen: list[ObservedAction] = []
    for observed in (
        observed_actions(record) if tracker is None else _told(record, tracker, seat, people)
    ):
        yield len(seen), observed, seen
        seen.append(observed)


def _told(
    record: HandRecord, tracker: LearnedTracker, seat: Seat, people: tuple[int, ...]
) -> Iterator[ObservedAction]:
    before: HandState | None = None
    for _, step in tell(tracker, record, seat, people):
        if isinstance(step.event, Act):
            assert before is not None
            yield ObservedAction(before, step.event)
        before = step.after


def _graded(
    observed: ObservedAction,
    holding: Holding,
    seen: Sequence[ObservedAction],
    model: LearnedTracker | Shares | None,
    spots: SpotValues | None,
) -> dict[str, object]:
    """Return the columns of the frame but for its first two; those that are missing are null."""
    state, action = observed.before, observed.act.action
    by_equilibrium = solved(state, holding, action)
    if by_equilibrium is not None:
        best, frequency, cost = by_equilibrium
        return {
            "grade": (Grade.MISTAKE if cost > 0 else Grade.GOOD).value,
            "best": best,
            "by": Judge.EQUILIBRIUM.value,
            "cost_low": cost,
            "cost_high": cost,
            "frequency": frequency,
            "given_up": cost,
        }
    by_ranges = _graded_call(observed, holding, seen, model)
    if not by_ranges and state.street is Street.PREFLOP and state.rules.betting is Betting.NO_LIMIT:
        return _by_charts(observed, holding, seen)
    why = why_not_solved(state, seen) if spots is None else spots.why_not(state, seen)
    if spots is not None and not why:
        try:
            readings = spots.readings(observed, holding, seen)
        except BadInput as problem:
            why = f"not solved: {problem}"
        else:
            if min(reading.reach for reading in readings) >= LEAST_REACH:
                return by_ranges | _by_solution(readings, state, by_ranges)
            why = "good play hardly ever gets here"
    if by_ranges:
        return by_ranges
    return {"grade": Grade.UNKNOWN.value, "reason": why or "more betting to come"}


def _by_charts(
    observed: ObservedAction, holding: Holding, seen: Sequence[ObservedAction]
) -> dict[str, object]:
    """Grade a decision before the flop by charts."""
    try:
        cost = preflop_cost(observed, holding, seen)
    except NotCharted as problem:
        return {"grade": Grade.UNKNOWN.value, "reason": str(problem)}
    pot = observed.before.pot / observed.before.rules.big_blind
    return {
        "by": Judge.CHARTS.value,
        **_grade(cost.low / pot, cost.high / pot, better=cost.best),
        "cost_low": cost.low,
        "cost_high": cost.high,
    }


def _graded_call(
    observed: ObservedAction,
    holding: Holding,
    seen: Sequence[ObservedAction],
    model: LearnedTracker | Shares | None,
) -> dict[str, object]:
    """Grade a call or fold that ends the betting by the range models; empty for anything else."""
    state, action = observed.before, observed.act.action
    if not isinstance(action, Call | Fold) or not call_ends_betting(state):
        return {}
    call = _call(state, holding, seen, model)
    if call is None:
        return {}
    unit, pot = float(state.rules.chips_per_unit), float(state.pot)
    low, high = min(call.equities.values()), max(call.equities.values())
    low, high = low - min(MARGIN, 1 - low), high + min(MARGIN, high)
    equities = max(low, 0.0), min(high, 1.0)
    values = call.worth(equities[0]), call.worth(equities[1])
    folded = isinstance(action, Fold)
    costs = values if folded else (-values[1], -values[0])
    costs_retold = {
        f"cost_{name}": max((1 if folded else -1) * call.worth(call.equities[name]), 0.0) / unit
        for name in RETOLD
    }
    return {
        "by": Judge.RANGES.value,
        **_grade(
            max(costs[0], 0.0) / pot,
            max(costs[1], 0.0) / pot,
            better="call" if folded else "fold",
            done="fold" if folded else "call",
        ),
        "cost_low": max(costs[0], 0.0) / unit,
        "cost_high": max(costs[1], 0.0) / unit,
        "required": call.price / call.won,
        "equity_low": equities[0],
        "equity_high": equities[1],
        "call_low": values[0] / unit,
        "call_high": values[1] / unit,
        **costs_retold,
    }


_DISAGREE: Final = "depends on how opponents play"


def _by_solution(
    readings: Sequence[SpotReading], state: HandState, by_ranges: Mapping[str, object]
) -> dict[str, object]:
    """Grade a decision by what solutions say of it.

    In place of a reading by which good play hardly ever gets here stands what the call wins by it,
    of a call or fold that ends the betting.
    """
    unit, pot = float(state.rules.chips_per_unit), float(state.pot)
    models = [reading for reading in readings if not reading.retold]
    instead = {name: by_ranges.get(f"cost_{name}") for name in RETOLD}
    costs_retold = {f"cost_{name}": cost for name, cost in instead.items()} | {
        f"cost_{reading.retold}": (reading.low + reading.high) / 2 / unit
        for reading in readings
        if reading.retold
    }
    solved_by = {reading.retold for reading in readings}
    bounds = [(reading.low, reading.high) for reading in readings] + [
        (cost * unit, cost * unit)
        for name, cost in instead.items()
        if name not in solved_by and isinstance(cost, float)
    ]
    low, high = min(low for low, _ in bounds), max(high for _, high in bounds)
    return {
        "by": Judge.SOLUTION.value,
        **_grade(low / pot, high / pot, better=_best_of(models, state.rules)),
        "cost_low": low / unit,
        "cost_high": high / unit,
        **costs_retold,
    }


def _grade(low: float, high: float, *, better: str, done: str | None = None) -> dict[str, object]:
    """Return a decision's grade by the bounds of its cost, with the best action or a reason."""
    grade = grade_of_costs(low, high)
    return {
        "grade": grade.value,
        "best": {Grade.MISTAKE: better, Grade.GOOD: done}.get(grade),
        "reason": _DISAGREE if grade is Grade.UNKNOWN else None,
    }


def _best_of(readings: Sequence[SpotReading], rules: Rules) -> str:
    """Name the action that is worth most, with its size where all readings have the same.

    >>> from railbird.game import HEADS_UP_NO_LIMIT
    >>> _best_of([SpotReading(f"bet {size}", 1, 2, 1) for size in (50, 80)], HEADS_UP_NO_LIMIT)
    'bet'
    >>> _best_of([SpotReading("raise 150", 1, 2, 1)], HEADS_UP_NO_LIMIT)
    'raise to 1.5 bb'
    """
    kinds = dict.fromkeys(reading.best.split()[0] for reading in readings)
    sizes = {reading.best for reading in readings}
    kind, *size = readings[0].best.split()
    if len(sizes) == 1 and size and kind in ("bet", "raise"):
        return f"{kind} {'to ' * (kind == 'raise')}{in_units(float(size[0]), rules)}"
    return " or ".join(kinds)


def grade_of_costs(low: float, high: float) -> Grade:
    """Grade a decision by the least and the most that it cost, in parts of the pot.

    >>> [grade_of_costs(*each).value for each in ((0, 0.01), (0, 0.08), (0, 0.5), (0.1, 0.4))]
    ['good', 'close', 'unknown', 'mistake']
    """
    if high <= SMALL:
        return Grade.GOOD
    if low > SMALL:
        return Grade.MISTAKE
    return Grade.CLOSE if high <= CLOSE else Grade.UNKNOWN


def call_ends_betting(state: HandState) -> bool:
    """Return whether nobody can bet any more once the actor has called a bet."""
    if state.actor is None or not state.to_call:
        return False
    after = act(state, Call())
    if after.actor is not None:
        return False
    if after.street is Street.RIVER:
        return True
    stacks = after.stacks
    return stacks is not None and sum(stacks[seat] > 0 for seat in after.in_hand) <= 1


def _call(
    state: HandState,
    holding: Holding,
    seen: Sequence[ObservedAction],
    model: LearnedTracker | Shares | None,
) -> _GradedCall | None:
    """Value a call by all readings; None if what one leaves of a range is nothing."""
    seat = state.actor
    assert seat is not None
    after = act(state, Call())
    rivals = tuple(other for other in after.in_hand if other != seat)
    plain = HandRanges([Habits() for _ in range(state.rules.seats)])
    for observed in seen:
        plain.learn(
            ActionInHand(observed.act, observed.before, act(observed.before, observed.act.action))
        )
    counted: dict[Seat, Weights] = (
        {rival: model.weights(rival) for rival in rivals}
        if isinstance(model, LearnedTracker)
        else {rival: range_left(seen, rival, model) for rival in rivals}
    )
    readings = {
        "plain": {rival: plain.holdings(rival) for rival in rivals},
        "counted": counted,
        **{
            name: {rival: retold(weights, name, state.board) for rival, weights in counted.items()}
            for name in RETOLD
        },
    }
    price = after.spent[seat] - state.spent[seat]
    pots = _pots(after, seat)
    chips = sum(pot.chips for pot in pots)
    left = 1 - after.raked / max(after.pot, 1)
    equities = {}
    for name, ranges in readings.items():
        try:
            won = sum(pot.chips * _share(holding, state, pot, ranges) for pot in pots)
        except BadInput:
            return None
        equities[name] = won / chips
    return _GradedCall(price, chips * left, equities)


def _share(holding: Holding, state: HandState, pot: _Pot, ranges: dict[Seat, Weights]) -> float:
    if not pot.rivals:
        return 1.0
    theirs = [ranges[other] for other in pot.rivals]
    return showdown_odds(holding, state.board, theirs, samples=_BOARDS).joint


def _pots(after: HandState, seat: Seat) -> list[_Pot]:
    """Return the main pot, with the antes, and the side pots that a seat competes for.

    The last may be its own alone: chips above what those who are still in have put in.
    """
    antes = after.rules.antes or (0,) * after.rules.seats
    stacks = after.rules.stacks
    dead = [ante if stacks is None else min(ante, stacks[at]) for at, ante in enumerate(antes)]
    live = [spent - ante for spent, ante in zip(after.spent, dead, strict=True)]
    rivals = [other for other in after.in_hand if other != seat]
    pots, below, more = list[_Pot](), 0, sum(dead)
    for level in sorted({*(min(live[other], live[seat]) for other in rivals), live[seat]}):
        chips = sum(min(amount, level) - min(amount, below) for amount in live) + more
        there = tuple(other for other in rivals if live[other] >= level)
        pots.append(_Pot(chips, there))
        below, more = level, 0
    return pots


# Heads-up decisions between all-in and fold, valued against the equilibrium.
#
# They need the player's own cards only, and what a decision costs is exact: no sample, no baseline.


_STEP = 0.5
"""Big blinds to which stacks are rounded, as `railbird.players.pushfold` does."""


class Solved(NamedTuple):
    """The equilibrium's answer to a decision."""

    best: str
    """``all-in``, ``call`` or ``fold``."""
    frequency: float
    """How often the equilibrium plays the hand rather than folding it."""
    cost: float
    """Big blinds that the decision gave up; 0 where both choices are worth the same."""


def solved(state: HandState, holding: Holding, action: Action) -> Solved | None:
    """Judge a decision by the push/fold equilibrium; None where it has no answer.

    It has one for two players with blinds of one to two, no antes and at most `MOST_SOLVED_BB` big
    blinds: for the first decision before the flop if that is a fold or all-in, and for the answer
    to an all-in.
    """
    rules = state.rules
    seat = state.actor
    if seat is None or rules.betting is not Betting.NO_LIMIT or rules.seats != 2:
        return None
    small, big = sorted(rules.blinds)
    if any(rules.antes) or rules.rake is not None or state.street is not Street.PREFLOP:
        return None
    if rules.stacks is None or 2 * small != big:
        return None
    stack = min(rules.stacks) / big
    if not LEAST_STACK <= stack <= MOST_SOLVED_BB:
        return None
    if state.raises == 0 and rules.blinds[seat] == small:
        blind = Blind.SMALL_BLIND
        plays = isinstance(action, Raise) and action.to >= min(rules.stacks)
    elif state.raises == 1 and state.bet >= min(rules.stacks):
        blind = Blind.BIG_BLIND
        plays = isinstance(action, Call)
        # After a limp it is the small blind who answers the all-in. Push/fold has no limps.
        if rules.blinds[seat] != big:
            return None
    else:
        return None
    # A limp or a smaller raise, which the solved game does not have.
    if not plays and not isinstance(action, Fold):
        return None
    # Stacks are rounded, so that a log needs few charts and the cache holds them.
    values = _choices(blind, round(stack / _STEP) * _STEP)
    hand = CLASS_OF_HOLDING[holding]
    frequency = min(1.0, max(0.0, float(values.frequency[hand])))
    play = "all-in" if blind is Blind.SMALL_BLIND else "call"
    better = values.fold[hand] > values.play[hand]
    # The equilibrium mixes hands that are worth the same either way; the better play is then the
    # one that it makes more often.
    if values.fold[hand] == values.play[hand]:
        better = frequency >= 1 / 2
    cost = values.play[hand] if plays else values.fold[hand]
    return Solved(play if better else "fold", frequency, float(cost))


@lru_cache(maxsize=64)
def _choices(seat: Blind, stack: float) -> ChoiceLosses:
    strategy = PushfoldStrategy(*charts(stack))
    return choices(seat, strategy, pushfold_ev(*strategy, stack=stack))


def counts_of(values: pl.Series) -> dict[str, int]:
    """Count each value but null, the most frequent first, equally frequent ones by name.

    >>> counts_of(pl.Series(["close", "good", None, "good", "close", "mistake"]))
    {'close': 2, 'good': 2, 'mistake': 1}
    """
    counts = values.drop_nulls().alias("value").value_counts()
    return dict(counts.sort("count", "value", descending=[True, False]).iter_rows())
