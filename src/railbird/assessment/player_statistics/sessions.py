"""Sessions of a player: hands without a long pause, at one table or several, and hourly rates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import polars as pl

from railbird.assessment.player_statistics.settings import SESSION_GAP
from railbird.errors import BadInput
from railbird.estimates.estimate import Estimate
from railbird.estimates.ratio import ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class HourlyRate:
    """One player's winnings per hour, from independent sessions."""

    hours: float
    """From the first to the last hand of each session, summed."""
    sessions: int
    bb: Estimate
    """Big blinds per hour, each hand in its own."""
    money: dict[str, Estimate]
    """By stake, in its currency."""

    def as_json(self) -> dict[str, object]:
        """Return the numbers unrounded."""
        return {
            "hours": self.hours,
            "sessions": self.sessions,
            "bb_per_hour": self.bb.as_json(),
            "money_per_hour": {stake: rate.as_json() for stake, rate in self.money.items()},
        }


def with_sessions(rows: pl.DataFrame, gap: timedelta = SESSION_GAP) -> pl.DataFrame:
    """Add ``session``, the text of the time when it began; null for hands without a time."""
    timed = rows.filter(pl.col("played_at").is_not_null()).sort("played_at", maintain_order=True)
    begins = pl.col("played_at").diff().over("player").fill_null(gap + timedelta(1)) > gap
    timed = timed.with_columns(begun=pl.when(begins).then("played_at"))
    start = pl.col("begun").forward_fill().over("player").dt.strftime("%Y-%m-%d %H:%M")
    timed = timed.with_columns(session=start).drop("begun")
    rest = rows.filter(pl.col("played_at").is_null())
    return pl.concat([timed, rest.with_columns(session=pl.lit(None, pl.String))])


def hourly_rates(rows: pl.DataFrame) -> dict[str, HourlyRate]:
    """Return the rates of all players with hands that have times.

    A session lasts from its first to its last hand, so a single hand adds no time.
    """
    timed = with_sessions(rows).drop_nulls("session")
    rates = {}
    for (name,), mine in timed.group_by("player", maintain_order=True):
        sessions = _sessions(mine)
        if sessions["hours"].sum() == 0:
            continue
        rates[str(name)] = HourlyRate(
            hours=float(sessions["hours"].sum()),
            sessions=sessions.height,
            bb=ratio(sessions["won"], sessions["hours"], unit="bb"),
            money={
                str(stake): ratio(at["money"], at["hours"], unit=str(part["currency"][0]))
                for (stake,), part in mine.group_by("stake", maintain_order=True)
                for at in [_sessions(part)]
                if at["hours"].sum() > 0
            },
        )
    return rates


def _sessions(rows: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each session: ``hours``, ``won`` and ``money``."""
    lasted = pl.col("played_at").max() - pl.col("played_at").min()
    return rows.group_by("session", maintain_order=True).agg(
        pl.col("won", "money").sum(), hours=lasted.dt.total_seconds() / 3600
    )


def moment(text: str, *, end: bool = False) -> datetime:
    """Parse a date or time; with ``end`` a date means the end of the day. Raises `BadInput`.

    >>> str(moment("2009-07-01")), str(moment("2009-07-01", end=True))
    ('2009-07-01 00:00:00', '2009-07-02 00:00:00')
    """
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        raise BadInput(
            f"{text!r} is no date; allowed: such as 2009-07-01 or 2009-07-01T18:30"
        ) from None
    whole_day = len(text.strip()) <= len("2009-07-01")
    return (time + timedelta(days=1) if end and whole_day else time).replace(tzinfo=None)
