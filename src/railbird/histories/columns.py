"""Hands as columns: a `HandBatch` of arrays, on which assessment, statistics and archives work.

A batch is made once, from records or by a compiled reader, and a hand is addressed by its row. All
columns about betting come from one replay of the actions by the rules engine, so no other code has
to know what a raise answered.
"""

# A `HandRecord` is exact and readable, and made of many objects; statistics, scoring and archives
# go through millions of hands. A `HandBatch` has the same content as columns, and going to and fro
# loses nothing: `records_of(batch_of(records))` are the records.
#
# The columns that make the rest of the code short are `Answers`: for each action the seat, the
# street, the amount to call and the pot that it answered. One walk of the engine fills them
# (`answers_of`, or the compiled reader of ACPC logs as it goes), so that no estimator, statistic or
# writer follows a betting round by itself.
#
# Amounts are integers. A payoff is in parts of a chip, ``parts`` of them in each hand, since a
# split pot may leave thirds; what values mean beyond that is in ``rules``, of which hands hold an
# index. Few distinct rules, names and circumstances occur, so each is kept once in a tuple, and
# `concat` numbers them anew.
#
# `Piece` and `PackedHands` exist because a match is assessed while it is read, and some of its
# hands are shown afterwards. They keep columns in the narrowest type and equal columns once, and
# leave out `Answers`, which a replay gives back.
#
# A new column has to be named in `BY_HAND` (and `_BY_SEAT` or `_KEYS` where it applies); `rows`,
# `concat` and `pack` go by these lists, and the assertion in `concat` finds what is missing.
#
# Who would notice: tests/histories/test_columns.py; for `Answers`, its readable walk.

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from railbird.cards import Card, Holding
from railbird.errors import BadInput
from railbird.game import Rules, action_of, code_of, initial
from railbird.game import kernels as at
from railbird.game.walk_kernels import SCRATCH, Answers, walk_hands
from railbird.histories.record import HandRecord, Skipped, SkipReason, Source

UNKNOWN: Final = -1
"""A holding not shown, a seat that does not exist, a missing number or source."""
NO_TIME: Final = np.iinfo(np.int64).min
"""Value in `HandBatch.played_at` where the log gives no time."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_BOARD: Final = 5
_NO_BOARD: Final = bytes(_BOARD)

_H = TypeVar("_H", bound=Hashable)


class Circumstances(NamedTuple):
    """Circumstances of a hand, shared by most hands of a log."""

    table: str = ""
    comment: str = ""
    denomination: Fraction = Fraction(1)
    currency: str = ""
    zoned: bool = False
    """True if times are UTC; else they are by the log's own clock."""
    number: str = ""
    """The number of one hand where it is text; `HandBatch.number` then has a hash of it."""
    tournament: bool | None = False
    """True if a log says so; None in archives from before they kept it."""
    play_money: bool | None = False
    """True if a log says so; None in archives from before they kept it."""
    shown_by_choice: tuple[bool | None, ...] = ()
    """As in `HandRecord`; archives do not keep it."""
    more_boards: tuple[tuple[Card, ...], ...] = ()
    """As in `HandRecord`; few hands have any."""
    house: tuple[Fraction, ...] = ()
    """As in `HandRecord`; few hands have any."""


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
    """(n,) the log's own number of the hand, or -1; a hash below -1 where it is text."""
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
    def whole_number(self) -> npt.NDArray[np.int64]:
        """(n,) the log's own number of the hand, or -1, also if it is text."""
        return np.where(self.number < UNKNOWN, UNKNOWN, self.number)

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
"""Columns that have an element, or a row, for each hand."""
_BY_SEAT: Final = {"player": UNKNOWN, "holding": UNKNOWN, "payoff": 0}
_KEYS: Final = {
    "rules_of": "rules",
    "player": "names",
    "circumstances_of": "circumstances",
    "file": "sources",
}
"""Columns that are indices into tuples of distinct values, and the names of these tuples."""
SHARED: Final = tuple(_KEYS.values())
"""Names of the tuples of distinct values."""


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
    with_denominator = np.column_stack([payoff, np.full(len(payoff), denominator)])
    common = np.gcd.reduce(with_denominator, axis=1)
    return payoff // common[:, None], denominator // common


def batch_of(records: Sequence[HandRecord]) -> HandBatch:
    """Lay out records as columns.

    Raises `BadInput` for betting that the rules refuse, and for hands of other games than hold'em.

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
        record.rules.check_holdem("columns of hands")
        seats = record.rules.seats
        player[i, :seats] = [names(name) for name in record.players]
        holding[i, :seats] = [UNKNOWN if hole is None else hole for hole in record.holes]
        # A split pot can pay fractions of a chip. Integers over one denominator a hand keep them
        # exact.
        denominator = lcm(*(amount.denominator for amount in record.payoffs))
        parts[i] = denominator
        payoff[i, :seats] = [int(amount * denominator) for amount in record.payoffs]
        board += bytes(record.board) + _NO_BOARD[len(record.board) :]
    lengths = [len(record.actions) for record in records]
    rules_of = np.array([rules(record.rules) for record in records], dtype=np.int32)
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    codes = chain.from_iterable(map(code_of, record.actions) for record in records)
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
        number=np.array([number_code(r.number, r.number_text) for r in records], np.int64),
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


def with_blinds(
    batches: Iterable[tuple[HandBatch, Sequence[Skipped]]],
) -> Iterator[tuple[HandBatch, Sequence[Skipped]]]:
    """Leave out hands in which antes put all in before a blind: they have no unit and no decision.

    They are named among what was skipped.
    """
    for batch, skipped in batches:
        blinds = np.array([any(rules.blinds) for rules in batch.rules], np.bool_)
        playable = blinds[batch.rules_of] | (np.diff(batch.start) > 0)
        if playable.all():
            yield batch, skipped
            continue
        left = [
            Skipped(
                SkipReason.NO_BLINDS,
                max(0, int(batch.line[row])),
                f"hand {record.number_text or record.number}: antes put all players all-in",
                batch.sources[batch.file[row]] if batch.file[row] != UNKNOWN else "",
            )
            for row, record in zip(
                np.flatnonzero(~playable).tolist(),
                records_of(batch.rows(~playable)),
                strict=True,
            )
        ]
        yield batch.rows(playable), [*skipped, *left]


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
    """Return the engine's vectors before any card, a row for each of the rules; not to be changed.

    Those of the last rules are kept: whatever is said of a batch asks for them in turn, and where
    stacks change from hand to hand, so do rules.
    """
    global _latest
    last, vectors = _latest
    if rules is last:
        return vectors
    most = max((game_rules.seats for game_rules in rules), default=2)
    vectors = np.zeros((len(rules), at.HEADER + at.STRIDE * most), dtype=np.int64)
    for row, game_rules in zip(vectors, rules, strict=True):
        vector = initial(game_rules).vector
        row[: len(vector)] = vector
    if isinstance(rules, tuple):  # which nobody changes
        _latest = rules, vectors
    return vectors


_latest: tuple[Sequence[Rules], npt.NDArray[np.int64]] = ((), np.zeros((0, 0), np.int64))


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
            actions=tuple(map(action_of, codes)),
            payoffs=tuple(Fraction(x, parts) for x in batch.payoff[i, :seats].tolist()),
            number=None if beside.number or number == UNKNOWN else number,
            number_text=beside.number,
            table=beside.table,
            played_at=_time(int(batch.played_at[i]), zoned=beside.zoned),
            comment=beside.comment,
            denomination=beside.denomination,
            currency=beside.currency,
            tournament=bool(beside.tournament),
            play_money=bool(beside.play_money),
            low_first=int(batch.low_first[i]),
            shown_by_choice=beside.shown_by_choice,
            more_boards=beside.more_boards,
            house=beside.house,
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


def number_code(number: int | None, text: str) -> int:
    """Return the number of a hand as a column has it: -1 for none, a hash below -1 for text."""
    if text:
        digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
        return UNKNOWN - 1 - (int.from_bytes(digest, "big") >> 2)
    return UNKNOWN if number is None else number


def _beside(record: HandRecord) -> Circumstances:
    return Circumstances(
        record.table,
        record.comment,
        record.denomination,
        record.currency,
        record.played_at is not None and record.played_at.tzinfo is not None,
        record.number_text,
        record.tournament,
        record.play_money,
        record.shown_by_choice,
        record.more_boards,
        record.house,
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


# Hands kept in few bytes and taken out again by row, for what must hold a whole match.


class PackedHands:
    """Hands of any number, addressed by row; a heads-up hand takes some forty bytes.

    >>> from railbird.histories import read_hand
    >>> from railbird.histories.columns import records_of
    >>> hands = [read_hand(f"Ts6s,Jd5d SlF # {number}:Ann|Bob") for number in range(3)]
    >>> packed = PackedHands([pack(batch_of(hands[:2])), pack(batch_of(hands[2:]))])
    >>> [hand.number for hand in records_of(packed.rows([2, 0]))]
    [2, 0]
    """

    __slots__ = ("_ends", "_pieces")

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        self._pieces = tuple(piece for piece in pieces if len(piece))
        self._ends = np.cumsum([len(piece) for piece in self._pieces], dtype=np.int64)

    def __len__(self) -> int:
        return int(self._ends[-1]) if self._pieces else 0

    def rows(self, chosen: npt.ArrayLike) -> HandBatch:
        """Return the hands of these rows, in their order."""
        rows = np.asarray(chosen, dtype=np.int64)
        piece_of = np.searchsorted(self._ends, rows, side="right")
        # Piece by piece, and then back in the order that was asked for.
        order = np.argsort(piece_of, kind="stable")
        parts = []
        for number in np.unique(piece_of).tolist():
            first = self._ends[number] - len(self._pieces[number])
            parts.append(self._pieces[number].rows(rows[order][piece_of[order] == number] - first))
        joined = concat(parts)
        return joined.rows(np.argsort(order)) if len(parts) > 1 else joined

    def batches(self) -> Iterator[HandBatch]:
        """Return all hands in order, a batch for each piece."""
        for piece in self._pieces:
            yield piece.rows(np.arange(len(piece)))

    def column(self, name: str) -> npt.NDArray[Any]:
        """Return a column of `HandBatch` of all hands that has an element, or row, for each."""
        if not self._pieces:
            empty: npt.NDArray[Any] = getattr(batch_of([]), name)
            return empty
        return np.concatenate([piece.column(name) for piece in self._pieces])


@dataclass(frozen=True, slots=True)
class Piece:
    """A batch in few bytes; made by `pack`."""

    shared: dict[str, tuple[Any, ...]]
    """The tuples of distinct values, by name."""
    columns: dict[str, tuple[npt.NDArray[np.integer], np.dtype[Any]]]
    """By name, in a narrow type, with the type that they have in a `HandBatch`; of equal rows only
    the first is kept."""
    lengths: npt.NDArray[np.integer]
    """(n,) number of actions."""
    action: npt.NDArray[np.integer]
    """(m,) the actions in the engine's codes."""

    def __len__(self) -> int:
        return len(self.lengths)

    def column(self, name: str) -> npt.NDArray[np.integer]:
        """Return a column as it was packed."""
        narrow, dtype = self.columns[name]
        return np.broadcast_to(narrow, (len(self), *narrow.shape[1:])).astype(dtype)

    def placed(self, file: str, line: int) -> Piece:
        """Return the hands as read from a file, the first from this line, one hand a line."""
        lines = np.arange(line, line + len(self))
        placed: dict[str, npt.NDArray[np.integer]] = {"file": np.zeros(1, np.int32), "line": lines}
        columns = {name: (_narrow(column), column.dtype) for name, column in placed.items()}
        return replace(
            self, shared=self.shared | {"sources": (file,)}, columns=self.columns | columns
        )

    def rows(self, rows: npt.NDArray[np.int64]) -> HandBatch:
        """Return some of the hands, their betting replayed."""
        ends = np.cumsum(self.lengths, dtype=np.int64)
        lengths = self.lengths[rows].astype(np.int64)
        start = np.concatenate([[0], np.cumsum(lengths)])
        within = np.arange(start[-1]) - np.repeat(start[:-1], lengths)
        action = self.action[np.repeat((ends - self.lengths)[rows], lengths) + within]
        action = action.astype(np.int64)
        columns: dict[str, Any] = {
            name: np.ascontiguousarray(
                narrow[rows if len(narrow) == len(self) else np.zeros_like(rows)], dtype=dtype
            )
            for name, (narrow, dtype) in self.columns.items()
        }
        return HandBatch(
            **(self.shared | columns),
            start=start,
            action=action,
            answers=answers_of(self.shared["rules"], columns["rules_of"], start, action),
        )


def pack(hands: HandBatch) -> Piece:
    """Return a batch in few bytes, without what a replay of the hands gives back."""
    columns = {name: getattr(hands, name) for name in BY_HAND}
    return Piece(
        shared={name: getattr(hands, name) for name in SHARED},
        columns={name: (_first_of_equal(column), column.dtype) for name, column in columns.items()},
        lengths=_narrow(np.diff(hands.start)),
        action=_narrow(hands.action),
    )


def _first_of_equal(column: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    return _narrow(column[:1] if column.size and (column == column[0]).all() else column)


def _narrow(column: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Copy a column in the narrowest type."""
    if not column.size:
        return column.copy()
    ends = (np.min_scalar_type(int(end)) for end in (column.min(), column.max()))
    return column.astype(np.result_type(*ends))
