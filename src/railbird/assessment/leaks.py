"""Where one person's decisions cost most, in any hold'em: graded decisions summed up by spot.

`costly_spots` does the same by what decisions changed with all cards seen.

A spot is any choice of street, position, action faced and texture of the board, the street always
named: "on the river, facing a bet" as well as "on the river, in the big blind, facing a bet, on a
paired board". All spots that occur often enough are examined, which finds large costs by chance
alone. So their intervals hold for all of them together (Bonferroni), by Hall's transformation,
since costs are mostly zero and sometimes large (`railbird.estimates.bounded_mean.skewed`).

The cost of a decision is known between bounds. An interval's lower end is that of the lower bounds,
its upper end that of the upper bounds. So it covers both the uncertainty of the sample and that of
the judges, and includes a decision of unknown grade whose cost has bounds. A decision that nothing
judges is in no sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.estimates.bounded_mean import SkewedEstimate, skewed
from railbird.estimates.estimate import ALPHA, Estimate, estimate, finite_or_none
from railbird.histories.columns import NO_TIME

KEYS: Final = ("street", "position", "facing", "texture")
"""What makes a spot; the street is always among them."""
FEWEST_DECISIONS: Final = 20
"""Decisions with a grade below which a spot is not looked at."""
MOST_LEAKS: Final = 8
REPLAYED: Final = 3
"""Hands to replay of each leak."""
SESSION_BREAK_US: Final = 3_600_000_000
"""Microseconds without a hand after which a session ends."""
BLOCKS: Final = 8
"""Parts of a log that does not say when its hands were played."""
FEWEST_IN_SESSION: Final = 50
"""Hands below which a session is joined with the next one."""
_PER: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A spot in which decisions cost something."""

    spot: dict[str, str]
    """Values of those of `KEYS` that make it."""
    decisions: int
    """Those that are good, close or mistakes."""
    open: int
    """Those of unknown grade whose cost has bounds, which count in the interval as well."""
    mistakes: int
    low: SkewedEstimate
    """What they cost at least, for 100 hands of the log."""
    high: SkewedEstimate
    """What they cost at most."""
    level: float
    """Level at which the interval holds alone, so that with 95 % all hold together."""
    hands: tuple[tuple[int, int], ...]
    """Rows and numbers of the actions of decisions to replay, the costliest first."""

    @property
    def interval(self) -> tuple[float, float]:
        """The cost for 100 hands, with 95 % for all spots together; at least 0."""
        return max(self.low.interval(self.level)[0], 0.0), self.high.interval(self.level)[1]

    @property
    def is_sure(self) -> bool:
        """Whether the spot costs something, however many were looked at."""
        return self.interval[0] > 0


class Session(NamedTuple):
    """A part of the log in its order."""

    hands: int
    low: Estimate
    """What decisions cost at least, for 100 hands."""
    high: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaks:
    """Where decisions cost most, and whether that changes."""

    leaks: tuple[Leak, ...]
    """Those that cost something, the surest first; none contains another one."""
    looked_at: int
    """Spots that occur often enough."""
    valued: int
    """Decisions whose cost has bounds, those of unknown grade among them."""
    decisions: int
    sessions: tuple[Session, ...]
    by_time: bool
    """Whether the log says when hands were played, so that parts are sessions."""
    trend: Estimate | None
    """Cost for 100 hands in the second half of the log less that in the first, by the middle of
    the bounds; None in a log too short to say."""

    def as_json(self, unit: str) -> dict[str, object]:
        """Return the numbers unrounded, for 100 hands."""
        return {
            "looked_at": self.looked_at,
            "valued": self.valued,
            "spots": [
                {
                    **leak.spot,
                    "decisions": leak.decisions,
                    "open": leak.open,
                    "mistakes": leak.mistakes,
                    f"least_{unit}": leak.low.value,
                    f"most_{unit}": leak.high.value,
                    **_interval_json(*leak.interval, unit),
                    "hands": [{"hand": row, "action_number": act} for row, act in leak.hands],
                }
                for leak in self.leaks
            ],
            "sessions": [
                {
                    "hands": session.hands,
                    f"least_{unit}": session.low.value,
                    f"most_{unit}": session.high.value,
                    **_interval_json(session.low.low, session.high.high, unit),
                }
                for session in self.sessions
            ],
            "trend": None if self.trend is None else self.trend.as_json(),
        }


def _interval_json(low: float, high: float, unit: str) -> dict[str, float | None]:
    names = (f"low_{unit}", f"high_{unit}")
    return finite_or_none(**dict(zip(names, (low, high), strict=True)))


def texture_of(cards: npt.NDArray[np.integer]) -> str:
    """Name a board: paired, monotone (three of a suit), connected (a straight is possible) or dry.

    >>> from railbird.cards import cards_from
    >>> [texture_of(np.array(cards_from(text))) for text in ("KsKd2c", "7s2dKc", "7s5dKc6h")]
    ['paired', 'dry', 'connected']
    """
    if not len(cards):
        return ""
    ranks, suits = cards // 4, cards % 4
    if len(set(ranks.tolist())) < len(cards):
        return "paired"
    if np.bincount(suits).max() >= 3:
        return "monotone"
    present = np.zeros(14, dtype=np.int64)
    present[ranks + 1] = 1
    present[0] = present[13]  # an ace below the deuce
    if max(present[low : low + 5].sum() for low in range(10)) >= 3:
        return "connected"
    return "dry"


def find_leaks(decisions: pl.DataFrame, hands: int, played_at: npt.NDArray[np.int64]) -> Leaks:
    """Sum up graded decisions by spot.

    ``decisions`` have the columns ``row``, ``act``, ``grade``, ``cost_low``, ``cost_high`` and
    `KEYS`; ``hands`` is the number of hands of the log, ``played_at`` (hands,) microseconds, or
    `railbird.histories.columns.NO_TIME`.
    """
    valued = decisions.filter(pl.col("cost_low").is_not_null())
    spots = list(_spots(valued))
    level = 1 - ALPHA / max(len(spots), 1)
    leaks = [_leak(spot, rows, hands, level) for spot, rows in spots]
    leaks = [leak for leak in leaks if leak.high.value > 0 and leak.mistakes]
    leaks.sort(key=lambda leak: (-leak.interval[0], -leak.low.value, len(leak.spot)))
    distinct: list[Leak] = []
    for leak in leaks:
        # What is within a spot that stands above, or around it, says the same once more.
        if not any(_nested(leak.spot, other.spot) for other in distinct):
            distinct.append(leak)
    sums = _by_hand(valued, hands)
    sessions, by_time = _sessions(sums, played_at)
    return Leaks(
        leaks=tuple(distinct[:MOST_LEAKS]),
        looked_at=len(spots),
        valued=valued.height,
        decisions=decisions.height,
        sessions=sessions,
        by_time=by_time,
        trend=_trend(sums),
    )


def _spots(valued: pl.DataFrame) -> Iterator[tuple[dict[str, str], pl.DataFrame]]:
    """Yield the spots that occur often enough, the widest first; the same decisions once."""
    street, *others = KEYS
    seen: set[bytes] = set()
    for count in range(len(others) + 1):
        for chosen in combinations(others, count):
            keys = [street, *chosen]
            for values, rows in valued.group_by(keys, maintain_order=True):
                spot = {key: str(value) for key, value in zip(keys, values, strict=True) if value}
                if _graded(rows) < FEWEST_DECISIONS or len(spot) < len(keys):
                    continue
                # A narrower spot that contains the same decisions says nothing new, and every spot
                # that is examined widens the intervals of all.
                same = rows.select("row", "act").to_numpy().tobytes()
                if same not in seen:
                    seen.add(same)
                    yield spot, rows


def _graded(rows: pl.DataFrame) -> int:
    return rows.filter(pl.col("grade") != "unknown").height


def _nested(first: dict[str, str], second: dict[str, str]) -> bool:
    return first.items() <= second.items() or second.items() <= first.items()


def _by_hand(rows: pl.DataFrame, hands: int) -> npt.NDArray[np.float64]:
    """Return (2, hands) the least and the most cost of decisions by hand, for 100 hands."""
    at = rows["row"].to_numpy()
    return np.array(
        [_PER * np.bincount(at, rows[name].to_numpy(), hands) for name in ("cost_low", "cost_high")]
    )


def _leak(spot: dict[str, str], rows: pl.DataFrame, hands: int, level: float) -> Leak:
    low, high = (_mean(costs) for costs in _by_hand(rows, hands))
    worst = rows.sort("cost_low", "cost_high", "row", "act", descending=[True, True, False, False])
    return Leak(
        spot=spot,
        decisions=_graded(rows),
        open=rows.height - _graded(rows),
        mistakes=rows.filter(pl.col("grade") == "mistake").height,
        low=low,
        high=high,
        level=level,
        hands=tuple(worst.head(REPLAYED).select("row", "act").iter_rows()),
    )


def _mean(values: npt.NDArray[np.float64]) -> SkewedEstimate:
    return skewed(values, np.ones(len(values), np.int64), unknown=_PER, unit="bb")


def _sessions(
    sums: npt.NDArray[np.float64], played_at: npt.NDArray[np.int64]
) -> tuple[tuple[Session, ...], bool]:
    hands = sums.shape[1]
    by_time = bool(hands) and not (played_at == NO_TIME).any()
    if by_time:
        # Times may also run backwards, where files were read in another order than they were
        # played.
        breaks = np.flatnonzero(np.abs(np.diff(played_at)) > SESSION_BREAK_US) + 1
    else:
        blocks = min(BLOCKS, max(hands // FEWEST_IN_SESSION, 1))
        breaks = np.linspace(0, hands, blocks + 1).astype(np.int64)[1:-1]
    ends, begin = list[int](), 0
    for end in (*breaks.tolist(), hands):
        if end - begin >= FEWEST_IN_SESSION or (end == hands and not ends):
            ends.append(end)
            begin = end
    # A rest that is too short for a session of its own belongs to the last one.
    if ends and ends[-1] < hands:
        ends[-1] = hands
    parts = zip([0, *ends[:-1]], ends, strict=True)
    return tuple(
        Session(last - first, *(_mean(costs[first:last]) for costs in sums))
        for first, last in parts
    ), by_time


def _trend(sums: npt.NDArray[np.float64]) -> Estimate | None:
    middle = sums.mean(axis=0)
    half = len(middle) // 2
    if half < FEWEST_IN_SESSION:
        return None
    return estimate(middle[half:], unit="bb") - estimate(middle[:half], unit="bb")
