"""Assessment of tournaments by their prizes; each tournament, in duplicate each set, is one value.

Tournaments whose first hands deal the same holdings are a set in duplicate: they share their cards,
so their mean is one value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import polars as pl

from railbird._arguments import checked
from railbird.assessment.all_in.prize_luck import all_in_prize_luck
from railbird.assessment.estimator import Scoring
from railbird.assessment.prizes.estimators import BY_PRIZES, PRIZE, PRIZE_LESS_LUCK
from railbird.assessment.prizes.finished import Finished, Unfinished, finished_tournaments
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.estimates.bounded_mean import BoundedMean
from railbird.estimates.estimate import estimate
from railbird.histories import HandRecord, Skipped
from railbird.histories.columns import HandBatch, batch_of, records_of
from railbird.tournament.payouts import shared_out

_SCHEMA = {
    "set": pl.Int64,
    "player": pl.String,
    "place": pl.Int64,
    "prize": pl.Float64,
    "prize_luck": pl.Float64,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrizeAssessment:
    """Results of tournaments by player and by the estimators of `Form.TOURNAMENT`."""

    players: tuple[str, ...]
    """The highest mean prize first."""
    estimates: Mapping[str, Mapping[str, Estimate | BoundedMean]]
    """By player, then by name of an estimator; without those of luck if a card is unknown."""
    tournaments: int
    independent: int
    """Sets of tournaments that share their cards; without duplicates all tournaments."""
    hands: int
    unfinished: Unfinished
    all_ins: int
    left: int
    """All-ins with cards to come whose luck is left in: five hands or more."""
    variance_reduction: float | None
    """Variance of the prizes over that of the prizes less luck, over all players; None where
    there is nothing to compare."""
    rows: pl.DataFrame = field(repr=False)
    """One row a tournament and player; see `railbird.assessment.Estimator.values`."""

    def as_json(self) -> dict[str, Any]:
        """Return everything but the rows."""
        return {
            "tournaments": self.tournaments,
            "independent": self.independent,
            "hands": self.hands,
            "unfinished": self.unfinished.count,
            "all_ins": self.all_ins,
            "all_ins_left": self.left,
            "variance_reduction": self.variance_reduction,
            "players": {
                player: {name: value.as_json() for name, value in self.estimates[player].items()}
                for player in self.players
            },
        }


@checked
def assess_tournaments(
    hands: Iterable[HandRecord | HandBatch | Skipped],
    *,
    payouts: Sequence[Fraction],
    entry: Fraction = Fraction(1),
) -> PrizeAssessment:
    """Assess the tournaments of a log of `railbird.arena`: freeze-outs, each from its first hand.

    ``payouts`` are shares of the prize money by place, which is as many times ``entry`` as there
    are players. Tournaments that are not complete are counted and left out.

    Raises `NothingUsable` for hands of other games, `BadInput` for more prizes than players.
    """
    found = _Found(payouts, entry)
    unfinished = Unfinished()
    for each in finished_tournaments(_records(hands), unfinished):
        found.add(each)
    return found.assessment(unfinished)


@dataclass(slots=True)
class _Found:
    payouts: Sequence[Fraction]
    entry: Fraction
    tournaments: int = 0
    hands: int = 0
    all_ins: int = 0
    left: int = 0
    sets: dict[frozenset[object], int] = field(default_factory=dict)
    columns: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in _SCHEMA})
    most: float = 0.0

    def add(self, each: Finished) -> None:
        """Add a tournament."""
        players, first = len(each.players), each.hands[0]
        if len(self.payouts) > players:
            raise BadInput(f"{len(self.payouts)} prizes for {players} players")
        money = self.entry * players
        prizes = [float(share * money) for share in shared_out(self.payouts, each.places)]
        deal = frozenset(first.holes) if each.is_known else frozenset([self.tournaments])
        columns = self.columns
        columns["set"] += [self.sets.setdefault(deal, len(self.sets))] * players
        columns["player"] += each.players
        columns["place"] += each.places
        columns["prize"] += prizes
        columns["prize_luck"] += self._luck(each)
        self.most = max(self.most, float(self.payouts[0] * money))
        self.tournaments += 1
        self.hands += len(each.hands)

    def _luck(self, each: Finished) -> list[float] | list[None]:
        players = len(each.players)
        if not each.is_known:
            return [None] * players
        money = self.entry * players
        found = all_in_prize_luck(
            [batch_of([replace(hand, table="1.1") for hand in each.hands])],
            names=each.players,
            tournaments=1,
            stack=each.stack,
            prizes=[float(share * money) for share in self.payouts],
        )
        self.all_ins += found.all_ins
        self.left += found.left
        luck: list[float] = found.luck[0].tolist()
        return luck

    def assessment(self, unfinished: Unfinished) -> PrizeAssessment:
        rows = pl.DataFrame(self.columns, schema=_SCHEMA)
        values = rows.select(
            "set",
            "player",
            *[
                one.values(rows, Scoring()).alias(one.name)
                for one in BY_PRIZES
                if one is PRIZE or not rows["prize_luck"].has_nulls()
            ],
        )
        by_set = values.group_by("player", "set", maintain_order=True).mean()
        estimates = {
            str(player): self._estimates(part)
            for (player,), part in by_set.group_by("player", maintain_order=True)
        }
        names = sorted(estimates, key=lambda name: -estimates[name]["prize"].value)
        return PrizeAssessment(
            players=tuple(names),
            estimates=estimates,
            tournaments=self.tournaments,
            independent=len(self.sets),
            hands=self.hands,
            unfinished=unfinished,
            all_ins=self.all_ins,
            left=self.left,
            variance_reduction=_variance_reduction(by_set),
            rows=rows,
        )

    def _estimates(self, part: pl.DataFrame) -> dict[str, Estimate | BoundedMean]:
        """Estimate by the columns of one player (sets,)."""
        found: dict[str, Estimate | BoundedMean] = {}
        for one in BY_PRIZES:
            if one.name not in part.columns:
                continue
            values = part[one.name].to_numpy()
            if one is PRIZE:
                # Prizes have bounds, which Student's interval ignores.
                found[one.name] = BoundedMean.of(values, least=0, most=self.most, unit="money")
            else:
                found[one.name] = estimate(values, unit="money")
        return found


def _variance_reduction(by_set: pl.DataFrame) -> float | None:
    if PRIZE_LESS_LUCK.name not in by_set.columns:
        return None
    columns = pl.col(PRIZE.name, PRIZE_LESS_LUCK.name).var(ddof=0)
    by_player = by_set.group_by("player").agg(columns).drop("player").to_numpy()
    before, after = by_player.sum(axis=0).tolist()
    ratio = before / after if after > 0 else math.nan
    return ratio if math.isfinite(ratio) and ratio > 0 else None


def _records(hands: Iterable[HandRecord | HandBatch | Skipped]) -> Iterator[HandRecord]:
    for each in hands:
        match each:
            case HandRecord():
                yield each
            case HandBatch():
                yield from records_of(each)
            case _:
                pass
