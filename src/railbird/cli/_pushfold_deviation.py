"""Output of ``railbird pushfold judge`` about ranges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from railbird.cli._console import output, print_table

if TYPE_CHECKING:
    from railbird.assessment.pushfold.deviation import SeatDeviation
    from railbird.solve import PushFoldSolution

_SHOWN = 30
"""Hands that differ that are listed."""
_KEYS = {"sb": "small_blind", "bb": "big_blind"}
"""Seats in JSON."""


def deviations_json(
    seats: Sequence[SeatDeviation], equilibrium: PushFoldSolution
) -> dict[str, object]:
    from railbird.cards import CLASS_NAMES

    return {
        "stack_bb": equilibrium.game.stack,
        "ante_bb": equilibrium.game.ante,
    } | {
        _KEYS[deviation.seat]: {
            "share": deviation.share,
            "value_bb": deviation.value,
            "given_up_bb": deviation.given_up,
            "exploitability_bb": deviation.worst,
            "differs": {
                CLASS_NAMES[place]: {
                    "range": float(deviation.frequency[place]),
                    "equilibrium": float(deviation.equilibrium[place]),
                    "given_up_bb": float(deviation.lost[place]),
                }
                for place in deviation.differs
            },
        }
        for deviation in seats
    }


def print_deviations(seats: Sequence[SeatDeviation], equilibrium: PushFoldSolution) -> None:
    from railbird.cards import CLASS_NAMES
    from railbird.report.pushfold.population_page import SEAT_WORDS
    from railbird.report.toolkit.number_format import number, percent, signed

    game = equilibrium.game
    ante = f", antes of {game.ante:g}" if game.ante else ""
    output.print(f"{game.stack:g} big blinds{ante}; big blinds a hand\n")
    table = Table(box=None)
    for heading in ("range", "hands", "earns", "given up", "at worst"):
        table.add_column(heading, justify="left" if heading == "range" else "right")
    for deviation in seats:
        table.add_row(
            SEAT_WORDS[deviation.seat],
            percent(deviation.share),
            signed(deviation.value, 4),
            number(deviation.given_up, 4),
            number(deviation.worst, 4),
        )
    if len(seats) > 1:
        totals = (
            [deviation.given_up for deviation in seats],
            [deviation.worst for deviation in seats],
        )
        table.add_row("mean", "", "", *(number(sum(part) / len(part), 4) for part in totals))
    print_table(table)
    output.print(
        "given up: less than the equilibrium earns against the equilibrium; "
        "at worst: against the best response to the range"
    )
    for deviation in seats:
        differs = deviation.differs
        title = f"\n{SEAT_WORDS[deviation.seat]}: {len(differs)} of 169 hands differ"
        table = Table(box=None, title=title, title_justify="left")
        for heading in ("hand", "range", "equilibrium", "given up a hundred hands"):
            table.add_column(heading, justify="left" if heading == "hand" else "right")
        for place in differs[:_SHOWN]:
            table.add_row(
                CLASS_NAMES[place],
                percent(deviation.frequency[place], 0),
                percent(deviation.equilibrium[place], 0),
                number(100 * float(deviation.lost[place]), 3),
            )
        if len(differs):
            print_table(table)
        else:
            output.print(title)
        if len(differs) > _SHOWN:
            rest = 100 * float(deviation.lost[differs[_SHOWN:]].sum())
            output.print(f" and {len(differs) - _SHOWN} more: {number(rest, 3)}")
