"""Arithmetic of learned beliefs, shared by Python and compiled trackers.

The order of additions is part of the result: a compiled match is byte for byte one in Python.
"""

# The model behind this is in `learned`: tables of how often players of some *types* fold, call and
# raise, by situation and strength class, learned from logs. Beliefs are by Bayes' rule in two
# directions. An action multiplies the weight of each holding by the probability of that action with
# it (`reweigh`), the types being mixed by what is believed of the player; and it adds to the
# log-likelihood of each type (`add_unseen`, `add_shown`), of which the chances of types are made
# (`fill_chances`).
#
# Two likelihoods are kept for each seat during a hand, because only its end tells which one holds:
# if the cards stay hidden an action is worth its mean over what the player may have, if they are
# shown its probability with the class shown. `learn_types` shows the finished hand down by the
# engine, chooses, and adds.
#
# The constants that keep this modest are above the functions: `TRUST` takes the square root of a
# hand's likelihood, as the actions of one hand are not independent; `LEAST` and `FLOOR` keep
# anybody from being sure of what a table has never seen; `DOUBT` lets a type return.
#
# Python and compiled trackers call these functions, so arithmetic is written once. What the records
# add is where numbers lie: by seat during the hand, by person between hands, and the probabilities
# of actions of a whole street mixed at once and kept (`mix_later`), since a simulation asks for
# them thousands of times. The records' ``shares``, ``held`` and ``ratios`` are memory for one
# action.
#
# Who would notice: tests/modelling/test_learned_model.py; tests/twins/test_loki_twins.py,
# whose players include those that learn types.

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards.tables import HOLDING_MASK
from railbird.game import kernels as at
from railbird.game.kernels import apply_action, block_of, copy, may_muck_shown, muck, show_holding
from railbird.modelling import kernels as by
from railbird.modelling.kernels import learn_until, mask_of_board

# Rows and strength classes from the flop on, in the form that kernels use.


LEVELS: Final = 24
"""Number of classes of EHS'."""
POTENTIALS: Final = (0.06, 0.12, 0.20)
"""Lower ends of the classes of crude potential but the first, which divide those of EHS'."""
BETS, OPPONENTS, IN = 3, 3, 2
"""Sizes of a row's parts: bets to call, opponents, and whether the player has bet or called."""
PREFLOP_BETS, ROLES, ENTERED, GROUPS = 4, 3, 4, 3
"""The same before the flop: bets to call, what the player has put in, others who are in by choice,
and groups of opponents."""
PREFLOP_ROWS: Final = PREFLOP_BETS * ROLES * ENTERED * GROUPS
PREFLOP_CLASSES: Final = LEVELS
LATER_ROWS: Final = 3 * BETS * OPPONENTS * IN
LATER_CLASSES: Final = LEVELS * (len(POTENTIALS) + 1)

CELLS: Final = 3 * BETS * IN
"""Rows from the flop on, by whatever number of opponents."""
ODDS: Final = (1e-9, 0.08, 0.12, 0.17, 0.23, 0.3)
"""Lower ends of the classes of pot odds but the first, in which a call costs nothing."""
BEHIND: Final = 3
"""Classes of the others who are still to act on a street: none, one, more."""
FACTS: Final = 2 * 2 * (len(ODDS) + 1) * BEHIND
"""Kinds of further facts; see `fact_of`."""


@inline_kernel
def row_cell(row: int) -> int:
    """Return a row's cell in tables of facts."""
    return row // (OPPONENTS * IN) * IN + row % IN


@inline_kernel
def fact_of(raised: int, seat: int, others: int, odds: float, behind: int) -> int:
    """Return the kind of further facts of a decision from the flop on.

    ``raised`` is a mask of those who bet or raised on the street before, ``others`` one of the
    opponents, and ``behind`` the number of these who are still to act.
    """
    kind = (raised >> seat & 1) * 2 + (1 if raised & others != 0 else 0)
    price = 0
    for least in ODDS:
        if odds >= least:
            price += 1
    return (kind * (len(ODDS) + 1) + price) * BEHIND + min(behind, BEHIND - 1)


@inline_kernel
def preflop_row(bets: int, role: int, entered: int, group: int) -> int:
    """Return the row of a situation before the flop; see `learned.situation_to_act`."""
    row = min(bets, PREFLOP_BETS - 1) * ROLES + role
    return (row * ENTERED + min(entered, ENTERED - 1)) * GROUPS + group


@inline_kernel
def later_row(street: int, bets: int, opponents: int, is_in: bool) -> int:
    """Return the row of a situation; ``street`` is 1 on the flop."""
    row = (street - 1) * BETS + min(bets, BETS - 1)
    row = row * OPPONENTS + min(opponents, OPPONENTS) - 1
    return row * IN + (1 if is_in else 0)


@inline_kernel
def class_by_values(value: float, potential: float) -> int:
    """Return the class of a holding by its EHS' and its crude potential."""
    kind = 0
    for least in POTENTIALS:
        if potential >= least:
            kind += 1
    return min(int(value * LEVELS), LEVELS - 1) * (len(POTENTIALS) + 1) + kind


@inline_kernel
def class_of_strength(strength: float, gain: float) -> int:
    """Return the class of a holding by its strength and the mean gain of strength by a card."""
    return class_by_values(strength + gain, gain / max(1.0 - strength, 1e-9))


# Beliefs: how one action changes what a player may hold.


FLOOR = 1e-6
"""The smallest weight, relative to the largest: only cards in sight rule a holding out."""
TRUST = 0.5
"""Power of a hand's likelihood by types: actions of one hand, and tables, are not independent."""
LEAST = 1e-3
"""The smallest probability of an action: no type is ever sure of what somebody will not do."""
DOUBT = 0.02
"""Probability, divided evenly among all types, that stays after any evidence."""


@uncounted_kernel
def fill_chances(logs: np.ndarray, chances: np.ndarray) -> None:
    """Fill ``chances`` (types,) with probabilities of types, from their log-likelihoods."""
    types, most, total = len(logs), logs[0], 0.0
    for i in range(types):
        most = max(most, logs[i])
    for i in range(types):
        chances[i] = math.exp(logs[i] - most)
        total += chances[i]
    for i in range(types):
        chances[i] = chances[i] * (1.0 - DOUBT) / total + DOUBT / types


@uncounted_kernel
def mean_over_types(chances: np.ndarray, table: np.ndarray, row: int, shares: np.ndarray) -> None:
    """Fill ``shares`` (classes, 3) with the mean of a row of ``table`` over the types."""
    classes, actions = table.shape[2], table.shape[3]
    for i in range(classes):
        for kind in range(actions):
            shares[i, kind] = 0.0
    for model_type in range(len(chances)):
        chance = chances[model_type]
        for i in range(classes):
            for kind in range(actions):
                shares[i, kind] += chance * table[model_type, row, i, kind]


@inline_kernel
def _adjusted(
    fold: float, call: float, bet: float, ratios: np.ndarray, level: int, kind: int
) -> float:
    """Return the probability of an action, given that of each and what further facts say."""
    fold, call, bet = fold * ratios[level, 0], call * ratios[level, 1], bet * ratios[level, 2]
    share = fold if kind == 0 else call if kind == 1 else bet
    return max(share / (fold + call + bet), LEAST)


@uncounted_kernel
def adjust(shares: np.ndarray, ratios: np.ndarray) -> None:
    """Multiply probabilities of actions (classes, 3) by what further facts say (levels, 3)."""
    potentials = shares.shape[0] // LEVELS
    for i in range(shares.shape[0]):
        level = i // potentials
        fold, call, bet = shares[i, 0], shares[i, 1], shares[i, 2]
        for kind in range(3):
            shares[i, kind] = _adjusted(fold, call, bet, ratios, level, kind)


@uncounted_kernel
def reweigh(
    weights: np.ndarray,
    board: np.uint64,
    classes: np.ndarray,
    shares: np.ndarray,
    kind: int,
    after: np.ndarray,
) -> None:
    """Fill ``after`` (1326,) with the weights after an action, the largest being 1.

    ``shares`` (classes, 3) are the probabilities of actions, ``board`` the mask of its cards.
    """
    most = 0.0
    for holding in range(1326):
        weight = weights[holding] if HOLDING_MASK[holding] & board == 0 else 0.0
        after[holding] = weight * shares[classes[holding], kind]
        most = max(most, after[holding])
    for holding in range(1326):
        after[holding] = max(after[holding] / most, FLOOR)  # so that later actions can raise it


@uncounted_kernel
def fill_held(weights: np.ndarray, board: np.uint64, classes: np.ndarray, held: np.ndarray) -> None:
    """Fill ``held`` (classes,) with the believed probability of each strength class."""
    total = 0.0
    for i in range(len(held)):
        held[i] = 0.0
    for holding in range(1326):
        if HOLDING_MASK[holding] & board == 0:
            held[classes[holding]] += weights[holding]
    for i in range(len(held)):
        total += held[i]
    for i in range(len(held)):
        held[i] /= total


@uncounted_kernel
def expected_share(held: np.ndarray, shares: np.ndarray, kind: int) -> float:
    """Return the probability of an action by one who holds ``held`` (classes,)."""
    expected = 0.0
    for i in range(len(held)):
        expected += held[i] * shares[i, kind]
    return expected


@uncounted_kernel
def add_unseen(
    table: np.ndarray,
    row: int,
    ratios: np.ndarray,
    kind: int,
    held: np.ndarray,
    logs: np.ndarray,
) -> None:
    """Add to ``logs`` (types,) the log-likelihoods of an action by who holds what it may."""
    potentials = table.shape[2] // LEVELS
    for model_type in range(table.shape[0]):
        share = 0.0
        for i in range(table.shape[2]):
            fold, call, bet = (
                table[model_type, row, i, 0],
                table[model_type, row, i, 1],
                table[model_type, row, i, 2],
            )
            share += held[i] * _adjusted(fold, call, bet, ratios, i // potentials, kind)
        logs[model_type] += math.log(share)


@uncounted_kernel
def add_shown(
    table: np.ndarray, row: int, ratios: np.ndarray, kind: int, held: int, logs: np.ndarray
) -> None:
    """Add to ``logs`` (types,) the log-likelihoods of an action with a strength class."""
    level = held // (table.shape[2] // LEVELS)
    for model_type in range(table.shape[0]):
        fold, call, bet = (
            table[model_type, row, held, 0],
            table[model_type, row, held, 1],
            table[model_type, row, held, 2],
        )
        logs[model_type] += math.log(_adjusted(fold, call, bet, ratios, level, kind))


# Layout of the records in which kernels keep what is learned of players' types.


MOST_TYPES = 64
"""Types of players in a model, at most."""

SEATS = 23
_STREETS, _KINDS = 4, 3

EVIDENCE = np.dtype(
    [
        ("model", np.int64),
        ("first", np.int64),
        ("types", np.int64),
        ("is_specific", np.int64),
        ("logs", np.float64, (SEATS, MOST_TYPES)),
        ("acted", np.int64, (SEATS,)),
        ("unseen", np.float64, (SEATS, MOST_TYPES)),
        ("shown", np.float64, (SEATS, MOST_TYPES)),
        ("chances", np.float64, (SEATS, MOST_TYPES)),
        ("is_mixed", np.int64, (SEATS, _STREETS)),
        ("mixed", np.float64, (SEATS, LATER_ROWS, LATER_CLASSES, _KINDS)),
        ("shares", np.float64, (LATER_CLASSES, _KINDS)),
        ("held", np.float64, (LATER_CLASSES,)),
        ("ratios", np.float64, (LEVELS, _KINDS)),
    ]
)
"""What one tracker knows of types: those of its ``model`` are the ``types`` from ``first`` on in
the tables of all models; ``logs`` are log-likelihoods by person. The rest is of the current hand,
by seat: who has ``acted``, log-likelihoods of these actions if the cards stay ``unseen`` and if
they are ``shown``, the ``chances`` of types, and ``mixed``, the probabilities of actions on the
streets on which it ``is_mixed``. ``shares``, ``held`` and ``ratios`` are space for one action.
"""

BOARD_CLASSES = np.dtype(
    [
        ("preflop", np.int64, (3, 1326)),
        ("later", np.int64, (_STREETS, 1326)),
        ("raised_before", np.int64),
        ("raised", np.int64),
        ("nothing_more", np.float64, (LEVELS, _KINDS)),
    ]
)
"""Strength classes of all holdings: before the flop by group of opponents, and on the boards of the
current hand by street; masks of those who bet or raised on the street before and on this one;
ratios of one, since before the flop no more facts are known.
"""


# Learned beliefs as `LearnedTracker` keeps them, in arrays that all players of a table share.
#
# Weights are those of the tracker's record, which `railbird.modelling.kernels` brings up to date;
# here they are multiplied at each action, and types are learned at the end of a hand.


class LearnedArrays(NamedTuple):
    """What the trackers of a table that learn types keep and share."""

    evidence: np.ndarray
    """(learning trackers,) of `EVIDENCE`."""
    preflop: np.ndarray
    """(types of all models, rows, classes, 3) as `ActionModel.preflop`."""
    later: np.ndarray
    """The same from the flop on."""
    facts: np.ndarray
    """(models, cells, facts, levels, 3) as `ActionModel.facts`."""
    classes: np.ndarray
    """(1,) of `BOARD_CLASSES`."""


# A tracker is a record of `by.TRACKER`; that of a learner names its record of evidence.


@uncounted_kernel
def begin_types(known: np.ndarray, seated: np.ndarray) -> None:
    """Begin a hand: forget the observations of the last one."""
    types = known["types"]
    for seat in range(len(seated)):
        known["acted"][seat] = 0
        for street in range(4):
            known["is_mixed"][seat, street] = 0
        for model_type in range(types):
            known["unseen"][seat, model_type] = 0.0
            known["shown"][seat, model_type] = 0.0
        fill_chances(known["logs"][seated[seat], :types], known["chances"][seat, :types])


@uncounted_kernel
def know_classes(learned: LearnedArrays, boards: np.ndarray, street: int) -> None:
    """Begin a street: fill the classes on the board whose values are known, and note who raised.

    See `learned.later_classes`.
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
    """Return the actor's row and the group of opponents; see `learned.situation_to_act`."""
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


@uncounted_kernel
def _fact(hand: np.ndarray, raised_before: int) -> int:
    """Return the kind of further facts of a decision; see `learned.situation_to_act`."""
    seat, to_call = hand[at.ACTOR], hand[at.TO_CALL]
    others = hand[at.ALIVE] & ~(1 << seat)
    behind = 0
    for other in range(hand[at.SEATS]):
        behind += (hand[at.PENDING] & others) >> other & 1
    return fact_of(raised_before, seat, others, to_call / (hand[at.POT] + to_call), behind)


@inline_kernel
def _fill_ratios(learned: LearnedArrays, known: np.ndarray, row: int, fact: int) -> None:
    """Fill the ratios with what further facts say."""
    ratios = known["ratios"]
    for level in range(LEVELS):
        for kind in range(by.KINDS):
            ratios[level, kind] = learned.facts[known["model"], row_cell(row), fact, level, kind]


@uncounted_kernel
def observe_by_types(
    trackers: np.ndarray,
    boards: np.ndarray,
    learned: LearnedArrays,
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
            mean_over_types(known["chances"][seat, :types], table, row, shares)
            if street > 0:
                adjust(shares, ratios)
            reweigh(weights, board, classes, shares, kind, weights)
            tracker["weighed_on"][seat] = -1
    if kind == by.RAISE:
        shared["raised"] |= 1 << seat


@kernel
def folds_probability(
    tracker: np.ndarray,
    boards: np.ndarray,
    learned: LearnedArrays,
    hand: np.ndarray,
    blinds: np.ndarray,
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
    apply_action(after, after[at.LOW_TO])
    while left > 0:
        if after[at.PHASE] != at.BETTING_ROUND:
            return 0.0  # somebody is all in
        seat = after[at.ACTOR]
        row, _ = _row_and_group(after, blinds)
        _fill_ratios(learned, known, row, _fact(after, shared["raised_before"]))
        learn_until(tracker, boards, seat, street)
        fill_held(tracker["weights"][seat, street + 1], board, classes, held)
        mean_over_types(known["chances"][seat, :types], table, row, shares)
        adjust(shares, known["ratios"])
        chance *= expected_share(held, shares, by.FOLD)
        left -= 1
        if left > 0:
            apply_action(after, at.FOLD)
    return chance


@uncounted_kernel
def mix_later(learned: LearnedArrays, known: np.ndarray, seat: int, street: int) -> None:
    """Bring a seat's probabilities of actions up to date, from a street on."""
    types, rows = known["types"], LATER_ROWS // 3
    table = learned.later[known["first"] : known["first"] + types]
    for later in range(street, 4):
        if known["is_mixed"][seat, later] == 0:
            known["is_mixed"][seat, later] = 1
            for row in range(rows * (later - 1), rows * later):
                mean_over_types(
                    known["chances"][seat, :types], table, row, known["mixed"][seat, row]
                )


@uncounted_kernel
def learn_types(
    trackers: np.ndarray, learned: LearnedArrays, hand: np.ndarray, seated: np.ndarray
) -> None:
    """Show a finished hand down, and learn what type everybody is."""
    while hand[at.PHASE] == at.SHOWDOWN:
        seat = hand[at.SHOWER]
        if may_muck_shown(hand, seat):
            muck(hand, seat)
        else:
            show_holding(hand, seat, hand[block_of(seat) + at.HOLDING])
    for number in range(len(trackers)):
        tracker = trackers[number]
        if tracker["observes"] == 0 or tracker["learner"] < 0:
            continue
        known = learned.evidence[tracker["learner"]]
        for seat in range(len(seated)):
            if known["acted"][seat] != 0:
                log_likelihoods = known["unseen"][seat]
                if hand[at.SHOWN] >> seat & 1:
                    log_likelihoods = known["shown"][seat]
                for model_type in range(known["types"]):
                    known["logs"][seated[seat], model_type] += TRUST * log_likelihoods[model_type]
