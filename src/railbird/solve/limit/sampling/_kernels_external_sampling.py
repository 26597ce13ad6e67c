"""External sampling: one player's actions are all followed, the other's and the cards are drawn.

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive
games" (2009). A street is followed for all sequences that reach it before the next one is, which
says early what will be read there: fetched ahead, 40 ns a decision instead of 60. With recursion,
or a stack in its place, every decision waits for memory.

Numbers of one player after one betting sequence to the round lie together, `BettingTree`'s slots of
that player in their order, in a row of ``width``: with 16 float32, which hold hold'em's, a line of
the cache. With the sequences of an action together instead, and a stack, it was 450 ns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, uncounted_kernel
from railbird.solve.simd._kernels_lanes import prefetch


class Round(NamedTuple):
    """A round of betting; all arrays are int32."""

    before: np.ndarray
    """(sequences,) chips that each player has put in before."""
    player: np.ndarray
    """(nodes,) who acts."""
    first_slot: np.ndarray
    """(nodes + 1,)."""
    child: np.ndarray
    """(slots,) the node that follows; -1 if the round or the hand is over."""
    fold_paid: np.ndarray
    """(slots,) what the player who folds has put in; -1 for what is no fold."""
    end: np.ndarray
    """(slots,) the number of the continuation; -1 for what does not end the round."""
    end_paid: np.ndarray
    """(slots,) what each player has put in then."""
    place: np.ndarray
    """(slots,) where the action is in its player's row."""
    from_slot: np.ndarray
    """(nodes,) the slot that leads to the node; -1 for the first."""
    first_row: np.ndarray
    """(2,) by player, the row of state 0 and sequence 0."""


class Scratch(NamedTuple):
    """Room for a deal; by round and by the sequences that were reached, in the order of finding."""

    counts: np.ndarray
    """(rounds,) int64: sequences that were reached."""
    sequence: np.ndarray
    """(rounds, sequences) int32."""
    origin: np.ndarray
    """(rounds, sequences, 2) int32: the number of the sequence before, and the slot taken there."""
    reached: np.ndarray
    """(rounds, sequences, nodes) int8: 1 if so."""
    chosen: np.ndarray
    """(rounds, sequences, nodes) int32: the slot that the opponent takes."""
    share: np.ndarray
    """(rounds, sequences, slots) float32: probabilities."""
    value: np.ndarray
    """(rounds, sequences, slots) float32: what the player wins, in units."""


@inline_kernel
def _row_of(part: Round, player: int, state: int) -> int:
    """Return the row of a player's state and the first sequence."""
    return int(part.first_row[player]) + int(state) * len(part.before)


@uncounted_kernel
def visit_deals(
    rounds: tuple[Round, ...],
    width: int,
    unit: float,
    regrets: np.ndarray,
    sums: np.ndarray,
    states: np.ndarray,
    results: np.ndarray,
    first_iteration: int,
    stream: np.ndarray,
    scratch: Scratch,
) -> int:
    """Update both players on every deal; return the number of decisions visited.

    ``regrets`` and ``sums`` are float32 rows of all rounds, flat. ``states`` (deals, 2, rounds)
    int32 by seat, ``results`` (deals,) 1 if seat 0 wins the showdown, -1 if it loses. Iteration t
    counts t times, in regrets and in sums alike. ``stream`` (1,) uint64, not 0, is where random
    numbers go on.
    """
    visited = 0
    for deal in range(len(states)):
        weight = np.float32(first_iteration + deal)
        for player in range(2):
            won = np.float32(results[deal] if player == 0 else -results[deal])
            scratch.sequence[0, 0] = 0
            scratch.counts[0] = 1
            for street in range(len(rounds)):
                visited += _follow(
                    rounds,
                    street,
                    player,
                    width,
                    unit,
                    regrets,
                    sums,
                    states[deal],
                    won,
                    weight,
                    stream,
                    scratch,
                )
            for street in range(len(rounds) - 1, -1, -1):
                row = _row_of(rounds[street], player, states[deal, player, street])
                _bring_back(rounds[street], street, player, width, regrets, row, weight, scratch)
    return visited


@uncounted_kernel
def _follow(
    rounds: tuple[Round, ...],
    street: int,
    player: int,
    width: int,
    unit: float,
    regrets: np.ndarray,
    sums: np.ndarray,
    states: np.ndarray,
    won: np.float32,
    weight: np.float32,
    stream: np.ndarray,
    scratch: Scratch,
) -> int:
    """Act in a round after all sequences that reached it; return the decisions visited."""
    part, sequence = rounds[street], scratch.sequence[street]
    reached, chosen = scratch.reached[street], scratch.chosen[street]
    share, value = scratch.share[street], scratch.value[street]
    nodes, sequences = len(part.player), len(part.before)
    is_last = street + 1 == len(rounds)
    next_street = street if is_last else street + 1
    own_row = _row_of(rounds[street], player, states[player, street])
    its_row = _row_of(rounds[street], 1 - player, states[1 - player, street])
    own_later = _row_of(rounds[next_street], player, states[player, next_street])
    its_later = _row_of(rounds[next_street], 1 - player, states[1 - player, next_street])
    bits, chips_unit, zero = stream[0], np.float32(unit), np.float32(0)
    visited = following = 0
    for k in range(scratch.counts[street]):
        s = sequence[k]
        for node in range(nodes):
            reached[k, node] = 0
        reached[k, 0] = 1
        for node in range(nodes):
            if reached[k, node] == 0:
                continue
            visited += 1
            first, last = part.first_slot[node], part.first_slot[node + 1]
            is_own = part.player[node] == player
            at = ((own_row if is_own else its_row) + s) * width
            total = zero
            for slot in range(first, last):
                positive = max(regrets[at + part.place[slot]], zero)
                share[k, slot] = positive
                total += positive
            scale = np.float32(1) / (total if total > 0 else np.float32(last - first))
            for slot in range(first, last):
                share[k, slot] = share[k, slot] * scale if total > 0 else scale
            if not is_own:
                # xorshift64* (Vigna 2016)
                bits ^= bits >> np.uint64(12)
                bits ^= bits << np.uint64(25)
                bits ^= bits >> np.uint64(27)
                drawn = (bits * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(40)
                left = np.float32(drawn) * np.float32(2.0**-24)
                taken = first
                for slot in range(first, last):
                    sums[at + part.place[slot]] += weight * share[k, slot]
                    if left >= 0:
                        taken = slot
                    left -= share[k, slot]
                chosen[k, node] = taken
                first, last = taken, taken + 1
            for slot in range(first, last):
                if part.child[slot] >= 0:
                    reached[k, part.child[slot]] = 1
                elif part.fold_paid[slot] >= 0:
                    lost = np.float32(part.before[s] + part.fold_paid[slot]) / chips_unit
                    value[k, slot] = -lost if is_own else lost
                elif is_last:
                    at_stake = np.float32(part.before[s] + part.end_paid[slot]) / chips_unit
                    value[k, slot] = won * at_stake
                else:
                    to = part.end[slot] * sequences + s
                    prefetch(regrets, (own_later + to) * width)
                    prefetch(regrets, (its_later + to) * width)
                    prefetch(sums, (its_later + to) * width)
                    scratch.sequence[street + 1, following] = to
                    scratch.origin[street + 1, following, 0] = k
                    scratch.origin[street + 1, following, 1] = slot
                    following += 1
    if not is_last:
        scratch.counts[street + 1] = following
    stream[0] = bits
    return visited


@uncounted_kernel
def _bring_back(
    part: Round,
    street: int,
    player: int,
    width: int,
    regrets: np.ndarray,
    row: int,
    weight: np.float32,
    scratch: Scratch,
) -> None:
    """Bring the player's values to the round's start, and add its regrets."""
    sequence, reached = scratch.sequence[street], scratch.reached[street]
    share, value = scratch.share[street], scratch.value[street]
    for k in range(scratch.counts[street]):
        at = (row + sequence[k]) * width
        for node in range(len(part.player) - 1, -1, -1):
            if reached[k, node] == 0:
                continue
            worth = np.float32(0)
            if part.player[node] == player:
                first, last = part.first_slot[node], part.first_slot[node + 1]
                for slot in range(first, last):
                    worth += share[k, slot] * value[k, slot]
                for slot in range(first, last):
                    regrets[at + part.place[slot]] += weight * (value[k, slot] - worth)
            else:
                worth = value[k, scratch.chosen[street, k, node]]
            if node > 0:
                value[k, part.from_slot[node]] = worth
            elif street > 0:
                before, slot = scratch.origin[street, k]
                scratch.value[street - 1, before, slot] = worth
