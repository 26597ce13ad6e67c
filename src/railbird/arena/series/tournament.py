"""Knock-out tournaments as data, and the play of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from typing import Self

import numpy as np

from railbird._arguments import checked
from railbird.arena.fault_policy import DEFAULT_FAULTS, FaultPolicy, FaultTally
from railbird.arena.names import PlayerLike, as_players, check_entrants, names_of
from railbird.arena.seeds import Purpose, generator
from railbird.arena.series.table_session import TableSession, table_rules
from railbird.arena.settings import PAYOUTS, SCHEDULE
from railbird.errors import BadInput
from railbird.game import Betting, Rules
from railbird.game.rules import SEATS
from railbird.histories import HandRecord
from railbird.histories.columns import Piece
from railbird.tournament.payouts import places_of, shared_out
from railbird.tournament.schedule import Level, Schedule
from railbird.tournament.seating import (
    TableOrder,
    advance_button,
    balance_tables,
    by_seat,
    first_tables,
)


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Tournaments:
    """Several tournaments of the same players, validated on construction.

    They are independent: for each, players are reset and seats drawn anew. All tables play hand for
    hand, and the blinds rise with the number of hands played at a table.

    Raises `BadInput` for tournaments that cannot be played.
    """

    players: tuple[PlayerLike, ...]
    """Specs, or names and specs, in the order of the results."""
    count: int
    seed: int
    stack: int
    """Chips of each player at the start."""
    schedule: Schedule = SCHEDULE
    payouts: tuple[Fraction, ...] = PAYOUTS
    """Shares of the prize money by place."""
    entry: Fraction = Fraction(1)
    """Entry fee; the fees together are the prize money."""
    seats: int = 9
    """Seats at a table."""
    betting: Betting = Betting.NO_LIMIT
    faults: FaultPolicy = DEFAULT_FAULTS

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", as_players(self.players))
        if len(self.players) < 2:
            raise BadInput(f"{len(self.players)} players; allowed: 2 or more")
        if self.count < 1 or self.stack < 1:
            words = f"{self.count} tournaments with {self.stack} chips each"
            raise BadInput(f"{words}; allowed: 1 or more")
        if self.seed < 0 or self.entry < 0:
            raise BadInput(f"seed {self.seed}, entry {self.entry}; allowed: 0 or more")
        if self.seats not in SEATS:
            raise BadInput(f"{self.seats} seats; allowed: {SEATS.start} to {SEATS.stop - 1}")
        if len(self.payouts) > len(self.players):
            raise BadInput(f"{len(self.payouts)} prizes for {len(self.players)} players")
        check_entrants(self.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names (`names_of`)."""
        return names_of(self.players)

    def rules(self, level: Level, stacks: Sequence[int]) -> Rules:
        """Return the rules of one hand, given the stacks by seat."""
        blinds = (level.small, level.big)
        return table_rules(self.betting, blinds=blinds, ante=level.ante, stacks=stacks)

    def prizes(self, places: Sequence[int]) -> tuple[float, ...]:
        """Return each player's prize, given the places, in the currency of the entry fee."""
        pool = self.entry * len(self.players)
        return tuple(float(part * pool) for part in shared_out(self.payouts, places))


@dataclass(frozen=True, slots=True)
class Finish:
    """A played tournament."""

    index: int
    places: tuple[int, ...]
    """Places by player, from 1; players knocked out in equal circumstances share one."""
    hands: int
    faults: tuple[FaultTally, ...]
    """By player."""
    text: bytes = b""
    """The hands as written in the log; empty without a log."""

    kept: Piece | None = None
    """The hands as columns, if they are kept."""

    def with_hands(self, text: bytes, kept: Piece | None) -> Self:
        """Return a copy with the hands in these forms."""
        return replace(self, text=text, kept=kept)


class Floor:
    """The players of tournaments, ready to play any of them.

    Raises `BadInput` if a player cannot be created.
    """

    def __init__(self, tournaments: Tournaments) -> None:
        self._tournaments = tournaments
        seats = min(tournaments.seats, len(tournaments.players))
        rules = tournaments.rules(tournaments.schedule.level(0), [tournaments.stack] * seats)
        self._company = TableSession(tournaments.players, tournaments.faults, rules)

    def close(self) -> None:
        """Let the players end."""
        self._company.close()

    def play(self, index: int) -> tuple[Finish, list[HandRecord]]:
        """Play one tournament to its end; return it with its hands in the order of play."""
        tournaments = self._tournaments
        everybody = range(len(tournaments.players))
        self._company.reset(f"{tournaments.seed} tournament {index}")
        dealer = generator(tournaments.seed, Purpose.TOURNAMENT_CARDS, index)
        drawn = (
            generator(tournaments.seed, Purpose.TOURNAMENT_SEATS, index)
            .permutation(len(everybody))
            .tolist()
        )
        tables = first_tables(drawn, tournaments.seats)
        stacks = [tournaments.stack for _ in everybody]
        places = dict.fromkeys(everybody, 1)
        hands: list[HandRecord] = []
        for round_ in count():
            had = stacks.copy()
            level = tournaments.schedule.level(round_)
            for number, table in enumerate(tables, 1):
                if len(table) > 1:
                    name = f"{index + 1}.{number}"
                    hands.append(self._hand(table, stacks, level, dealer, len(hands) + 1, name))
            out = [player for player in everybody if had[player] and not stacks[player]]
            left = sum(stack > 0 for stack in stacks)
            places |= places_of(out, had, left)
            if left == 1:
                break
            tables = balance_tables(
                [advance_button(table, out) for table in tables], tournaments.seats
            )
        return Finish(index, tuple(places.values()), len(hands), self._company.take_faults()), hands

    def _hand(
        self,
        table: TableOrder,
        stacks: list[int],
        level: Level,
        dealer: np.random.Generator,
        number: int,
        name: str,
    ) -> HandRecord:
        """Play one hand, updating ``stacks``."""
        rules = self._tournaments.rules(level, [stacks[player] for player in by_seat(table)])
        return self._company.play(table, stacks, rules, dealer, number=number, name=name)
