"""Who among friends is ahead by more than luck, and how they play, in any hold'em.

`league` ranks the players of an arena; here people play each other night after night.

**Who is ahead.** For each hand that two played together, their results are subtracted, without the
luck as far as the log shows it. The mean of these differences has an interval that holds however
often somebody looks (`estimates.confidence_sequences`), since people look after every night. The
error rate of each interval is a twentieth over the number of pairs. So among equal players, anybody
is declared ahead at any time in at most one season of twenty: `tests/assessment/test_season.py`
plays 2,000.

**Awards** go to players whose play differs from that of all others together. The awards were chosen
beforehand. Each is a test of `field_differences` for every player, and Holm's method corrects for
all of them: among equal players any award is given in at most one night of twenty.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from statistics import median
from typing import Any, Final

import numpy as np
import polars as pl

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird._display import HasTable, table_of
from railbird.assessment.change_of_play import holm
from railbird.assessment.field_differences import FieldDifference, field_differences
from railbird.assessment.player_luck import LuckSum
from railbird.assessment.player_statistics import RESULTS, WINNINGS, LogCards, Statistic
from railbird.estimates.confidence_sequences import AnytimeInterval, confidence_sequence
from railbird.estimates.estimate import ALPHA, FEWEST, Z_80, Estimate, Moments, finite_or_none

MOST_PLAYERS: Final = 20
"""The most people who are compared, those with the most hands: pairs grow with the square."""
NIGHT_GAP: Final = timedelta(hours=4)
"""A pause after which another night begins."""
DIFFERENCES: Final = (10, 20, 50, 100)
"""Differences between two players, in big blinds per hundred hands, for which hands are counted."""
_EXPECTED: Final = 20
"""The least number of occurrences, and of chances not taken, for an award.

With 5, as elsewhere, 9 % of nights of equal players had one, because Holm's method uses far tails.
"""
_PER: Final = 100
_MOST_HANDS: Final = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardRule:
    """An award: its statistic, and whether those above or those below the others get it."""

    title: str
    deed: str
    """What the player did, as in "played 40 %"."""
    statistic: Statistic
    above: bool = True


AWARDS: Final = (
    AwardRule(title="Loosest", deed="hands played", statistic=Statistic.VPIP),
    AwardRule(title="Tightest", deed="hands played", statistic=Statistic.VPIP, above=False),
    AwardRule(title="First to raise", deed="hands raised before the flop", statistic=Statistic.PFR),
    AwardRule(title="Re-raiser", deed="first raises raised again", statistic=Statistic.THREE_BET),
    AwardRule(title="Thief of the blinds", deed="steals tried", statistic=Statistic.STEAL),
    AwardRule(
        title="Guard of the blinds",
        deed="blinds folded to a steal",
        statistic=Statistic.FOLD_TO_STEAL,
        above=False,
    ),
    AwardRule(
        title="Most aggressive",
        deed="actions after the flop that bet or raised",
        statistic=Statistic.AGGRESSION_FREQUENCY,
    ),
    AwardRule(
        title="Most curious", deed="flops that went to the showdown", statistic=Statistic.WTSD
    ),
    AwardRule(
        title="Hardest to push off a flop",
        deed="flop bets folded to",
        statistic=Statistic.FOLD_TO_FLOP_BET,
        above=False,
    ),
)
"""All awards, chosen before any night was seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """An award that a player earned beyond chance."""

    rule: AwardRule
    player: str
    share: float
    field: float
    """The statistic of all others together."""
    p_value: float
    """P-value, corrected for all awards and players."""

    def as_json(self) -> dict[str, object]:
        """Return the award and the numbers behind it."""
        return {
            "award": self.rule.title,
            "player": self.player,
            "statistic": self.rule.statistic.key,
            **finite_or_none(share=self.share, field=self.field, p_value=self.p_value),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonStanding:
    """One player's result, in big blinds a hand."""

    player: str
    money: Estimate
    without: Estimate | None
    """The result without luck; None if the log shows none."""
    luck: LuckSum | None
    """What the cards gave, if the player's own cards are always known."""

    def as_json(self) -> dict[str, object]:
        """Return the numbers unrounded."""
        return {
            "player": self.player,
            "hands": self.money.n,
            "money": self.money.as_json(),
            "without_luck": None if self.without is None else self.without.as_json(),
            "luck": None if self.luck is None else self.luck.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLead:
    """By how much one player is ahead of another in the hands that both played."""

    ahead: str
    behind: str
    interval: AnytimeInterval
    """Big blinds a hand; it holds for all pairs at all times simultaneously."""

    @property
    def decided(self) -> bool:
        """True if it is more than luck."""
        return self.interval.excludes_zero

    def as_json(self) -> dict[str, object]:
        """Return who is ahead, and by how much."""
        return {
            "ahead": self.ahead,
            "behind": self.behind,
            "difference": self.interval.as_json(),
            "decided": self.decided,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """Hands without a long pause."""

    begun: datetime
    hands: int
    won: Mapping[str, float]
    """Winnings by player, in ``currency``, or in big blinds if currencies differ."""

    def as_json(self) -> dict[str, object]:
        """Return when it was, and who won what."""
        return {"begun": self.begun, "hands": self.hands, "won": dict(self.won)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Season(HasTable):
    """One night or several."""

    standings: Sequence[SeasonStanding]
    """The players' results, the highest first."""
    leads: Sequence[PairLead]
    """All pairs of the players who are compared."""
    awards: Sequence[Award]
    nights: Sequence[Night]
    """The nights; hands without a time belong to none."""
    to_decide: Mapping[int, int | None]
    """For each of `DIFFERENCES`, the hands after which it is detected in four of five seasons; None
    if there are too few hands to say."""
    all_cards: bool
    """Whether everybody's cards are known."""

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each of ``standings``."""
        return table_of(standing.as_json() for standing in self.standings)

    def as_json(self) -> dict[str, Any]:
        """Return the numbers unrounded."""
        return {
            "standings": [standing.as_json() for standing in self.standings],
            "leads": [lead.as_json() for lead in self.leads],
            "awards": [award.as_json() for award in self.awards],
            "nights": [night.as_json() for night in self.nights],
            "hands_to_decide": {str(per): hands for per, hands in self.to_decide.items()},
        }


@checked
def season_of(rows: pl.DataFrame, cards: LogCards) -> Season:
    """Return a season from `player_statistics.rows_of`; ``cards`` says which cards its log has."""
    names = most_seen(rows)
    compared = rows.filter(pl.col("player").is_in(names)).sort("played_at", maintain_order=True)
    hand = compared["hand"].unique(maintain_order=True)
    decisive = np.full((len(hand), len(names)), np.nan)
    place = pl.DataFrame({"hand": hand}).with_row_index("place")
    standings = []
    for number, name in enumerate(names):
        mine = compared.filter(pl.col("player") == name).join(
            place, on="hand", maintain_order="left"
        )
        standing, values = _standing(name, mine, cards)
        standings.append(standing)
        decisive[mine["place"].to_numpy(), number] = values
    leads, deviations = leads_of(names, decisive)
    return Season(
        standings=sorted(standings, key=lambda standing: -standing.money.value),
        leads=leads,
        awards=awards_of(compared, names),
        nights=list(_nights(rows)),
        to_decide=_to_decide(deviations, len(leads)),
        all_cards=cards.all_known,
    )


def most_seen(rows: pl.DataFrame) -> list[str]:
    """Return the players with the most hands, at most `MOST_PLAYERS`."""
    sizes = rows.group_by("player", maintain_order=True).len().sort("len", descending=True)
    return [str(name) for name in sizes["player"].head(MOST_PLAYERS)]


def _standing(name: str, mine: pl.DataFrame, cards: LogCards) -> tuple[SeasonStanding, Floats]:
    """Return a player's standing, and the deciding result of each hand, (hands,).

    If cards are hidden, subtracting the luck of the own cards leaves the result slightly too high,
    so it is shown but does not decide (`LogCards.decides`). If all are known, all players are
    treated alike.
    """
    won: Floats = mine["won"].to_numpy()
    events = cards.events(mine)
    adjusted: Floats = (
        mine.select(pl.when("adjusted").then("all_in").otherwise("won")).to_series().to_numpy()
    )
    luck = None if events is None else events.select(pl.sum_horizontal(pl.all())).to_series()
    without: Floats | None = None
    if luck is not None:
        without = won - luck.to_numpy()
    elif mine["adjusted"].any():
        without = adjusted
    decides = cards.decides(mine)
    decisive = won
    if not decides:
        decisive = adjusted if without is None else without
    elif RESULTS[decides] != WINNINGS[0]:
        decisive = adjusted
    standing = SeasonStanding(
        player=name,
        money=Moments.of(won).estimate("bb"),
        without=None if without is None else Moments.of(without).estimate("bb"),
        luck=None if luck is None else LuckSum.of(luck.to_numpy()),
    )
    return standing, decisive


def leads_of(players: Sequence[str], decisive: Floats) -> tuple[list[PairLead], list[float]]:
    """Compare all pairs of players; also return the standard deviations of a hand's difference.

    ``decisive`` (hands, players) has their results in the order of play, nan where they did not
    play.
    """
    pairs = list(combinations(range(len(players)), 2))
    leads, deviations = [], []
    for first, second in pairs:
        # Hands that only one of the two played are nan and drop out, so each pair is compared in
        # the hands that both played.
        apart = Moments.of(decisive[:, first] - decisive[:, second])
        interval = confidence_sequence(apart, alpha=ALPHA / len(pairs), unit="bb")
        if apart.n and apart.mean < 0:
            first, second, interval = second, first, -interval
        leads.append(PairLead(ahead=players[first], behind=players[second], interval=interval))
        if (apart.nonzero or 0) >= FEWEST:
            deviations.append(apart.sd)
    return leads, deviations


def _to_decide(deviations: Sequence[float], pairs: int) -> dict[int, int | None]:
    """Return for each of `DIFFERENCES` the hands after which four of five seasons detect it."""
    if not deviations:
        return dict.fromkeys(DIFFERENCES)
    sd = median(deviations)
    return {per: hands_to_decide(per / _PER, sd, alpha=ALPHA / pairs) for per in DIFFERENCES}


def hands_to_decide(difference: float, sd: float, *, alpha: float) -> int | None:
    """Return after how many hands four of five seasons detect a true difference, at any look.

    It is like `estimates.hands_to_tell`, but with a confidence sequence. None beyond a billion.

    >>> hands_to_decide(1.0, 10.0, alpha=0.05)
    1813
    """

    def is_told(hands: int) -> bool:
        moments = Moments(hands, difference, (hands - 1) * sd * sd)
        half_width = confidence_sequence(moments, alpha=alpha).half_width
        return half_width + Z_80 * sd / math.sqrt(hands) <= difference

    low, high = 1, 2
    # It is doubled until it is enough and then halved down: the width of a confidence sequence has
    # no inverse in closed form.
    while not is_told(high):
        low, high = high, 2 * high
        if high > _MOST_HANDS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_told(middle) else (middle, high)
    return high


def awards_of(rows: pl.DataFrame, players: Sequence[str]) -> list[Award]:
    """Return the awards that were earned, in the order of `AWARDS`."""
    if len(players) < 2:
        return []
    statistics = list(dict.fromkeys(rule.statistic for rule in AWARDS))
    tests = {
        (player, difference.statistic): difference
        for player in players
        for difference in field_differences(rows, player, statistics=statistics)
    }
    p_values = [test.p_value if _is_tested(test) else 1.0 for test in tests.values()]
    corrected = dict(zip(tests, holm(p_values), strict=True))
    awards = []
    for rule in AWARDS:
        earned = [
            (player, tests[player, rule.statistic])
            for player in players
            if corrected[player, rule.statistic] <= ALPHA
            and (tests[player, rule.statistic].value > 0) is rule.above
        ]
        for player, test in sorted(earned, key=lambda of: -abs(of[1].value)):
            awards.append(
                Award(
                    rule=rule,
                    player=player,
                    share=test.share,
                    field=test.field,
                    p_value=corrected[player, rule.statistic],
                )
            )
    return awards


def _is_tested(test: FieldDifference) -> bool:
    """Return whether there are enough occurrences for a test far out in the tail."""
    chances = test.chances + test.field_chances
    if not (test.chances and test.field_chances):
        return False
    together = (test.chances * test.share + test.field_chances * test.field) / chances
    fewest = min(test.chances, test.field_chances) * min(together, 1 - together)
    return fewest >= _EXPECTED


def _nights(rows: pl.DataFrame) -> Iterator[Night]:
    """Yield the nights, in order."""
    timed = rows.filter(pl.col("played_at").is_not_null()).sort("played_at", maintain_order=True)
    if timed.is_empty():
        return
    # Sums of different currencies mean nothing, so big blinds are added there.
    column = "money" if timed["currency"].n_unique() == 1 else "won"
    begins = (pl.col("played_at").diff() > NIGHT_GAP).fill_null(value=False)
    for night in timed.with_columns(night=begins.cum_sum()).partition_by(
        "night", maintain_order=True
    ):
        sums = night.group_by("player", maintain_order=True).agg(pl.col(column).sum())
        yield Night(
            begun=night["played_at"][0],
            hands=night["hand"].n_unique(),
            won=dict(sums.sort(column, descending=True, maintain_order=True).iter_rows()),
        )


# Hands worth telling.


_BIGGEST: Final = "The biggest pot"
_TURNED: Final = "Decided by the last cards"
_UNCALLED: Final = "The biggest pot that nobody called"
_RUNNER_UP: Final = "Another big pot"


def hands_worth_telling(rows: pl.DataFrame) -> list[tuple[str, int, str, float]]:
    """Choose three hands; return title, number in ``rows``, winner and amount in bb for each.

    They are the biggest pot, the all-in whose board moved the most money against the odds, and the
    biggest pot that nobody called; other big pots replace kinds that the night did not have.
    """
    winners = rows.sort("won", descending=True, maintain_order=True).unique(
        "hand", keep="first", maintain_order=True
    )
    turned = rows.filter("adjusted").with_columns(moved=pl.col("won") - pl.col("all_in"))
    turned = turned.filter(pl.col("moved") > 0).sort("moved", descending=True, maintain_order=True)
    candidates = (
        (_BIGGEST, winners),
        (_TURNED, turned),
        (_UNCALLED, winners.filter(~pl.col("showdown"))),
        (_RUNNER_UP, winners),
        (_RUNNER_UP, winners),
    )
    # A hand is told once, under the first title that it earns.
    chosen: dict[int, tuple[str, int, str, float]] = {}
    for title, frame in candidates:
        rest = frame.filter(~pl.col("hand").is_in(list(chosen)) & (pl.col("won") > 0))
        if len(chosen) < 3 and rest.height:
            hand, player, won = rest.select("hand", "player", "won").row(0)
            chosen[hand] = (title, hand, player, won)
    return list(chosen.values())
