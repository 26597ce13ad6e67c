"""Kernels of `cfr` for any game of two players: regret minimisation, best responses, showdowns.

`limit.kernels` and `spot.kernels` have those of hold'em.

A player's tables are (rows, states), a row for each action of each of his decisions. The tree
contains only what both players see, so every operation runs over a whole vector of private states
at once (Johanson, Waugh, Bowling and Zinkevich, "Accelerating best response calculation in large
extensive games", 2011): a tree over the hands of both players would be as many times as large as a
player has states. Children follow their parents in the arrays, so loops over nodes, forwards for
reach and backwards for values, take the place of recursion.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards.tables import HOLDING_CARDS
from railbird.odds.rank_kernels import find_levels, key_of, mask_of
from railbird.solve._tables import IN_ROUNDS
from railbird.solve.simd_kernels import WIDTH, load, splat, store

_Pair = tuple[Floats, Floats]
_Tree = tuple[
    npt.NDArray[np.int8],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    Floats,
]
"""Player, first child, number of children, row, matrix and scale of each node."""
_Variant = tuple[float, float, float, float]
_TERMINAL = -2


@uncounted_kernel
def reach_nodes(tree: _Tree, player: int, strategy: Floats, reach: Floats) -> None:
    """Fill reach (nodes, states) with the probability that the player's own actions lead there."""
    players, first, count, row = tree[0], tree[1], tree[2], tree[3]
    states = reach.shape[1]
    for s in range(states):
        reach[0, s] = 1.0
    for node in range(len(players)):
        for k in range(count[node]):
            child = first[node] + k
            if players[node] == player:
                for s in range(states):
                    reach[child, s] = reach[node, s] * strategy[row[node] + k, s]
            else:
                for s in range(states):
                    reach[child, s] = reach[node, s]


@uncounted_kernel
def add_product(payoffs: Floats, reach: Floats, scale: float, values: Floats) -> None:
    """Add scale times reach (others,) times payoffs (others, states) to values (states,)."""
    # Rows of the opponent's states, so that the inner loop runs along memory and is vectorised:
    # with 169 states 4.8 microseconds, where a sum for each own state takes 12. BLAS takes 3.8,
    # but most strategies leave out many hands, whose rows are skipped: 2.2 where 60 % are.
    for o in range(len(reach)):
        weight = reach[o] * scale
        if weight != 0.0:
            for s in range(len(values)):
                values[s] += weight * payoffs[o, s]


@uncounted_kernel
def value_nodes(
    tree: _Tree,
    payoffs: Floats,
    player: int,
    strategy: Floats,
    other_reach: Floats,
    best: bool,
    values: Floats,
) -> None:
    """Fill values (nodes, states) with the player's counterfactual values against a reach.

    The player follows ``strategy`` or, if ``best`` is set, takes the best action in each state.
    """
    players, first, count, row, matrix, scale = tree
    states = values.shape[1]
    for node in range(len(players) - 1, -1, -1):
        if players[node] == _TERMINAL:
            for s in range(states):
                values[node, s] = 0.0
            add_product(payoffs[matrix[node]], other_reach[node], scale[node], values[node])
        elif players[node] != player:
            for s in range(states):
                values[node, s] = 0.0
            for k in range(count[node]):
                for s in range(states):
                    values[node, s] += values[first[node] + k, s]
        elif best:
            for s in range(states):
                values[node, s] = values[first[node], s]
            for k in range(1, count[node]):
                for s in range(states):
                    values[node, s] = max(values[node, s], values[first[node] + k, s])
        else:
            for s in range(states):
                values[node, s] = 0.0
            for k in range(count[node]):
                for s in range(states):
                    values[node, s] += strategy[row[node] + k, s] * values[first[node] + k, s]


@inline_kernel
def discount(t: float, power: float) -> float:
    """Compute t^power / (t^power + 1), which is 1 and 0 for infinite powers."""
    # An infinite power of 1 would be infinite over infinite at the first iteration.
    if power == np.inf:
        return 1.0
    if power == -np.inf:
        return 0.0
    faded: float = t**power / (t**power + 1.0)
    return faded


@uncounted_kernel
def update_player(
    tree: _Tree,
    player: int,
    reach: Floats,
    values: Floats,
    regrets: Floats,
    strategy: Floats,
    cumulative_strategy: Floats,
    t: float,
    variant: _Variant,
) -> None:
    """Add an iteration to the average strategy and the regrets, and match the regrets.

    ``variant`` has the three powers of Brown and Sandholm (2019) and the weight of the prediction.
    """
    players, first, count, row = tree[0], tree[1], tree[2], tree[3]
    states = values.shape[1]
    gain, loss = discount(t, variant[0]), discount(t, variant[1])
    fade = ((t - 1.0) / t) ** variant[2]
    prediction = variant[3]
    for node in range(len(players)):
        if players[node] != player:
            continue
        actions = count[node]
        for k in range(actions):
            r, child = row[node] + k, first[node] + k
            for s in range(states):
                # Fading the sum weighs iteration t by t^c without weights that grow with t.
                cumulative_strategy[r, s] = (
                    cumulative_strategy[r, s] * fade + reach[node, s] * strategy[r, s]
                )
                instant = values[child, s] - values[node, s]
                regret = regrets[r, s]
                regret = regret * (gain if regret > 0.0 else loss) + instant
                if variant[1] == -np.inf:
                    regret = max(regret, 0.0)
                regrets[r, s] = regret
                strategy[r, s] = max(regret + prediction * instant, 0.0)
        for s in range(states):
            total = 0.0
            for k in range(actions):
                total += strategy[row[node] + k, s]
            for k in range(actions):
                r = row[node] + k
                strategy[r, s] = strategy[r, s] / total if total > 0.0 else 1.0 / actions


@uncounted_kernel
def iterate(
    tree: _Tree,
    payoffs: _Pair,
    regrets: _Pair,
    strategy: _Pair,
    cumulative_strategy: _Pair,
    reach: _Pair,
    values: _Pair,
    start: int,
    stop: int,
    variant: _Variant,
) -> None:
    """Run iterations start+1 to stop. All tables are pairs, one for each player.

    The second player answers the strategy that the first has just updated, as in CFR+ as it was
    published. If both updated at once, 2,000 iterations of CFR+ would leave Leduc exploitable by
    3.8e-3 antes rather than 8.2e-5.
    """
    for t in range(start + 1, stop + 1):
        reach_nodes(tree, 1, strategy[1], reach[1])
        value_nodes(tree, payoffs[0], 0, strategy[0], reach[1], False, values[0])
        reach_nodes(tree, 0, strategy[0], reach[0])
        update_player(
            tree,
            0,
            reach[0],
            values[0],
            regrets[0],
            strategy[0],
            cumulative_strategy[0],
            float(t),
            variant,
        )
        reach_nodes(tree, 0, strategy[0], reach[0])
        value_nodes(tree, payoffs[1], 1, strategy[1], reach[0], False, values[1])
        update_player(
            tree,
            1,
            reach[1],
            values[1],
            regrets[1],
            strategy[1],
            cumulative_strategy[1],
            float(t),
            variant,
        )


# Regret matching of push/fold on sampled deals, each seat against the other's whole range.
#
# A deal updates two of 2,652 information sets, but each against everything that the opponent may
# hold; sampling the opponent's holding too would be cheaper and far noisier. This is the method of
# Chin and Lopez (2023), kept for its pictures: 100 iterations of `cfr` on the 169 classes come
# nearer to equilibrium (2.6e-5 big blinds) than 100,000 of these (1e-4).


@inline_kernel
def match_regrets(regret_fold: float, regret_play: float) -> float:
    """Compute the probability of playing: its share of the positive regrets, or a half."""
    fold, play = max(regret_fold, 0.0), max(regret_play, 0.0)
    return play / (fold + play) if fold + play > 0.0 else 0.5


@uncounted_kernel
def visit_deals(
    deals: npt.NDArray[np.int64],
    edge: npt.NDArray[np.float32],
    stakes: tuple[float, float, float],
    regrets: Floats,
    current: Floats,
    cumulative_strategy: Floats,
    visits: npt.NDArray[np.int64],
) -> None:
    """Update the two holdings of each deal (n, 2).

    ``edge`` (1326, 1326) is wins less losses of the row over boards, NaN for holdings that share a
    card; one array then says both what is possible and what it pays. ``stakes`` are what the small
    blind loses by folding, what it wins when the big blind folds, and the stack. By seat: regrets
    (2, 2, 1326) of fold and play; current and cumulative strategy and visits (2, 1326).
    """
    lost, won, stack = stakes
    for d in range(len(deals)):
        own = deals[d, 0]
        playing, count = 0.0, 0
        for opponent in range(edge.shape[0]):
            if not np.isnan(edge[own, opponent]):
                call = current[1, opponent]
                playing += won + call * (stack * edge[own, opponent] - won)
                count += 1
        add_regrets(0, own, -lost, playing / count, regrets, current, cumulative_strategy, visits)
        own = deals[d, 1]
        folding, playing, count = 0.0, 0.0, 0
        for opponent in range(edge.shape[0]):
            if not np.isnan(edge[own, opponent]):
                push = current[0, opponent]
                folding -= push * won
                playing += push * stack * edge[own, opponent]
                count += 1
        add_regrets(
            1, own, folding / count, playing / count, regrets, current, cumulative_strategy, visits
        )


@uncounted_kernel
def add_regrets(
    seat: int,
    own: int,
    fold: float,
    play: float,
    regrets: Floats,
    current: Floats,
    cumulative_strategy: Floats,
    visits: npt.NDArray[np.int64],
) -> None:
    """Add what the two actions earn beyond the current strategy, then match the regrets."""
    probability = current[seat, own]
    cumulative_strategy[seat, own] += probability
    visits[seat, own] += 1
    value = probability * play + (1.0 - probability) * fold
    regrets[seat, 0, own] += fold - value
    regrets[seat, 1, own] += play - value
    current[seat, own] = match_regrets(regrets[seat, 0, own], regrets[seat, 1, own])


# The holdings that a whole board leaves, by strength.


@kernel
def in_order_of_strength(board: np.ndarray, dead: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the holdings that five cards and ``dead`` ones leave, and where each level begins.

    The weakest come first; those of level l are from ``begin[l]`` to ``begin[l + 1]``, and
    neighbours seldom share a card.
    """
    live, level = np.empty(1326, dtype=np.uint16), np.empty(1326, dtype=np.uint16)
    used = mask_of(board)
    number, levels = find_levels(IN_ROUNDS, key_of(board), used, used | mask_of(dead), live, level)
    begin = np.zeros(levels + 2, dtype=np.int64)
    for k in range(number):
        begin[level[live[k]] + 2] += 1
    for strength in range(levels):
        begin[strength + 2] += begin[strength + 1]
    order = np.empty(number, dtype=np.int64)
    for k in range(number):
        holding = live[k]
        order[begin[level[holding] + 1]] = holding
        begin[level[holding] + 1] += 1
    return order, begin[: levels + 1]


# What pairs of holdings win on a board, summed by hand class.
#
# The product of two small matrices is here, since OpenBLAS would divide it among threads, which
# costs more than it gains: five times the processor time on two busy cores. On one core it does 140
# GFLOP/s and this 60.


@uncounted_kernel
def multiply(
    own: np.ndarray,
    opponent: np.ndarray,
    ends: np.ndarray,
    factors: np.ndarray,
    out: np.ndarray,
) -> None:
    """Fill ``out`` (rows, columns) with the sum over ``ends`` of both players' reach and factors.

    ``own`` (all ends, rows) and ``opponent`` (all ends, columns) float32; rows and columns are
    multiples of `WIDTH`.
    """
    rows, columns = own.shape[1], opponent.shape[1]
    none = splat(np.float32(0))
    for j in range(0, columns, WIDTH):
        for i in range(0, rows, 4):
            a, b, c, d = none, none, none, none
            for k in range(len(ends)):
                end = ends[k]
                reached = splat(factors[k]) * load(opponent, end * columns + j)
                a = a + splat(own[end, i]) * reached
                b = b + splat(own[end, i + 1]) * reached
                c = c + splat(own[end, i + 2]) * reached
                d = d + splat(own[end, i + 3]) * reached
            store(out, i * columns + j, a)
            store(out, (i + 1) * columns + j, b)
            store(out, (i + 2) * columns + j, c)
            store(out, (i + 3) * columns + j, d)


@kernel
def add_by_class(
    order: np.ndarray,
    begin: np.ndarray,
    row: np.ndarray,
    hand_class: np.ndarray,
    folded: np.ndarray,
    at_showdown: np.ndarray,
    won: np.ndarray,
) -> None:
    """Add what the first player wins from the second to ``won`` (169, 169) float64.

    ``order`` and ``begin`` are those of `in_order_of_strength`, ``row`` (holdings,) the place of
    each of these in both tables, (rows, rows) of the first and the second: ``folded`` what folds
    bring, ``at_showdown`` what showdowns are about.
    """
    holdings = len(order)
    level = np.empty(holdings, dtype=np.int64)
    for strength in range(len(begin) - 1):
        for i in range(begin[strength], begin[strength + 1]):
            level[i] = strength
    for i in range(holdings):
        low, high = HOLDING_CARDS[order[i], 0], HOLDING_CARDS[order[i], 1]
        first, second, won_by_class = folded[row[i]], at_showdown[row[i]], won[hand_class[order[i]]]
        for j in range(holdings):
            a, b = HOLDING_CARDS[order[j], 0], HOLDING_CARDS[order[j], 1]
            if a in (low, high) or b in (low, high):
                continue
            more = level[i] > level[j]
            less = level[i] < level[j]
            edge = second[row[j]]
            won_by_class[hand_class[order[j]]] += first[row[j]] + (
                edge if more else -edge if less else 0
            )


# Orders of three hands all-in, for one player's every class against two ranges.


CLASSES = 169
ORDERS = 13
ORDER_WIDTH = 16
"""Numbers of a row of the table: the orders, padded to a cache line."""


@kernel
def orders_against(
    table: np.ndarray,
    start: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    code: np.ndarray,
    hero: int,
    out: np.ndarray,
) -> None:
    """Fill ``out`` (169, 13) with the weight of each order, by the hero's class.

    ``table`` (818805, 16) float32 holds the joint probability of three ascending classes and the
    order of their hands, ``start`` the rows of `rank_tables.row_of_pair`; ``first`` and
    ``second`` (169,) are how often the other two players, in the order of seats, play each class.
    ``code`` (6, 13) turns an order of ascending classes into one of players. Only classes that are
    played are visited, as ranges that call an all-in are narrow.
    """
    ones, twos = np.flatnonzero(first), np.flatnonzero(second)
    by_order = np.empty((3, ORDER_WIDTH), dtype=np.float32)
    for own in range(CLASSES):
        out[own] = 0.0
        for i in range(len(ones)):
            first_class = int(ones[i])
            by_order[:] = 0.0
            low, high = min(own, first_class), max(own, first_class)
            for j in range(len(twos)):
                second_class = int(twos[j])
                if second_class < low:
                    position, row = 0, start[second_class, low] + high - low
                elif second_class <= high:
                    position, row = 1, start[low, second_class] + high - second_class
                else:
                    position, row = 2, start[low, high] + second_class - high
                weight = np.float32(second[second_class])
                line, total = table[row], by_order[position]
                for k in range(ORDER_WIDTH):
                    total[k] += weight * line[k]
            for position in range(3):
                permutation = code[arrangement(hero, own > first_class, position)]
                for k in range(ORDERS):
                    out[own, permutation[k]] += first[first_class] * by_order[position, k]


@uncounted_kernel
def arrangement(hero: int, swapped: bool, position: int) -> int:
    """Return which of the six permutations leads from ascending classes to players.

    ``swapped`` says that the hero's class is above the first other's, ``position`` where the second
    other's class is among both. The permutation is numbered by the players of the lowest class and
    of the next one, as 2 * lowest + (next above the remaining).
    """
    first_other = 1 if hero == 0 else 0
    second_other = 1 if hero == 2 else 2
    low, high = (first_other, hero) if swapped else (hero, first_other)
    if position == 0:
        lowest, middle = second_other, low
    elif position == 1:
        lowest, middle = low, second_other
    else:
        lowest, middle = low, high
    return 2 * lowest + int(middle > 3 - lowest - middle)
