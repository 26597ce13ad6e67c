"""Vector CFR on the public tree of a heads-up no-limit spot, a board at a time.

`railbird.solve.limit.kernels` has the kernels of heads-up limit, which work on abstractions.

**What is computed.** Both players' holdings are vectors; a pass follows the opponent's reach down
the public tree and brings counterfactual values up it, as Zinkevich, Johanson, Bowling and Piccione
("Regret minimization in games with incomplete information", 2007) define them and Johanson, Waugh,
Bowling and Zinkevich ("Accelerating best response calculation in large extensive games", 2011)
arrange them. Players take turns. Regrets and averages are discounted (Brown and Sandholm, "Solving
imperfect-information games via discounted regret minimization", 2019, with other powers):

    s_a(h)  = max(R_a(h), 0) / sum_b max(R_b(h), 0)          all alike where the sum is zero
    v(h)    = sum_a s_a(h) v_a(h)
    R_a(h) <- R_a(h) * (gain if R_a(h) > 0 else loss) + v_a(h) - v(h)
    S_a(h) <- S_a(h) * keep + s_a(h) * add

The average is S, not weighted by the player's own reach; ``keep`` and ``add`` are such that it
sums to one. Both arrays are of float32 or, in half of the memory, of half-precision numbers,
regrets then in a unit in which none is too large. A schedule may be predictive (Farina, Kroer and
Sandholm, "Faster game solving via predictive Blackwell approachability", 2021): s then comes from R
and, once more, the last gain, which takes a third array.

The gap does not only fall: a decision that is not reached keeps its current strategy, and adds it
to its average all the same. When it is reached again, its average may be far from what it then
should be. Weighting averages by the player's own reach would need another array.

**Three forests.** Which bets follow each other does not depend on the cards, so the betting of a
street is one forest of static arrays (`StreetPlan`), with a root for each way in which the street
before can end. It is walked once for each board: the flop once, the turn for each turn card and,
within each of these, the river for each river card, all of whose lines are done before the next
card is dealt. So what is written is read again while it is in the second cache level. Forests come
in blocks of at most `LINE` roots and some 256 nodes: what a block needs is half a megabyte.

**Rows.** A vector over holdings, padded to whole lines, is a row. The opponent's reach has a row
for each action of the opponent: at the other player's nodes it does not change, so the children
have the row of their parent. Values have a row for each node. On every board the holdings that it
blocks are dropped; on the river they are in order of strength. Padding is zero in all reach and in
all values, which is why it is zeroed wherever lines are turned into rows. A row that is zero
everywhere is not ``live``: what depends on it is worth nothing, and is neither computed nor
written.

**Ends of the hand.** For the reach r of the opponent, M[c] its sum over holdings with card c and
S that over all, A(h) = S - M[c1] - M[c2] is what holding h meets, without r(h), which was
subtracted twice. One walk over the levels of strength, from the weakest, has A before a level's
reach is added and after it; with T, that of the end, what h wins less what it loses is
before + after - T: the terms of the identical holding cancel. The other order, from both ends,
needs two walks. What it meets in all is T + r(h), which is what a fold pays; a fold and a call at
one node see the same reach, and share the walk. Sixteen rows are transposed, so that a line has
one holding of sixteen ends of the hand, and the walk is done with lines: M is 52 of them, in the
first cache level. A walk for each row in turn takes three times as long. Where folded players'
cards count (`railbird.solve.spot.folded`), a pair of holdings has a weight that depends on all four
cards, and every pair of each board is looked at.

**Going to the next street.** Leaves have their reach in lines as well, sixteen leaves to a line, so
that dropping the blocked holdings, ordering the others and adding values up, through a permutation
of suits where one card stands for several, moves lines rather than numbers.

**What must not change**, and what would notice: the order of additions in a pass, which makes the
result independent of the number of threads (tests/solve/spot/test_solution.py); padding that stays
zero (the same file compares all numbers); regrets that are discounted where no reach came, for
else a strategy that is not met would weigh more when it is (tests/twins/test_spot_twins.py).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.cards.kernels import strength_of_key
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_CARDS, HOLDING_KEY, HOLDING_MASK
from railbird.game.kernels import copy
from railbird.solve.simd_kernels import (
    LINE,
    add_line,
    entry,
    larger,
    line_has_any,
    load_line,
    magnitude,
    quotient,
    splat_line,
    store_line,
    transpose,
    where_positive,
)

_Arrays = tuple[np.ndarray, ...]
_Line = Any

UPDATE, BEST, AVERAGE = 0, 1, 2
"""What a pass does: change the player's regrets and averages; its best response to the opponent's
average; its own average against it."""

CARDS = 52 * LINE
"""Numbers in the sums by card."""

ROOTS, NODES, ROWS, DOWN, DOWN_END, ENDS, ENDS_END, UP, UP_END, NODE, ROW = range(11)
"""Columns of ``Plan.blocks``: how many there are; where its parts of the other arrays begin and
end; and its first node and row where all blocks are in one place."""

COUNT, PADDED, FIRST, BASE = range(4)
"""Columns of ``Boards.sizes``: holdings, and with padding; where the board begins in ``order`` and
the like; where its regrets begin."""


class StreetPlan(NamedTuple):
    """The betting on a street as the update of one player sees it. Numbers are of the block."""

    sizes: np.ndarray
    """(4,) int64: nodes and rows of the largest block, and of all."""
    blocks: np.ndarray
    """(blocks, 11) int64."""
    down: np.ndarray
    """(decisions of the opponent, 4) int64: slot, actions, row, first row of its actions."""
    ends: np.ndarray
    """(rows that meet an end, 3) int64: row; node of the fold, and of the showdown, or -1."""
    pays: np.ndarray
    """(the same, 4) float32: for what is met at the fold; for it, for the balance and for ties at
    the showdown."""
    up: np.ndarray
    """(decisions, 7) int64, children first: node, whether it is the player's own, slot, actions,
    first child, row, first row of its actions."""
    leaves: np.ndarray
    """(blocks of the next street, LINE, 2) int64: row and node of each leaf, or -1."""


class Boards(NamedTuple):
    """The boards of a street, and the holdings that each leaves both players."""

    sizes: np.ndarray
    """(boards, 2, 4) int64, by player."""
    order: np.ndarray
    """By player and board: the number of each holding among those of the board before."""
    low: np.ndarray
    high: np.ndarray
    """Where the sums of the holding's cards begin."""
    same: np.ndarray
    """The number of the same holding among the other player's, or of its first line beyond."""
    levels: np.ndarray
    """(levels + 1 for each board, 2) where the levels begin in both players' orders."""
    levels_first: np.ndarray
    """(boards + 1,) int64."""
    children: np.ndarray
    """(boards + 1,) int64: where the boards of the next street begin that follow."""
    members: np.ndarray
    """(boards + 1,) int64: where those begin that the board stands for."""
    targets: np.ndarray
    """(members, 2) int64: where the places of each begin in ``target``, by player."""
    target: np.ndarray
    """The number of each holding, its suits permuted, among those of the board before."""
    pairs: np.ndarray
    """float32, by board: (holdings of one player, of the other) what pairs of holdings count."""
    pairs_first: np.ndarray
    """(boards,) int64: where those of each board begin; -1 where all pairs count one."""


class Room(NamedTuple):
    """Arrays of one thread for one street."""

    reach: np.ndarray
    """Rows of the opponent's reach, then one of zeros and one to be written."""
    live: np.ndarray
    """(rows,) int8."""
    values: np.ndarray
    """Rows of values, then one of zeros and one to be written."""
    met: np.ndarray
    folds: np.ndarray
    shows: np.ndarray
    ties: np.ndarray
    """A line for each holding, and one more: reach; what folds, showdowns and ties are worth."""
    sums: np.ndarray
    """A line for each card."""
    pays: np.ndarray
    """Four lines."""
    places: np.ndarray
    """(4, LINE) int64: where rows begin."""
    before: np.ndarray
    """(blocks of the next street, holdings of the opponent + 1, LINE) reach of the leaves."""
    after: np.ndarray
    """(the same blocks, holdings of the player, LINE) values of the leaves."""
    found: np.ndarray
    """(blocks of this street, holdings of the player, LINE) values of the roots."""


class StepFactors(NamedTuple):
    """The factors of an iteration, float32."""

    gain: float
    loss: float
    keep: float
    add: float
    unit: float
    """What regrets are multiplied with."""
    ahead: float
    """How much of the last gain is expected once more; if any, regrets without it come second."""


# Down: the opponent's reach.


@uncounted_kernel
def follow_actions(
    down: np.ndarray,
    first: int,
    last: int,
    average: bool,
    table: np.ndarray,
    base: int,
    padded: int,
    reach: np.ndarray,
    row0: int,
    live: np.ndarray,
) -> None:
    """Write the reach of the opponent's actions, by regrets or by averages."""
    zero = splat_line(np.float32(0))
    for k in range(first, last):
        slot, actions = entry(down, 4 * k), entry(down, 4 * k + 1)
        row, out = row0 + entry(down, 4 * k + 2), row0 + entry(down, 4 * k + 3)
        for a in range(actions):
            live[out + a] = 0
        if not live[row]:
            continue
        share = splat_line(np.float32(1) / np.float32(actions))
        for h in range(0, padded, LINE):
            at, to = base + slot * padded + h, out * padded + h
            total = zero
            for a in range(actions):
                weight = load_line(table, at + a * padded)
                weight = magnitude(weight) if average else larger(weight, zero)
                total = total + weight
                store_line(reach, to + a * padded, weight)
            entering = load_line(reach, row * padded + h)
            factor = where_positive(total, quotient(entering, total), zero)
            rest = where_positive(total, zero, entering * share)
            for a in range(actions):
                reached = load_line(reach, to + a * padded) * factor + rest
                store_line(reach, to + a * padded, reached)
                if line_has_any(reached):
                    live[out + a] = 1


# Ends of the hand, `LINE` rows at a time.


@uncounted_kernel
def meet_opponent(
    boards: _Arrays,
    player: int,
    own: int,
    opponent: int,
    count: int,
    others: int,
    others_padded: int,
    begin: int,
    end: int,
    has_shows: bool,
    has_ties: bool,
    met: np.ndarray,
    folds: np.ndarray,
    shows: np.ndarray,
    ties: np.ndarray,
    sums: np.ndarray,
    pays: np.ndarray,
) -> None:
    """Find what the ends of `LINE` rows are worth from the reach in ``met``.

    ``own`` and ``opponent`` are where the board begins among the holdings of the player and of the
    opponent, ``begin`` and ``end`` among the levels.
    """
    low, high, same, levels = boards
    zero = splat_line(np.float32(0))
    for offset in range(0, CARDS, LINE):
        store_line(sums, offset, zero)
    store_line(met, others_padded * LINE, zero)
    total = zero
    if not has_shows:
        for j in range(others):
            low_card, high_card = entry(low, opponent + j), entry(high, opponent + j)
            reach = load_line(met, j * LINE)
            total = total + reach
            store_line(sums, low_card, load_line(sums, low_card) + reach)
            store_line(sums, high_card, load_line(sums, high_card) + reach)
    else:
        # One walk over the levels of strength serves all holdings. `total` and the sums by card
        # have the opponent's reach up to here, and taking off both cards leaves what a holding can
        # meet. Before a level is added that is what it beats, after it what it does not lose to.
        for level in range(begin, end):
            mine, theirs = 2 * level + player, 2 * level + 1 - player
            i0, i1 = entry(levels, mine), entry(levels, mine + 2)
            j0, j1 = entry(levels, theirs), entry(levels, theirs + 2)
            for i in range(i0, i1):
                low_card, high_card = entry(low, own + i), entry(high, own + i)
                below = total - load_line(sums, low_card) - load_line(sums, high_card)
                store_line(shows, i * LINE, below)
            for j in range(j0, j1):
                low_card, high_card = entry(low, opponent + j), entry(high, opponent + j)
                reach = load_line(met, j * LINE)
                total = total + reach
                store_line(sums, low_card, load_line(sums, low_card) + reach)
                store_line(sums, high_card, load_line(sums, high_card) + reach)
            for i in range(i0, i1):
                low_card, high_card = entry(low, own + i), entry(high, own + i)
                after = total - load_line(sums, low_card) - load_line(sums, high_card)
                below = load_line(shows, i * LINE)
                store_line(shows, i * LINE, below + after)
                if has_ties:
                    store_line(ties, i * LINE, after - below)
    of_fold, of_all = load_line(pays, 0), load_line(pays, LINE)
    of_balance, of_ties = load_line(pays, 2 * LINE), load_line(pays, 3 * LINE)
    for i in range(count):
        low_card, high_card = entry(low, own + i), entry(high, own + i)
        compatible = total - load_line(sums, low_card) - load_line(sums, high_card)
        # The opponent's own copy of the holding was taken off twice, once for each card.
        identical = load_line(met, entry(same, own + i) * LINE)
        everything = compatible + identical
        store_line(folds, i * LINE, of_fold * everything)
        if has_shows:
            value = of_balance * (load_line(shows, i * LINE) - compatible) + of_all * everything
            if has_ties:
                value = value + of_ties * (load_line(ties, i * LINE) + identical)
            store_line(shows, i * LINE, value)


@uncounted_kernel
def weighed_lines(
    weights: np.ndarray, at: int, step: int, met: np.ndarray, first: int, last: int
) -> _Line:
    """Add up lines ``first`` to ``last`` of ``met``, weighted; four sums keep the adders busy."""
    zero = splat_line(np.float32(0))
    sum0, sum1, sum2, sum3 = zero, zero, zero, zero
    j = first
    while j + 4 <= last:
        offset = at + j * step
        sum0 = sum0 + splat_line(weights[offset]) * load_line(met, j * LINE)
        sum1 = sum1 + splat_line(weights[offset + step]) * load_line(met, (j + 1) * LINE)
        sum2 = sum2 + splat_line(weights[offset + 2 * step]) * load_line(met, (j + 2) * LINE)
        sum3 = sum3 + splat_line(weights[offset + 3 * step]) * load_line(met, (j + 3) * LINE)
        j += 4
    while j < last:
        sum0 = sum0 + splat_line(weights[at + j * step]) * load_line(met, j * LINE)
        j += 1
    return (sum0 + sum1) + (sum2 + sum3)


@uncounted_kernel
def meet_pairs(
    boards: _Arrays,
    player: int,
    count: int,
    others: int,
    begin: int,
    end: int,
    weights: np.ndarray,
    weights_at: int,
    has_shows: bool,
    has_ties: bool,
    met: np.ndarray,
    folds: np.ndarray,
    shows: np.ndarray,
    ties: np.ndarray,
    pays: np.ndarray,
) -> None:
    """Do what `meet_opponent` does where pairs of holdings have weights of their own.

    They depend on both holdings' cards together, so every pair is looked at. Weights are zero where
    a card is shared.
    """
    levels = boards[3]
    of_fold, of_all = load_line(pays, 0), load_line(pays, LINE)
    of_balance, of_ties = load_line(pays, 2 * LINE), load_line(pays, 3 * LINE)
    across, down = (others, 1) if player == 0 else (1, count)
    last = end if has_shows else begin + 1
    for level in range(begin, last):
        i0, i1, j0, j1 = 0, count, 0, 0
        if has_shows:
            mine, theirs = 2 * level + player, 2 * level + 1 - player
            i0, i1 = entry(levels, mine), entry(levels, mine + 2)
            j0, j1 = entry(levels, theirs), entry(levels, theirs + 2)
        for i in range(i0, i1):
            at = weights_at + i * across
            below = weighed_lines(weights, at, down, met, 0, j0)
            tied = weighed_lines(weights, at, down, met, j0, j1)
            above = weighed_lines(weights, at, down, met, j1, others)
            everything = below + tied + above
            store_line(folds, i * LINE, of_fold * everything)
            if has_shows:
                value = of_balance * (below - above) + of_all * everything
                if has_ties:
                    value = value + of_ties * tied
                store_line(shows, i * LINE, value)


@uncounted_kernel
def settle_ends(
    ends: np.ndarray,
    end_pays: np.ndarray,
    first: int,
    last: int,
    boards: _Arrays,
    player: int,
    own: int,
    opponent: int,
    count: int,
    padded: int,
    others: int,
    others_padded: int,
    begin: int,
    end: int,
    weights: np.ndarray,
    weights_at: int,
    has_ties: bool,
    reach: np.ndarray,
    row0: int,
    live: np.ndarray,
    values: np.ndarray,
    node0: int,
    spare: int,
    arrays: _Arrays,
    places: np.ndarray,
) -> None:
    """Write the values of all ends of a block; ``spare`` is the row that nobody reads."""
    met, folds, shows, ties, sums, pays = arrays
    zero = splat_line(np.float32(0))
    rows, to_fold, to_show, lines = places[0], places[1], places[2], places[3]
    lane, some_folds, some_shows = 0, False, False
    for k in range(first, last):
        row = row0 + entry(ends, 3 * k)
        if live[row]:
            fold, show = entry(ends, 3 * k + 1), entry(ends, 3 * k + 2)
            rows[lane] = row * others_padded
            to_fold[lane] = (node0 + fold if fold >= 0 else spare) * padded
            to_show[lane] = (node0 + show if show >= 0 else spare) * padded
            some_folds |= fold >= 0
            some_shows |= show >= 0
            for column in range(4):
                pays[column * LINE + lane] = end_pays[k, column]
            lane += 1
        # Ends are collected until they fill a line, so that one walk over the holdings serves
        # `LINE` of them.
        if lane == 0 or (lane < LINE and k + 1 < last):
            continue
        for rest in range(lane, LINE):
            rows[rest], to_fold[rest], to_show[rest] = rows[0], spare * padded, spare * padded
        for h in range(0, others_padded, LINE):
            transpose(reach, rows, h, met, lines, h * LINE)
        if weights_at < 0:
            meet_opponent(
                boards,
                player,
                own,
                opponent,
                count,
                others,
                others_padded,
                begin,
                end,
                some_shows,
                has_ties,
                met,
                folds,
                shows,
                ties,
                sums,
                pays,
            )
        else:
            meet_pairs(
                boards,
                player,
                count,
                others,
                begin,
                end,
                weights,
                weights_at,
                some_shows,
                has_ties,
                met,
                folds,
                shows,
                ties,
                pays,
            )
        for i in range(count, padded):
            store_line(folds, i * LINE, zero)
            store_line(shows, i * LINE, zero)
        for h in range(0, padded, LINE):
            if some_folds:
                transpose(folds, lines, h * LINE, values, to_fold, h)
            if some_shows:
                transpose(shows, lines, h * LINE, values, to_show, h)
        lane, some_folds, some_shows = 0, False, False


# Up: the player's values.


@uncounted_kernel
def rise(
    up: np.ndarray,
    first: int,
    last: int,
    mode: int,
    regrets: np.ndarray,
    averages: np.ndarray,
    base: int,
    padded: int,
    values: np.ndarray,
    node0: int,
    live: np.ndarray,
    row0: int,
    gain: float,
    loss: float,
    keep: float,
    add: float,
    unit: float,
    ahead: float,
) -> None:
    """Bring values from children to parents; when updating, change regrets and averages.

    Where an average is negative its holding is locked at that node: it keeps its mix, has no regret
    and no choice in a best response.
    """
    zero, least = splat_line(np.float32(0)), splat_line(np.float32(-3e38))
    minus = zero - splat_line(np.float32(1))
    less, retained = splat_line(np.float32(loss)), splat_line(np.float32(keep))
    counted, scale = splat_line(np.float32(add)), splat_line(np.float32(unit))
    again, second = splat_line(np.float32(ahead)), len(regrets) // 2 if ahead != 0 else 0
    # Positive regrets are kept by `gain` and negative ones by `loss`, without a branch: all by
    # `loss`, and the positive ones by the difference as well.
    more = splat_line(np.float32(gain) - np.float32(loss))
    ones = splat_line(np.float32(1))
    for k in range(first, last):
        at = 7 * k
        node, is_own, slot = entry(up, at), entry(up, at + 1), entry(up, at + 2)
        actions, child = entry(up, at + 3), (node0 + entry(up, at + 4)) * padded
        row, acted = row0 + entry(up, at + 5), row0 + entry(up, at + 6)
        out, table = (node0 + node) * padded, base + slot * padded
        is_live = live[row] != 0
        # The values contain the opponent's reach, so its actions are added and not averaged.
        if not is_own:
            if is_live:
                for h in range(0, padded, LINE):
                    store_line(values, out + h, zero)
                for a in range(actions):
                    if live[acted + a]:
                        come = child + a * padded
                        for h in range(0, padded, LINE):
                            summed = load_line(values, out + h) + load_line(values, come + h)
                            store_line(values, out + h, summed)
        elif mode == UPDATE:
            share = splat_line(np.float32(1) / np.float32(actions))
            for h in range(0, padded, LINE):
                total = zero
                for a in range(actions):
                    regret = load_line(regrets, table + a * padded + h)
                    total = total + larger(regret, zero)
                factor = where_positive(total, quotient(ones, total), zero)
                rest = where_positive(total, zero, share)
                value, lock = zero, zero
                if is_live:
                    for a in range(actions):
                        regret = load_line(regrets, table + a * padded + h)
                        chance = larger(regret, zero) * factor + rest
                        value = value + chance * load_line(values, child + a * padded + h)
                    store_line(values, out + h, value)
                for a in range(actions):
                    lock = lock + load_line(averages, table + a * padded + h)
                lock = minus * lock
                is_locked = line_has_any(larger(lock, zero))
                for a in range(actions):
                    cell = table + a * padded + h
                    regret, average = load_line(regrets, cell), load_line(averages, cell)
                    positive = larger(regret, zero)
                    chance = positive * factor + rest
                    # With `ahead` there are two tables. The second has the regrets proper; the
                    # first, which strategies come from, has them with the last change counted again
                    # as a forecast of the next.
                    previous = regret
                    if second:
                        previous = load_line(regrets, second + cell)
                        positive = larger(previous, zero)
                    changed = previous * less + positive * more
                    if is_live:
                        better = load_line(values, child + a * padded + h) - value
                        changed = changed + better * scale
                        if second:
                            store_line(regrets, second + cell, changed)
                            changed = larger(changed, zero) + better * scale * again
                    elif second:
                        store_line(regrets, second + cell, changed)
                    added = average * retained + chance * counted
                    # A line has many holdings, of which only some may be locked.
                    if is_locked:
                        changed = where_positive(lock, regret, changed)
                        added = where_positive(lock, average, added)
                    store_line(regrets, cell, changed)
                    store_line(averages, cell, added)
        elif is_live:
            share = splat_line(np.float32(1) / np.float32(actions))
            for h in range(0, padded, LINE):
                total, value, best, lock = zero, zero, least, zero
                for a in range(actions):
                    average = load_line(averages, table + a * padded + h)
                    total, lock = total + magnitude(average), lock - average
                factor = where_positive(total, quotient(ones, total), zero)
                rest = where_positive(total, zero, share)
                for a in range(actions):
                    average = load_line(averages, table + a * padded + h)
                    child_value = load_line(values, child + a * padded + h)
                    value = value + (magnitude(average) * factor + rest) * child_value
                    best = larger(best, child_value)
                if mode == BEST:
                    value = where_positive(lock, value, best)
                store_line(values, out + h, value)


# Boards.


@uncounted_kernel
def enter_block(
    block: int,
    roots: int,
    row0: int,
    order: np.ndarray,
    first: int,
    count: int,
    padded: int,
    parent_lines: np.ndarray,
    stride: int,
    met: np.ndarray,
    reach: np.ndarray,
    spare: int,
    live: np.ndarray,
    places: np.ndarray,
) -> None:
    """Write the reach of a block's roots, from lines of the board before."""
    zero = splat_line(np.float32(0))
    for j in range(count):
        offset = (block * stride + entry(order, first + j)) * LINE
        store_line(met, j * LINE, load_line(parent_lines, offset))
    for j in range(count, padded):
        store_line(met, j * LINE, zero)
    rows, lines = places[0], places[3]
    for lane in range(LINE):
        rows[lane] = (row0 + lane if lane < roots else spare) * padded
    for h in range(0, padded, LINE):
        transpose(met, lines, h * LINE, reach, rows, h)
    for lane in range(roots):
        live[row0 + lane] = 0
        for h in range(0, padded, LINE):
            if line_has_any(load_line(reach, rows[lane] + h)):
                live[row0 + lane] = 1
                break


@uncounted_kernel
def leave_block(
    block: int,
    roots: int,
    row0: int,
    node0: int,
    count: int,
    padded: int,
    weight: float,
    live: np.ndarray,
    values: np.ndarray,
    nothing: int,
    folds: np.ndarray,
    out: np.ndarray,
    stride: int,
    places: np.ndarray,
) -> None:
    """Write the values of a block's roots into lines of ``out``, times ``weight``."""
    rows, lines = places[0], places[3]
    factor = splat_line(np.float32(weight))
    for lane in range(LINE):
        known = lane < roots and live[row0 + lane] != 0
        rows[lane] = (node0 + lane if known else nothing) * padded
    for h in range(0, padded, LINE):
        transpose(values, rows, h, folds, lines, h * LINE)
    for i in range(count):
        offset = (block * stride + i) * LINE
        store_line(out, offset, factor * load_line(folds, i * LINE))


@kernel
def river(
    plan: StreetPlan,
    boards: Boards,
    board: int,
    only: int,
    player: int,
    mode: int,
    has_ties: bool,
    regrets: np.ndarray,
    averages: np.ndarray,
    step: StepFactors,
    parent_lines: np.ndarray,
    stride: int,
    weight: float,
    room: Room,
) -> None:
    """Do all lines of a river board, or those of block ``only``; values go to ``room.found``."""
    own, others = boards.sizes[board, player], boards.sizes[board, 1 - player]
    count, padded, first, base = own[COUNT], own[PADDED], own[FIRST], own[BASE]
    number, width, from_, others_base = others[COUNT], others[PADDED], others[FIRST], others[BASE]
    nodes, rows = plan.sizes[0], plan.sizes[1]
    cards = boards.low, boards.high, boards.same, boards.levels
    arrays = room.met, room.folds, room.shows, room.ties, room.sums, room.pays
    begin, end = boards.levels_first[board], boards.levels_first[board + 1] - 1
    out = len(room.found) // (LINE * len(plan.blocks))
    for block in range(len(plan.blocks)):
        if only >= 0 and block != only:
            continue
        layout = plan.blocks[block]
        enter_block(
            block,
            layout[ROOTS],
            0,
            boards.order,
            from_,
            number,
            width,
            parent_lines,
            stride,
            room.met,
            room.reach,
            rows + 1,
            room.live,
            room.places,
        )
        follow_actions(
            plan.down,
            layout[DOWN],
            layout[DOWN_END],
            mode != UPDATE,
            averages if mode != UPDATE else regrets,
            others_base,
            width,
            room.reach,
            0,
            room.live,
        )
        settle_ends(
            plan.ends,
            plan.pays,
            layout[ENDS],
            layout[ENDS_END],
            cards,
            player,
            first,
            from_,
            count,
            padded,
            number,
            width,
            begin,
            end,
            boards.pairs,
            boards.pairs_first[board],
            has_ties,
            room.reach,
            0,
            room.live,
            room.values,
            0,
            nodes + 1,
            arrays,
            room.places,
        )
        rise(
            plan.up,
            layout[UP],
            layout[UP_END],
            mode,
            regrets,
            averages,
            base,
            padded,
            room.values,
            0,
            room.live,
            0,
            step.gain,
            step.loss,
            step.keep,
            step.add,
            step.unit,
            step.ahead,
        )
        room.values[nodes * padded : (nodes + 1) * padded] = 0
        leave_block(
            block,
            layout[ROOTS],
            0,
            0,
            count,
            padded,
            weight,
            room.live,
            room.values,
            nodes,
            room.folds,
            room.found,
            out,
            room.places,
        )


@kernel
def descend(
    plan: StreetPlan,
    boards: Boards,
    board: int,
    player: int,
    mode: int,
    regrets: np.ndarray,
    averages: np.ndarray,
    parent_lines: np.ndarray,
    stride: int,
    room: Room,
) -> None:
    """Follow the opponent through a street, from lines of the one before to lines of its leaves."""
    others = boards.sizes[board, 1 - player]
    number, width, base = others[COUNT], others[PADDED], others[BASE]
    rows = plan.sizes[3]
    for block in range(len(plan.blocks)):
        layout = plan.blocks[block]
        enter_block(
            block,
            layout[ROOTS],
            layout[ROW],
            boards.order,
            others[FIRST],
            number,
            width,
            parent_lines,
            stride,
            room.met,
            room.reach,
            rows + 1,
            room.live,
            room.places,
        )
        follow_actions(
            plan.down,
            layout[DOWN],
            layout[DOWN_END],
            mode != UPDATE,
            averages if mode != UPDATE else regrets,
            base,
            width,
            room.reach,
            layout[ROW],
            room.live,
        )
    room.reach[rows * width : (rows + 1) * width] = 0
    places, lines = room.places[0], room.places[3]
    leaf_stride = len(room.before) // (LINE * max(1, len(plan.leaves)))
    for block in range(len(plan.leaves)):
        for lane in range(LINE):
            row = plan.leaves[block, lane, 0]
            known = row >= 0 and room.live[row] != 0
            places[lane] = (row if known else rows) * width
        for h in range(0, width, LINE):
            transpose(room.reach, places, h, room.before, lines, (block * leaf_stride + h) * LINE)


@kernel
def ascend(
    plan: StreetPlan,
    boards: Boards,
    board: int,
    player: int,
    mode: int,
    has_ties: bool,
    regrets: np.ndarray,
    averages: np.ndarray,
    step: StepFactors,
    room: Room,
) -> None:
    """Bring values from ``room.after``, those of a street's leaves, to its roots."""
    own, others = boards.sizes[board, player], boards.sizes[board, 1 - player]
    count, padded, base = own[COUNT], own[PADDED], own[BASE]
    nodes = plan.sizes[2]
    places, lines = room.places[0], room.places[3]
    arrays = room.met, room.folds, room.shows, room.ties, room.sums, room.pays
    cards = boards.low, boards.high, boards.same, boards.levels
    stride = len(room.after) // (LINE * max(1, len(plan.leaves)))
    begin, end = boards.levels_first[board], boards.levels_first[board + 1] - 1
    for block in range(len(plan.leaves)):
        for lane in range(LINE):
            node = plan.leaves[block, lane, 1]
            places[lane] = (node if node >= 0 else nodes + 1) * padded
        for h in range(0, padded, LINE):
            transpose(room.after, lines, (block * stride + h) * LINE, room.values, places, h)
    for layout in plan.blocks:
        settle_ends(
            plan.ends,
            plan.pays,
            layout[ENDS],
            layout[ENDS_END],
            cards,
            player,
            own[FIRST],
            others[FIRST],
            count,
            padded,
            others[COUNT],
            others[PADDED],
            begin,
            end,
            boards.pairs,
            boards.pairs_first[board],
            has_ties,
            room.reach,
            layout[ROW],
            room.live,
            room.values,
            layout[NODE],
            nodes + 1,
            arrays,
            room.places,
        )
        rise(
            plan.up,
            layout[UP],
            layout[UP_END],
            mode,
            regrets,
            averages,
            base,
            padded,
            room.values,
            layout[NODE],
            room.live,
            layout[ROW],
            step.gain,
            step.loss,
            step.keep,
            step.add,
            step.unit,
            step.ahead,
        )


@kernel
def rivers(
    plan: StreetPlan,
    boards: Boards,
    first: int,
    last: int,
    player: int,
    mode: int,
    has_ties: bool,
    regrets: np.ndarray,
    averages: np.ndarray,
    step: StepFactors,
    parent_lines: np.ndarray,
    stride: int,
    weight: float,
    room: Room,
    start: int,
    out: np.ndarray,
) -> None:
    """Do river boards ``first`` to ``last``, each into a row of ``out``, of board ``start`` on."""
    for board in range(first, last):
        river(
            plan,
            boards,
            board,
            -1,
            player,
            mode,
            has_ties,
            regrets,
            averages,
            step,
            parent_lines,
            stride,
            weight,
            room,
        )
        copy(room.found, out[board - start], len(room.found))


@uncounted_kernel
def add_members(
    boards: Boards,
    board: int,
    player: int,
    blocks: int,
    board_values: np.ndarray,
    found_stride: int,
    after: np.ndarray,
    stride: int,
) -> None:
    """Add a board's values, and those of the boards that it stands for, to the board before."""
    count = boards.sizes[board, player, COUNT]
    for member in range(boards.members[board], boards.members[board + 1]):
        first = boards.targets[member, player]
        for block in range(blocks):
            for i in range(count):
                offset = (block * stride + entry(boards.target, first + i)) * LINE
                value = load_line(board_values, (block * found_stride + i) * LINE)
                store_line(after, offset, load_line(after, offset) + value)


@kernel
def leave_all(
    plan: StreetPlan, boards: Boards, board: int, player: int, weight: float, room: Room
) -> None:
    """Write the values of all roots of a street into lines of ``room.found``, times ``weight``."""
    own, blocks, nodes = boards.sizes[board, player], len(plan.blocks), plan.sizes[2]
    stride = len(room.found) // (LINE * blocks)
    room.values[nodes * own[PADDED] : (nodes + 1) * own[PADDED]] = 0
    for block in range(blocks):
        part = plan.blocks[block]
        leave_block(
            block,
            part[ROOTS],
            part[ROW],
            part[NODE],
            own[COUNT],
            own[PADDED],
            weight,
            room.live,
            room.values,
            nodes,
            room.folds,
            room.found,
            stride,
            room.places,
        )


@kernel
def turns(
    plans: tuple[StreetPlan, StreetPlan],
    streets: tuple[Boards, Boards],
    first: int,
    last: int,
    player: int,
    mode: int,
    has_ties: bool,
    regrets: np.ndarray,
    averages: np.ndarray,
    step: StepFactors,
    parent_lines: np.ndarray,
    stride: int,
    weight: float,
    river_weight: float,
    rooms: tuple[Room, Room],
    start: int,
    out: np.ndarray,
) -> None:
    """Do turn boards ``first`` to ``last``, with all their rivers; see `rivers`."""
    plan, boards, room, later = plans[0], streets[0], rooms[0], len(plans[0].leaves)
    before_stride = len(room.before) // (LINE * later)
    after_stride = len(room.after) // (LINE * later)
    river_stride = len(rooms[1].found) // (LINE * later)
    for board in range(first, last):
        descend(plan, boards, board, player, mode, regrets, averages, parent_lines, stride, room)
        room.after[:] = 0
        for child in range(boards.children[board], boards.children[board + 1]):
            river(
                plans[1],
                streets[1],
                child,
                -1,
                player,
                mode,
                has_ties,
                regrets,
                averages,
                step,
                room.before,
                before_stride,
                river_weight,
                rooms[1],
            )
            add_members(
                streets[1],
                child,
                player,
                later,
                rooms[1].found,
                river_stride,
                room.after,
                after_stride,
            )
        ascend(plan, boards, board, player, mode, has_ties, regrets, averages, step, room)
        leave_all(plan, boards, board, player, weight, room)
        copy(room.found, out[board - start], len(room.found))


@kernel
def gather(
    boards: Boards,
    first: int,
    last: int,
    player: int,
    blocks: int,
    out: np.ndarray,
    sums: np.ndarray,
    after: np.ndarray,
    anew: bool,
) -> None:
    """Add up, in order and in float64, what `turns` or `rivers` found of boards from ``first`` on.

    ``after`` has the sums so far; with ``anew`` they begin here.
    """
    stride, found_stride = len(after) // blocks, out.shape[1] // blocks
    if anew:
        sums[:] = 0
    for board in range(first, last):
        count, board_values = boards.sizes[board, player, COUNT], out[board - first]
        for member in range(boards.members[board], boards.members[board + 1]):
            target = boards.targets[member, player]
            for block in range(blocks):
                for i in range(count):
                    offset = block * stride + entry(boards.target, target + i) * LINE
                    add_line(sums, offset, load_line(board_values, block * found_stride + i * LINE))
    copy(sums, after, len(after))


@kernel
def iterate_river(
    plans: tuple[StreetPlan, StreetPlan],
    boards: Boards,
    first: int,
    factors: np.ndarray,
    has_ties: bool,
    regrets: np.ndarray,
    averages: np.ndarray,
    ranges: tuple[np.ndarray, np.ndarray],
    rooms: tuple[Room, Room],
) -> None:
    """Do iterations where all cards are known: ``factors`` has a row of `StepFactors` for each.

    The calls of Python would take as long as the work.
    """
    for number in range(len(factors)):
        step = StepFactors(
            factors[number, 0],
            factors[number, 1],
            factors[number, 2],
            factors[number, 3],
            factors[number, 4],
            factors[number, 5],
        )
        for player in range(2):
            river(
                plans[player],
                boards,
                0,
                -1,
                player,
                UPDATE,
                has_ties,
                regrets,
                averages,
                step,
                ranges[1 - player],
                len(ranges[1 - player]) // LINE,
                1.0,
                rooms[player],
            )


# The holdings on a board.


@kernel
def live_holdings(
    cards: np.ndarray,
    held: np.ndarray,
    by_strength: bool,
    order: np.ndarray,
    strength: np.ndarray,
) -> int:
    """Find which of ``held`` a board leaves: fill ``order`` and ``strength``, return how many.

    On a whole board they are in order of strength, else as they were.
    """
    key, mask = np.uint64(0), np.uint64(0)
    for card in cards:
        key += CARD_KEY[card]
        mask |= CARD_MASK[card]
    count = 0
    for k in range(len(held)):
        holding = held[k]
        if HOLDING_MASK[holding] & mask:
            continue
        level = np.int64(0)
        if by_strength:
            level = np.int64(
                strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
            )
        place = count
        while place > 0 and strength[place - 1] > level:
            strength[place], order[place] = strength[place - 1], order[place - 1]
            place -= 1
        strength[place], order[place] = level, k
        count += 1
    return count


@kernel
def place_holdings(
    held: np.ndarray,
    order: np.ndarray,
    count: int,
    other_number: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    same: np.ndarray,
    at: int,
    members: np.ndarray,
    parent_number: np.ndarray,
    target: np.ndarray,
    target_at: int,
) -> None:
    """Fill the tables of a board for one player.

    ``other_number`` (1326,) numbers the other player's holdings on this board, ``parent_number``
    (1326,) the player's own on the board before. ``members`` (members, 1326) permutes holdings.
    """
    for i in range(count):
        holding = held[order[i]]
        low[at + i] = HOLDING_CARDS[holding, 0] * LINE
        high[at + i] = HOLDING_CARDS[holding, 1] * LINE
        same[at + i] = other_number[holding]
        for member in range(len(members)):
            target[target_at + member * count + i] = parent_number[members[member, holding]]
