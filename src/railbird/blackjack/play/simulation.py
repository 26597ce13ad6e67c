"""Tables with several seats, shoes and a cut card, simulated."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.blackjack.exact.hand_values import kernel_table
from railbird.blackjack.exact.strategy import Strategy
from railbird.blackjack.play import _kernels_simulate as kernels
from railbird.blackjack.play._kernels_shoe import BINS, MIDDLE
from railbird.blackjack.play._kernels_simulate import COLUMNS, Kept, Seats
from railbird.blackjack.play._tables_tokens import MOST_TOKENS
from railbird.blackjack.play.counting import CountSystem
from railbird.blackjack.rules import Rules
from railbird.blackjack.settings import CHUNK, LEAST_AFTER_CUT, MOST_SEATS, PENETRATION
from railbird.blackjack.shoe import RANKS, Shoe, full_shoe
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.estimates.estimate import Moments
from railbird.progress import Progress

UNIT = "wagers"
"""Unit of results: one least bet."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seat:
    """A player at the table."""

    name: str
    strategy: Strategy
    system: CountSystem | None = None
    by_count: Mapping[int, Strategy] | None = None
    """What is played at a count rather than ``strategy``."""
    insurance: int | None = None
    """The lowest count at which insurance is taken."""
    bets: Mapping[int, float] | None = None
    """Wagers from a count on, in units; 1 below the lowest count, and where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResult:
    """What a seat won."""

    name: str
    won: Estimate
    """In units a round."""
    sd: float
    """Of one round."""
    wagered: float
    """First wagers a round, in units."""
    by_count: Mapping[int, Estimate]
    """Winnings a unit wagered, by the count before the deal; empty without a count."""

    @property
    def per_wager(self) -> float:
        """Winnings by unit of the first wagers."""
        return self.won.value / self.wagered if self.wagered else math.nan


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoggedRounds:
    """Rounds of one seat, event by event."""

    tokens: npt.NDArray[np.int8]
    """(rounds, `MOST_TOKENS`): see `railbird.blackjack.play._tables_tokens`; -1 after the last."""
    before: Shoe
    """Unseen cards before each deal (rounds, 10)."""
    won: npt.NDArray[np.float64]
    """In wagers (rounds,)."""
    wagers: npt.NDArray[np.float64]
    """In units (rounds,)."""


def simulate(
    rules: Rules,
    seats: Sequence[Seat],
    rounds: int,
    *,
    penetration: float,
    seed: int,
    progress: Progress | None = None,
) -> list[SeatResult]:
    """Play rounds on all cores; the same seed gives the same result on any number of them.

    The shoe is shuffled once the share ``penetration`` of it has been dealt; 0 shuffles before each
    round. Raises `BadInput` for more seats or rounds than there can be, and for a cut that leaves
    too few cards.
    """
    if rounds < 1:
        raise BadInput(f"{rounds} rounds; allowed: 1 or more")
    deck, cut = _deck(rules, len(seats), penetration)
    table, packed = kernel_table(rules), _pack(rules, seats)

    def play(start: int, stop: int) -> npt.NDArray[np.float64]:
        sums = np.zeros((len(seats), BINS, COLUMNS))
        state = _state(seed, start)
        kept = _kept(0, len(seats), rules)
        kernels.simulate(stop - start, deck.copy(), cut, packed, table, state, sums, kept)
        return sums

    parts = in_slices(play, rounds, size=CHUNK, what="playing", progress=progress)
    total = np.sum(parts, axis=0)
    return [_result(seat, total[place]) for place, seat in enumerate(seats)]


def play_logged(
    rules: Rules, seats: Sequence[Seat], rounds: int, *, penetration: float, seed: int
) -> list[LoggedRounds]:
    """Play rounds in order, and keep what each seat did and saw in each of them."""
    deck, cut = _deck(rules, len(seats), penetration)
    kept = _kept(rounds, len(seats), rules)
    sums = np.zeros((len(seats), BINS, COLUMNS))
    state = _state(seed, 0)
    kernels.simulate(rounds, deck, cut, _pack(rules, seats), kernel_table(rules), state, sums, kept)
    whole = (kept.logs[:, :, 0] >= 0).all(axis=1)
    return [
        LoggedRounds(
            tokens=np.ascontiguousarray(kept.logs[whole, place]),
            before=kept.before[whole],
            won=kept.money[whole, place],
            wagers=kept.wagers[whole, place],
        )
        for place in range(len(seats))
    ]


def _kept(rounds: int, seats: int, rules: Rules) -> Kept:
    return Kept(
        np.full((rounds, seats, MOST_TOKENS), -1, np.int8),
        np.tile(full_shoe(rules), (rounds, 1)),
        np.zeros((rounds, seats)),
        np.zeros((rounds, seats)),
    )


def usual_penetration(rules: Rules, seats: int) -> float:
    """Return the share of the shoe that is dealt where nothing is said: `PENETRATION`, or less.

    One deck has too few cards for a last round after three quarters of it.
    """
    if not rules.decks:
        return PENETRATION
    most = 1.0 - LEAST_AFTER_CUT * (seats + 1) / float(full_shoe(rules).sum())
    return max(0.0, min(PENETRATION, math.floor(100 * most) / 100))


def _state(seed: int, start: int) -> npt.NDArray[np.uint64]:
    words = np.random.SeedSequence((seed, start)).generate_state(1, np.uint64)
    return words.astype(np.uint64)


def _deck(rules: Rules, seats: int, penetration: float) -> tuple[npt.NDArray[np.uint8], int]:
    if not 1 <= seats <= MOST_SEATS:
        raise BadInput(f"{seats} seats; allowed: 1 to {MOST_SEATS}")
    if not 0 <= penetration < 1:
        raise BadInput(f"penetration {penetration:g}; allowed: 0 or more, below 1")
    counts = full_shoe(rules).astype(np.int64)
    deck = np.repeat(np.arange(len(RANKS)), counts).astype(np.uint8)
    cut = max(1, round(penetration * len(deck)))
    least = LEAST_AFTER_CUT * (seats + 1)
    if cut > 1 and rules.decks and len(deck) - cut < least:
        raise BadInput(
            f"penetration {penetration:g} leaves {len(deck) - cut} cards for {seats} seats; "
            f"allowed: up to {max(0.0, 1 - least / len(deck)):.2f}"
        )
    return deck, cut


def _pack(rules: Rules, seats: Sequence[Seat]) -> Seats:
    strategies: list[Strategy] = []
    which = np.zeros((len(seats), BINS), np.int64)
    insures = np.zeros((len(seats), BINS), np.bool_)
    bets = np.ones((len(seats), BINS))
    for place, seat in enumerate(seats):
        if seat.strategy.rules != rules:
            raise BadInput(f"{seat.name}: a strategy for {seat.strategy.rules.text()}")
        first = len(strategies)
        strategies.append(seat.strategy)
        which[place] = first
        insures[place] = seat.strategy.insures
        counts = sorted(seat.by_count or ())
        strategies += [(seat.by_count or {})[count] for count in counts]
        for count in range(-MIDDLE, MIDDLE + 1):
            here = count + MIDDLE
            if counts:
                nearest = min(max(count, counts[0]), counts[-1])
                which[place, here] = first + 1 + counts.index(nearest)
            if seat.insurance is not None:
                insures[place, here] = count >= seat.insurance
            reached = [step for step in seat.bets or () if count >= step]
            bets[place, here] = (seat.bets or {})[max(reached)] if reached else 1.0
    systems = [seat.system for seat in seats]
    return Seats(
        np.stack([strategy.actions for strategy in strategies]),
        which,
        insures,
        bets,
        np.array([system.tags if system else (0.0,) * 10 for system in systems], float),
        np.array([system.start(rules) if system else 0.0 for system in systems]),
        np.array([system.drift if system else 0.0 for system in systems]),
        np.array([system is None or system.by_deck for system in systems]),
    )


def _result(seat: Seat, sums: npt.NDArray[np.float64]) -> SeatResult:
    rounds, wagered, won, squares = sums.sum(axis=0)
    moments = _moments(rounds, won, squares)
    by_count = {}
    if seat.system is not None:
        for count, row in enumerate(sums, start=-MIDDLE):
            bet = row[kernels.WAGERED] / row[kernels.ROUNDS] if row[kernels.ROUNDS] else 0.0
            if bet:
                here = _moments(row[0], row[kernels.WON] / bet, row[kernels.SQUARES] / bet**2)
                by_count[count] = here.estimate(UNIT)
    return SeatResult(
        name=seat.name,
        won=moments.estimate(UNIT),
        sd=moments.sd,
        wagered=wagered / rounds,
        by_count=by_count,
    )


def _moments(rounds: float, won: float, squares: float) -> Moments:
    mean = won / rounds
    return Moments(int(rounds), float(mean), float(max(squares - rounds * mean * mean, 0.0)))
