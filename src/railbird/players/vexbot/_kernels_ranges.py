"""Kernels of ranges: which holdings an opponent may have, and what it does with them.

A range is (1326,) weights. Holdings act by their cell on each street, ``cells`` (streets, 1326), -1
for those that cards in sight block. ``acted`` (actions, 3) are the opponent's actions of a hand:
street, decision context, kind. ``chances`` (decisions, cells, 3) are probabilities of actions.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.players.vexbot._kernels_vexbot import cell_of


@kernel
def fill_cells(
    entries: np.ndarray, start: int, columns: np.ndarray, edges: np.ndarray, cells: np.ndarray
) -> None:
    """Fill the ``cells`` of a street by the entries of holdings; -1 stays."""
    for holding in range(len(cells)):
        if cells[holding] >= 0:
            cells[holding] = cell_of(np.int64(entries[start + columns[holding]]), edges)


@kernel
def weigh(chances: np.ndarray, cells: np.ndarray, acted: np.ndarray, weights: np.ndarray) -> None:
    """Multiply ``weights`` with the chances of all that was done."""
    for number in range(len(acted)):
        street, decision, kind = acted[number]
        for holding in range(len(weights)):
            if weights[holding] > 0:
                weights[holding] *= chances[decision, cells[street, holding], kind]


@kernel
def count_actions(
    weights: np.ndarray,
    cells: np.ndarray,
    acted: np.ndarray,
    groups: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Add a hand to ``counts`` (groups of all levels, cells, 3): as much of it as each weighs."""
    total = weights.sum()
    if total <= 0:
        return
    shares = np.empty(counts.shape[1])
    for number in range(len(acted)):
        street, decision, kind = acted[number]
        shares[:] = 0.0
        for holding in range(len(weights)):
            if weights[holding] > 0:
                shares[cells[street, holding]] += weights[holding] / total
        for level in range(len(groups)):
            row = groups[level, decision]
            for cell in range(len(shares)):
                counts[row, cell, kind] += shares[cell]


@kernel
def weights_by_cell(
    weights: np.ndarray, cells: np.ndarray, entries: np.ndarray, own: int, sums: np.ndarray
) -> None:
    """Fill ``sums`` (cells, 2): the weight of each cell, and how much more it loses than it wins.

    ``entries`` (1326,) are hand ranks, of which ``own`` beats those that are lower; empty before
    the river.
    """
    sums[:] = 0.0
    for holding in range(len(weights)):
        weight = weights[holding]
        if weight > 0:
            cell = cells[holding]
            sums[cell, 0] += weight
            if len(entries) > 0:
                sums[cell, 1] += weight * np.sign(own - np.int64(entries[holding]))


@kernel
def expect_replies(
    part: tuple[np.ndarray, ...],
    opponent: int,
    sequence: int,
    chances: np.ndarray,
    first: int,
    sums: np.ndarray,
    replies: np.ndarray,
    margins: np.ndarray,
) -> None:
    """Fill what a range does in a round after a sequence.

    ``replies`` (nodes, 3) are the probabilities of the opponent's actions at its nodes, ``margins``
    (ends,) how much more of what comes to an end loses than wins, -1 to 1. ``first`` is the round's
    first decision context, ``sums`` (cells, 2) are of `weights_by_cell` at its start.
    """
    player, first_slot, kind, child = part[1], part[2], part[3], part[5]
    end_of = part[9]
    sequences, cells = len(part[0]), len(sums)
    reach = np.zeros((len(player), cells))
    reach[0] = 1.0
    replies[:] = 0.0
    for node in range(len(player)):
        row = first + node * sequences + sequence
        acts = player[node] == opponent
        total = 0.0
        for cell in range(cells):
            total += reach[node, cell] * sums[cell, 0]
        for slot in range(first_slot[node], first_slot[node + 1]):
            met, more = 0.0, 0.0
            for cell in range(cells):
                there = reach[node, cell]
                if acts:
                    there *= chances[row, cell, kind[slot]]
                met += there * sums[cell, 0]
                more += there * sums[cell, 1]
                if child[slot] >= 0:
                    reach[child[slot], cell] = there
            if acts:
                replies[node, kind[slot]] = met / total if total > 0 else 0.0
            if end_of[slot] >= 0:
                margins[end_of[slot]] = more / met if met > 0 else 0.0
        if acts and total <= 0:
            # Nothing comes here, so that any numbers serve.
            count = first_slot[node + 1] - first_slot[node]
            for slot in range(first_slot[node], first_slot[node + 1]):
                replies[node, kind[slot]] = 1.0 / count


@kernel
def calibrate_round(
    part: tuple[np.ndarray, ...],
    direct: np.ndarray,
    first: int,
    start: np.ndarray,
    passes: int,
    chances: np.ndarray,
    ends: np.ndarray,
) -> None:
    """Change a round's ``chances`` until all holdings together act as often as ``direct`` says.

    ``direct`` (decisions, 3) are of all rounds, as ``chances``. ``start`` (2, sequences, cells) is
    how each seat's holdings come to the round, and ``ends`` (2, ends, cells), which is filled, to
    its ends. Each of the ``passes`` multiplies all of an action's chances at a decision alike.
    """
    player, first_slot, kind, child, end_of = part[1], part[2], part[3], part[5], part[9]
    sequences, cells = len(part[0]), start.shape[2]
    reach = np.zeros((len(player), 2, cells))
    sums = np.empty(3)
    for sequence in range(sequences):
        reach[0] = start[:, sequence]
        for node in range(len(player)):
            seat, row = player[node], first + node * sequences + sequence
            here, table = reach[node, seat], chances[row]
            total = here.sum()
            for _ in range(passes):
                sums[:] = 0.0
                for cell in range(cells):
                    for action in range(3):
                        sums[action] += here[cell] * table[cell, action]
                for cell in range(cells):
                    whole = 0.0
                    for action in range(3):
                        if sums[action] > 0:
                            table[cell, action] *= direct[row, action] * total / sums[action]
                        whole += table[cell, action]
                    if whole > 0:
                        for action in range(3):
                            table[cell, action] /= whole
                    else:
                        table[cell] = direct[row]
            for slot in range(first_slot[node], first_slot[node + 1]):
                for cell in range(cells):
                    after = here[cell] * table[cell, kind[slot]]
                    other = reach[node, 1 - seat, cell]
                    if child[slot] >= 0:
                        reach[child[slot], seat, cell] = after
                        reach[child[slot], 1 - seat, cell] = other
                    elif end_of[slot] >= 0:
                        end = end_of[slot] * sequences + sequence
                        ends[seat, end, cell] = after
                        ends[1 - seat, end, cell] = other
