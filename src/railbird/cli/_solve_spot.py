"""``railbird solve spot``: no-limit spots after the flop."""

from __future__ import annotations

import math
import re
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from railbird import cards, histories, report, solve
from railbird._files import replace_files
from railbird._option_fields import option_fields
from railbird.cli._completion import INPUT_FILE, OUTPUT_FILE, PRESET, OneOf, Whole
from railbird.cli._console import (
    EXIT_INTERRUPTED,
    errors,
    json_option,
    output,
    print_json,
    print_made,
    progress,
    seed_option,
)
from railbird.cli._gap_option import gap_option
from railbird.cli._hand_files import check_inputs, check_output, force_option
from railbird.cli._keyed_options import ASSIGNMENTS, CommandOfFields
from railbird.cli._verbs import Commands
from railbird.errors import BadInput, Interrupted, unknown_name
from railbird.report.number_format import blinds_words, counted, percent

if TYPE_CHECKING:
    from railbird.progress import Progress

_DEFAULT: Final = "file"
_TELL_EVERY: Final = 0.5
"""Seconds."""

_OWN: Final = ("board", "oop", "ip", "pot", "stack", "bets", "raises", "rake")
"""Keys with an option of their own; all others are given by ``--set``."""


def is_key_of_sizes(key: str) -> bool:
    """Tell whether a key of ``--set`` is of bet sizes, perhaps of a player and a street."""
    return solve.spot.spot.is_size_key(key.replace("-", "_"))


class CommandOfSpot(CommandOfFields):
    """A command with the options of a spot, and ``--preset``."""

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(
            *arguments,
            fields=lambda: option_fields(solve.spot.Spot),
            own=_OWN,
            is_other_key=is_key_of_sizes,
            **attributes,
        )


class _Spots(Commands):
    """What is no subcommand is a file, or options of a spot."""

    default = _DEFAULT
    """The command that is meant where none is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [self.default, *args]
        return super().parse_args(ctx, args)


@click.group(name="spot", cls=_Spots)
def spot() -> None:
    """Solve a no-limit spot after the flop: two players, any ranges and bet sizes.

    The options are those of `railbird solve spot file --help`.

    \b
    Examples:
      railbird solve spot FILE.spot
      railbird solve spot --board Td9d6hQc2s --oop 66+,A8s+,KQo --ip QQ-22,ATo+ \\
        --pot 200 --stack 900 --bets 60%,a --raises 2.5x
    """


preset_option = click.option(
    "--preset",
    type=PRESET,
    help="A common pot with 100 big blinds of 10 chips, at six seats or heads-up: its ranges, pot "
    "and stack, and usual sizes; whatever else is given takes precedence.",
)


def solving_options(function: Any) -> Any:
    """Add the options that say how far a spot is solved, and with what."""
    for option in reversed(_SOLVING):
        function = option(function)
    return function


_SOLVING: Final = (
    gap_option(
        unit=solve.settings.PERCENT,
        default=0.3,
        help="Gain of best responses at which to stop, in per cent of the pot; 0 takes all "
        "iterations.",
    ),
    click.option(
        "--iterations",
        type=Whole(1, 1_000_000),
        default=1000,
        help="Maximum number of iterations, or of further ones.",
    ),
    click.option("--workers", "threads", type=Whole(1, 1024), help="By default as many as cores."),
    click.option(
        "--memory",
        type=float,
        metavar="MB",
        help="The most memory to take, by default what is free.",
    ),
    click.option(
        "--store",
        type=OneOf(["16", "32"]),
        default="32",
        help="Bits of a number; 16 for half the memory.",
    ),
)


@spot.command(name=_DEFAULT, cls=CommandOfSpot)
@click.argument("file", type=INPUT_FILE, required=False)
@preset_option
@solving_options
@click.option("-o", "--out", type=OUTPUT_FILE, help="The solution's file, which `show` reads.")
@click.option(
    "--resumable", is_flag=True, help="Write all that going on needs; four times as much."
)
@click.option(
    "--no-river",
    is_flag=True,
    help="Leave out the river, nearly all of the file; it is solved anew where it is shown.",
)
@force_option
@json_option
@click.pass_context
def solve_file(
    context: click.Context,
    /,
    *,
    file: Path | None,
    gap: float,
    iterations: int,
    threads: int | None,
    memory: float | None,
    store: str,
    out: Path | None,
    resumable: bool,
    no_river: bool,
    force: bool,
    as_json: bool,
    **of_spot: Any,
) -> None:
    """Solve a spot, by a file of lines "key = value", or by options in place of its lines.

    A player and a street may stand before sizes, as in --set ip-river-raises=3x.

    A solution that was written with --resumable is continued, to a smaller gap or for more
    iterations. The tree's size is printed before any memory is taken. The gap, what best responses
    to the strategies gain, is exact. Ctrl-C ends the search and keeps the result so far.

    \b
    Examples:
      railbird solve spot FILE.spot --gap 0.1
      railbird solve spot FILE.spot --board Td9d6hQc2c --json
      railbird solve spot FILE.spot --out FILE.solution --resumable
      railbird solve spot FILE.solution --gap 0.05 --out FILE.solution --resumable --force
      railbird solve spot FILE.spot --out FILE.solution --no-river
      railbird solve spot FILE.spot --set merging=0.1 --set ip-river-raises=3x
    """
    with unwritten_interruption(file), progress() as notify:
        if out is not None:
            check_output(out, force=force)
        goes_on = file is not None and solve.spot.is_solution(file)
        if goes_on and any(option not in (None, ()) for option in of_spot.values()):
            raise BadInput(f"{file} is a solution; no option can change its spot")
        spot = None if goes_on else spot_of(file, of_spot)
        if spot is not None:
            # What can be refused is refused before the tree is built, which takes seconds and
            # gigabytes.
            solve.spot.check_boards(spot, memory, store=int(store))
            solver = solve.spot.SpotSolver(spot, threads=threads, store=int(store))
            solver.check_locks()
            if no_river:
                solve.spot.check_without_river(solver, resumable=resumable)
            size = tell_size(solver)
            solution = solve.spot.begun(solver, memory, progress=notify)
        else:
            assert file is not None
            solution = solve.spot.open_solution(file, threads=threads, progress=notify)
            # The option counts further iterations, but the solver the number reached in all.
            iterations += solution.iterations
            if no_river:
                solve.spot.check_without_river(solution.solver, resumable=resumable)
            size = tell_size(solution.solver)
        solve.spot.resume(
            solution,
            gap_percent=gap,
            iterations=iterations,
            on_check=gap_teller(),
            keep=True,
        )
        if out is not None:
            solve.spot.save_solution(solution, out, resumable=resumable, river=not no_river)
    answer = _answer(solution, size.memory_mb) | {"file": None if out is None else str(out)}
    if as_json:
        print_json(answer)
    else:
        _print_solved(solution, answer)
    if solution.interrupted:
        _say_interrupted(out, resumable=resumable)
        context.exit(EXIT_INTERRUPTED)
    if not solution.finished:
        errors.print(f"the gap of {gap:g} % that was asked for has not been reached")


def _say_interrupted(out: Path | None, *, resumable: bool) -> None:
    goes_on = ""
    if out is not None:
        goes_on = f", and railbird solve spot {out} --out {out} --force continues it"
        if not resumable:
            goes_on = ", but only a solution of --resumable can be continued"
    words = f"interrupted: the gap is that of the result so far; {written_words(out)}{goes_on}"
    errors.print(words, soft_wrap=True)


@contextmanager
def unwritten_interruption(file: Path | None) -> Iterator[None]:
    """Say what Ctrl-C leaves before anything is found or written; ``file`` is what was read."""
    try:
        yield
    except KeyboardInterrupt:
        of_file = "" if file is None else f", {file} is as it was"
        raise Interrupted(
            f"interrupted: nothing was written{of_file}, and the same command begins again"
        ) from None


def begins_anew(out: Path | None) -> str:
    """Say how to go on with an interrupted solution that cannot be continued."""
    return f"; the same command {'' if out is None else 'with --force '}begins anew"


def written_words(out: Path | None) -> str:
    """Say what is kept of an interrupted solution."""
    return "nothing was written, as --out names no file" if out is None else f"{out} has it"


def tell_size(solver: solve.spot.SpotSolver) -> solve.spot.solving.SpotNeeds:
    """Say how large a tree is, before it takes any memory."""
    size = solver.size()
    noun = "board" if size.boards == (1,) else "boards"
    errors.print(
        f"{' + '.join(f'{n:,}' for n in size.nodes)} nodes of betting on "
        f"{' + '.join(f'{n:,}' for n in size.boards)} {noun}: "
        f"{solve.spot.solution.megabytes(size.memory_mb)} MB"
    )
    return size


def gap_teller() -> Callable[[solve.spot.SpotSolution], None]:
    """Return what says how far a solution is, twice a second at most."""
    last = time.monotonic()

    def tell(solution: solve.spot.SpotSolution) -> None:
        nonlocal last
        if time.monotonic() - last >= _TELL_EVERY:
            last = time.monotonic()
            errors.print(
                f"{solution.iterations:6,} iterations: "
                f"gap {solution.gap_percent_of_pot:.3f} % of the pot"
            )

    return tell


def spot_of(file: Path | None, of_spot: dict[str, Any]) -> solve.spot.Spot:
    """Read a file, or nothing, with options in place of its lines."""
    text, name = spot_text(file, of_spot)
    return solve.spot.Spot.parse(text, name=name, files=True)


def spot_text(
    file: Path | None, of_spot: dict[str, Any], *, big_blind: str | None = None
) -> tuple[str, str]:
    """Return the lines of a spot, and where they come from. Raises `BadInput`.

    ``big_blind`` is the game's where no line says it, if it has one.
    """
    assignments, preset = of_spot.pop(ASSIGNMENTS, ()), of_spot.pop("preset", None)
    given_lines = [f"{key} = {value}" for key, value in of_spot.items() if value is not None]
    given_lines += [f"{key.replace('-', '_')} = {value}" for key, value in assignments]
    # An option replaces the file's line of its key, but keys that may stand several times are added
    # to.
    replaced = {_key(line) for line in given_lines} - set(solve.spot.spot.LISTS)
    lines = [] if file is None else solve.spot.spot.read_text(file).splitlines()
    lines = [line for line in lines if _key(line) not in replaced] + given_lines
    fields = {_key(line): line.partition("=")[2].strip() for line in lines}
    # A stack in big blinds needs the big blind, which may come from the file, from an option or
    # from the game; so it is converted once all lines are known.
    if of_spot.get("stack") is not None:
        stack = _in_chips(of_spot["stack"], fields.get("big_blind", big_blind))
        lines = [f"stack = {stack}" if _key(line) == "stack" else line for line in lines]
    if preset is not None:
        lines += _lines_of_preset(preset, {_key(line): line for line in lines})
    return "\n".join(lines), "options" if file is None else str(file)


def _in_chips(stack: str, big_blind: str | None) -> str:
    """Write a stack in chips that has a unit, such as 100bb or 970 chips; others as they are."""
    match = re.fullmatch(r"(\d{1,9}) *(bb|chips)", stack.strip(), re.IGNORECASE)
    if match is None:
        return stack
    in_blinds = match[2].lower() == "bb"
    # What cannot be converted stays as it is; the spot refuses it, and names the key.
    if in_blinds and (big_blind is None or not big_blind.isdecimal()):
        return stack
    return str(int(match[1]) * (int(big_blind) if in_blinds and big_blind else 1))


def _lines_of_preset(name: str, lines: dict[str, str]) -> list[str]:
    """Return what a preset adds to lines: usual sizes only where none are given."""
    presets = solve.spot.presets
    if name not in presets.PRESETS:
        raise unknown_name("preset", name, presets.PRESETS)
    added = presets.PRESETS[name].lines()
    # Sizes that somebody chose must not be mixed with usual ones for the other streets.
    if not any(map(solve.spot.spot.is_size_key, lines)):
        board = lines.get("board", "").partition("=")[2]
        cards_shown = len(cards.parse_cards(board)) if board else 3
        streets = solve.spot.spot.STREETS
        street = streets[min(max(cards_shown, 3), 5) - 3]
        added |= presets.USUAL_SIZES[street]
    if {"pot", "stack"} & set(lines):  # which may be of another big blind
        del added["big_blind"]
    return [f"{key} = {value}" for key, value in added.items() if key not in lines]


def _key(line: str) -> str:
    return line.partition("=")[0].strip()


def _answer(solution: solve.spot.SpotSolution, memory_mb: float) -> dict[str, object]:
    root = solution.node("")
    frequencies = zip(map(str, root.actions), root.frequency().tolist(), strict=True)
    return {
        "big_blind": solution.spot.big_blind or None,
        "ev": solution.values()[0],
        "ev_in_position": solution.values()[1],
        "equity": solution.equity,
        "gap_percent_of_pot": solution.gap_percent_of_pot,
        "finished": solution.finished,
        "locked": bool(solution.spot.locks),
        "left_out": solve.spot.left_out(solution.solver.forests),
        "iterations": solution.iterations,
        "cpu_s": solution.solver.cpu_s,
        "memory_mb": memory_mb,
        "first_action": dict(frequencies),
    }


def _ev_words(value: float, solution: solve.spot.SpotSolution) -> str:
    """Write an EV with the decimals that the gap warrants, one to three; no minus before zero."""
    gap = solution.gap if solution.spot.utilities is None else 0.0
    # Digits beyond the gap would look exact without being so: an EV may be off by as much as best
    # responses gain.
    decimals = 3 if gap <= 0 else min(max(math.floor(-math.log10(4 * gap)), 1), 3)
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def unit_of_values(utilities: Sequence[solve.spot.spot.Utility] | None) -> str:
    """Return what EVs count in after a number; nothing if it is chips."""
    if not utilities:
        return ""
    return "of all prizes" if utilities[0].lines else "in the utility's unit"


def _ev_and_blinds(value: float, solution: solve.spot.SpotSolution) -> str:
    """Write an EV in chips, and in big blinds where the big blind is known."""
    big_blind = solution.spot.big_blind if solution.spot.utilities is None else 0
    words = blinds_words(value, big_blind)
    return _ev_words(value, solution) + (f" ({words})" if words else "")


def _print_solved(solution: solve.spot.SpotSolution, answer: dict[str, Any]) -> None:
    unit = unit_of_values(solution.spot.utilities) or f"of {solution.spot.pot} in the pot"
    ev = _ev_and_blinds(answer["ev"], solution)
    output.print(f"{ev} for the first player, {unit}; equity {answer['equity']:.4f}")
    mix = ", ".join(f"{name} {percent(f)}" for name, f in answer["first_action"].items())
    output.print(f"first action: {mix}")
    of_locks = " of the game with its locks" if solution.spot.locks else ""
    if answer["left_out"]:
        why = ""
        if solution.spot.sizes == solve.spot.same_sizes(solve.spot.BetSizes()):
            why = ", as no sizes were given: for instance --bets 60%,a --raises 2.5x"
        output.print(f"left out: {'; '.join(answer['left_out'])}{why}", soft_wrap=True)
    output.print(
        f"gap {answer['gap_percent_of_pot']:.3f} % of the pot{of_locks}, "
        f"{solution.iterations:,} iterations, {answer['cpu_s']:.2f} s of processor time"
    )


@spot.command()
@click.argument("file", type=INPUT_FILE)
@click.argument("holdings", required=False)
@click.option(
    "--line",
    default="",
    show_default=False,
    help='What came before, such as "check bet 120 call Td".',
)
@click.option("--hands", is_flag=True, help="Every holding; else a chart for each action.")
@click.option("-o", "--out", "csv_file", type=OUTPUT_FILE, help="Write every holding to a file.")
@force_option
@json_option
def show(
    *,
    file: Path,
    holdings: str | None,
    line: str,
    hands: bool,
    csv_file: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show a point of a solution: strategy, value and equity, over ranges and by holding.

    Values are chips from here on: what has been put in before is gone. For each holding there is
    also the value of every action, and how much the mix loses against the best one. Actions are
    written as the solution names them, an amount being all that is put in on a street; a card
    comes where one is dealt.

    HOLDINGS, such as AK, AhKh or QQ+, are listed alone, after what each player does with all of
    them together.

    \b
    Examples:
      railbird solve spot show FILE.solution
      railbird solve spot show FILE.solution AK
      railbird solve spot show FILE.solution --line "check bet 120 call 2c" --hands
      railbird solve spot show FILE.solution --out FILE.csv
    """
    check_inputs([file])
    if csv_file is not None:
        check_output(csv_file, inputs=[file], force=force)
    with progress() as notify:
        solution = opened_spot(file, notify)
        node = solution.node(line)
    rows, together = node.rows(), list[dict[str, object]]()
    if holdings is not None:
        rows, together = _rows_of_holdings(node, rows, holdings)
    if csv_file is not None:
        replace_files({csv_file: solve.spot.rows_as_csv(rows).encode()})
    if as_json:
        made = solution.made and solution.made.as_json()
        listed = {"holdings": _holdings(node, rows)}
        if together:
            listed["together"] = _holdings(node, together)
        print_json(_node_answer(solution, node) | {"made": made} | listed)
    else:
        actor = solve.spot.spot.PLAYERS[max(node.player, 0)]
        listed_rows = sorted(together + rows, key=lambda row: row["player"] != actor)
        _print_node(solution, node, listed_rows if hands or holdings else None)
        print_made(solution.made)


@spot.command()
@click.argument("file", type=INPUT_FILE)
@click.option("-n", "--count", type=Whole(1, 10_000_000), default=1000, help="Number of hands.")
@click.option("-o", "--out", type=OUTPUT_FILE, required=True, help="PHH file to write.")
@seed_option
@force_option
@json_option
def hands(*, file: Path, count: int, out: Path, seed: int, force: bool, as_json: bool) -> None:
    """Deal hands that both play by a solution, as a log that `stats` and `assess` read.

    Before the flop the player in position, on the button, raises to half of the pot and the other
    calls; the big blind is one chip. Each hand names the spot by its digest.

    \b
    Examples:
      railbird solve spot hands FILE.solution -n 10000 --out FILE.phh
      railbird stats FILE.phh
    """
    from railbird.estimates import Moments

    check_inputs([file])
    check_output(out, inputs=[file], force=force)
    won = array("d")
    with progress() as notify:
        solution = opened_spot(file, notify)
        table = solve.spot.SpotTable.of(solution.spot)

        def noted() -> Iterator[histories.HandRecord]:
            for record in solve.spot.deal_hands(solution, count, seed=seed, progress=notify):
                won.append(table.won(record, 0))
                yield record

        written = histories.write(noted(), out, format_name="phh")
    mean = Moments.of(won).estimate("chips")
    digest, pot = solution.spot.digest, solution.spot.pot
    expected = solution.values()[0] if solution.spot.utilities is None else None
    if as_json:
        print_json(
            {
                "hands": written.hands,
                "spot": digest,
                "won": mean.value,
                "stderr": mean.stderr,
                "ev": expected,
                "file": str(out),
            }
        )
        return
    output.print(f"{counted(written.hands)} of spot {digest}")
    by_solution = "" if expected is None else f"; by the solution {expected:.3f}"
    output.print(f"{mean} of {pot} in the pot for the first player{by_solution}")


def opened_spot(file: Path, notify: Progress) -> solve.spot.SpotSolution:
    """Read a solution of a spot, not of a game from the blinds on. Raises `BadInput`."""
    solution = solve.spot.open_solution(file, progress=notify)
    if isinstance(solution.spot, solve.spot.PreflopSpot):
        raise BadInput(
            f"{file} begins before the flop; allowed: railbird solve preflop-tree {file}"
        )
    return solution


def _node_answer(solution: solve.spot.SpotSolution, node: solve.spot.SpotNode) -> dict[str, object]:
    mix = {}
    if node.actions:
        mix = dict(zip(map(str, node.actions), node.frequency().tolist(), strict=True))
    values, equities = node.mean(node.values), node.mean(node.equity)
    realised = _realised(solution, node)
    return {
        "spot": solution.spot.digest,
        "line": node.line,
        "board": cards.format_cards(node.board),
        "pot": node.pot,
        "big_blind": solution.spot.big_blind or None,
        "player": solve.spot.spot.PLAYERS[node.player] if node.player >= 0 else None,
        "comes": node.kind.name.lower(),
        "actions": mix,
        "players": {
            name: {
                "ev": values[player],
                "equity": equities[player],
                "realisation": realised[player],
                "combinations": float(node.reach[player].sum()),
                "ev_curve": node.curve(node.values, player).tolist(),
                "equity_curve": node.curve(node.equity, player).tolist(),
            }
            for player, name in enumerate(solve.spot.spot.PLAYERS)
        },
        "blockers": {
            cards.TEXT_OF_CARD[card]: dict(zip(map(str, node.actions), changes, strict=True))
            for card, changes in enumerate(node.blockers().tolist() if node.actions else ())
            if not math.isnan(changes[0])
        },
        "gap_percent_of_pot": solution.gap_percent_of_pot,
        "locked": bool(solution.spot.locks),
    }


def _rows_of_holdings(
    node: solve.spot.SpotNode, rows: list[dict[str, object]], holdings: str
) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Return the rows of some holdings, and those of each player's together. Raises `BadInput`."""
    chosen = cards.Range.parse(holdings).weights > 0
    rows = [row for row in rows if chosen[cards.parse_holding(str(row["holding"]))]]
    if not rows:
        raise BadInput(f"{holdings}: neither player comes here with it")
    players = [solve.spot.spot.PLAYERS.index(str(row["player"])) for row in rows]
    return rows, [
        node.mean_row(player, chosen, holdings)
        for player in dict.fromkeys(players)
        if players.count(player) > 1
    ]


def _holdings(node: solve.spot.SpotNode, rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return the rows of holdings with what belongs to actions in lists, in their order."""
    names = [*map(str, node.actions)]
    flat = {*names, *(f"ev {name}" for name in names)}
    return [
        {key: value for key, value in row.items() if key not in flat}
        | (
            {
                "strategy": [row[name] for name in names],
                "action_values": [row[f"ev {name}"] for name in names],
            }
            if "regret" in row
            else {}
        )
        for row in rows
    ]


def _realised(
    solution: solve.spot.SpotSolution, node: solve.spot.SpotNode
) -> tuple[float | None, float | None]:
    """Return the part of its equity that each range realises; None where EVs are not in chips."""
    both = zip(node.mean(node.values), node.mean(node.equity), strict=True)
    oop, ip = (
        ev / (node.pot * equity) if solution.spot.utilities is None and equity > 0 else None
        for ev, equity in both
    )
    return oop, ip


_BLOCKERS: Final = 3
"""Cards for each action whose effect on its frequency is printed."""
_LEAST_CHANGE: Final = 0.001


def _blocker_words(node: solve.spot.SpotNode, number: int) -> str:
    """Say which cards in the other player's hand change an action most, the greatest first."""
    import numpy as np

    changes = node.blockers()[:, number]
    # A card that the other cannot hold has no effect to speak of; it is not a number here.
    known = np.flatnonzero(np.isfinite(changes))
    # The sort is stable, so cards with equal effects keep the order of the deck and the output does
    # not vary.
    most = known[np.argsort(-np.abs(changes[known]), kind="stable")][:_BLOCKERS].tolist()
    return ", ".join(
        f"{cards.TEXT_OF_CARD[card]} {100 * changes[card]:+.1f}"
        for card in most
        if abs(changes[card]) >= _LEAST_CHANGE
    )


def _print_node(
    solution: solve.spot.SpotSolution,
    node: solve.spot.SpotNode,
    rows: list[dict[str, object]] | None,
) -> None:
    import numpy as np

    if rows is not None:
        for row in rows:
            words = "  ".join(_word(key, value, solution) for key, value in row.items())
            output.print(words, soft_wrap=True)
    for number, action in enumerate(() if rows is not None else node.actions):
        weights = node.reach[node.player]
        played = weights * np.nan_to_num(node.strategy[:, number])
        total, some = (
            np.bincount(cards.CLASS_OF_HOLDING, holding_weights, minlength=cards.CLASSES)
            for holding_weights in (weights, played)
        )
        output.print(str(action))
        shares = np.where(total > 0, some / np.where(total > 0, total, 1), np.nan)
        output.print(report.range_text(shares))
        output.print()
    who = (
        f"{solve.spot.spot.PLAYERS[node.player]} to act"
        if node.player >= 0
        else node.kind.name.lower()
    )
    output.print(f"{cards.format_cards(node.board)}, {node.pot} in the pot: {who}")
    values, equities = node.mean(node.values), node.mean(node.equity)
    unit = unit_of_values(solution.spot.utilities) or "of the pot"
    realised = _realised(solution, node)
    for player, name in enumerate(solve.spot.spot.PLAYERS):
        part = realised[player]
        realises = "" if part is None else f", realised {percent(part, 0)}"
        output.print(
            f"{name}: {_ev_and_blinds(values[player], solution)} {unit}, "
            f"equity {percent(equities[player])}{realises}, "
            f"{node.reach[player].sum():.1f} combinations"
        )
    if node.actions:
        mix = zip(node.actions, node.frequency().tolist(), strict=True)
        output.print(", ".join(f"{action} {percent(chance)}" for action, chance in mix))
        for number, action in enumerate(node.actions):
            if words := _blocker_words(node, number):
                output.print(f"{action}, if the other has: {words} points", soft_wrap=True)
    gap = f"gap {solution.gap_percent_of_pot:.3f} % of the pot"
    output.print(gap + (", of the game with its locks" if solution.spot.locks else ""))


def _word(key: str, value: object, solution: solve.spot.SpotSolution) -> str:
    if not isinstance(value, float):
        return str(value)
    if math.isnan(value):  # what hangs on an equity or a reach of 0
        return f"{key} –"
    if key == "ev":
        return f"{key} {_ev_and_blinds(value, solution)}"
    if key.startswith("ev ") or key == "regret":
        return f"{key} {_ev_words(value, solution)}"
    text = f"{value:.3f}"
    return f"{key} {text.removeprefix('-') if float(text) == 0 else text}"
