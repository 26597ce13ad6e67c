"""Is the log whole? Signs that the hands of a log are not all that were played.

Every verdict rests on the sample. The luck that is taken out of the money has mean zero, whoever
plays, as long as the hands were not chosen by their results, so its mean is a test: lost hands that
are missing make the cards look too kind. The coefficients of luck are frozen, for those that fit a
log would fit its holes, too. Numbers, the button and the order of results tell of holes and
doublings in other ways, but honest logs have such signs as well: a player sits out, a table breaks.
These are counted and said. A log that passes is not complete, it only shows no sign.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arrays import Floats
from railbird.errors import NothingUsable
from railbird.estimates.distributions import normal_below, normal_quantile
from railbird.estimates.estimate import FEWEST
from railbird.histories.columns import UNKNOWN, HandBatch
from railbird.histories.same_hands import SeenHands, mixed

SUM_BOUND = 3.0
"""Standard errors from zero at which the luck of a log is no longer chance: none of 300 honest
blocks reached it."""

STREET_BOUND = 3.5
"""The same of a single street, of which there are four."""

ORDER_BOUND = 5.0
"""The same of the correlation of neighbouring results: honest logs gave at most 3.3, sorted ones 16
and more."""

ORDER_CLIP = 20.0
"""Small bets or big blinds at which results are cut off for it, so that no single pot decides."""

MOST_JUMPS = 0.1
"""Share of hands to which the button may jump before it says nothing of missing hands."""


TOTAL: Final = "total"
_PER: Final = 100
_ONE_TEST: Final = 2
"""Players up to whom one test is enough: what the cards give one of two the other loses."""
_FEWEST_NUMBERED: Final = 10
"""Hands of a table from which its way of numbering can be told."""
_EVENTS: Final = {
    TOTAL: "the cards were",
    "deal": "the hole cards were",
    "flop": "the flops were",
    "turn": "the turns were",
    "river": "the rivers were",
    "all_in": "the boards of all-ins were",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckCheck:
    """The luck taken out of one player's money, in sum and by street; its mean should be zero."""

    means: Mapping[str, float]
    """Per hand, in the unit of the assessment, by `TOTAL` and event."""
    z: Mapping[str, float]
    """Means in standard errors; nan where there are too few hands."""

    def failing(self, tests: int = 1) -> str | None:
        """Return what is too far from zero: `TOTAL` or an event; None if nothing is.

        The bounds are those of one player; among several ``tests`` they are as much wider as keeps
        the chance of a false alarm.
        """
        for name, z in self.z.items():
            bound = SUM_BOUND if name == TOTAL else STREET_BOUND
            if abs(z) >= -normal_quantile(normal_below(-bound) / tests):
                return name
        return None


def luck_check(taken: pl.DataFrame, deal: npt.NDArray[np.int64] | None = None) -> LuckCheck:
    """Check the luck that fixed coefficients take out, a column for each event and a row a hand.

    Rows of equal ``deal`` (rows,) are one value, for they are not independent.
    """
    events = {name: taken[name].to_numpy() for name in taken.columns}
    columns = {TOTAL: np.sum([*events.values()], axis=0), **events}
    group = None if deal is None else np.unique(deal, return_inverse=True)[1]
    return LuckCheck(
        means={name: float(np.mean(values)) for name, values in columns.items()},
        z={name: _z(values, group) for name, values in columns.items()},
    )


def _z(values: Floats, group: npt.NDArray[np.int64] | None) -> float:
    sums = values if group is None else np.bincount(group, values)
    spread = float(np.std(sums, ddof=1)) if len(sums) >= FEWEST else 0.0
    return float(np.mean(sums)) / (spread / math.sqrt(len(sums))) if spread > 0 else math.nan


def order_z(money: Floats) -> float:
    """Return the correlation of neighbouring results, in standard errors; large if sorted.

    ``money`` (hands,) in big blinds or small bets; a rank test for a trend would take honest logs
    of people who learn for sorted ones.
    """
    clipped = np.clip(money, -ORDER_CLIP, ORDER_CLIP)
    apart = clipped - clipped.mean() if len(clipped) else clipped
    squares = float(apart @ apart)
    if len(clipped) < FEWEST or squares == 0:
        return math.nan
    return float(apart[1:] @ apart[:-1]) / squares * math.sqrt(len(clipped))


@dataclass(slots=True)
class LogOrder:
    """Numbers and seats of hands as they go by; 32 bytes a hand."""

    _tables: dict[str, int] = field(default_factory=dict)
    _names: dict[str, int] = field(default_factory=dict)
    _parts: list[npt.NDArray[np.int64]] = field(default_factory=list)

    def take(self, hands: HandBatch) -> None:
        """Note the hands of a batch."""
        tables = [self._tables.setdefault(c.table, len(self._tables)) for c in hands.circumstances]
        names = [self._names.setdefault(name, len(self._names)) for name in hands.names]
        players = np.array([*names, UNKNOWN], np.int64)[hands.player]
        people = mixed(players.view(np.uint64)).sum(axis=1, dtype=np.uint64).view(np.int64)
        table = np.array(tables, np.int64)[hands.circumstances_of]
        columns = (table, hands.number, people, players[:, 0] << 32 | players[:, 1])
        self._parts.append(np.stack(columns, axis=1))

    def gaps(self) -> int | None:
        """Count gaps in the numbers of tables that number their hands one by one.

        None if no table does: sites number those of all tables together, which tells nothing.
        """
        found = None
        rows = self._rows()
        for table in range(len(self._tables)):
            numbers = rows[rows[:, 0] == table, 1] if len(self._tables) > 1 else rows[:, 1]
            steps = np.diff(np.unique(numbers[numbers != UNKNOWN]))
            if len(steps) >= _FEWEST_NUMBERED and 2 * np.sum(steps == 1) > len(steps):
                found = (found or 0) + int(np.sum(steps > 1))
        return found

    def button_jumps(self) -> int | None:
        """Count hands, among equal players, to which the button did not move on by one seat.

        None where it jumps as a rule, as it does in logs of several tables under one name, or in
        which the deals of a duplicate match alternate.
        """
        rows = self._rows()
        rows = rows[np.lexsort((np.arange(len(rows)), rows[:, 1], rows[:, 0]))]
        before, after = rows[:-1], rows[1:]
        same = (before[:, (0, 2)] == after[:, (0, 2)]).all(axis=1)
        moved = before[:, 3] & 0xFFFFFFFF == after[:, 3] >> 32
        pairs, jumps = int(same.sum()), int((same & ~moved).sum())
        return jumps if pairs >= _FEWEST_NUMBERED and jumps <= MOST_JUMPS * pairs else None

    def _rows(self) -> npt.NDArray[np.int64]:
        return np.concatenate([np.empty((0, 4), np.int64), *self._parts])


@dataclass(frozen=True, slots=True, kw_only=True)
class Integrity:
    """What the hands of a log say of those that are not in it."""

    unit: str = "bb"
    luck: Mapping[str, LuckCheck] = field(default_factory=dict)
    """By player, of those whose luck can be told; in heads-up limit of the first."""
    order: float = math.nan
    """The largest `order_z` of any player."""
    gaps: int | None = None
    """`LogOrder.gaps`."""
    button_jumps: int | None = None
    """`LogOrder.button_jumps`."""
    merged: int = 0
    """Views dropped because their hand was there already."""
    contradictions: int = 0
    told: tuple[str, ...] = ()
    """The first contradictions in words."""

    @classmethod
    def of(
        cls,
        seen: SeenHands,
        log: LogOrder,
        *,
        unit: str,
        luck: Mapping[str, LuckCheck],
        money: Mapping[str, Floats],
    ) -> Integrity:
        """Gather the signs; ``money`` are results by player, in the order of the log."""
        found = [z for z in map(order_z, money.values()) if not math.isnan(z)]
        return cls(
            unit=unit,
            luck=luck,
            order=max(found, default=math.nan),
            gaps=log.gaps(),
            button_jumps=log.button_jumps(),
            merged=seen.merged,
            contradictions=seen.contradictions,
            told=tuple(map(str, seen.told)),
        )

    @property
    def ordered(self) -> bool:
        """False if results are sorted: whatever goes by the order of play then means nothing."""
        return not self.order > ORDER_BOUND

    def check_order(self) -> None:
        """Raise `NothingUsable` for hands that are not in the order of play."""
        if not self.ordered:
            raise NothingUsable(
                f"the hands are sorted by results (z = {_signed(self.order)}); estimates from "
                "earlier hands alone need them in the order of play"
            )

    def checked(self, player: str | None = None) -> tuple[str, LuckCheck] | None:
        """Return a player's check, or of all that which is furthest from zero."""
        if player is not None:
            return (player, self.luck[player]) if player in self.luck else None
        told = [(name, one) for name, one in self.luck.items() if not math.isnan(one.z[TOTAL])]
        tests = self._tests(None)
        return max(
            told,
            key=lambda of: (of[1].failing(tests) is not None, abs(of[1].z[TOTAL])),
            default=None,
        )

    def withheld(
        self, player: str | None = None, *, shown: Callable[[str], str] = str
    ) -> str | None:
        """Return why there is no verdict on a player, or on anybody; None if there is one.

        ``shown`` writes a player's name.
        """
        if self.contradictions:
            more = f", and {self.contradictions - 1:,} more" if self.contradictions > 1 else ""
            return f"{self.told[0]}{more}"
        if (found := self.checked(player)) is None:
            return None
        name, check = found
        if (event := check.failing(self._tests(player))) is None:
            return None
        mean = check.means[event]
        kind = "kind" if mean > 0 else "unkind"
        return (
            f"{_EVENTS[event]} {abs(mean) * _PER:,.1f} {self.unit}/100 too {kind} to {shown(name)} "
            f"(z = {_signed(check.z[event])}): hands may be missing or doubled"
        )

    def words(self, player: str | None = None, *, shown: Callable[[str], str] = str) -> str:
        """Say what the checks found, in sentences; ``shown`` writes a player's name."""
        said = []
        if self.withheld(player, shown=shown) is None and (found := self.checked(player)):
            name, check = found
            if not math.isnan(check.z[TOTAL]):
                whose = "" if player is not None or len(self.luck) == 1 else f" for {shown(name)}"
                by = "By the cards no sign" if self.gaps or self.button_jumps else "No sign"
                said.append(f"{by} of missing hands (z = {_signed(check.z[TOTAL])}{whose}).")
        holes = []
        if self.gaps:
            holes.append(f"the hand numbers have {_counted(self.gaps, 'gap')}")
        if self.button_jumps:
            often = "once" if self.button_jumps == 1 else f"{self.button_jumps:,} times"
            holes.append(f"the button jumped {often} among the same players")
        if holes:
            told = " and ".join(holes)
            said.append(f"{told[0].upper()}{told[1:]}, as happens where hands are missing.")
        if self.merged:
            was = "copy of a hand was" if self.merged == 1 else "copies of hands were"
            said.append(f"{self.merged:,} {was} merged into the first one.")
        if not self.ordered:
            said.append(
                "The hands are not in the order of play: results are sorted "
                f"(z = {_signed(self.order)}), so nothing is said of their course."
            )
        return " ".join(said)

    def sentences(self, player: str | None = None, *, shown: Callable[[str], str] = str) -> str:
        """Say what the checks found where there is no verdict to withhold."""
        why = self.withheld(player, shown=shown)
        first = "" if why is None else f"{why[:1].upper()}{why[1:]}."
        return " ".join(filter(None, (first, self.words(player, shown=shown))))

    def as_json(self, player: str | None = None) -> dict[str, Any]:
        """Return the numbers unrounded; null where nothing can be told."""
        found = self.checked(player)
        z = {} if found is None else found[1].z
        return {
            "luck_z": {name: _or_none(z.get(name, math.nan)) for name in (TOTAL, *_EVENTS)},
            "luck_of": None if found is None else found[0],
            f"luck_{self.unit}_per_100": None if found is None else _PER * found[1].means[TOTAL],
            "order_z": _or_none(self.order),
            "gaps": self.gaps,
            "button_jumps": self.button_jumps,
            "duplicates_merged": self.merged,
            "contradictions": self.contradictions,
            "contradicting": list(self.told),
            "verdict_withheld": self.withheld(player),
        }

    def _tests(self, player: str | None) -> int:
        told = sum(not math.isnan(one.z[TOTAL]) for one in self.luck.values())
        return 1 if player is not None or told <= _ONE_TEST else told


def _signed(z: float) -> str:
    return f"{z:+.1f}".replace("-", "\N{MINUS SIGN}")


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
