"""Learned beliefs as `LearnedTracker` keeps them, in arrays that all players of a table share.

Weights are those of the tracker's record, which `_kernels_tracker` brings up to date; here they are
multiplied at each action, and types are learned at the end of a hand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine._kernels_betting import play
from railbird.game.engine._kernels_pots import block_of, copy, may_muck, muck, show
from railbird.modelling import _kernels_tracker_layout as by
from railbird.modelling._kernels_tracker import learn_until, mask_of_board
from railbird.modelling.learned._kernels_beliefs import (
    TRUST,
    add_shown,
    add_unseen,
    adjust,
    expected_share,
    fill_chances,
    fill_held,
    mix,
    reweigh,
)
from railbird.modelling.learned._kernels_situations import (
    LATER_ROWS,
    LEVELS,
    cell_of,
    class_by_values,
    fact_of,
    later_row,
    preflop_row,
)


class Learned(NamedTuple):
    """What the trackers of a table that learn types keep and share."""

    evidence: np.ndarray
    """(learning trackers,) of `_kernels_learned_layout.EVIDENCE`."""
    preflop: np.ndarray
    """(types of all models, rows, classes, 3) as `ActionModel.preflop`."""
    later: np.ndarray
    """The same from the flop on."""
    facts: np.ndarray
    """(models, cells, facts, levels, 3) as `ActionModel.facts`."""
    classes: np.ndarray
    """(1,) of `_kernels_learned_layout.BOARD_CLASSES`."""


# A tracker is a record of `by.TRACKER`; that of a learner names its record of evidence.


@kernel
def begin_types(known: np.ndarray, seated: np.ndarray) -> None:
    """Begin a hand: forget what was seen of the last one."""
    types = known["types"]
    for seat in range(len(seated)):
        known["acted"][seat] = 0
        for street in range(4):
            known["is_mixed"][seat, street] = 0
        for each in range(types):
            known["unseen"][seat, each] = 0.0
            known["shown"][seat, each] = 0.0
        fill_chances(known["logs"][seated[seat], :types], known["chances"][seat, :types])


@kernel
def know_classes(learned: Learned, boards: np.ndarray, street: int) -> None:
    """Begin a street: fill the classes on the board whose values are known, and note who raised.

    See `situations.later_classes`.
    """
    values, potential = boards["values"][street], boards["potential"][street]
    known = learned.classes[0]
    known["raised_before"], known["raised"] = known["raised"], 0
    classes = known["later"][street]
    for holding in range(1326):
        classes[holding] = class_by_values(values[holding], potential[holding])


@inline_kernel
def _put_in(hand: np.ndarray, seat: int) -> int:
    chips: int = hand[block_of(seat) + at.IN]
    return chips


@kernel
def _row_and_group(hand: np.ndarray, blinds: np.ndarray) -> tuple[int, int]:
    """Return the actor's row and the group of opponents; see `situations.situation_of`."""
    seat, street = hand[at.ACTOR], hand[at.STREET]
    bets = -(-hand[at.TO_CALL] // hand[at.BET_SIZE + street])
    opponents, entered = -1, 0
    for other in range(hand[at.SEATS]):
        if hand[at.ALIVE] >> other & 1:
            opponents += 1
            if other != seat and _put_in(hand, other) > blinds[other]:
                entered += 1
    group = 0 if opponents <= 1 else 1 if opponents <= 3 else 2
    if street > 0:
        return later_row(street, bets, opponents, _put_in(hand, seat) > 0), group
    role = 2 if _put_in(hand, seat) > blinds[seat] else 1 if blinds[seat] > 0 else 0
    return preflop_row(bets, role, entered, group), group


@kernel
def _fact(hand: np.ndarray, raised_before: int) -> int:
    """Return the kind of further facts of a decision; see `situations.situation_of`."""
    seat, to_call = hand[at.ACTOR], hand[at.TO_CALL]
    others = hand[at.ALIVE] & ~(1 << seat)
    behind = 0
    for other in range(hand[at.SEATS]):
        behind += (hand[at.PENDING] & others) >> other & 1
    return fact_of(raised_before, seat, others, to_call / (hand[at.POT] + to_call), behind)


@inline_kernel
def _fill_ratios(learned: Learned, known: np.ndarray, row: int, fact: int) -> None:
    """Fill the ratios with what further facts say."""
    ratios = known["ratios"]
    for level in range(LEVELS):
        for each in range(by.KINDS):
            ratios[level, each] = learned.facts[known["model"], cell_of(row), fact, level, each]


@kernel
def observe_by_types(
    trackers: np.ndarray,
    boards: np.ndarray,
    learned: Learned,
    hand: np.ndarray,
    blinds: np.ndarray,
    action: int,
) -> None:
    """Learn from an action that is about to be taken, as `LearnedTracker` does."""
    seat, street = hand[at.ACTOR], hand[at.STREET]
    row, group = _row_and_group(hand, blinds)
    shared = learned.classes[0]
    fact, ratios = _fact(hand, shared["raised_before"]), shared["nothing_more"]
    kind = by.FOLD if action == at.FOLD else by.CALL if action == at.CALL else by.RAISE
    board, holding = mask_of_board(hand, street), hand[block_of(seat) + at.HOLDING]
    classes, tables = shared["preflop"][group], learned.preflop
    if street > 0:
        classes, tables = shared["later"][street], learned.later
    for number in range(len(trackers)):
        tracker = trackers[number]
        if tracker["observes"] == 0 or tracker["learner"] < 0:
            continue
        known = learned.evidence[tracker["learner"]]
        types = known["types"]
        table = tables[known["first"] : known["first"] + types]
        if street > 0:
            ratios = known["ratios"]
            _fill_ratios(learned, known, row, fact)
        learn_until(tracker, boards, seat, street)
        weights = tracker["weights"][seat, street + 1]
        if known["is_specific"] != 0:
            held = known["held"][: tables.shape[2]]
            fill_held(weights, board, classes, held)
            add_unseen(table, row, ratios, kind, held, known["unseen"][seat, :types])
            add_shown(table, row, ratios, kind, classes[holding], known["shown"][seat, :types])
            known["acted"][seat] = 1
        if kind != by.FOLD:
            shares = known["shares"][: tables.shape[2]]
            mix(known["chances"][seat, :types], table, row, shares)
            if street > 0:
                adjust(shares, ratios)
            reweigh(weights, board, classes, shares, kind, weights)
            tracker["weighed_on"][seat] = -1
    if kind == by.RAISE:
        shared["raised"] |= 1 << seat


@kernel
def chance_of_folds(
    tracker: np.ndarray, boards: np.ndarray, learned: Learned, hand: np.ndarray, blinds: np.ndarray
) -> float:
    """Return the probability that all fold to a bet of the actor; see `LearnedTracker`."""
    if hand[at.NO_RAISE] != 0:
        return 0.0
    known, street = learned.evidence[tracker["learner"]], hand[at.STREET]
    shared, types = learned.classes[0], known["types"]
    table = learned.later[known["first"] : known["first"] + types]
    classes, board = shared["later"][street], mask_of_board(hand, street)
    shares, held = known["shares"][: table.shape[2]], known["held"][: table.shape[2]]
    others, left, chance = hand[at.ALIVE] & ~(1 << hand[at.ACTOR]), 0, 1.0
    for seat in range(hand[at.SEATS]):
        left += others >> seat & 1
    after = np.empty(len(hand), np.int64)
    copy(hand, after, len(hand))
    play(after, after[at.LOW_TO])
    while left > 0:
        if after[at.PHASE] != at.BETTING_ROUND:
            return 0.0  # somebody is all in
        seat = after[at.ACTOR]
        row, _ = _row_and_group(after, blinds)
        _fill_ratios(learned, known, row, _fact(after, shared["raised_before"]))
        learn_until(tracker, boards, seat, street)
        fill_held(tracker["weights"][seat, street + 1], board, classes, held)
        mix(known["chances"][seat, :types], table, row, shares)
        adjust(shares, known["ratios"])
        chance *= expected_share(held, shares, by.FOLD)
        left -= 1
        if left > 0:
            play(after, at.FOLD)
    return chance


@kernel
def mix_later(learned: Learned, known: np.ndarray, seat: int, street: int) -> None:
    """Bring a seat's probabilities of actions up to date, from a street on."""
    types, rows = known["types"], LATER_ROWS // 3
    table = learned.later[known["first"] : known["first"] + types]
    for later in range(street, 4):
        if known["is_mixed"][seat, later] == 0:
            known["is_mixed"][seat, later] = 1
            for row in range(rows * (later - 1), rows * later):
                mix(known["chances"][seat, :types], table, row, known["mixed"][seat, row])


@kernel
def learn_types(
    trackers: np.ndarray, learned: Learned, hand: np.ndarray, seated: np.ndarray
) -> None:
    """Show a finished hand down, and learn what type everybody is."""
    while hand[at.PHASE] == at.SHOWDOWN:
        seat = hand[at.SHOWER]
        if may_muck(hand, seat):
            muck(hand, seat)
        else:
            show(hand, seat, hand[block_of(seat) + at.HOLDING])
    for number in range(len(trackers)):
        tracker = trackers[number]
        if tracker["observes"] == 0 or tracker["learner"] < 0:
            continue
        known = learned.evidence[tracker["learner"]]
        for seat in range(len(seated)):
            if known["acted"][seat] != 0:
                found = known["unseen"][seat]
                if hand[at.SHOWN] >> seat & 1:
                    found = known["shown"][seat]
                for each in range(known["types"]):
                    known["logs"][seated[seat], each] += TRUST * found[each]
