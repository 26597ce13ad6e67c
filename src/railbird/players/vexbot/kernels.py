"""Kernels of Vexbot in heads-up limit: estimates from counts, the search, and ranges.

A range is (1326,) weights. Holdings act by their cell on each street, ``cells`` (streets, 1326), -1
for those that cards in sight block. ``acted`` (actions, 3) are the opponent's actions of a hand:
street, decision context, kind. ``chances`` (decisions, cells, 3) are probabilities of actions.
"""

# Vexbot (Billings and others, 2004) has no strategy of its own: it counts what its opponent does
# and shows, and plays the best response to these counts, by a search through the rest of the
# betting. The search takes no sample and has no depth limit, because the betting tree of heads-up
# limit is small; what is large is the number of its places, and how little is seen of each.
#
# - `estimate_rows` is how little becomes enough: levels of ever coarser places, each of which
#   leaves to the coarser one what its own observations do not answer for. How much that is, is
#   found from the counts themselves, by what would have foretold each observation best from the
#   others (`add_scores`).
# - `value_slots` is the search (the source's miximax, or miximix with a temperature): backwards
#   through a round, for all own cells of strength at once, for each betting sequence. Where some
#   action is better than folding, those that are not are left out of the mixture.
# - the kernels of ranges, from `fill_cells` on, ask the counts for holdings in place of mere ranks:
#   `weigh` and `count_actions` go forwards through a hand, `expect_replies` through a round that is
#   still to come, and `calibrate_round` fits the cells' probabilities to what was counted for all
#   cells together.
#
# Cells of strength, not holdings, are the innermost loop of the search, since a decision with one's
# own cards reads one cell of it and the same pass serves what one would do with others.
#
# Who would notice: tests/players/test_vexbot.py has a slow search and a slow choice of
# strengths beside these, and the river beside a search through all holdings.

from __future__ import annotations

import math

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.cards.isomorphism_kernels import COLUMN, index_of_3, index_of_4, index_of_5
from railbird.cards.tables import CARD_MASK, HOLDING_MASK
from railbird.odds.rank_kernels import mask_of

# Estimates by back-off, values of the betting, and the future of Vexbot's own hand.
#
# Values are chips that Vexbot wins in the whole hand. A round is the tuple of `round_arrays`.


RIVER_WHOLE = 1980


@kernel
def estimate_rows(
    counts: np.ndarray,
    parent: np.ndarray,
    start: np.ndarray,
    prior: np.ndarray,
    detailed: bool,
    discount: float,
    strengths: np.ndarray,
    estimates: np.ndarray,
) -> None:
    """Fill ``estimates`` (rows, kinds) of all levels from ``counts``, the coarsest first.

    A row with n observations gives the estimate of its parent the weight ``discount``^n or, if
    ``discount`` is 0, s / (n + s), where s is the one of ``strengths`` with which each observation
    of the level is best foretold from the others. The coarsest rows have their ``prior`` (rows,
    kinds) in place of a parent.

    If ``detailed``, the parent's estimate is first multiplied by the row's prior over the parent's.
    """
    kinds, levels = counts.shape[1], len(start) - 1
    base, scores = np.empty(kinds), np.empty(len(strengths))
    for level in range(levels - 1, -1, -1):
        first, stop = start[level], start[level + 1]
        strength = strengths[0]
        if discount == 0 and len(strengths) > 1:
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
            left = math.pow(discount, total) if discount > 0 else strength / (total + strength)
            for kind in range(kinds):
                estimates[row, kind] = left * base[kind]
            if total > 0:
                scale = (1.0 - left) / total
                for kind in range(kinds):
                    estimates[row, kind] += scale * counts[row, kind]


@uncounted_kernel
def fill_base(
    row: int,
    parent: int,
    prior: np.ndarray,
    changed: bool,
    estimates: np.ndarray,
    base: np.ndarray,
) -> None:
    """Fill ``base`` (kinds,): the expectation of a row without observations.

    That is the parent's estimate, which is multiplied by the row's prior over the parent's if
    ``changed``; in the coarsest rows it is the prior.
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


@uncounted_kernel
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
            # Foretold from all observations of the row but itself.
            share = (max(count - 1.0, 0.0) + strengths[k] * base[kind]) / (total - 1 + strengths[k])
            scores[k] += count * math.log(share)


@uncounted_kernel
def fill_showdowns(paid: np.ndarray, ranks: np.ndarray, values: np.ndarray) -> None:
    """Fill ``values`` (showdowns, own cells): of pots of twice ``paid``, against ``ranks``.

    ``ranks`` (showdowns, cells) are probabilities of the opponent's hand rank, even within a cell;
    an own cell counts at its middle.
    """
    cells, own = ranks.shape[1], values.shape[1]
    per_cell = own // cells
    for end in range(values.shape[0]):
        below = 0.0
        for cell in range(cells):
            share = ranks[end, cell]
            for part in range(per_cell):
                wins = below + share * (part + 0.5) / per_cell
                values[end, cell * per_cell + part] = paid[end] * (2.0 * wins - 1.0)
            below += share


@uncounted_kernel
def value_slots(
    arrays: tuple[np.ndarray, ...],
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
    paid, player, first_slot, kind, child = arrays[0], arrays[1], arrays[2], arrays[3], arrays[5]
    fold_paid, fold_of, end_of = arrays[6], arrays[8], arrays[9]
    sequences, cells = len(paid), slots.shape[1]
    for node in range(len(player) - 1, -1, -1):
        first, last = first_slot[node], first_slot[node + 1]
        own = player[node] != opponent
        for slot in range(first, last):
            if child[slot] >= 0:
                for cell in range(cells):
                    slots[slot, cell] = nodes[child[slot], cell]
            elif fold_of[slot] >= 0:
                lost = float(paid[sequence] + fold_paid[fold_of[slot]])
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
                        # Where folding is not best, actions no better than folding are left out,
                        # and so is folding.
                        if gives_up and best > slots[first, cell] >= slots[slot, cell]:
                            continue
                        weight = math.exp((slots[slot, cell] - best) / temperature)
                        total += weight
                        value += weight * slots[slot, cell]
                    best = value / total
                nodes[node, cell] = best


@kernel
def value_street(
    arrays: tuple[np.ndarray, ...],
    opponent: int,
    chances: np.ndarray,
    later: np.ndarray,
    temperature: float,
    values: np.ndarray,
) -> None:
    """Fill ``values`` (sequences, cells) of the round's start after every sequence."""
    slots = np.empty((len(arrays[3]), later.shape[1]))
    nodes = np.empty((len(arrays[1]), later.shape[1]))
    for sequence in range(len(arrays[0])):
        value_slots(arrays, opponent, sequence, chances, later, temperature, slots, nodes)
        for cell in range(later.shape[1]):
            values[sequence, cell] = nodes[0, cell]


@uncounted_kernel
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


@uncounted_kernel
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


@uncounted_kernel
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


@uncounted_kernel
def rank_cell(rank: int, cells: int) -> int:
    """Return the cell of a hand rank on the river, of 0 to 1,980."""
    cell = rank * cells // RIVER_WHOLE
    return cell if cell < cells else cells - 1


@uncounted_kernel
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
    entries: np.ndarray,
) -> None:
    """Fill ``entries`` (deals, 3): a holding's on the flop, turn and river of each board."""
    for number in range(len(deals)):
        board, holding = deals[number], holdings[number]
        index = index_of_4(board[0], board[1], board[2], board[3])
        entries[number, 1] = turn_squares[turn_start[index] + COLUMN[turn_pattern[index], holding]]
        index = index_of_5(board[0], board[1], board[2], board[3], board[4])
        entries[number, 2] = river_ihr[river_start[index] + COLUMN[river_pattern[index], holding]]
        index = index_of_3(board[0], board[1], board[2])
        entries[number, 0] = flop_squares[flop_start[index] + COLUMN[flop_pattern[index], holding]]


# Ranges: which holdings an opponent may have, and what it does with them.


@uncounted_kernel
def fill_cells(
    entries: np.ndarray, start: int, columns: np.ndarray, edges: np.ndarray, cells: np.ndarray
) -> None:
    """Fill the ``cells`` of a street by the entries of holdings; -1 stays."""
    for holding in range(len(cells)):
        if cells[holding] >= 0:
            cells[holding] = cell_of(np.int64(entries[start + columns[holding]]), edges)


@uncounted_kernel
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


@uncounted_kernel
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
    arrays: tuple[np.ndarray, ...],
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
    player, first_slot, kind, child = arrays[1], arrays[2], arrays[3], arrays[5]
    end_of = arrays[9]
    sequences, cells = len(arrays[0]), len(sums)
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
                arriving = reach[node, cell]
                if acts:
                    arriving *= chances[row, cell, kind[slot]]
                met += arriving * sums[cell, 0]
                more += arriving * sums[cell, 1]
                if child[slot] >= 0:
                    reach[child[slot], cell] = arriving
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
    arrays: tuple[np.ndarray, ...],
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
    player, first_slot, kind, child, end_of = arrays[1], arrays[2], arrays[3], arrays[5], arrays[9]
    sequences, cells = len(arrays[0]), start.shape[2]
    reach = np.zeros((len(player), 2, cells))
    sums = np.empty(3)
    for sequence in range(sequences):
        reach[0] = start[:, sequence]
        for node in range(len(player)):
            seat, row = player[node], first + node * sequences + sequence
            own_reach, table = reach[node, seat], chances[row]
            total = own_reach.sum()
            # Each holding's row has to add up to one and each action's column to `direct`. Scaling
            # columns and rows in turn comes close to both (iterative proportional fitting).
            for _ in range(passes):
                sums[:] = 0.0
                for cell in range(cells):
                    for action in range(3):
                        sums[action] += own_reach[cell] * table[cell, action]
                for cell in range(cells):
                    row_total = 0.0
                    for action in range(3):
                        if sums[action] > 0:
                            table[cell, action] *= direct[row, action] * total / sums[action]
                        row_total += table[cell, action]
                    if row_total > 0:
                        for action in range(3):
                            table[cell, action] /= row_total
                    else:
                        table[cell] = direct[row]
            for slot in range(first_slot[node], first_slot[node + 1]):
                for cell in range(cells):
                    after = own_reach[cell] * table[cell, kind[slot]]
                    rival_reach = reach[node, 1 - seat, cell]
                    if child[slot] >= 0:
                        reach[child[slot], seat, cell] = after
                        reach[child[slot], 1 - seat, cell] = rival_reach
                    elif end_of[slot] >= 0:
                        end = end_of[slot] * sequences + sequence
                        ends[seat, end, cell] = after
                        ends[1 - seat, end, cell] = rival_reach
