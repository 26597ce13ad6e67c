"""Deals hands of a solved heads-up no-limit spot, as records for logs.

A log's hand begins before the flop. There the player in position, on the button, raises to half of
the spot's pot and the other calls, so that the pot, the stacks and the order of acting become those
of the spot; on earlier streets both check. The big blind is one chip of the spot, so that the rules
allow every bet that the spot allows; the small blind is zero. The odd chip of an odd pot is an ante
of the big blind.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDING_CARDS, Card, Holding
from railbird.errors import BadInput
from railbird.game import (
    Action,
    Betting,
    Call,
    Fold,
    OddChips,
    Raise,
    Rake,
    RakeTier,
    Rules,
    ShortAllIn,
    UncallableRaise,
)
from railbird.histories import HandRecord
from railbird.histories.verify import BettingOutcome, ending_of
from railbird.progress import Progress
from railbird.solve.spot.solution import SpotPoint, SpotSolution
from railbird.solve.spot.spot import PLAYERS, STREETS, Spot
from railbird.solve.spot.tree import ActKind, Ends
from railbird.units import Chips, Seat

_BATCH: Final = 4096
"""Hands that are dealt together; those at the same point draw from one table."""

_REPORT_EVERY: Final = 256
_LEAST_POT: Final = 2
_CENTS: Final = 100
"""The parts of a chip if these suffice for a rake: most formats can write them."""

_MOST_PARTS: Final = 10_000
"""The most parts of a chip: the precision of a rake in the rules."""

_Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SpotTable:
    """The table at which a spot is played: its rules and the actions before the spot."""

    name: str
    """The spot's digest, by which a reader of the log can identify the spot."""
    rules: Rules
    opening: tuple[Action, ...]
    unit: int
    """Chips of the table for each chip of the spot: more than one if the rake has fractions."""
    posted: tuple[int, int]
    """Chips of the spot that each player puts in before the flop."""

    @classmethod
    def of(cls, spot: Spot) -> SpotTable:
        """Return the table of a spot. Raises `BadInput` for a spot that no log can express."""
        if spot.pot < _LEAST_POT:
            raise BadInput(f"pot: {spot.pot}; hands can be written from 2 chips on, a blind each")
        half, odd = divmod(spot.pot, 2)
        rake, unit = _rake(spot)
        chips = Chips(unit)
        posted = half + odd, half
        stacks = [Chips((spot.stack + post) * unit) for post in posted]
        rules = Rules(
            betting=Betting.NO_LIMIT,
            blinds=(chips, Chips(0)),
            antes=(chips, Chips(0)) if odd else (),
            stacks=(stacks[0], stacks[1]),
            bet_sizes=(chips,) * 4,
            first_to_act=(Seat(1), Seat(0), Seat(0), Seat(0)),
            short_all_in=ShortAllIn.REOPENS,
            uncallable_raise=UncallableRaise.ALLOWED,
            odd_chips=OddChips.FRACTION,
            rake=rake,
        )
        first = Call() if half == 1 else Raise(Chips(half * unit))
        checks = (Call(), Call()) * STREETS.index(spot.street)
        return cls(f"spot {spot.digest}", rules, (first, Call(), *checks), unit, posted)

    def action(self, act: ActKind, amount: int) -> Action:
        """Return the table's action for an action of the spot."""
        match act:
            case ActKind.FOLD:
                return Fold()
            case ActKind.CHECK | ActKind.CALL:
                return Call()
            case _:
                return Raise(Chips(amount * self.unit))

    def won(self, record: HandRecord, player: int) -> float:
        """Return a player's winnings from the spot's pot, in the spot's chips."""
        return float(record.payoffs[player] / self.unit) + self.posted[player]


def _rake(spot: Spot) -> tuple[Rake | None, int]:
    """Return a spot's rake, and how many chips of the table to a chip avoid rounding it."""
    if spot.rake == 0 or spot.rake_cap == 0:
        return None, 1
    share = _parts(spot.rake, f"rake: {spot.rake}; hands can be written with 0.01 to 100 %")
    if math.isinf(spot.rake_cap):
        cap = None
    else:
        words = f"rake_cap: {spot.rake_cap}; hands can be written with a cap of four decimals"
        cap = _parts(spot.rake_cap, words)
    parts = math.lcm(share.denominator, 1 if cap is None else cap.denominator)
    unit = _CENTS if _CENTS % parts == 0 else _MOST_PARTS
    most = None if cap is None else Chips(int(cap * unit))
    return Rake(tiers=(RakeTier(share=share, cap=most),)), unit


def _parts(number: float, refused: str) -> Fraction:
    """Return a number as a fraction in ten-thousandths, as rules have. Raises `BadInput`."""
    fraction = Fraction(number).limit_denominator(_MOST_PARTS)
    if _MOST_PARTS % fraction.denominator or abs(fraction - Fraction(number)) > Fraction(1, 10**12):
        raise BadInput(refused)
    return fraction


def deal_hands(
    solution: SpotSolution, hands: int, *, seed: int = 0, progress: Progress | None = None
) -> Iterator[HandRecord]:
    """Yield hands in which both players follow the average strategies.

    Pairs of holdings without a common card are drawn in proportion to the product of their weights,
    and later cards from the rest of the deck. A seed always deals the same hands, whatever their
    number. Raises `BadInput` at once for a spot that no log can express.
    """
    table = SpotTable.of(solution.spot)
    if solution.solver.kept is not None:
        raise BadInput("a solution without its river deals no hands")
    return _Dealer(solution, table, np.random.default_rng(seed)).hands(hands, progress)


def pairs_dealt(
    solution: SpotSolution, weights: Sequence[npt.NDArray[np.float64]]
) -> tuple[_Numbers, _Numbers, npt.NDArray[np.float64]]:
    """Return all pairs of holdings that both players can have, and cumulative probabilities."""
    held = [np.flatnonzero(range_weights > 0) for range_weights in weights]
    cards = [(1 << HOLDING_CARDS[holdings].astype(np.int64)).sum(axis=1) for holdings in held]
    apart = (cards[0][:, None] & cards[1][None, :]) == 0
    rows, columns = np.nonzero(apart)
    chances = weights[0][held[0]][rows] * weights[1][held[1]][columns]
    ones, others = held[0][rows], held[1][columns]
    if (folded := solution.solver.folded) is not None:
        chances *= folded.weights(np.hstack([HOLDING_CARDS[ones], HOLDING_CARDS[others]]))
    return ones, others, np.cumsum(chances)


@dataclass(slots=True)
class _Dealer:
    solution: SpotSolution
    table: SpotTable
    rng: np.random.Generator
    _endings: dict[tuple[Action, ...], BettingOutcome] = field(default_factory=dict)

    def hands(self, count: int, progress: Progress | None) -> Iterator[HandRecord]:
        ones, others, sums = pairs_dealt(
            self.solution,
            [player_range.weights for player_range in self.solution.spot.ranges],
        )
        for first in range(0, count, _BATCH):
            size = min(_BATCH, count - first)
            # Draws are always made for a whole batch: they must not depend on the number of hands.
            drawn = self.rng.random(_BATCH)[:size] * sums[-1]
            pairs = np.minimum(np.searchsorted(sums, drawn, side="right"), len(sums) - 1)
            holdings = np.stack([ones[pairs], others[pairs]])
            played = self._played(holdings)
            for number in range(size):
                if progress is not None and number % _REPORT_EVERY == 0:
                    progress(first + number, count, "dealing hands")
                yield self._record(first + number + 1, holdings[:, number], *played[number])

    def _played(self, holdings: _Numbers) -> dict[int, tuple[tuple[Action, ...], SpotPoint]]:
        """Return the actions of each of (2, hands) holdings, and the point where each hand ends."""
        draws: list[npt.NDArray[np.float64]] = []
        played: dict[int, tuple[tuple[Action, ...], SpotPoint]] = {}
        every = np.arange(holdings.shape[1])
        waiting = [(self.solution.start(), self.table.opening, every, 0)]
        while waiting:
            point, actions, hands, depth = waiting.pop()
            if depth == len(draws):
                draws.append(self.rng.random(_BATCH))
            drawn = draws[depth][hands]
            match point.node.kind:
                case Ends.DECISION:
                    mixes = self.solution.strategy(point)[holdings[point.node.player, hands]]
                    chosen = _chosen(mixes, drawn)
                    for index in np.unique(chosen).tolist():
                        action = self.table.action(*point.node.actions[index])
                        after = point.after(index), (*actions, action)
                        waiting.append((*after, hands[chosen == index], depth + 1))
                case Ends.LATER:
                    cards = self._cards(point, holdings[:, hands], drawn)
                    for card in np.unique(cards).tolist():
                        later = self.solution.after_card(point, Card(card))
                        waiting.append((later, actions, hands[cards == card], depth + 1))
                case _:
                    played.update((hand, (actions, point)) for hand in hands.tolist())
        return played

    def _cards(
        self, point: SpotPoint, holdings: _Numbers, drawn: npt.NDArray[np.float64]
    ) -> _Numbers:
        """Return the next card for each of (2, hands) holdings, from the cards that nobody has."""
        left = np.zeros((len(drawn), 52))
        left[:, list(self.solution.solver.deck)] = 1
        left[:, list(point.cards)] = 0
        for held in holdings:
            np.put_along_axis(left, HOLDING_CARDS[held].astype(np.int64), 0, axis=1)
        if (folded := self.solution.solver.folded) is not None:
            hand, card = np.nonzero(left)
            known = np.array(point.cards[len(self.solution.spot.board) :], dtype=np.int64)
            sets = [HOLDING_CARDS[held[hand]] for held in holdings]
            sets += [np.broadcast_to(known, (len(hand), len(known))), card[:, np.newaxis]]
            left[hand, card] = folded.weights(np.hstack(sets))
        return _chosen(left, drawn)

    def _record(
        self, number: int, held: _Numbers, actions: tuple[Action, ...], point: SpotPoint
    ) -> HandRecord:
        rules = self.table.rules
        holes = Holding(int(held[0])), Holding(int(held[1]))
        if (ending := self._endings.get(actions)) is None:
            ending = self._endings[actions] = ending_of(rules, actions, holes, point.cards)
        return HandRecord(
            rules=rules,
            players=PLAYERS,
            holes=holes,
            board=point.cards,
            actions=actions,
            payoffs=ending.settle(holes, point.cards, None),
            number=number,
            table=self.table.name,
            denomination=Fraction(1, self.table.unit),
        )


def _chosen(weights: npt.NDArray[np.float64], drawn: npt.NDArray[np.float64]) -> _Numbers:
    """Choose a column in each row of weights (rows, columns), by numbers from 0 to 1."""
    sums = np.cumsum(weights, axis=1)
    below = (sums <= drawn[:, None] * sums[:, -1:]).sum(axis=1)
    columns: _Numbers = np.minimum(below, weights.shape[1] - 1)
    return columns
