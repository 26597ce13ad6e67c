"""Output of ``railbird pushfold report`` about people's decisions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from railbird.cli._console import errors, output, print_table

if TYPE_CHECKING:
    from railbird.assessment.pushfold.decisions import Census
    from railbird.assessment.pushfold.judged_decisions import JudgedSeat
    from railbird.assessment.pushfold.population_strategy import JudgedFit
    from railbird.report.pushfold.population_page import PopulationReport

_SHOWN = 10
"""Rows that cannot be read that are listed."""
_KEYS = {"sb": "small_blind", "bb": "big_blind"}
"""Seats in JSON."""


def population_json(report: PopulationReport) -> dict[str, object]:
    from railbird.solve import by_name

    judged = report.decisions
    return {
        "decisions": judged.decisions,
        "skipped": dict(report.census.skipped),
        "stacks_bb": {
            f"{stack:g}": population.decisions
            for stack, population in report.census.by_stack.items()
        },
        "against": report.strategy,
        "ev_bb": {
            "small_blind": judged.big_blind.win,
            "big_blind": judged.small_blind.win,
            "mean": judged.mean,
        },
        "people": {_KEYS[seat.seat]: _seat_json(seat) for seat in report.seats},
        "population": {
            "push": by_name(judged.small_blind.frequency),
            "call": by_name(judged.big_blind.frequency),
        },
        "complete_strategy": None if report.fit is None else _fit_json(report.fit),
    }


def _seat_json(judged: JudgedSeat) -> dict[str, object]:
    from railbird.cards import CLASS_NAMES

    columns = (CLASS_NAMES, judged.hands, judged.played, judged.lost, judged.expected)
    return {
        "decisions": judged.decisions,
        "mistakes": judged.mistakes,
        "given_up_bb": judged.given_up,
        "hands": {
            name: {
                "decisions": int(hands),
                "played": int(played),
                "given_up_bb": float(lost),
                "strategy": float(expected),
            }
            for name, hands, played, lost, expected in zip(*columns, strict=True)
            if hands
        },
    }


def _fit_json(fit: JudgedFit) -> dict[str, object]:
    from railbird.cards import CLASS_NAMES
    from railbird.report.pushfold.population_page import PRIOR_WORDS
    from railbird.solve import COMBINATIONS, Seat, by_name

    matchup = fit.matchup
    opposite = {_KEYS[seat]: matchup.opposite_is_better(seat) for seat in Seat}
    return {
        "prior": PRIOR_WORDS,
        "ev_bb": {"small_blind": fit.small_blind, "big_blind": fit.big_blind, "mean": fit.mean},
        "best_response_bb": {
            "small_blind": matchup.best_small_blind,
            "big_blind": matchup.best_big_blind,
            "gain": fit.gain,
        },
        "opposite_better_holdings": {
            seat: int(COMBINATIONS[better].sum()) for seat, better in opposite.items()
        },
        "opposite_better": {
            seat: [name for name, is_better in zip(CLASS_NAMES, better, strict=True) if is_better]
            for seat, better in opposite.items()
        },
        "push": by_name(matchup.opponent.push),
        "call": by_name(matchup.opponent.call),
    }


def print_population(report: PopulationReport) -> None:
    from railbird.report.pushfold.population_page import (
        PRIOR_WORDS,
        SEAT_WORDS,
        costliest,
        fit_rows,
    )
    from railbird.report.pushfold.range_chart import DIFFERENCE, count_scale, range_text
    from railbird.report.toolkit.number_format import interval_of, number, signed
    from railbird.solve import Seat

    output.print(
        f"{report.decisions.decisions:,} decisions at {report.at} against the {report.strategy}\n"
    )
    seats = Table(box=None)
    for heading in ("people's seat", "decisions", "mistakes", "given up, bb a decision", "95 %"):
        seats.add_column(heading, justify="left" if heading == "people's seat" else "right")
    for judged in report.seats:
        seats.add_row(
            SEAT_WORDS[judged.seat],
            f"{judged.decisions:,}",
            f"{judged.mistakes:,}",
            number(judged.given_up.value, 4),
            interval_of(judged.given_up, 4),
        )
    print_table(seats)
    wins = Table(box=None, title=f"\n{report.strategy} wins", title_justify="left")
    for heading in ("its seat", "bb a hand", "95 %"):
        wins.add_column(heading, justify="left" if heading == "its seat" else "right")
    for name, estimate in report.wins:
        wins.add_row(name, signed(estimate.value, 4), interval_of(estimate, 4))
    print_table(wins)
    for judged in report.seats:
        verb = "pushed" if judged.seat is Seat.SMALL_BLIND else "called"
        output.print(f"\n{verb} by the people; blank where a hand never came")
        output.print(range_text(judged.frequency))
        output.print("\nnumber of decisions")
        output.print(range_text(judged.hands, count_scale(float(judged.hands.max()))))
        output.print(f"\n{verb} by the people, less {report.strategy}")
        output.print(range_text(judged.frequency - judged.expected, DIFFERENCE))
        table = Table(
            box=None, title=f"\ncostliest in the {SEAT_WORDS[judged.seat]}", title_justify="left"
        )
        for heading in ("hand", "what was done", "bb given up in all"):
            table.add_column(heading, justify="right" if heading.startswith("bb") else "left")
        for row in costliest(judged):
            table.add_row(*row)
        print_table(table)
    if report.fit is not None:
        output.print(f"\nAs a complete strategy. {PRIOR_WORDS}")
        for what, value in fit_rows(report.fit):
            output.print(f"{what}: {value}")


def print_skipped(file: Path, census: Census) -> None:
    for row in census.examples[:_SHOWN]:
        errors.print(f"{file}, line {row.line}: {row.problem.value}: {row.text}")
    skipped: Mapping[str, int] = census.skipped
    if skipped:
        reasons = "; ".join(f"{count:,} {reason}" for reason, count in skipped.items())
        errors.print(f"left out: {reasons}")
