"""``railbird solve``: equilibria."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from railbird import cards, players, report, solve
from railbird._files import replace_files
from railbird.cli._completion import OUTPUT_FILE, PLAYER, OneOf, Whole, Within
from railbird.cli._console import (
    EXIT_INTERRUPTED,
    errors,
    json_option,
    output,
    print_json,
    progress,
    seed_option,
)
from railbird.cli._gap_option import gap_option
from railbird.cli._hand_files import check_ending, check_output, force_option
from railbird.cli._play import (
    ante_option,
    bounties_of,
    bounty_options,
    stack_in_blinds_option,
)
from railbird.cli._solve_limit import limit
from railbird.cli._solve_nolimit import nolimit
from railbird.cli._solve_spot import spot
from railbird.cli._solve_spot_compare import compare
from railbird.cli._solve_spot_fit import fit_spot
from railbird.cli._solve_spot_play import play
from railbird.cli._solve_spot_played import played
from railbird.cli._solve_spot_preflop import preflop_tree
from railbird.cli._solve_spot_report import spot_report
from railbird.cli._solve_spot_three import solve_three_players
from railbird.cli._verbs import Commands
from railbird.errors import BadInput, unknown_name
from railbird.report.number_format import number, percent

_MOST_STACKS = 2_000
_PICTURES: Final = (".html", ".md", ".svg", ".png")
"""Kinds of files that charts are written to."""


@click.group(name="solve", cls=Commands)
def command() -> None:
    """Solve games for equilibria, and measure how far a solution is from one."""


command.add_command(limit)
command.add_command(nolimit)
spot.add_command(compare)
spot.add_command(fit_spot)
spot.add_command(play)
spot.add_command(played)
spot.add_command(spot_report)
spot.add_command(solve_three_players)
command.add_command(spot)
command.add_command(preflop_tree)


@command.command()
@stack_in_blinds_option
@ante_option
@click.option("--sweep", metavar="LOW:HIGH:STEP", help="Many stacks, such as 1:20:0.1.")
@click.option("--seats", "players", type=Whole(2, 9), help="Seats of a table with equal stacks.")
@click.option("--stacks", help="Stacks of a table in the order of acting: ..., SB, BB.")
@click.option("--payouts", help="Prizes such as 50,30,20, which then count instead of chips.")
@click.option("--blinds", help="Blinds of a table, if stacks are in chips, such as 50/100.")
@click.option(
    "--bb-ante", type=Within(), help="Ante that a table's big blind posts for everybody, after it."
)
@bounty_options
@click.option("--seat", help="Seat of a table whose charts are shown, such as BTN.")
@gap_option(
    "tolerance",
    help="Gain of a best response at which to stop: big blinds, 1e-8; at a table a part of all "
    "prizes or chips, 2e-6.",
)
@click.option(
    "-o", "--out", type=OUTPUT_FILE, help="Charts: .html, .svg, .png; of a table also .csv."
)
@force_option
@json_option
@click.pass_context
def pushfold(
    context: click.Context,
    *,
    stack: float,
    ante: float,
    sweep: str | None,
    players: int | None,
    stacks: str | None,
    payouts: str | None,
    blinds: str | None,
    bb_ante: float | None,
    bounties: str | None,
    paid_at_once: float | None,
    bounty_model: str | None,
    future_game: int,
    seat: str | None,
    tolerance: float | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Solve push/fold: everybody in turn goes all-in or folds.

    Heads-up the answer is exact. A sweep gives the largest stack at which each hand is played, and
    the gaps below it; a hand that is played at the largest stack of the sweep is marked as such.

    With --seats, --stacks or --payouts it is a table of two to nine seats, up to three of whom
    go all-in, for chips or for prizes by the independent chip model. Ctrl-C ends the search and
    keeps the result so far. --bounties adds bounties, in the order of the stacks and the unit of
    the prizes: those of this hand go to the player who wins the last chips, those to come as in
    railbird icm.

    With --set future-game=N stacks are worth, after this hand, what the next N hands of push/fold
    make of them, each an equilibrium with one caller at most, as the blinds go round.

    \b
    Examples:
      railbird solve pushfold --stack 10
      railbird solve pushfold --sweep 1:20:0.1 --out charts.svg
      railbird solve pushfold --stacks 8,12,5,10 --payouts 50,30,20 --seat BTN
      railbird solve pushfold --seats 9 --ante 0.1 --out nine.html
      railbird solve pushfold --stacks 8,12,5,10 --payouts 50,30,20 --bounties 10,20,5,10
      railbird solve pushfold --stacks 4,9,12 --payouts 50,30 --set future-game=1
    """
    heads = bounties_of(bounties, paid_at_once, bounty_model)
    if payouts is None and (heads or future_game):
        option = "--bounties" if heads else "--set future-game"
        raise BadInput(f"{option} without --payouts; allowed: with --payouts")
    if context.get_parameter_source("stack") is ParameterSource.COMMANDLINE:
        for option, value in (("--stacks", stacks), ("--sweep", sweep)):
            if value is not None:
                raise BadInput(f"--stack and {option}; allowed: one of the two")
    of_table = (players, stacks, payouts, blinds, seat, bb_ante, heads, future_game or None)
    if any(option is not None for option in of_table):
        if sweep is not None:
            raise BadInput("--sweep of a table; allowed: heads-up, without --seats and the like")
        from railbird.cli import _solve_small as small_games

        table = small_games.table_of(
            players=players,
            stack=stack,
            stacks=stacks,
            payouts=payouts,
            blinds=blinds,
            ante=ante,
            big_blind_ante=bb_ante or 0.0,
            bounties=heads,
            future_hands=future_game,
        )
        _solve_table(
            context,
            table,
            seat=seat,
            tolerance=tolerance,
            out=out,
            force=force,
            as_json=as_json,
        )
        return
    _solve_heads_up(
        stack=stack,
        ante=ante,
        sweep=sweep,
        tolerance=1e-8 if tolerance is None else tolerance,
        out=out,
        force=force,
        as_json=as_json,
    )


def _solve_heads_up(
    *,
    stack: float,
    ante: float,
    sweep: str | None,
    tolerance: float,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    if out is not None:
        _check_picture(out, force=force)

    if sweep is not None:
        stacks = _stacks(sweep)
        with progress() as notify:
            swept = solve.sweep_stacks(stacks, ante=ante, tolerance=tolerance, progress=notify)
        tables = {"pushed": swept.largest(swept.push), "called": swept.largest(swept.call)}
        scale = report.range_chart.stack_scale(
            max(stacks), is_whole=all(map(float.is_integer, stacks))
        )
        title = "largest stack at which a hand is"
        answer, verdict = _sweep_json(swept), _gaps(swept)
        if out is not None:
            report.html_page.write(report.pushfold_pages.sweep_document(swept), out)
    else:
        with progress() as notify:
            solution = solve.solve_pushfold(stack, ante=ante, tolerance=tolerance, progress=notify)
        tables = {"push": solution.push, "call": solution.call}
        scale, title = report.range_chart.FREQUENCY, f"{stack:g} big blinds:"
        answer, verdict = _solution_json(solution), _summary(solution)
        if out is not None:
            report.html_page.write(report.pushfold_pages.solution_document(solution), out)
    if as_json:
        print_json(answer | {"chart_file": None if out is None else str(out)})
        return
    for name, values in tables.items():
        output.print(f"{title} {name}")
        output.print(report.range_text(values, scale))
        output.print()
    output.print(verdict)


_VARIANTS = {
    "predictive": "PREDICTIVE",
    "cfr+": "CFR_PLUS",
    "discounted": "DISCOUNTED",
    "linear": "LINEAR",
    "cfr": "CFR",
}


@command.command()
@click.argument("game", type=OneOf(["kuhn", "leduc"]))
@click.option(
    "--method",
    "variants",
    type=OneOf(list(_VARIANTS)),
    multiple=True,
    default=["predictive"],
    help="Variant of counterfactual regret minimisation; repeat it for more curves.",
)
@gap_option(
    "tolerance",
    default=1e-6,
    help="Exploitability in antes at which to stop.",
)
@click.option(
    "--iterations",
    type=Whole(1, 10_000_000),
    default=1_000_000,
    help="Maximum number of iterations.",
)
@click.option("-o", "--out", type=OUTPUT_FILE, help="The convergence curves: .html, .svg or .png.")
@force_option
@json_option
def toy(
    *,
    game: str,
    variants: tuple[str, ...],
    tolerance: float,
    iterations: int,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Solve Kuhn poker or Leduc hold'em by the solver of push/fold: value, strategy, convergence.

    \b
    Examples:
      railbird solve toy kuhn
      railbird solve toy leduc --method cfr+ --method cfr --gap 1e-3 --out curves.svg
    """
    if out is not None:
        _check_picture(out, force=force)
    from railbird.cli import _solve_small as small_games

    tree = {"kuhn": solve.kuhn, "leduc": solve.leduc}[game]()
    chosen = {name: solve.CfrVariant[_VARIANTS[name]] for name in variants}
    with progress() as notify:
        solved = {
            name: solve.solve(
                tree,
                tolerance=tolerance,
                variant=variant,
                most=iterations,
                first_check=1,
                progress=notify,
            )
            for name, variant in chosen.items()
        }
    if out is not None:
        curves = {chosen[name].title: solution.curve for name, solution in solved.items()}
        small_games.draw_curves(game, curves, out)
    if as_json:
        first = next(iter(solved.values()))
        print_json(
            {
                "value": first.value,
                "exploitability": first.exploitability,
                "iterations": first.iterations,
                "took_s": first.took_s,
                "variant": variants[0],
                "strategy": small_games.strategy_by_name(tree, first.strategy),
                "curves": {
                    name: [point._asdict() for point in solution.curve]
                    for name, solution in solved.items()
                },
                "curve_file": None if out is None else str(out),
            }
        )
    else:
        titles = {name: chosen[name].title for name in solved}
        small_games.print_toy_game(game, tree, solved, titles=titles)
    for name, solution in solved.items():
        if solution.exploitability > tolerance:
            errors.print(
                f"{name}: {solution.exploitability:.1e} after {solution.iterations:,} iterations "
                f"is above the tolerance of {tolerance:g}; --iterations allows more"
            )


@command.command()
@stack_in_blinds_option
@click.option(
    "--actions",
    default="fold,limp,minraise,shove",
    help="What is allowed besides checks, and calls of raises.",
)
@gap_option(
    "tolerance",
    default=1e-4,
    help="Gain of a best response in big blinds at which to stop.",
)
@click.option(
    "--postflop",
    metavar="PLAYER",
    type=PLAYER,
    help="Who plays on after the flop, in fixed limit, instead of checking hands down.",
)
@click.option(
    "--boards",
    type=Whole(),
    metavar="N",
    help="With --postflop: boards to deal; 1,000 by default.",
)
@click.option("--seats", type=Whole(2, 6), help="Solve a table of so many, by sampled deals.")
@click.option("--opens", help="With --seats: sizes of the first raise, 2.5x by default.")
@click.option("--reraises", help="With --seats: sizes of later raises; 3x, a by default.")
@click.option("--rake", metavar="P%[,cap=C]", help="With --seats: rake, a cap in big blinds.")
@click.option("--samples", type=Whole(1, 10**9), help="With --seats: deals; 3 million by default.")
@seed_option
@json_option
def preflop(
    *,
    stack: float,
    actions: str,
    tolerance: float,
    postflop: str | None,
    boards: int | None,
    seats: int | None,
    opens: str | None,
    reraises: str | None,
    rake: str | None,
    samples: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Solve heads-up no-limit before the flop, with limps and small raises.

    After a call the hands are checked down, so position and skill after the flop count for nothing.
    With --postflop both players play on as PLAYER does in fixed limit, with bets of 1 and 2 big
    blinds, cut at the stacks; any player will do whose probabilities are known beforehand:
    equilibrium, baseline, always-call and the like. On each of the boards dealt all hands and all
    betting count exactly. Ctrl-C loses the boards that were dealt. At most five raises of the
    minimum are made. With --actions fold,shove it is push/fold.

    With --seats a table is solved by sampled deals, up to three raises and three players at the
    flop: what each seat wins, how much a response that learned from other deals gains, and the
    chart of each seat where all before it fold. What follows the flop is a line by position and
    equity for two players, found from a blueprint, and a showdown for three. More than two players
    have no guaranteed equilibrium.

    \b
    Examples:
      railbird solve preflop --stack 15
      railbird solve preflop --seats 6 --stack 100 --rake 5%,cap=3
      railbird solve preflop --stack 10 --actions fold,limp,shove
      railbird solve preflop --stack 10 --postflop equilibrium:small
    """
    from railbird.cli._solve_seats import DEALS, seats_game, solve_table
    from railbird.cli._solve_small import parse_actions, print_preflop_game, solved_json

    if seats is not None:
        if postflop is not None or boards is not None:
            raise BadInput("--postflop or --boards with --seats; allowed: without it")
        rules = seats_game(seats, stack, opens, reraises, rake)
        solve_table(rules, DEALS if samples is None else samples, seed, as_json=as_json)
        return
    for name, value in (
        ("opens", opens),
        ("reraises", reraises),
        ("rake", rake),
        ("samples", samples),
    ):
        if value is not None:
            raise BadInput(f"--{name} without --seats; allowed: with it")
    chosen = parse_actions(actions)
    if postflop is None and boards is not None:
        raise BadInput("--boards without --postflop; allowed: with --postflop")
    solve.PreflopGame(stack=stack, actions=chosen)  # before an equilibrium is solved
    with progress() as notify:
        played = None
        if postflop is not None:
            played = solve.preflop.Postflop(
                strategy=players.known_strategy(postflop).on_boards,
                boards=solve.settings.POSTFLOP_BOARDS if boards is None else boards,
                seed=seed,
            )
        solved = solve.solve_preflop(
            stack, chosen, postflop=played, tolerance=tolerance, progress=notify
        )
    if as_json:
        print_json(solved_json(solved, postflop))
    else:
        print_preflop_game(solved, postflop)


def _solve_table(
    context: click.Context,
    table: solve.PushFoldTable,
    *,
    seat: str | None,
    tolerance: float | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    from railbird.cli import _solve_small as small_games

    if seat is not None and seat not in table.seats:
        raise unknown_name("seat", seat, table.seats)
    if out is not None:
        check_ending(out, (*_PICTURES, ".csv"))
        check_output(out, force=force)
    with progress() as notify:
        solution = solve.solve_pushfold_table(
            table,
            tolerance=solve.settings.TABLE_TOLERANCE if tolerance is None else tolerance,
            progress=notify,
            keep=True,
        )
    if out is not None:
        _write_table(solution, out)
    if as_json:
        chart_file = None if out is None else str(out)
        print_json(small_games.solution_json(solution) | {"chart_file": chart_file})
    else:
        small_games.print_solution(solution, seat)
    if not solution.finished:
        errors.print("interrupted: the result so far is not an equilibrium yet")
        context.exit(EXIT_INTERRUPTED)


def _write_table(solution: solve.TableSolution, out: Path) -> None:
    if out.suffix.lower() == ".csv":
        replace_files({out: solution.to_polars().write_csv().encode()})
        return

    report.html_page.write(report.pushfold_pages.table_solution_document(solution), out)


def _check_picture(out: Path, *, force: bool) -> None:
    check_ending(out, _PICTURES)
    check_output(out, force=force)


def _stacks(text: str) -> list[float]:
    try:
        low, high, step = map(float, text.split(":"))
        if not (
            0 < low <= high < float("inf") and (high - low) / _MOST_STACKS < step < float("inf")
        ):
            raise ValueError
    except ValueError:
        raise BadInput(
            f"--sweep {text}; allowed: LOW:HIGH:STEP in big blinds, "
            f"at most {_MOST_STACKS:,} stacks, such as 1:20:0.1"
        ) from None
    count = int((high - low) / step + 1e-9) + 1
    return [round(low + number * step, 9) for number in range(count)]


def _summary(solution: solve.PushFoldSolution) -> str:
    value = solution.value_sb_bb
    return (
        f"small blind {'loses' if value < 0 else 'wins'} {number(abs(value), 6)} bb a hand\n"
        f"pushes {percent(solution.push_share, 3)} of hands, "
        f"the big blind calls with {percent(solution.call_share, 3)}\n"
        f"a best response gains {solution.exploitability_bb:.1e} bb; "
        f"{solution.iterations:,} iterations in {solution.took_s:.2f} s"
    )


def _solution_json(solution: solve.PushFoldSolution) -> dict[str, object]:
    game = solution.game
    values = solve.pushfold_ev(solution.push, solution.call, stack=game.stack, ante=game.ante)
    return {
        "stack_bb": solution.game.stack,
        "ante_bb": solution.game.ante,
        "value_small_blind_bb": solution.value_sb_bb,
        "push": solution.push_share,
        "call": solution.call_share,
        "exploitability_bb": solution.exploitability_bb,
        "iterations": solution.iterations,
        "took_s": solution.took_s,
        "chart": {"push": solve.by_name(solution.push), "call": solve.by_name(solution.call)},
        "ev_bb": {
            "push": solve.by_name(values.push_ev),
            "small_blind_fold": values.fold_ev_sb,
            "call": solve.by_name(values.call_ev),
            "big_blind_fold": values.fold_ev_bb,
        },
    }


def _sweep_json(sweep: solve.Sweep) -> dict[str, object]:
    sides = {"push": sweep.push, "call": sweep.call}
    return {
        "stacks_bb": sweep.stacks.tolist(),
        "value_small_blind_bb": [solution.value_sb_bb for solution in sweep.solutions],
        "exploitability_bb": max(solution.exploitability_bb for solution in sweep.solutions),
        "spans": {
            side: {
                name: [[span.low, span.high] for span in spans]
                for name, spans in zip(cards.CLASS_NAMES, sweep.spans(values), strict=True)
            }
            for side, values in sides.items()
        },
    }


def _gaps(sweep: solve.Sweep) -> str:
    return "\n".join(
        f"{side} with gaps, at: {'; '.join(sweep.gaps(values)) or 'none'}"
        for side, values in (("pushed", sweep.push), ("called", sweep.call))
    )
