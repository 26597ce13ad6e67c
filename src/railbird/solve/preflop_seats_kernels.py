"""Kernels of heads-up to six-handed no-limit before the flop: external sampling of a public tree.

`railbird.solve.external_kernels` has those of two players with later streets. Here a deal has all
players' holdings and a board, which decides pots of three and more. Nodes stand before what follows
them, so that a deal is followed down a list of the nodes that it reaches and its values come up the
same list from the end: no stack and no recursion.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.cards.kernels import strength7
from railbird.cards.tables import CLASS_OF_HOLDING, HOLDING_INDEX
from railbird.solve.external_kernels import next_bits, uniform

_DECK = 52
_BOARD = 5

NOBODY, PAIR, MANY = -1, -2, -3
"""Who acts at an end of the tree: all but one have folded; two are left; three or more."""


@kernel
def deal_seats(draws: np.ndarray, classes: np.ndarray, strengths: np.ndarray) -> None:
    """Fill ``classes`` and ``strengths`` (deals, seats) from ``draws`` (deals, 2 * seats + 5)."""
    deck = np.empty(_DECK, dtype=np.int64)
    seats = classes.shape[1]
    for deal in range(len(draws)):
        for card in range(_DECK):  # a new deck, for a deal must not depend on those before
            deck[card] = card
        for place in range(2 * seats + _BOARD):
            other = place + int(draws[deal, place] * (_DECK - place))
            deck[place], deck[other] = deck[other], deck[place]
        first = 2 * seats
        for seat in range(seats):
            low, high = deck[2 * seat], deck[2 * seat + 1]
            classes[deal, seat] = CLASS_OF_HOLDING[HOLDING_INDEX[low, high]]
            strengths[deal, seat] = strength7(
                low,
                high,
                deck[first],
                deck[first + 1],
                deck[first + 2],
                deck[first + 3],
                deck[first + 4],
            )


@inline_kernel
def _worth(
    node: int,
    player: int,
    actor: np.ndarray,
    paid: np.ndarray,
    left: np.ndarray,
    pots: np.ndarray,
    flops: np.ndarray,
    shares: np.ndarray,
    classes: np.ndarray,
    strengths: np.ndarray,
) -> Any:
    """Return what a player wins at an end, in big blinds."""
    own = -paid[node, player]
    if not left[node, player]:
        return own
    if actor[node] == NOBODY:
        return pots[node] + own
    if actor[node] == PAIR:
        other = 0
        for seat in range(left.shape[1]):
            if left[node, seat] and seat != player:
                other = seat
        acts_first = (player < other) == (flops[node, 1] == 0)
        opener, closer = (player, other) if acts_first else (other, player)
        depth = int(flops[node, 0])
        deeper, weight = min(depth + 1, len(shares) - 1), flops[node, 0] - depth
        share = (1.0 - weight) * shares[depth, classes[opener], classes[closer]]
        share += weight * shares[deeper, classes[opener], classes[closer]]
        won = pots[node] * (share if acts_first else 1.0 - share)
        return own + min(max(won, -flops[node, 2]), pots[node] + flops[node, 2])
    winners = 0
    for seat in range(left.shape[1]):
        if left[node, seat]:
            if strengths[seat] > strengths[player]:
                return own
            winners += int(strengths[seat] == strengths[player])
    return own + pots[node] / winners


@kernel
def sample_seats(
    actor: np.ndarray,
    first: np.ndarray,
    slot: np.ndarray,
    paid: np.ndarray,
    left: np.ndarray,
    pots: np.ndarray,
    flops: np.ndarray,
    shares: np.ndarray,
    classes: np.ndarray,
    strengths: np.ndarray,
    learner: int,
    own: np.ndarray,
    others: np.ndarray,
    sums: np.ndarray,
    begin: int,
    stream: np.ndarray,
    reached: np.ndarray,
    value: np.ndarray,
    chance: np.ndarray,
) -> int:
    """Add to regrets ``own`` from some deals; return the number of decisions followed.

    By node there are who acts or the end's kind, the first of its children, which stand together,
    and the number of its first action; at the end what each has ``paid``, who is ``left``, the pot,
    and of two who are left the place among the depths of ``shares``, whether the later of them acts
    first after the flop, and the chips behind. ``shares`` (depths, 169, 169) are what who acts
    first there wins of the pot with his class against the other's. ``learner`` learns, or
    each seat in turn if it is negative. The others play by ``others``; where that is ``own`` what
    they play is added to ``sums``, and in both deal t counts t. Tables are (actions, 169). The rest
    is room.
    """
    bits, seats, decisions = stream[0], classes.shape[1], 0
    learns = learner < 0
    for deal in range(len(classes)):
        weight = np.float32(begin + deal + 1)
        held, strong = classes[deal], strengths[deal]
        for turn in range(seats if learns else 1):
            player = turn if learns else learner
            reached[0], count, at = 0, 1, 0
            while at < count:
                node = reached[at]
                at += 1
                who = actor[node]
                if who < 0:
                    continue
                decisions += 1
                actions = first[node + 1] - first[node]
                table = own if who == player else others
                total = 0.0
                for a in range(actions):
                    total += max(table[slot[node] + a, held[who]], 0.0)
                if who == player:
                    for a in range(actions):
                        weighed = max(table[slot[node] + a, held[who]], 0.0)
                        chance[slot[node] + a] = weighed / total if total > 0 else 1.0 / actions
                        reached[count] = first[node] + a
                        count += 1
                    continue
                bits = next_bits(bits)
                drawn = uniform(bits)
                chosen = actions - 1
                for a in range(actions):
                    weighed = max(table[slot[node] + a, held[who]], 0.0)
                    share = weighed / total if total > 0 else 1.0 / actions
                    if learns:
                        sums[slot[node] + a, held[who]] += np.float32(share) * weight
                    drawn -= share
                    if drawn < 0 and chosen == actions - 1:
                        chosen = a
                        if not learns:
                            break
                value[node] = first[node] + chosen
                reached[count] = first[node] + chosen
                count += 1
            for at in range(count - 1, -1, -1):
                node = reached[at]
                who = actor[node]
                if who < 0:
                    value[node] = _worth(
                        node, player, actor, paid, left, pots, flops, shares, held, strong
                    )
                elif who != player:
                    value[node] = value[int(value[node])]
                else:
                    actions, mean = first[node + 1] - first[node], 0.0
                    for a in range(actions):
                        mean += chance[slot[node] + a] * value[first[node] + a]
                    for a in range(actions):
                        gain = np.float32(value[first[node] + a] - mean)
                        own[slot[node] + a, held[who]] += gain * weight if learns else gain
                    value[node] = mean
    stream[0] = bits
    return decisions


@kernel
def measure_seats(
    actor: np.ndarray,
    first: np.ndarray,
    slot: np.ndarray,
    paid: np.ndarray,
    left: np.ndarray,
    pots: np.ndarray,
    flops: np.ndarray,
    shares: np.ndarray,
    classes: np.ndarray,
    strengths: np.ndarray,
    player: int,
    response: np.ndarray,
    table: np.ndarray,
    stream: np.ndarray,
    reached: np.ndarray,
    value: np.ndarray,
    better: np.ndarray,
    out: np.ndarray,
) -> None:
    """Fill ``out`` (deals, 2) with what a player wins by ``table``, and by ``response`` instead.

    Both meet the same actions of the others, who play by ``table``. A response takes the action
    with the most.
    """
    bits = stream[0]
    for deal in range(len(classes)):
        held, strong = classes[deal], strengths[deal]
        reached[0], count, at = 0, 1, 0
        while at < count:
            node = reached[at]
            at += 1
            who = actor[node]
            if who < 0:
                continue
            actions = first[node + 1] - first[node]
            if who == player:
                for a in range(actions):
                    reached[count] = first[node] + a
                    count += 1
                continue
            total = 0.0
            for a in range(actions):
                total += max(table[slot[node] + a, held[who]], 0.0)
            bits = next_bits(bits)
            drawn, chosen = uniform(bits), actions - 1
            for a in range(actions):
                weighed = max(table[slot[node] + a, held[who]], 0.0)
                drawn -= weighed / total if total > 0 else 1.0 / actions
                if drawn < 0:
                    chosen = a
                    break
            value[node] = first[node] + chosen
            reached[count] = first[node] + chosen
            count += 1
        for at in range(count - 1, -1, -1):
            node = reached[at]
            who = actor[node]
            if who < 0:
                value[node] = _worth(
                    node, player, actor, paid, left, pots, flops, shares, held, strong
                )
                better[node] = value[node]
            elif who != player:
                child = int(value[node])
                value[node], better[node] = value[child], better[child]
            else:
                actions, mean, total, best = first[node + 1] - first[node], 0.0, 0.0, 0
                for a in range(actions):
                    total += max(table[slot[node] + a, held[who]], 0.0)
                for a in range(actions):
                    weighed = max(table[slot[node] + a, held[who]], 0.0)
                    share = weighed / total if total > 0 else 1.0 / actions
                    mean += share * value[first[node] + a]
                    if response[slot[node] + a, held[who]] > response[slot[node] + best, held[who]]:
                        best = a
                better[node] = better[first[node] + best]
                value[node] = mean
        out[deal, 0], out[deal, 1] = value[0], better[0]
    stream[0] = bits
