"""``railbird train``: models of players, learned from logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird import histories, modelling, solve
from railbird._files import atomic_write
from railbird.cli._completion import FILE, OUTPUT_FILE, OneOf, Whole, Within
from railbird.cli._console import (
    json_option,
    log_game_option,
    output,
    print_json,
    progress,
)
from railbird.cli._gap_option import gap_option
from railbird.cli._hand_files import (
    SkipList,
    check_ending,
    check_inputs,
    check_output,
    force_option,
    reasons,
)
from railbird.cli._keyed_options import out_option
from railbird.cli._verbs import Commands
from railbird.cli.abstraction import parse_numbers
from railbird.errors import NothingUsable
from railbird.report.number_format import counted

if TYPE_CHECKING:
    from railbird.progress import Progress

_MOST_TYPES: Final = 64
_REPORT: Final = 200


@click.group(name="train", cls=Commands)
def command() -> None:
    """Learn models of players from logs."""


@command.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...", type=FILE)
@click.option(
    "--types",
    type=Whole(1, _MOST_TYPES),
    default=16,
    help="Types of players at most; if there are more players, those who act alike share one.",
)
@log_game_option
@click.option(
    "-o", "--out", type=OUTPUT_FILE, required=True, help="Model to write, such as model.npz."
)
@force_option
@json_option
def loki(
    *,
    logs: Sequence[str],
    types: int,
    game: str | None,
    out: Path,
    force: bool,
    as_json: bool,
) -> None:
    """Learn for loki what players do with which hands in limit hold'em.

    Every action counts with the cards of its hand; where these were not shown, with the holdings
    that the hand's actions make likely. A log with everybody's cards teaches most. Loki uses the
    model with model=learned,actions=FILE.

    \b
    Examples:
      railbird train loki table.log --out model.npz
      railbird match loki:som,model=learned,actions=model.npz loki:bpl
    """
    check_inputs(logs)
    check_output(out, inputs=logs, force=force)
    check_ending(out, [".npz"])
    from railbird.players.loki.action_training import count_actions

    skips = SkipList()
    with progress() as notify:
        counts = count_actions(_records(logs, game, skips, notify))
    actions = sum(situation_counts.total for situation_counts in counts.values())
    if not actions:
        skips.show()
        raise NothingUsable(f"no hand of limit hold'em with an action: {reasons(skips.counts)}")
    model = modelling.learned.fit_types(
        counts, types=types, facts=modelling.learned.shipped_model().facts
    )
    with atomic_write(out) as part, part.open("wb") as file:
        model.write(file)
    if as_json:
        print_json(
            {
                "files": list(logs),
                "skipped": skips.counts,
                "actions": round(actions),
                "types": list(model.names),
                "model": str(out),
            }
        )
        return
    skips.show()
    players = counted(len(counts), "player")
    output.print(f"{round(actions):,} actions of {players}, {counted(model.types, 'type')}")
    output.print(f"written: {out}", soft_wrap=True)


@command.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...", type=FILE)
@click.option("--player", required=True, help="Whose play is observed: a name in the log.")
@click.option(
    "--method",
    "kind",
    type=OneOf(["fbr", "dbr", "rnr"]),
    default="rnr",
    help="Frequentist best response, data-biased or restricted Nash response.",
)
@click.option(
    "--p",
    "parts",
    type=Within(0, 1),
    multiple=True,
    help="How far the observations are trusted, 0.9 by default; repeat it for a picture.",
)
@click.option("--buckets", default="5-5-5-5", help="Parts of the cards.")
@gap_option(
    unit=solve.settings.MB,
    default=5.0,
    help="Gap in mb/g at which to stop.",
)
@click.option(
    "--iterations",
    type=Whole(1, 100_000),
    default=200,
    help="Maximum number of iterations for each p.",
)
@log_game_option
@out_option(
    "Strategy to write, for equilibrium:FILE, or a picture of gain by exposure: .html, .svg or "
    ".png.",
    out=(),
    curve=(".html", ".svg", ".png"),
)
@force_option
@json_option
def response(
    *,
    logs: Sequence[str],
    player: str,
    kind: str,
    parts: tuple[float, ...],
    curve: Path | None,
    buckets: str,
    gap: float,
    iterations: int,
    game: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Find a strategy of heads-up limit that wins from what a player did in logs.

    A frequentist best response wins the most from the player as observed and can lose much to
    others. Restricted Nash responses (rnr) suppose that the player does as observed in a part p of
    all hands; data-biased ones (dbr) that it does so in a part of each decision that grows, up to
    p, with how often it was seen there. Gain and exposure are exact in the abstraction. The log
    must show the player's cards.

    \b
    Examples:
      railbird train response match.log --player som --p 0.9 --out counter.strategy
      railbird train response match.log --player som --out curve.svg
    """
    from railbird.cli import _train_response as training

    check_inputs(logs)
    trusted = training.check_parts(parts, kind=kind, has_curve=curve is not None)
    training.check_outputs(out, curve, inputs=logs, force=force)

    histories.check_players([player], logs)
    skips = SkipList()
    try:
        with progress() as notify:
            points, observed = training.find_points(
                _records(logs, game, skips, notify),
                player,
                kind=kind,
                parts=trusted,
                buckets=solve.abstraction.percentile.check_buckets(parse_numbers(buckets)),
                gap_mb=gap,
                most=iterations,
                out=out,
                skips=skips,
                progress=notify,
            )
    except NothingUsable:
        skips.show()
        raise
    files = {"strategy": out, "curve": curve}
    if as_json:
        print_json(
            {
                "files": list(logs),
                "skipped": skips.counts,
                "hands": observed.hands,
                "hidden": observed.hidden,
                "points": [point._asdict() for point in points],
                **{name: None if path is None else str(path) for name, path in files.items()},
            }
        )
    else:
        skips.show()
        training.print_points(points, observed, player)
    training.warn_of_gaps(points, gap)
    if curve is not None:
        training.draw_points(points, player, kind, curve)
    if as_json:
        return
    for path in (out, curve):
        if path is not None:
            output.print(f"written: {path}", soft_wrap=True)


def _records(
    logs: Sequence[str], game: str | None, skips: SkipList, notify: Progress
) -> Iterator[histories.HandRecord]:
    """Yield the hands of limit hold'em, counting the others."""
    from railbird.game import Betting

    read_ = 0
    for log in logs:
        for item in histories.read(log, game=game):
            read_ += 1
            if read_ % _REPORT == 0:
                notify(read_, 0, "hands")
            if not isinstance(item, histories.HandRecord):
                skips.add(item, log)
            elif item.rules.betting is not Betting.LIMIT:
                skips.leave_out("without fixed bets", 1)
            else:
                yield item
