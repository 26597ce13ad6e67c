"""Plays a league of any heads-up hold'em: a round robin in which all pairs play the same deals.

`match` defines one of its matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird._display import ByPlayer
from railbird.arena._warm import compile_loops
from railbird.arena.guarded_player import DEFAULT_FAULTS, FaultPolicy, FaultTally
from railbird.arena.job_log import PartLog, open_part_log
from railbird.arena.match import Match, Seating
from railbird.arena.match_chunks import Chunk, ChunkJob, ChunkPlayer, Loop
from railbird.arena.match_runner import MatchResult, MatchRun, Until, match_log
from railbird.arena.names import PlayerLike, as_players, check_entrants, names_of, specs_of
from railbird.arena.run import Run, appended, check_workers
from railbird.arena.settings import CHUNK
from railbird.errors import BadInput
from railbird.estimates.estimate import Estimate, ResultUnit, estimate
from railbird.game import Rules
from railbird.progress import Progress

Pair = tuple[int, int]
"""Numbers of two players of a league, the lower one first."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """A league, validated on construction.

    A pair's match is the one that it would play outside the league from the same seed. So a pair's
    log is that match's log, and adding a player keeps the matches already played.

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
        independent of each other. If matches stopped at different deals, each deal's deviation from
        its match's mean is multiplied by the length of the longest match over that of its own, and
        missing deals deviate by zero. The mean of the values is then the mean of the matches'
        means, and their variance gives the right standard error.
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


# Running leagues: here or in worker processes, into logs, resuming where they stopped.
#
# All matches are one job, whose pieces are the chunks of the first pair, then those of the second,
# and so on. With one pool for all, the next match starts while the last chunks of one still run.


@checked
def play_league(
    league: League,
    *,
    logs: Path | str | None = None,
    workers: int = 1,
    on: str | None = None,
    loop: Loop = Loop.AUTO,
    until: Mapping[Pair, Until] | None = None,
    keep: bool = False,
    progress: Progress | None = None,
) -> LeagueResult:
    """Play a league, or the part that its logs lack; see `railbird.arena.play`.

    ``logs`` is a folder, created if missing, for one log per match, named by `log_name`. ``until``
    decides for each pair separately when to stop. With ``keep`` every match's result holds its
    hands.

    Raises `BadInput` for unusable players or logs, `Interrupted` on Ctrl-C (the logs keep what was
    played), `RailbirdError` if workers keep dying or import an unguarded script.
    """
    check_workers(workers, on, league.players)  # before any of them is made
    for pair in league.pairs[: len(league.players) - 1]:  # the first player's, with all others
        ChunkPlayer(ChunkJob(league.match(pair), loop, logged=False)).close()
    logs = None if logs is None else Path(logs)
    if logs is not None:
        logs.mkdir(parents=True, exist_ok=True)
    chunks = league.match(league.pairs[0]).chunks
    matches: dict[Pair, MatchResult] = {}
    with ExitStack() as stack:
        ongoing = stack.enter_context(closing(_Matches(league, logs)))
        run = Run(
            job=partial(_LeaguePlayer, league, loop, logged=logs is not None, kept=keep),
            players=league.players,
            numbers=range(len(league.pairs) * chunks),
            title="playing",
            total=league.hands,
            unit="hands",
            path=logs,
            todo=ongoing.todo,
            wanted=ongoing.wants,
            prepare=compile_loops,
        )
        going = stack.enter_context(run.going(workers=workers, on=on, progress=progress))
        earlier_hands = 0
        for number, pair in enumerate(league.pairs):
            log = ongoing.open(number)
            match_run = MatchRun(
                league.match(pair),
                log=None if logs is None else logs / log_name(pair),
                logged=len(log.parts),
                until=None if until is None else until[pair],
                keep=keep,
            )
            fresh = (replace(chunk, index=chunk.index % chunks) for chunk in going.fresh)
            for chunk in chain(log.parts.values(), appended(fresh, log)):
                over = match_run.take(chunk)
                going.tell(earlier_hands + match_run.hands)
                if over:
                    break
            ongoing.close_one(number)
            matches[pair] = match_run.result()
            earlier_hands += league.match(pair).hands
        going.tell(league.hands)
    return LeagueResult(league=league, matches=matches)


class _Matches:
    """The logs of a league's matches; each is opened when its match starts."""

    def __init__(self, league: League, logs: Path | None) -> None:
        self._league = league
        self._logs = logs
        self._open: dict[int, tuple[PartLog[Chunk], ExitStack]] = {}
        self._over = 0
        self._chunks = league.match(league.pairs[0]).chunks

    def open(self, number: int) -> PartLog[Chunk]:
        """Return the log of a pair's match by number, opening it if necessary."""
        if number not in self._open:
            pair = self._league.pairs[number]
            path = None if self._logs is None else self._logs / log_name(pair)
            stack = ExitStack()
            form = partial(match_log, self._league.match(pair))
            self._open[number] = stack.enter_context(open_part_log(path, form)), stack
        return self._open[number][0]

    def close_one(self, number: int) -> None:
        """Close a finished match; earlier matches are already closed."""
        self._open.pop(number)[1].close()
        self._over = number + 1

    def close(self) -> None:
        """Close all logs."""
        for _, stack in self._open.values():
            stack.close()

    def todo(self) -> Iterator[range]:
        """Yield the pieces that the logs lack, match by match."""
        for number in range(len(self._league.pairs)):
            if number >= self._over:
                first = number * self._chunks
                yield range(first + len(self.open(number).parts), first + self._chunks)

    def wants(self, piece: int) -> bool:
        """Return whether the match of a piece is still running."""
        return piece // self._chunks >= self._over


class _LeaguePlayer:
    """Plays the pieces of a league by number; created once in every process."""

    def __init__(self, league: League, loop: Loop, *, logged: bool, kept: bool) -> None:
        self._league = league
        self._loop = loop
        self._logged = logged
        self._kept = kept
        self._chunks = league.match(league.pairs[0]).chunks
        self._table: tuple[int, ChunkPlayer] | None = None

    def play(self, piece: int) -> Chunk:
        """Play a piece; the players of a match are closed when another match begins."""
        number, index = divmod(piece, self._chunks)
        if self._table is None or self._table[0] != number:
            self.close()
            match = self._league.match(self._league.pairs[number])
            self._table = number, ChunkPlayer(ChunkJob(match, self._loop, self._logged, self._kept))
        return replace(self._table[1].play(index), index=piece)

    def rollback(self) -> None:
        """Let the players of the current match forget the unfinished piece."""
        if self._table is not None:
            self._table[1].rollback()

    def close(self) -> None:
        """Close the players of the current match."""
        if self._table is not None:
            table, self._table = self._table[1], None
            table.close()
