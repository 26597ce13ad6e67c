"""Kernels of `matrix_cfr` for heads-up limit: a round's reach forwards, its values backwards.

`sampling_kernels` has those of sampled boards.

Between the two stand matrix products over all ends of the round at once, which NumPy does. Tables
and vectors are (states, lanes) float32, so that a state's row fits the first cache levels and its
inner loops run over betting sequences.

A round is a tuple of the arrays of `BettingRound`; see `round_arrays`.
"""

# CFR+ over a matrix (`railbird.solve.limit.matrix_cfr`) has three steps for each round: the reach
# of its ends by all states, the products with the matrices that say how states meet, and the values
# back to its start. The products are most of the arithmetic and are left to NumPy's BLAS; here are
# the steps before and after, which are loops over a small tree.
#
# The tree is walked once for each state, and each number of the walk is a vector over the betting
# sequences that lead to the round. A round has a few decisions, hundreds of sequences and thousands
# of states: with the sequences innermost the loops are long and contiguous, a state's rows are read
# once, and states can be divided among threads, since none writes to another's row.
#
# The loops copy rows where an assignment of slices would read better, for the reason that
# `railbird.game.kernels.copy` gives.
#
# `UPDATE` is the only mode that changes the table while it walks: negative regrets are forgotten at
# once (CFR+, Tammelin 2014), so no separate pass is needed.
#
# Who would notice: tests/solve/limit/test_matrix_cfr.py has games with known values, and best
# responses in another form; tests/solve/limit/test_responses.py has the responses to observed play
# (``fixed`` and ``trust``).

from __future__ import annotations

import numpy as np

from railbird._jit import kernel, uncounted_kernel

MAXIMUM, UPDATE, EXPECTED, RECORD = 0, 1, 2, 3
"""What `values_of_round` does where its player acts."""


@uncounted_kernel
def fill_strategy(
    arrays: tuple[np.ndarray, ...], table: np.ndarray, node: int, shares: np.ndarray
) -> None:
    """Normalise the positive numbers of a state's row into ``shares`` (actions, sequences).

    Where none is positive, all actions get the same.
    """
    first, last = arrays[2][node], arrays[2][node + 1]
    sequences = len(arrays[0])
    count = last - first
    for s in range(sequences):
        shares[count, s] = 0.0  # the row behind the actions has their sums
    for a in range(count):
        begin = (first + a) * sequences
        for s in range(sequences):
            positive = max(table[begin + s], np.float32(0.0))
            shares[a, s] = positive
            shares[count, s] += positive
    equal = np.float32(1.0) / np.float32(count)
    for s in range(sequences):
        total = shares[count, s]
        shares[count, s] = np.float32(1.0) / total if total > 0 else np.float32(0.0)
    for a in range(count):
        for s in range(sequences):
            scale = shares[count, s]
            shares[a, s] = shares[a, s] * scale if scale > 0 else equal


@uncounted_kernel
def mix_in(
    sequences: int,
    first: int,
    last: int,
    fixed: np.ndarray,
    trust: np.ndarray,
    node: int,
    shares: np.ndarray,
) -> None:
    """Replace the part ``trust`` of a decision's ``shares`` (actions, sequences) by ``fixed``."""
    for a in range(last - first):
        begin = (first + a) * sequences
        for s in range(sequences):
            part = trust[node * sequences + s]
            shares[a, s] += part * (fixed[begin + s] - shares[a, s])


@kernel
def reach_of_round(
    arrays: tuple[np.ndarray, ...],
    player: int,
    table: np.ndarray,
    start: int,
    stop: int,
    previous_reach: np.ndarray,
    parents: np.ndarray,
    folds: np.ndarray,
    ends: np.ndarray,
    weight: float,
    sums: np.ndarray,
    fixed: np.ndarray,
    trust: np.ndarray,
) -> None:
    """Follow a player's own probabilities through the round for states start..stop.

    ``previous_reach`` (states of the round before, sequences) is the reach of the round's start;
    ``folds`` (states, folds) and ``ends`` (states, ends) are filled. Strategies come from ``table``
    (states, lanes) by `fill_strategy`; unless ``weight`` is 0, the reach of every action times
    ``weight`` is added to ``sums`` (states, lanes). Unless ``trust`` (states, decisions) is empty,
    it is the part of each decision that is played by ``fixed`` (states, lanes) instead.
    """
    player_of, first_slot, child = arrays[1], arrays[2], arrays[5]
    fold_of, end_of = arrays[8], arrays[9]
    sequences, nodes = len(arrays[0]), len(player_of)
    reach = np.empty((nodes, sequences), dtype=np.float32)
    shares = np.empty((4, sequences), dtype=np.float32)
    scale = np.float32(weight)
    for state in range(start, stop):
        reach[0] = previous_reach[parents[state]]
        for node in range(nodes):
            own = player_of[node] == player
            if own:
                fill_strategy(arrays, table[state], node, shares)
                if len(trust):
                    first, last = first_slot[node], first_slot[node + 1]
                    mix_in(sequences, first, last, fixed[state], trust[state], node, shares)
            for slot in range(first_slot[node], first_slot[node + 1]):
                if own:
                    row = shares[slot - first_slot[node]]
                    for s in range(sequences):
                        row[s] *= reach[node, s]
                    # The row holds reaches by now, so the average weighs a strategy by how often
                    # its player gets there.
                    if weight > 0:
                        begin = slot * sequences
                        for s in range(sequences):
                            sums[state, begin + s] += scale * row[s]
                else:
                    # The other's actions do not change a player's own reach.
                    row = reach[node]
                if child[slot] >= 0:
                    out = reach[child[slot]]
                elif fold_of[slot] >= 0:
                    begin = fold_of[slot] * sequences
                    out = folds[state, begin : begin + sequences]
                else:
                    begin = end_of[slot] * sequences
                    out = ends[state, begin : begin + sequences]
                for s in range(sequences):
                    out[s] = row[s]


@kernel
def values_of_round(
    arrays: tuple[np.ndarray, ...],
    player: int,
    mode: int,
    is_last: int,
    unit: float,
    table: np.ndarray,
    start: int,
    stop: int,
    folds: np.ndarray,
    ends: np.ndarray,
    values: np.ndarray,
    fixed: np.ndarray,
    trust: np.ndarray,
) -> None:
    """Bring a player's values back to the round's start for states start..stop.

    ``folds`` (states, folds) are the opponent's reach of folds by states that meet this one,
    ``ends`` (states, ends) in the last round the same for showdowns, won less lost, else the values
    of the next round. ``values`` (states, sequences) are filled, in bets of ``unit`` chips.

    `MAXIMUM` takes the best action, and `RECORD` also writes it to ``table``; `EXPECTED` takes
    those of ``table``; `UPDATE` too, and adds the regrets to it, negative ones forgotten. Where
    ``trust`` is not empty, that part of a decision's value is that of ``fixed``; see
    `reach_of_round`.
    """
    chips, player_of, first_slot, child = arrays[0], arrays[1], arrays[2], arrays[5]
    fold_paid, end_paid, fold_of, end_of = arrays[6], arrays[7], arrays[8], arrays[9]
    sequences, nodes = len(chips), len(player_of)
    value = np.empty((nodes, sequences), dtype=np.float32)
    shares = np.empty((4, sequences), dtype=np.float32)
    result = np.empty((3, sequences), dtype=np.float32)
    amount = (chips / unit).astype(np.float32)
    for state in range(start, stop):
        # A node stands before what follows it, so backwards all children have their values.
        for node in range(nodes - 1, -1, -1):
            own = player_of[node] == player
            first, last = first_slot[node], first_slot[node + 1]
            for slot in range(first, last):
                out = result[slot - first]
                if child[slot] >= 0:
                    row = value[child[slot]]
                    for s in range(sequences):
                        out[s] = row[s]
                elif fold_of[slot] >= 0:
                    begin = fold_of[slot] * sequences
                    paid = np.float32(fold_paid[fold_of[slot]] / unit)
                    # The player who folds loses its chips from before the round and from it; the
                    # other wins as much.
                    sign = np.float32(-1.0 if own else 1.0)
                    for s in range(sequences):
                        out[s] = sign * (amount[s] + paid) * folds[state, begin + s]
                else:
                    begin = end_of[slot] * sequences
                    paid = np.float32(end_paid[end_of[slot]] / unit)
                    if is_last:
                        for s in range(sequences):
                            out[s] = (amount[s] + paid) * ends[state, begin + s]
                    else:
                        for s in range(sequences):
                            out[s] = ends[state, begin + s]
            node_value = value[node]
            # The values contain the opponent's reach, so its actions are added and not averaged.
            if not own:
                for s in range(sequences):
                    node_value[s] = result[0, s]
                for a in range(1, last - first):
                    for s in range(sequences):
                        node_value[s] += result[a, s]
            elif mode in (MAXIMUM, RECORD):
                for s in range(sequences):
                    node_value[s] = result[0, s]
                for a in range(1, last - first):
                    for s in range(sequences):
                        node_value[s] = max(node_value[s], result[a, s])
                if mode == RECORD:
                    for s in range(sequences):
                        taken = np.float32(0.0)
                        for a in range(last - first):
                            # Only the first of equally good actions, so that a row is a strategy.
                            best = result[a, s] == node_value[s] and taken == 0
                            table[state, (first + a) * sequences + s] = best
                            taken += best
            else:
                fill_strategy(arrays, table[state], node, shares)
                for s in range(sequences):
                    node_value[s] = shares[0, s] * result[0, s]
                for a in range(1, last - first):
                    for s in range(sequences):
                        node_value[s] += shares[a, s] * result[a, s]
                if mode == UPDATE:
                    for a in range(last - first):
                        begin = (first + a) * sequences
                        for s in range(sequences):
                            regret = table[state, begin + s] + result[a, s] - node_value[s]
                            table[state, begin + s] = max(regret, np.float32(0.0))
            if own and len(trust):
                for s in range(sequences):
                    shares[0, s] = 0.0
                for a in range(last - first):
                    begin = (first + a) * sequences
                    for s in range(sequences):
                        shares[0, s] += fixed[state, begin + s] * result[a, s]
                for s in range(sequences):
                    part_of = trust[state, node * sequences + s]
                    node_value[s] += part_of * (shares[0, s] - node_value[s])
        for s in range(sequences):
            values[state, s] = value[0, s]
