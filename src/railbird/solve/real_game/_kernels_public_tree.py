"""The streets before the river: the opponent's reach forwards, the responder's values backwards.

Vectors are (holdings, sequences) float32, one for each action, so that what decides which loop runs
is looked at once for all holdings, and the compiler's checks that vectors do not overlap once a
row. A round is a tuple of arrays; see `railbird.solve.limit.matrix_cfr.round_arrays`. ``live`` are
the holdings that the board leaves, in the order of the vectors' rows.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS


@kernel
def reach_leaves(
    part: tuple[np.ndarray, ...],
    opponent: int,
    table: np.ndarray,
    rows: np.ndarray,
    before: np.ndarray,
    live: np.ndarray,
    reach: np.ndarray,
    ends: np.ndarray,
    folds: np.ndarray,
) -> None:
    """Fill the opponent's reach of a round's ``ends`` and ``folds`` (leaves, live, sequences).

    ``before`` (1326, all sequences) is the reach of the round's start; ``table`` (rows, lanes) are
    the probabilities, and ``rows`` (1326,) each holding's row. ``reach`` (nodes, live, sequences)
    is room.
    """
    player_of, first_slot, child = part[1], part[2], part[5]
    fold_of, end_of = part[8], part[9]
    nodes, count = len(player_of), len(part[0])
    for i in range(len(live)):
        for k in range(count):
            reach[0, i, k] = before[live[i], k]
    for node in range(nodes):
        here = reach[node]
        for slot in range(first_slot[node], first_slot[node + 1]):
            if child[slot] >= 0:
                out = reach[child[slot]]
            elif fold_of[slot] >= 0:
                out = folds[fold_of[slot]]
            else:
                out = ends[end_of[slot]]
            if player_of[node] != opponent:
                for i in range(here.shape[0]):
                    for k in range(here.shape[1]):
                        out[i, k] = here[i, k]
                continue
            begin = slot * count
            for i in range(len(live)):
                row = rows[live[i]]
                for k in range(count):
                    out[i, k] = here[i, k] * table[row, begin + k]


@kernel
def meet(live: np.ndarray, reach: np.ndarray, met: np.ndarray) -> None:
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
def show_down(live: np.ndarray, begin: np.ndarray, reach: np.ndarray, won: np.ndarray) -> None:
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
    part: tuple[np.ndarray, ...],
    opponent: int,
    table: np.ndarray,
    rows: np.ndarray,
    before: np.ndarray,
    live: np.ndarray,
    ends: np.ndarray,
    met: np.ndarray,
) -> None:
    """Follow the opponent through a street; `meet` its folds."""
    folds = np.empty_like(met)
    reach = np.empty((len(part[1]), len(live), len(part[0])), dtype=np.float32)
    reach_leaves(part, opponent, table, rows, before, live, reach, ends, folds)
    for fold in range(len(folds)):
        meet(live, folds[fold], met[fold])


@kernel
def value_street(
    part: tuple[np.ndarray, ...],
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

    ``ends`` (leaves, live, sequences) are the values of its ends, ``met`` what `meet` filled. The
    responder takes the action that ``is_best``, else all of them by the probabilities of its table.
    """
    chips, player_of, first_slot, child = part[0], part[1], part[2], part[5]
    fold_paid, fold_of, end_of = part[6], part[8], part[9]
    nodes, count = len(player_of), len(chips)
    value = np.empty((nodes, len(live), count), dtype=np.float32)
    stake = np.empty(count, dtype=np.float32)
    for node in range(nodes - 1, -1, -1):
        here = value[node]
        own = player_of[node] != opponent
        first = first_slot[node]
        if not (own and is_best):
            here[:] = 0
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
                if not own:
                    for k in range(count):
                        here[i, k] += stake[k] * leaf[i, k]
                elif not is_best:
                    row = own_rows[live[i]]
                    for k in range(count):
                        share = own_table[row, slot * count + k]
                        here[i, k] += share * stake[k] * leaf[i, k]
                elif slot == first:
                    for k in range(count):
                        here[i, k] = stake[k] * leaf[i, k]
                else:
                    for k in range(count):
                        here[i, k] = max(here[i, k], stake[k] * leaf[i, k])
    for i in range(len(live)):
        for k in range(count):
            values[live[i], k] += value[0, i, k]
