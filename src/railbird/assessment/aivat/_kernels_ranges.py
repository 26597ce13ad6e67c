"""Sums over all pairs of holdings that two seats may have, after what is public of a hand.

``first`` and ``second`` (1326,) float64 are the seats' *weights*: of a known player the probability
of playing as it did with each holding, of an unknown one 1 for the holding it had. A pair counts
the product, and nothing if both have a card in common. Since what is summed depends on one holding
at a time, sums over pairs take as long as sums over holdings. Values are to seat 0.

``states`` (1326,) are the holdings' states in the table of values, of which ``plus`` and ``minus``
(states,) are rows: holdings i and j are worth plus[states[i]] - minus[states[j]].
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS


@kernel
def weighed(
    first: np.ndarray, second: np.ndarray, states: np.ndarray, plus: np.ndarray, minus: np.ndarray
) -> tuple[float, float]:
    """Return the sum of the pairs' values, and that of their weights."""
    by_card = np.zeros((2, 52))
    total_0, total_1 = 0.0, 0.0
    for i in range(1326):
        a, b = HOLDING_CARDS[i, 0], HOLDING_CARDS[i, 1]
        x, y = first[i], second[i]
        if x > 0:
            total_0 += x
            by_card[0, a] += x
            by_card[0, b] += x
        if y > 0:
            total_1 += y
            by_card[1, a] += y
            by_card[1, b] += y
    value, mass = 0.0, 0.0
    for i in range(1326):
        a, b = HOLDING_CARDS[i, 0], HOLDING_CARDS[i, 1]
        x, y = first[i], second[i]
        if x > 0:
            met = x * (total_1 - by_card[1, a] - by_card[1, b] + y)
            mass += met
            value += met * plus[states[i]]
        if y > 0:
            met = y * (total_0 - by_card[0, a] - by_card[0, b] + x)
            value -= met * minus[states[i]]
    return value, mass


@kernel
def decide(
    seat: int,
    first: np.ndarray,
    second: np.ndarray,
    table: np.ndarray,
    rows: np.ndarray,
    lanes: np.ndarray,
    taken: int,
    states: np.ndarray,
    plus: np.ndarray,
    minus: np.ndarray,
) -> float:
    """Return the correction of a known player's action, and weigh that player by it.

    ``table`` (rows, all lanes) and ``rows`` (1326,) are the strategy; ``lanes`` those of the
    possible actions, of which number ``taken`` came. ``plus`` and ``minus`` (actions, states).
    """
    own = first if seat == 0 else second
    acting = np.zeros((len(lanes), 1326))
    for i in range(1326):
        if own[i] > 0:
            total = 0.0
            for a in range(len(lanes)):
                total += table[rows[i], lanes[a]]
            for a in range(len(lanes)):
                acting[a, i] = own[i] * table[rows[i], lanes[a]] / total
    expected, whole, came = 0.0, 0.0, 0.0
    for a in range(len(lanes)):
        if seat == 0:
            value, mass = weighed(acting[a], second, states, plus[a], minus[a])
        else:
            value, mass = weighed(first, acting[a], states, plus[a], minus[a])
        expected += value
        whole += mass
        if a == taken:
            came = value / mass
    for state in range(len(own)):
        own[state] = acting[taken, state]
    return expected / whole - came


@kernel
def deal(
    card: int,
    first: np.ndarray,
    second: np.ndarray,
    states: np.ndarray,
    plus: np.ndarray,
    minus: np.ndarray,
) -> float:
    """Return the correction of the card that came on the board, and drop holdings with it.

    ``states`` (52, 1326) are those on the board with each card; -1 marks holdings with that card or
    another of the board, and all of them where the card is on the board already.
    """
    expected, whole, came = 0.0, 0.0, 0.0
    left = np.empty((2, 1326))
    for c in range(52):
        there = False
        for i in range(1326):
            is_live = states[c, i] >= 0
            there = there or is_live
            left[0, i] = first[i] if is_live else 0.0
            left[1, i] = second[i] if is_live else 0.0
        if not there:
            continue
        value, mass = weighed(left[0], left[1], states[c], plus, minus)
        expected += value
        whole += mass
        if c == card:
            came = value / mass
    for i in range(1326):
        if states[card, i] < 0:
            first[i] = 0.0
            second[i] = 0.0
    return expected / whole - came


@kernel
def flop_sums(
    first: np.ndarray,
    second: np.ndarray,
    is_known: np.ndarray,
    states: np.ndarray,
    orbit: float,
    classes: np.ndarray,
    plus: np.ndarray,
    minus: np.ndarray,
    values: np.ndarray,
    masses: np.ndarray,
) -> None:
    """Add a flop's sums, ``orbit`` times, to those of all flops.

    ``first`` and ``second`` (sequences, 1326) are the weights of known players and 1 of the unknown
    one's holdings, each of which is a case of its own then: ``values`` and ``masses`` (sequences,
    169) are by its hand class; where both are known, all is in the first column.
    """
    both = is_known[0] and is_known[1]
    for s in range(len(first)):
        by_card = np.zeros((2, 52))
        sums = np.zeros((2, 52))
        total = np.zeros(2)
        summed = np.zeros(2)
        for i in range(1326):
            if states[i] < 0:
                continue
            a, b = HOLDING_CARDS[i, 0], HOLDING_CARDS[i, 1]
            for seat in range(2):
                x = first[s, i] if seat == 0 else second[s, i]
                y = x * plus[s, states[i]] if seat == 0 else -x * minus[s, states[i]]
                total[seat] += x
                summed[seat] += y
                for card in (a, b):
                    by_card[seat, card] += x
                    sums[seat, card] += y
        for j in range(1326):
            if states[j] < 0:
                continue
            a, b = HOLDING_CARDS[j, 0], HOLDING_CARDS[j, 1]
            # Seat 1 as the one whose holdings are cases, unless that is the known one.
            one = 0 if is_known[1] and not is_known[0] else 1
            x = second[s, j] if one == 1 else first[s, j]
            y = -x * minus[s, states[j]] if one == 1 else x * plus[s, states[j]]
            z = first[s, j] if one == 1 else second[s, j]
            w = z * plus[s, states[j]] if one == 1 else -z * minus[s, states[j]]
            other = 1 - one
            met = total[other] - by_card[other, a] - by_card[other, b] + z
            worth = summed[other] - sums[other, a] - sums[other, b] + w
            column = 0 if both else classes[j]
            masses[s, column] += orbit * x * met
            values[s, column] += orbit * (x * worth + y * met)
