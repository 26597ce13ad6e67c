"""Thresholds before the flop in limit, by measurement, as the source's chapter 9 proposes.

In each hand one Loki's first decision is replaced by each of four strategies in turn, with the same
cards and the same players, who remember nothing between hands. The gain of a bolder strategy over
the next more timid one is regressed on the income rate of the hand, and on the position if it
varies. The threshold is where the line crosses zero. Situations with the same expected players,
blind and raises are pooled, for all numbers of seats.

``python -m railbird_papers.papp1998.preflop_thresholds FILE`` writes the table again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from railbird.arena import Match
from railbird.arena.guarded_player import FaultPolicy, GuardedPlayer
from railbird.arena.hand_loop import play_hands
from railbird.arena.seeds import deals
from railbird.cards import CLASS_OF_HOLDING, Holding
from railbird.estimates import Estimate
from railbird.extending import Floats
from railbird.game import HandState, acpc_rules, initial, limit_holdem
from railbird.game import kernels as at
from railbird.modelling import income_rates
from railbird.players import make_player
from railbird.players.loki.player import LokiPlayer, Preflop
from railbird.players.loki.preflop import (
    MEASURED_STRATEGIES,
    ExpectedPlayers,
    LokiSpot,
    PreflopPlan,
    PreflopPlayers,
    ThresholdCell,
    Tightness,
    cell_of,
    expert_table,
    group_of,
    measured_table,
    preflop_spot,
    spot_of,
)
from railbird.units import Seat
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.rows import Row, measured
from railbird_papers.framework.workspace import write_whole
from railbird_papers.papp1998.matchups import interval_chart

if TYPE_CHECKING:
    from railbird_papers.framework.workspace import Workspace


TRIED: Final = (PreflopPlan.MAKE0, *MEASURED_STRATEGIES)
DEALS: Final = {
    2: 14_000,
    3: 8_000,
    4: 13_000,
    5: 4_000,
    6: 10_500,
    7: 6_000,
    8: 3_000,
    9: 6_000,
    10: 10_500,
}
"""Deals by number of seats, each played once with each strategy."""
FIELD: Final = (
    "loki:gom",
    "loki:bpl",
    "loki:gom,tightness=moderate",
    "loki:gom,offset=-150",
    "loki:bpm",
    "loki:gom,make1=0.45,make2=0.75,offset=-250",
)
"""The players, as many as there are seats, again from the first on."""
SEED: Final = 1998
_SMALL_BET: Final = 10
_WINDOW: Final = 400.0
"""Largest distance of the income rates in a regression from the threshold, in thousandths."""
_ROUNDS: Final = 12
_LEAST: Final = 100
"""Situations that a regression needs."""
_SURE: Final = 2.0
"""Standard errors by which the slope must exceed zero; else the expert's threshold stays."""
_STEP: Final = 5.0
"""Thresholds are rounded to multiples of this."""


@dataclass(slots=True)
class Trial:
    """The player whose first decision is replaced in this hand, and the replacement."""

    hero: Seat
    strategy: PreflopPlan = PreflopPlan.MAKE0
    cell: ThresholdCell | None = None
    """Where the decision was made; None if it has not been."""
    position: int = 0
    holding: Holding | None = None


class ReplacedLoki(LokiPlayer):
    """A Loki whose strategy before the flop may be replaced."""

    def __init__(self, spec: str, trial: Trial) -> None:
        plain = make_player(spec)
        assert isinstance(plain, LokiPlayer)
        super().__init__(plain.settings)
        self._trial = trial

    def _choose(self, state: HandState, holding: Holding, seat: Seat) -> Preflop:
        chosen, trial = super()._choose(state, holding, seat), self._trial
        if seat != trial.hero:
            return chosen
        where: PreflopPlayers = preflop_spot(state, seat)
        spot: LokiSpot = spot_of(state, seat)
        expected = expert_table().expected_players(where.guaranteed, where.others)
        trial.cell = cell_of(group_of(expected), state, seat, spot)
        trial.position, trial.holding = where.position, holding
        return replace(chosen, strategy=trial.strategy)


class Observed(NamedTuple):
    """One situation and the gains in it, in small bets, by strategy in the order of `TRIED`."""

    cell: ThresholdCell
    position: int
    holding: Holding
    gains: tuple[float, ...]


def observe(seats: int, count: int, *, seed: int = SEED) -> Iterator[Observed]:
    """Play deals with every strategy of one player's first decision; yield the situations."""
    rng = np.random.default_rng((seed, seats))
    heroes = [Seat(seat) for seat in rng.integers(0, seats, count).tolist()]
    trial = Trial(heroes[0])
    players = [
        GuardedPlayer(ReplacedLoki(FIELD[number % len(FIELD)], trial), FaultPolicy(), number)
        for number in range(seats)
    ]
    rules = acpc_rules(limit_holdem(seats, small_bet=_SMALL_BET))
    match = Match(players=("always-fold",) * seats, rules=rules, deals=count, seed=seed + seats)
    seated = [rng.permutation(seats).tolist() for _ in range(count)]
    cards = np.repeat(deals(match, range(count)), len(TRIED), axis=0)
    seated = [seated[number // len(TRIED)] for number in range(len(cards))]
    gains: list[float] = []
    played = play_hands(initial(rules), cards, players, seated, range(len(cards)))
    for number, (vector, _, _) in enumerate(played, start=1):
        won = vector[at.HEADER + at.PAYOFF :: at.STRIDE][trial.hero]
        gains.append(float(won) / rules.denominator / _SMALL_BET)
        deal, tried = divmod(number, len(TRIED))
        if tried == 0:
            if trial.cell is not None and trial.holding is not None:
                yield Observed(trial.cell, trial.position, trial.holding, tuple(gains))
            trial.cell = None
            gains.clear()
        if deal < count:
            trial.hero, trial.strategy = heroes[deal], TRIED[tried]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """Where a bolder strategy begins to gain: ``base + increment * position``."""

    middle: float
    """At the mean position."""
    base: float
    increment: float
    stderr: float
    """Of ``middle``."""
    situations: int


@dataclass(slots=True)
class _Cell:
    """All situations of one cell."""

    rates: list[float] = field(default_factory=list)
    positions: list[float] = field(default_factory=list)
    gains: list[tuple[float, ...]] = field(default_factory=list)


def crossings(observed: Sequence[Observed]) -> dict[ThresholdCell, dict[PreflopPlan, Crossing]]:
    """Return the thresholds that the gains decide."""
    cells: dict[ThresholdCell, _Cell] = {}
    for observation in observed:
        cell = cells.setdefault(observation.cell, _Cell())
        rates = income_rates(observation.cell.group.opponents)
        cell.rates.append(float(rates[CLASS_OF_HOLDING[observation.holding]]))
        cell.positions.append(observation.position)
        cell.gains.append(observation.gains)
    by_cell: dict[ThresholdCell, dict[PreflopPlan, Crossing]] = {}
    for key, cell in cells.items():
        rates, positions = np.array(cell.rates), np.array(cell.positions)
        gains = np.array(cell.gains)
        expert = dict(expert_table().thresholds(key.group, Tightness.LOOSE, 0, small_blind=False))
        own: dict[PreflopPlan, Crossing] = {}
        for (less, timid), (more, bold) in pairwise(enumerate(TRIED)):
            del timid
            crossing = _crossing(rates, positions, gains[:, more] - gains[:, less], expert[bold])
            if crossing is not None:
                own[bold] = crossing
        by_cell[key] = own
    return by_cell


def _crossing(rates: Floats, positions: Floats, lead: Floats, first: float) -> Crossing | None:
    """Return where a lead's regression on the income rate crosses zero, looking about ``first``."""
    crossing = _crossing_near(first, rates, positions, lead)
    for _ in range(_ROUNDS):
        if crossing is None or abs(crossing.middle - first) < 1.0:
            break
        first = (first + crossing.middle) / 2
        crossing = _crossing_near(first, rates, positions, lead)
    return crossing


def _crossing_near(
    middle: float, rates: Floats, positions: Floats, lead: Floats
) -> Crossing | None:
    """Regress a lead on the income rates about ``middle``; None if it does not rise with them."""
    near = np.abs(rates - middle) < _WINDOW
    if near.sum() < _LEAST:
        return None
    moves = bool(np.ptp(positions[near]) > 1)
    mean = float(positions[near].mean()) if moves else 0.0
    columns = [np.ones(near.sum()), rates[near]]
    columns += [positions[near] - mean] if moves else []
    design = np.stack(columns, axis=1)
    inverse = np.linalg.inv(design.T @ design)
    line = inverse @ design.T @ lead[near]
    noise = lead[near] - design @ line
    covariance = inverse * (noise @ noise) / (len(noise) - design.shape[1])
    if line[1] <= _SURE * np.sqrt(covariance[1, 1]):
        return None
    crossing, increment = float(-line[0] / line[1]), 0.0
    gradient = np.zeros(len(line))
    gradient[:2] = 1.0, crossing
    if moves and abs(line[2]) > _SURE * np.sqrt(covariance[2, 2]):
        increment = max(0.0, float(-line[2] / line[1]))
    return Crossing(
        middle=crossing,
        base=crossing - increment * mean,
        increment=increment,
        stderr=float(np.sqrt(gradient @ covariance @ gradient) / line[1]),
        situations=int(near.sum()),
    )


def table_text(thresholds: Mapping[ThresholdCell, Mapping[PreflopPlan, Crossing]]) -> str:
    """Return the table in the form that `measured_table` reads."""
    lines = [_HEAD]
    for cell in sorted(filter(thresholds.get, thresholds), key=str):
        lines.append(f'[{cell.seat}.{cell.pot}."{cell.group.value}"]')
        for strategy, crossing in thresholds[cell].items():
            base, step = (
                round(value / _STEP) * _STEP for value in (crossing.base, crossing.increment)
            )
            about = f"± {1.96 * crossing.stderr:.0f}, {crossing.situations:,} situations"
            lines.append(f"{strategy.name.lower()} = [{base:g}, {step:g}]   # {about}")
        lines.append("")
    return "\n".join(lines)


_HEAD: Final = """\
# Where each strategy before the flop begins to gain: [base, increment], so that
#
#     threshold = base + increment * position, in thousandths of a small bet
#
# by the player's blind, whether the pot has been raised, and the group of expected players. Where
# the gains do not decide, a strategy is missing, and the expert's threshold in preflop.toml stands.
# `python -m railbird_papers.papp1998.preflop_thresholds FILE` measures them anew.
"""


def perform(workspace: Workspace) -> ExperimentResult:
    """Measure the thresholds, and compare them with the frozen ones."""
    observed: list[Observed] = []
    hands = 0
    for seats, count in DEALS.items():
        played = max(20, round(count * workspace.scale))
        observed += map(
            _observed,
            workspace.kept(
                f"loki-preflop-{seats}-seats-{played}-deals",
                partial(_observations, seats, played, workspace.seed),
            ),
        )
        hands += played * len(TRIED)
        workspace.tell(hands, 0, "hands")
    rows: list[Row] = []
    frozen = measured_table()
    for cell, own in crossings(observed).items():
        for strategy, crossing in own.items():
            base, _ = frozen.get(cell, {}).get(strategy, (float("nan"), 0.0))
            ours = Estimate(crossing.base, crossing.stderr, crossing.situations, "thousandths")
            rows.append(
                measured(f"{cell}: {strategy.name.lower()}", ours, f"The frozen base is {base:g}.")
            )
    drawing = interval_chart(
        "thresholds",
        "Where each strategy before the flop begins to gain",
        rows,
        amount="thousandths of a small bet",
        subtitle=f"{hands:,} hands, seed {workspace.seed}",
        decimals=0,
    )
    return ExperimentResult(hands=hands, rows=tuple(rows), drawings=(drawing,))


def _observations(seats: int, count: int, seed: int) -> list[list[Any]]:
    """Return the situations as lists that JSON holds."""
    return [
        [cell.group.value, cell.seat, cell.pot, position, int(holding), [*gains]]
        for cell, position, holding, gains in observe(seats, count, seed=seed)
    ]


def _observed(observation: Sequence[Any]) -> Observed:
    group, seat, pot, position, holding, gains = observation
    cell = ThresholdCell(ExpectedPlayers(group), seat, pot)
    return Observed(cell, position, Holding(holding), tuple(gains))


def main(path: Path) -> None:
    """Write the table."""
    observed = [
        observation for seats, count in DEALS.items() for observation in observe(seats, count)
    ]
    write_whole(path, table_text(crossings(observed)).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
