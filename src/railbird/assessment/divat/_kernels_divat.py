"""Scores of finished hands, decision by decision.

Values are player 1's, in small bets; player 1 (index 0) acts first after the flop. A value between
two rounds is that of `_kernels_rollout` (Kan 2007, algorithm 1); within a round it is the value
after the baseline has finished the round, so that the changes from one action to the next add up to
the round's difference (equation 3.12).

The helpers are inlined into `score_hands`: passing some forty arrays on, each with a reference
count, would cost as much as scoring a round. Hands are scored in the order of their flops,
because equal flops read the same rows of the tables, which then are in the processor's cache.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.assessment.divat._kernels_rollout import (
    LEFT,
    PAIRS,
    BaselineArrays,
    Future,
    Ranks,
    look_ahead,
    new_future,
    place_of,
    rank_flop,
    river_sum,
    turn_sum,
)
from railbird.baseline._kernels_baseline import (
    CALL,
    FOLD,
    RAISE,
    Integer,
    choose,
    class_of_rank,
    play_on,
)

STREETS = 4
PREFLOP, FLOP, TURN, RIVER = range(STREETS)
_SMALL_BLIND = 0.5
_BLINDS = 1.5


class Hands(NamedTuple):
    """Finished hands with all cards known, player 1 being the big blind."""

    first: np.ndarray
    """(n,) int16: player 1's holding."""
    second: np.ndarray
    """(n,) int16: player 2's holding."""
    board: np.ndarray
    """(n, 5) uint8: as far as it was dealt."""
    start: np.ndarray
    """(n + 1,) int64: where each hand's actions begin."""
    action: np.ndarray
    """(actions,) uint8: codes of `railbird.baseline._kernels_baseline`, hand after hand."""
    cap: np.ndarray
    """(n, 4) int16: most bets by street, the blind included."""


class Preflop(NamedTuple):
    """Values, pot shares and classes before the flop, hand by hand."""

    value: np.ndarray
    """(n, contributions) float64: value of a flop to come after 1, 2, ... small bets each."""
    share: np.ndarray
    """(n,) float64: share of the pot beyond one half that player 1 holds, doubled: -1 to 1."""
    classes: np.ndarray
    """(n, 2) int8: both players' classes."""


class Scores(NamedTuple):
    """Results by hand and street; nan, or -1, where a street was not reached."""

    actual: np.ndarray
    """(n, 4) float64: value after the round as it was played."""
    baseline: np.ndarray
    """(n, 4) float64: value after the round as the baseline plays it."""
    aie_actual: np.ndarray
    """(n, 4) float64: pot equity after the round as it was played."""
    aie_baseline: np.ndarray
    """(n, 4) float64: pot equity after the round as the baseline plays it."""
    lfat: np.ndarray
    """(n, 4) float64: pot equity that the cards before the round brought."""
    classes: np.ndarray
    """(n, 4, 2) int8: both players' classes."""
    first_deviator: np.ndarray
    """(n, 4) int8: player who first left the baseline, 0 or 1; -1 for nobody."""
    dcash: np.ndarray
    """(n,) float64: result had both played the baseline."""
    evat: np.ndarray
    """(n, 2) float64: pot equity that both players gave away, never above zero."""
    divat_by_action: np.ndarray
    """(actions,) float64: change of the value by each action, for the actor."""
    evat_loss: np.ndarray
    """(actions,) float64: pot equity that each action gave away, against the best one; >= 0."""
    best: np.ndarray
    """(actions,) uint8: the best action with all cards seen; the one taken if none is better."""


class Round(NamedTuple):
    """One round of a hand."""

    street: int
    before: int
    """Small bets that each player put in before it."""
    turn: int
    """Place of the turn among the cards left."""
    river: int
    """Place of the river among the cards left."""


class Scratch(NamedTuple):
    """Working memory, used for one hand after another."""

    future: Future
    flop: np.ndarray
    """(3,) int64, ascending."""
    flop_rank: np.ndarray
    """(2,) int64: both players' effective hand ranks on the flop."""
    classes: np.ndarray
    """(2,) int64: both players' classes in this round."""
    values: np.ndarray
    """(contributions,) float64: values after this round as far as they were asked for, else nan."""


@inline_kernel
def _bet_size(street: int) -> int:
    return 1 if street < TURN else 2


@inline_kernel
def _value(
    at: Round, contribution: Integer, preflop: np.ndarray, policy: BaselineArrays, future: Future
) -> float:
    """Value after this round once both have put in ``contribution``."""
    if at.street == PREFLOP:
        return float(preflop[contribution - 1])
    if at.street == FLOP:
        return float(turn_sum(contribution, policy, future) / (LEFT * (LEFT - 1)))
    if at.street == TURN:
        return float(river_sum(at.turn, contribution, policy, future) / (LEFT - 1))
    return float(future.sign[at.turn, at.river] * contribution)


@inline_kernel
def _forfeit(at: Round, level: int, folded_by: int) -> float:
    """Player 1's result where ``folded_by`` folds after both have put in ``level`` bets."""
    lost = float(at.before + _bet_size(at.street) * level)
    if lost == 0.0:  # the dealer gives up at once
        lost = _SMALL_BLIND
    return lost if folded_by else -lost


@inline_kernel
def _outcome(
    at: Round,
    level: int,
    folded_by: int,
    preflop: np.ndarray,
    policy: BaselineArrays,
    scratch: Scratch,
) -> float:
    """Value after a round that ends with ``level`` bets each, or by a fold (``folded_by`` >= 0)."""
    if folded_by >= 0:
        return _forfeit(at, level, folded_by)
    after = at.before + _bet_size(at.street) * level
    if np.isnan(scratch.values[after]):
        scratch.values[after] = _value(at, after, preflop, policy, scratch.future)
    return float(scratch.values[after])


@inline_kernel
def _share(at: Round, preflop: float, future: Future) -> float:
    """Share of the boards that player 1 wins less the share that player 2 wins."""
    if at.street == PREFLOP:
        return preflop
    if at.street == RIVER:
        return float(future.sign[at.turn, at.river])
    total = 0
    if at.street == TURN:
        for y in range(LEFT):
            total += future.sign[at.turn, y]
        return total / (LEFT - 1)
    for x in range(LEFT):
        for y in range(LEFT):
            total += future.sign[x, y]
    return total / (2 * PAIRS)


@inline_kernel
def _classify(at: Round, preflop: np.ndarray, policy: BaselineArrays, scratch: Scratch) -> None:
    """Fill both players' classes in a round; ``preflop`` (2,) are those before the flop."""
    for player in range(2):
        if at.street == PREFLOP:
            scratch.classes[player] = preflop[player]
            continue
        if at.street == FLOP:
            rank = scratch.flop_rank[player]
        elif at.street == TURN:
            rank = scratch.future.turn_rank[player, at.turn]
        else:
            rank = np.int64(scratch.future.river_rank[player, at.turn, at.river])
        scratch.classes[player] = class_of_rank(
            rank, at.street, at.before, policy.make, policy.fold
        )


@inline_kernel
def _baseline_round(
    at: Round, preflop: np.ndarray, policy: BaselineArrays, scratch: Scratch
) -> tuple[int, int]:
    """Play a whole round by the baseline; return its level and who folded, or -1."""
    _classify(at, preflop, policy, scratch)
    one, two = scratch.classes
    if at.street == PREFLOP:
        return play_on(one, two, 1, 1, True, False)
    return play_on(one, two, 0, 0, False, False)


@kernel
def _deal_flop(
    board: np.ndarray,
    first: Integer,
    second: Integer,
    ranks: Ranks,
    policy: BaselineArrays,
    scratch: Scratch,
) -> None:
    """Look up the flop, the first three cards of ``board``, and its futures."""
    flop = scratch.flop
    low, high = min(board[0], board[1]), max(board[0], board[1])
    flop[0] = min(low, board[2])
    flop[1] = max(low, min(high, board[2]))
    flop[2] = max(high, board[2])
    rank_flop(flop, first, second, ranks, policy.bettable[FLOP], scratch.flop_rank)
    look_ahead(flop, first, second, ranks, policy.bettable[TURN], scratch.future)


@inline_kernel
def _hindsight(
    action: int, share: float, stay: float, raised: float, lost: float, facing: bool, may: bool
) -> tuple[float, int]:
    """Pot equity given away by an action, and the best action; ``share`` is the actor's, -1 to 1.

    With all cards seen an action is worth the pot equity if the opponent just calls it: a call
    leaves ``stay`` small bets each in the pot, a raise, if the actor ``may``, ``raised``; a fold
    gives up ``lost``.
    """
    fold, call, bet = -lost, share * stay, share * raised
    taken = fold if action == FOLD else (bet if action == RAISE else call)
    most, best = taken, action
    if call > most:
        most, best = call, CALL
    if facing and fold > most:
        most, best = fold, FOLD
    if may and bet > most:
        most, best = bet, RAISE
    return most - taken, best


@kernel
def _score_round(
    at: Round,
    share: float,
    hand: int,
    p: int,
    hands: Hands,
    preflop: Preflop,
    policy: BaselineArrays,
    scratch: Scratch,
    scores: Scores,
) -> tuple[int, int]:
    """Score the round that begins with action ``p``; return the next one and the contribution."""
    size = _bet_size(at.street)
    values = preflop.value[hand]
    scratch.values[:] = np.nan
    level, folded_by = _baseline_round(at, preflop.classes[hand], policy, scratch)
    one, two = scratch.classes
    value = _outcome(at, level, folded_by, values, policy, scratch)
    scores.classes[hand, at.street, 0] = one
    scores.classes[hand, at.street, 1] = two
    scores.baseline[hand, at.street] = value
    scores.aie_baseline[hand, at.street] = (
        value if folded_by >= 0 else share * (at.before + size * level)
    )

    blind = at.street == PREFLOP
    actor = bets = 1 if blind else 0
    facing, opened, over = blind, False, False
    while not over:
        action = hands.action[p]
        own = two if actor else one
        if scores.first_deviator[hand, at.street] < 0 and action != choose(own, bets, facing):
            scores.first_deviator[hand, at.street] = actor
        level = bets - 1 if facing else bets
        scores.evat_loss[p], scores.best[p] = _hindsight(
            action,
            -share if actor else share,
            float(at.before + size * bets),
            float(at.before + size * (bets + 1)),
            _SMALL_BLIND if blind and not opened else float(at.before + size * level),
            facing,
            bets < hands.cap[hand, at.street],
        )
        scores.evat[hand, actor] -= scores.evat_loss[p]
        folded_by = -1
        if action == FOLD:
            folded_by, over = actor, True
        elif action == RAISE:
            bets += 1
            facing = True
        else:
            level, facing, over = bets, False, opened
        opened = True
        mover, actor = actor, 1 - actor
        ends_at, ends_by = level, folded_by
        if not over:
            ends_at, ends_by = play_on(one, two, actor, bets, facing, True)
        after = _outcome(at, ends_at, ends_by, values, policy, scratch)
        scores.divat_by_action[p] = value - after if mover else after - value
        value = after
        p += 1
    contribution = at.before + size * level
    scores.actual[hand, at.street] = value
    scores.aie_actual[hand, at.street] = value if folded_by >= 0 else share * contribution
    return p, contribution


@inline_kernel
def _score_hand(
    hand: int,
    hands: Hands,
    preflop: Preflop,
    ranks: Ranks,
    policy: BaselineArrays,
    scratch: Scratch,
    scores: Scores,
) -> None:
    first, second = np.int64(hands.first[hand]), np.int64(hands.second[hand])
    p, end = hands.start[hand], hands.start[hand + 1]
    turn = river = contribution = of_baseline = 0
    settled = False
    share = 0.0
    by_baseline = Round(PREFLOP, 0, 0, 0)
    scores.evat[hand] = 0.0
    for street in range(STREETS):
        if street == FLOP:
            _deal_flop(hands.board[hand], first, second, ranks, policy, scratch)
        elif street == TURN:
            turn = place_of(hands.board[hand, 3], scratch.future)
        elif street == RIVER:
            river = place_of(hands.board[hand, 4], scratch.future)
        at = Round(street, contribution, turn, river)
        share_before, share = share, _share(at, preflop.share[hand], scratch.future)
        pot = 2.0 * contribution if street else _BLINDS
        scores.lfat[hand, street] = (share - share_before) / 2 * pot

        by_baseline = Round(street, of_baseline, turn, river)
        if not settled:
            level, folded_by = _baseline_round(by_baseline, preflop.classes[hand], policy, scratch)
            settled = folded_by >= 0
            if settled:
                scores.dcash[hand] = _forfeit(by_baseline, level, folded_by)
            of_baseline += _bet_size(street) * level

        p, contribution = _score_round(at, share, hand, p, hands, preflop, policy, scratch, scores)
        if p == end:
            break
    if not settled:
        scores.dcash[hand] = _value(
            by_baseline, of_baseline, preflop.value[hand], policy, scratch.future
        )


@kernel
def score_hands(
    order: np.ndarray,
    hands: Hands,
    preflop: Preflop,
    ranks: Ranks,
    policy: BaselineArrays,
    scores: Scores,
) -> None:
    """Score the hands that ``order`` lists; fastest if equal flops come together.

    ``scores`` comes filled with nan, and -1 in the whole numbers.
    """
    scratch = Scratch(
        new_future(),
        np.empty(3, np.int64),
        np.zeros(2, np.int64),
        np.zeros(2, np.int64),
        np.empty(policy.fold.shape[1]),
    )
    for hand in order:
        _score_hand(hand, hands, preflop, ranks, policy, scratch, scores)
