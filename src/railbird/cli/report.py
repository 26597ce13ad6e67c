"""``railbird report``: one person's play, what was luck and which decisions cost most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird.cli._assess_crosstable import records_of_files
from railbird.cli._completion import FILE, OUTPUT_FILE, PLAYER
from railbird.cli._console import (
    json_option,
    log_game_option,
    output,
    print_json,
    progress,
)
from railbird.cli._file_checks import check_ending, check_inputs, check_output, force_option
from railbird.cli._skipped_hands import SkipList
from railbird.cli._verbs import Section
from railbird.errors import BadInput, NothingUsable

if TYPE_CHECKING:
    from railbird.histories import HandRecord, Skipped
    from railbird.histories.columns import HandBatch

SECTION: Final = Section.JUDGE
_NAMED: Final = 5


@click.command(name="report")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option(
    "--player",
    metavar="NAME",
    help="Whose play, by the name in the log; by default whose log it is.",
)
@click.option(
    "--as",
    "adviser",
    type=PLAYER,
    help="Player that is asked what it would have done, such as loki:som; by default one of the "
    "house that plays the game.",
)
@click.option("--no-advice", is_flag=True, help="Ask nobody, which is faster.")
@log_game_option
@click.option("--out", type=OUTPUT_FILE, help="HTML page to write, such as mine.html.")
@force_option
@json_option
def command(
    *,
    files: Sequence[str],
    player: str | None,
    adviser: str | None,
    no_advice: bool,
    game: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Report on one person's play: luck and skill, costly decisions, what others would have done.

    FILE is a log of any known format, or a server's proceedings. The estimator follows from the
    cards that the log shows, as in assess; decisions have a cost where all cards are known, or by
    the push/fold equilibrium heads-up with short stacks. Elsewhere the report lists the hands that
    lost most, and where a player of the house would have done otherwise.

    \b
    Examples:
      railbird report sessions/ --player Hero
      railbird report six.12.phh --player ann --as loki:som --out mine.html
    """
    if no_advice and adviser is not None:
        raise BadInput("--as and --no-advice; allowed: one of them")
    if player is None and "-" in files:
        raise BadInput("standard input is read only once; say whose play by --player")
    check_inputs(files)
    if out is not None:
        check_output(out, inputs=files, force=force)
        check_ending(out, [".html"])
    from railbird.assessment.own_play.own_play import assess_play
    from railbird.report.one_player.summary import play_summary
    from railbird.report.one_player.terminal import summary_text

    skips = SkipList()
    with progress() as report:
        if player is None:
            player = _owner(records_of_files(files, game, SkipList(), report))
        play = assess_play(
            records_of_files(files, game, skips, report),
            player,
            adviser=adviser,
            ask=not no_advice,
            progress=report,
        )
    if out is not None:
        from railbird._files import replace_files
        from railbird.report.one_player.page import play_page

        replace_files({out: play_page(play).encode()})
    if as_json:
        written = None if out is None else str(out)
        print_json({"files": list(files), **play.as_json(), "report": written})
        return
    skips.show()
    output.print(summary_text(play_summary(play)))
    if out is not None:
        output.print(f"report: {out}", soft_wrap=True)


def _owner(hands: Iterator[HandRecord | HandBatch | Skipped]) -> str:
    """Find whose log it is. Raises `NothingUsable` where it does not say."""
    from railbird.assessment.own_play.own_play import player_of

    name, names = player_of(hands)
    if name is None:
        most = ", ".join(list(names)[:_NAMED])
        raise NothingUsable(
            f"whose play is it? name one by --player: {most or 'there are no hands'}"
        )
    return name
