"""``railbird demo``: the main job from nothing to a report."""

from __future__ import annotations

from pathlib import Path

import click

from railbird import arena, assessment, game, histories, report
from railbird.cli._completion import OUTPUT_FOLDER, Whole
from railbird.cli._console import errors, json_option, output, print_json, progress
from railbird.cli._hand_files import check_folder, force_option
from railbird.cli._result_tables import shown

PLAYERS = ("baseline", "baseline:loose-high")
HANDS, SEED = 4000, 293
"""A match that was won by luck: of the seeds below 300 the worst for the better player."""


@click.command(name="demo")
@click.option(
    "-o",
    "--out",
    type=OUTPUT_FOLDER,
    default=Path("demo-report"),
    help="Folder for the log and the report.",
)
@click.option("-n", "--hands", type=Whole(min=1), default=HANDS, help="Hands in the match.")
@click.option("-s", "--seed", type=Whole(min=0), default=SEED, help="Seed of the cards.")
@force_option
@json_option
def command(*, out: Path, hands: int, seed: int, force: bool, as_json: bool) -> None:
    """Play a match, assess it and write the report: the money misleads, DIVAT does not.

    Its seed was chosen for that. It takes some seconds. From a clone, the first run also builds the
    tables of hand ranks and compiles the kernels, a minute or two; a compiled wheel brings both.

    \b
    Example:
      railbird demo --out demo-report
    """
    check_folder(out, report.FILES, force=force)
    errors.print(f"playing {hands:,} hands of heads-up limit: {' against '.join(PLAYERS)}")

    match = arena.Match(players=PLAYERS, rules=game.HEADS_UP_LIMIT, deals=hands, seed=seed)
    log = out / f"match-{seed}-{match.hands}.log"
    with arena.set_aside([log] if force else []), progress() as notify:
        won, between = shown(arena.play(match, log=log, progress=notify).money(0))
        errors.print(
            f"{PLAYERS[0]} made {won} small bets a hand, in money (95 % interval {between});"
            " now without the luck of the cards"
        )
        assessed = assessment.assess(
            histories.read_columns(log), player=PLAYERS[0], progress=notify
        )
        page = report.write(assessed, out)
    if as_json:
        print_json({"report": str(page), "log": str(log), "hands": assessed.hands})
    else:
        output.print(report.text(assessed))
        output.print(f"report: {page}", soft_wrap=True)
