"""The hundred endgames of `railbird.solve.endgames`, drawn anew, and their values.

``python release/endgames.py draw FILE`` draws them from a blueprint of no-limit, by default that of
``railbird solve nolimit --samples 5000000``, and writes FILE in some minutes.
``python release/endgames.py solve FILE SECONDS NAME …`` solves some of those that the package has
until their gap is 0.01 % of the pot or the time of each is over, and writes their values into FILE,
beside those that it has: what both players' best responses win, by the solver of spots and, on the
river, by a second program that is written for being read (`tests/twins`).
"""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Final

import numpy as np

from railbird._files import replace_files
from railbird.cards import HOLDING_CARDS, HOLDINGS
from railbird.solve import endgames
from railbird.solve.abstraction.card_abstraction import States, is_blocked
from railbird.solve.nolimit import NoLimitStrategy, nolimit_path, open_nolimit
from railbird.solve.nolimit.betting import next_decision
from railbird.solve.spot import begun, resume
from railbird.solve.spot.tree import Ends

_SEED: Final = 1
_LEAST_POT: Final = 300
"""Chips, three big blinds: without limped pots of two."""
_GAP: Final = 0.01
_CHECK: Final = 50
_BOARD_CARDS: Final = {"flop": 3, "turn": 4, "river": 5}


def hand(
    strategy: NoLimitStrategy, street: str, rng: np.random.Generator
) -> tuple[np.ndarray, int, np.ndarray] | None:
    """Play a hand; return board, pot and (2, 1326) ranges where it comes to a street."""
    depth = next(depth for depth in strategy.depths if depth.stack == 100)
    deck = rng.permutation(52).astype(np.uint8)
    board = deck[4 : 4 + _BOARD_CARDS[street]]
    own = [
        int(np.flatnonzero(np.equal(HOLDING_CARDS, sorted(deck[2 * p : 2 * p + 2])).all(axis=1))[0])
        for p in (0, 1)
    ]
    node, ranges = depth.tree.root, np.ones((2, HOLDINGS))
    states: States | None = None
    wanted = list(_BOARD_CARDS).index(street)
    now = -2
    while node.street < wanted:
        if node.street != now:
            now = node.street
            states = strategy.abstraction.next_states(board[: (0, 3, 4, 5)[now + 1]], states)
        assert states is not None
        shares = depth.shares(node, np.maximum(states, 0))
        action = int(rng.choice(len(node.actions), p=shares[own[node.player]]))
        ranges[node.player] *= shares[:, action]
        child = node.children[action]
        if child.kind is Ends.FOLD:
            return None
        after = next_decision(child)
        if after is None:
            return None
        node = after
    ranges[:, is_blocked(board)] = 0.0
    pot = sum(node.paid)
    return (board, pot, ranges) if pot >= _LEAST_POT and node.street == wanted else None


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def draw(path: Path) -> None:
    """Draw all of them, and write their file."""
    strategy = open_nolimit(nolimit_path("small"), verify=True)
    rng = np.random.default_rng(_SEED)
    boards = np.full((100, 5), -1, dtype=np.int8)
    pots, ranges = np.zeros(100, dtype=np.int32), np.zeros((100, 2, HOLDINGS), dtype=np.uint8)
    for number, name in enumerate(endgames.names()):
        street = name.partition("-")[0]
        while True:
            drawn = hand(strategy, street, rng)
            if drawn is None:
                continue
            board, pot, weights = drawn
            hundredths = np.rint(weights / weights.max(axis=1, keepdims=True) / endgames.PART)
            if (hundredths > 0).sum(axis=1).min() >= 20:
                break
        boards[number, : len(board)], pots[number] = board, pot
        ranges[number] = hundredths
        _say(name, "pot", pot, "holdings", *(hundredths > 0).sum(axis=1))
    text = io.BytesIO()
    np.savez_compressed(text, boards=boards, pots=pots, ranges=ranges)
    replace_files({path: text.getvalue()})
    _say("blueprint", strategy.hash)


def solve(path: Path, seconds: float, names: list[str]) -> None:
    """Solve some of them, and put their values into a file."""
    from twins.slow_endgames import best_response_shares

    rows: dict[str, list[str]] = {}
    if path.exists():
        rows = {row[0]: row for row in csv.reader(path.read_text("ascii").splitlines()[1:])}
    for name in names:
        game = endgames.endgame(name)
        solution = begun(game.solver)
        resume(solution, gap_percent=_GAP, iterations=_MOST_ITERATIONS, seconds=seconds)
        strategy = game.normalised(game.solver.averages.astype(np.float64))
        pot, iterations = game.spot.pot, solution.iterations
        low, high = (100 * bound / pot for bound in game.bounds(strategy))
        again = ""
        if name.startswith("river"):
            oop, ip = best_response_shares(game.arrays(), strategy)
            off = max(abs(100 * oop / pot - high), abs(100 - 100 * ip / pot - low))
            again = f"{off:.5f}"
        rows[name] = [name, f"{low:.4f}", f"{high:.4f}", str(iterations), again]
        _say(*rows[name], f"{game.solver.cpu_s:.1f} s")
        order = [rows[known] for known in endgames.names() if known in rows]
        lines = [",".join(row) for row in [_HEADER, *order]]
        replace_files({path: ("\n".join(lines) + "\n").encode("ascii")})


_HEADER: Final = ["name", "low", "high", "iterations", "off"]
"""Values in per cent of the pot; how far a second program is from them at most."""

_MOST_ITERATIONS: Final = 100_000


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["draw", file]:
            draw(Path(file))
        case ["solve", file, time, *some]:
            solve(Path(file), float(time), some)
        case _:
            raise SystemExit(__doc__)
