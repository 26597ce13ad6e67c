"""``railbird odds hits``: how a range hits a board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import click

from railbird import cards, odds
from railbird.cli._console import json_option, output, print_json, print_table, progress
from railbird.errors import BadInput
from railbird.report.document import Table
from railbird.report.number_format import percent

BOARD: Final = re.compile(
    r"(?:(?:10|[2-9TJQKA])[cdhs])(?:[ ,/-]?(?:10|[2-9TJQKA])[cdhs]){2,4}", re.I
)
"""Three to five cards, which are no hand."""


@click.command(name="hits")
@click.argument("hands", metavar="RANGE")
@click.argument("board", default="")
@click.option(
    "--against",
    "beside",
    metavar="RANGE",
    help="Another range to compare with, in a column beside each.",
)
@json_option
def command(*, hands: str, board: str, beside: str | None, as_json: bool) -> None:
    """Count how a range hits BOARD: shares of made hands and draws, there and on later streets.

    Every board that can follow is counted. Without BOARD the shares are means over all flops. Write
    a range as "QQ+, A5s-A2s, KTo:0.5", as for `equity`. A hand may have several draws.

    \b
    Examples:
      railbird odds hits "QQ+, AKs" Kd9s2h
      railbird odds hits "22-99, ATs+, KQs" Th7s4s --against "top 10%"
      railbird odds hits T9s
    """
    if BOARD.fullmatch(hands):
        raise BadInput(f"{hands!r} is a board; allowed: RANGE BOARD, in this order")
    ranges = [hands] if beside is None else [hands, beside]
    with progress() as notify:
        hits = [odds.range_hits(cards.Range.parse(text), board, progress=notify) for text in ranges]
    if as_json:
        range_objects = [
            {"range": text} | range_hits.as_json()
            for text, range_hits in zip(ranges, hits, strict=True)
        ]
        print_json({"ranges": range_objects})
        return
    where = f"on {cards.format_cards(hits[0].board)}" if board else "on all 22,100 flops"
    for text, range_hits in zip(ranges, hits, strict=True):
        output.print(
            f"{text}: {range_hits.combinations:,.10g} combinations {where}", soft_wrap=True
        )
    print_table(_table("made hand", [range_hits.made for range_hits in hits]))
    if hits[0].draws:
        output.print()
        print_table(_table("draw", [range_hits.draws for range_hits in hits]))


def _table(heading: str, range_shares: Sequence[dict[str, dict[str, float]]]) -> Table:
    """Lay out shares by street, the best hands first, without what no range has."""
    streets = list(range_shares[0])
    names = list(range_shares[0][streets[0]])
    rows = []
    for name in reversed(names) if heading == "made hand" else names:
        shares = [by_street[street][name] for street in streets for by_street in range_shares]
        if any(shares):
            rows.append((name, *(percent(share, 1) if share else "–" for share in shares)))
    heads = [head for street in streets for head in (street, "beside")[: len(range_shares)]]
    return Table((heading, *heads), rows)
