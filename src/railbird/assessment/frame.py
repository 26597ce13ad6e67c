"""Scores of hands as a table: one row a hand, whatever the arrays behind it look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.batch import UNKNOWN, Batch, batch_of
from railbird.assessment.divat._kernels_divat import STREETS, Scores
from railbird.estimates.estimate import Estimate, Moments
from railbird.estimates.ratio import ratio
from railbird.game import Street
from railbird.histories import HandRecord, one_line

KINDS = ("showdown", "fold", "unknown cards", "masked cards")
"""How a hand ended; where cards are not known its DIVAT is its money.

Cards are unknown where the ending may be the reason: nobody has to show after a fold, and a loser
need not at the showdown. They are masked where it cannot be, the winner of a showdown having shown.
"""

HIDDEN = KINDS[2]
"""Kind of hands that make the others a selected sample."""

ROUNDS = tuple(street.name.lower() for street in Street)

AMOUNTS = (
    "money",
    "divat",
    *(f"divat_{name}" for name in ROUNDS),
    *(f"luck_{name}" for name in ROUNDS),
    "position",
    "aie",
    "dcash",
    "redgreen",
    "evat",
    "lfat",
)
"""Columns of small bets."""

_HOLES = r"^([^,]*,[^, ]*)"
"""Both hole cards at the head of a hand's text."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some hands of a match, laid out."""

    batch: Batch
    seat: npt.NDArray[np.uint8]
    """(n,) the seat of the player from whose side scores are seen."""
    labels: pl.DataFrame
    """Columns ``number``, ``file``, ``line`` and ``text``."""

    @classmethod
    def of(
        cls, records: Sequence[HandRecord], seats: Sequence[int], files: Sequence[int | None]
    ) -> Chunk:
        """Lay out hands; ``files`` are the numbers of the files that they were read from."""
        sources = [record.source for record in records]
        labels = {
            "number": pl.Series([record.number for record in records], dtype=pl.Int64),
            "file": pl.Series(files, dtype=pl.UInt16),
            "line": pl.Series([s.line if s else None for s in sources], dtype=pl.Int64),
            "text": pl.Series([one_line(record) for record in records], dtype=pl.String),
        }
        return cls(batch_of(records), np.array(seats, dtype=np.uint8), pl.DataFrame(labels))


def score_frame(chunk: Chunk, scores: Sequence[Scores], positions: Sequence[float]) -> pl.DataFrame:
    """Put scores into the columns of `Assessment.scores`, all but ``pair``.

    ``scores`` are those of one or more settings, which are averaged; ``positions`` are the values
    of a hand to the big blind before the deal under each.
    """
    batch = chunk.batch
    columns = [
        _columns(batch, each, position) for each, position in zip(scores, positions, strict=True)
    ]
    amounts = {name: np.mean([each[name] for each in columns], axis=0) for name in columns[0]}
    blind = chunk.seat == 0
    redgreen = np.where(blind, amounts.pop("redgreen_1"), amounts.pop("redgreen_2"))
    side = np.where(blind, 1.0, -1.0)
    amounts = {name: side * amount for name, amount in amounts.items()} | {"redgreen": redgreen}
    kind = np.where(batch.known, np.where(batch.folded, 1, 0), np.where(_masked(batch), 3, 2))
    return chunk.labels.select(
        "number",
        "file",
        "line",
        pl.Series("seat", chunk.seat),
        pl.Series("kind", np.array(KINDS)[kind], dtype=pl.Enum(KINDS)),
        *(pl.Series(name, amounts[name], nan_to_null=True, dtype=pl.Float64) for name in AMOUNTS),
        "text",
    )


def _masked(batch: Batch) -> npt.NDArray[np.bool_]:
    """Tell which hands lack the cards of the winner of a showdown."""
    lacking = np.stack([batch.hands.first, batch.hands.second]) == UNKNOWN
    won = np.stack([batch.money > 0, batch.money < 0])
    masked: npt.NDArray[np.bool_] = ~batch.folded & (lacking & won).any(axis=0)
    return masked


def _columns(batch: Batch, scores: Scores, position: float) -> dict[str, Floats]:
    """Scores of a batch by name, (n,) each, for the big blind; nan where cards are not known."""
    difference = scores.actual - scores.baseline
    before = np.concatenate(
        [np.full((len(batch.money), 1), position), scores.actual[:, : STREETS - 1]], axis=1
    )
    luck = scores.baseline - before
    unknown = np.where(batch.known, 0.0, np.nan)
    by_street = {
        f"{what}_{name}": np.nan_to_num(values[:, street]) + unknown
        for what, values in (("divat", difference), ("luck", luck))
        for street, name in enumerate(ROUNDS)
    }
    divat = np.nansum(difference, axis=1)
    return {
        "money": batch.money,
        "divat": np.where(batch.known, divat, batch.money),
        **by_street,
        "position": position + unknown,
        "aie": np.nansum(scores.aie_actual - scores.aie_baseline, axis=1) + unknown,
        "dcash": scores.dcash,
        "redgreen_1": _credit(difference, scores.first_deviator == 0) + unknown,
        "redgreen_2": _credit(-difference, scores.first_deviator == 1) + unknown,
        "evat": scores.evat[:, 0] - scores.evat[:, 1],
        "lfat": np.nansum(scores.lfat, axis=1) + unknown,
    }


def _credit(difference: Floats, deviated: npt.NDArray[np.bool_]) -> Floats:
    """Sum of the rounds in which a player was the first to leave the baseline."""
    credit: Floats = np.nansum(np.where(deviated, difference, 0.0), axis=1)
    return credit


def holes_text() -> pl.Expr:
    """Take both holdings, by seat, out of a hand's text."""
    return pl.col("text").str.extract(_HOLES)


def with_pairs(scores: pl.DataFrame) -> pl.DataFrame:
    """Add ``pair``: the same deal under the same number, the seats exchanged; null for the rest."""
    again = scores["number"].is_not_null() & scores["number"].is_duplicated()
    if not again.any():
        return scores.with_columns(pair=pl.lit(None, dtype=pl.Int64))
    deal = ("number", "holes")
    pairs = (
        scores.select(
            "number",
            "seat",
            holes=holes_text(),
            row=pl.int_range(pl.len(), dtype=pl.Int64),
        )
        .filter(again & ~scores["kind"].is_in(KINDS[2:]))
        .filter((pl.len().over(deal) == 2) & (pl.col("seat").n_unique().over(deal) == 2))
        .select("row", pair=pl.col("row").min().over(deal))
    )
    return (
        scores.with_row_index("row")
        .with_columns(pl.col("row").cast(pl.Int64))
        .join(pairs, on="row", how="left", maintain_order="left")
        .drop("row")
    )


def estimates_by_deal(amounts: pl.DataFrame, deal: pl.Series) -> dict[str, Estimate]:
    """Estimate the means of columns, null meaning absent, a row of which is one hand.

    ``deal`` says which hands were dealt the same cards, null where no other was. Only different
    deals are independent values; hands of one count together, each with its own weight.
    """
    if deal.null_count() == len(deal):
        return {column.name: Moments.of(column).estimate() for column in amounts}
    alone = -1 - pl.int_range(pl.len(), dtype=pl.Int64)
    by_deal = amounts.with_columns(deal=deal).group_by(
        pl.coalesce("deal", alone), maintain_order=True
    )
    totals = by_deal.agg(pl.col(amounts.columns).sum()).select(amounts.columns)
    counts = by_deal.agg(pl.col(amounts.columns).count()).select(amounts.columns)
    return {name: ratio(totals[name], counts[name]) for name in amounts.columns}
