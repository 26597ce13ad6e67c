"""Knock-out tournaments as data, and how one is played.

`ring` has the games in which players may buy in again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.arena.guarded_player import DEFAULT_FAULTS, FaultPolicy
from railbird.arena.job_log import LogEntry, LogFormat, plain
from railbird.arena.match import Seating, seat_orders
from railbird.arena.names import (
    PlayerLike,
    as_players,
    check_entrants,
    names_of,
    parse_entrant,
    specs_of,
)
from railbird.arena.seeds import Purpose, generator
from railbird.arena.series import Segment, SegmentTable, SeriesResult, TableSession, play_series
from railbird.arena.settings import ENTRY, PAYOUTS, TABLE_SEATS
from railbird.cards import HOLDEM, Variant
from railbird.errors import BadInput
from railbird.estimates.bounded_mean import BoundedMean
from railbird.game import Betting, Rules, seeded_deals
from railbird.game.deal import Deals
from railbird.game.rules import SEATS
from railbird.histories import HandRecord
from railbird.progress import Progress
from railbird.tournament.icm import check_shares, parse_payouts, places_of, shared_out
from railbird.tournament.schedule import (
    SCHEDULE,
    Level,
    Schedule,
    Stages,
    TableOrder,
    advance_button,
    balance_tables,
    by_seat,
    first_tables,
    hand_rules,
    shoot_out_places,
)


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
    payouts: tuple[Fraction, ...] = parse_payouts(PAYOUTS)
    """Shares of the prize money by place."""
    entry: Fraction = Fraction(ENTRY)
    """Entry fee; the fees together are the prize money."""
    seats: int = TABLE_SEATS
    """Seats at a table."""
    betting: Betting = Betting.NO_LIMIT
    variant: Variant = HOLDEM
    """The game."""
    seating: Seating = Seating.SINGLE
    """In duplicate, a set has as many tournaments as players: hands of the same number deal the
    same cards to the same chairs, and every player starts in every chair. In `PERMUTED` order
    neighbours change as well. Both need a single table."""
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
        largest = min(self.seats, len(self.players))
        self.rules(self.schedule.level(0), [self.stack] * largest)  # raises if too few cards
        check_shares(self.payouts, len(self.players))
        if self.seating is not Seating.SINGLE:
            if len(self.players) > self.seats:
                raise BadInput(
                    f"{len(self.players)} players in duplicate at tables of {self.seats}; allowed: "
                    "as many as sit at one"
                )
            if self.variant.is_row_of_deck(len(self.players)):
                words = f"{len(self.players)} players in duplicate in {self.variant.name}"
                raise BadInput(f"{words}; allowed: as many as the deck has all cards for")
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
        """Number of tournaments that share their cards and together give one result."""
        return 1 if self.seating is Seating.SINGLE else len(self.players)

    def rules(self, level: Level, stacks: Sequence[int]) -> Rules:
        """Return the rules of one hand, given the stacks by seat."""
        blinds = (level.small, level.big)
        return hand_rules(
            self.betting,
            blinds=blinds,
            ante=level.ante,
            stacks=stacks,
            big_blind_ante=level.big_blind_ante,
            variant=self.variant,
        )

    def prizes(self, places: Sequence[int]) -> tuple[float, ...]:
        """Return each player's prize, given the places, in the currency of the entry fee."""
        pool = self.entry * len(self.players)
        return tuple(float(part * pool) for part in shared_out(self.payouts, places))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTournament(Segment):
    """A played tournament."""

    places: tuple[int, ...]
    """Places by player, from 1; players knocked out in equal circumstances share a place."""


class TournamentDealer:
    """Deals the cards of a tournament from one stream.

    With ``chairs``, every hand deals to all chairs, empty ones included, so that the cards of
    hand h at a chair do not depend on earlier hands.
    """

    def __init__(
        self, rng: np.random.Generator, chairs: Sequence[int] | None, variant: Variant = HOLDEM
    ) -> None:
        self._rng = rng
        self._chairs = chairs
        self._variant = variant
        self._round = -1
        self._whole: Deals

    def deal(self, table: TableOrder, round_: int) -> Deals:
        """Deal to a table whose button comes first: (1, cards) by the engine's seats."""
        if self._chairs is None:
            return seeded_deals(self._rng, len(table), 1, self._variant)
        while self._round < round_:
            self._whole = seeded_deals(self._rng, len(self._chairs), 1, self._variant)
            self._round += 1
        size = self._variant.dealt_size
        seated = [self._chairs[player] for player in by_seat(table)]
        columns = [card for chair in seated for card in range(size * chair, size * (chair + 1))]
        board = range(size * len(self._chairs), self._whole.shape[1])
        return self._whole[:, [*columns, *board]]


class TournamentTables(SegmentTable[PlayedTournament]):
    """The players of some tournaments, ready to play any of these.

    Raises `BadInput` if a player cannot be created.
    """

    def __init__(self, tournaments: Tournaments) -> None:
        self._tournaments = tournaments
        seats = min(tournaments.seats, len(tournaments.players))
        rules = tournaments.rules(tournaments.schedule.level(0), [tournaments.stack] * seats)
        self._session = TableSession(tournaments.players, tournaments.faults, rules)

    def play(self, index: int, *, reset: bool = True) -> tuple[PlayedTournament, list[HandRecord]]:
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
        finish = PlayedTournament(
            index=index, places=by_player, hands=len(hands), faults=self._session.take_faults()
        )
        return finish, hands

    def _draw(self, index: int) -> tuple[list[int], TournamentDealer]:
        """Return the players in the order of seating, and the dealer."""
        tournaments = self._tournaments
        set_, turn = divmod(index, tournaments.in_set)
        seats = generator(tournaments.seed, Purpose.TOURNAMENT_SEATS, set_)
        drawn = seats.permutation(len(tournaments.players)).tolist()
        chairs = None
        if tournaments.seating is not Seating.SINGLE:
            order = seat_orders(tournaments.seating, len(drawn))[turn]
            drawn = [drawn[place] for place in order.tolist()]
            chairs = [drawn.index(player) for player in range(len(drawn))]
        return drawn, TournamentDealer(
            generator(tournaments.seed, Purpose.TOURNAMENT_CARDS, set_),
            chairs,
            tournaments.variant,
        )

    def _shoot_out(
        self, index: int, drawn: list[int], dealer: TournamentDealer, hands: list[HandRecord]
    ) -> dict[int, int]:
        """Play stages until one player is left; a stage's losers are placed by their own stage."""
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
        dealer: TournamentDealer,
        hands: list[HandRecord],
        *,
        first_table: int,
    ) -> dict[int, int]:
        """Play some tables until one player has all chips; return the places of their players."""
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
                            *(table, stacks, rules, deals),
                            number=len(hands) + 1,
                            name=name,
                            tournament=True,
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


# Running tournaments: here or in worker processes, into a log, resuming where they stopped.


VERSION = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AverageStanding:
    """A player's averages. Each tournament, or in duplicate each set, is one independent value."""

    win_rate: BoundedMean
    prize: BoundedMean
    """Prize, in the currency of the entry fee."""
    profit: BoundedMean
    """The prize minus the entry fee."""
    place: BoundedMean

    def as_json(self) -> dict[str, Any]:
        """Return the four estimates by name."""
        return {field.name: getattr(self, field.name).as_json() for field in fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentsResult(SeriesResult[PlayedTournament]):
    """Results of several tournaments."""

    tournaments: Tournaments

    @property
    def finishes(self) -> tuple[PlayedTournament, ...]:
        """The played tournaments, in order."""
        return self.parts

    @property
    def places(self) -> NDArray[np.int64]:
        """Return places from 1, shape (tournaments, players)."""
        return np.array([finish.places for finish in self.finishes], np.int64)

    @property
    def prizes(self) -> NDArray[np.float64]:
        """Return prizes in the currency of the entry fee, shape (tournaments, players)."""
        prizes = [self.tournaments.prizes(finish.places) for finish in self.finishes]
        return np.array(prizes, np.float64)

    def wins(self, player: int) -> int:
        """Return the number of tournaments won, outright or shared."""
        return int((self.places[:, player] == 1).sum())

    def by_set(self, values: npt.ArrayLike) -> NDArray[np.float64]:
        """Average values by tournament (tournaments, ...) over each set; see `Tournaments`."""
        array = np.asarray(values, np.float64)
        by_set = array.reshape(-1, self.tournaments.in_set, *array.shape[1:])
        means: NDArray[np.float64] = by_set.mean(axis=1)
        return means

    def standing(self, player: int) -> AverageStanding:
        """Average a player's tournaments; in duplicate, over the sets that share their cards."""
        wins, prizes, places = (
            self.by_set(values[:, player])
            for values in (self.places == 1, self.prizes, self.places)
        )
        entry, players = float(self.tournaments.entry), len(self.tournaments.players)
        most = max(self.tournaments.prizes(range(1, players + 1)))
        return AverageStanding(
            win_rate=BoundedMean.of(wins, least=0, most=1, unit="wins"),
            prize=BoundedMean.of(prizes, least=0, most=most, unit="money"),
            profit=BoundedMean.of(prizes - entry, least=-entry, most=most - entry, unit="money"),
            place=BoundedMean.of(places, least=1, most=players, unit="place"),
        )

    def as_json(self, log: Path | None = None) -> dict[str, Any]:
        """Return the output of `railbird tournament --json`; ``log`` is the file of the hands."""
        tournaments = self.tournaments
        specs = specs_of(tournaments.players)
        return {
            "tournaments": tournaments.count,
            "independent": tournaments.count // tournaments.in_set,
            "seating": tournaments.seating.value,
            "stages": tournaments.stages.value,
            "hands": self.hands,
            "seed": tournaments.seed,
            "stack": tournaments.stack,
            "blinds": str(tournaments.schedule),
            **_game(tournaments),
            "hands_per_s": self.hands_per_s,
            "log": None if log is None else str(log),
            "players": {
                name: {
                    "spec": specs[player],
                    "wins": self.wins(player),
                    **self.standing(player).as_json(),
                    "faults": self.faults(player).as_json(),
                }
                for player, name in enumerate(tournaments.names)
            },
        }


@checked
def play_tournaments(
    tournaments: Tournaments,
    *,
    log: Path | str | None = None,
    workers: int = 1,
    on: str | None = None,
    keep: bool = False,
    progress: Progress | None = None,
) -> TournamentsResult:
    """Play tournaments, or those that their log lacks.

    The log and the results are the same for any number of workers and on any Ray cluster (``on``);
    see `railbird.arena.play`. ``progress`` counts tournaments. With ``keep`` the result holds the
    hands as columns.

    Raises `BadInput` for unusable players or logs, `Interrupted` on Ctrl-C (the log keeps what was
    played), `RailbirdError` if workers keep dying.
    """
    return play_series(
        partial(TournamentTables, tournaments),
        tournaments.count,
        tournament_log(tournaments),
        partial(TournamentsResult, tournaments=tournaments),
        players=tournaments.players,
        log=log,
        workers=workers,
        on=on,
        keep=keep,
        progress=progress,
    )


def tournament_log(tournaments: Tournaments) -> LogFormat[PlayedTournament]:
    """Return the format of these tournaments' log."""
    return LogFormat(
        title="series of tournaments",
        job="tournaments",
        part="tournament",
        first=1,
        names=tournaments.names,
        identity=_identity(tournaments),
        said=lambda finish: {"places": list(finish.places), "hands": finish.hands},
        read=_finish,
    )


def _finish(entry: LogEntry) -> PlayedTournament:
    places = tuple(entry.result["places"])
    if len(places) != len(entry.faults):
        raise ValueError(f"{len(places)} places for {len(entry.faults)} players")
    hands = int(entry.result["hands"])
    return PlayedTournament(index=entry.index, places=places, hands=hands, faults=entry.faults)


def _identity(tournaments: Tournaments) -> dict[str, Any]:
    """Return what determines the log's bytes, except the number of tournaments; prizes do not."""
    # Defaults are left out, so that logs from before these options existed still match.
    unusual = {}
    if tournaments.seating is not Seating.SINGLE:
        unusual["seating"] = tournaments.seating.value
    if tournaments.stages is not Stages.FREEZE_OUT:
        unusual["stages"] = tournaments.stages.value
    return {
        "version": VERSION,
        "players": [parse_entrant(player).as_json() for player in tournaments.players],
        "seed": tournaments.seed,
        "stack": tournaments.stack,
        "blinds": str(tournaments.schedule),
        "seats": tournaments.seats,
        "betting": tournaments.betting.value,
        "faults": plain(tournaments.faults.as_json()),
        **_game(tournaments),
        **unusual,
    }


def _game(tournaments: Tournaments) -> dict[str, str]:
    """Return the game's name if it is not hold'em."""
    variant = tournaments.variant
    return {} if variant is HOLDEM else {"variant": variant.name}
