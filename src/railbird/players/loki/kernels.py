"""Kernels of Loki's decisions in any hold'em on the engine's vector, the same as `LokiPlayer`'s.

`railbird.players.compiled_kernels` has those of simpler players.
"""

# Loki exists twice: readable in `player`, `rules`, `spot` and `strength`, and compiled here, on the
# engine's vector and on the records of `railbird.modelling.kernels`. Ten compiled Lokis at a table
# play some fifty times as fast as in Python (docs/speed.md), which is what makes experiments of
# hundreds of thousands of hands possible; the readable form explains decisions and plays single
# hands. The two must decide alike, hand for hand and byte for byte. So:
#
# - each function here names its twin in Python, and follows it line by line;
# - random numbers are drawn in the same order and also where the result is not used: the jitter of
#   the thresholds is drawn before a simulation, because the explanation shows the thresholds;
# - sums of float64 are added up in the order of the Python form, or as integers, or by a kernel
#   that the Python form calls as well (`evaluate`, `strength_now`, and `normalise` and `fill_field`
#   of `railbird.modelling.kernels`).
#
# The source is Papp (1998), "Dealing with Imperfect Information in Poker": hand strength and
# potential by enumeration in chapter 5, the betting by rules in chapter 6, weights from actions in
# chapter 7. Simulation is from Billings and others (1999).
#
# Players and tables are records and not tuples of arrays, as in `railbird.modelling.kernels`: a
# record is one argument, and with thirty arrays the passing of arguments took most of the time to
# compile. `Extensions` is None where nobody learns types or plays hands out, and Numba then does
# not compile what needs it.
#
# The one algorithm that differs from an obvious enumeration is `tally_next`, which says how. Its
# weights are rounded to integers on purpose: the sums may then be taken by pair of ranks, by card
# or by holding, in any order, and the result is the same.
#
# Who would notice: tests/twins/test_loki_twins.py plays matches, rings and tournaments in
# both forms and compares the bytes; tests/twins/test_loki_twins.py compares strength and potential
# with ranking all holdings after each card; tests/oracles/test_odds_oracles.py and
# tests/odds/test_hand_odds.py have Papp's printed figures.

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards import CLASS_OF_HOLDING
from railbird.cards.kernels import flush_strength, plain_strength, strength_of_key
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_CARDS, HOLDING_KEY, HOLDING_MASK
from railbird.game import kernels as at
from railbird.game.kernels import block_of, copy
from railbird.modelling import kernels as tracked
from railbird.modelling.kernels import (
    RIVER_WHOLE,
    TURN_WHOLE,
    BoardTables,
    begin_hand,
    board_of,
    fill_field,
    frequency,
    learn_until,
    mask_of_board,
)
from railbird.modelling.learned_kernels import (
    IN,
    LATER_CLASSES,
    LATER_ROWS,
    LEVELS,
    OPPONENTS,
    POTENTIALS,
    LearnedArrays,
    begin_types,
    folds_probability,
    mix_later,
)
from railbird.players.compiled_kernels import next_fraction
from railbird.players.loki.simulation_kernels import (
    PublicState,
    RankTable,
    TrialBeliefs,
    TrialRanks,
    accumulate,
    simulate,
    triple,
)

# Layout of the records in which kernels keep Loki's settings and plans.


# Opponents that a hand must be ahead of.
ALL = 0
EACH = 1
ONE = 2

UNDECIDED = -1
"""The strategy before the first decision of a hand."""

# Strategies that are no fixed number of bets, as `Strategy` numbers them.
CALL1 = 1
CALL2 = 3
MAKE4 = 5
"""Raise to the cap. Other strategies are numbered by twice the bets that they make."""

# Intended actions.
FOLD = 0
CALL = 1
RAISE = 2

_SEATS, _STREETS, _HOLDINGS, _CLASSES = 23, 4, 1326, 169
GROUPS = 23
"""Groups of thresholds before the flop, at most."""
STRATEGIES = 6
CELLS = 6
"""Thresholds of one group and position at most."""

PLAYER = np.dtype(
    [
        ("tracker", np.int64),
        ("opponents", np.int64),
        ("counts_checkers", np.int64),
        ("to_cap", np.int64),
        ("measured", np.int64),
        ("trials", np.int64),
        ("potential", np.int64),
        ("semi_bluff", np.int64),
        ("fold_equity", np.int64),
        ("pot_odds", np.int64),
        ("showdown_odds", np.int64),
        ("make1", np.float64),
        ("make2", np.float64),
        ("jitter", np.float64),
        ("check_raise", np.float64),
        ("fake_check_raise", np.float64),
        ("balancing_raise", np.float64),
        ("river_bluff", np.float64),
        ("bluff_below", np.float64),
        ("fixed", np.float64, (_HOLDINGS,)),
        ("thresholds", np.float64, (GROUPS, _SEATS, CELLS, STRATEGIES)),
        ("strategy", np.int64),
        ("barrel", np.int64),
    ]
)
"""One player: settings as in `LokiSettings`; ``tracker`` is the number of its tracker, -1 for
``fixed`` weights; ``trials`` are 0 unless it decides by simulation. ``thresholds`` are the least
income rates, infinite for none, by group, position, cell and strategy: the expert's cell is 1 for
the small blind, those of ``measured`` thresholds are as `railbird.players.loki.preflop.CELLS` has
them. ``strategy`` and ``barrel`` are plans for the current hand.
"""

ACTIONS = np.dtype([("actions", np.float64, (_SEATS, LATER_ROWS, LATER_CLASSES, 3))])
"""Probabilities of actions by seat, as `ActionModel.later` has them for each type."""

TABLE = np.dtype(
    [
        ("blinds", np.int64, (_SEATS,)),
        ("caps", np.int64, (_STREETS,)),
        ("small_blind", np.int64),
        ("seated", np.int64, (_SEATS,)),
        ("group", np.int64, (_SEATS + 1, _SEATS + 1)),
        ("rates", np.float64, (GROUPS, _CLASSES)),
        ("level", np.int32, (_HOLDINGS,)),
        ("later", np.int32, (13, 91)),
        ("ranked_on", np.int64),
    ]
)
"""What all Lokis of a table share: live posts, bets and raises that Loki makes at most by street,
who is ``seated``, the group by the players who are in and those who may come, income rates by group
and class, and the strengths on the board of the street ``ranked_on``, 0 for none.
"""


# Decisions by simulation on the engine's vector, the same as those of `simulation`.


_KINDS_OF_CLASS = len(POTENTIALS) + 1


class Extensions(NamedTuple):
    """Arrays that only Lokis need who learn types of players or play hands out."""

    learned: LearnedArrays
    tables: BoardTables
    space: np.ndarray
    """(1,) of `ACTIONS`, for probabilities by frequencies."""
    no_facts: np.ndarray
    """(cells, facts, levels, 3) ones, for the factors of probabilities by frequencies."""


@kernel
def _fill_actions(
    tracker: np.ndarray, boards: np.ndarray, person: int, first: int, actions: np.ndarray
) -> None:
    """Fill ``actions`` (rows, classes, 3) from a street on, as `simulation.actions_by` does."""
    shares = np.empty(tracked.KINDS)
    counts = tracker["counts"][person]
    for street in range(first, 4):
        for bets in range(tracked.BETS):
            for kind in range(tracked.KINDS):
                shares[kind] = boards["defaults"][bets, kind]
                if tracker["is_specific"] != 0:
                    shares[kind] = frequency(
                        counts, shares[kind], float(boards["blended"]), street, bets, kind
                    )
            row = ((street - 1) * tracked.BETS + bets) * OPPONENTS * IN
            for level in range(LEVELS):
                fold, call, bet = triple((level + 0.5) / LEVELS, shares)
                for place in range(row, row + OPPONENTS * IN):
                    for i in range(level * _KINDS_OF_CLASS, (level + 1) * _KINDS_OF_CLASS):
                        actions[place, i, 0] = fold
                        actions[place, i, 1] = call
                        actions[place, i, 2] = bet


@kernel
def simulated_verb(
    hand: np.ndarray,
    table: np.ndarray,
    tracker: np.ndarray,
    boards: np.ndarray,
    extensions: Extensions,
    trials: int,
    number: int,
    streams: np.ndarray,
) -> int:
    """Return the action that wins most in play-outs; see `simulation.expected`."""
    seats, seat, street = hand[at.SEATS], hand[at.ACTOR], hand[at.STREET]
    learned, board = extensions.learned, mask_of_board(hand, street)
    players = 0
    for any_seat in range(seats):
        players += hand[at.ALIVE] >> any_seat & 1
    order, cumulative = np.empty(players, np.int64), np.empty((players, 1326))
    put_in, pending = np.empty(players), np.empty(players, np.bool_)
    raised_before, raised = np.empty(players, np.bool_), np.empty(players, np.bool_)
    known_board = learned.classes[0]
    index, actor = 0, 0
    for step in range(seats):
        any_seat = (hand[at.FIRST + 3] + step) % seats
        if hand[at.ALIVE] >> any_seat & 1:
            order[index] = any_seat
            put_in[index] = hand[block_of(any_seat) + at.IN]
            pending[index] = hand[at.PENDING] >> any_seat & 1 != 0
            raised_before[index] = known_board["raised_before"] >> any_seat & 1 != 0
            raised[index] = known_board["raised"] >> any_seat & 1 != 0
            if any_seat == seat:
                actor = index
            else:
                # Trials draw the others' holdings by their weights, so their actions so far are
                # learned from first.
                learn_until(tracker, boards, any_seat, street)
                accumulate(tracker["weights"][any_seat, street + 1], board, cumulative[index])
            index += 1
    actions, facts = extensions.space[0]["actions"], extensions.no_facts
    if tracker["learner"] >= 0:
        known = learned.evidence[tracker["learner"]]
        actions, facts = known["mixed"], learned.facts[known["model"]]
        for index in range(players):
            mix_later(learned, known, order[index], street)
    else:
        for index in range(players):
            any_seat = order[index]
            _fill_actions(tracker, boards, table["seated"][any_seat], street, actions[any_seat])
    cards = np.empty(street + 2, np.uint8)
    sizes, caps = np.empty(4), np.empty(4, np.int64)
    for i in range(street + 2):
        cards[i] = hand[at.BOARD + i]
    for i in range(4):
        sizes[i], caps[i] = hand[at.BET_SIZE + i], table["caps"][i]
    tables = extensions.tables
    position = PublicState(
        cards,
        actor,
        put_in,
        float(hand[at.POT]),
        hand[at.RAISES],
        sizes,
        caps,
        pending,
        raised_before,
        raised,
    )
    beliefs = TrialBeliefs(hand[block_of(seat) + at.HOLDING], cumulative, actions, order, facts)
    turns = RankTable(tables.turn_start, tables.turn_pattern, tables.turn_ihr, int(TURN_WHOLE))
    rivers = RankTable(tables.river_start, tables.river_pattern, tables.river_ihr, int(RIVER_WHOLE))
    ranks = TrialRanks(known_board["later"][street], turns, rivers)
    _, call, bet = simulate(streams, number, trials, position, beliefs, ranks)
    verb = FOLD
    if bet > call and (bet > 0.0 or hand[at.TO_CALL] == 0):
        verb = RAISE
    elif hand[at.TO_CALL] == 0 or call > 0.0:
        verb = CALL
    return verb


# Holdings by the ranks of their cards and by suit, as the kernels of strength read them.


_LOW, _HIGH = np.sort(HOLDING_CARDS // 4, axis=1).T
PAIR_OF = (_HIGH * (_HIGH + 1) // 2 + _LOW).astype(np.int16)
"""(1326,) the pair of ranks of a holding, 0..90."""

PAIR_KEY = HOLDING_KEY[np.unique(PAIR_OF, return_index=True)[1]]
"""(91,) key of one holding of each pair of ranks: its strength without a flush is that of all."""

_RANKS = np.arange(13)
_LOWER, _UPPER = np.minimum(_RANKS[:, None], _RANKS), np.maximum(_RANKS[:, None], _RANKS)
PAIR_OF_RANKS = (_UPPER * (_UPPER + 1) // 2 + _LOWER).astype(np.int16)
"""(13, 13) the pair of two ranks."""

_FIRST, _SECOND = (HOLDING_CARDS % 4).T
SUITED = np.array(
    [np.flatnonzero(np.equal(_FIRST, s) & np.equal(_SECOND, s)) for s in range(4)], np.int16
)
"""(4, 78) holdings of two cards of a suit."""

WITH_SUIT = np.array(
    [np.flatnonzero(np.equal(_FIRST, s) | np.equal(_SECOND, s)) for s in range(4)], np.int16
)
"""(4, 585) holdings of one or two cards of a suit."""

ALL_HOLDINGS = np.arange(len(HOLDING_CARDS), dtype=np.int16)
"""(1326,) all holdings."""


# A holding's strength and potential against weighted holdings, from the strengths on a board.


PARTS = 1_000_000
"""Resolution of integer weights; 1,326 of them still add up to an int32."""

_PAIRS = len(PAIR_KEY)
_RANK = np.uint8(2)
"""Bits of a card below its rank."""
_SUITS_OF_BOARD = 3
"""Cards of a suit on the board from which on there are flushes."""


@uncounted_kernel
def fill_strengths(board: np.ndarray, level: np.ndarray, later: np.ndarray) -> None:
    """Fill ``level`` (1326,) with the strength of each holding; -1 if it shares a card.

    Before the river also fill ``later`` (13, 91), int32, with the strengths that are no flushes, by
    the rank of the next card and the holding's pair of ranks.
    """
    key, mask = np.uint64(0), np.uint64(0)
    for card in board:
        key += CARD_KEY[card]
        mask |= CARD_MASK[card]
    for holding in range(1326):
        level[holding] = -1
        if HOLDING_MASK[holding] & mask == 0:
            level[holding] = strength_of_key(
                key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding]
            )
    if len(board) < 5:
        for rank in range(13):
            for pair in range(_PAIRS):
                later[rank, pair] = plain_strength(key + CARD_KEY[4 * rank] + PAIR_KEY[pair])


@uncounted_kernel
def tally_now(holding: int, level: np.ndarray, weights: np.ndarray, table: np.ndarray) -> None:
    """Add up in ``table`` (3,) the weights that are behind, tied with and ahead of a holding."""
    mine, own = level[holding], HOLDING_MASK[holding]
    for other in range(1326):
        if level[other] >= 0 and HOLDING_MASK[other] & own == 0:
            table[int(level[other] == mine) + 2 * int(level[other] > mine)] += weights[other]


@kernel
def _flushes(board: np.ndarray, card: int) -> np.ndarray:
    """Return the holdings that have a flush on the board and one more card, if they share none."""
    holdings: np.ndarray = ALL_HOLDINGS[:0]
    for suit in range(4):
        count = int(card % 4 == suit)
        for other in board:
            count += int(other % 4 == suit)
        if count == _SUITS_OF_BOARD:
            holdings = SUITED[suit]
        elif count == _SUITS_OF_BOARD + 1:
            holdings = WITH_SUIT[suit]
        elif count > _SUITS_OF_BOARD + 1:
            holdings = ALL_HOLDINGS
    return holdings


@kernel
def tally_next(
    holding: int,
    board: np.ndarray,
    level: np.ndarray,
    later: np.ndarray,
    weights: np.ndarray,
    table: np.ndarray,
) -> None:
    """Add up in ``table`` (3, 3) weights by who is ahead now and after one more card.

    ``level`` and ``later`` are those of `fill_strengths`. Without a flush a strength depends on the
    ranks alone, so weights are added up by pair of ranks, and by card for those that the next card
    rules out; only flushes are compared one by one. To rank all holdings after each card took
    thirty times as long. Weights are rounded to 1 / `PARTS` of the largest: integer sums do not
    depend on the order.
    """
    mine, own = level[holding], HOLDING_MASK[holding]
    most = 0.0
    for rival in range(1326):
        if level[rival] >= 0 and HOLDING_MASK[rival] & own == 0:
            most = max(most, weights[rival])
    if most == 0.0:
        return
    key, mask = np.uint64(0), np.uint64(0)
    for card in board:
        key += CARD_KEY[card]
        mask |= CARD_MASK[card]
    parts = np.zeros(1326, np.int32)
    standing = np.empty(1326, np.uint8)
    by_pair = np.zeros((3, _PAIRS), np.int32)
    by_card = np.zeros((52, 3, 13), np.int32)
    for rival in range(1326):
        now = int(level[rival] >= mine) + int(level[rival] > mine)
        standing[rival] = now
        if level[rival] >= 0 and HOLDING_MASK[rival] & own == 0:
            part = np.int32(weights[rival] / most * PARTS + 0.5)
            parts[rival] = part
            low, high = HOLDING_CARDS[rival, 0], HOLDING_CARDS[rival, 1]
            by_pair[now, PAIR_OF[rival]] += part
            by_card[low, now, high >> _RANK] += part
            by_card[high, now, low >> _RANK] += part
    sums = np.zeros((3, 2), np.int64)
    cards = 0
    for card in range(52):
        if (mask | own) & CARD_MASK[card] != 0:
            continue
        cards += 1
        later_key, later_mask = key + CARD_KEY[card], mask | CARD_MASK[card]
        level_after, pairs = later[card >> 2], PAIR_OF_RANKS[card >> 2]
        mine_then = np.int32(strength_of_key(later_key + HOLDING_KEY[holding], later_mask | own))
        for now in range(3):
            part_ahead, part_tied = np.int32(0), np.int32(0)
            for pair in range(_PAIRS):
                part_ahead += by_pair[now, pair] if level_after[pair] < mine_then else np.int32(0)
                part_tied += by_pair[now, pair] if level_after[pair] == mine_then else np.int32(0)
            # The sums of pairs include holdings with the card that is dealt here, which nobody can
            # have.
            for rank in range(13):
                strength = level_after[pairs[rank]]
                part_ahead -= by_card[card, now, rank] if strength < mine_then else np.int32(0)
                part_tied -= by_card[card, now, rank] if strength == mine_then else np.int32(0)
            sums[now, 0] += part_ahead
            sums[now, 1] += part_tied
        # A flush was counted above by its ranks: only the difference is added.
        for rival in _flushes(board, card):
            if parts[rival] != 0 and HOLDING_MASK[rival] & CARD_MASK[card] == 0:
                plain = level_after[PAIR_OF[rival]]
                flush = flush_strength(
                    later_key + HOLDING_KEY[rival], later_mask | HOLDING_MASK[rival]
                )
                ahead = int(flush < mine_then) - int(plain < mine_then)
                tied = int(flush == mine_then) - int(plain == mine_then)
                sums[standing[rival], 0] += ahead * parts[rival]
                sums[standing[rival], 1] += tied * parts[rival]
    for now in range(3):
        pair_total = np.int64(0)
        for pair in range(_PAIRS):
            pair_total += by_pair[now, pair]
        # Of the cards outside my holding, two are in each other holding.
        behind = (cards - 2) * pair_total - sums[now, 0] - sums[now, 1]
        table[now, 0] += sums[now, 0] * (most / PARTS)
        table[now, 1] += sums[now, 1] * (most / PARTS)
        table[now, 2] += behind * (most / PARTS)


@kernel
def strength_now(holding: int, level: np.ndarray, weights: np.ndarray) -> float:
    """Return the share of weighted holdings that are behind a holding, ties half."""
    table = np.zeros(3)
    tally_now(holding, level, weights, table)
    total = table[0] + table[1] + table[2]
    return (table[0] + table[1] / 2) / total if total > 0.0 else 0.0


@kernel
def evaluate(
    holding: int, board: np.ndarray, level: np.ndarray, later: np.ndarray, weights: np.ndarray
) -> tuple[float, float, float]:
    """Return HS, PPot and NPot by one card against one opponent; see `railbird.odds.Potential`."""
    if len(board) == 5:
        return strength_now(holding, level, weights), 0.0, 0.0
    table = np.zeros((3, 3))
    tally_next(holding, board, level, later, weights, table)
    ahead = table[0, 0] + table[0, 1] + table[0, 2]
    tied = table[1, 0] + table[1, 1] + table[1, 2]
    behind = table[2, 0] + table[2, 1] + table[2, 2]
    total = ahead + tied + behind
    gained = table[2, 0] + table[2, 1] / 2 + table[1, 0] / 2
    lost = table[0, 2] + table[0, 1] / 2 + table[1, 2] / 2
    may_gain, may_lose = behind + tied / 2, ahead + tied / 2
    return (
        may_lose / total if total > 0.0 else 0.0,
        gained / may_gain if may_gain > 0.0 else 0.0,
        lost / may_lose if may_lose > 0.0 else 0.0,
    )


_FLOP, _TURN, _RIVER = 1, 2, 3
_NO_BARREL, _BARREL = 0, 1


# Loki's decisions.


class Loki(NamedTuple):
    """Everything that the Lokis of a table know and keep; records as the layouts describe them."""

    players: np.ndarray
    """(players,) of `PLAYER`, by number; rows of others are not used."""
    table: np.ndarray
    """(1,) of `TABLE`."""
    trackers: np.ndarray
    """(trackers,) of `railbird.modelling.kernels.TRACKER`."""
    boards: np.ndarray
    """(1,) of `railbird.modelling.kernels.BOARDS`."""


class SpotArrays(NamedTuple):
    """One decision; see `railbird.players.loki.preflop.LokiSpot`."""

    seat: int
    street: int
    pot: int
    to_call: int
    bet_size: int
    bets: int
    cap: int
    bets_to_call: int
    is_in: bool
    checkers: int
    """Mask of the opponents who have checked on this street."""
    has_checked: bool


@uncounted_kernel
def begin(loki: Loki, seated: np.ndarray) -> None:
    """Begin a hand of the players in the seats."""
    for number in range(len(loki.trackers)):
        begin_hand(loki.trackers[number])
    for number in seated:
        player = loki.players[number]
        player["strategy"], player["barrel"] = UNDECIDED, _NO_BARREL
        if player["tracker"] >= 0:
            loki.trackers[player["tracker"]]["observes"] = 1
    for seat in range(len(seated)):
        loki.table[0]["seated"][seat] = seated[seat]
    loki.table[0]["ranked_on"] = 0


@uncounted_kernel
def begin_learned(loki: Loki, learned: LearnedArrays, seated: np.ndarray) -> None:
    """Begin a hand of those who learn types, after `begin`."""
    learned.classes[0]["raised"] = 0
    for number in range(len(loki.trackers)):
        tracker = loki.trackers[number]
        if tracker["learner"] >= 0 and tracker["observes"] != 0:
            begin_types(learned.evidence[tracker["learner"]], seated)


@inline_kernel
def _put_in(hand: np.ndarray, seat: int) -> int:
    chips: int = hand[at.HEADER + at.STRIDE * seat + at.IN]
    return chips


@kernel
def _spot_of(hand: np.ndarray, table: np.ndarray) -> SpotArrays:
    """Extract the decision of the seat to act; see `spot_of`."""
    seat, street, to_call = hand[at.ACTOR], hand[at.STREET], hand[at.TO_CALL]
    preflop = int(street == 0)
    size = hand[at.BET_SIZE + street]
    checkers = 0
    for other in range(hand[at.SEATS]):
        has_acted = (hand[at.ALIVE] & hand[at.ACTED]) >> other & 1
        if has_acted and not preflop and _put_in(hand, other) == 0:
            checkers |= 1 << other
    return SpotArrays(
        seat,
        street,
        hand[at.POT],
        to_call,
        size,
        hand[at.RAISES] + preflop,
        table["caps"][street] + preflop,
        -(-to_call // size),
        _put_in(hand, seat) > (table["blinds"][seat] if preflop else 0),
        checkers & ~(1 << seat),
        bool(checkers >> seat & 1),
    )


@inline_kernel
def _make(bets: int, spot: SpotArrays) -> int:
    """Return what brings the street to so many bets and calls more; see `rules.make`."""
    verb = FOLD
    if spot.bets < bets:
        verb = RAISE
    elif (
        spot.bets_to_call == 0 or bets >= 2 or (bets > 0 and (spot.is_in or spot.bets_to_call < 2))
    ):
        verb = CALL
    return verb


@inline_kernel
def _cell_of(blinds: np.ndarray, seat: int, raised: bool) -> int:
    """Return the place of a situation in `railbird.players.loki.preflop.CELLS`."""
    kind = 0
    if blinds[seat] != 0:
        kind = 2 if blinds[seat] == np.max(blinds) else 1
    return 2 * kind + (1 if raised else 0)


@kernel
def _choose(hand: np.ndarray, table: np.ndarray, player: np.ndarray, seat: int) -> int:
    """Choose the strategy for the first street; see `LokiPlayer._choose` and `preflop_spot`."""
    seats, alive, first = hand[at.SEATS], hand[at.ALIVE], table["small_blind"]
    guaranteed, others, position = 0, 0, 0
    for any_seat in range(seats):
        if alive >> any_seat & 1:
            if any_seat == seat or _put_in(hand, any_seat) > 0:
                guaranteed += 1
            else:
                others += 1
            if any_seat != seat and (
                seat == first or (any_seat - seat) % seats < (first - seat) % seats
            ):
                position += 1
    cell = int(seat == first and hand[at.BET] > _put_in(hand, seat))
    if player["measured"] != 0:
        cell = _cell_of(table["blinds"][:seats], seat, hand[at.RAISES] > 0)
    group = table["group"][guaranteed, others]
    holding = hand[at.HEADER + at.STRIDE * seat + at.HOLDING]
    rate = table["rates"][group, CLASS_OF_HOLDING[holding]]
    least = player["thresholds"][group, position, cell]
    chosen = 0
    for strategy in range(len(least)):
        if rate >= least[strategy]:
            chosen = strategy
    return chosen


@uncounted_kernel
def _before_flop(hand: np.ndarray, table: np.ndarray, player: np.ndarray, spot: SpotArrays) -> int:
    """Return the intended action before the flop."""
    if player["strategy"] == UNDECIDED:
        player["strategy"] = _choose(hand, table, player, spot.seat)
    strategy = player["strategy"]
    if strategy == CALL1:
        return CALL if spot.is_in or spot.bets_to_call < 2 else FOLD
    if strategy == CALL2:
        return CALL
    return _make(spot.cap if strategy == MAKE4 else int(strategy // 2), spot)


@inline_kernel
def _counted(spot: SpotArrays, opponents: int, player: np.ndarray) -> int:
    """Return a mask of the opponents that the hand must be ahead of; see `player._counted`."""
    counted = opponents
    if player["counts_checkers"] == 0:
        counted = opponents & ~spot.checkers
    if counted == 0 or player["opponents"] == ONE:
        counted = opponents & -opponents  # the lowest bit, as any one will do
    return counted


@kernel
def _evaluate(
    hand: np.ndarray, loki: Loki, player: np.ndarray, spot: SpotArrays
) -> tuple[float, float, float, float]:
    """Return the HS against one opponent and against all, PPot and NPot; see `worth`."""
    table, boards, tracked = loki.table[0], loki.boards[0], player["tracker"]
    board = board_of(hand, spot.street)
    if table["ranked_on"] != spot.street:
        table["ranked_on"] = spot.street
        fill_strengths(board, table["level"], table["later"])
    opponents = hand[at.ALIVE] & ~(1 << spot.seat)
    counted = _counted(spot, opponents, player)
    holding = hand[at.HEADER + at.STRIDE * spot.seat + at.HOLDING]
    field = np.empty(1326)
    if tracked >= 0:
        fill_field(loki.trackers[tracked], boards, hand, opponents, field)
    else:
        copy(player["fixed"], field, len(field))
    hs1, ppot, npot = evaluate(holding, board, table["level"], table["later"], field)
    hs, count = 1.0, 0
    for seat in range(hand[at.SEATS]):
        if counted >> seat & 1:
            count += 1
            if player["opponents"] == EACH:
                weights = player["fixed"][:]
                if tracked >= 0:
                    weights = loki.trackers[tracked]["weights"][seat, spot.street + 1]
                hs *= strength_now(holding, table["level"], weights)
    if player["opponents"] != EACH:
        hs = math.pow(hs1, float(count))
    return hs1, hs, ppot, npot


@inline_kernel
def _semi_bluff_odds(spot: SpotArrays) -> float:
    return 2 * spot.bet_size / (spot.pot + 6 * spot.bet_size)


@inline_kernel
def _pot_odds(spot: SpotArrays) -> float:
    return spot.to_call / (spot.pot + spot.to_call)


@inline_kernel
def _showdown_odds(spot: SpotArrays) -> float:
    more = spot.bet_size * (4 if spot.street == _FLOP else 1 if spot.street == _TURN else 0)
    cost = spot.to_call + more
    return cost / (spot.pot + cost + more)


@inline_kernel
def _checkers_behind(hand: np.ndarray, spot: SpotArrays) -> bool:
    """Tell whether some opponent has not checked yet."""
    return bool(hand[at.ALIVE] & ~(1 << spot.seat) & ~spot.checkers != 0)


@uncounted_kernel
def _bluffs(
    hand: np.ndarray,
    loki: Loki,
    extensions: Extensions | None,
    number: int,
    spot: SpotArrays,
    hs: float,
    ppot: float,
) -> bool:
    """Tell whether folds pay for a bet; see `rules.folds_asked`."""
    if extensions is not None:  # without them nobody bets by what is learned
        tracker = loki.trackers[loki.players[number]["tracker"]]
        folds = folds_probability(
            tracker, loki.boards[0], extensions.learned, hand, loki.table[0]["blinds"]
        )
        gain = (1.0 - hs) * spot.pot
        cost = (1.0 - 2.0 * ppot) * spot.bet_size
        return bool(cost <= 0.0 or folds >= cost / (cost + gain))
    return False


@uncounted_kernel
def _by_rules(
    hand: np.ndarray,
    loki: Loki,
    extensions: Extensions | None,
    number: int,
    spot: SpotArrays,
    streams: np.ndarray,
) -> int:
    """Return the intended action from the flop on: `rules.rule`, then `rules.disguise`."""
    player = loki.players[number]
    # A semi-bluff goes on betting on the next street only if nobody has bet against it.
    if spot.bets_to_call > 0:
        player["barrel"] = _NO_BARREL
    hs1, hs, ppot, npot = _evaluate(hand, loki, player, spot)
    make1, make2 = player["make1"], player["make2"]
    jitter = player["jitter"]
    if jitter != 0.0:
        make1 += jitter * (2.0 * next_fraction(streams, number) - 1.0)
        make2 += jitter * (2.0 * next_fraction(streams, number) - 1.0)
    river = spot.street == _RIVER
    value = hs + (1.0 - hs) * ppot if player["potential"] != 0 else hs
    alternative, chance, is_semi_bluff = -1, 0.0, False
    if value >= make2:
        verb = _make(spot.cap if player["to_cap"] != 0 else 2, spot)
        if verb == RAISE and spot.bets == 0 and _checkers_behind(hand, spot):
            alternative, chance = CALL, player["check_raise"]
    elif value >= make1 and _make(1, spot) != FOLD:
        verb = _make(1, spot)
        if verb == RAISE and _checkers_behind(hand, spot):
            alternative, chance = CALL, player["fake_check_raise"]
        elif verb == CALL and spot.bets_to_call > 0:
            fakes = spot.has_checked and player["fake_check_raise"] > 0.0
            alternative, chance = RAISE, 1.0 if fakes else player["balancing_raise"]
    elif spot.bets_to_call == 0:
        draws = not river and ppot >= _semi_bluff_odds(spot)
        verb = CALL
        if player["fold_equity"] != 0:
            if _bluffs(hand, loki, extensions, number, spot, hs, ppot):
                verb = RAISE
        elif player["semi_bluff"] != 0 and (player["barrel"] == _BARREL or draws):
            verb, is_semi_bluff = RAISE, True
        if verb == CALL and river and hs1 < player["bluff_below"]:
            alternative, chance = RAISE, player["river_bluff"]
    else:
        verb = FOLD
        if player["pot_odds"] != 0 and (hs if river else ppot) >= _pot_odds(spot):
            verb = CALL
        elif player["showdown_odds"] != 0 and not river:
            ehs = hs + (1.0 - hs) * ppot - hs * npot
            if ehs >= _showdown_odds(spot):
                verb = CALL
    if is_semi_bluff:
        player["barrel"] = _BARREL
    if chance > 0.0 and next_fraction(streams, number) < chance:
        verb = alternative
    return verb


@uncounted_kernel
def _after_flop(
    hand: np.ndarray,
    loki: Loki,
    extensions: Extensions | None,
    number: int,
    spot: SpotArrays,
    streams: np.ndarray,
) -> int:
    """Return the intended action from the flop on."""
    if extensions is not None:  # without them it is not compiled
        player = loki.players[number]
        if player["trials"] > 0:
            tracker = loki.trackers[player["tracker"]]
            if player["jitter"] != 0.0:  # drawn for thresholds, which explanations show
                next_fraction(streams, number)
                next_fraction(streams, number)
            return simulated_verb(
                hand, loki.table[0], tracker, loki.boards[0], extensions,
                player["trials"], number, streams,
            )  # fmt: skip
    return _by_rules(hand, loki, extensions, number, spot, streams)


@uncounted_kernel
def choose(
    hand: np.ndarray,
    loki: Loki,
    extensions: Extensions | None,
    number: int,
    streams: np.ndarray,
) -> int:
    """Return Loki's action as the engine's code: the nearest legal one to what it intends."""
    spot = _spot_of(hand, loki.table[0])
    if spot.street == 0:
        verb = _before_flop(hand, loki.table[0], loki.players[number], spot)
    else:
        verb = _after_flop(hand, loki, extensions, number, spot, streams)
    action = at.CALL
    if verb == RAISE and hand[at.NO_RAISE] == 0:
        action = hand[at.LOW_TO]
    elif verb == FOLD and hand[at.TO_CALL] > 0:
        action = at.FOLD
    return action
