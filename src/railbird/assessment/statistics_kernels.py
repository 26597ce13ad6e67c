"""Kernels of `player_statistics` for any hold'em: chances, and how often each was taken."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.game import kernels as at
from railbird.game.kernels import (
    act_if_allowed,
    begin_street,
    block_of,
    chips_called,
    copy,
    is_single,
    level_of,
    next_street,
)
from railbird.game.walk_kernels import BET, CALL, CHECK, FOLD, RAISE, Answers

# As `railbird.assessment.player_statistics.Statistic` numbers them.
VPIP = 0
PFR = 1
THREE_BET = 2
FOLD_TO_THREE_BET = 3
FOUR_BET = 4
SQUEEZE = 5
STEAL = 6
FOLD_TO_STEAL = 7
CBET = 8
FOLD_TO_CBET = 9
CBET_TURN = 10
CHECK_RAISE = 11
AGGRESSION = 12
WTSD = 13
WSD = 14
WWSF = 15
# 16 is for what no action tells.
LIMP = 17
COLD_CALL = 18
ISOLATE = 19
LIMP_FOLD = 20
RESTEAL = 21
FOLD_TO_FOUR_BET = 22
RAISE_CBET = 23
FOLD_TO_CBET_TURN = 24
CBET_RIVER = 25
FOLD_TO_CBET_RIVER = 26
DONK = 27
PROBE = 28
FLOAT = 29
FOLD_TO_FLOP_BET = 30
FOLD_TO_TURN_BET = 31
FOLD_TO_RIVER_BET = 32
RAISE_FLOP_BET = 33
RAISE_TURN_BET = 34
RAISE_RIVER_BET = 35
CHECK_RAISE_FLOP = 36
CHECK_RAISE_TURN = 37
CHECK_RAISE_RIVER = 38
THREE_BET_TO_EARLY = 39
THREE_BET_TO_LATE = 40
FOLD_SMALL_BLIND_TO_STEAL = 41
FOLD_BIG_BLIND_TO_STEAL = 42
OVERBET = 43
LARGE_CBET = 44
FOLD_TO_SMALL_CBET = 45
FOLD_TO_LARGE_CBET = 46
STATISTICS = 47

# As `Position` numbers them.
SMALL_BLIND = 0
BIG_BLIND = 1
EARLY = 2
MIDDLE = 3
CUTOFF = 4
BUTTON = 5

_MOST_SEATS = 23


class CountedHands(NamedTuple):
    """Hands and what their actions answered; see `railbird.histories.columns.HandBatch`."""

    opened: np.ndarray
    """(rules, longest vector) int64, the engine's vectors before any card."""
    dead_small_blind: np.ndarray
    """(rules,) uint8, 1 if nobody posts the small blind and seat 0 the big one."""
    rules_of: np.ndarray
    start: np.ndarray
    action: np.ndarray
    dealt: np.ndarray
    payoff: np.ndarray
    parts: np.ndarray
    answers: Answers


class Counts(NamedTuple):
    """Counts of the statistics."""

    done: np.ndarray
    """(hands, seats, STATISTICS) uint8."""
    chances: np.ndarray
    """(hands, seats, STATISTICS) uint8."""
    position: np.ndarray
    """(hands, seats) uint8."""
    calls: np.ndarray
    """(hands, seats) uint8, calls after the flop."""
    showdown: np.ndarray
    """(hands, seats) bool, whether the seat came to the showdown."""


@uncounted_kernel
def position_of(seat: int, seats: int) -> int:
    """Place of a seat; heads-up the button posts the small blind and sits in seat 1."""
    if seats == 2:
        return BIG_BLIND if seat == 0 else BUTTON
    if seat < 2:
        return seat
    behind = seats - 1 - seat
    if behind < 2:
        return BUTTON - behind
    return MIDDLE if behind < 4 else EARLY


@inline_kernel
def chance(counts: Counts, hand: int, seat: int, what: int, done: bool) -> None:
    """Count a chance once a hand, and whether it was taken."""
    if counts.chances[hand, seat, what] == 0:
        counts.chances[hand, seat, what] = 1
        counts.done[hand, seat, what] = done


@uncounted_kernel
def at_stake(hand: np.ndarray, seat: int) -> int:
    """Return the chips that a seat loses if it wins nothing: all it put in that was called."""
    block = block_of(seat)
    chips = hand[block + at.LIVE] + hand[block + at.ANTE]
    for rival in range(hand[at.SEATS]):
        if rival != seat and level_of(hand, rival) >= level_of(hand, seat):
            return int(chips)
    return int(chips - (hand[at.POT] - chips_called(hand)))


@kernel
def count_hands(played: CountedHands, scratch: np.ndarray, counts: Counts) -> None:
    """Count all hands; ``counts`` are zero before.

    The engine follows each hand in ``scratch``, one `railbird.game.walk_kernels.SCRATCH` record: it
    knows who may still raise, and which part of a bet nobody called.
    """
    state = scratch[0]["hand"][:]  # a plain array, for which the engine is compiled anyway
    checked = np.zeros(_MOST_SEATS, dtype=np.bool_)
    raised = np.zeros(_MOST_SEATS, dtype=np.bool_)
    limped = np.zeros(_MOST_SEATS, dtype=np.bool_)
    entered_by = np.zeros(_MOST_SEATS, dtype=np.bool_)
    called_flop = np.zeros(_MOST_SEATS, dtype=np.bool_)
    # Whether a seat has acted on the street, and with a check: `checked` ends when it acts again.
    acted = np.zeros(_MOST_SEATS, dtype=np.bool_)
    has_checked = np.zeros(_MOST_SEATS, dtype=np.bool_)
    answers = played.answers
    for hand in range(len(played.rules_of)):
        opened = played.opened[played.rules_of[hand]]
        seats = opened[at.SEATS]
        # A dead small blind is a place that nobody has.
        dead = played.dead_small_blind[played.rules_of[hand]]
        copy(opened, state, at.HEADER + at.STRIDE * seats)
        begin_street(state)
        for seat in range(seats):
            counts.position[hand, seat] = position_of(seat + dead, seats + dead)
        raised[:] = False
        checked[:] = False
        limped[:] = False
        entered_by[:] = False
        called_flop[:] = False
        street = 0
        saw_flop = state[at.ALIVE]
        aggressor, stealer, continuing = -1, -1, -1
        entered, callers_of_raise = 0, 0
        bet_flop, bet_turn = -1, -1
        flop_is_bet, is_large = False, False
        for i in range(played.start[hand], played.start[hand + 1]):
            seat = int(answers.seat[i])
            name = int(answers.name[i])
            bets = int(answers.bets[i])
            position = counts.position[hand, seat]
            while street < answers.street[i]:
                if street == 0:
                    saw_flop = state[at.ALIVE]
                street += 1
                next_street(state)  # betting does not depend on the cards
                begin_street(state)
                checked[:] = False
                acted[:] = False
                has_checked[:] = False
                continuing = -1
            aggressive = name >= BET
            may_raise = state[at.NO_RAISE] == 0
            if street == 0:
                # The big blind's check is a chance that is not taken; blinds and antes are no
                # choice.
                in_by_choice = name == CALL or aggressive
                counts.chances[hand, seat, VPIP] = 1
                counts.chances[hand, seat, PFR] |= may_raise
                counts.done[hand, seat, VPIP] |= in_by_choice
                counts.done[hand, seat, PFR] |= aggressive
                steals = entered == 0 and position in (CUTOFF, BUTTON, SMALL_BLIND)
                if bets <= 1 and steals and may_raise:
                    chance(counts, hand, seat, STEAL, aggressive)
                    if aggressive:
                        stealer = seat
                # `bets` counts the big blind as one, so a raise makes two and a three-bet three.
                if bets <= 1 and name != CHECK and position != BIG_BLIND and entered == 0:
                    chance(counts, hand, seat, LIMP, name == CALL)
                if bets <= 1 and entered > 0 and may_raise:
                    chance(counts, hand, seat, ISOLATE, aggressive)
                if bets >= 2 and position > BIG_BLIND and not entered_by[seat]:
                    chance(counts, hand, seat, COLD_CALL, name == CALL)
                if bets == 2 and limped[seat]:
                    chance(counts, hand, seat, LIMP_FOLD, name == FOLD)
                if bets == 2:
                    if may_raise and not raised[seat]:
                        # Only the first chance in a hand counts, here too, so that both parts add
                        # up to the whole.
                        if counts.chances[hand, seat, THREE_BET] == 0 and aggressor >= 0:
                            early = counts.position[hand, aggressor] in (EARLY, MIDDLE)
                            to_whom = THREE_BET_TO_EARLY if early else THREE_BET_TO_LATE
                            chance(counts, hand, seat, to_whom, aggressive)
                        chance(counts, hand, seat, THREE_BET, aggressive)
                        if callers_of_raise > 0:
                            chance(counts, hand, seat, SQUEEZE, aggressive)
                    # After a call the blind has two opponents and better odds, which is another
                    # decision.
                    if stealer >= 0 and callers_of_raise == 0 and position <= BIG_BLIND:
                        chance(counts, hand, seat, FOLD_TO_STEAL, name == FOLD)
                        by_blind = FOLD_SMALL_BLIND_TO_STEAL + position
                        chance(counts, hand, seat, by_blind, name == FOLD)
                        if may_raise:
                            chance(counts, hand, seat, RESTEAL, aggressive)
                elif bets == 3:
                    if raised[seat]:
                        chance(counts, hand, seat, FOLD_TO_THREE_BET, name == FOLD)
                    if may_raise:
                        chance(counts, hand, seat, FOUR_BET, aggressive)
                elif bets == 4 and raised[seat]:
                    chance(counts, hand, seat, FOLD_TO_FOUR_BET, name == FOLD)
                if aggressive:
                    raised[seat] = True
                    aggressor = seat
                    # A squeeze reraises the last raise and its callers, so earlier callers no
                    # longer count.
                    callers_of_raise = 0
                    if seat != stealer:  # also by an all-in that is no whole raise
                        stealer = -1
                elif name == CALL and bets >= 2:
                    callers_of_raise += 1
                elif name == CALL:
                    limped[seat] = True
                entered += in_by_choice
                entered_by[seat] |= in_by_choice
            else:
                # `aggressor` is still the last raiser before the flop; later streets do not change
                # it.
                if bets == 0 and street == 1 and seat == aggressor:
                    chance(counts, hand, seat, CBET, aggressive)
                    if aggressive:
                        continuing = seat
                        is_large = 2 * answers.amount[i] > answers.pot[i]
                        chance(counts, hand, seat, LARGE_CBET, is_large)
                elif bets == 0 and street == 2 and seat == bet_flop:
                    chance(counts, hand, seat, CBET_TURN, aggressive)
                    if aggressive:
                        continuing = seat
                elif bets == 0 and street == 3 and seat == bet_turn:
                    chance(counts, hand, seat, CBET_RIVER, aggressive)
                    if aggressive:
                        continuing = seat
                elif bets == 1 and continuing >= 0:
                    if street == 1:
                        chance(counts, hand, seat, FOLD_TO_CBET, name == FOLD)
                        by_size = FOLD_TO_LARGE_CBET if is_large else FOLD_TO_SMALL_CBET
                        chance(counts, hand, seat, by_size, name == FOLD)
                        if may_raise:
                            chance(counts, hand, seat, RAISE_CBET, aggressive)
                    elif street == 2:
                        chance(counts, hand, seat, FOLD_TO_CBET_TURN, name == FOLD)
                    else:
                        chance(counts, hand, seat, FOLD_TO_CBET_RIVER, name == FOLD)
                if bets == 0 and aggressor >= 0 and seat != aggressor:
                    # A donk bet takes the lead from a raiser who is still to act. Once the raiser
                    # has checked, it is a bet like any other.
                    waits = state[at.ALIVE] >> aggressor & 1 == 1 and not acted[aggressor]
                    if waits and street == 1:
                        chance(counts, hand, seat, DONK, aggressive)
                    elif waits and street == 2 and not flop_is_bet:
                        chance(counts, hand, seat, PROBE, aggressive)
                floats = bet_flop >= 0 and called_flop[seat] and has_checked[bet_flop]
                if bets == 0 and street == 2 and floats:
                    chance(counts, hand, seat, FLOAT, aggressive)
                if bets == 0 and aggressive:
                    counts.chances[hand, seat, OVERBET] += 1
                    counts.done[hand, seat, OVERBET] += answers.amount[i] > answers.pot[i]
                if bets == 1:
                    chance(counts, hand, seat, FOLD_TO_FLOP_BET + street - 1, name == FOLD)
                    if may_raise:
                        chance(counts, hand, seat, RAISE_FLOP_BET + street - 1, aggressive)
                if street == 1 and aggressive:
                    flop_is_bet = True
                    # A raise by another seat ends the line: it has no second continuation bet.
                    bet_flop = seat if seat == continuing else -1
                elif street == 1 and name == CALL:
                    called_flop[seat] = True
                elif street == 2 and aggressive:
                    bet_turn = seat if seat == continuing else -1
                if checked[seat]:  # who acts again met a bet, if only an all-in below the least
                    counts.chances[hand, seat, CHECK_RAISE] += 1
                    counts.done[hand, seat, CHECK_RAISE] += name == RAISE
                    chance(counts, hand, seat, CHECK_RAISE_FLOP + street - 1, name == RAISE)
                    checked[seat] = False
                acted[seat] = True
                if name == CHECK:
                    checked[seat] = has_checked[seat] = True
                else:
                    counts.chances[hand, seat, AGGRESSION] += 1
                    counts.done[hand, seat, AGGRESSION] += aggressive
                    counts.calls[hand, seat] += name == CALL
            act_if_allowed(state, played.action[i])
        if street == 0:
            saw_flop = state[at.ALIVE]
        alive = state[at.ALIVE]
        for seat in range(seats):
            # A seat has won if anything comes back from the pot. After a split that can be less
            # than it put in, so the sign of the payoff does not say so.
            won = played.payoff[hand, seat] > -at_stake(state, seat) * played.parts[hand]
            at_showdown = alive >> seat & 1 == 1 and not is_single(alive)
            counts.showdown[hand, seat] = at_showdown
            if played.dealt[hand] >= 3 and saw_flop >> seat & 1:
                counts.chances[hand, seat, WTSD] = 1
                counts.done[hand, seat, WTSD] = at_showdown
                counts.chances[hand, seat, WWSF] = 1
                counts.done[hand, seat, WWSF] = won
            if at_showdown:
                counts.chances[hand, seat, WSD] = 1
                counts.done[hand, seat, WSD] = won
