"""A match as data: the players, the game, the number of deals and the seed.

`Match` contains everything that determines the bytes of the match's log; the number of processes
and the choice between compiled code and Python do not affect them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from operator import index

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked, choice
from railbird.arena.fault_policy import DEFAULT_FAULTS, FaultPolicy
from railbird.arena.match.seating import Seating, seat_orders
from railbird.arena.names import PlayerLike, as_players, check_entrants, names_of, specs_of
from railbird.arena.settings import CHUNK, HANDS, SEED
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, AcpcDealer, Rules


class Dealing(Enum):
    """Way of dealing cards from a seed."""

    SEEDED = "seeded"
    """Each deal independently: any one of a billion costs the same."""
    ACPC = "acpc"
    """The deals of the competition's dealer from the same 32-bit seed, one after the other."""


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
            raise BadInput(f"{len(self.players)} players for {self.rules.seats} seats")
        if index(self.deals) < 1 or index(self.chunk) < 1:
            raise BadInput(f"{self.deals} deals in chunks of {self.chunk}; allowed: 1 or more")
        if index(self.seed) < 0:
            raise BadInput(f"seed {self.seed}; allowed: 0 or more")
        if self.dealing is Dealing.ACPC:
            AcpcDealer(self.seed)  # refuses seeds beyond 32 bits
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
