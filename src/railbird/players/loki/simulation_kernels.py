"""Kernels of `simulation`: limit hold'em played to the end by tables of probabilities.

Players are in the order in which they act after the flop; amounts are in chips. `simulate` gives
the actor's expected gains by calling and by raising, both on the same sampled cards.
"""

# Selective sampling (Billings and others, 1999): the opponents' holdings are drawn by the weights
# that the model gives them, the rest of the board at random, and the hand is played out once after
# a call and once after a raise. `simulation` is the Python side and has the sources.
#
# What one trial shares. `_deal` draws holdings and board once, and `_play_out` plays them four
# times: by either first action, and with the actor's later actions from its table or as mere calls.
# The difference between call and raise is then taken on the same cards, which is known much better
# than that of two separate samples. The betting after the first action is drawn anew each time.
#
# Why tables of probabilities. A play-out asks each player several times what it does, and would
# spend all of its time on evaluating hands. Here a hand is its strength class on each street, found
# when the cards are dealt, and an action is one row of a table. Only the class on the turn is put
# off until somebody acts there (`_turn_class`), because it needs the ranks on all rivers and many
# play-outs end before.
#
# Holdings are drawn by running sums and redrawn while they share a card with those drawn before
# (`_TRIES`), beginning with a random player. A deal that cannot be completed is skipped and not
# counted, so that the means are over valid deals.
#
# The betting here is a short form of the engine's, for limit with unlimited stacks: bets, caps and
# who is still to act, without the rest of the vector, of which nothing else is needed. A kernel
# that makes no array needs no counts of references (`uncounted_kernel`), which took three fifths of
# the time; so all arrays are made in `simulate` and handed down in `TrialDeal`.
#
# The order of random numbers is part of the result: tests/twins/test_loki_twins.py compares
# compiled matches with those in Python byte for byte, and both call `simulate`.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.cards.isomorphism_kernels import COLUMN, extension_indices, index_of_4, index_of_5
from railbird.cards.kernels import strength_of_key
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_KEY, HOLDING_MASK
from railbird.modelling.learned_kernels import (
    POTENTIALS,
    class_of_strength,
    fact_of,
    later_row,
    row_cell,
)
from railbird.players.compiled_kernels import next_fraction

FOLD, CALL, RAISE = 0, 1, 2
RIVER = 3
BY_TABLE, CALLING_DOWN = 0, 1
PLANS = 2
"""The actor's own later actions in a play-out: by its table, or calls. The better is assumed, since
a table of average players lets it fold to raises that mean nothing."""
POTENTIAL_CLASSES = len(POTENTIALS) + 1
"""Strength classes of each level."""
_NOT_FILLED = -2
_TRIES = 64
"""Attempts at sampling a holding that shares no card with those sampled before."""


class RankTable(NamedTuple):
    """Hand ranks of all holdings on all boards of one size, as `railbird.odds.Tables` has them."""

    start: np.ndarray
    pattern: np.ndarray
    ranks: np.ndarray
    whole: int


class TrialRanks(NamedTuple):
    """Hand ranks on the current board and on later ones."""

    now: np.ndarray
    """(1326,) strength classes on this board, by holding."""
    turns: RankTable
    rivers: RankTable


class PublicState(NamedTuple):
    """The public state, from the flop on."""

    board: np.ndarray
    """(3,) to (5,) uint8."""
    actor: int
    """The player to act, in the order of play."""
    put_in: np.ndarray
    """(players,) chips on this street."""
    pot: float
    bets: int
    """Bets made on this street."""
    sizes: np.ndarray
    """(4,) size of a bet, by street."""
    caps: np.ndarray
    """(4,) bets and raises allowed, by street."""
    pending: np.ndarray
    """(players,) bool: who is still to act on this street."""
    raised_before: np.ndarray
    """(players,) bool: who bet or raised on the street before."""
    raised: np.ndarray
    """(players,) bool: who has on this street."""


class TrialBeliefs(NamedTuple):
    """The actor's holding, and its beliefs about the others."""

    holding: int
    """The actor's holding."""
    cumulative: np.ndarray
    """(players, 1326) running sums of the weights of their holdings; the actor's row is ignored."""
    actions: np.ndarray
    """(seats, rows, classes, 3) probabilities of actions, as in `ActionModel.later`."""
    seats: np.ndarray
    """(players,) their places in ``actions``."""
    facts: np.ndarray
    """(cells, facts, levels, 3) factors of these probabilities, as in `ActionModel.facts`."""


class TrialDeal(NamedTuple):
    """What was dealt in one trial."""

    held: np.ndarray
    """(players,) holdings."""
    cards: np.ndarray
    """(5,) uint8, the board."""
    classes: np.ndarray
    """(players, 4) strength classes by street; -1 on the turn until one is needed."""
    turn_ranks: np.ndarray
    """(players,) hand ranks on the turn, if it was not known."""
    turn: np.ndarray
    """(4,) uint8, space for the board on the turn, ascending."""
    rivers: np.ndarray
    """(52,) int32, combination indices of the boards on the river by their last card; -1 for none.
    The first is `_NOT_FILLED` until they are needed."""
    final: np.ndarray
    """(players,) strengths at showdown."""
    put_in: np.ndarray
    """(players,) space for play-outs, as are the next two."""
    pending: np.ndarray
    alive: np.ndarray
    raised: np.ndarray
    """(players,) masks of who bet or raised, 1 on the street before and 2 on this one."""


@inline_kernel
def ramp(value: float, mean: float, spread: float) -> float:
    """Rise to 1 at ``mean + spread`` from 0 at ``mean - spread``.

    If that is below 0, from a height at 0 that keeps the area, as in the opponent model.
    """
    if mean < spread:
        start = (spread - mean) / (spread + mean)
        return min(start + (1.0 - start) * value / (mean + spread), 1.0)
    return min(max((value - mean + spread) / max(2.0 * spread, 1e-9), 0.0), 1.0)


@uncounted_kernel
def triple(value: float, frequencies: np.ndarray) -> tuple[float, float, float]:
    """Return the probabilities of fold, call and raise with a hand that beats ``value`` of others.

    ``frequencies`` (3,) are those of the same actions with all hands. The best hands raise, the
    next best call; each boundary is as wide as in the opponent model.
    """
    raises = 1.0 - frequencies[RAISE]
    calls = 1.0 - frequencies[RAISE] - frequencies[CALL]
    may_raise = ramp(value, raises, 0.4 * (1.0 - raises))
    stays = 1.0 if calls <= 0.0 else ramp(value, calls, 0.4 * (1.0 - calls))
    stays = max(stays, may_raise)
    return 1.0 - stays, stays - may_raise, may_raise


@uncounted_kernel
def accumulate(weights: np.ndarray, board: np.uint64, cumulative: np.ndarray) -> None:
    """Fill ``cumulative`` (1326,) with running sums of weights, without the board's cards."""
    total = 0.0
    for holding in range(1326):
        if HOLDING_MASK[holding] & board == 0:
            total += weights[holding]
        cumulative[holding] = total


@uncounted_kernel
def _sample(streams: np.ndarray, stream: int, cumulative: np.ndarray, used: np.uint64) -> int:
    """Draw a holding by weight that shares no card with ``used``; -1 if that fails."""
    for _ in range(_TRIES):
        drawn = next_fraction(streams, stream) * cumulative[1325]
        low, high = 0, 1325  # the first running sum above what was drawn
        while low < high:
            middle = (low + high) >> 1
            if cumulative[middle] > drawn:
                high = middle
            else:
                low = middle + 1
        holding = low
        if HOLDING_MASK[holding] & used == 0:
            return holding
    return -1


@uncounted_kernel
def _rank(table: RankTable, index: int, holding: int) -> float:
    """Return the share of holdings that a holding beats on a board, ties counting half."""
    place = table.start[index] + COLUMN[table.pattern[index], holding]
    rank: float = table.ranks[place] / table.whole
    return rank


@uncounted_kernel
def _turn_class(table: RankTable, dealt: TrialDeal, player: int) -> int:
    """Return the strength class of a player's holding on the turn.

    ``table`` has the ranks on the river; this is `later_classes` for one holding.
    """
    if dealt.rivers[0] == _NOT_FILLED:
        for i in range(4):
            place = i
            while place > 0 and dealt.turn[place - 1] > dealt.cards[i]:
                dealt.turn[place] = dealt.turn[place - 1]
                place -= 1
            dealt.turn[place] = dealt.cards[i]
        extension_indices(dealt.turn, dealt.rivers)
    holding, strength = dealt.held[player], dealt.turn_ranks[player]
    gain, rivers = 0.0, 0
    for card in range(52):
        if dealt.rivers[card] >= 0 and HOLDING_MASK[holding] & CARD_MASK[card] == 0:
            gain += max(_rank(table, dealt.rivers[card], holding) - strength, 0.0)
            rivers += 1
    return class_of_strength(strength, gain / rivers)


@uncounted_kernel
def _draw(drawn: float, shares: np.ndarray, factors: np.ndarray) -> int:
    """Return an action by probabilities of each, and factors of these."""
    fold, call = shares[FOLD] * factors[FOLD], shares[CALL] * factors[CALL]
    drawn *= fold + call + shares[RAISE] * factors[RAISE]
    return FOLD if drawn < fold else CALL if drawn < fold + call else RAISE


@uncounted_kernel
def _play_out(
    streams: np.ndarray,
    stream: int,
    first: int,
    plan: int,
    position: PublicState,
    dealt: TrialDeal,
    beliefs: TrialBeliefs,
    rivers: RankTable,
) -> float:
    """Play one hand to the end; return the actor's gain from here by a first action and a plan."""
    put_in, pending, alive, raised = dealt.put_in, dealt.pending, dealt.alive, dealt.raised
    players, me, street = len(put_in), position.actor, len(position.board) - 2
    pot, bets, sizes = position.pot, position.bets, position.sizes
    bet, waiting = 0.0, 0
    for player in range(players):
        put_in[player], pending[player] = position.put_in[player], position.pending[player]
        bet = max(bet, put_in[player])
        waiting += int(pending[player])
        alive[player] = True
        # Bit 1 says that a player raised on this street, bit 0 on the street before. A shift to the
        # right begins the next street.
        raised[player] = int(position.raised_before[player]) + 2 * int(position.raised[player])
    turn, forced, paid, left = me, True, 0.0, players
    while True:
        if alive[turn] and pending[turn]:
            size, to_call, action = sizes[street], bet - put_in[turn], first
            if not forced and turn == me and plan == CALLING_DOWN:
                action = CALL
            elif not forced:
                strength_class = dealt.classes[turn, street]
                # The class on the turn looks at all rivers, so it is worked out only when a player
                # needs it.
                if strength_class < 0:
                    strength_class = _turn_class(rivers, dealt, turn)
                    dealt.classes[turn, street] = strength_class
                bets_to_call = int(to_call / size + 0.999)  # half a blind is a bet, too
                row = later_row(street, bets_to_call, left - 1, put_in[turn] > 0)
                before = 0
                for player in range(players):
                    if alive[player] and raised[player] & 1 != 0:
                        before |= 1 << player
                odds = to_call / (pot + to_call)
                fact = fact_of(before, turn, ~(1 << turn), odds, waiting - 1)
                action = _draw(
                    next_fraction(streams, stream),
                    beliefs.actions[beliefs.seats[turn], row, strength_class],
                    beliefs.facts[row_cell(row), fact, strength_class // POTENTIAL_CLASSES],
                )
            forced = False
            # A drawn action may be illegal: a fold that saves nothing becomes a check, and a raise
            # above the cap a call.
            if action == FOLD and to_call <= 0:
                action = CALL
            if action == RAISE and bets >= position.caps[street]:
                action = CALL
            pending[turn] = False
            waiting -= 1
            if action == FOLD:
                if turn == me:
                    return -paid
                alive[turn] = False
                left -= 1
                if left == 1:
                    return pot - paid  # only the actor is left: it returns as soon as it folds
            else:
                more = to_call + (size if action == RAISE else 0.0)
                put_in[turn] += more
                pot += more
                paid += more if turn == me else 0.0
                if action == RAISE:
                    raised[turn] |= 2
                    bet = put_in[turn]
                    bets += 1
                    waiting = left - 1
                    for other in range(players):
                        pending[other] = alive[other] and other != turn
        turn = turn + 1 if turn + 1 < players else 0
        if waiting > 0:
            continue
        if street == RIVER:
            break
        street += 1
        bet, bets, turn, waiting = 0.0, 0, 0, left
        for seat in range(players):
            put_in[seat], pending[seat] = 0.0, alive[seat]
            raised[seat] >>= 1
    best, winners = 0, 0
    for player in range(players):
        if alive[player] and dealt.final[player] >= best:
            winners = winners + 1 if dealt.final[player] == best else 1
            best = dealt.final[player]
    return (pot / winners if dealt.final[me] == best else 0.0) - paid


@uncounted_kernel
def _deal(
    streams: np.ndarray,
    stream: int,
    known: int,
    holding: int,
    actor: int,
    beliefs: TrialBeliefs,
    ranked: TrialRanks,
    dealt: TrialDeal,
) -> bool:
    """Deal holdings and the rest of the board; return whether it was possible."""
    cards, held, classes, players = dealt.cards, dealt.held, dealt.classes, len(dealt.held)
    used = HOLDING_MASK[holding]
    for index in range(known):
        used |= CARD_MASK[cards[index]]
    held[actor] = holding
    dealt.rivers[0] = _NOT_FILLED
    player = int(next_fraction(streams, stream) * players)
    for _ in range(players):
        if player != actor:
            mine = _sample(streams, stream, beliefs.cumulative[player], used)
            if mine < 0:
                return False
            held[player] = mine
            used |= HOLDING_MASK[mine]
        player = player + 1 if player + 1 < players else 0
    for index in range(known, 5):
        card = int(next_fraction(streams, stream) * 52)
        while CARD_MASK[card] & used != 0:
            card = int(next_fraction(streams, stream) * 52)
        used |= CARD_MASK[card]
        cards[index] = card
    key, mask = np.uint64(0), np.uint64(0)
    for index in range(5):
        key += CARD_KEY[cards[index]]
        mask |= CARD_MASK[cards[index]]
    river = index_of_5(cards[0], cards[1], cards[2], cards[3], cards[4])
    turn = index_of_4(cards[0], cards[1], cards[2], cards[3])
    for player in range(players):
        mine = held[player]
        if known == 3:
            dealt.turn_ranks[player] = _rank(ranked.turns, turn, mine)
            classes[player, RIVER - 1] = -1
        if known < 5:
            classes[player, RIVER] = class_of_strength(_rank(ranked.rivers, river, mine), 0.0)
        classes[player, known - 2] = ranked.now[mine]
        dealt.final[player] = strength_of_key(key + HOLDING_KEY[mine], mask | HOLDING_MASK[mine])
    return True


@uncounted_kernel
def _add_gains(
    streams: np.ndarray,
    stream: int,
    trials: int,
    position: PublicState,
    beliefs: TrialBeliefs,
    ranked: TrialRanks,
    dealt: TrialDeal,
    gains: np.ndarray,
) -> int:
    """Add up in ``gains`` (2, 2) what a call and a raise gain by each plan; return the trials."""
    done = 0
    for _ in range(trials):
        if _deal(
            streams, stream, len(position.board), beliefs.holding, position.actor,
            beliefs, ranked, dealt,
        ):  # fmt: skip
            done += 1
            for action in (CALL, RAISE):
                for plan in range(PLANS):
                    gains[action - CALL, plan] += _play_out(
                        streams, stream, action, plan, position, dealt, beliefs, ranked.rivers
                    )
    return done


@kernel
def simulate(
    streams: np.ndarray,
    stream: int,
    trials: int,
    position: PublicState,
    beliefs: TrialBeliefs,
    ranked: TrialRanks,
) -> tuple[int, float, float]:
    """Return the valid trials and the mean gains of a call and of a raise by the better plan each.

    Random numbers are those of a player's SplitMix64. A trial for which no possible deal was
    sampled is skipped.
    """
    players = len(position.put_in)
    dealt = TrialDeal(
        held=np.empty(players, np.int64),
        cards=np.empty(5, np.uint8),
        classes=np.zeros((players, 4), np.int64),
        turn_ranks=np.zeros(players),
        turn=np.empty(4, np.uint8),
        rivers=np.empty(52, np.int32),
        final=np.zeros(players, np.int64),
        put_in=np.empty(players),
        pending=np.empty(players, np.bool_),
        alive=np.empty(players, np.bool_),
        raised=np.empty(players, np.int64),
    )
    for i in range(len(position.board)):
        dealt.cards[i] = position.board[i]
    gains = np.zeros((2, PLANS))
    done = _add_gains(streams, stream, trials, position, beliefs, ranked, dealt, gains)
    if done == 0:
        return 0, 0.0, 0.0
    return done, np.max(gains[0]) / done, np.max(gains[1]) / done
