"""The weights of a table's seats as `Tracker` keeps them, in arrays that all players share.

Everything a tracker knows is public, so players whose trackers have the same settings need one. As
there, only the evidence is recorded when somebody acts; weights are computed for those who ask.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK, HOLDING_MASK
from railbird.game.engine import _kernels_layout as at
from railbird.modelling import _kernels_tracker_layout as by
from railbird.modelling._kernels_board_values import (
    FLOP_WHOLE,
    RIVER_WHOLE,
    TURN_WHOLE,
    BoardTables,
    fill_ranks_and_gains,
    value_by_field,
)
from railbird.odds.tables._kernels_runouts import rank_all

_RIVER = 3
_PLACES = 1325
"""Steps from the weakest holding to the strongest."""


# A tracker is a record of `by.TRACKER`, ``boards`` one of `by.BOARDS`.


@kernel
def begin_hand(tracker: np.ndarray) -> None:
    """Forget the last hand, except for the counts; observe the next one, if told to."""
    tracker["observes"] = 0
    for seat in range(len(tracker["current"])):
        for street in range(4):
            tracker["evidence"][seat, street, by.KIND] = by.NOTHING
        tracker["current"][seat] = 0
        tracker["weighed_on"][seat] = -1


@kernel
def board_of(hand: np.ndarray, street: int) -> np.ndarray:
    """Return the cards of a street's board, ascending."""
    size = street + 2
    board = np.empty(size, np.uint8)
    for i in range(size):
        card = hand[at.BOARD + i]
        place = i
        while place > 0 and board[place - 1] > card:
            board[place] = board[place - 1]
            place -= 1
        board[place] = card
    return board


@inline_kernel
def mask_of_board(hand: np.ndarray, street: int) -> np.uint64:
    """Return the mask of the cards of a street's board; none before the flop."""
    mask = np.uint64(0)
    if street > 0:
        for i in range(street + 2):
            mask |= CARD_MASK[hand[at.BOARD + i]]
    return mask


@kernel
def know_board(boards: np.ndarray, tables: BoardTables, hand: np.ndarray) -> None:
    """Compute the values on the board that was just dealt, as `board_values` does."""
    street, ranks, gains = hand[at.STREET], boards["ranks"], boards["gains"]
    fill_ranks_and_gains(board_of(hand, street), tables, ranks, gains)
    whole, gain_whole = int(RIVER_WHOLE), 1
    if street == 1:
        whole, gain_whole = int(FLOP_WHOLE), int(FLOP_WHOLE) * int(TURN_WHOLE) * 47
    elif street == 2:
        whole, gain_whole = int(TURN_WHOLE), int(TURN_WHOLE) * int(RIVER_WHOLE) * 46
    values, potential = boards["values"][street], boards["potential"][street]
    for holding in range(1326):
        strength, gain = ranks[holding] / whole, gains[holding] / gain_whole
        values[holding] = strength + gain
        potential[holding] = min(gain / max(1.0 - strength, 1e-9), 1.0)


@kernel
def frequency(
    counts: np.ndarray, default: float, blended: float, street: int, bets: int, kind: int
) -> float:
    """Return a player's share of one kind of action; see `Frequencies.of`."""
    share = default
    for earlier in range(street + 1):
        first = (earlier * by.BETS + bets) * by.KINDS
        seen = counts[first] + counts[first + 1] + counts[first + 2]
        if seen > 0.0:
            own = 1.0 / max(seen, blended)
            rest = 1.0 - own * seen
            share = own * counts[first + kind] + rest * share
    return share


@inline_kernel
def _count(counts: np.ndarray, decay: float, street: int, bets: int, kind: int) -> None:
    """Count an action; see `Frequencies.count`."""
    first = (street * by.BETS + bets) * by.KINDS
    if decay < 1.0:
        for i in range(by.KINDS):
            counts[first + i] *= decay
    counts[first + kind] += 1.0


@kernel
def observe(
    trackers: np.ndarray, boards: np.ndarray, hand: np.ndarray, person: int, action: int
) -> None:
    """Record an action that is about to be taken; ``person`` is who sits in the actor's seat."""
    seat, street, to_call = hand[at.ACTOR], hand[at.STREET], hand[at.TO_CALL]
    size = hand[at.BET_SIZE + street]
    bets = min(-(-to_call // size), by.BETS - 1)
    kind = by.FOLD if action == at.FOLD else by.CALL if action == at.CALL else by.RAISE
    checks, calls = kind == by.CALL and bets == 0, kind == by.CALL and bets > 0
    side = by.BELOW if checks else by.ABOVE
    asks = by.FOLD if calls else by.RAISE
    pot_odds = 1.0
    if not checks and 0 < street < _RIVER:
        paid = to_call + (size if kind == by.RAISE else 0)
        pot_odds = paid / (hand[at.POT] + paid)
    for number in range(len(trackers)):
        tracker = trackers[number]
        if tracker["observes"] == 0 or tracker["learner"] >= 0:
            continue
        teaches = kind != by.FOLD and not (checks and (street == 0 or tracker["uses_checks"] == 0))
        if teaches:
            share = boards["defaults"][bets, asks]
            if tracker["is_specific"] != 0:
                counts = tracker["counts"][person]
                share = frequency(counts, share, float(boards["blended"]), street, bets, asks)
            mean = share if calls else 1.0 - share
            seen = tracker["evidence"][seat, street]
            if side > seen[by.KIND] or (side == seen[by.KIND] and mean > seen[by.MEAN]):
                if street > 0 and tracker["by_field"] != 0:
                    _rank_by_field(tracker, boards, hand, seat)
                seen[by.KIND], seen[by.MEAN], seen[by.POT_ODDS] = side, mean, pot_odds
                tracker["current"][seat] = min(tracker["current"][seat], street)
                tracker["weighed_on"][seat] = -1
        if tracker["is_specific"] != 0:
            _count(tracker["counts"][person], tracker["decay"], street, bets, kind)


@kernel
def _rank_by_field(tracker: np.ndarray, boards: np.ndarray, hand: np.ndarray, seat: int) -> None:
    """Keep the ranking of a seat's holdings against its opponents, as `field_scale` does."""
    street = hand[at.STREET]
    field = np.empty(1326)
    fill_field(tracker, boards, hand, hand[at.ALIVE] & ~(1 << seat), field)
    level, order = np.empty(1326, np.int32), np.empty(1326, np.int16)
    count = rank_all(board_of(hand, street), level, order)
    scale = tracker["scales"][seat, street]
    value_by_field(level, order[:count], field, boards["potential"][street], scale)


@kernel
def _reweight(
    values: np.ndarray,
    potential: np.ndarray,
    mean: float,
    spread: float,
    least: float,
    pot_odds: float,
    is_below: bool,
    floor: float,
    before: np.ndarray,
    after: np.ndarray,
) -> None:
    """Multiply weights by an action's factors, as `reweight` does."""
    base, low, width = floor, mean - spread, max(2.0 * spread, 1e-9)
    if low < least:
        base = (spread - (mean - least)) / (spread + (mean - least))
        low, width = least, mean + spread - least
    for holding in range(1326):
        factor = base + (1.0 - base) * (values[holding] - low) / width
        factor = min(max(factor, floor), 1.0)
        if is_below:
            factor = 1.0 + floor - factor
        elif potential[holding] >= pot_odds:
            factor = 1.0
        after[holding] = max(before[holding] * factor, floor)


@kernel
def _learn(tracker: np.ndarray, boards: np.ndarray, seat: int, street: int) -> None:
    """Compute a seat's weights after a street from those after the street before."""
    before, after = tracker["weights"][seat, street], tracker["weights"][seat, street + 1]
    seen = tracker["evidence"][seat, street]
    floor, mean = float(tracker["floor"]), seen[by.MEAN]
    if seen[by.KIND] == by.NOTHING:
        for holding in range(1326):
            after[holding] = before[holding]
    elif street == 0 and mean < boards["least_preflop_mean"]:
        for holding in range(1326):
            after[holding] = max(before[holding], floor)
    else:
        values, potential = boards["values"][street], boards["potential"][street]
        spread, least, pot_odds = boards["postflop_spread"] * (1.0 - mean), 0.0, seen[by.POT_ODDS]
        if street == 0:
            ascending = boards["ascending"]
            place = mean * _PLACES
            below = min(int(place), _PLACES - 1)
            step = ascending[below + 1] - ascending[below]
            mean = ascending[below] + (place - below) * step
            values, spread = boards["rates"][:], boards["preflop_spread"]
            least, pot_odds = -np.inf, np.inf
        elif tracker["by_field"] != 0:
            values = tracker["scales"][seat, street]
        is_below = seen[by.KIND] == by.BELOW
        _reweight(values, potential, mean, spread, least, pot_odds, is_below, floor, before, after)


@kernel
def learn_until(tracker: np.ndarray, boards: np.ndarray, seat: int, last: int) -> None:
    """Bring a seat's weights up to date as far as a street."""
    for street in range(tracker["current"][seat], last + 1):
        _learn(tracker, boards, seat, street)
    tracker["current"][seat] = last + 1


@kernel
def weigh(tracker: np.ndarray, boards: np.ndarray, hand: np.ndarray, seat: int) -> None:
    """Bring a seat's weights up to date, and its chances: the same on the board, normalised."""
    now = hand[at.STREET]
    if tracker["weighed_on"][seat] != now:
        learn_until(tracker, boards, seat, now)
        tracker["weighed_on"][seat] = now
        normalise(
            tracker["weights"][seat, now + 1], mask_of_board(hand, now), tracker["chances"][seat]
        )


@kernel
def normalise(weights: np.ndarray, board: np.uint64, chances: np.ndarray) -> None:
    """Fill ``chances`` (1326,) with weights that add up to one, 0 where the board has a card.

    The order of additions is part of the result, so that the Python form calls this as well.
    """
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    for holding in range(1326):
        chances[holding] = weights[holding] if HOLDING_MASK[holding] & board == 0 else 0.0
    for holding in range(0, 1324, 4):
        first += chances[holding]
        second += chances[holding + 1]
        third += chances[holding + 2]
        fourth += chances[holding + 3]
    total = (first + second) + (third + fourth) + (chances[1324] + chances[1325])
    for holding in range(1326):
        chances[holding] /= total


@kernel
def fill_field(
    tracker: np.ndarray, boards: np.ndarray, hand: np.ndarray, seats: int, field: np.ndarray
) -> None:
    """Fill ``field`` (1326,) with the mean of the chances of a mask of seats."""
    count = 0
    field[:] = 0.0
    for seat in range(hand[at.SEATS]):
        if seats >> seat & 1:
            weigh(tracker, boards, hand, seat)
            chances = tracker["chances"][seat]
            for holding in range(1326):
                field[holding] += chances[holding]
            count += 1
    for holding in range(1326):
        field[holding] /= count
