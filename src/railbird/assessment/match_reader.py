"""Reader of a match: finds out who plays, sorts out unusable hands, hands on chunks of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from railbird.assessment.scorable_batch import Unscorable, why_unscorable, why_unscorable_by_row
from railbird.assessment.score_frame import Chunk
from railbird.histories import HandRecord, Skipped
from railbird.histories.columns import UNKNOWN, HandBatch, SeenHands, batch_of, concat
from railbird.progress import Progress

CHUNK = 16_384
"""Hands scored at a time: enough that many share a flop, which is read only once then."""

_Rows = npt.NDArray[np.int64]


class Intake:
    """Stream of the hands that can be scored, with the players and the reasons for leaving out."""

    def __init__(
        self,
        hands: Iterable[HandRecord | HandBatch | Skipped],
        player: str | None,
        progress: Progress | None,
    ) -> None:
        self._hands = hands
        self._player = player
        self._progress = progress
        self._files: dict[str, int] = {}
        self._seen = SeenHands()
        self.players: tuple[str, str] | None = None
        self.seen: set[str] = set()
        self.skipped: Counter[str] = Counter()

    @property
    def sources(self) -> tuple[str, ...]:
        """Files by the number that `Chunk` gives them."""
        return tuple(self._files)

    def chunks(self) -> Iterator[Chunk]:
        """Yield the hands that can be scored, `CHUNK` at a time."""
        done = 0
        for hands in _in_chunks(self._fit()):
            done += len(hands)
            if self._progress is not None:
                self._progress(done, 0, "hands")
            seats = self._seats(hands)
            fresh = self._fresh(hands)
            if fresh.size < len(hands):
                hands, seats = hands.rows(fresh), seats[fresh]
            if len(hands):
                yield Chunk(hands, seats.astype(np.uint8), self._numbers_of_files(hands))

    def _batches(self) -> Iterator[HandBatch]:
        """Yield all hands as batches, without records that cannot be scored."""
        waiting: list[HandRecord] = []
        for item in self._hands:
            if isinstance(item, Skipped):
                self.skipped[item.reason.value] += 1
            elif isinstance(item, HandRecord):
                reason = why_unscorable(item)
                if reason is None:
                    waiting.append(item)
                else:
                    self.skipped[reason.value] += 1
                if len(waiting) == CHUNK:
                    yield batch_of(waiting)
                    waiting = []
            else:
                if waiting:
                    yield batch_of(waiting)
                    waiting = []
                yield item
        if waiting:
            yield batch_of(waiting)

    def _fit(self) -> Iterator[HandBatch]:
        for hands in self._batches():
            reasons = why_unscorable_by_row(hands)
            fit = reasons == None  # noqa: E711 -- by element
            self._meet(hands, fit)
            fit &= self._seats(hands) != UNKNOWN
            reasons[~fit & (reasons == None)] = Unscorable.PLAYERS  # noqa: E711
            self.skipped.update(reason.value for reason in reasons[~fit].tolist())
            if fit.all():
                yield hands
            elif fit.any():
                yield hands.rows(fit)

    def _meet(self, hands: HandBatch, fit: npt.NDArray[np.bool_]) -> None:
        """Take the players from the first hand that can be scored."""
        if self.players is not None or not fit.any():
            return
        first, second = (hands.names[i] for i in hands.player[np.argmax(fit), :2].tolist())
        self.seen.update((first, second))
        if self._player in (None, first):
            self.players = (first, second)
        elif self._player == second:
            self.players = (second, first)

    def _seats(self, hands: HandBatch) -> _Rows:
        """Return the first player's seat in each hand, -1 where others play."""
        if self.players is None:
            return np.full(len(hands), UNKNOWN)
        who = [hands.names.index(name) if name in hands.names else -2 for name in self.players]
        one, two = hands.player[:, 0], hands.player[:, 1]
        as_first = (one == who[0]) & (two == who[1])
        as_second = (one == who[1]) & (two == who[0])
        return np.where(as_first, 0, np.where(as_second, 1, UNKNOWN))

    def _fresh(self, hands: HandBatch) -> _Rows:
        """Return the rows of hands not seen before: a file given twice is no more evidence."""
        fresh = self._seen.fresh(hands)
        if fresh.size < len(hands):
            self.skipped[Unscorable.AGAIN.value] += len(hands) - fresh.size
        return fresh

    def _numbers_of_files(self, hands: HandBatch) -> npt.NDArray[np.int32]:
        """Number the files in the order in which scored hands come from them, -1 for none."""
        places, first = np.unique(hands.file, return_index=True)
        for place in hands.file[np.sort(first)].tolist():
            if place != UNKNOWN:
                self._files.setdefault(hands.sources[place], len(self._files))
        number_of = {place: self._files[hands.sources[place]] for place in places if place >= 0}
        numbers = np.array([number_of.get(place, UNKNOWN) for place in places.tolist()], np.int32)
        return numbers[np.searchsorted(places, hands.file)]


def _in_chunks(batches: Iterable[HandBatch]) -> Iterator[HandBatch]:
    """Cut and join batches so that all but the last have `CHUNK` hands."""
    waiting: list[HandBatch] = []
    count = 0
    for hands in batches:
        waiting.append(hands)
        count += len(hands)
        while count >= CHUNK:
            joined = concat(waiting)
            yield joined.rows(np.arange(CHUNK)) if count > CHUNK else joined
            count -= CHUNK
            waiting = [joined.rows(np.arange(CHUNK, CHUNK + count))] if count else []
    if count:
        yield concat(waiting)
