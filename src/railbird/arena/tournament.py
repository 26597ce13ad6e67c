"""Knock-out tournaments as data, and one of them played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count

import numpy as np

from railbird.arena.faults import DEFAULT_FAULTS, FaultPolicy, FaultTally
from railbird.arena.floor import Table, balanced, by_seat, first_tables, moved, places_of
from railbird.arena.match import names_of
from railbird.arena.schedule import Level, Schedule, parse_payouts, parse_schedule, shared_out
from railbird.arena.table import Guarded, action_of, play_hand
from railbird.cards import HOLDING_INDEX, Card, Holding
from railbird.errors import BadInput
from railbird.game import BOARD_CARDS, Betting, Rules, initial, no_limit_holdem, seeded_deals
from railbird.game import _kernels_layout as at
from railbird.game.rules import SEATS
from railbird.histories import HandRecord
from railbird.players import make_player, parse_spec

SCHEDULE = parse_schedule("10/20x20,15/30x20,25/50x20,50/100x20,75/150x20,100/200x20")
PAYOUTS = parse_payouts("100")

_DRAW, _CARDS, _PLAYERS = 2, 3, 4
"""What a tournament's randomness is for; matches have 0 and 1 (`railbird.arena.seeds`)."""
_LIMIT_RAISES = (3, 4, 4, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournaments:
    """A number of tournaments of the same players, validated on construction.

    Each is independent of the others: the players are reset, and the seats are drawn anew. All
    tables play hand for hand, and the blinds rise with the number of hands played at a table. Odd
    chips go to the first seat left of the button, and a short all-in does not reopen the betting.

    Raises `BadInput` for anything that cannot be played.
    """

    players: tuple[str, ...]
    """Specs, in the order in which the results name them."""
    count: int
    seed: int
    stack: int
    """Chips of everyone at the start."""
    schedule: Schedule = SCHEDULE
    payouts: tuple[Fraction, ...] = PAYOUTS
    """Parts of the prize money by place."""
    entry: Fraction = Fraction(1)
    """What everyone pays; together it is the prize money."""
    seats: int = 9
    """Of one table."""
    betting: Betting = Betting.NO_LIMIT
    faults: FaultPolicy = DEFAULT_FAULTS

    def __post_init__(self) -> None:
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
        for spec in self.players:
            parse_spec(spec)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names; the second copy of a spec ends in ``#2``."""
        return names_of(self.players)

    def rules(self, level: Level, stacks: Sequence[int]) -> Rules:
        """The rules of one hand, the stacks by seat."""
        blinds = (level.small, level.big)
        rules = no_limit_holdem(len(stacks), blinds=blinds, stack=stacks, ante=level.ante)
        if self.betting is not Betting.LIMIT:
            return replace(rules, betting=self.betting)
        small, big = rules.bet_sizes[0], type(rules.bet_sizes[0])(2 * level.big)
        return replace(
            rules,
            betting=Betting.LIMIT,
            bet_sizes=(small, small, big, big),
            max_raises=_LIMIT_RAISES,
        )

    def prizes(self, places: Sequence[int]) -> tuple[float, ...]:
        """What each player wins with these places, in the money of the entry fee."""
        pool = self.entry * len(self.players)
        return tuple(float(part * pool) for part in shared_out(self.payouts, places))


@dataclass(frozen=True, slots=True)
class Finish:
    """One tournament, played."""

    index: int
    places: tuple[int, ...]
    """By player, from 1; players who were knocked out in equal circumstances share one."""
    hands: int
    faults: tuple[FaultTally, ...]
    """By player."""
    text: bytes = b""
    """The hands as the log has them; empty where none is kept."""

    def with_text(self, text: bytes) -> Finish:
        """The same with this text."""
        return replace(self, text=text)


class Floor:
    """The players of tournaments, who can play any of them.

    Raises `BadInput` if a player cannot be made.
    """

    def __init__(self, tournaments: Tournaments) -> None:
        self._tournaments = tournaments
        self._players = [
            Guarded(make_player(spec), tournaments.faults, number)
            for number, spec in enumerate(tournaments.players)
        ]

    def play(self, index: int) -> tuple[Finish, list[HandRecord]]:
        """Play one tournament to its end; its hands in the order of play."""
        tournaments = self._tournaments
        everybody = range(len(self._players))
        for number in everybody:
            self._players[number].reset(_rng(tournaments, index, _PLAYERS, number))
        dealer = _rng(tournaments, index, _CARDS)
        drawn = _rng(tournaments, index, _DRAW).permutation(len(everybody)).tolist()
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
            tables = balanced([moved(table, out) for table in tables], tournaments.seats)
        faults = tuple(player.hand_in() for player in self._players)
        return Finish(index, tuple(places.values()), len(hands), faults), hands

    def _hand(
        self,
        table: Table,
        stacks: list[int],
        level: Level,
        dealer: np.random.Generator,
        number: int,
        name: str,
    ) -> HandRecord:
        """Play one hand; the chips in ``stacks`` change hands."""
        seated = by_seat(table)
        rules = self._tournaments.rules(level, [stacks[player] for player in seated])
        deals = seeded_deals(dealer, rules.seats, 1)
        seats = [self._players[player] for player in seated]
        hand, codes = play_hand(initial(rules), deals, 0, seats, number)
        payoffs: list[int] = hand[at.HEADER + at.PAYOFF :: at.STRIDE].tolist()
        for player, won in zip(seated, payoffs, strict=True):
            stacks[player] += won
        cards = deals[0]
        low, high = cards[: 2 * rules.seats : 2], cards[1 : 2 * rules.seats : 2]
        names = self._tournaments.names
        return HandRecord(
            rules=rules,
            players=tuple(names[player] for player in seated),
            holes=tuple(map(Holding, HOLDING_INDEX[low, high].tolist())),
            board=tuple(map(Card, cards[2 * rules.seats :][: _dealt(hand)].tolist())),
            actions=tuple(map(action_of, codes)),
            payoffs=tuple(map(Fraction, payoffs)),
            number=number,
            table=name,
        )


def _dealt(hand: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    return BOARD_CARDS[hand.item(at.STREET)]


def _rng(tournaments: Tournaments, index: int, *purpose: int) -> np.random.Generator:
    seeds = np.random.SeedSequence(tournaments.seed, spawn_key=(*purpose, index))
    return np.random.Generator(np.random.PCG64(seeds))
