"""``railbird solve preflop-tree``: the whole no-limit hand of two players, on a few flops."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from railbird import cards, report, solve
from railbird._option_fields import option_fields
from railbird.cli._completion import INPUT_FILE, OUTPUT_FILE
from railbird.cli._console import (
    EXIT_INTERRUPTED,
    errors,
    json_option,
    output,
    print_json,
    print_made,
    progress,
)
from railbird.cli._hand_files import check_output, force_option
from railbird.cli._keyed_options import CommandOfFields
from railbird.cli._solve_spot import (
    begins_anew,
    gap_teller,
    is_key_of_sizes,
    solving_options,
    spot_text,
    tell_size,
    unit_of_values,
    unwritten_interruption,
    written_words,
)
from railbird.errors import BadInput
from railbird.report.number_format import counted, percent, signed

_OWN: Final = (
    "stack",
    "opens",
    "reraises",
    "flops",
    "oop",
    "ip",
    "bets",
    "raises",
    "rake",
)
_EARLY: Final = 2
"""Actions before a decision that is printed; all of them are in the JSON."""


@click.command(
    name="preflop-tree",
    cls=CommandOfFields,
    fields=lambda: option_fields(solve.spot.PreflopSpot),
    own=_OWN,
    is_other_key=is_key_of_sizes,
)
@click.argument("file", type=INPUT_FILE, required=False)
@click.option(
    "--line",
    default="",
    show_default=False,
    help='Decision whose charts are shown, such as "raise 250".',
)
@solving_options
@click.option(
    "-o", "--out", type=OUTPUT_FILE, help="The solution's file, which is shown without solving."
)
@force_option
@json_option
@click.pass_context
def preflop_tree(
    context: click.Context,
    /,
    *,
    file: Path | None,
    line: str,
    gap: float,
    iterations: int,
    threads: int | None,
    memory: float | None,
    store: str,
    out: Path | None,
    force: bool,
    as_json: bool,
    **of_game: Any,
) -> None:
    """Solve the no-limit hand of two players from the blinds on, on a few weighted flops.

    The game is a file of lines "key = value", or options in place of its lines. All streets are
    solved together; the gap, in per cent of what the blinds make the pot, is exact for these flops.
    Rake is taken from pots that see a flop. Sizes may differ by street, as in --set turn-bets=50%.

    \b
    Examples:
      railbird solve preflop-tree --stack 1000 --opens a --flops 12
      railbird solve preflop-tree FILE --flops 25 --line "raise 250"
      railbird solve preflop-tree FILE --out FILE.solution
      railbird solve preflop-tree FILE.solution --line "raise 250"
    """
    with unwritten_interruption(file), progress():
        if out is not None:
            check_output(out, force=force)
        opened = file if file is not None and solve.spot.is_solution(file) else None
        if opened and any(option not in (None, ()) for option in of_game.values()):
            raise BadInput(f"{file} is a solution; no option can change its game")
        if opened:
            solution = solve.spot.open_solution(opened, threads=threads)
            size = solution.solver.size()
        else:
            blinds = {option.key: option for option in option_fields(solve.spot.PreflopSpot)}
            usual = blinds["big_blind"].default_text
            text, name = spot_text(file, of_game, big_blind=usual)
            spot = solve.spot.PreflopSpot.parse(text, name=name, files=True)
            solve.spot.check_boards(spot, memory, store=int(store))
            errors.print(f"dealing {counted(len(spot.flops), 'flop')}")
            solver = solve.spot.SpotSolver(spot, threads=threads, store=int(store))
            solver.check_locks()
            size = tell_size(solver)
            solution = solve.spot.begun(solver, memory)
        game = solution.spot
        if not isinstance(game, solve.spot.PreflopSpot):
            raise BadInput(
                f"{file} begins after the flop; allowed: railbird solve spot show {file}"
            )
        decisions = list(solve.spot.preflop_decisions(solution))
        if line not in (decision.line for decision in decisions):
            known = ", ".join(repr(decision.line) for decision in decisions)
            raise BadInput(f"--line {line!r}; allowed: {known}")
        if not opened:
            solve.spot.resume(
                solution,
                gap_percent=gap,
                iterations=iterations,
                on_check=gap_teller(),
                keep=True,
            )
        if out is not None:
            solve.spot.save_solution(solution, out)
    decisions = list(solve.spot.preflop_decisions(solution))
    if as_json:
        made = solution.made and solution.made.as_json()
        print_json(_answer(solution, game, decisions, size.memory_mb) | {"made": made})
    else:
        _print(solution, game, decisions, line)
        print_made(solution.made)
    if solution.interrupted:
        errors.print(
            f"interrupted: the gap is that of the result so far; "
            f"{written_words(out)}{begins_anew(out)}",
            soft_wrap=True,
        )
        context.exit(EXIT_INTERRUPTED)


def _won(solution: solve.spot.SpotSolution, game: solve.spot.PreflopSpot) -> list[float]:
    """Return what both win on average, blinds lost included, in big blinds; or their utility."""
    unit = game.big_blind if game.utilities is None else 1
    return [value / unit for value in solution.values()]


def _answer(
    solution: solve.spot.SpotSolution,
    game: solve.spot.PreflopSpot,
    decisions: list[solve.spot.PreflopDecision],
    memory_mb: float,
) -> dict[str, object]:
    return {
        "bb_per_hand" if game.utilities is None else "utility": dict(
            zip(solve.spot.spot.PLAYERS, _won(solution, game), strict=True)
        ),
        "locked": bool(game.locks),
        "gap_percent_of_blinds": solution.gap_percent_of_pot,
        "iterations": solution.iterations,
        "cpu_s": solution.solver.cpu_s,
        "memory_mb": memory_mb,
        "flops": {
            cards.format_cards(weighted_flop.flop): weighted_flop.share
            for weighted_flop in game.flops
        },
        "decisions": [
            {
                "player": solve.spot.spot.PLAYERS[decision.player],
                "line": decision.line,
                "actions": {
                    str(action): {
                        "share": float(share),
                        "chart": dict(zip(cards.CLASS_NAMES, row.tolist(), strict=True)),
                    }
                    for action, share, row in zip(
                        decision.actions, decision.frequency, decision.strategy, strict=True
                    )
                },
            }
            for decision in decisions
        ],
    }


def _print(
    solution: solve.spot.SpotSolution,
    game: solve.spot.PreflopSpot,
    decisions: list[solve.spot.PreflopDecision],
    line: str,
) -> None:
    (chosen,) = (decision for decision in decisions if decision.line == line)
    for action, row in zip(chosen.actions, chosen.strategy, strict=True):
        if str(action) != "fold":
            output.print(f"{solve.spot.spot.PLAYERS[chosen.player]}, {line or 'first'}: {action}")
            output.print(report.range_text(row))
            output.print()
    output.print("how often, % of all hands that come there")
    early = [decision for decision in decisions if len(decision.line.split()) <= 2 * _EARLY]
    for decision in early:
        mix = zip(decision.actions, decision.frequency.tolist(), strict=True)
        words = ", ".join(f"{action} {percent(share)}" for action, share in mix)
        output.print(
            f"  {solve.spot.spot.PLAYERS[decision.player]}, {decision.line or 'first'}: {words}"
        )
    if left := len(decisions) - len(early):
        output.print(f"  and {left} later decisions, which --json has")
    output.print()
    oop, ip = (signed(value, 4) for value in _won(solution, game))
    flops = counted(len(game.flops), "flop")
    if game.utilities is None:
        output.print(f"ip wins {ip} bb a hand, oop {oop}, on {flops}")
    else:
        output.print(f"ip has {ip[1:]} {unit_of_values(game.utilities)}, oop {oop[1:]}, on {flops}")
    of_locks = " of the game with its locks" if game.locks else ""
    output.print(
        f"gap {solution.gap_percent_of_pot:.3f} % of the blinds{of_locks}, {solution.iterations:,} "
        f"iterations, {solution.solver.cpu_s:.1f} s of processor time"
    )
