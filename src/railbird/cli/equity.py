"""``railbird equity``: the all-in equity of hands and ranges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

import click

from railbird import cards, estimates, odds
from railbird.cli._completion import Whole
from railbird.cli._console import json_option, print_json, print_table, progress, seed_option
from railbird.cli._play import variant_option
from railbird.cli.hits import BOARD
from railbird.errors import BadInput
from railbird.report.document import Table
from railbird.report.number_format import percent
from railbird.units import counted


@click.command(name="equity")
@click.argument("hands", nargs=-1, metavar="HAND HAND...")
@variant_option
@click.option(
    "--board",
    "boards",
    multiple=True,
    help="Board cards so far, such as Td5hTh; once for each board.",
)
@click.option("--dead", default="", show_default=False, help="Dead cards, which are out of play.")
@click.option(
    "--samples",
    type=Whole(1, 10_000_000_000),
    help="Number of random deals, instead of the exact answer.",
)
@seed_option
@json_option
def command(
    *,
    hands: Sequence[str],
    variant: str,
    boards: Sequence[str],
    dead: str,
    samples: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Compute the all-in equity of two to ten hands or ranges, exactly where possible.

    A range is written "QQ+, A5s-A2s, KTo:0.5" (a weight after a colon), or "random". In other games
    than hold'em a hand is cards, an unknown one of them is written ??, and "random" is a hand of
    unknown cards.

    \b
    Examples:
      railbird equity Ts6s Jd5d --board Td5hTh
      railbird equity "QQ+, AK" random
      railbird equity --variant omaha-hilo As2sKdQd JhJcTh9c --board 3s4s8h
    """
    if not hands:
        raise BadInput("no hands; allowed: 2 to 10 hands or ranges, such as AsKs QQ+ random")
    chosen = cards.variant_from(variant)
    if chosen is cards.HOLDEM and len(boards) < 2:
        _print_holdem(hands, "".join(boards), dead, samples, seed, as_json)
    else:
        _print_variant(chosen, hands, boards, dead, samples, seed, as_json)


def _sampling(samples: int | None, seed: int) -> dict[str, Any]:
    """Return the arguments of both functions of `odds` that decide what is sampled."""
    import numpy as np

    mode = odds.Mode.AUTO if samples is None else odds.Mode.SAMPLED
    return {
        "mode": mode,
        "rng": np.random.default_rng(seed),
        **({} if samples is None else {"samples": samples}),
    }


def _print_holdem(
    hands: Sequence[str], board: str, dead: str, samples: int | None, seed: int, as_json: bool
) -> None:
    if misplaced := [text for text in hands if BOARD.fullmatch(text)]:
        raise BadInput(f"{misplaced[0]!r} is no hand; a board is an option: --board {misplaced[0]}")
    with progress() as notify:
        result = odds.equity(hands, board, dead=dead, progress=notify, **_sampling(samples, seed))
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


def _print_variant(
    variant: cards.Variant,
    hands: Sequence[str],
    boards: Sequence[str],
    dead: str,
    samples: int | None,
    seed: int,
    as_json: bool,
) -> None:
    with progress() as notify:
        result = odds.variant_equity(
            variant, hands, boards, dead=dead, progress=notify, **_sampling(samples, seed)
        )
    if as_json:
        print_json(
            {
                "variant": result.variant,
                "players": [
                    {
                        "hand": hand,
                        "equity": player.equity,
                        "stderr": player.stderr,
                        "scoop": player.scoop,
                        "nothing": player.nothing,
                        "shares": [asdict(share) for share in player.shares],
                    }
                    for hand, player in zip(hands, result.players, strict=True)
                ],
                "deals": result.trials,
                "exact": result.exact,
                "method": result.method.value,
            }
        )
    else:
        print_table(_table_of_shares(hands, result))


def _table_of_shares(hands: Sequence[str], result: odds.VariantEquity) -> Table:
    """Show the counts of a single share, or of several what each is worth, and scoops."""
    names = [share.name for share in result.players[0].shares]
    single = len(names) == 1
    headings = ("win", "tie", "lose") if single else (*names, "scoop")
    rows = []
    for hand, player in zip(hands, result.players, strict=True):
        if single:
            (share,) = player.shares
            lost = result.trials - share.win - share.tie
            cells = [_count(count) for count in (share.win, share.tie, lost)]
        else:
            cells = [percent(share.equity, 2) for share in player.shares]
            cells.append(percent(player.scoop / result.trials, 2))
        cells.append(percent(player.equity, 4))
        if not result.exact:
            pots = estimates.BoundedMean.of_counts(player.parts, least=0, most=1, unit="pots")
            cells.append(_interval(pots))
        rows.append((hand, *cells))
    title = counted(result.trials, "deal" if result.exact else "random deal")
    last = ("equity",) if result.exact else ("equity", _INTERVAL)
    return Table(("hand", *headings, *last), rows, title=title)


_INTERVAL: Final = "95 % interval"


def _interval(pots: estimates.BoundedMean) -> str:
    low, high = pots.interval()
    return f"{percent(low, 4)} to {percent(high, 4)}"


def _table(hands: Sequence[str], result: odds.Equity) -> Table:
    unit = "board" if result.exact else "random deal"
    unit += "" if result.trials == 1 else "s"
    headings = ("win", "tie", "lose", "equity", *([] if result.exact else [_INTERVAL]))
    rows = []
    for hand, player in zip(hands, result.players, strict=True):
        cells = [_count(count) for count in (player.win, player.tie, player.lose)]
        cells.append(percent(player.equity, 4))
        if not result.exact:
            cells.append(_interval(_sampled(player, int(result.trials))))
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
