"""Statistics by player, and by position, stake, session, month or hand, with intervals.

Shares have the exact interval of Clopper and Pearson, winnings that of Student's t. Winnings are in
the hand's own big blinds, so stakes may differ; money is added up within one stake alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.all_in.adjusted_winnings import all_ins_of
from railbird.assessment.player_statistics import _kernels_count_statistics as kernels
from railbird.assessment.player_statistics.sessions import moment, with_sessions
from railbird.assessment.player_statistics.statistic_names import Position, Statistic
from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING
from railbird.errors import NothingUsable
from railbird.estimates.bounded_mean import BoundedMean
from railbird.estimates.estimate import Estimate, Moments
from railbird.game import Betting, Rules
from railbird.histories.columns import NO_TIME, UNKNOWN, Circumstances, HandBatch, opened_vectors

_PER = 100
"""Number of hands in the unit of winnings."""
WINNINGS = ("bb_per_100", "showdown_bb_per_100", "non_showdown_bb_per_100", "allin_bb_per_100")
_MONEY = {
    "bb_per_100": pl.col("won"),
    "showdown_bb_per_100": pl.when("showdown").then("won").otherwise(0.0),
    "non_showdown_bb_per_100": pl.when("showdown").then(0.0).otherwise("won"),
    "allin_bb_per_100": pl.col("all_in"),
}


class By(Enum):
    """Divisions of a player's hands."""

    POSITION = "position"
    STAKE = "stake"
    SESSION = "session"
    MONTH = "month"
    HAND = "hand"
    """The kind of own hand, one of 169."""


_KEYS = {
    By.POSITION: pl.col("position"),
    By.STAKE: pl.col("stake"),
    By.SESSION: pl.col("session"),
    By.MONTH: pl.col("played_at").dt.strftime("%Y-%m"),
    By.HAND: pl.col("class"),
}
_ABSENT = {
    By.SESSION: "no hand has a time, and without one there are no sessions",
    By.MONTH: "no hand has a time",
    By.HAND: "no hand has cards that were shown",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Conditions on the hands that count; by default none."""

    players: tuple[str, ...] = ()
    """Only these, by the names that they have after ``same``."""
    same: Mapping[str, str] | None = None
    """Other names of people, and the one that they are counted under."""
    since: str = ""
    """First day or moment, as ISO 8601; hands without a time do not count then."""
    until: str = ""
    """Last day, or the moment before which."""
    stakes: tuple[str, ...] = ()
    positions: tuple[Position, ...] = ()


_ALL = Filter()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStatistics:
    """One player's, or those of one position of a player."""

    hands: int
    winnings: dict[str, Estimate]
    """By name in `WINNINGS`, in big blinds per hundred hands."""
    shares: dict[Statistic, BoundedMean]
    """Occurrences over opportunities; nan without opportunities."""
    bets_and_raises: int
    """After the flop."""
    calls: int
    """After the flop."""
    money: dict[str, float]
    """Chips or money won by currency, empty for chips; none where stakes differ."""
    unknown_all_ins: int
    """All-ins in which the cards of a live hand are not known: with any of them the hands that
    ``allin_bb_per_100`` adjusts are a selected sample."""

    @property
    def aggression(self) -> float:
        """Bets and raises over calls after the flop; nan without a call."""
        return self.bets_and_raises / self.calls if self.calls else float("nan")

    def as_json(self) -> dict[str, object]:
        """Return the numbers unrounded."""
        return {
            "hands": self.hands,
            **{name: won.as_json() for name, won in self.winnings.items()},
            **{statistic.key: share.as_json() for statistic, share in self.shares.items()},
            "aggression": self.aggression,
            "money": self.money,
            "unknown_all_ins": self.unknown_all_ins,
        }


def counts_of(batch: HandBatch) -> pl.DataFrame:
    """Count a batch: a row for each hand and seat.

    ``player`` (name), ``position``, ``won`` and ``all_in`` (big blinds; all-ins by their mean over
    all boards), ``unknown_all_in``, ``showdown``, ``calls``, ``stake``, ``currency``, ``money`` (in
    it), ``class`` of the holding (null if not known), ``played_at`` (null if not known), and for
    each `Statistic` ``KEY`` (how often) and ``KEY_chances``.
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
    stakes, currencies, worth = _stakes(batch)
    holding = batch.holding[hand, seat]
    classes = np.where(
        holding == UNKNOWN, -1, CLASS_OF_HOLDING[np.maximum(holding, 0)].astype(np.int16)
    )
    all_ins = all_ins_of(batch)
    times = pl.Series(np.where(batch.played_at == NO_TIME, 0, batch.played_at)[hand])
    unknown_time = pl.Series((batch.played_at == NO_TIME)[hand])
    return pl.DataFrame(
        {
            "player": np.array(batch.names, dtype=object)[batch.player[hand, seat]].tolist(),
            "position": counts.position[hand, seat],
            "stake": [stakes[i] for i in hand.tolist()],
            "currency": [currencies[i] for i in hand.tolist()],
            "money": (batch.chips * worth[:, None])[hand, seat],
            "class": pl.Series(classes, dtype=pl.Int16),
            "played_at": times.cast(pl.Datetime("us")).set(unknown_time, None),
            "all_in": (all_ins.chips / blinds[:, None])[hand, seat],
            "unknown_all_in": (all_ins.unknown[:, None] & all_ins.live)[hand, seat],
            "won": (batch.chips / blinds[:, None])[hand, seat],
            "showdown": counts.showdown[hand, seat],
            "calls": counts.calls[hand, seat],
            **{statistic.key: counts.done[hand, seat, statistic] for statistic in Statistic},
            **{
                f"{statistic.key}_chances": counts.chances[hand, seat, statistic]
                for statistic in Statistic
            },
        },
        schema_overrides={"player": pl.String, "stake": pl.String, "currency": pl.String},
    ).with_columns(pl.col("class").replace(-1, None))


def _stakes(batch: HandBatch) -> tuple[list[str], list[str], npt.NDArray[np.float64]]:
    """Name the stake and the currency of each hand, and say what a chip is worth in it."""
    beside = [batch.circumstances[i] for i in batch.circumstances_of.tolist()]
    rules = [batch.rules[i] for i in batch.rules_of.tolist()]
    names = [_stake_of(*pair) for pair in zip(rules, beside, strict=True)]
    worth = np.array([float(one.denomination) for one in beside], dtype=np.float64)
    return names, [one.currency for one in beside], worth


@lru_cache(maxsize=1 << 12)
def _stake_of(rules: Rules, beside: Circumstances) -> str:
    """Name a stake, such as ``$0.05/$0.10 no-limit``; tournament levels are stakes, too."""
    limit = rules.betting is Betting.LIMIT
    sizes = sorted({int(size) for size in (rules.bet_sizes if limit else rules.blinds)} - {0})
    sizes += sorted({int(max(rules.antes, default=0))} - {0})
    amounts = [size * beside.denomination for size in sizes]
    written = "/".join(
        f"{beside.currency}{amount if amount.denominator == 1 else f'{float(amount):.2f}'}"
        for amount in amounts
    )
    return f"{written} {rules.betting.value}"


def statistics_of(
    batches: Iterable[HandBatch], *, players: Sequence[str] = ()
) -> dict[str, PlayerStatistics]:
    """Sum up hands by player, those with most hands first; only ``players`` if there are any."""
    rows = chosen_rows(rows_of(batches), Filter(players=tuple(players)))
    return {name: of[""] for name, of in divided(rows, None).items()}


def by_position(
    batches: Iterable[HandBatch], *, players: Sequence[str] = ()
) -> dict[str, dict[Position, PlayerStatistics]]:
    """Sum up hands by player and position."""
    rows = chosen_rows(rows_of(batches), Filter(players=tuple(players)))
    return {
        name: {Position[key.upper()]: mine for key, mine in of.items()}
        for name, of in divided(rows, By.POSITION).items()
    }


def rows_of(batches: Iterable[HandBatch]) -> pl.DataFrame:
    """Count all batches, a row for each hand and seat (`counts_of`)."""
    frames = [counts_of(batch) for batch in batches if len(batch)]
    return pl.concat(frames) if frames else counts_of_none()


def chosen_rows(rows: pl.DataFrame, wanted: Filter = _ALL) -> pl.DataFrame:
    """Keep the rows that count, people under one name each. Raises `BadInput` for a bad date."""
    if wanted.same:
        rows = rows.with_columns(pl.col("player").replace(dict(wanted.same)))
    condition = pl.lit(True)
    if wanted.players:
        condition &= pl.col("player").is_in(list(wanted.players))
    if wanted.stakes:
        condition &= pl.col("stake").is_in(list(wanted.stakes))
    if wanted.positions:
        condition &= pl.col("position").is_in([int(position) for position in wanted.positions])
    if wanted.since:
        condition &= pl.col("played_at") >= moment(wanted.since)
    if wanted.until:
        condition &= pl.col("played_at") < moment(wanted.until, end=True)
    return rows.filter(condition)


def divided(rows: pl.DataFrame, by: By | None) -> dict[str, dict[str, PlayerStatistics]]:
    """Sum up by player, those with most hands first, and within each by a key in its order.

    Without ``by`` the key is empty. Raises `NothingUsable` where no hand says what is asked for.
    """
    if by is By.SESSION:
        rows = with_sessions(rows)
    keyed = rows.with_columns(key=pl.lit("") if by is None else _KEYS[by])
    if keyed.height and keyed["key"].null_count() == keyed.height and by in _ABSENT:
        raise NothingUsable(_ABSENT[by])
    keyed = keyed.drop_nulls("key")
    by_player: dict[str, dict[str, PlayerStatistics]] = {}
    sizes = rows.group_by("player", maintain_order=True).len().sort("len", descending=True)
    parts = keyed.partition_by("player", "key", as_dict=True, maintain_order=True)
    keys: dict[str, list[object]] = {}
    for name, key in parts:
        keys.setdefault(str(name), []).append(key)
    for name in sizes["player"]:
        ordered = sorted(keys.get(name, ()))  # type: ignore[type-var]
        if ordered:
            by_player[name] = {_key_text(by, key): _sum_up(parts[name, key]) for key in ordered}
    return by_player


def _key_text(by: By | None, key: object) -> str:
    match by:
        case By.POSITION:
            return Position(int(str(key))).key
        case By.HAND:
            return CLASS_NAMES[int(str(key))]
        case _:
            return str(key)


def counts_of_none() -> pl.DataFrame:
    """Return the columns of `counts_of` without a row."""
    from railbird.histories.columns import batch_of

    return counts_of(batch_of([]))


def _sum_up(rows: pl.DataFrame) -> PlayerStatistics:
    counted = pl.selectors.unsigned_integer() - pl.selectors.by_name("session", require_all=False)
    sums = rows.select(counted.cast(pl.Int64).sum()).to_dicts()[0]
    money = rows.select(**_MONEY)
    return PlayerStatistics(
        hands=rows.height,
        winnings={name: _per_hundred(money[name].to_numpy()) for name in WINNINGS},
        shares={
            statistic: share_of(sums[statistic.key], sums[f"{statistic.key}_chances"])
            for statistic in Statistic
        },
        bets_and_raises=sums[Statistic.AGGRESSION_FREQUENCY.key],
        calls=sums["calls"],
        money=_money_of(rows),
        unknown_all_ins=int(rows["unknown_all_in"].sum()),
    )


def _money_of(rows: pl.DataFrame) -> dict[str, float]:
    """Add money up within one stake alone: sums over several say nothing about play."""
    if rows["stake"].n_unique() != 1:
        return {}
    return {str(rows["currency"][0]): float(rows["money"].sum())}


def share_of(done: int, chances: int) -> BoundedMean:
    """Return occurrences over opportunities.

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
