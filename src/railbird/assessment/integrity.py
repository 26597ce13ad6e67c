"""Is a log of any hold'em complete? Signs that hands which were played are missing from it.

Every verdict rests on the sample. The luck that is subtracted from the money has mean zero, whoever
plays, as long as the hands were not chosen by their results. So its mean is a test: if lost hands
are missing, the cards look too kind. The coefficients of luck are frozen, because coefficients
fitted to a log would fit its holes, too.

Hand numbers and the button show holes directly, whatever was in them. At a table that numbers its
hands one by one, a missing number is a missing hand; where the same players stay seated, so is a
button that moves by two seats. But complete logs have such signs as well: a player sits out, a
table breaks, a session ends, the reader leaves out a hand. Holes that these explain are subtracted.
If the rest is one hand in two hundred or more, the sample counts as selected; every hole is counted
and reported. A log that passes is not proved complete: it only shows no sign.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arrays import Floats
from railbird.assessment.verdict import LOST_IN_EXPORT, RefusedMoney, ResultVerdict
from railbird.errors import NothingUsable
from railbird.estimates.distributions import normal_below, normal_quantile
from railbird.estimates.estimate import FEWEST, ROUNDING, Estimate
from railbird.game import Rules
from railbird.histories.columns import NO_TIME, UNKNOWN, HandBatch
from railbird.histories.same_hands import SeenHands, mixed
from railbird.units import counted

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

MOST_BREAKS = 0.005
"""Share of hands from which on breaks in the order of play are more than a whole log has: a log
that lacks one hand in a hundred has twice as many."""

_MOSTLY: Final = 0.5
"""Share of logs with missing hands below which the check finds them seldom."""
_FEWEST_BREAKS: Final = 3
_PAUSE: Final = 30 * 60 * 1_000_000
"""Microseconds after which the same players are of another session."""
_PAIR: Final = 2
_BIG_BLIND: Final = 1
_COLUMNS: Final[Mapping[str, npt.DTypeLike]] = {
    **dict.fromkeys(("number", "people", "time"), np.int64),
    **dict.fromkeys(("table", "first", "second", "file"), np.int32),
    **dict.fromkeys(("seats", "posts"), np.int8),
}

TOTAL: Final = "total"
_PER: Final = 100
_ONE_TEST: Final = 2
"""Players up to whom one test is enough: what the cards give one of two the other loses."""
_FEWEST_NUMBERED: Final = 10
"""Hands of a table that are needed to recognise how it numbers them."""
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
    power: float = math.nan
    """Chance that the sum would be too far from zero if the worst `LOST_IN_EXPORT` of these hands
    were taken out as well; nan where it is not known."""

    def failing(self, tests: int = 1) -> str | None:
        """Return the sum too far from zero: `TOTAL` or an event; None if none is.

        The bounds are those of one player; among several ``tests`` they are as much wider as keeps
        the chance of a false alarm.
        """
        for name, z in self.z.items():
            bound = SUM_BOUND if name == TOTAL else STREET_BOUND
            if abs(z) >= -normal_quantile(normal_below(-bound) / tests):
                return name
        return None


def luck_check(
    taken: pl.DataFrame,
    deal: npt.NDArray[np.int64] | None = None,
    *,
    money: Floats | None = None,
) -> LuckCheck:
    """Check the luck that fixed coefficients take out, a column for each event and a row a hand.

    Rows of equal ``deal`` (rows,) are one value, for they are not independent. ``money`` (rows,)
    ranks the hands from the worst, for the power of the check.
    """
    events = {name: taken[name].to_numpy() for name in taken.columns}
    columns = {TOTAL: np.sum([*events.values()], axis=0), **events}
    group = None if deal is None else np.unique(deal, return_inverse=True)[1]
    return LuckCheck(
        means={name: float(np.mean(values)) for name, values in columns.items()},
        z={name: _z(values, group) for name, values in columns.items()},
        power=math.nan if money is None else _power(columns[TOTAL], money, group),
    )


def _z(values: Floats, group: npt.NDArray[np.int64] | None) -> float:
    error = _sum_error(values, group)
    return float(np.sum(values)) / error if error > 0 else math.nan


def _power(luck: Floats, money: Floats, group: npt.NDArray[np.int64] | None) -> float:
    """Return the chance of noticing it if the worst of these hands were taken out as well.

    Not by the best with the other sign: who loses much by its own cards had held good ones.
    """
    rest = np.sort(np.argsort(money, kind="stable")[round(LOST_IN_EXPORT * len(money)) :])
    error = _sum_error(luck[rest], None if group is None else group[rest])
    if not error > 0:
        return math.nan
    # The mean over all hands is subtracted: only what the removal adds counts, not the luck that
    # the log has in any case.
    shift = (float(luck[rest].sum()) - len(rest) * float(luck.mean())) / error
    return normal_below(shift - SUM_BOUND) + normal_below(-shift - SUM_BOUND)


def _sum_error(values: Floats, group: npt.NDArray[np.int64] | None) -> float:
    """Return the standard error of the sum; 0 where values are too few, or all alike."""
    sums = values if group is None else np.bincount(group, values)
    # Equal values differ by rounding alone, and a mean divided by such a spread would look like a
    # sign of missing hands.
    if len(sums) < FEWEST or np.ptp(sums) <= ROUNDING * np.abs(sums).max():
        return 0.0
    return float(np.std(sums, ddof=1)) * math.sqrt(len(sums))


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
    """The numbers and seats of the hands read so far; 42 bytes a hand."""

    _tables: dict[str, int] = field(default_factory=dict)
    _names: dict[str, int] = field(default_factory=dict)
    _files: dict[str, int] = field(default_factory=dict)
    _parts: list[dict[str, npt.NDArray[np.int64]]] = field(default_factory=list)
    _found: _Neighbours | None = None

    def take(self, hands: HandBatch) -> None:
        """Note the hands of a batch."""
        tables = [self._tables.setdefault(c.table, len(self._tables)) for c in hands.circumstances]
        names = [self._names.setdefault(name, len(self._names)) for name in hands.names]
        files = [self._files.setdefault(name, len(self._files)) for name in hands.sources]
        posts = np.array([_posts_again(rules) for rules in hands.rules], np.int64)
        players = np.array([*names, UNKNOWN], np.int64)[hands.player]
        # A sum of mixed numbers is the same for any order of the seats, so it tells whether the
        # same people sit there, wherever the button is.
        people = np.where(players == UNKNOWN, 0, mixed(players.view(np.uint64)))
        columns = {
            "table": np.array(tables, np.int64)[hands.circumstances_of],
            "number": hands.number,
            "people": people.sum(axis=1, dtype=np.uint64).view(np.int64),
            "first": players[:, 0],
            "second": players[:, 1],
            "file": np.array([*files, UNKNOWN], np.int64)[hands.file],
            "time": hands.played_at,
            "seats": hands.seats,
            "posts": posts[hands.rules_of],
        }
        self._parts.append({name: columns[name].astype(of) for name, of in _COLUMNS.items()})
        self._found = None

    def gaps(self) -> int | None:
        """Count gaps in the numbers of tables that number their hands one by one.

        None if no table does: a site that numbers the hands of all tables together shows no gaps.
        Where most numbers come twice or more, as in duplicate matches, a copy less is a gap, too.
        """
        neighbours = self._neighbours()
        if not neighbours.numbered.any():
            return None
        return int(neighbours.gap.sum() + neighbours.copy_less.sum())

    def consecutive(self) -> bool:
        """Return whether all tables number their hands one by one, with no number missing."""
        neighbours = self._neighbours()
        return bool(neighbours.numbered.size and neighbours.numbered.all() and not self.gaps())

    def button_jumps(self) -> int | None:
        """Count hands, among equal players, to which the button did not move on by one seat.

        None if it jumps regularly, as in logs of several tables under one name, or where the deals
        of a duplicate match alternate.
        """
        neighbours = self._neighbours()
        return int(neighbours.jump.sum()) if neighbours.button_tells else None

    def breaks(self) -> int:
        """Count places where hands that the same players played are missing.

        At such a place the number or the button advances by more than one hand. Complete logs have
        such places too, which are not counted: a pause, the next file, and hands that one player
        sat out before posting or waiting for the big blind.
        """
        neighbours = self._neighbours()
        after = neighbours.after
        gone = (neighbours.gap & neighbours.same) | (neighbours.jump & neighbours.button_tells)
        paused = after["time"] - neighbours.before["time"] > _PAUSE
        paused &= (after["time"] != NO_TIME) & (neighbours.before["time"] != NO_TIME)
        gone &= ~paused & (after["posts"] == 0)
        # Where files have fewer hands than that on average, a site writes short files, such as one
        # for each hand, and the border of a file excuses nothing.
        if _FEWEST_NUMBERED * len(self._files) <= len(self):
            gone &= after["file"] == neighbours.before["file"]
        # Heads-up nobody can be away while hands are played.
        among = gone & (after["seats"] > _PAIR)
        excused, count = 0.0, int(among.sum())
        if count:
            # Who was away is in the big blind each time, and after missing hands once in n.
            most = np.unique(after["second"][among], return_counts=True)[1].max()
            seats = float(after["seats"][among].mean())
            # Of n seats, all A returns and an n-th of the other breaks have one player in the big
            # blind: most = A + (count − A) / n, solved for A.
            excused = max(0.0, (seats * most - count) / (seats - 1))
        return round(float(gone.sum() + neighbours.copy_less.sum()) - excused)

    def __len__(self) -> int:
        return sum(len(part["table"]) for part in self._parts)

    def _neighbours(self) -> _Neighbours:
        if self._found is None:
            self._found = self._compared()
        return self._found

    def _compared(self) -> _Neighbours:
        columns = self._in_order()
        earlier = {name: column[:-1] for name, column in columns.items()}
        later = {name: column[1:] for name, column in columns.items()}
        at_table = earlier["table"] == later["table"]
        step = np.where(at_table, later["number"] - earlier["number"], 0)
        unknown = (earlier["number"] == UNKNOWN) | (later["number"] == UNKNOWN)
        step[unknown] = 0
        numbered = self._one_by_one(later["table"], step)
        same = at_table & (earlier["people"] == later["people"])
        seen = same & (unknown | (step > 0))
        # Seats are counted from the blinds, so when the button moves on by one, who sat second sits
        # first.
        jump = seen & (earlier["second"] != later["first"])
        pairs = int(seen.sum())
        return _Neighbours(
            before=earlier,
            after=later,
            same=same,
            numbered=numbered,
            gap=numbered & (step > 1),
            copy_less=self._copy_less(later, at_table & ~unknown, step),
            jump=jump,
            button_tells=pairs >= _FEWEST_NUMBERED and jump.sum() <= MOST_JUMPS * pairs,
        )

    def _one_by_one(
        self, table: npt.NDArray[np.int64], step: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.bool_]:
        """Return which hands are of tables with consecutive numbers; short tables are one."""
        size = len(self._tables)
        # A table whose numbers rise by one in most cases counts its own hands; a counter that a
        # site keeps for all its tables rises by more. Tables with few hands are judged together,
        # since none of them tells enough alone.
        up = np.bincount(table, step > 0, minlength=size)
        ones = np.bincount(table, step == 1, minlength=size)
        short = up < _FEWEST_NUMBERED
        up[short], ones[short] = up[short].sum(), ones[short].sum()
        tells: npt.NDArray[np.bool_] = (up >= _FEWEST_NUMBERED) & (2 * ones > up)
        return tells[table] if size else np.zeros(0, np.bool_)

    def _copy_less(
        self,
        after: Mapping[str, npt.NDArray[np.int64]],
        at_table: npt.NDArray[np.bool_],
        step: npt.NDArray[np.int64],
    ) -> npt.NDArray[np.bool_]:
        """Return before which hands a number has fewer copies than most have, (pairs,).

        The last number of a table is not counted, where a match may have been stopped.
        """
        lacking = np.zeros(len(step), np.bool_)
        ends = np.flatnonzero(~at_table | (step != 0))
        copies = np.diff(ends, prepend=-1)
        most = int(np.bincount(copies).argmax()) if copies.size else 1
        if most > 1 and 2 * np.sum(copies == most) > len(copies):
            lacking[ends] = copies < most
        return lacking & at_table & (step > 0)

    def _in_order(self) -> dict[str, npt.NDArray[np.int64]]:
        """Return the columns of the hands by table, in the order of play.

        By number, in whatever order a site writes them; where numbers repeat, as in logs of several
        matches, in the order of the log.
        """
        table, number = self._column("table"), self._column("number")
        places = np.arange(len(table))
        order = np.lexsort((places, number, table))
        twice = np.diff(table[order], prepend=-1) == 0
        twice &= np.diff(number[order], prepend=-1) == 0
        repeats = np.bincount(table[order], twice, minlength=len(self._tables)) > 0
        by = np.where(repeats[table], places, number) if len(table) else number
        order = np.lexsort((places, by, table))
        # A column after another, or a career would be in memory twice.
        return {name: self._column(name)[order] for name in _COLUMNS}

    def _column(self, name: str) -> npt.NDArray[np.int64]:
        none = np.empty(0, _COLUMNS[name])
        return np.concatenate([none, *(part[name] for part in self._parts)])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Neighbours:
    """Pairs of hands that follow each other at a table; arrays (pairs,)."""

    before: Mapping[str, npt.NDArray[np.int64]]
    """Columns of the first of each pair, by `_COLUMNS`."""
    after: Mapping[str, npt.NDArray[np.int64]]
    same: npt.NDArray[np.bool_]
    """Whether the same players sit at the same table."""
    numbered: npt.NDArray[np.bool_]
    """Whether the table numbers its hands one by one."""
    gap: npt.NDArray[np.bool_]
    copy_less: npt.NDArray[np.bool_]
    jump: npt.NDArray[np.bool_]
    button_tells: bool
    """False where the button jumps as a rule."""


def _posts_again(rules: Rules) -> bool:
    """Return whether somebody posts who is neither blind, as after hands that one sat out."""
    # The big blind may pay an ante for everybody, which is no dead money. Other antes are either
    # equal, or somebody pays one for hands that he sat out.
    dead = {ante for seat, ante in enumerate(rules.antes) if seat != _BIG_BLIND}
    return len(dead) > 1 or (not rules.straddle and any(rules.blinds[_BIG_BLIND + 1 :]))


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSigns:
    """What the numbers and seats of a log's hands say of those that are not in it."""

    gaps: int | None = None
    """`LogOrder.gaps`."""
    consecutive: bool = False
    """`LogOrder.consecutive`."""
    button_jumps: int | None = None
    """`LogOrder.button_jumps`."""
    breaks: int = 0
    """`LogOrder.breaks`."""
    listed: int = 0
    """Hands among which they were looked for."""
    merged: int = 0
    """Views dropped because their hand was there already."""
    contradictions: int = 0
    told: tuple[str, ...] = ()
    """The first contradictions in words."""

    @classmethod
    def of(cls, seen: SeenHands, order: LogOrder) -> LogSigns:
        """Look for them in all hands of a log."""
        return cls(
            gaps=order.gaps(),
            consecutive=order.consecutive(),
            button_jumps=order.button_jumps(),
            breaks=order.breaks(),
            listed=len(order),
            merged=seen.merged,
            contradictions=seen.contradictions,
            told=tuple(map(str, seen.told)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Integrity(LogSigns):
    """What the hands of a log say of those that are not in it, and their luck besides."""

    unit: str = "bb"
    luck: Mapping[str, LuckCheck] = field(default_factory=dict)
    """By player, for those whose luck is known; in heads-up limit for the first."""
    order: float = math.nan
    """The largest `order_z` of any player."""
    left_out: int = 0
    """Hands that were in the log but could not be used, each of which may be one of the breaks."""
    refused: Mapping[str, RefusedMoney] = field(default_factory=dict)
    """By player: hands that could not be used."""
    verdicts: Mapping[str, ResultVerdict] = field(default_factory=dict)
    """By player, of those whose result is judged."""

    @classmethod
    def judged(
        cls,
        signs: LogSigns,
        *,
        unit: str,
        luck: Mapping[str, LuckCheck],
        money: Mapping[str, Floats],
        skipped: Mapping[str, int],
        refused: Mapping[str, RefusedMoney] = MappingProxyType({}),
    ) -> Integrity:
        """Gather the signs; ``money`` are results by player, in the order of the log.

        ``skipped`` counts by reason the hands that were in the log but could not be used, and
        ``refused`` is what their text says that players won.
        """
        order_zs = [z for z in map(order_z, money.values()) if not math.isnan(z)]
        return cls(
            **asdict(signs),
            unit=unit,
            luck=luck,
            order=max(order_zs, default=math.nan),
            left_out=sum(skipped.values()),
            refused=refused,
        )

    def judging(self, results: Mapping[str, tuple[Estimate, Floats, Floats]]) -> Integrity:
        """Return the same with verdicts on results by player.

        Each is the estimate that decides, with its values and the money by hand, (n,).
        """
        return replace(
            self,
            verdicts={
                name: ResultVerdict(
                    result=result,
                    values=values,
                    money=money,
                    numbered=self.consecutive,
                    refused=self.refused.get(name, RefusedMoney()),
                )
                for name, (result, values, money) in results.items()
            },
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
        checks = [
            (name, check) for name, check in self.luck.items() if not math.isnan(check.z[TOTAL])
        ]
        tests = self._tests(None)
        return max(
            checks,
            key=lambda of: (of[1].failing(tests) is not None, abs(of[1].z[TOTAL])),
            default=None,
        )

    def withheld(
        self, player: str | None = None, *, display: Callable[[str], str] = str
    ) -> str | None:
        """Return why there is no verdict on a player, or on anybody; None if there is one.

        ``display`` writes a player's name.
        """
        if self.contradictions:
            more = f", and {self.contradictions - 1:,} more" if self.contradictions > 1 else ""
            return f"{self.told[0]}{more}"
        named_check = self.checked(player)
        event = None if named_check is None else named_check[1].failing(self._tests(player))
        if named_check is None or event is None:
            if self.broken:
                return self._holes() + ": hands are missing"
            return None if player is None else self.turned(player, display=display)
        name, check = named_check
        mean = check.means[event]
        kind = "kind" if mean > 0 else "unkind"
        return (
            f"{_EVENTS[event]} {abs(mean) * _PER:,.1f} {self.unit}/100 too {kind} to "
            f"{display(name)}, more than chance explains: hands may be missing or doubled"
        )

    def brief(self, player: str) -> str:
        """Say in a few words why there is no verdict on a player (`withheld`)."""
        named_check = self.checked(player)
        if self.contradictions:
            return "files contradict each other"
        if named_check is not None and named_check[1].failing(self._tests(player)) is not None:
            return "its cards are not chance, so hands may be missing"
        if self.broken:
            return "hands are missing"
        if self.turned(player) is not None:
            return "hands that could not be used could turn it"
        return "errors of protocol could explain the result"

    def turned(self, player: str, *, display: Callable[[str], str] = str) -> str | None:
        """Say that hands which could not be used could turn a player's verdict; None if not."""
        verdict = self.verdicts.get(player)
        if verdict is None or not verdict.turned:
            return None
        return f"{self._refused(player, verdict, display)}, which could turn it"

    def _refused(self, player: str, verdict: ResultVerdict, display: Callable[[str], str]) -> str:
        hands, total = verdict.refused.hands, verdict.refused.total
        did = "won" if total > 0 else "lost"
        return (
            f"in {counted(hands)} that could not be used, {display(player)} {did} "
            f"{abs(total):,.1f} {self.unit} by their text, {_signed(_PER * total / verdict.hands)} "
            f"{self.unit} for each hundred that count"
        )

    def decided(self, player: str) -> ResultVerdict | None:
        """Return the verdict on a player's result, if it is more than luck and stands."""
        verdict = self.verdicts.get(player)
        return verdict if verdict and verdict.decided and not verdict.turned else None

    def condition(self, player: str) -> str:
        """Return the condition of a player's verdict, to follow it; empty where it has none."""
        verdict = self.verdicts.get(player)
        return verdict.condition if verdict else ""

    def undoing(self, player: str | None = None, *, display: Callable[[str], str] = str) -> str:
        """Say how many missing hands would undo a verdict, and whether the check would see them.

        Of several players the one whose verdict the fewest undo. Empty where there is no verdict,
        or consecutive numbers show that no hand is missing.
        """
        shares = {
            name: verdict.undone_by / verdict.hands
            for name in (self.verdicts if player is None else (player,))
            if (verdict := self.decided(name)) and verdict.undone_by and not verdict.numbered
        }
        if not shares:
            return ""
        name = min(shares, key=shares.__getitem__)
        verdict = self.verdicts[name]
        count = verdict.undone_by or 0
        kind = "worst" if verdict.result.value > 0 else "best"
        hands = f"the {count:,} {kind} hands" if count > 1 else f"the {kind} hand"
        was = "were" if count > 1 else "was"
        only = "" if verdict.if_whole else " only"
        sentence = (
            f"Luck could explain the result{only} if {hands} of {display(name)} "
            f"({100 * shares[name]:.1f} %) {was} missing."
        )
        power = self.luck[name].power if name in self.luck else math.nan
        if math.isnan(power):
            return f"{sentence} The cards cannot tell whether hands are missing."
        return (
            f"{sentence} Were the worst {100 * LOST_IN_EXPORT:.0f} % of these hands taken out as "
            f"well, the cards would give it away in {100 * power:.0f} % of such logs."
        )

    def unused(self, player: str, *, display: Callable[[str], str] = str) -> str:
        """Say what a player won in hands that could not be used, a sentence; empty without them."""
        verdict = self.verdicts.get(player)
        if verdict is None or not verdict.refused.hands:
            return ""
        words = self._refused(player, verdict, display)
        return f"{words[:1].upper()}{words[1:]}."

    def words(
        self, player: str | None = None, *, display: Callable[[str], str] = str, lead: str = ""
    ) -> str:
        """Say what the checks found, in sentences; ``display`` writes a player's name.

        What stands in the ``lead`` above them is not repeated.
        """
        sentences = []
        withheld = self.withheld(player, display=display)
        unused = "" if player is None else self.unused(player, display=display)
        # The sentence is sought without its first letter and full stop, which differ where it
        # continues another sentence.
        if unused and unused not in lead and unused[1:-1] not in (withheld or ""):
            sentences.append(unused)
        if withheld is None:
            sentences.append(self.undoing(player, display=display))
        if withheld is None and (named_check := self.checked(player)):
            _, check = named_check
            if not math.isnan(check.z[TOTAL]):
                others = self.gaps or self.button_jumps or self.left_out
                by = "By the cards no sign" if others else "No sign"
                if check.z.keys() <= {TOTAL, "all_in"}:
                    by = "By the boards of all-ins alone no sign"
                seldom = "; the cards would seldom give one" if check.power < _MOSTLY else ""
                sentences.append(f"{by} of missing hands{seldom}.")
        holes = self._holes()
        if holes and holes not in (withheld or ""):
            sentences.append(f"{holes[0].upper()}{holes[1:]}, as happens where hands are missing.")
        if self.merged:
            was = "copy of a hand was" if self.merged == 1 else "copies of hands were"
            sentences.append(f"{self.merged:,} {was} merged into the first one.")
        if not self.ordered:
            sentences.append(
                "The hands are not in the order of play: results are sorted, so nothing is said of "
                "their course."
            )
        return " ".join(filter(None, sentences))

    def figure(self, player: str | None = None, *, display: Callable[[str], str] = str) -> str:
        """Give the statistic of the check for missing hands; empty where there is none."""
        if (named_check := self.checked(player)) is None:
            return ""
        name, check = named_check
        event = check.failing(self._tests(player)) or TOTAL
        if math.isnan(check.z[event]):
            return ""
        return f"Check for missing hands: z = {_signed(check.z[event])} for {display(name)}."

    def sentences(self, player: str | None = None, *, display: Callable[[str], str] = str) -> str:
        """Say what the checks found where there is no verdict to withhold."""
        why = self.withheld(player, display=display)
        first = "" if why is None else f"{why[:1].upper()}{why[1:]}."
        return " ".join(filter(None, (first, self.words(player, display=display))))

    def as_json(self, player: str | None = None) -> dict[str, Any]:
        """Return the numbers unrounded; null where nothing can be concluded."""
        named_check = self.checked(player)
        z = {} if named_check is None else named_check[1].z
        return {
            "luck_z": {name: _or_none(z.get(name, math.nan)) for name in (TOTAL, *_EVENTS)},
            "luck_of": None if named_check is None else named_check[0],
            f"luck_{self.unit}_per_100": None
            if named_check is None
            else _PER * named_check[1].means[TOTAL],
            "order_z": _or_none(self.order),
            "gaps": self.gaps,
            "button_jumps": self.button_jumps,
            "duplicates_merged": self.merged,
            "contradictions": self.contradictions,
            "contradicting": list(self.told),
            "verdict_withheld": self.withheld(player),
            "power_of_luck": None if named_check is None else _or_none(named_check[1].power),
            "verdicts": {
                name: verdict.as_json()
                for name, verdict in self.verdicts.items()
                if player is None or name == player
            },
        }

    @property
    def broken(self) -> bool:
        """Whether hands that these players played are missing, more than a whole log explains."""
        breaks = self.breaks - self.left_out
        return breaks >= max(_FEWEST_BREAKS, MOST_BREAKS * self.listed)

    def _holes(self) -> str:
        """Count gaps and jumps in words; nothing if there are none."""
        holes = []
        if self.gaps:
            holes.append(f"the hand numbers have {counted(self.gaps, 'gap')}")
        if self.button_jumps:
            often = "once" if self.button_jumps == 1 else f"{self.button_jumps:,} times"
            holes.append(f"the button jumped {often} among the same players")
        return " and ".join(holes)

    def _tests(self, player: str | None) -> int:
        testable = sum(not math.isnan(check.z[TOTAL]) for check in self.luck.values())
        return 1 if player is not None or testable <= _ONE_TEST else testable


def _signed(z: float) -> str:
    return f"{z:+.1f}".replace("-", "\N{MINUS SIGN}")


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
