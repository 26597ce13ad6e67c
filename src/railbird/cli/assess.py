"""``railbird assess``: the post-game analysis of a match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird import assessment, baseline, game, histories, report
from railbird.cli._assess import (
    Printer,
    Wanted,
    aivat_of,
    check_known,
    check_payouts,
    known_players,
    print_prizes,
    result_of,
    sweep_of,
)
from railbird.cli._assess_crosstable import tell_crosstable
from railbird.cli._assess_league import tell_league
from railbird.cli._assess_other_game import other_game_result
from railbird.cli._completion import ESTIMATORS, FILE, SETTINGS, OneOf, Whole
from railbird.cli._console import json_option, log_game_option, progress
from railbird.cli._hand_files import (
    SkipList,
    check_folder,
    check_inputs,
    check_output,
    force_option,
    is_of_other_games,
    records_of_files,
)
from railbird.cli._keyed_options import Setting, out_option, set_option, show_option
from railbird.cli._model_usage import record_option
from railbird.errors import BadInput

if TYPE_CHECKING:
    from railbird.progress import Progress

_TABLES: Final = (".tex", ".md", ".csv")
"""Endings of a table for a paper."""


@click.command(name="assess")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@out_option(
    "Folder for the report; or the results as a table for a paper: .tex, .md, or .csv with all "
    "digits. With --payouts a page (.html, .md).",
    out=(),
    table=_TABLES,
)
@log_game_option
@click.option(
    "--settings",
    type=SETTINGS,
    default="standard",
    help="Settings of the baseline; A+B averages two.",
)
@set_option(
    fold_pot=Setting(
        "facing-bet",
        "pot in the fold rule, or round-start",
        OneOf(["round-start", "facing-bet"]),
    )
)
@click.option(
    "--player",
    help="Player from whose side results are given; by default the first hand's big blind.",
)
@show_option(
    crosstable="who won from whom, if each log is a match",
    league="all players of all logs compared, with intervals that hold at any time and for all "
    "pairs at once",
    anytime="intervals that hold however often you look at a match of two",
)
@click.option(
    "--estimators",
    type=ESTIMATORS,
    metavar="A,B",
    help="Show only these, such as money,divat.",
)
@click.option(
    "--image",
    "images",
    type=OneOf(["png", "svg"]),
    multiple=True,
    help="Also write every figure of the report as a file.",
)
@click.option(
    "--sweep",
    metavar="A,B|all",
    help="Assess under each of these settings, and show them side by side.",
)
@click.option(
    "--method",
    type=OneOf(["rounds", "decisions"]),
    help="Assess heads-up limit round by round, the default, or decision by decision, like other "
    "games.",
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
    help="Player of heads-up limit or no-limit who plays as SPEC, for AIVAT; SPEC alone if that is "
    "the name.",
)
@click.option(
    "--model",
    metavar="SPEC",
    help="Strategy by which --known values unknown players' hands; by default that of the "
    "known player, or of the baseline if the known player does not look at its cards. In "
    "no-limit a blueprint.",
)
@record_option
@click.option(
    "--payouts",
    metavar="70,30",
    help="Assess tournaments by their prizes: percentages of the prize money by place.",
)
@click.option("--entry", help="Entry fee of every player, with --payouts; by default 1.")
@force_option
@click.option(
    "--workers",
    type=Whole(min=1),
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
    league: bool,
    estimators: str | None,
    images: Sequence[str],
    table: Path | None,
    sweep: str | None,
    method: str | None,
    forward: bool,
    known: Sequence[str],
    model: str | None,
    anytime: bool,
    record: Path | None,
    payouts: str | None,
    entry: str | None,
    force: bool,
    workers: int | None,
    on: str | None,
    as_json: bool,
) -> None:
    """Tell skill from luck in finished matches of hold'em, or of Omaha and other games.

    FILE is a log of any known format, compressed or not, a folder of logs, or - for standard input.
    Unusable hands are skipped and counted by reason. Amounts are in small bets of the hand's own
    stakes, so a match whose blinds rose is judged at fixed stakes.

    \b
    Examples:
      railbird assess match.log --out report
      railbird assess six-handed.txt --player Hero --out scores
      railbird assess match.log.gz --settings standard+tight-low --json
      railbird assess match.log --sweep standard,tight-low,loose-low --out sweep.tex
      railbird assess match.log --known Ann=equilibrium:small --known always-call
      railbird assess tournaments.phhs --payouts 70,30 --entry 16.66 --out prizes.html
      railbird assess logs --show crosstable
      railbird assess replays --show league
    """
    by_decisions = method == "decisions"
    if payouts is not None or entry is not None:
        out, table = out or table, None if out is None else table  # whose page may be .md, too
        others = (
            crosstable,
            known,
            forward,
            by_decisions,
            anytime,
            table,
            sweep,
            model,
            on,
            record,
        )
        check_payouts(payouts, without=others, settings=(settings, fold_pot))
        print_prizes(
            files, game, payouts, entry, player, estimators, out, force=force, as_json=as_json
        )
        return
    if images and out is None:
        raise BadInput("--image needs --out, the folder to put them in")
    if images:
        report.check_pictures()
    if crosstable and (out or player or estimators or table or sweep or by_decisions or forward):
        raise BadInput(
            "--show crosstable goes with --game, --settings, --known, --workers, --on and --json"
            " alone"
        )
    alone = (out, player, estimators, table, sweep, by_decisions, forward, crosstable, known)
    _check_league(league, without=(*alone, anytime, model))
    if sweep is not None and (out or estimators or settings != "standard"):
        raise BadInput("--sweep takes the place of --settings, and goes without --out")
    if crosstable or sweep is not None:
        _check_several({"--show anytime": anytime, "--record": record})
    check_known(known, without={"--sweep": sweep, "--on": on, "--method decisions": by_decisions})
    check_inputs([*files, *([] if record is None else [str(record)])])
    _check_outputs(out, table, files, force=force)

    pot = f",pot={fold_pot}" if fold_pot else ""
    chosen = baseline.parse_smoothing("+".join(part + pot for part in settings.split("+")))
    if crosstable:
        more = aivat_of(known_players(known), model)
        tell_crosstable(files, game, chosen, more, workers, on, as_json)
        return
    if league:
        tell_league(files, game, chosen, workers, on, record, as_json)
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
        record=record,
        workers=workers,
        on=on,
    )

    histories.check_players(filter(None, (player, *wanted.known)), files)
    skips = SkipList()
    with progress() as notify:
        rules, hands = _game_of(records_of_files(files, game, skips, notify))
        if rules is None and is_of_other_games(files, skips):
            of_holdem: dict[str, object] = {
                "--settings": settings != "standard",
                "--set": fold_pot,
                "--method": method,
            }
            tell = other_game_result(wanted, game, notify, without={"--sweep": sweep, **of_holdem})
        else:
            tell = _holdem_result(wanted, rules, hands, notify, sweep, pot, method)
    tell(skips, as_json=as_json)


def _holdem_result(
    wanted: Wanted,
    rules: game.Rules | None,
    hands: Iterator[histories.HandRecord | histories.HandBatch | histories.Skipped],
    notify: Progress,
    sweep: str | None,
    pot: str,
    method: str | None,
) -> Printer:
    """Assess hands of hold'em, by one setting of the baseline or by several side by side."""
    by_decisions = method == "decisions"
    by_rounds = rules is None or (assessment.is_heads_up_limit(rules) and not by_decisions)
    if sweep is not None:
        return sweep_of(wanted, sweep, pot, hands, notify, by_rounds=by_rounds)
    return result_of(wanted, hands, notify, by_rounds=by_rounds)


def _check_league(league: bool, *, without: Sequence[object]) -> None:
    if league and any(without):
        raise BadInput(
            "--show league goes with --game, --settings, --workers, --on, --record and --json alone"
        )


def _check_several(options: Mapping[str, object]) -> None:
    """Refuse what belongs to one assessment where there are several."""
    if given := [name for name, value in options.items() if value]:
        raise BadInput(f"{given[0]} with --show crosstable or --sweep; allowed: without them")


def _check_outputs(
    out: Path | None, table: Path | None, files: Sequence[str], *, force: bool
) -> None:
    """Refuse what cannot be written, before anything is read."""
    if out is not None:
        check_folder(out, report.FILES, endings=_TABLES, inputs=files, force=force)
    if table is not None:
        check_output(table, inputs=files, force=force)


def _game_of(
    hands: Iterator[histories.HandRecord | histories.HandBatch | histories.Skipped],
) -> tuple[
    game.Rules | None, Iterator[histories.HandRecord | histories.HandBatch | histories.Skipped]
]:
    """Look at the first hand that reads; return its rules, and all that was to be read."""
    lookahead: list[histories.HandRecord | histories.HandBatch | histories.Skipped] = []
    for hand in hands:
        lookahead.append(hand)
        if not isinstance(hand, histories.Skipped):
            first = (
                hand.rules
                if isinstance(hand, histories.HandRecord)
                else hand.rules[hand.rules_of[0]]
            )
            return first, chain(lookahead, hands)
    return None, iter(lookahead)
