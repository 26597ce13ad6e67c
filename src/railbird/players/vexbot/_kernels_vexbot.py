"""Vexbot's kernels: estimates by back-off, values of the betting, and its own hand's future.

Values are chips that Vexbot wins in the whole hand. A round is the tuple of `round_arrays`.
"""

from __future__ import annotations

import math

import numpy as np

from railbird._jit import kernel
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK, HOLDING_MASK
from railbird.cards.isomorphism._kernels_isomorphism import (
    index_of_3,
    index_of_4,
    index_of_5,
)
from railbird.cards.isomorphism._tables_columns import COLUMN
from railbird.odds.tables._kernels_ranking import mask_of

RIVER_WHOLE = 1980


@kernel
def estimate_rows(
    counts: np.ndarray,
    parent: np.ndarray,
    start: np.ndarray,
    prior: np.ndarray,
    detailed: bool,
    kept: float,
    strengths: np.ndarray,
    estimates: np.ndarray,
) -> None:
    """Fill ``estimates`` (rows, kinds) of all levels from ``counts``, the coarsest first.

    Of what a row leaves to its parent, n observations keep the part ``kept``^n, or if that is 0
    s / (n + s), where s is the one of ``strengths`` by which each observation of the level is best
    foretold from the others. The coarsest rows leave it to their ``prior`` (rows, kinds).

    If ``detailed``, what is expected in a parent is changed as its prior is to the row's.
    """
    kinds, levels = counts.shape[1], len(start) - 1
    base, scores = np.empty(kinds), np.empty(len(strengths))
    for level in range(levels - 1, -1, -1):
        first, stop = start[level], start[level + 1]
        strength = strengths[0]
        if kept == 0 and len(strengths) > 1:
            scores[:] = 0.0
            for row in range(first, stop):
                fill_base(row, parent[row], prior, detailed, estimates, base)
                add_scores(counts[row], base, strengths, scores)
            strength = strengths[scores.argmax()]
        for row in range(first, stop):
            fill_base(row, parent[row], prior, detailed, estimates, base)
            total = 0.0
            for kind in range(kinds):
                total += counts[row, kind]
            left = math.pow(kept, total) if kept > 0 else strength / (total + strength)
            for kind in range(kinds):
                estimates[row, kind] = left * base[kind]
            if total > 0:
                scale = (1.0 - left) / total
                for kind in range(kinds):
                    estimates[row, kind] += scale * counts[row, kind]


@kernel
def fill_base(
    row: int,
    parent: int,
    prior: np.ndarray,
    changed: bool,
    estimates: np.ndarray,
    base: np.ndarray,
) -> None:
    """Fill ``base`` (kinds,): what is expected in a row of which nothing was seen.

    That is what is expected in its parent, ``changed`` in the proportions in which the prior is, or
    in the coarsest rows the prior.
    """
    if parent < 0:
        for kind in range(len(base)):
            base[kind] = prior[row, kind]
        return
    total = 0.0
    for kind in range(len(base)):
        base[kind] = estimates[parent, kind]
        if changed and prior[parent, kind] > 0:
            base[kind] *= prior[row, kind] / prior[parent, kind]
        total += base[kind]
    if total > 0:
        for kind in range(len(base)):
            base[kind] /= total
    else:
        for kind in range(len(base)):
            base[kind] = estimates[parent, kind]


@kernel
def add_scores(
    counts: np.ndarray, base: np.ndarray, strengths: np.ndarray, scores: np.ndarray
) -> None:
    """Add the logarithms of what each observation was given, foretold from the row's others."""
    total = 0.0
    for count in counts:
        total += count
    if total < 2:
        return  # foretold by the base alone, whatever the strength
    for kind in range(len(counts)):
        count = counts[kind]
        if count == 0:
            continue
        for k in range(len(strengths)):
            share = (max(count - 1.0, 0.0) + strengths[k] * base[kind]) / (total - 1 + strengths[k])
            scores[k] += count * math.log(share)


@kernel
def fill_showdowns(paid: np.ndarray, ranks: np.ndarray, values: np.ndarray) -> None:
    """Fill ``values`` (showdowns, own cells): of pots of twice ``paid``, against ``ranks``.

    ``ranks`` (showdowns, cells) are probabilities of the opponent's hand rank, even within a cell;
    an own cell counts at its middle.
    """
    cells, own = ranks.shape[1], values.shape[1]
    each = own // cells
    for end in range(values.shape[0]):
        below = 0.0
        for cell in range(cells):
            share = ranks[end, cell]
            for part in range(each):
                wins = below + share * (part + 0.5) / each
                values[end, cell * each + part] = paid[end] * (2.0 * wins - 1.0)
            below += share


@kernel
def value_slots(
    part: tuple[np.ndarray, ...],
    opponent: int,
    sequence: int,
    chances: np.ndarray,
    later: np.ndarray,
    temperature: float,
    slots: np.ndarray,
    nodes: np.ndarray,
) -> None:
    """Fill the values of all actions and decisions of a round after a sequence.

    ``slots`` (slots, cells), ``nodes`` (nodes, cells).

    ``chances`` (decisions, 3) are the opponent's probabilities of fold, call and raise, of the
    round's contexts; ``later`` (ends, cells) the values of the round's ends. At own nodes the best
    action is taken, or with a ``temperature`` above 0 those that are better than folding, by
    exp(value / temperature).
    """
    before, player, first_slot, kind, child = part[0], part[1], part[2], part[3], part[5]
    fold_paid, fold_of, end_of = part[6], part[8], part[9]
    sequences, cells = len(before), slots.shape[1]
    for node in range(len(player) - 1, -1, -1):
        first, last = first_slot[node], first_slot[node + 1]
        own = player[node] != opponent
        for slot in range(first, last):
            if child[slot] >= 0:
                for cell in range(cells):
                    slots[slot, cell] = nodes[child[slot], cell]
            elif fold_of[slot] >= 0:
                lost = float(before[sequence] + fold_paid[fold_of[slot]])
                for cell in range(cells):
                    slots[slot, cell] = -lost if own else lost
            else:
                end = end_of[slot] * sequences + sequence
                for cell in range(cells):
                    slots[slot, cell] = later[end, cell]
        if not own:
            row = chances[node * sequences + sequence]
            for cell in range(cells):
                nodes[node, cell] = 0.0
            for slot in range(first, last):
                for cell in range(cells):
                    nodes[node, cell] += row[kind[slot]] * slots[slot, cell]
        else:
            for cell in range(cells):
                best = slots[first, cell]
                for slot in range(first + 1, last):
                    best = max(best, slots[slot, cell])
                if temperature > 0:
                    total, value = 0.0, 0.0
                    gives_up = kind[first] == 0
                    for slot in range(first, last):
                        if gives_up and best > slots[first, cell] >= slots[slot, cell]:
                            continue
                        weight = math.exp((slots[slot, cell] - best) / temperature)
                        total += weight
                        value += weight * slots[slot, cell]
                    best = value / total
                nodes[node, cell] = best


@kernel
def value_street(
    part: tuple[np.ndarray, ...],
    opponent: int,
    chances: np.ndarray,
    later: np.ndarray,
    temperature: float,
    values: np.ndarray,
) -> None:
    """Fill ``values`` (sequences, cells) of the round's start after every sequence."""
    slots = np.empty((len(part[3]), later.shape[1]))
    nodes = np.empty((len(part[1]), later.shape[1]))
    for sequence in range(len(part[0])):
        value_slots(part, opponent, sequence, chances, later, temperature, slots, nodes)
        for cell in range(later.shape[1]):
            values[sequence, cell] = nodes[0, cell]


@kernel
def cell_of(value: np.int64, edges: np.ndarray) -> int:
    """Return how many of the ascending edges a value reaches."""
    low, high = 0, len(edges)
    while low < high:
        middle = (low + high) // 2
        if value >= edges[middle]:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def turns_ahead(
    board: np.ndarray,
    holding: int,
    turn_start: np.ndarray,
    turn_pattern: np.ndarray,
    squares: np.ndarray,
    edges: np.ndarray,
    shares: np.ndarray,
) -> None:
    """Fill ``shares`` (cells,) with the chances of the turn's cells after a flop of three cards."""
    used = mask_of(board) | HOLDING_MASK[holding]
    for cell in range(len(shares)):
        shares[cell] = 0.0
    for turn in range(52):
        if used & CARD_MASK[turn] != 0:
            continue
        index = index_of_4(board[0], board[1], board[2], turn)
        value = squares[turn_start[index] + COLUMN[turn_pattern[index], holding]]
        shares[cell_of(np.int64(value), edges)] += 1 / 47


@kernel
def rivers_ahead(
    board: np.ndarray,
    holding: int,
    river_start: np.ndarray,
    river_pattern: np.ndarray,
    river_ihr: np.ndarray,
    shares: np.ndarray,
) -> None:
    """Fill ``shares`` (cells,) with the chances of the river's cells after four cards."""
    used = mask_of(board) | HOLDING_MASK[holding]
    for cell in range(len(shares)):
        shares[cell] = 0.0
    for river in range(52):
        if used & CARD_MASK[river] != 0:
            continue
        index = index_of_5(board[0], board[1], board[2], board[3], river)
        rank = river_ihr[river_start[index] + COLUMN[river_pattern[index], holding]]
        shares[rank_cell(int(rank), len(shares))] += 1 / 46


@kernel
def rank_cell(rank: int, cells: int) -> int:
    """Return the cell of a hand rank on the river, of 0 to 1,980."""
    cell = rank * cells // RIVER_WHOLE
    return cell if cell < cells else cells - 1


@kernel
def strengths_of_deals(
    deals: np.ndarray,
    holdings: np.ndarray,
    flop_start: np.ndarray,
    flop_pattern: np.ndarray,
    flop_squares: np.ndarray,
    turn_start: np.ndarray,
    turn_pattern: np.ndarray,
    turn_squares: np.ndarray,
    river_start: np.ndarray,
    river_pattern: np.ndarray,
    river_ihr: np.ndarray,
    found: np.ndarray,
) -> None:
    """Fill ``found`` (deals, 3): a holding's entries on the flop, turn and river of each board."""
    for number in range(len(deals)):
        board, holding = deals[number], holdings[number]
        index = index_of_4(board[0], board[1], board[2], board[3])
        found[number, 1] = turn_squares[turn_start[index] + COLUMN[turn_pattern[index], holding]]
        index = index_of_5(board[0], board[1], board[2], board[3], board[4])
        found[number, 2] = river_ihr[river_start[index] + COLUMN[river_pattern[index], holding]]
        index = index_of_3(board[0], board[1], board[2])
        found[number, 0] = flop_squares[flop_start[index] + COLUMN[flop_pattern[index], holding]]
