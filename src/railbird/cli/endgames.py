"""``railbird endgames``: a hundred no-limit endgames for those who try algorithms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from railbird import cards, report, solve
from railbird._files import replace_files, write_arrays
from railbird.cli._completion import INPUT_FILE, OUTPUT_FILE, OneOf, Whole
from railbird.cli._console import (
    errors,
    json_option,
    output,
    print_json,
    print_table,
    resumable_progress,
)
from railbird.cli._gap_option import gap_option
from railbird.cli._hand_files import check_ending, check_output, force_option
from railbird.errors import BadInput
from railbird.report.number_format import counted

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from railbird.solve.endgames import Endgame

METHODS: Final = ("cfr+", "dcfr", "railbird")
"""Keys of `solve.endgames.ALGORITHMS`; importing that loads NumPy, too slow for completion."""
_ENDINGS: Final = (".txt", ".npz", ".npy")
_MOST_ITERATIONS: Final = 1_000
_GAP: Final = 0.1
_MOST_BYTES: Final = 16 << 30


@click.command(name="endgames")
@click.argument("name", required=False)
@click.argument("strategy", type=INPUT_FILE, required=False)
@click.option(
    "--method",
    type=OneOf(METHODS),
    help="Solve it by this algorithm: cfr+, dcfr, or railbird, the schedule of `solve spot`.",
)
@gap_option(
    unit=solve.settings.PERCENT,
    default=_GAP,
    help="Stop at a gap of this percentage of the pot, 0.1 by default.",
)
@click.option(
    "--iterations",
    type=Whole(min=1),
    default=_MOST_ITERATIONS,
    help="Maximum number of iterations.",
)
@click.option(
    "-o",
    "--out",
    type=OUTPUT_FILE,
    help="Write the spot as .txt, its arrays as .npz, or what --method finds as .npy.",
)
@force_option
@json_option
def command(
    *,
    name: str | None,
    strategy: Path | None,
    method: str | None,
    gap: float,
    iterations: int,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Try algorithms on a hundred no-limit endgames: list them, or show, solve or certify one.

    Forty begin on the river, forty on the turn and twenty on the flop, with both players' ranges.
    NAME is a name such as river-7. STRATEGY is a .npy file of probabilities in the order of the
    arrays; the command finds the exact best responses to it, and so its gap. --method solves the
    endgame, and counts iterations and touched information sets. Without NAME all endgames are
    listed, with their values if known.

    \b
    Examples:
      railbird endgames
      railbird endgames river-7 --method dcfr
      railbird endgames river-7 --out river-7.npz
      railbird endgames river-7 mine.npy
    """
    _check(name, strategy, method, out, force=force)
    if name is None:
        _list(as_json=as_json)
        return
    game = solve.endgames.endgame(name)
    if method is not None:
        answer = _solve(game, method, gap, iterations, out, as_json=as_json)
    elif strategy is not None:
        answer = _certified(game, _read(strategy))
    else:
        answer = _described(game)
    if out is not None and method is None:
        _write(game, out)
    if as_json:
        print_json({"name": name, **answer})
    elif strategy is not None:
        _print_certified(answer)
    elif method is None:
        _print_described(answer)


def _check(
    name: str | None, strategy: Path | None, method: str | None, out: Path | None, *, force: bool
) -> None:
    """Raise `BadInput` for what does not go together, or cannot be written."""
    if name is None and (method or out):
        raise BadInput("--method or --out without an endgame; such as river-1")
    if strategy is not None and (method or out):
        raise BadInput("--method or --out with a strategy; allowed: one of them")
    if out is None:
        return
    check_ending(out, _ENDINGS)
    if (out.suffix.lower() == ".npy") != (method is not None):
        raise BadInput(f"{out}; allowed: .npy with --method, .txt or .npz without")
    check_output(out, force=force)


def _list(*, as_json: bool) -> None:
    """Print all endgames."""
    values = solve.endgames.values()
    rows: list[dict[str, Any]] = []
    for name in solve.endgames.names():
        spot = solve.endgames.endgame(name).spot
        value = values.get(name)
        rows.append(
            {
                "name": name,
                "board": cards.format_cards(spot.board),
                "pot": spot.pot,
                "stack": spot.stack,
                "holdings": [len(player_range) for player_range in spot.ranges],
                "low": None if value is None else value.low,
                "high": None if value is None else value.high,
            }
        )
    if as_json:
        print_json({"endgames": rows})
        return
    table = [
        (
            str(row["name"]),
            str(row["board"]),
            f"{row['pot']:,}",
            f"{row['stack']:,}",
            " ".join(map(str, row["holdings"])),
            "" if row["low"] is None else f"{row['low']:.3f} to {row['high']:.3f}",
        )
        for row in rows
    ]
    columns = ("endgame", "board", "pot", "behind", "holdings", "first player's % of the pot")
    print_table(report.Table(columns, table))


def _described(game: Endgame) -> dict[str, Any]:
    solver = game.solver
    return {
        "spot": str(game.spot.digest),
        "board": cards.format_cards(game.spot.board),
        "pot": game.spot.pot,
        "stack": game.spot.stack,
        "boards": sum(len(street.cards) for street in solver.streets),
        "information_sets": game.set_count,
        "numbers": game.size,
    }


def _print_described(answer: Mapping[str, Any]) -> None:
    output.print(f"spot {answer['spot']}", soft_wrap=True)
    output.print(
        f"{answer['board']}, {answer['pot']:,} in the pot, {answer['stack']:,} behind; "
        f"{counted(answer['boards'], 'board')}",
        soft_wrap=True,
    )
    output.print(
        f"{answer['information_sets']:,} information sets, {answer['numbers']:,} numbers",
        soft_wrap=True,
    )


def _print_certified(answer: Mapping[str, float]) -> None:
    output.print(
        f"value to the first player {answer['value_at_least_percent']:.4f} to "
        f"{answer['value_at_most_percent']:.4f} % of the pot",
        soft_wrap=True,
    )
    output.print(f"gap {answer['gap_percent']:.4f} % of the pot", soft_wrap=True)


def _write(game: Endgame, out: Path) -> None:
    if out.suffix.lower() == ".txt":
        replace_files({out: f"# {game.name}\n{game.spot}".encode()})
    else:
        write_arrays(out, game.arrays(), compressed=True)
    errors.print(f"wrote {out}", soft_wrap=True)


def _read(path: Path) -> npt.NDArray[np.float64]:
    """Read a file of probabilities. Raises `BadInput`."""
    import numpy as np

    try:
        if path.stat().st_size > _MOST_BYTES:
            raise BadInput(f"{path}: more than {_MOST_BYTES >> 30} GB")
        array = np.load(path, allow_pickle=False)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except Exception:  # whatever else a damaged header raises
        raise BadInput(f"{path}: no array; allowed: a file of numpy.save") from None
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu":
        raise BadInput(f"{path}: no array of numbers; allowed: a file of numpy.save")
    return array.astype(np.float64)


def _certified(game: Endgame, strategy: npt.NDArray[np.float64]) -> dict[str, Any]:
    low, high = game.bounds(strategy)
    pot = game.spot.pot
    return {
        "value_at_least_percent": 100 * low / pot,
        "value_at_most_percent": 100 * high / pot,
        "gap_percent": 100 * (high - low) / (2 * pot),
    }


def _solve(
    game: Endgame, method: str, gap: float, iterations: int, out: Path | None, *, as_json: bool
) -> dict[str, Any]:
    """Solve an endgame, and tell how far it is after 10, 20, 50, 100, … iterations."""
    checks: list[dict[str, Any]] = []
    a_pass = 2 * game.set_count  # an iteration updates both players, and looks at all sets for each
    with resumable_progress() as notify:

        def check(t: int, strategy: npt.NDArray[np.float64]) -> bool:
            notify(t, iterations, "iterations")
            is_last = t == iterations
            if not is_last and (t < _FIRST_CHECK or t % _round_below(t)):
                return False
            checks.append({"iterations": t, "touched": t * a_pass, **_certified(game, strategy)})
            if not as_json:
                now = checks[-1]
                output.print(
                    f"{t:6,} iterations, {now['touched']:,} touched: gap {now['gap_percent']:.4f} %"
                    f" of the pot, value {now['value_at_least_percent']:.3f} to "
                    f"{now['value_at_most_percent']:.3f} %",
                    soft_wrap=True,
                )
            return bool(checks[-1]["gap_percent"] <= gap)

        algorithm: Callable[..., npt.NDArray[np.float64]] = solve.endgames.ALGORITHMS[method]
        strategy = algorithm(game, iterations, check)
    if out is not None:
        replace_files({out: _npy(strategy)})
        errors.print(f"wrote {out}", soft_wrap=True)
    return {"method": method, "checks": checks, "finished": checks[-1]["gap_percent"] <= gap}


def _npy(strategy: npt.NDArray[np.float64]) -> bytes:
    from io import BytesIO

    import numpy as np

    file = BytesIO()
    np.save(file, strategy.astype(np.float32))
    return file.getvalue()


_FIRST_CHECK: Final = 10


def _round_below(t: int) -> int:
    """Return the step of checks from a number of iterations on, a tenth of it or so.

    >>> [_round_below(t) for t in (10, 99, 100, 2_000)]
    [10, 10, 100, 1000]
    """
    step = 1
    while step * 10 <= t:
        step *= 10
    return step
