"""Output of ``railbird pushfold``: ranges judged, and reports about people's decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from railbird import assessment, cards, report, solve
from railbird.cli._console import errors, output, print_table
from railbird.report.document import Table
from railbird.report.number_format import number, percent, signed

_CLASSES_SHOWN = 30
"""Hands that differ that are listed."""
_KEYS = {"sb": "small_blind", "bb": "big_blind"}
"""Seats in JSON."""


def deviations_json(
    seats: Sequence[assessment.pushfold.SeatDeviation], equilibrium: solve.PushFoldSolution
) -> dict[str, object]:
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
                cards.CLASS_NAMES[place]: {
                    "range": float(deviation.frequency[place]),
                    "equilibrium": float(deviation.equilibrium[place]),
                    "given_up_bb": float(deviation.lost[place]),
                }
                for place in deviation.differs
            },
        }
        for deviation in seats
    }


def print_deviations(
    seats: Sequence[assessment.pushfold.SeatDeviation], equilibrium: solve.PushFoldSolution
) -> None:
    game = equilibrium.game
    ante = f", antes of {game.ante:g}" if game.ante else ""
    output.print(f"{game.stack:g} big blinds{ante}; big blinds a hand\n")
    rows = [
        (
            report.pushfold_pages.SEAT_WORDS[deviation.seat],
            percent(deviation.share),
            signed(deviation.value, 4),
            number(deviation.given_up, 4),
            number(deviation.worst, 4),
        )
        for deviation in seats
    ]
    if len(seats) > 1:
        totals = (
            [deviation.given_up for deviation in seats],
            [deviation.worst for deviation in seats],
        )
        given_up, worst = (number(sum(part) / len(part), 4) for part in totals)
        rows.append(("mean", "", "", given_up, worst))
    print_table(Table(("range", "hands", "earns", "given up", "at worst"), rows))
    output.print(
        "given up: less than the equilibrium earns against the equilibrium; "
        "at worst: against the best response to the range"
    )
    for deviation in seats:
        differs = deviation.differs
        seat = report.pushfold_pages.SEAT_WORDS[deviation.seat]
        title = f"\n{seat}: {len(differs)} of 169 hands differ"
        table_rows = [
            (
                cards.CLASS_NAMES[hand_class],
                percent(deviation.frequency[hand_class], 0),
                percent(deviation.equilibrium[hand_class], 0),
                number(100 * float(deviation.lost[hand_class]), 3),
            )
            for hand_class in differs[:_CLASSES_SHOWN]
        ]
        if table_rows:
            heads = ("hand", "range", "equilibrium", "given up a hundred hands")
            print_table(Table(heads, table_rows, title=title))
        else:
            output.print(title)
        if len(differs) > _CLASSES_SHOWN:
            rest = 100 * float(deviation.lost[differs[_CLASSES_SHOWN:]].sum())
            output.print(f" and {len(differs) - _SHOWN} more: {number(rest, 3)}")


# Output of ``railbird pushfold report`` about people's decisions.


_SHOWN = 10
"""Rows that cannot be read that are listed."""


def population_json(people: report.pushfold_pages.PopulationReport) -> dict[str, object]:
    judged = people.decisions
    return {
        "decisions": judged.decisions,
        "skipped": dict(people.census.skipped),
        "stacks_bb": {
            f"{stack:g}": population.decisions
            for stack, population in people.census.by_stack.items()
        },
        "against": people.strategy,
        "ev_bb": {
            "small_blind": judged.big_blind.win,
            "big_blind": judged.small_blind.win,
            "mean": judged.mean,
        },
        "people": {_KEYS[seat.seat]: _seat_json(seat) for seat in people.seats},
        "population": {
            "push": solve.by_name(judged.small_blind.frequency),
            "call": solve.by_name(judged.big_blind.frequency),
        },
        "complete_strategy": None if people.fit is None else _fit_json(people.fit),
    }


def _seat_json(judged: assessment.pushfold.JudgedSeat) -> dict[str, object]:
    columns = (cards.CLASS_NAMES, judged.hands, judged.played, judged.lost, judged.expected)
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


def _fit_json(fit: assessment.pushfold.JudgedFit) -> dict[str, object]:
    matchup = fit.matchup
    opposite = {_KEYS[seat]: matchup.opposite_is_better(seat) for seat in solve.Seat}
    return {
        "prior": report.pushfold_pages.PRIOR_WORDS,
        "ev_bb": {"small_blind": fit.small_blind, "big_blind": fit.big_blind, "mean": fit.mean},
        "best_response_bb": {
            "small_blind": matchup.best_small_blind,
            "big_blind": matchup.best_big_blind,
            "gain": fit.gain,
        },
        "opposite_better_holdings": {
            seat: int(solve.COMBINATIONS[better].sum()) for seat, better in opposite.items()
        },
        "opposite_better": {
            seat: [
                name for name, is_better in zip(cards.CLASS_NAMES, better, strict=True) if is_better
            ]
            for seat, better in opposite.items()
        },
        "push": solve.by_name(matchup.opponent.push),
        "call": solve.by_name(matchup.opponent.call),
    }


def print_skipped(file: Path, census: assessment.pushfold.Census) -> None:
    for row in census.examples[:_SHOWN]:
        errors.print(f"{file}, line {row.line}: {row.problem.value}: {row.text}")
    skipped: Mapping[str, int] = census.skipped
    if skipped:
        reasons = "; ".join(f"{count:,} {reason}" for reason, count in skipped.items())
        errors.print(f"left out: {reasons}")
