"""``railbird report``: one person's play, what was luck and which calls and folds cost."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird import assessment, histories, report
from railbird.cli._completion import FILE, OUTPUT_FILE, PLAYER
from railbird.cli._console import (
    json_option,
    log_game_option,
    output,
    print_document,
    print_json,
    progress,
)
from railbird.cli._hand_files import (
    HandPlaces,
    SkipList,
    check_ending,
    check_inputs,
    check_output,
    force_option,
    is_of_other_games,
)
from railbird.cli._own_play import own_hands, own_play_options, spots_solved_from
from railbird.cli._report_other_game import report_other_game
from railbird.cli._tournament_results import (
    say_refused,
    show_tournaments,
    tournament_returns,
    tournaments_json,
)
from railbird.errors import NothingUsable

if TYPE_CHECKING:
    pass

_NOBODY: Final = "none"


@click.command(name="report")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@own_play_options
@click.option(
    "--ask",
    "adviser",
    type=PLAYER,
    help="Player that is asked what it would have done, such as loki:som; by default one of the "
    "house that plays the game; none asks nobody, which is faster.",
)
@log_game_option
@click.option(
    "-o",
    "--out",
    type=OUTPUT_FILE,
    help="Page to write, such as mine.html, or mine.md for Markdown.",
)
@force_option
@json_option
def command(
    *,
    files: Sequence[str],
    player: str | None,
    adviser: str | None,
    first: str,
    conditions: Sequence[str],
    game: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Report on one person's play: luck and skill, calls and folds, what others would have done.

    FILE is a log of any known format, or the log of a server's game. The estimator follows from the
    cards that the log shows, as in assess. Decisions are graded by what the player could see. With
    one opponent left, the rest of the hand is solved; short stacks heads-up are judged by the
    push/fold equilibrium; other calls and folds that end the betting are judged by what the call
    wins. The report also lists where decisions cost most, the hands that lost most, and where a
    player of the house would have acted differently.

    \b
    Examples:
      railbird report sessions/ --player Hero
      railbird report six.12.phh --player ann --ask loki:som --out mine.html
      railbird report year/ --player Hero --where "3bet pot, faced river bet"
      railbird report year/ --player Hero --solve flop --out year.html
    """
    is_asked = adviser != _NOBODY
    where = assessment.spot_language.spots_from(conditions)
    check_inputs(files)
    if out is not None:
        check_output(out, inputs=files, force=force)
        check_ending(out, [".html", ".md"])

    histories.check_players(() if player is None else (player,), files)
    skips, places = SkipList(), HandPlaces()
    try:
        with progress() as notify:
            player, hands = own_hands(files, player, game, skips, notify, places)
            play = assessment.assess_play(
                hands,
                player,
                adviser=adviser if is_asked else None,
                ask=is_asked,
                spots=spots_solved_from(first),
                where=where,
                progress=notify,
            )
    except NothingUsable:
        if is_of_other_games(files, skips):
            holdem_options = {"--where": conditions, "--ask": adviser}
            report_other_game(
                files, player, game, out, holdem_options=holdem_options, as_json=as_json
            )
            return
        returns, refused = tournament_returns(files, () if player is None else (player,), {})
        if where is not None or not returns:
            raise
        show_tournaments(files, returns, refused, out, skips, as_json=as_json)
        return
    returns, refused = ({}, []) if where else tournament_returns(files, (player,), {})
    is_page = out is not None and out.suffix.lower() == ".html"
    with progress():
        document = report.play_document(
            play,
            replays=is_page,
            name_of=places.name,
            to_spot=partial(_to_spot, places) if game is None else None,
            tournaments=returns.get(player, {}),
        )
    if out is not None:
        report.html_page.write(document, out)
    if as_json:
        written = None if out is None else str(out)
        entries = tournaments_json(returns, refused) if returns or refused else {}
        print_json({"files": list(files), **play.as_json(), **entries, "report": written})
        return
    skips.show()
    say_refused(refused)
    print_document(document)
    if out is not None:
        output.print(f"report: {out}", soft_wrap=True)


def _to_spot(places: HandPlaces, record: histories.HandRecord) -> str:
    """Return the command that makes a spot of a hand; empty where it is none."""
    at = places.place(record)
    if at is None or "-" in at or not assessment.hand_spots.streets_of(record):
        return ""
    return shlex.join(["railbird", "solve", "spot", "played", at[0], "--hand", f"{at[1]}"])
