"""Exact values before the flop by enumeration, about a second for a pair of holdings.

For single hands. The 93,769 classes of pairs would take a day this way; the table's builder
(`_kernels_preflop`) takes them all at once, board by board, in a quarter of an hour of one thread.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.assessment.divat._kernels_rollout import (
    LEFT,
    BaselineArrays,
    Ranks,
    look_ahead,
    new_future,
    rank_flop,
    turn_sum,
)
from railbird.baseline._kernels_baseline import class_of_rank
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK, HOLDING_MASK

_WAYS_ON = LEFT * (LEFT - 1)


@kernel
def sum_over_flops(
    first: int,
    second: int,
    contribution: np.ndarray,
    ranks: Ranks,
    policy: BaselineArrays,
    total: np.ndarray,
) -> None:
    """Fill player 1's results summed over all 34,246,080 ways to deal flop, turn and river.

    ``contribution`` (k,) small bets of each player before the flop; ``total`` (k,) int64.
    """
    future = new_future()
    flop = np.empty(3, np.int64)
    rank = np.empty(2, np.int64)
    gone = HOLDING_MASK[first] | HOLDING_MASK[second]
    total[:] = 0
    for high in range(52):
        for mid in range(high):
            for low in range(mid):
                if gone & (CARD_MASK[high] | CARD_MASK[mid] | CARD_MASK[low]):
                    continue
                flop[0], flop[1], flop[2] = low, mid, high
                rank_flop(flop, first, second, ranks, policy.bettable[1], rank)
                look_ahead(flop, first, second, ranks, policy.bettable[2], future)
                for i in range(contribution.size):
                    stake = np.int64(contribution[i])
                    one = class_of_rank(rank[0], 1, stake, policy.make, policy.fold)
                    two = class_of_rank(rank[1], 1, stake, policy.make, policy.fold)
                    folded_by = policy.folded_by[one, two]
                    if folded_by >= 0:
                        total[i] += (stake if folded_by else -stake) * _WAYS_ON
                    else:
                        total[i] += turn_sum(stake + policy.level[one, two], policy, future)
