"""``railbird score``: one hand in full."""

from __future__ import annotations

from pathlib import Path

import click

from railbird import assessment, baseline, histories, report
from railbird.cli._completion import OUTPUT_FILE, SETTINGS, Whole
from railbird.cli._console import (
    json_option,
    log_game_option,
    output,
    print_document,
    print_json,
    progress,
    seed_option,
)
from railbird.cli._hand_files import check_ending, check_output, force_option, hand_at, is_log
from railbird.errors import BadInput


@click.command(name="score")
@click.argument("hand", metavar="HAND|FILE")
@click.option(
    "--hand",
    "number",
    type=Whole(min=1),
    help="Position of the hand in a file, from 1, as lists have it; not needed for a single hand.",
)
@click.option(
    "--settings",
    type=SETTINGS,
    default="standard",
    help="Settings of the baseline; A+B averages two.",
)
@log_game_option
@click.option(
    "--samples",
    "boards",
    type=Whole(min=1),
    help="Random boards before the flop, by default 10,000; heads-up limit needs none.",
)
@seed_option
@click.option(
    "-o",
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
    STATE line, or the path of a log. All cards must be known. In the one-line text the first player
    is the big blind; s and l are the blinds, k check, b bet, c call, r raise, f fold, and the
    second player, the dealer, has capitals.

    \b
    Examples:
      railbird score "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC"
      railbird score "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBc/kBrC/bF" --settings tight-low
      railbird score six-handed.log --hand 12 --out hand.html
    """
    inputs = [hand] if is_log(hand) else []
    if out is not None:
        check_output(out, inputs=inputs, force=force)
        check_ending(out, [".html", ".md"])
    if number is not None and not inputs:
        raise BadInput(f"--hand {number} needs a file; got the text of a hand, or no such file")

    chosen = baseline.parse_smoothing(settings)
    with progress() as notify:
        record, _, has_more = hand_at(hand, number or 1, game)
        if number is None and has_more:
            raise BadInput(f"{hand} has several hands; --hand N chooses one")
        scores: tuple[assessment.HandScore, ...] = ()
        score = None
        if not assessment.is_heads_up_limit(record.rules):
            score = assessment.score_table_hand(
                record, chosen, boards=boards or assessment.BOARDS_OF_ONE_HAND, seed=seed
            )
        elif boards is None:
            scores = tuple(
                assessment.score_hand(record, smoothing, progress=notify) for smoothing in chosen
            )
        else:
            raise BadInput(
                "--samples is for other games; heads-up limit is scored without sampling"
            )
    if score is None:
        _tell_heads_up_limit(record, scores, out, as_json)
        return
    _tell(score, out, as_json)


def _tell(score: assessment.TableHandScore, out: Path | None, as_json: bool) -> None:
    document = report.table_document.hand_document(score)
    if out is not None:
        report.html_page.write(document, out)
    if as_json:
        print_json({**score.as_json(), "report": None if out is None else str(out)})
        return
    print_document(document)
    if out is not None:
        output.print(f"report: {out}", soft_wrap=True)


def _tell_heads_up_limit(
    record: histories.HandRecord,
    scores: tuple[assessment.HandScore, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Print what the exact tables of a game give; a page replays it under the first settings."""
    if out is not None:
        report.html_page.write(report.hand_replay.hand_document(record, scores[0]), out)
    if as_json:
        written = {} if out is None else {"report": str(out)}
        print_json({**assessment.SmoothedScore(scores).as_json(), **written})
        return

    for score in scores:
        output.print(report.score_table(score, holes=record.holes))
    if len(scores) > 1:
        output.print(report.smoothed_line(assessment.SmoothedScore(scores)))
    if out is not None:
        output.print(f"report: {out}", soft_wrap=True)
