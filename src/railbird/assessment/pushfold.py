"""Push/fold decisions of any number of people: read from CSV, counted by seat and hand class.

`railbird.solve.pushfold` solves the game that they are compared with.
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird.cards import CLASS_OF_HOLDING, CLASSES, Holding, holding_of, parse_cards
from railbird.errors import BadInput, NothingUsable
from railbird.estimates import Estimate
from railbird.estimates.bounded_mean import SkewedEstimate, mean_of, skewed
from railbird.estimates.distributions import log_beta
from railbird.progress import Progress
from railbird.solve import (
    COMBINATIONS,
    LEAST_STACK,
    MOST_STACK,
    PushFoldSolution,
    PushFoldValues,
    Seat,
    best_response_call,
    best_response_push,
    pushfold_ev,
    share_of_holdings,
)

# Two complete strategies of push/fold against each other, valued exactly.
#
# One is judged, the other is that of an opponent; each has frequencies for all 169 classes in both
# seats (Chin and Lopez 2023, section 3).


_Frequencies = npt.NDArray[np.float64]


class PushfoldStrategy(NamedTuple):
    """Frequency of playing each class in each seat."""

    push: _Frequencies
    """(169,) how often the small blind shoves."""
    call: _Frequencies
    """(169,) how often the big blind calls."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matchup:
    """A strategy against an opponent's, all in big blinds a hand."""

    own: PushfoldStrategy
    opponent: PushfoldStrategy
    small_blind: float
    """Winnings of the strategy as the small blind against the opponent's calls."""
    big_blind: float
    """Winnings of the strategy as the big blind against the opponent's shoves."""
    best: PushfoldStrategy
    """The best response to the opponent; a hand that earns as much either way folds."""
    best_small_blind: float
    """Winnings of the best response as the small blind."""
    best_big_blind: float
    against_call: PushFoldValues
    """The strategy's shoves and the opponent's calls, valued against each other."""
    against_push: PushFoldValues
    """The opponent's shoves and the strategy's calls."""

    @property
    def mean(self) -> float:
        """Winnings of the strategy, averaged over the seats."""
        return (self.small_blind + self.big_blind) / 2

    @property
    def gain(self) -> float:
        """Additional winnings of the best response, averaged over the seats."""
        return (self.best_small_blind + self.best_big_blind) / 2 - self.mean

    def opposite_is_better(self, seat: Seat) -> npt.NDArray[np.bool_]:
        """(169,) where playing 1 - f instead of f would earn the strategy more."""
        if seat is Seat.SMALL_BLIND:
            values = self.against_call
            return _opposite(self.own.push, values.push_ev - values.fold_ev_sb)
        values = self.against_push
        return _opposite(self.own.call, values.call_ev - values.fold_ev_bb)

    def hand_values(self, seat: Seat) -> _Frequencies:
        """(169,) what the strategy wins with each class, walks of the big blind included."""
        if seat is Seat.SMALL_BLIND:
            return _small_blind(self.own.push, self.against_call)
        return _big_blind(self.own.call, self.against_push)

    def opponent_values(self, seat: Seat) -> _Frequencies:
        """(169,) what the opponent wins with each class in a seat of his."""
        if seat is Seat.SMALL_BLIND:
            return _small_blind(self.opponent.push, self.against_push)
        return _big_blind(self.opponent.call, self.against_call)


def match_up(
    own: PushfoldStrategy, opponent: PushfoldStrategy, *, stack: float, ante: float = 0.0
) -> Matchup:
    """Play a strategy against an opponent's. Raises `BadInput` as `pushfold_ev` does."""
    stakes = {"stack": stack, "ante": ante}
    against_call = pushfold_ev(own.push, opponent.call, **stakes)
    against_push = pushfold_ev(opponent.push, own.call, **stakes)
    best = PushfoldStrategy(
        best_response_push(opponent.call, **stakes), best_response_call(opponent.push, **stakes)
    )
    return Matchup(
        own=own,
        opponent=opponent,
        small_blind=against_call.sb_value,
        big_blind=against_push.bb_value,
        best=best,
        best_small_blind=pushfold_ev(best.push, opponent.call, **stakes).sb_value,
        best_big_blind=pushfold_ev(opponent.push, best.call, **stakes).bb_value,
        against_call=against_call,
        against_push=against_push,
    )


def _opposite(frequency: _Frequencies, advantage: _Frequencies) -> npt.NDArray[np.bool_]:
    better: npt.NDArray[np.bool_] = (1 - 2 * frequency) * advantage > 0
    return better


def _small_blind(push: _Frequencies, values: PushFoldValues) -> _Frequencies:
    """(169,) value of the small blind's classes."""
    return push * values.push_ev + (1 - push) * values.fold_ev_sb


def _big_blind(call: _Frequencies, values: PushFoldValues) -> _Frequencies:
    """(169,) value of the big blind's classes: walks, folds and calls."""
    facing = call * values.call_ev + (1 - call) * values.fold_ev_bb
    walk: _Frequencies = (1 - values.facing) * -values.fold_ev_sb + values.facing * facing
    return walk


DEFAULT_STACK = 10.0
"""Big blinds of push/fold decisions that do not say their stack."""

INDIFFERENT_BB = 1e-4
"""Loss of a push/fold decision, in big blinds, that counts as none."""

COLUMNS = ("card1", "card2", "position", "decision")
"""Required columns of a list."""
OPTIONAL = ("stack_bb", "hinted")
"""Optional columns; others are ignored."""
STACK_DIGITS = 1
"""Decimals to which stacks are rounded, so that few of them must be solved."""
_LONGEST_LINE = 1 << 16  # a file without line ends must not end up in memory
_ROWS_PER_CALL = 1 << 14
_SPELLINGS = 1 << 16
_Counts = npt.NDArray[np.int64]


class RowProblem(Enum):
    """Reason for ignoring a row."""

    CARDS = "cards missing or unreadable"
    POSITION = "position other than sb and bb"
    DECISION = "decision other than aggress and fold"
    STACK = "stack other than 1 to 100 big blinds"
    HINT = "hinted other than true and false"
    HINTED = "made after a hint"


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A row that does not count."""

    line: int
    problem: RowProblem
    text: str


@dataclass(frozen=True, slots=True)
class PushFoldDecision:
    """One decision of a person."""

    seat: Seat
    holding: Holding
    aggressive: bool
    """Shoved in the small blind, called in the big blind."""
    stack: float | None = None
    """In big blinds; None where the list does not say."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """Decisions counted by seat and hand class; (169,) arrays of whole numbers."""

    shoves: npt.NDArray[np.int64]
    sb_hands: npt.NDArray[np.int64]
    calls: npt.NDArray[np.int64]
    bb_hands: npt.NDArray[np.int64]

    @property
    def push(self) -> npt.NDArray[np.float64]:
        """(169,) how often each class was shoved; NaN where it never came."""
        return _share(self.shoves, self.sb_hands)

    @property
    def call(self) -> npt.NDArray[np.float64]:
        """(169,) how often each class called; NaN where it never came."""
        return _share(self.calls, self.bb_hands)

    @property
    def decisions(self) -> int:
        """Number of decisions counted."""
        return int(self.sb_hands.sum() + self.bb_hands.sum())

    def counts(self, seat: Seat) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """(169,) and (169,) of a seat: shoves or calls, and all decisions."""
        if seat is Seat.SMALL_BLIND:
            return self.shoves, self.sb_hands
        return self.calls, self.bb_hands

    @property
    def complete(self) -> bool:
        """True if every class came in both seats."""
        return bool(self.sb_hands.all() and self.bb_hands.all())

    def __add__(self, population: Population) -> Population:
        """Count both."""
        return Population(
            shoves=self.shoves + population.shoves,
            sb_hands=self.sb_hands + population.sb_hands,
            calls=self.calls + population.calls,
            bb_hands=self.bb_hands + population.bb_hands,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Census:
    """Counts of a list of decisions, of the same size however long the list is."""

    by_stack: Mapping[float, Population]
    """Decisions at each stack in big blinds, the smallest first."""
    skipped: Mapping[str, int]
    """Rows that do not count, by reason."""
    examples: Sequence[SkippedRow]
    """The first of the rows that cannot be read."""

    @property
    def population(self) -> Population:
        """Decisions at all stacks together."""
        return sum(self.by_stack.values(), count_decisions([]))


def read_decisions(
    path: Path | str, *, progress: Progress | None = None
) -> Iterator[PushFoldDecision | SkippedRow]:
    """Read a CSV with the columns `COLUMNS` and perhaps `OPTIONAL`.

    Spellings such as ``10s`` and ``KS`` are read too; stacks count to the tenth of a big blind.
    Rows that cannot count come as `SkippedRow`. Raises `NothingUsable` where a column is
    missing and `OSError` where the file cannot be read.
    """
    with (
        Path(path).open("rb") as raw,
        io.TextIOWrapper(raw, encoding="utf-8-sig", errors="replace", newline="") as text,
    ):
        total = os.fstat(raw.fileno()).st_size
        rows = csv.reader(iter(lambda: text.readline(_LONGEST_LINE), ""))
        try:
            places = _places(next(rows, []), path)
            for number, row in enumerate(filter(None, rows)):
                if progress is not None and number % _ROWS_PER_CALL == 0:
                    progress(raw.tell(), total, str(path))
                # A short row lacks its last fields.
                fields = [row[place] if 0 <= place < len(row) else "" for place in places]
                decision = _decision(*fields)
                if isinstance(decision, RowProblem):
                    shown = ",".join(fields[: len(COLUMNS)] + list(filter(None, fields[4:])))
                    yield SkippedRow(rows.line_num, decision, shown)
                else:
                    yield decision
        except csv.Error as problem:
            raise NothingUsable(f"{path}, line {rows.line_num}: {problem}") from problem


def take_census(
    rows: Iterable[PushFoldDecision | SkippedRow],
    *,
    stack: float = DEFAULT_STACK,
    first: int | None = None,
    examples: int = 50,
) -> Census:
    """Count rows one by one, of the decisions only the ``first``.

    ``stack`` is that of decisions that do not say theirs.
    """
    skipped: Counter[str] = Counter()
    example_rows: list[SkippedRow] = []
    counts: defaultdict[float, _Counts] = defaultdict(_no_counts)
    left = math.inf if first is None else first
    for row in rows:
        if isinstance(row, SkippedRow):
            skipped[row.problem.value] += 1
            if row.problem is not RowProblem.HINTED and len(example_rows) < examples:
                example_rows.append(row)
        elif left > 0:
            left -= 1
            _count(counts[stack if row.stack is None else row.stack], row)
    by_stack = {place: _population(counts[place]) for place in sorted(counts)}
    return Census(by_stack=by_stack, skipped=skipped, examples=example_rows)


def count_decisions(decisions: Iterable[PushFoldDecision]) -> Population:
    """Count decisions by seat and class, whatever their stacks."""
    counts = _no_counts()
    for decision in decisions:
        _count(counts, decision)
    return _population(counts)


def _no_counts() -> _Counts:
    """(2, 2, 169) by seat, fold or play, and class."""
    return np.zeros((2, 2, CLASSES), dtype=np.int64)


def _count(counts: _Counts, decision: PushFoldDecision) -> None:
    seat = int(decision.seat is Seat.BIG_BLIND)
    counts[seat, int(decision.aggressive), CLASS_OF_HOLDING[decision.holding]] += 1


def _population(counts: _Counts) -> Population:
    return Population(
        shoves=counts[0, 1],
        sb_hands=counts[0].sum(axis=0),
        calls=counts[1, 1],
        bb_hands=counts[1].sum(axis=0),
    )


def _share(count: _Counts, total: _Counts) -> npt.NDArray[np.float64]:
    return np.where(total > 0, count / np.maximum(total, 1), np.nan)


def _places(heading: Sequence[str], path: Path | str) -> list[int]:
    """Find the columns; -1 for an optional one. Raises `NothingUsable` where another is missing."""
    if missing := [name for name in COLUMNS if name not in heading]:
        raise NothingUsable(f"{path}: no column {missing[0]!r}; needed: {', '.join(COLUMNS)}")
    return [heading.index(name) if name in heading else -1 for name in (*COLUMNS, *OPTIONAL)]


@lru_cache(maxsize=_SPELLINGS)  # long lists have few different rows
def _decision(
    card1: str, card2: str, position: str, decision: str, stack_bb: str, hinted: str
) -> PushFoldDecision | RowProblem:
    try:
        first, second = parse_cards(f"{card1} {card2}")
    except (BadInput, ValueError):
        return RowProblem.CARDS
    try:
        seat = Seat(position.strip().lower())
    except ValueError:
        return RowProblem.POSITION
    word = decision.strip().lower()
    if word not in {"aggress", "fold"}:
        return RowProblem.DECISION
    try:
        stack = round(float(stack_bb), STACK_DIGITS) if stack_bb.strip() else None
    except (ValueError, OverflowError):
        return RowProblem.STACK
    if stack is not None and not LEAST_STACK <= stack <= MOST_STACK:
        return RowProblem.STACK
    match hinted.strip().lower():
        case "true" | "1":
            return RowProblem.HINTED
        case "false" | "0" | "":
            return PushFoldDecision(seat, holding_of(first, second), word == "aggress", stack)
        case _:
            return RowProblem.HINT


# Losses of people's push/fold decisions, each judged by its hand and stack.
#
# Only decisions that were made are judged: what somebody would do with a class that never came is
# not asked. Since classes come as cards are dealt, the mean loss of the decisions made is an
# unbiased estimate of the mean loss of all that could have come, however short the list; the
# interval allows for losses being rare and dear.


"""Losses below this come from the solver's tolerance: where it mixes, both choices are worth the
same."""
_UNIT = "bb"
_DEALT: Floats = COMBINATIONS / COMBINATIONS.sum()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedSeat:
    """The decisions of people in one seat."""

    seat: Seat
    """The people's."""
    played: _Counts
    """(169,) shoves or calls of each class."""
    hands: _Counts
    """(169,) decisions with each class."""
    expected: Floats
    """(169,) how often the strategy plays each class at the stacks of these decisions; NaN where it
    never came."""
    lost: Floats
    """(169,) big blinds given up with each class, all its decisions together."""
    mistakes: int
    """Decisions that gave something up."""
    given_up: SkewedEstimate
    """Big blinds given up by a decision."""
    win: SkewedEstimate
    """Winnings of the strategy per hand against them, in the other seat."""

    @property
    def decisions(self) -> int:
        """Number of decisions."""
        return int(self.hands.sum())

    @property
    def frequency(self) -> Floats:
        """(169,) how often the people play each class; NaN where it never came."""
        return np.where(self.hands > 0, self.played / np.maximum(self.hands, 1), np.nan)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedDecisions:
    """People's decisions against a strategy."""

    small_blind: JudgedSeat
    """The people's shoves and folds."""
    big_blind: JudgedSeat
    """Their calls and folds."""
    mean: SkewedEstimate
    """Winnings of the strategy per hand against them, averaged over the seats."""

    @property
    def decisions(self) -> int:
        """Number of decisions."""
        return self.small_blind.decisions + self.big_blind.decisions


class ChoiceLosses(NamedTuple):
    """Losses of both choices of a seat at a stack."""

    fold: Floats
    """(169,) big blinds that a fold of each class gives up; the better choice gives up nothing."""
    play: Floats
    """(169,) the same of a shove or a call."""
    asked: Floats
    """(169,) probability that a class comes and its owner is asked."""
    frequency: Floats
    """(169,) how often the strategy itself plays each class."""
    least: float
    """Winnings of the strategy per hand against people who lose nothing."""


def judge_decisions(
    by_stack: Mapping[float, Population],
    strategies: Mapping[float, PushfoldStrategy],
    *,
    ante: float = 0.0,
) -> JudgedDecisions:
    """Judge decisions at each stack against the strategy for that stack.

    Classes must have come as cards are dealt; of a list of hands that somebody picked only the
    counts by class mean anything. Raises `NothingUsable` where there is no decision, and
    `BadInput` as `pushfold_ev` does.
    """
    if not any(population.decisions for population in by_stack.values()):
        raise NothingUsable("no decision that counts")
    values = {
        stack: pushfold_ev(strategy.push, strategy.call, stack=stack, ante=ante)
        for stack, strategy in strategies.items()
        if stack in by_stack
    }
    seats = {
        seat: _judge_seat(
            seat,
            {stack: population.counts(seat) for stack, population in by_stack.items()},
            {stack: choices(seat, strategies[stack], values[stack]) for stack in by_stack},
        )
        for seat in Seat
    }
    return JudgedDecisions(
        small_blind=seats[Seat.SMALL_BLIND],
        big_blind=seats[Seat.BIG_BLIND],
        mean=mean_of(judged.win for judged in seats.values()),
    )


def choices(seat: Seat, strategy: PushfoldStrategy, values: PushFoldValues) -> ChoiceLosses:
    """Return what people's choices lose against the strategy in the other seat."""
    if seat is Seat.SMALL_BLIND:
        fold, play, asked = np.full(len(_DEALT), values.fold_ev_sb), values.push_ev, _DEALT
        walks, frequency = 0.0, strategy.push
    else:
        fold, play = np.full(len(_DEALT), values.fold_ev_bb), values.call_ev
        asked, frequency = _DEALT * values.facing, strategy.call
        walks = -values.fold_ev_sb * float(_DEALT @ (1 - values.facing))
    best = np.maximum(fold, play)
    return ChoiceLosses(
        fold=_forgiven(best - fold),
        play=_forgiven(best - play),
        asked=asked,
        frequency=frequency,
        least=-walks - float(asked @ best),
    )


def _forgiven(loss: Floats) -> Floats:
    return np.where(loss > INDIFFERENT_BB, loss, 0.0)


def _judge_seat(
    seat: Seat,
    counts: Mapping[float, tuple[_Counts, _Counts]],
    choices: Mapping[float, ChoiceLosses],
) -> JudgedSeat:
    played = np.array([counts[stack][0] for stack in counts])
    hands = np.array([counts[stack][1] for stack in counts])
    at = [choices[stack] for stack in counts]
    losses = np.array([[here.fold, here.play] for here in at])
    times = np.stack([hands - played, played], axis=1)
    # A loss comes about as often as its seat is asked: the big blind only after a shove.
    share = np.array([here.asked.sum() for here in at])
    weights = hands.sum(axis=1) / max(hands.sum(), 1)
    wrong = np.array([here.asked @ (here.fold + here.play) for here in at])
    by_decision = skewed(
        losses.ravel(),
        times.ravel(),
        unknown=float(weights @ (wrong / np.maximum(share, np.finfo(float).tiny))),
        unit=_UNIT,
    )
    by_hand = skewed(
        (share[:, None, None] * losses).ravel(),
        times.ravel(),
        unknown=float(weights @ wrong),
        unit=_UNIT,
    )
    total = hands.sum(axis=0)
    expected = np.array([here.frequency for here in at])
    return JudgedSeat(
        seat=seat,
        played=played.sum(axis=0),
        hands=total,
        expected=np.where(total > 0, (hands * expected).sum(axis=0) / np.maximum(total, 1), np.nan),
        lost=(times * losses).sum(axis=(0, 1)),
        mistakes=int(times[losses > 0].sum()),
        given_up=by_decision,
        win=by_hand.scaled(1.0, float(weights @ [here.least for here in at])),
    )


# Losses of a complete push/fold strategy: against the equilibrium, and in the worst case.


_EQUAL = 5e-3
"""Frequencies closer than this are the same; the equilibrium's are known to three digits."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeatDeviation:
    """A range of one seat beside the equilibrium's, in big blinds a hand."""

    seat: Seat
    frequency: Floats
    """(169,) how often each class is played."""
    equilibrium: Floats
    """(169,) how often the equilibrium plays it."""
    value: float
    """Earnings of the range against the equilibrium in the other seat."""
    given_up: float
    """Loss compared with the equilibrium's earnings."""
    worst: float
    """Loss compared with the equilibrium against a best response to the range."""
    lost: Floats
    """(169,) what each class contributes to ``given_up``."""

    @property
    def share(self) -> float:
        """Share of the 1,326 holdings that are played."""
        return share_of_holdings(self.frequency)

    @property
    def differs(self) -> npt.NDArray[np.intp]:
        """Classes played otherwise than in equilibrium, the most costly first."""
        different = np.flatnonzero(np.abs(self.frequency - self.equilibrium) > _EQUAL)
        order: npt.NDArray[np.intp] = different[np.argsort(-self.lost[different], kind="stable")]
        return order


def deviations(
    own: PushfoldStrategy, equilibrium: PushFoldSolution
) -> tuple[SeatDeviation, SeatDeviation]:
    """Compare both seats' ranges with the equilibrium for the same stakes, small blind first.

    Raises `BadInput` for frequencies outside 0 to 1.
    """
    stakes = {"stack": equilibrium.game.stack, "ante": equilibrium.game.ante}
    solved = PushfoldStrategy(equilibrium.push, equilibrium.call)
    values = pushfold_ev(solved.push, solved.call, **stakes)
    answers = {
        Seat.SMALL_BLIND: pushfold_ev(own.push, best_response_call(own.push, **stakes), **stakes),
        Seat.BIG_BLIND: pushfold_ev(best_response_push(own.call, **stakes), own.call, **stakes),
    }
    by_seat = []
    for seat in Seat:
        small = seat is Seat.SMALL_BLIND
        frequency = own.push if small else own.call
        options = choices(seat, solved, values)
        lost = options.asked * (frequency * options.play + (1 - frequency) * options.fold)
        par = values.sb_value if small else values.bb_value
        worst = answers[seat].sb_value if small else answers[seat].bb_value
        by_seat.append(
            SeatDeviation(
                seat=seat,
                frequency=frequency,
                equilibrium=options.frequency,
                value=par - float(lost.sum()),
                given_up=float(lost.sum()),
                worst=par - worst,
                lost=lost,
            )
        )
    return by_seat[0], by_seat[1]


# A complete strategy for people whose decisions are known in part, with its uncertainty.
#
# How people play a class that never came is not in the data; it takes a prior, and what comes out
# is right as far as that is. Here the log odds of playing a class are ``a + b * gain``, where
# ``gain`` is what playing earns beyond folding against the equilibrium: a mistake is the rarer the
# more it costs (logit quantal response; McKelvey and Palfrey 1995). A class keeps to that curve as
# closely as ``m`` decisions would: its frequency has a beta distribution about it. ``a`` and the
# logarithms of ``b`` and ``m`` are uniform within `A`, `B` and `M`, for each seat separately.
#
# Of the source's people, random lists of 80 to 300 decisions give 95 % intervals that hold what all
# their frequencies give 87 to 94 times in 100: so simple a model of people is not quite right.


DRAWS = 2_000
"""Strategies drawn from the estimates of a population."""

A = (-6.0, 6.0)
B = (0.05, 100.0)
"""For each big blind of the gain."""
M = (1.0, 1000.0)
_POINTS = (21, 21, 11)
_NARROWINGS = 2
_NEGLIGIBLE = 1e-5
_LEAST = 1e-9


class _Grid(NamedTuple):
    """Points of the prior's three numbers with their posterior probability."""

    points: Floats
    """(3, n) a, log b and log m."""
    steps: Floats
    """(3,) between neighbours."""
    probability: Floats
    """(n,)"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FittedStrategy:
    """Posterior draws of how people play all classes."""

    push: Floats
    """(draws, 169) how often each class is shoved."""
    call: Floats
    """(draws, 169) how often each class calls."""
    decisions: int
    """How many were known."""

    @property
    def mean(self) -> PushfoldStrategy:
        """The posterior mean.

        What a fixed strategy earns is linear in it, so its value against the mean is its mean value
        over the draws, and the best response to the mean is the best on average.
        """
        return PushfoldStrategy(self.push.mean(axis=0), self.call.mean(axis=0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedFit:
    """A strategy against people's fitted one, in big blinds a hand with 95 % credible intervals."""

    matchup: Matchup
    """Against the posterior mean."""
    small_blind: Estimate
    big_blind: Estimate
    mean: Estimate
    gain: Estimate
    """Additional winnings of the best response to the posterior mean, averaged over seats."""


def fit_strategy(
    population: Population,
    equilibrium: PushFoldSolution,
    *,
    rng: np.random.Generator,
    draws: int = DRAWS,
) -> FittedStrategy:
    """Draw strategies of the people behind decisions at one stack.

    ``equilibrium`` is of their stakes. Raises `NothingUsable` for a seat without decisions.
    """
    stakes = {"stack": equilibrium.game.stack, "ante": equilibrium.game.ante}
    values = pushfold_ev(equilibrium.push, equilibrium.call, **stakes)
    gains = {
        Seat.SMALL_BLIND: values.push_ev - values.fold_ev_sb,
        Seat.BIG_BLIND: values.call_ev - values.fold_ev_bb,
    }
    drawn = {}
    for seat, gain in gains.items():
        played, hands = population.counts(seat)
        if not hands.any():
            raise NothingUsable(f"no decision in the {seat.name.lower().replace('_', ' ')}")
        drawn[seat] = _draw(played, hands, gain, rng, draws)
    return FittedStrategy(
        push=drawn[Seat.SMALL_BLIND], call=drawn[Seat.BIG_BLIND], decisions=population.decisions
    )


def judge_fit(
    own: PushfoldStrategy, people: FittedStrategy, *, stack: float, ante: float
) -> JudgedFit:
    """Play a strategy against people's fitted one. Raises `BadInput` as `pushfold_ev` does."""
    matchup = match_up(own, people.mean, stack=stack, ante=ante)
    small, big = _won(own, people, stack=stack, ante=ante)
    best_small, best_big = _won(matchup.best, people, stack=stack, ante=ante)
    return JudgedFit(
        matchup=matchup,
        small_blind=_estimate(small, people.decisions),
        big_blind=_estimate(big, people.decisions),
        mean=_estimate((small + big) / 2, people.decisions),
        gain=_estimate((best_small + best_big - small - big) / 2, people.decisions),
    )


def _won(
    own: PushfoldStrategy, people: FittedStrategy, *, stack: float, ante: float
) -> tuple[Floats, Floats]:
    """(draws,) what a strategy wins in each seat; linear in the people's frequencies."""
    nothing, single_classes = np.zeros(people.push.shape[1]), np.eye(people.push.shape[1])
    stakes = {"stack": stack, "ante": ante}
    small = pushfold_ev(own.push, nothing, **stakes).sb_value
    big = pushfold_ev(nothing, own.call, **stakes).bb_value
    small_slopes = [pushfold_ev(own.push, row, **stakes).sb_value - small for row in single_classes]
    big_slopes = [pushfold_ev(row, own.call, **stakes).bb_value - big for row in single_classes]
    return small + people.call @ small_slopes, big + people.push @ big_slopes


def _estimate(values: Floats, decisions: int) -> Estimate:
    return Estimate(float(values.mean()), float(values.std()), decisions, _UNIT)


def _draw(
    played: _Counts, hands: _Counts, gain: Floats, rng: np.random.Generator, draws: int
) -> Floats:
    """(draws, 169) frequencies from the posterior."""
    seen = hands > 0
    bounds = np.array([A, np.log(B), np.log(M)])
    grid = _weigh(bounds, played[seen], hands[seen], gain[seen])
    for _ in range(_NARROWINGS):
        likely = grid.points[:, grid.probability > _NEGLIGIBLE * grid.probability.max()]
        low, high = likely.min(axis=1) - grid.steps, likely.max(axis=1) + grid.steps
        bounds = np.clip(np.stack([low, high], axis=1), bounds[:, :1], bounds[:, 1:])
        grid = _weigh(bounds, played[seen], hands[seen], gain[seen])
    at = grid.points[:, rng.choice(len(grid.probability), size=draws, p=grid.probability)]
    alpha, beta = _beta(at, gain)
    return rng.beta(alpha + played, beta + hands - played)


def _weigh(bounds: Floats, played: _Counts, hands: _Counts, gain: Floats) -> _Grid:
    """Weigh a grid within ``bounds`` (3, 2) by the beta-binomial likelihood."""
    axes = [
        np.linspace(float(low), float(high), count)
        for (low, high), count in zip(bounds, _POINTS, strict=True)
    ]
    points = np.stack([grid.ravel() for grid in np.meshgrid(*axes, indexing="ij")])
    alpha, beta = _beta(points, gain)
    terms = log_beta(alpha + played, beta + hands - played) - log_beta(alpha, beta)
    likelihood: Floats = terms.sum(axis=1)
    probability = np.exp(likelihood - likelihood.max())
    steps = np.array([axis[1] - axis[0] for axis in axes])
    return _Grid(points, steps, probability / probability.sum())


def _beta(points: Floats, gain: Floats) -> tuple[Floats, Floats]:
    """Both parameters (n, classes) of the frequencies' distribution about the curve."""
    a, b, m = points[0, :, None], np.exp(points[1, :, None]), np.exp(points[2, :, None])
    odds = a + b * gain
    plays, folds = (np.exp(-np.logaddexp(0.0, log_odds)) for log_odds in (-odds, odds))
    # A frequency of exactly 0 or 1 has no beta distribution.
    return np.maximum(m * plays, _LEAST), np.maximum(m * folds, _LEAST)
