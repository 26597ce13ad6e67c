"""Chances and what was made of them, counted hand by hand from what each action answered."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.game import kernels as at
from railbird.game.kernels import block_of
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
STATISTICS = 16

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


@kernel
def count_hands(played: CountedHands, counts: Counts) -> None:
    """Count all hands; ``counts`` are zero before."""
    put = np.zeros(_MOST_SEATS, dtype=np.int64)
    on_street = np.zeros(_MOST_SEATS, dtype=np.int64)
    folded = np.zeros(_MOST_SEATS, dtype=np.bool_)
    flop_folded = np.zeros(_MOST_SEATS, dtype=np.bool_)
    checked = np.zeros(_MOST_SEATS, dtype=np.bool_)
    raised = np.zeros(_MOST_SEATS, dtype=np.bool_)
    answers = played.answers
    for hand in range(len(played.rules_of)):
        opened = played.opened[played.rules_of[hand]]
        seats = opened[at.SEATS]
        # A dead small blind is a place that nobody has.
        dead = played.dead_small_blind[played.rules_of[hand]]
        for seat in range(seats):
            put[seat] = opened[block_of(seat) + at.ANTE]
            on_street[seat] = opened[block_of(seat) + at.IN]
            counts.position[hand, seat] = position_of(seat + dead, seats + dead)
        folded[:] = False
        flop_folded[:] = False
        raised[:] = False
        checked[:] = False
        street = 0
        aggressor, stealer, continuing = -1, -1, -1
        entered, callers_of_raise = 0, 0
        bet_flop = -1
        for i in range(played.start[hand], played.start[hand + 1]):
            seat = int(answers.seat[i])
            name = int(answers.name[i])
            bets = int(answers.bets[i])
            place = counts.position[hand, seat]
            while street < answers.street[i]:
                street += 1
                for each in range(seats):
                    put[each] += on_street[each]
                    on_street[each] = 0
                    if street == 1:
                        flop_folded[each] = folded[each]
                checked[:] = False
                continuing = -1
            aggressive = name >= BET
            if street == 0:
                in_by_choice = name == CALL or aggressive
                if counts.chances[hand, seat, VPIP] == 0:
                    counts.chances[hand, seat, VPIP] = 1
                    counts.chances[hand, seat, PFR] = 1
                counts.done[hand, seat, VPIP] |= in_by_choice
                counts.done[hand, seat, PFR] |= aggressive
                if bets <= 1 and entered == 0 and place in (CUTOFF, BUTTON, SMALL_BLIND):
                    chance(counts, hand, seat, STEAL, aggressive)
                    if aggressive:
                        stealer = seat
                if bets == 2:
                    if not raised[seat]:
                        chance(counts, hand, seat, THREE_BET, aggressive)
                        if callers_of_raise > 0:
                            chance(counts, hand, seat, SQUEEZE, aggressive)
                    if stealer >= 0 and callers_of_raise == 0 and place <= BIG_BLIND:
                        chance(counts, hand, seat, FOLD_TO_STEAL, name == FOLD)
                elif bets == 3:
                    if raised[seat]:
                        chance(counts, hand, seat, FOLD_TO_THREE_BET, name == FOLD)
                    chance(counts, hand, seat, FOUR_BET, aggressive)
                if aggressive:
                    raised[seat] = True
                    aggressor = seat
                    callers_of_raise = 0
                    if bets >= 2:
                        stealer = -1
                elif name == CALL and bets >= 2:
                    callers_of_raise += 1
                entered += in_by_choice
            else:
                if bets == 0 and street == 1 and seat == aggressor:
                    chance(counts, hand, seat, CBET, aggressive)
                    if aggressive:
                        continuing = seat
                        bet_flop = seat
                elif bets == 0 and street == 2 and seat == bet_flop:
                    chance(counts, hand, seat, CBET_TURN, aggressive)
                elif street == 1 and bets == 1 and continuing >= 0:
                    chance(counts, hand, seat, FOLD_TO_CBET, name == FOLD)
                if bets > 0 and checked[seat]:
                    counts.chances[hand, seat, CHECK_RAISE] += 1
                    counts.done[hand, seat, CHECK_RAISE] += name == RAISE
                    checked[seat] = False
                if name == CHECK:
                    checked[seat] = True
                else:
                    counts.chances[hand, seat, AGGRESSION] += 1
                    counts.done[hand, seat, AGGRESSION] += aggressive
                    counts.calls[hand, seat] += name == CALL
            if name == FOLD:
                folded[seat] = True
            on_street[seat] = answers.amount[i]
        left = 0
        for seat in range(seats):
            left += not folded[seat]
            put[seat] += on_street[seat]
            if street == 0:
                flop_folded[seat] = folded[seat]
        for seat in range(seats):
            won = played.payoff[hand, seat] > -put[seat] * played.parts[hand]
            at_showdown = left > 1 and not folded[seat]
            counts.showdown[hand, seat] = at_showdown
            if played.dealt[hand] >= 3 and not flop_folded[seat]:
                counts.chances[hand, seat, WTSD] = 1
                counts.done[hand, seat, WTSD] = at_showdown
                counts.chances[hand, seat, WWSF] = 1
                counts.done[hand, seat, WWSF] = won
            if at_showdown:
                counts.chances[hand, seat, WSD] = 1
                counts.done[hand, seat, WSD] = won
