"""Kernels of external sampling for any two-player betting game: deals of one pair of states.

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive
games" (2009): all actions of one player are followed, and one drawn action of the other.

A street's betting is a forest with a root for each sequence that reaches it. A street is followed
for all sequences that reach it before the next street is. So it is known early what will be read
there, and it is fetched ahead: 40 ns a decision instead of 60. With recursion, or a stack in its
place, every decision waits for memory.

One player's numbers after one betting sequence to the street lie together, and so do those of all
sequences for one state, since a deal reads them together. With 16 float32, which hold limit
hold'em's, a sequence is a line of the cache. With the sequences of an action together instead, and
a stack, it was 450 ns.
"""

# Who would notice: tests/solve/limit/test_sampling.py compares the value with the matrix
# solver's on limit's games, tests/solve/nolimit/test_solving.py a small no-limit game with
# `railbird.solve.cfr`, a third way of playing it.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, uncounted_kernel
from railbird.solve.simd_kernels import prefetch

PLAYER, FIRST, PLACE, FROM = range(4)
"""Columns of a node: who acts, its first action, the place of that action's number among those of
its player in a state, and the action that leads here; of a root, that is one of the street before.
"""

KIND_BITS = 2
INSIDE, ON, FOLD, SHOWDOWN = range(1 << KIND_BITS)
"""What an action leads to: a node of the street, a root of the next one, or an end of the hand."""

_PRUNED = np.float32(-1)
"""The share of an action that is not followed."""

PRUNED_PART = 0.95
"""Part of the deals on which actions with very negative regret are not followed."""


class StreetTree(NamedTuple):
    """The betting of a street; nodes stand before what follows them, those of a root together."""

    root: np.ndarray
    """(roots + 1,) int32: the nodes of a root are root[r] .. root[r + 1] - 1, itself first."""
    nodes: np.ndarray
    """(nodes + 1, 4) int32: see `PLAYER`. The last row has only the number of actions."""
    actions: np.ndarray
    """(actions,) int32: four times the node or root that follows, or the chips that are lost or
    shown down for, plus the kind, `INSIDE` and so on."""
    start: np.ndarray
    """(roots, 2) int64: where both players' numbers after a sequence begin in those of a state."""
    first: np.ndarray
    """(2,) int64: where a player's numbers of state 0 begin."""
    width: np.ndarray
    """(2,) int64: a player's numbers of one state."""


class Scratch(NamedTuple):
    """Memory for a deal; all but ``counts`` is by street."""

    counts: np.ndarray
    """(streets,) int64: roots that were reached."""
    reached_roots: tuple[np.ndarray, ...]
    """(roots,) int32: which, in the order of finding them."""
    reached: tuple[np.ndarray, ...]
    """(nodes,) int8: 1 if so."""
    chosen: tuple[np.ndarray, ...]
    """(nodes,) int32: the action that the opponent takes."""
    share: tuple[np.ndarray, ...]
    """(actions,) float32: probabilities, or `_PRUNED`."""
    value: tuple[np.ndarray, ...]
    """(actions,) float32: what the player wins, in units."""


@inline_kernel
def _numbers_of(part: StreetTree, player: int, state: int) -> int:
    """Return where a player's numbers of a state begin."""
    return int(part.first[player] + np.int64(state) * part.width[player])


@inline_kernel
def next_bits(bits: np.uint64) -> np.uint64:
    """Step xorshift64* (Vigna 2016)."""
    bits ^= bits >> np.uint64(12)
    bits ^= bits << np.uint64(25)
    bits ^= bits >> np.uint64(27)
    return bits


@inline_kernel
def uniform(bits: np.uint64) -> np.float32:
    """Return a number from 0 to 1; its 24 bits are exact in float32."""
    drawn = (bits * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(40)
    return np.float32(drawn) * np.float32(2.0**-24)


@uncounted_kernel
def sample_deals(
    streets: tuple[StreetTree, ...],
    unit: float,
    regrets: np.ndarray,
    sums: np.ndarray,
    states: np.ndarray,
    results: np.ndarray,
    first_iteration: int,
    least: float,
    stream: np.ndarray,
    scratch: Scratch,
) -> int:
    """Update both players on every deal; return the number of decisions visited.

    ``regrets`` and ``sums`` are float32. ``states`` (deals, 2, streets) int32 by seat, ``results``
    (deals,) int8: 1 if seat 0 wins the showdown, -1 if it loses, 0 for a tie. Iteration t counts t
    times, in regrets and in sums alike. On most deals an action whose regret is below -``least``
    times t is not followed, unless it ends the hand; infinity follows all. ``stream`` (1,) uint64,
    not 0, is where random numbers go on.
    """
    visited = 0
    for deal in range(len(states)):
        weight = np.float32(first_iteration + deal)
        below = np.float32(-np.inf)
        if least < np.inf:
            stream[0] = next_bits(stream[0])
            if uniform(stream[0]) < np.float32(PRUNED_PART):
                below = np.float32(-least) * weight
        for player in range(2):
            won = np.float32(results[deal] if player == 0 else -results[deal])
            scratch.reached_roots[0][0] = 0
            scratch.counts[0] = 1
            for street in range(len(streets)):
                visited += _follow(
                    streets,
                    street,
                    player,
                    unit,
                    regrets,
                    sums,
                    states[deal],
                    won,
                    weight,
                    below,
                    stream,
                    scratch,
                )
            for street in range(len(streets) - 1, -1, -1):
                numbers = _numbers_of(streets[street], player, states[deal, player, street])
                _bring_back(streets[street], street, player, regrets, numbers, weight, scratch)
    return visited


@uncounted_kernel
def _follow(
    streets: tuple[StreetTree, ...],
    street: int,
    player: int,
    unit: float,
    regrets: np.ndarray,
    sums: np.ndarray,
    states: np.ndarray,
    won: np.float32,
    weight: np.float32,
    below: np.float32,
    stream: np.ndarray,
    scratch: Scratch,
) -> int:
    """Act on a street after all sequences that reached it; return the decisions visited."""
    betting = streets[street]
    reached, chosen = scratch.reached[street], scratch.chosen[street]
    share, value = scratch.share[street], scratch.value[street]
    nodes, actions, roots = betting.nodes, betting.actions, scratch.reached_roots[street]
    later = min(street + 1, len(streets) - 1)
    after, later_roots = streets[later], scratch.reached_roots[later]
    own = _numbers_of(betting, player, states[player, street])
    its = _numbers_of(betting, 1 - player, states[1 - player, street])
    own_later = _numbers_of(after, player, states[player, later])
    its_later = _numbers_of(after, 1 - player, states[1 - player, later])
    bits, chips_unit, zero = stream[0], np.float32(unit), np.float32(0)
    visited = following = 0
    for k in range(scratch.counts[street]):
        begin, end = betting.root[roots[k]], betting.root[roots[k] + 1]
        for node in range(begin, end):
            reached[node] = 0
        reached[begin] = 1
        for node in range(begin, end):
            if reached[node] == 0:
                continue
            visited += 1
            first, last = nodes[node, FIRST], nodes[node + 1, FIRST]
            is_own = nodes[node, PLAYER] == player
            at = (own if is_own else its) + nodes[node, PLACE] - first
            total = zero
            for slot in range(first, last):
                positive = max(regrets[at + slot], zero)
                share[slot] = positive
                total += positive
            # Regret matching: in proportion to positive regrets, or all alike if none is positive.
            scale = np.float32(1) / (total if total > 0 else np.float32(last - first))
            for slot in range(first, last):
                share[slot] = share[slot] * scale if total > 0 else scale
            if not is_own:
                bits = next_bits(bits)
                left = uniform(bits)
                taken = first
                for slot in range(first, last):
                    # The opponent's actions are drawn, so it comes here as often as its own
                    # strategy does. That weighs its average, and no reach has to be multiplied in.
                    sums[at + slot] += weight * share[slot]
                    if left >= 0:
                        taken = slot
                    left -= share[slot]
                chosen[node] = taken
                first, last = taken, taken + 1
            # An action with positive regret is never pruned, so at least one is followed.
            elif total > 0:
                for slot in range(first, last):
                    if regrets[at + slot] < below and actions[slot] & 3 <= ON:
                        share[slot] = _PRUNED
            for slot in range(first, last):
                if share[slot] == _PRUNED:
                    continue
                to, kind = actions[slot] >> KIND_BITS, actions[slot] & 3
                if kind == INSIDE:
                    reached[to] = 1
                elif kind == ON:
                    prefetch(regrets, own_later + after.start[to, player])
                    prefetch(regrets, its_later + after.start[to, 1 - player])
                    prefetch(sums, its_later + after.start[to, 1 - player])
                    later_roots[following] = to
                    following += 1
                elif kind == FOLD:
                    lost = np.float32(to) / chips_unit
                    value[slot] = -lost if is_own else lost
                else:
                    value[slot] = won * (np.float32(to) / chips_unit)
    if street < later:
        scratch.counts[later] = following
    stream[0] = bits
    return visited


@uncounted_kernel
def _bring_back(
    betting: StreetTree,
    street: int,
    player: int,
    regrets: np.ndarray,
    numbers: int,
    weight: np.float32,
    scratch: Scratch,
) -> None:
    """Bring the player's values to the street's start, and add its regrets."""
    reached, chosen = scratch.reached[street], scratch.chosen[street]
    share, value = scratch.share[street], scratch.value[street]
    previous_value = scratch.value[max(street - 1, 0)]
    nodes = betting.nodes
    for k in range(scratch.counts[street]):
        root = scratch.reached_roots[street][k]
        begin = betting.root[root]
        for node in range(betting.root[root + 1] - 1, begin - 1, -1):
            if reached[node] == 0:
                continue
            worth = np.float32(0)
            if nodes[node, PLAYER] == player:
                first, last = nodes[node, FIRST], nodes[node + 1, FIRST]
                at = numbers + nodes[node, PLACE] - first
                for slot in range(first, last):
                    if share[slot] != _PRUNED:
                        worth += share[slot] * value[slot]
                for slot in range(first, last):
                    if share[slot] != _PRUNED:
                        regrets[at + slot] += weight * (value[slot] - worth)
            else:
                worth = value[chosen[node]]
            if node > begin:
                value[nodes[node, FROM]] = worth
            elif street > 0:
                previous_value[nodes[node, FROM]] = worth
