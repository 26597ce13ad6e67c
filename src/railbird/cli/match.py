"""``railbird match``: two players against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from railbird.cli._completion import PLAYER, OneOf
from railbird.cli._console import output, print_json, print_table, progress
from railbird.cli._known_players import aivat_of
from railbird.cli._play_options import (
    CHUNK,
    HANDS,
    MOST_HANDS,
    Playing,
    game_option,
    playing_options,
    rake_option,
    rules_of,
)
from railbird.cli._result_tables import match_table, tell_faults
from railbird.cli._verbs import Section
from railbird.errors import BadInput

if TYPE_CHECKING:
    from railbird.arena import MatchResult
    from railbird.assessment import Assessment, TableAssessment
    from railbird.assessment.aivat.estimator import Aivat
    from railbird.estimates.confidence_sequences import Watch
    from railbird.game import Rules
    from railbird.progress import Progress

SECTION: Final = Section.PLAY


@click.command(name="match")
@click.argument("first", metavar="A", type=PLAYER)
@click.argument("second", metavar="B", type=PLAYER)
@game_option
@click.option(
    "--hands",
    type=click.IntRange(min=1),
    help=f"{HANDS:,} by default; with --until the most that are played, {MOST_HANDS:,} by default.",
)
@click.option("--duplicate", is_flag=True, help="Play each deal twice, with the seats swapped.")
@click.option(
    "--until", help="Stop when A's winnings are known to within 0.02sb, say, or when decided."
)
@click.option(
    "--dealer",
    type=OneOf(["seeded", "acpc"]),
    default="seeded",
    show_default=True,
    help="Shuffle as Railbird or as the ACPC's dealer does.",
)
@click.option(
    "--chunk",
    type=click.IntRange(min=1),
    default=CHUNK,
    show_default=True,
    help="Deals after which players forget what they have learned of each other.",
)
@rake_option
@click.option("--assess", "assessed", is_flag=True, help="Also tell skill from luck.")
@click.option(
    "--aivat",
    is_flag=True,
    help="With --assess in heads-up limit: also by the strategies of the players, where known.",
)
@playing_options(log="ACPC log to write; an unfinished one is resumed.")
def command(
    *,
    first: str,
    second: str,
    game: str,
    hands: int | None,
    duplicate: bool,
    until: str | None,
    dealer: str,
    chunk: int,
    rake: str | None,
    assessed: bool,
    aivat: bool,
    how: Playing,
) -> None:
    """Play A against B and print what they won; `railbird players` lists who can play.

    A match with a log that was stopped is resumed. The same seed plays the same hands, whatever the
    number of workers. --until checks a confidence sequence after every chunk of deals; it holds at
    all times at once, so stopping early does not favour either player.

    \b
    Examples:
      railbird match always-call always-raise --hands 10000
      railbird match baseline baseline:aggressive-high --hands 4000 --duplicate --log match.log
      railbird match baseline baseline:aggressive-high --duplicate --until decided --assess
      railbird match vexbot always-raise --hands 20000 --chunk 20000
    """
    from railbird.arena import Dealing, Match, Seating, play

    rules = rules_of(game, rake=rake)
    if rules.rake is not None and until is not None:
        # It takes what one player wins for what the other loses.
        raise BadInput(f"--until with a rake of {rules.rake}; allowed: one of the two")
    if hands is None:
        hands = HANDS if until is None else MOST_HANDS
    match = Match(
        players=(first, second),
        rules=rules,
        deals=-(-hands // 2) if duplicate else hands,
        seed=how.seed,
        seating=Seating.DUPLICATE if duplicate else Seating.SINGLE,
        dealing=Dealing(dealer),
        chunk=chunk,
        faults=how.faults,
    )
    more = aivat_of(match) if aivat else []
    if aivat and not assessed:
        raise BadInput("--aivat without --assess; allowed: together")
    watch = None if until is None else _watch(rules, until)
    with how.begun(how.log), progress() as report:
        result = play(
            match,
            log=how.log,
            workers=how.workers,
            on=how.on,
            until=watch,
            keep=assessed,
            progress=report,
        )
        assessment = _assess(result, more, report) if assessed else None
    faults = list(zip(match.names, result.faults, strict=True))
    if how.as_json:
        judged = {} if watch is None else {"until": until, **watch.as_json()}
        if assessment is not None:
            judged["assessment"] = {"files": [], **assessment.as_json(), "report": None}
        print_json(result.as_json(how.log) | judged)
        tell_faults(faults, match.hands, strict=how.strict)
        return
    print_table(match_table(result, (0, 1), watch=watch))
    if watch is not None:
        reached = "reached" if watch.reached else "not reached"
        winner, won = match.names[0], watch.interval
        if won.value < 0:
            winner, won = match.names[1], -won
        output.print(f"{until} {reached}: {winner} wins {won}", soft_wrap=True)
    if assessment is not None:
        _show(assessment)
    tell_faults(faults, match.hands, strict=how.strict)


def _watch(rules: Rules, until: str) -> Watch:
    from railbird.estimates.confidence_sequences import Watch, parse_goal

    unit = rules.result_unit
    return Watch(parse_goal(until, unit=unit), chips=rules.chips_per_unit, unit=unit)


def _assess(
    result: MatchResult, more: Sequence[Aivat], report: Progress
) -> Assessment | TableAssessment:
    from railbird.assessment import assess, assess_table
    from railbird.assessment.scorable_batch import is_heads_up_limit

    if is_heads_up_limit(result.match.rules):
        return assess(result, player=result.match.names[0], more=more, progress=report)
    return assess_table(result, progress=report)


def _show(assessment: Assessment | TableAssessment) -> None:
    from railbird.assessment import TableAssessment

    if isinstance(assessment, TableAssessment):
        from railbird.cli._assess_several_players import show

        show(assessment)
    else:
        from railbird.report import text

        output.print(text(assessment))
