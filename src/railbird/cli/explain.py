"""``railbird explain``: one decision of a modelling player, and all that led to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from railbird import arena, histories, players, report
from railbird.cli._completion import FILE, OUTPUT_FILE, PLAYER, Whole
from railbird.cli._console import (
    json_option,
    log_game_option,
    output,
    print_document,
    print_json,
    progress,
)
from railbird.cli._hand_files import (
    SkipList,
    check_ending,
    check_inputs,
    check_output,
    force_option,
)
from railbird.errors import BadInput, NothingUsable, absent_player
from railbird.units import Seat

if TYPE_CHECKING:
    from railbird.progress import Progress
    from railbird.units import Seat


@click.command(name="explain")
@click.argument("log", type=FILE)
@click.option(
    "--hand",
    "number",
    type=Whole(min=1),
    required=True,
    help="Position of the hand in the log, from 1; the answer also has the log's own number.",
)
@click.option("--seat", type=Whole(min=0), help="Seat of the decision, from 0.")
@click.option(
    "--player", "name", metavar="NAME", help="Player of the decision, by the name in the log."
)
@click.option(
    "--decision",
    type=Whole(min=1),
    help="Number of the player's decision, from 1; the last by default.",
)
@click.option(
    "--ask",
    "spec",
    type=PLAYER,
    help="Player to ask, such as loki:som; by default the one whose spec is the name in the log.",
)
@log_game_option
@click.option(
    "-o",
    "--out",
    type=OUTPUT_FILE,
    help="Page to write, such as why.html, or why.md for Markdown.",
)
@force_option
@json_option
def command(
    *,
    log: str,
    number: int,
    seat: int | None,
    name: str | None,
    decision: int | None,
    spec: str | None,
    game: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Explain one decision in a log: beliefs about each opponent, the rule, its numbers.

    The player has seen the earlier hands from the same person's seat. In Railbird's own logs these
    are the hands of the same tournament, session, or thousand deals of a match. The log must show
    that person's cards.

    \b
    Examples:
      railbird explain table.log --hand 120 --seat 3 --ask loki:som
      railbird explain table.log --hand 120 --player loki:gom --decision 2 --out why.html
    """
    if (seat is None) is (name is None):
        raise BadInput("whose decision is it? name one: --seat or --player")
    check_inputs([log])
    if out is not None:
        check_output(out, inputs=[log], force=force)
        check_ending(out, [".html", ".md"])

    skips = SkipList()
    player = None
    try:
        with progress() as notify:
            player = None if spec is None else players.make_player(spec, writes=False)
            since = arena.job_log.first_of_session(log, number)
            earlier_hands, record = players.advice.nth_hand(
                histories.read(log, game=game), number, since=since, on_skip=skips.add
            )
            chosen = _seat(record, seat, name)
            if spec is None or player is None:
                spec = record.players[chosen].partition("#")[0]
                player = _named(spec)
            counted_hands = _counted(earlier_hands, notify)
            asked = players.advice.ask(
                player, record, chosen, decision=decision, before=counted_hands
            )
        explained = report.decision_of(asked, player, spec=spec, hand=number)
    finally:
        players.policy.close(player)
    skips.show()
    if out is not None:
        report.html_page.write(report.decision_document(explained), out)
    if as_json:
        print_json(
            {**report.decision.as_object(explained), "report": None if out is None else str(out)}
        )
        return
    print_document(report.decision_document(explained))
    if out is not None:
        output.print(f"report: {out}", soft_wrap=True)


def _named(spec: str) -> players.Player:
    """The player that a log names. Raises `NothingUsable` for a name that is none of ours."""
    try:
        return players.make_player(spec, writes=False)
    except BadInput:
        hint = "a log has only the name of NAME=SPEC; --ask says the player, such as loki:som"
        raise NothingUsable(f"{spec!r} is no player of Railbird; {hint}") from None


def _seat(record: histories.HandRecord, seat: int | None, name: str | None) -> Seat:
    """The seat that is meant. Raises `NothingUsable` if the hand has no such seat."""
    if name is not None:
        if name not in record.players:
            raise absent_player(name, record.players, where="this hand")
        return Seat(record.players.index(name))
    assert seat is not None
    if seat >= len(record.players):
        raise NothingUsable(f"seat {seat}; allowed: 0 to {len(record.players) - 1}")
    return Seat(seat)


def _counted(
    hands: Sequence[histories.HandRecord], notify: Progress
) -> Iterator[histories.HandRecord]:
    """Tell how far the hands before have been shown."""
    for number, hand in enumerate(hands):
        if number % 100 == 0:
            notify(number, len(hands), "hands before")
        yield hand
