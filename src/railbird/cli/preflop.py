"""``railbird odds preflop``: what hole cards are worth before the flop."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from railbird import cards, odds, report
from railbird._files import replace_files
from railbird.cli._completion import Whole, Within
from railbird.cli._console import json_option, output, print_json, print_table, progress
from railbird.cli._hand_files import check_output, force_option
from railbird.cli._keyed_options import Setting, out_option, set_option
from railbird.errors import BadInput
from railbird.report.document import Table
from railbird.report.number_format import percent, signed

_ALL: Final = "all"


class _Rake(click.ParamType[tuple[float, float | None]]):
    """A share of the pot as a number or per cent, and perhaps a cap: others write a rake so."""

    name = "rake"

    def convert(
        self,
        value: str | tuple[float, float | None],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[float, float | None]:
        """Read share and cap; whether they may be, the stakes say."""
        if isinstance(value, tuple):  # as click converts a default anew
            return value
        share, _, cap = value.replace(" ", "").partition(",cap=")
        try:
            part = float(share.removesuffix("%")) / (100 if share.endswith("%") else 1)
            return part, float(cap) if cap else None
        except ValueError:
            self.fail(f"{value!r} is no rake; allowed: 5%, or 5%,cap=3", param, ctx)


@click.command(name="preflop")
@click.argument("hand", metavar="HAND|all")
@click.option(
    "--action",
    "text",
    metavar="TEXT",
    default="",
    show_default=False,
    help="Who did what, such as 'utg:raise,button:call,loose=2'; others before you folded.",
)
@click.option("--seat", help="Your seat; by default the one after the last action.")
@click.option("--seats", type=Whole(), default=10, help="Seats of the table.")
@set_option(
    bets=Setting("3", "big blinds that you bet from the flop on, the default", Within()),
    paying=Setting("0.5", "share of them that an opponent pays, the default", Within()),
)
@click.option(
    "--rake",
    type=_Rake(),
    metavar="P%[,cap=C]",
    default="0",
    help="Share of the pot, as 5%, and the most that is taken, in big blinds: 5%,cap=3.",
)
@out_option(
    "Draw the flops, or the chart, as .png or .svg; for `all` also write the chart as .csv.",
    out=(".csv",),
    image=(".png", ".svg"),
)
@force_option
@json_option
def command(
    *,
    hand: str,
    text: str,
    seat: str | None,
    seats: int,
    bets: float | None,
    paying: float | None,
    rake: tuple[float, float | None],
    image: Path | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Value folding, calling and raising with HAND, a class such as AKs, in big blinds of limit.

    On each of the 19,600 flops the hand is worth its odds against the opponents' ranges times the
    expected pot, less the bets, but never less than zero. The opponents' ranges follow from their
    actions and how loosely they play. The flops of a hand take some seconds, once for each model of
    the opponents. `all` values the 169 classes by position when nobody has entered the pot.

    \b
    Examples:
      railbird odds preflop AKs --action "utg:raise,button:call,loose=2"
      railbird odds preflop 76s --action "utg:call,hj:call" --seat button --rake 5%,cap=0.5
      railbird odds preflop all --seats 6 --out chart.png --out chart.csv
    """
    for file in filter(None, (image, out)):
        check_output(file, force=force)

    share, rake_cap = rake
    given = {"bets": bets, "paying": paying, "rake_cap": rake_cap}
    stakes = odds.Stakes(
        rake=share, **{name: value for name, value in given.items() if value is not None}
    )
    if hand.lower() == _ALL:
        _all(text, seat, seats, stakes, image, out, as_json=as_json)
        return
    if out is not None:
        raise BadInput(f"--out {out} writes the chart of all hands: railbird odds preflop all")
    _one(hand, _situation(text, seat, seats), stakes, image, as_json=as_json)


def _situation(text: str, seat: str | None, seats: int) -> odds.PreflopSituation:
    return odds.PreflopSituation.parse(text, seats=seats, own=seat)


def _one(
    hand: str,
    table: odds.PreflopSituation,
    stakes: odds.Stakes,
    image: Path | None,
    *,
    as_json: bool,
) -> None:
    hand_class = cards.parse_class(hand)
    name = cards.class_name(hand_class)
    with progress() as notify:
        value = odds.preflop_value(hand_class, table, stakes=stakes, progress=notify)
        outcomes = odds.flop_outcomes(hand_class, table, "call", stakes=stakes, progress=notify)
    if image is not None:
        _draw(image, name, outcomes)
    if as_json:
        print_json(
            {
                "hand": name,
                "seat": table.names[table.own],
                "seats": table.seats,
                "table": {table.names[at]: action for at, action in table.acted.items()},
                "ev": {"fold": value.fold, "call": value.call, "raise": value.raise_},
                "unit": "bb",
                "best": value.best,
                "bettable_flops": outcomes.bettable,
                "image": None if image is None else str(image),
            }
        )
        return
    rows = []
    for action, worth in (("fold", value.fold), ("call", value.call), ("raise", value.raise_)):
        shown = "–" if worth is None else signed(worth, 3)
        rows.append((f"{action} (best)" if action == value.best else action, shown))
    print_table(Table(("action", "bb"), rows, title=f"{name} in {table.names[table.own]}"))
    _print_flops(outcomes)
    if image is not None:
        output.print(str(image), soft_wrap=True)


def _print_flops(outcomes: odds.FlopOutcomes) -> None:
    output.print(f"\nafter a call {percent(outcomes.bettable, 1)} of the flops are worth a bet")
    print_table(report.odds.outcomes_table(outcomes))


def _draw(image: Path, name: str, outcomes: odds.FlopOutcomes) -> None:
    chart = report.odds.outcomes_chart(outcomes, title=f"{name}: what flops are worth after a call")
    replace_files({image: report.picture([chart], report.Image(image.suffix.lower()[1:]))})


def _all(
    text: str,
    seat: str | None,
    seats: int,
    stakes: odds.Stakes,
    image: Path | None,
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    loose = _looseness_alone(text, seat, seats)
    with progress() as notify:
        chart = odds.preflop_chart(seats, looseness=loose, stakes=stakes, progress=notify)
    files: dict[Path, bytes] = {}
    if image is not None:
        kind = report.Image(image.suffix.lower()[1:])
        files[image] = report.picture(report.odds.preflop_charts(chart), kind, columns=3)
    if out is not None:
        files[out] = chart.to_polars().write_csv().encode()
    if files:
        replace_files(files)
    if as_json:
        print_json({"unit": "bb", "positions": _by_position(chart)} | _written(image, out))
        return
    _print_chart(chart)
    for file in files:
        output.print(str(file), soft_wrap=True)


def _looseness_alone(text: str, seat: str | None, seats: int) -> float:
    """Return the looseness of everybody, all that a table of ``all`` may have."""
    if not text and seat is None:
        return 1.0
    table = _situation(text, None, seats)
    every = [table.loose(seat_number) for seat_number in range(seats)]
    if table.acted or seat is not None or len(set(every)) != 1:
        raise BadInput("the chart of all hands is of unopened pots; allowed: --action loose=2")
    return every[0]


def _by_position(chart: odds.PreflopChart) -> dict[str, object]:
    return {
        position: {
            name: {"call": float(call), "raise": float(raise_)}
            for name, call, raise_ in zip(
                cards.CLASS_NAMES, chart.call[place], chart.raise_[place], strict=True
            )
        }
        for place, position in enumerate(chart.positions)
    }


def _written(image: Path | None, out: Path | None) -> dict[str, object]:
    return {
        "image": None if image is None else str(image),
        "out": None if out is None else str(out),
    }


def _print_chart(chart: odds.PreflopChart) -> None:
    for position, values in zip(chart.positions, chart.best, strict=True):
        output.print(f"\n{position}: {int((values > 0).sum())} of {values.size} hands are played")
        output.print(report.range_text(values, report.odds.CHART_SCALE))
