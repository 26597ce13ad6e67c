"""A match of any hold'em whose cards are all known: estimates, and who changed what for whom.

One row is a hand and a seat; the hands of a deal are one value of every interval, since those who
play a hand, and the copies of a duplicate deal, are not independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.decision_divat.crosstable import DecisionCrosstable, Gifts
from railbird.assessment.decision_divat.scorer import (
    HandValues,
    position_of,
    scorable,
    values_of,
)
from railbird.assessment.decision_divat.settings import (
    BOARDS,
    CALL_DOWN,
    CHANGING_STACKS_DEALS,
    POSITION_DEALS,
    ValuePolicy,
    baseline_for,
)
from railbird.assessment.fitted.cross_fit import FEWEST_HANDS, Fit, cross_fit, frozen_fit
from railbird.errors import BadInput
from railbird.estimates.estimate import Estimate
from railbird.estimates.ratio import ratio
from railbird.game import Betting, Rules, Street
from railbird.histories import Skipped
from railbird.histories.columns import UNKNOWN, HandBatch
from railbird.progress import Progress

ESTIMATORS = ("money", "divat", "fitted")
"""In the order of a table: money, DIVAT by the baseline, money less fitted luck of both values."""

_STREETS = tuple(street.name.lower() for street in Street)
_LUCK = tuple(f"luck_{name}" for name in ("deal", *_STREETS[1:]))
_LIKE_DIVAT = np.array([0.0] * 4 + [1.0] * 4)
"""Coefficients that make the fitted estimator DIVAT: all luck of the baseline's values is taken."""
_MIX = 0x9E3779B97F4A7C15
_FEW_STACKS = 16
"""Different rules up to which every position is worth a large sample."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAssessment:
    """Everybody who sat at the table, in the table's unit per hand."""

    players: tuple[str, ...]
    """In the order of their first hand."""
    unit: str
    """``sb``, small bets, in limit; ``bb``, big blinds, elsewhere."""
    seats: tuple[int, int]
    """The fewest and the most players of a hand."""
    hands: int
    """Hands with all cards known, which are all that is scored."""
    hidden: int
    """Hands that have a card unknown; they are left out of every estimate but ``money_of_all``."""
    skipped: dict[str, int]
    """Hands, or lines, that could not be used, by reason."""
    scores: pl.DataFrame
    """A row for each hand and seat.

    ``row`` of the hand, ``player``, ``seat``, ``number``, ``file``, ``line``, ``deal``; amounts in
    the unit: ``money``, ``rake``, ``position``, ``luck_*`` by the baseline's values, ``own`` and
    ``others`` (what the player's and the others' decisions changed for it), ``divat`` (position +
    own + others) and ``fitted``.
    """
    crosstable: DecisionCrosstable
    estimates: dict[str, dict[str, Estimate]]
    """By player and name of `ESTIMATORS`."""
    money_of_all: dict[str, Estimate]
    """By player, of all hands, also those with hidden cards."""
    variance_reduction: dict[str, dict[str, float]]
    """Variance of a hand's money over that of the estimator, by player; ``all`` pools everybody."""
    headline: str
    """The estimator that decides, fixed by the kind of log before any number is seen."""
    coefficients: Floats
    """(8,) mean coefficients of the luck of both values: deal, flop, turn, river of each."""

    def as_json(self) -> dict[str, object]:
        """Give the numbers unrounded, as `railbird assess --json` has them."""
        return {
            "hands": self.hands,
            "unit": self.unit,
            "seats": list(self.seats),
            "skipped": self.skipped,
            "evidence": {
                "all_cards": self.hands,
                "own_cards": self.hidden,
                "verdict_by": self.headline,
            },
            "players": {
                name: {
                    **{key: each.as_json() for key, each in self.estimates[name].items()},
                    "money_of_all": self.money_of_all[name].as_json(),
                    "variance_reduction": self.variance_reduction[name],
                }
                for name in self.estimates
            },
            "variance_reduction": self.variance_reduction["all"] if self.hands else {},
            "crosstable": self.crosstable.as_json(),
            "coefficients": self.coefficients.tolist(),
        }


def assess_table(
    batches: Iterable[tuple[HandBatch, Sequence[Skipped]]],
    *,
    policy: ValuePolicy | None = None,
    boards: int = BOARDS,
    seed: int = 0,
    progress: Progress | None = None,
) -> TableAssessment:
    """Assess hands of any hold'em, two to ten seats, as they come.

    ``policy`` is the baseline, by default that of the betting. Hands of another betting than the
    first one are counted and left out, since their units differ. The same hand given again counts
    once. Raises `BadInput` if ``boards`` is less than 1.
    """
    if boards < 1:
        raise BadInput(f"{boards} boards; allowed: 1 or more")
    intake = _Intake(policy=policy, boards=boards, seed=seed)
    for batch, skipped in batches:
        intake.skipped.update(skip.reason.value for skip in skipped)
        intake.take(batch)
        if progress is not None:
            progress(intake.hands, 0, "hands")
    return intake.finish()


@dataclass
class _Intake:
    """What has been read so far."""

    policy: ValuePolicy | None
    boards: int
    seed: int
    hands: int = 0
    hidden: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    names: dict[str, int] = field(default_factory=dict)
    betting: Betting | None = None
    seats: tuple[int, int] = (99, 0)
    seen: set[int] = field(default_factory=set)
    rules: set[Rules] = field(default_factory=set)
    rows: list[pl.DataFrame] = field(default_factory=list)
    luck: list[Floats] = field(default_factory=list)
    money: list[pl.DataFrame] = field(default_factory=list)
    gifts: list[Gifts] = field(default_factory=list)
    errors: dict[tuple[str, Rules, int], float] = field(default_factory=dict)

    def take(self, batch: HandBatch) -> None:
        if not len(batch):
            return
        if self.betting is None:
            self.betting = batch.rules[batch.rules_of[0]].betting
            self.policy = self.policy or baseline_for(batch.rules[batch.rules_of[0]])
        batch = self._of_one_betting(self._new(batch))
        if not len(batch):
            return
        numbers = np.array([self.names.setdefault(n, len(self.names)) for n in batch.names])
        sizes = batch.seats
        self.seats = (min(self.seats[0], int(sizes.min())), max(self.seats[1], int(sizes.max())))
        units = unit_chips(batch)
        seated = batch.player != UNKNOWN
        hand, seat = np.nonzero(seated)
        self.money.append(
            pl.DataFrame(
                {
                    "player": numbers[batch.player[hand, seat]],
                    "deal": deals_of(batch)[hand],
                    "money": (batch.chips / units[:, None])[hand, seat],
                }
            )
        )
        known = scorable(batch)
        self.hidden += int((~known).sum())
        if known.any():
            self._score(batch.rows(known), numbers)

    def _new(self, batch: HandBatch) -> HandBatch:
        """Leave out hands that were given before."""
        keys = hand_keys(batch).tolist()
        fresh = np.array([not (key in self.seen or self.seen.add(key)) for key in keys])  # type: ignore[func-returns-value]
        if fresh.all():
            return batch
        self.skipped["given more than once"] += int((~fresh).sum())
        return batch.rows(fresh)

    def _of_one_betting(self, batch: HandBatch) -> HandBatch:
        same = np.array([rules.betting is self.betting for rules in batch.rules])[batch.rules_of]
        if same.all():
            return batch
        self.skipped[f"not {self.betting.value if self.betting else ''} betting"] += int(
            (~same).sum()
        )
        return batch.rows(same)

    def _score(self, batch: HandBatch, numbers: npt.NDArray[np.int64]) -> None:
        assert self.policy is not None
        options = {"seed": self.seed, "first": self.hands, "boards": self.boards}
        by_calls = values_of(batch, CALL_DOWN, **options)
        by_baseline = values_of(batch, self.policy, **options)
        units = unit_chips(batch)[:, None]
        self.rules.update(batch.rules)
        position = self._positions(batch, self.policy, by_baseline)
        luck = np.concatenate(
            [
                self._luck(batch, by_calls, self._positions(batch, CALL_DOWN, by_calls)),
                self._luck(batch, by_baseline, position),
            ],
            axis=1,
        )
        gifts = Gifts.of(batch, by_baseline.decisions, units[:, 0], numbers)
        hand, seat = np.nonzero(batch.player != UNKNOWN)
        own = gifts.own[hand, seat]
        changed = gifts.total[hand, seat]
        at_position = (position / units)[hand, seat]
        gross = by_baseline.deal + by_baseline.luck.sum(axis=1) + gifts.total * units
        rake = ((gross - batch.chips) / units)[hand, seat]
        self.rows.append(
            pl.DataFrame(
                {
                    "row": self.hands + hand,
                    "player": numbers[batch.player[hand, seat]],
                    "seat": seat.astype(np.uint8),
                    "number": batch.number[hand],
                    "file": np.array([*batch.sources, ""])[batch.file[hand]],
                    "line": batch.line[hand],
                    "deal": deals_of(batch)[hand],
                    "money": (batch.chips / units)[hand, seat],
                    "rake": rake,
                    "position": at_position,
                    **{name: luck[hand, 4 + k, seat] for k, name in enumerate(_LUCK)},
                    "own": own,
                    "others": changed - own,
                    "divat": at_position + changed - rake,
                }
            )
        )
        self.luck.append(luck[hand, :, seat])
        self.gifts.append(gifts)
        self.hands += len(batch)

    def _luck(self, batch: HandBatch, values: HandValues, position: Floats) -> Floats:
        """Luck by the deal and by each street, (n, 4, S) in the unit."""
        deal = (values.deal - position)[:, None]
        return np.concatenate([deal, values.luck], axis=1) / unit_chips(batch)[:, None, None]

    def _positions(self, batch: HandBatch, policy: ValuePolicy, values: HandValues) -> Floats:
        """The value of every seat before the deal, (n, S) chips."""
        deals = POSITION_DEALS if len(self.rules) <= _FEW_STACKS else CHANGING_STACKS_DEALS
        rows = np.zeros((len(batch.rules), values.deal.shape[1]))
        for row, rules in zip(rows, batch.rules, strict=True):
            found = position_of(rules, policy, deals=deals, seed=self.seed)
            row[: rules.seats] = found.mean
        return rows[batch.rules_of]

    def finish(self) -> TableAssessment:
        names = tuple(self.names)
        unit = "sb" if self.betting is Betting.LIMIT else "bb"
        scores = pl.concat(self.rows) if self.rows else pl.DataFrame()
        fit = self._fit(scores)
        if self.rows:
            scores = scores.with_columns(fitted=fit.values)
        everybody = (
            {n: scores.filter(pl.col("player") == p) for n, p in self.names.items()}
            if (self.rows)
            else {}
        )
        everybody = {name: rows for name, rows in everybody.items() if rows.height}
        money = pl.concat(self.money) if self.money else None
        of_all = (
            {}
            if money is None
            else {
                name: _estimate(money.filter(pl.col("player") == p), "money", unit)
                for name, p in self.names.items()
            }
        )
        return TableAssessment(
            players=names,
            unit=unit,
            seats=self.seats if self.seats[1] else (0, 0),
            hands=self.hands,
            hidden=self.hidden,
            skipped=dict(self.skipped),
            scores=scores,
            crosstable=DecisionCrosstable.of(self.gifts, names, unit),
            estimates={
                name: {key: _estimate(rows, key, unit) for key in ESTIMATORS}
                for name, rows in everybody.items()
            },
            money_of_all=of_all,
            variance_reduction={name: _reductions(rows) for name, rows in everybody.items()}
            | ({"all": _reductions(scores)} if self.rows else {}),
            headline="money" if self.hidden or not self.hands else "fitted",
            coefficients=fit.coefficients.mean(axis=0),
        )

    def _fit(self, scores: pl.DataFrame) -> Fit:
        if not self.rows:
            return Fit(np.zeros(0), _LIKE_DIVAT[None])
        # What the house took is no luck.
        money = (scores["money"] + scores["rake"]).to_numpy()
        luck = np.concatenate(self.luck)
        if self.hands < FEWEST_HANDS:
            fit = frozen_fit(money, luck, _LIKE_DIVAT)
        else:
            fit = cross_fit(money, luck, scores["deal"].to_numpy(), seed=self.seed)
        return fit._replace(values=fit.values - scores["rake"].to_numpy())


def unit_chips(batch: HandBatch) -> Floats:
    """Chips of a small bet in limit, of a big blind elsewhere, by hand (n,)."""
    chips = [rules.chips_per_unit for rules in batch.rules]
    by_hand: Floats = np.array(chips, dtype=np.float64)[batch.rules_of]
    return by_hand


def deals_of(batch: HandBatch) -> npt.NDArray[np.int64]:
    """Number the deals: hands of one number in which the same holdings were dealt, (n,).

    Hands whose cards are not all known are deals apart.
    """
    known = scorable(batch)
    holdings = np.sort(batch.holding.astype(np.int64), axis=1)
    return _hashed([batch.number, *holdings.T, np.where(known, 0, hand_keys(batch))])


def hand_keys(batch: HandBatch) -> npt.NDArray[np.int64]:
    """Name each hand by all that was played and by whom, (n,)."""
    names = np.array([crc32(name.encode()) + 1 for name in batch.names], dtype=np.int64)
    players = np.where(batch.player == UNKNOWN, 0, names[batch.player])
    place = np.arange(len(batch.action)) - batch.start[:-1][batch.hand_of]
    played = np.zeros(len(batch), dtype=np.int64)
    np.add.at(played, batch.hand_of, _hashed([place, batch.action]))
    line = np.where(batch.number == UNKNOWN, batch.line, 0)
    return _hashed([batch.number, line, *players.T, *batch.holding.T, *batch.board.T, played])


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


def _estimate(rows: pl.DataFrame, column: str, unit: str) -> Estimate:
    """Mean of a hand, the deals being independent."""
    deals = rows.group_by("deal", maintain_order=True).agg(pl.col(column).sum(), hands=pl.len())
    found = ratio(deals[column], deals["hands"])
    return Estimate(found.value, found.stderr, found.n, unit, found.nonzero)


def _reductions(rows: pl.DataFrame) -> dict[str, float]:
    money = np.var(rows["money"].to_numpy())
    return {
        key: float(money / np.var(rows[key].to_numpy()))
        for key in ESTIMATORS[1:]
        if np.var(rows[key].to_numpy()) > 0
    }
