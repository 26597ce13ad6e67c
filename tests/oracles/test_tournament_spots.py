"""The manual's table of tournament spots: published and counted values beside ours.

Every row of the table in ``docs/tournaments.md`` is made here, so that none can go stale: what was
published is written down, what was counted is counted anew, without the functions that it is
compared with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from railbird.solve import PushFoldTable, future_equities, solve_pushfold, solve_pushfold_table
from railbird.solve.pushfold_table import Evaluator, class_probabilities
from railbird.tournament import Bounties, BountyModel, bounty_equities, bubble_factors
from twins import slow_tournaments

_MANUAL = Path(__file__).parents[2] / "docs" / "tournaments.md"
_FLAT, _FAIR = BountyModel.FLAT, BountyModel.PROPORTIONAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A row of the table."""

    spot: str
    source: str
    theirs: Callable[[], Sequence[float]]
    ours: Callable[[], Sequence[float]]
    within: float
    """What the two may differ by."""
    digits: int = 4
    unit: str = ""

    def row(self) -> str:
        """Write the row as the manual has it."""
        cells = (
            ", ".join(f"{value:.{self.digits}f}{self.unit}" for value in values())
            for values in (self.theirs, self.ours)
        )
        return f"| {' | '.join((self.spot, self.source, *cells))} |"


def _won(
    stacks: Sequence[int],
    heads: Sequence[int],
    *,
    paid: float = 0.5,
    model: BountyModel = _FAIR,
    players: slice = slice(None),
) -> tuple[Callable[[], Sequence[float]], Callable[[], Sequence[float]]]:
    """Return what players win of bounties: by all orders and knock-outs, and by ours."""

    def slow() -> Sequence[float]:
        flat = model == _FLAT
        found = slow_tournaments.bounty_equities(stacks, heads, Fraction(paid), flat=flat)
        return [float(each) for each in found[players]]

    def ours() -> Sequence[float]:
        bounties = Bounties(heads=tuple(heads), paid_at_once=paid, model=model)
        return [float(each) for each in bounty_equities(stacks, bounties)[players]]

    return slow, ours


def _call_by_anybody() -> list[float]:
    """Any two cards against any two: what the big blind's call wins beyond folding."""
    table = PushFoldTable(
        stacks=(3000, 1000, 2000),
        payouts=(50, 30, 20),
        blinds=(10, 20),
        bounties=Bounties(heads=(10, 10, 10), paid_at_once=1),
    )
    evaluator = Evaluator(table)
    strategy = {node: np.zeros(169) for node in evaluator.nodes}
    strategy[1, ()] = strategy[2, (1,)] = np.ones(169)
    values = evaluator.values(strategy)
    return [float((values.push[2, (1,)] - values.fold[2, (1,)]) @ class_probabilities())]


def _share_to_call(paid: float) -> list[float]:
    """Ten players, a prize of all stacks so that chips are money, and bounties of as much."""
    bounties = Bounties(heads=(50,) * 10, paid_at_once=paid)
    factor = bubble_factors([1] * 10, [500], bounties=bounties)[0, 1]
    return [float(100 * factor / (1 + factor))]


def _heads_up_with_bounties() -> list[float]:
    bounties = Bounties(heads=(50, 3))
    table = PushFoldTable(stacks=(10, 10), payouts=(47,), bounties=bounties)
    found = solve_pushfold_table(table, tolerance=1e-7)
    return [100 * found.share((0, ())), 100 * found.share((1, (0,)))]


def _heads_up_for_chips() -> list[float]:
    found = solve_pushfold(10)
    return [100 * found.push_share, 100 * found.call_share]


def _future(
    stacks: tuple[float, float], heads: tuple[float, float], hands: int
) -> tuple[Callable[[], Sequence[float]], Callable[[], Sequence[float]]]:
    """Return what the small blind's stack is worth: by linear programs, and by ours."""

    def ours() -> Sequence[float]:
        table = PushFoldTable(
            stacks=stacks,
            payouts=(100,),
            bounties=Bounties(heads=heads),
            most_in=2,
            future_hands=hands - 1,
        )
        return [float(future_equities(table)[0])]

    return lambda: [slow_tournaments.by_linear_programs(stacks, 100, heads, hands)], ours


def _spot(
    spot: str,
    source: str,
    values: tuple[Callable[[], Sequence[float]], Callable[[], Sequence[float]]],
    *,
    within: float,
    digits: int = 4,
    unit: str = "",
) -> Spot:
    theirs, ours = values
    return Spot(
        spot=spot,
        source=source,
        theirs=theirs,
        ours=ours,
        within=within,
        digits=digits,
        unit=unit,
    )


_PER_CENT = "\N{NARROW NO-BREAK SPACE}%"
_COUNTED, _PROGRAM = "all orders and knock-outs", "linear programs"
SPOTS = [
    _spot(
        "stacks of 10, 20, 30, 40 and 50, a plain bounty of 1 each, flat: what each wins",
        "HoldemResources¹",
        (
            lambda: [0.4143, 0.7684, 1.0475, 1.2822, 1.4874],
            _won([10, 20, 30, 40, 50], [1] * 5, paid=1, model=_FLAT)[1],
        ),
        within=1e-4,
    ),
    _spot(
        "1,000 pushes any hand into 2,000, prizes 50/30/20, plain bounties of 10: a call gains",
        "CardRunnersEV²",
        (lambda: [2.38], _call_by_anybody),
        within=0.24,
        digits=2,
    ),
    _spot(
        "the first hand, half of the buy-ins are plain bounties: to call all-in takes",
        "rule of thumb³",
        (lambda: [40.0], lambda: _share_to_call(1)),
        within=1.2,
        digits=1,
        unit=_PER_CENT,
    ),
    _spot(
        "the same, progressive",
        "rule of thumb³",
        (lambda: [100 / 2.25], lambda: _share_to_call(0.5)),
        within=1.2,
        digits=1,
        unit=_PER_CENT,
    ),
    _spot(
        "5,000, 3,000 and 2,000 with bounties of 20, 15 and 30, progressive: the first wins",
        _COUNTED,
        _won([5000, 3000, 2000], [20, 15, 30], players=slice(1)),
        within=1e-9,
    ),
    _spot(
        "the same, plain",
        _COUNTED,
        _won([5000, 3000, 2000], [20, 15, 30], paid=1, players=slice(1)),
        within=1e-9,
    ),
    _spot(
        "the same, progressive and flat",
        _COUNTED,
        _won([5000, 3000, 2000], [20, 15, 30], model=_FLAT, players=slice(1)),
        within=1e-9,
    ),
    _spot(
        "1,500, 4,500, 900 and 3,100 with 15, 40, 10 and 25, progressive: the shortest wins",
        _COUNTED,
        _won([1500, 4500, 900, 3100], [15, 40, 10, 25], players=slice(2, 3)),
        within=1e-9,
    ),
    _spot(
        "stacks of 10, 20, 30, 40 and 50, a progressive bounty of 1 each: the last wins",
        _COUNTED,
        _won([10, 20, 30, 40, 50], [1] * 5, players=slice(4, 5)),
        within=1e-9,
    ),
    _spot(
        "two left with 10 bb each, any bounties: push, and call",
        "push/fold for chips⁴",
        (_heads_up_for_chips, _heads_up_with_bounties),
        within=0.1,
        digits=1,
        unit=_PER_CENT,
    ),
    _spot(
        "two left with 10 bb each, a prize of 100, one hand: the small blind is worth",
        "push/fold for chips⁴",
        (lambda: [50 + 5 * solve_pushfold(10).value_sb_bb], _future((10, 10), (0, 0), 1)[1]),
        within=1e-3,
        digits=2,
    ),
    _spot(
        "6 against 9 bb, a prize of 100, one hand: the small blind is worth",
        _PROGRAM,
        _future((6, 9), (0, 0), 1),
        within=2e-3,
        digits=2,
    ),
    _spot(
        "the same, bounties of 20 and 12, two hands",
        _PROGRAM,
        _future((6, 9), (20, 12), 2),
        within=2e-3,
        digits=2,
    ),
    _spot(
        "8 against 8 bb, a prize of 100, three hands",
        _PROGRAM,
        _future((8, 8), (0, 0), 3),
        within=2e-3,
        digits=2,
    ),
]


@pytest.mark.slow(only=["spot9", "spot12", "spot13"])
@pytest.mark.parametrize("spot", SPOTS, ids=[f"spot{number}" for number in range(len(SPOTS))])
def test_the_manual_has_the_spot(spot: Spot) -> None:
    assert spot.ours() == pytest.approx(spot.theirs(), abs=spot.within)
    assert spot.row() in _MANUAL.read_text().splitlines()


def test_the_manual_has_no_other_spot() -> None:
    lines = _MANUAL.read_text().splitlines()
    start = lines.index("| spot | source | their value | here |") + 2
    end = next(number for number in range(start, len(lines)) if not lines[number].startswith("|"))
    assert end - start == len(SPOTS) >= 10
