"""``railbird score``: one hand in full."""

from __future__ import annotations

from typing import Final

import click

from railbird.cli._completion import SETTINGS
from railbird.cli._shell import json_option, output, print_json, progress
from railbird.cli._verbs import Section

SECTION: Final = Section.JUDGE


@click.command(name="score")
@click.argument("hand", metavar='"ONE-LINE HAND"')
@click.option(
    "--settings",
    type=SETTINGS,
    default="standard",
    show_default=True,
    help="Settings of the baseline; A+B averages two.",
)
@json_option
def command(*, hand: str, settings: str, as_json: bool) -> None:
    """Score one hand of heads-up limit hold'em, round by round.

    The hand is one line of text or an ACPC STATE line. The first player is the big blind; in the
    betting s and l are the blinds, k check, b bet, c call, r raise, f fold, and the second player,
    the dealer, has capitals.

    \b
    Examples:
      railbird score "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC"
      railbird score "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBc/kBrC/bF" --settings tight-low
    """
    from railbird.assessment import SmoothedScore, score_hand
    from railbird.baseline import parse_smoothing
    from railbird.histories import read_hand

    chosen = parse_smoothing(settings)
    record = read_hand(hand)
    with progress() as report:
        scores = tuple(score_hand(record, one, progress=report) for one in chosen)
    if as_json:
        print_json(SmoothedScore(scores).as_json())
        return
    from railbird.report import score_table, smoothed_line

    for score in scores:
        output.print(score_table(score, holes=record.holes))
    if len(scores) > 1:
        output.print(smoothed_line(SmoothedScore(scores)))
