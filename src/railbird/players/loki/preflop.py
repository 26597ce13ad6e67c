"""Loki before the flop, in any hold'em: a strategy by income rate, position, expected players.

``preflop.toml`` has the values, which an expert set, and marks which of them come from the source
(Papp 1998, chapter 6 and appendix B) and which are ours.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cache
from importlib.resources import files
from math import floor
from typing import Final, NamedTuple

from railbird.game import HandState, Rules, Street
from railbird.units import Seat

# What a betting decision depends on apart from the cards, taken from a view.


UNCAPPED: Final = 4
"""Number of bets up to which Loki raises if the rules have no cap: the source's cap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LokiSpot:
    """One decision, with amounts in chips and bets in bets of the street."""

    street: Street
    pot: int
    """The pot, with this street's bets."""
    to_call: int
    bet_size: int
    bets: int
    """Number of bets on this street; before the flop the blind is the first."""
    cap: int
    """Number of bets allowed on this street."""
    bets_to_call: int
    """Number of bets to call, rounded up: half a blind is one, with a raise on top it is two."""
    is_in: bool
    """True if the actor has voluntarily called or raised on this street."""
    opponents: int
    """The opponents who have not folded."""
    checkers: tuple[Seat, ...]
    """Opponents who have checked on this street."""
    has_checked: bool = False

    @property
    def pot_odds(self) -> float:
        """Share of the pot that a call pays; 0 if checking is free."""
        return self.to_call / (self.pot + self.to_call) if self.to_call else 0.0

    @property
    def semi_bluff_odds(self) -> float:
        """Potential that pays for a bet which two opponents call, with as much again to come."""
        return 2 * self.bet_size / (self.pot + 6 * self.bet_size)

    @property
    def showdown_odds(self) -> float:
        """Share of the final pot that calling down costs; on the turn one more big bet is expected.

        On the flop four more small bets are expected, half of two big bets plus a raise on either
        street; on the river no bets are to come, so these are the pot odds.
        """
        more = (0, 4, 1, 0)[self.street] * self.bet_size
        cost = self.to_call + more
        return cost / (self.pot + cost + more) if cost else 0.0


def spot_of(state: HandState, seat: Seat) -> LokiSpot:
    """Return the decision of the seat to act."""
    rules, street = state.rules, state.street
    preflop = street is Street.PREFLOP
    size = rules.bet_sizes[street]
    to_call = state.to_call
    put_in = state.street_bets
    in_hand, acted = state.in_hand, state.acted
    checkers = [
        opponent
        for opponent in in_hand
        if not preflop and opponent in acted and not put_in[opponent]
    ]
    return LokiSpot(
        street=street,
        pot=state.pot,
        to_call=to_call,
        bet_size=size,
        bets=state.raises + preflop,
        cap=most_raises(rules, street) + preflop,
        bets_to_call=-(-to_call // size),
        is_in=put_in[seat] > (rules.blinds[seat] if preflop else 0),
        opponents=len(in_hand) - 1,
        checkers=tuple([opponent for opponent in checkers if opponent != seat]),
        has_checked=seat in checkers,
    )


def most_raises(rules: Rules, street: Street) -> int:
    """Return how many bets and raises Loki allows on a street: the cap, or the usual one."""
    if rules.max_raises is None:
        return UNCAPPED - (street is Street.PREFLOP)
    return rules.max_raises[street]


@dataclass(frozen=True, slots=True)
class PreflopPlayers:
    """The players in a hand before the flop."""

    position: int
    """Number of players still in who act before the small blind's turn comes again."""
    guaranteed: int
    """Number of players who have put money in, including the actor."""
    others: int
    """Number of players who may still come in."""
    small_blind: bool


def preflop_spot(state: HandState, seat: Seat) -> PreflopPlayers:
    """Count the players before and behind the actor."""
    seats, in_hand = state.rules.seats, state.in_hand
    put_in = state.street_bets
    first = small_blind(state.rules)
    behind = [position % seats for position in range(seat + 1, seat + (first - seat) % seats)]
    if seat == first:
        behind = [opponent for opponent in range(seats) if opponent != seat]
    guaranteed = sum(player == seat or put_in[player] > 0 for player in in_hand)
    return PreflopPlayers(
        position=sum(opponent in in_hand for opponent in behind),
        guaranteed=guaranteed,
        others=len(in_hand) - guaranteed,
        small_blind=seat == first and state.bet > put_in[seat],
    )


def small_blind(rules: Rules) -> Seat:
    """Return the seat with the smallest live post; if all are equal, the first to act postflop."""
    posts = [post for post in rules.blinds if post > 0]
    if len(set(posts)) < 2:
        return rules.first_to_act[Street.FLOP]
    return Seat(rules.blinds.index(min(posts)))


class Tightness(Enum):
    """How many hands are played; even the loose setting is tight for a human."""

    TIGHT = "tight"
    MODERATE = "moderate"
    LOOSE = "loose"


class PreflopPlan(IntEnum):
    """A plan for the whole first street, the most timid first."""

    MAKE0 = 0
    """Check, and fold to any bet."""
    CALL1 = 1
    """Call one bet; fold to two at once unless already in. Only for the small blind."""
    MAKE1 = 2
    """Bet if nobody has, otherwise call; fold to two bets at once unless already in."""
    CALL2 = 3
    """Call any number of bets. Only for the small blind."""
    MAKE2 = 4
    """Raise while there are fewer than two bets, then call any number of bets."""
    MAKE4 = 5
    """Raise to the cap, then call."""

    def bets(self, cap: int) -> int:
        """Return the number of bets up to which the strategy raises, at most ``cap``."""
        match self:
            case PreflopPlan.MAKE4:
                return cap
            case PreflopPlan.MAKE2:
                return 2
            case PreflopPlan.MAKE1:
                return 1
            case _:
                return 0


class ExpectedPlayers(Enum):
    """The groups of expected numbers of players in the table of thresholds."""

    TWO = "2"
    THREE_FOUR = "3-4"
    FIVE_MORE = "5+"

    @property
    def opponents(self) -> int:
        """The number of opponents for the group's income rates."""
        return {
            ExpectedPlayers.TWO: 1,
            ExpectedPlayers.THREE_FOUR: 3,
            ExpectedPlayers.FIVE_MORE: 6,
        }[self]


@dataclass(frozen=True, slots=True)
class PreflopThresholds:
    """The contents of the file of the expert's thresholds."""

    probability_of_playing: float
    increment: Mapping[Tightness, float]
    base: Mapping[ExpectedPlayers, Mapping[PreflopPlan, float]]
    small_blind: Mapping[ExpectedPlayers, Mapping[PreflopPlan, float | PreflopPlan]]
    """The small blind's own strategies, each with a threshold or with that of another strategy."""
    hands_played: Mapping[Tightness, float]

    def thresholds(
        self, group: ExpectedPlayers, tightness: Tightness, position: int, *, small_blind: bool
    ) -> tuple[tuple[PreflopPlan, float], ...]:
        """Return the lowest income rate of each strategy, in thousandths, highest first.

        >>> table = expert_table()
        >>> group, tightness = ExpectedPlayers.THREE_FOUR, Tightness.MODERATE
        >>> rates = table.thresholds(group, tightness, 0, small_blind=False)
        >>> [(plan.name, rate) for plan, rate in rates]
        [('MAKE4', 580.0), ('MAKE2', 200.0), ('MAKE1', 50.0)]
        """
        step = self.increment[tightness] * position
        least = {strategy: base + step for strategy, base in self.base[group].items()}
        own = self.small_blind[group] if small_blind else {}
        least |= {
            strategy: least[base] if isinstance(base, PreflopPlan) else base
            for strategy, base in own.items()
        }
        return tuple(sorted(least.items(), reverse=True))

    def expected_players(self, guaranteed: int, others: int) -> int:
        """Return the number of players expected to stay in, rounded, with halves up."""
        return floor(guaranteed + self.probability_of_playing * others + 0.5)


def group_of(players: int) -> ExpectedPlayers:
    """Return the group for a number of expected players."""
    if players <= 2:
        return ExpectedPlayers.TWO
    return ExpectedPlayers.THREE_FOUR if players <= 4 else ExpectedPlayers.FIVE_MORE


def choose(thresholds: tuple[tuple[PreflopPlan, float], ...], income_rate: float) -> PreflopPlan:
    """Return the boldest strategy whose threshold the income rate reaches."""
    reached = (strategy for strategy, least in thresholds if income_rate >= least)
    return max(reached, default=PreflopPlan.MAKE0)


@cache
def asked(
    group: ExpectedPlayers, tightness: Tightness, position: int, *, small_blind: bool, offset: float
) -> tuple[tuple[PreflopPlan, float], ...]:
    """Return the expert's thresholds with ``offset`` added to each; cached."""
    levels = expert_table().thresholds(group, tightness, position, small_blind=small_blind)
    return tuple((strategy, least + offset) for strategy, least in levels)


@cache
def expert_table() -> PreflopThresholds:
    """Read the expert's thresholds from their file."""
    text = files(__package__).joinpath("preflop.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return PreflopThresholds(
        probability_of_playing=data["probability_of_playing"],
        increment={Tightness(name): value for name, value in data["increment"].items()},
        base={
            ExpectedPlayers(group): {
                PreflopPlan[name.upper()]: float(value) for name, value in row.items()
            }
            for group, row in data["base"].items()
        },
        small_blind={
            ExpectedPlayers(group): {
                PreflopPlan[name.upper()]: PreflopPlan[value.upper()]
                if isinstance(value, str)
                else value
                for name, value in row.items()
            }
            for group, row in data["small_blind"].items()
        },
        hands_played={Tightness(name): share for name, share in data["hands_played"].items()},
    )


# Measured thresholds before the flop, by blind, raises and expected players; not in Papp 1998.
#
# The values are in ``measured_preflop.toml``; the experiment loki-preflop measured them.


MEASURED_STRATEGIES: Final = (PreflopPlan.MAKE1, PreflopPlan.MAKE2, PreflopPlan.MAKE4)
_SEATS: Final = ("other", "small-blind", "big-blind")
_POTS: Final = ("unraised", "raised")
CELLS: Final = tuple((seat, pot) for seat in _SEATS for pot in _POTS)
"""A player's blind, and whether the pot was raised, in the order of the compiled thresholds."""


class ThresholdCell(NamedTuple):
    """A class of situations with its own thresholds."""

    group: ExpectedPlayers
    seat: str
    """One of "other", "small-blind" and "big-blind"."""
    pot: str
    """One of "unraised" and "raised"."""

    def __str__(self) -> str:
        return f"{self.seat}, {self.pot}, {self.group.value} players"


def cell_of(group: ExpectedPlayers, state: HandState, seat: Seat, spot: LokiSpot) -> ThresholdCell:
    """Return the cell of a player's first decision; ``group`` is by the expected players."""
    blinds = state.rules.blinds
    kind = 0 if not blinds[seat] else 2 if blinds[seat] == max(blinds) else 1
    return ThresholdCell(group, _SEATS[kind], _POTS[spot.bets > 1])


@cache
def measured_thresholds(
    cell: ThresholdCell, position: int, offset: float
) -> tuple[tuple[PreflopPlan, float], ...]:
    """Return the lowest income rate for each strategy, in thousandths, highest first."""
    known = measured_table().get(cell, {})
    expert = dict(
        expert_table().thresholds(cell.group, Tightness.LOOSE, position, small_blind=False)
    )
    least = -float("inf")
    rows = []
    for strategy in MEASURED_STRATEGIES:
        base, increment = known.get(strategy, (expert[strategy], 0.0))
        least = max(least, base + increment * position)
        rows.append((strategy, least + offset))
    return tuple(reversed(rows))


@cache
def measured_table() -> Mapping[ThresholdCell, Mapping[PreflopPlan, tuple[float, float]]]:
    """Read the data file: base and increment for each cell and strategy."""
    text = files(__package__).joinpath("measured_preflop.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return {
        ThresholdCell(ExpectedPlayers(group), seat, pot): {
            PreflopPlan[name.upper()]: (float(base), float(step))
            for name, (base, step) in row.items()
        }
        for seat, pots in data.items()
        for pot, groups in pots.items()
        for group, row in groups.items()
    }
