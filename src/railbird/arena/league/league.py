"""A league: a heads-up round robin in which all pairs play the same deals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird._display import ByPlayer
from railbird.arena.fault_policy import DEFAULT_FAULTS, FaultPolicy, FaultTally
from railbird.arena.match.definition import Match
from railbird.arena.match.result import MatchResult
from railbird.arena.match.seating import Seating
from railbird.arena.names import PlayerLike, as_players, check_entrants, names_of, specs_of
from railbird.arena.settings import CHUNK
from railbird.errors import BadInput
from railbird.estimates.estimate import Estimate, estimate
from railbird.estimates.result_units import ResultUnit
from railbird.game import Rules

Pair = tuple[int, int]
"""Numbers of two players of a league, the lower one first."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """A league, validated on construction.

    Every pair plays the same match as it would outside the league from this seed, so a pair's log
    is that match's log, and adding a player to the league keeps the matches already played.

    Raises `BadInput` for fewer than two players or a game of more than two seats.
    """

    players: tuple[PlayerLike, ...]
    """Specs, or names and specs, in the order of the results."""
    rules: Rules
    deals: int
    """Deals in each match."""
    seed: int
    seating: Seating = Seating.SINGLE
    chunk: int = CHUNK
    faults: FaultPolicy = DEFAULT_FAULTS

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", as_players(self.players))
        if len(self.players) < 2:
            raise BadInput(f"{len(self.players)} players; allowed: 2 or more")
        if self.rules.seats != 2:
            raise BadInput(f"a league of {self.rules.seats} seats; allowed: 2")
        check_entrants(self.players)
        for pair in self.pairs:
            self.match(pair)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names in results (`names_of`)."""
        return names_of(self.players)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs, in the order of play."""
        return tuple(combinations(range(len(self.players)), 2))

    @property
    def hands(self) -> int:
        """Hands in the whole league."""
        return sum(self.match(pair).hands for pair in self.pairs)

    def match(self, pair: Pair) -> Match:
        """Return the match of two players."""
        return Match(
            players=(self.players[pair[0]], self.players[pair[1]]),
            rules=self.rules,
            deals=self.deals,
            seed=self.seed,
            seating=self.seating,
            chunk=self.chunk,
            faults=self.faults,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueResult(ByPlayer):
    """The matches of a league, played."""

    league: League
    matches: Mapping[Pair, MatchResult]

    @property
    def hands(self) -> int:
        """Hands in all matches."""
        return sum(match.match.hands for match in self.matches.values())

    @property
    def seconds(self) -> float:
        """Time taken by the hands that were not in the logs."""
        return sum(match.seconds for match in self.matches.values())

    @property
    def hands_per_s(self) -> float:
        """Hands played in this run per second."""
        played = sum(match.match.hands - match.resumed for match in self.matches.values())
        return played / self.seconds if self.seconds > 0 else 0.0

    def match_of(self, player: int, opponent: int) -> MatchResult:
        """Return the match of two players, given in either order."""
        return self.matches[min(player, opponent), max(player, opponent)]

    def against(self, player: int, opponent: int) -> NDArray[np.float64]:
        """Return the chips per hand that a player won from an opponent on each deal."""
        return self.match_of(player, opponent).per_deal(int(player > opponent))

    def per_deal(self, player: int) -> NDArray[np.float64]:
        """Return the chips per hand that a player won on each deal, averaged over the opponents.

        All pairs play the same deals, so a player's matches are dependent, but these values are
        independent. If matches stopped at different deals, each deal's deviation from its match's
        mean is scaled up by the length of the longest match over that of its own, and missing deals
        deviate by zero: then the mean of the values is the mean of the matches' means, and their
        variance gives the right standard error.
        """
        others = (other for other in range(len(self.league.players)) if other != player)
        against = [self.against(player, other) for other in others]
        deals = max(won.size for won in against)
        values = np.zeros(deals)
        for won in against:
            values += won.mean()
            values[: won.size] += (won - won.mean()) * (deals / won.size)
        chips: NDArray[np.float64] = values / len(against)
        return chips

    @property
    def unit(self) -> ResultUnit:
        """Unit of the winnings."""
        return self.league.rules.result_unit

    def money(self, player: int) -> Estimate:
        """Estimate a player's winnings per hand against all others, in `unit`, from the deals."""
        return estimate(self.per_deal(player) / self.league.rules.chips_per_unit, unit=self.unit)

    def money_against(self, player: int, opponent: int) -> Estimate:
        """Estimate a player's winnings per hand against one opponent."""
        chips = self.against(player, opponent)
        return estimate(chips / self.league.rules.chips_per_unit, unit=self.unit)

    @property
    def ranking(self) -> tuple[int, ...]:
        """Return the players, the biggest winner first."""
        players = range(len(self.league.players))
        return tuple(sorted(players, key=lambda player: -self.money(player).value))

    def as_json(self, logs: Path | None = None) -> dict[str, Any]:
        """Return the output of `railbird league --json`; ``logs`` is the folder of the hands."""
        league, ranking = self.league, self.ranking
        specs = specs_of(league.players)
        return {
            "hands": self.hands,
            "seed": league.seed,
            "unit": self.unit,
            "hands_per_s": self.hands_per_s,
            "log": None if logs is None else str(logs),
            "players": {
                name: {
                    "spec": specs[player],
                    "rank": ranking.index(player) + 1,
                    "money": self.money(player).as_json(),
                    "faults": self.faults(player).as_json(),
                }
                for player, name in enumerate(league.names)
            },
            "pairs": [
                {
                    "players": [league.names[player] for player in pair],
                    "hands": self.matches[pair].match.hands,
                    "money": self.money_against(*pair).as_json(),
                }
                for pair in league.pairs
            ],
        }

    def faults(self, player: int) -> FaultTally:
        """Return a player's faults in all its matches."""
        tally = FaultTally()
        for pair, match in self.matches.items():
            if player in pair:
                tally.add(match.faults[pair.index(player)])
        return tally


def log_name(pair: Pair) -> str:
    """Return a match's file name in a league's folder: the players' numbers, from 1.

    >>> log_name((0, 2))
    '1-3.log'
    """
    return f"{pair[0] + 1}-{pair[1] + 1}.log"
