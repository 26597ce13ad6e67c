"""Statistics by player and position, with intervals, from any number of hands.

Shares have the exact interval of Clopper and Pearson, winnings that of Student's t. Winnings are in
the hand's own big blinds, so stakes may differ; money of different stakes is never added up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.player_statistics import _kernels_statistics as kernels
from railbird.assessment.player_statistics.definitions import Position, Statistic
from railbird.estimates.bounded_mean import BoundedMean
from railbird.estimates.estimate import Estimate, Moments
from railbird.histories.columns import UNKNOWN, HandBatch, opened_vectors

_PER = 100
"""Winnings are given for so many hands."""
WINNINGS = ("bb_per_100", "showdown_bb_per_100", "non_showdown_bb_per_100")
_MONEY = {
    "bb_per_100": pl.col("won"),
    "showdown_bb_per_100": pl.when("showdown").then("won").otherwise(0.0),
    "non_showdown_bb_per_100": pl.when("showdown").then(0.0).otherwise("won"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStatistics:
    """One player's, or those of one position of a player."""

    hands: int
    winnings: dict[str, Estimate]
    """By name of `WINNINGS`, big blinds in a hundred hands."""
    shares: dict[Statistic, BoundedMean]
    """How often of how many chances; nan where there was none."""
    bets_and_raises: int
    """After the flop."""
    calls: int
    """After the flop."""

    @property
    def aggression(self) -> float:
        """Bets and raises over calls after the flop; nan without a call."""
        return self.bets_and_raises / self.calls if self.calls else float("nan")

    def as_json(self) -> dict[str, object]:
        """Give the numbers unrounded."""
        return {
            "hands": self.hands,
            **{name: each.as_json() for name, each in self.winnings.items()},
            **{statistic.key: share.as_json() for statistic, share in self.shares.items()},
            "aggression": self.aggression,
        }


def counts_of(batch: HandBatch) -> pl.DataFrame:
    """Count a batch: a row for each hand and seat.

    ``player`` (name), ``position``, ``won`` (big blinds), ``showdown``, ``calls``, and for each
    `Statistic` ``KEY`` (how often) and ``KEY_chances``.
    """
    n, seats = batch.player.shape
    counts = kernels.Counts(
        done=np.zeros((n, seats, kernels.STATISTICS), np.uint8),
        chances=np.zeros((n, seats, kernels.STATISTICS), np.uint8),
        position=np.zeros((n, seats), np.uint8),
        calls=np.zeros((n, seats), np.uint8),
        showdown=np.zeros((n, seats), np.bool_),
    )
    played = kernels.Played(
        opened=opened_vectors(batch.rules),
        rules_of=batch.rules_of,
        start=batch.start,
        dealt=batch.dealt,
        payoff=batch.payoff,
        parts=batch.parts,
        answers=batch.answers,
    )
    kernels.count_hands(played, counts)
    blinds = np.array([max(rules.blinds) for rules in batch.rules], np.float64)[batch.rules_of]
    hand, seat = np.nonzero(batch.player != UNKNOWN)
    return pl.DataFrame(
        {
            "player": np.array(batch.names, dtype=object)[batch.player[hand, seat]].tolist(),
            "position": counts.position[hand, seat],
            "won": (batch.chips / blinds[:, None])[hand, seat],
            "showdown": counts.showdown[hand, seat],
            "calls": counts.calls[hand, seat],
            **{each.key: counts.done[hand, seat, each] for each in Statistic},
            **{f"{each.key}_chances": counts.chances[hand, seat, each] for each in Statistic},
        },
        schema_overrides={"player": pl.String},
    )


def statistics_of(
    batches: Iterable[HandBatch], *, players: Sequence[str] = ()
) -> dict[str, PlayerStatistics]:
    """Sum up hands by player, those with most hands first; only ``players`` if there are any."""
    rows = _rows(batches, players)
    return {
        name: _sum_up(part)
        for (name,), part in sorted(
            rows.group_by("player", maintain_order=True), key=lambda item: -item[1].height
        )
    }


def by_position(
    batches: Iterable[HandBatch], *, players: Sequence[str] = ()
) -> dict[str, dict[Position, PlayerStatistics]]:
    """Sum up hands by player and position."""
    rows = _rows(batches, players)
    found: dict[str, dict[Position, PlayerStatistics]] = {}
    for (name, position), part in rows.group_by(["player", "position"], maintain_order=True):
        found.setdefault(name, {})[Position(position)] = _sum_up(part)
    return {name: dict(sorted(of.items())) for name, of in found.items()}


def _rows(batches: Iterable[HandBatch], players: Sequence[str]) -> pl.DataFrame:
    frames = [counts_of(batch) for batch in batches if len(batch)]
    rows = pl.concat(frames) if frames else counts_of_none()
    return rows.filter(pl.col("player").is_in(list(players))) if players else rows


def counts_of_none() -> pl.DataFrame:
    """Give the columns of `counts_of` without a row."""
    from railbird.histories.columns import batch_of

    return counts_of(batch_of([]))


def _sum_up(rows: pl.DataFrame) -> PlayerStatistics:
    sums = rows.select(pl.selectors.unsigned_integer().cast(pl.Int64).sum()).to_dicts()[0]
    money = rows.select(**_MONEY)
    return PlayerStatistics(
        hands=rows.height,
        winnings={name: _per_hundred(money[name].to_numpy()) for name in WINNINGS},
        shares={each: share_of(sums[each.key], sums[f"{each.key}_chances"]) for each in Statistic},
        bets_and_raises=sums[Statistic.AGGRESSION_FREQUENCY.key],
        calls=sums["calls"],
    )


def share_of(done: int, chances: int) -> BoundedMean:
    """How often of how many chances.

    >>> share = share_of(3, 10)
    >>> round(share.value, 2), round(share.low, 4), round(share.high, 4)
    (0.3, 0.0667, 0.6525)
    >>> [round(end, 4) for end in share_of(0, 5).interval()]
    [0.0, 0.5218]
    """
    seen = {0.0: chances - done, 1.0: done}
    kept = {level: count for level, count in seen.items() if count}
    return BoundedMean(
        levels=tuple(kept), counts=tuple(kept.values()), least=0.0, most=1.0, unit="share"
    )


def _per_hundred(won: npt.NDArray[np.float64]) -> Estimate:
    return Moments.of(_PER * won).estimate("bb")
