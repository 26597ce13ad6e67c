"""Rows of a hand and a seat, from which a table's estimates are made.

The hands of a deal are one value of every interval, since those who play a hand, and the copies of
a duplicate deal, are not independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.decision_divat.estimators import unit_chips
from railbird.assessment.decision_divat.scorer import scorable
from railbird.assessment.estimator import Cards, Columns, Estimator, Kind, Scoring
from railbird.estimates.estimate import Estimate
from railbird.estimates.ratio import ratio
from railbird.estimates.settings import FEWEST
from railbird.histories.columns import UNKNOWN, HandBatch, hand_keys

_OF_DECISIONS: Final = ("divat", "fitted", "mivat")
"""Estimators that leave nothing to chance in hands in which everybody plays the baseline."""
_MIX = 0x9E3779B97F4A7C15


def rows_of(
    batch: HandBatch, numbers: npt.NDArray[np.int64], first: int, columns: Columns
) -> pl.DataFrame:
    """Arrange columns in a row for each hand and seat; ``numbers`` identify the names."""
    hand, seat = np.nonzero(batch.player != UNKNOWN)
    money = batch.chips / unit_chips(batch)[:, None]
    return pl.DataFrame(
        {
            "row": first + hand,
            "player": numbers[batch.player[hand, seat]],
            "seat": seat.astype(np.uint8),
            "number": batch.number[hand],
            "file": np.array([*batch.sources, ""])[batch.file[hand]],
            "line": batch.line[hand],
            "deal": deals_of(batch)[hand],
            "money": money[hand, seat],
            **{
                name: pl.Series(values[hand, seat], nan_to_null=True)
                for name, values in columns.items()
            },
        }
    )


def valued(
    parts: Sequence[pl.DataFrame], estimators: Sequence[Estimator], how: Scoring
) -> pl.DataFrame:
    """Join rows and add the values of estimators."""
    if not parts:
        return pl.DataFrame()
    rows = pl.concat(parts)
    return rows.with_columns(one.values(rows, how).alias(one.name) for one in estimators)


def joined(every: pl.DataFrame, scores: pl.DataFrame, known: npt.NDArray[np.bool_]) -> pl.DataFrame:
    """Add to the rows of all hands what those with all cards known have besides."""
    if scores.is_empty():
        return every
    more = [name for name in scores.columns if name not in every.columns]
    among_all = np.flatnonzero(known)[scores["row"].to_numpy()]
    part = scores.select("seat", *more).with_columns(row=pl.Series(among_all, dtype=pl.Int64))
    return every.join(part, on=["row", "seat"], how="left", maintain_order="left")


def deals_of(batch: HandBatch) -> npt.NDArray[np.int64]:
    """Number the deals: hands with the same number and the same holdings, (n,).

    Hands whose cards are not all known are deals apart.
    """
    known = scorable(batch)
    holdings = np.sort(batch.holding.astype(np.int64), axis=1)
    return _hashed([batch.number, *holdings.T, np.where(known, 0, hand_keys(batch).view(np.int64))])


def _hashed(columns: Iterable[npt.NDArray[np.integer]]) -> npt.NDArray[np.int64]:
    """Mix columns into one number a row, the same on every machine."""
    first, *more = [column.astype(np.int64).view(np.uint64) for column in columns]
    mixed = first + np.uint64(1)
    with np.errstate(over="ignore"):
        for column in [np.zeros_like(first), *more]:
            mixed = (mixed ^ column) * np.uint64(_MIX)
            mixed = mixed ^ (mixed >> np.uint64(29))
    keys: npt.NDArray[np.int64] = mixed.view(np.int64)
    return keys


def estimates_of(
    rows: pl.DataFrame, estimators: Sequence[Estimator], unit: str
) -> dict[str, Estimate]:
    """Estimate by every estimator that applies to these rows."""
    able = [one.name for one in estimators if rows[one.name].null_count() < rows.height]
    found = {name: _estimate(rows, name, unit) for name in able}
    return found | {
        name: replace(found[name], nonzero=judged_deals(rows))
        for name in _OF_DECISIONS
        if name in found
    }


def judged_deals(rows: pl.DataFrame) -> int:
    """Count the deals in which a decision that was not the baseline's changed these results.

    In all others nothing is left but position, and of fitted estimates the noise of coefficients,
    which fit nearly nothing: a few deviations among such hands give too narrow an interval.
    """
    changed = (pl.col("own") != 0) | (pl.col("others") != 0)
    return rows.filter(changed)["deal"].n_unique()


def _estimate(rows: pl.DataFrame, column: str, unit: str) -> Estimate:
    """Mean of a hand that has a value, the deals being independent."""
    rows = rows.filter(pl.col(column).is_not_null())
    deals = rows.group_by("deal", maintain_order=True).agg(pl.col(column).sum(), hands=pl.len())
    mean = ratio(deals[column], deals["hands"])
    return Estimate(mean.value, mean.stderr, mean.n, unit, mean.nonzero)


def reductions_of(
    known: pl.DataFrame | None, every: pl.DataFrame, estimators: Sequence[Estimator]
) -> dict[str, float]:
    """Divide the variance of the money by that of each estimator on the rows of its estimate."""
    reductions = {}
    for one in estimators:
        rows = known if one.cards is Cards.ALL else every
        if rows is None or rows.is_empty() or one.kind is not Kind.UNBIASED or one.name == "money":
            continue
        values = rows[one.name].drop_nulls()
        if values.len() < FEWEST:
            continue
        money = rows["money"].filter(rows[one.name].is_not_null()).to_numpy()
        if (spread := np.var(values.to_numpy())) > 0:
            reductions[one.name] = float(np.var(money) / spread)
    return reductions
