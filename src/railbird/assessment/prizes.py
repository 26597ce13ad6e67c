"""Assessment of tournaments by their prizes, one value for each tournament or duplicate set.

`any_table` assesses the same hands by their chips.

Tournaments whose first hands deal the same holdings are a duplicate set: they share their cards, so
their mean is one value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
import polars as pl

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird._display import ByPlayer
from railbird._threads import in_slices
from railbird.assessment import all_in_kernels as kernels
from railbird.assessment.all_in import NO_ALL_IN, kernel_hands, where_all_in
from railbird.assessment.control_variates import luck_of
from railbird.assessment.estimator import CardsNeeded, Contest, Estimator, Scoring
from railbird.assessment.integrity import Integrity, luck_check
from railbird.assessment.log import Log
from railbird.assessment.prize_estimators import PRIZE, PRIZE_LESS_LUCK
from railbird.assessment.registry import estimators_of
from railbird.errors import BadInput, NothingUsable
from railbird.estimates import Estimate
from railbird.estimates.bounded_mean import BoundedMean, Proportion
from railbird.estimates.estimate import LEVEL, estimate
from railbird.histories import HandRecord, Skipped
from railbird.histories.columns import UNKNOWN, HandBatch, batch_of, batches_of, records_of
from railbird.odds.preflop_matrix import open_matrix
from railbird.tournament import prize_equities
from railbird.tournament.icm import check_shares, places_of, shared_out

# Prizes of tournaments minus the luck of all-ins, with prize equity as the value of a hand.
#
# Once nobody can act any more, only the cards to come are left to chance. The luck of such a hand
# is the prize equity of the stacks after it minus its mean over all boards that the known cards
# allow, for every player still in the tournament. Its mean is zero whatever the players do and
# however wrong the independent chip model is. So prizes minus luck have the mean of the prizes (see
# `railbird.assessment.control_variates`); the better the model, the smaller their variance.
#
# All-ins of five or more hands have too many orders and are left as they are. With more than 40
# players left, a stack counts as its share of all prizes. Both depend only on what is known before
# the board is dealt, so they cause no bias.


_MOST_ORDERS = 75
"""The number of orders of four hands, ties included."""
_MOST_LIVE = 4
_MANY = 40
"""With more players a stack counts as its share of the prizes: the model would give nearly the same
at milliseconds a hand, and any value leaves the estimate unbiased."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrizeLuck:
    """The luck of the all-ins in T tournaments of P players."""

    luck: Floats
    """(T, P) prize money that the boards gave beyond its mean; every row adds up to zero."""
    all_ins: int
    """Number of hands whose luck is counted."""
    left: int
    """Number of all-ins that were left as they are, since they had five hands or more."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The possible results of a hand in which only cards are to come."""

    share: Floats
    """(orders,) share of the boards with each order of the hands."""
    chips: Floats
    """(orders, seats) results in chips."""


@checked
def all_in_prize_luck(
    batches: Iterable[HandBatch],
    *,
    names: Sequence[str],
    tournaments: int,
    stack: int,
    prizes: Sequence[float],
) -> PrizeLuck:
    """Add up the luck of all-ins by tournament and player.

    ``batches`` are the hands of complete knock-out tournaments with all cards, as `railbird.arena`
    plays and logs them; ``prizes`` are the amounts from the first place on.

    Raises `BadInput` for hands that are not of these tournaments.
    """
    luck = np.zeros((tournaments, len(names)))
    done = left = 0
    place_of = {name: place for place, name in enumerate(names)}
    index, stacks = -1, np.empty(0)
    for batch in batches:
        outcomes, few = outcomes_of(batch)
        left += few
        chips = batch.chips
        tables = [circumstances.table for circumstances in batch.circumstances]
        for row in range(len(batch)):
            number = _tournament_of(tables[batch.circumstances_of[row]])
            # Hands of a tournament stand together and begin with equal stacks, so the stacks are
            # followed here and forgotten when the next one begins.
            if number != index:
                index, stacks = number, np.full(len(names), float(stack))
            seats = int(batch.seats[row])
            try:
                players = [place_of[batch.names[number]] for number in batch.player[row, :seats]]
                luck_so_far = luck[index]
            except (KeyError, IndexError):
                raise BadInput("hands of other tournaments; allowed: those of the result") from None
            # The value of chips depends on everybody's stacks before the hand, so luck is computed
            # before the results are added.
            if row in outcomes:
                luck_so_far += _luck(stacks, players, chips[row, :seats], outcomes[row], prizes)
                done += 1
            stacks[players] += chips[row, :seats]
    return PrizeLuck(luck=luck, all_ins=done, left=left)


def _luck(
    stacks: Floats,
    players: list[int],
    result: Floats,
    outcomes: Outcomes,
    prizes: Sequence[float],
) -> Floats:
    """Return the luck of one hand (players,), zero for players who are out."""
    # Who is out has a prize that no later hand changes, and so no luck.
    playing = np.flatnonzero(stacks > 0)
    had = stacks[playing]
    at_table = np.searchsorted(playing, players)

    def value(chips: Floats) -> Floats:
        after = had.copy()
        after[at_table] += chips
        if len(playing) > _MANY:
            shares: Floats = after / after.sum() * sum(prizes)
            return shares
        # Players who lose their last chips in the same hand are placed by what they had before it.
        return prize_equities(after.tolist(), prizes, had=had.tolist())

    expected = sum(
        share * value(chips) for share, chips in zip(outcomes.share, outcomes.chips, strict=True)
    )
    luck = np.zeros(len(stacks))
    luck[playing] = luck_of(value(result), expected)
    return luck


def outcomes_of(batch: HandBatch) -> tuple[dict[int, Outcomes], int]:
    """Return the outcomes of the all-ins of a batch by row, and the number of those left out."""
    cards, live = where_all_in(batch)
    dealt_in = batch.player != UNKNOWN
    # Cards of players who folded count as well: one that is unknown would leave the mean over the
    # wrong boards.
    known = ((batch.holding != UNKNOWN) | ~dealt_in).all(axis=1)
    all_in = cards != NO_ALL_IN
    wanted = all_in & known & (live.sum(axis=1) <= _MOST_LIVE)
    rows = np.flatnonzero(wanted)
    if not rows.size:
        return {}, int(all_in.sum())
    hands, wins = kernel_hands(batch), open_matrix().wins

    def settle(first: int, end: int) -> list[Outcomes]:
        work = np.zeros(1, kernels.WORK)
        outcomes = []
        for row in rows[first:end].tolist():
            counts = np.zeros(_MOST_ORDERS, dtype=np.int64)
            chips = np.zeros((_MOST_ORDERS, batch.player.shape[1]))
            orders = kernels.orders_of_all_in(
                hands, row, int(cards[row]), wins, work, counts, chips
            )
            boards = counts[:orders].sum()
            seats = int(batch.seats[row])
            # The copy lets the working array, which is several times larger, be freed.
            outcomes.append(Outcomes(counts[:orders] / boards, chips[:orders, :seats].copy()))
        return outcomes

    # One all-in a task: before the flop one takes many times longer than on the turn.
    slices = in_slices(settle, rows.size, size=1, what="all-ins")
    outcomes = [outcome for part in slices for outcome in part]
    return dict(zip(rows.tolist(), outcomes, strict=True)), int(all_in.sum()) - rows.size


def _tournament_of(table: str) -> int:
    """Return the index of a tournament, from the name ``TOURNAMENT.TABLE`` of a table."""
    number, _, rest = table.partition(".")
    if not (number.isdecimal() and rest.isdecimal() and int(number) > 0):
        raise BadInput(f"table {table!r}; allowed: those of tournaments, such as 3.1")
    return int(number) - 1


# Knock-out tournaments, reconstructed from their hands: who played, and who finished where.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finished:
    """A tournament from its first hand to its last."""

    players: tuple[str, ...]
    """The players, in the order in which they were first dealt in."""
    places: tuple[int, ...]
    """Places by player, from 1; players knocked out in equal circumstances share a place."""
    stack: int
    """Each player's chips at the beginning."""
    hands: tuple[HandRecord, ...]

    @property
    def is_known(self) -> bool:
        """Whether all cards dealt are known."""
        return all(hole is not None for hand in self.hands for hole in hand.holes)


@dataclass(slots=True)
class Unfinished:
    """Tournaments that cannot be followed from beginning to end."""

    count: int = 0
    why: str = ""
    """The reason for the first of them."""
    hands: int = 0

    def add(self, why: str, hands: int) -> None:
        """Count a tournament."""
        self.count += 1
        self.hands += hands
        self.why = self.why or why


def finished_tournaments(hands: Iterable[HandRecord], unfinished: Unfinished) -> Iterator[Finished]:
    """Yield the tournaments whose hands lead from equal stacks to one player with all chips.

    Hands come in the order of play, with tables named ``TOURNAMENT.TABLE`` as `railbird.arena`
    names them. The others are counted in ``unfinished``.

    Raises `NothingUsable` for tables with other names.
    """
    of_tournament: list[HandRecord] = []
    number = 0
    for hand in hands:
        tournament, _ = _numbers(hand.table)
        if of_tournament and (tournament != number or _restarts(of_tournament[-1], hand)):
            yield from _followed(of_tournament, number, unfinished)
            of_tournament = []
        number = tournament
        of_tournament.append(hand)
    if of_tournament:
        yield from _followed(of_tournament, number, unfinished)


def _restarts(before: HandRecord, hand: HandRecord) -> bool:
    """Return whether the hand numbers start again, which means that another log begins."""
    numbers = before.number, hand.number
    return None not in numbers and (hand.number or 0) <= (before.number or 0)


@dataclass(slots=True)
class _Field:
    """The players of a tournament while it is followed."""

    stacks: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)

    def finish(self, had: dict[str, int]) -> None:
        """Place the players who lost their last chips in a round that began with stacks ``had``."""
        names = list(self.stacks)
        out = [place for place, name in enumerate(names) if had[name] and not self.stacks[name]]
        left = sum(chips > 0 for chips in self.stacks.values())
        before = [had[name] for name in names]
        self.places |= {names[at]: place for at, place in places_of(out, before, left).items()}


def _followed(hands: list[HandRecord], number: int, unfinished: Unfinished) -> Iterator[Finished]:
    """Yield the tournament of these hands, or count it as unfinished."""
    field = _Field()
    why = _follow(hands, field)
    if why is None:
        names = tuple(field.stacks)
        yield Finished(
            players=names,
            places=tuple([field.places.get(name, 1) for name in names]),
            stack=_stacks_of(hands[0])[0],
            hands=tuple(hands),
        )
    else:
        unfinished.add(f"tournament {number}: {why}", len(hands))


def _follow(hands: list[HandRecord], field: _Field) -> str | None:
    """Follow the chips from hand to hand; return why they cannot be followed."""
    stack = _stacks_of(hands[0])[0]
    had: dict[str, int] = {}
    last = -1
    for count, hand in enumerate(hands, 1):
        _, table = _numbers(hand.table)
        if table <= last:
            # Table numbers start again: every table has played one hand, and a new round
            # begins. Players who went out in the same round are placed together.
            field.finish(had)
            had = dict(field.stacks)
        last = table
        for name, chips in zip(hand.players, _stacks_of(hand), strict=True):
            if field.stacks.setdefault(name, stack) != chips:
                return (
                    f"{name} has {chips} chips in its hand {count}, not {field.stacks[name]}; "
                    "the log lacks hands, or is no freeze-out with equal stacks"
                )
            had.setdefault(name, stack)
        for name, won in zip(hand.players, hand.payoffs, strict=True):
            field.stacks[name] += int(won)
    field.finish(had)
    left = [name for name, chips in field.stacks.items() if chips]
    if len(left) != 1:
        return f"{len(left)} players still have chips after its last hand"
    return None


def _stacks_of(hand: HandRecord) -> tuple[int, ...]:
    if hand.rules.stacks is None:
        raise NothingUsable("hands without stacks; allowed: those of tournaments")
    return tuple(map(int, hand.rules.stacks))


def _numbers(table: str) -> tuple[int, int]:
    """Return the numbers of a tournament and of its table. Raises `NothingUsable`."""
    number, _, rest = table.partition(".")
    if not all(part.isdecimal() and part.isascii() and len(part) < 10 for part in (number, rest)):
        raise NothingUsable(
            f"table {table!r}; allowed: TOURNAMENT.TABLE such as 3.1, as logs of railbird"
            " tournament name them"
        )
    return int(number), int(rest)


# A series of tournaments in its order: does a player win more at the end than at the beginning?


WINDOW: Final = 10
"""Tournaments that are compared at each end, as in Booker (2004, section 9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The shares of tournaments that a player won, at the beginning and at the end of a series."""

    won: Proportion
    first: Proportion
    """The share of the first `WINDOW` tournaments."""
    last: Proportion
    """The share of the last `WINDOW` tournaments."""
    low: float
    """Lower end of the interval of ``last`` minus ``first``."""
    high: float
    looks: int
    """Number of lengths so far at which a player could have stopped because the result pleased."""

    @property
    def gain(self) -> float:
        """The share of tournaments won at the end minus the share at the beginning."""
        return self.last.value - self.first.value

    def as_json(self) -> dict[str, Any]:
        """Return the numbers."""
        return {
            "won": self.won.as_json(),
            "first": self.first.as_json(),
            "last": self.last.as_json(),
            "gain": self.gain,
            "gain_low": self.low,
            "gain_high": self.high,
            "looks": self.looks,
        }


@checked
def series_of(won: Sequence[bool]) -> Series | None:
    """Compare the first and the last `WINDOW` tournaments; None while they overlap.

    ``won`` says for each tournament, in order, whether it was won. The interval allows for a player
    who ends the series when he likes the result, after any tournament from the twentieth on: look k
    gets 1 / (k (k + 1)) of the error rate, and all looks together at most 5 %.

    >>> series = series_of([False] * 9 + [True] * 11)
    >>> series.gain, series.looks, round(series.low, 2), round(series.high, 2)
    (0.9, 1, 0.41, 0.99)
    >>> longer = series_of([False] * 9 + [True] * 41)
    >>> longer.looks, round(longer.low, 2)
    (31, 0.04)
    """
    looks = len(won) - 2 * WINDOW + 1
    if looks < 1:
        return None
    first, last = Proportion.of_trials(won[:WINDOW]), Proportion.of_trials(won[-WINDOW:])
    low, high = difference_interval(last, first, 1 - (1 - LEVEL) / (looks * (looks + 1)))
    return Series(
        won=Proportion.of_trials(won), first=first, last=last, low=low, high=high, looks=looks
    )


def difference_interval(first: Proportion, second: Proportion, level: float) -> tuple[float, float]:
    """Return the interval of the difference of two shares of independent trials.

    It combines both shares' Wilson intervals (Newcombe, "Interval estimation for the difference
    between independent proportions", Statistics in Medicine 17, 1998, method 10).
    """
    (low, high), (other_low, other_high) = first.interval(level), second.interval(level)
    gain = first.value - second.value
    return (
        gain - math.hypot(first.value - low, other_high - second.value),
        gain + math.hypot(high - first.value, second.value - other_low),
    )


_SCHEMA = {
    "set": pl.Int64,
    "player": pl.String,
    "place": pl.Int64,
    "prize": pl.Float64,
    "prize_luck": pl.Float64,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrizeAssessment(ByPlayer):
    """Results of tournaments by player and by the estimators of `Contest.TOURNAMENT`."""

    players: tuple[str, ...]
    """The players, the highest mean prize first."""
    estimates: Mapping[str, Mapping[str, Estimate | BoundedMean]]
    """By player, then by estimator; estimators of luck are missing if a card is unknown."""
    tournaments: int
    independent: int
    """Number of sets of tournaments that share their cards; without duplicates, all tournaments."""
    hands: int
    unfinished: Unfinished
    all_ins: int
    left: int
    """Number of all-ins whose luck is not removed, since they had five hands or more."""
    variance_reduction: float | None
    """The variance of the prizes over that of prizes minus luck, for all players; None if there is
    nothing to compare."""
    skipped: Mapping[str, int]
    """Hands that could not be used, by reason."""
    integrity: Integrity
    """Evidence of missing or repeated hands, by the luck of all-ins in whole tournaments."""
    rows: pl.DataFrame = field(repr=False)
    """A row for each tournament and player; see `railbird.assessment.Estimator.values`."""

    def wins(self, player: str) -> Floats:
        """Return whether a player won each of the tournaments it played, in order, 0 or 1."""
        mine = self.rows.filter(pl.col("player") == player)
        won: Floats = (mine["place"] == 1).to_numpy().astype(np.float64)
        return won

    def series(self, player: str) -> Series | None:
        """Compare a player's first and last tournaments; None for duplicate sets or too few."""
        if self.independent < self.tournaments:
            return None
        return series_of((self.wins(player) > 0).tolist())

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
            "skipped": dict(self.skipped),
            "integrity": self.integrity.as_json(),
            "players": {
                player: {name: value.as_json() for name, value in self.estimates[player].items()}
                for player in self.players
            },
            "series": {
                player: series.as_json()
                for player in self.players
                if (series := self.series(player)) is not None
            },
        }


@checked
def assess_tournaments(
    hands: Iterable[HandRecord | HandBatch | Skipped],
    *,
    payouts: Sequence[Fraction],
    entry: Fraction = Fraction(1),
    more: Sequence[Estimator] = (),
) -> PrizeAssessment:
    """Assess the tournaments of a log of `railbird.arena`: freeze-outs, each from its first hand.

    ``payouts`` are shares of the prize money by place; the prize money is ``entry`` times the
    number of players. ``more`` estimators are used beside Railbird's own. Incomplete tournaments
    are counted and left out. A hand that is given repeatedly counts once, with all cards that any
    of its views shows.

    Raises `NothingUsable` for hands of other games, and `BadInput` for more prizes than players.
    """
    tally = _PrizeTally(payouts, entry, (*estimators_of(Contest.TOURNAMENT), *more))
    unfinished, log = Unfinished(), Log()
    for tournament in finished_tournaments(_records(hands, log), unfinished):
        tally.add(tournament)
    return tally.assessment(unfinished, log)


@dataclass(slots=True)
class _PrizeTally:
    payouts: Sequence[Fraction]
    entry: Fraction
    estimators: Sequence[Estimator]
    tournaments: int = 0
    hands: int = 0
    all_ins: int = 0
    left: int = 0
    sets: int = 0
    deal: frozenset[object] = frozenset()
    """Holdings of the first hand of the set that the last tournament belongs to."""
    in_set: int = 0
    """Number of its tournaments so far."""
    columns: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in _SCHEMA})
    most: float = 0.0

    def add(self, tournament: Finished) -> None:
        """Add a tournament."""
        players, first = len(tournament.players), tournament.hands[0]
        check_shares(self.payouts, players)
        money = self.entry * players
        prizes = [float(share * money) for share in shared_out(self.payouts, tournament.places)]
        # Tournaments of a duplicate set are played one after the other, one for each player, and
        # deal the same holdings in their first hand. That alone would not do: among 10,000 heads-up
        # tournaments some sixty pairs begin with the same holdings by chance. If cards are unknown,
        # each tournament counts as a set of its own.
        deal = frozenset(first.holes) if tournament.is_known else frozenset([self.tournaments])
        if deal == self.deal and self.in_set < players:
            self.in_set += 1
        else:
            self.sets, self.deal, self.in_set = self.sets + 1, deal, 1
        columns = self.columns
        columns["set"] += [self.sets - 1] * players
        columns["player"] += tournament.players
        columns["place"] += tournament.places
        columns["prize"] += prizes
        columns["prize_luck"] += self._luck(tournament)
        self.most = max(self.most, float(self.payouts[0] * money))
        self.tournaments += 1
        self.hands += len(tournament.hands)

    def _luck(self, tournament: Finished) -> list[float] | list[None]:
        players = len(tournament.players)
        if not tournament.is_known:
            return [None] * players
        money = self.entry * players
        # A log may number its tournaments from anywhere, and `all_in_prize_luck` counts from 1, so
        # this one is called the first.
        all_in_luck = all_in_prize_luck(
            [batch_of([replace(hand, table="1.1") for hand in tournament.hands])],
            names=tournament.players,
            tournaments=1,
            stack=tournament.stack,
            prizes=[float(share * money) for share in self.payouts],
        )
        self.all_ins += all_in_luck.all_ins
        self.left += all_in_luck.left
        luck: list[float] = all_in_luck.luck[0].tolist()
        return luck

    def assessment(self, unfinished: Unfinished, log: Log) -> PrizeAssessment:
        rows = pl.DataFrame(self.columns, schema=_SCHEMA)
        columns = [
            values.alias(estimator.name)
            for estimator in self.estimators
            for values in [estimator.values(rows, Scoring())]
            # An estimator that lacks the cards of one tournament is left out as a whole, since the
            # other tournaments are those that happened to be shown.
            if estimator.cards is not CardsNeeded.ALL or not values.has_nulls()
        ]
        values = rows.select("set", "player", *columns)
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
            independent=self.sets,
            hands=self.hands,
            unfinished=unfinished,
            all_ins=self.all_ins,
            left=self.left,
            variance_reduction=_variance_reduction(by_set),
            skipped=dict(log.skipped),
            integrity=_integrity(rows, log),
            rows=rows,
        )

    def _estimates(self, part: pl.DataFrame) -> dict[str, Estimate | BoundedMean]:
        """Return the estimates from one player's columns (sets,)."""
        estimates: dict[str, Estimate | BoundedMean] = {}
        for column in part.drop("player", "set"):
            values = column.drop_nulls().to_numpy()
            if column.name == PRIZE.name:
                # Prizes are bounded, which Student's interval would ignore: a player who has never
                # won yet would get an interval of no width.
                estimates[column.name] = BoundedMean.of(
                    values, least=0, most=self.most, unit="money"
                )
            else:
                estimates[column.name] = estimate(values, unit="money")
        return estimates


def _variance_reduction(by_set: pl.DataFrame) -> float | None:
    if PRIZE_LESS_LUCK.name not in by_set.columns:
        return None
    # Variances are summed over the players before they are divided, so that a player whose results
    # never vary causes no division by zero.
    columns = pl.col(PRIZE.name, PRIZE_LESS_LUCK.name).var(ddof=0)
    by_player = (
        by_set.group_by("player", maintain_order=True).agg(columns).drop("player").to_numpy()
    )
    before, after = by_player.sum(axis=0).tolist()
    ratio = before / after if after > 0 else math.nan
    return ratio if math.isfinite(ratio) and ratio > 0 else None


def _integrity(rows: pl.DataFrame, log: Log) -> Integrity:
    """Check whole tournaments by the luck of all-ins, if all cards are known."""
    luck, money = {}, {}
    for (player,), mine in rows.group_by("player", maintain_order=True):
        name = str(player)
        money[name] = mine["prize"].to_numpy()
        if not mine["prize_luck"].has_nulls():
            luck_rows = mine.select(all_in="prize_luck")
            luck[name] = luck_check(luck_rows, mine["set"].to_numpy())
    return log.integrity(unit="money", luck=luck, money=money)


def _records(hands: Iterable[HandRecord | HandBatch | Skipped], log: Log) -> Iterator[HandRecord]:
    for batch in log.hands(batches_of(hands)):
        log.take(batch)
        yield from records_of(batch)
