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
from railbird.arena.match.seating import Seating, seat_orders
from railbird.arena.names import PlayerLike, as_players, check_entrants, names_of
from railbird.arena.seeds import Purpose, generator
from railbird.arena.series.table_session import TableSession
from railbird.arena.settings import PAYOUTS, SCHEDULE
from railbird.errors import BadInput
from railbird.game import Betting, Rules, seeded_deals
from railbird.game.deal import Deals
from railbird.game.rules import SEATS
from railbird.histories import HandRecord
from railbird.histories.columns import Piece
from railbird.tournament.finishing_places import places_of
from railbird.tournament.payouts import shared_out
from railbird.tournament.schedule import Level, Schedule
from railbird.tournament.seating import (
    TableOrder,
    advance_button,
    balance_tables,
    by_seat,
    first_tables,
)
from railbird.tournament.stages import Stages, shoot_out_places
from railbird.tournament.table_rules import table_rules


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Tournaments:
    """Several tournaments of the same players, validated on construction.

    For each, players are reset and seats drawn anew. All tables play hand for hand, and the blinds
    rise with the number of hands played at a table.

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
    seating: Seating = Seating.SINGLE
    """In duplicate, as many tournaments as players are a set, in which the same cards come to the
    same chairs in hands of the same number, and everybody starts in every chair; in `PERMUTED`
    order, which see, with other neighbours each time. Only at one table."""
    stages: Stages = Stages.FREEZE_OUT
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
        if self.seating is not Seating.SINGLE:
            if len(self.players) > self.seats:
                raise BadInput(
                    f"{len(self.players)} players in duplicate at tables of {self.seats}; allowed: "
                    "as many as sit at one"
                )
            if self.count % len(self.players):
                raise BadInput(
                    f"{self.count} tournaments in duplicate; allowed: multiples of "
                    f"{len(self.players)}, the players"
                )
        check_entrants(self.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names (`names_of`)."""
        return names_of(self.players)

    @property
    def in_set(self) -> int:
        """Number of tournaments that share their cards, and together are one result."""
        return 1 if self.seating is Seating.SINGLE else len(self.players)

    def rules(self, level: Level, stacks: Sequence[int]) -> Rules:
        """Return the rules of one hand, given the stacks by seat."""
        blinds = (level.small, level.big)
        return table_rules(
            self.betting,
            blinds=blinds,
            ante=level.ante,
            stacks=stacks,
            big_blind_ante=level.big_blind_ante,
        )

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


class Dealer:
    """Cards of a tournament, dealt from one stream.

    With ``chairs`` of the players every hand deals to all chairs, whoever is still there, so that
    the cards of hand h and a chair do not depend on what happened before.
    """

    def __init__(self, rng: np.random.Generator, chairs: Sequence[int] | None) -> None:
        self._rng = rng
        self._chairs = chairs
        self._round = -1
        self._whole: Deals

    def deal(self, table: TableOrder, round_: int) -> Deals:
        """Deal to a table, the button first: (1, 2 * seats + 5) by the engine's seats."""
        if self._chairs is None:
            return seeded_deals(self._rng, len(table), 1)
        while self._round < round_:
            self._whole = seeded_deals(self._rng, len(self._chairs), 1)
            self._round += 1
        seated = [self._chairs[player] for player in by_seat(table)]
        columns = [card for chair in seated for card in (2 * chair, 2 * chair + 1)]
        board = range(2 * len(self._chairs), self._whole.shape[1])
        return self._whole[:, [*columns, *board]]


class TournamentTables:
    """The players of tournaments, ready to play any of them.

    Raises `BadInput` if a player cannot be created.
    """

    def __init__(self, tournaments: Tournaments) -> None:
        self._tournaments = tournaments
        seats = min(tournaments.seats, len(tournaments.players))
        rules = tournaments.rules(tournaments.schedule.level(0), [tournaments.stack] * seats)
        self._session = TableSession(tournaments.players, tournaments.faults, rules)

    def rollback(self) -> None:
        """Let the players forget the part that is not over."""
        self._session.rollback()

    def close(self) -> None:
        """Let the players end."""
        self._session.close()

    def play(self, index: int, *, reset: bool = True) -> tuple[Finish, list[HandRecord]]:
        """Play one tournament to its end; return it with its hands in the order of play.

        Without ``reset`` the players keep what they remember of the tournament before.
        """
        tournaments = self._tournaments
        if reset:
            self._session.reset(f"{tournaments.seed} tournament {index}")
        hands: list[HandRecord] = []
        drawn, dealer = self._draw(index)
        if tournaments.stages is Stages.SHOOT_OUT:
            places = self._shoot_out(index, drawn, dealer, hands)
        else:
            tables = first_tables(drawn, tournaments.seats)
            places = self._knock_out(index, tables, dealer, hands, first_table=1)
        by_player = tuple(places[player] for player in range(len(tournaments.players)))
        return Finish(index, by_player, len(hands), self._session.take_faults()), hands

    def _draw(self, index: int) -> tuple[list[int], Dealer]:
        """Return the players in the order in which they are seated, and the dealer."""
        tournaments = self._tournaments
        set_, turn = divmod(index, tournaments.in_set)
        seats = generator(tournaments.seed, Purpose.TOURNAMENT_SEATS, set_)
        drawn = seats.permutation(len(tournaments.players)).tolist()
        chairs = None
        if tournaments.seating is not Seating.SINGLE:
            order = seat_orders(tournaments.seating, len(drawn))[turn]
            drawn = [drawn[place] for place in order.tolist()]
            chairs = [drawn.index(player) for player in range(len(drawn))]
        return drawn, Dealer(generator(tournaments.seed, Purpose.TOURNAMENT_CARDS, set_), chairs)

    def _shoot_out(
        self, index: int, drawn: list[int], dealer: Dealer, hands: list[HandRecord]
    ) -> dict[int, int]:
        """Play stages until one player is left; those who lose at one share places by their own."""
        places: dict[int, int] = {}
        left, tables_before = drawn, 1
        while len(left) > 1:
            tables = first_tables(left, self._tournaments.seats)
            at_table = [
                self._knock_out(index, [table], dealer, hands, first_table=tables_before + number)
                for number, table in enumerate(tables)
            ]
            tables_before += len(tables)
            places |= shoot_out_places(at_table)
            left = [player for table in at_table for player, rank in table.items() if rank == 1]
        return places

    def _knock_out(
        self,
        index: int,
        tables: list[TableOrder],
        dealer: Dealer,
        hands: list[HandRecord],
        *,
        first_table: int,
    ) -> dict[int, int]:
        """Play tables until one player has all their chips; return the places of their players."""
        tournaments = self._tournaments
        stacks = [0 for _ in tournaments.players]
        everybody = [player for table in tables for player in table]
        for player in everybody:
            stacks[player] = tournaments.stack
        places = dict.fromkeys(everybody, 1)
        for round_ in count():
            had = stacks.copy()
            level = tournaments.schedule.level(round_)
            for number, table in enumerate(tables, first_table):
                if len(table) > 1:
                    rules = tournaments.rules(level, [stacks[player] for player in by_seat(table)])
                    deals = dealer.deal(table, round_)
                    name = f"{index + 1}.{number}"
                    hands.append(
                        self._session.play(
                            table, stacks, rules, deals, number=len(hands) + 1, name=name
                        )
                    )
            out = [player for player in everybody if had[player] and not stacks[player]]
            left = sum(stack > 0 for stack in stacks)
            places |= places_of(out, had, left)
            if left <= 1:
                return places
            tables = balance_tables(
                [advance_button(table, out) for table in tables], tournaments.seats
            )
        raise AssertionError("blinds that double end every tournament")
