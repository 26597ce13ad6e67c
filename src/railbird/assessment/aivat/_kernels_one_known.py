"""A known player's range of holdings against the one holding of an unknown player.

``weights`` (1326,) float64 are the probabilities that the known player has played as it did with
each holding, 0 for those that share a card with the board or with the unknown player. ``edges``
(1326,) are how often the unknown player's holding wins the showdown with each of them, less how
often it loses it, over all boards that may follow. Values are to the unknown player, in chips.

A round is a tuple of arrays, see `railbird.solve.limit.matrix_cfr.round_arrays`; ``place`` is the
betting sequence that led to it.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards.hand_strength._kernels_evaluator import (
    CARD_KEY,
    CARD_MASK,
    HOLDING_KEY,
    HOLDING_MASK,
    strength_of_key,
)
from railbird.odds.tables._kernels_ranking import key_of, mask_of


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
            whole, mask = key, used
            if missing >= 1:
                whole += CARD_KEY[cards[x]]
                mask |= CARD_MASK[cards[x]]
            if missing == 2:
                whole += CARD_KEY[cards[y]]
                mask |= CARD_MASK[cards[y]]
            mine = np.int32(strength_of_key(whole + own_key, mask | own_mask))
            for k in range(others):
                theirs = np.int32(strength_of_key(whole + keys[k], mask | masks[k]))
                balance = np.int32(mine > theirs) - np.int32(mine < theirs)
                # Selected rather than branched on, so that the loop stays one of vectors.
                won[k] += balance if masks[k] & mask == 0 else 0
    edges[:] = 0.0
    for k in range(others):
        edges[live[k]] = won[k] / boards


@kernel
def play_round(
    part: tuple[np.ndarray, ...],
    place: int,
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
    chips, player_of, first_slot, child = part[0], part[1], part[2], part[5]
    fold_paid, fold_of, end_of = part[6], part[8], part[9]
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
                total += model[row, slot * sequences + place]
        for slot in range(first, last):
            out = reach[child[slot]] if child[slot] >= 0 else reach[nodes]
            if is_known:
                for i in range(1326):
                    out[i] = 0.0
                    if reach[node, i] > 0:
                        whole = 0.0
                        for other in range(first, last):
                            whole += known[rows[i], other * sequences + place]
                        share = known[rows[i], slot * sequences + place] / whole
                        out[i] = reach[node, i] * share
            else:
                share_of_slot[slot] = model[row, slot * sequences + place] / total
                for i in range(1326):
                    out[i] = reach[node, i]
            there, edge = 0.0, 0.0
            for i in range(1326):
                there += out[i]
                edge += out[i] * edges[i]
            mass_of_slot[slot] = there
            if child[slot] >= 0:
                mass[child[slot]] = there
            elif fold_of[slot] >= 0:
                lost = chips[place] + fold_paid[fold_of[slot]]
                of_slot[slot] = (lost if is_known else -lost) * there
            else:
                end = end_of[slot]
                of_slot[slot] = constant[end] * there + slope[end] * edge
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
            deviation += of_slot[slot] / mass_of_slot[slot] - value[node] / mass[node]
        node = child[slot]
    return value[0] / mass[0], deviation
