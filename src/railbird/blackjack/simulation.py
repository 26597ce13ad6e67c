"""Simulating tables with several seats, shoes and a cut card."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import HasTable
from railbird._files import bounded_text
from railbird._threads import in_slices
from railbird.blackjack import simulation_kernels as kernels
from railbird.blackjack.chart import HARD, PAIRS, ROWS, SOFT_ROWS, UPCARDS, Chart, source_chart
from railbird.blackjack.counting import (
    CountSystem,
    counted_strategies,
    insurance_index,
    parse_system,
)
from railbird.blackjack.exact import (
    Strategy,
    basic_strategy,
    kernel_table,
    optimal_strategy,
    strategy_of_chart,
)
from railbird.blackjack.rules import (
    CHUNK,
    LEAST_AFTER_CUT,
    MOST_SEATS,
    MOST_SIMULATED,
    PENETRATION,
    RANKS,
    Rules,
    Shoe,
    Soft17,
    full_shoe,
)
from railbird.blackjack.simulation_kernels import BINS, COLUMNS, MIDDLE, KeptRounds, SeatArrays
from railbird.blackjack.tables import MOST_TOKENS
from railbird.errors import BadInput, unknown_name
from railbird.estimates import Estimate
from railbird.estimates.estimate import Moments
from railbird.progress import Progress

UNIT = "wagers"
"""The unit of results, the smallest bet."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableSeat:
    """How a seat at the table plays and bets."""

    name: str
    strategy: Strategy
    system: CountSystem | None = None
    by_count: Mapping[int, Strategy] | None = None
    """Strategies that replace ``strategy`` at given counts."""
    insurance: int | None = None
    """The lowest count at which insurance is taken."""
    bets: Mapping[int, float] | None = None
    """Wagers from each count on, in units; 1 below the lowest count, or if there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResult(HasTable):
    """The results of one seat."""

    name: str
    won: Estimate
    """Winnings in units per round."""
    sd: float
    """Standard deviation of one round."""
    wagered: float
    """First wagers per round, in units."""
    by_count: Mapping[int, Estimate]
    """Winnings per unit wagered, by the count before the deal; empty without a count."""

    @property
    def per_wager(self) -> float:
        """Winnings per unit of the first wagers."""
        return self.won.value / self.wagered if self.wagered else math.nan


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoggedRounds:
    """Rounds of one seat, event by event."""

    tokens: npt.NDArray[np.int8]
    """(rounds, `MOST_TOKENS`) events (see `railbird.blackjack.tables`), -1 after the last."""
    before: Shoe
    """(rounds, 10) unseen cards before each deal."""
    won: npt.NDArray[np.float64]
    """(rounds,) winnings in wagers."""
    wagers: npt.NDArray[np.float64]
    """(rounds,) wagers in units."""


@checked
def simulate(
    rules: Rules,
    seats: Sequence[TableSeat],
    rounds: int,
    *,
    penetration: float,
    seed: int,
    progress: Progress | None = None,
) -> list[SeatResult]:
    """Play rounds on all cores; a seed gives the same result on any number of cores.

    The shoe is shuffled once the share ``penetration`` of it has been dealt; 0 shuffles it before
    each round. Raises `BadInput` for too many seats or rounds, and if the cut leaves too few cards.
    """
    if not 1 <= rounds <= MOST_SIMULATED:
        raise BadInput(f"{rounds} rounds; allowed: 1 to {MOST_SIMULATED:,}")
    deck, cut = _deck(rules, len(seats), penetration)
    table, packed = kernel_table(rules), _pack(rules, seats)

    def play(start: int, stop: int) -> npt.NDArray[np.float64]:
        sums = np.zeros((len(seats), BINS, COLUMNS))
        # The generator depends on the first round of a slice and not on the thread, so the results
        # are the same on any number of cores.
        state = _state(seed, start)
        rounds_kept = _kept(0, len(seats), rules)
        kernels.simulate_rounds(
            stop - start, deck.copy(), cut, packed, table, state, sums, rounds_kept
        )
        return sums

    parts = in_slices(play, rounds, size=CHUNK, what="playing", progress=progress)
    total = np.sum(parts, axis=0)
    return [_result(seat, total[place]) for place, seat in enumerate(seats)]


@checked
def play_logged(
    rules: Rules, seats: Sequence[TableSeat], rounds: int, *, penetration: float, seed: int
) -> list[LoggedRounds]:
    """Play rounds in order, and keep the events at each seat."""
    deck, cut = _deck(rules, len(seats), penetration)
    records = _kept(rounds, len(seats), rules)
    sums = np.zeros((len(seats), BINS, COLUMNS))
    state = _state(seed, 0)
    kernels.simulate_rounds(
        rounds, deck, cut, _pack(rules, seats), kernel_table(rules), state, sums, records
    )
    complete = (records.logs[:, :, 0] >= 0).all(axis=1)
    return [
        LoggedRounds(
            tokens=np.ascontiguousarray(records.logs[complete, seat]),
            before=records.before[complete],
            won=records.money[complete, seat],
            wagers=records.wagers[complete, seat],
        )
        for seat in range(len(seats))
    ]


def _kept(rounds: int, seats: int, rules: Rules) -> KeptRounds:
    return KeptRounds(
        np.full((rounds, seats, MOST_TOKENS), -1, np.int8),
        np.tile(full_shoe(rules), (rounds, 1)),
        np.zeros((rounds, seats)),
        np.zeros((rounds, seats)),
    )


@checked
def usual_penetration(rules: Rules, seats: int) -> float:
    """Return the default share of the shoe that is dealt: `PENETRATION`, or less.

    One deck has too few cards for a last round after three quarters of it.
    """
    if not rules.decks:
        return PENETRATION
    most = 1.0 - LEAST_AFTER_CUT * (seats + 1) / float(full_shoe(rules).sum())
    return max(0.0, min(PENETRATION, math.floor(100 * most) / 100))


def _state(seed: int, start: int) -> npt.NDArray[np.uint64]:
    if seed < 0:
        raise BadInput(f"seed {seed}; allowed: 0 or more")
    words = np.random.SeedSequence((seed, start)).generate_state(1, np.uint64)
    return words.astype(np.uint64)


def _deck(rules: Rules, seats: int, penetration: float) -> tuple[npt.NDArray[np.uint8], int]:
    if not 1 <= seats <= MOST_SEATS:
        raise BadInput(f"{seats} seats; allowed: 1 to {MOST_SEATS}")
    if not 0 <= penetration < 1:
        raise BadInput(f"penetration {penetration:g}; allowed: 0 or more, below 1")
    counts = full_shoe(rules).astype(np.int64)
    deck = np.repeat(np.arange(len(RANKS)), counts).astype(np.uint8)
    # A cut after the first card shuffles before each round, as every round deals more than one.
    cut = max(1, round(penetration * len(deck)))
    least = LEAST_AFTER_CUT * (seats + 1)
    if cut > 1 and rules.decks and len(deck) - cut < least:
        raise BadInput(
            f"penetration {penetration:g} leaves {len(deck) - cut} cards for {seats} seats; "
            f"allowed: up to {max(0.0, 1 - least / len(deck)):.2f}"
        )
    return deck, cut


def _pack(rules: Rules, seats: Sequence[TableSeat]) -> SeatArrays:
    strategies: list[Strategy] = []
    strategy_of = np.zeros((len(seats), BINS), np.int64)
    insures = np.zeros((len(seats), BINS), np.bool_)
    bets = np.ones((len(seats), BINS))
    for row, seat in enumerate(seats):
        if seat.strategy.rules != rules:
            raise BadInput(f"{seat.name}: a strategy for {seat.strategy.rules.text()}")
        first = len(strategies)
        strategies.append(seat.strategy)
        strategy_of[row] = first
        insures[row] = seat.strategy.insures
        counts = sorted(seat.by_count or ())
        # Strategies of all seats lie in one list: each seat's own first, then those of its counts.
        strategies += [(seat.by_count or {})[count] for count in counts]
        for count in range(-MIDDLE, MIDDLE + 1):
            column = count + MIDDLE
            if counts:
                # Beyond the counts that have a strategy, the nearest of them plays.
                nearest = min(max(count, counts[0]), counts[-1])
                strategy_of[row, column] = first + 1 + counts.index(nearest)
            if seat.insurance is not None:
                insures[row, column] = count >= seat.insurance
            reached = [step for step in seat.bets or () if count >= step]
            bets[row, column] = (seat.bets or {})[max(reached)] if reached else 1.0
    systems = [seat.system for seat in seats]
    return SeatArrays(
        np.stack([strategy.actions for strategy in strategies]),
        strategy_of,
        insures,
        bets,
        np.array([system.tags if system else (0.0,) * 10 for system in systems], float),
        np.array([system.start(rules) if system else 0.0 for system in systems]),
        np.array([system.drift if system else 0.0 for system in systems]),
        np.array([system is None or system.by_deck for system in systems]),
    )


def _result(seat: TableSeat, sums: npt.NDArray[np.float64]) -> SeatResult:
    rounds, wagered, won, squares = sums.sum(axis=0)
    moments = _moments(rounds, won, squares)
    by_count = {}
    if seat.system is not None:
        for count, row in enumerate(sums, start=-MIDDLE):
            # All wagers at one count are equal, so sums can be divided by the wager after they were
            # added up.
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
    # Rounding may take the sum of squares of a seat that always wins the same a little below
    # nought.
    return Moments(int(rounds), float(mean), float(max(squares - rounds * mean * mean, 0.0)))


# Seats as text: ``basic``, ``optimal``, ``basic:count=hi-lo,index,bets=1:2/2:4/3:8``.


def _mimic(rules: Rules) -> Strategy:
    """Return the dealer's own play, which never doubles or splits."""
    hits_18 = "H" if rules.soft_17 is Soft17.HIT else "S"
    hard = {row: "H" if int(row) < 17 else "S" for row in HARD}
    soft = {row: "H" if int(row[2]) < 6 else hits_18 if row == "A,6" else "S" for row in SOFT_ROWS}
    pairs = {row: _plain_pair(row, hard) for row in PAIRS}
    return strategy_of_chart("mimic", rules, _same(hard | soft | pairs))


def _never_bust(rules: Rules) -> Strategy:
    """Return play that never hits a hand that could bust, and never doubles or splits."""
    hard = {row: "H" if int(row) < 12 else "S" for row in HARD}
    soft = {row: "H" if int(row[2]) < 7 else "S" for row in SOFT_ROWS}
    pairs = {row: _plain_pair(row, hard) for row in PAIRS}
    return strategy_of_chart("never-bust", rules, _same(hard | soft | pairs))


def _plain_pair(row: str, hard: dict[str, str]) -> str:
    if row == "A,A":
        return "H"
    value = 10 if row == "T,T" else int(row[0])
    return hard.get(str(2 * value), "H")


def _same(cells: dict[str, str]) -> Chart:
    return {row: dict.fromkeys(UPCARDS, cell) for row, cell in cells.items()}


STRATEGIES: Final[dict[str, Callable[[Rules], Strategy]]] = {
    "basic": basic_strategy,
    "optimal": optimal_strategy,
    "source": lambda rules: strategy_of_chart("source", rules, source_chart()),
    "mimic": _mimic,
    "never-bust": _never_bust,
}
"""Strategies by name: best by total, best by cards, Kan's table, the dealer's, the timid one."""


@checked
def parse_strategy(text: str, rules: Rules) -> Strategy:
    """Return a strategy by its name, or from a chart in a CSV file. Raises `BadInput`."""
    if text in STRATEGIES:
        return STRATEGIES[text](rules)
    if text.lower().endswith(".csv"):
        return strategy_of_chart(Path(text).name, rules, read_chart(Path(text)))
    raise unknown_name("strategy", text, [*STRATEGIES, "FILE.csv"])


_LONGEST_CHART: Final = 1 << 20
"""Bytes."""


def read_chart(path: Path) -> Chart:
    """Read a chart as `railbird blackjack strategy --out FILE.csv` writes it. Raises `BadInput`."""
    lines = bounded_text(path, _LONGEST_CHART).splitlines()
    rows: dict[str, dict[str, str]] = {}
    for number, line in enumerate(lines, 1):
        # Spreadsheets write a mark before the first line, quote cells, and separate them by
        # semicolons where the decimal sign is a comma.
        cells = [cell.strip() for cell in line.replace('"', "").split(";" if ";" in line else ",")]
        row = cells[0].replace("-", ",")
        if row in ROWS:
            if len(cells) != len(UPCARDS) + 1:
                raise BadInput(f"{path}, line {number}: {len(cells) - 1} cells; allowed: 10")
            rows[row] = dict(zip(UPCARDS, cells[1:], strict=True))
        elif number > 1 and any(cells):
            raise BadInput(f"{path}, line {number}: row {cells[0]!r}; allowed: 5-20, A-2, 2-2 …")
    # The smallest and the largest totals may be missing, since everybody plays them like their
    # neighbours.
    missing = [row for row in ROWS if row not in rows and row not in ("5", "6", "7", "20")]
    if missing:
        raise BadInput(f"{path}: no row {missing[0].replace(',', '-')!r}")
    return rows


@checked
def parse_seat(text: str, rules: Rules, *, progress: Progress | None = None) -> TableSeat:
    """Read a seat: a strategy, and optionally a count and a betting plan. Raises `BadInput`.

    ``count=SYSTEM`` names the counting system. With ``index`` the seat plays best for the count,
    insurance included. ``bets=1:2/3:8`` wagers 2 units from a count of 1 on, 8 units from 3 on, and
    otherwise 1.
    """
    name, _, options = text.partition(":")
    strategy = parse_strategy(name, rules)
    system, indexed, bets = None, False, None
    for option in filter(None, options.split(",")):
        key, _, value = option.partition("=")
        if key == "count":
            system = parse_system(value)
        elif option == "index":
            indexed = True
        elif key == "bets":
            bets = _bets(value)
        else:
            raise unknown_name("option of a seat", option, ["count=", "index", "bets="])
    if system is None and (indexed or bets):
        raise BadInput(f"{text}: no count; allowed: count=hi-lo with index and bets")
    if system is not None and not rules.decks:
        raise BadInput(f"{text}: decks=inf; allowed: a count of a finite shoe")
    by_count, insurance = None, None
    if indexed and system is not None:
        by_count = counted_strategies(rules, system, progress=progress)
        insurance = insurance_index(rules, system)
    return TableSeat(
        name=text,
        strategy=strategy,
        system=system,
        by_count=by_count,
        insurance=insurance,
        bets=bets,
    )


def _bets(text: str) -> dict[int, float]:
    bets: dict[int, float] = {}
    for step in text.split("/"):
        count, _, units = step.partition(":")
        try:
            bets[int(count)] = float(units)
        except ValueError:
            raise BadInput(f"bets={text}; allowed: counts and units such as 1:2/3:8") from None
        if not 0 <= bets[int(count)] <= 1e6 or abs(int(count)) > 20:
            raise BadInput(f"bets={text}; allowed: counts from -20 to 20, units from 0 to 1e6")
    return bets
