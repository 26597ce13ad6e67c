"""One person's play in any hold'em as one number: what a decision lost, with an interval.

`leaks` says of the same graded decisions where they cost most, `railbird.arena.examination` asks
decisions instead of reading them from a log.

Only decisions whose cost something bounds count (`graded_decisions`), each with the least and the
most that it cost. The interval's lower end is that of the least costs, its upper end that of the
most: it holds both the judges' uncertainty and the sample's. A decision is judged where its bounds
are narrow enough for a grade. Where less than half of the decisions are judged, the middle between
the bounds is no estimate: there is an interval, but neither a number nor a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from railbird._display import HasTable, table_of
from railbird.assessment.graded_decisions import CLOSE, Grade
from railbird.assessment.own_play import OwnPlay
from railbird.estimates.bounded_mean import skewed
from railbird.estimates.estimate import ALPHA, Estimate, finite_or_none

LEAST_JUDGED: Final = 0.5
"""Share of a person's decisions that have to be judged for a verdict."""
BLUNDER: Final = CLOSE
"""Part of the pot that a blunder costs at least; a mistake costs `graded_decisions.SMALL`."""
PARTS: Final = ("street", "position", "action", "by")
"""What decisions are counted by: ``action`` is what was done, ``by`` what judged it."""
_MILLI: Final = 1_000
_PER: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LostByDecisions:
    """What some decisions lost."""

    decisions: int
    bounded: int
    """Those whose cost has bounds; the interval is for their mean."""
    good: int
    close: int
    mistakes: int
    """Blunders included."""
    blunders: int
    unknown: int
    """Those whose bounds are too wide for a grade."""
    value: float
    """Thousandths of a big blind that a bounded decision lost, by the middle of the bounds; NaN
    where less than `LEAST_JUDGED` of the decisions are judged."""
    low: float
    """Lower end of the 95 % interval, of the least that they lost."""
    high: float

    @property
    def judged(self) -> int:
        """Decisions with a grade."""
        return self.bounded - self.unknown

    @property
    def judged_share(self) -> float:
        """Part of the decisions that is judged."""
        return self.judged / self.decisions if self.decisions else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return the numbers unrounded."""
        return {
            "decisions": self.decisions,
            "bounded": self.bounded,
            "judged": self.judged,
            "judged_share": self.judged_share,
            "ev_lost_mbb": finite_or_none(value=self.value, low=self.low, high=self.high),
            "good": self.good,
            "close": self.close,
            "mistakes": self.mistakes,
            "blunders": self.blunders,
            "unknown": self.unknown,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlayRating(HasTable):
    """What one person's decisions lost."""

    player: str
    hands: int
    unit: str
    """``bb``, or in limit ``sb``: a small bet is a big blind there."""
    lost: LostByDecisions
    parts: Mapping[str, Mapping[str, LostByDecisions]]
    """By `PARTS`, then by value."""
    result: Estimate
    """What the person won, with as little luck as the log allows."""
    money: Estimate
    withheld: str
    """Why there is no verdict; empty where there is one."""

    @property
    def per_100(self) -> tuple[float, float, float]:
        """Big blinds that bounded decisions lost in 100 hands: middle, and the interval's ends."""
        times = self.lost.bounded * _PER / (_MILLI * self.hands)
        lost = self.lost
        return lost.value * times, lost.low * times, lost.high * times

    def as_json(self) -> dict[str, Any]:
        """Return the numbers unrounded, as `railbird rate --json` has them."""
        value, low, high = self.per_100
        return {
            "player": self.player,
            "hands": self.hands,
            "unit": self.unit,
            **self.lost.as_json(),
            "ev_lost_bb_per_100": finite_or_none(value=value, low=low, high=high),
            "verdict_withheld": self.withheld or None,
            "least_judged_share": LEAST_JUDGED,
            "result": self.result.as_json(),
            "money": self.money.as_json(),
            **{
                f"by_{'judge' if part == 'by' else part}": {
                    name: lost.as_json() for name, lost in losses.items()
                }
                for part, losses in self.parts.items()
            },
        }

    def to_polars(self) -> pl.DataFrame:
        """Return a row for all decisions, and one for each part."""
        rows = [("all", "", self.lost)]
        rows += [
            (part, name, lost)
            for part, losses in self.parts.items()
            for name, lost in losses.items()
        ]
        return table_of({"part": part, "of": name, **lost.as_json()} for part, name, lost in rows)


def rate_play(play: OwnPlay) -> PlayRating:
    """Sum up one person's graded decisions."""
    decisions = play.decisions
    is_chosen = play.is_by_outcome
    lost = lost_by(decisions, is_chosen=is_chosen)
    withheld = ""
    if is_chosen:
        withheld = "the hands were chosen by how they went"
    elif lost.judged_share < LEAST_JUDGED:
        withheld = (
            f"{lost.judged:,} of {lost.decisions:,} decisions could be judged, "
            f"{lost.judged_share:.0%}; {LEAST_JUDGED:.0%} are needed"
        )
    return PlayRating(
        player=play.player,
        hands=len(play.hands),
        unit=play.unit,
        lost=lost,
        parts={part: _parts(decisions, part, is_chosen=is_chosen) for part in PARTS},
        result=play.result,
        money=play.money,
        withheld=withheld,
    )


def _parts(decisions: pl.DataFrame, part: str, *, is_chosen: bool) -> dict[str, LostByDecisions]:
    rows = decisions.filter(pl.col(part).is_not_null())
    return {
        str(value): lost_by(group, is_chosen=is_chosen)
        for (value,), group in rows.group_by(part, maintain_order=True)
    }


def lost_by(decisions: pl.DataFrame, *, is_chosen: bool = False) -> LostByDecisions:
    """Sum up decisions with the columns of `railbird.assessment.own_play.OwnPlay.decisions`.

    A mean of decisions that were chosen by how their hands went estimates nothing, so it is NaN.
    """
    bounded = decisions.filter(pl.col("by").is_not_null())
    grades = bounded["grade"].to_list()
    low = bounded["cost_low"].fill_null(0.0).to_numpy() * _MILLI
    high = bounded["cost_high"].fill_null(0.0).to_numpy() * _MILLI
    blunders = (pl.col("grade") == Grade.MISTAKE.value) & (
        pl.col("cost_low") > BLUNDER * pl.col("pot")
    )
    value = least = most = float("nan")
    unknown = grades.count(Grade.UNKNOWN.value)
    if len(low):
        counts = np.ones(len(low), np.int64)
        if not is_chosen and len(low) - unknown >= LEAST_JUDGED * decisions.height:
            value = float((low + high).mean() / 2)
        ends = [
            skewed(costs, counts, unknown=float(high.max()), unit="mbb").interval(1 - ALPHA)
            for costs in (low, high)
        ]
        least, most = max(ends[0][0], 0.0), ends[1][1]
    return LostByDecisions(
        decisions=decisions.height,
        bounded=bounded.height,
        good=grades.count(Grade.GOOD.value),
        close=grades.count(Grade.CLOSE.value),
        mistakes=grades.count(Grade.MISTAKE.value),
        blunders=bounded.filter(blunders).height,
        unknown=unknown,
        value=value,
        low=least,
        high=most,
    )
