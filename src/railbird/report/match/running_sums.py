"""Running sums of the scores, thinned to the resolution of a figure."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

STREETS = ("preflop", "flop", "turn", "river")

POINTS = 1000
"""Most points of a line: about one for each pixel of a wide page."""

_LINES = {
    "money": pl.col("money"),
    "divat": pl.col("divat"),
    "fitted": pl.col("fitted"),
    "luck": pl.sum_horizontal(f"luck_{street}" for street in STREETS),
    "position": pl.col("position"),
    "dcash": pl.col("dcash"),
    "money_minus_dcash": pl.col("money") - pl.col("dcash"),
    "redgreen": pl.col("redgreen"),
    **{street: pl.col(f"divat_{street}") for street in STREETS},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Running sums at every ``stride``-th hand, from hand 0 to the last.

    ``table`` has a column ``hand`` (the number of hands summed) and one column per line, in the
    unit of the assessment; every value shown is the exact sum up to its hand.
    """

    table: pl.DataFrame
    stride: int


def curves(scores: pl.DataFrame, *, points: int = POINTS) -> Curves:
    """Sum the scores along the match and keep at most ``points`` + 2 of the sums.

    A hand without a score, for cards that were not shown, adds nothing to its line.
    """
    return thinned(scores.select(**_LINES), points=points)


def pair_means(scores: pl.DataFrame) -> pl.DataFrame | None:
    """Average money, DIVAT and fitted over each complete duplicate pair, in match order.

    None if the match has no pairs.
    """
    means = (
        scores.drop_nulls("pair")
        .group_by("pair", maintain_order=True)
        .agg(pl.col("money", "divat", "fitted").mean(), pl.len().alias("hands"))
        .filter(pl.col("hands") == 2)
        .drop("hands")
    )
    return None if means.is_empty() else means


def thinned(amounts: pl.DataFrame, *, points: int = POINTS) -> Curves:
    """Sum every column of ``amounts`` and keep every ``stride``-th sum, the first and the last."""
    hands = amounts.height
    stride = max(1, -(-hands // points))
    kept = [*range(stride, hands, stride), hands] if hands else []
    sums = amounts.select(pl.all().cast(pl.Float64).fill_null(0.0).cum_sum())
    table = pl.concat(
        [
            pl.DataFrame({"hand": [0], **{name: [0.0] for name in amounts.columns}}),
            sums[[hand - 1 for hand in kept]].select(
                pl.Series("hand", kept, dtype=pl.Int64), pl.all()
            ),
        ]
    )
    return Curves(table=table.with_columns(pl.exclude("hand").round(3)), stride=stride)
