"""``railbird score``: one hand in full."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird.cli._completion import OUTPUT_FILE, SETTINGS
from railbird.cli._console import (
    json_option,
    log_game_option,
    output,
    print_document,
    print_json,
    progress,
    seed_option,
)
from railbird.cli._hand_files import check_ending, check_inputs, check_output, force_option
from railbird.cli._verbs import HelpSection
from railbird.errors import BadInput

if TYPE_CHECKING:
    from railbird.assessment import HandScore
    from railbird.assessment.decision_divat import TableHandScore
    from railbird.histories import HandRecord

SECTION: Final = HelpSection.JUDGE


@click.command(name="score")
@click.argument("hand", metavar="HAND|FILE")
@click.option(
    "--hand",
    "number",
    type=click.IntRange(min=1),
    help="Place of the hand in a file, from 1, whatever its number; not needed for a single hand.",
)
@click.option(
    "--settings",
    type=SETTINGS,
    default="standard",
    show_default=True,
    help="Settings of the baseline; A+B averages two.",
)
@log_game_option
@click.option(
    "--boards",
    type=click.IntRange(min=1),
    help="Random boards before the flop, by default 10,000; heads-up limit needs none.",
)
@seed_option
@click.option(
    "--out",
    type=OUTPUT_FILE,
    help="Page to write, such as hand.html, or hand.md for Markdown.",
)
@force_option
@json_option
def command(
    *,
    hand: str,
    number: int | None,
    settings: str,
    game: str | None,
    boards: int | None,
    seed: int,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Score one hand of any hold'em, decision by decision; heads-up limit round by round.

    HAND is the text of a hand in any format that logs are read in, such as one line or an ACPC
    STATE line, or the path of a log. All cards have to be known. In the one-line text the first
    player is the big blind; s and l are the blinds, k check, b bet, c call, r raise, f fold, and
    the second player, the dealer, has capitals.

    \b
    Examples:
      railbird score "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC"
      railbird score "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBc/kBrC/bF" --settings tight-low
      railbird score six-handed.log --hand 12 --out hand.html
    """
    inputs = [hand] if _is_file(hand) else []
    if out is not None:
        check_output(out, inputs=inputs, force=force)
        check_ending(out, [".html", ".md"])
    if number is not None and not inputs:
        raise BadInput(f"--hand {number} needs a file; got the text of a hand, or no such file")
    from railbird.assessment import score_hand
    from railbird.assessment.decision_divat import BOARDS_OF_ONE_HAND, score_table_hand
    from railbird.assessment.scorable_batch import is_heads_up_limit
    from railbird.baseline import parse_smoothing

    chosen = parse_smoothing(settings)
    with progress() as report:
        record = _record(hand, inputs, number, game)
        scores: tuple[HandScore, ...] = ()
        score = None
        if not is_heads_up_limit(record.rules):
            score = score_table_hand(record, chosen, boards=boards or BOARDS_OF_ONE_HAND, seed=seed)
        elif boards is None:
            scores = tuple(score_hand(record, one, progress=report) for one in chosen)
        else:
            raise BadInput("--boards is for other games; heads-up limit is scored without sampling")
    if score is None:
        _tell_heads_up_limit(record, scores, out, as_json)
        return
    _tell(score, out, as_json)


def _tell(score: TableHandScore, out: Path | None, as_json: bool) -> None:
    from railbird.report.table_document import hand_document

    document = hand_document(score)
    if out is not None:
        from railbird.report.html_page import write

        write(document, out)
    if as_json:
        print_json({**score.as_json(), "report": None if out is None else str(out)})
        return
    print_document(document)
    if out is not None:
        output.print(f"report: {out}", soft_wrap=True)


def _tell_heads_up_limit(
    record: HandRecord, scores: tuple[HandScore, ...], out: Path | None, as_json: bool
) -> None:
    """Print what the exact tables of a game give; a page replays it under the first settings."""
    from railbird.assessment import SmoothedScore

    if out is not None:
        from railbird.report.hand_replay import hand_document
        from railbird.report.html_page import write

        write(hand_document(record, scores[0]), out)
    if as_json:
        written = {} if out is None else {"report": str(out)}
        print_json({**SmoothedScore(scores).as_json(), **written})
        return
    from railbird.report import score_table, smoothed_line

    for score in scores:
        output.print(score_table(score, holes=record.holes))
    if len(scores) > 1:
        output.print(smoothed_line(SmoothedScore(scores)))
    if out is not None:
        output.print(f"report: {out}", soft_wrap=True)


def _is_file(text: str) -> bool:
    """Tell a path from the text of a hand, which may be too long to be one."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _record(text: str, files: Sequence[str], number: int | None, game: str | None) -> HandRecord:
    from railbird.histories import read, read_hand

    if not files:
        return read_hand(text, game=game)
    check_inputs(files)
    from railbird.players.advice import nth_hand

    hands = read(files[0], game=game)
    if number is not None:
        return nth_hand(hands, number)[1]
    _, record = nth_hand(hands, 1)
    if next(hands, None) is not None:
        raise BadInput(f"{files[0]} has several hands; --hand N chooses one")
    return record
