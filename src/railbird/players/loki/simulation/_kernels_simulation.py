"""Simulation of limit hands to the end, with all players acting by tables of probabilities.

Players are in the order in which they act after the flop; amounts are in chips. `simulate` gives
the actor's gains by calling and by raising, both on the same sampled cards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.cards.hand_strength._kernels_evaluator import (
    CARD_KEY,
    CARD_MASK,
    HOLDING_KEY,
    HOLDING_MASK,
    strength_of_key,
)
from railbird.cards.isomorphism._kernels_isomorphism import index_of_4, index_of_5
from railbird.cards.isomorphism._tables_columns import COLUMN
from railbird.modelling.learned._kernels_situations import class_of, later_row

FOLD, CALL, RAISE = 0, 1, 2
RIVER = 3
BY_TABLE, CALLING_DOWN = 0, 1
PLANS = 2
"""The actor's own later actions in a play-out: by its table, or calls. The better is assumed, since
a table of average players lets it fold to raises that mean nothing."""
_TRIES = 64
"""Attempts at sampling a holding that shares no card with those sampled before."""


class RankTable(NamedTuple):
    """Hand ranks of all holdings on all boards of one size, as `railbird.odds.Tables` has them."""

    start: np.ndarray
    pattern: np.ndarray
    ranks: np.ndarray
    whole: int


class Ranks(NamedTuple):
    """Hand ranks on the current board and on later ones."""

    now: np.ndarray
    """(1326,) strength classes on this board, by holding."""
    turns: RankTable
    rivers: RankTable


class Position(NamedTuple):
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


class Beliefs(NamedTuple):
    """The actor's holding, and its beliefs about the others."""

    holding: int
    """The actor's holding."""
    cumulative: np.ndarray
    """(players, 1326) running sums of the weights of their holdings; the actor's row is ignored."""
    actions: np.ndarray
    """(players, rows, classes, 3) probabilities of their actions, as in `ActionModel.later`."""


class Dealt(NamedTuple):
    """What was dealt in one trial."""

    held: np.ndarray
    """(players,) holdings."""
    cards: np.ndarray
    """(5,) uint8, the board."""
    classes: np.ndarray
    """(players, 4) strength classes by street; -1 on the turn until one is needed."""
    turn_ranks: np.ndarray
    """(players,) hand ranks on the turn, if it was not known."""
    final: np.ndarray
    """(players,) strengths at showdown."""
    put_in: np.ndarray
    """(players,) space for play-outs, as are the next two."""
    pending: np.ndarray
    alive: np.ndarray


@inline_kernel
def ramp(value: float, mean: float, spread: float) -> float:
    """Rise to 1 at ``mean + spread`` from 0 at ``mean - spread``.

    If that is below 0, from a height at 0 that keeps the area, as in the opponent model.
    """
    if mean < spread:
        start = (spread - mean) / (spread + mean)
        return min(start + (1.0 - start) * value / (mean + spread), 1.0)
    return min(max((value - mean + spread) / max(2.0 * spread, 1e-9), 0.0), 1.0)


@kernel
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


@kernel
def _sample(rng: np.random.Generator, cumulative: np.ndarray, used: np.uint64) -> int:
    """Draw a holding by weight that shares no card with ``used``; -1 if that fails."""
    for _ in range(_TRIES):
        drawn = np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right")
        holding = min(int(drawn), 1325)
        if HOLDING_MASK[holding] & used == 0:
            return holding
    return -1


@kernel
def _rank(table: RankTable, index: int, holding: int) -> float:
    """Return the share of holdings that a holding beats on a board, ties counting half."""
    place = table.start[index] + COLUMN[table.pattern[index], holding]
    rank: float = table.ranks[place] / table.whole
    return rank


@kernel
def _turn_class(table: RankTable, strength: float, cards: np.ndarray, holding: int) -> int:
    """Return the strength class of a holding on the turn, the first four of ``cards``.

    ``table`` has the ranks on the river; this is `later_classes` for one holding.
    """
    used = HOLDING_MASK[holding]
    for place in range(4):
        used |= CARD_MASK[cards[place]]
    gain, rivers = 0.0, 0
    for card in range(52):
        if CARD_MASK[card] & used == 0:
            index = index_of_5(cards[0], cards[1], cards[2], cards[3], card)
            gain += max(_rank(table, index, holding) - strength, 0.0)
            rivers += 1
    return class_of(strength, gain / rivers)


@kernel
def _play_out(
    rng: np.random.Generator,
    first: int,
    plan: int,
    position: Position,
    dealt: Dealt,
    actions: np.ndarray,
    rivers: RankTable,
) -> float:
    """Play one hand to the end; return the actor's gain from here by a first action and a plan."""
    put_in, pending, alive = dealt.put_in, dealt.pending, dealt.alive
    players, me, street = len(put_in), position.actor, len(position.board) - 2
    pot, bets, sizes = position.pot, position.bets, position.sizes
    for player in range(players):
        put_in[player], pending[player] = position.put_in[player], position.pending[player]
        alive[player] = True
    turn, forced, paid, left = me, True, 0.0, players
    while True:
        if alive[turn] and pending[turn]:
            size = sizes[street]
            to_call = np.max(put_in) - put_in[turn]
            action = first
            if not forced and turn == me and plan == CALLING_DOWN:
                action = CALL
            elif not forced:
                strength_class = dealt.classes[turn, street]
                if strength_class < 0:
                    strength_class = _turn_class(
                        rivers, dealt.turn_ranks[turn], dealt.cards, dealt.held[turn]
                    )
                    dealt.classes[turn, street] = strength_class
                bets_to_call = int(to_call / size + 0.999)
                row = later_row(street, bets_to_call, left - 1, put_in[turn] > 0)
                fold = actions[turn, row, strength_class, FOLD]
                draw = rng.random()
                if draw < fold:
                    action = FOLD
                elif draw < fold + actions[turn, row, strength_class, CALL]:
                    action = CALL
                else:
                    action = RAISE
            forced = False
            if action == FOLD and to_call <= 0:
                action = CALL
            if action == RAISE and bets >= position.caps[street]:
                action = CALL
            pending[turn] = False
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
                    bets += 1
                    for other in range(players):
                        pending[other] = alive[other] and other != turn
        turn = (turn + 1) % players
        waiting = False
        for seat in range(players):
            waiting |= pending[seat] and alive[seat]
        if waiting:
            continue
        if street == RIVER:
            break
        street += 1
        bets, turn = 0, 0
        for seat in range(players):
            put_in[seat], pending[seat] = 0.0, alive[seat]
    best, winners = 0, 0
    for player in range(players):
        if alive[player] and dealt.final[player] >= best:
            winners = winners + 1 if dealt.final[player] == best else 1
            best = dealt.final[player]
    return (pot / winners if dealt.final[me] == best else 0.0) - paid


@kernel
def simulate(
    rng: np.random.Generator,
    trials: int,
    position: Position,
    beliefs: Beliefs,
    ranked: Ranks,
    gains: np.ndarray,
) -> int:
    """Fill ``gains`` (2, 2, trials) with the gains by action and plan; return the valid trials.

    The actions are a call and a raise, the plans those of `PLANS`.

    A trial for which no possible deal was sampled is skipped.
    """
    board, actor, holding = position.board, position.actor, beliefs.holding
    players, known, street = len(position.put_in), len(board), len(board) - 2
    held = np.empty(players, np.int64)
    classes = np.zeros((players, 4), np.int64)
    turn_ranks = np.zeros(players)
    final = np.zeros(players, np.int64)
    cards = np.empty(5, np.uint8)
    put_in = np.empty(players)
    pending, alive = np.empty(players, np.bool_), np.empty(players, np.bool_)
    dealt = Dealt(held, cards, classes, turn_ranks, final, put_in, pending, alive)
    for i in range(known):
        cards[i] = board[i]
    board_mask = np.uint64(0)
    for card in board:
        board_mask |= CARD_MASK[card]
    done = 0
    for _ in range(trials):
        used = board_mask | HOLDING_MASK[holding]
        held[actor] = holding
        possible = True
        shift = int(rng.random() * players)
        for step in range(players):
            player = (step + shift) % players
            if player != actor:
                held[player] = _sample(rng, beliefs.cumulative[player], used)
                possible = possible and held[player] >= 0
                used |= HOLDING_MASK[held[player]] if held[player] >= 0 else np.uint64(0)
        if not possible:
            continue
        for place in range(known, 5):
            card = int(rng.random() * 52)
            while CARD_MASK[card] & used != 0:
                card = int(rng.random() * 52)
            used |= CARD_MASK[card]
            cards[place] = card
        river = index_of_5(cards[0], cards[1], cards[2], cards[3], cards[4])
        key, mask = np.uint64(0), np.uint64(0)
        for card in cards:
            key += CARD_KEY[card]
            mask |= CARD_MASK[card]
        for player in range(players):
            mine = held[player]
            if known == 3:
                turn = index_of_4(cards[0], cards[1], cards[2], cards[3])
                turn_ranks[player] = _rank(ranked.turns, turn, mine)
                classes[player, RIVER - 1] = -1
            if known < 5:
                classes[player, RIVER] = class_of(_rank(ranked.rivers, river, mine), 0.0)
            classes[player, street] = ranked.now[mine]
            final[player] = strength_of_key(key + HOLDING_KEY[mine], mask | HOLDING_MASK[mine])
        for action in (CALL, RAISE):
            for plan in range(PLANS):
                gains[action - CALL, plan, done] = _play_out(
                    rng, action, plan, position, dealt, beliefs.actions, ranked.rivers
                )
        done += 1
    return done
