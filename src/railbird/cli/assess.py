"""``railbird assess``: the post-game analysis of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird.cli._assess_crosstable import records_of_files, tell_crosstable
from railbird.cli._assess_match import aivat_of, match_of
from railbird.cli._assess_options import Wanted, check_known, known_players
from railbird.cli._assess_prizes import check_payouts, tell_prizes
from railbird.cli._assess_several_players import table_of
from railbird.cli._assess_sweep import sweep_of
from railbird.cli._completion import ESTIMATORS, FILE, OUTPUT_FILE, OUTPUT_FOLDER, SETTINGS, OneOf
from railbird.cli._console import json_option, log_game_option, progress
from railbird.cli._file_checks import (
    check_ending,
    check_folder,
    check_inputs,
    check_output,
    force_option,
)
from railbird.cli._skipped_hands import SkipList
from railbird.cli._verbs import Section
from railbird.errors import BadInput, absent_player

if TYPE_CHECKING:
    from railbird.game import Rules
    from railbird.histories import HandRecord, Skipped
    from railbird.histories.columns import HandBatch
    from railbird.progress import Progress

SECTION: Final = Section.JUDGE


@click.command(name="assess")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option("--out", type=OUTPUT_FOLDER, help="Folder for the report.")
@log_game_option
@click.option(
    "--settings",
    type=SETTINGS,
    default="standard",
    show_default=True,
    help="Settings of the baseline; A+B averages two.",
)
@click.option(
    "--fold-pot",
    type=OneOf(["round-start", "facing-bet"]),
    help="Pot that the fold rule sees.",
)
@click.option(
    "--player",
    help="Player from whose side results are given; by default the first hand's big blind.",
)
@click.option(
    "--crosstable", is_flag=True, help="Treat each log as a match, and show who won from whom."
)
@click.option(
    "--estimators",
    type=ESTIMATORS,
    metavar="A,B",
    help="Show only these, such as money,divat.",
)
@click.option(
    "--images",
    type=OneOf(["png", "svg"]),
    multiple=True,
    help="Also write every figure as a file.",
)
@click.option(
    "--table",
    type=OUTPUT_FILE,
    metavar="FILE",
    help="Write the results as a table for a paper: .tex, .md, or .csv with all digits.",
)
@click.option(
    "--sweep",
    metavar="A,B|all",
    help="Assess under each of these settings, and show them side by side.",
)
@click.option(
    "--by-decisions",
    is_flag=True,
    help="Assess heads-up limit decision by decision, like other games.",
)
@click.option(
    "--forward",
    is_flag=True,
    help="Fit coefficients on earlier hands only: unbiased even for players who learn.",
)
@click.option(
    "--known",
    multiple=True,
    metavar="NAME=SPEC",
    help="Player of heads-up limit who plays as SPEC, for AIVAT; SPEC alone if that is the name.",
)
@click.option(
    "--model",
    metavar="SPEC",
    help="Strategy by which --known values unknown players' hands; by default the known "
    "player's, or the baseline's where that does not look at its cards.",
)
@click.option(
    "--anytime",
    is_flag=True,
    help="Also intervals that hold however often a match is looked at (heads-up limit).",
)
@click.option(
    "--payouts",
    metavar="70,30",
    help="Assess tournaments by their prizes: percentages of the prize money by place.",
)
@click.option("--entry", help="Entry fee of every player, with --payouts; by default 1.")
@force_option
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Number of scoring threads, by default one per core; the results are the same.",
)
@click.option(
    "--on",
    metavar="ADDRESS",
    help="Score on a Ray cluster, with --workers: ray for this machine, or ray://HOST:PORT.",
)
@json_option
def command(
    *,
    files: Sequence[str],
    out: Path | None,
    game: str | None,
    settings: str,
    fold_pot: str | None,
    player: str | None,
    crosstable: bool,
    estimators: str | None,
    images: Sequence[str],
    table: Path | None,
    sweep: str | None,
    by_decisions: bool,
    forward: bool,
    known: Sequence[str],
    model: str | None,
    anytime: bool,
    payouts: str | None,
    entry: str | None,
    force: bool,
    workers: int | None,
    on: str | None,
    as_json: bool,
) -> None:
    """Tell skill from luck in finished matches of hold'em.

    FILE is a log of any known format, compressed or not, a folder of logs, or - for standard input.
    Unusable hands are skipped and counted by reason. Amounts are in small bets of the hand's own
    stakes, so a match whose blinds rose is judged at fixed stakes.

    \b
    Examples:
      railbird assess match.log --out report
      railbird assess six-handed.txt --player Hero --out scores
      railbird assess match.log.gz --settings standard+tight-low --json
      railbird assess match.log --sweep standard,tight-low,loose-low --table sweep.tex
      railbird assess match.log --known Ann=equilibrium:small --known always-call
      railbird assess tournaments.phhs --payouts 70,30 --entry 16.66
      railbird assess --crosstable logs
    """
    if payouts is not None or entry is not None:
        others = (crosstable, known, forward, by_decisions, anytime, out, table, sweep, model, on)
        check_payouts(payouts, without=others, settings=(settings, fold_pot))
        tell_prizes(files, game, payouts, entry, player, estimators, as_json)
        return
    if images and out is None:
        raise BadInput("--images needs --out, the folder to put them in")
    if crosstable and (out or player or estimators or table or sweep or by_decisions or forward):
        raise BadInput(
            "--crosstable goes with --game, --settings, --known, --workers, --on and --json alone"
        )
    if sweep is not None and (out or estimators or settings != "standard"):
        raise BadInput("--sweep takes the place of --settings, and goes without --out")
    if anytime and (crosstable or sweep is not None):
        raise BadInput("--anytime with --crosstable or --sweep; allowed: a match of two")
    check_known(known, without={"--sweep": sweep, "--on": on, "--by-decisions": by_decisions})
    check_inputs(files)
    _check_outputs(out, table, files, force=force)
    from railbird.assessment.scorable_batch import is_heads_up_limit
    from railbird.baseline import parse_smoothing

    pot = f",pot={fold_pot}" if fold_pot else ""
    chosen = parse_smoothing("+".join(part + pot for part in settings.split("+")))
    if crosstable:
        more = aivat_of(known_players(known), model)
        tell_crosstable(files, game, chosen, more, workers, on, as_json)
        return
    wanted = Wanted(
        files=files,
        settings=chosen,
        player=player,
        estimators=estimators,
        out=out,
        images=images,
        table=table,
        forward=forward,
        known=known_players(known),
        model=model,
        anytime=anytime,
        workers=workers,
        on=on,
    )
    skips = SkipList()
    with progress() as report:
        for name in (player, *wanted.known):
            _check_player(name, files, game, report)
        rules, hands = _game_of(records_of_files(files, game, skips, report))
        by_rounds = rules is not None and is_heads_up_limit(rules) and not by_decisions
        if sweep is not None:
            tell = sweep_of(wanted, sweep, pot, hands, report, by_rounds=by_rounds)
        else:
            assess = match_of if by_rounds or rules is None else table_of
            tell = assess(wanted, hands, report)
    tell(skips, as_json=as_json)


def _check_outputs(
    out: Path | None, table: Path | None, files: Sequence[str], *, force: bool
) -> None:
    """Refuse what cannot be written, before anything is read."""
    if out is not None:
        from railbird.report import FILES

        check_folder(out, FILES, inputs=files, force=force)
    if table is not None:
        check_output(table, inputs=files, force=force)
        check_ending(table, [".tex", ".md", ".csv"])


def _check_player(
    player: str | None, files: Sequence[str], game: str | None, report: Progress
) -> None:
    """Refuse a player who is in no log, before minutes are spent on compiling and scoring.

    Logs are read up to the first hands of the player; standard input, which can be read only once,
    is left to the assessment.
    """
    from railbird.histories import HandRecord, Skipped

    if player is None or "-" in files:
        return
    seen: set[str] = set()
    for hand in records_of_files(files, game, SkipList(), report):
        if not isinstance(hand, Skipped):
            seen.update(hand.players if isinstance(hand, HandRecord) else hand.names)
        if player in seen:
            return
    if seen:
        raise absent_player(player, seen, where="this log" if len(files) == 1 else "these logs")


def _game_of(
    hands: Iterator[HandRecord | HandBatch | Skipped],
) -> tuple[Rules | None, Iterator[HandRecord | HandBatch | Skipped]]:
    """Look at the first hand that reads; return its rules, and all that was to be read."""
    from railbird.histories import HandRecord, Skipped

    before: list[HandRecord | HandBatch | Skipped] = []
    for hand in hands:
        before.append(hand)
        if not isinstance(hand, Skipped):
            first = hand.rules if isinstance(hand, HandRecord) else hand.rules[hand.rules_of[0]]
            return first, chain(before, hands)
    return None, iter(before)
