"""Lists of people's push/fold decisions: read from CSV, counted by seat and hand class."""

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

import numpy as np
import numpy.typing as npt

from railbird.assessment.settings import DEFAULT_STACK
from railbird.cards import CLASS_OF_HOLDING, CLASSES, Holding, holding_of, parse_cards
from railbird.errors import BadInput, NothingUsable
from railbird.progress import Progress
from railbird.solve import LEAST_STACK, MOST_STACK, Seat

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


class Problem(Enum):
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
    problem: Problem
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

    def __add__(self, other: Population) -> Population:
        """Count both."""
        return Population(
            shoves=self.shoves + other.shoves,
            sb_hands=self.sb_hands + other.sb_hands,
            calls=self.calls + other.calls,
            bb_hands=self.bb_hands + other.bb_hands,
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
                if isinstance(decision, Problem):
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
    shown: list[SkippedRow] = []
    counts: defaultdict[float, _Counts] = defaultdict(_no_counts)
    left = math.inf if first is None else first
    for row in rows:
        if isinstance(row, SkippedRow):
            skipped[row.problem.value] += 1
            if row.problem is not Problem.HINTED and len(shown) < examples:
                shown.append(row)
        elif left > 0:
            left -= 1
            _count(counts[stack if row.stack is None else row.stack], row)
    by_stack = {place: _population(counts[place]) for place in sorted(counts)}
    return Census(by_stack=by_stack, skipped=skipped, examples=shown)


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


def _share(part: _Counts, whole: _Counts) -> npt.NDArray[np.float64]:
    return np.where(whole > 0, part / np.maximum(whole, 1), np.nan)


def _places(heading: Sequence[str], path: Path | str) -> list[int]:
    """Find the columns; -1 for an optional one. Raises `NothingUsable` where another is missing."""
    if missing := [name for name in COLUMNS if name not in heading]:
        raise NothingUsable(f"{path}: no column {missing[0]!r}; needed: {', '.join(COLUMNS)}")
    return [heading.index(name) if name in heading else -1 for name in (*COLUMNS, *OPTIONAL)]


@lru_cache(maxsize=_SPELLINGS)  # long lists have few different rows
def _decision(
    card1: str, card2: str, position: str, decision: str, stack_bb: str, hinted: str
) -> PushFoldDecision | Problem:
    try:
        first, second = parse_cards(f"{card1} {card2}")
    except (BadInput, ValueError):
        return Problem.CARDS
    try:
        seat = Seat(position.strip().lower())
    except ValueError:
        return Problem.POSITION
    said = decision.strip().lower()
    if said not in {"aggress", "fold"}:
        return Problem.DECISION
    try:
        stack = round(float(stack_bb), STACK_DIGITS) if stack_bb.strip() else None
    except (ValueError, OverflowError):
        return Problem.STACK
    if stack is not None and not LEAST_STACK <= stack <= MOST_STACK:
        return Problem.STACK
    match hinted.strip().lower():
        case "true" | "1":
            return Problem.HINTED
        case "false" | "0" | "":
            return PushFoldDecision(seat, holding_of(first, second), said == "aggress", stack)
        case _:
            return Problem.HINT
