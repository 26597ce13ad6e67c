"""Pages on push/fold: people's decisions with charts as files, and solutions for any table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from rich.console import Group

from railbird._extras import is_installed
from railbird._files import replace_files
from railbird.assessment.pushfold import Census, JudgedDecisions, JudgedFit, JudgedSeat
from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, Range
from railbird.estimates import Estimate
from railbird.report.document import Document, Figure, KeyFigure, Section, Table
from railbird.report.headline import listed
from railbird.report.html_page import Image, page, picture
from railbird.report.number_format import bounded_below, interval_of, number, percent, signed
from railbird.report.range_chart import (
    DIFFERENCE,
    FREQUENCY,
    GAIN,
    RangeScale,
    count_scale,
    range_chart,
    range_text,
    stack_scale,
)
from railbird.solve import COMBINATIONS, Seat, pushfold_ev
from railbird.tournament import Bounties, BountyModel

if TYPE_CHECKING:
    from railbird.solve import PushFoldSolution, PushFoldTable, Sweep, TableSolution
    from railbird.solve.pushfold_table import Node, Seats


FILES = ("report.html", "push.svg", "call.svg")
"""Files that `write_population` writes into a folder."""
SEAT_WORDS = {Seat.SMALL_BLIND: "small blind", Seat.BIG_BLIND: "big blind"}
PRIOR_WORDS = (
    "Classes that never came take a prior: the log odds of playing a hand rise in proportion to "
    "what it gains against the equilibrium, and single classes keep about that curve; how steep "
    "it is and how closely they keep to it come from the decisions, from flat priors."
)
_COSTLIEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationReport:
    """People's decisions, judged."""

    decisions: JudgedDecisions
    census: Census
    strategy: str
    """The strategy they are judged against."""
    fit: JudgedFit | None = None
    """A complete strategy for them; None where they decided at several stacks or in one seat."""

    @property
    def at(self) -> str:
        """The stacks, in words."""
        stacks = list(self.census.by_stack)
        if len(stacks) == 1:
            return f"{stacks[0]:g} big blinds"
        return f"{len(stacks)} stacks of {stacks[0]:g} to {stacks[-1]:g} big blinds"

    @property
    def seats(self) -> tuple[JudgedSeat, JudgedSeat]:
        """The people's decisions by their seat."""
        return self.decisions.small_blind, self.decisions.big_blind

    @property
    def wins(self) -> tuple[tuple[str, Estimate], ...]:
        """Winnings of the strategy by its own seat, and the mean."""
        return (
            ("small blind", self.decisions.big_blind.win),
            ("big blind", self.decisions.small_blind.win),
            ("mean", self.decisions.mean),
        )


def write_population(report: PopulationReport, document: Document, folder: Path) -> Path:
    """Write ``report.html`` into a folder, and ``push.svg`` and ``call.svg``; return the page.

    Without the extra `images` there is the page alone, which has both figures.
    """
    drawings = {
        folder / f"{name}.svg": picture(
            [figure.draw() for figure in _figures(judged, report.strategy)], Image.SVG
        )
        for name, judged in zip(("push", "call"), report.seats, strict=True)
        if is_installed("images")
    }
    path = folder / "report.html"
    replace_files({path: page(document).encode()} | drawings)
    return path


def population_document(report: PopulationReport, *, source: str) -> Document:
    """Report what people did, how much it cost them, and what their opponent wins.

    ``source`` is where the decisions come from.
    """
    won = report.decisions.mean
    return Document(
        title=f"Push or fold: {source}, {report.at}",
        lead=f"{report.decisions.decisions:,} decisions. The {report.strategy} wins "
        f"{signed(won.value, 3)} bb a hand from whoever decides like this "
        f"({interval_of(won, 3)}).",
        sections=list(_sections(report)),
    )


def _costliest(judged: JudgedSeat) -> Iterator[tuple[str, str, str]]:
    """List the costliest hands: hand, action, and big blinds in all."""
    verb = "pushed" if judged.seat is Seat.SMALL_BLIND else "called"
    for hand_class in np.argsort(-judged.lost, kind="stable")[:_COSTLIEST]:
        if judged.lost[hand_class] > 0:
            yield (
                CLASS_NAMES[hand_class],
                f"{verb} {judged.played[hand_class]:,} of {judged.hands[hand_class]:,}; "
                f"the strategy {percent(judged.expected[hand_class], 0)}",
                number(float(judged.lost[hand_class]), 2),
            )


def _fit_rows(fit: JudgedFit) -> Iterator[tuple[str, str]]:
    """Return rows on the value of a complete strategy for the people: label and amount."""
    for name, estimate in (
        ("the strategy wins as the small blind", fit.small_blind),
        ("the strategy wins as the big blind", fit.big_blind),
        ("mean", fit.mean),
        ("a best response to the people wins more, mean", fit.gain),
    ):
        yield name, f"{signed(estimate.value, 4)} ({interval_of(estimate, 4)})"
    for seat, name in SEAT_WORDS.items():
        better = fit.matchup.opposite_is_better(seat)
        hands = ", ".join(CLASS_NAMES[place] for place in np.flatnonzero(better))
        count = int(COMBINATIONS[better].sum())
        what = f"{name}, hands where the other choice would win more"
        yield f"{what} ({count} of 1,326 combinations)", hands or "none"


def _sections(report: PopulationReport) -> Iterator[Section]:
    yield Section(
        heading="The decisions",
        words="A decision gives up what the better choice would have earned beyond it, against "
        f"the {report.strategy}; a call or a fold of the big blind, given a push. A mistake gives "
        "up something.",
        table=Table(
            ("people's seat", "decisions", "mistakes", "given up, bb a decision", "95 %"),
            [
                (
                    SEAT_WORDS[judged.seat],
                    f"{judged.decisions:,}",
                    f"{judged.mistakes:,}",
                    number(judged.given_up.value, 4),
                    interval_of(judged.given_up, 4),
                )
                for judged in report.seats
            ],
        ),
    )
    yield Section(
        heading=f"What the {report.strategy} wins",
        words="From people who give up as much in the other seat. Only decisions that were made "
        "count, each at its stack; hands must have come as they are dealt.",
        table=Table(
            ("its seat", "bb a hand", "95 %"),
            [
                (name, signed(estimate.value, 4), interval_of(estimate, 4))
                for name, estimate in report.wins
            ],
        ),
    )
    for judged, heading in zip(
        report.seats, ("Pushes of the small blind", "Calls of the big blind"), strict=True
    ):
        yield Section(heading=heading, figures=_figures(judged, report.strategy))
    for judged in report.seats:
        yield Section(
            heading=f"Costliest hands of the {SEAT_WORDS[judged.seat]}",
            table=Table(("hand", "what was done", "bb given up in all"), list(_costliest(judged))),
        )
    if report.fit is not None:
        yield Section(
            heading="As a complete strategy",
            words=f"{PRIOR_WORDS} Intervals hold 95 % of the posterior.",
            table=Table(("", "bb a hand"), list(_fit_rows(report.fit))),
        )
    if report.census.skipped:
        yield Section(
            heading="Rows that do not count",
            words="; ".join(
                f"{count:,} {reason}" for reason, count in report.census.skipped.items()
            )
            + ".",
            table=Table(
                ("line", "why", "row"),
                [(str(row.line), row.problem.value, row.text) for row in report.census.examples],
            ),
            page_only=True,
        )


def _figures(judged: JudgedSeat, strategy: str) -> tuple[Figure, ...]:
    verb = "push" if judged.seat is Seat.SMALL_BLIND else "call with"
    counts = [f"{count:,}" if count else "" for count in judged.hands]
    frequency: npt.NDArray[np.float64] = judged.frequency
    less = frequency - judged.expected
    return (
        Figure(
            partial(range_chart, frequency, title="People, and number of decisions", notes=counts),
            f"How often people {verb} each hand, in per cent, and in how many decisions.",
            title=f"how often people {verb} each hand; blank where one never came",
            text=Group(
                range_text(frequency),
                "number of decisions",
                range_text(judged.hands, count_scale(float(judged.hands.max()))),
            ),
        ),
        Figure(
            partial(range_chart, less, title=f"People less {strategy}", scale=DIFFERENCE),
            f"The difference to the {strategy}, where a hand came.",
            title=f"the same, less {strategy}",
            text=range_text(less, DIFFERENCE),
        ),
        Figure(
            partial(range_chart, judged.expected, title=strategy, scale=FREQUENCY),
            f"How often the {strategy} does, at the stacks of these decisions.",
        ),
    )


# Push/fold equilibria as documents: one stack with its values, or a sweep over many.


_MIXED = 0.01


def solution_document(solution: PushFoldSolution) -> Document:
    """Say of an equilibrium how often each hand is played and what playing it gains."""
    game = solution.game
    values = pushfold_ev(solution.push, solution.call, stack=game.stack, ante=game.ante)
    ante = f", antes of {game.ante:g}" if game.ante else ""
    pushes = (
        _figure(
            solution.push,
            FREQUENCY,
            "How often the small blind pushes",
            "How often the small blind pushes each hand, in per cent.",
        ),
        _figure(
            values.push_ev - values.fold_ev_sb,
            GAIN,
            "What a push gains over a fold",
            "Big blinds that a push of each hand earns beyond a fold.",
        ),
    )
    calls = (
        _figure(
            solution.call,
            FREQUENCY,
            "How often the big blind calls",
            "How often the big blind calls a push with each hand, in per cent.",
        ),
        _figure(
            values.call_ev - values.fold_ev_bb,
            GAIN,
            "What a call gains over a fold",
            "Big blinds that a call with each hand earns beyond a fold.",
        ),
    )
    key = (
        KeyFigure("hands pushed", percent(solution.push_share)),
        KeyFigure("hands that call", percent(solution.call_share)),
        KeyFigure("a best response gains, bb a hand", bounded_below(solution.exploitability_bb, 5)),
        KeyFigure("a fold of the small blind earns, bb", signed(values.fold_ev_sb, 2)),
        KeyFigure("a fold of the big blind earns, bb", signed(values.fold_ev_bb, 2)),
    )
    mixed = [
        f"{CLASS_NAMES[place]} is {what} {percent(frequency[place], 0)} of the time"
        for what, frequency in (("pushed", solution.push), ("called with", solution.call))
        for place in range(len(frequency))
        if _MIXED < frequency[place] < 1 - _MIXED
    ]
    return Document(
        title=f"Push/fold, {game.stack:g} big blinds{ante}",
        lead=f"The small blind {'loses' if solution.value_sb_bb < 0 else 'wins'} "
        f"{abs(solution.value_sb_bb):.4f} bb a hand in equilibrium.",
        sections=(
            Section(key=key, words=f"Mixed: {'; '.join(mixed)}." if mixed else ""),
            Section(heading="Small blind: push or fold", figures=pushes),
            Section(heading="Big blind: call or fold after a push", figures=calls),
        ),
    )


def sweep_document(sweep: Sweep) -> Document:
    """Say of many equilibria the largest stack at which each hand is played."""
    low, high = float(sweep.stacks[0]), float(sweep.stacks[-1])
    scale = stack_scale(high, is_whole=not (sweep.stacks % 1).any())
    played = (("pushed", sweep.push), ("called with", sweep.call))
    figures = [
        _figure(
            sweep.largest(values),
            scale,
            f"Largest stack at which a hand is {what}",
            f"Largest stack in big blinds at which each hand is {what}.",
        )
        for what, values in played
    ]
    gaps = [f"{what} at {gap}" for what, values in played for gap in sweep.gaps(values)]
    words = (
        f"≥{high:g}: the hand is played at the largest stack that was solved, and perhaps beyond. "
        "A dot: it is played at none of them. Some hands have gaps below their largest stack"
    )
    return Document(
        title=f"Push/fold, {low:g} to {high:g} big blinds",
        sections=(
            Section(words=": ".join([words, *(["; ".join(gaps)] if gaps else [])]) + "."),
            Section(figures=figures),
        ),
    )


def _figure(values: npt.NDArray[np.float64], scale: RangeScale, title: str, words: str) -> Figure:
    return Figure(partial(range_chart, values, title=title, scale=scale), words)


# Push/fold at a table as a page, a picture or rows: who goes all-in with what.


_DECIMALS = 4
_TINY = 1e-7
_EVEN_DIGITS = 2
"""Digits of a frequency in a range's text."""


def heading(solution: TableSolution) -> str:
    """Name the table: seats, stacks, ante, prizes and bounties, and the hands looked ahead."""
    table = solution.table
    small, big = table.blinds
    stacks = "/".join(f"{stack:g}" for stack in table.stacks)
    if len(set(table.stacks)) == 1:
        stacks = f"{table.stacks[0]:g} each"
    ante = f", ante {table.ante:g}" if table.ante else ""
    if table.big_blind_ante:
        ante += f", big blind ante {table.big_blind_ante:g}"
    prizes = "chips"
    if table.payouts is not None:
        prizes = "prizes " + "/".join(f"{prize:g}" for prize in table.payouts)
    if table.bounties is not None:
        prizes += ", bounties " + "/".join(f"{bounty:g}" for bounty in table.bounties.heads)
    if table.future_hands:
        hands = "a hand" if table.future_hands == 1 else f"{table.future_hands} hands"
        prizes += f", {hands} to come"
    return f"{len(table.stacks)} seats, {stacks}, blinds {small:g}/{big:g}{ante}, {prizes}"


def bounty_words(bounties: Bounties) -> str:
    """Say who wins which part of a bounty, and the assumption about knock-outs to come."""
    fair = bounties.model == BountyModel.PROPORTIONAL
    chances = "in proportion to their stacks" if fair else "with equal chances"
    at_once, rest = "the whole bounty", ""
    if bounties.paid_at_once < 1:
        at_once = f"{percent(bounties.paid_at_once, 0)} of the bounty"
        rest = ", and the rest goes on the winner's own head"
    return (
        f"a knock-out pays {at_once}{rest}; each later one is by one of those who finish above, "
        f"{chances}"
    )


def convergence(solution: TableSolution) -> str:
    """Say how far the solution is from an equilibrium."""
    of = "chips" if solution.table.payouts is None else "prizes"
    if solution.table.bounties is not None:
        of = "prizes and bounties"
    worst, mean = (
        percent(gain / solution.table.whole, 5)
        if gain > _TINY * solution.table.whole or not gain
        else f"{100 * gain / solution.table.whole:.0e}\N{NARROW NO-BREAK SPACE}%"
        for gain in (solution.worst, solution.exploitability)
    )
    return (
        f"a best response gains at most {worst} of the {of} ({mean} on average); "
        f"{solution.iterations:,} iterations in {solution.took_s:.1f} s"
    )


def equities(table: PushFoldTable) -> dict[str, list[str]]:
    """Return columns: each seat's bounty, and its equity before the hand, if there are prizes."""
    columns = {}
    if table.bounties is not None:
        columns["bounty"] = [f"{bounty:g}" for bounty in table.bounties.heads]
    if table.payouts is not None:
        columns["equity"] = [number(float(equity), 3) for equity in table.equities]
    return columns


def assumptions(solution: TableSolution) -> list[str]:
    """List the assumptions about bounties and hands to come."""
    table = solution.table
    words = [] if table.bounties is None else [bounty_words(table.bounties)]
    if table.future_hands:
        words.append("in hands to come everybody goes all-in or folds, with one caller at most")
    return words


def crowded(solution: TableSolution) -> str:
    """Say how often somebody must fold because three are all-in before him."""
    return f"three are all-in before somebody in {percent(solution.crowded, 2)} of hands"


def first_in_words(solution: TableSolution) -> str:
    """Say how often each seat goes all-in if everybody before it folds."""
    shares = [
        f"{name} with {percent(solution.share((seat, ())))}"
        for seat, name in enumerate(solution.table.seats)
        if (seat, ()) in solution.strategy
    ]
    return f"All-in first in: {listed(shares)} of hands." if shares else "Nobody has a choice."


def situation(seats: Sequence[str], inside: Seats) -> str:
    """Say who is all-in before a decision."""
    return "first in" if not inside else "behind " + ", ".join(seats[seat] for seat in inside)


def range_words(solution: TableSolution, node: Node) -> str:
    """Write a decision's range as text that `railbird.cards.Range` reads."""
    weights = solution.strategy[node].round(_EVEN_DIGITS)
    return str(Range(weights[CLASS_OF_HOLDING])) or "nothing"


def _drawn(solution: TableSolution) -> list[Node]:
    """Return the decisions that are drawn: all that are first in, and the big blind's calls.

    A chart takes a third of a megabyte; the others are ranges in a table, and rows of the CSV.
    """
    last = len(solution.table.seats) - 1
    decided = [node for node in solution.strategy if node[0] not in solution.table.forced]
    first_in = [node for node in decided if not node[1]]
    return first_in + [node for node in decided if node[0] == last and len(node[1]) == 1]


def table_solution_document(solution: TableSolution) -> Document:
    """Say who goes all-in with what, seat by seat, and how near an equilibrium that is."""
    table, seats = solution.table, solution.table.seats
    unit = "bb" if table.payouts is None else "prize"
    drawn_nodes = set(_drawn(solution))
    held = equities(table)
    rows = [
        (
            name,
            f"{table.stacks[seat]:g}",
            *(cells[seat] for cells in held.values()),
            signed(float(solution.values.seats[seat]), _DECIMALS),
            percent(solution.share((seat, ()))) if (seat, ()) in solution.strategy else "",
            bounded_below(float(solution.values.gains[seat]), 5),
        )
        for seat, name in enumerate(seats)
    ]
    columns = ("seat", "stack", *held, f"hand worth, {unit}", "first in", "a best response gains")
    sections = [
        Section(
            table=Table(columns, rows),
            words=" ".join(
                f"{words[0].upper()}{words[1:]}."
                for words in (convergence(solution), crowded(solution), *assumptions(solution))
            ),
        )
    ]
    for seat, name in enumerate(seats):
        nodes = [node for node in solution.strategy if node[0] == seat]
        figures = [
            Figure(
                partial(
                    range_chart,
                    solution.strategy[node],
                    title=f"{name} {situation(seats, node[1])}: {percent(solution.share(node))}",
                ),
                f"How often {name} goes all-in {situation(seats, node[1])}, in per cent.",
            )
            for node in nodes
            if node in drawn_nodes
        ]
        ranges = [
            (
                situation(seats, node[1]),
                percent(solution.reached(node), 2),
                percent(solution.share(node)),
                range_words(solution, node),
            )
            for node in nodes
        ]
        ranges_table = Table(("situation", "arises", "all-in", "range"), ranges)
        sections.append(Section(heading=name, figures=figures, table=ranges_table))
    return Document(
        title=f"Push/fold: {heading(solution)}", lead=first_in_words(solution), sections=sections
    )
