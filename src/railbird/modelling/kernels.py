"""Values of holdings on a board, and the weights of a table's opponents in records."""

# Two things that all opponent models need: what holdings are worth on a board, and the weights of a
# table's opponents (Papp 1998, chapter 7).
#
# A holding's value on a board is EHS', its rank now plus what the next card adds to it on average.
# `fill_ranks_and_gains` reads ranks from the tables and sums the gains over the next street's rows.
# Gains are kept for the life of the process, in arrays as long as the tables, so boards that differ
# by the names of suits share them. A gain is an integer, in units of both streets' wholes, since
# only then is it the same whichever of these boards came first; two threads that fill one row write
# the same numbers.
#
# The second part is the compiled twin of `railbird.modelling.tracker`. Weights are not updated when
# somebody acts: `record_action` records the evidence of the action, a street's evidence being the
# one action that says most, and `learn_until` brings the weights of a seat up to date when somebody
# asks for them. ``current``, ``weighed_on`` and `begin_hand` keep account of what is up to date; a
# new kind of evidence has to lower the first and reset the second, as `record_action` does.
#
# Additions of floats are part of the result, because compiled and readable players must play the
# same hands. Where a sum could be written in several ways, the Python form calls the kernel
# (`normalise`).
#
# Who would notice: tests/modelling/test_tracking.py has Papp's numbers;
# tests/twins/test_loki_twins.py compares gains with every next card and boards of other suits;
# tests/twins/test_loki_twins.py compares matches with those in Python, byte for byte.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards.isomorphism_kernels import COLUMN, extension_indices, index_of_sorted
from railbird.cards.tables import CARD_MASK, HOLDING_MASK
from railbird.game import kernels as at
from railbird.odds.rank_kernels import rank_all, share_of_all

FLOP_WHOLE, TURN_WHOLE, RIVER_WHOLE = np.int32(2162), np.int32(2070), np.int32(1980)
"""Rank of a holding that is ahead of all others, by street; see `railbird.odds.rank_tables`."""


class BoardTables(NamedTuple):
    """Hand-rank tables of boards of three to five cards, and the gains computed so far."""

    flop_start: np.ndarray
    flop_pattern: np.ndarray
    flop_ihr: np.ndarray
    flop_gains: np.ndarray
    """As long as ``flop_ihr``, int32: one more than a holding's gain, 0 until it is known."""
    turn_start: np.ndarray
    turn_pattern: np.ndarray
    turn_ihr: np.ndarray
    turn_gains: np.ndarray
    river_start: np.ndarray
    river_pattern: np.ndarray
    river_ihr: np.ndarray


@kernel
def _sum_gains(
    board: np.ndarray,
    holdings: np.ndarray,
    ranks: np.ndarray,
    tables: BoardTables,
    gains: np.ndarray,
) -> None:
    """Fill ``gains`` with the sums of the increases of some holdings' ranks by each next card."""
    unit, later = FLOP_WHOLE, TURN_WHOLE
    start, pattern, ihr = tables.turn_start, tables.turn_pattern, tables.turn_ihr
    if len(board) == 4:
        unit, later = TURN_WHOLE, RIVER_WHOLE
        start, pattern, ihr = tables.river_start, tables.river_pattern, tables.river_ihr
    indices = np.empty(52, np.int32)
    extension_indices(board, indices)
    gains[:] = 0
    for card in range(52):
        if indices[card] < 0:
            continue
        row, columns = start[indices[card]], COLUMN[pattern[indices[card]]]
        for holding in holdings:
            if HOLDING_MASK[holding] & CARD_MASK[card] == 0:
                rank = np.int32(ihr[row + columns[holding]])
                gains[holding] += max(rank * unit - ranks[holding] * later, np.int32(0))


@kernel
def fill_ranks_and_gains(
    board: np.ndarray, tables: BoardTables, ranks: np.ndarray, gains: np.ndarray
) -> None:
    """Fill ``ranks`` and ``gains`` (1326,) int32 of the holdings on a board of ascending cards.

    A rank is in units of the street's whole; a gain is the sum of its increases over all next
    cards, in units of the wholes of both streets. Sums of integers are the same in any order, so
    that boards which differ by their suits' names share them: each is computed once in a process.
    """
    mask = np.uint64(0)
    for card in board:
        mask |= CARD_MASK[card]
    index = index_of_sorted(board)
    start, pattern, ihr = tables.flop_start, tables.flop_pattern, tables.flop_ihr
    known = tables.flop_gains
    if len(board) == 4:
        start, pattern, ihr = tables.turn_start, tables.turn_pattern, tables.turn_ihr
        known = tables.turn_gains
    elif len(board) == 5:
        start, pattern, ihr = tables.river_start, tables.river_pattern, tables.river_ihr
    row, columns = start[index], COLUMN[pattern[index]]
    for holding in range(1326):
        ranks[holding] = np.int32(ihr[row + columns[holding]])
        if HOLDING_MASK[holding] & mask != 0:
            ranks[holding] = 0
    gains[:] = 0
    if len(board) == 5:
        return
    missing = False
    for holding in range(1326):
        if HOLDING_MASK[holding] & mask == 0:
            gains[holding] = known[row + columns[holding]] - 1
            missing |= gains[holding] < 0
    if not missing:  # otherwise another thread may be filling the same row
        return
    first = np.full(1326, -1, np.int32)
    holdings, count = np.empty(1326, np.int32), 0
    for holding in range(1326):
        if HOLDING_MASK[holding] & mask == 0 and first[columns[holding]] < 0:
            first[columns[holding]] = holding
            holdings[count] = holding
            count += 1
    _sum_gains(board, holdings[:count], ranks, tables, gains)
    for holding in range(1326):
        if HOLDING_MASK[holding] & mask == 0:
            gains[holding] = gains[first[columns[holding]]]
            known[row + columns[holding]] = gains[holding] + 1


@uncounted_kernel
def value_by_field(
    level: np.ndarray,
    order: np.ndarray,
    field: np.ndarray,
    potential: np.ndarray,
    values: np.ndarray,
) -> None:
    """Fill ``values`` (1326,) with EHS' against a field, using the board's result of `rank_all`."""
    share_of_all(level, order, field, values)
    for holding in range(1326):
        strength = values[holding] if level[holding] >= 0 else 0.0
        values[holding] = strength + (1.0 - strength) * potential[holding]


# Layout of the records in which kernels keep trackers.
#
# Records rather than arrays, because a kernel takes an array as seven arguments and counts
# references to it: with thirty arrays both took most of the time to compile.


# Columns of the evidence of a seat on a street.
KIND = 0
MEAN = 1
POT_ODDS = 2
EVIDENCE = 3

# Kinds of evidence, in rising order of rank.
NOTHING = 0
BELOW = 1
"""A check, by a holding below the threshold."""
ABOVE = 2
"""A call, a bet or a raise, by a holding above it."""

# Kinds of actions, as `ActionKind` numbers them.
FOLD = 0
CALL = 1
RAISE = 2
KINDS = 3
BETS = 3
CONTEXTS = 36
"""Counts of one player: by street, bets to call and kind."""

_SEATS, _STREETS, _HOLDINGS = 23, 4, 1326

TRACKER = np.dtype(
    [
        ("observes", np.int64),
        ("learner", np.int64),
        ("is_specific", np.int64),
        ("by_field", np.int64),
        ("uses_checks", np.int64),
        ("decay", np.float64),
        ("floor", np.float64),
        ("counts", np.float64, (_SEATS, CONTEXTS)),
        ("evidence", np.float64, (_SEATS, _STREETS, EVIDENCE)),
        ("current", np.int64, (_SEATS,)),
        ("weighed_on", np.int64, (_SEATS,)),
        ("chances", np.float64, (_SEATS, _HOLDINGS)),
        ("weights", np.float64, (_SEATS, 1 + _STREETS, _HOLDINGS)),
        ("scales", np.float64, (_SEATS, _STREETS, _HOLDINGS)),
    ]
)
"""One tracker: whether it observes the current hand, the number of its record of learned types (-1
for none; else it weighs by types, not by thresholds), its settings, the ``counts`` of `Frequencies`
by person and, for the current hand by seat, the ``evidence`` that counts by street, and the
``weights``: ones, then those after each street. Of these ``current`` are computed. ``chances`` are
the normalised weights on the board of the street ``weighed_on``, -1 for none; ``scales`` are
rankings by the field.
"""

BOARDS = np.dtype(
    [
        ("values", np.float64, (_STREETS, _HOLDINGS)),
        ("potential", np.float64, (_STREETS, _HOLDINGS)),
        ("ranks", np.int32, (_HOLDINGS,)),
        ("gains", np.int32, (_HOLDINGS,)),
        ("defaults", np.float64, (BETS, KINDS)),
        ("rates", np.float64, (_HOLDINGS,)),
        ("ascending", np.float64, (_HOLDINGS,)),
        ("blended", np.float64),
        ("preflop_spread", np.float64),
        ("postflop_spread", np.float64),
        ("least_preflop_mean", np.float64),
    ]
)
"""What all trackers of a table share: EHS' and crude potential of all holdings on the boards of the
current hand by street, the income rates by holding and in ascending order, and the constants of
`railbird.modelling.settings`.
"""


# The weights of a table's seats as `Tracker` keeps them, in arrays that all players share.
#
# Everything a tracker knows is public, so players whose trackers have the same settings need one.
# As there, only the evidence is recorded when somebody acts; weights are computed for those who
# ask.


_RIVER = 3
_PLACES = 1325
"""Number of steps from the weakest holding to the strongest."""


# A tracker is a record of `TRACKER`, ``boards`` one of `BOARDS`.


@uncounted_kernel
def begin_hand(tracker: np.ndarray) -> None:
    """Forget the last hand, except for the counts; observe the next one, if told to."""
    tracker["observes"] = 0
    for seat in range(len(tracker["current"])):
        for street in range(4):
            tracker["evidence"][seat, street, KIND] = NOTHING
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


@uncounted_kernel
def know_board(boards: np.ndarray, tables: BoardTables, hand: np.ndarray) -> None:
    """Compute the values on the board that was just dealt, as `board_values` does."""
    street, ranks, gains = hand[at.STREET], boards["ranks"], boards["gains"]
    fill_ranks_and_gains(board_of(hand, street), tables, ranks, gains)
    highest, gain_whole = int(RIVER_WHOLE), 1
    if street == 1:
        highest, gain_whole = int(FLOP_WHOLE), int(FLOP_WHOLE) * int(TURN_WHOLE) * 47
    elif street == 2:
        highest, gain_whole = int(TURN_WHOLE), int(TURN_WHOLE) * int(RIVER_WHOLE) * 46
    values, potential = boards["values"][street], boards["potential"][street]
    for holding in range(1326):
        strength, gain = ranks[holding] / highest, gains[holding] / gain_whole
        values[holding] = strength + gain
        potential[holding] = min(gain / max(1.0 - strength, 1e-9), 1.0)


@uncounted_kernel
def frequency(
    counts: np.ndarray, default: float, blended: float, street: int, bets: int, kind: int
) -> float:
    """Return a player's share of one kind of action; see `Frequencies.of`."""
    share = default
    for earlier in range(street + 1):
        first = (earlier * BETS + bets) * KINDS
        seen = counts[first] + counts[first + 1] + counts[first + 2]
        if seen > 0.0:
            own = 1.0 / max(seen, blended)
            rest = 1.0 - own * seen
            share = own * counts[first + kind] + rest * share
    return share


@inline_kernel
def _count(counts: np.ndarray, decay: float, street: int, bets: int, kind: int) -> None:
    """Count an action; see `Frequencies.count`."""
    first = (street * BETS + bets) * KINDS
    if decay < 1.0:
        for i in range(KINDS):
            counts[first + i] *= decay
    counts[first + kind] += 1.0


@uncounted_kernel
def record_action(
    trackers: np.ndarray, boards: np.ndarray, hand: np.ndarray, person: int, action: int
) -> None:
    """Record an action that is about to be taken; ``person`` is who sits in the actor's seat."""
    seat, street, to_call = hand[at.ACTOR], hand[at.STREET], hand[at.TO_CALL]
    size = hand[at.BET_SIZE + street]
    bets = min(-(-to_call // size), BETS - 1)
    kind = FOLD if action == at.FOLD else CALL if action == at.CALL else RAISE
    checks, calls = kind == CALL and bets == 0, kind == CALL and bets > 0
    side = BELOW if checks else ABOVE
    asks = FOLD if calls else RAISE
    pot_odds = 1.0
    if not checks and 0 < street < _RIVER:
        paid = to_call + (size if kind == RAISE else 0)
        pot_odds = paid / (hand[at.POT] + paid)
    for number in range(len(trackers)):
        tracker = trackers[number]
        if tracker["observes"] == 0 or tracker["learner"] >= 0:
            continue
        teaches = kind != FOLD and not (checks and (street == 0 or tracker["uses_checks"] == 0))
        if teaches:
            share = boards["defaults"][bets, asks]
            if tracker["is_specific"] != 0:
                counts = tracker["counts"][person]
                share = frequency(counts, share, float(boards["blended"]), street, bets, asks)
            mean = share if calls else 1.0 - share
            seen = tracker["evidence"][seat, street]
            if side > seen[KIND] or (side == seen[KIND] and mean > seen[MEAN]):
                if street > 0 and tracker["by_field"] != 0:
                    _rank_by_field(tracker, boards, hand, seat)
                seen[KIND], seen[MEAN], seen[POT_ODDS] = side, mean, pot_odds
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


@uncounted_kernel
def _reweight(
    values: np.ndarray,
    potential: np.ndarray,
    mean: float,
    spread: float,
    least: float,
    pot_odds: float,
    is_below: bool,
    floor: float,
    weights: np.ndarray,
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
        after[holding] = max(weights[holding] * factor, floor)


@uncounted_kernel
def _learn(tracker: np.ndarray, boards: np.ndarray, seat: int, street: int) -> None:
    """Compute a seat's weights after a street from those after the street before."""
    weights, after = tracker["weights"][seat, street], tracker["weights"][seat, street + 1]
    seen = tracker["evidence"][seat, street]
    floor, mean = float(tracker["floor"]), seen[MEAN]
    if seen[KIND] == NOTHING:
        for holding in range(1326):
            after[holding] = weights[holding]
    elif street == 0 and mean < boards["least_preflop_mean"]:
        for holding in range(1326):
            after[holding] = max(weights[holding], floor)
    else:
        values, potential = boards["values"][street], boards["potential"][street]
        spread, least, pot_odds = boards["postflop_spread"] * (1.0 - mean), 0.0, seen[POT_ODDS]
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
        is_below = seen[KIND] == BELOW
        _reweight(values, potential, mean, spread, least, pot_odds, is_below, floor, weights, after)


@uncounted_kernel
def learn_until(tracker: np.ndarray, boards: np.ndarray, seat: int, last: int) -> None:
    """Bring a seat's weights up to date as far as a street."""
    for street in range(tracker["current"][seat], last + 1):
        _learn(tracker, boards, seat, street)
    tracker["current"][seat] = last + 1


@uncounted_kernel
def update_weights(tracker: np.ndarray, boards: np.ndarray, hand: np.ndarray, seat: int) -> None:
    """Bring a seat's weights up to date, and its chances: the same on the board, normalised."""
    now = hand[at.STREET]
    if tracker["weighed_on"][seat] != now:
        learn_until(tracker, boards, seat, now)
        tracker["weighed_on"][seat] = now
        normalise(
            tracker["weights"][seat, now + 1], mask_of_board(hand, now), tracker["chances"][seat]
        )


@uncounted_kernel
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


@uncounted_kernel
def fill_field(
    tracker: np.ndarray, boards: np.ndarray, hand: np.ndarray, seats: int, field: np.ndarray
) -> None:
    """Fill ``field`` (1326,) with the mean of the chances of a mask of seats."""
    count = 0
    field[:] = 0.0
    for seat in range(hand[at.SEATS]):
        if seats >> seat & 1:
            update_weights(tracker, boards, hand, seat)
            chances = tracker["chances"][seat]
            for holding in range(1326):
                field[holding] += chances[holding]
            count += 1
    for holding in range(1326):
        field[holding] /= count
