"""Measure what each step of `railbird.solve.spot.fitting` costs on like spots, and print the table.

Run with a file for the results: what it has is not measured again, so that a run may be stopped.
Each spot is solved with a rich tree and then without one detail. The EVs are compared, and the
smaller tree's strategy is placed in the rich tree, where best responses also use what was left out.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

import click

from railbird.solve.spot import Spot, solve_spot
from railbird.solve.spot.comparison import compare_solutions
from railbird.solve.spot.fitting import HALF, steps_alone
from railbird.solve.spot.presets import PRESETS

_TURN: Final = {
    "turn_bets": "33%, 75%, 150%",
    "turn_raises": "3x",
    "river_bets": "33%, 75%, 150%",
    "river_raises": "2.5x, 4x",
    "all_in_threshold": "1.5",
}
_FEWER: Final = _TURN | {"turn_bets": "33%, 75%", "river_bets": "33%, 75%"}
_FLOP: Final = {
    "flop_bets": "33%, 75%",
    "turn_bets": "75%",
    "river_bets": "75%",
    **{f"{street}_raises": "3x" for street in ("flop", "turn", "river")},
    **{f"{street}_donk": "-" for street in ("turn", "river")},
    "all_in_threshold": "1",
}
SPOTS: Final = (
    ("bu-sb-3", "Kd9c4s4h", 1.7, _FEWER),
    ("bu-bb-3", "Qs6h5h2d", 1.7, _TURN),
    ("co-bu", "Tc8c5d5h", 2, _FEWER),
    ("co-bb", "Ad8s3dTc", 3, _TURN),
    ("co-bu-3", "Th8h5c", 1, _FLOP),
    ("co-bu-3", "Ks7d2c", 1, _FLOP),
)
"""Preset, board, how many times the pot is the preset's when the spot begins, and the rich tree."""

_GAP: Final = 0.15


def _spot(preset: str, board: str, times: float, sizes: dict[str, str]) -> Spot:
    lines = dict(PRESETS[preset].lines()) | sizes | {"board": board}
    pot = int(lines["pot"])
    put_in = round(pot * (times - 1) / 2)
    lines["pot"], lines["stack"] = str(pot + 2 * put_in), str(int(lines["stack"]) - put_in)
    return Spot.parse("\n".join(f"{key} = {value}" for key, value in lines.items()))


def main() -> None:
    """Measure what is missing, then print the means."""
    path = Path(sys.argv[1])
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    done = {(row["spot"], row["key"]) for row in rows}
    for preset, board, times, sizes in SPOTS:
        spot, name = _spot(preset, board, times, sizes), f"{preset} {board}"
        alone = [(HALF, spot), *steps_alone(spot)]
        alone = [(key, smaller) for key, smaller in alone if (name, key) not in done]
        if not alone:
            continue
        gap = _GAP if spot.street == "turn" else 2 * _GAP
        whole = solve_spot(spot, gap_percent=gap, threads=1)
        for key, smaller in alone:
            solution = solve_spot(
                smaller, gap_percent=gap, threads=1, store=16 if key == HALF else 32
            )
            placed = compare_solutions(solution, whole).first_in_second
            assert placed is not None
            row = {
                "spot": name,
                "street": spot.street,
                "key": key,
                "ev": 100 * (solution.values()[0] - whole.values()[0]) / spot.pot,
                "exploited": placed.gap_percent_of_pot - solution.gap_percent_of_pot,
                "gaps": [whole.gap_percent_of_pot, solution.gap_percent_of_pot],
                "mb": [tree.solver.size().memory_mb for tree in (whole, solution)],
            }
            rows.append(row)
            with path.open("a") as file:
                file.write(json.dumps(row) + "\n")
    by_step = defaultdict(list)
    for row in rows:
        by_step[row["street"], row["key"]].append(row)
    for (street, key), some in by_step.items():
        changes = [abs(row["ev"]) for row in some]
        exploited = sum(row["exploited"] for row in some) / len(some)
        mean, most = sum(changes) / len(some), max(changes)
        click.echo(
            f'    "{key}": '
            f'MeasuredCost({mean:.2f}, {most:.2f}, {exploited:.2f}, {len(some)}, "{street}"),'
        )


if __name__ == "__main__":
    main()
