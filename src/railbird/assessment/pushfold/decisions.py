"""Lists of people's push/fold decisions: read from CSV, counted by seat and hand class."""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from railbird.cards import CLASS_OF_HOLDING, CLASSES, Holding, holding_of, parse_cards
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve import Seat

COLUMNS = ("card1", "card2", "position", "decision")
"""What a list must have; other columns are left alone."""
_LONGEST_LINE = 1 << 16  # a file without line ends must not end up in memory
_ROWS_PER_CALL = 1 << 14
_SPELLINGS = 1 << 16


class Problem(Enum):
    """Why a row does not count."""

    CARDS = "cards missing or unreadable"
    POSITION = "position other than sb and bb"
    DECISION = "decision other than aggress and fold"


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """Decisions counted by seat and hand class; (169,) arrays of whole numbers."""

    shoves: npt.NDArray[np.int64]
    sb_hands: npt.NDArray[np.int64]
    calls: npt.NDArray[np.int64]
    bb_hands: npt.NDArray[np.int64]

    @property
    def push(self) -> npt.NDArray[np.float64]:
        """(169,) how often each class was shoved; a half where it never came."""
        return share_of(self.shoves, self.sb_hands)

    @property
    def call(self) -> npt.NDArray[np.float64]:
        """(169,) how often each class called; a half where it never came."""
        return share_of(self.calls, self.bb_hands)

    @property
    def decisions(self) -> int:
        """How many decisions were counted."""
        return int(self.sb_hands.sum() + self.bb_hands.sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Census:
    """A list of decisions, counted: what is kept of it however long it is."""

    population: Population
    skipped: Mapping[str, int]
    """Rows that do not count, by reason."""
    examples: Sequence[SkippedRow]
    """The first of these rows."""


def read_decisions(
    path: Path | str, *, progress: Progress | None = None
) -> Iterator[PushFoldDecision | SkippedRow]:
    """Read a CSV with the columns `COLUMNS`; spellings such as ``10s`` and ``KS`` are forgiven.

    Rows that cannot count come as `SkippedRow`. Raises `BadInput` where a column is missing and
    `OSError` where the file cannot be read.
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
                fields = [row[place] if place < len(row) else "" for place in places]
                found = _decision(*fields)
                if isinstance(found, Problem):
                    yield SkippedRow(rows.line_num, found, ",".join(fields))
                else:
                    yield found
        except csv.Error as problem:
            raise BadInput(f"{path}, line {rows.line_num}: {problem}") from problem


def take_census(
    rows: Iterable[PushFoldDecision | SkippedRow], *, first: int | None = None, examples: int = 50
) -> Census:
    """Count rows one by one, of the decisions only the ``first``."""
    skipped: Counter[str] = Counter()
    shown: list[SkippedRow] = []

    def decisions() -> Iterator[PushFoldDecision]:
        left = first
        for row in rows:
            if isinstance(row, SkippedRow):
                skipped[row.problem.value] += 1
                if len(shown) < examples:
                    shown.append(row)
            elif left is None or left > 0:
                left = None if left is None else left - 1
                yield row

    population = count_decisions(decisions())
    return Census(population=population, skipped=skipped, examples=shown)


def count_decisions(decisions: Iterable[PushFoldDecision]) -> Population:
    """Count decisions by seat and class."""
    counts = np.zeros((2, 2, CLASSES), dtype=np.int64)
    for decision in decisions:
        seat = int(decision.seat is Seat.BIG_BLIND)
        counts[seat, int(decision.aggressive), CLASS_OF_HOLDING[decision.holding]] += 1
    return Population(
        shoves=counts[0, 1],
        sb_hands=counts[0].sum(axis=0),
        calls=counts[1, 1],
        bb_hands=counts[1].sum(axis=0),
    )


def share_of(part: npt.NDArray[np.int64], whole: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """``part / whole``; a half where there is nothing."""
    share: npt.NDArray[np.float64] = np.where(whole > 0, part / np.maximum(whole, 1), 0.5)
    return share


def _places(heading: Sequence[str], path: Path | str) -> list[int]:
    """The columns' places. Raises `BadInput` where one is missing."""
    if missing := [name for name in COLUMNS if name not in heading]:
        raise BadInput(f"{path}: no column {missing[0]!r}; needed: {', '.join(COLUMNS)}")
    return [heading.index(name) for name in COLUMNS]


@lru_cache(maxsize=_SPELLINGS)  # long lists have few different rows
def _decision(card1: str, card2: str, position: str, decision: str) -> PushFoldDecision | Problem:
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
    return PushFoldDecision(seat, holding_of(first, second), said == "aggress")
