"""The hands of a log of any game, each once, and an account of those left out.

`railbird.assessment.integrity` says of this account whether hands are missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from railbird._arrays import Floats
from railbird.assessment.integrity import Integrity, LogOrder, LogSigns, LuckCheck
from railbird.assessment.limit_layout import copies_left_out
from railbird.assessment.protocol_errors import ErrorCount
from railbird.assessment.verdict import RefusedTally
from railbird.histories import Skipped
from railbird.histories.columns import HandBatch
from railbird.histories.same_hands import SeenHands, whole_hands

Batches: TypeAlias = Iterable[tuple[HandBatch, Sequence[Skipped]]]
"""Hands as they are read, with the lines that were no hands."""


class Log:
    """Facts about a log besides its hands; complete once all hands have been read."""

    def __init__(self, same: Mapping[str, str] = MappingProxyType({})) -> None:
        """Count refused money for the first name of a person whose other names ``same`` has."""
        self.seen = SeenHands()
        """Hands by which one that is given twice, or seen from two sides, counts once."""
        self.order = LogOrder()
        """Numbers and seats of the hands that were taken."""
        self.signs: LogSigns | None = None
        """What they say, where the hands themselves are not read again (`counted_archive`)."""
        self.errors = ErrorCount()
        """Errors of protocol in the hands that were taken or left out."""
        self.skipped: Counter[str] = Counter()
        """Hands that were left out, by reason."""
        self.refused = RefusedTally(same)
        """What their text says that players won in them."""

    def hands(
        self,
        batches: Batches,
        *,
        own: Callable[[HandBatch], HandBatch] = lambda batch: batch,
        selector: Callable[[Batches], Batches] = iter,
    ) -> Iterator[HandBatch]:
        """Give each hand once, with the cards that any of its views knows.

        ``own`` returns the hands of a batch that are compared (`whole_hands`); ``selector`` may
        leave out further ones.
        """
        for batch, skipped in selector(whole_hands(batches, self.seen, select=own)):
            self.leave_out(skipped)
            if len(batch):
                yield batch
        self.skipped.update(copies_left_out(self.seen))

    def leave_out(self, skipped: Iterable[Skipped]) -> None:
        """Count hands that cannot be used, each once."""
        new = self.refused.new(skipped)
        self.skipped.update(hand.reason.value for hand in new)
        self.errors.skip(new)

    def take(self, batch: HandBatch) -> None:
        """Note the order and the errors of protocol of hands that count."""
        self.order.take(batch)
        self.errors.take(batch)

    def integrity(
        self, *, unit: str, luck: Mapping[str, LuckCheck], money: Mapping[str, Floats]
    ) -> Integrity:
        """Check whether hands are missing, by results in the order of play (`Integrity.judged`)."""
        return Integrity.judged(
            self.signs or LogSigns.of(self.seen, self.order),
            unit=unit,
            luck=luck,
            money=money,
            skipped=self.skipped,
            refused=self.refused,
        )
