"""``railbird rate``: one person's play as one number, what a decision lost."""

from __future__ import annotations

from collections.abc import Sequence

import click

from railbird import assessment, histories, report
from railbird.cli._completion import FILE
from railbird.cli._console import (
    json_option,
    log_game_option,
    output,
    print_json,
    print_table,
    progress,
)
from railbird.cli._hand_files import SkipList, check_inputs
from railbird.cli._own_play import own_hands, own_play_options, spots_solved_from
from railbird.report.number_format import counted


@click.command(name="rate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@own_play_options
@log_game_option
@json_option
def command(
    *,
    files: Sequence[str],
    player: str | None,
    first: str,
    conditions: Sequence[str],
    game: str | None,
    as_json: bool,
) -> None:
    """Rate one person's play by one number: the loss per decision, in thousandths of a big blind.

    FILE is a log of hold'em, of any known format. Decisions are graded as in report, by what the
    player could see. The number is the mean over the decisions whose cost has bounds. The table
    says how many are judged, by street, position, action and method. If too few are judged, there
    is an interval but no number.

    \b
    Examples:
      railbird rate sessions/ --player Hero
      railbird rate year/ --player Hero --solve flop --json
    """
    where = assessment.spot_language.spots_from(conditions)
    check_inputs(files)
    histories.check_players(() if player is None else (player,), files)
    skips = SkipList()
    with progress() as notify:
        player, hands = own_hands(files, player, game, skips, notify)
        play = assessment.assess_play(
            hands, player, ask=False, spots=spots_solved_from(first), where=where, progress=notify
        )
    rating = assessment.play_rating.rate_play(play)
    if as_json:
        print_json({"files": list(files), **rating.as_json()})
        return
    skips.show()
    print_table(report.play_rating.rating_table(rating))
    won = f"Won a hand, over {counted(rating.hands)}: {rating.result}; in money alone"
    output.print(f"{won} {rating.money}.", soft_wrap=True)
    output.print(report.play_rating.rating_words(rating), soft_wrap=True)
