"""``railbird blackjack``: exact values, strategies, simulated tables, scored play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from railbird import blackjack, estimates, report
from railbird._files import replace_files
from railbird.cli import _blackjack as tables
from railbird.cli._blackjack import (
    assess,
    match,
    penetration_option,
    play_rounds,
    rules_of,
    rules_options,
    shoe_of,
)
from railbird.cli._completion import OUTPUT_FILE, OneOf, Whole, Within
from railbird.cli._console import (
    errors,
    json_option,
    output,
    print_json,
    print_table,
    progress,
    seed_option,
)
from railbird.cli._hand_files import check_ending, check_output, force_option
from railbird.cli._keyed_options import Setting, set_option, show_option
from railbird.cli._verbs import Commands
from railbird.cli.bankroll import check_bankroll
from railbird.errors import BadInput
from railbird.report.number_format import counted, percent, signed


@click.group(name="blackjack", cls=Commands)
def command() -> None:
    """Blackjack, where every value is exact: odds, strategies, tables, scored play."""


@command.command()
@click.option("--player", required=True, metavar="CARDS", help="The hand, such as 4,5 or A8.")
@click.option("--upcard", "dealer", required=True, metavar="CARD", help="The dealer's upcard.")
@click.option("--shoe", metavar="COUNTS", help="Cards before the deal, such as A-9:10,T:55.")
@rules_options
@set_option(
    after_split=Setting(
        "CDP1",
        "play after a split by the best that knows both cards of the pair, which is exact with "
        "resplit=0, in place of CDZ-, as before it",
        OneOf(["CDZ-", "CDP1"], case_sensitive=False),
        "CDZ-",
    )
)
@json_option
def ev(
    *,
    player: str,
    dealer: str,
    shoe: str | None,
    rules: str,
    decks: str | None,
    after_split: str,
    as_json: bool,
) -> None:
    """Compute the exact value of every action, in wagers.

    If the dealer peeks, values are those after the dealer has no blackjack.

    \b
    Examples:
      railbird blackjack ev --player 4,5 --upcard 7
      railbird blackjack ev --player 8,8 --upcard T --rules S17,resplit=2,ls --decks 6
    """
    chosen = rules_of(rules, decks)
    cards = blackjack.parse_ranks(player, least=2)
    upcard = blackjack.parse_ranks(dealer, most=1)[0]
    given = shoe_of(shoe, decks)
    with progress():
        values = blackjack.hand_values(
            cards, upcard, chosen, shoe=given, after_split=blackjack.AfterSplit(after_split.upper())
        )
    if as_json:
        print_json(values.as_json() | {"rules": chosen.text(), "shoe": shoe})
        return
    output.print(
        f"{blackjack.cards_text(cards, ',')} against {blackjack.cards_text([upcard])}; "
        f"{chosen.text()}"
    )
    print_table(tables.value_table(values))
    if values.insurance == values.insurance:
        output.print(f"insurance, half a wager: {signed(values.insurance, 5)}")


@command.command()
@rules_options
@click.option("--shoe", metavar="COUNTS", help="Cards before the deal, such as A-9:10,T:55.")
@click.option(
    "--by",
    type=OneOf(["total", "cards"]),
    default="total",
    help="What the player goes by: the total of the hand, or its cards.",
)
@click.option(
    "--system",
    "count",
    metavar="SYSTEM",
    help="Also list the plays that a count changes: hi-lo, ko, "
    "omega-ii, or tags of A, 2, ... T such as -1/1/1/1/1/1/0/0/0/-1.",
)
@show_option(source="the cells that differ from Kan's table, too")
@click.option("-o", "--out", type=OUTPUT_FILE, help="The chart: .html, .svg, .png or .csv.")
@force_option
@json_option
def strategy(
    *,
    rules: str,
    decks: str | None,
    shoe: str | None,
    by: str,
    count: str | None,
    source: bool,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Compute the best strategy and what it is worth, and draw the usual chart.

    H hits, S stands, D doubles or else hits, Ds doubles or else stands, P splits, R surrenders or
    else does what follows.

    \b
    Examples:
      railbird blackjack strategy --decks 6 --rules S17,resplit=2,ls --out chart.html
      railbird blackjack strategy --system hi-lo --json
    """
    chosen = rules_of(rules, decks)
    chosen_shoe = shoe_of(shoe, decks)
    system = None if count is None else blackjack.counting.parse_system(count)
    if system is not None and not chosen.decks:
        raise BadInput("--system with decks=inf; allowed: a finite shoe")
    if out is not None:
        check_ending(out, (".html", ".svg", ".png", ".csv"))
        check_output(out, force=force)
    with progress() as tell:
        best_strategy = (blackjack.basic_strategy if by == "total" else blackjack.optimal_strategy)(
            chosen, shoe=chosen_shoe
        )
        value = blackjack.game_value(best_strategy, shoe=chosen_shoe)
        plays = [] if system is None else blackjack.index_plays(chosen, system, progress=tell)
    chart = blackjack.chart_of(best_strategy)
    differ = blackjack.differences(blackjack.source_chart(), chart)
    insurance = None if system is None else blackjack.insurance_index(chosen, system)
    if out is not None:
        _write_chart(chart, out, title=f"Blackjack, {chosen.words}", value=value.mean)
    if as_json:
        print_json(
            {
                "rules": chosen.text(),
                "by": by,
                "value": value.mean,
                "house_edge": -value.mean,
                "after_split": "CDZ-",
                "chart": chart,
                "differs_from_source": [list(cell) for cell in differ],
                "index_plays": [
                    {"hand": play.row, "dealer": play.upcard, "below": play.below,
                     "count": play.count, "play": play.above}
                    for play in plays
                ],
                "insurance_from": insurance,
                "out": None if out is None else str(out),
            }
        )  # fmt: skip
        return
    output.print(tables.chart_table(chart))
    output.print(f"\n{chosen.text()}")
    output.print(f"house edge {percent(-value.mean, 4)} of a wager (splits CDZ-)")
    if source:
        for row, upcard, printed, ours in differ:
            output.print(f"{row} v {upcard}: the source {printed}, computed {ours}")
        if not differ:
            output.print("no cell differs from the source's table")
    if system is not None:
        print_table(tables.index_table(plays))
        where = "at no count" if insurance is None else f"from {insurance:+d}"
        output.print(f"insurance {where}")
    if out is not None:
        output.print(str(out))


def _write_chart(chart: blackjack.Chart, path: Path, *, title: str, value: float) -> None:
    if path.suffix.lower() == ".csv":
        replace_files({path: report.strategy_csv(chart).encode()})
        return

    report.html_page.write(report.strategy_document(chart, title=title, value=value), path)


@command.command()
@click.argument("seats", nargs=-1, required=True, metavar="SEAT...")
@rules_options
@click.option(
    "-n", "--count", "rounds", type=Whole(min=1), help="Number of rounds, a million by default."
)
@penetration_option
@click.option("--bankroll", type=Within(), help="Units, for the risk of ruin, N0 and Kelly.")
@click.option("--log", type=OUTPUT_FILE, help="Write every seat's rounds, as `assess` reads them.")
@force_option
@seed_option
@json_option
def simulate(
    *,
    seats: Sequence[str],
    rules: str,
    decks: str | None,
    rounds: int | None,
    penetration: float | None,
    bankroll: float | None,
    log: Path | None,
    force: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Play a table with up to seven seats; results are in units of the least bet.

    A seat is basic, optimal, source (Kan's table), mimic (the dealer's play), never-bust, or a
    chart in a CSV file, and perhaps how it counts, plays by the count and bets:
    basic:count=hi-lo,index,bets=1:2/2:4/3:8 wagers 2 units from a true count of 1 on.

    \b
    Examples:
      railbird blackjack simulate basic mimic --decks 6
      railbird blackjack simulate basic:count=hi-lo,index,bets=1:4/3:10 --bankroll 1000
      railbird blackjack simulate basic mimic --count 1000 --log rounds.csv
    """
    chosen = rules_of(rules, decks)
    share = blackjack.usual_penetration(chosen, len(seats)) if penetration is None else penetration
    check_bankroll(bankroll)
    if log is not None:
        check_ending(log, (".csv",))
        check_output(log, force=force)
        if (rounds or blackjack.rules.ROUNDS) > blackjack.rules.LOGGED_ROUNDS:
            raise BadInput(f"--log with more than --count {blackjack.rules.LOGGED_ROUNDS:,}")
    with progress() as tell:
        table = [blackjack.parse_seat(text, chosen, progress=tell) for text in seats]
        results = blackjack.simulate(
            chosen,
            table,
            rounds or blackjack.rules.ROUNDS,
            penetration=share,
            seed=seed,
            progress=tell,
        )
        if log is not None:
            logged_rounds = blackjack.play_logged(
                chosen, table, rounds or blackjack.rules.ROUNDS, penetration=share, seed=seed
            )
            replace_files(
                {log: blackjack.assessment.write_rounds(_named(seats, logged_rounds)).encode()}
            )
    bankrolls = [_bankroll(result, bankroll) for result in results]
    if as_json:
        print_json(
            {
                "rules": chosen.text(),
                "rounds": rounds or blackjack.rules.ROUNDS,
                "penetration": share,
                "seed": seed,
                "seats": [
                    {"seat": result.name, "won": result.won, "sd": result.sd,
                     "wagered": result.wagered, "per_wager": result.per_wager,
                     "bankroll": figures, "by_count": result.by_count}
                    for result, figures in zip(results, bankrolls, strict=True)
                ],
                "log": None if log is None else str(log),
            }
        )  # fmt: skip
        return
    print_table(tables.seat_table(results))
    for result, bankroll_figures in zip(results, bankrolls, strict=True):
        if bankroll_figures is not None:
            output.print(f"\n{result.name}", soft_wrap=True)
            print_table(
                report.bankroll_table(
                    bankroll_figures, rate="units a round", unit="units", hands="rounds", decimals=5
                )
            )
    if log is not None:
        output.print(str(log))


def _bankroll(result: blackjack.SeatResult, bankroll: float | None) -> estimates.Bankroll | None:
    """Return what results mean for a bankroll; say why not where they mean nothing."""
    if bankroll is None:
        return None
    if not result.sd > 0:
        played = counted(result.won.n, "round")
        words = f"{result.name}: results of {played} that do not vary say nothing of a bankroll"
        errors.print(words, soft_wrap=True)
        return None
    won = result.won
    return estimates.bankroll_of(
        won.value, result.sd, low=won.low, high=won.high, bankroll=bankroll
    )


def _named(
    seats: Sequence[str], logged_rounds: list[blackjack.LoggedRounds]
) -> list[tuple[str, blackjack.LoggedRounds]]:
    """Name the seats, and number those that play alike."""
    names = [
        f"{seat}#{seats[: place + 1].count(seat)}" if seats.count(seat) > 1 else seat
        for place, seat in enumerate(seats)
    ]
    return list(zip(names, logged_rounds, strict=True))


@command.command()
@rules_options
@click.option("-n", "--count", "rounds", type=Whole(min=1), help="Stop after this many rounds.")
@click.option("--log", type=OUTPUT_FILE, help="Write the rounds, as `assess` reads them (.csv).")
@force_option
@seed_option
@json_option
def play(
    *,
    rules: str,
    decks: str | None,
    rounds: int | None,
    log: Path | None,
    force: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Play in the terminal; every decision is scored as you take it.

    Each round has a fresh shoe. Type the first letter of an action, or q to stop. With --json the
    table is on standard error.

    \b
    Example:
      railbird blackjack play --decks 6 --rules S17,ls --seed 7
    """
    chosen = rules_of(rules, decks)
    if log is not None:
        check_ending(log, (".csv",))
        check_output(log, force=force)
    play_rounds(chosen, rounds=rounds, log=log, seed=seed, as_json=as_json)


command.add_command(assess)
command.add_command(match)
