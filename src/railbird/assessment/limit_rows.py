"""The table of scores of a heads-up limit match, one row for each hand, from the kernels' arrays.

`any_table.rows_of` makes that of any hold'em, one row for each hand and seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arrays import Floats
from railbird.assessment.estimator import Columns
from railbird.assessment.limit_layout import Batch
from railbird.estimates.estimate import Estimate, Moments, ratio
from railbird.histories.columns import UNKNOWN, HandBatch


class HandKind(StrEnum):
    """Ending of a hand; a hand with unknown cards has its money as DIVAT."""

    SHOWDOWN = "showdown"
    FOLD = "fold"
    UNKNOWN = "unknown cards"
    """The ending may be the reason: nobody has to show after a fold, nor a loser at the showdown.

    Such hands leave the others a selected sample.
    """
    MASKED = "masked cards"
    """The ending cannot be the reason: the winner of a showdown has shown."""


INCOMPLETE = (HandKind.UNKNOWN, HandKind.MASKED)
"""Kinds of hands that lack cards."""

PAIR = 2
"""Hands of a duplicate pair."""


@dataclass(frozen=True, slots=True)
class MatchPart:
    """Part of a match."""

    hands: HandBatch
    seat: npt.NDArray[np.uint8]
    """(n,) the seat of the player from whose side scores are seen."""
    files: npt.NDArray[np.int32]
    """(n,) numbers of the files that the hands were read from, -1 for none."""


def _or_null(column: npt.NDArray[np.integer], dtype: type[pl.DataType]) -> pl.Series:
    known = column != UNKNOWN
    series = pl.Series(np.where(known, column, 0)).cast(dtype)
    return series if known.all() else pl.select(pl.when(pl.Series(known)).then(series)).to_series()


def score_frame(chunk: MatchPart, batch: Batch, columns: Columns) -> pl.DataFrame:
    """Put the columns of estimators into those of `Assessment.scores`, all but ``pair``.

    ``batch`` are the chunk's hands in small bets.
    """
    rows, seat = np.arange(len(chunk.seat)), chunk.seat
    before_rake = np.where(seat == 0, 1.0, -1.0) * batch.money
    rake, other_rake = batch.rake[rows, seat], batch.rake[rows, 1 - seat]
    money = {"money": before_rake - rake, "rake": rake, "other_rake": other_rake}
    mine = money | {name: values[rows, seat] for name, values in columns.items()}
    kind = np.select(
        [batch.known & ~batch.folded, batch.known, _masked(batch)],
        [HandKind.SHOWDOWN, HandKind.FOLD, HandKind.MASKED],
        HandKind.UNKNOWN,
    )
    return pl.DataFrame(
        [
            _or_null(chunk.hands.whole_number, pl.Int64).alias("number"),
            _or_null(chunk.files, pl.UInt16).alias("file"),
            _or_null(chunk.hands.line, pl.Int64).alias("line"),
            pl.Series("seat", chunk.seat),
            pl.Series("kind", kind, dtype=pl.Enum(HandKind)),
            *(
                pl.Series(name, values, nan_to_null=True, dtype=pl.Float64)
                for name, values in mine.items()
            ),
        ]
    )


def _masked(batch: Batch) -> npt.NDArray[np.bool_]:
    """Return a mask of hands without the cards of a showdown's winner."""
    lacking = np.stack([batch.hands.first, batch.hands.second]) == UNKNOWN
    won = np.stack([batch.money > 0, batch.money < 0])
    masked: npt.NDArray[np.bool_] = ~batch.folded & (lacking & won).any(axis=0)
    return masked


def with_pairs(scores: pl.DataFrame, holding: npt.NDArray[np.int16]) -> pl.DataFrame:
    """Add ``pair``: the same deal under the same number, the seats exchanged; null for the rest.

    ``holding`` (n, 2 or more) are those of the seats. The number of a pair is the row of its first
    hand.
    """
    pair = np.full(scores.height, -1, dtype=np.int64)
    usable = scores["number"].is_not_null() & ~scores["kind"].is_in(INCOMPLETE)
    rows = np.flatnonzero(usable.to_numpy())
    number, seat = (scores[name].to_numpy()[rows] for name in ("number", "seat"))
    first_holding, second_holding = (holding[rows, place] for place in (0, 1))
    # In order of number and cards, so that hands of one deal stand side by side. Polars does the
    # same by windows over the columns, in five times the memory.
    order = np.lexsort((second_holding, first_holding, number))
    new = np.ones(len(rows), dtype=np.bool_)
    for column in (number, first_holding, second_holding):
        in_order = column[order]
        new[1:] &= in_order[1:] == in_order[:-1]
    new[1:] = ~new[1:]
    first = np.flatnonzero(new)
    twice = first[np.diff(first, append=len(rows)) == PAIR]
    mine, other = order[twice], order[twice + 1]
    exchanged = seat[mine] != seat[other]
    mine, other = rows[mine[exchanged]], rows[other[exchanged]]
    pair[mine] = pair[other] = np.minimum(mine, other)
    return scores.with_columns(in_pieces_of(scores, _or_null(pair, pl.Int64)).alias("pair"))


def in_pieces_of(scores: pl.DataFrame, values: pl.Series) -> pl.Series:
    """Cut a column into the pieces of a frame: else the next selection copies all the others."""
    first, pieces = 0, []
    for length in scores["seat"].chunk_lengths():
        pieces.append(values[first : first + length])
        first += length
    return pl.concat(pieces, rechunk=False) if pieces else values


def deals_of_pairs(pair: pl.Series) -> npt.NDArray[np.int64]:
    """Number deals by their first hands, (hands,), from the column ``pair`` of `with_pairs`."""
    rows = np.arange(len(pair))
    return np.where(pair.is_null().to_numpy(), rows, pair.fill_null(0).to_numpy())


@dataclass(frozen=True, slots=True)
class Deals:
    """Grouping of hands by deal, for only different deals are independent.

    Hands of one deal count together, each with its own weight.
    """

    of_hand: npt.NDArray[np.uint32] | None
    """(hands,) numbers of the deals; None where each hand is a deal of its own."""
    hands: npt.NDArray[np.uint32]
    """(deals,) number of hands of each; empty where each hand is a deal of its own."""

    @classmethod
    def of(cls, pair: pl.Series) -> Deals:
        """Number the deals by the column ``pair`` of `with_pairs`, in the order of the match."""
        if pair.null_count() == len(pair):
            return cls(None, np.empty(0, np.uint32))
        first = deals_of_pairs(pair)
        is_first = first == np.arange(len(pair))
        of_hand = (np.cumsum(is_first, dtype=np.uint32) - np.uint32(1))[first]
        return cls(of_hand, np.bincount(of_hand).astype(np.uint32))

    @property
    def has_pairs(self) -> bool:
        """True if any deal was played twice."""
        return bool((self.hands == PAIR).any())

    def estimate(self, values: pl.Series) -> Estimate:
        """Estimate the mean of a hand; null means absent."""
        if self.of_hand is None:
            return Moments.of(values).estimate()
        return ratio(*self._sums(values))

    def estimates(self, values: pl.Series) -> tuple[Estimate, Estimate]:
        """Estimate the mean of a hand, and that of a hand of whole pairs only."""
        if self.of_hand is None:
            return Moments.of(values).estimate(), Moments().estimate()
        totals, counts = self._sums(values)
        is_complete = self.hands == PAIR
        with np.errstate(invalid="ignore"):
            of_pairs = Moments.of(totals[is_complete] / counts[is_complete])
        return ratio(totals, counts), of_pairs.estimate()

    def _sums(self, values: pl.Series) -> tuple[Floats, npt.NDArray[np.integer]]:
        assert self.of_hand is not None
        x = values.to_numpy()
        there = ~np.isnan(x)
        if there.all():
            return np.bincount(self.of_hand, x, len(self.hands)).astype(np.float64), self.hands
        weights: Floats = np.where(there, x, 0.0)
        totals = np.bincount(self.of_hand, weights, len(self.hands)).astype(np.float64)
        return totals, np.bincount(self.of_hand[there], minlength=len(self.hands))
