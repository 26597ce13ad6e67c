"""``railbird solve spot played``: a hand that was played, as a spot."""

from __future__ import annotations

from pathlib import Path

import click

from railbird import assessment, solve
from railbird._files import replace_files
from railbird.cli._completion import INPUT_FILE, OUTPUT_FILE, OneOf, Whole
from railbird.cli._console import errors, json_option, output, print_json, progress
from railbird.cli._hand_files import check_inputs, check_output, force_option


@click.command(name="played")
@click.argument("log", type=INPUT_FILE)
@click.argument("street", type=OneOf(("flop", "turn", "river")), required=False)
@click.option(
    "--hand",
    "number",
    type=Whole(min=1),
    help="Place of the hand in the log, from 1, as lists have it; by default the first such spot.",
)
@click.option(
    "-o", "--out", type=OUTPUT_FILE, help="File of the spot to write; printed if not given."
)
@force_option
@json_option
def played(
    *,
    log: Path,
    street: str | None,
    number: int | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Write a hand that was played as a spot: its board, pot, stacks and bets, and ranges.

    It begins on the STREET named, by default that of the last decision of the log's owner.
    Ranges are those of the presets, by seat and by what was done before the flop; on a later street
    they are narrowed by what players who bet alike held. Where they come from is written beside
    them, and how the rake of the log was read. Change what you know better, then solve it.

    \b
    Examples:
      railbird solve spot played HANDS.txt --hand 12 --out hand.spot
      railbird solve spot played HANDS.txt river > river.spot
    """
    check_inputs([log])
    if out is not None:
        check_output(out, inputs=[log], force=force)
    with progress() as notify:
        spot = assessment.hand_spots.played_spot(log, number=number, street=street, progress=notify)
    hand = spot.hand
    if out is not None:
        replace_files({out: hand.text.encode()})
    names = dict(zip(solve.spot.spot.PLAYERS, hand.players, strict=True))
    decisions = [
        {
            "player": solve.spot.spot.PLAYERS[decision.player],
            "line": decision.line,
            "action": decision.action,
            "holding": decision.holding or None,
        }
        for decision in hand.decisions
    ]
    if as_json:
        print_json(
            {
                "hand": spot.number,
                "street": hand.street,
                "players": names,
                "spot": hand.text,
                "line": hand.line,
                "opens_at": spot.opening.line,
                "big_blind": spot.big_blind,
                "decisions": decisions,
                "file": None if out is None else str(out),
            }
        )
        return
    if out is None:
        output.print(hand.text, end="", soft_wrap=True)
    say = errors if out is None else output
    say.print(f"hand {spot.number}, from the {hand.street} on:", soft_wrap=True)
    for decision in decisions:
        cards = f" with {decision['holding']}" if decision["holding"] else ""
        line = f' after "{decision["line"]}"' if decision["line"] else ""
        say.print(
            f"  {decision['player']}{cards}: {decision['action']}{line}",
            soft_wrap=True,
            markup=False,
        )
