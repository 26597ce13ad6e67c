"""Loki before the flop: a strategy by income rate, position and the expected number of players.

The values set by an expert are in ``preflop.toml``, which marks the source's and our own (Papp
1998, chapter 6 and appendix B).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cache
from importlib.resources import files
from math import floor


class Tightness(Enum):
    """Number of hands played; even loose is tight for a human."""

    TIGHT = "tight"
    MODERATE = "moderate"
    LOOSE = "loose"


class Strategy(IntEnum):
    """Plan for the whole first street, from the most timid on."""

    MAKE0 = 0
    """Check, fold to any bet."""
    CALL1 = 1
    """Call the bet; fold to two at once unless already in. The small blind's own."""
    MAKE1 = 2
    """Bet if nobody has, else call; fold to two bets at once unless already in."""
    CALL2 = 3
    """Call any number of bets. The small blind's own."""
    MAKE2 = 4
    """Raise while there are fewer than two bets, then call any number."""
    MAKE4 = 5
    """Raise to the cap, then call."""

    def bets(self, cap: int) -> int:
        """Return the number of bets up to which the strategy raises, if so many are allowed."""
        match self:
            case Strategy.MAKE4:
                return cap
            case Strategy.MAKE2:
                return 2
            case Strategy.MAKE1:
                return 1
            case _:
                return 0


class Group(Enum):
    """Groups of expected numbers of players in the table of thresholds."""

    TWO = "2"
    THREE_FOUR = "3-4"
    FIVE_MORE = "5+"

    @property
    def opponents(self) -> int:
        """Number of opponents of the group's income rates."""
        return {Group.TWO: 1, Group.THREE_FOUR: 3, Group.FIVE_MORE: 6}[self]


@dataclass(frozen=True, slots=True)
class PreflopThresholds:
    """The data file."""

    probability_of_playing: float
    increment: Mapping[Tightness, float]
    base: Mapping[Group, Mapping[Strategy, float]]
    small_blind: Mapping[Group, Mapping[Strategy, float | Strategy]]
    """The small blind's own strategies: fixed, or asking for as much as another strategy."""
    hands_played: Mapping[Tightness, float]

    def thresholds(
        self, group: Group, tightness: Tightness, position: int, *, small_blind: bool
    ) -> tuple[tuple[Strategy, float], ...]:
        """Return the lowest income rate of each strategy, in thousandths, highest first.

        >>> table = expert_table()
        >>> table.thresholds(Group.THREE_FOUR, Tightness.MODERATE, 0, small_blind=False)
        ((<Strategy.MAKE4: 5>, 580.0), (<Strategy.MAKE2: 4>, 200.0), (<Strategy.MAKE1: 2>, 50.0))
        """
        step = self.increment[tightness] * position
        least = {strategy: base + step for strategy, base in self.base[group].items()}
        own = self.small_blind[group] if small_blind else {}
        least |= {
            strategy: least[base] if isinstance(base, Strategy) else base
            for strategy, base in own.items()
        }
        return tuple(sorted(least.items(), reverse=True))

    def expected_players(self, guaranteed: int, others: int) -> int:
        """Return the number of players expected to stay in, rounded (halves up)."""
        return floor(guaranteed + self.probability_of_playing * others + 0.5)


def group_of(players: int) -> Group:
    """Return the group of a number of expected players."""
    if players <= 2:
        return Group.TWO
    return Group.THREE_FOUR if players <= 4 else Group.FIVE_MORE


def choose(thresholds: tuple[tuple[Strategy, float], ...], income_rate: float) -> Strategy:
    """Return the boldest strategy whose threshold the income rate reaches."""
    reached = (strategy for strategy, least in thresholds if income_rate >= least)
    return max(reached, default=Strategy.MAKE0)


@cache
def asked(
    group: Group, tightness: Tightness, position: int, *, small_blind: bool, offset: float
) -> tuple[tuple[Strategy, float], ...]:
    """Return the expert's thresholds with ``offset`` added to each, cached."""
    levels = expert_table().thresholds(group, tightness, position, small_blind=small_blind)
    return tuple((strategy, least + offset) for strategy, least in levels)


@cache
def expert_table() -> PreflopThresholds:
    """Read the data file."""
    text = files(__package__).joinpath("preflop.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return PreflopThresholds(
        probability_of_playing=data["probability_of_playing"],
        increment={Tightness(name): value for name, value in data["increment"].items()},
        base={
            Group(group): {Strategy[name.upper()]: float(value) for name, value in row.items()}
            for group, row in data["base"].items()
        },
        small_blind={
            Group(group): {
                Strategy[name.upper()]: Strategy[value.upper()] if isinstance(value, str) else value
                for name, value in row.items()
            }
            for group, row in data["small_blind"].items()
        },
        hands_played={Tightness(name): share for name, share in data["hands_played"].items()},
    )
