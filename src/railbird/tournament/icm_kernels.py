"""Places under the model of Harville, and bounties: over subsets, or places by quadrature."""

# The independent chip model (Harville 1973; Malmuth 1987 for poker) draws the winner with
# probabilities in proportion to the stacks, the second place among the others in the same way, and
# so on. By its definition a place is a sum over all orders, and there are n! of them.
#
# Two forms avoid that sum. Over subsets the work is 2^n, less where few places are paid; the sum of
# the stacks that are left is added up anew for each subset, because differences would cancel the
# digits of short stacks. The integral has a cost of n² for each node and so serves fields of any
# size. Which form serves which number of players, and how many nodes the integral takes, is in
# `icm`. Bounties have the first form alone: who can have knocked out a player depends on the set of
# those above him, over which the integral has no product.
#
# Who would notice: tests/tournament/test_icm.py has published examples, sums over all orders, and
# both forms beside each other.

from __future__ import annotations

import numpy as np

from railbird._jit import kernel


@kernel
def places_by_subsets(stacks: np.ndarray, places: int, out: np.ndarray) -> None:
    """Fill ``out`` (players, places) with the probability of each place, given positive stacks.

    ``chance[taken]`` is the probability that the first places go to the players of a bit mask, in
    whatever order: 2^n sums of n terms rather than the n! orders. Masks with as many players as
    there are places are never extended, so the work grows with the prizes.
    """
    players = len(stacks)
    chance = np.zeros(1 << players)
    count = np.zeros(1 << players, dtype=np.int8)
    chance[0] = 1.0
    out[:] = 0.0
    for taken in range(1 << players):
        if taken > 0:
            count[taken] = count[taken & (taken - 1)] + 1
        taken_places = count[taken]
        if taken_places >= places:
            continue
        # Summed anew, as subtracting stacks from a total would cancel digits of short ones.
        rest = 0.0
        for i in range(players):
            if taken >> i & 1 == 0:
                rest += stacks[i]
        scale = chance[taken] / rest
        for i in range(players):
            if taken >> i & 1 == 0:
                next_one = scale * stacks[i]
                out[i, taken_places] += next_one
                chance[taken | 1 << i] += next_one


@kernel
def bounties_by_subsets(
    stacks: np.ndarray, weights: np.ndarray, heads: np.ndarray, paid: float, out: np.ndarray
) -> None:
    """Fill ``out`` (players,) with the bounties won, given positive stacks and the heads' bounties.

    Harville draws the order of finish from the first place on. Given the set of the first places,
    the next one is drawn from the others by their stacks, whatever the order within the set. Read
    backwards, this says who goes out. ``heads_left[left]`` are the mean bounties on the heads when
    the players of a bit mask are left, given that it comes to that. The player who goes out was
    knocked out by one of those left, with chances in proportion to ``weights``. The winner of a
    bounty is paid the part ``paid`` of it, and the rest is added to the winner's own. The last
    player left is paid the bounty on the own head.
    """
    players = len(stacks)
    everybody = (1 << players) - 1
    chance = np.zeros(1 << players)
    chance[0] = 1.0
    heads_left = np.zeros((1 << players, players))
    heads_left[everybody] = heads
    out[:] = 0.0
    # Upwards in bit masks, since adding a player makes a mask larger; the second loop goes down,
    # since it starts with everybody left.
    for left in range(everybody):
        rest = 0.0
        for i in range(players):
            if left >> i & 1 == 0:
                rest += stacks[i]
        for i in range(players):
            if left >> i & 1 == 0:
                chance[left | 1 << i] += chance[left] * stacks[i] / rest
    for left in range(everybody, 0, -1):
        rest, total = 0.0, 0.0
        for i in range(players):
            if left >> i & 1 == 0:
                rest += stacks[i]
            else:
                total += weights[i]
        for i in range(players):
            if left >> i & 1 == 1:
                continue
            with_loser = left | 1 << i
            goes = stacks[i] / rest
            bounty = goes * heads_left[with_loser, i] / total
            for j in range(players):
                if left >> j & 1 == 1:
                    won = bounty * weights[j]
                    heads_left[left, j] += goes * heads_left[with_loser, j] + (1.0 - paid) * won
                    out[j] += chance[left] * paid * won
    for i in range(players):
        out[i] += chance[1 << i] * heads_left[1 << i, i]


@kernel
def places_by_quadrature(
    stacks: np.ndarray, places: int, low: float, step: float, nodes: int, out: np.ndarray
) -> None:
    """Fill ``out`` as `places_by_subsets` does, by an integral over time.

    Harville's order is that of independent exponential clocks with the stacks as rates, so a place
    is the number of others whose clocks rang earlier, and its probability is an integral of a
    polynomial's coefficient. In the logarithm of time the integrand is analytic in a strip and
    vanishes at both ends, where the trapezoidal rule converges exponentially. One factor of the
    product is divided out for each player, from the end at which the division is stable.
    """
    players = len(stacks)
    out[:] = 0.0
    rang = np.empty(players)
    still = np.empty(players)
    product = np.empty(players + 1)
    others = np.empty(players)
    for node in range(nodes):
        time = np.exp(low + node * step)
        product[:] = 0.0
        product[0] = 1.0
        for i in range(players):
            still[i] = np.exp(-stacks[i] * time)
            rang[i] = -np.expm1(-stacks[i] * time)
            for k in range(i + 1, 0, -1):
                product[k] = product[k] * still[i] + product[k - 1] * rang[i]
            product[0] *= still[i]
        for i in range(players):
            # Dividing by the larger of the two keeps rounding errors from growing with each step.
            if rang[i] < still[i]:
                others[0] = product[0] / still[i]
                for k in range(1, players):
                    others[k] = (product[k] - rang[i] * others[k - 1]) / still[i]
            else:
                others[players - 1] = product[players] / rang[i]
                for k in range(players - 2, -1, -1):
                    others[k] = (product[k + 1] - still[i] * others[k + 1]) / rang[i]
            density = step * time * stacks[i] * still[i]
            for k in range(places):
                out[i, k] += density * others[k]
