"""``railbird server verify-deal``: cards and chips of a game against its committed seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird.cli._console import EXIT_FINDING, json_option, output, print_json
from railbird.errors import NothingUsable

if TYPE_CHECKING:
    from railbird.hosting.verify import Checked

_UNSHARED: Final = (
    "  Not shown by this: that the house drew the seed of {hands} at random. It could have tried"
    " many, and committed to one whose cards it liked: nobody else has a share in it."
)
_NOT_SHOWN: Final = (
    "Not shown by this: that the house told nobody the cards, and that nobody whose share came last"
    " knew its seed."
)


@click.command(name="verify-deal")
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
def command(*, log: Path, as_json: bool) -> None:
    """Check the cards and the chips of games that a server dealt.

    LOG is the journal of a finished game, or the messages that one client received, one on each
    line. The check requires that a commitment came before the first card and never changed, that
    the seed hashes to it, that the seed deals every card that the log knows, and that the chips
    follow from the cards and the actions. It fails if any of this differs or is missing. The rule
    is in the manual; any program can check it.

    \b
    Examples:
      railbird server verify-deal six-max.17.journal
      railbird server verify-deal messages.jsonl --json
    """
    from railbird.hosting.verify import verify

    with log.open("rb") as file:
        try:
            games = verify(file)
        except NothingUsable as problem:
            raise NothingUsable(f"{log}: {problem}") from None
    if as_json:
        print_json({"games": [asdict(game) for game in games], "not_shown": _NOT_SHOWN})
    else:
        for game in games:
            for line in _lines(game):
                output.print(line, highlight=False, markup=False, soft_wrap=True)
    if any(game.problems for game in games):
        click.get_current_context().exit(EXIT_FINDING)


def _lines(game: Checked) -> Iterator[str]:
    verdict = "as committed" if not game.problems else "NOT as committed"
    yield f"{game.game}: {game.hands:,} hands, {game.cards:,} cards, {verdict}"
    yield from (f"  {problem}" for problem in game.problems)
    if game.problems:
        return
    if game.is_journal:
        yield "  The seed has the hash that the journal calls its commitment. Whether players were"
        yield "  told the same before the first card is in what they were sent, not in here."
    else:
        yield "  A commitment came before the first card and did not change; it is the seed's."
    yield f"  All cards in this log are the seed's; the chips follow in {game.payouts:,} hands."
    if game.reshuffled:
        yield f"  In {game.reshuffled:,} hands the deck ran out: there only the first cards were"
        yield "  compared, since a client is not told which cards the others threw away."
    if game.voids:
        yield f"  {game.voids:,} hands did not count; why, the log cannot show."
    if game.places:
        yield f"  Places and prizes follow from these hands for {game.places:,} players."
    if game.shares:
        words = "Nobody chose these cards" if game.shares == game.hands else "Of other hands"
        sharing = ", ".join(game.sharing)
        yield f"  {words}: the seed has shares of {sharing}, which came after the commitment."
    if game.withheld:
        yield f"  Without a share in some hand or in all: {', '.join(game.withheld)}."
    if lone := game.hands - game.shares:
        yield _UNSHARED.format(hands=f"{lone:,} hands")
    yield f"  {_NOT_SHOWN}"
