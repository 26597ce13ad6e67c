"""Assesses a league of any hold'em: who is better than whom, by all hands, at any time.

`anytime` has such intervals for one match of two.

All pairs of players are compared, and people look at the table while hands still come in. So every
interval here belongs to a confidence sequence, at a level which makes the probability that anything
in the table is wrong (any player, any pair, at any look) at most `ALPHA` (Bonferroni). The luck
subtracted from a hand uses coefficients from earlier hands only, without which no such interval
would hold; assess with ``forward``.

Two players are compared by the hands that were dealt to both: heads-up by the winnings of one from
the other, at larger tables by half the difference of their results. Copies of a deal count as one
value, so a league of duplicate matches, in which players exchange seats, needs fewer hands.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

import polars as pl

from railbird._display import HasTable, table_of
from railbird.assessment.any_table import EVERYBODY, TableAssessment, assess_batches
from railbird.assessment.protocol_errors import ProtocolErrors
from railbird.assessment.verdict import RefusedMoney, ResultVerdict
from railbird.baseline import STANDARD, BaselineSettings
from railbird.errors import BadInput, NothingUsable
from railbird.estimates import Estimate, Moments
from railbird.estimates.confidence_sequences import AnytimeInterval, confidence_sequence
from railbird.estimates.estimate import ALPHA, DIFFERENCE, Z_80, ratio
from railbird.game import Street
from railbird.histories import HandRecord, Skipped
from railbird.histories.columns import HandBatch, batches_of
from railbird.progress import Progress
from railbird.units import reasons_in_words

_AMOUNTS: Final = ("value", "without", "money")
_MOST_NEEDED: Final = 10**9
"""The largest number of deals that is reported; beyond it the players are practically equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """A league's hands, assessed together."""

    assessment: TableAssessment
    table: LeagueTable

    @property
    def reduction(self) -> float | None:
        """The variance of money over that of the deciding estimator, for all players."""
        return self.assessment.variance_reduction.get("all", {}).get(self.table.decides)

    def as_json(self) -> dict[str, object]:
        """Return the numbers unrounded, as ``railbird assess --show league --json`` has them."""
        assessment = self.assessment
        return {
            "hands": assessment.hands,
            "skipped": assessment.skipped,
            "withheld": assessment.integrity.withheld(assessment.hero),
            "variance_reduction": assessment.variance_reduction.get("all", {}),
            "errors_of_protocol": [
                {"player": who, "error": what, "count": count}
                for (who, what), count in assessment.errors.counts.items()
            ],
            **self.table.as_json(),
        }


def league_of(
    hands: Iterable[HandRecord | HandBatch | Skipped],
    *,
    settings: Sequence[BaselineSettings] = (STANDARD,),
    threads: int | None = None,
    on: str | None = None,
    progress: Progress | None = None,
    recorded: Mapping[tuple[str, str], int] | None = None,
) -> League:
    """Assess hands of any hold'em as a league.

    ``recorded`` are errors of protocol that the logs count, by player and kind
    (`railbird.histories.protocol_errors.recorded_errors`).
    ``settings``, ``threads`` and ``on`` are as for `railbird.assessment.assess_table`. Raises
    `NothingUsable` if no hand could be assessed.
    """
    assessment = assess_batches(
        batches_of(hands),
        settings=settings,
        forward=True,
        decisions_of=EVERYBODY,
        threads=threads,
        on=on,
        progress=progress,
    )
    if not assessment.hands:
        said = reasons_in_words(assessment.skipped)
        raise NothingUsable(f"no hand could be assessed: {said or 'there are none'}")
    assessment = assessment.with_recorded(recorded or {})
    return League(assessment=assessment, table=league_table(assessment))


@dataclass(frozen=True, slots=True, kw_only=True)
class Versus:
    """A comparison of two players, or of one with zero."""

    interval: AnytimeInterval
    """The interval a hand, in the unit of the assessment; ``n`` counts deals."""
    verdict: ResultVerdict
    """The verdict, with the number of hands that would undo it."""
    without: AnytimeInterval | None = None
    """The interval without errors of protocol; None if there are none."""

    @property
    def hands(self) -> int:
        """Number of hands."""
        return self.verdict.hands

    @property
    def is_decided(self) -> bool:
        """Whether the interval excludes zero, regardless of refused hands and protocol errors."""
        return self.verdict.stands

    @property
    def is_beyond_chance(self) -> bool:
        """Whether the interval excludes zero, errors of protocol included."""
        return self.interval.excludes_zero

    def deals_needed(self, sd: float) -> int | None:
        """Return how many more deals distinguish `DIFFERENCE` from none; None if it is decided."""
        return None if self.is_beyond_chance else _more(self.interval, sd)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueTable(HasTable):
    """The result of every player and of every pair."""

    players: tuple[str, ...]
    """The players, the best first by the deciding estimator."""
    decides: str
    """Name of the estimator."""
    comparisons: int
    """Number of intervals; the probability that any of them is wrong is at most `ALPHA`."""
    totals: Mapping[str, Versus]
    money: Mapping[str, Estimate]
    pairs: Mapping[tuple[str, str], Versus]
    """Comparisons of the pairs that met, in the order of ``players``."""
    needed: Mapping[tuple[str, str], int | None]
    """Further deals that distinguish `DIFFERENCE` from none; None if decided, or if none would."""
    streets: Mapping[str, Mapping[str, Estimate]]
    """By street, what a player's decisions gained compared with the baseline's."""
    kinds: Mapping[str, Mapping[str, tuple[int, Estimate]]]
    """The same by kind of decision, with the number of decisions."""
    unit: str

    @property
    def level(self) -> float:
        """Confidence of each interval."""
        return 1 - ALPHA / self.comparisons

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each player, the best first."""
        return table_of(self.as_json()["players"])

    def as_json(self) -> dict[str, Any]:
        """Return the numbers unrounded."""
        return {
            "unit": self.unit,
            "decides": self.decides,
            "comparisons": self.comparisons,
            "level_each": self.level,
            "players": [
                {
                    "player": name,
                    "hands": self.totals[name].hands,
                    "money": self.money[name].as_json(),
                    "result": self.totals[name].interval.as_json(),
                    "streets": {
                        at: estimate.as_json() for at, estimate in self.streets[name].items()
                    },
                    "decisions": {
                        kind: {"count": count, **estimate.as_json()}
                        for kind, (count, estimate) in self.kinds[name].items()
                    },
                }
                for name in self.players
            ],
            "pairs": [
                {
                    "players": list(pair),
                    "hands": comparison.hands,
                    **comparison.interval.as_json(),
                    **comparison.verdict.as_json(),
                    "decided": comparison.is_decided,
                    "without_errors": None
                    if comparison.without is None
                    else comparison.without.as_json(),
                    "deals_needed": self.needed[pair],
                }
                for pair, comparison in self.pairs.items()
            ],
        }


def league_table(assessment: TableAssessment) -> LeagueTable:
    """Compare the players of an assessment whose coefficients come from earlier hands only.

    ``streets`` and ``kinds`` are empty if cards are hidden. Raises `BadInput` for other
    assessments, whose intervals would not hold at every look.
    """
    if not assessment.forward:
        raise BadInput("a league of an assessment without forward=True; allowed: with it")
    name, unit = assessment.headline, str(assessment.unit)
    rows = assessment.form.every.select(
        "row", "player", "deal", "money", value=pl.col(name)
    ).filter(pl.col("value").is_not_null())
    errs = assessment.errors.rows
    rows = (
        rows.with_columns(without=pl.lit(0.0))
        if errs is None
        else rows.join(errs, on=["row", "player"], how="left", maintain_order="left")
    )
    seats = rows.group_by("row").agg(seats=pl.len())
    met = (
        rows.join(rows.select("row", *_AMOUNTS, other="player"), on="row", suffix="_other")
        .filter(pl.col("player") < pl.col("other"))
        .join(seats, on="row")
        # Half the difference. With two players the values add up to zero, so it is the first one's
        # own value; with more it leaves out what both gained from the rest.
        .with_columns((pl.col(name) - pl.col(f"{name}_other")) / 2 for name in _AMOUNTS)
        .sort("row")
    )
    pairs = dict(_parts(met, ["player", "other"]))
    by_player = dict(_parts(rows, ["player"]))
    # The intervals share one probability of error, so that all of them hold together.
    # With two players both sides have the same information.
    comparisons = max(1, len(pairs) + (len(by_player) if len(by_player) > 2 else 0))
    names = dict(enumerate(assessment.players))

    refused = {
        player: assessment.integrity.refused.get(player, RefusedMoney())
        for player in names.values()
    }

    def versus(
        played_rows: pl.DataFrame, who: str, missing: RefusedMoney, errors: ProtocolErrors
    ) -> tuple[Versus, float]:
        moments = _moments(played_rows)
        interval = confidence_sequence(moments, alpha=ALPHA / comparisons, unit=unit)
        without = None
        if errs is not None:
            alone = _moments(played_rows, "without")
            without = confidence_sequence(alone, alpha=ALPHA / comparisons, unit=unit)
        verdict = ResultVerdict(
            result=interval,
            values=played_rows["value"].to_numpy(),
            money=played_rows["money"].to_numpy(),
            numbered=assessment.integrity.consecutive,
            refused=missing,
            errors=replace(errors, without={} if without is None else {who: without}).withheld(
                {who: interval}, {who: played_rows.height}
            ),
        )
        return Versus(interval=interval, verdict=verdict, without=without), moments.sd

    totals = {
        names[who]: versus(played_rows, names[who], refused[names[who]], assessment.errors)[0]
        for (who,), played_rows in by_player.items()
    }
    ranking = sorted(totals, key=lambda player: -totals[player].interval.value)
    compared: dict[tuple[str, str], Versus] = {}
    needed: dict[tuple[str, str], int | None] = {}
    numbers = {player: number for number, player in names.items()}
    for pair in combinations(ranking, 2):
        key = tuple(sorted((numbers[pair[0]], numbers[pair[1]])))
        if key not in pairs:
            continue
        played_rows = pairs[key]
        # Rows are kept from the side of the lower number, results are shown from that of the better
        # player.
        if key[0] != numbers[pair[0]]:
            played_rows = played_rows.with_columns(-pl.col(_AMOUNTS))
        errors = (
            assessment.errors.among(pair) if assessment.form.seats[1] == 2 else assessment.errors
        )
        comparison, sd = versus(
            played_rows, pair[0], refused[pair[0]].less(refused[pair[1]]), errors
        )
        compared[pair], needed[pair] = comparison, comparison.deals_needed(sd)
    cells = assessment.form.crosstable.streets
    return LeagueTable(
        players=tuple(ranking),
        decides=name,
        comparisons=comparisons,
        totals=totals,
        money={player: assessment.estimates[player]["money"] for player in ranking},
        pairs=compared,
        needed=needed,
        streets={
            player: {
                street.name.lower(): cells[player, player, street]
                for street in Street
                if (player, player, street) in cells
            }
            for player in ranking
        },
        kinds=_kinds(assessment, ranking),
        unit=unit,
    )


def _parts(rows: pl.DataFrame, by: list[str]) -> Iterable[tuple[tuple[int, ...], pl.DataFrame]]:
    for key, part in rows.partition_by(by, as_dict=True, maintain_order=True).items():
        yield tuple(int(number) for number in key), part


def _moments(rows: pl.DataFrame, column: str = "value") -> Moments:
    """Return the moments of the deals' means, in the order of their first hands."""
    deals = rows.group_by("deal", maintain_order=True).agg(pl.col(column).mean())
    return Moments.of(deals[column].to_numpy())


def _more(interval: AnytimeInterval, sd: float) -> int | None:
    """Return how many more values of this deviation distinguish `DIFFERENCE` from zero.

    With these the interval excludes zero in four of five leagues, as in `hands_to_tell`.
    """

    def tells(n: int) -> bool:
        moments = Moments(n=n, mean=0.0, deviations=(n - 1) * sd * sd)
        half = confidence_sequence(moments, alpha=interval.alpha).half_width
        return half + Z_80 * sd / math.sqrt(n) <= DIFFERENCE

    low, high = interval.n, max(1, interval.n)
    if not 0 < sd < math.inf:
        return None
    while not tells(high):
        low, high = high, 2 * high
        if high > _MOST_NEEDED:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if tells(middle) else (middle, high)
    return high - interval.n


def _kinds(
    assessment: TableAssessment, players: Iterable[str]
) -> dict[str, dict[str, tuple[int, Estimate]]]:
    """Return by kind of decision their number and what they changed a hand dealt to a player."""
    decisions = assessment.form.decisions
    if decisions is None or assessment.hidden or "player" not in decisions.columns:
        return {player: {} for player in players}
    hands = assessment.form.every.group_by("player").agg(hands=pl.len())
    dealt = {assessment.players[who]: int(count) for who, count in hands.iter_rows()}
    kinds: dict[str, dict[str, tuple[int, Estimate]]] = {}
    for player in players:
        mine = decisions.filter(pl.col("player") == player)
        kinds[player] = {}
        for (kind,), of_kind in mine.partition_by(
            ["action"], as_dict=True, maintain_order=True
        ).items():
            by_hand = of_kind.group_by("row", maintain_order=True).agg(pl.col("own").sum())
            none = dealt[player] - by_hand.height
            values = pl.concat([by_hand["own"], pl.Series([0.0]).new_from_index(0, none)])
            mean = ratio(values, [1] * dealt[player], unit=str(assessment.unit))
            kinds[player][str(kind)] = of_kind.height, mean
    return kinds
