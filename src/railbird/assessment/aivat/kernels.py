"""Kernels of AIVAT for heads-up limit: ranges, sums over pairs, exact values of a round's rest.

They work for `scorer`; heads-up no-limit (`no_limit`) uses some of them.

``weights`` (1326,) float64 are the probabilities that the known player has played as it did with
each holding, 0 for those that share a card with the board or with the unknown player. ``edges``
(1326,) say how often the unknown player's holding wins the showdown against each of them, less how
often it loses, over all boards that may follow. Values are the unknown player's, in chips.

A round is a tuple of arrays, see `railbird.solve.limit.matrix_cfr.round_arrays`; ``sequence``
is the number of the betting sequence that led to it.
"""

# AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling, 2018) takes luck out of the money of a match
# in which it is known how one or both players choose their actions; `scorer` has the method. For
# each card, and each action of a known player, the estimate gains what was to be expected of it and
# loses what came. That is zero on average whatever the values are, as long as both are taken from
# the same values in the same way; good values only make the estimate narrower. So every correction
# here is computed as a sum over all that might have come, and the part of it that came.
#
# A known player's own holding does not count more than any other that it would have played in the
# same way: everything is a mean over holdings, each with its probability, and with both known over
# all pairs that share no card, some million terms for each event. Because a value has a term for
# each seat's holding, or is a showdown, none of these sums needs a loop over pairs: it is a sum
# over holdings less sums by card (`weighed`, `flop_sums`, `met_mass`), or one pass in order of
# strength (`edge_mass`).
#
# The three parts: one player known (`play_round`, where the edge of the showdown takes the place of
# the other's range); both known, by values of states (`decide`, `deal`, `flop_sums`); and exact
# values of a river or turn (`add_river`, `reach_ends`, `round_value`), which use the passes of
# `railbird.solve.real_game.kernels`.
#
# Sums are in double precision, except for the vectors of `add_river`, where all betting sequences
# of a river go side by side. If a known player never plays as it did in a hand, the mass is zero
# and the estimate nan.
#
# Who would notice: tests/assessment/aivat/test_scorer.py, which checks that no card and no action
# has a mean effect, whatever the values, and compares the sums over pairs with those of a matrix.

from __future__ import annotations

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.cards.kernels import strength_of_key
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_CARDS, HOLDING_KEY, HOLDING_MASK
from railbird.odds.rank_kernels import find_levels, key_of, mask_of
from railbird.solve.real_game.kernels import fill_won, meet_others, reach_leaves


@kernel
def showdown_edges(holding: int, board: np.ndarray, edges: np.ndarray) -> None:
    """Fill the edges of a holding on a board of three to five cards; 0 against those blocked."""
    key, used = key_of(board), mask_of(board)
    own_key, own_mask = HOLDING_KEY[holding], HOLDING_MASK[holding]
    gone = used | own_mask
    live, others = np.empty(1326, dtype=np.int64), 0
    keys, masks = np.empty(1326, dtype=np.uint64), np.empty(1326, dtype=np.uint64)
    for i in range(1326):
        if HOLDING_MASK[i] & gone == 0:
            live[others], keys[others], masks[others] = i, HOLDING_KEY[i], HOLDING_MASK[i]
            others += 1
    cards, left = np.empty(52, dtype=np.int64), 0
    for card in range(52):
        if CARD_MASK[card] & gone == 0:
            cards[left] = card
            left += 1
    won = np.zeros(1326, dtype=np.int32)
    missing = 5 - len(board)
    boards = (1, 44, 990)[missing]
    for x in range(left if missing >= 1 else 1):
        for y in range(x + 1 if missing == 2 else 0, left if missing == 2 else 1):
            board_key, mask = key, used
            if missing >= 1:
                board_key += CARD_KEY[cards[x]]
                mask |= CARD_MASK[cards[x]]
            if missing == 2:
                board_key += CARD_KEY[cards[y]]
                mask |= CARD_MASK[cards[y]]
            mine = np.int32(strength_of_key(board_key + own_key, mask | own_mask))
            for k in range(others):
                theirs = np.int32(strength_of_key(board_key + keys[k], mask | masks[k]))
                balance = np.int32(mine > theirs) - np.int32(mine < theirs)
                # Selected rather than branched on, so that the loop stays one of vectors.
                won[k] += balance if masks[k] & mask == 0 else 0
    edges[:] = 0.0
    for k in range(others):
        edges[live[k]] = won[k] / boards


@kernel
def play_round(
    arrays: tuple[np.ndarray, ...],
    sequence: int,
    known: np.ndarray,
    rows: np.ndarray,
    model: np.ndarray,
    row: int,
    unknown: int,
    weights: np.ndarray,
    edges: np.ndarray,
    constant: np.ndarray,
    slope: np.ndarray,
    path: np.ndarray,
    after: np.ndarray,
) -> tuple[float, float]:
    """Return a round's value, and what the unknown player's actions changed.

    ``known`` (rows, all lanes) and ``rows`` (1326,) are the known player's strategy; ``model`` and
    ``row`` what the player in seat ``unknown`` is taken to do, whose probabilities only average
    values. Each end of the round is worth ``constant + slope * edge`` (ends,). ``path`` are the
    slots of the actions that came; ``after`` (1326,) gets the weights where they ended, all 0 if
    the known player never plays so. Values are means over the weights.
    """
    chips, player_of, first_slot, child = arrays[0], arrays[1], arrays[2], arrays[5]
    fold_paid, fold_of, end_of = arrays[6], arrays[8], arrays[9]
    sequences, nodes, slots = len(chips), len(player_of), len(child)
    reach = np.empty((nodes + 1, 1326))
    reach[0] = weights
    value, mass = np.zeros(nodes), np.zeros(nodes)
    of_slot, mass_of_slot, share_of_slot = np.zeros(slots), np.zeros(slots), np.ones(slots)
    for i in range(1326):
        mass[0] += weights[i]
    last_slot = path[len(path) - 1] if len(path) else -1
    for node in range(nodes):
        first, last = first_slot[node], first_slot[node + 1]
        is_known = player_of[node] != unknown
        total = 0.0
        if not is_known:
            for slot in range(first, last):
                total += model[row, slot * sequences + sequence]
        for slot in range(first, last):
            # The last row is scratch for actions that end the round.
            out = reach[child[slot]] if child[slot] >= 0 else reach[nodes]
            if is_known:
                for i in range(1326):
                    out[i] = 0.0
                    if reach[node, i] > 0:
                        row_total = 0.0
                        for other in range(first, last):
                            row_total += known[rows[i], other * sequences + sequence]
                        share = known[rows[i], slot * sequences + sequence] / row_total
                        out[i] = reach[node, i] * share
            else:
                # The model only averages values. The weights are the known player's range, which
                # the other's actions leave as it is.
                share_of_slot[slot] = model[row, slot * sequences + sequence] / total
                for i in range(1326):
                    out[i] = reach[node, i]
            arriving, edge = 0.0, 0.0
            for i in range(1326):
                arriving += out[i]
                edge += out[i] * edges[i]
            mass_of_slot[slot] = arriving
            if child[slot] >= 0:
                mass[child[slot]] = arriving
            elif fold_of[slot] >= 0:
                lost = chips[sequence] + fold_paid[fold_of[slot]]
                of_slot[slot] = (lost if is_known else -lost) * arriving
            else:
                end = end_of[slot]
                of_slot[slot] = constant[end] * arriving + slope[end] * edge
            if slot == last_slot:
                for i in range(1326):
                    after[i] = out[i]
    for node in range(nodes - 1, -1, -1):
        for slot in range(first_slot[node], first_slot[node + 1]):
            if child[slot] >= 0:
                of_slot[slot] = value[child[slot]]
            value[node] += share_of_slot[slot] * of_slot[slot]
    deviation, node = 0.0, 0
    for slot in path:
        if mass_of_slot[slot] == 0:
            break
        if player_of[node] == unknown:
            # The action that came, less the mean over the model's actions, both for the range that
            # got here.
            deviation += of_slot[slot] / mass_of_slot[slot] - value[node] / mass[node]
        node = child[slot]
    return value[0] / mass[0], deviation


# Sums over all pairs of holdings that two seats may have, after what is public of a hand.
#
# ``first`` and ``second`` (1326,) float64 are the seats' *weights*: of a known player the
# probability of playing as it did with each holding, of an unknown one 1 for the holding it had. A
# pair counts the product, and nothing if both have a card in common. Since what is summed depends
# on one holding at a time, sums over pairs take as long as sums over holdings. Values are to seat
# 0.
#
# ``states`` (1326,) are the holdings' states in the table of values, of which ``plus`` and
# ``minus`` (states,) are rows: holdings i and j are worth plus[states[i]] - minus[states[j]].


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
    expected, total_mass, came = 0.0, 0.0, 0.0
    for a in range(len(lanes)):
        if seat == 0:
            value, mass = weighed(acting[a], second, states, plus[a], minus[a])
        else:
            value, mass = weighed(first, acting[a], states, plus[a], minus[a])
        expected += value
        total_mass += mass
        if a == taken:
            came = value / mass
    for state in range(len(own)):
        own[state] = acting[taken, state]
    return expected / total_mass - came


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
    expected, total_mass, came = 0.0, 0.0, 0.0
    left = np.empty((2, 1326))
    for c in range(52):
        any_live = False
        for i in range(1326):
            is_live = states[c, i] >= 0
            any_live = any_live or is_live
            left[0, i] = first[i] if is_live else 0.0
            left[1, i] = second[i] if is_live else 0.0
        if not any_live:
            continue
        value, mass = weighed(left[0], left[1], states[c], plus, minus)
        expected += value
        total_mass += mass
        if c == card:
            came = value / mass
    for i in range(1326):
        if states[card, i] < 0:
            first[i] = 0.0
            second[i] = 0.0
    return expected / total_mass - came


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
            case_seat = 0 if is_known[1] and not is_known[0] else 1
            x = second[s, j] if case_seat == 1 else first[s, j]
            y = -x * minus[s, states[j]] if case_seat == 1 else x * plus[s, states[j]]
            z = first[s, j] if case_seat == 1 else second[s, j]
            w = z * plus[s, states[j]] if case_seat == 1 else -z * minus[s, states[j]]
            rival_seat = 1 - case_seat
            met = total[rival_seat] - by_card[rival_seat, a] - by_card[rival_seat, b] + z
            worth = summed[rival_seat] - sums[rival_seat, a] - sums[rival_seat, b] + w
            column = 0 if both else classes[j]
            masses[s, column] += orbit * x * met
            values[s, column] += orbit * (x * worth + y * met)


# Exact values of a round's rest for two ranges of holdings, known strategies, one betting line.
#
# ``sides`` (2, 1326) float64 are the weights of both ranges. A known player's weight is
# multiplied by the probability of its actions.
#
# A round is a tuple of arrays, see `railbird.solve.limit.matrix_cfr.round_arrays`; ``sequence``
# is the number of the betting sequence that led to it.


@kernel
def order_of(board: np.ndarray, order: np.ndarray, begin: np.ndarray) -> tuple[int, int]:
    """Fill the live holdings of a river in ``order`` of strength, and where each level begins.

    Returns how many holdings and levels there are; ``begin`` has one entry more than levels.
    """
    live, level = np.empty(1326, dtype=np.uint16), np.empty(1326, dtype=np.uint16)
    used = mask_of(board)
    holdings = np.arange(1326).astype(np.uint16)
    number, levels = find_levels(holdings, key_of(board), used, used, live, level)
    begin[: levels + 2] = 0
    for k in range(number):
        begin[level[live[k]] + 2] += 1
    for index in range(levels):
        begin[index + 2] += begin[index + 1]
    for k in range(number):
        holding = live[k]
        order[begin[level[holding] + 1]] = holding
        begin[level[holding] + 1] += 1
    return number, levels


@kernel
def met_mass(sides: np.ndarray) -> float:
    """Return the sum of the weights of all pairs without a card in common."""
    by_card = np.zeros(52)
    total, mass = 0.0, 0.0
    for i in range(1326):
        if sides[1, i] > 0:
            total += sides[1, i]
            by_card[HOLDING_CARDS[i, 0]] += sides[1, i]
            by_card[HOLDING_CARDS[i, 1]] += sides[1, i]
    for i in range(1326):
        if sides[0, i] > 0:
            a, b = HOLDING_CARDS[i, 0], HOLDING_CARDS[i, 1]
            mass += sides[0, i] * (total - by_card[a] - by_card[b] + sides[1, i])
    return mass


@kernel
def edge_mass(sides: np.ndarray, order: np.ndarray, begin: np.ndarray, levels: int) -> float:
    """Return the weight of the pairs in which seat 0 wins the showdown, less where it loses."""
    below = np.zeros((2, 53))
    edge = 0.0
    for level in range(levels):
        for k in range(begin[level], begin[level + 1]):
            i = order[k]
            a, b = HOLDING_CARDS[i, 0], HOLDING_CARDS[i, 1]
            x, y = sides[0, i], sides[1, i]
            if x > 0:
                edge += x * (below[1, 52] - below[1, a] - below[1, b])
            if y > 0:
                edge -= y * (below[0, 52] - below[0, a] - below[0, b])
        for k in range(begin[level], begin[level + 1]):
            i = order[k]
            a, b = HOLDING_CARDS[i, 0], HOLDING_CARDS[i, 1]
            for side in range(2):
                x = sides[side, i]
                below[side, 52] += x
                below[side, a] += x
                below[side, b] += x
    return edge


@kernel
def shown_down(board: np.ndarray, sides: np.ndarray) -> float:
    """Return how often seat 0 wins the showdown less how often it loses, over all pairs."""
    order, begin = np.empty(1326, dtype=np.int64), np.zeros(1326 + 2, dtype=np.int64)
    _number, levels = order_of(board, order, begin)
    return edge_mass(sides, order, begin, levels) / met_mass(sides)


@uncounted_kernel
def few_lanes(table: np.ndarray, places: np.ndarray, stride: int, few: np.ndarray) -> None:
    """Copy some betting sequences' lanes of a strategy, so that they stand side by side.

    ``table`` (rows, slots * stride); ``few`` (rows, slots * count) float32.
    """
    count = len(places)
    for row in range(len(few)):
        for slot in range(few.shape[1] // count):
            for k in range(count):
                few[row, slot * count + k] = table[row, slot * stride + places[k]]


@kernel
def add_river(
    arrays: tuple[np.ndarray, ...],
    tables: tuple[np.ndarray, ...],
    rows: np.ndarray,
    board: np.ndarray,
    start_weights: np.ndarray,
    room: np.ndarray,
    weight: float,
    values: np.ndarray,
) -> None:
    """Add ``weight`` times a river's values in chips to ``values`` (sequences,) of a round.

    ``start_weights`` (2, 1326, sequences) float32 are the weights at its start; values are sums
    over pairs. The loops run over the sequences, so that they fill registers. ``room`` has at least
    1,326 times sequences times the nodes, twice the leaves and one, since fresh pages cost time.
    """
    chips, player_of, fold_paid, end_paid = arrays[0], arrays[1], arrays[6], arrays[7]
    fold_of, end_of, nodes = arrays[8], arrays[9], len(arrays[1])
    order, begin = np.empty(1326, dtype=np.int64), np.zeros(1326 + 2, dtype=np.int64)
    number, levels = order_of(board, order, begin)
    live, count = order[:number], len(chips)
    leaves = len(fold_paid) + len(end_paid)
    vectors = room[: (nodes + 2 * leaves + 1) * number * count]
    vectors = vectors.reshape((nodes + 2 * leaves + 1, number, count))
    reach, won = vectors[:nodes], vectors[nodes]
    reached = vectors[nodes + 1 :].reshape((2, leaves, number, count))
    for seat in range(2):
        ends, folds = reached[seat, : len(end_paid)], reached[seat, len(end_paid) :]
        reach_leaves(
            arrays,
            seat,
            tables[seat],
            rows[seat],
            start_weights[seat],
            live,
            reach,
            ends,
            folds,
        )
    sums = np.empty(count, dtype=np.float32)
    for slot in range(len(fold_of)):
        if fold_of[slot] < 0 and end_of[slot] < 0:
            continue
        is_fold = fold_of[slot] >= 0
        leaf = len(end_paid) + fold_of[slot] if is_fold else end_of[slot]
        if is_fold:
            meet_others(live, reached[1, leaf], won)
        else:
            fill_won(live, begin[: levels + 1], reached[1, leaf], won)
        mine = reached[0, leaf]
        sums[:] = 0.0
        for i in range(number):
            for k in range(count):
                sums[k] += mine[i, k] * won[i, k]
        for k in range(count):
            if is_fold:
                lost = chips[k] + fold_paid[fold_of[slot]]
                stake = lost if player_of[arrays[4][slot]] == 1 else -lost
            else:
                stake = chips[k] + end_paid[end_of[slot]]
            values[k] += weight * stake * sums[k]


@kernel
def reach_ends(
    arrays: tuple[np.ndarray, ...],
    sequence: int,
    tables: tuple[np.ndarray, ...],
    rows: np.ndarray,
    is_known: np.ndarray,
    sides: np.ndarray,
    end_weights: np.ndarray,
) -> None:
    """Fill ``end_weights`` (2, 1326, ends) with the weights where one sequence of a round ends."""
    player_of, first_slot, child, end_of = arrays[1], arrays[2], arrays[5], arrays[9]
    sequences, nodes = len(arrays[0]), len(player_of)
    reach = np.zeros((nodes, 2, 1326))
    reach[0] = sides
    for node in range(nodes):
        seat = player_of[node]
        first, last = first_slot[node], first_slot[node + 1]
        table = tables[seat]
        for slot in range(first, last):
            if child[slot] < 0 and end_of[slot] < 0:
                continue
            for i in range(1326):
                x, y = reach[node, 0, i], reach[node, 1, i]
                if is_known[seat] and (x if seat == 0 else y) > 0:
                    total = 0.0
                    for other in range(first, last):
                        total += table[rows[seat, i], other * sequences + sequence]
                    share = table[rows[seat, i], slot * sequences + sequence] / total
                    if seat == 0:
                        x *= share
                    else:
                        y *= share
                if child[slot] >= 0:
                    reach[child[slot], 0, i] = x
                    reach[child[slot], 1, i] = y
                else:
                    end_weights[0, i, end_of[slot]] = x
                    end_weights[1, i, end_of[slot]] = y


@kernel
def round_value(
    arrays: tuple[np.ndarray, ...],
    sequence: int,
    tables: tuple[np.ndarray, ...],
    rows: np.ndarray,
    board: np.ndarray,
    sides: np.ndarray,
    later: np.ndarray,
) -> float:
    """Return a round's value to seat 0 in chips, both players being known.

    ``tables`` (two of (rows, lanes)) and ``rows`` (2, 1326) are the strategies. ``board`` has five
    cards on the river, and none before, where ``later`` (ends,) are the sums over pairs of what the
    ends are worth.
    """
    chips, player_of, first_slot, child = arrays[0], arrays[1], arrays[2], arrays[5]
    fold_paid, end_paid, fold_of, end_of = arrays[6], arrays[7], arrays[8], arrays[9]
    sequences, nodes = len(chips), len(player_of)
    order, begin = np.empty(1326, dtype=np.int64), np.zeros(1326 + 2, dtype=np.int64)
    levels = 0
    if len(board):
        _number, levels = order_of(board, order, begin)
    reach = np.zeros((nodes + 1, 2, 1326))
    reach[0] = sides
    value = 0.0
    for node in range(nodes):
        seat = player_of[node]
        first, last = first_slot[node], first_slot[node + 1]
        table = tables[seat]
        for slot in range(first, last):
            out = reach[child[slot]] if child[slot] >= 0 else reach[nodes]
            for player in range(2):
                for i in range(1326):
                    out[player, i] = reach[node, player, i]
            for i in range(1326):
                if out[seat, i] > 0:
                    total = 0.0
                    for other in range(first, last):
                        total += table[rows[seat, i], other * sequences + sequence]
                    out[seat, i] *= table[rows[seat, i], slot * sequences + sequence] / total
            if fold_of[slot] >= 0:
                lost = chips[sequence] + fold_paid[fold_of[slot]]
                value += (lost if seat == 1 else -lost) * met_mass(out)
            elif end_of[slot] >= 0 and len(board):
                stake = chips[sequence] + end_paid[end_of[slot]]
                value += stake * edge_mass(out, order, begin, levels)
            elif end_of[slot] >= 0:
                value += later[end_of[slot]]
    return value / met_mass(sides)
