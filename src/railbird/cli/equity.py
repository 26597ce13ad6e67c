"""``railbird equity``: the all-in equity of hands and ranges."""

from __future__ import annotations

from collections.abc import Sequence

import click

from railbird import estimates, odds
from railbird.cli._completion import Whole
from railbird.cli._console import json_option, print_json, print_table, progress, seed_option
from railbird.cli.hits import BOARD
from railbird.errors import BadInput
from railbird.report.document import Table
from railbird.report.number_format import percent


@click.command(name="equity")
@click.argument("hands", nargs=-1, metavar="HAND HAND...")
@click.option("--board", default="", show_default=False, help="Board cards so far, such as Td5hTh.")
@click.option("--dead", default="", show_default=False, help="Dead cards, which are out of play.")
@click.option(
    "--samples",
    type=Whole(min=1),
    help="Number of random deals, instead of the exact answer.",
)
@seed_option
@json_option
def command(
    *,
    hands: Sequence[str],
    board: str,
    dead: str,
    samples: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Compute the all-in equity of two to ten hands or ranges, exactly where possible.

    A range is written "QQ+, A5s-A2s, KTo:0.5" (a weight after a colon), or "random".

    \b
    Examples:
      railbird equity Ts6s Jd5d --board Td5hTh
      railbird equity "QQ+, AK" random
    """
    if not hands:
        raise BadInput("no hands; allowed: 2 to 10 hands or ranges, such as AsKs QQ+ random")
    if boards := [text for text in hands if BOARD.fullmatch(text)]:
        raise BadInput(f"{boards[0]!r} is no hand; a board is an option: --board {boards[0]}")
    import numpy as np

    with progress() as notify:
        result = odds.equity(
            hands,
            board,
            dead=dead,
            mode=odds.Mode.AUTO if samples is None else odds.Mode.SAMPLED,
            **({} if samples is None else {"samples": samples}),
            rng=np.random.default_rng(seed),
            progress=notify,
        )
    if as_json:
        print_json(
            {
                "players": [
                    {
                        "hand": hand,
                        "win": player.win,
                        "tie": player.tie,
                        "lose": player.lose,
                        "equity": player.equity,
                        "stderr": player.stderr,
                    }
                    for hand, player in zip(hands, result.players, strict=True)
                ],
                "boards": result.trials,
                "exact": result.exact,
                "method": result.method.value,
            }
        )
    else:
        print_table(_table(hands, result))


def _table(hands: Sequence[str], result: odds.Equity) -> Table:
    unit = "boards" if result.exact else "random deals"
    headings = ("win", "tie", "lose", "equity", *([] if result.exact else ["95 % interval"]))
    rows = []
    for hand, player in zip(hands, result.players, strict=True):
        cells = [_count(count) for count in (player.win, player.tie, player.lose)]
        cells.append(percent(player.equity, 4))
        if not result.exact:
            low, high = _sampled(player, int(result.trials)).interval()
            cells.append(f"{percent(low, 4)} to {percent(high, 4)}")
        rows.append((hand, *cells))
    return Table(("hand", *headings), rows, title=f"{_count(result.trials)} {unit}")


def _count(count: float) -> str:
    """Write a count, which in ranges with weights need not be whole, with two decimals at most."""
    return (
        f"{count:,.2f}".rstrip("0").removesuffix(".") if count != int(count) else f"{int(count):,}"
    )


def _sampled(player: odds.PlayerEquity, deals: int) -> estimates.BoundedMean:
    """The mean part of the pot; those of the ties, which may be several, count with their mean."""
    shared = (player.equity * deals - player.win) / player.tie if player.tie else 0.5
    parts = {0.0: int(player.lose), shared: int(player.tie), 1.0: int(player.win)}
    return estimates.BoundedMean.of_counts(parts, least=0, most=1, unit="pots")
