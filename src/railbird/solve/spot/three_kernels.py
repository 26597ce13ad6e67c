"""Vector CFR for no-limit spots of three people on one board of the turn or the river.

`railbird.solve.spot.kernels` has the kernels of two players, whose formulas these follow.

**Ends of the hand.** What a holding h wins depends on how it compares with the two others' holdings
j and k, and not on how these compare with each other. So the value is a sum over pairs of classes,
h beating, tying or losing to j and to k, of what it wins then times the weight of the pairs (j, k)
of these classes of which no two holdings share a card. For classes X and Y, with S the sum of a
player's reach over a class without h's cards, C[c] that of holdings with card c, and D the sum of
the product of both reaches over holdings that are in both classes,

    pairs(X, Y) = S_j(X) S_k(Y) - sum_c C_j(X)[c] C_k(Y)[c] + D(X and Y):

pairs that share a card are taken off once, and the identical holding, which was taken off for both
of its cards, comes back once. With holdings in order of strength, sums over what is weaker grow
along the way; what is stronger is all less what is weaker or equal, so that only weaker, equal and
all are needed. An end takes some 52 steps for each holding, where looking at all pairs would take
the square of their number.

**Passes.** Nodes stand so that parents come before children, and children stand together. The
reach of all three players goes down, values come up; regrets and averages are discounted as for two
players. What must not change is the order of additions, which makes results the same with any
number of threads.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel

UPDATE, BEST, AVERAGE = 0, 1, 2
"""What a pass does, as in `railbird.solve.spot.kernels`."""
DECISION, END, LATER = 0, 1, 2
"""Kinds of nodes."""
KIND, SEAT, CHILD, ACTIONS, ROW, PAY = range(6)
"""Columns of the nodes: kind; who acts; first child; actions; first row of the tables; number of
what an end pays, or of a leaf."""


@kernel
def three_ends(
    cards: np.ndarray,
    levels: np.ndarray,
    where: np.ndarray,
    own: np.ndarray,
    reach_j: np.ndarray,
    reach_k: np.ndarray,
    pays: np.ndarray,
    sums: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write what each holding of a player wins at an end.

    ``cards`` (n, 2) are in order of strength, ``levels`` (n, 2) say where the holdings of equal
    strength begin and end, ``where`` (52, 52) has the number of each holding, n of those that are
    not there. ``own`` (n,) are the weights of the player, of whose zeros nothing is asked;
    ``reach_j`` and ``reach_k`` (n + 1,) end with zero. ``pays`` (3, 3) is by weaker, equal and all,
    of j and of k. ``sums`` (9, 52) is room.
    """
    n = len(cards)
    sums[:] = 0.0
    weak_j, weak_k, same_j, same_k, all_j, all_k = (
        sums[0],
        sums[1],
        sums[2],
        sums[3],
        sums[4],
        sums[5],
    )
    weak_d, same_d, all_d = sums[6], sums[7], sums[8]
    total_j, total_k, total_d = 0.0, 0.0, 0.0
    for g in range(n):
        both = reach_j[g] * reach_k[g]
        for side in range(2):
            card = cards[g, side]
            all_j[card] += reach_j[g]
            all_k[card] += reach_k[g]
            all_d[card] += both
        total_j += reach_j[g]
        total_k += reach_k[g]
        total_d += both
    by_strength = False
    for a in range(3):
        for b in range(3):
            if (a < 2 or b < 2) and pays[a, b] != 0.0:
                by_strength = True
    below_j, below_k, below_d = 0.0, 0.0, 0.0
    begin = 0
    while begin < n:
        end = levels[begin, 1]
        level_j, level_k, level_d = 0.0, 0.0, 0.0
        if by_strength:
            for g in range(begin, end):
                both = reach_j[g] * reach_k[g]
                for side in range(2):
                    card = cards[g, side]
                    same_j[card] += reach_j[g]
                    same_k[card] += reach_k[g]
                    same_d[card] += both
                level_j += reach_j[g]
                level_k += reach_k[g]
                level_d += both
        for h in range(begin, end):
            if own[h] == 0.0:
                out[h] = 0.0
                continue
            x, y = cards[h, 0], cards[h, 1]
            held_j, held_k = reach_j[h], reach_k[h]
            s_all_j = total_j - all_j[x] - all_j[y] + held_j
            s_all_k = total_k - all_k[x] - all_k[y] + held_k
            d_all = total_d - all_d[x] - all_d[y] + held_j * held_k
            if not by_strength:
                value = s_all_j * s_all_k + d_all
                for c in range(52):
                    if c != x and c != y:
                        cx, cy = where[c, x], where[c, y]
                        value -= (all_j[c] - reach_j[cx] - reach_j[cy]) * (
                            all_k[c] - reach_k[cx] - reach_k[cy]
                        )
                out[h] = pays[2, 2] * value
                continue
            s_weak_j, s_weak_k = below_j - weak_j[x] - weak_j[y], below_k - weak_k[x] - weak_k[y]
            s_same_j = level_j - same_j[x] - same_j[y] + held_j
            s_same_k = level_k - same_k[x] - same_k[y] + held_k
            d_weak = below_d - weak_d[x] - weak_d[y]
            d_same = level_d - same_d[x] - same_d[y] + held_j * held_k
            value = (
                s_weak_j * (pays[0, 0] * s_weak_k + pays[0, 1] * s_same_k + pays[0, 2] * s_all_k)
                + s_same_j * (pays[1, 0] * s_weak_k + pays[1, 1] * s_same_k + pays[1, 2] * s_all_k)
                + s_all_j * (pays[2, 0] * s_weak_k + pays[2, 1] * s_same_k + pays[2, 2] * s_all_k)
                + (pays[0, 0] + pays[0, 2] + pays[2, 0]) * d_weak
                + (pays[1, 1] + pays[1, 2] + pays[2, 1]) * d_same
                + pays[2, 2] * d_all
            )
            for c in range(52):
                if c in (x, y):
                    continue
                c_weak_j, c_weak_k, c_same_j, c_same_k = weak_j[c], weak_k[c], same_j[c], same_k[c]
                c_all_j, c_all_k = all_j[c], all_k[c]
                for side in range(2):
                    g = where[c, x] if side == 0 else where[c, y]
                    if g < n:
                        c_all_j -= reach_j[g]
                        c_all_k -= reach_k[g]
                        if g < begin:
                            c_weak_j -= reach_j[g]
                            c_weak_k -= reach_k[g]
                        elif g < end:
                            c_same_j -= reach_j[g]
                            c_same_k -= reach_k[g]
                value -= (
                    c_weak_j
                    * (pays[0, 0] * c_weak_k + pays[0, 1] * c_same_k + pays[0, 2] * c_all_k)
                    + c_same_j
                    * (pays[1, 0] * c_weak_k + pays[1, 1] * c_same_k + pays[1, 2] * c_all_k)
                    + c_all_j
                    * (pays[2, 0] * c_weak_k + pays[2, 1] * c_same_k + pays[2, 2] * c_all_k)
                )
            out[h] = value
        if by_strength:
            for g in range(begin, end):
                both = reach_j[g] * reach_k[g]
                for side in range(2):
                    card = cards[g, side]
                    weak_j[card] += reach_j[g]
                    weak_k[card] += reach_k[g]
                    weak_d[card] += both
                    same_j[card] = 0.0
                    same_k[card] = 0.0
                    same_d[card] = 0.0
            below_j += level_j
            below_k += level_k
            below_d += level_d
        begin = end


@kernel
def three_mix(
    table: np.ndarray, row: int, actions: int, h: int, average: bool, mix: np.ndarray
) -> None:
    """Write the chances of a decision's actions with a holding, by regrets or by averages."""
    total = 0.0
    for a in range(actions):
        weight = float(table[row + a, h])
        mix[a] = abs(weight) if average else max(weight, 0.0)
        total += mix[a]
    for a in range(actions):
        mix[a] = mix[a] / total if total > 0.0 else 1.0 / actions


@kernel
def three_down(
    nodes: np.ndarray, player: int, average: bool, table: np.ndarray, reach: np.ndarray,
    mix: np.ndarray,
) -> None:  # fmt: skip
    """Write the reach of all players but one, whose own stays as it is, at all nodes.

    ``reach`` is (nodes, 3, n + 1); that of the root is there.
    """
    n = reach.shape[2] - 1
    for node in range(len(nodes)):
        if nodes[node, KIND] != DECISION:
            continue
        seat, first, actions, row = (
            nodes[node, SEAT], nodes[node, CHILD], nodes[node, ACTIONS], nodes[node, ROW],
        )  # fmt: skip
        for a in range(actions):
            reach[first + a] = reach[node]
        if seat == player:
            continue
        for h in range(n):
            entering = reach[node, seat, h]
            if entering == 0.0:
                continue
            three_mix(table, row, actions, h, average, mix)
            for a in range(actions):
                reach[first + a, seat, h] = entering * mix[a]


@kernel
def three_up(
    nodes: np.ndarray,
    player: int,
    mode: int,
    regrets: np.ndarray,
    averages: np.ndarray,
    factors: np.ndarray,
    cards: np.ndarray,
    levels: np.ndarray,
    where: np.ndarray,
    own: np.ndarray,
    reach: np.ndarray,
    pays: np.ndarray,
    leaves: np.ndarray,
    sums: np.ndarray,
    mix: np.ndarray,
    values: np.ndarray,
) -> None:
    """Write what all nodes are worth to a player; an update changes regrets and averages.

    ``pays`` (ends, 3, 3, 3) is by player; ``leaves`` (leaves, n) has what those of a later street
    are worth; ``factors`` are gain, loss, keep and add. ``values`` is (nodes, n).
    """
    n = len(cards)
    j, k = (player + 1) % 3, (player + 2) % 3
    for node in range(len(nodes) - 1, -1, -1):
        kind = nodes[node, KIND]
        if kind == END:
            three_ends(
                cards, levels, where, own, reach[node, j], reach[node, k],
                pays[nodes[node, PAY], player], sums, values[node],
            )  # fmt: skip
            continue
        if kind == LATER:
            values[node] = leaves[nodes[node, PAY]]
            continue
        first, actions, row = nodes[node, CHILD], nodes[node, ACTIONS], nodes[node, ROW]
        values[node] = 0.0
        if nodes[node, SEAT] != player:
            for a in range(actions):
                values[node] += values[first + a]
            continue
        for h in range(n):
            if own[h] == 0.0:
                continue
            if mode == BEST:
                best = values[first, h]
                for a in range(1, actions):
                    best = max(best, values[first + a, h])
                values[node, h] = best
                continue
            table = averages if mode == AVERAGE else regrets
            three_mix(table, row, actions, h, mode == AVERAGE, mix)
            value = 0.0
            for a in range(actions):
                value += mix[a] * values[first + a, h]
            values[node, h] = value
            if mode == UPDATE:
                for a in range(actions):
                    regret = float(regrets[row + a, h])
                    kept = regret * (factors[0] if regret > 0.0 else factors[1])
                    regrets[row + a, h] = kept + values[first + a, h] - value
                    averages[row + a, h] = averages[row + a, h] * factors[2] + mix[a] * factors[3]
