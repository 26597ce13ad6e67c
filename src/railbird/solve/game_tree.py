"""A two-player zero-sum game as arrays: public information is a tree, private a state.

Each player is dealt one of a few private states, such as a card or a hand class; both see all
actions and public cards. Chance is in the payoff matrices alone: the entry (i, j) of a terminal's
matrix is the probability that the first player has state i, the second j, and that the public cards
of that terminal come, times what the first player then wins. So the solver needs no rules of any
game, and a game whose states are exchangeable can be written down by their classes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.errors import BadInput

PUBLIC, TERMINAL = -1, -2
"""In `Game.player`: chance shows a card; the game is over."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """An end of the game: the first player gets ``scale`` times the entry of the matrix."""

    matrix: int
    scale: float


@dataclass(frozen=True, slots=True)
class Chance:
    """A public card, with a branch for each; the probabilities are in the matrices."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice of a player; ``name`` says where, ``actions`` are in the order of the branches."""

    player: int
    name: str
    actions: tuple[str, ...]
    children: tuple[Node, ...]


Node = Terminal | Chance | Decision
"""A part of a game tree."""


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game ready to be solved. Nodes are numbered so that children follow one another."""

    player: npt.NDArray[np.int8]
    """(nodes,) the player to act, 0 or 1, or `PUBLIC` or `TERMINAL`."""
    first: npt.NDArray[np.int32]
    """(nodes,) index of the first child; that of the last is first + count - 1."""
    count: npt.NDArray[np.int32]
    """(nodes,) number of children."""
    row: npt.NDArray[np.int32]
    """(nodes,) of a decision: the row of its first action in its player's tables."""
    matrix: npt.NDArray[np.int32]
    """(nodes,) of a terminal: its payoff matrix."""
    scale: npt.NDArray[np.float64]
    """(nodes,) of a terminal: the factor on its matrix."""
    payoffs: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
    """For each player (matrices, states of the other, own states): probability times payoff."""
    decisions: tuple[tuple[Decision, ...], tuple[Decision, ...]]
    """Each player's decisions in the order of their rows."""
    rows: tuple[int, int]
    """Rows in each player's tables: the sum of the actions over his decisions."""
    state_names: tuple[str, ...]
    """Private states by name, the same for both players; empty where they have none."""

    @property
    def states(self) -> tuple[int, int]:
        """Private states of the two players."""
        return self.payoffs[0].shape[2], self.payoffs[1].shape[2]


@checked
def compile_game(
    root: Node, matrices: Sequence[npt.ArrayLike], *, state_names: Sequence[str] = ()
) -> Game:
    """Lay out a tree in arrays.

    Each of ``matrices`` is (states of the first, states of the second), probability times the first
    player's payoff before the terminal's factor. Raises `BadInput` for a terminal without matrix.
    """
    try:
        for_second = np.array(matrices, dtype=np.float64)
    except ValueError:
        raise BadInput("payoffs that are no numbers, or matrices of several shapes") from None
    if for_second.ndim != 3:
        raise BadInput(f"payoffs of shape {for_second.shape}; allowed: one matrix or more")
    player, first, count, row, matrix, scale = ([] for _ in range(6))
    decisions: tuple[list[Decision], list[Decision]] = ([], [])
    rows = [0, 0]
    queue: deque[Node] = deque([root])
    seen = 1
    while queue:
        node = queue.popleft()
        children = () if isinstance(node, Terminal) else node.children
        first.append(seen)
        count.append(len(children))
        seen += len(children)
        queue.extend(children)
        match node:
            case Terminal(which, factor):
                if not 0 <= which < len(for_second):
                    raise BadInput(f"payoff matrix {which}; allowed: 0 to {len(for_second) - 1}")
                player.append(TERMINAL)
                row.append(-1)
                matrix.append(which)
                scale.append(factor)
                continue
            case Chance():
                player.append(PUBLIC)
                row.append(-1)
            case Decision(who):
                player.append(who)
                row.append(rows[who])
                rows[who] += len(children)
                decisions[who].append(node)
        matrix.append(-1)
        scale.append(0.0)
    return Game(
        player=np.array(player, dtype=np.int8),
        first=np.array(first, dtype=np.int32),
        count=np.array(count, dtype=np.int32),
        row=np.array(row, dtype=np.int32),
        matrix=np.array(matrix, dtype=np.int32),
        scale=np.array(scale, dtype=np.float64),
        payoffs=(np.ascontiguousarray(for_second.transpose(0, 2, 1)), -for_second),
        decisions=(tuple(decisions[0]), tuple(decisions[1])),
        rows=(rows[0], rows[1]),
        state_names=tuple(state_names),
    )
