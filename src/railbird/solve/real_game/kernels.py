"""Kernels of heads-up limit's real game: board matches, card-blind opponents, the public tree.

`river_kernels` has those of the river.
"""

# The real game is heads-up limit hold'em with all its cards, in which strategies made for an
# abstraction are judged: by what a best response wins from them, and by what they win from each
# other. The sources are Johanson, Waugh, Bowling and Zinkevich, "Accelerating best response
# calculation in large extensive games" (2011); `public_tree` has the algorithm, `river_kernels` the
# river, where nearly all of its time goes. Here are four smaller parts:
#
# - `fill_rows`: the baseline as a strategy, by ranks between thresholds;
# - two strategies against each other on one board (`play_board`), forwards alone;
# - means over the next card, against opponents who do not look at their cards: what one wins from
#   them depends on one's own holding and the betting alone (`mean_over_rivers`, `mean_over_turns`);
# - the streets before the river for the public tree (`reach_street`, `add_street_values`), of which
#   AIVAT uses `reach_leaves` and `meet_others` as well, and `fill_won`, a river's showdown for
#   AIVAT alone.
#
# What all have in common is the sum over pairs of holdings without a common card, by inclusion and
# exclusion: everything, less what has my first card, less what has my second, plus my own holding,
# which was taken off twice. In a showdown the same is done level by level. A holding never beats
# itself, so nothing is added there.
#
# Parts that look alike and must not be joined: `_show_down` here sums what is won over all
# holdings, since only the total of a board is asked for; `_show_down` of the sampling kernels keeps
# it by holding and bucket; `fill_won` keeps it by holding, for one player, in plain loops.
#
# Who would notice: tests/solve/real_game/test_best_response.py walks small decks in full
# (tests/twins/slow_best_response.py), compares both ways on a flop, and has published values by
# seat.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.baseline.kernels import flop_ehr, turn_ehr
from railbird.cards.isomorphism_kernels import COLUMN, HOLDING_UNDER, index_of_4, index_of_5
from railbird.cards.tables import HOLDING_CARDS, HOLDING_MASK
from railbird.odds.rank_kernels import mask_of
from railbird.solve.limit.sampling_kernels import (
    ALL,
    BLOCK,
    GROUP,
    SUMS,
    DealtHoldings,
    clear_rows,
    forwards,
    halve_sums,
    load_part,
    sum_by_card,
)
from railbird.solve.simd_kernels import HALF, WIDTH, has_any, in_half, load, splat, store


@kernel
def fill_rows(
    board: np.ndarray,
    start: int,
    columns: np.ndarray,
    ihr: np.ndarray,
    hr7: np.ndarray,
    bettable: int,
    cuts: np.ndarray,
    rows: np.ndarray,
) -> None:
    """Fill ``rows`` (1326,) with the number of ``cuts``, ascending, that a holding's rank reaches.

    ``ihr`` and ``hr7`` are the street's tables, the same twice on the river; ``start`` and
    ``columns`` (1326,) are where the board's entries stand.
    """
    used = mask_of(board)
    for holding in range(1326):
        if HOLDING_MASK[holding] & used != 0:
            rows[holding] = 0
            continue
        place = start + columns[holding]
        rank = np.int64(ihr[place])
        if len(board) == 3:
            rank = flop_ehr(ihr[place], np.int64(hr7[place]), bettable)
        elif len(board) == 4:
            rank = turn_ehr(ihr[place], np.int64(hr7[place]), bettable)
        rows[holding] = np.searchsorted(cuts, rank, side="right")


# Two strategies against each other on one board: what one of them wins in both seats.
#
# Halves of a vector are seats here: of one's own strategy in the first it has seat 0, in the second
# seat 1, and of the opponent's the other. All pairs of holdings and all betting count, so both
# reach every end of the betting forwards, and what is won there is added up at once.


class StreetSide(NamedTuple):
    """What one player does on one street of a board."""

    part: tuple[np.ndarray, ...]
    """The betting, `round_arrays`."""
    bounds: np.ndarray
    """(chunks + 1,) int64: the sequences with which chunks begin."""
    bucket: np.ndarray
    """(holdings,) int32: the place of each holding's row in ``member``."""
    member: np.ndarray
    """(rows here,) int32: the rows that occur."""
    table: np.ndarray
    """(rows, lanes) float32: probabilities."""
    reach: np.ndarray
    """(chunks, holdings, `WIDTH`) float32: at the start of the street; 0 beyond a chunk's end."""
    leaf: np.ndarray
    """(rows here, leaves, `WIDTH`) float32: reach of folds, then ends, from the street's start."""


class StreetScratch(NamedTuple):
    """Memory for a chunk of a street."""

    path: np.ndarray
    """(nodes, `WIDTH`) float32: the reach of a node."""
    some: np.ndarray
    """(`WIDTH`,) float32: for vectors that are not whole."""
    met: np.ndarray
    """(holdings of a level, `WIDTH`) float32."""
    by_card: np.ndarray
    """(`GROUP`, 53, `WIDTH`) float32: sums of the reach of leaves by card, and over all."""
    found: np.ndarray
    """(leaves, `WIDTH`) float32: what is won for each chip at stake."""


@uncounted_kernel
def _prepare(side: StreetSide, chunk: int, first_seat: int, scratch: StreetScratch) -> None:
    """Fill the reach of leaves of who has ``first_seat`` in the first half."""
    player_of, first_slot, child = side.part[1], side.part[2], side.part[5]
    fold_of, end_of, folds = side.part[8], side.part[9], len(side.part[6])
    sequences, leaves, begin = len(side.part[0]), side.leaf.shape[1], side.bounds[chunk]
    count, path, ones = side.bounds[chunk + 1] - begin, scratch.path, splat(np.float32(1))
    store(path, 0, ones)
    for b in range(len(side.member)):
        for node in range(len(player_of)):
            here, half = load(path, node * WIDTH), player_of[node] ^ first_seat
            for slot in range(first_slot[node], first_slot[node + 1]):
                lane = slot * sequences + begin
                share = load_part(side.table, int(side.member[b]), lane, count, scratch.some)
                reached = here * in_half(half, share, ones)
                if child[slot] >= 0:
                    store(path, child[slot] * WIDTH, reached)
                else:
                    to = fold_of[slot] if fold_of[slot] >= 0 else folds + end_of[slot]
                    store(side.leaf, (b * leaves + to) * WIDTH, reached)


@uncounted_kernel
def _is_reached(side: StreetSide, chunk: int) -> bool:
    """Tell whether any holding reaches a chunk."""
    holdings, total = len(side.bucket), splat(np.float32(0))
    for i in range(holdings):
        total = total + load(side.reach, (chunk * holdings + i) * WIDTH)
    any_reach: bool = has_any(total)
    return any_reach


@uncounted_kernel
def _fold(
    own: StreetSide,
    opponent: StreetSide,
    chunk: int,
    leaf: int,
    count: int,
    deal: DealtHoldings,
    scratch: StreetScratch,
) -> None:
    """Fill how often both come to some folds."""
    sums, wins = scratch.by_card, scratch.found
    holdings, leaves = len(own.bucket), own.leaf.shape[1]
    sum_by_card(opponent, chunk, leaf, count, deal, sums)
    for begin in range(0, holdings, BLOCK):
        for k in range(count):
            offset = k * SUMS * WIDTH
            total, won = load(sums, offset + ALL), load(wins, (leaf + k) * WIDTH)
            for i in range(begin, min(begin + BLOCK, holdings)):
                row = (chunk * holdings + i) * WIDTH
                mine = load(own.leaf, (own.bucket[i] * leaves + leaf + k) * WIDTH)
                its = load(opponent.leaf, (opponent.bucket[i] * leaves + leaf + k) * WIDTH)
                others = (
                    total - load(sums, offset + deal.low[i]) - load(sums, offset + deal.high[i])
                )
                met = others + load(opponent.reach, row) * its
                won = won + load(own.reach, row) * mine * met
            store(wins, (leaf + k) * WIDTH, won)


@uncounted_kernel
def _show_down(
    own: StreetSide,
    opponent: StreetSide,
    chunk: int,
    leaf: int,
    count: int,
    deal: DealtHoldings,
    scratch: StreetScratch,
) -> None:
    """Fill how much more often than not some showdowns are won."""
    low, high, met = deal.low, deal.high, scratch.met
    sums, wins = scratch.by_card, scratch.found
    holdings, leaves = len(own.bucket), own.leaf.shape[1]
    first = chunk * holdings * WIDTH
    sum_by_card(opponent, chunk, leaf, count, deal, sums)
    halve_sums(sums, count)
    for level in range(len(deal.begin) - 1):
        begin, stop = deal.begin[level], deal.begin[level + 1]
        for k in range(count):
            offset = k * SUMS * WIDTH
            total, won = load(sums, offset + ALL), load(wins, (leaf + k) * WIDTH)
            for i in range(begin, stop):
                less = total - load(sums, offset + low[i]) - load(sums, offset + high[i])
                store(met, (i - begin) * WIDTH, less)
            for i in range(begin, stop):
                a, c = offset + low[i], offset + high[i]
                at = (opponent.bucket[i] * leaves + leaf + k) * WIDTH
                its = load(opponent.reach, first + i * WIDTH) * load(opponent.leaf, at)
                total = total + its
                store(sums, a, load(sums, a) + its)
                store(sums, c, load(sums, c) + its)
            store(sums, offset + ALL, total)
            for i in range(begin, stop):
                mine = load(own.leaf, (own.bucket[i] * leaves + leaf + k) * WIDTH)
                more = total - load(sums, offset + low[i]) - load(sums, offset + high[i])
                beaten = load(met, (i - begin) * WIDTH) + more
                won = won + load(own.reach, first + i * WIDTH) * mine * beaten
            store(wins, (leaf + k) * WIDTH, won)


@uncounted_kernel
def _settle(
    own: StreetSide,
    opponent: StreetSide,
    chunk: int,
    is_last: bool,
    deal: DealtHoldings,
    scratch: StreetScratch,
    won: np.ndarray,
) -> None:
    """Add what is won in a chunk to ``won`` (2,) float64, in chips, by the own seat."""
    chips, player_of, node_of = own.part[0], own.part[1], own.part[4]
    fold_paid, end_paid, fold_of = own.part[6], own.part[7], own.part[8]
    folds, leaves, begin = len(fold_paid), own.leaf.shape[1], own.bounds[chunk]
    count, wins = own.bounds[chunk + 1] - begin, scratch.found
    clear_rows(wins, leaves)
    for leaf in range(0, folds, GROUP):
        _fold(own, opponent, chunk, leaf, min(GROUP, folds - leaf), deal, scratch)
    for leaf in range(folds, leaves if is_last else folds, GROUP):
        _show_down(own, opponent, chunk, leaf, min(GROUP, leaves - leaf), deal, scratch)
    for seat in range(2):
        for slot in range(len(fold_of)):
            fold = fold_of[slot]
            if fold >= 0:
                sign = -1.0 if player_of[node_of[slot]] == seat else 1.0
                for k in range(count):
                    lost = sign * (chips[begin + k] + fold_paid[fold])
                    won[seat] += lost * wins[fold, seat * HALF + k]
        for end in range(len(end_paid) if is_last else 0):
            for k in range(count):
                at_stake = float(chips[begin + k] + end_paid[end])
                won[seat] += at_stake * wins[folds + end, seat * HALF + k]


@uncounted_kernel
def play_board(
    own: tuple[StreetSide, ...],
    opponent: tuple[StreetSide, ...],
    deal: DealtHoldings,
    scratch: tuple[StreetScratch, ...],
    won: np.ndarray,
) -> None:
    """Add the winnings on all four streets to ``won`` (2,) float64, in chips, by the own seat.

    That is the sum over all pairs of holdings.
    """
    before, after = own[0].reach, opponent[0].reach
    for i in range(before.shape[1]):
        for half in range(2):
            before[0, i, half * HALF] = after[0, i, half * HALF] = 1.0
    _follow(own[0], opponent[0], own[1], opponent[1], deal, scratch[0], won)
    _follow(own[1], opponent[1], own[2], opponent[2], deal, scratch[1], won)
    _follow(own[2], opponent[2], own[3], opponent[3], deal, scratch[2], won)
    for chunk in range(own[3].reach.shape[0]):
        if _is_reached(own[3], chunk) and _is_reached(opponent[3], chunk):
            _prepare(own[3], chunk, 0, scratch[3])
            _prepare(opponent[3], chunk, 1, scratch[3])
            _settle(own[3], opponent[3], chunk, True, deal, scratch[3], won)


@uncounted_kernel
def _follow(
    own: StreetSide,
    opponent: StreetSide,
    own_later: StreetSide,
    its_later: StreetSide,
    deal: DealtHoldings,
    scratch: StreetScratch,
    won: np.ndarray,
) -> None:
    """Add what is won on a street, and fill the reach of the next one."""
    for chunk in range(own.reach.shape[0]):
        _prepare(own, chunk, 0, scratch)
        _prepare(opponent, chunk, 1, scratch)
        _settle(own, opponent, chunk, False, deal, scratch, won)
        forwards(own, own_later, chunk)
        forwards(opponent, its_later, chunk)


# Means over the next card, for holdings against opponents who do not look at their cards.


_RIVERS, _LEFT = 48, 46
"""Rivers after four cards, and those that a holding leaves."""


@kernel
def mean_over_rivers(
    board: np.ndarray,
    river_start: np.ndarray,
    river_pattern: np.ndarray,
    river_ihr: np.ndarray,
    values: np.ndarray,
    means: np.ndarray,
) -> None:
    """Fill ``means`` (1326, numbers) with the mean of a board of four cards over 46 rivers.

    ``values`` (1981, numbers) are by hand rank, twice the wins plus the ties of 990, for betting
    sequences up to a multiple of `WIDTH`. Both are float32; blocked holdings get 0.
    """
    used = mask_of(board)
    rivers, begin = np.empty(_RIVERS, dtype=np.int64), np.empty(_RIVERS, dtype=np.int64)
    pattern = np.empty(_RIVERS, dtype=np.int64)
    count = 0
    for river in range(52):
        if river == board[0] or river == board[1] or river == board[2] or river == board[3]:
            continue
        index = index_of_5(board[0], board[1], board[2], board[3], river)
        rivers[count], begin[count] = river, river_start[index]
        pattern[count] = river_pattern[index]
        count += 1
    numbers = values.shape[1]
    rows = np.empty(_RIVERS, dtype=np.int64)
    share = splat(np.float32(1) / np.float32(_LEFT))
    for holding in range(1326):
        possible = 0
        if HOLDING_MASK[holding] & used == 0:
            low, high = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
            for r in range(count):
                if rivers[r] != low and rivers[r] != high:
                    rows[possible] = river_ihr[begin[r] + COLUMN[pattern[r], holding]] * numbers
                    possible += 1
        # A holding's sums stay in registers: a quarter of the time of adding in memory.
        for start in range(0, numbers, WIDTH):
            total = splat(np.float32(0))
            for r in range(possible):
                total = total + load(values, rows[r] + start)
            store(means, holding * numbers + start, total * share)


@uncounted_kernel
def mean_over_turns(
    flop: np.ndarray,
    row: np.ndarray,
    permutation: np.ndarray,
    values: np.ndarray,
    means: np.ndarray,
) -> None:
    """Fill ``means`` (1326, sequences) with the mean of a flop over 47 turns.

    ``values`` (rows, 1326, sequences) are those of the classes of four cards, to which ``row`` and
    ``permutation`` lead by combination index; the rows of blocked holdings become 0.
    """
    means[:] = 0.0
    used = mask_of(flop)
    for turn in range(52):
        if turn == flop[0] or turn == flop[1] or turn == flop[2]:
            continue
        index = index_of_4(flop[0], flop[1], flop[2], turn)
        on_board, columns = values[row[index]], HOLDING_UNDER[permutation[index]]
        for holding in range(1326):
            if HOLDING_MASK[holding] & used != 0:
                continue
            if HOLDING_CARDS[holding, 0] == turn or HOLDING_CARDS[holding, 1] == turn:
                continue
            for s in range(means.shape[1]):
                means[holding, s] += on_board[columns[holding], s]
    for holding in range(1326):
        for s in range(means.shape[1]):
            means[holding, s] /= 47.0


# The streets before the river: the opponent's reach forwards, the responder's values backwards.
#
# Vectors are (holdings, sequences) float32, one for each action, so that what decides which loop
# runs is looked at once for all holdings, and the compiler's checks that vectors do not overlap
# once a row. A round is a tuple of arrays; see `railbird.solve.limit.matrix_cfr.round_arrays`.
# ``live`` are the holdings that the board leaves, in the order of the vectors' rows.


@uncounted_kernel
def reach_leaves(
    arrays: tuple[np.ndarray, ...],
    opponent: int,
    table: np.ndarray,
    rows: np.ndarray,
    previous_reach: np.ndarray,
    live: np.ndarray,
    reach: np.ndarray,
    ends: np.ndarray,
    folds: np.ndarray,
) -> None:
    """Fill the opponent's reach of a round's ``ends`` and ``folds`` (leaves, live, sequences).

    ``previous_reach`` (1326, all sequences) is the reach of the round's start; ``table`` (rows,
    lanes) are the probabilities, and ``rows`` (1326,) each holding's row. ``reach`` (nodes, live,
    sequences) is scratch.
    """
    player_of, first_slot, child = arrays[1], arrays[2], arrays[5]
    fold_of, end_of = arrays[8], arrays[9]
    nodes, count = len(player_of), len(arrays[0])
    for i in range(len(live)):
        for k in range(count):
            reach[0, i, k] = previous_reach[live[i], k]
    for node in range(nodes):
        node_reach = reach[node]
        for slot in range(first_slot[node], first_slot[node + 1]):
            if child[slot] >= 0:
                out = reach[child[slot]]
            elif fold_of[slot] >= 0:
                out = folds[fold_of[slot]]
            else:
                out = ends[end_of[slot]]
            if player_of[node] != opponent:
                for i in range(node_reach.shape[0]):
                    for k in range(node_reach.shape[1]):
                        out[i, k] = node_reach[i, k]
                continue
            begin = slot * count
            for i in range(len(live)):
                row = rows[live[i]]
                for k in range(count):
                    out[i, k] = node_reach[i, k] * table[row, begin + k]


@kernel
def meet_others(live: np.ndarray, reach: np.ndarray, met: np.ndarray) -> None:
    """Fill ``met`` (live, sequences) with the reach of the others that share no card with each."""
    count = reach.shape[1]
    total = np.zeros(count, dtype=np.float32)
    by_card = np.zeros((52, count), dtype=np.float32)
    for i in range(len(live)):
        a, b = HOLDING_CARDS[live[i], 0], HOLDING_CARDS[live[i], 1]
        for s in range(count):
            own = reach[i, s]
            total[s] += own
            by_card[a, s] += own
            by_card[b, s] += own
    for i in range(len(live)):
        a, b = HOLDING_CARDS[live[i], 0], HOLDING_CARDS[live[i], 1]
        for s in range(count):
            met[i, s] = total[s] - by_card[a, s] - by_card[b, s] + reach[i, s]


@kernel
def fill_won(live: np.ndarray, begin: np.ndarray, reach: np.ndarray, won: np.ndarray) -> None:
    """Fill ``won`` (live, sequences) with the reach of weaker holdings less that of stronger ones.

    ``live`` ascends in strength; the holdings of level l are those from ``begin[l]`` to
    ``begin[l + 1]``.
    """
    count, levels = reach.shape[1], len(begin) - 1
    total = np.zeros(count, dtype=np.float32)
    by_card = np.zeros((52, count), dtype=np.float32)
    for level in range(levels):
        for i in range(begin[level], begin[level + 1]):
            a, b = HOLDING_CARDS[live[i], 0], HOLDING_CARDS[live[i], 1]
            for s in range(count):
                won[i, s] = total[s] - by_card[a, s] - by_card[b, s]
        for i in range(begin[level], begin[level + 1]):
            a, b = HOLDING_CARDS[live[i], 0], HOLDING_CARDS[live[i], 1]
            for s in range(count):
                own = reach[i, s]
                total[s] += own
                by_card[a, s] += own
                by_card[b, s] += own
    total[:] = 0.0
    by_card[:] = 0.0
    for level in range(levels - 1, -1, -1):
        for i in range(begin[level], begin[level + 1]):
            a, b = HOLDING_CARDS[live[i], 0], HOLDING_CARDS[live[i], 1]
            for s in range(count):
                won[i, s] -= total[s] - by_card[a, s] - by_card[b, s]
        for i in range(begin[level], begin[level + 1]):
            a, b = HOLDING_CARDS[live[i], 0], HOLDING_CARDS[live[i], 1]
            for s in range(count):
                own = reach[i, s]
                total[s] += own
                by_card[a, s] += own
                by_card[b, s] += own


@kernel
def reach_street(
    arrays: tuple[np.ndarray, ...],
    opponent: int,
    table: np.ndarray,
    rows: np.ndarray,
    previous_reach: np.ndarray,
    live: np.ndarray,
    ends: np.ndarray,
    met: np.ndarray,
) -> None:
    """Follow the opponent through a street; `meet_others` its folds."""
    folds = np.empty_like(met)
    reach = np.empty((len(arrays[1]), len(live), len(arrays[0])), dtype=np.float32)
    reach_leaves(arrays, opponent, table, rows, previous_reach, live, reach, ends, folds)
    for fold in range(len(folds)):
        meet_others(live, folds[fold], met[fold])


@kernel
def add_street_values(
    arrays: tuple[np.ndarray, ...],
    opponent: int,
    live: np.ndarray,
    is_best: bool,
    own_table: np.ndarray,
    own_rows: np.ndarray,
    ends: np.ndarray,
    met: np.ndarray,
    values: np.ndarray,
) -> None:
    """Add the values of a street's start to ``values`` (1326, sequences) float64, in chips.

    ``ends`` (leaves, live, sequences) are the values of its ends, ``met`` what `meet_others`
    filled. The responder takes the action that ``is_best``, else all of them by the probabilities
    of its table.
    """
    chips, player_of, first_slot, child = arrays[0], arrays[1], arrays[2], arrays[5]
    fold_paid, fold_of, end_of = arrays[6], arrays[8], arrays[9]
    nodes, count = len(player_of), len(chips)
    value = np.empty((nodes, len(live), count), dtype=np.float32)
    stake = np.empty(count, dtype=np.float32)
    for node in range(nodes - 1, -1, -1):
        node_value = value[node]
        own = player_of[node] != opponent
        first = first_slot[node]
        if not (own and is_best):
            node_value[:] = 0
        for slot in range(first, first_slot[node + 1]):
            stake[:] = 1.0
            if child[slot] >= 0:
                leaf = value[child[slot]]
            elif fold_of[slot] >= 0:
                leaf = met[fold_of[slot]]
                for k in range(count):
                    lost = chips[k] + fold_paid[fold_of[slot]]
                    stake[k] = -lost if own else lost
            else:
                leaf = ends[end_of[slot]]
            for i in range(len(live)):
                # The opponent's reach is in the ends' values, so its actions are added.
                if not own:
                    for k in range(count):
                        node_value[i, k] += stake[k] * leaf[i, k]
                elif not is_best:
                    row = own_rows[live[i]]
                    for k in range(count):
                        share = own_table[row, slot * count + k]
                        node_value[i, k] += share * stake[k] * leaf[i, k]
                elif slot == first:
                    for k in range(count):
                        node_value[i, k] = stake[k] * leaf[i, k]
                else:
                    for k in range(count):
                        node_value[i, k] = max(node_value[i, k], stake[k] * leaf[i, k])
    for i in range(len(live)):
        for k in range(count):
            values[live[i], k] += value[0, i, k]
