"""Statistics of any hold'em by player and by position, stake, session, month or hand.

Shares have the exact interval of Clopper and Pearson, winnings that of Student's t. Winnings are in
the hand's own big blinds, so stakes may differ; money is added up within one stake alone.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum, IntEnum
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arguments import checked
from railbird._display import ByPlayer, HasTable
from railbird.assessment import statistics_kernels as kernels
from railbird.assessment.all_in import SEEN, Seen, all_ins_of, seen_of, taken_at_mean
from railbird.assessment.frozen_coefficients import frozen_for
from railbird.assessment.integrity import Integrity, LuckCheck, luck_check
from railbird.assessment.log import Log
from railbird.assessment.own_side import (
    ALL_IN_CARDS,
    ALL_IN_MEAN,
    BOARD_MOMENTS,
    OWN_LUCK,
    board_moments,
    is_told_by_own_cards,
    own_luck_in,
    own_luck_taken,
)
from railbird.assessment.player_luck import PlayerLuck, parts_of, player_luck
from railbird.assessment.spot_language import (
    FACED_THIRD_BET,
    FOLDED_TO_THIRD_BET,
    Spots,
    facts_of,
)
from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING
from railbird.errors import BadInput, NothingUsable
from railbird.estimates.bankroll import Bankroll, bankroll_of
from railbird.estimates.bounded_mean import BoundedMean
from railbird.estimates.estimate import FEWEST, Estimate, Moments, ResultUnit, ratio
from railbird.game import Betting, Rules
from railbird.game.walk_kernels import SCRATCH
from railbird.histories import HandsLike, Skipped
from railbird.histories.any_format import OnSkip
from railbird.histories.columns import NO_TIME, UNKNOWN, HandBatch, opened_vectors
from railbird.histories.data_frames import whole_batches
from railbird.histories.stake_names import stake_of

# Definitions of the statistics, as in tracking software: occurrences out of opportunities.
#
# The numbers are columns of `kernels`, but for the last, which needs no replay. The manual quotes
# these sentences.


class Statistic(IntEnum):
    """One share; the value is its column."""

    VPIP = 0
    PFR = 1
    THREE_BET = 2
    FOLD_TO_THREE_BET = 3
    FOUR_BET = 4
    SQUEEZE = 5
    STEAL = 6
    FOLD_TO_STEAL = 7
    CBET = 8
    FOLD_TO_CBET = 9
    CBET_TURN = 10
    CHECK_RAISE = 11
    AGGRESSION_FREQUENCY = 12
    WTSD = 13
    WSD = 14
    WWSF = 15
    SHOWN_BY_CHOICE = 16
    LIMP = 17
    COLD_CALL = 18
    ISOLATE = 19
    LIMP_FOLD = 20
    RESTEAL = 21
    FOLD_TO_FOUR_BET = 22
    RAISE_CBET = 23
    FOLD_TO_CBET_TURN = 24
    CBET_RIVER = 25
    FOLD_TO_CBET_RIVER = 26
    DONK = 27
    PROBE = 28
    FLOAT = 29
    FOLD_TO_FLOP_BET = 30
    FOLD_TO_TURN_BET = 31
    FOLD_TO_RIVER_BET = 32
    RAISE_FLOP_BET = 33
    RAISE_TURN_BET = 34
    RAISE_RIVER_BET = 35
    CHECK_RAISE_FLOP = 36
    CHECK_RAISE_TURN = 37
    CHECK_RAISE_RIVER = 38
    THREE_BET_TO_EARLY = 39
    THREE_BET_TO_LATE = 40
    FOLD_SMALL_BLIND_TO_STEAL = 41
    FOLD_BIG_BLIND_TO_STEAL = 42
    OVERBET = 43
    LARGE_CBET = 44
    FOLD_TO_SMALL_CBET = 45
    FOLD_TO_LARGE_CBET = 46

    @property
    def key(self) -> str:
        """The name in JSON and CSV."""
        return self.name.lower()


class Position(IntEnum):
    """Places at the table by distance from the button, as a column numbers them."""

    SMALL_BLIND = 0
    BIG_BLIND = 1
    EARLY = 2
    MIDDLE = 3
    CUTOFF = 4
    BUTTON = 5

    @property
    def key(self) -> str:
        """The name in JSON and CSV."""
        return self.name.lower()


def position_of(seat: int, seats: int, *, dead_small_blind: bool = False) -> Position:
    """Name the place of a seat at a table of so many; heads-up the button is the small blind.

    With a dead small blind (`railbird.game.Rules.dead_small_blind`) nobody has that place.

    >>> [position_of(seat, 6).key for seat in (0, 2, 3, 4, 5)]
    ['small_blind', 'middle', 'middle', 'cutoff', 'button']
    >>> [position_of(seat, 4, dead_small_blind=True).key for seat in range(4)]
    ['big_blind', 'middle', 'cutoff', 'button']
    """
    if dead_small_blind:
        return position_of(seat + 1, seats + 1)
    if seats == 2:
        return (Position.BIG_BLIND, Position.BUTTON)[seat]
    if seat < 2:
        return Position(seat)
    behind = seats - 1 - seat
    if behind < 2:
        return (Position.BUTTON, Position.CUTOFF)[behind]
    return Position.MIDDLE if behind < 4 else Position.EARLY


DEFINITIONS = {
    Statistic.VPIP: "put chips in before the flop by choice, of hands with a decision there",
    Statistic.PFR: "raised before the flop, of hands with a chance to",
    Statistic.THREE_BET: "raised the first raise without having raised, of chances to",
    Statistic.FOLD_TO_THREE_BET: "folded to a third bet, of hands whose own raise met one",
    Statistic.FOUR_BET: "raised a third bet, of chances to",
    Statistic.SQUEEZE: "raised a raise that somebody had called, of chances to",
    Statistic.STEAL: "raised first in from cutoff, button or small blind, of chances to",
    Statistic.FOLD_TO_STEAL: "folded in the blinds to such a raise, of hands that faced it alone",
    Statistic.CBET: "bet the flop as the last to have raised before it, of chances to",
    Statistic.FOLD_TO_CBET: "folded to such a bet, of hands that faced it",
    Statistic.CBET_TURN: "bet the turn after such a bet and the flop's last raise, of chances to",
    Statistic.CHECK_RAISE: "raised after checking, of streets on which a check met a bet",
    Statistic.AGGRESSION_FREQUENCY: "bets and raises of all actions after the flop but checks",
    Statistic.WTSD: "came to the showdown, of hands that saw the flop",
    Statistic.WSD: "won chips at the showdown, of showdowns",
    Statistic.WWSF: "won chips, of hands that saw the flop",
    Statistic.SHOWN_BY_CHOICE: "showed cards without need, of hands whose log tells of a choice",
    Statistic.LIMP: "called the big blind as the first to come in, of chances to",
    Statistic.COLD_CALL: "called a raise without chips in the pot yet, of chances to",
    Statistic.ISOLATE: "raised where others had only called the big blind, of chances to",
    Statistic.LIMP_FOLD: "folded to a raise after a limp, of hands that faced one",
    Statistic.RESTEAL: "raised such a steal from the blinds, of chances to",
    Statistic.FOLD_TO_FOUR_BET: "folded to a fourth bet, of hands whose own raise met one",
    Statistic.RAISE_CBET: "raised such a bet of the flop, of chances to",
    Statistic.FOLD_TO_CBET_TURN: "folded to such a turn bet that goes on, of hands that faced it",
    Statistic.CBET_RIVER: "bet the river after such bets on flop and turn, of chances to",
    Statistic.FOLD_TO_CBET_RIVER: "folded to such a river bet, of hands that faced it",
    Statistic.DONK: "bet the flop before the last raiser could act, of chances to",
    Statistic.PROBE: "bet the turn before that player, after a flop without a bet",
    Statistic.FLOAT: "bet the turn after calling a flop bettor who checks, of chances to",
    Statistic.FOLD_TO_FLOP_BET: "folded to the first bet of the flop, of hands that faced it",
    Statistic.FOLD_TO_TURN_BET: "folded to the first bet of the turn, of hands that faced it",
    Statistic.FOLD_TO_RIVER_BET: "folded to the first bet of the river, of hands that faced it",
    Statistic.RAISE_FLOP_BET: "raised the first bet of the flop, of chances to",
    Statistic.RAISE_TURN_BET: "raised the first bet of the turn, of chances to",
    Statistic.RAISE_RIVER_BET: "raised the first bet of the river, of chances to",
    Statistic.CHECK_RAISE_FLOP: "raised the flop after checking it, of checks that met a bet",
    Statistic.CHECK_RAISE_TURN: "raised the turn after checking it, of checks that met a bet",
    Statistic.CHECK_RAISE_RIVER: "raised the river after checking it, of checks that met a bet",
    Statistic.THREE_BET_TO_EARLY: "raised the first raise of an early or middle seat, of chances",
    Statistic.THREE_BET_TO_LATE: "raised the first raise of any other seat, of chances to",
    Statistic.FOLD_SMALL_BLIND_TO_STEAL: "folded the small blind to a steal, of those faced alone",
    Statistic.FOLD_BIG_BLIND_TO_STEAL: "folded the big blind to a steal, of those faced alone",
    Statistic.OVERBET: "bet more than the pot, of first bets of a street after the flop came",
    Statistic.LARGE_CBET: "bet more than half the pot, of such bets of the flop",
    Statistic.FOLD_TO_SMALL_CBET: "folded to such a flop bet of at most half the pot, of those",
    Statistic.FOLD_TO_LARGE_CBET: "folded to such a flop bet of more than half the pot, of those",
}
"""One sentence each; on a street a chance counts at its first occurrence.

Before the flop there is a chance to raise where the rules allow it: not against an all-in for as
much as the player has, nor where nobody is left to call. What comes back of an uncalled bet is not
won.
"""


class Definitions(Enum):
    """Whose definitions the statistics have."""

    OWN = "railbird"
    TRACKERS = "trackers"
    """Those of tracking software where it differs (`counted_by`)."""

    @property
    def words(self) -> str:
        """What differs, a sentence; nothing for our own."""
        if self is Definitions.OWN:
            return ""
        return (
            "As trackers count: PFR of all hands with a decision before the flop; folds to a third "
            "bet of all hands that faced one, whoever had raised."
        )

    def as_json(self) -> dict[str, str]:
        """Return whose they are, unless they are our own."""
        return {} if self is Definitions.OWN else {"definitions": self.value}


SEVERAL: Final = (Statistic.CHECK_RAISE, Statistic.AGGRESSION_FREQUENCY, Statistic.OVERBET)
"""Statistics of which a hand can have several chances; of the others it has one or none."""


# Settings of the statistics, fixed before any hand is seen.


SESSION_GAP: Final = timedelta(minutes=60)
"""Pause after which a player begins a new session."""

STYLE_BAND: Final = 0.2
"""Relative distance from the norm up to which a style is moderate."""


# Sessions of a player: hands without a long pause, at one table or several, and hourly rates.


@dataclass(frozen=True, slots=True, kw_only=True)
class HourlyRate(HasTable):
    """One player's winnings per hour, from independent sessions."""

    hours: float
    """From the first to the last hand of each session, summed."""
    sessions: int
    bb: Estimate
    """Big blinds per hour, each hand in its own."""
    money: dict[str, Estimate]
    """By stake, in its currency."""

    def as_json(self) -> dict[str, object]:
        """Return the numbers unrounded."""
        return {
            "hours": self.hours,
            "sessions": self.sessions,
            "bb_per_hour": self.bb.as_json(),
            "money_per_hour": {stake: rate.as_json() for stake, rate in self.money.items()},
        }


def with_sessions(rows: pl.DataFrame, gap: timedelta = SESSION_GAP) -> pl.DataFrame:
    """Add ``session``, the text of the time when it began; null for hands without a time."""
    timed = rows.filter(pl.col("played_at").is_not_null()).sort("played_at", maintain_order=True)
    begins = pl.col("played_at").diff().over("player").fill_null(gap + timedelta(1)) > gap
    timed = timed.with_columns(begun=pl.when(begins).then("played_at"))
    start = pl.col("begun").forward_fill().over("player").dt.strftime("%Y-%m-%d %H:%M")
    timed = timed.with_columns(session=start).drop("begun")
    rest = rows.filter(pl.col("played_at").is_null())
    return pl.concat([timed, rest.with_columns(session=pl.lit(None, pl.String))])


def hourly_rates(rows: pl.DataFrame) -> dict[str, HourlyRate]:
    """Return the hourly rates of all players, from hands with times.

    A session lasts from its first to its last hand, so a single hand adds no time.
    """
    columns = ("player", "stake", "currency", "played_at", "won", "money")
    timed = with_sessions(rows.select(columns)).drop_nulls("session")
    at_stakes: dict[tuple[object, ...], dict[str, Estimate]] = {}
    for (player, stake), at in _of_each(_sessions(timed, "player", "stake"), "player", "stake"):
        if at["hours"].sum() > 0:
            rate = ratio(at["money"], at["hours"], unit=str(at["currency"][0]))
            at_stakes.setdefault((player,), {})[str(stake)] = rate
    return {
        str(name[0]): HourlyRate(
            hours=float(sessions["hours"].sum()),
            sessions=sessions.height,
            bb=ratio(sessions["won"], sessions["hours"], unit="bb"),
            money=at_stakes.get(name, {}),
        )
        for name, sessions in _of_each(_sessions(timed, "player"), "player")
        if sessions["hours"].sum() > 0
    }


def _sessions(rows: pl.DataFrame, *by: str) -> pl.DataFrame:
    """Return a row for each session by these columns: ``hours``, ``won`` and ``money``."""
    lasted = pl.col("played_at").max() - pl.col("played_at").min()
    return rows.group_by(*by, "session", maintain_order=True).agg(
        pl.col("won", "money").sum(),
        pl.col("currency").first(),
        hours=lasted.dt.total_seconds() / 3600,
    )


def _of_each(rows: pl.DataFrame, *by: str) -> Iterable[tuple[tuple[object, ...], pl.DataFrame]]:
    """Return the rows of each value of some columns, values in the order of their first rows."""
    return rows.partition_by(by, maintain_order=True, as_dict=True).items()


def moment(text: str, *, end: bool = False) -> datetime:
    """Parse a date or time; with ``end`` a date means the end of the day. Raises `BadInput`.

    >>> str(moment("2009-07-01")), str(moment("2009-07-01", end=True))
    ('2009-07-01 00:00:00', '2009-07-02 00:00:00')
    """
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        raise BadInput(
            f"{text!r} is no date; allowed: such as 2009-07-01 or 2009-07-01T18:30"
        ) from None
    whole_day = len(text.strip()) <= len("2009-07-01")
    return (time + timedelta(days=1) if end and whole_day else time).replace(tzinfo=None)


# The statistics.


_PER = 100
"""Number of hands in the unit of winnings."""
WINNINGS = ("bb_per_100", "showdown_bb_per_100", "non_showdown_bb_per_100", "allin_bb_per_100")
_MONEY = {
    "bb_per_100": pl.col("won"),
    "showdown_bb_per_100": pl.when("showdown").then("won").otherwise(0.0),
    "non_showdown_bb_per_100": pl.when("showdown").then(0.0).otherwise("won"),
    "allin_bb_per_100": pl.when("adjusted").then("all_in").otherwise("won"),
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
    spots: Spots | None = None
    """What happened in them."""


_ALL = Filter()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStatistics(HasTable):
    """The statistics of one player, or of a player in one position."""

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
    """All-ins in which the cards of a live hand are not known: with any of them
    ``allin_bb_per_100`` adjusts no hand."""
    all_ins: int
    """Hands of which the player was in an all-in with cards to come."""
    adjusted_all_ins: int
    """Those that ``allin_bb_per_100`` takes at their mean."""
    straddled: int
    """Hands with a straddle; their winnings are in big blinds, too."""

    @property
    def aggression(self) -> float:
        """Bets and raises over calls after the flop; NaN without a call."""
        return self.bets_and_raises / self.calls if self.calls else float("nan")

    def as_json(self) -> dict[str, object]:
        """Return the numbers unrounded."""
        return {
            "hands": self.hands,
            **{name: won.as_json() for name, won in self.winnings.items()},
            **{statistic.key: share.as_json() for statistic, share in self.shares.items()},
            "aggression": self.aggression,
            "money": self.money,
            "all_ins": self.all_ins,
            "unknown_all_ins": self.unknown_all_ins,
            "adjusted_all_ins": self.adjusted_all_ins,
            "straddled": self.straddled,
        }


def counts_of(batch: HandBatch) -> pl.DataFrame:
    """Count a batch: a row for each hand and seat.

    ``hand`` (its row in the batch), ``player`` (name), ``position``, ``won`` and ``all_in`` (big
    blinds; all-ins with all live cards known by their mean over all boards), ``all_in_seen`` (null
    where the player was in none), ``showdown``, ``calls``, ``stake``, ``currency``, ``money`` (in
    it), ``class`` of the holding (null if not known), ``played_at`` (null if not known),
    ``straddled``, ``seats``, ``limit`` (the betting), `OWN_LUCK`, the luck of the own cards
    by street and `BOARD_MOMENTS` (big blinds; null where not known), `ALL_IN_CARDS`, the columns of
    `spot_language.facts_of`, the ``number`` and ``line`` of the hand, and for each `Statistic`
    ``KEY`` (how often) and ``KEY_chances``, as truth values but for those of `SEVERAL`.
    """
    n, seats = batch.player.shape
    counts = kernels.Counts(
        done=np.zeros((n, seats, len(Statistic)), np.uint8),
        chances=np.zeros((n, seats, len(Statistic)), np.uint8),
        position=np.zeros((n, seats), np.uint8),
        calls=np.zeros((n, seats), np.uint8),
        showdown=np.zeros((n, seats), np.bool_),
    )
    played = kernels.CountedHands(
        opened=opened_vectors(batch.rules),
        dead_small_blind=np.array([rules.dead_small_blind for rules in batch.rules], np.uint8),
        rules_of=batch.rules_of,
        start=batch.start,
        action=batch.action,
        dealt=batch.dealt,
        payoff=batch.payoff,
        parts=batch.parts,
        answers=batch.answers,
    )
    kernels.count_hands(played, np.zeros(1, SCRATCH), counts)
    for number, beside in enumerate(batch.circumstances):
        for of_seat, shows in enumerate(beside.shown_by_choice):
            if shows is not None:
                rows = batch.circumstances_of == number, of_seat, Statistic.SHOWN_BY_CHOICE
                counts.chances[rows], counts.done[rows] = 1, shows
    blinds = np.array([rules.big_blind for rules in batch.rules], np.float64)[batch.rules_of]
    straddled = np.array([rules.straddle > 0 for rules in batch.rules], np.bool_)[batch.rules_of]
    hand, seat = np.nonzero(batch.player != UNKNOWN)
    stakes, currencies, worth = _stakes(batch)
    holding = batch.holding[hand, seat]
    classes = np.where(
        holding == UNKNOWN, -1, CLASS_OF_HOLDING[np.maximum(holding, 0)].astype(np.int16)
    )
    all_ins = all_ins_of(batch)
    facts = facts_of(batch, counts.chances[:, :, Statistic.WTSD] > 0)
    own_luck, moments = own_luck_in(batch, blinds)
    limit = np.array([rules.betting is Betting.LIMIT for rules in batch.rules], np.bool_)
    times = pl.Series(np.where(batch.played_at == NO_TIME, 0, batch.played_at)[hand])
    unknown_time = pl.Series((batch.played_at == NO_TIME)[hand])
    return pl.DataFrame(
        {
            "hand": hand.astype(np.uint32),
            "player": _texts(batch.names).gather(batch.player[hand, seat]),
            "position": counts.position[hand, seat],
            "stake": stakes.gather(hand),
            "currency": currencies.gather(hand),
            "money": (batch.chips * worth[:, None])[hand, seat],
            "class": pl.Series(classes, dtype=pl.Int16),
            "played_at": times.cast(pl.Datetime("us")).set(unknown_time, None),
            "all_in": (all_ins.chips / blinds[:, None])[hand, seat],
            SEEN: pl.Series(seen_of(all_ins, batch)[hand, seat], nan_to_null=True).cast(pl.Int8),
            "won": (batch.chips / blinds[:, None])[hand, seat],
            "straddled": straddled[hand],
            "number": batch.number[hand],
            "line": batch.line[hand].astype(np.int32),
            **{name: values[hand, seat] for name, values in facts.items()},
            "seats": batch.seats.astype(np.uint8)[hand],
            "limit": limit[batch.rules_of][hand],
            ALL_IN_CARDS: pl.Series(
                np.where(all_ins.live, all_ins.cards[:, None], -1)[hand, seat], dtype=pl.Int8
            ),
            **{
                name: pl.Series(own_luck[hand, street, seat].astype(np.float32), nan_to_null=True)
                for street, name in enumerate(OWN_LUCK)
            },
            **{
                name: pl.Series(values[hand, seat].astype(np.float32), nan_to_null=True)
                for name, values in moments.items()
            },
            "showdown": counts.showdown[hand, seat],
            "calls": counts.calls[hand, seat],
            **{
                f"{statistic.key}{of}": values[hand, seat, statistic]
                if statistic in SEVERAL
                else values[hand, seat, statistic].astype(np.bool_)
                for of, values in (("", counts.done), ("_chances", counts.chances))
                for statistic in Statistic
            },
        }
    ).with_columns(pl.col("class", ALL_IN_CARDS).replace(-1, None))


def _texts(texts: Sequence[str]) -> pl.Series:
    """Return texts of which rows keep the number alone: a hand has a name for every seat."""
    return pl.Series(texts, dtype=pl.Categorical)


def _stakes(batch: HandBatch) -> tuple[pl.Series, pl.Series, npt.NDArray[np.float64]]:
    """Name the stake and the currency of each hand, and say what a chip is worth in it."""
    kinds = np.stack([batch.rules_of, batch.circumstances_of], axis=1)
    different, kind_of = np.unique(kinds, axis=0, return_inverse=True)
    beside = [batch.circumstances[place] for _, place in different.tolist()]
    names = [
        stake_of(batch.rules[place], circumstances.denomination, circumstances.currency)
        for (place, _), circumstances in zip(different.tolist(), beside, strict=True)
    ]
    currencies = [circumstances.currency for circumstances in beside]
    worth = np.array([float(circumstances.denomination) for circumstances in beside])
    kind_of = kind_of.reshape(-1)
    of_hands: npt.NDArray[np.float64] = worth[kind_of] if len(worth) else np.empty(0)
    return _texts(names).gather(kind_of), _texts(currencies).gather(kind_of), of_hands


def statistics_of(
    batches: Iterable[HandBatch], *, players: Sequence[str] = ()
) -> dict[str, PlayerStatistics]:
    """Sum up hands by player, those with most hands first; only ``players`` if there are any."""
    rows = chosen_rows(rows_of(batches), Filter(players=tuple(players)))
    return {name: of[""] for name, of in divided(rows, None).items()}


@dataclass(frozen=True, slots=True)
class StatisticsByPlayer(ByPlayer):
    """The statistics of all players of some hands, those with most hands first."""

    players: dict[str, PlayerStatistics]

    def as_json(self) -> dict[str, Any]:
        """Return the numbers unrounded, by player."""
        return {"players": {name: of.as_json() for name, of in self.players.items()}}


@checked
def statistics_by_player(
    source: HandsLike, *, game: str | Rules | None = None, on_skip: OnSkip | None = None
) -> StatisticsByPlayer:
    """Return the statistics of ``railbird stats``, from logs, folders, matches or records.

    A hand in several files counts once, with the cards that any of them shows. ``game`` is
    for logs that do not name theirs. Unreadable hands, and views that contradict an earlier one of
    their hand, are passed to ``on_skip`` and left out.

    Raises `railbird.errors.BadInput` as `railbird.histories.read` does, `NothingUsable` if no hand
    could be read.
    """
    return StatisticsByPlayer(statistics_of(whole_batches(source, game=game, on_skip=on_skip)))


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
    """Count all batches, a row for each hand and seat (`counts_of`).

    The numbers of hands go on from batch to batch. Adds ``adjusted``: whether the hand counts by
    its mean over all boards, as the other all-ins of the batches tell (`taken_at_mean`).
    `counted_log` counts a log whose rows are too many for the memory.
    """
    tally = LogTally()
    frames = [tally.take(batch) for batch in batches if len(batch)]
    return told_at_mean(pl.concat(frames or [counts_of_none()]), all_known=tally.all_known)


@dataclass(slots=True, kw_only=True)
class LogTally:
    """What is known of all hands of a log, whoever's rows are kept."""

    names: dict[str, int] = field(default_factory=dict)
    """Hands of everybody."""
    stakes: dict[str, int] = field(default_factory=dict)
    """Hands and seats at each stake."""
    hands: int = 0
    seats: int = 0
    """Hands and seats in all."""
    most_seats: int = 0
    """At a table."""
    all_known: bool = True
    """Whether everybody's cards are, in all hands."""
    limit: bool = False
    """Whether the first hand is of limit."""
    everybody: tuple[int, ...] = field(default_factory=lambda: (0,) * len(_STYLE))
    """Sums of `_STYLE` over all players."""

    def take(self, batch: HandBatch) -> pl.DataFrame:
        """Return the rows of a batch with a hand, whose numbers go on from those before."""
        frame = counts_of(batch).with_columns(pl.col("hand") + self.hands)
        self.limit = self.limit if self.seats else bool(frame["limit"][0])
        self.hands += len(batch)
        self.seats += frame.height
        for column, sizes in (("player", self.names), ("stake", self.stakes)):
            for text, rows in frame.group_by(column, maintain_order=True).len().iter_rows():
                sizes[text] = sizes.get(text, 0) + rows
        self.most_seats = max(self.most_seats, int(batch.seats.max()))
        self.all_known &= frame["class"].null_count() == 0
        sums = _style_sums(frame).row(0)
        self.everybody = tuple(map(sum, zip(self.everybody, sums, strict=True)))
        return frame


def under_one_name(rows: pl.DataFrame, same: Mapping[str, str]) -> pl.DataFrame:
    """Return rows with people under the name that ``same`` gives for each of their others."""
    if not same:
        return rows
    first = pl.col("player").cast(pl.String).replace(dict(same))
    return rows.with_columns(player=first.cast(pl.Categorical))


def told_at_mean(rows: pl.DataFrame, *, all_known: bool) -> pl.DataFrame:
    """Add ``adjusted`` to all rows of some players (`rows_of`)."""
    at_mean = taken_at_mean(pl.col("class").is_not_null(), all_known=all_known)
    return rows.with_columns(adjusted=at_mean)


def chosen_rows(rows: pl.DataFrame, wanted: Filter = _ALL) -> pl.DataFrame:
    """Keep the rows that count, people under one name each. Raises `BadInput` for a bad date."""
    if wanted.same:
        all_known = rows["class"].null_count() == 0
        rows = told_at_mean(under_one_name(rows, wanted.same), all_known=all_known)
    conditions: list[pl.Expr] = []
    if wanted.players:
        conditions.append(pl.col("player").is_in(list(wanted.players)))
    if wanted.stakes:
        conditions.append(pl.col("stake").is_in(list(wanted.stakes)))
    if wanted.spots:
        conditions.append(wanted.spots.condition)
    if wanted.since:
        conditions.append(pl.col("played_at") >= moment(wanted.since))
    if wanted.until:
        conditions.append(pl.col("played_at") < moment(wanted.until, end=True))
    return rows.filter(conditions) if conditions else rows


def counted_by(definitions: Definitions, rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows with the statistics in which trackers differ, as they count them, if wanted.

    PFR is of all hands with a decision before the flop, not of those in which a raise was allowed;
    and a fold to a third bet is of all hands that faced one, not only of those whose own raise met
    it. So the metrics of PNParser (github.com/foster-chen/PNParser) have both.
    """
    if definitions is Definitions.OWN:
        return rows
    return rows.with_columns(
        pl.col(f"{Statistic.VPIP.key}_chances").alias(f"{Statistic.PFR.key}_chances"),
        pl.col(FOLDED_TO_THIRD_BET).alias(Statistic.FOLD_TO_THREE_BET.key),
        pl.col(FACED_THIRD_BET).alias(f"{Statistic.FOLD_TO_THREE_BET.key}_chances"),
    )


def hands_in_spots(batches: Iterable[HandBatch], player: str, spots: Spots) -> Iterator[HandBatch]:
    """Yield the hands in which a player was in spots."""
    for batch in batches:
        if len(batch) and player in batch.names:
            rows = counts_of(batch).filter((pl.col("player") == player) & spots.condition)
            yield batch.rows(rows["hand"].to_numpy().astype(np.int64))


COMPARED: Final = (
    *("hand", "player"),
    *(f"{statistic.key}{of}" for statistic in Statistic for of in ("", "_chances")),
)
"""Columns of rows by which a player is compared with all others."""
LISTED: Final = ("player", "number", "line", "played_at", "position", "class", "won")
"""Columns of rows by which hands are listed."""


def hands_of(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the hands behind numbers, a row for each row of them, the largest results first.

    ``player``, ``number`` and ``line`` of the hand (null if not known), ``time``, ``position``,
    ``holding`` (null if not known) and ``won_bb``.
    """
    names = pl.Series([position.key for position in Position])
    holdings = pl.Series(CLASS_NAMES)
    ordered = rows.sort(pl.col("won").abs(), descending=True, maintain_order=True)
    return ordered.select(
        "player",
        pl.when(pl.col("number") >= 0).then("number").alias("number"),
        pl.when(pl.col("line") > 0).then("line").alias("line"),
        pl.col("played_at").dt.strftime("%Y-%m-%d %H:%M").alias("time"),
        names.gather(ordered["position"]).alias("position"),
        holdings.gather(ordered["class"]).alias("holding"),
        pl.col("won").alias("won_bb"),
    )


def is_chosen(skipped: Skipped, wanted: Filter) -> bool | None:
    """Return whether a refused hand counts; None if its text does not say.

    Raises `BadInput` for a bad date.
    """
    hand, untold = skipped.hand, bool(wanted.spots)
    if wanted.stakes and hand.stake not in wanted.stakes:
        if hand.stake:
            return False
        untold = True
    if wanted.since or wanted.until:
        if hand.played_at is None:
            untold = True
        else:
            played_at = hand.played_at
            if played_at.tzinfo is not None:  # rows have Universal Time, too
                played_at = played_at.astimezone(UTC).replace(tzinfo=None)
            if wanted.since and played_at < moment(wanted.since):
                return False
            if wanted.until and played_at >= moment(wanted.until, end=True):
                return False
    return None if untold else True


def divided(rows: pl.DataFrame, by: By | None) -> dict[str, dict[str, PlayerStatistics]]:
    """Sum up by player, those with most hands first, and within each by a key in its order.

    Without ``by`` the key is empty. Raises `NothingUsable` if no hand has the wanted field.
    """
    return _summed_up(rows, _keyed(rows, by), by)


def last_parts(rows: pl.DataFrame, by: By, most: int) -> tuple[dict[str, PlayerStatistics], int]:
    """Sum up one player's last parts, up to ``most``, and count them all; otherwise as `divided`.

    A career has thousands of sessions, of which a page shows the last.
    """
    keyed = _keyed(rows, by)
    keys = keyed["key"].unique().sort()
    parts = _summed_up(rows, keyed.filter(pl.col("key").is_in(keys.tail(most).implode())), by)
    return next(iter(parts.values())), len(keys)


def _keyed(rows: pl.DataFrame, by: By | None) -> pl.DataFrame:
    """Add ``key``, and leave out rows without one. Raises `NothingUsable` if none has one."""
    if by is By.SESSION:
        rows = with_sessions(rows)
    keyed = rows.with_columns(key=pl.lit("") if by is None else _KEYS[by])
    if keyed.height and keyed["key"].null_count() == keyed.height and by in _ABSENT:
        raise NothingUsable(_ABSENT[by])
    return keyed.drop_nulls("key")


def _summed_up(
    rows: pl.DataFrame, keyed: pl.DataFrame, by: By | None
) -> dict[str, dict[str, PlayerStatistics]]:
    sums: dict[str, dict[Any, PlayerStatistics]] = {}
    counts = keyed.group_by("player", "key", maintain_order=True).agg(**_SUMS)
    values = {name: counts[name] for name in _LISTS}
    for number, part in enumerate(counts.drop(_LISTS).iter_rows(named=True)):
        lists = {name: of_all[number] for name, of_all in values.items()}
        sums.setdefault(str(part["player"]), {})[part["key"]] = _sum_up(part, lists)
    by_player: dict[str, dict[str, PlayerStatistics]] = {}
    sizes = rows.group_by("player", maintain_order=True).len().sort("len", descending=True)
    for name in sizes["player"]:
        if parts := sums.get(name):
            by_player[name] = {_key_text(by, key): parts[key] for key in sorted(parts)}
    return by_player


def _key_text(by: By | None, key: object) -> str:
    match by:
        case By.POSITION:
            return Position(int(str(key))).key
        case By.HAND:
            return CLASS_NAMES[int(str(key))]
        case _:
            return str(key)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogCards:
    """What cards a whole log knows, by which a player's luck and verdict are told."""

    all_known: bool
    """Everybody's in all hands."""
    weights: npt.NDArray[np.float64]
    """(4,) coefficients of the luck of own cards, frozen for the log's form of hold'em."""

    @classmethod
    def of(cls, rows: pl.DataFrame) -> LogCards:
        """Look at all rows of a log (`rows_of`)."""
        return cls.of_form(
            all_known=rows["class"].null_count() == 0,
            limit=rows.height > 0 and bool(rows["limit"][0]),
            seats=int(rows["seats"].max() or 2),  # type: ignore[arg-type]
        )

    @classmethod
    def of_form(cls, *, all_known: bool, limit: bool, seats: int) -> LogCards:
        """Look up the coefficients of a form of hold'em."""
        form = frozen_for(Betting.LIMIT if limit else Betting.NO_LIMIT, seats)
        return cls(all_known=all_known, weights=form.own_prior.mean)

    def events(self, mine: pl.DataFrame) -> pl.DataFrame | None:
        """Return the luck of one player's rows by event (`own_luck_taken`).

        None unless the player's own cards are known in all of them.
        """
        own = mine.height - mine["class"].null_count()
        if not is_told_by_own_cards(mine, own):
            return None
        rows = mine.select(
            *OWN_LUCK,
            ALL_IN_CARDS,
            pl.col("all_in").alias(ALL_IN_MEAN),
            pl.col("won").alias("money"),
        )
        own_known = pl.col("class").is_not_null()
        taken = taken_at_mean(own_known, all_known=self.all_known, in_order=True)
        return own_luck_taken(rows, mine.select(taken).to_series().to_numpy(), self.weights)

    def decides(self, mine: pl.DataFrame) -> str:
        """Name the estimator that decides for a player as `evidence_of` does; empty if all do."""
        if self.all_known:
            return ""
        return "allin" if not mine["class"].has_nulls() and mine["adjusted"].any() else "money"


RESULTS: Final = {"money": WINNINGS[0], "allin": WINNINGS[3], "": WINNINGS[0]}
"""Winnings by the estimator that decides."""


_LUCK: Final = (
    *("player", "played_at", "class", SEEN, "adjusted", "won", "all_in"),
    *OWN_LUCK,
    *BOARD_MOMENTS,
    ALL_IN_CARDS,
)
"""Columns of rows that tell luck and what decides; of a million hands the others are copied."""


def lucks_of(rows: pl.DataFrame, cards: LogCards) -> dict[str, PlayerLuck]:
    """Return the luck of the players whose own cards are always known, in the order of play."""
    lucks = {}
    for (name,), mine in _of_each(_with_own_cards(rows), "player"):
        ordered = mine.sort("played_at", maintain_order=True, nulls_last=False)
        if (events := cards.events(ordered)) is not None:
            lucks[str(name)] = player_luck(
                ordered["won"].to_numpy(),
                parts_of(events),
                unit=ResultUnit.BIG_BLINDS,
                of_boards=board_moments(ordered),
            )
    return lucks


def _with_own_cards(rows: pl.DataFrame) -> pl.DataFrame:
    """Keep the players whose own cards are always known, and the columns that tell their luck."""
    sizes = rows.group_by("player").agg(known=pl.col("class").is_not_null().all())
    known = sizes.filter("known")["player"]
    return rows.select(_LUCK).filter(pl.col("player").is_in(known.implode()))


def integrity_of(rows: pl.DataFrame, log: Log, cards: LogCards) -> Integrity:
    """Check whether hands are missing, by the luck of players whose own cards are always known.

    These are the players whom `any_table` checks in a log with hidden cards, by the same luck, and
    what decides is the same: so there is no verdict here which an assessment withholds. Where all
    cards are known, the assessment's check knows more, and there is no verdict at all.
    """
    checks = ResultChecks()
    checks.take(rows, cards)
    return checks.integrity(log, checks.money)


@dataclass(frozen=True, slots=True)
class ResultChecks:
    """What checks a log by its players' results, taken some players at a time."""

    luck: dict[str, LuckCheck] = field(default_factory=dict)
    money: dict[str, npt.NDArray[np.float64]] = field(default_factory=dict)
    """(hands,) the results of each player in the order of play."""
    judged: dict[str, tuple[Estimate, npt.NDArray[np.float64], npt.NDArray[np.float64]]] = field(
        default_factory=dict
    )

    def take(self, rows: pl.DataFrame, cards: LogCards) -> None:
        """Look at all rows of some players."""
        results = rows.group_by("player", maintain_order=True).agg("won")
        for player, won in zip(results["player"], results["won"], strict=True):
            self.money[player] = won.to_numpy()
            if not cards.all_known:
                self._judge(player, self.money[player])
        for (player,), mine in _of_each(_with_own_cards(rows), "player"):
            name = str(player)
            if (events := cards.events(mine)) is not None:
                self.luck[name] = luck_check(events, money=self.money[name])
            if (decides := cards.decides(mine)) and decides != "money":
                values = mine.select(_MONEY[RESULTS[decides]]).to_series().to_numpy()
                self._judge(name, values)

    def _judge(self, name: str, values: npt.NDArray[np.float64]) -> None:
        result = Moments.of(values).estimate("bb")
        self.judged[name] = (result, values, self.money[name])

    def integrity(self, log: Log, names: Collection[str]) -> Integrity:
        """Check whether hands are missing, by the results of ``names`` in this order."""
        luck = {name: self.luck[name] for name in names if name in self.luck}
        money = {name: self.money[name] for name in names}
        judged = {name: self.judged[name] for name in names if name in self.judged}
        return log.integrity(unit="bb", luck=luck, money=money).judging(judged)


def counts_of_none() -> pl.DataFrame:
    """Return the columns of `counts_of` without a row."""
    from railbird.histories.columns import batch_of

    return counts_of(batch_of([]))


_LISTS: Final = (*WINNINGS, "money")
"""What is listed of each part, hand by hand."""
_SUMS: Final = {
    **_MONEY,
    "money": pl.col("money"),
    "hands": pl.len(),
    "stakes": pl.col("stake").n_unique(),
    "currency": pl.col("currency").first(),
    "all_ins": pl.col(SEEN).is_not_null().sum(),
    "unknown_all_ins": (pl.col(SEEN) == Seen.UNKNOWN).sum(),
    "adjusted_all_ins": pl.col("adjusted").sum(),
    "straddled": pl.col("straddled").sum(),
    **{
        name: pl.col(name).sum()
        for name in (
            "calls",
            *(f"{statistic.key}{of}" for statistic in Statistic for of in ("", "_chances")),
        )
    },
}
"""What is summed up of the rows of each part of a player's hands."""


def _sum_up(sums: Mapping[str, Any], lists: Mapping[str, pl.Series]) -> PlayerStatistics:
    """Return the statistics of a part of a player's hands, from `_SUMS`."""
    return PlayerStatistics(
        hands=sums["hands"],
        winnings={name: _per_hundred(lists[name].to_numpy()) for name in WINNINGS},
        shares={
            statistic: share_of(sums[statistic.key], sums[f"{statistic.key}_chances"])
            for statistic in Statistic
        },
        bets_and_raises=sums[Statistic.AGGRESSION_FREQUENCY.key],
        calls=sums["calls"],
        # Money is added up within one stake alone: sums over several say nothing about play.
        money={str(sums["currency"]): float(lists["money"].sum())} if sums["stakes"] == 1 else {},
        all_ins=sums["all_ins"],
        unknown_all_ins=sums["unknown_all_ins"] or 0,
        adjusted_all_ins=sums["adjusted_all_ins"],
        straddled=sums["straddled"],
    )


def share_of(done: int, chances: int) -> BoundedMean:
    """Return occurrences over opportunities.

    >>> share = share_of(3, 10)
    >>> round(share.value, 2), round(share.low, 4), round(share.high, 4)
    (0.3, 0.0667, 0.6525)
    >>> [round(end, 4) for end in share_of(0, 5).interval()]
    [0.0, 0.5218]
    """
    counts = {0.0: chances - done, 1.0: done}
    return BoundedMean.of_counts(counts, least=0.0, most=1.0, unit="share")


def bankroll_of_player(of: PlayerStatistics, bankroll: float) -> Bankroll | None:
    """Return what winnings mean for a bankroll in big blinds, per hundred hands.

    None where hands are too few for an interval, or all won the same. Raises `BadInput` for a
    bankroll that is none.
    """
    won = of.winnings["bb_per_100"]
    low, high = won.interval()
    if not (won.enough and low < high) or won.alike:
        return None
    # Each value is a hundred times a hand, so the deviation of the sum of a hundred is a tenth.
    sd = won.stderr * math.sqrt(won.n) / math.sqrt(_PER)
    return bankroll_of(won.value, sd, low=low, high=high, bankroll=bankroll)


def _per_hundred(won: npt.NDArray[np.float64]) -> Estimate:
    return Moments.of(_PER * won).estimate("bb")


# Style of play: loose, moderate or tight; passive, moderate or aggressive (Papp 1998).
#
# Papp calls players loose or tight if they play more or fewer hands than the norm, and aggressive
# or passive by their ratio of raises to calls, without giving numbers. Here the norm is the joint
# play of the others in the same hands, and a style is moderate within a fifth of it or if the
# interval includes it. Preflop the number of hands played counts, after the flop the way they are
# played.


class TightnessStyle(Enum):
    """Style by the number of hands played."""

    LOOSE = "loose"
    MODERATE = "moderate"
    TIGHT = "tight"


class Aggressiveness(Enum):
    """Style by the way hands are played."""

    PASSIVE = "passive"
    MODERATE = "moderate"
    AGGRESSIVE = "aggressive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """One player's style, relative to the others in the same hands; None with too few hands."""

    tightness: TightnessStyle | None
    aggressiveness: Aggressiveness | None
    norm_vpip: float
    """Share of hands that the others play."""
    norm_raises: float
    """Share of raises among the others' bets, raises and calls after the flop."""

    @property
    def words(self) -> str:
        """The style in words, such as ``tight-aggressive``; empty with too few hands."""
        said = (self.tightness, self.aggressiveness)
        parts = [part.value for part in said if part is not None]
        return parts[0] if parts == ["moderate", "moderate"] else "-".join(parts)

    def as_json(self) -> dict[str, object]:
        """Return the style and the norms."""
        return {
            "tightness": None if self.tightness is None else self.tightness.value,
            "aggressiveness": None if self.aggressiveness is None else self.aggressiveness.value,
            "norm_vpip": self.norm_vpip,
            "norm_raises": self.norm_raises,
        }


_STYLE: Final[tuple[str, ...]] = (
    Statistic.VPIP.key,
    f"{Statistic.VPIP.key}_chances",
    Statistic.AGGRESSION_FREQUENCY.key,
    "calls",
)
"""What a style goes by."""


def _style_sums(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select(pl.col(*_STYLE).cast(pl.Int64).sum())


def styles_of(rows: pl.DataFrame, everybody: tuple[int, ...] | None = None) -> dict[str, Style]:
    """Classify the players of rows of `counts_of`, beside the others of the same hands.

    ``everybody`` has the sums over all players (`LogTally.everybody`) where ``rows`` are not of
    all of them.
    """
    sums = rows.group_by("player", maintain_order=True).agg(
        pl.col(name).cast(pl.Int64).sum() for name in _STYLE
    )
    everybody = everybody or _style_sums(rows).row(0)
    styles = {}
    for name, *mine in sums.iter_rows():
        others = [of_all - own for of_all, own in zip(everybody, mine, strict=True)]
        played, chances, bets, calls = mine
        norm_vpip = _share(others[0], others[1])
        norm_raises = _share(others[2], others[2] + others[3])
        place = _place(played, chances, norm_vpip)
        manner = _place(bets, bets + calls, norm_raises)
        styles[name] = Style(
            tightness=None if place is None else tuple(TightnessStyle)[1 - place],
            aggressiveness=None if manner is None else tuple(Aggressiveness)[1 + manner],
            norm_vpip=norm_vpip,
            norm_raises=norm_raises,
        )
    return styles


def _share(done: int, chances: int) -> float:
    return done / chances if chances else float("nan")


def _place(done: int, chances: int, norm: float) -> int | None:
    """Return -1, 0 or 1 for a share below, at or above the norm; None if unknown."""
    if chances < FEWEST or math.isnan(norm):
        return None
    share = share_of(done, chances)
    low, high = share.interval()
    if share.value > norm * (1 + STYLE_BAND) and low > norm:
        return 1
    if share.value < norm * (1 - STYLE_BAND) and high < norm:
        return -1
    return 0
