"""A match of any hold'em as data: the players, the game, the number of deals and the seed.

`ring` and `tournament` define games in which stacks carry over.

`Match` contains everything that determines the bytes of the match's log; the number of processes
and the choice between compiled code and Python do not affect them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from operator import index

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked, choice
from railbird.arena.guarded_player import DEFAULT_FAULTS, FaultPolicy
from railbird.arena.names import PlayerLike, as_players, check_entrants, names_of, specs_of
from railbird.arena.settings import CHUNK, HANDS, SEED
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, AcpcDealer, Rules

# How players are seated in a match: once, in duplicate, or with other neighbours each time.


class Seating(Enum):
    """Number and order of the seatings in which each deal is played."""

    SINGLE = "single"
    """Once; players move by one seat from deal to deal, so that the button rotates."""
    DUPLICATE = "duplicate"
    """Once in every rotation of the players, so that each of them plays every seat's cards."""
    PERMUTED = "permuted"
    """As often, but with different neighbours each time if the number of seats allows it.

    If the number of seats is a prime p minus 1, player i sits at seat r * i modulo p in round r,
    all counted from 1. Then every player has every seat once, and any two players are each number
    of seats apart equally often. Other numbers of seats play all rotations. Rounds continue from
    deal to deal, so that nobody keeps a seat.
    """


def seat_orders(seating: Seating, seats: int) -> NDArray[np.int64]:
    """Return the players by turn and seat, (seats, seats); the turns then repeat.

    >>> seat_orders(Seating.DUPLICATE, 3).tolist()
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    """
    numbers = np.arange(seats)
    if seating is Seating.PERMUTED and is_prime(prime := seats + 1):
        inverses = np.array([pow(r, -1, prime) for r in range(1, prime)])
        return inverses[:, None] * (numbers + 1) % prime - 1
    return (numbers[:, None] + numbers) % seats


def is_prime(number: int) -> bool:
    """Return whether a small number is prime."""
    return number > 1 and all(number % divisor for divisor in range(2, math.isqrt(number) + 1))


# The match.


class Dealing(Enum):
    """Way of dealing cards from a seed."""

    SEEDED = "seeded"
    """Each deal independently, so that any one of a billion is equally cheap."""
    ACPC = "acpc"
    """The deals of the competition's dealer from the same 32-bit seed, one after another."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match, validated on construction.

    Deals are played in chunks of ``chunk``. At the start of a chunk, and of each direction within
    it, every player is reset: that makes duplicate play fair, chunks independent of each other (so
    that any number of processes gives the same bytes), and an interrupted match resumable.

    Raises `BadInput` for inconsistent values, such as a wrong number of players.
    """

    players: tuple[PlayerLike, ...]
    """Specs, or names and specs, in the order of the results."""
    rules: Rules = HEADS_UP_LIMIT
    deals: int = HANDS
    seed: int = SEED
    seating: Seating = Seating.SINGLE
    dealing: Dealing = Dealing.SEEDED
    chunk: int = CHUNK
    faults: FaultPolicy = DEFAULT_FAULTS

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", as_players(self.players))
        object.__setattr__(self, "seating", choice(Seating, self.seating))
        object.__setattr__(self, "dealing", choice(Dealing, self.dealing))
        if len(self.players) != self.rules.seats:
            raise BadInput(f"{len(self.players)} players; allowed: {self.rules.seats}, one a seat")
        if index(self.deals) < 1 or index(self.chunk) < 1:
            raise BadInput(f"{self.deals} deals in chunks of {self.chunk}; allowed: 1 or more")
        if index(self.seed) < 0:
            raise BadInput(f"seed {self.seed}; allowed: 0 or more")
        if self.dealing is Dealing.ACPC:
            self.rules.check_holdem("the ACPC's dealer")
            AcpcDealer(self.seed)  # raises for seeds beyond 32 bits
        check_entrants(self.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names in logs and results (`names_of`)."""
        return names_of(self.players)

    @property
    def specs(self) -> tuple[str, ...]:
        """The specs of the players."""
        return specs_of(self.players)

    @property
    def directions(self) -> int:
        """Number of times that each deal is played."""
        return 1 if self.seating is Seating.SINGLE else self.rules.seats

    @property
    def hands(self) -> int:
        """Hands in the whole match."""
        return self.deals * self.directions

    @property
    def chunks(self) -> int:
        """Number of chunks; the last may be shorter."""
        return -(-self.deals // self.chunk)

    def deals_of(self, chunk: int) -> range:
        """Return the numbers of a chunk's deals."""
        return range(chunk * self.chunk, min((chunk + 1) * self.chunk, self.deals))

    def seatings(self, deals: range, direction: int) -> NDArray[np.int64]:
        """Return the player in each seat, shape (deals, seats).

        In direction 0 the players sit as the ACPC's dealer seats them; in direction d all have
        moved by d seats and hold each other's cards. `Seating.PERMUTED` describes another order.
        """
        seats = self.rules.seats
        turns = (np.arange(deals.start, deals.stop) + direction) % seats
        return seat_orders(self.seating, seats)[turns]
