"""Kernels of `folded`, for heads-up spots: cards folded players can have had, by sets of cards.

Sets of a size are numbered colexicographically, ``c1 < c2 < ...`` as C(c1, 1) + C(c2, 2) + ..., and
sizes stand one after the other. ``sums`` has for every set Z

    N(Z) = sum of the products of the folded players' weights, over all ways in which their
           holdings share no card and together have all cards of Z,

from which N' with a further player of weights f follows:

    N'(Z) = sum over d of f(d) * sum over C within d of (-1)^|C| N((Z - d) + C),

the inner sum being over the ways that have the rest of Z and no card of d. With j players N is zero
for sets of more than 2j cards, so three of the four players of a table of six need sets of at most
six cards. Weights of all ways that have no card of Z come last, by inclusion and exclusion.
"""

from __future__ import annotations

from math import comb

import numpy as np

from railbird._jit import kernel, uncounted_kernel

MOST_CARDS = 6
"""Of a set: both players' holdings, a turn and a river."""

CHOOSE = np.array([[comb(n, k) for k in range(MOST_CARDS + 3)] for n in range(53)], dtype=np.int64)
"""(53, 9) int64: CHOOSE[n, k] = C(n, k)."""

_NO_CARD = 64


@uncounted_kernel
def unrank(number: int, size: int, cards: np.ndarray) -> None:
    """Write the cards of a set, in ascending order."""
    for index in range(size, 0, -1):
        card = index - 1
        while CHOOSE[card + 1, index] <= number:
            card += 1
        cards[index - 1] = card
        number -= CHOOSE[card, index]


@uncounted_kernel
def next_set(cards: np.ndarray, size: int) -> None:
    """Go on to the next set."""
    index = 0
    while index + 1 < size and cards[index] + 1 == cards[index + 1]:
        cards[index] = index
        index += 1
    cards[index] += 1


@uncounted_kernel
def measure(cards: np.ndarray, size: int, below: np.ndarray, above: np.ndarray) -> None:
    """Fill what the number of a set with one more card is made of.

    That of a card c after p smaller ones is ``below[p] + C(c, p + 1) + above[p]``.
    """
    below[0], above[size] = 0, 0
    for index in range(size):
        below[index + 1] = below[index] + CHOOSE[cards[index], index + 1]
    for index in range(size - 1, -1, -1):
        above[index] = above[index + 1] + CHOOSE[cards[index], index + 2]


@uncounted_kernel
def without_places(cards: np.ndarray, size: int, first: int, second: int, left: np.ndarray) -> int:
    """Write a set without two of its places, or one if they are the same; return its number."""
    count, number = 0, 0
    for index in range(size):
        if index not in (first, second):
            left[count] = cards[index]
            count += 1
            number += CHOOSE[cards[index], count]
    return number


@kernel
def add_folded(
    deck: int,
    weights: np.ndarray,
    sums: np.ndarray,
    first: np.ndarray,
    most: int,
    size: int,
    begin: int,
    end: int,
    out: np.ndarray,
) -> None:
    """Fill ``out`` (sets of all sizes) with N' of the sets of one size, ``begin`` to ``end``.

    ``weights`` (deck, deck) are symmetrical, with zeros on the diagonal; ``sums`` are those of the
    players before, ``most`` the size of the largest sets among them, and ``first`` (sizes + 1,)
    where the sets of each size begin.
    """
    cards, left, more = (
        np.zeros(MOST_CARDS + 2, dtype=np.int64),
        np.zeros(MOST_CARDS + 2, dtype=np.int64),
        np.zeros(MOST_CARDS + 2, dtype=np.int64),
    )
    below, above = (
        np.zeros(MOST_CARDS + 3, dtype=np.int64),
        np.zeros(MOST_CARDS + 3, dtype=np.int64),
    )
    inside = np.zeros(deck, dtype=np.bool_)
    of_card = weights.sum(axis=0)
    total = of_card.sum() / 2
    unrank(begin, size, cards)
    for number in range(begin, end):
        inside[:] = False
        for index in range(size):
            inside[cards[index]] = True
        set_sum = sums[first[size] + number] if size <= most else 0.0
        value, outside = 0.0, total
        # The further player's holding has none of the set's cards, ...
        for index in range(size):
            outside -= of_card[cards[index]]
            for partner in range(index):
                outside += weights[cards[index], cards[partner]]
        value += outside * set_sum
        if size + 1 <= most:
            measure(cards, size, below, above)
            smaller = 0
            for card in range(deck):
                if inside[card]:
                    smaller += 1
                    continue
                within = 0.0
                for index in range(size):
                    within += weights[cards[index], card]
                set_number = below[smaller] + CHOOSE[card, smaller + 1] + above[smaller]
                value += (2 * within - of_card[card]) * sums[first[size + 1] + set_number]
        if size + 2 <= most:
            for first_card in range(deck):
                if inside[first_card]:
                    continue
                count = 0
                for index in range(size):
                    if cards[index] < first_card:
                        more[count] = cards[index]
                        count += 1
                more[count] = first_card
                smaller = count + 1
                for index in range(count, size):
                    more[index + 1] = cards[index]
                measure(more, size + 1, below, above)
                for partner in range(first_card + 1, deck):
                    if inside[partner]:
                        smaller += 1
                        continue
                    if weights[first_card, partner] == 0:
                        continue
                    set_number = below[smaller] + CHOOSE[partner, smaller + 1] + above[smaller]
                    value += weights[first_card, partner] * sums[first[size + 2] + set_number]
        # ... one of them, ...
        if size - 1 <= most:
            for index in range(size):
                card = cards[index]
                set_number = without_places(cards, size, index, index, left)
                free = of_card[card]
                for partner in range(size):
                    free -= weights[card, cards[partner]]
                value += free * (sums[first[size - 1] + set_number] - set_sum)
                if size <= most:
                    measure(left, size - 1, below, above)
                    smaller = 0
                    for partner in range(deck):
                        if inside[partner]:
                            smaller += partner != card
                            continue
                        if weights[card, partner] == 0:
                            continue
                        set_number = below[smaller] + CHOOSE[partner, smaller + 1] + above[smaller]
                        value -= weights[card, partner] * sums[first[size] + set_number]
        # ... or two.
        if size - 2 <= most:
            for index in range(size):
                for partner in range(index):
                    weight = weights[cards[index], cards[partner]]
                    if weight == 0:
                        continue
                    excess = (
                        set_sum
                        + sums[first[size - 2] + without_places(cards, size, index, partner, left)]
                    )
                    if size - 1 <= most:
                        excess -= sums[
                            first[size - 1] + without_places(cards, size, index, index, left)
                        ]
                        excess -= sums[
                            first[size - 1] + without_places(cards, size, partner, partner, left)
                        ]
                    value += weight * excess
        out[first[size] + number] = value
        next_set(cards, size)


@kernel
def leave_out(
    sums: np.ndarray,
    first: np.ndarray,
    most: int,
    size: int,
    begin: int,
    end: int,
    out: np.ndarray,
) -> None:
    """Fill ``out`` (sets of one size) with the weight of all ways that have no card of a set."""
    cards = np.zeros(MOST_CARDS + 2, dtype=np.int64)
    unrank(begin, size, cards)
    for number in range(begin, end):
        value = 0.0
        for chosen in range(1 << size):
            count, subset = 0, 0
            for index in range(size):
                if chosen >> index & 1:
                    count += 1
                    subset += CHOOSE[cards[index], count]
            if count <= most:
                subset_sum = sums[first[count] + subset]
                value += -subset_sum if count & 1 else subset_sum
        out[number] = value
        next_set(cards, size)


@kernel
def look_up_sets(sets: np.ndarray, table: np.ndarray, out: np.ndarray) -> None:
    """Write the weight of each set (sets, size), whose cards may stand in any order.

    A set with a card twice has none.
    """
    size = sets.shape[1]
    cards = np.zeros(MOST_CARDS + 2, dtype=np.int64)
    for number in range(len(sets)):
        set_number = 0
        for index in range(size):
            card, at = sets[number, index], index
            while at > 0 and cards[at - 1] > card:
                cards[at] = cards[at - 1]
                at -= 1
            cards[at] = card
        out[number] = 0
        is_set = True
        for index in range(size):
            is_set &= index == 0 or cards[index - 1] < cards[index]
            set_number += CHOOSE[cards[index], index + 1]
        if is_set:
            out[number] = table[set_number]


@kernel
def weigh_pairs(
    known: np.ndarray,
    ones: np.ndarray,
    others: np.ndarray,
    table: np.ndarray,
    scale: float,
    out: np.ndarray,
) -> None:
    """Write (ones, others) the weights of pairs of holdings on a board, times ``scale``.

    ``known`` are the board's cards after those of the spot, ``ones`` and ``others`` (holdings, 2)
    those of both players.
    """
    base = np.zeros(MOST_CARDS + 2, dtype=np.int64)
    size = len(known) + 2
    for row in range(len(ones)):
        for index in range(size):
            card = known[index] if index < len(known) else ones[row, index - len(known)]
            at = index
            while at > 0 and base[at - 1] > card:
                base[at] = base[at - 1]
                at -= 1
            base[at] = card
        for column in range(len(others)):
            low, high = others[column, 0], others[column, 1]
            if low > high:
                low, high = high, low
            count, set_number, shared = 0, 0, False
            for index in range(size + 1):
                card = base[index] if index < size else _NO_CARD
                shared |= index < size and card in (low, high)
                if low < card:
                    count += 1
                    set_number += CHOOSE[low, count]
                    low = _NO_CARD
                if high < card:
                    count += 1
                    set_number += CHOOSE[high, count]
                    high = _NO_CARD
                if index < size:
                    count += 1
                    set_number += CHOOSE[card, count]
            out[row, column] = 0 if shared else scale * table[set_number]
