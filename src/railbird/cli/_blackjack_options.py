"""Options that the verbs of blackjack share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from railbird.errors import BadInput

if TYPE_CHECKING:
    from railbird.blackjack import Rules
    from railbird.blackjack.shoe import Shoe


def rules_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --decks and --rules."""
    for option in (
        click.option("--decks", metavar="N|inf", help="Number of decks; 4 if not said."),
        click.option(
            "--rules",
            default="",
            metavar="WORDS",
            help="What differs from H17,peek,das,resplit=0,nosur,bj=3:2,dbl=any: S17, enhc, nodas, "
            "resplit=N, rsa, hsa, ls, es, bj=6:5, dbl=9-11 or 10-11, charlie=N, decks=N.",
        ),
    ):
        function = option(function)
    return function


def rules_of(rules: str, decks: str | None) -> Rules:
    """Read both options."""
    from railbird.blackjack import parse_rules

    return parse_rules(rules if decks is None else f"{rules},decks={decks}")


def shoe_of(shoe: str | None, decks: str | None) -> Shoe | None:
    """Read --shoe, which replaces --decks."""
    from railbird.blackjack import parse_shoe

    if shoe is None:
        return None
    if decks is not None:
        raise BadInput("--decks and --shoe; allowed: one of them")
    return parse_shoe(shoe)


penetration_option = click.option(
    "--penetration",
    type=float,
    help="Share of the shoe that is dealt before it is shuffled; 0 shuffles before each round.",
)
