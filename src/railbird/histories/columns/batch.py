"""Hands as columns: a `HandBatch` of arrays, on which assessment, statistics and archives work.

A batch is made once, from records or by a compiled reader, and a hand is addressed by its row. All
columns about betting come from one replay of the actions by the rules engine, so that no other
code has to know what a raise answered.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from math import lcm
from typing import Final, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from railbird.cards import Card, Holding
from railbird.errors import BadInput
from railbird.game import Action, Call, Fold, Raise, Rules, initial
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine._kernels_simulate import SCRATCH
from railbird.game.engine._kernels_walk import Answers, walk_hands
from railbird.histories.record import HandRecord, Skipped, Source
from railbird.units import Chips

UNKNOWN: Final = -1
"""A holding not shown, a seat that does not exist, a missing number or source."""
NO_TIME: Final = np.iinfo(np.int64).min
"""Value in `HandBatch.played_at` where the log gives no time."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_BOARD: Final = 5
_NO_BOARD: Final = bytes(_BOARD)
_FOLD: Final = Fold()
_CALL: Final = Call()

_H = TypeVar("_H", bound=Hashable)


class Circumstances(NamedTuple):
    """Circumstances of a hand, shared by most hands of a log."""

    table: str = ""
    comment: str = ""
    denomination: Fraction = Fraction(1)
    currency: str = ""
    zoned: bool = False
    """True if times are UTC; else they are by the log's own clock."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandBatch:
    """Batch of n hands of any hold'em with m actions in all; S is the largest number of seats.

    Arrays by seat follow `railbird.units.Seat` and end with -1 (payoffs with 0) beyond the seats
    of a smaller table.
    """

    rules: tuple[Rules, ...]
    """The distinct rules of the hands; stacks, blinds and antes are theirs."""
    rules_of: npt.NDArray[np.int32]
    """(n,) indices into ``rules``."""
    names: tuple[str, ...]
    """The distinct names of players."""
    player: npt.NDArray[np.int32]
    """(n, S) indices into ``names``."""
    holding: npt.NDArray[np.int16]
    """(n, S) 0..1325, or -1 where the cards are not known."""
    low_first: npt.NDArray[np.uint32]
    """(n,) bit s is set if seat s was dealt its lower card first."""
    board: npt.NDArray[np.uint8]
    """(n, 5) cards in the order of dealing; 0 beyond those dealt."""
    dealt: npt.NDArray[np.uint8]
    """(n,) cards on the board: 0, 3, 4 or 5."""
    start: npt.NDArray[np.int64]
    """(n + 1,) hand i has the actions ``start[i]`` up to ``start[i + 1]``."""
    action: npt.NDArray[np.int64]
    """(m,) the engine's codes: -1 fold, 0 check or call, else the street's total of a raise."""
    answers: Answers
    """(m,) each: name, seat, street, amount, to_call, bets and pot, see `Answers`."""
    payoff: npt.NDArray[np.int64]
    """(n, S) chips won or lost, times ``parts``; after rake."""
    parts: npt.NDArray[np.int64]
    """(n,) 1 unless a pot was split into parts of a chip."""
    number: npt.NDArray[np.int64]
    """(n,) the log's own number of the hand, or -1."""
    played_at: npt.NDArray[np.int64]
    """(n,) microseconds since 1970, or `NO_TIME`."""
    circumstances: tuple[Circumstances, ...]
    """The distinct circumstances."""
    circumstances_of: npt.NDArray[np.int32]
    """(n,) indices into ``circumstances``."""
    sources: tuple[str, ...]
    """The files that hands were read from."""
    file: npt.NDArray[np.int32]
    """(n,) indices into ``sources``, or -1."""
    line: npt.NDArray[np.int64]
    """(n,) the hand's first line, counted from 1, or -1."""

    def __len__(self) -> int:
        return len(self.rules_of)

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """(n,) players dealt in."""
        sizes = np.array([rules.seats for rules in self.rules], dtype=np.int64)
        return sizes[self.rules_of]

    @property
    def chips(self) -> npt.NDArray[np.float64]:
        """(n, S) payoffs in chips."""
        amounts: npt.NDArray[np.float64] = self.payoff / self.parts[:, None]
        return amounts

    @property
    def rake(self) -> npt.NDArray[np.float64]:
        """(n,) chips that left the table."""
        lost: npt.NDArray[np.float64] = -self.payoff.sum(axis=1) / self.parts
        return lost

    @property
    def hand_of(self) -> npt.NDArray[np.int64]:
        """(m,) the row of the hand that each action belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    def rows(self, chosen: npt.ArrayLike) -> HandBatch:
        """Return the hands of these rows (indices or a mask), in their order."""
        index = np.asarray(chosen)
        rows = np.flatnonzero(index) if index.dtype == bool else index.astype(np.int64)
        lengths = np.diff(self.start)[rows]
        start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        within = np.arange(start[-1]) - np.repeat(start[:-1], lengths)
        at_actions = np.repeat(self.start[rows], lengths) + within
        by_hand = {name: getattr(self, name)[rows] for name in BY_HAND}
        return replace(
            self,
            **by_hand,
            start=start,
            action=self.action[at_actions],
            answers=Answers(*(column[at_actions] for column in self.answers)),
        )


BY_HAND: Final = (
    "rules_of",
    "player",
    "holding",
    "low_first",
    "board",
    "dealt",
    "payoff",
    "parts",
    "number",
    "played_at",
    "circumstances_of",
    "file",
    "line",
)
"""Columns of an element, or a row, for each hand."""
_BY_SEAT: Final = {"player": UNKNOWN, "holding": UNKNOWN, "payoff": 0}
_KEYS: Final = {
    "rules_of": "rules",
    "player": "names",
    "circumstances_of": "circumstances",
    "file": "sources",
}
"""Columns of indices into tuples of distinct values."""
SHARED: Final = tuple(_KEYS.values())
"""The tuples of distinct values."""


class Numbered(Generic[_H]):
    """Distinct values, numbered in the order in which they come."""

    def __init__(self) -> None:
        self._numbers: dict[_H, int] = {}

    def __call__(self, value: _H) -> int:
        """Return the number of a value, assigning one if it is new."""
        return self._numbers.setdefault(value, len(self._numbers))

    def values(self) -> tuple[_H, ...]:
        """Return the values in the order of their numbers."""
        return tuple(self._numbers)


def in_parts(
    payoff: npt.NDArray[np.int64], denominator: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Reduce payoffs (n, S) in parts of a chip, ``denominator`` of them, to `HandBatch.parts`."""
    whole = np.column_stack([payoff, np.full(len(payoff), denominator)])
    common = np.gcd.reduce(whole, axis=1)
    return payoff // common[:, None], denominator // common


def batch_of(records: Sequence[HandRecord]) -> HandBatch:
    """Lay out records as columns. Raises `BadInput` for betting that the rules refuse.

    >>> from railbird.histories import read_hand
    >>> hand = read_hand("STATE:7:cr300c/r900f:AsAd|KcQc/2h3h4h:300|-300:Ann|Bob",
    ...                  game="holdem.nolimit.2p.reverse_blinds.game")
    >>> batch = batch_of([hand])
    >>> batch.answers.to_call.tolist(), batch.answers.pot.tolist()
    ([50, 0, 200, 0, 600], [150, 200, 400, 600, 1200])
    >>> next(records_of(batch)) == hand
    True
    """
    rules: Numbered[Rules] = Numbered()
    names: Numbered[str] = Numbered()
    files: Numbered[str] = Numbered()
    circumstances: Numbered[Circumstances] = Numbered()
    n, most = len(records), max((record.rules.seats for record in records), default=2)
    player = np.full((n, most), UNKNOWN, dtype=np.int32)
    holding = np.full((n, most), UNKNOWN, dtype=np.int16)
    payoff = np.zeros((n, most), dtype=np.int64)
    parts = np.ones(n, dtype=np.int64)
    board = bytearray()
    for i, record in enumerate(records):
        seats = record.rules.seats
        player[i, :seats] = [names(name) for name in record.players]
        holding[i, :seats] = [UNKNOWN if hole is None else hole for hole in record.holes]
        denominator = lcm(*(amount.denominator for amount in record.payoffs))
        parts[i] = denominator
        payoff[i, :seats] = [int(amount * denominator) for amount in record.payoffs]
        board += bytes(record.board) + _NO_BOARD[len(record.board) :]
    lengths = [len(record.actions) for record in records]
    rules_of = np.array([rules(record.rules) for record in records], dtype=np.int32)
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    codes = chain.from_iterable(map(_code_of, record.actions) for record in records)
    action = np.fromiter(codes, dtype=np.int64, count=int(start[-1]))
    sources = [record.source for record in records]
    return HandBatch(
        rules=rules.values(),
        rules_of=rules_of,
        player=player,
        names=names.values(),
        holding=holding,
        low_first=np.array([record.low_first for record in records], dtype=np.uint32),
        board=np.frombuffer(board, dtype=np.uint8).reshape(n, _BOARD),
        dealt=np.array([len(record.board) for record in records], dtype=np.uint8),
        start=start,
        action=action,
        answers=answers_of(rules.values(), rules_of, start, action),
        payoff=payoff,
        parts=parts,
        number=np.array([_or_unknown(record.number) for record in records], dtype=np.int64),
        played_at=np.array([_microseconds(record.played_at) for record in records], np.int64),
        circumstances_of=np.array([circumstances(_beside(r)) for r in records], dtype=np.int32),
        circumstances=circumstances.values(),
        file=np.array([files(s.file) if s else UNKNOWN for s in sources], dtype=np.int32),
        sources=files.values(),
        line=np.array([s.line if s else UNKNOWN for s in sources], dtype=np.int64),
    )


def batches_of(
    hands: Iterable[HandRecord | HandBatch | Skipped], size: int = 4096
) -> Iterator[tuple[HandBatch, Sequence[Skipped]]]:
    """Give ``size`` hands at a time, in their order, with what was skipped among them."""
    records, skipped = list[HandRecord](), list[Skipped]()
    for hand in hands:
        if isinstance(hand, HandRecord):
            records.append(hand)
        elif isinstance(hand, Skipped):
            skipped.append(hand)
        if len(records) + len(skipped) == size or isinstance(hand, HandBatch):
            yield batch_of(records), skipped
            records, skipped = [], []
        if isinstance(hand, HandBatch):
            for first in range(0, len(hand), size):
                yield hand.rows(range(first, min(first + size, len(hand)))), ()
    yield batch_of(records), skipped


def by_source(hands: HandBatch) -> Iterator[HandBatch]:
    """Cut a batch wherever the hands of another file begin."""
    cuts = np.flatnonzero(np.diff(hands.file)) + 1
    if not cuts.size:
        yield hands
        return
    for rows in np.split(np.arange(len(hands)), cuts):
        yield hands.rows(rows)


def answers_of(
    rules: Sequence[Rules],
    rules_of: npt.NDArray[np.int32],
    start: npt.NDArray[np.int64],
    action: npt.NDArray[np.int64],
) -> Answers:
    """Replay the betting of hands and return the situation that each action answered.

    Raises `BadInput` naming the first hand that the rules refuse.
    """
    m = len(action)
    answers = Answers(
        name=np.empty(m, np.uint8),
        seat=np.empty(m, np.uint8),
        street=np.empty(m, np.uint8),
        amount=np.empty(m, np.int64),
        to_call=np.empty(m, np.int64),
        bets=np.empty(m, np.uint8),
        pot=np.empty(m, np.int64),
    )
    opened = opened_vectors(rules)
    if not m:
        return answers  # and no kernel to compile
    refused = walk_hands(np.zeros(1, SCRATCH), opened, rules_of, start, action, answers)
    if refused >= 0:
        raise BadInput(f"hand {refused} of the batch: its betting is not allowed by its rules")
    return answers


def opened_vectors(rules: Sequence[Rules]) -> npt.NDArray[np.int64]:
    """Return the engine's vectors before any card, a row for each of the rules."""
    most = max((one.seats for one in rules), default=2)
    vectors = np.zeros((len(rules), at.HEADER + at.STRIDE * most), dtype=np.int64)
    for row, one in zip(vectors, rules, strict=True):
        vector = initial(one).vector
        row[: len(vector)] = vector
    return vectors


def records_of(batch: HandBatch) -> Iterator[HandRecord]:
    """Return the hands as records, in order."""
    for i in range(len(batch)):
        rules = batch.rules[batch.rules_of[i]]
        beside = batch.circumstances[batch.circumstances_of[i]]
        seats, parts = rules.seats, int(batch.parts[i])
        line, number = int(batch.line[i]), int(batch.number[i])
        held = batch.holding[i, :seats].tolist()
        codes = batch.action[batch.start[i] : batch.start[i + 1]].tolist()
        yield HandRecord(
            rules=rules,
            players=tuple(batch.names[who] for who in batch.player[i, :seats].tolist()),
            holes=tuple(None if hole == UNKNOWN else Holding(hole) for hole in held),
            board=tuple(map(Card, batch.board[i, : batch.dealt[i]].tolist())),
            actions=tuple(map(_action_of, codes)),
            payoffs=tuple(Fraction(x, parts) for x in batch.payoff[i, :seats].tolist()),
            number=None if number == UNKNOWN else number,
            table=beside.table,
            played_at=_time(int(batch.played_at[i]), zoned=beside.zoned),
            comment=beside.comment,
            denomination=beside.denomination,
            currency=beside.currency,
            low_first=int(batch.low_first[i]),
            source=None if line == UNKNOWN else Source(batch.sources[batch.file[i]], line),
        )


def concat(batches: Sequence[HandBatch]) -> HandBatch:
    """Join batches end to end; equal rules, names and sources become one."""
    if len(batches) == 1:
        return batches[0]
    if not batches:
        return batch_of([])
    most = max(batch.player.shape[1] for batch in batches)
    joined: dict[str, object] = {}
    columns = {name: [_widened(b, name, most) for b in batches] for name in BY_HAND}
    for column, key in _KEYS.items():
        numbered: Numbered[Hashable] = Numbered()
        for k, batch in enumerate(batches):
            # The last entry stands for -1.
            to = [numbered(value) for value in getattr(batch, key)] + [UNKNOWN]
            columns[column][k] = np.array(to, dtype=np.int32)[columns[column][k]]
        joined[key] = numbered.values()
    starts = [batch.start[1:] for batch in batches]
    offsets = np.cumsum([0, *(len(batch.action) for batch in batches[:-1])])
    joined |= {name: np.concatenate(parts) for name, parts in columns.items()}
    joined["start"] = np.concatenate(
        [[0], *(s + o for s, o in zip(starts, offsets, strict=True))]
    ).astype(np.int64)
    joined["action"] = np.concatenate([batch.action for batch in batches])
    joined["answers"] = Answers(
        *map(np.concatenate, zip(*(batch.answers for batch in batches), strict=True))
    )
    assert joined.keys() == {field.name for field in fields(HandBatch)}
    return HandBatch(**joined)  # type: ignore[arg-type]


def _widened(batch: HandBatch, name: str, seats: int) -> npt.NDArray[np.integer]:
    column: npt.NDArray[np.integer] = getattr(batch, name)
    if name not in _BY_SEAT or column.shape[1] == seats:
        return column
    more = ((0, 0), (0, seats - column.shape[1]))
    return np.pad(column, more, constant_values=_BY_SEAT[name])


def _code_of(action: Action) -> int:
    if type(action) is Raise:
        return action.to
    return at.FOLD if type(action) is Fold else at.CALL


@lru_cache(maxsize=1 << 12)
def _action_of(code: int) -> Action:
    if code > 0:
        return Raise(Chips(code))
    return _FOLD if code == at.FOLD else _CALL


def _or_unknown(number: int | None) -> int:
    return UNKNOWN if number is None else number


def _beside(record: HandRecord) -> Circumstances:
    return Circumstances(
        record.table,
        record.comment,
        record.denomination,
        record.currency,
        record.played_at is not None and record.played_at.tzinfo is not None,
    )


def _microseconds(moment: datetime | None) -> int:
    if moment is None:
        return NO_TIME
    zoned = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return (zoned - _EPOCH) // timedelta(microseconds=1)


def _time(microseconds: int, *, zoned: bool) -> datetime | None:
    if microseconds == NO_TIME:
        return None
    moment = _EPOCH + timedelta(microseconds=microseconds)
    return moment if zoned else moment.replace(tzinfo=None)
