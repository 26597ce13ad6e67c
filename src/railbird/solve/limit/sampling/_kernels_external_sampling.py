"""External sampling: one player's actions are all followed, the other's and the cards are drawn.

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive
games" (2009). A stack of decisions takes the place of recursion, which Numba cannot cache.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel

_DEPTH = 64
"""Decisions on the way to an end: 24 in limit hold'em."""


@inline_kernel
def next_fraction(stream: np.ndarray) -> float:
    """Draw from 0 to below 1 by xorshift64* (Vigna 2016); ``stream`` (1,) uint64, not 0."""
    bits = stream[0]
    bits ^= bits >> np.uint64(12)
    bits ^= bits << np.uint64(25)
    bits ^= bits >> np.uint64(27)
    stream[0] = bits
    fraction: float = ((bits * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(11)) * 2.0**-53
    return fraction


@kernel
def visit_deals(
    parts: tuple[tuple[np.ndarray, ...], ...],
    unit: float,
    regrets: tuple[np.ndarray, ...],
    sums: tuple[np.ndarray, ...],
    states: np.ndarray,
    results: np.ndarray,
    first_iteration: int,
    stream: np.ndarray,
) -> int:
    """Update both players on every deal; return the number of decisions visited.

    ``states`` (deals, 2, rounds) int32 by seat, ``results`` (deals,) 1 if seat 0 wins the showdown,
    -1 if it loses. Iteration t counts t times, in regrets and in sums alike.
    """
    street, sequence = np.empty(_DEPTH, dtype=np.int64), np.empty(_DEPTH, dtype=np.int64)
    node = np.empty(_DEPTH, dtype=np.int64)
    action, only = np.empty(_DEPTH, dtype=np.int64), np.empty(_DEPTH, dtype=np.int64)
    share, value = np.empty((_DEPTH, 4)), np.empty((_DEPTH, 4))
    visited = 0
    for deal in range(len(states)):
        weight = float(first_iteration + deal)
        for player in range(2):
            sign = 1.0 if player == 0 else -1.0
            top = 0
            street[0] = sequence[0] = node[0] = 0
            action[0] = -1
            while top >= 0:
                part = parts[street[top]]
                begin, end = part[2][node[top]], part[2][node[top] + 1]
                count, width, s = end - begin, len(part[0]), sequence[top]
                who = part[1][node[top]]
                state = states[deal, who, street[top]]
                row = regrets[street[top]][state]
                if action[top] < 0:
                    visited += 1
                    total = 0.0
                    for a in range(count):
                        share[top, a] = max(row[(begin + a) * width + s], 0.0)
                        total += share[top, a]
                    for a in range(count):
                        share[top, a] = share[top, a] / total if total > 0 else 1.0 / count
                    action[top] = 0
                    only[top] = -1
                    if who != player:
                        summed = sums[street[top]][state]
                        left = next_fraction(stream)
                        chosen = 0
                        for a in range(count):
                            summed[(begin + a) * width + s] += weight * share[top, a]
                            if left >= 0:
                                chosen = a
                            left -= share[top, a]
                        action[top] = only[top] = chosen
                if action[top] < count and (only[top] < 0 or action[top] == only[top]):
                    slot = begin + action[top]
                    if part[5][slot] >= 0:
                        street[top + 1], sequence[top + 1] = street[top], s
                        node[top + 1] = part[5][slot]
                        top += 1
                        action[top] = -1
                    elif part[8][slot] >= 0:
                        lost = part[0][s] + part[6][part[8][slot]]
                        value[top, action[top]] = (-lost if who == player else lost) / unit
                        action[top] += 1
                    elif street[top] + 1 == len(parts):
                        at_stake = part[0][s] + part[7][part[9][slot]]
                        value[top, action[top]] = sign * results[deal] * at_stake / unit
                        action[top] += 1
                    else:
                        street[top + 1] = street[top] + 1
                        sequence[top + 1] = part[9][slot] * width + s
                        node[top + 1] = 0
                        top += 1
                        action[top] = -1
                    continue
                if only[top] >= 0:
                    worth = value[top, only[top]]
                else:
                    worth = 0.0
                    for a in range(count):
                        worth += share[top, a] * value[top, a]
                    for a in range(count):
                        row[(begin + a) * width + s] += weight * (value[top, a] - worth)
                top -= 1
                if top >= 0:
                    value[top, action[top]] = worth
                    action[top] += 1
    return visited
