"""``railbird verify-deal``: the cards of a tournament against the seed that was committed to."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from railbird.cli._console import EXIT_FINDING, json_option, output, print_json
from railbird.cli._verbs import HelpSection
from railbird.errors import NothingUsable

SECTION: Final = HelpSection.SERVE


@click.command(name="verify-deal")
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
def command(*, log: Path, as_json: bool) -> None:
    """Check the cards of a tournament that a server dealt.

    LOG is the journal of a finished game, or what one client was sent, a message in each line. The
    seed must hash to the commitment that was published before the first card, and every card that
    the log knows must be the one that the seed deals. The rule is in the manual; any program can
    check it.

    \b
    Examples:
      railbird verify-deal six-max.17.journal
      railbird verify-deal messages.jsonl --json
    """
    from railbird.hosting.verify import verify

    with log.open("rb") as file:
        try:
            games = verify(file)
        except NothingUsable as problem:
            raise NothingUsable(f"{log}: {problem}") from None
    if as_json:
        print_json(
            {
                "games": [
                    {
                        "game": game.game,
                        "hands": game.hands,
                        "cards": game.cards,
                        "problems": game.problems,
                    }
                    for game in games
                ]
            }
        )
    else:
        for game in games:
            verdict = "as committed" if not game.problems else "NOT as committed"
            counts = f"{game.hands:,} hands, {game.cards:,} cards"
            output.print(f"{game.game}: {counts}, {verdict}", highlight=False, markup=False)
            for difference in game.problems:
                output.print(f"  {difference}", highlight=False, markup=False)
    if any(game.problems for game in games):
        click.get_current_context().exit(EXIT_FINDING)
