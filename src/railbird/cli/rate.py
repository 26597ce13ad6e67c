"""``railbird rate``: one person's play as one number, what a decision lost."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

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
from railbird.report.number_format import counted, number, percent

if TYPE_CHECKING:
    from railbird.assessment.play_rating import LostByDecisions, PlayRating

_UNITS: Final = {"bb": "big blind", "sb": "small bet"}
_TITLES: Final = {
    "street": "street",
    "position": "position",
    "action": "what was done",
    "by": "judged by",
}


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
    for line in _sentences(rating):
        output.print(line, soft_wrap=True)
    print_table(rating_table(rating))


def _sentences(rating: PlayRating) -> Iterator[str]:
    """Say the number, what it is of, and what was won."""
    lost, unit = rating.lost, rating.unit
    value, low, high = rating.per_100
    if rating.withheld:
        yield f"No verdict on {rating.player}: {rating.withheld}."
        if lost.bounded:
            yield (
                f"Of {lost.bounded:,} decisions the cost has bounds: each lost "
                f"{_range(lost.low, lost.high, 0)} thousandths of a {_UNITS[unit]} on average "
                f"(95 %). {lost.unknown:,} of them are too uncertain to grade."
            )
    else:
        yield (
            f"{rating.player} lost {number(lost.value, 0)} m{unit} a decision whose cost has "
            f"bounds, 95 % {_range(lost.low, lost.high, 0)}, which is {number(value, 1)} "
            f"{unit}/100, {_range(low, high, 1)}."
        )
    yield (
        f"Won a hand, over {counted(rating.hands)}: {rating.result}; in money alone {rating.money}."
    )


def _range(low: float, high: float, decimals: int) -> str:
    return f"{number(low, decimals)} to {number(high, decimals)}"


def rating_table(rating: PlayRating) -> report.Table:
    """Return the table of a rating: all decisions, then their parts."""
    rows = [_row("all", rating.lost)]
    for part, losses in rating.parts.items():
        rows += [_row(f"{_TITLES[part]}: {name}", lost) for name, lost in losses.items()]
    columns = ("decisions", "number", "judged", "mbb lost", "95 %", "close", "mistakes", "blunders")
    return report.Table(columns, rows, strong=(0,))


def _row(name: str, lost: LostByDecisions) -> tuple[str, ...]:
    value = (
        "–" if math.isnan(lost.value) else number(lost.value, 0),
        _range(lost.low, lost.high, 0) if lost.bounded else "–",
    )
    return (
        name,
        f"{lost.decisions:,}",
        percent(lost.judged_share, 0),
        *value,
        f"{lost.close:,}",
        f"{lost.mistakes:,}",
        f"{lost.blunders:,}",
    )
