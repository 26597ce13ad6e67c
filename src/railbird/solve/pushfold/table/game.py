"""Push/fold at a table: who is in, what the pots pay, and what the stacks are worth afterwards.

Everybody in turn goes all-in or folds. Amounts are in big blinds unless the blinds say otherwise;
a stack includes the blind and the ante posted from it. Who posts all of it is all-in without a
decision.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.errors import BadInput
from railbird.solve.settings import MOST_AT_TABLE, MOST_IN, MOST_SEATS
from railbird.tournament import prize_equities

Floats = npt.NDArray[np.float64]

_EARLY = ("UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO", "BTN")
"""Seats before the blinds, of which a smaller table has the last ones."""

PAIR_ORDERS = ((1, 0), (0, 0), (0, 1))
"""Strengths of two hands by their order: the first wins, both tie, the second wins."""
TRIPLE_ORDERS = (
    *((3, 1, third) for third in range(5)),
    *((1, 3, third) for third in range(5)),
    *((2, 2, third) for third in (1, 2, 3)),
)
"""Strengths of three hands by their order, as `railbird.odds.equity.preflop_triples` counts it."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class PushFoldTable:
    """The stakes of one hand at a table.

    Raises `BadInput` for more seats that post all they have than can be all-in beside another one,
    and for amounts that no table has.
    """

    stacks: tuple[float, ...]
    """In the order of acting, the small blind last but one, the big blind last."""
    payouts: tuple[float, ...] | None = None
    """Prizes from the first place on; with none, chips are what counts."""
    blinds: tuple[float, float] = (0.5, 1.0)
    ante: float = 0.0
    """Posted by each player."""
    big_blind_ante: float = 0.0
    """Posted by the big blind for everybody: chips in the pot that no one else has to match."""

    def __post_init__(self) -> None:
        if not 2 <= len(self.stacks) <= MOST_SEATS:
            raise BadInput(f"{len(self.stacks)} stacks; allowed: 2 to {MOST_SEATS}")
        small, big = self.blinds
        antes = (self.ante, self.big_blind_ante)
        if not (0 < small <= big < math.inf and all(0 <= ante < math.inf for ante in antes)):
            raise BadInput(
                f"blinds {small:g}/{big:g}, ante {max(antes, key=abs):g}; allowed: a small blind "
                "above 0, a big blind at least as large, an ante of 0 or more"
            )
        for stack, name in zip(self.stacks, self.seats, strict=True):
            if not 0 < stack <= MOST_AT_TABLE * big:
                raise BadInput(
                    f"stack {stack:g} of {name}; allowed: above 0, to {MOST_AT_TABLE * big:g}"
                )
        if len(self.forced) >= MOST_IN:
            names = ", ".join(self.seats[seat] for seat in self.forced)
            raise BadInput(
                f"{names} are all-in with what they post; allowed: up to {MOST_IN - 1} seats"
            )
        if self.payouts is not None:
            prize_equities(self.stacks, self.payouts)

    @property
    def seats(self) -> tuple[str, ...]:
        """Names of the seats in the order of acting."""
        return (*_EARLY[len(_EARLY) - len(self.stacks) + 2 :], "SB", "BB")

    @property
    def posts(self) -> tuple[float, ...]:
        """Blind and ante of each seat, as far as its stack goes; see also `dead`."""
        small, big = self.blinds
        blinds = [0.0] * (len(self.stacks) - 2) + [small, big]
        posted = zip(blinds, self.stacks, strict=True)
        return tuple(min(blind + self.ante, stack) for blind, stack in posted)

    @property
    def dead(self) -> float:
        """The big blind ante, as far as the stack goes: the blind comes first."""
        return min(self.big_blind_ante, self.stacks[-1] - self.posts[-1])

    @property
    def forced(self) -> tuple[int, ...]:
        """The seats that are all-in with what they post, and decide nothing."""
        left = [stack - post for stack, post in zip(self.stacks, self.posts, strict=True)]
        left[-1] -= self.dead
        return tuple(seat for seat, chips in enumerate(left) if chips <= 0)

    @property
    def equities(self) -> Floats:
        """(seats,) what the stacks are worth before the hand: prize equity, or big blinds."""
        if self.payouts is None:
            return np.array(self.stacks) / self.blinds[1]
        return prize_equities(self.stacks, self.payouts)

    @property
    def unit(self) -> str:
        """What values are in: the payouts' unit, or big blinds."""
        return "bb" if self.payouts is None else "prize"

    @property
    def whole(self) -> float:
        """What exploitability is a share of: all prizes, or all chips in big blinds."""
        if self.payouts is None:
            return sum(self.stacks) / self.blinds[1]
        return float(sum(self.payouts[: len(self.stacks)]))

    def values(self, payoffs: Floats) -> Floats:
        """Return what results in chips (seats,) are worth: prize equity won, or big blinds."""
        if self.payouts is None:
            return payoffs / self.blinds[1]
        stacks = np.array(self.stacks)
        after = np.maximum(stacks + payoffs, 0.0)
        after[after < 1e-9 * stacks.sum()] = 0.0  # what rounding leaves of a lost stack
        return prize_equities(after.tolist(), self.payouts, had=self.stacks) - self.equities

    def ends(self) -> Iterator[tuple[tuple[int, ...], Floats]]:
        """Yield the seats all-in at each end of the hand, and values (orders, seats) by order."""
        for size in range(min(MOST_IN, len(self.stacks)) + 1):
            orders = {2: PAIR_ORDERS, 3: TRIPLE_ORDERS}.get(size, ((0,),))
            for seats in combinations(range(len(self.stacks)), size):
                if not self._can_end(seats):
                    continue
                rows = [self.values(settled(self, seats, order)) for order in orders]
                yield seats, np.array(rows)

    def _can_end(self, seats: Sequence[int]) -> bool:
        """Whether a hand can end with these seats all-in: the others could all fold."""
        last = len(self.stacks) - 1
        return all(seat in seats or (seat == last and not seats) for seat in self.forced)


def settled(table: PushFoldTable, seats: Sequence[int], strengths: Sequence[int]) -> Floats:
    """Return every seat's result in chips: ``seats`` are all-in, with hands of these strengths.

    With nobody all-in the big blind wins. Every layer of the pot goes to the best of the hands that
    paid for it; what nobody called returns to the last who paid it. The big blind ante goes to the
    best of all hands.
    """
    last = len(table.stacks) - 1
    strength = dict(zip(seats, strengths, strict=True)) if seats else {last: 0}
    paid = np.array(table.posts)
    paid[list(seats)] = np.array(table.stacks)[list(seats)]
    if last in strength and seats:
        paid[last] -= table.dead
    payoffs = -paid
    payoffs[last] -= table.dead
    ahead = [seat for seat in strength if strength[seat] == max(strength.values())]
    payoffs[ahead] += table.dead / len(ahead)
    below = 0.0
    for level in np.unique(paid[paid > 0]):
        payers = np.flatnonzero(paid >= level)
        live = [seat for seat in payers.tolist() if seat in strength] or [int(payers[-1])]
        best = max(strength.get(seat, 0) for seat in live)
        winners = [seat for seat in live if strength.get(seat, 0) == best]
        payoffs[winners] += (level - below) * len(payers) / len(winners)
        below = float(level)
    return payoffs
