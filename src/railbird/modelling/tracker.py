"""Weights of the opponents' holdings, from their actions (Papp 1998, chapter 6).

An action is taken to be done with the hands above a threshold, which is the share of hands that the
player's frequencies leave out. A street counts once, by its action of the highest threshold. All of
it is public, so trackers that have seen the same hands share their arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CLASS_OF_HOLDING, HOLDING_CARDS, HOLDINGS, Card
from railbird.game import Act, Call, DealBoard, Event, Fold, HandState, Raise, Street, View
from railbird.modelling.boards import board_values
from railbird.modelling.frequencies import BETS, DEFAULTS, Frequencies, Habit
from railbird.modelling.income_rates import income_rates
from railbird.units import Seat

Weights = NDArray[np.float64]
"""(1326,) from 0 to 1, in proportion to the chances of the holdings; 0 where a card lies open."""

LOW = 0.01
"""Least factor and least weight: no legal holding is ever ruled out."""
PREFLOP_SPREAD = 330.0
"""Thousandths of a small bet on either side of the mean."""
NO_LESSON = 0.05
"""A preflop threshold below which nothing is learned: the rates there are too far apart."""
POSTFLOP_SPREAD = 0.4
"""Times 1 - mean, on either side of the mean."""
_STEPS = 1000
"""Thresholds are rounded to so many parts of one, so that arrays can be shared."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one action says of its player's holding."""

    board: tuple[Card, ...]
    """Ascending; empty before the flop."""
    mean: float
    """Share of the hands below the threshold."""
    pot_odds: float
    """What the action asked of a draw: one with more potential keeps its weight; 1 for none."""


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """An action, the lesson and the weights on both sides of it."""

    act: Act
    lesson: Lesson
    before: Weights
    after: Weights


@dataclass(slots=True)
class _Seat:
    """One opponent in the current hand."""

    lessons: tuple[Lesson, ...] = ()
    """At most one for each street, in order."""


class Tracker:
    """Follows the hands of a table and keeps weights for every seat.

    Generic unless ``specific``: then thresholds come from what each player was seen to do.
    """

    def __init__(self, *, specific: bool, decay: float = 1.0) -> None:
        self._specific = specific
        self._decay = decay
        self.reset()

    def reset(self) -> None:
        """Forget everybody."""
        self._habits: dict[int, Frequencies] = {}
        self._people: tuple[int, ...] | None = None
        self._seats: list[_Seat] = []
        self._acts: list[tuple[Act, Lesson, tuple[Lesson, ...]]] = []
        self._state: HandState | None = None
        self._board: tuple[Card, ...] = ()

    def meet(self, people: tuple[int, ...]) -> None:
        """Who sits where in the next hand; if nobody says so, seats are people."""
        self._people = people

    def begin(self, view: View) -> None:
        """A hand starts."""
        self._state = view.state
        self._board = ()
        self._acts.clear()
        self._seats = [_Seat() for _ in range(view.rules.seats)]

    def observe(self, view: View, event: Event) -> None:
        """Learn from an action, or see new cards."""
        before, self._state = self._state, view.state
        match event:
            case Act(seat, action) if before is not None and seat != view.seat:
                self._learn(before, Act(seat, action))
            case DealBoard():
                self._board = tuple(sorted(view.state.board))
            case _:
                pass

    def end(self, view: View) -> None:
        """The hand is over; what was shown teaches nothing."""

    def weights(self, seat: Seat) -> Weights:
        """What one opponent may hold."""
        return _weights(self._seats[seat].lessons, self._board)

    def field(self, seats: tuple[Seat, ...]) -> Weights:
        """The mean of some opponents' weights, each brought to a sum of one."""
        arrays = [self.weights(seat) for seat in seats]
        field: Weights = np.mean([array / array.sum() for array in arrays], axis=0)
        return field

    def learned(self) -> tuple[Learned, ...]:
        """What each action of the hand so far has taught."""
        return tuple(
            Learned(
                act,
                lesson,
                _weights(before, lesson.board),
                _weights(_with(before, lesson), lesson.board),
            )
            for act, lesson, before in self._acts
        )

    def habits(self, seat: Seat) -> Frequencies:
        """What the player of a seat was seen to do; a generic tracker counts nothing."""
        person = seat if self._people is None else self._people[seat]
        if person not in self._habits:
            self._habits[person] = Frequencies(decay=self._decay)
        return self._habits[person]

    def _learn(self, before: HandState, act: Act) -> None:
        street, seat = before.street, act.seat
        bets = -(-before.to_call // before.rules.bet_sizes[street])
        habit = _habit(act)
        fold, _, bet = DEFAULTS[min(bets, BETS - 1)]
        if self._specific:
            habits = self.habits(seat)
            fold, _, bet = habits.of(street, bets)
            habits.count(street, bets, habit)
        if habit is Habit.FOLD or (habit is Habit.CALL and not bets):
            return
        mean = round((fold if habit is Habit.CALL else 1 - bet) * _STEPS) / _STEPS
        lesson = Lesson(self._board, mean, _pot_odds(before, habit))
        known = self._seats[seat].lessons
        self._acts.append((act, lesson, known))
        self._seats[seat].lessons = _with(known, lesson)


def _habit(act: Act) -> Habit:
    match act.action:
        case Fold():
            return Habit.FOLD
        case Call():
            return Habit.CALL
        case Raise():
            return Habit.RAISE


def _pot_odds(state: HandState, habit: Habit) -> float:
    """Share of the pot that the action paid; 1 on the river, where nothing is drawn to."""
    if state.street is Street.RIVER or state.street is Street.PREFLOP:
        return 1.0
    size = state.rules.bet_sizes[state.street]
    paid = state.to_call + (size if habit is Habit.RAISE else 0)
    return round(paid / (state.pot + paid), 2)


def _with(known: tuple[Lesson, ...], lesson: Lesson) -> tuple[Lesson, ...]:
    """The lessons with a new one: of each street the one with the highest threshold stays."""
    if not known or len(known[-1].board) != len(lesson.board):
        return (*known, lesson)
    return (*known[:-1], lesson) if lesson.mean > known[-1].mean else known


@lru_cache(maxsize=1 << 14)
def _weights(lessons: tuple[Lesson, ...], board: tuple[Card, ...]) -> Weights:
    if not lessons:
        weights = np.ones(HOLDINGS)
    else:
        *earlier, last = lessons
        weights = np.maximum(_weights(tuple(earlier), ()) * _factors(last), LOW)
    if board:
        weights = np.where(_blocked(board), 0.0, weights)
    weights.flags.writeable = False
    return weights


@lru_cache(maxsize=1 << 12)
def _factors(lesson: Lesson) -> Weights:
    """What an action multiplies the weight of each holding by."""
    if not lesson.board:
        return _preflop_factors(lesson.mean)
    values = board_values(lesson.board)
    spread = POSTFLOP_SPREAD * (1 - lesson.mean)
    factors = interpolated(values.ehs, lesson.mean, spread, least=0.0)
    drawing = values.potential >= lesson.pot_odds
    return np.where(drawing, 1.0, factors)


@cache
def _preflop_factors(mean: float) -> Weights:
    if mean < NO_LESSON:
        return np.ones(HOLDINGS)
    rates = income_rates(6)[CLASS_OF_HOLDING]
    middle = float(np.quantile(rates, mean))
    return interpolated(rates, middle, PREFLOP_SPREAD, least=-np.inf)


def interpolated(
    values: NDArray[np.float64], mean: float, spread: float, *, least: float
) -> NDArray[np.float64]:
    """Factors that rise from `LOW` to 1 between ``mean`` - ``spread`` and ``mean`` + ``spread``.

    Where that begins below ``least``, the smallest value that there is, the line starts there, as
    high as leaves its area what it was.

    >>> interpolated(np.array([0.0, 0.5, 0.6, 0.9]), 0.5, 0.2, least=0.0).round(3).tolist()
    [0.01, 0.505, 0.752, 1.0]
    >>> interpolated(np.array([0.0]), 0.1, 0.3, least=0.0).round(3).tolist()
    [0.5]
    """
    if mean - spread < least:
        start = (spread - (mean - least)) / (spread + (mean - least))
        factors = start + (1 - start) * (values - least) / (mean + spread - least)
    else:
        factors = LOW + (1 - LOW) * (values - mean + spread) / max(2 * spread, 1e-9)
    return np.clip(factors, LOW, 1.0)


@lru_cache(maxsize=1 << 12)
def _blocked(board: tuple[Card, ...]) -> NDArray[np.bool_]:
    either: NDArray[np.bool_] = np.isin(HOLDING_CARDS, board)
    return either[:, 0] | either[:, 1]
