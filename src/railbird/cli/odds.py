"""``railbird odds``: rank, strength, potential and odds of a hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Final

import click
from rich.table import Table

from railbird.cli._console import json_option, print_json, print_table, progress
from railbird.cli._verbs import Section
from railbird.errors import BadInput

if TYPE_CHECKING:
    from railbird.cards import Card, Holding
    from railbird.progress import Progress

_ROWS = {
    "ihr": "immediate hand rank (IHR)",
    "hr7": "seven-card hand rank (7cHR)",
    "ehr": "effective hand rank (EHR)",
    "hs": "hand strength, ahead of all now",
    "ppot1": "positive potential, next card",
    "ppot2": "positive potential, two cards",
    "npot1": "negative potential, next card",
    "npot2": "negative potential, two cards",
    "raw_odds": "best at showdown (raw odds)",
    "pot_odds": "a call needs (pot odds)",
    "implied_odds": "with the bets to come (implied odds)",
    "hs_field": "hand strength by the field array",
    "ehs": "effective hand strength (EHS)",
    "optimistic_ehs": "without negative potential (EHS')",
    "reflective_odds": "best at showdown against the models",
}

SECTION: Final = Section.CALCULATE


@click.command(name="odds")
@click.argument("hole")
@click.argument("board", default="")
@click.option(
    "--opponents",
    type=click.IntRange(1, 22),
    help="Number of opponents, by default 1, or one for each model.",
)
@click.option(
    "--model",
    "models",
    metavar="RANGE",
    multiple=True,
    help="Range of an opponent; repeat it for each opponent.",
)
@click.option(
    "--make1",
    type=click.FloatRange(0, 1),
    default=0.58,
    show_default=True,
    help="Threshold Make1 of EHR.",
)
@click.option("--pot", type=float, help="Chips in the pot, including the bet to call.")
@click.option("--to-call", type=float, help="Chips needed to call.")
@click.option("--future-bets", type=float, default=0.0, help="Chips you expect to put in later.")
@click.option(
    "--future-winnings", type=float, default=0.0, help="Chips you expect others to add later."
)
@json_option
def command(
    *,
    hole: str,
    board: str,
    opponents: int | None,
    models: Sequence[str],
    make1: float,
    pot: float | None,
    to_call: float | None,
    future_bets: float,
    future_winnings: float,
    as_json: bool,
) -> None:
    """Compute rank, strength, potential and odds of the hand HOLE on BOARD.

    With a `--model` for each opponent, strength (HS), potential (PPot, NPot) and effective strength
    (EHS) are against these ranges; the ranks and the raw odds are against any hand, as always.

    \b
    Examples:
      railbird odds AcKc Kd9s2h
      railbird odds AdQc 3h4cJh --opponents 5 --pot 40 --to-call 10
      railbird odds AdQc 3h4cJh --model "QQ+, AKs" --model random
    """
    if (pot is None) is not (to_call is None):
        raise BadInput("pot odds need both --pot and --to-call")
    if math.isnan(make1):  # which click lets through every range
        raise BadInput("--make1 nan; allowed: 0 to 1")
    if models and opponents not in (None, len(models)):
        raise BadInput(f"{opponents} opponents and {len(models)} models; allowed: one model each")
    from railbird.cards import parse_cards, parse_holding
    from railbird.odds import hand_odds, implied_odds, open_tables, pot_odds

    holding, cards = parse_holding(hole), parse_cards(board)
    with progress() as report:
        computed = hand_odds(
            holding,
            cards,
            opponents=opponents or max(1, len(models)),
            make1=make1,
            # With a flop, to enumerate takes milliseconds and to build the tables seconds.
            tables=None if cards else open_tables(progress=report),
            progress=report,
        )
        values: dict[str, float | None] = asdict(computed)
        values |= _against(holding, cards, models, report)
    if pot is not None and to_call is not None:
        values["pot_odds"] = pot_odds(to_call, pot)
        values["implied_odds"] = implied_odds(
            to_call, pot, future_bets=future_bets, future_winnings=future_winnings
        )
    if as_json:
        print_json({**values, "models": list(models)} if models else values)
        return
    table = Table(box=None, show_header=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    for key, value in values.items():
        table.add_row(_ROWS[key], "–" if value is None else f"{value:.6f}")
    print_table(table)


def _against(
    holding: Holding, board: Sequence[Card], models: Sequence[str], report: Progress
) -> dict[str, float | None]:
    """Return the odds against models: those that replace the usual ones, and additional ones."""
    if not models:
        return {}
    import numpy as np

    from railbird.cards import Range, format_cards, format_holding
    from railbird.odds import ModelOdds, equity, model_odds

    values: dict[str, float | None] = {field.name: None for field in fields(ModelOdds)}
    if board:
        values |= asdict(model_odds(holding, board, [Range.parse(model) for model in models]))
    hands = [format_holding(holding), *models]
    shares = equity(hands, format_cards(board), rng=np.random.default_rng(0), progress=report)
    return {**values, "reflective_odds": shares.players[0].equity}
