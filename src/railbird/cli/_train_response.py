"""``railbird train response``: a counter-strategy from a log, and the curve of several."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from railbird import assessment, game, histories, players, report, solve
from railbird.cli._console import errors, output, print_table
from railbird.cli._hand_files import check_ending, check_output, write_chart
from railbird.errors import BadInput, NothingUsable, absent_player
from railbird.report.document import Table

if TYPE_CHECKING:
    from railbird.cli._hand_files import SkipList
    from railbird.progress import Progress

_NOTED_AT_A_TIME = 1000
_SEATS = 2
_MOST_NAMES = 10_000
"""Names that are remembered for the message about one that is absent."""
_PICTURES_OF_OTHERS = (".pdf", ".jpg", ".jpeg", ".gif")
"""Endings of pictures that are not drawn here: no strategy is meant by them."""


def find_points(
    records: Iterable[histories.HandRecord],
    player: str,
    *,
    kind: str,
    parts: Sequence[float],
    buckets: Sequence[int],
    gap_mb: float,
    most: int,
    out: Path | None,
    skips: SkipList,
    progress: Progress,
) -> tuple[list[solve.limit.responses.Point], solve.limit.ObservedPlay]:
    """Find a response for each p in turn, and write the last one's strategy to ``out``."""
    game, abstraction = solve.limit.holdem_game(buckets, progress=progress)
    fingerprints: list[assessment.Fingerprints] = []
    names: set[str] = set()
    try:
        usable = _usable(_noting(records, names), skips, fingerprints)
        observed = solve.limit.observe_play(usable, player, abstraction)
    except NothingUsable:
        if names and player not in names:
            raise absent_player(player, names, where="these hands of limit") from None
        raise
    started = time.monotonic()
    solver = solve.limit.ResponseSolver(game, observed, solve.limit.ResponseKind(kind), parts[0])
    points = []
    for number, p in enumerate(parts):
        if number:
            solver.restart(p)
        points.append(
            solve.limit.find_response(solver, gap_mb=gap_mb, most=most, progress=progress)
        )
    if out is not None:
        last = points[-1]
        training: dict[str, Any] = {
            "algorithm": f"{kind}, a response to what {player} did",
            "player": player,
            "hands": observed.hands,
            **last._asdict(),
            "seconds": round(time.monotonic() - started, 1),
            "fingerprints": assessment.pack_fingerprints(np.sort(np.concatenate(fingerprints))),
        }
        strategy = solve.limit.LimitStrategy(
            observed.tree, abstraction, solver.own.average(), training
        )
        solve.limit.write_strategy(out, strategy)
    return points, observed


def _noting(
    records: Iterable[histories.HandRecord], names: set[str]
) -> Iterator[histories.HandRecord]:
    """Pass hands on, and note who plays in them."""
    for record in records:
        if len(names) < _MOST_NAMES:
            names.update(record.players)
        yield record


def _usable(
    records: Iterable[histories.HandRecord],
    skips: SkipList,
    fingerprints: list[assessment.Fingerprints],
) -> Iterator[histories.HandRecord]:
    """Pass each hand of heads-up limit on once, and count the others.

    Which they are is noted: estimators that use the response refuse these hands.
    """
    seen = histories.SeenHands()
    left = iter(records)
    while read := list(islice(left, _NOTED_AT_A_TIME)):
        suitable = []
        for record in read:
            if why := _why_unsuitable(record.rules):
                skips.leave_out(why, 1)
            else:
                suitable.append(record)
        if not suitable:
            continue
        batch = histories.batch_of(suitable)
        fresh = seen.fresh(batch)
        fingerprints.append(assessment.fingerprints_of(batch))
        for row in fresh.tolist():
            yield suitable[row]
    if seen.merged:
        skips.leave_out("given twice", seen.merged)
    for reason, count in assessment.copies_left_out(seen).items():
        skips.leave_out(reason, count)


def _why_unsuitable(rules: game.Rules) -> str | None:
    if rules.seats != _SEATS:
        return "with more than two seats"
    refused = players.why_no_tree(rules, carries_over=False)
    return None if refused is None else "with short stacks, a rake, or without a cap"


def print_points(
    points: Sequence[solve.limit.responses.Point], observed: solve.limit.ObservedPlay, player: str
) -> None:
    """Print what was observed, and the points as a table."""
    hidden = f", {observed.hidden:,} left out with hidden cards" if observed.hidden else ""
    output.print(f"{observed.hands:,} hands of {player}{hidden}")
    rows = []
    for point in points:
        amounts = (point.gain_mb, point.exposure_mb, point.gap_mb)
        shown = (f"{round(amount, 1) + 0.0:,.1f}" for amount in amounts)  # never -0.0
        rows.append((f"{point.p:g}", *shown, f"{point.iterations:,}"))
    heads = ("p", "gain, mb/g", "exposure, mb/g", "gap, mb/g", "iterations")
    print_table(Table(heads, rows))


def warn_of_gaps(points: Sequence[solve.limit.responses.Point], gap_mb: float) -> None:
    """Say on standard error where the iterations were too few for the gap that was asked for."""
    if wide := [point for point in points if point.gap_mb > gap_mb]:
        worst = max(wide, key=lambda point: point.gap_mb)
        errors.print(
            f"the gap is still {worst.gap_mb:,.1f} mb/g after {worst.iterations:,} iterations with "
            f"p = {worst.p:g}, {gap_mb:g} asked for: more --iterations help",
            soft_wrap=True,
        )


def draw_points(
    points: Sequence[solve.limit.responses.Point], player: str, kind: str, path: Path
) -> None:
    """Draw the gain by the exposure; the ending says the format."""
    from railbird.report.altair import alt

    values = [point._asdict() | {"label": f"p = {point.p:g}"} for point in points]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X("exposure_mb", type="quantitative", title="exposure, mb a game"),
        y=alt.Y("gain_mb", type="quantitative", title="gain, mb a game"),
    )
    line = base.mark_line(
        color=report.charts.variable("skill"), point={"color": report.charts.variable("skill")}
    ).encode(order=alt.Order("p", type="quantitative"))
    words = base.mark_text(align="left", dx=7, dy=10, color=report.charts.variable("ink")).encode(
        text=alt.Text("label", type="nominal")
    )
    summary = "; ".join(
        f"p = {point.p:g} wins {point.gain_mb:.0f} and risks {point.exposure_mb:.0f} mb a game"
        for point in points
    )
    write_chart(
        report.charts.layered(line, words),
        path,
        size=(560, 360),
        title=f"Responses to {player} ({kind}): gain by exposure, in the abstraction",
        words=f"{summary}.",
    )


def check_parts(parts: Sequence[float], *, kind: str, has_curve: bool) -> tuple[float, ...]:
    """Return the parts to solve. Raises `BadInput` for those that do not go together."""
    if kind == "fbr":
        if parts or has_curve:
            raise BadInput("--p or a picture with --method fbr, which takes no p; allowed: rnr")
        return (1.0,)
    if has_curve:
        return tuple(parts) or solve.limit.settings.RESPONSE_CURVE
    if len(parts) > 1:
        raise BadInput(f"{len(parts)} times --p; allowed: once, or with a picture")
    return tuple(parts) or (solve.limit.settings.RESPONSE_PART,)


def check_outputs(
    out: Path | None, curve: Path | None, *, inputs: Sequence[str], force: bool
) -> None:
    """Raise `BadInput` for files that cannot or must not be written: before minutes of work."""
    if out is None and curve is None:
        raise BadInput("no --out; allowed: a strategy, a picture, or both")
    if out is not None and (str(out) == "-" or (out.exists() and not out.is_file())):
        raise BadInput(f"--out {out}; allowed: a regular file, which is mapped into memory")
    for path in (out, curve):
        if path is not None:
            check_output(path, inputs=inputs, force=force)
    pictures = [out] if out is not None and out.suffix.lower() in _PICTURES_OF_OTHERS else []
    for path in (*pictures, *filter(None, [curve])):
        check_ending(path, [".html", ".svg", ".png"])
