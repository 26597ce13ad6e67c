"""ACPC logs read into columns: compiled for lines in the dealer's form, checked throughout.

Every hand is replayed by the rules engine and its payoffs are compared with the log's, as in
`railbird.histories.acpc.read`, which takes over at each line that the compiled reader leaves and
reports what is wrong with it. So both readers yield the same hands and skip the same lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.game import Rules
from railbird.game.engine._kernels_simulate import SCRATCH
from railbird.game.engine._kernels_walk import Answers
from railbird.histories.acpc import _kernels_read as kernels
from railbird.histories.acpc.read import LogReader
from railbird.histories.columns import (
    NO_TIME,
    Circumstances,
    HandBatch,
    Numbered,
    batch_of,
    concat,
    in_parts,
    opened_vectors,
)
from railbird.histories.files.streams import decoded
from railbird.histories.format import ReadOptions
from railbird.histories.record import BadHand, HandRecord, Skipped

MOST_HANDS: Final = 1 << 14
"""Maximum number of hands in a batch."""

_SLOTS: Final = 1 << 16
_MILLION: Final = 1_000_000


def read_batches(pieces: Iterable[bytes], options: ReadOptions) -> Iterator[HandBatch | Skipped]:
    """Read a match log, or several one after the other, in batches.

    ``pieces`` are those of `railbird.histories.files.LogFile.pieces`. Hands and skipped lines are
    those of `railbird.histories.acpc.read.read`.
    """
    reader = ColumnReader(options)
    for piece in pieces:
        for hands, skipped in reader.read(piece):
            yield from skipped
            if len(hands):
                yield hands


class ColumnsRead(NamedTuple):
    """A batch of hands, and what was skipped among them."""

    hands: HandBatch
    skipped: tuple[Skipped, ...]


class ColumnReader:
    """A log read piece by piece; `railbird.histories.files.LogFile.pieces` defines a piece."""

    def __init__(self, options: ReadOptions) -> None:
        self._reader = LogReader(options)
        self._file = options.file
        self._line = 1
        self._names = _NameFields()

    def read(self, piece: bytes) -> Iterator[ColumnsRead]:
        """Read a piece that ends with a line, keeping none of its text.

        Raises `railbird.errors.BadInput` as `railbird.histories.acpc.read.read` does.
        """
        text = np.frombuffer(piece, dtype=np.uint8)
        position = 0
        skipped: list[Skipped] = []
        while position < len(text):
            slow: list[HandRecord] = []
            fast, position = self._run(text, position, slow, skipped)
            batches = [batch for batch in (fast, batch_of(slow) if slow else None) if batch]
            if batches:
                yield ColumnsRead(concat(batches), tuple(skipped))
                skipped.clear()
        if skipped:
            yield ColumnsRead(batch_of([]), tuple(skipped))

    def _run(
        self,
        text: npt.NDArray[np.uint8],
        position: int,
        slow: list[HandRecord],
        skipped: list[Skipped],
    ) -> tuple[HandBatch | None, int]:
        """Read compiled until a line is left over or the arrays are full, then read such lines.

        Returns the hands read compiled, and where the next run begins.
        """
        fast: HandBatch | None = None
        rules = self._reader.rules
        if rules is not None:
            fast, position = self._compiled(text, position, rules)
            if fast is not None and len(fast) == MOST_HANDS:
                return fast, position
        while position < len(text) and len(slow) < MOST_HANDS:
            end = _end_of_line(text, position)
            line = decoded(text[position:end].tobytes())
            is_hand = line.startswith("STATE:")
            position = end
            try:
                record = self._reader.take(line, self._line)
                if record is not None:
                    slow.append(record)
            except BadHand as error:
                skipped.append(Skipped(error.reason, self._line, error.detail))
            self._line += 1
            if not is_hand:
                break  # a comment may have named the game; hands are the compiled reader's again
            if self._reader.rules is not None:
                break
        return fast, position

    def _compiled(
        self, text: npt.NDArray[np.uint8], position: int, rules: Rules
    ) -> tuple[HandBatch | None, int]:
        opened = opened_vectors([rules])[0]
        seats = rules.seats
        out, answers = _room(MOST_HANDS, seats, len(text) - position)
        scratch = np.zeros(1, SCRATCH)
        hands, first_line = 0, self._line
        while True:
            log = kernels.Log(text, opened, max(rules.blinds), *self._names.arrays)
            why, position, line, hands = kernels.read_hands(
                log, position, self._line, scratch, hands, out, answers
            )
            self._line = line
            if why != kernels.NEW_NAMES or not self._add_names(text, position, seats):
                break
        if hands == 0:
            return None, position
        batch = self._batch(rules, out, answers, hands)
        self._reader.sums.add_all(batch.names, batch.player, _millionths(batch))
        self._reader.known.update(batch.names)
        assert self._line - first_line == hands
        return batch, position

    def _add_names(self, text: npt.NDArray[np.uint8], position: int, seats: int) -> bool:
        """Enter the names of the hand at a position; say whether to resume compiled."""
        line = text[position : _end_of_line(text, position)].tobytes()
        field = line.split(b":", 5)[5].rstrip(bytes(range(33)))
        try:
            players, comment = self._reader.players_of(decoded(field))
        except BadHand:
            return False
        return len(players) == seats and self._names.add(field, players, comment)

    def _batch(self, rules: Rules, out: kernels.Columns, answers: Answers, hands: int) -> HandBatch:
        actions = int(out.start[hands])
        chosen, field_of = np.unique(out.names[:hands], return_inverse=True)
        names: Numbered[str] = Numbered()
        comments: Numbered[Circumstances] = Numbered()
        fields = [self._names.fields[field] for field in chosen.tolist()]
        players = [[names(player) for player in field[0]] for field in fields]
        circumstances = [comments(Circumstances(comment=field[1])) for field in fields]
        payoff, parts = in_parts(out.payoff[:hands], rules.denominator)
        return HandBatch(
            rules=(rules,),
            rules_of=np.zeros(hands, np.int32),
            names=names.values(),
            player=np.array(players, dtype=np.int32)[field_of],
            holding=out.holding[:hands].copy(),
            low_first=out.low_first[:hands].copy(),
            board=out.board[:hands].copy(),
            dealt=out.dealt[:hands].copy(),
            start=out.start[: hands + 1].copy(),
            action=out.action[:actions].copy(),
            answers=Answers(*(column[:actions].copy() for column in answers)),
            payoff=payoff,
            parts=parts,
            number=out.number[:hands].copy(),
            played_at=np.full(hands, NO_TIME, np.int64),
            circumstances=comments.values(),
            circumstances_of=np.array(circumstances, dtype=np.int32)[field_of],
            sources=(self._file,),
            file=np.zeros(hands, np.int32),
            line=out.line[:hands].copy(),
        )


class _NameFields:
    """The fields of names seen in a log, as the kernel looks them up."""

    def __init__(self) -> None:
        self.fields: list[tuple[tuple[str, ...], str]] = []
        """Players by seat, and the comment behind them."""
        self._known = np.zeros(_SLOTS, dtype=np.int64)
        self._start = [0]
        self._text = bytearray()

    @property
    def arrays(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
        """Return the arguments of `railbird.histories.acpc._kernels_read.Log`."""
        start = np.array(self._start, dtype=np.int64)
        return self._known, start, np.frombuffer(bytes(self._text) or b"\0", dtype=np.uint8)

    def add(self, field: bytes, players: tuple[str, ...], comment: str) -> bool:
        """Enter a field unless the table is half full; return whether it was entered."""
        if 2 * len(self.fields) >= _SLOTS:
            return False
        text = np.frombuffer(field, dtype=np.uint8)
        kernels.add_names(self._known, text, 0, len(text), len(self.fields))
        self.fields.append((players, comment))
        self._text += field
        self._start.append(len(self._text))
        return True


def _room(hands: int, seats: int, actions: int) -> tuple[kernels.Columns, Answers]:
    """Make arrays for so many hands, with an action for every byte."""
    columns = kernels.Columns(
        start=np.zeros(hands + 1, np.int64),
        action=np.empty(actions, np.int64),
        number=np.empty(hands, np.int64),
        holding=np.empty((hands, seats), np.int16),
        low_first=np.empty(hands, np.uint32),
        board=np.empty((hands, 5), np.uint8),
        dealt=np.empty(hands, np.uint8),
        payoff=np.empty((hands, seats), np.int64),
        names=np.empty(hands, np.int32),
        line=np.empty(hands, np.int64),
    )
    answers = Answers(
        name=np.empty(actions, np.uint8),
        seat=np.empty(actions, np.uint8),
        street=np.empty(actions, np.uint8),
        amount=np.empty(actions, np.int64),
        to_call=np.empty(actions, np.int64),
        bets=np.empty(actions, np.uint8),
        pot=np.empty(actions, np.int64),
    )
    return columns, answers


def _end_of_line(text: npt.NDArray[np.uint8], position: int) -> int:
    """Return where the line at a position ends, its newline included."""
    step = 256
    while True:
        ends = np.flatnonzero(text[position : position + step] == ord("\n"))
        if len(ends):
            return position + int(ends[0]) + 1
        if position + step >= len(text):
            return len(text)
        step *= 16


def _millionths(batch: HandBatch) -> npt.NDArray[np.int64]:
    """Return payoffs as a log prints them, (n, S)."""
    parts = batch.parts[:, None]
    rounded: npt.NDArray[np.int64] = (2 * batch.payoff * _MILLION + parts) // (2 * parts)
    return rounded
