"""``railbird solve spot report``: a spot on many boards."""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final

import click

from railbird import arena, cards, solve
from railbird.cli._completion import INPUT_FILE, OUTPUT_FILE
from railbird.cli._console import (
    EXIT_INTERRUPTED,
    errors,
    json_option,
    print_document,
    print_json,
    progress,
)
from railbird.cli._hand_files import check_output, force_option, is_folder
from railbird.cli._solve_spot import (
    CommandOfSpot,
    preset_option,
    solving_options,
    spot_text,
    unit_of_values,
)
from railbird.errors import BadInput, DamagedFile, Interrupted
from railbird.report.document import Document, KeyFigure, Section, Table
from railbird.report.number_format import counted, number, percent

_BEFORE: Final = ("board", "weight", "pairs", "ev", "ev_in_position", "equity", "reached")
_AFTER: Final = ("mean_bet_percent_of_pot", "gap_percent_of_pot", "iterations", "spot")
_ALL: Final = "all"
REPORT_FILE: Final = "report.csv"
"""In the folder of a report that keeps its solutions."""
_OTHERWISE: Final = "name another file, or begin it anew (--force)"


@click.command(name="report", cls=CommandOfSpot)
@click.argument("file", type=INPUT_FILE, required=False)
@preset_option
@click.option(
    "--boards",
    help="Boards such as Ks7d2c,Ah8d3s:0.5, of which one without a weight then has 1, or a file; "
    "6, 12, 25 or 49 is a set of flops that stand for all, and all the 1,755 of them.",
)
@click.option(
    "--line", default="", show_default=False, help='Show the actions after these, such as "check".'
)
@click.option(
    "-o",
    "--out",
    type=OUTPUT_FILE,
    help="Append each row to a file, to go on; in a folder that exists, solutions are kept too.",
)
@solving_options
@force_option
@json_option
@click.pass_context
def spot_report(
    context: click.Context,
    /,
    *,
    file: Path | None,
    boards: str | None,
    line: str,
    out: Path | None,
    gap: float,
    iterations: int,
    threads: int | None,
    memory: float | None,
    store: str,
    force: bool,
    as_json: bool,
    **of_spot: Any,
) -> None:
    """Solve a spot on many boards: a row for each, and what it is worth on average.

    The board of the file is left out. A board stands for as many as suits alone tell apart, unless
    it has a weight; means are over all deals of cards to these ranges. With --out each row is
    written as soon as it is known, and the same command goes on behind the last one. In a folder
    each board's solution is written as well, without its river, for railbird solve spot play.

    \b
    Examples:
      railbird solve spot report FILE.spot --boards Ks7d2c,Ah8d3s,QsJh2h
      railbird solve spot report FILE.spot --boards FILE.txt --gap 1 --out FILE.csv
      railbird solve spot report FILE.spot --boards Ks7d2cAh,Ks7d2c5h --line check
      railbird solve spot report FILE.spot --boards 25 --gap 1 --out FILE.csv
      railbird solve spot report FILE.spot --boards 25 --gap 1 --out FOLDER
      railbird solve spot report FILE.spot --boards all --store 16 --out FILE.csv
    """
    folder = out if out is not None and is_folder(out) else None
    csv_file = out if folder is None else folder / REPORT_FILE
    if csv_file is not None:
        inputs = [] if file is None else [file]
        check_output(csv_file, inputs=inputs, force=True)
    wanted = _wanted(boards)
    text, name = spot_text(file, of_spot)
    some = solve.spot.OpenSpot.parse(text, wanted, line=line, name=name, files=True)
    for_all = boards == _ALL or (boards is not None and solve.spot.many_boards.is_set(boards))
    if for_all and some.tells_suits_apart:
        raise BadInput(
            f"--boards {boards} with ranges or locks that tell suits apart; allowed: boards by "
            "their cards"
        )
    spots = some.on(wanted, skip=for_all)
    results: list[solve.spot.BoardResult] = []
    with progress() as notify:
        largest, bits = _largest(spots), int(store)
        solve.spot.check_boards(largest, memory, store=bits)
        size = solve.spot.SpotSolver(largest, threads=threads, store=bits).size()
        solve.spot.solution.check_memory(size, memory, store=bits)
        on = f"on {counted(len(spots), 'board')}"
        errors.print(
            f"{' + '.join(f'{n:,}' for n in size.nodes)} nodes of betting {on}: "
            f"up to {solve.spot.solution.megabytes(size.memory_mb)} MB"
        )

        def show_progress(solution: solve.spot.SpotSolution | None = None) -> None:
            what = "boards"
            if solution is not None:
                what += f", gap {solution.gap_percent_of_pot:.2f} %"
            notify(len(results), len(spots), what)

        settings = (gap, iterations, int(store))
        with _rows_of(csv_file, some, settings, spots, results, force=force) as keep:
            show_progress()
            todo = solve.spot.solve_boards(
                spots[len(results) :],
                gap_percent=gap,
                iterations=iterations,
                threads=threads,
                memory_mb=memory,
                store=int(store),
                on_check=show_progress,
                on_solved=None if folder is None else partial(_save, folder),
            )
            with contextlib.suppress(KeyboardInterrupt):
                for board_result in todo:
                    keep(board_result)
                    results.append(board_result)
                    show_progress()
    is_whole = len(results) == len(spots)
    goes_on = "" if csv_file is None else "; the same command goes on"
    stopped = f"interrupted after {len(results):,} of {counted(len(spots), 'board')}{goes_on}"
    if not results:
        raise Interrupted(stopped)
    if as_json:
        print_json(_answer(some, results, len(spots), csv_file))
    else:
        print_document(_document(some, results, len(spots)))
    if short := sum(board_result.gap_percent > gap for board_result in results):
        after = f"after {iterations:,} iterations"
        errors.print(f"{counted(short, 'board')} above a gap of {gap:g} % {after}")
    if not is_whole:
        errors.print(stopped)
        context.exit(EXIT_INTERRUPTED)


def _save(folder: Path, solution: solve.spot.SpotSolution) -> None:
    river = not solve.spot.leaves_river(solution.solver)
    file = folder / _solution_name(cards.format_cards(solution.spot.board))
    solve.spot.save_solution(solution, file, river=river)


def _solution_name(board: str) -> str:
    return f"{board}.solution"


def solutions_of_report(folder: Path) -> list[tuple[Path, float]]:
    """Return the solutions in the folder of a report, and how often these ranges see the boards.

    The chances are in proportion to the numbers. Raises `BadInput`.
    """
    path = folder / REPORT_FILE
    if not path.is_file():
        raise BadInput(f"{folder} has no {REPORT_FILE}; allowed: solutions, or a report's folder")
    lines = solve.spot.spot.read_text(path).encode().splitlines(keepends=True)
    rows = [line for line in lines[1:] if line.endswith(b"\n")]
    results = [_result(line, f"{path}: row {row}")[0] for row, line in enumerate(rows, 1)]
    drawn = [
        (folder / _solution_name(board_result.board), board_result.chance)
        for board_result in results
    ]
    if not drawn:
        raise BadInput(f"{path} has no board yet")
    return drawn


def _wanted(boards: str | None) -> list[solve.spot.WeightedBoard]:
    if boards is None:
        raise BadInput(f"no --boards; allowed: Ks7d2c,Ah8d3s, or a file of them, or 25, or {_ALL}")
    if boards == _ALL:
        return solve.spot.all_flops()
    return solve.spot.read_boards(_boards_text(boards))


def _boards_text(text: str) -> str:
    """Return what a file has, or the text itself where there is none of that name."""
    path = Path(text)
    try:
        is_there = path.exists() and not path.is_dir()
    except (OSError, ValueError):  # too long a text for a name
        is_there = False
    return solve.spot.spot.read_text(path) if is_there else text


def _largest(spots: Sequence[solve.spot.BoardSpot]) -> solve.spot.Spot:
    """The spot that takes the most memory: of whose board suits make the most."""

    def alike(board_spot: solve.spot.BoardSpot) -> int:
        board = board_spot.spot.board
        return int(cards.board_classes(len(board)).orbit[cards.canonical_board(board).row])

    return max(spots, key=alike).spot


# The file: a line for each board, whole or not there. The last column names the spot and the
# settings that the numbers depend on, so that nothing else is ever appended.


@contextmanager
def _rows_of(
    path: Path | None,
    some: solve.spot.OpenSpot,
    settings: tuple[float, int, int],
    spots: Sequence[solve.spot.BoardSpot],
    results: list[solve.spot.BoardResult],
    *,
    force: bool,
) -> Iterator[Callable[[solve.spot.BoardResult], None]]:
    """Yield what writes a row; ``results`` get those that the file has."""
    if path is None:
        yield lambda _: None
        return

    digest = some.digest(*settings)
    header = _line([*_BEFORE, *some.actions, *_AFTER])
    read = partial(_read, path=path, header=header, digest=digest, spots=spots)
    with ExitStack() as stack:
        if force:
            stack.enter_context(arena.set_aside([path]))
        log, file_results = stack.enter_context(arena.job_log.growing(path, header, read))
        results += file_results
        yield partial(_append, log, digest)


def _append(log: arena.AppendLog, digest: str, board_result: solve.spot.BoardResult) -> None:
    leading_cells = (
        board_result.board,
        board_result.weight,
        board_result.pairs,
        *board_result.ev,
        board_result.equity,
        board_result.reached,
    )
    trailing_cells = (
        board_result.mean_bet_percent,
        board_result.gap_percent,
        board_result.iterations,
        digest,
    )
    log.append(_line([*leading_cells, *board_result.frequencies, *trailing_cells]))


def _line(cells: Sequence[object]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue().encode()


def _read(
    stream: BinaryIO, path: Path, header: bytes, digest: str, spots: Sequence[solve.spot.BoardSpot]
) -> tuple[list[solve.spot.BoardResult], int]:
    """Return the whole rows of a file, and where the last one ends."""
    first = stream.readline()
    if not first.endswith(b"\n") and header.startswith(first):
        return [], 0  # new, or killed within the header
    if first != header:
        raise BadInput(f"{path} is no report of this spot; {_OTHERWISE}")
    results: list[solve.spot.BoardResult] = []
    end = len(first)
    for line in stream:
        if not line.endswith(b"\n"):
            break
        where = f"{path}: row {len(results) + 1}"
        board_result, of = _result(line, where)
        if of != digest:
            raise BadInput(
                f"{path} is of another spot, --gap, --iterations or --store; {_OTHERWISE}"
            )
        if len(results) == len(spots) or (board_result.board, board_result.weight) != _named(
            spots[len(results)]
        ):
            raise BadInput(f"{where} is {board_result.board}, not of these boards; {_OTHERWISE}")
        results.append(board_result)
        end += len(line)
    return results, end


def _named(board_spot: solve.spot.BoardSpot) -> tuple[str, float]:
    return cards.format_cards(board_spot.spot.board), board_spot.weight


def _result(line: bytes, where: str) -> tuple[solve.spot.BoardResult, str]:
    try:
        board, *cells, iterations, digest = next(csv.reader([line.decode()]))
        weight, pairs, oop, ip, equity, reached, *frequencies, bet, gap = map(float, cells)
        board_result = solve.spot.BoardResult(
            board=board,
            weight=weight,
            pairs=pairs,
            ev=(oop, ip),
            equity=equity,
            reached=reached,
            frequencies=tuple(frequencies),
            mean_bet_percent=bet,
            gap_percent=gap,
            iterations=int(iterations),
        )
    except (ValueError, csv.Error):
        again = "cut the file there, or begin it anew (--force)"
        raise DamagedFile(f"{where} was changed; {again}") from None
    return board_result, digest


# What is printed.


def _as_json(board_result: solve.spot.BoardResult, actions: Sequence[str]) -> dict[str, object]:
    return {
        "board": board_result.board,
        "weight": board_result.weight,
        "pairs": board_result.pairs,
        "ev": board_result.ev[0],
        "ev_in_position": board_result.ev[1],
        "equity": board_result.equity,
        "reached": board_result.reached,
        "actions": dict(zip(actions, board_result.frequencies, strict=True)),
        "mean_bet_percent_of_pot": board_result.mean_bet_percent,
        "gap_percent_of_pot": board_result.gap_percent,
        "iterations": board_result.iterations,
    }


def _answer(
    some: solve.spot.OpenSpot,
    results: Sequence[solve.spot.BoardResult],
    boards: int,
    csv_file: Path | None,
) -> dict[str, object]:
    mean = _as_json(solve.spot.mean_over_boards(results, some.actions), some.actions)
    return {
        "line": some.line,
        "boards": boards,
        "solved": len(results),
        "mean": {key: value for key, value in mean.items() if key != "board"},
        "rows": [_as_json(board_result, some.actions) for board_result in results],
        "file": None if csv_file is None else str(csv_file),
    }


def _document(
    some: solve.spot.OpenSpot, results: Sequence[solve.spot.BoardResult], boards: int
) -> Document:
    of_utility = some.spot.utilities is not None
    decimals = 4 if of_utility else 2
    unit = unit_of_values(some.spot.utilities) or f"of {some.spot.pot} in the pot"
    solved = counted(boards, "board")
    if len(results) < boards:
        solved = f"{len(results):,} of {solved}"

    def cells(board_result: solve.spot.BoardResult) -> tuple[str, ...]:
        return (
            *(number(value, decimals) for value in board_result.ev),
            percent(board_result.equity),
            *([percent(board_result.reached)] if some.line else []),
            *map(percent, board_result.frequencies),
            number(board_result.mean_bet_percent, 0),
            number(board_result.gap_percent, 2),
            f"{board_result.iterations:,}",
        )

    reached = ("reached",) if some.line else ()
    heads = ("EV oop", "EV ip", "equity", *reached, *some.actions, "bet %", "gap %", "iterations")
    rows = [
        (board_result.board, f"{board_result.weight:g}", *cells(board_result))
        for board_result in results
    ]
    *mean, bet, gap, _ = cells(solve.spot.mean_over_boards(results, some.actions))
    of_pot = (("mean bet", f"{bet} % of the pot"), ("gap", f"{gap} %"))
    return Document(
        title=f"{solved}, {unit}",
        sections=(
            Section(table=Table(("board", "weight", *heads), rows)),
            Section(
                heading="Mean, weighted by how often these ranges see the boards",
                key=[
                    KeyFigure(*figure) for figure in (*zip(heads[:-3], mean, strict=True), *of_pot)
                ],
            ),
        ),
    )
