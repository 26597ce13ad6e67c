"""Records of a match as they come: who plays, what cannot be scored, and the rest in chunks."""

from __future__ import annotations

import itertools
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from railbird.assessment.batch import Unscorable, action_codes, why_unscorable
from railbird.assessment.frame import Chunk
from railbird.histories import HandRecord, Skipped
from railbird.progress import Progress

CHUNK = 16_384
"""Hands scored at a time: enough that many share a flop, which is read only once then."""


class Intake:
    """Takes records in, sorts out what cannot be scored, and remembers who plays."""

    def __init__(
        self,
        records: Iterable[HandRecord | Skipped],
        player: str | None,
        progress: Progress | None,
    ) -> None:
        self._records = records
        self._player = player
        self._progress = progress
        self._files: dict[str, int] = {}
        self._unnumbered = 0
        self._keys: npt.NDArray[np.int64] = np.empty(0, np.int64)
        """Keys of all hands taken in, in order: a set of a million takes ten times the memory."""
        self.players: tuple[str, str] | None = None
        self.seen: set[str] = set()
        self.skipped: Counter[str] = Counter()

    @property
    def sources(self) -> tuple[str, ...]:
        """The files, as `Chunk` numbers them."""
        return tuple(self._files)

    def chunks(self) -> Iterator[Chunk]:
        """The hands that can be scored, `CHUNK` at a time."""
        fit = self._fit()
        done = 0
        while taken := list(itertools.islice(fit, CHUNK)):
            done += len(taken)
            if self._progress is not None:
                self._progress(done, 0, "hands")
            if fresh := self._fresh(taken):
                records, seats = zip(*fresh, strict=True)
                yield Chunk.of(records, seats, [self._file(record) for record in records])

    def _fresh(self, taken: Sequence[tuple[HandRecord, int]]) -> list[tuple[HandRecord, int]]:
        """Leave out what was taken in before: a file given twice is no more evidence."""
        keys = np.array([self._key(record, seat) for record, seat in taken], np.int64)
        places = np.searchsorted(self._keys, keys)
        known = np.append(self._keys, 0)[places] == keys
        known &= places < self._keys.size
        first = np.unique(keys, return_index=True)[1]
        fresh = np.zeros(len(taken), np.bool_)
        fresh[first] = True
        fresh &= ~known
        if again := int(np.count_nonzero(~fresh)):
            self.skipped[Unscorable.AGAIN.value] += again
        # A stable sort merges what is sorted already in one pass.
        self._keys = np.sort(np.concatenate([self._keys, keys[fresh]]), kind="stable")
        return [hand for hand, new in zip(taken, fresh.tolist(), strict=True) if new]

    def _key(self, record: HandRecord, seat: int) -> int:
        """Give the same number for the same hand of the two players, wherever it was read.

        Where the log does not number its hands, equal ones in different lines are different hands:
        two preflop folds of the same cards are nothing rare in a long match.
        """
        where = record.number
        if where is None:
            self._unnumbered += 1
            line = record.source.line if record.source else self._unnumbered
            where = -2 - line  # -1 has the hash of -2
        actions = zlib.crc32(action_codes(record))
        return hash((where, seat, actions, record.holes, record.board))

    def _fit(self) -> Iterator[tuple[HandRecord, int]]:
        for record in self._records:
            if isinstance(record, Skipped):
                self.skipped[record.reason.value] += 1
                continue
            reason = why_unscorable(record)
            if reason is None:
                seat = self._seat(record.players)
                if seat is not None:
                    yield record, seat
                    continue
                reason = Unscorable.PLAYERS
            self.skipped[reason.value] += 1

    def _seat(self, players: tuple[str, ...]) -> int | None:
        """Seat of the first player, or None if others play."""
        if self.players is None:
            first, second = players
            self.seen.update(players)
            if self._player is not None and self._player not in players:
                return None
            self.players = (first, second) if self._player in (None, first) else (second, first)
        if players == self.players:
            return 0
        return 1 if players == self.players[::-1] else None

    def _file(self, record: HandRecord) -> int | None:
        if record.source is None:
            return None
        return self._files.setdefault(record.source.file, len(self._files))
