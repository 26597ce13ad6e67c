"""Sites' texts of any hold'em in parts that can be read apart, by several processes.

A hand of such a text (`railbird.histories.sites.text.SiteText`) depends on no other, so a text is
cut before the first line of a hand. Of each part but the last, the reader gets that line, too: it
shows that what stands before it has ended, and is left out of what was read.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from railbird.histories.files import LogFile, decoded
from railbird.histories.format import Format, ReadOptions, attempt, unforeseen
from railbird.histories.record import BadHand, HandRecord, Skipped
from railbird.histories.registry import format_named
from railbird.histories.sites.text import SiteText

if TYPE_CHECKING:
    from railbird.histories.columns import HandBatch

PART: Final = 1 << 21
"""Bytes from which on a part is complete: some 2,000 hands."""


class LogPart(NamedTuple):
    """Some hands of a text."""

    format_name: str
    options: ReadOptions
    text: str
    first: int
    """Number of its first line in the log."""
    is_last: bool
    """Whether the log ends with it; otherwise its last line is the first one of the next part."""


class PartHands(NamedTuple):
    """What was read of a part, in the order of the log."""

    skipped: list[Skipped]
    hands: HandBatch


Spread: TypeAlias = Callable[[Iterator[LogPart | None]], Iterator[PartHands | None]]
"""Function that reads parts, as `read_part` does, and gives what comes of them in their order.

None gives None: a place in the order.
"""


def site_of(log_format: Format) -> SiteText | None:
    """Return the site whose texts a format reads hand by hand; None where they hang together."""
    owner = getattr(log_format.read, "__self__", None)
    return owner if isinstance(owner, SiteText) else None


def cut_log(
    log: LogFile, log_format: Format, site: SiteText, options: ReadOptions
) -> Iterator[LogPart]:
    """Cut a log into parts."""
    waiting, first = "", 1
    for piece in log.pieces():
        waiting += decoded(piece)
        if len(waiting) < PART or (cut := _last_beginning(waiting, site)) == 0:
            continue
        end = waiting.find("\n", cut) + 1
        yield LogPart(log_format.name, options, waiting[:end], first, is_last=False)
        first += waiting.count("\n", 0, cut)
        waiting = waiting[cut:]
    yield LogPart(log_format.name, options, waiting, first, is_last=True)


def _last_beginning(text: str, site: SiteText) -> int:
    """Return where the last hand of a text begins whose first line is whole; 0 if nowhere else."""
    end = text.rfind("\n") + 1
    while end > 0:
        start = text.rfind("\n", 0, end - 1) + 1
        begins = attempt("", site.begins_hand, text[start:end])
        if isinstance(begins, BadHand):  # whoever reads the part says why
            return 0
        if begins:
            return start
        end = start
    return 0


def read_part(log_part: LogPart) -> PartHands:
    """Read a part; lines are counted from the beginning of the log."""
    from railbird.histories.columns import batch_of  # kernels, which text does without

    lines = io.StringIO(log_part.text, "\n").readlines()
    items = list[HandRecord | Skipped]()
    try:
        items.extend(format_named(log_part.format_name).read(lines, log_part.options))
        if not log_part.is_last:
            items.pop()
    except Exception as fault:  # in dividing the text, which leaves nothing to go on from
        problem = unforeseen(fault, lines[0] if lines else "")
        items.append(Skipped(problem.reason, 0, f"{problem.detail}; the rest is not read"))
    lines_before = log_part.first - 1
    skipped = [
        replace(item, line=item.line and item.line + lines_before, file=log_part.options.file)
        for item in items
        if isinstance(item, Skipped)
    ]
    hands = batch_of([item for item in items if isinstance(item, HandRecord)])
    return PartHands(skipped, replace(hands, line=hands.line + lines_before))
