"""External-sampling Monte Carlo CFR on any `StateGame`: a check of the other solvers.

Deals are drawn from how the final states meet, which is all of the cards that payoffs depend on.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from railbird.solve.limit.betting_tree import BettingRound
from railbird.solve.limit.matrix_cfr import MatrixSolver, Table, round_arrays
from railbird.solve.limit.sampling._kernels_external_sampling import Round, Scratch, visit_deals
from railbird.solve.limit.state_game import StateGame
from railbird.solve.simd.aligned_arrays import aligned

_DEALS_AT_ONCE = 1 << 16
_LINE = 16
"""Numbers in single precision in a line of the cache."""


class SampledSolver:
    """The tables of a game that is being solved by sampling; `run` goes on where it stopped."""

    def __init__(self, game: StateGame, rng: np.random.Generator) -> None:
        self.game = game
        self.iterations = self.decisions = 0
        self.rng = rng
        self.stream = rng.integers(1, 1 << 63, size=1, dtype=np.uint64)
        """(1,) where the kernel's random numbers go on."""
        parts = game.tree.rounds
        places = [_places(part) for part in parts]
        self._width = -(-(1 + max(int(place.max()) for place in places)) // _LINE) * _LINE
        rows = 0
        self._rounds: tuple[Round, ...] = ()
        for part, place, states in zip(parts, places, game.states, strict=True):
            count = states * part.sequences
            self._rounds += (_round(part, place, (rows, rows + count)),)
            rows += 2 * count
        self.regrets, self.sums = (aligned(rows, self._width).ravel() for _ in range(2))
        """Rows of all rounds, see the kernel."""
        self._scratch = _scratch(parts)
        # A tie is drawn as a win or a loss, which changes no expected value.
        won = (game.meet[-1] + game.edge) / 2
        self._cumulative = np.cumsum([won, won - game.edge])

    def run(self, iterations: int) -> None:
        """Draw so many deals, on each of which both players are updated."""
        left = iterations
        while left:
            deals = min(left, _DEALS_AT_ONCE)
            states, results = self.draw(deals)
            self.decisions += visit_deals(
                self._rounds,
                self._width,
                float(self.game.tree.chips_per_unit),
                self.regrets,
                self.sums,
                states,
                results,
                self.iterations + 1,
                self.stream,
                self._scratch,
            )
            self.iterations += deals
            left -= deals

    def draw(self, deals: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]:
        """Draw states (deals, 2, rounds) by seat, and results (deals,): 1 or -1 for seat 0."""
        count, rounds = self.game.states[-1], len(self.game.parents)
        drawn = self.rng.random(deals) * self._cumulative[-1]
        pairs = np.searchsorted(self._cumulative, drawn, side="right")
        pairs = np.minimum(pairs, len(self._cumulative) - 1)
        states = np.empty((deals, 2, rounds), dtype=np.int32)
        pairs, lost = pairs % count**2, pairs // count**2
        states[:, 0, -1], states[:, 1, -1] = np.divmod(pairs, count)
        for street in range(rounds - 1, 0, -1):
            states[:, :, street - 1] = self.game.parents[street][states[:, :, street]]
        return states, (1 - 2 * lost).astype(np.int8)

    def exploitability(self) -> float:
        """Return the gain of a best response to the average strategy, in small bets."""
        return self.averaged().exploitability()

    def value(self) -> float:
        """Return what seat 0 wins a game if both play the average strategy, in small bets."""
        return self.averaged().value()

    def averaged(self) -> MatrixSolver:
        """Return a matrix solver with the same sums."""
        exact = MatrixSolver(self.game)
        rows = self.sums.reshape(-1, self._width)
        tables: list[Table] = []
        for each, part, states in zip(
            self._rounds, self.game.tree.rounds, self.game.states, strict=True
        ):
            table = np.empty((states, part.slots, part.sequences), dtype=np.float32)
            for slot in range(part.slots):
                first = each.first_row[part.player[part.node[slot]]]
                some = rows[first : first + states * part.sequences, each.place[slot]]
                table[:, slot] = some.reshape(states, part.sequences)
            tables.append(table.reshape(states, part.lanes))
        exact.sums = tuple(tables)
        return exact


def _places(part: BettingRound) -> npt.NDArray[np.int32]:
    """Number each player's actions in a round."""
    place, count = np.empty(part.slots, dtype=np.int32), [0, 0]
    for slot, player in enumerate(part.player[part.node].tolist()):
        place[slot] = count[player]
        count[player] += 1
    return place


def _round(part: BettingRound, place: npt.NDArray[np.int32], first_row: tuple[int, int]) -> Round:
    fold_paid, end_paid = (np.full(part.slots, -1, dtype=np.int32) for _ in range(2))
    fold_paid[part.fold_slot] = part.fold_paid
    end_paid[part.end_slot] = part.end_paid
    from_slot = np.full(part.nodes, -1, dtype=np.int32)
    leading = np.flatnonzero(part.child >= 0)
    from_slot[part.child[leading]] = leading
    found = Round(
        before=part.before,
        player=part.player,
        first_slot=part.first_slot,
        child=part.child,
        fold_paid=fold_paid,
        end=round_arrays(part)[-1],
        end_paid=end_paid,
        place=place,
        from_slot=from_slot,
        first_row=np.array(first_row, dtype=np.int32),
    )
    for array in found:
        array.flags.writeable = False
    return found


def _scratch(parts: tuple[BettingRound, ...]) -> Scratch:
    rounds, sequences = len(parts), max(part.sequences for part in parts)
    nodes, slots = max(part.nodes for part in parts), max(part.slots for part in parts)
    return Scratch(
        counts=np.zeros(rounds, dtype=np.int64),
        sequence=np.zeros((rounds, sequences), dtype=np.int32),
        origin=np.zeros((rounds, sequences, 2), dtype=np.int32),
        reached=np.zeros((rounds, sequences, nodes), dtype=np.int8),
        chosen=np.zeros((rounds, sequences, nodes), dtype=np.int32),
        share=np.zeros((rounds, sequences, slots), dtype=np.float32),
        value=np.zeros((rounds, sequences, slots), dtype=np.float32),
    )
