"""What a log of any format leaves out, and which results its hands cannot give for that reason.

`verify` refuses hands that cannot have happened; here the others are searched for gaps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from railbird.histories.record import HandRecord, Skipped


def _nothing_known(hand: HandRecord) -> bool:
    return not any(hole is not None for hole in hand.holes)


LACKS: Final[Mapping[str, tuple[str, Callable[[HandRecord], bool]]]] = {
    "time": (
        "no sessions, months, hourly rates nor order of play",
        lambda hand: hand.played_at is None,
    ),
    "time zone": (
        "times of several sites cannot be compared",
        lambda hand: hand.played_at is not None and hand.played_at.tzinfo is None,
    ),
    "number": (
        "missing hands do not show, and copies are told by their cards alone",
        lambda hand: hand.number is None and not hand.number_text,
    ),
    "table": ("tables played at once cannot be told apart", lambda hand: not hand.table),
    "currency": (
        "results are chips",
        lambda hand: not (hand.currency or hand.tournament or hand.play_money),
    ),
    "anybody’s cards": ("luck and decisions cannot be judged", _nothing_known),
}
"""What a hand can lack: what cannot be told then, and the test of a hand."""


@dataclass
class LogLint:
    """Counts of what the hands of a log lack, while they pass by."""

    hands: int = 0
    lacking: Counter[str] = field(default_factory=Counter)
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Hands that could not be used, by reason and what their text says."""

    def pass_by(self, hands: Iterable[HandRecord | Skipped]) -> Iterator[HandRecord | Skipped]:
        """Give the hands on."""
        for hand in hands:
            if isinstance(hand, Skipped):
                self.refused[hand.reason.value, _kind(hand.detail)] += 1
            else:
                self.hands += 1
                self.lacking.update(name for name, (_, lacks) in LACKS.items() if lacks(hand))
            yield hand

    def as_json(self) -> dict[str, Any]:
        """Return the counts."""
        return {
            "hands": self.hands,
            "lacking": {name: self.lacking[name] for name in LACKS},
            "refused": [
                {"reason": reason, "detail": kind, "count": count}
                for (reason, kind), count in self.refused.most_common()
            ],
        }


def _kind(detail: str) -> str:
    """Reduce a detail to what hands of one kind share: names and amounts go.

    >>> _kind("'Ann calls 12.50' is no action"), _kind("run twice, with more than one board")
    ("'…' is no action", 'run twice, with more than one board')
    """
    return re.sub(r"[$€£]?\d[\d.,]*", "…", re.sub(r"'[^']*'", "'…'", detail))
