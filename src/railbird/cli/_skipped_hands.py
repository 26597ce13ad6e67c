"""Unusable hands of a log: the first ones described, the rest counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from railbird.cli._console import errors
from railbird.errors import NothingUsable

if TYPE_CHECKING:
    from railbird.histories import Skipped

_SHOWN = 10
_LONGEST = 200
"""Characters of one line; a log can have lines of any length."""


class SkipList:
    """Skipped hands, counted by reason, and the words for the first ten."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._listed: list[str] = []
        self._unlisted: Counter[str] = Counter()

    def add(self, skipped: Skipped, file: str = "") -> None:
        """Count one; ``file`` stands before its line where there are several."""
        self.counts[skipped.reason.value] += 1
        file = skipped.file or file
        if len(self._listed) < _SHOWN:
            where = f"{file} line {skipped.line}" if skipped.line else file
            parts = (where.strip(), skipped.reason.value, skipped.detail)
            words = ": ".join(filter(None, parts))
            self._listed.append(words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…")

    def leave_out(self, reason: str, hands: int) -> None:
        """Count hands of which there is no more to say than the reason."""
        self.counts[reason] += hands
        self._unlisted[reason] += hands

    def show(self) -> None:
        """List the first ones on standard error, and say how many more there are."""
        for line in self._listed:
            errors.print(line, soft_wrap=True)
        listed = self.counts.total() - self._unlisted.total()
        if (more := listed - len(self._listed)) > 0:
            errors.print(f"and {more:,} more")
        if self._unlisted:
            errors.print(f"skipped: {reasons(self._unlisted)}")


def reasons(counts: Mapping[str, int]) -> str:
    """Return why nothing came of an input.

    >>> reasons({"unreadable": 1200, "cut off": 1}), reasons({})
    ('1,200 unreadable, 1 cut off', 'there are none')
    """
    return ", ".join(f"{count:,} {reason}" for reason, count in counts.items()) or "there are none"


def nothing_written(
    target: str, target_format: str | None, skipped: Mapping[str, int]
) -> NothingUsable:
    """Return why a file was not written; where its name chose a format in vain, name the others."""
    from railbird.histories import FORMATS, SkipReason, writable_format

    refused = skipped.get(SkipReason.NOT_REPRESENTABLE.value, 0)
    if target_format is not None or not refused:
        return NothingUsable(f"{target}: no hand was written: {reasons(skipped)}")
    chosen = writable_format(target)
    others = [other.name for other in FORMATS if other.write is not None and other is not chosen]
    return NothingUsable(
        f"{target}: no hand fits the format {chosen.name} ({chosen.title}); "
        f"name another by --to: {', '.join(others)}"
    )
